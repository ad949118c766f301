// SPDX-License-Identifier: MIT
// Whether the assumptions of a claim contradict each other, or what its sides need to have values. That a search finds no
// instance shows no contradiction: they may ask for numbers that it does not try.
#pragma once

#include <optional>
#include <string>

#include "infer/problem.hpp"

namespace foldproof::verdict {

/// Why no instance satisfies the assumptions: by the ranges of sizes and entries, or because the kernel accepts a proof that the
/// others make one of them false. Nothing when that is not known.
std::optional<std::string> contradiction(const expr::Claim& claim, const infer::Problem& problem);

/// Of a claim for which a search found no instance with values on both sides: whether there may be one all the same. A root or a
/// logarithm may have values on a thin set that no search meets; a denominator that is 0 wherever it is tried is 0.
bool may_have_values(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::verdict
