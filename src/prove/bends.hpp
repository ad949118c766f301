// SPDX-License-Identifier: MIT
// Functions that bend where a difference changes its sign, as min(r, clip(r, 1 - e, 1 + e)) of numbers does at r == 1 - e.
#pragma once

#include <optional>

#include "infer/problem.hpp"
#include "kernel/reduction.hpp"

namespace foldproof::prove {

/// To cut a number where the first difference of unknown sign is zero, on which abs, relu, clip, minimum or maximum depends: the other numbers
/// say where. Nothing where every sign is known, or where none of the differences has such a number.
std::optional<kernel::Reduction> cut_at_bend(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::prove
