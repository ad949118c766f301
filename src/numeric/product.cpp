// SPDX-License-Identifier: MIT
#include "numeric/product.hpp"

#include <Eigen/Core>
#include <algorithm>

#ifdef FOLDPROOF_OPENBLAS
#include <cblas.h>
#endif

namespace foldproof::numeric {
namespace {

ProductLibrary chosen = ProductLibrary::fastest;

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
void multiply_with_eigen(const T* a, const T* b, T* c, const ProductShape& s) {
  Eigen::Map<Matrix<T>>(c, s.rows, s.columns).noalias() =
      Eigen::Map<const Matrix<T>>(a, s.rows, s.inner) * Eigen::Map<const Matrix<T>>(b, s.inner, s.columns);
}

#ifdef FOLDPROOF_OPENBLAS
constexpr std::int64_t worth_a_call = 32 * 32 * 32;  ///< multiply-adds

bool use_blas(const ProductShape& s) {
  static const bool single = (openblas_set_num_threads(1), true);
  return single && chosen == ProductLibrary::fastest && s.rows * s.inner * s.columns >= worth_a_call;
}
void multiply_with_blas(const double* a, const double* b, double* c, const ProductShape& s) {
  const auto m = static_cast<blasint>(s.rows), k = static_cast<blasint>(s.inner), n = static_cast<blasint>(s.columns);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
}
void multiply_with_blas(const float* a, const float* b, float* c, const ProductShape& s) {
  const auto m = static_cast<blasint>(s.rows), k = static_cast<blasint>(s.inner), n = static_cast<blasint>(s.columns);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
}
#endif

template <class T>
void multiply_wide(const T* a, const T* b, T* c, const ProductShape& shape) {
#ifdef FOLDPROOF_OPENBLAS
  if (use_blas(shape)) return multiply_with_blas(a, b, c, shape);
#endif
  multiply_with_eigen(a, b, c, shape);
}

template <class T>
void multiply_narrow(const T* a, const T* b, T* c, const ProductShape& s) {
  for (std::int64_t i = 0; i < s.rows; ++i) {
    T* row = c + i * s.columns;
    for (std::int64_t j = 0; j < s.columns; ++j) row[j] = T(a[i * s.inner] * b[j]);
    for (std::int64_t k = 1; k < s.inner; ++k) {
      const float factor = a[i * s.inner + k];
      for (std::int64_t j = 0; j < s.columns; ++j) row[j] = T(row[j] + T(factor * b[k * s.columns + j]));
    }
  }
}

}  // namespace

void use(ProductLibrary library) { chosen = library; }

void multiply(const double* a, const double* b, double* c, const ProductShape& shape) { multiply_wide(a, b, c, shape); }
void multiply(const float* a, const float* b, float* c, const ProductShape& shape) { multiply_wide(a, b, c, shape); }
void multiply(const Narrow<Float16>* a, const Narrow<Float16>* b, Narrow<Float16>* c, const ProductShape& shape) { multiply_narrow(a, b, c, shape); }
void multiply(const Narrow<BFloat16>* a, const Narrow<BFloat16>* b, Narrow<BFloat16>* c, const ProductShape& shape) { multiply_narrow(a, b, c, shape); }

std::string product_library() {
#ifdef FOLDPROOF_OPENBLAS
  std::string version = openblas_get_config();  // "OpenBLAS 0.3.21 NO_LAPACKE ..."
  version = version.substr(0, version.find(' ', version.find(' ') + 1));
  return version + " " + openblas_get_corename();
#else
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION);
#endif
}

}  // namespace foldproof::numeric
