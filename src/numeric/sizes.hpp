// SPDX-License-Identifier: MIT
// Sizes that satisfy what a claim assumes about them and leave no axis empty: ranges are narrowed and then branched over, small
// sizes first. When the search ends without a cut and found none, there are none.
#pragma once

#include <cstdint>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::numeric {

/// About `most` assignments, in the order of problem.dimensions: of small sizes where there are such, otherwise of what the
/// assumptions ask for, as in d > 100, n*d == 1001 or h*k == 4096.
std::vector<std::vector<std::int64_t>> sizes_that_fit(const infer::Problem& problem, std::size_t most);

/// Whether it is certain that no sizes satisfy the assumptions about sizes. False: not known.
bool sizes_contradict(const infer::Problem& problem);

}  // namespace foldproof::numeric
