// SPDX-License-Identifier: MIT
// Random matrices with a property that they have exactly, also in 16-bit formats.
#pragma once

#include <string>

#include "numeric/random.hpp"
#include "numeric/tensor.hpp"

namespace foldproof::campaign {

struct StructuredOptions {
  bool positive = false;  ///< rows of stochastic matrices without zeros
  bool whole = false;     ///< integers only
};
/// A matrix, or one matrix a head, with a structural predicate of infer::predicates.
/// Orthogonal ones are signed permutations, half of them times Householder reflections I - v v.T/2 with four entries +-1 in v,
/// whose halves and quarters are exact in every format. Rows of stochastic matrices are multiples of 1/64. Invertible ones are
/// diagonally dominant up to a permutation of their rows.
numeric::Tensor<double> structured(const std::string& predicate, const std::vector<std::int64_t>& shape, const numeric::Stream& stream, const StructuredOptions& options);

}  // namespace foldproof::campaign
