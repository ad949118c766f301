// SPDX-License-Identifier: MIT
// Loops over matrices in row-major order, compiled for speed. Sums are of non-negative numbers, whose order does not matter for a
// bound; what is called a bound is enlarged by what its own rounding, underflow and overflow may have lost.
#pragma once

#include <cstdint>

namespace foldproof::campaign::kernels {

/// norms[i] bounds the two-norm of row i; infinite where an entry is not finite.
void row_norms(const double* m, std::int64_t rows, std::int64_t columns, double* norms);
void row_norms(const float* m, std::int64_t rows, std::int64_t columns, double* norms);
/// norms[j] bounds the two-norm of column j.
void column_norms(const double* m, std::int64_t rows, std::int64_t columns, double* norms);
void column_norms(const float* m, std::int64_t rows, std::int64_t columns, double* norms);
/// y bounds |m| x. Requires: x >= 0.
void absolute_times(const double* m, std::int64_t rows, std::int64_t columns, const double* x, double* y);
void absolute_times(const float* m, std::int64_t rows, std::int64_t columns, const double* x, double* y);
/// y bounds x |m|. Requires: x >= 0.
void times_absolute(const double* x, const double* m, std::int64_t rows, std::int64_t columns, double* y);
void times_absolute(const double* x, const float* m, std::int64_t rows, std::int64_t columns, double* y);
/// y[j] = y[j] + factor x[j]
void add_scaled(double factor, const double* x, std::int64_t count, double* y);
/// y[j] = y[j] + factor x[j] + other z[j]
void add_two_scaled(double factor, const double* x, double other, const double* z, std::int64_t count, double* y);
/// Whether some |a[j] - b[j]| is not at most factor * bound[j], or bound[j] is not finite; a NaN is not.
bool exceeds(const double* a, const double* b, const double* bound, double factor, std::int64_t count);
bool exceeds(const float* a, const float* b, const double* bound, double factor, std::int64_t count);
/// The first j with a[j] != b[j], or count.
std::int64_t first_difference(const double* a, const double* b, std::int64_t count);
std::int64_t first_difference(const float* a, const float* b, std::int64_t count);

}  // namespace foldproof::campaign::kernels
