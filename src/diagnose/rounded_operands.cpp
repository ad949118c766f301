// SPDX-License-Identifier: MIT
#include "diagnose/rounded_operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "expr/diagnostic.hpp"
#include "infer/is_operator.hpp"
#include "numeric/product.hpp"

namespace foldproof::diagnose {
namespace {

using infer::Term;

constexpr double most_work = 2e9;  // multiplications in a product, about a second

/// A matrix, with bounds on what the roundings of stored numbers make of each entry, and the variances of that where these are independent and
/// lie anywhere within half a unit: a third of its square.
struct Matrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<double> values, bounds, variances;
  double terms = 0;  ///< of the sums in it, one in the other
};

/// The stored tensors in a product of matrices that are nothing else; false where it is none.
bool collect_operands(const Term& t, std::vector<Term>& out) {
  if (infer::only_moves(t)) {
    out.push_back(t);
    return t->shape.size() == 2;
  }
  return infer::is<expr::ops::Matmul>(t) && t->shape.size() == 2 && collect_operands(t->args[0], out) && collect_operands(t->args[1], out);
}

const std::string& name_of(const Term& moved) { return moved->kind == infer::TermKind::variable ? moved->name : name_of(moved->args.at(0)); }

class Products {
 public:
  Products(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims) : problem_(problem), tensors_(tensors), dims_(dims) {}

  const numeric::FormatInfo& format(const Term& moved) const {
    const std::string& stored = tensors_.at(name_of(moved)).format;
    return stored.empty() ? numeric::float64_format : campaign::format_called(stored);
  }
  /// Nothing where it takes long.
  std::optional<Matrix> matrix(const Term& t) const { return infer::only_moves(t) ? std::optional(stored(t)) : product(t); }

 private:
  Matrix stored(const Term& t) const {
    infer::Problem alone = problem_;
    alone.lhs = t;
    const campaign::Evaluated value = campaign::evaluate_on(alone, tensors_, dims_);
    const numeric::FormatInfo& its = format(t);
    Matrix out;
    out.rows = value.shape.at(0);
    out.columns = value.shape.at(1);
    for (const campaign::SideEntry& e : value.entries) {
      const double half_unit = (e.value == 0 ? 0 : its.unit_roundoff * std::ldexp(1.0, std::ilogb(e.value))) + its.eta;
      out.values.push_back(e.value);
      out.bounds.push_back(half_unit);
      out.variances.push_back(half_unit * half_unit / 3);
    }
    return out;
  }
  /// |d(AB)| <= dA (|B| + dB) + |A| dB, and of independent ones the variances v(A) B^2 + A^2 v(B).
  std::optional<Matrix> product(const Term& t) const {
    const auto a = matrix(t->args[0]), b = matrix(t->args[1]);
    if (!a || !b || static_cast<double>(a->rows) * static_cast<double>(a->columns) * static_cast<double>(b->columns) > most_work) return std::nullopt;
    Matrix out;
    out.rows = a->rows;
    out.columns = b->columns;
    const auto times = [&](const std::vector<double>& x, const std::vector<double>& y) {
      std::vector<double> z(static_cast<std::size_t>(out.rows * out.columns));
      numeric::multiply(x.data(), y.data(), z.data(), {a->rows, a->columns, b->columns});
      return z;
    };
    const auto of = [](const std::vector<double>& x, const auto& function) {
      std::vector<double> y(x.size());
      std::transform(x.begin(), x.end(), y.begin(), function);
      return y;
    };
    const auto add = [](std::vector<double> x, const std::vector<double>& y) {
      std::transform(x.begin(), x.end(), y.begin(), x.begin(), [](double one, double other) { return one + other; });
      return x;
    };
    const auto size = [](double v) { return std::abs(v); };
    const auto square = [](double v) { return v * v; };
    out.terms = a->terms + b->terms + static_cast<double>(a->columns);
    out.values = times(a->values, b->values);
    out.bounds = add(times(a->bounds, add(of(b->values, size), b->bounds)), times(of(a->values, size), b->bounds));
    out.variances = add(times(a->variances, of(b->values, square)), times(of(a->values, square), b->variances));
    return out;
  }

  const infer::Problem& problem_;
  const campaign::GivenTensors& tensors_;
  const expr::DimValues& dims_;
};

}  // namespace

std::optional<std::string> rounded_operands(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims) {
  constexpr double deviations = 8;  // as of factors that all entries have in common
  const bool right = infer::only_moves(problem.rhs);
  const Term &stored = right ? problem.rhs : problem.lhs, &computed = right ? problem.lhs : problem.rhs;
  std::vector<Term> operands;
  if (tensors.size() != problem.variables.size() || !infer::only_moves(stored) || stored->shape.size() != 2 || infer::only_moves(computed) || !collect_operands(computed, operands)) return std::nullopt;
  const Products products(problem, tensors, dims);
  std::set<std::string> names;
  for (const Term& t : operands) {
    if (products.format(t).is_narrow()) names.insert(name_of(t));
  }
  if (names.empty() || names.count(name_of(stored)) > 0) return std::nullopt;
  try {
    const auto exact = products.matrix(computed);
    if (!exact) return std::nullopt;
    const Matrix result = *products.matrix(stored);
    const auto rows = static_cast<std::size_t>(exact->rows), columns = static_cast<std::size_t>(exact->columns);
    if (result.rows != exact->rows || result.columns != exact->columns) return std::nullopt;
    std::vector<double> of_row(rows), of_column(columns);
    double all = 0, most = 0, missed = 0, expected = 0;
    // Sums in float32 add a share of these bounds, which are about u |A||B|, where theirs are 2^-24 |A||B| for each term.
    double u = 1;
    for (const Term& t : operands) u = products.format(t).is_narrow() ? std::min(u, products.format(t).unit_roundoff) : u;
    const double of_sums = exact->terms * numeric::float32_format.unit_roundoff / u;
    for (std::size_t i = 0; i < result.values.size(); ++i) {
      const double off = std::abs(result.values[i] - exact->values[i]), bound = result.bounds[i] + exact->bounds[i], variance = result.variances[i] + exact->variances[i];
      if (!(off <= bound) || !(off <= deviations * std::sqrt(variance))) return std::nullopt;
      const double share = off * off / variance;
      of_row[i / columns] += share;
      of_column[i % columns] += share;
      all += share;
      most = std::max(most, off / bound);
      const double once = result.bounds[i] + of_sums * exact->bounds[i];
      missed += off > once;
      expected += std::erfc(once / std::sqrt(2 * exact->variances[i]));
    }
    // Roundings of operands leave other results than the nearest numbers at so many entries. Half of that, where half of the operands are exact;
    // where it is less, the product was computed from what is stored, and what it misses is no rounding of these.
    if (!(2 * missed >= expected)) return std::nullopt;
    // Entries of a row or column share the roundings of the operands' row or column, so that there may be no more independent ones than these.
    const auto mean = all / static_cast<double>(result.values.size());
    if (!(mean <= 1 + deviations * std::sqrt(2 / static_cast<double>(rows + columns)))) return std::nullopt;
    // All of a row may share one rounding, whose square is three times the variance at most; the others average out.
    const auto is_usual = [&](const std::vector<double>& sums, std::size_t entries) {
      const auto n = static_cast<double>(entries);
      return std::all_of(sums.begin(), sums.end(), [&](double sum) { return sum <= n * (3 + deviations * std::sqrt(2 / n)); });
    };
    if (!is_usual(of_row, columns) || !is_usual(of_column, rows)) return std::nullopt;
    return fmt::format("beyond what rounding the product once explains, and within half a unit in the last place of every stored operand: at most {:.2g} of that, and {:.2g} times as large in the mean as independent roundings of {} make it, without a factor, a row, a column or an entry that stands out: as of operands that were computed from what the product gives back", most, std::sqrt(mean), fmt::join(names, ", "));
  } catch (const expr::Error&) {  // it has no value
  } catch (const expr::LimitReached&) {
  }
  return std::nullopt;
}

}  // namespace foldproof::diagnose
