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

/// Whether a result of 16 bits that is beyond the bound of float32 sums has no larger errors than a program of which the sums are rounded to
/// that format at every step, and errors in as many entries: programs that add blocks in 16 bits, or round products before they are added, are
/// between the two. `fine`: the side in the format of float32 sums; `coarse`: in that of narrow ones.
bool adds_narrowly(const StoredSide& fine, const StoredSide& coarse);

struct LoneError {
  std::int64_t entry = 0;
  double times = 0;
};
/// The worst entry of a float32 result, and by how many times it is off as much as the others are in the mean, where roundings of so many sums do not spread that far;
/// else nothing.
std::optional<LoneError> lone_error(const StoredSide& side);

}  // namespace foldproof::diagnose
