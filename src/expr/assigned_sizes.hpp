// SPDX-License-Identifier: MIT
// Sizes that are assigned, as in Python programs: k = d // h.
#pragma once

#include "expr/syntax.hpp"

namespace foldproof::expr {

/// Definitions of names that stand for sizes, as in X: [n, k] and X.reshape(n, h, k), become assumptions about sizes: k == d // h.
/// A rank that is compared is written out: r = rank(W); r <= d.
void read_assigned_sizes(Claim& claim);

}  // namespace foldproof::expr
