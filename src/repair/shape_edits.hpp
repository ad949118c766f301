// SPDX-License-Identifier: MIT
// A claim with other shapes: a bias that was read as a matrix, small letters that are vectors or numbers, a row for a column.
#pragma once

#include "repair/edits.hpp"

namespace foldproof::repair {

/// Not sorted; in the same order for the same claim.
std::vector<Edit> shape_edits(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::repair
