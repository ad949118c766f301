// SPDX-License-Identifier: MIT
// Arithmetic in 16 bits: a number of a 16-bit format, held in a float. An expression of it is computed in float and rounded
// when it is converted back, so every operation written as Narrow(a op b) is rounded to the format.
// Rounding twice, to float and then to the format, gives the same as rounding once for + - * / and sqrt, because float has more
// than twice the digits and two more (Figueroa 1995); functions of the C library are rounded after their own error.
#pragma once

#include <bit>
#include <cmath>
#include <limits>

#include "numeric/half.hpp"
#include "numeric/scalar.hpp"

namespace foldproof::numeric {

/// The nearest number of a 16-bit format, ties to even; beyond the largest finite number infinity.
template <class Half>
float nearest(float value);
/// Half a unit of the last kept bit, less one if that bit is 0, added below it; a carry runs into the exponent, up to infinity.
template <>
inline float nearest<BFloat16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return value;
  return std::bit_cast<float>((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000);
}
/// Below 2**-14 the spacing is 2**-24: that of floats in [0.5, 1).
template <>
inline float nearest<Float16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const float size = std::abs(value);
  if (size < 0x1p-14F) return std::copysign((size + 0.5F) - 0.5F, value);
  if (!(size < 65520)) return value * std::numeric_limits<float>::infinity();  // a NaN stays one
  return std::bit_cast<float>((bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000);
}

template <class Half>
class Narrow {
 public:
  Narrow() = default;
  explicit Narrow(float value) : value_(nearest<Half>(value)) {}
  explicit Narrow(double value) : value_(static_cast<float>(Half(value))) {}
  explicit Narrow(int value) : Narrow(static_cast<double>(value)) {}
  explicit Narrow(std::int64_t value) : Narrow(static_cast<double>(value)) {}
  static Narrow from(const expr::Rational& value) { return Narrow(numeric::from<double>(value)); }
  operator float() const { return value_; }  ///< exact

 private:
  float value_ = 0;
};

}  // namespace foldproof::numeric
