// SPDX-License-Identifier: MIT
// Errors that all entries of a stored result have in common. Roundings of single entries lie on both sides and average out; a wrong constant
// does not. Bounds of 16-bit formats have room for some percent, in which sqrt(132) for sqrt(128) is lost.
#pragma once

#include <optional>
#include <string>

#include "diagnose/stored_side.hpp"

namespace foldproof::diagnose {

struct CommonFactor {
  bool right = true;     ///< the stored result is the right side
  double factor = 1;     ///< of it over the other side
  double excess = 0;     ///< by how much it lies beside that of a program that rounds its result, or every step; relative
  double constants = 0;  ///< how much the roundings of constants, or digits that were cut off, explain at most
  double fit = 1;        ///< what is left of the squared differences once the factor is taken out
  bool is_one_number = false;  ///< with the factor every entry is within its bound

  bool may_be_rounding() const { return excess <= constants; }
  bool fits_far_better() const { return fit < 0.1; }
  /// "the right side is 1.0154 times the left".
  std::string text() const;
};

/// The factor that all entries have in common, where it is clearly none of the roundings of single entries, rows or columns.
std::optional<CommonFactor> common_factor(const StoredSide& side);

/// Of a side with too few entries for that: says that all of them are off to one side by nearly the same share, and how unlikely this is of
/// roundings that are independent of each other. Nothing where it is not unlikely.
std::optional<std::string> same_error_of_few(const StoredSide& side);

/// The entries with one index on one axis, such as those of a row, that are off by a factor.
struct GroupFactor {
  std::size_t axis = 0;
  std::int64_t index = 0;
  CommonFactor common;        ///< `constants`: roundings that they have in common, and what those of single entries leave in their mean
  bool may_be_one_more = false;  ///< another rounding in common would explain it, as of a program that stores a step which nobody counts

  /// "in [17, :] the right side is 1.0154 times the left".
  std::string text(std::size_t axes) const;
};

/// The one that is farthest from what roundings explain, as common_factor measures it; the others may be right.
std::optional<GroupFactor> group_factor(const StoredSide& side);

}  // namespace foldproof::diagnose
