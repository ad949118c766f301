// SPDX-License-Identifier: MIT
// The functions of the common scalar interface on fractions. Nearly all real functions leave the rationals;
// the few points at which they do not are the ones the search for counterexamples tries first, so they are kept.
#include "numeric/rational.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::numeric {
namespace {

constexpr std::int64_t largest_exponent = 4096;
constexpr std::int64_t largest_bits = 1 << 20;  // a tower of powers must end in an answer, not in all the memory

Rational only_at(const Rational& a, std::int64_t point, const Rational& value, const char* function) {
  if (a == Rational(point)) return value;
  throw NeedsReals(std::string(function) + " of a number at which it is not known to be rational");
}

Rational integer_power(Rational base, std::int64_t exponent) {
  if (exponent > largest_exponent || base.bits() * exponent > largest_bits) throw NeedsReals("a power too large to hold exactly");
  Rational result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * base;
    if (exponent > 1) base = base * base;
  }
  return result;
}

}  // namespace

bool is_zero(const Rational& a) { return a.is_zero(); }

Rational abs(const Rational& a) { return a.sign() < 0 ? -a : a; }

Rational max(const Rational& a, const Rational& b) { return a < b ? b : a; }

Rational pow(const Rational& a, const expr::Rational& exponent) {
  if (exponent.is_zero()) return 1;
  if (a.is_zero() && exponent.sign() < 0) throw Undefined("zero to a negative power");
  if (!exponent.is_integer() && a.sign() < 0) throw Undefined("a fractional power of a negative number");
  if (a.is_zero() || a == Rational(1)) return a;
  if (exponent.sign() < 0) return Rational(1) / pow(a, -exponent);
  if (exponent.is_integer()) return integer_power(a, exponent.num());
  const auto root = exponent.den() == 2 ? a.exact_sqrt() : std::nullopt;
  if (!root) throw NeedsReals("a power that is not known to be rational");
  return integer_power(*root, exponent.num());
}

Rational exp(const Rational& a) { return only_at(a, 0, 1, "exp"); }

Rational log(const Rational& a) {
  if (a.sign() <= 0) throw Undefined("log of a number that is not positive");
  return only_at(a, 1, 0, "log");
}

Rational sin(const Rational& a) { return only_at(a, 0, 0, "sin"); }
Rational cos(const Rational& a) { return only_at(a, 0, 1, "cos"); }
Rational normal_cdf(const Rational& a) { return only_at(a, 0, Rational(1, 2), "normal_cdf"); }

}  // namespace foldproof::numeric
