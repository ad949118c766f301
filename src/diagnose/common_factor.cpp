// SPDX-License-Identifier: MIT
#include "diagnose/common_factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnose/chance.hpp"

namespace foldproof::diagnose {
namespace {

// Of formats of many digits a mistake of one rounding is none: other programs, as one that divides by reciprocals, are no less likely.
constexpr double least = 0.25;  // of u: less is lost where the digits of one tensor decide how the other's are rounded

/// Least squares in units of the bounds, so that no entry weighs much more than the others, of the entries with one index on an axis.
class Fit {
 public:
  /// Groups by the index on the axis with that stride and extent; all in one with an extent of 1.
  Fit(const StoredSide& side, std::int64_t stride, std::int64_t extent) : side_(side), stride_(stride), sums_(static_cast<std::size_t>(extent)) {
    for (std::size_t i = 0; i < side.exact.size(); ++i) {
      const double w = square(side.weight(i));
      if (w == 0) continue;
      Sums& s = sums_[group(i)];
      const double exact = side.exact[i], w_exact = w * exact;
      s.weight += w_exact * exact;
      s.stored += w_exact * (side.stored[i] - exact);
      s.once += w_exact * (side.once(i) - exact);
      s.often += w_exact * (side.often(i) - exact);
      s.squares += w * square(side.stored[i] - exact);
      ++s.entries;
    }
  }

  std::size_t groups() const { return sums_.size(); }
  bool is_defined(std::size_t g) const { return sums_[g].weight > 0 && std::isfinite(sums_[g].weight); }
  std::int64_t entries(std::size_t g) const { return sums_[g].entries; }
  double weight(std::size_t g) const { return sums_[g].weight; }
  /// c - 1 of the factor c that makes the exact values most like the stored ones.
  double excess(std::size_t g) const { return sums_[g].stored / sums_[g].weight; }
  /// By how much it lies beside those of the two programs.
  double beyond(std::size_t g) const {
    const Sums& s = sums_[g];
    const double once = s.once / s.weight, often = s.often / s.weight;
    return std::max({excess(g) - std::max(once, often) - side_.most_of_reciprocals, std::min(once, often) + side_.least_of_reciprocals - excess(g), 0.0});
  }
  /// What is left of the squared differences once the factor is taken out.
  double left(std::size_t g) const {
    const Sums& s = sums_[g];
    return s.squares > 0 ? std::max(0.0, 1 - square(s.stored) / (s.weight * s.squares)) : 1;
  }
  /// The mean square of the differences of all entries, from which the standard error of an excess comes: those of a group may be few.
  double mean_square() const {
    double squares = 0;
    std::int64_t entries = 0;
    for (const Sums& s : sums_) {
      squares += s.squares;
      entries += s.entries;
    }
    return squares / static_cast<double>(std::max<std::int64_t>(1, entries));
  }

 private:
  struct Sums {
    double weight = 0, stored = 0, once = 0, often = 0, squares = 0;
    std::int64_t entries = 0;
  };
  std::size_t group(std::size_t i) const { return static_cast<std::size_t>(static_cast<std::int64_t>(i) / stride_ % static_cast<std::int64_t>(sums_.size())); }

  const StoredSide& side_;
  std::int64_t stride_;
  std::vector<Sums> sums_;
};

/// The spread of an excess of all entries, by the differences that entries with the same index on an axis have in common: roundings may be
/// common to a row or a column, as those of 1 + g.
double spread(const StoredSide& side, double excess, std::int64_t stride, std::int64_t extent) {
  std::vector<double> sums(static_cast<std::size_t>(extent));
  for (std::size_t i = 0; i < side.exact.size(); ++i) {
    const double w = square(side.weight(i));
    if (w != 0) sums[static_cast<std::size_t>(static_cast<std::int64_t>(i) / stride % extent)] += w * (side.stored[i] - (1 + excess) * side.exact[i]) * side.exact[i];
  }
  double sum = 0;
  for (const double s : sums) sum += square(s);
  return std::sqrt(sum);
}

/// The stride of every axis in C order.
std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> out(shape.size());
  std::int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) out[axis] = stride;
  return out;
}

/// A bound on the chance that a mean of n independent errors around 0 is t or more of its standard errors off, on either side: the tail of Student's t with
/// m = n - 1 degrees of freedom, I_x(m/2, 1/2) for x = m/(m + t^2), is at most x^(m/2) / (sqrt(1 - x) (m/2) B(m/2, 1/2)) (DLMF 8.17.7).
double chance_of_t(double t, std::int64_t entries) {
  const double half = static_cast<double>(entries - 1) / 2, x = 2 * half / (2 * half + square(t));
  const double beta = std::lgamma(half) + std::lgamma(0.5) - std::lgamma(half + 0.5);
  return std::min(1.0, std::exp(half * std::log(x) - 0.5 * std::log1p(-x) - std::log(half) - beta));
}

CommonFactor factor_of(const StoredSide& side, const Fit& fit, std::size_t group, double explained) {
  CommonFactor out;
  out.right = side.right;
  out.factor = 1 + fit.excess(group);
  out.excess = fit.beyond(group);
  out.constants = explained;
  out.fit = fit.left(group);
  return out;
}

}  // namespace

std::string CommonFactor::text() const {
  const std::string number = std::abs(factor - 1) < 5e-4 ? fmt::format("1 {} {:.2g}", factor < 1 ? '-' : '+', std::abs(factor - 1)) : fmt::format("{:.5g}", factor);
  return fmt::format("the {} side is {} times the {}", right ? "right" : "left", number, right ? "left" : "right");
}

std::string GroupFactor::text(std::size_t axes) const {
  std::string place;
  for (std::size_t k = 0; k < axes; ++k) place += (k > 0 ? ", " : "") + (k == axis ? std::to_string(index) : ":");
  return fmt::format("in [{}] {}", place, common.text());
}

std::optional<CommonFactor> common_factor(const StoredSide& side) {
  if (!side.has_many()) return std::nullopt;
  const Fit all(side, 1, 1);
  if (!all.is_defined(0)) return std::nullopt;
  const double excess = all.excess(0);
  double widest = spread(side, excess, 1, static_cast<std::int64_t>(side.exact.size()));
  const std::vector<std::int64_t> strides = strides_of(side.shape);
  for (std::size_t axis = 0; axis < side.shape.size(); ++axis) {
    if (side.shape[axis] >= fewest) widest = std::max(widest, spread(side, excess, strides[axis], side.shape[axis]));
  }
  if (!(all.beyond(0) > std::max(least * side.format->unit_roundoff, deviations * widest / all.weight(0)))) return std::nullopt;
  CommonFactor out = factor_of(side, all, 0, (1 + side.constant_roundings) * side.format->unit_roundoff);
  const double error = deviations * widest / all.weight(0);  // of the factor
  out.is_one_number = true;
  for (std::size_t i = 0; i < side.exact.size(); ++i) {
    const double bound = std::max(1.0, std::abs(out.factor)) * std::abs(side.bound[i]) + side.storage->unit_roundoff * std::abs(side.stored[i]) + side.storage->eta + error * std::abs(side.exact[i]);
    if (side.weight(i) != 0 && std::abs(side.stored[i] - out.factor * side.exact[i]) > bound) out.is_one_number = false;
  }
  return side.format->is_narrow() || side.storage->is_narrow() || !out.may_be_rounding() ? std::optional(out) : std::nullopt;
}

std::optional<std::string> same_error_of_few(const StoredSide& side) {
  constexpr double unlikely = 1e-6;  // as of errors on one side
  if (side.has_many() || !side.storage->is_narrow()) return std::nullopt;
  const Fit all(side, 1, 1);
  if (!all.is_defined(0) || all.entries(0) < fewest) return std::nullopt;
  double left = 0, least_share = INFINITY, most_share = -INFINITY;
  for (std::size_t i = 0; i < side.exact.size(); ++i) {
    if (side.weight(i) == 0) continue;
    const double error = side.stored[i] - side.exact[i], share = error / side.exact[i];
    if (!std::isfinite(share)) return std::nullopt;
    least_share = std::min(least_share, share);
    most_share = std::max(most_share, share);
    left += square(side.weight(i) * (error - all.excess(0) * side.exact[i]));
  }
  if (!(least_share * most_share > 0)) return std::nullopt;
  const double standard_error = std::sqrt(left / static_cast<double>(all.entries(0) - 1) / all.weight(0));
  if (!(all.beyond(0) > least * side.format->unit_roundoff)) return std::nullopt;
  const double chance = chance_of_t(all.beyond(0) / standard_error, all.entries(0));
  if (!(chance < unlikely)) return std::nullopt;
  return fmt::format("{}: all {} entries are off to one side, by {:.2g} to {:.2g} % of what should be there; a chance below {:.1g} for roundings that are independent of each other", factor_of(side, all, 0, 0).text(), all.entries(0),
                     100 * std::min(std::abs(least_share), std::abs(most_share)), 100 * std::max(std::abs(least_share), std::abs(most_share)), std::max(chance, 1e-300));
}

std::optional<GroupFactor> group_factor(const StoredSide& side) {
  if (!side.has_many()) return std::nullopt;
  // What counts as exact has sums in float64, with roundings of their own.
  const double of_sums = std::ldexp(1.0, -side.format->arithmetic) + numeric::float64_format.unit_roundoff;
  const double u = side.storage->unit_roundoff, shared = side.shared_roundings * u + static_cast<double>(side.shared_terms) * of_sums;
  std::optional<GroupFactor> worst;
  const std::vector<std::int64_t> strides = strides_of(side.shape);
  for (std::size_t axis = 0; axis < side.shape.size(); ++axis) {
    if (side.shape[axis] < 2) continue;
    const Fit fit(side, strides[axis], side.shape[axis]);
    const double mean_square = fit.mean_square();
    for (std::size_t g = 0; g < fit.groups(); ++g) {
      if (!fit.is_defined(g) || fit.entries(g) < fewest) continue;
      const double chance = std::max((side.storage->is_narrow() ? least : 1) * u, deviations * std::sqrt(mean_square / fit.weight(g)));
      if (!(fit.beyond(g) > shared + chance) || (worst && fit.beyond(g) <= worst->common.excess)) continue;
      worst = GroupFactor{axis, static_cast<std::int64_t>(g), factor_of(side, fit, g, shared + chance), fit.beyond(g) <= shared + chance + u};
    }
  }
  return worst;
}

}  // namespace foldproof::diagnose
