// SPDX-License-Identifier: MIT
// Sums of products as people write them: "sum_a sum_b X[i,a] W_Q[a,b]". For derivations; nothing reads it back.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "kernel/algebra.hpp"

namespace foldproof::normal {

/// Names of `count` free indices, i, j, k, ..., none of which is in `taken`.
std::vector<std::string> index_names(std::size_t count, const std::set<std::string>& taken);

/// p in index notation; `free` are the free index variables, which get their `index_names`; bound ones are called a, b, c, ...
/// No index is called as a name of `taken`: the sizes and variables of the claim. Of a long sum the rest is left out: " + ...".
std::string text(const kernel::Arena& arena, const kernel::Poly& p, const std::vector<kernel::Symbol>& free, const std::set<std::string>& taken);

}  // namespace foldproof::normal
