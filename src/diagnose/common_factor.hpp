// SPDX-License-Identifier: MIT
// Errors that all entries of a stored result have in common. Roundings of single entries lie on both sides and average out; a wrong constant
// does not. Bounds of 16-bit formats have room for some percent, in which sqrt(132) for sqrt(128) is lost.
#pragma once

#include <optional>
#include <string>

#include "campaign/campaign.hpp"

namespace foldproof::diagnose {

struct CommonFactor {
  bool right = true;     ///< the stored result is the right side
  double factor = 1;     ///< of it over the other side
  double excess = 0;     ///< by how much it lies beside that of a program that rounds its result, or every step; relative
  double constants = 0;  ///< how much the roundings of constants, or digits that were cut off, explain at most
  double fit = 1;        ///< what is left of the squared differences once the factor is taken out

  bool may_be_rounding() const { return excess <= constants; }
  bool fits_far_better() const { return fit < 0.1; }
  /// "the right side is 1.0154 times the left".
  std::string text() const;
};

/// Where one side is a stored tensor and the other computes it: their common factor, where it is clearly none of the roundings of single
/// entries, rows or columns. Nothing also where a variable is not given, or there are too few entries to tell, or too many to try.
std::optional<CommonFactor> common_factor(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const numeric::FormatInfo& format);

}  // namespace foldproof::diagnose
