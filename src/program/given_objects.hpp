// SPDX-License-Identifier: MIT
// Functions that are given functions, modules and other objects, which are no tensors: attention(q, k, v, softmax), compare(Attention(8, 2), x). Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// Each such call as one of a function of its own, in which the parameter has the name of what was given, or of its default value. What is made for the call gets a name first. What is given in another way, and what the
/// function gives another value, stays as it is, and is refused where it is read.
Tokens with_objects_given(Tokens tokens, Words& words);

}  // namespace foldproof::program
