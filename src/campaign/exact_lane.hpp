// SPDX-License-Identifier: MIT
// Which claims can be run on small integers without any rounding, and how small these must be at given sizes.
// Then both sides must agree bit for bit, with no tolerance, whatever the order of summation; the sign of zero is not compared.
#pragma once

#include "numeric/half.hpp"
#include "numeric/program.hpp"

namespace foldproof::campaign {

/// Largest b up to 12 such that inputs below 2**b in magnitude keep every partial sum below 2**precision; 0 when there is none
/// or when an operator is not made of sums and products.
int exact_bits(const numeric::Program& program, const numeric::FormatInfo& format);

}  // namespace foldproof::campaign
