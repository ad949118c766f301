// SPDX-License-Identifier: MIT
// Definitions that both sides are made of, and that may be any tensors as well.
#pragma once

#include <string>
#include <vector>

#include "expr/syntax.hpp"
#include "infer/problem.hpp"

namespace foldproof::verdict {

/// The last such definitions: tables that are made of numbers alone, as the cosines of all positions; and those in which alone what they are made of is read, as the features phi(x) of linear
/// attention are. Only where a function or a power is in them: what is linear is no harder than any tensor.
std::vector<std::string> common_values(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::verdict
