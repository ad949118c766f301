// SPDX-License-Identifier: MIT
// Softmax and the norms by sums of rows, which who computes single entries computes once a row and not once an entry.
#pragma once

#include "infer/problem.hpp"

namespace foldproof::campaign {

/// The term with softmax, log_softmax, rmsnorm and layernorm written by sums and means along their axis.
infer::Term with_row_sums(const infer::Term& term);

}  // namespace foldproof::campaign
