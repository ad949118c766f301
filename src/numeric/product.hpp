// SPDX-License-Identifier: MIT
// Matrix products: OpenBLAS for large ones where the build found it, Eigen otherwise. Both sum in some conventional order, which
// is all that the error bounds assume. OpenBLAS is held to one thread: campaigns run in parallel themselves, and the same bits
// must come out for any number of threads.
#pragma once

#include <cstdint>
#include <string>

#include "numeric/narrow.hpp"

namespace foldproof::numeric {

/// Sizes of a product: [rows, inner] @ [inner, columns].
struct ProductShape {
  std::int64_t rows;
  std::int64_t inner;
  std::int64_t columns;
};

enum class ProductLibrary { fastest, eigen };
/// For benchmarks. Requires: no product is being computed.
void use(ProductLibrary library);

/// c = a @ b, all in row-major order. Requires: c overlaps neither a nor b.
void multiply(const double* a, const double* b, double* c, const ProductShape& shape);
void multiply(const float* a, const float* b, float* c, const ProductShape& shape);
/// Accumulated in 16 bits, in the order of the inner index; every product and every sum is rounded.
void multiply(const Narrow<Float16>* a, const Narrow<Float16>* b, Narrow<Float16>* c, const ProductShape& shape);
void multiply(const Narrow<BFloat16>* a, const Narrow<BFloat16>* b, Narrow<BFloat16>* c, const ProductShape& shape);

/// What large products are computed with: "Eigen 3.4.0", or "OpenBLAS 0.3.21 SkylakeX" with the kernels chosen on this machine.
std::string product_library();

}  // namespace foldproof::numeric
