// SPDX-License-Identifier: MIT
#include "campaign/norm_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "campaign/bounded.hpp"
#include "campaign/kernels.hpp"

namespace foldproof::campaign {
namespace {

using Vector = std::vector<double>;

/// Enlarges a sum of `count` products or squares, computed in double, so that it bounds the exact sum; also where squares underflow.
double enlarged(double sum, std::int64_t count) {
  const auto n = static_cast<double>(count);
  return sum * (1 + (n + 8) * 0x1p-52) + n * 0x1p-1070;
}
void enlarge(Vector& sums, std::int64_t count) {
  for (double& s : sums) s = enlarged(s, count);
}
void to_norms(Vector& squares, std::int64_t count) {
  for (double& s : squares) s = up(std::sqrt(enlarged(s, count)));
}
double norm(const Vector& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return up(std::sqrt(enlarged(sum, static_cast<std::int64_t>(v.size()))));
}

/// Two-norms along one axis of a factor: of its values, of its errors, and of its deviations.
struct Norms {
  Vector values;
  Vector errors;
  Vector deviations;  ///< of errors that are given one by one; empty otherwise
};

template <class T>
Norms norms(const BoundedTensor<T>& m, bool of_rows) {
  const std::int64_t rows = m.shape[0], columns = m.shape[1];
  const std::int64_t count = of_rows ? columns : rows;
  const auto squares = [&](const auto* data, Vector& out) {
    out.resize(static_cast<std::size_t>(of_rows ? rows : columns));
    of_rows ? kernels::row_squares(data, rows, columns, out.data()) : kernels::column_squares(data, rows, columns, out.data());
    to_norms(out, count);
  };
  Norms result;
  squares(m.values.data(), result.values);
  if (!m.errors.empty()) {
    squares(m.errors.data(), result.errors);
    Vector deviations;
    for (const double v : m.variances) deviations.push_back(up(std::sqrt(v)));
    squares(deviations.data(), result.deviations);
  } else {
    result.errors.assign(result.values.size(), 0);
    for (std::size_t t = 0; t < m.outer.rank(); ++t) {
      const OuterProduct& term = m.outer[t];
      kernels::add_scaled(up(term.hard * norm(of_rows ? term.columns : term.rows)), of_rows ? term.rows.data() : term.columns.data(),
                          static_cast<std::int64_t>(result.errors.size()), result.errors.data());
    }
    enlarge(result.errors, static_cast<std::int64_t>(m.outer.rank()));
  }
  return result;
}

void fill(Vector& out, const Vector& a, const Vector& b) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = up(a[i] + b[i]);
}

}  // namespace

OuterProduct& OuterSum::add(std::int64_t rows, std::int64_t columns, double hard, double typical) {
  if (rank_ == terms_.size()) terms_.emplace_back();
  OuterProduct& term = terms_[rank_++];
  term.rows.resize(static_cast<std::size_t>(rows));
  term.columns.resize(static_cast<std::size_t>(columns));
  term.hard = hard;
  term.typical = typical;
  return term;
}
double OuterSum::hard(std::size_t i, std::size_t j) const {
  double sum = 0;
  for (std::size_t t = 0; t < rank_; ++t) sum += terms_[t].hard * terms_[t].rows[i] * terms_[t].columns[j];
  return enlarged(sum, static_cast<std::int64_t>(rank_));
}
double OuterSum::typical(std::size_t i, std::size_t j) const {
  double sum = 0;
  for (std::size_t t = 0; t < rank_; ++t) sum += terms_[t].typical * terms_[t].rows[i] * terms_[t].columns[j];
  return sum;
}
void OuterSum::transpose() {
  for (std::size_t t = 0; t < rank_; ++t) std::swap(terms_[t].rows, terms_[t].columns);
}
void OuterSum::add_row(std::size_t i, bool hard, double* out, std::size_t columns) const {
  for (std::size_t t = 0; t < rank_; ++t)
    kernels::add_scaled((hard ? terms_[t].hard : terms_[t].typical) * terms_[t].rows[i], terms_[t].columns.data(), static_cast<std::int64_t>(columns), out);
}
void OuterSum::write_out(Vector& errors, Vector& variances, std::size_t columns) const {
  std::fill(errors.begin(), errors.end(), 0);
  std::fill(variances.begin(), variances.end(), 0);
  for (std::size_t i = 0; i * columns < errors.size(); ++i) {
    add_row(i, true, errors.data() + i * columns, columns);
    add_row(i, false, variances.data() + i * columns, columns);
  }
  enlarge(errors, static_cast<std::int64_t>(rank_));
  for (double& v : variances) v *= v;
}
bool OuterSum::has_narrower_typical() const {
  return std::any_of(terms_.begin(), terms_.begin() + static_cast<std::ptrdiff_t>(rank_), [](const OuterProduct& t) { return 8 * t.typical < t.hard; });
}

template <class T>
ProductConstants product_constants(std::int64_t inner) {
  const auto n = static_cast<double>(inner);
  const double u = Bounded<T>::u;
  const double nu = (n + 1) * u;
  const double gamma = nu < 1 ? up(nu / (1 - nu)) : infinity;
  // Each rounded product may lose eta, which later sums enlarge by up to 1 + gamma; twice that for the double rounding of narrow.hpp.
  return {gamma, up(std::sqrt(n) * u), up(2 * (n + 1) * Bounded<T>::eta * (1 + std::min(gamma, 0x1p60)))};
}
template ProductConstants product_constants<double>(std::int64_t);
template ProductConstants product_constants<float>(std::int64_t);
template ProductConstants product_constants<Float16>(std::int64_t);
template ProductConstants product_constants<BFloat16>(std::int64_t);

template <class T>
void norm_bounds(const BoundedTensor<T>& a, const BoundedTensor<T>& b, BoundedTensor<T>& result) {
  const std::int64_t rows = a.shape[0], inner = a.shape[1], columns = b.shape[1];
  const ProductConstants c = product_constants<T>(inner);
  const Norms left = norms(a, true);
  const Norms right = norms(b, false);
  OuterSum& sum = result.outer;
  sum.clear();
  // The rounding of this product.
  OuterProduct& own = sum.add(rows, columns, 1, c.deviation / c.gamma);
  const double root_gamma = up(std::sqrt(c.gamma)), root_underflow = up(std::sqrt(c.underflow));
  for (std::size_t i = 0; i < own.rows.size(); ++i) own.rows[i] = up(root_gamma * up(left.values[i] + left.errors[i]) + root_underflow);
  for (std::size_t j = 0; j < own.columns.size(); ++j) own.columns[j] = up(root_gamma * up(right.values[j] + right.errors[j]) + root_underflow);
  // |A| E_B
  for (std::size_t t = 0; t < b.outer.rank(); ++t) {
    const OuterProduct& from = b.outer[t];
    OuterProduct& term = sum.add(rows, columns, from.hard, from.typical);
    kernels::absolute_times(a.values.data(), rows, inner, from.rows.data(), term.rows.data());
    enlarge(term.rows, inner);
    term.columns = from.columns;
  }
  if (!b.errors.empty()) {
    OuterProduct& hard = sum.add(rows, columns, 1, 0);
    hard.rows = left.values;
    hard.columns = right.errors;
    OuterProduct& typical = sum.add(rows, columns, 0, 1);
    typical.rows = left.values;
    typical.columns = right.deviations;
  }
  // E_A (|B| + E_B)
  for (std::size_t t = 0; t < a.outer.rank(); ++t) {
    const OuterProduct& from = a.outer[t];
    OuterProduct& term = sum.add(rows, columns, from.hard, from.typical);
    term.rows = from.rows;
    kernels::times_absolute(from.columns.data(), b.values.data(), inner, columns, term.columns.data());
    const double length = norm(from.columns);
    for (std::size_t j = 0; j < term.columns.size(); ++j) term.columns[j] = enlarged(term.columns[j] + length * right.errors[j], inner);
  }
  if (!a.errors.empty()) {
    OuterProduct& hard = sum.add(rows, columns, 1, 0);
    hard.rows = left.errors;
    fill(hard.columns, right.values, right.errors);
    OuterProduct& typical = sum.add(rows, columns, 0, 1);
    typical.rows = left.deviations;
    typical.columns = right.values;
  }
}
template void norm_bounds(const BoundedTensor<double>&, const BoundedTensor<double>&, BoundedTensor<double>&);
template void norm_bounds(const BoundedTensor<float>&, const BoundedTensor<float>&, BoundedTensor<float>&);

}  // namespace foldproof::campaign
