// SPDX-License-Identifier: MIT
#include "diagnose/term_factor.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "diagnose/chance.hpp"
#include "diagnose/side_terms.hpp"
#include "diagnose/side_values.hpp"
#include "expr/build.hpp"

namespace foldproof::diagnose {
namespace {

constexpr std::size_t most_terms = 8;
constexpr double exactness = 0x1p-40;  // terms are computed in float64, in another order than their sum

/// The numbers of a term at every entry of the side, of which it may have fewer axes, or axes of size 1; empty where it fits none.
std::vector<double> spread_over(const campaign::Evaluated& term, const std::vector<std::int64_t>& shape, int sign) {
  if (term.shape.size() > shape.size()) return {};
  const std::size_t lead = shape.size() - term.shape.size();
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t stride = 1, count = 1;
  for (std::size_t axis = term.shape.size(); axis-- > 0; stride *= term.shape[axis]) {
    if (term.shape[axis] != 1 && term.shape[axis] != shape[lead + axis]) return {};
    strides[lead + axis] = term.shape[axis] == 1 ? 0 : stride;
  }
  for (const std::int64_t n : shape) count *= n;
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(count));
  std::vector<std::int64_t> index(shape.size());
  std::int64_t place = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    out.push_back(sign * term.entries[static_cast<std::size_t>(place)].value);
    for (std::size_t axis = shape.size(); axis-- > 0;) {  // the next entry in C order
      place += strides[axis];
      if (++index[axis] < shape[axis]) break;
      place -= index[axis] * strides[axis];
      index[axis] = 0;
    }
  }
  return out;
}

/// The inverse of a matrix of products of terms, scaled to a diagonal of ones; nothing where one term is nearly a combination of others.
std::optional<Eigen::MatrixXd> inverse(const Eigen::MatrixXd& products) {
  constexpr double least_pivot = 1e-6;  // 1 - R^2 of a term by those before it: factors of terms that are more alike cannot be told apart
  if (!products.allFinite() || !(products.diagonal().array() > 0).all()) return std::nullopt;
  const Eigen::VectorXd scale = products.diagonal().array().rsqrt();
  const Eigen::LLT<Eigen::MatrixXd> root(scale.asDiagonal() * products * scale.asDiagonal());
  if (root.info() != Eigen::Success || !(root.matrixLLT().diagonal().array().square() > least_pivot).all()) return std::nullopt;
  return scale.asDiagonal() * root.solve(Eigen::MatrixXd::Identity(products.rows(), products.rows())) * scale.asDiagonal();
}

/// What an entry counts for: the reciprocal of its bound, or of the step between the stored numbers there, by which most of them are off that are rounded once.
enum class Unit { bound, step };

/// Least squares of differences on the terms.
class FitOfTerms {
 public:
  FitOfTerms(const StoredSide& side, const std::vector<std::vector<double>>& terms, Unit unit) : side_(side), terms_(terms), unit_(unit), n_(terms.size()) {
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(n_), static_cast<Eigen::Index>(n_));
    for (std::size_t i = 0; i < side.exact.size(); ++i) {
      const double w = square(weight(i));
      for (std::size_t k = 0; w != 0 && k < n_; ++k) {
        for (std::size_t m = 0; m < n_; ++m) products(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(m)) += w * terms[k][i] * terms[m][i];
      }
    }
    inverse_ = inverse(products);
  }

  bool is_defined() const { return inverse_.has_value(); }
  double weight(std::size_t i) const {
    if (unit_ == Unit::bound || side_.weight(i) == 0) return side_.weight(i);
    return 1 / std::max(std::abs(side_.exact[i]) * side_.storage->unit_roundoff, side_.storage->eta);
  }
  /// By how much each factor differs from 1, where the stored numbers are those.
  std::vector<double> excess(const std::function<double(std::size_t)>& number) const {
    return solved([&](std::size_t i) { return number(i) - side_.exact[i]; }, 0, 1, 1).front();
  }
  /// The standard errors of these, by the differences that are left; as large as roundings that entries with one index on an axis have in common make
  /// them.
  std::vector<double> errors(const std::vector<double>& excess) const {
    const auto left = [&](std::size_t i) {
      double out = side_.stored[i] - side_.exact[i];
      for (std::size_t k = 0; k < n_; ++k) out -= excess[k] * terms_[k][i];
      return out;
    };
    std::vector<double> out(n_);
    const auto widen = [&](std::int64_t stride, std::int64_t extent) {
      std::vector<double> sums(n_);
      for (const std::vector<double>& part : solved(left, stride, extent, static_cast<std::size_t>(extent))) {
        for (std::size_t k = 0; k < n_; ++k) sums[k] += square(part[k]);
      }
      for (std::size_t k = 0; k < n_; ++k) out[k] = std::max(out[k], std::sqrt(sums[k]));
    };
    widen(1, static_cast<std::int64_t>(side_.exact.size()));
    std::int64_t stride = 1;
    for (std::size_t axis = side_.shape.size(); axis-- > 0; stride *= side_.shape[axis]) {
      if (side_.shape[axis] >= fewest) widen(stride, side_.shape[axis]);
    }
    return out;
  }

 private:
  /// What the differences of the entries with each index on an axis contribute to the factors.
  template <class Difference>
  std::vector<std::vector<double>> solved(const Difference& difference, std::int64_t stride, std::int64_t extent, std::size_t groups) const {
    std::vector<std::vector<double>> out(groups, std::vector<double>(n_));
    std::vector<double> sums(groups * n_);
    for (std::size_t i = 0; i < side_.exact.size(); ++i) {
      const double w = square(weight(i));
      if (w == 0) continue;
      const double weighted = w * difference(i);
      const std::size_t group = groups == 1 ? 0 : static_cast<std::size_t>(static_cast<std::int64_t>(i) / stride % extent);
      for (std::size_t k = 0; k < n_; ++k) sums[group * n_ + k] += weighted * terms_[k][i];
    }
    for (std::size_t g = 0; g < groups; ++g) {
      for (std::size_t k = 0; k < n_; ++k) {
        for (std::size_t m = 0; m < n_; ++m) out[g][k] += (*inverse_)(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(m)) * sums[g * n_ + m];
      }
    }
    return out;
  }

  const StoredSide& side_;
  const std::vector<std::vector<double>>& terms_;
  Unit unit_;
  std::size_t n_;
  std::optional<Eigen::MatrixXd> inverse_;
};

/// The numbers of every term, with its sign; empty where they are not all known, or do not add up to the side.
std::vector<std::vector<double>> numbers_of(const expr::Claim& claim, const std::vector<SideTerm>& terms, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const StoredSide& side) {
  std::vector<std::vector<double>> out;
  for (const SideTerm& part : terms) {
    const auto value = value_of(claim, part.term, tensors, dims);
    out.push_back(value ? spread_over(*value, side.shape, part.sign) : std::vector<double>());
    if (out.back().size() != side.exact.size()) return {};
  }
  for (std::size_t i = 0; i < side.exact.size(); ++i) {
    double sum = 0, size = 0;
    for (const std::vector<double>& values : out) {
      sum += values[i];
      size += std::abs(values[i]);
    }
    if (side.weight(i) != 0 && !(std::abs(sum - side.exact[i]) <= exactness * size)) return {};  // M / 8 is stored, say
  }
  return out;
}

/// The term that is farthest from 1 by that fit, and from what programs make of it; nothing where none is clearly beyond both.
std::optional<TermFactor> factor_by(const FitOfTerms& fit, const StoredSide& side, const std::vector<SideTerm>& terms, const std::vector<std::vector<double>>& numbers) {
  if (!fit.is_defined()) return std::nullopt;
  const auto stored = fit.excess([&](std::size_t i) { return side.stored[i]; });
  const auto once = fit.excess([&](std::size_t i) { return side.once(i); }), often = fit.excess([&](std::size_t i) { return side.often(i); });
  const std::vector<double> errors = fit.errors(stored);
  const double constants = (1 + side.constant_roundings) * side.format->unit_roundoff + std::max(-side.least_of_reciprocals, side.most_of_reciprocals);
  std::optional<std::size_t> worst;
  double most = 0;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const double beyond = std::max(stored[k] - std::max(once[k], often[k]), std::min(once[k], often[k]) - stored[k]);
    if (!(beyond > std::max(constants, deviations * errors[k])) || beyond / errors[k] <= most) continue;
    most = beyond / errors[k];
    worst = k;
  }
  if (!worst) return std::nullopt;
  TermFactor out;
  out.term = expr::text(terms[*worst].term);
  out.factor = 1 + stored[*worst];
  out.error = errors[*worst];
  out.constants = constants;
  const std::vector<double>& values = numbers[*worst];
  double products = 0, squares = 0;  // of the term alone, where the others are as they should be
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double w = square(fit.weight(i));
    if (w == 0) continue;
    products += w * values[i] * (side.stored[i] - side.exact[i]);
    squares += w * square(values[i]);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (side.weight(i) == 0) continue;
    ++out.entries;
    out.differing += side.once(i) != side.stored[i];
    out.left += campaign::rounded(side.exact[i] + products / squares * values[i], *side.storage) != side.stored[i];
  }
  return out;
}

}  // namespace

std::string TermFactor::text() const {
  const std::string is = std::abs(factor) <= 4 * error ? "is not there" : fmt::format("is there {:.{}f} times", factor, digits());
  return fmt::format("the term {} {}, by a fit with a standard error of {:.1g}, where roundings of single entries average out and those of constants explain {:.2g} % at most{}", term, is, error, 100 * constants, entries_text());
}

std::optional<TermFactor> term_factor(const expr::Claim& claim, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const StoredSide& side) {
  if (!side.storage->is_narrow() || !side.has_many()) return std::nullopt;
  const std::vector<SideTerm> terms = terms_of(computed_side(claim, side.right));
  if (terms.size() < 2 || terms.size() > most_terms) return std::nullopt;  // one by itself is a factor of all entries
  const auto numbers = numbers_of(claim, terms, tensors, dims, side);
  if (numbers.empty()) return std::nullopt;
  std::optional<TermFactor> found;
  for (const Unit unit : {Unit::bound, Unit::step}) {
    auto factor = factor_by(FitOfTerms(side, numbers, unit), side, terms, numbers);
    if (factor && (!found || factor->error < found->error)) found = std::move(factor);
  }
  return found;
}

}  // namespace foldproof::diagnose
