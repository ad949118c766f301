// SPDX-License-Identifier: MIT
// Products of which the operands are what was computed: the factors of A @ B == W, or W @ R that is turned back by M @ R.T == W; and results of operands that
// were rounded afterwards, as W * g == M of a fold in float32, of which both checkpoints were saved in 16 bits. Each of them was rounded when it was stored,
// entry by entry, and the result is off by what these roundings amount to, which is more than rounding it.
#pragma once

#include <optional>
#include <string>

#include "campaign/campaign.hpp"

namespace foldproof::diagnose {

/// Whether some difference is beyond the bounds of programs that have the operands as they are stored. Where none is, such a program is as likely as long as the
/// size of all differences together does not tell it.
enum class Bounds { exceeded, kept };

/// Says that all differences are within half a unit in the last place of every stored operand, and as large as such roundings make them that are
/// independent of each other: altogether, in every row and column, and in each entry. Nothing where they are not, where a side is more than
/// products, quotients and softmax of stored tensors and sums of two, or the other is no stored tensor, where none of them has 16 bits, and where
/// computing this takes long.
std::optional<std::string> rounded_operands(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims, Bounds bounds = Bounds::exceeded);

}  // namespace foldproof::diagnose
