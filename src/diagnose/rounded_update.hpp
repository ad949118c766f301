// SPDX-License-Identifier: MIT
// Updates that were rounded before they were added: M = round(W + round(D)), as whoever casts an adapter's update to the format of the weights
// computes it. One rounding of W + D gives other numbers.
#pragma once

#include <optional>
#include <string>

#include "campaign/campaign.hpp"

namespace foldproof::diagnose {

/// The format of W and M, of 16 bits, where the claim is W + D == M or W - D == M and every entry of M is what D, computed in float32 in some
/// order and rounded to that format, added to W and rounded once more gives. Requires: every variable is given.
std::optional<std::string> added_after_rounding(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims);

}  // namespace foldproof::diagnose
