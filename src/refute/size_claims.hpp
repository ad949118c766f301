// SPDX-License-Identifier: MIT
// Claims whose sides are made of sizes alone, such as d*k <= p*(d + k): the smallest sizes that refute them, in the order of
// shapes: fewest entries of all variables first (without variables the smallest sum of sizes), then the sizes in order.
#pragma once

#include <optional>

#include "infer/problem.hpp"

namespace foldproof::refute {

/// Whether neither a side nor an assumption that ties variables together says anything of more than sizes.
bool is_about_sizes(const infer::Problem& problem);

struct RefutingSizes {
  expr::DimValues dims;
  bool smallest = false;  ///< nothing smaller in the order refutes: all of it was looked at, or no range holds any
};
/// Requires: is_about_sizes(problem). Nullopt when none was found. Without `smallest` any that refute will do.
std::optional<RefutingSizes> refuting_sizes(const infer::Problem& problem, bool smallest);

}  // namespace foldproof::refute
