// SPDX-License-Identifier: MIT
// The shapes that the formulas of a claim ask for, where its declarations say more: in X @ W_Q, of 8 heads of d entries, the columns of X need not be as
// many as those of W_Q, although both are 512.
#pragma once

#include <optional>

#include "repair/named_sizes.hpp"

namespace foldproof::repair {

/// The claim with a name of its own for each size that need not be another one. Nothing where there is none, and where the shapes that are inferred are
/// not those of the claim at any sizes.
std::optional<NamedSizes> with_general_shapes(const NamedSizes& named);

}  // namespace foldproof::repair
