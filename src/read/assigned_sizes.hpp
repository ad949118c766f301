// SPDX-License-Identifier: MIT
// Sizes that are assigned, as in Python programs: k = d // h.
#pragma once

#include <functional>
#include <string>

#include "read/language.hpp"

namespace foldproof::read {

/// Definitions of names that stand for sizes, as in X: [n, k] and X.reshape(n, h, k), become assumptions about sizes: k == d // h.
/// A rank that is compared is written out: r = rank(W); r <= d.
void read_assigned_sizes(Claim& claim);

/// Whether e is whole numbers, entries of shapes, ranks, names that `may_be_size` and their sums, products and quotients.
bool is_size_arithmetic(const Expression& e, const std::function<bool(const std::string&)>& may_be_size);

}  // namespace foldproof::read
