// SPDX-License-Identifier: MIT
// The order in which shapes are tried: fewest entries of all variables first, then sizes in the order of the claim.
// Sizes equal to the largest number of distinct indices of one type in a differing monomial suffice for polynomial claims.
#pragma once

#include <optional>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::refute {

/// At most `most` assignments of sizes that satisfy the assumptions on sizes, smallest first; a few with pairwise different
/// sizes are kept beyond the cut, because square shapes hide transposes.
std::vector<expr::DimValues> shapes_in_order(const infer::Problem& problem, std::size_t most);

/// Shapes beyond those: along one dimension, or along all, as far as the numbers of the claim ask for, such as 11 for 1/10.
std::vector<expr::DimValues> long_shapes(const infer::Problem& problem);

struct FarShape {
  expr::DimValues dims;
  std::string dimension;  ///< the one that is not 1
};
/// For an inequality with a number in it, such as lse(S) <= rowmax(S) + 5: one size is so large that a bound that holds for small sizes only fails.
std::vector<FarShape> far_shapes(const infer::Problem& problem);

/// Whether a number of entries grows with each size: it has no difference and no quotient.
bool grows(const expr::Dim& entries);
/// All shapes that come before this one, in the order above; nullopt when there are more than `most` or no end to them.
std::optional<std::vector<expr::DimValues>> shapes_below(const infer::Problem& problem, const expr::DimValues& dims, std::size_t most);

/// A text that identifies the claim and nothing else, not even its layout: the stream of random numbers depends on it.
std::string signature(const infer::Problem& problem);

}  // namespace foldproof::refute
