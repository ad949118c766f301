// SPDX-License-Identifier: MIT
// Results at the ends of what a format holds: clamped to its largest number, as quantisers do, or 0 below its least normal one, as hardware
// gives that flushes subnormal numbers.
#pragma once

#include <string>

#include "diagnose/stored_side.hpp"

namespace foldproof::diagnose {

/// What the entries beyond the bound, so many, have in common where it is one of these; else empty.
std::string ends_of_format(const StoredSide& side, std::int64_t beyond);

}  // namespace foldproof::diagnose
