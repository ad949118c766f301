// SPDX-License-Identifier: MIT
// One computed number with a bound on its distance from the exact one: `value` is what the program computes in T, `error` is at
// least |value - exact|, `variance` is the same in the square-root model (independent roundings), which only warns.
// Rules: |fl(a op b) - (a op b)| <= u|fl| + eta; the functions of the C library are taken to be within `function_roundings`
// roundings, which glibc documents with a margin. Bounds are evaluated in double and enlarged by 2**-50 at every step.
// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, section 3.3 (running error analysis).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "expr/rational.hpp"
#include "numeric/half.hpp"
#include "numeric/narrow.hpp"
#include "numeric/scalar.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::campaign {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double function_roundings = 4;  ///< exp, log, sin, cos, pow
inline constexpr double erfc_roundings = 16;

/// Whether a product of two numbers of T is a number of T again.
bool is_product_exact(double a, double b);
template <class T>
bool is_product_exact(T a, T b) {
  if constexpr (std::is_same_v<T, double>) {
    return is_product_exact(static_cast<double>(a), static_cast<double>(b));
  } else {
    return static_cast<double>(a) * static_cast<double>(b) == static_cast<double>(static_cast<T>(a * b));  // exact in double
  }
}
/// Whether c = fl(a + b) is a + b: the error of the sum, by Knuth's TwoSum, is zero.
template <class T>
bool is_sum_exact(T a, T b, T c) {
  const T part = static_cast<T>(c - a);
  return static_cast<T>(static_cast<T>(a - static_cast<T>(c - part)) + static_cast<T>(b - part)) == T(0);
}

/// Slightly enlarged, so that a bound computed in double stays a bound.
inline double up(double bound) { return bound * (1 + 0x1p-50); }

using Float16 = numeric::Narrow<numeric::Float16>;
using BFloat16 = numeric::Narrow<numeric::BFloat16>;

/// The format that arithmetic in T rounds to.
template <class T>
inline constexpr const numeric::FormatInfo& format_of = numeric::float64_format;
template <>
inline constexpr const numeric::FormatInfo& format_of<float> = numeric::float32_format;
template <>
inline constexpr const numeric::FormatInfo& format_of<Float16> = numeric::float16_only_format;
template <>
inline constexpr const numeric::FormatInfo& format_of<BFloat16> = numeric::bfloat16_only_format;

template <class T>
struct Bounded {
  static constexpr const numeric::FormatInfo& format = format_of<T>;
  static constexpr double u = format.unit_roundoff;
  static constexpr double eta = format.eta;

  T value{};
  double error = 0;
  double variance = 0;

  Bounded() = default;
  Bounded(T v, double e, double s) : value(v), error(e), variance(s) {}
  explicit Bounded(std::int64_t i) : value(static_cast<T>(i)) {
    const bool exact = std::isfinite(value) && std::abs(i) < (std::int64_t{1} << 53) && static_cast<double>(i) == static_cast<double>(value);
    settle(exact ? 0 : 1, 0, 0);
  }
  static Bounded from(const expr::Rational& q) {
    Bounded result(numeric::from<T>(q), 0, 0);
    const bool dyadic = (q.den() & (q.den() - 1)) == 0 && std::abs(q.num()) < (std::int64_t{1} << 53);
    const bool exact = dyadic && static_cast<double>(result.value) == static_cast<double>(q.num()) / static_cast<double>(q.den());
    result.settle(exact ? 0 : 1, 0, 0);
    return result;
  }
  static Bounded negative_infinity() { return {static_cast<T>(-infinity), 0, 0}; }

  bool is_exact() const { return error == 0; }
  double magnitude() const { return std::abs(static_cast<double>(value)); }
  /// Minus infinity on purpose, the value of a masked score; an overflow has an infinite error instead.
  bool is_masked() const { return static_cast<double>(value) == -infinity && error == 0; }
  /// Adds the given number of roundings of the value to what its operands contributed; anything not finite has no bound.
  void settle(double roundings, double inherited, double inherited_variance) {
    const double own = roundings * u * magnitude();
    error = up(inherited + own + (roundings > 0 ? 2 * eta : 0));
    variance = inherited_variance + (roundings > 0 ? (own + eta) * (own + eta) : 0);
    if (!std::isfinite(value) || !(error < infinity)) error = variance = infinity;
  }
  Bounded operator-() const { return {static_cast<T>(-value), is_masked() ? infinity : error, variance}; }
};

template <class T>
bool is_zero(const Bounded<T>& a) {
  return a.value == 0 && a.error == 0;
}
template <class T>
Bounded<T> operator+(const Bounded<T>& a, const Bounded<T>& b) {
  Bounded<T> c(static_cast<T>(a.value + b.value), 0, 0);
  if (a.is_masked() || b.is_masked()) {
    if (c.value < 0 && a.error < infinity && b.error < infinity) return c;
  }
  const bool exact = a.is_exact() && b.is_exact() && is_sum_exact(a.value, b.value, c.value);
  c.settle(exact ? 0 : 1, a.error + b.error, a.variance + b.variance);
  return c;
}
template <class T>
Bounded<T> operator-(const Bounded<T>& a, const Bounded<T>& b) {
  return a + -b;
}
template <class T>
Bounded<T> operator*(const Bounded<T>& a, const Bounded<T>& b) {
  Bounded<T> c(static_cast<T>(a.value * b.value), 0, 0);
  if (a.is_masked() != b.is_masked()) {  // a masked score that is scaled stays masked
    const Bounded<T>& factor = a.is_masked() ? b : a;
    if (static_cast<double>(factor.value) > factor.error) return c;
  }
  if (std::isfinite(c.value) && ((is_zero(a) && b.error < infinity) || (is_zero(b) && a.error < infinity))) return c;  // no rounding of the other matters
  const double x = a.magnitude(), y = b.magnitude();
  const bool exact = a.is_exact() && b.is_exact() && is_product_exact(a.value, b.value);
  c.settle(exact ? 0 : 1, x * b.error + y * a.error + a.error * b.error, x * x * b.variance + y * y * a.variance);
  return c;
}
/// Errors of the quotient: |a/b - A/B| <= (|a/b| |b - B| + |a - A|)/|B|.
template <class T>
Bounded<T> operator/(const Bounded<T>& a, const Bounded<T>& b) {
  if (b.value == 0 && b.error == 0) throw numeric::Undefined("a division by zero");
  Bounded<T> c(static_cast<T>(a.value / b.value), 0, 0);
  if (a.is_masked() && static_cast<double>(b.value) > b.error && b.error < infinity) return c;
  const double lowest = b.magnitude() - b.error;
  const double ratio = c.magnitude() * (1 + 2 * Bounded<T>::u) + 2 * Bounded<T>::eta;
  const double inherited = lowest > 0 ? up((ratio * b.error + a.error) / (lowest * (1 - 0x1p-50))) : infinity;
  const bool exact = a.is_exact() && b.is_exact() && static_cast<T>(c.value * b.value) == a.value && is_product_exact(c.value, b.value);
  c.settle(exact ? 0 : 1, inherited, lowest > 0 ? (ratio * ratio * b.variance + a.variance) / (lowest * lowest) : infinity);
  return c;
}
/// Errors: Undefined when the error leaves the answer open.
template <class T>
bool operator==(const Bounded<T>& a, const Bounded<T>& b) {
  if (std::abs(static_cast<double>(a.value) - static_cast<double>(b.value)) > a.error + b.error) return false;
  if (a.error + b.error > 0) throw numeric::Undefined("a comparison closer than the rounding error");
  return a.value == b.value;
}

template <class T>
Bounded<T> abs(const Bounded<T>& a) {
  return {static_cast<T>(std::abs(a.value)), a.is_masked() ? infinity : a.error, a.variance};
}
template <class T>
Bounded<T> max(const Bounded<T>& a, const Bounded<T>& b) {
  if (a.is_masked()) return b;
  if (b.is_masked()) return a;
  return {static_cast<T>(numeric::max(a.value, b.value)), std::fmax(a.error, b.error), std::fmax(a.variance, b.variance)};
}
template <class T>
Bounded<T> exp(const Bounded<T>& a) {
  if (a.is_masked()) return {T(0), 0, 0};
  if (is_zero(a)) return {T(1), 0, 0};
  Bounded<T> c(static_cast<T>(std::exp(a.value)), 0, 0);
  const double most = up(c.magnitude() * (1 + 2 * function_roundings * Bounded<T>::u)) + 2 * Bounded<T>::eta;
  c.settle(function_roundings, most * up(std::expm1(a.error) * (1 + 0x1p-48)), most * most * a.variance);
  return c;
}
/// |log(v +- e) - log(v)| <= log(v/(v - e)). Errors: Undefined for an exact argument that is not positive.
template <class T>
Bounded<T> log(const Bounded<T>& a) {
  if (!(a.value > 0) && a.error == 0) throw numeric::Undefined("the logarithm of a number that is not positive");
  if (a.value == T(1) && a.is_exact()) return {T(0), 0, 0};
  Bounded<T> c(static_cast<T>(std::log(a.value)), 0, 0);
  const double lowest = static_cast<double>(a.value) - a.error;
  c.settle(function_roundings, lowest > 0 ? up(std::log1p(up(a.error / lowest)) * (1 + 0x1p-48)) : infinity,
           lowest > 0 ? a.variance / (lowest * lowest) : infinity);
  return c;
}
template <class T>
Bounded<T> sin(const Bounded<T>& a) {
  if (is_zero(a)) return {T(0), 0, 0};
  Bounded<T> c(static_cast<T>(std::sin(a.value)), 0, 0);
  c.settle(function_roundings, a.error, a.variance);
  return c;
}
template <class T>
Bounded<T> cos(const Bounded<T>& a) {
  if (is_zero(a)) return {T(1), 0, 0};
  Bounded<T> c(static_cast<T>(std::cos(a.value)), 0, 0);
  c.settle(function_roundings, a.error, a.variance);
  return c;
}
/// 1/(1 + exp(-x)) = f(x), step by step: at most 4 + 1 + 4 roundings, and what they amount to of second order. Where the exponential is too large for
/// the format the program gives 0, and f(v) < exp(v). An argument that is off by e moves f by less than 1, by at most e/4, and by at most
/// f(v)(exp(e) - 1), since 0 < (log f)' < 1.
template <class T>
Bounded<T> sigmoid(const Bounded<T>& a) {
  if (a.is_masked()) return {T(0), 0, 0};
  if (is_zero(a)) return {static_cast<T>(0.5), 0, 0};
  Bounded<T> c(static_cast<T>(numeric::pow(static_cast<T>(T(1) + static_cast<T>(std::exp(-a.value))), expr::Rational(-1))), 0, 0);
  constexpr double roundings = 10;
  const double lost = c.value == T(0) ? up(std::exp(static_cast<double>(a.value))) : 0;
  const double most = lost + up(c.magnitude() * (1 + 2 * roundings * Bounded<T>::u)) + 2 * Bounded<T>::eta;
  const double moved = up(std::min({1.0, a.error / 4, most * up(std::expm1(a.error) * (1 + 0x1p-48))}));
  c.settle(roundings, lost + moved, lost * lost + std::min({1.0, a.variance / 16, most * most * a.variance}));
  return c;
}
/// The density is at most 0.4; the rounded argument of erfc adds at most 0.25 * 2u, since |x| density(x) < 0.25. Programs that compute
/// (1 + erf(x))/2 lose as much where that is nearly 0, in both models.
template <class T>
Bounded<T> normal_cdf(const Bounded<T>& a) {
  if (is_zero(a)) return {static_cast<T>(0.5), 0, 0};
  Bounded<T> c(static_cast<T>(numeric::normal_cdf(a.value)), 0, 0);
  c.settle(erfc_roundings, 0.4 * a.error + Bounded<T>::u, 0.16 * a.variance + Bounded<T>::u * Bounded<T>::u);
  return c;
}
/// How far v**q moves when v moves by e; infinite where the power has a pole.
double power_spread(double v, double e, const expr::Rational& q);
/// Whether c = fl(v**q) is v**q, for the powers that are computed by products, quotients and square roots.
template <class T>
bool is_power_exact(T v, const expr::Rational& q, T c) {
  if (q == expr::Rational(1)) return true;
  if (q == expr::Rational(2)) return is_product_exact(v, v);
  if (q == expr::Rational(1, 2)) return static_cast<T>(c * c) == v && is_product_exact(c, c);
  if (q == expr::Rational(-1)) return static_cast<T>(c * v) == T(1) && is_product_exact(c, v);
  if (q != expr::Rational(-1, 2)) return false;
  const T root = static_cast<T>(std::sqrt(v));
  return is_power_exact(v, expr::Rational(1, 2), root) && is_power_exact(root, expr::Rational(-1), c);
}
/// Errors: Undefined for 0 to a negative power and for fractional powers of exact negative numbers.
template <class T>
Bounded<T> pow(const Bounded<T>& a, const expr::Rational& q) {
  if (a.error == 0 && ((a.value == 0 && q.sign() < 0) || (a.value < 0 && !q.is_integer()))) throw numeric::Undefined("a power that is not defined");
  Bounded<T> c(static_cast<T>(numeric::pow(a.value, q)), 0, 0);
  const double deviation = std::sqrt(a.variance);
  c.settle(a.is_exact() && is_power_exact(a.value, q, c.value) ? 0 : function_roundings, power_spread(static_cast<double>(a.value), a.error, q), std::pow(power_spread(static_cast<double>(a.value), deviation, q), 2));
  return c;
}

}  // namespace foldproof::campaign
