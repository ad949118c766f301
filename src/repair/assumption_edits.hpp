// SPDX-License-Identifier: MIT
// A claim with one more assumption, or with a stronger one in the place of a weaker one: what is said of one variable, of two of
// them, of a part under relu or abs, of two sizes.
#pragma once

#include "repair/edits.hpp"

namespace foldproof::repair {

/// Not sorted; in the same order for the same claim.
std::vector<Edit> assumption_edits(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::repair
