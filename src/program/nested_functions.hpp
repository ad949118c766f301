// SPDX-License-Identifier: MIT
// Functions in functions, as functions of the program. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// def f(x): ... def g(y): return y * x ... g(2) as def g(x, y): return y * x before it, and g(x, 2): what g reads of f is what it is where g is called, as in Python; and so with g = lambda y: y * x.
/// What is used in another way than by calls behind it stays as it is, and is refused by what reads functions.
Tokens with_functions_apart(Tokens tokens, Words& words);

}  // namespace foldproof::program
