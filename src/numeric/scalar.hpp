// SPDX-License-Identifier: MIT
// The one interface of all scalar types, so that one templated evaluator serves exact values, enclosures, the prime field
// and floating point: + - * / and unary minus, and the free functions
// exp log abs normal_cdf sin cos pow max is_zero, from<T>(expr::Rational), negative_infinity<T>().
// This header gives double and float the same; there everything follows IEEE 754, NaN included, and nothing throws:
// they play the program under test. Include it before the template that uses it: built-in types have no argument-dependent lookup.
#pragma once

#include <cmath>
#include <limits>

#include "expr/rational.hpp"
#include "numeric/exact.hpp"
#include "numeric/interval.hpp"
#include "numeric/prime_field.hpp"
#include "numeric/rational.hpp"

namespace foldproof::numeric {

inline double exp(double a) { return std::exp(a); }
inline float exp(float a) { return std::exp(a); }
inline double log(double a) { return std::log(a); }
inline float log(float a) { return std::log(a); }
inline double abs(double a) { return std::abs(a); }
inline float abs(float a) { return std::abs(a); }
inline double sin(double a) { return std::sin(a); }
inline float sin(float a) { return std::sin(a); }
inline double cos(double a) { return std::cos(a); }
inline float cos(float a) { return std::cos(a); }
inline bool is_zero(double a) { return a == 0; }
inline bool is_zero(float a) { return a == 0; }
/// The standard normal distribution function, as erfc(-x/sqrt(2))/2, which keeps the lower tail.
inline double normal_cdf(double a) { return 0.5 * std::erfc(a * -0x1.6a09e667f3bcdp-1); }
inline float normal_cdf(float a) { return 0.5F * std::erfc(a * -0x1.6a09e6p-1F); }
/// NumPy's maximum: NaN when either operand is.
inline double max(double a, double b) { return a >= b || a != a ? a : b; }
inline float max(float a, float b) { return a >= b || a != a ? a : b; }
/// Rounding: one rounding for exponents -1, 1/2, 1, 2, two for -1/2 (sqrt, then a division), else the C library's pow.
double pow(double a, const expr::Rational& exponent);
float pow(float a, const expr::Rational& exponent);

/// The value of a rational literal in T. Rounding: none in exact types, outward for Interval, correct for double and float.
template <class T>
T from(const expr::Rational& value) {
  return T::from(value);
}
template <>
inline double from<double>(const expr::Rational& value) {
  return Rational::from(value).to_double();
}
template <>
inline float from<float>(const expr::Rational& value) {
  return Rational::from(value).to_float();
}

/// The value of a masked logit. Errors: NeedsReals for PrimeField and Rational.
template <class T>
T negative_infinity() {
  return T::negative_infinity();
}
template <>
inline double negative_infinity<double>() {
  return -std::numeric_limits<double>::infinity();
}
template <>
inline float negative_infinity<float>() {
  return -std::numeric_limits<float>::infinity();
}

}  // namespace foldproof::numeric
