// SPDX-License-Identifier: MIT
// Compiled with options of its own (src/CMakeLists.txt): it must include nothing whose inline functions others use.
#include "campaign/kernels.hpp"

namespace foldproof::campaign::kernels {
namespace {

inline double magnitude(double v) { return __builtin_fabs(v); }

/// A sum of `count` products or squares was computed as `sum`: a bound on the exact one, if no term underflowed.
inline double enlarged(double sum, std::int64_t count) { return sum * (1 + static_cast<double>(count + 8) * 0x1p-52); }

/// What `count` products may have lost by underflow, 2**-1070 each: made of its bits, as processors are slow to multiply such numbers.
inline double underflow(std::int64_t count) { return __builtin_bit_cast(double, static_cast<std::uint64_t>(16 * count)); }

/// Between these, squares that underflow or overflow do not matter beside the sum.
constexpr double smallest_sum = 0x1p-900;
constexpr double largest_sum = 0x1p1000;

constexpr double smallest_normal = 0x1p-1022;
constexpr double scale_of_subnormals = 0x1p1000;

/// |v| * scale, with subnormal numbers taken apart: processors are slow to multiply them. Only at their own scale they count.
inline double scaled(double v, double scale) {
  if (magnitude(v) >= smallest_normal) return magnitude(v) * scale;
  return scale == scale_of_subnormals ? static_cast<double>(__builtin_bit_cast(std::int64_t, magnitude(v))) * 0x1p-74 : 0;
}

/// One norm where the sum of squares may have underflowed or overflowed: entries are scaled by a power of two first.
template <class T>
double scaled_norm(const T* m, std::int64_t count, std::int64_t stride) {
  double largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double v = magnitude(static_cast<double>(m[i * stride]));
    if (!(v <= 0x1.fffffffffffffp1023)) return __builtin_inf();
    if (v > largest) largest = v;
  }
  if (largest == 0) return 0;
  // Squares that underflow at this scale are nothing next to the largest.
  const double scale = largest >= 1 ? 0x1p-500 : largest >= 0x1p-700 ? 0x1p500 : scale_of_subnormals;
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double v = scaled(static_cast<double>(m[i * stride]), scale);
    sum += v * v;
  }
  return __builtin_sqrt(enlarged(sum, count)) * (1 + 0x1p-50) / scale + 0x1p-1074;  // may be subnormal, and rounded down
}

/// So small that squares would be subnormal, which processors are slow at.
template <class T>
bool looks_tiny(const T* row, std::int64_t columns) {
  double largest = 0;
  for (std::int64_t j = 0; j < columns; ++j) {
    const double v = magnitude(static_cast<double>(row[j]));
    largest = v > largest ? v : largest;
  }
  return largest != 0 && largest < 0x1p-480;
}

/// Sums of squares of `count` entries become norms.
template <class T>
void to_norms(const T* m, std::int64_t count, std::int64_t stride, std::int64_t step, double* squares, std::int64_t of) {
  int outside = 0;
  for (std::int64_t i = 0; i < of; ++i) outside |= !(squares[i] > smallest_sum && squares[i] < largest_sum);
  if (outside == 0) {
    for (std::int64_t i = 0; i < of; ++i) squares[i] = __builtin_sqrt(enlarged(squares[i], count)) * (1 + 0x1p-50);
    return;
  }
  for (std::int64_t i = 0; i < of; ++i) {
    const bool usual = squares[i] > smallest_sum && squares[i] < largest_sum;
    squares[i] = usual ? __builtin_sqrt(enlarged(squares[i], count)) * (1 + 0x1p-50) : scaled_norm(m + i * step, count, stride);
  }
}

template <class T>
void row_norms_of(const T* m, std::int64_t rows, std::int64_t columns, double* norms) {
  const bool tiny = looks_tiny(m, columns);
  for (std::int64_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < columns && !tiny; ++j) {
      const auto v = static_cast<double>(m[i * columns + j]);
      sum += v * v;
    }
    norms[i] = sum;
  }
  to_norms(m, columns, 1, columns, norms, rows);
}
template <class T>
void column_norms_of(const T* m, std::int64_t rows, std::int64_t columns, double* norms) {
  for (std::int64_t j = 0; j < columns; ++j) norms[j] = 0;
  const bool tiny = looks_tiny(m, columns);
  for (std::int64_t i = 0; i < rows && !tiny; ++i) {
    const T* row = m + i * columns;
    for (std::int64_t j = 0; j < columns; ++j) {
      const auto v = static_cast<double>(row[j]);
      norms[j] += v * v;
    }
  }
  to_norms(m, rows, columns, 1, norms, columns);
}

/// Products that underflow are added, but not to a sum of zeros: subnormal numbers are slow.
template <class T>
double with_underflow(double sum, const T* m, std::int64_t count, std::int64_t stride) {
  if (sum == 0) {
    std::int64_t nonzero = 0;
    for (std::int64_t i = 0; i < count; ++i) nonzero += m[i * stride] != 0;
    if (nonzero == 0) return 0;
  }
  return enlarged(sum, count) + underflow(count);
}
template <class T>
void absolute_times_of(const T* m, std::int64_t rows, std::int64_t columns, const double* x, double* y) {
  for (std::int64_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < columns; ++j) sum += magnitude(static_cast<double>(m[i * columns + j])) * x[j];
    y[i] = with_underflow(sum, m + i * columns, columns, 1);
  }
}
template <class T>
void times_absolute_of(const double* x, const T* m, std::int64_t rows, std::int64_t columns, double* y) {
  for (std::int64_t j = 0; j < columns; ++j) y[j] = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    const T* row = m + i * columns;
    const double factor = x[i];
    for (std::int64_t j = 0; j < columns; ++j) y[j] += factor * magnitude(static_cast<double>(row[j]));
  }
  for (std::int64_t j = 0; j < columns; ++j) y[j] = with_underflow(y[j], m + j, rows, columns);
}
template <class T>
bool exceeds_of(const T* a, const T* b, const double* bound, double factor, std::int64_t count) {
  double beyond = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    const double difference = magnitude(static_cast<double>(a[j]) - static_cast<double>(b[j]));
    beyond += (difference <= factor * bound[j] ? 0.0 : 1.0) + (bound[j] <= 0x1.fffffffffffffp1023 ? 0.0 : 1.0);
  }
  return beyond > 0;
}
template <class T>
std::int64_t first_difference_of(const T* a, const T* b, std::int64_t count) {
  constexpr std::int64_t chunk = 64;
  std::int64_t from = 0;
  for (; from + chunk <= count; from += chunk) {
    int different = 0;
    for (std::int64_t j = 0; j < chunk; ++j) different |= a[from + j] != b[from + j];
    if (different != 0) break;
  }
  while (from < count && a[from] == b[from]) ++from;
  return from;
}

}  // namespace

void row_norms(const double* m, std::int64_t rows, std::int64_t columns, double* norms) { row_norms_of(m, rows, columns, norms); }
void row_norms(const float* m, std::int64_t rows, std::int64_t columns, double* norms) { row_norms_of(m, rows, columns, norms); }
void column_norms(const double* m, std::int64_t rows, std::int64_t columns, double* norms) { column_norms_of(m, rows, columns, norms); }
void column_norms(const float* m, std::int64_t rows, std::int64_t columns, double* norms) { column_norms_of(m, rows, columns, norms); }
void absolute_times(const double* m, std::int64_t rows, std::int64_t columns, const double* x, double* y) { absolute_times_of(m, rows, columns, x, y); }
void absolute_times(const float* m, std::int64_t rows, std::int64_t columns, const double* x, double* y) { absolute_times_of(m, rows, columns, x, y); }
void times_absolute(const double* x, const double* m, std::int64_t rows, std::int64_t columns, double* y) { times_absolute_of(x, m, rows, columns, y); }
void times_absolute(const double* x, const float* m, std::int64_t rows, std::int64_t columns, double* y) { times_absolute_of(x, m, rows, columns, y); }
void add_scaled(double factor, const double* x, std::int64_t count, double* y) {
  for (std::int64_t j = 0; j < count; ++j) y[j] += factor * x[j];
}
void add_two_scaled(double factor, const double* x, double other, const double* z, std::int64_t count, double* y) {
  for (std::int64_t j = 0; j < count; ++j) y[j] += factor * x[j] + other * z[j];
}
bool exceeds(const double* a, const double* b, const double* bound, double factor, std::int64_t count) { return exceeds_of(a, b, bound, factor, count); }
bool exceeds(const float* a, const float* b, const double* bound, double factor, std::int64_t count) { return exceeds_of(a, b, bound, factor, count); }
std::int64_t first_difference(const double* a, const double* b, std::int64_t count) { return first_difference_of(a, b, count); }
std::int64_t first_difference(const float* a, const float* b, std::int64_t count) { return first_difference_of(a, b, count); }

}  // namespace foldproof::campaign::kernels
