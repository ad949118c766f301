// SPDX-License-Identifier: MIT
// Unbounded exact fractions: the numbers of counterexamples.
// A fraction whose two parts fit into 64 bits is held inline and never allocates; a larger one shares an immutable
// Boost.Multiprecision pair. The form is unique (coprime, positive denominator, inline whenever it fits), so equality
// compares parts. Boost stays out of this header. Coefficients of claims, which must not grow, are expr::Rational.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "expr/rational.hpp"

namespace foldproof::numeric {

class Rational {
 public:
  Rational() = default;
  Rational(std::int64_t value);                                // NOLINT: integers are rationals
  Rational(std::int64_t numerator, std::int64_t denominator);  ///< throws Undefined when the denominator is zero

  static Rational from(const expr::Rational& value);
  /// The dyadic fraction that `value` is, without rounding. Errors: Undefined for NaN and infinities.
  static Rational from_double(double value);
  /// 2**exponent. Errors: expr::LimitReached beyond 2**20 bits.
  static Rational power_of_two(std::int64_t exponent);
  /// Reads "-3/7", "12", "0.125", "1e-5" exactly. Returns nullopt when the text is no number (a zero denominator included).
  /// Errors: expr::LimitReached beyond 100000 characters or a decimal exponent beyond 10000.
  static std::optional<Rational> parse(std::string_view text);
  /// No rational is minus infinity. Errors: NeedsReals, always.
  static Rational negative_infinity();

  bool is_zero() const { return num_ == 0; }
  bool is_integer() const;
  int sign() const;
  std::int64_t bits() const;                       ///< bits of the longer part: what an operation costs
  double height() const;                           ///< numerator, without its sign, plus denominator: how simple it is
  Rational floor() const;                          ///< the largest integer that is not larger
  std::optional<std::int64_t> to_int64() const;    ///< nullopt unless an integer that fits
  std::optional<Rational> exact_sqrt() const;      ///< nullopt unless the square of a rational
  std::optional<std::int64_t> exact_log2() const;  ///< n when the value is 2**n
  std::string text() const;                        ///< "-3/7", "5"

  /// The nearest number with `precision` significant bits (at most 53) and no bit below 2**least_exponent.
  /// Rounding: once, to nearest, ties to even; beyond the range of double, an infinity.
  double rounded(int precision, int least_exponent) const;
  double to_double() const { return rounded(53, -1074); }  ///< correctly rounded, subnormals included
  float to_float() const;                                  ///< correctly rounded in one step, not through double

  Rational operator-() const;
  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b) { return a + -b; }
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);  ///< throws Undefined when b is zero
  friend bool operator==(const Rational& a, const Rational& b);
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

 private:
  struct Big;
  static Rational reduced(Big value);
  static Rational coprime(Big value);  ///< of parts without a common divisor, the denominator positive
  Big widened() const;

  std::int64_t num_ = 0;            ///< 1 or -1, the sign only, when big_ is set
  std::int64_t den_ = 1;            ///< 0 when big_ is set
  std::shared_ptr<const Big> big_;  ///< set exactly when a part does not fit
};

bool is_zero(const Rational& a);
Rational abs(const Rational& a);
Rational max(const Rational& a, const Rational& b);
/// Integer powers and exact square roots. Errors: Undefined for 0 to a negative power and fractional powers of negatives;
/// NeedsReals for an irrational result and for exponents beyond 4096 or results beyond 2**20 bits.
Rational pow(const Rational& a, const expr::Rational& exponent);
Rational exp(const Rational& a);         ///< NeedsReals unless a is 0
Rational log(const Rational& a);         ///< NeedsReals unless a is 1; Undefined when a <= 0
Rational sin(const Rational& a);         ///< NeedsReals unless a is 0
Rational cos(const Rational& a);         ///< NeedsReals unless a is 0
Rational normal_cdf(const Rational& a);  ///< NeedsReals unless a is 0

}  // namespace foldproof::numeric
