// SPDX-License-Identifier: MIT
#include "numeric/wide.hpp"

#include "numeric/undefined.hpp"

namespace foldproof::numeric {

Wide Wide::from(const expr::Rational& value) { return Wide(Number(value.num()) / Number(value.den())); }

Wide operator/(const Wide& a, const Wide& b) {
  if (is_zero(b)) throw Undefined("division by zero");
  return Wide(a.value_ / b.value_);
}

bool is_zero(const Wide& a) { return a.value() == 0; }
Wide abs(const Wide& a) { return Wide(boost::multiprecision::abs(a.value())); }
Wide max(const Wide& a, const Wide& b) { return a.value() >= b.value() ? a : b; }
Wide exp(const Wide& a) { return Wide(boost::multiprecision::exp(a.value())); }
Wide sin(const Wide& a) { return Wide(boost::multiprecision::sin(a.value())); }
Wide cos(const Wide& a) { return Wide(boost::multiprecision::cos(a.value())); }

Wide log(const Wide& a) {
  if (a.value() <= 0) throw Undefined("the logarithm of a number that is not positive");
  return Wide(boost::multiprecision::log(a.value()));
}

Wide normal_cdf(const Wide& a) {
  if (is_zero(a)) return Wide(Wide::Number(0.5));
  throw NeedsReals("the normal distribution function to 100 digits");
}

Wide pow(const Wide& a, const expr::Rational& exponent) {
  if (is_zero(a) && exponent.num() < 0) throw Undefined("zero to a negative power");
  if (exponent.is_integer()) return Wide(boost::multiprecision::pow(a.value(), Wide::Number(exponent.num())));
  if (a.value() < 0) throw Undefined("a fractional power of a negative number");
  if (exponent.den() == 2) {
    const Wide::Number root = boost::multiprecision::sqrt(a.value());
    return Wide(boost::multiprecision::pow(root, Wide::Number(exponent.num())));
  }
  return Wide(boost::multiprecision::pow(a.value(), Wide::Number(exponent.num()) / Wide::Number(exponent.den())));
}

}  // namespace foldproof::numeric
