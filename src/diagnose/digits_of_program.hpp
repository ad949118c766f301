// SPDX-License-Identifier: MIT
// In how many digits was a stored result computed? The bound of a format of 16 bits has room for programs that round every step to it, and
// that of a narrow operand has room for one that had more digits; either way most entries would not be the nearest numbers. Where hardly any
// is missed, no such program was at work, and its bound excuses nothing.
#pragma once

#include <vector>

#include "diagnose/stored_side.hpp"

namespace foldproof::diagnose {

/// Entries that are farther from the exact values than computing in the wider of two formats and rounding the result once explains.
struct Misses {
  std::int64_t slight = 0;    ///< of the stored result those that are off by a few times as much, as entries of other programs are
  std::int64_t far = 0;       ///< and by more
  std::int64_t stepwise = 0;  ///< of a program that rounds every step to the narrower format
  std::int64_t entries = 0;
  std::vector<std::int64_t> worst;  ///< index of the stored entry that is farthest off
  double ratio = 0;                 ///< by how often as much as explained
  double ratio_stepwise = 0;        ///< the same of a program that rounds every step, at that entry
  /// A bound on the chance that no more entries are missed than these, by a program with errors of which that of the worst entry is one.
  double chance = 1;

  /// Far ones are no rounding then.
  bool shows_more_digits() const;
  /// Neither is the worst one, though it is the only one.
  bool shows_wrong_entry() const;
  /// Whatever the others say of programs that make no errors there either: all of them are right, and none of the programs errs as much at this one.
  bool shows_lone_entry() const;
  /// Of a result of many digits: too many entries have all of them for the others to be off because operands had more.
  bool shows_exact_operands() const;
};
/// Whether some entry may be far off, as far as one format tells: a wide one by its own bounds, of a narrow one no more than the last rounding is
/// excused. Asked first, for it costs nothing.
bool may_have_far_entry(const StoredSide& side);
/// Of the same result in the wider format, and in the narrower one.
Misses misses(const StoredSide& fine, const StoredSide& coarse);

}  // namespace foldproof::diagnose
