// SPDX-License-Identifier: MIT
// Counter-based randomness: every number is a pure function of its coordinates, so the order of evaluation, the number of
// threads and slicing a matrix change nothing. Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy
// as 1, 2, 3", 2011), from Random123. The maps to numbers are ours and use integers and exact dyadic arithmetic only:
// distributions of the standard library differ between implementations and compiler flags.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "expr/diagnostic.hpp"

namespace foldproof::numeric {

/// One block of Philox4x32-10, with 32-bit words in Random123's order.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// The numbers of one stream (a tensor, a property) of one seed. Keeps the derived key, so that a draw costs one block.
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t stream);
  /// 64 uniform bits at the coordinates (a, b), such as original row and original column.
  std::uint64_t draw(std::uint64_t a, std::uint64_t b) const;
  /// out[i] = draw(i / columns, i % columns): a whole matrix in row-major order.
  void draw_matrix(std::int64_t columns, std::span<std::uint64_t> out) const;

 private:
  std::array<std::uint32_t, 2> key_;
};

/// 64 uniform bits: `Stream(seed, stream).draw(a, b)`. Philox takes 192 bits, so (seed, stream) is first hashed to the 64-bit key.
std::uint64_t draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t a, std::uint64_t b);

/// A stream number for an id: FNV-1a of the id, then Philox under the seed. Equal ids give equal streams on every machine.
std::uint64_t mix(std::uint64_t seed, std::string_view id);

/// An integer in [lowest, highest] from 64 uniform bits, by multiply and shift: probabilities are off by at most 2**-64 each.
inline std::int64_t uniform_integer(std::uint64_t bits, std::int64_t lowest, std::int64_t highest) {
  expr::invariant(lowest <= highest, "uniform_integer of an empty range");
  __extension__ using Wide = unsigned __int128;
  const Wide count = Wide{static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest)} + 1;
  const auto offset = static_cast<std::uint64_t>(Wide{bits} * count >> 64);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(lowest) + offset);
}
/// 2**exponent. Requires: -1022 <= exponent <= 1023.
constexpr double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52); }
/// An odd multiple of 2**-precision in (-1, 1), uniform and symmetric, never 0. Requires: 1 <= precision <= 53.
inline double dyadic(std::uint64_t bits, int precision) {
  expr::invariant(precision >= 1 && precision <= 53, "dyadic with a precision outside 1..53");
  const auto cell = static_cast<std::int64_t>(bits >> (64 - precision));  // in [0, 2**precision)
  return static_cast<double>(2 * cell + 1 - (std::int64_t{1} << precision)) * power_of_two(-precision);
}
/// (popcount - 32) / 4: mean 0, variance 1, multiples of 1/4 in [-8, 8]; close to normal, and exact in every format.
inline double popcount_normal(std::uint64_t bits) {
  // The sums of 2, 4 and 8 neighbouring bits, then of all bytes: std::popcount is a slow call on processors of unknown kind.
  bits -= bits >> 1 & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return (static_cast<int>(bits * 0x0101010101010101 >> 56) - 32) * 0.25;
}
/// 1 or -1.
inline int sign(std::uint64_t bits) { return bits >> 63 != 0 ? -1 : 1; }

}  // namespace foldproof::numeric
