// SPDX-License-Identifier: MIT
// Inverse, determinant and rank factorization of a matrix by Gauss-Jordan elimination in any number type. Exact types need any
// non-zero pivot; floating point and enclosures take the largest, and where they cannot tell whether there is one, the result is Undefined.
#pragma once

#include <optional>
#include <utility>

#include "numeric/scalar.hpp"
#include "numeric/tensor.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::numeric {

/// How good a pivot is: not positive means that it cannot be one.
template <class T>
double pivot_quality(const T& a) {
  if constexpr (std::is_same_v<T, Interval>) {
    return a.lower() > 0 ? a.lower() : -a.upper();
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(abs(a));
  } else {
    return is_zero(a) ? 0 : 1;
  }
}

/// The row from `row` on that is the best pivot of column c, or nothing where the column is 0 from there on.
/// Errors: Undefined when it is not known whether it is.
template <class T>
std::optional<std::size_t> pivot_row(const Tensor<T>& matrix, std::size_t row, std::size_t c) {
  const auto n = static_cast<std::size_t>(matrix.shape[0]), m = static_cast<std::size_t>(matrix.shape[1]);
  const std::vector<T>& a = matrix.values;
  std::size_t best = row;
  for (std::size_t r = row + 1; r < n; ++r) {
    if (pivot_quality(a[r * m + c]) > pivot_quality(a[best * m + c])) best = r;
  }
  if (pivot_quality(a[best * m + c]) > 0) return best;
  for (std::size_t r = row; r < n; ++r) {
    if (!is_zero(a[r * m + c])) throw Undefined("a matrix of which it is not known whether it is singular");
  }
  return std::nullopt;
}

/// Requires: `matrix` is square. Errors: Undefined when it is singular, NeedsReals when Q[ln 2] cannot hold a quotient.
template <class T>
Tensor<T> inverse(Tensor<T> matrix) {
  const auto n = static_cast<std::size_t>(matrix.shape[0]);
  std::vector<T>& a = matrix.values;
  const T zero = from<T>(expr::Rational(0));
  const T one = from<T>(expr::Rational(1));
  Tensor<T> result = filled(matrix.shape, zero);
  std::vector<T>& b = result.values;
  for (std::size_t i = 0; i < n; ++i) b[i * n + i] = one;
  for (std::size_t c = 0; c < n; ++c) {
    const auto pivot_at = pivot_row(matrix, c, c);
    if (!pivot_at) throw Undefined("the inverse of a singular matrix");
    const std::size_t best = *pivot_at;
    for (std::size_t j = 0; j < n && best != c; ++j) {
      std::swap(a[best * n + j], a[c * n + j]);
      std::swap(b[best * n + j], b[c * n + j]);
    }
    const T pivot = a[c * n + c];
    for (std::size_t j = 0; j < n; ++j) {
      a[c * n + j] = j == c ? one : a[c * n + j] / pivot;
      b[c * n + j] = b[c * n + j] / pivot;
    }
    for (std::size_t r = 0; r < n; ++r) {
      const T factor = a[r * n + c];
      if (r == c || is_zero(factor)) continue;
      for (std::size_t j = 0; j < n; ++j) {
        a[r * n + j] = j == c ? zero : a[r * n + j] - factor * a[c * n + j];
        b[r * n + j] = b[r * n + j] - factor * b[c * n + j];
      }
    }
  }
  return result;
}

/// A [n, m] as pivot columns [n, r] times the non-zero rows of its reduced row echelon form [r, m]; r is its rank.
template <class T>
struct RankFactorization {
  std::vector<std::size_t> pivots;  ///< the r pivot columns, in order
  Tensor<T> echelon;                ///< [n, m], rows from r on are zero
};

/// Errors: Undefined when it is not known whether an entry is zero, NeedsReals when Q[ln 2] cannot hold a quotient.
template <class T>
RankFactorization<T> rank_factorization(Tensor<T> matrix) {
  const auto n = static_cast<std::size_t>(matrix.shape[0]), m = static_cast<std::size_t>(matrix.shape[1]);
  std::vector<T>& a = matrix.values;
  const T zero = from<T>(expr::Rational(0));
  const T one = from<T>(expr::Rational(1));
  RankFactorization<T> result;
  std::size_t row = 0;
  for (std::size_t c = 0; c < m && row < n; ++c) {
    const auto pivot_at = pivot_row(matrix, row, c);
    if (!pivot_at) continue;
    const std::size_t best = *pivot_at;
    for (std::size_t j = 0; j < m && best != row; ++j) std::swap(a[best * m + j], a[row * m + j]);
    const T pivot = a[row * m + c];
    for (std::size_t j = c; j < m; ++j) a[row * m + j] = j == c ? one : a[row * m + j] / pivot;
    for (std::size_t r = 0; r < n; ++r) {
      const T factor = a[r * m + c];
      if (r == row || is_zero(factor)) continue;
      for (std::size_t j = c; j < m; ++j) a[r * m + j] = j == c ? zero : a[r * m + j] - factor * a[row * m + j];
    }
    result.pivots.push_back(c);
    ++row;
  }
  result.echelon = std::move(matrix);
  return result;
}

/// Requires: `matrix` is square. Errors: as rank_factorization.
template <class T>
T determinant(Tensor<T> matrix) {
  const auto n = static_cast<std::size_t>(matrix.shape[0]);
  std::vector<T>& a = matrix.values;
  const T zero = from<T>(expr::Rational(0));
  T product = from<T>(expr::Rational(1));
  for (std::size_t c = 0; c < n; ++c) {
    const auto pivot_at = pivot_row(matrix, c, c);
    if (!pivot_at) return zero;
    const std::size_t best = *pivot_at;
    for (std::size_t j = c; j < n && best != c; ++j) std::swap(a[best * n + j], a[c * n + j]);
    if (best != c) product = zero - product;
    product = product * a[c * n + c];
    for (std::size_t r = c + 1; r < n; ++r) {
      if (is_zero(a[r * n + c])) continue;
      const T factor = a[r * n + c] / a[c * n + c];
      for (std::size_t j = c; j < n; ++j) a[r * n + j] = j == c ? zero : a[r * n + j] - factor * a[c * n + j];
    }
  }
  return product;
}

}  // namespace foldproof::numeric
