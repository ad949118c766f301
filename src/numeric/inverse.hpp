// SPDX-License-Identifier: MIT
// Inverse of a matrix by Gauss-Jordan elimination in any number type. Exact types need any non-zero pivot; floating point and
// enclosures take the largest. A singular matrix, or an enclosure that may contain one, is Undefined.
#pragma once

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
    std::size_t best = c;
    for (std::size_t r = c + 1; r < n; ++r) {
      if (pivot_quality(a[r * n + c]) > pivot_quality(a[best * n + c])) best = r;
    }
    if (!(pivot_quality(a[best * n + c]) > 0)) throw Undefined("the inverse of a singular matrix");
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

}  // namespace foldproof::numeric
