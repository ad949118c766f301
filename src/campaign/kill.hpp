// SPDX-License-Identifier: MIT
// How many seeded bugs the cases of a campaign tell from the claim. The cases, bounds and comparisons are those of the campaign.
// A bug is killed when the sides differ by more than their bounds, when they differ in the exact lane, or when the wrong side
// has no finite value where the right one has.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/bugs.hpp"
#include "campaign/campaign.hpp"

namespace foldproof::campaign {

/// made = killed + survivors; a mutant that is proved to be no bug is not counted as made.
struct Kills {
  std::int64_t made = 0;
  std::int64_t killed = 0;
  std::int64_t last_kill = -1;          ///< the case that was needed for the last of them
  std::vector<std::string> survivors;   ///< "softmax-wrong-axis in rhs"
  std::vector<std::string> equivalent;  ///< proved: this change does not change the value of the side
  std::vector<std::string> untested;    ///< no case gave both sides a value
};

/// Whether the sides of a problem are proved equal.
using Proves = std::function<bool(const infer::Problem&)>;

/// The first `options.cases` cases of the campaign, in float64 and float32, until all mutants are killed. A mutant that the first
/// `cases_before_proof` cases do not kill is given to `proves`. Requires: the claim is true.
Kills kill(const infer::Problem& problem, const CampaignOptions& options, const Proves& proves);
inline constexpr std::int64_t cases_before_proof = 2 * cases_per_shape;

}  // namespace foldproof::campaign
