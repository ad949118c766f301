// SPDX-License-Identifier: MIT
// On which set both sides of a claim are defined: every division, logarithm and root that is not known to be safe, in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::verdict {

/// The text of the term in the claim as it was written, between backticks; `otherwise` for what no text stands for.
std::string quoted(const infer::TermNode& t, const expr::Claim& claim, const std::string& otherwise);

struct Conditions {
  std::vector<std::string> sentences;  ///< one for each operation that may be undefined, in the words of the claim; none when both sides are always defined
  std::optional<std::string> nowhere;  ///< which subscripts lie outside of their tensor at all sizes, so that a side has a value at none
};
Conditions conditions(const infer::Problem& problem, const expr::Claim& claim);

}  // namespace foldproof::verdict
