// SPDX-License-Identifier: MIT
// Loops over matrices in row-major order, compiled for speed. Sums of non-negative numbers only, whose order does not matter for
// a bound; none of them is compensated for its own rounding, which is the caller's to add.
#pragma once

#include <cstdint>

namespace foldproof::campaign::kernels {

/// squares[i] = sum over j of m[i,j]**2.
void row_squares(const double* m, std::int64_t rows, std::int64_t columns, double* squares);
void row_squares(const float* m, std::int64_t rows, std::int64_t columns, double* squares);
/// squares[j] = sum over i of m[i,j]**2.
void column_squares(const double* m, std::int64_t rows, std::int64_t columns, double* squares);
void column_squares(const float* m, std::int64_t rows, std::int64_t columns, double* squares);
/// y = |m| x
void absolute_times(const double* m, std::int64_t rows, std::int64_t columns, const double* x, double* y);
void absolute_times(const float* m, std::int64_t rows, std::int64_t columns, const double* x, double* y);
/// y = x |m|
void times_absolute(const double* x, const double* m, std::int64_t rows, std::int64_t columns, double* y);
void times_absolute(const double* x, const float* m, std::int64_t rows, std::int64_t columns, double* y);
/// y[j] = y[j] + factor x[j]
void add_scaled(double factor, const double* x, std::int64_t count, double* y);
/// Whether some |a[j] - b[j]| is not at most factor * bound[j]; a NaN is not.
bool exceeds(const double* a, const double* b, const double* bound, double factor, std::int64_t count);
bool exceeds(const float* a, const float* b, const double* bound, double factor, std::int64_t count);
/// The first j with a[j] != b[j], or count.
std::int64_t first_difference(const double* a, const double* b, std::int64_t count);
std::int64_t first_difference(const float* a, const float* b, std::int64_t count);

}  // namespace foldproof::campaign::kernels
