// SPDX-License-Identifier: MIT
// Functions of a program written out where they are called, with the sizes of what they are called with. Part of the trusted base.
#pragma once

#include "program/modules.hpp"

namespace foldproof::program {

/// def f(x, block=2): ... return y, in which a loop stands, as its statements before each statement that calls f, with names of their own. What other functions, comprehensions
/// and conditions of loops call stays a call, and so do functions that return in several places, and those whose default values are no numbers or words. Nothing where no call is written out.
std::optional<Tokens> with_calls_written(const Tokens& tokens, Words& words);

}  // namespace foldproof::program
