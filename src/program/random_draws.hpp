// SPDX-License-Identifier: MIT
// Random tensors of programs. What is drawn may be any numbers, so a claim holds for all of them; what matters is which draws are the same numbers. Every draw that is
// not all that a name is given gets a name of its own here, before anything copies tokens, and generators become the functions of their library. Part of the trusted base.
#pragma once

#include "program/modules.hpp"

namespace foldproof::program {

/// y = torch.rand(4) + 0.1 as drawn = torch.rand(4) and y = drawn + 0.1, and so where a function is called that draws: what is read more than once is then a name.
/// Of programs without generators and classes, so that methods are functions.
Tokens with_draws_named(Tokens tokens, Words& words);

}  // namespace foldproof::program
