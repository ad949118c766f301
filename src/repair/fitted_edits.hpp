// SPDX-License-Identifier: MIT
// Edits that numbers suggest: at dense instances of several sizes one side is a constant times the other one, or what one side
// lacks is a constant times something that stands in the claim. The constant is a small fraction, a size, a scalar of the claim.
#pragma once

#include "repair/edits.hpp"

namespace foldproof::repair {

/// Smallest first; none for inequalities. `tokens`: vectors hold numbers of rows. The same for the same seed.
std::vector<Edit> fitted_edits(const expr::Claim& claim, const infer::Problem& problem, bool tokens, std::uint64_t seed);

}  // namespace foldproof::repair
