// SPDX-License-Identifier: MIT
// The 16-bit formats float16 (IEEE 754 binary16) and bfloat16 as storage, and the constants of all formats that the error
// bounds are made of. Arithmetic is done in float or double by the caller, who decides where to round, or by narrow.hpp.
// Conversion to 16 bits rounds once, from double: going through float first would round twice and miss ties.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace foldproof::numeric {

/// Rounding of the conversions below: to nearest, ties to even; subnormals kept; overflow to infinity; NaN stays a quiet NaN.
class Float16 {
 public:
  Float16() = default;
  explicit Float16(double value);
  static Float16 from_bits(std::uint16_t bits);
  std::uint16_t bits() const { return bits_; }
  explicit operator float() const;                                        ///< exact
  explicit operator double() const { return static_cast<float>(*this); }  ///< exact

 private:
  std::uint16_t bits_ = 0;
};

class BFloat16 {
 public:
  BFloat16() = default;
  explicit BFloat16(double value);
  static BFloat16 from_bits(std::uint16_t bits);
  std::uint16_t bits() const { return bits_; }
  explicit operator float() const;                                        ///< exact
  explicit operator double() const { return static_cast<float>(*this); }  ///< exact

 private:
  std::uint16_t bits_ = 0;
};

/// One way to compute: the format of storage, and the precision of arithmetic. Numbers are rounded to storage after every
/// operator of the language; sums inside of it are accumulated in the arithmetic's precision.
/// Rounding to storage has |fl(x) - x| <= u|x| + eta while |x| does not overflow.
struct FormatInfo {
  std::string_view name;  ///< "float16/16" is stored in 16 bits and accumulated in 16 bits, "float16" is accumulated in float32
  double unit_roundoff;  ///< u = 2**-precision
  double eta;            ///< half the smallest subnormal; for float64 the smallest subnormal itself, since its half is no double
  double max_finite;
  int precision;  ///< significant bits, the hidden one included
  int arithmetic;  ///< the same of every intermediate result

  bool is_narrow() const { return precision < 24; }                 ///< 16 bits of storage, or 8
  bool accumulates_narrowly() const { return arithmetic < 24; }  ///< 16 bits throughout
};

inline constexpr FormatInfo float64_format{"float64", 0x1p-53, 0x1p-1074, 0x1.fffffffffffffp1023, 53, 53};
inline constexpr FormatInfo float32_format{"float32", 0x1p-24, 0x1p-150, 0x1.fffffep127, 24, 24};
inline constexpr FormatInfo bfloat16_format{"bfloat16", 0x1p-8, 0x1p-134, 0x1.fep127, 8, 24};
inline constexpr FormatInfo float16_format{"float16", 0x1p-11, 0x1p-25, 65504, 11, 24};
inline constexpr FormatInfo bfloat16_only_format{"bfloat16/16", 0x1p-8, 0x1p-134, 0x1.fep127, 8, 8};
inline constexpr FormatInfo float16_only_format{"float16/16", 0x1p-11, 0x1p-25, 65504, 11, 11};
inline constexpr std::array<FormatInfo, 6> formats{float64_format,  float32_format,       bfloat16_format,
                                                   float16_format, bfloat16_only_format, float16_only_format};
/// What was rounded to float16 is saved as bfloat16: below the normal numbers of float16 it has the digits of that. The first rounding of larger ones, an
/// eighth of the second, counts as one of arithmetic in float16.
inline constexpr FormatInfo bfloat16_of_float16{"bfloat16 of float16", 0x1p-8, 0x1p-25, 65504, 8, 24};
/// Formats of weights that no program computes in. E4M3 has no infinities, and one more exponent for numbers (Micikevicius and others 2022);
/// nor has E2M1, of the MX formats.
inline constexpr std::array<FormatInfo, 4> storage_formats{FormatInfo{"float8_e4m3", 0x1p-4, 0x1p-10, 448, 4, 24}, FormatInfo{"float8_e5m2", 0x1p-3, 0x1p-17, 57344, 3, 24}, FormatInfo{"float4_e2m1", 0x1p-2, 0x1p-2, 6, 2, 24}, bfloat16_of_float16};

}  // namespace foldproof::numeric
