// SPDX-License-Identifier: MIT
#include "diagnose/one_sided.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace foldproof::diagnose {
namespace {

struct Sides {
  std::int64_t nearer = 0, farther = 0;  ///< entries nearer to 0 than the exact values, and farther from it

  /// A bound on the chance that so many of independent differences lie on that side: that of Chernoff.
  double chance(std::int64_t here) const {
    const auto n = static_cast<double>(nearer + farther);
    const double p = static_cast<double>(here) / n;
    if (!(p > 0.5)) return 1;
    const double others = p < 1 ? (1 - p) * std::log(1 - p) : 0;
    return std::exp(-n * (std::log(2.0) + p * std::log(p) + others));
  }
};

enum class Count { all, different };

/// `number`: of an entry. Those that are exact say nothing, and those that are the same as others nothing more.
template <class Number>
Sides sides_of(const StoredSide& side, Count count, const Number& number) {
  constexpr double noise = 0x1p-40;  // what counts as exact was computed in float64
  constexpr std::size_t enough = 1'000'000;  // different ones, to tell a lean of a part in a hundred
  Sides out;
  std::unordered_set<double> seen;
  for (std::size_t i = 0; i < side.exact.size() && seen.size() < enough; ++i) {
    const double off = std::abs(number(i)) - std::abs(side.exact[i]);
    const bool changes_sign = number(i) * side.exact[i] < 0;
    if (!(std::abs(off) > noise * std::abs(side.exact[i])) || changes_sign || side.weight(i) == 0) continue;
    if (count == Count::different && !seen.insert(side.exact[i]).second) continue;
    ++(off < 0 ? out.nearer : out.farther);
  }
  return out;
}

/// All entries may be off by what they have in common, or those of a row or a column.
bool may_share_roundings(const StoredSide& side) {
  const auto longer = std::count_if(side.shape.begin(), side.shape.end(), [](std::int64_t n) { return n > 1; });
  return side.constant_roundings > 0 || side.shared_terms > 0 || (longer > 1 && side.shared_roundings > 0);
}

}  // namespace

std::optional<std::string> one_sided(const StoredSide& side, const std::vector<const StoredSide*>& programs) {
  constexpr double unlikely = 1e-6, usual = 1e-2;
  if (!side.storage->is_narrow() || may_share_roundings(side)) return std::nullopt;
  const auto of_stored = [&](Count count) { return sides_of(side, count, [&](std::size_t i) { return side.stored[i]; }); };
  const Sides all = of_stored(Count::all);
  const bool nearer = all.nearer > all.farther;
  const auto here = [&](const Sides& s) { return nearer ? s.nearer : s.farther; };
  if (!(all.chance(here(all)) < unlikely)) return std::nullopt;  // most are right, and to tell entries apart takes its time
  const Sides stored = of_stored(Count::different);
  if (!(stored.chance(here(stored)) < unlikely)) return std::nullopt;
  for (const StoredSide* program : programs) {
    const Sides often = sides_of(*program, Count::different, [&](std::size_t i) { return program->often(i); });
    if (often.chance(here(often)) < usual) return std::nullopt;
  }
  return fmt::format("{} of {} entries are {} than what should be there, where roundings lie on both sides: as if digits had been cut off instead of rounded, or {}", here(stored), stored.nearer + stored.farther,
                     nearer ? "nearer to 0" : "farther from 0", nearer ? "a part of it were missing" : "a part of it were there twice");
}

std::optional<std::string> moved_to_one_side(const StoredSide& side) {
  // Sums of groups with signs that are independent and as likely to be + as -: |sum| >= t sqrt(sum of squares) has a chance of at most 2 exp(-t^2/2) (Hoeffding).
  // Numbers are a bit denser towards 0, so that their roundings lean to one side by a percent or so: that is far from three quarters.
  constexpr double unlikely = 1e-6, most = 0.75;
  if (side.constant_roundings > 0) return std::nullopt;
  std::int64_t nearer = 0, farther = 0, stride = 1;
  std::vector<signed char> signs(side.exact.size());
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const double once = side.once(i), off = std::abs(side.stored[i]) - std::abs(once);
    if (!(std::abs(off) > 0) || side.stored[i] * once < 0 || side.weight(i) == 0) continue;
    signs[i] = off < 0 ? -1 : 1;
    ++(off < 0 ? nearer : farther);
  }
  const std::int64_t all = nearer + farther, here = std::max(nearer, farther);
  if (!(static_cast<double>(here) >= most * static_cast<double>(all))) return std::nullopt;
  double squares = static_cast<double>(all);
  for (std::size_t axis = side.shape.size(); axis-- > 0; stride *= side.shape[axis]) {
    std::vector<double> sums(static_cast<std::size_t>(side.shape[axis]));
    for (std::size_t i = 0; i < signs.size(); ++i) sums[static_cast<std::size_t>(static_cast<std::int64_t>(i) / stride % side.shape[axis])] += signs[i];
    double of_axis = 0;
    for (const double sum : sums) of_axis += sum * sum;
    if (side.shape[axis] > 1) squares = std::max(squares, of_axis);
  }
  const auto sum = static_cast<double>(2 * here - all);
  if (all == 0 || !(2 * std::exp(-sum * sum / squares / 2) < unlikely)) return std::nullopt;
  return fmt::format("{} of the {} entries that are not what rounding the result once gives are {}, where roundings of operands move them to both sides: as of a factor near 1 that all of them have", here, all, nearer > farther ? "nearer to 0" : "farther from 0");
}

}  // namespace foldproof::diagnose
