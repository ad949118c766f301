// SPDX-License-Identifier: MIT
#include "diagnose/common_factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "expr/diagnostic.hpp"
#include "infer/is_operator.hpp"

namespace foldproof::diagnose {
namespace {

using infer::Term;
/// A stored result and what should be in it, entry by entry.
struct Sides {
  std::vector<std::int64_t> shape;
  std::vector<double> stored;
  std::vector<double> exact;
  std::vector<double> stepwise;  ///< every step rounded to the format
  std::vector<double> bound;     ///< on the distance of two programs' results
};

campaign::Evaluated evaluated(const infer::Problem& problem, const Term& side, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const numeric::FormatInfo& format) {
  infer::Problem alone = problem;
  alone.lhs = side;
  return campaign::evaluate_on(alone, tensors, dims, format);
}

std::vector<double> values_of(const campaign::Evaluated& side) {
  std::vector<double> out;
  out.reserve(side.entries.size());
  for (const campaign::SideEntry& e : side.entries) out.push_back(e.value);
  return out;
}

Sides evaluate(const infer::Problem& problem, bool right, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const numeric::FormatInfo& format) {
  Sides out;
  const Term &stored = right ? problem.rhs : problem.lhs, &computed = right ? problem.lhs : problem.rhs;
  out.stored = values_of(evaluated(problem, stored, tensors, dims, numeric::float64_format));
  out.exact = values_of(evaluated(problem, computed, tensors, dims, numeric::float64_format));
  const campaign::Evaluated stepwise = evaluated(problem, computed, tensors, dims, format);
  out.shape = stepwise.shape;
  out.stepwise = values_of(stepwise);
  for (const campaign::SideEntry& e : stepwise.entries) out.bound.push_back(2 * e.bound + format.unit_roundoff * std::abs(e.value) + format.eta);
  return out;
}

/// By how much dividing by the constants of a side changes its result at most when the reciprocal is rounded first: of W / 7 as W * fl(1 / 7).
class Reciprocals {
 public:
  Reciprocals(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const numeric::FormatInfo& format) : problem_(problem), tensors_(tensors), dims_(dims), format_(format) {}

  void collect(const Term& t) {
    if (t->kind == infer::TermKind::stack) return;  // what divides there may be an index
    if (infer::is<expr::ops::Divide>(t) && t->args[1]->shape.empty() && !has_variable(t->args[1])) {
      const double k = evaluated(problem_, t->args[1], tensors_, dims_, numeric::float64_format).entries.at(0).value;
      const double change = k * campaign::rounded(1 / k, format_) - 1;
      (change < 0 ? least : most) += change;
    }
    for (const Term& a : t->args) collect(a);
  }

  double least = 0, most = 0;

 private:
  static bool has_variable(const Term& t) { return t->kind == infer::TermKind::variable || std::any_of(t->args.begin(), t->args.end(), has_variable); }

  const infer::Problem& problem_;
  const campaign::GivenTensors& tensors_;
  const expr::DimValues& dims_;
  const numeric::FormatInfo& format_;
};

/// Least squares in units of the bounds, so that no entry weighs much more than the others.
class Fit {
 public:
  explicit Fit(const Sides& sides) : sides_(sides) {
    for (std::size_t i = 0; i < sides.exact.size(); ++i) weights_ += square(weight(i) * sides.exact[i]);
  }

  /// c - 1 of the factor c that makes the exact values most like these.
  template <class Value>
  double excess(const Value& value) const {
    double sum = 0;
    for (std::size_t i = 0; i < sides_.exact.size(); ++i) sum += square(weight(i)) * (value(i) - sides_.exact[i]) * sides_.exact[i];
    return sum / weights_;
  }
  /// The standard error of the excess of the stored values. Roundings may be common to a row or a column, as those of 1 + g.
  double standard_error(double excess) const {
    double largest = spread(1, static_cast<std::int64_t>(sides_.exact.size()), excess);
    std::int64_t stride = 1;
    for (std::size_t axis = sides_.shape.size(); axis-- > 0; stride *= sides_.shape[axis]) {
      if (sides_.shape[axis] >= fewest) largest = std::max(largest, spread(stride, sides_.shape[axis], excess));
    }
    return std::sqrt(largest) / weights_;
  }
  /// Squared differences of the stored values from the exact ones times 1 + excess.
  double squares(double excess) const {
    double sum = 0;
    for (std::size_t i = 0; i < sides_.exact.size(); ++i) sum += square(weight(i) * residual(i, excess));
    return sum;
  }
  bool is_defined() const { return weights_ > 0 && std::isfinite(weights_); }

  static constexpr std::int64_t fewest = 8;  // rows or columns whose spread says something

 private:
  static double square(double x) { return x * x; }
  double weight(std::size_t i) const {
    const double w = 1 / sides_.bound[i];
    return std::isfinite(w) && std::isfinite(sides_.stored[i]) && std::isfinite(sides_.stepwise[i]) ? w : 0;
  }
  double residual(std::size_t i, double excess) const { return sides_.stored[i] - (1 + excess) * sides_.exact[i]; }
  /// Of the groups of entries whose index on one axis is the same.
  double spread(std::int64_t stride, std::int64_t extent, double excess) const {
    std::vector<double> sums(static_cast<std::size_t>(extent));
    for (std::size_t i = 0; i < sides_.exact.size(); ++i) {
      sums[static_cast<std::size_t>(static_cast<std::int64_t>(i) / stride % extent)] += square(weight(i)) * residual(i, excess) * sides_.exact[i];
    }
    double sum = 0;
    for (const double s : sums) sum += s * s;
    return sum;
  }

  const Sides& sides_;
  double weights_ = 0;
};

/// How many roundings all entries of a side may have in common: those of constants that are no numbers of the format, and of what is computed
/// of constants alone. A tensor whose entries are all the same is one.
class ConstantRoundings {
 public:
  ConstantRoundings(const campaign::GivenTensors& tensors, const numeric::FormatInfo& format) : tensors_(tensors), format_(format) {}

  int count(const Term& side) {
    is_constant(side);
    return count_;
  }

 private:
  bool is_constant(const Term& t) {
    if (t->kind == infer::TermKind::variable) {
      const std::vector<double>& values = tensors_.at(t->name).values;
      return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
    }
    bool constant = true;
    for (const Term& a : t->args) constant = is_constant(a) && constant;
    const double value = t->kind == infer::TermKind::number ? static_cast<double>(t->value.num()) / static_cast<double>(t->value.den()) : 0;
    const bool rounds = t->kind == infer::TermKind::apply ? !infer::moves(t) : campaign::rounded(value, format_) != value;
    if (constant && rounds && seen_.insert(t.get()).second) ++count_;
    return constant;
  }

  const campaign::GivenTensors& tensors_;
  const numeric::FormatInfo& format_;
  std::set<const infer::TermNode*> seen_;
  int count_ = 0;
};

/// How the stored side is held: by fewer digits than the format has, perhaps, in which the other tensors are as well.
const numeric::FormatInfo& storage_of(const Term& stored, const campaign::GivenTensors& tensors, const numeric::FormatInfo& format) {
  if (stored->kind != infer::TermKind::variable) return stored->args.size() == 1 ? storage_of(stored->args[0], tensors, format) : format;
  const std::string& name = tensors.at(stored->name).format;
  const numeric::FormatInfo& own = name.empty() ? format : campaign::format_called(name);
  return own.precision < format.precision ? own : format;
}

std::optional<CommonFactor> fitted(const Sides& sides, const Reciprocals& reciprocals, const numeric::FormatInfo& format, const numeric::FormatInfo& storage) {
  constexpr double deviations = 8, least = 0.25;  // of u: less is lost where the digits of one tensor decide how the other's are rounded
  const Fit fit(sides);
  if (!fit.is_defined()) return std::nullopt;
  CommonFactor out;
  const double excess = fit.excess([&](std::size_t i) { return sides.stored[i]; });
  const double once = fit.excess([&](std::size_t i) { return campaign::rounded(sides.exact[i], storage); }), often = fit.excess([&](std::size_t i) { return campaign::rounded(sides.stepwise[i], storage); });
  out.factor = 1 + excess;
  out.excess = std::max({excess - std::max(once, often) - reciprocals.most, std::min(once, often) + reciprocals.least - excess, 0.0});
  if (!(out.excess > std::max(least * format.unit_roundoff, deviations * fit.standard_error(excess)))) return std::nullopt;
  out.fit = fit.squares(excess) / fit.squares(0);
  return out;
}

}  // namespace

std::string CommonFactor::text() const {
  const std::string number = std::abs(factor - 1) < 5e-4 ? fmt::format("1 {} {:.2g}", factor < 1 ? '-' : '+', std::abs(factor - 1)) : fmt::format("{:.5g}", factor);
  return fmt::format("the {} side is {} times the {}", right ? "right" : "left", number, right ? "left" : "right");
}

std::optional<CommonFactor> common_factor(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const numeric::FormatInfo& format) {
  constexpr std::size_t fewest_entries = 32, most_entries = 20'000'000;
  const bool right = infer::only_moves(problem.rhs);
  const Term& computed = right ? problem.lhs : problem.rhs;
  if (tensors.size() != problem.variables.size() || right == infer::only_moves(problem.lhs)) return std::nullopt;
  for (const auto& tensor : tensors) {
    if (tensor.second.values.size() > most_entries) return std::nullopt;
  }
  try {
    const Sides sides = evaluate(problem, right, tensors, dims, format);
    if (sides.stored.size() != sides.exact.size() || sides.exact.size() < fewest_entries) return std::nullopt;
    Reciprocals reciprocals(problem, tensors, dims, format);
    reciprocals.collect(computed);
    auto out = fitted(sides, reciprocals, format, storage_of(right ? problem.rhs : problem.lhs, tensors, format));
    if (!out) return std::nullopt;
    out->right = right;
    out->constants = (1 + ConstantRoundings(tensors, format).count(computed)) * format.unit_roundoff;
    return out;
  } catch (const expr::Error&) {  // a side has no value
  } catch (const expr::LimitReached&) {
  }
  return std::nullopt;
}

}  // namespace foldproof::diagnose
