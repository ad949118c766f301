// SPDX-License-Identifier: MIT
// What is no accident: how far from what is expected, and of how many, so that none of any number of checks is that by chance.
#pragma once

#include <cstdint>

namespace foldproof::diagnose {

inline constexpr double deviations = 8;    ///< standard ones, of factors and terms that are fitted to entries
inline constexpr std::int64_t fewest = 8;  ///< entries of a group, or groups, whose spread says something

inline double square(double x) { return x * x; }

}  // namespace foldproof::diagnose
