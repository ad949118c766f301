// SPDX-License-Identifier: MIT
// Functions and methods that do something besides what they return: they assert, make modules, or change weights and attributes. Part of
// the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// The program with what such functions do in the place of their calls: check(A @ B, C) asserts what the function asserts, and
/// merged = fuse(lin, norm) makes the module that it returns. In the same way loops over written lists whose bodies act, for lin in [q, k]: ...,
/// and getattr(lin, "weight"). Calls that cannot be written so stay, and are refused where they are read.
Tokens with_acting_calls(Tokens tokens, Words& words);

/// The names of functions, methods and objects of the program whose calls change what others may read.
std::set<std::string_view> changing_calls(const Tokens& tokens);

}  // namespace foldproof::program
