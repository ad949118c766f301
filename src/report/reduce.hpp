// SPDX-License-Identifier: MIT
// The same claim at smaller fixed sizes. A counterexample there, padded with zeros, usually refutes the claim as stated; whether it
// does is always verified at the sizes of the claim.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "refute/refute.hpp"

namespace foldproof::report {

/// Large size -> small size.
using SizeMap = std::map<std::int64_t, std::int64_t>;
std::string text(const SizeMap& map);

/// Ways to make the large sizes of the declarations small: distinct ones in order, and all divided by a common factor.
std::vector<SizeMap> reductions(const expr::Claim& claim);

/// The claim with the sizes of its declarations and size assumptions replaced.
expr::Claim reduced(const expr::Claim& claim, const SizeMap& map);

/// The counterexample of a reduced claim at the sizes of the claim, zero where it says nothing.
numeric::Instance<numeric::Exact> padded(const infer::Problem& problem, const refute::Counterexample& small);

}  // namespace foldproof::report
