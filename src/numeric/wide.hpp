// SPDX-License-Identifier: MIT
// Floating point with 100 decimal digits: what the true value of a computation is, to any double's eye. Its own rounding is not
// bounded here; whoever needs certainty checks it against an enclosure (interval.hpp).
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "expr/rational.hpp"
#include "numeric/exact.hpp"

namespace foldproof::numeric {

class Wide {
 public:
  using Number = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

  Wide() = default;
  Wide(std::int64_t value) : value_(value) {}  // NOLINT: integers are exact
  explicit Wide(Number value) : value_(std::move(value)) {}
  static Wide from(const expr::Rational& value);
  static Wide from_double(double value) { return Wide(Number(value)); }
  static Wide negative_infinity() { return Wide(-std::numeric_limits<Number>::infinity()); }

  /// Rounding: to nearest.
  double to_double() const { return value_.convert_to<double>(); }
  const Number& value() const { return value_; }

  Wide operator-() const { return Wide(-value_); }
  friend Wide operator+(const Wide& a, const Wide& b) { return Wide(a.value_ + b.value_); }
  friend Wide operator-(const Wide& a, const Wide& b) { return Wide(a.value_ - b.value_); }
  friend Wide operator*(const Wide& a, const Wide& b) { return Wide(a.value_ * b.value_); }
  friend Wide operator/(const Wide& a, const Wide& b);  ///< throws Undefined when b is zero
  friend bool operator==(const Wide& a, const Wide& b) { return a.value_ == b.value_; }

 private:
  Number value_ = 0;
};

bool is_zero(const Wide& a);
Wide abs(const Wide& a);
Wide max(const Wide& a, const Wide& b);
Wide exp(const Wide& a);
Wide log(const Wide& a);  ///< throws Undefined unless a is positive
Wide sin(const Wide& a);
Wide cos(const Wide& a);
Wide normal_cdf(const Wide& a);  ///< throws NeedsReals unless a is zero
/// Errors: Undefined for 0 to a negative power and for fractional powers of negative numbers.
Wide pow(const Wide& a, const expr::Rational& exponent);

}  // namespace foldproof::numeric
