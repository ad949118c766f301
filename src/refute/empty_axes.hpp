// SPDX-License-Identifier: MIT
// Sizes at which a part of a claim has no entries: np.ones(n - 1) where n is 1. The language has no tensors of size 0, so that neither a proof nor the
// search for counterexamples says anything there; NumPy has them, and sums over them are 0.
#pragma once

#include <cstdint>
#include <optional>

#include "infer/problem.hpp"

namespace foldproof::refute {

struct WithoutEntries {
  expr::DimValues dims;
  infer::Term part;   ///< has no entries there, and is made of nothing that has none
  std::size_t axis;   ///< of size 0
};

/// Sizes at which both sides have a value in NumPy though some part has no entries there, and the claim fails. Nothing where none of a few small shapes
/// for each such axis shows it.
std::optional<WithoutEntries> fails_where_empty(const infer::Problem& problem, std::uint64_t seed);

}  // namespace foldproof::refute
