// SPDX-License-Identifier: MIT
// Dictionaries, and lists of dictionaries and tuples, as what they hold: one name for each value, one list for each key. Part of the
// trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// s = {"scale": 2} as s_scale = 2, and s["scale"] by that name: what each key has. f(**s) gives all of them by their names; f(s) calls
/// what f is with a parameter for each key. layers = [(A, a), (B, b)] as two lists, and for W, w in layers as a loop over both.
/// Errors: `parse.unexpected` where one is used in another way.
Tokens with_dictionaries(Tokens tokens, Words& words);

}  // namespace foldproof::program
