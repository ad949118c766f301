// SPDX-License-Identifier: MIT
// Exact fractions of 64-bit integers for coefficients in claims and certificates. Part of the trusted base.
// Every operation is checked: a result that does not fit throws LimitReached, it never wraps.
// Values of counterexamples are unbounded and live in numeric/.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace foldproof::expr {

class Rational {
 public:
  Rational() = default;
  Rational(std::int64_t value) : num_(value) {}  // NOLINT: integers are rationals
  Rational(std::int64_t numerator, std::int64_t denominator);

  std::int64_t num() const { return num_; }
  std::int64_t den() const { return den_; }  ///< always positive, coprime to num()
  bool is_integer() const { return den_ == 1; }
  bool is_zero() const { return num_ == 0; }
  bool is_one() const { return num_ == 1 && den_ == 1; }
  int sign() const { return num_ > 0 ? 1 : num_ < 0 ? -1 : 0; }

  Rational operator-() const;
  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b) { return a + -b; }
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);  ///< b must not be zero
  friend bool operator==(const Rational& a, const Rational& b) = default;
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

  std::string text() const;  ///< "-3/7", "5"
  /// Reads "-3/7", "12", "0.125", "1e-5" exactly; nullopt when the text is no number; throws LimitReached when it does not fit.
  static std::optional<Rational> parse(std::string_view text);

 private:
  std::int64_t num_ = 0;
  std::int64_t den_ = 1;
};

/// a to an integer power; a must not be zero when the power is negative.
Rational power(Rational a, std::int64_t exponent);
/// The whole number whose square n is; nothing where there is none.
std::optional<std::int64_t> whole_root(std::int64_t n);

}  // namespace foldproof::expr
