// SPDX-License-Identifier: MIT
// Functions that read names of the program, where these get other values. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// def f(x): return x @ W, then W = 2 * W, then f(x): the function once more behind W = 2 * W, by a name of its own that is meant from there on. Python looks at what W is when the function is
/// called. Only outside of loops, cases and functions.
Tokens with_functions_again(Tokens tokens, Words& words);

}  // namespace foldproof::program
