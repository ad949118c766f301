// SPDX-License-Identifier: MIT
// The order in which shapes are tried: fewest entries of all variables first, then sizes in the order of the claim.
// Sizes equal to the largest number of distinct indices of one type in a differing monomial suffice for polynomial claims.
#pragma once

#include <vector>

#include "infer/problem.hpp"

namespace foldproof::refute {

/// At most `most` assignments of sizes that satisfy the assumptions on sizes, smallest first; a few with pairwise different
/// sizes are kept beyond the cut, because square shapes hide transposes.
std::vector<expr::DimValues> shapes_in_order(const infer::Problem& problem, std::size_t most);

/// A text that identifies the claim and nothing else, not even its layout: the stream of random numbers depends on it.
std::string signature(const infer::Problem& problem);

}  // namespace foldproof::refute
