// SPDX-License-Identifier: MIT
// Which claims can be run on small integers without any rounding, and how small these must be at given sizes.
// Then both sides must agree bit for bit, with no tolerance, whatever the order of summation; the sign of zero is not compared.
// Where an operator rounds most numbers (exponentials, roots, quotients), numbers are chosen at which it often does not: equal
// scores and powers of two. Such a case counts as exact when the running bound of every entry is zero. ln 2 is no floating-point
// number, so the rational lane's trick, exponents that are multiples of it, has no counterpart here.
#pragma once

#include "campaign/sample.hpp"
#include "numeric/half.hpp"
#include "numeric/program.hpp"

namespace foldproof::campaign {

/// Largest b up to 12 such that inputs below 2**b in magnitude keep every partial sum below 2**precision; 0 when there is none
/// or when an operator is not made of sums and products.
int exact_bits(const numeric::Program& program, const numeric::FormatInfo& format);
/// The name of the first operator that is not made of sums and products, or "a fraction" for a literal; empty when there is none.
std::string rounding_operator(const numeric::Program& program);

/// Sizes at which counts are powers of two and, from 4 on, have exact square roots: the largest of 1, 2, 4 and 16 below each size.
expr::DimValues sizes_for_exactness(expr::DimValues dims);
/// Small integers turned into zeros, equal rows, equal columns, powers of two or signs, for each tensor by the case number.
/// Tensors of zeros and ones are left alone: these are masks and permutations.
void choose_for_exactness(std::int64_t index, Values& values);

}  // namespace foldproof::campaign
