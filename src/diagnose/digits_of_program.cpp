// SPDX-License-Identifier: MIT
#include "diagnose/digits_of_program.hpp"

#include <algorithm>
#include <cmath>

#include "diagnose/chance.hpp"

namespace foldproof::diagnose {
namespace {

constexpr double unlikely = 1e-6;
constexpr double few_times = 4;     // what is explained is a bound already, but of one program

/// Half the distance of neighbours in the format.
double half_unit(double stored, const numeric::FormatInfo& format) {
  return (stored == 0 ? 0 : format.unit_roundoff * std::ldexp(1.0, std::ilogb(stored))) + format.eta;
}

/// Which share of the bounds the errors of programs in this format use up. Bounds of long sums are far larger than any error. Of float64 all:
/// what counts as exact was computed in it.
double share_of_bounds(const StoredSide& side) {
  if (side.format->precision >= numeric::float64_format.precision) return 1;
  double largest = 0;
  for (std::size_t i = 0; i < side.exact.size(); ++i) {
    const double share = side.weight(i) * std::abs(side.stepwise[i] - side.exact[i]);
    if (std::isfinite(share)) largest = std::max(largest, share);
  }
  return std::min(1.0, few_times * largest);
}

/// What is known of one entry.
struct Entry {
  double half_unit = 0;
  double explained = 0;
  double stored = 0, stepwise = 0;  ///< distances from the exact value
  double ratio() const { return stored / explained; }
  bool is_missed_stepwise() const { return stepwise > explained; }
  bool says_something() const { return std::isfinite(stored / explained) && std::isfinite(stepwise / explained); }
};

Entry entry_of(const StoredSide& fine, const StoredSide& coarse, double share, std::size_t i) {
  Entry out;
  out.half_unit = half_unit(fine.stored[i], *fine.storage);
  out.explained = out.half_unit + share * std::abs(fine.bound[i]);
  out.stored = std::abs(fine.stored[i] - fine.exact[i]);
  out.stepwise = std::abs(campaign::rounded(coarse.stepwise[i], *fine.storage) - fine.exact[i]);
  return out;
}

/// How likely a number is not rounded to its nearest one after an error that lies anywhere within +-reach, as the number does between its
/// neighbours.
double chance_of_miss(double reach, double half_unit) { return reach <= 2 * half_unit ? reach / (4 * half_unit) : 1 - half_unit / reach; }

/// An entry that is off by so much in units of the bound shows what errors a program of few digits would have made at the others, which are
/// a quarter of that where it happens to be the largest of many. Only entries that such a program misses count: others are easily right.
/// The bound is that of Chernoff for a sum of independent events.
double chance_of_so_few(const std::vector<Entry>& entries, const StoredSide& coarse, std::size_t worst) {
  constexpr double usual = 0.25;
  const double reach = usual * entries[worst].stored * coarse.weight(worst);
  std::vector<double> chances;
  double expected = 0, missed = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& e = entries[i];
    if (i == worst || !e.says_something() || !e.is_missed_stepwise()) continue;
    chances.push_back(chance_of_miss(reach * std::abs(coarse.bound[i]), e.half_unit));
    expected += chances.back();
    missed += e.ratio() > 1;
  }
  if (!(missed < expected)) return 1;
  const double q = missed / expected;
  double logarithm = missed == 0 ? 0 : -missed * std::log(q);
  for (const double p : chances) logarithm += std::log1p(-p * (1 - q));
  return std::exp(logarithm);
}

}  // namespace

bool Misses::shows_more_digits() const {
  constexpr std::int64_t times = 16;  // a program may round one step of many
  return stepwise >= fewest && times * slight <= stepwise && 2 * far <= stepwise;
}

bool Misses::shows_wrong_entry() const { return far > 0 && shows_more_digits() && chance < unlikely; }

bool Misses::shows_lone_entry() const {
  constexpr std::int64_t many = 32;  // as of averages
  return far == 1 && slight == 0 && entries >= many && ratio > few_times * std::max(1.0, ratio_stepwise);
}

bool Misses::shows_exact_operands() const { return far > 0 && stepwise >= fewest && chance < unlikely; }

bool may_have_far_entry(const StoredSide& side) {
  const double share = side.format->is_narrow() ? 0 : share_of_bounds(side);
  for (std::size_t i = 0; i < side.exact.size(); ++i) {
    const double explained = half_unit(side.stored[i], *side.storage) + share * std::abs(side.bound[i]);
    if (std::abs(side.stored[i] - side.exact[i]) > few_times * explained) return true;
  }
  return false;
}

Misses misses(const StoredSide& fine, const StoredSide& coarse) {
  Misses out;
  if (fine.exact.size() != coarse.exact.size()) return out;
  const double share = share_of_bounds(fine);
  std::vector<Entry> entries;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < fine.exact.size(); ++i) {
    entries.push_back(entry_of(fine, coarse, share, i));
    const Entry& e = entries.back();
    if (!e.says_something()) continue;
    ++out.entries;
    out.slight += e.ratio() > 1 && e.ratio() <= few_times;
    out.far += e.ratio() > few_times;
    out.stepwise += e.is_missed_stepwise();
    if (e.ratio() <= out.ratio) continue;
    out.ratio = e.ratio();
    worst = i;
  }
  if (out.far > 0) out.chance = chance_of_so_few(entries, coarse, worst);
  if (!entries.empty()) out.ratio_stepwise = entries[worst].stepwise / entries[worst].explained;
  out.worst = numeric::indices_of(static_cast<std::int64_t>(worst), fine.shape);
  return out;
}

}  // namespace foldproof::diagnose
