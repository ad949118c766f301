// SPDX-License-Identifier: MIT
// Exact values of expressions with exp and log: the ring Q[L] of polynomials in L = ln 2 with rational coefficients,
// and one extra value, minus infinity, for masked logits.
// ln 2 is transcendental (Lindemann), so two such polynomials are equal as numbers exactly when their coefficients are.
// This makes softmax exact: with logits that are integer multiples of ln 2 every exp is a power of two.
// A result outside the ring throws NeedsReals, and then an enclosure (interval.hpp) must decide.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "expr/rational.hpp"
#include "numeric/rational.hpp"

namespace foldproof::numeric {

class Exact {
 public:
  Exact() = default;
  Exact(std::int64_t value) : constant_(value) {}         // NOLINT: integers are exact
  Exact(Rational value) : constant_(std::move(value)) {}  // NOLINT: rationals are exact

  static Exact from(const expr::Rational& value) { return Rational::from(value); }
  static Exact log_two(const Rational& factor = 1);  ///< factor * ln 2
  static Exact negative_infinity();

  bool is_negative_infinity() const { return masked_; }
  bool is_rational() const { return !masked_ && higher_.empty(); }
  bool is_zero() const { return is_rational() && constant_.is_zero(); }
  /// Largest power of ln 2 with a non-zero coefficient; 0 for zero. Requires: not minus infinity.
  std::size_t degree() const { return higher_.size(); }
  /// Coefficient of (ln 2)**power.
  const Rational& coefficient(std::size_t power) const;

  /// Two rationals around the value, the same one twice when it is rational.
  /// Rounding: outward; ln 2 itself is enclosed to within 2**-bits. Errors: Undefined for minus infinity.
  std::pair<Rational, Rational> enclosure(int bits) const;
  /// The sign, proved. Returns -1, 0, 1; -1 for minus infinity. Errors: NeedsReals when 4096 bits of ln 2 do not separate it from 0.
  int sign() const;
  /// Rounding: correctly rounded for rationals, and otherwise whenever 4096 bits of ln 2 settle it, else within 1 ulp.
  double to_double() const;
  std::string text() const;  ///< "3/2", "log(2)", "-2*log(2) + 1", "log(2)**2", "-inf": NumPy reads it back

  /// Minus infinity plus a finite value or itself, or minus a finite value, is minus infinity; all else with it is Undefined, also below.
  friend Exact operator+(const Exact& a, const Exact& b);
  friend Exact operator-(const Exact& a, const Exact& b);
  friend Exact operator*(const Exact& a, const Exact& b);
  /// Polynomial division. Errors: Undefined when b is zero; NeedsReals when the division leaves a remainder.
  friend Exact operator/(const Exact& a, const Exact& b);
  Exact operator-() const;
  friend bool operator==(const Exact& a, const Exact& b) = default;

 private:
  void trim();

  Rational constant_;
  std::vector<Rational> higher_;  ///< coefficients of L, L**2, ...; the last is not zero; empty for rationals, so those do not allocate
  bool masked_ = false;           ///< minus infinity; the other members are then zero and empty
};

bool is_zero(const Exact& a);
Exact abs(const Exact& a);
Exact max(const Exact& a, const Exact& b);  ///< minus infinity is smaller than everything else
Exact exp(const Exact& a);                  ///< 2**n for a = n*ln 2 with an integer |n| <= 4096, 0 for minus infinity; else NeedsReals
Exact log(const Exact& a);                  ///< n*ln 2 for a = 2**n; Undefined when a <= 0; else NeedsReals
Exact sin(const Exact& a);                  ///< NeedsReals unless a is 0
Exact cos(const Exact& a);                  ///< NeedsReals unless a is 0
Exact normal_cdf(const Exact& a);           ///< NeedsReals unless a is 0
/// Integer powers, and halves of integers for squares c*(ln 2)**(2k). Errors: Undefined for 0 to a negative power and for
/// fractional powers of negative numbers; NeedsReals for results outside the ring for powers of rationals beyond the limits
/// of pow there, and for degrees beyond 64.
Exact pow(const Exact& a, const expr::Rational& exponent);

}  // namespace foldproof::numeric
