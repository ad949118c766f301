// SPDX-License-Identifier: MIT
#include "diagnose/larger_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace foldproof::diagnose {
namespace {

/// Errors in units of the bounds.
struct Errors {
  double squares = 0, largest = 0;
  std::int64_t entry = 0;       ///< of the largest
  double sum = 0, outward = 0;  ///< to one side, and away from 0
  /// Nothing draws them to one side: sums of as many that are independent are smaller but once in a million times.
  bool is_balanced() const {
    constexpr double usual = 5;
    return std::max(std::abs(sum), std::abs(outward)) <= usual * std::sqrt(squares);
  }
};

/// `value`: of every entry.
template <class Value>
Errors errors_of(const StoredSide& side, const Value& value) {
  Errors out;
  for (std::size_t i = 0; i < side.exact.size(); ++i) {
    const double error = side.weight(i) * (value(i) - side.exact[i]);
    if (!std::isfinite(error)) continue;
    out.squares += error * error;
    out.sum += error;
    out.outward += side.exact[i] < 0 ? -error : error;
    if (std::abs(error) > out.largest) out.entry = static_cast<std::int64_t>(i);
    out.largest = std::max(out.largest, std::abs(error));
  }
  return out;
}

}  // namespace

std::optional<std::string> larger_errors(const StoredSide& side) {
  constexpr double usual_mean = 4, usual_most = 8;  // programs differ in which steps they round, and by less than that in the errors that come of it
  if (!side.storage->is_narrow() || !side.has_many()) return std::nullopt;
  const Errors stored = errors_of(side, [&](std::size_t i) { return side.stored[i]; });
  const Errors once = errors_of(side, [&](std::size_t i) { return side.once(i); }), often = errors_of(side, [&](std::size_t i) { return side.often(i); });
  const double squares = std::max(once.squares, often.squares), largest = std::max(once.largest, often.largest);
  if (squares == 0) return std::nullopt;  // of exact programs the bound says all
  const double mean = std::sqrt(stored.squares / squares), most = stored.largest / largest;
  if (mean <= usual_mean && most <= usual_most) return std::nullopt;
  return fmt::format("{} {:.2g} times as large as those of programs that round the result once, or every step, to {}", mean > usual_mean ? "in the mean the differences are" : "the largest differences are", mean > usual_mean ? mean : most,
                     side.storage->name);
}

bool adds_narrowly(const StoredSide& fine, const StoredSide& coarse) {
  constexpr double least_share = 0.25;  // of the entries are elsewhere than one rounding leaves them; a wrong entry, row or block is in few
  if (!fine.storage->is_narrow() || !fine.has_many() || coarse.exact.size() != fine.exact.size()) return false;
  const Errors stored = errors_of(fine, [&](std::size_t i) { return fine.stored[i]; });
  const Errors narrow = errors_of(fine, [&](std::size_t i) { return coarse.often(i); });
  std::size_t elsewhere = 0;
  for (std::size_t i = 0; i < fine.exact.size(); ++i) elsewhere += fine.stored[i] != fine.once(i) ? 1 : 0;
  return stored.is_balanced() && stored.squares <= narrow.squares && stored.largest <= narrow.largest && static_cast<double>(elsewhere) >= least_share * static_cast<double>(fine.exact.size());
}

std::optional<LoneError> lone_error(const StoredSide& side) {
  constexpr double far = 25;  // of independent errors one in 10^100 is, and the largest of a billion is 6 times the mean
  if (side.storage->is_narrow() || side.storage->precision > numeric::float32_format.precision || !side.has_many()) return std::nullopt;
  const Errors all = errors_of(side, [&](std::size_t i) { return side.stored[i]; });
  const double mean = std::sqrt(std::max(0.0, all.squares - all.largest * all.largest) / static_cast<double>(side.exact.size()));
  if (mean == 0 || all.largest <= far * mean) return std::nullopt;
  return LoneError{all.entry, all.largest / mean};
}

}  // namespace foldproof::diagnose
