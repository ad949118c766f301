// SPDX-License-Identifier: MIT
// The true claims of a folder tested as programs: correct cases that are called wrong, and seeded bugs that are found.
#pragma once

#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "campaign/kill.hpp"

namespace foldproof::bench {

struct TrueClaim {
  std::string id;
  infer::Problem problem;
};
/// Every claim of the folder that its file expects to be proved, whatever its relation, or one in `every`.
std::vector<TrueClaim> true_claims(const std::string& folder, std::size_t every = 1);

/// Campaigns of `cases` cases of each claim in every format, their counts added up. Each alarm is a line on stderr.
campaign::Campaign correct_cases(const std::vector<TrueClaim>& claims, std::int64_t cases);

/// Bugs seeded into each equation and looked for with up to `cases` cases; `last_kill` is the largest of all claims, and names of bugs stand behind the claim's id.
campaign::Kills seeded_bugs(const std::vector<TrueClaim>& claims, std::int64_t cases);

}  // namespace foldproof::bench
