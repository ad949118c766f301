// SPDX-License-Identifier: MIT
// Compiled with options of its own (src/CMakeLists.txt): it must include nothing whose inline functions others use.
#include "campaign/kernels.hpp"

namespace foldproof::campaign::kernels {
namespace {

inline double magnitude(double v) { return __builtin_fabs(v); }

template <class T>
void row_squares_of(const T* m, std::int64_t rows, std::int64_t columns, double* squares) {
  for (std::int64_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < columns; ++j) {
      const auto v = static_cast<double>(m[i * columns + j]);
      sum += v * v;
    }
    squares[i] = sum;
  }
}
template <class T>
void column_squares_of(const T* m, std::int64_t rows, std::int64_t columns, double* squares) {
  for (std::int64_t j = 0; j < columns; ++j) squares[j] = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    const T* row = m + i * columns;
    for (std::int64_t j = 0; j < columns; ++j) {
      const auto v = static_cast<double>(row[j]);
      squares[j] += v * v;
    }
  }
}
template <class T>
void absolute_times_of(const T* m, std::int64_t rows, std::int64_t columns, const double* x, double* y) {
  for (std::int64_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < columns; ++j) sum += magnitude(static_cast<double>(m[i * columns + j])) * x[j];
    y[i] = sum;
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
}
template <class T>
bool exceeds_of(const T* a, const T* b, const double* bound, double factor, std::int64_t count) {
  std::int64_t beyond = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    const double difference = magnitude(static_cast<double>(a[j]) - static_cast<double>(b[j]));
    beyond += !(difference <= factor * bound[j]);
  }
  return beyond != 0;
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

void row_squares(const double* m, std::int64_t rows, std::int64_t columns, double* squares) { row_squares_of(m, rows, columns, squares); }
void row_squares(const float* m, std::int64_t rows, std::int64_t columns, double* squares) { row_squares_of(m, rows, columns, squares); }
void column_squares(const double* m, std::int64_t rows, std::int64_t columns, double* squares) { column_squares_of(m, rows, columns, squares); }
void column_squares(const float* m, std::int64_t rows, std::int64_t columns, double* squares) { column_squares_of(m, rows, columns, squares); }
void absolute_times(const double* m, std::int64_t rows, std::int64_t columns, const double* x, double* y) { absolute_times_of(m, rows, columns, x, y); }
void absolute_times(const float* m, std::int64_t rows, std::int64_t columns, const double* x, double* y) { absolute_times_of(m, rows, columns, x, y); }
void times_absolute(const double* x, const double* m, std::int64_t rows, std::int64_t columns, double* y) { times_absolute_of(x, m, rows, columns, y); }
void times_absolute(const double* x, const float* m, std::int64_t rows, std::int64_t columns, double* y) { times_absolute_of(x, m, rows, columns, y); }
void add_scaled(double factor, const double* x, std::int64_t count, double* y) {
  for (std::int64_t j = 0; j < count; ++j) y[j] += factor * x[j];
}
bool exceeds(const double* a, const double* b, const double* bound, double factor, std::int64_t count) { return exceeds_of(a, b, bound, factor, count); }
bool exceeds(const float* a, const float* b, const double* bound, double factor, std::int64_t count) { return exceeds_of(a, b, bound, factor, count); }
std::int64_t first_difference(const double* a, const double* b, std::int64_t count) { return first_difference_of(a, b, count); }
std::int64_t first_difference(const float* a, const float* b, std::int64_t count) { return first_difference_of(a, b, count); }

}  // namespace foldproof::campaign::kernels
