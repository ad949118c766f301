// SPDX-License-Identifier: MIT
// In how many digits was a stored result computed? The bound of a format of 16 bits has room for programs that round every step to it, and
// those miss the nearest number at many entries. Where hardly any is missed, no such program was at work, and its bound excuses nothing.
#pragma once

#include <optional>
#include <vector>

#include "campaign/campaign.hpp"
#include "diagnose/stored_side.hpp"
#include "infer/problem.hpp"

namespace foldproof::diagnose {

/// Entries that are farther from the exact values than computing in the wider of two formats and rounding the result once explains.
struct Misses {
  std::int64_t slight = 0;    ///< of the stored result those that are off by a few times as much, as entries of other programs are
  std::int64_t far = 0;       ///< and by more
  std::int64_t stepwise = 0;  ///< of a program that rounds every step to the narrower format
  std::int64_t entries = 0;
  std::vector<std::int64_t> worst;  ///< index of the stored entry that is farthest off
  double ratio = 0;                 ///< by how often as much as explained

  /// Far ones are no rounding then.
  bool shows_more_digits() const;
};
/// `coarse`: the same in the narrower format. Nothing where no side is a stored result, see stored_side.
std::optional<Misses> misses(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const numeric::FormatInfo& wide, const StoredSide& coarse);

}  // namespace foldproof::diagnose
