// SPDX-License-Identifier: MIT
// Random matrices with a property that they have exactly, also in 16-bit formats.
#pragma once

#include <string>

#include "numeric/random.hpp"
#include "numeric/tensor.hpp"

namespace foldproof::campaign {

/// A matrix, or one matrix a head, with a structural predicate of infer::predicates. Orthogonal ones are signed permutations.
/// Rows of stochastic matrices are multiples of 1/64, without zeros when `positive`.
numeric::Tensor<double> structured(const std::string& predicate, const std::vector<std::int64_t>& shape, const numeric::Stream& stream, bool positive);

}  // namespace foldproof::campaign
