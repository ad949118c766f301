// SPDX-License-Identifier: MIT
#include "diagnose/fitted_factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace foldproof::diagnose {

bool FittedFactor::fits_far_better() const {
  constexpr std::int64_t far_better = 10;
  return differing > 0 && far_better * left <= differing;
}

int FittedFactor::digits() const { return std::clamp(static_cast<int>(std::ceil(-std::log10(std::max(error, 1e-9)))), 2, 6); }

std::string FittedFactor::entries_text() const {
  return fits_far_better() ? fmt::format("; {} of {} entries are {}, and with that factor {}", differing, entries, by_bounds ? "beyond the bound" : "not the nearest stored numbers", left) : "";
}

}  // namespace foldproof::diagnose
