// SPDX-License-Identifier: MIT
// The search for steps that show a sum to be never negative. The kernel carries out each step and has the last word.
#pragma once

#include "normal/normalize.hpp"

namespace foldproof::prove {

/// Whether `rest`, in normal form, can be lowered to something that is never negative. Appends the steps to `script`.
bool never_negative(kernel::Theory& theory, const kernel::Poly& rest, normal::Cuts& cuts, kernel::Script& script, const normal::Limits& limits);

}  // namespace foldproof::prove
