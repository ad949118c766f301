// SPDX-License-Identifier: MIT
// Masks of a large negative number, such as -1e9, which leave weights above 0 that no number format holds.
#pragma once

#include <optional>

#include "expr/syntax.hpp"

namespace foldproof::repair {

/// The claim with minus infinity where numbers of -10000 and less mask something: in where(M, S, -1e9) and S + (1 - M) * -1e9. Nothing where none does.
std::optional<expr::Claim> with_infinite_masks(const expr::Claim& claim);

}  // namespace foldproof::repair
