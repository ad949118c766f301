// SPDX-License-Identifier: MIT
// A factor that was fitted to the entries of a stored result, of a term or of a component of a product, and how well it fits.
#pragma once

#include <cstdint>
#include <string>

namespace foldproof::diagnose {

struct FittedFactor {
  double factor = 1;  ///< with which it stands in the stored result
  double error = 0;   ///< the standard error of that
  std::int64_t entries = 0, differing = 0, left = 0;  ///< of these those that are not the nearest stored numbers, or beyond the bound, without and with the factor
  bool by_bounds = false;  ///< of sums in float32 few are the nearest numbers, and roundings are far below the bound

  /// Hardly any entry is none of the nearest numbers once the factor is there.
  bool fits_far_better() const;
  /// How many digits of the factor its error leaves.
  int digits() const;
  /// "; 62 of 96 entries are not the nearest stored numbers, and with that factor 5", where it fits far better.
  std::string entries_text() const;
};

}  // namespace foldproof::diagnose
