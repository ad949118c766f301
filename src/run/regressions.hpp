// SPDX-License-Identifier: MIT
// Past failures: made from a claim that turned out otherwise than expected, and replayed before anything new is drawn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/regressions.hpp"
#include "run/run.hpp"

namespace foldproof::run {

/// The literal case to store for a claim that is expected to be proved and was refuted, or whose test failed.
std::optional<record::Regression> regression_of(const Entry& entry);

struct Replay {
  bool fails = false;  ///< the two sides still differ
  std::string detail;  ///< what was seen, or why the case could not be replayed (that counts as failing)
};

/// Evaluates both sides of a stored case. Never throws for bad input.
Replay replay(const record::Regression& regression);
/// The same with what the claim says today, null when there is no such claim any more. A case speaks against a claim that is still
/// stated as true, as it stands now; where that cannot be evaluated on the stored numbers the case counts as failing, and says so.
Replay replay(const record::Regression& regression, const record::ClaimRecord* today);

}  // namespace foldproof::run
