// SPDX-License-Identifier: MIT
// Arithmetic of Q[ln 2], and the proved enclosure of ln 2 that gives signs and decimal values.
#include "numeric/exact.hpp"

#include <algorithm>
#include <limits>

#include "numeric/undefined.hpp"

namespace foldproof::numeric {
namespace {

constexpr int first_bits = 128;
constexpr int most_bits = 4096;

using Bounds = std::pair<Rational, Rational>;

// ln 2 = 2 artanh(1/3) = sum over k of 2 / ((2k+1) 3**(2k+1)), in integers scaled by 2**width. Every floor loses less than 1,
// and the terms after the first that floors to zero add less than 9/8 in all: hence `terms + 2`.
Bounds enclose_log_two(int bits) {
  const Rational unit = Rational::power_of_two(-bits - 32);
  Rational power = (Rational::power_of_two(bits + 33) / Rational(3)).floor();
  Rational sum = 0;
  std::int64_t terms = 0;
  while (!power.is_zero()) {
    sum = sum + (power / Rational(2 * terms + 1)).floor();
    power = (power / Rational(9)).floor();
    ++terms;
  }
  return {sum * unit, (sum + Rational(terms + 2)) * unit};
}

Bounds log_two_bounds(int bits) {
  static const Bounds first = enclose_log_two(first_bits);  // nearly every sign is settled by these
  return bits <= first_bits ? first : enclose_log_two(bits);
}

[[noreturn]] void infinite() { throw Undefined("minus infinity times what is not positive, or divided by it"); }

Exact monomial(const Rational& factor, std::size_t power) {
  Exact result = factor;
  for (std::size_t i = 0; i < power; ++i) result = result * Exact::log_two();
  return result;
}

}  // namespace

void Exact::trim() {
  while (!higher_.empty() && higher_.back().is_zero()) higher_.pop_back();
}

Exact Exact::log_two(const Rational& factor) {
  Exact result;
  if (!factor.is_zero()) result.higher_.push_back(factor);
  return result;
}

Exact Exact::negative_infinity() {
  Exact result;
  result.masked_ = true;
  return result;
}

const Rational& Exact::coefficient(std::size_t power) const {
  static const Rational zero;
  if (power == 0) return constant_;
  return power <= higher_.size() ? higher_[power - 1] : zero;
}

std::pair<Rational, Rational> Exact::enclosure(int bits) const {
  if (masked_) throw Undefined("minus infinity has no enclosure");
  Bounds result{constant_, constant_};
  if (higher_.empty()) return result;
  const Bounds base = log_two_bounds(bits);
  Bounds power{1, 1};
  for (const Rational& factor : higher_) {
    power = {power.first * base.first, power.second * base.second};
    const bool negative = factor.sign() < 0;
    result.first = result.first + factor * (negative ? power.second : power.first);
    result.second = result.second + factor * (negative ? power.first : power.second);
  }
  return result;
}

int Exact::sign() const {
  if (masked_) return -1;
  if (higher_.empty()) return constant_.sign();
  for (int bits = first_bits; bits <= most_bits; bits *= 2) {
    const auto [lower, upper] = enclosure(bits);
    if (lower.sign() > 0) return 1;
    if (upper.sign() < 0) return -1;
  }
  throw NeedsReals("a sign that needs more digits of log(2)");
}

double Exact::to_double() const {
  if (masked_) return -std::numeric_limits<double>::infinity();
  if (higher_.empty()) return constant_.to_double();
  double value = 0.0;
  for (int bits = first_bits; bits <= most_bits; bits *= 2) {
    const auto [lower, upper] = enclosure(bits);
    value = lower.to_double();
    if (value == upper.to_double()) break;
  }
  return value;
}

std::string Exact::text() const {
  if (masked_) return "-inf";
  std::string result;
  for (std::size_t power = higher_.size() + 1; power-- > 0;) {
    const Rational& factor = coefficient(power);
    if (factor.is_zero() && !(power == 0 && result.empty())) continue;
    const bool negative = factor.sign() < 0;
    if (result.empty()) {
      if (negative) result = "-";
    } else {
      result += negative ? " - " : " + ";
    }
    const Rational size = numeric::abs(factor);
    if (power == 0 || size != Rational(1)) result += size.text();
    if (power > 0) result += size == Rational(1) ? "log(2)" : "*log(2)";
    if (power > 1) result += "**" + std::to_string(power);
  }
  return result;
}

Exact Exact::operator-() const {
  if (masked_) throw Undefined("the negative of minus infinity");
  Exact result = *this;
  result.constant_ = -result.constant_;
  for (Rational& factor : result.higher_) factor = -factor;
  return result;
}

Exact operator+(const Exact& a, const Exact& b) {
  // Of two masked summands too: a logit that is masked twice stays masked.
  if (a.masked_ || b.masked_) return Exact::negative_infinity();
  Exact result;
  result.constant_ = a.constant_ + b.constant_;
  if (a.higher_.empty() && b.higher_.empty()) return result;
  const std::size_t degree = std::max(a.degree(), b.degree());
  for (std::size_t power = 1; power <= degree; ++power) result.higher_.push_back(a.coefficient(power) + b.coefficient(power));
  result.trim();
  return result;
}

Exact operator-(const Exact& a, const Exact& b) { return a + -b; }

Exact operator*(const Exact& a, const Exact& b) {
  if (a.masked_ || b.masked_) {  // a masked logit that is scaled stays masked
    const Exact& factor = a.masked_ ? b : a;
    if (factor.masked_ || factor.sign() <= 0) infinite();
    return Exact::negative_infinity();
  }
  Exact result;
  result.constant_ = a.constant_ * b.constant_;
  if ((a.higher_.empty() && b.higher_.empty()) || a.is_zero() || b.is_zero()) return result;
  result.higher_.resize(a.degree() + b.degree());
  for (std::size_t i = 0; i <= a.degree(); ++i) {
    for (std::size_t j = i == 0 ? 1 : 0; j <= b.degree(); ++j) {
      Rational& sum = result.higher_[i + j - 1];
      sum = sum + a.coefficient(i) * b.coefficient(j);
    }
  }
  return result;  // the product of the two leading coefficients is not zero: nothing to trim
}

Exact operator/(const Exact& a, const Exact& b) {
  if (b.is_zero()) throw Undefined("division by zero");
  if (a.is_negative_infinity() || b.is_negative_infinity()) {
    if (b.is_negative_infinity() || b.sign() < 0) infinite();
    return a;
  }
  Exact quotient;
  Exact rest = a;
  while (!rest.is_zero() && rest.degree() >= b.degree()) {
    const Exact term = monomial(rest.coefficient(rest.degree()) / b.coefficient(b.degree()), rest.degree() - b.degree());
    quotient = quotient + term;
    rest = rest - term * b;  // the leading terms cancel exactly, so the degree falls or the rest is zero
  }
  if (!rest.is_zero()) throw NeedsReals("a quotient that is no polynomial in log(2)");
  return quotient;
}

}  // namespace foldproof::numeric
