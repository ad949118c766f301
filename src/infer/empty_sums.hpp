// SPDX-License-Identifier: MIT
// Sums of Python that may have no summand, as sum(w for t in range(1, n)) where n == 1. Part of the trusted base.
// Such a sum is the number 0, and not an array of zeros of the shape that it has else. Mostly nothing comes of that: x + 0 is x. But
// sum(1 + 0) is 1, however many entries 1 + sum(w for t in range(1, n)) has for other n.
#pragma once

#include "infer/problem.hpp"

namespace foldproof::infer {

/// Errors: `call.comprehension` where a value may be another one without the axes of such a sum, `shape.no_size` where the size of a slice is
/// taken that may go beyond its axis.
void require_axes_of_sums(const Problem& p);

}  // namespace foldproof::infer
