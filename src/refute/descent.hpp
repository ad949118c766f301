// SPDX-License-Identifier: MIT
// A point between the numbers tried: 0 <= x**4 - 4*x**2 + 3.99 fails next to the root of 2 only. From the instances at which
// the sides of an inequality are closest, single entries are moved by smaller and smaller steps so that the sides come closer.
#pragma once

#include <cstdint>
#include <optional>

#include "infer/problem.hpp"
#include "numeric/evaluate.hpp"

namespace foldproof::refute {

struct Descent {
  bool tried = false;                                         ///< the shape has few entries, and they are free
  std::optional<numeric::Instance<numeric::Exact>> instance;  ///< violates the relation in doubles: to be verified
};
/// Requires: the relation is <=.
Descent descend(const infer::Problem& problem, const expr::DimValues& dims, std::uint64_t seed);

}  // namespace foldproof::refute
