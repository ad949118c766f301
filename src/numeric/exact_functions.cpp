// SPDX-License-Identifier: MIT
// The functions of the common scalar interface on Q[ln 2]: the points where the value stays in the ring.
#include "numeric/exact.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::numeric {
namespace {

constexpr std::int64_t largest_exponent = 4096;
constexpr std::int64_t largest_degree = 64;

void require_finite(const Exact& a, const char* function) {
  if (a.is_negative_infinity()) throw Undefined(std::string(function) + " of minus infinity");
}

Exact only_at_zero(const Exact& a, const Rational& value, const char* function) {
  require_finite(a, function);
  if (a.is_zero()) return value;
  throw NeedsReals(std::string(function) + " of a number other than 0");
}

Exact integer_power(Exact base, std::int64_t exponent) {
  if (base.is_rational()) return pow(base.coefficient(0), expr::Rational(exponent));
  if (exponent > largest_degree / static_cast<std::int64_t>(base.degree())) throw NeedsReals("a polynomial in log(2) of a degree beyond 64");
  Exact result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * base;
    if (exponent > 1) base = base * base;
  }
  return result;
}

// The non-negative square root of c*L**(2k) when c is the square of a rational. Requires: a > 0.
Exact square_root(const Exact& a) {
  const std::size_t degree = a.degree();
  bool is_monomial = degree % 2 == 0;
  for (std::size_t power = 0; power < degree; ++power) is_monomial = is_monomial && a.coefficient(power).is_zero();
  const auto root = is_monomial ? a.coefficient(degree).exact_sqrt() : std::nullopt;
  if (!root) throw NeedsReals("a root that is not known to be a polynomial in log(2)");
  return Exact(*root) * integer_power(Exact::log_two(), static_cast<std::int64_t>(degree / 2));
}

}  // namespace

bool is_zero(const Exact& a) { return a.is_zero(); }

Exact abs(const Exact& a) {
  require_finite(a, "abs");
  return a.sign() < 0 ? -a : a;
}

Exact max(const Exact& a, const Exact& b) {
  if (a.is_negative_infinity()) return b;
  if (b.is_negative_infinity()) return a;
  return (a - b).sign() < 0 ? b : a;
}

Exact exp(const Exact& a) {
  if (a.is_negative_infinity()) return 0;
  if (a.is_zero()) return 1;
  const auto exponent = a.degree() == 1 && a.coefficient(0).is_zero() ? a.coefficient(1).to_int64() : std::nullopt;
  if (!exponent || *exponent > largest_exponent || *exponent < -largest_exponent) throw NeedsReals("exp of what is no logarithm of a power of two within range");
  return Rational::power_of_two(*exponent);
}

Exact log(const Exact& a) {
  require_finite(a, "log");
  if (a.sign() <= 0) throw Undefined("log of a number that is not positive");
  const auto exponent = a.is_rational() ? a.coefficient(0).exact_log2() : std::nullopt;
  if (!exponent) throw NeedsReals("log of what is no power of two");
  return Exact::log_two(*exponent);
}

Exact sin(const Exact& a) { return only_at_zero(a, 0, "sin"); }
Exact cos(const Exact& a) { return only_at_zero(a, 1, "cos"); }
Exact normal_cdf(const Exact& a) { return only_at_zero(a, Rational(1, 2), "normal_cdf"); }

Exact pow(const Exact& a, const expr::Rational& exponent) {
  require_finite(a, "pow");
  if (exponent.is_zero()) return 1;
  if (a.is_zero()) {
    if (exponent.sign() < 0) throw Undefined(exponent == expr::Rational(-1) ? "division by zero" : "zero to a negative power");
    return a;
  }
  if (!exponent.is_integer() && a.sign() < 0) throw Undefined("a fractional power of a negative number");
  if (a == Exact(1)) return a;
  if (exponent.sign() < 0) return Exact(1) / pow(a, -exponent);
  if (exponent.is_integer()) return integer_power(a, exponent.num());
  if (exponent.den() != 2) throw NeedsReals("a power that is not known to be a polynomial in log(2)");
  return integer_power(square_root(a), exponent.num());
}

}  // namespace foldproof::numeric
