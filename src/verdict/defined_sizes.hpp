// SPDX-License-Identifier: MIT
// Sizes that occur in no shape, because assumptions define them: d and f, where 3*f == 8*d leaves one number free.
#pragma once

#include <set>
#include <string>

#include "infer/problem.hpp"

namespace foldproof::verdict {

/// The names among the assumptions about sizes, and among `others`, that have no size in `dims`, with the size that they have there.
expr::DimValues defined_sizes(const infer::Problem& problem, const expr::Claim& claim, const expr::DimValues& dims, const std::set<std::string>& others = {});

}  // namespace foldproof::verdict
