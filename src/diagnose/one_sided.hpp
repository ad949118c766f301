// SPDX-License-Identifier: MIT
// Roundings lie on both sides of the exact numbers. Where bounds have room for many of them, digits that were cut off stay within, and so does a
// part of what should be there, when most of it cancels; then all numbers are nearer to 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/stored_side.hpp"

namespace foldproof::diagnose {

/// Says that the stored numbers are nearer to 0, or farther from it, than the exact ones nearly everywhere. Nothing where entries may have
/// roundings in common, as one constant has that is rounded, or where one of the programs errs to the same side. `programs`: the side with other
/// programs for it.
std::optional<std::string> one_sided(const StoredSide& side, const std::vector<const StoredSide*>& programs);

/// Says that the numbers that are not what rounding the result once gives lie nearly all on one side of that. Roundings of operands move entries to both sides:
/// those of each entry for itself, and those of a row or a column for all of it. Nothing where constants are rounded, which moves all of them.
std::optional<std::string> moved_to_one_side(const StoredSide& side);

}  // namespace foldproof::diagnose
