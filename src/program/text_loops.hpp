// SPDX-License-Identifier: MIT
// Loops over words: each step is written out, so that dictionaries are read by their keys. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// {w: f(w) for w in ("q", "k")} as {"q": f("q"), "k": f("k")}, (p[w] for w in "qk") as [p["q"], p["k"]] in brackets, and for w in ["q", "k"]: as its two steps. The words may have a name that
/// stands for nothing else. Loops over words that skip or end a step, or take attributes by their names, stay as they are.
Tokens with_text_loops(Tokens tokens, Words& words);

}  // namespace foldproof::program
