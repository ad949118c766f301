// SPDX-License-Identifier: MIT
// How random weights look. Every number is a pure function of 64 random bits and its place, made of integers and powers of two
// only, and exactly representable in the format under test.
#pragma once

#include <array>
#include <cstdint>

#include "numeric/half.hpp"

namespace foldproof::campaign {

enum class Family { uniform, normal, graded, cancelling, sparse, identity, permutation, integers, large, huge, tiny, subnormal };
inline constexpr int family_count = 12;
const char* text(Family f);
/// What its tensors look like, in words.
const char* describe(Family f);

/// The family of each of sixteen cases in a row; all occur.
inline constexpr std::array<Family, 16> family_turns{Family::uniform, Family::normal,      Family::graded, Family::cancelling, Family::sparse, Family::identity,
                                                     Family::integers, Family::large,      Family::uniform, Family::normal,    Family::permutation, Family::huge,
                                                     Family::tiny,    Family::subnormal,   Family::cancelling, Family::large};

/// The place of an entry in its matrix; `one` is the column that holds the one in this row of a permutation.
struct Place {
  std::int64_t row;
  std::int64_t column;
  std::int64_t one;
};
/// One entry. Units: none. Requires: bits are uniform. Rounding: none.
double entry_of(Family family, std::uint64_t bits, const Place& place, const numeric::FormatInfo& format);
/// The numbers at the edges of a format: 0, 1, halves and doubles of it, the largest and smallest, where exp overflows and
/// vanishes, and others between. Finite.
double edge_value(std::uint64_t bits, const numeric::FormatInfo& format);

/// Exponent of the largest power of two, and of the smallest normal one.
int largest_exponent(const numeric::FormatInfo& format);
int smallest_exponent(const numeric::FormatInfo& format);

}  // namespace foldproof::campaign
