// SPDX-License-Identifier: MIT
// The smallest violating instance of one space: fewest slots away from alternative 0, then the smallest sum of alternative
// numbers, then the earliest places. Exhaustive from the bottom within a budget of instances, which also bounds what has to be
// searched by first shrinking a random witness, within a multiple of it; when the budget ends, the shrunk witness stands.
#pragma once

#include <limits>
#include <optional>

#include "refute/trial.hpp"

namespace foldproof::refute {

struct Smallest {
  std::vector<std::size_t> choice;
  bool exhaustive = false;  ///< nothing smaller in the order exists among the simple alternatives
};

/// Returns nullopt when there is no witness and none was found within `budget` instances, of the first `alternatives` of each slot.
template <class T>
std::optional<Smallest> minimize(Trial<T>& trial, const Space& space, const std::optional<std::vector<std::size_t>>& witness, std::int64_t budget,
                                 std::size_t alternatives = std::numeric_limits<std::size_t>::max());

}  // namespace foldproof::refute
