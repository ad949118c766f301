// SPDX-License-Identifier: MIT
#include "campaign/rules.hpp"

#include <Eigen/Core>
#include <bit>
#include <optional>

#include "expr/operators.hpp"
#include "numeric/product.hpp"

namespace foldproof::campaign {

namespace ops = expr::ops;

namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using View = Eigen::Map<const Matrix<double>>;

/// One factor of a product: magnitudes of the computed entries, and errors when there are any.
struct Factor {
  Matrix<double> magnitudes;
  const double* errors = nullptr;
  const double* variances = nullptr;
  int unit = 0;  ///< all entries are multiples of 2**unit

  template <class T>
  Factor(const BoundedTensor<T>& t, std::int64_t from, std::int64_t rows, std::int64_t columns) : magnitudes(rows, columns) {
    const std::int64_t count = rows * columns;
    for (std::int64_t i = 0; i < count; ++i) magnitudes.data()[i] = std::abs(static_cast<double>(t.values[static_cast<std::size_t>(from + i)]));
    if (!t.errors.empty() && std::any_of(t.errors.data() + from, t.errors.data() + from + count, [](double e) { return e > 0; })) {
      errors = t.errors.data() + from;
      variances = t.variances.data() + from;
    } else {
      unit = 1100;
      for (std::int64_t i = 0; i < count; ++i) unit = std::min(unit, last_bit(magnitudes.data()[i]));
    }
  }
  View error_view() const { return {errors, magnitudes.rows(), magnitudes.cols()}; }
  View variance_view() const { return {variances, magnitudes.rows(), magnitudes.cols()}; }

 private:
  /// The exponent of the last bit that is set; a large number for zero.
  static int last_bit(double v) {
    if (v == 0) return 1100;
    const auto bits = std::bit_cast<std::uint64_t>(v);
    const auto exponent = static_cast<int>(bits >> 52 & 0x7ff);
    return std::max(exponent, 1) - 1075 + std::countr_zero(exponent == 0 ? bits : bits | std::uint64_t{1} << 52);
  }
};

/// Where no operand has an error and every partial sum, in any order, is a multiple of 2**unit below 2**(unit + precision), nothing
/// is rounded. The sum of magnitudes bounds them all.
template <class T>
double largest_exact_sum(const Factor& a, const Factor& b) {
  if (a.errors != nullptr || b.errors != nullptr) return -1;
  const int unit = a.unit + b.unit;
  const int smallest = std::is_same_v<T, double> ? -1022 : std::is_same_v<T, Float16> ? -24 : -126;
  if (unit < smallest) return -1;
  return std::min(std::ldexp(1 - 0x1p-30, unit + Bounded<T>::format.precision), Bounded<T>::format.max_finite);
}

/// Errors |A| E_B + E_A (|B| + E_B) + gamma_n (|A| + E_A)(|B| + E_B) + e, and the square-root model beside it, which only warns:
/// its products are computed in float.
template <class T>
void entry_bounds(const Factor& a, const Factor& b, Eigen::Map<Matrix<double>> error, Eigen::Map<Matrix<double>> variance) {
  const ProductConstants c = product_constants<T>(a.magnitudes.cols());
  const double underflow = up(c.root_underflow * c.root_underflow);
  const auto n = static_cast<double>(a.magnitudes.cols());
  Matrix<double> right = b.magnitudes;
  if (b.errors != nullptr) right += b.error_view();
  Matrix<double> gauge(a.magnitudes.rows(), right.cols());
  gauge.noalias() = a.magnitudes * right;
  error = c.gamma * gauge;
  if (a.errors != nullptr) error.noalias() += ((1 + c.gamma) * a.error_view()) * right;
  if (b.errors != nullptr) error.noalias() += a.magnitudes * b.error_view();
  error = (error * (1 + (4 * n + 40) * 0x1p-53)).array() + underflow;
  // n roundings that lose eta each, independently, and those of the sums.
  variance = ((c.deviation * c.deviation) * gauge.cwiseAbs2()).array() + underflow * underflow / (4 * n);
  const auto squared = [](const Matrix<double>& m) { return Matrix<float>(m.cwiseAbs2().cast<float>()); };
  if (b.errors != nullptr) variance += (squared(a.magnitudes) * b.variance_view().cast<float>()).template cast<double>();
  if (a.errors != nullptr) variance += (a.variance_view().cast<float>() * squared(b.magnitudes)).template cast<double>();
  const double exact_below = largest_exact_sum<T>(a, b);
  for (std::int64_t i = 0; i < gauge.size(); ++i) {
    if (gauge.data()[i] <= exact_below) error.data()[i] = variance.data()[i] = 0;
  }
}

/// Of every row, where its entries are that are not exactly zero; nothing unless the rows are long and have hardly any.
template <class T>
std::optional<std::vector<std::vector<std::int64_t>>> sparse_rows(const BoundedTensor<T>& a) {
  constexpr std::int64_t long_row = 256;
  constexpr std::size_t few = 4;
  if (a.shape.size() != 2 || a.shape[1] < long_row || !a.outer.empty()) return std::nullopt;
  std::vector<std::vector<std::int64_t>> places(static_cast<std::size_t>(a.shape[0]));
  std::size_t i = 0;
  for (auto& row : places) {
    for (std::int64_t k = 0; k < a.shape[1]; ++k, ++i) {
      if (a.values[i] == T(0) && (a.errors.empty() || a.errors[i] == 0)) continue;
      if (row.size() == few) return std::nullopt;
      row.push_back(k);
    }
  }
  return places;
}

/// A product of a few terms each, one after the other: what is exactly zero adds nothing and rounds nothing. Requires: no outer products.
template <class T>
void multiply_sparse(const BoundedTensor<T>& a, const std::vector<std::vector<std::int64_t>>& places, const BoundedTensor<T>& b, BoundedTensor<T>& result) {
  const auto inner = static_cast<std::size_t>(a.shape[1]), columns = static_cast<std::size_t>(b.shape[1]);
  result.reserve(places.size() * columns);
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      Bounded<T> sum(T(0), 0, 0);
      for (const std::int64_t k : places[i]) sum = sum + a.at(i * inner + static_cast<std::size_t>(k)) * b.at(static_cast<std::size_t>(k) * columns + j);
      result.push(sum);
    }
  }
}

std::int64_t leading(const std::vector<std::int64_t>& shape) { return shape.size() == 3 ? shape[0] : 1; }

}  // namespace

bool is_matrix_product(const numeric::Step& step) {
  return step.term->kind == infer::TermKind::apply && step.term->op == expr::operator_id<ops::Matmul>() && step.term->call.operands[0].size() == 2 &&
         step.term->call.operands[1].size() == 2;
}

bool transposes(const numeric::Step& step) {
  return step.term->kind == infer::TermKind::apply && step.term->op == expr::operator_id<ops::Transpose>() && step.shape.size() == 2 &&
         step.term->call.operands[0].size() == 2;
}

template <class T>
void multiply(const BoundedTensor<T>& a, const BoundedTensor<T>& b, Bounds bounds, BoundedTensor<T>& result) {
  if (bounds == Bounds::entries && b.shape.size() == 2 && b.outer.empty()) {
    if (const auto places = sparse_rows(a)) {
      result.clear();
      return multiply_sparse(a, *places, b, result);
    }
  }
  const std::int64_t n = a.shape.size() == 1 ? 1 : a.shape[a.shape.size() - 2];
  const std::int64_t inner = a.shape.back();
  const std::int64_t m = b.shape.size() == 1 ? 1 : b.shape.back();
  const std::int64_t batches = std::max(leading(a.shape), leading(b.shape));
  const auto count = static_cast<std::size_t>(batches * n * m);
  result.values.resize(count);
  const auto from_a = [&](std::int64_t batch) { return leading(a.shape) == 1 ? 0 : batch * n * inner; };
  const auto from_b = [&](std::int64_t batch) { return leading(b.shape) == 1 ? 0 : batch * inner * m; };
  for (std::int64_t batch = 0; batch < batches; ++batch)
    numeric::multiply(a.values.data() + from_a(batch), b.values.data() + from_b(batch), result.values.data() + batch * n * m, {n, inner, m});
  if (bounds == Bounds::none) return;
  if constexpr (std::is_floating_point_v<T>) {
    if (bounds == Bounds::norms && a.shape.size() == 2 && b.shape.size() == 2) {
      norm_bounds(a, b, result);
      return;
    }
  }
  result.errors.resize(count);
  result.variances.resize(count);
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    entry_bounds<T>(Factor(a, from_a(batch), n, inner), Factor(b, from_b(batch), inner, m),
                    Eigen::Map<Matrix<double>>(result.errors.data() + batch * n * m, n, m),
                    Eigen::Map<Matrix<double>>(result.variances.data() + batch * n * m, n, m));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(result.values[i]) || !(result.errors[i] < infinity)) result.errors[i] = result.variances[i] = infinity;
  }
}
template void multiply(const BoundedTensor<double>&, const BoundedTensor<double>&, Bounds, BoundedTensor<double>&);
template void multiply(const BoundedTensor<float>&, const BoundedTensor<float>&, Bounds, BoundedTensor<float>&);
template void multiply(const BoundedTensor<Float16>&, const BoundedTensor<Float16>&, Bounds, BoundedTensor<Float16>&);
template void multiply(const BoundedTensor<BFloat16>&, const BoundedTensor<BFloat16>&, Bounds, BoundedTensor<BFloat16>&);

namespace {
/// The entries at the given places.
template <class T>
BoundedTensor<T> gathered(const BoundedTensor<T>& from, std::vector<std::int64_t> shape, const std::vector<std::size_t>& places) {
  BoundedTensor<T> result;
  result.shape = std::move(shape);
  for (const std::size_t place : places) result.push(from.at(place));
  return result;
}
}  // namespace

template <class T>
BoundedTensor<T> transposed(const BoundedTensor<T>& matrix) {
  std::vector<std::size_t> places;
  for (std::int64_t j = 0; j < matrix.shape[1]; ++j) {
    for (std::int64_t i = 0; i < matrix.shape[0]; ++i) places.push_back(static_cast<std::size_t>(i * matrix.shape[1] + j));
  }
  return gathered(matrix, {matrix.shape[1], matrix.shape[0]}, places);
}
template <class T>
BoundedTensor<T> without_last_column(const BoundedTensor<T>& matrix) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if ((i + 1) % static_cast<std::size_t>(matrix.shape[1]) != 0) places.push_back(i);
  }
  return gathered(matrix, {matrix.shape[0], matrix.shape[1] - 1}, places);
}
template <class T>
BoundedTensor<T> first_entries(const BoundedTensor<T>& tensor, std::int64_t count) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) places.push_back(i);
  return gathered(tensor, tensor.shape, places);
}
template BoundedTensor<double> transposed(const BoundedTensor<double>&);
template BoundedTensor<float> transposed(const BoundedTensor<float>&);
template BoundedTensor<Float16> transposed(const BoundedTensor<Float16>&);
template BoundedTensor<BFloat16> transposed(const BoundedTensor<BFloat16>&);
template BoundedTensor<double> without_last_column(const BoundedTensor<double>&);
template BoundedTensor<float> without_last_column(const BoundedTensor<float>&);
template BoundedTensor<Float16> without_last_column(const BoundedTensor<Float16>&);
template BoundedTensor<BFloat16> without_last_column(const BoundedTensor<BFloat16>&);
template BoundedTensor<double> first_entries(const BoundedTensor<double>&, std::int64_t);
template BoundedTensor<float> first_entries(const BoundedTensor<float>&, std::int64_t);
template BoundedTensor<Float16> first_entries(const BoundedTensor<Float16>&, std::int64_t);
template BoundedTensor<BFloat16> first_entries(const BoundedTensor<BFloat16>&, std::int64_t);

std::vector<std::vector<std::int64_t>> broadcast_maps(const numeric::Program& program, std::size_t k) {
  const numeric::Step& step = program.steps()[k];
  std::vector<std::vector<std::int64_t>> maps;
  for (const int arg : step.args) {
    const numeric::Step& operand = program.steps()[static_cast<std::size_t>(arg)];
    const auto& shape = operand.shape;
    maps.emplace_back();
    if (shape == step.shape || operand.entries == 1) continue;
    for (std::int64_t place = 0; place < step.entries; ++place) {
      const auto at = numeric::indices_of(place, step.shape);
      std::int64_t source = 0;
      for (std::size_t axis = 0; axis < shape.size(); ++axis) source = source * shape[axis] + (shape[axis] == 1 ? 0 : at[at.size() - shape.size() + axis]);
      maps.back().push_back(source);
    }
  }
  return maps;
}

namespace {

enum class RowRule { none, sum, mean, softmax, softmax1, log_softmax, lse, rms, rmsnorm, layernorm, l2norm };

RowRule row_rule(const infer::Term& term) {
  const int op = term->op;
  if (term->kind != infer::TermKind::apply) return RowRule::none;
  if (op == expr::operator_id<ops::RowSum>() || op == expr::operator_id<ops::ColSum>() || op == expr::operator_id<ops::SumAxis>()) return RowRule::sum;
  if (op == expr::operator_id<ops::Mean>() || op == expr::operator_id<ops::RowMean>() || op == expr::operator_id<ops::ColMean>()) return RowRule::mean;
  if (op == expr::operator_id<ops::Softmax>() || op == expr::operator_id<ops::SoftmaxColumns>()) return RowRule::softmax;
  if (op == expr::operator_id<ops::Softmax1>()) return RowRule::softmax1;
  if (op == expr::operator_id<ops::LogSoftmax>()) return RowRule::log_softmax;
  if (op == expr::operator_id<ops::LogSumExp>()) return RowRule::lse;
  if (op == expr::operator_id<ops::Rms>()) return RowRule::rms;
  if (op == expr::operator_id<ops::RmsNorm>()) return RowRule::rmsnorm;
  if (op == expr::operator_id<ops::LayerNorm>() || op == expr::operator_id<ops::BatchNorm>()) return RowRule::layernorm;
  if (op == expr::operator_id<ops::L2Norm>()) return RowRule::l2norm;
  return RowRule::none;
}

template <class T>
Bounded<T> total(const std::vector<Bounded<T>>& row) {
  Bounded<T> sum = row[0];
  for (std::size_t i = 1; i < row.size(); ++i) sum = sum + row[i];
  return sum;
}
template <class T>
Bounded<T> mean(const std::vector<Bounded<T>>& row) {
  return total(row) / Bounded<T>(static_cast<std::int64_t>(row.size()));
}
template <class T>
std::vector<Bounded<T>> squares(const std::vector<Bounded<T>>& row) {
  std::vector<Bounded<T>> result;
  for (const auto& x : row) result.push_back(x * x);
  return result;
}

/// Softmax and its relatives. Shifting every score by the same number, whatever it is, is exact mathematics.
template <class T>
void softmax_row(RowRule rule, std::vector<Bounded<T>>& row) {
  Bounded<T> shift = row[0];
  for (const auto& x : row) shift = x.value > shift.value ? x : shift;
  if (shift.is_masked()) throw numeric::Undefined("a row with every score masked");
  shift.error = shift.variance = 0;
  if (rule == RowRule::softmax1 && shift.value < 0) shift.value = T(0);
  std::vector<Bounded<T>> terms;
  for (auto& x : row) {
    x = x - shift;
    terms.push_back(exp(x));
  }
  Bounded<T> sum = total(terms);
  if (rule == RowRule::softmax1) sum = sum + exp(-shift);
  if (rule == RowRule::softmax || rule == RowRule::softmax1) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = terms[i] / sum;
    return;
  }
  const Bounded<T> logarithm = log(sum);
  if (rule == RowRule::lse) row[0] = logarithm + shift;
  for (std::size_t i = 0; i < row.size() && rule == RowRule::log_softmax; ++i) row[i] = row[i] - logarithm;
}

template <class T>
void norm_row(RowRule rule, std::vector<Bounded<T>>& row, const Bounded<T>& eps) {
  if (rule == RowRule::layernorm) {
    const Bounded<T> centre = mean(row);
    for (auto& x : row) x = x - centre;
  }
  Bounded<T> square = rule == RowRule::l2norm ? total(squares(row)) : mean(squares(row));
  if (!is_zero(eps)) square = square + eps;
  if (rule == RowRule::rms) {
    row[0] = pow(square, expr::Rational(1, 2));
    return;
  }
  const Bounded<T> factor = pow(square, expr::Rational(-1, 2));
  for (auto& x : row) x = x * factor;
}

}  // namespace

bool works_on_rows(const infer::Term& term) { return row_rule(term) != RowRule::none; }

template <class T>
void run_row(const numeric::Step& step, std::vector<Bounded<T>>& row, const Bounded<T>& eps) {
  const RowRule rule = row_rule(step.term);
  if (rule == RowRule::sum) {
    row[0] = total(row);
  } else if (rule == RowRule::mean) {
    row[0] = mean(row);
  } else if (rule == RowRule::softmax || rule == RowRule::softmax1 || rule == RowRule::log_softmax || rule == RowRule::lse) {
    softmax_row(rule, row);
  } else {
    norm_row(rule, row, eps);
  }
}
template void run_row(const numeric::Step&, std::vector<Bounded<double>>&, const Bounded<double>&);
template void run_row(const numeric::Step&, std::vector<Bounded<float>>&, const Bounded<float>&);
template void run_row(const numeric::Step&, std::vector<Bounded<Float16>>&, const Bounded<Float16>&);
template void run_row(const numeric::Step&, std::vector<Bounded<BFloat16>>&, const Bounded<BFloat16>&);

}  // namespace foldproof::campaign
