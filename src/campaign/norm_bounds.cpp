// SPDX-License-Identifier: MIT
#include "campaign/norm_bounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "campaign/bounded.hpp"
#include "campaign/kernels.hpp"

namespace foldproof::campaign {
namespace {

using Vector = std::vector<double>;

/// Enlarges a sum of `count` products, computed in double, so that it bounds the exact sum; also where products lose 2**-1070 each
/// by underflow, which is made of its bits, as processors are slow to multiply such numbers.
double enlarged(double sum, std::int64_t count) {
  return sum * (1 + static_cast<double>(count + 8) * 0x1p-52) + std::bit_cast<double>(static_cast<std::uint64_t>(16 * count));
}
void enlarge(Vector& sums, std::int64_t count) {
  for (double& s : sums) s = enlarged(s, count);
}
double norm(const Vector& v) {
  double result = 0;
  kernels::row_norms(v.data(), 1, static_cast<std::int64_t>(v.size()), &result);
  return result;
}

/// Two-norms along one axis of a factor: of its values, of its errors, and of its deviations. Its memory is used again.
struct Norms {
  Vector values;
  Vector errors;      ///< empty where there are none
  Vector deviations;  ///< of errors that are given one by one; empty otherwise
  Vector roots;

  template <class T>
  void set(const BoundedTensor<T>& m, bool of_rows) {
    const std::int64_t rows = m.shape[0], columns = m.shape[1];
    const auto count = static_cast<std::size_t>(of_rows ? rows : columns);
    const auto norms = [&](const auto* data, Vector& out) {
      out.resize(count);
      of_rows ? kernels::row_norms(data, rows, columns, out.data()) : kernels::column_norms(data, rows, columns, out.data());
    };
    norms(m.values.data(), values);
    errors.clear();
    deviations.clear();
    if (!m.errors.empty()) {
      norms(m.errors.data(), errors);
      roots.clear();
      for (const double v : m.variances) roots.push_back(up(std::sqrt(v)));
      norms(roots.data(), deviations);
    } else if (!m.outer.empty()) {
      errors.assign(count, 0);
      for (std::size_t t = 0; t < m.outer.rank(); ++t) {
        const OuterProduct& term = m.outer[t];
        kernels::add_scaled(up(term.hard * norm(of_rows ? term.columns : term.rows)), of_rows ? term.rows.data() : term.columns.data(),
                            static_cast<std::int64_t>(count), errors.data());
      }
      enlarge(errors, static_cast<std::int64_t>(m.outer.rank()));
    }
  }
  /// out[i] bounds factor * (value norm + error norm) + more.
  void bound(double factor, double more, Vector& out) const {
    for (std::size_t i = 0; i < out.size() && errors.empty(); ++i) out[i] = up(factor * values[i] + more);
    for (std::size_t i = 0; i < out.size() && !errors.empty(); ++i) out[i] = up(factor * up(values[i] + errors[i]) + more);
  }
};

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
  const auto count = static_cast<std::int64_t>(columns);
  const OuterProduct* waiting = nullptr;  // two terms are added at a time
  double its_factor = 0;
  for (std::size_t t = 0; t < rank_; ++t) {
    const double factor = (hard ? terms_[t].hard : terms_[t].typical) * terms_[t].rows[i];
    if (factor == 0) continue;
    if (waiting == nullptr) {
      waiting = &terms_[t];
      its_factor = factor;
    } else {
      kernels::add_two_scaled(its_factor, waiting->columns.data(), factor, terms_[t].columns.data(), count, out);
      waiting = nullptr;
    }
  }
  if (waiting != nullptr) kernels::add_scaled(its_factor, waiting->columns.data(), count, out);
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
  static const double root_eta = std::sqrt(Bounded<T>::eta);  // eta itself is a slow subnormal number
  return {gamma, up(std::sqrt(n) * u), up(up(std::sqrt(2 * (n + 1) * (1 + std::min(gamma, 0x1p60)))) * root_eta)};
}
template ProductConstants product_constants<double>(std::int64_t);
template ProductConstants product_constants<float>(std::int64_t);
template ProductConstants product_constants<Float16>(std::int64_t);
template ProductConstants product_constants<BFloat16>(std::int64_t);

template <class T>
void norm_bounds(const BoundedTensor<T>& a, const BoundedTensor<T>& b, BoundedTensor<T>& result) {
  const std::int64_t rows = a.shape[0], inner = a.shape[1], columns = b.shape[1];
  const ProductConstants c = product_constants<T>(inner);
  thread_local Norms left, right;
  left.set(a, true);
  right.set(b, false);
  OuterSum& sum = result.outer;
  sum.clear();
  // The rounding of this product.
  OuterProduct& own = sum.add(rows, columns, 1, c.deviation / c.gamma);
  const double root_gamma = up(std::sqrt(c.gamma));
  left.bound(root_gamma, c.root_underflow, own.rows);
  right.bound(root_gamma, c.root_underflow, own.columns);
  // |A| E_B
  for (std::size_t t = 0; t < b.outer.rank(); ++t) {
    const OuterProduct& from = b.outer[t];
    OuterProduct& term = sum.add(rows, columns, from.hard, from.typical);
    kernels::absolute_times(a.values.data(), rows, inner, from.rows.data(), term.rows.data());
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
    if (right.errors.empty()) continue;
    const double length = norm(from.columns);
    for (std::size_t j = 0; j < term.columns.size(); ++j) term.columns[j] = up(term.columns[j] + up(length * right.errors[j]));
  }
  if (!a.errors.empty()) {
    OuterProduct& hard = sum.add(rows, columns, 1, 0);
    hard.rows = left.errors;
    right.bound(1, 0, hard.columns);
    OuterProduct& typical = sum.add(rows, columns, 0, 1);
    typical.rows = left.deviations;
    typical.columns = right.values;
  }
}
template void norm_bounds(const BoundedTensor<double>&, const BoundedTensor<double>&, BoundedTensor<double>&);
template void norm_bounds(const BoundedTensor<float>&, const BoundedTensor<float>&, BoundedTensor<float>&);

}  // namespace foldproof::campaign
