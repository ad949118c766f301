// SPDX-License-Identifier: MIT
// Errors that no bound forbids, and that no program makes: bounds hold for the worst of all roundings in each entry, and those of a norm or
// of a long formula in 16 bits have room for a wrong scale.
#pragma once

#include <optional>
#include <string>

#include "diagnose/stored_side.hpp"

namespace foldproof::diagnose {

/// Says by how much the errors of the stored result are larger than those of programs that round it once, or round every step. Nothing where
/// they are about as large, in the mean and at most, or where the format has many digits: there the order of sums counts.
std::optional<std::string> larger_errors(const StoredSide& side);

}  // namespace foldproof::diagnose
