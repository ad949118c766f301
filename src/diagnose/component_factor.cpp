// SPDX-License-Identifier: MIT
#include "diagnose/component_factor.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "diagnose/chance.hpp"
#include "diagnose/side_terms.hpp"
#include "diagnose/side_values.hpp"

namespace foldproof::diagnose {
namespace {

using expr::Expression;
using expr::SyntaxKind;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t most_work = 500'000'000;  ///< products of numbers

/// s * (A @ B), its two operands and the number before it.
struct Product {
  Expression e;
  Matrix left, right;
};

Matrix matrix_of(const campaign::Evaluated& value, Eigen::Index rows, Eigen::Index columns) {
  Matrix out(rows, columns);
  for (Eigen::Index k = 0; k < out.size(); ++k) out.data()[k] = value.entries[static_cast<std::size_t>(k)].value;
  return out;
}

/// The product in a term, with the numbers that it is multiplied with; nothing for terms of another kind, and where the sizes are not those of the side.
std::optional<Product> product_in(const expr::Claim& claim, const Expression& e, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const StoredSide& side) {
  const auto scaled = [&](const Expression& inner, const Expression& number, bool divides) -> std::optional<Product> {
    auto found = product_in(claim, inner, tensors, dims, side);
    const auto value = found ? value_of(claim, number, tensors, dims) : std::nullopt;
    if (!value || value->entries.size() != 1) return std::nullopt;
    const double factor = value->entries[0].value;
    found->left *= divides ? 1 / factor : factor;
    return found;
  };
  if (e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::divide) {
    if (auto found = scaled(e->args[0], e->args[1], e->kind == SyntaxKind::divide)) return found;
    return e->kind == SyntaxKind::multiply ? scaled(e->args[1], e->args[0], false) : std::nullopt;
  }
  if (e->kind != SyntaxKind::matmul) return std::nullopt;
  const auto a = value_of(claim, e->args[0], tensors, dims), b = value_of(claim, e->args[1], tensors, dims);
  if (!a || !b || a->shape.empty() || b->shape.empty() || a->shape.size() > 2 || b->shape.size() > 2) return std::nullopt;
  const std::int64_t inner = a->shape.back(), rows = a->shape.size() == 2 ? a->shape[0] : 1, columns = b->shape.size() == 2 ? b->shape[1] : 1;
  if (b->shape[0] != inner || inner < 2 || rows * columns != static_cast<std::int64_t>(side.exact.size()) || rows * columns > most_work / inner) return std::nullopt;
  return Product{e, matrix_of(*a, rows, inner), matrix_of(*b, inner, columns)};
}

/// Numbers of a side in units of their bounds.
class Weighted {
 public:
  explicit Weighted(const StoredSide& side) : side_(side), weights_(static_cast<Eigen::Index>(side.exact.size())) {
    for (std::size_t i = 0; i < side.exact.size(); ++i) weights_[static_cast<Eigen::Index>(i)] = side.weight(i);
  }
  template <class Number>
  Eigen::ArrayXd difference(const Number& number) const {
    Eigen::ArrayXd out(weights_.size());
    for (std::size_t i = 0; i < side_.exact.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      out[at] = weights_[at] == 0 ? 0 : weights_[at] * (number(i) - side_.exact[i]);
    }
    return out;
  }
  Eigen::ArrayXd component(const Product& p, std::int64_t first, std::int64_t last) const {
    const Matrix part = p.left.middleCols(first, last - first) * p.right.middleRows(first, last - first);
    return Eigen::Map<const Eigen::ArrayXd>(part.data(), part.size()) * weights_;
  }
  std::int64_t count() const { return (weights_ != 0).count(); }

 private:
  const StoredSide& side_;
  Eigen::ArrayXd weights_;
};

/// The standard error of a sum of numbers; as large as what those of a row or a column have in common makes it.
double error_of(const Eigen::ArrayXd& numbers, Eigen::Index columns) {
  const Eigen::Map<const Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> table(numbers.data(), numbers.size() / columns, columns);
  double most = numbers.square().sum();
  if (table.rows() >= fewest && columns > 1) most = std::max(most, table.rowwise().sum().square().sum());
  if (columns >= fewest && table.rows() > 1) most = std::max(most, table.colwise().sum().square().sum());
  return std::sqrt(most);
}

}  // namespace

bool ComponentFactor::fits_far_better() const { return differing >= fewest && FittedFactor::fits_far_better(); }

std::string ComponentFactor::text() const {
  const std::string which = last - first == 1 ? fmt::format("component {} of {}", first, product) : fmt::format("the part {}:{} of the sum in {}", first, last, product);
  const std::string is = std::abs(factor) <= 4 * error ? "is not there" : fmt::format("is there {:.{}f} times", factor, digits());
  return fmt::format("{} {}, by a fit with a standard error of {:.1g}, where roundings of single entries average out{}", which, is, error, fits_far_better() ? entries_text() : "");
}

std::optional<ComponentFactor> component_factor(const expr::Claim& claim, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const StoredSide& side) {
  if (!side.has_many()) return std::nullopt;
  const Weighted weighted(side);
  const Eigen::ArrayXd stored = weighted.difference([&](std::size_t i) { return side.stored[i]; });
  const Eigen::ArrayXd once = weighted.difference([&](std::size_t i) { return side.once(i); }), often = weighted.difference([&](std::size_t i) { return side.often(i); });
  const double squares = stored.square().sum(), unit = 4 * side.storage->unit_roundoff;  // of an operand that was rounded
  const auto count = static_cast<double>(weighted.count());
  std::optional<ComponentFactor> found;
  double most = 0;
  Eigen::ArrayXd missing;
  for (const SideTerm& term : terms_of(computed_side(claim, side.right))) {
    const auto product = product_in(claim, term.term, tensors, dims, side);
    if (!product) continue;
    const std::int64_t inner = product->left.cols();
    for (std::int64_t width = 1; width < inner; width *= 2) {
      for (std::int64_t first = 0; first < inner; first += width) {
        const std::int64_t last = std::min(inner, first + width);
        const Eigen::ArrayXd part = term.sign * weighted.component(*product, first, last);
        const double size = part.square().sum();
        if (!(size > 0)) continue;
        const auto excess = [&](const Eigen::ArrayXd& difference) { return (difference * part).sum() / size; };
        const double own = excess(stored), plain = excess(once), coarse = excess(often);
        const double beyond = std::max(own - std::max(plain, coarse), std::min(plain, coarse) - own);
        if (!(beyond > std::max(unit, deviations * std::sqrt(std::max(0.0, squares - square(own) * size) / (count - 1) / size)))) continue;  // most of them
        const double error = error_of((stored - own * part) * part, product->right.cols()) / size;
        if (!(beyond > std::max(unit, deviations * error)) || beyond <= most * error) continue;
        most = error > 0 ? beyond / error : 1e300;
        found = ComponentFactor{{1 + own, error}, expr::text(product->e), first, last};
        missing = own * part;
      }
    }
  }
  if (!found) return std::nullopt;
  found->by_bounds = !side.storage->is_narrow();
  const auto is_off = [&](std::size_t i, double exact) { return found->by_bounds ? std::abs(side.stored[i] - exact) > side.bound[i] : campaign::rounded(exact, *side.storage) != side.stored[i]; };
  for (std::size_t i = 0; i < side.exact.size(); ++i) {
    const double weight = side.weight(i);
    if (weight == 0) continue;
    ++found->entries;
    found->differing += is_off(i, side.exact[i]);
    found->left += is_off(i, side.exact[i] + missing[static_cast<Eigen::Index>(i)] / weight);
  }
  return found;
}

}  // namespace foldproof::diagnose
