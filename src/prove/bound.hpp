// SPDX-License-Identifier: MIT
// The search for steps that show a sum to be never negative. The kernel carries out each step and has the last word.
#pragma once

#include "normal/normalize.hpp"

namespace foldproof::prove {

/// Whether p is never negative, or positive, by the kernel's own rules. What they may cost, for magnitudes that are tried both ways, is spent.
bool shows_sign(kernel::Theory& theory, const kernel::Poly& p, bool strict, const normal::Limits& limits);

/// Whether `rest`, in normal form, can be lowered to something that is never negative, or, when `strict`, always positive. Appends the
/// steps to `script`. Tries at most so many `attempts`, and counts them down; where `cleared`, no more than two
/// bounds beside the denominators that both sides are multiplied by.
bool has_sign(kernel::Theory& theory, const kernel::Poly& rest, bool strict, normal::Cuts& cuts, kernel::Script& script, const normal::Limits& limits, std::size_t& attempts, bool cleared);

}  // namespace foldproof::prove
