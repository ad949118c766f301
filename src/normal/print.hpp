// SPDX-License-Identifier: MIT
// Sums of products as people write them: "sum_a sum_b X[i,a] W_Q[a,b]". For derivations; nothing reads it back.
#pragma once

#include <string>
#include <vector>

#include "kernel/laws.hpp"

namespace foldproof::normal {

/// p in index notation; `free` are the free index variables, which are called i, j, k, ... in this order.
std::string text(const kernel::Arena& arena, const kernel::Poly& p, const std::vector<kernel::Symbol>& free);

/// What a law says, in words.
const char* describe(kernel::Law law);

}  // namespace foldproof::normal
