// SPDX-License-Identifier: MIT
// Conditions on the indices of loops over sizes, as in attention that is written out: if j <= i. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// for i in range(n): for j in range(n): if j <= i: s += f(i, j) as s += where(M[i, j], f(i, j), 0) for the mask M of the places where the condition holds; the
/// same of S[i, j] = f(i, j) where S is zeros before, of two cases that give one target a value, of `if j > i: continue`, and of `a if j <= i else b`, also in
/// comprehensions over sizes. Other conditions, and cases that do something else, stay as they are.
Tokens with_index_conditions(Tokens tokens);

}  // namespace foldproof::program
