// SPDX-License-Identifier: MIT
// Bit-level conversions of the 16-bit formats.
#include "numeric/half.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace foldproof::numeric {
namespace {

// Requires: IEEE layout with `fraction` stored bits and smallest normal exponent `least` (so bias is 1 - least).
std::uint16_t encode(double value, int fraction, int least) {
  const auto source = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>(source >> 63 << 15);
  const auto infinity = static_cast<std::uint16_t>(0x7fff >> fraction << fraction);
  const int exponent = static_cast<int>(source >> 52 & 0x7ff) - 1023;
  const std::uint64_t mantissa = source & 0xfffffffffffff;
  if (exponent == 1024) {
    if (mantissa == 0) return sign | infinity;
    const auto payload = static_cast<std::uint16_t>(mantissa >> (52 - fraction));
    return static_cast<std::uint16_t>(sign | infinity | payload | 1 << (fraction - 1));  // the quiet bit keeps it a NaN
  }
  if (exponent > -least + 1) return sign | infinity;
  if (exponent < least - fraction - 1) return sign;  // below half the smallest subnormal, double subnormals included
  const int target = std::max(exponent, least);
  const int shift = target - exponent + 52 - fraction;
  const std::uint64_t full = mantissa | std::uint64_t{1} << 52;
  const std::uint64_t kept = full >> shift;
  const std::uint64_t rest = full & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t up = rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0;
  // The hidden bit adds one to the exponent field, and a carry out of the fraction runs into it, up to infinity: both intended.
  return static_cast<std::uint16_t>(sign + (static_cast<std::uint64_t>(target - least) << fraction) + kept + up);
}

}  // namespace

Float16::Float16(double value) : bits_(encode(value, 10, -14)) {}
BFloat16::BFloat16(double value) : bits_(encode(value, 7, -126)) {}

Float16 Float16::from_bits(std::uint16_t bits) {
  Float16 result;
  result.bits_ = bits;
  return result;
}

BFloat16 BFloat16::from_bits(std::uint16_t bits) {
  BFloat16 result;
  result.bits_ = bits;
  return result;
}

Float16::operator float() const {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits_ & 0x8000) << 16;
  const std::uint32_t exponent = bits_ >> 10 & 0x1f;
  const std::uint32_t mantissa = bits_ & 0x3ff;
  if (exponent == 0) {
    const float size = static_cast<float>(mantissa) * 0x1p-24F;
    return sign != 0 ? -size : size;
  }
  const std::uint32_t field = exponent == 0x1f ? 0xff : exponent + 127 - 15;
  return std::bit_cast<float>(sign | field << 23 | mantissa << 13);
}

BFloat16::operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16); }

}  // namespace foldproof::numeric
