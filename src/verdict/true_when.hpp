// SPDX-License-Identifier: MIT
// Where a false claim is true all the same: at sizes of 1, or where two sizes are equal.
#pragma once

#include <string>
#include <vector>

#include "refute/refute.hpp"

namespace foldproof::verdict {

/// For a claim that fails at sizes `failed`: "d = 1 (proved)", and what is only observed, "n = k (held in all 240 instances tested)".
std::vector<std::string> true_when(const expr::Claim& claim, const infer::Problem& problem, const expr::DimValues& failed, const refute::Options& options);

}  // namespace foldproof::verdict
