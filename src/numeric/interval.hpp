// SPDX-License-Identifier: MIT
// Enclosures: closed intervals of doubles that contain the real value, rounded outward.
// Where Exact gives up (square roots, nested softmax, gelu) two disjoint enclosures still prove that two sides differ.
// An infinite end means "no bound known"; the value itself is always a real number, except for the separate masked value
// minus infinity. NaN never escapes: an operation that might not be defined throws Undefined.
#pragma once

#include <string>

#include "expr/rational.hpp"
#include "numeric/exact.hpp"
#include "numeric/rational.hpp"

namespace foldproof::numeric {

class Interval {
 public:
  Interval() = default;                              ///< the point 0
  explicit Interval(double value);                   ///< a point; throws Undefined unless finite
  Interval(double lower, double upper);              ///< throws Undefined unless lower <= upper and they enclose a real number
  static Interval from(const expr::Rational& value)  ///< the narrowest enclosure
  {
    return from(Rational::from(value));
  }
  static Interval from(const Rational& value);  ///< the narrowest enclosure
  static Interval from(const Exact& value);     ///< the narrowest, whenever 4096 bits of ln 2 settle it
  static Interval negative_infinity();

  double lower() const { return lower_; }
  double upper() const { return upper_; }
  bool is_negative_infinity() const { return masked_; }
  bool is_point() const { return !masked_ && lower_ == upper_; }
  bool is_positive() const { return lower_ > 0 || positive_; }  ///< also where the value is below every double, as exp(-10000) is
  bool contains(double value) const { return !masked_ && lower_ <= value && value <= upper_; }
  bool contains(const Interval& other) const;  ///< as sets
  std::string text() const;                    ///< "[0.1, 0.30000000000000004]": shortest decimals that read back; "(0, 5e-324]" without 0; "-inf"
  Interval without_zero() const;               ///< the same, of which it is known that the value is positive

  Interval operator-() const;
  /// Rounding: outward, and exact where the double result is exact, so masks and small integers stay points.
  friend Interval operator+(const Interval& a, const Interval& b);
  friend Interval operator-(const Interval& a, const Interval& b) { return a + -b; }
  friend Interval operator*(const Interval& a, const Interval& b);
  friend Interval operator/(const Interval& a, const Interval& b);  ///< throws Undefined when b contains 0

 private:
  double lower_ = 0.0;
  double upper_ = 0.0;
  bool masked_ = false;
  bool positive_ = false;
};

/// Every enclosed value of a is less than every one of b.
bool is_less(const Interval& a, const Interval& b);
/// No real number lies in both: the enclosed values differ.
bool disjoint(const Interval& a, const Interval& b);
bool is_zero(const Interval& a);  ///< the point 0
Interval abs(const Interval& a);
Interval max(const Interval& a, const Interval& b);
Interval exp(const Interval& a);  ///< the point 0 for minus infinity
Interval log(const Interval& a);  ///< throws Undefined unless the lower end is positive
Interval sin(const Interval& a);
Interval cos(const Interval& a);
Interval normal_cdf(const Interval& a);  ///< the standard normal distribution function
/// Errors: Undefined where the base may be 0 under a negative exponent, or negative under a fractional one.
Interval pow(const Interval& a, const expr::Rational& exponent);

}  // namespace foldproof::numeric
