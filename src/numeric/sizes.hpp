// SPDX-License-Identifier: MIT
// Sizes that satisfy what a claim assumes about them and leave no axis empty: ranges are narrowed and then branched over, small
// sizes first. When the search ends without a cut and found none, there are none.
#pragma once

#include <cstdint>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::numeric {

/// difference relation 0
struct SizeConstraint {
  expr::Dim difference;
  expr::Relation relation;
};
/// What is assumed about the sizes, and that no axis of a variable or of a part of the sides is empty.
std::vector<SizeConstraint> size_constraints(const infer::Problem& problem);
/// Errors: LimitReached when a size does not fit into 64 bits.
bool hold(const SizeConstraint& constraint, const expr::DimValues& sizes);
bool hold(const std::vector<SizeConstraint>& constraints, const expr::DimValues& sizes);

/// About `most` assignments that satisfy the constraints, in the order of problem.dimensions: of small sizes where there are
/// such, otherwise of what the assumptions ask for, as in d > 100, n*d == 1001 or h*k == 4096.
std::vector<std::vector<std::int64_t>> sizes_that_fit(const infer::Problem& problem, std::size_t most);

/// Whether it is certain that no sizes satisfy the assumptions about sizes. False: not known.
bool sizes_contradict(const infer::Problem& problem);

}  // namespace foldproof::numeric
