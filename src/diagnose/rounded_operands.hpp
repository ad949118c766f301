// SPDX-License-Identifier: MIT
// Products of which the operands are what was computed: the factors of A @ B == W, or W @ R that is turned back by M @ R.T == W. Each of them was rounded
// when it was stored, entry by entry, and their product is off by what these roundings amount to, which is more than rounding the result.
#pragma once

#include <optional>
#include <string>

#include "campaign/campaign.hpp"

namespace foldproof::diagnose {

/// Says that all differences are within half a unit in the last place of every stored operand, and as large as such roundings make them that are
/// independent of each other: altogether, in every row and column, and in each entry. Nothing where they are not, where a side is no product of stored
/// matrices or the other is no stored tensor, where none of them has 16 bits or fewer, and where computing this takes long.
std::optional<std::string> rounded_operands(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims);

}  // namespace foldproof::diagnose
