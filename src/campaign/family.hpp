// SPDX-License-Identifier: MIT
// How random weights look. Every number is a pure function of 64 random bits and its place, made of integers and powers of two
// only, and exactly representable in the format under test.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "numeric/half.hpp"
#include "numeric/random.hpp"

namespace foldproof::campaign {

enum class Family { uniform, normal, graded, cancelling, sparse, identity, permutation, integers, large, huge, tiny, subnormal };
inline constexpr int family_count = 12;
const char* text(Family f);
/// What its tensors look like, in words.
const char* describe(Family f);

/// The family of each of sixteen cases in a row.
using FamilyTurns = std::array<Family, 16>;
/// The usual ones; all occur.
inline constexpr FamilyTurns family_turns{Family::uniform, Family::normal,      Family::graded, Family::cancelling, Family::sparse, Family::identity,
                                                     Family::integers, Family::large,      Family::uniform, Family::normal,    Family::permutation, Family::huge,
                                                     Family::tiny,    Family::subnormal,   Family::cancelling, Family::large};

/// The matrices of a tensor.
struct Extent {
  std::int64_t rows;
  std::int64_t columns;
};
/// All entries of a tensor, each a function of bits[i], which is stream.draw(row, column), and its place. Units: none. Rounding: none.
void set_entries(Family family, const numeric::Stream& stream, const Extent& extent, const numeric::FormatInfo& format, std::span<const std::uint64_t> bits,
                 std::span<double> out);
/// The same, with the bits drawn first; `bits` is memory for as many.
void draw_entries(Family family, const numeric::Stream& stream, const Extent& extent, const numeric::FormatInfo& format, std::span<std::uint64_t> bits,
                  std::span<double> out);
/// The numbers at the edges of a format: 0, 1, halves and doubles of it, the largest and smallest, where exp overflows and
/// vanishes, and others between. Finite.
double edge_value(std::uint64_t bits, const numeric::FormatInfo& format);

/// Exponent of the largest power of two, and of the smallest normal one.
int largest_exponent(const numeric::FormatInfo& format);
int smallest_exponent(const numeric::FormatInfo& format);

}  // namespace foldproof::campaign
