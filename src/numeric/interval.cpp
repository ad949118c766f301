// SPDX-License-Identifier: MIT
// Basic operations of intervals. Every operation runs in round-to-nearest; the sign of its rounding error is then computed
// exactly (TwoSum for sums, fma for products, quotients and roots) and the result moves one double outward only if that
// sign asks for it. The error of a correctly rounded operation is at most half a unit, so one step is enough.
#include "numeric/interval.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "numeric/directed.hpp"
#include "numeric/undefined.hpp"

#ifdef __FAST_MATH__
#error "outward rounding needs IEEE arithmetic: compile without -ffast-math"
#endif

namespace foldproof::numeric {
namespace directed {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Below this the error of a product or quotient may itself underflow, so its sign says nothing.
constexpr double reliable = 0x1p-960;

// A result that overflowed to +infinity is still larger than every double.
double overflowed(double value) { return value > 0 ? std::numeric_limits<double>::max() : value; }

// `at_least` says that the real value is proved to be no smaller than `value`.
double settle(double value, bool at_least) { return at_least ? value : std::nextafter(value, -infinity); }

}  // namespace

double add_down(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return overflowed(sum);
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);  // Knuth's TwoSum: sum + error is exactly a + b
  return settle(sum, error >= 0);
}

double multiply_down(double a, double b) {
  if (a == 0 || b == 0) return 0;  // also 0 times an unknown bound: the value there is a real number
  const double product = a * b;
  if (!std::isfinite(product)) return overflowed(product);
  return settle(product, std::abs(product) >= reliable && std::fma(a, b, -product) >= 0);
}

double divide_down(double a, double b) {
  if (a == 0 || std::isinf(b)) return 0;
  const double quotient = a / b;
  if (!std::isfinite(quotient)) return overflowed(quotient);
  const double excess = std::fma(quotient, b, -a);  // quotient - a/b, times b
  return settle(quotient, std::abs(quotient) >= reliable && std::abs(a) >= reliable && (b > 0 ? excess <= 0 : excess >= 0));
}

double sqrt_down(double a) {
  const double root = std::sqrt(a);
  if (a == 0 || std::isinf(a)) return root;
  return settle(root, a >= reliable && std::fma(root, root, -a) <= 0);
}

double sqrt_up(double a) {
  const double root = std::sqrt(a);
  if (a == 0 || std::isinf(a)) return root;
  return a >= reliable && std::fma(root, root, -a) >= 0 ? root : std::nextafter(root, infinity);
}

}  // namespace directed

Interval::Interval(double value) : Interval(value, value) {}

Interval::Interval(double lower, double upper) : lower_(lower + 0.0), upper_(upper + 0.0) {  // + 0.0 turns -0 into 0
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!(lower <= upper) || lower == infinity || upper == -infinity) throw Undefined("an interval that encloses no real number");
}

Interval Interval::from(const Rational& value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double nearest = value.to_double();
  if (std::isinf(nearest)) {
    const double last = std::numeric_limits<double>::max();
    return nearest > 0 ? Interval(last, infinity) : Interval(-infinity, -last);
  }
  const auto order = Rational::from_double(nearest) <=> value;
  return {order > 0 ? std::nextafter(nearest, -infinity) : nearest, order < 0 ? std::nextafter(nearest, infinity) : nearest};
}

Interval Interval::from(const Exact& value) {
  if (value.is_negative_infinity()) return negative_infinity();
  Interval result;
  for (int bits = 128; bits <= 4096; bits *= 2) {  // the first round does unless the coefficients cancel
    const auto [lower, upper] = value.enclosure(bits);
    result = {from(lower).lower(), from(upper).upper()};
    if (std::nextafter(result.lower_, result.upper_) == result.upper_ || result.is_point()) break;
  }
  return result;
}

Interval Interval::negative_infinity() {
  Interval result;
  result.masked_ = true;
  return result;
}

bool Interval::contains(const Interval& other) const {
  if (masked_ || other.masked_) return masked_ == other.masked_;
  return lower_ <= other.lower_ && other.upper_ <= upper_;
}

std::string Interval::text() const {
  if (masked_) return "-inf";
  const auto shortest = [](double value) {
    char buffer[32];
    return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  };
  return (positive_ && lower_ == 0 ? "(" : "[") + shortest(lower_) + ", " + shortest(upper_) + "]";
}

Interval Interval::without_zero() const {
  if (masked_ || upper_ <= 0) throw Undefined("no enclosure of a positive number: " + text());
  Interval result(std::max(lower_, 0.0), upper_);
  result.positive_ = true;
  return result;
}

Interval Interval::operator-() const {
  if (masked_) throw Undefined("the negative of minus infinity");
  return {-upper_, -lower_};
}

Interval operator+(const Interval& a, const Interval& b) {
  if (a.masked_ || b.masked_) return Interval::negative_infinity();
  const Interval sum{directed::add_down(a.lower_, b.lower_), -directed::add_down(-a.upper_, -b.upper_)};
  const bool positive = a.lower_ >= 0 && b.lower_ >= 0 && (a.is_positive() || b.is_positive());
  return positive ? sum.without_zero() : sum;
}

namespace {

/// A masked logit that is scaled stays masked.
Interval scaled_mask(const Interval& factor) {
  if (factor.is_negative_infinity() || (!factor.is_positive() && factor.lower() <= 0)) throw Undefined("minus infinity times what is not known to be positive");
  return Interval::negative_infinity();
}

// The hull of `down` over the four corners. `down(-x, y)` is minus the result rounded up.
Interval corners(const Interval& a, const Interval& b, double (*down)(double, double)) {
  const double lower = std::min({down(a.lower(), b.lower()), down(a.lower(), b.upper()), down(a.upper(), b.lower()), down(a.upper(), b.upper())});
  const double upper = std::min({down(-a.lower(), b.lower()), down(-a.lower(), b.upper()), down(-a.upper(), b.lower()), down(-a.upper(), b.upper())});
  const Interval hull{lower, -upper};
  return a.is_positive() && b.is_positive() ? hull.without_zero() : hull;
}

}  // namespace

Interval operator*(const Interval& a, const Interval& b) {
  if (a.is_negative_infinity() || b.is_negative_infinity()) return scaled_mask(a.is_negative_infinity() ? b : a);
  return corners(a, b, directed::multiply_down);
}

Interval operator/(const Interval& a, const Interval& b) {
  if (b.contains(0.0)) throw Undefined("division by an interval that contains zero");
  if (b.is_negative_infinity()) throw Undefined("a quotient by minus infinity");
  if (a.is_negative_infinity()) return scaled_mask(b);
  return corners(a, b, directed::divide_down);
}

bool is_less(const Interval& a, const Interval& b) {
  if (a.is_negative_infinity() || b.is_negative_infinity()) return a.is_negative_infinity() && !b.is_negative_infinity();
  return a.upper() < b.lower() || (a.upper() <= 0 && b.is_positive());
}

bool disjoint(const Interval& a, const Interval& b) {
  if (a.is_negative_infinity() || b.is_negative_infinity()) return a.is_negative_infinity() != b.is_negative_infinity();
  return is_less(a, b) || is_less(b, a);
}

bool is_zero(const Interval& a) { return a.is_point() && a.lower() == 0; }

}  // namespace foldproof::numeric
