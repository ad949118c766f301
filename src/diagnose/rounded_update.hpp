// SPDX-License-Identifier: MIT
// Updates that were rounded before they were added: M = round(W + round(D)), as whoever casts an adapter's update to the format of the weights
// computes it, or computes it in 16 bits throughout, as autocast does, for weights of more. One rounding of W + D gives other numbers.
#pragma once

#include <optional>
#include <string>

#include "campaign/campaign.hpp"

namespace foldproof::diagnose {

struct RoundedUpdate {
  std::string format;
  bool operands = false;  ///< what the update is computed from was rounded as well
};

/// The format of 16 bits of which the claim W + D == M or W - D == M shows the digits: every entry of M is what D, computed in float32 in some
/// order and rounded to that format, added to W and rounded to the format of M gives. Where W and M have 16 bits, it is theirs; else it may be either.
/// Requires: every variable is given.
std::optional<RoundedUpdate> added_after_rounding(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims);

}  // namespace foldproof::diagnose
