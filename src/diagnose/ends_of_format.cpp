// SPDX-License-Identifier: MIT
#include "diagnose/ends_of_format.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace foldproof::diagnose {

std::string ends_of_format(const StoredSide& side, std::int64_t beyond) {
  const numeric::FormatInfo& format = *side.storage;
  const double least_normal = std::ldexp(format.eta, format.precision);  // eta is half of the least number
  std::int64_t clamped = 0, flushed = 0, others = 0;
  for (std::size_t i = 0; i < side.stored.size(); ++i) {
    const double stored = side.stored[i], exact = side.exact[i];
    if (std::abs(stored) == format.max_finite && std::abs(exact) > format.max_finite && std::signbit(stored) == std::signbit(exact)) ++clamped;
    else if (stored == 0 && std::abs(exact) < least_normal && std::abs(exact) > format.eta) ++flushed;
    else if (side.is_beyond(i)) ++others;
  }
  const std::int64_t count = clamped > 0 ? clamped : flushed;
  if (others > 0 || (clamped > 0) == (flushed > 0) || count < beyond) return "";
  const std::string entries = count == 1 ? "one entry holds" : fmt::format("{} entries hold", count);
  if (clamped > 0) return fmt::format("{} {:g}, the largest {}, in place of more: rounding if the result was clamped to what the format holds, a bug if it should have been scaled", entries, format.max_finite, format.name);
  return fmt::format("{} 0 in place of less than {:.3g}, the least normal {}: rounding if the program ran where subnormal numbers are flushed to 0, a bug if not", entries, least_normal, format.name);
}

}  // namespace foldproof::diagnose
