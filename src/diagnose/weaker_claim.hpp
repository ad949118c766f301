// SPDX-License-Identifier: MIT
// What holds wherever a claim holds explains nothing where that fails, and is no rival where it holds: relu(-abs(W - q * s)) == 0 holds
// whatever the tensors are, g * W == M says what W * g == M says, and abs(W - q * s) is below s where it is below s / 2.
#pragma once

#include "campaign/campaign.hpp"
#include "expr/syntax.hpp"

namespace foldproof::diagnose {

/// Whether the sides of `claim` differ by nothing, by as much as those of `known`, or by less in the same direction, at every entry, also on
/// other numbers than the stored ones: numbers of about the same sizes and of the same signs. False where a tensor is not given, and where a
/// side has no value.
bool says_no_more(const expr::Claim& known, const expr::Claim& claim, const campaign::GivenTensors& given, const expr::DimValues& dims);

}  // namespace foldproof::diagnose
