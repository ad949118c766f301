// SPDX-License-Identifier: MIT
// Powers in floating point. NumPy computes x**-1, x**0.5, x and x**2 without pow, and so does code that writes rsqrt as
// 1/sqrt; the error bounds count on these roundings.
#include "numeric/scalar.hpp"

namespace foldproof::numeric {
namespace {

template <class T>
T power(T a, const expr::Rational& exponent) {
  if (exponent == expr::Rational(-1) || exponent == expr::Rational(-1, 2)) return T(1) / power(a, -exponent);
  if (exponent.is_one()) return a;
  if (exponent == expr::Rational(2)) return a * a;
  if (exponent == expr::Rational(1, 2)) return std::sqrt(a);
  return std::pow(a, from<T>(exponent));
}

}  // namespace

double pow(double a, const expr::Rational& exponent) { return power(a, exponent); }
float pow(float a, const expr::Rational& exponent) { return power(a, exponent); }

}  // namespace foldproof::numeric
