// SPDX-License-Identifier: MIT
// Changes of claims about ranks and sizes: a bound in place of an equation, an assumption of which size is the larger one.
#pragma once

#include "repair/edits.hpp"

namespace foldproof::repair {

/// None for equations of tensors. In the same order for the same claim.
std::vector<Edit> bound_edits(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::repair
