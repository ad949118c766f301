// SPDX-License-Identifier: MIT
// The cases in which a claim is tried on tensors that somebody has: how large what they leave open is, and what it may cost.
#pragma once

#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "campaign/sample.hpp"
#include "infer/problem.hpp"

namespace foldproof::campaign {

/// Scalar operations of all cases in one format: about a second.
inline constexpr std::int64_t much_work = 1'000'000'000;

/// What stands beside stored weights is of usual size: numbers at the edge of a format have infinite bounds there and show nothing.
/// The second case is one of unit vectors: of what is linear they show every entry of the stored weights by itself.
inline constexpr FamilyTurns beside_given{Family::uniform, Family::identity, Family::normal, Family::graded, Family::cancelling, Family::sparse, Family::normal, Family::integers,
                                          Family::uniform, Family::normal,   Family::uniform, Family::graded, Family::normal,    Family::sparse, Family::uniform, Family::cancelling};

struct GivenCases {
  std::vector<expr::DimValues> sizes;  ///< of each case; empty when the assumptions allow none
  std::int64_t work = 1;               ///< rough number of scalar operations of all cases
  /// Whether random rows stand before stored weights and there are fewer of them than columns: no unit vector meets some rows of the weights.
  bool misses_unit_vectors = false;
};

/// Those that the given tensors leave open differ from case to case, and are above 1 where the assumptions allow it: one row is no test of
/// what a softmax does to a row. The second case has as many rows of random numbers as they have columns, X: [n, d] with n = d, where that is
/// not too much work, so that all unit vectors are there. `known`: the sizes that the tensors determine. Requires: the sampler takes
/// beside_given in turn.
GivenCases cases_of(const infer::Problem& problem, const Sampler& sampler, const GivenTensors& given, const expr::DimValues& known, std::int64_t most);

/// The names in the size that have no value.
std::vector<std::string> unknown_names(const expr::Dim& size, const expr::DimValues& dims);

}  // namespace foldproof::campaign
