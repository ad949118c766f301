// SPDX-License-Identifier: MIT
// The terms of an inequality, each on the side where it is added.
#pragma once

#include <optional>

#include "infer/problem.hpp"
#include "kernel/reduction.hpp"

namespace foldproof::prove {

/// The step `rearranged` to an inequality without negative terms, without terms on both sides and without a common factor made of
/// sizes and numbers. Nothing when the claim is written so, or its numbers are too large.
std::optional<kernel::Reduction> rearrangement(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::prove
