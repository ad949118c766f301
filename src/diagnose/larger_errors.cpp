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
};

/// `value`: of every entry.
template <class Value>
Errors errors_of(const StoredSide& side, const Value& value) {
  Errors out;
  for (std::size_t i = 0; i < side.exact.size(); ++i) {
    const double error = side.weight(i) * (value(i) - side.exact[i]);
    if (!std::isfinite(error)) continue;
    out.squares += error * error;
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

}  // namespace foldproof::diagnose
