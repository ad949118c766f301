// SPDX-License-Identifier: MIT
// Functions of intervals, from the C library's functions at the ends plus a margin.
// Margin: glibc is not correctly rounded. Its test-suite tolerates 9 ulp at most for any double function; the largest errors
// known for glibc are below 0.6 ulp for exp, log, sin, cos and about 5.2 ulp for erfc (Gladman, Innocente, Mather, Zimmermann,
// "Accuracy of Mathematical Functions in Single, Double, Double Extended, and Quadruple Precision"). These are measured, not
// proved, so each margin is about three times the largest known error or more: 4 ulp, and 16 ulp for erfc.
// The properties check containment against 50 digits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/directed.hpp"
#include "numeric/interval.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::numeric {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int margin = 4;
constexpr int erfc_margin = 16;

double step(double value, int count, double towards) {
  for (int i = 0; i < count; ++i) value = std::nextafter(value, towards);
  return value;
}

void require_finite(const Interval& a, const char* function) {
  if (a.is_negative_infinity()) throw Undefined(std::string(function) + " of minus infinity");
}

// f at a point where the exact value is known: these stay points, as 1 = exp(0) in a softmax of zeros.
double around(double (*f)(double), double x, double special, double value, int count, double towards) {
  return x == special ? value : step(f(x), count, towards);
}

Interval clamped(double lower, double upper, double least, double most) { return {std::max(lower, least), std::min(upper, most)}; }

// sin or cos on x, where `turns` encloses x/pi shifted so that the maxima lie at even integers and the minima at odd ones.
Interval wave(const Interval& x, const Interval& turns, double (*f)(double), double at_zero) {
  if (!std::isfinite(turns.lower()) || !std::isfinite(turns.upper())) return {-1, 1};
  const double first = std::ceil(turns.lower());
  const double last = std::floor(turns.upper());
  if (last - first >= 1) return {-1, 1};
  double lower = std::min(around(f, x.lower(), 0, at_zero, margin, -infinity), around(f, x.upper(), 0, at_zero, margin, -infinity));
  double upper = std::max(around(f, x.lower(), 0, at_zero, margin, infinity), around(f, x.upper(), 0, at_zero, margin, infinity));
  if (first == last) (std::fmod(first, 2) == 0 ? upper : lower) = std::fmod(first, 2) == 0 ? 1 : -1;
  return clamped(lower, upper, -1, 1);
}

// pi lies strictly between these two neighbours.
Interval pi() { return {0x1.921fb54442d18p+1, 0x1.921fb54442d19p+1}; }

// x**n for a point x and n >= 1, tight enough: the powers of a point share its sign.
Interval point_power(double x, std::int64_t n) {
  Interval base(x);
  Interval result(1.0);
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) result = result * base;
    if (n > 1) base = base * base;
  }
  return result;
}

// Monotone for odd n, and for even n in |x|: the ends decide. An unknown bound stays unknown.
Interval integer_power(const Interval& x, std::int64_t n) {
  const Interval base = n % 2 == 0 ? abs(x) : x;
  const double lower = std::isinf(base.lower()) ? -infinity : point_power(base.lower(), n).lower();
  const double upper = std::isinf(base.upper()) ? infinity : point_power(base.upper(), n).upper();
  return {lower, upper};
}

Interval square_root(const Interval& x) { return {directed::sqrt_down(x.lower()), directed::sqrt_up(x.upper())}; }

// x**e = exp(e*log(x)) for x >= 0 and e > 0.
Interval real_power(const Interval& x, const expr::Rational& exponent) {
  if (x.upper() == 0) return Interval(0.0);
  const Interval e = Interval::from(exponent);
  if (x.lower() > 0) return exp(log(x) * e);
  const double upper = std::isinf(x.upper()) ? infinity : exp(log(Interval(x.upper())) * e).upper();
  return {0, upper};
}

}  // namespace

Interval abs(const Interval& a) {
  require_finite(a, "abs");
  if (a.lower() >= 0) return a;
  if (a.upper() <= 0) return -a;
  return {0, std::max(-a.lower(), a.upper())};
}

Interval max(const Interval& a, const Interval& b) {
  if (a.is_negative_infinity()) return b;
  if (b.is_negative_infinity()) return a;
  return {std::max(a.lower(), b.lower()), std::max(a.upper(), b.upper())};
}

Interval exp(const Interval& a) {
  if (a.is_negative_infinity()) return Interval(0.0);
  return clamped(around(std::exp, a.lower(), 0, 1, margin, -infinity), around(std::exp, a.upper(), 0, 1, margin, infinity), 0, infinity).without_zero();
}

Interval log(const Interval& a) {
  require_finite(a, "log");
  if (!(a.lower() > 0)) throw Undefined("log of an interval that is not positive");
  return {around(std::log, a.lower(), 1, 0, margin, -infinity), around(std::log, a.upper(), 1, 0, margin, infinity)};
}

Interval sin(const Interval& a) {
  require_finite(a, "sin");
  return wave(a, a / pi() - Interval(0.5), std::sin, 0);
}

Interval cos(const Interval& a) {
  require_finite(a, "cos");
  return wave(a, a / pi(), std::cos, 1);
}

Interval normal_cdf(const Interval& a) {
  require_finite(a, "normal_cdf");
  const Interval z = -a / square_root(Interval(2.0));  // the distribution function is erfc(z)/2, and erfc falls
  const double lower = around(std::erfc, z.upper(), 0, 1, erfc_margin, -infinity);
  const double upper = around(std::erfc, z.lower(), 0, 1, erfc_margin, infinity);
  return clamped(directed::multiply_down(lower, 0.5), -directed::multiply_down(-upper, 0.5), 0, 1);
}

Interval pow(const Interval& a, const expr::Rational& exponent) {
  require_finite(a, "pow");
  if (exponent.is_zero()) return Interval(1.0);
  if (exponent.sign() < 0) return Interval(1.0) / pow(a, -exponent);
  if (exponent.is_integer()) return integer_power(a, exponent.num());
  if (a.lower() < 0) throw Undefined("a fractional power of an interval with negative numbers");
  if (exponent.den() == 2) return integer_power(square_root(a), exponent.num());
  return real_power(a, exponent);
}

}  // namespace foldproof::numeric
