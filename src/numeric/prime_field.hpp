// SPDX-License-Identifier: MIT
// Integers modulo the Mersenne prime p = 2**61 - 1: where identity testing evaluates the polynomial fragment.
// Two different polynomials of degree d agree at a random point with probability at most d/p (Schwartz, Zippel).
// There is no order and no continuity here, so every function of the reals throws NeedsReals, at every point.
#pragma once

#include <cstdint>
#include <string>

#include "expr/rational.hpp"

namespace foldproof::numeric {

class PrimeField {
 public:
  static constexpr std::uint64_t modulus = (std::uint64_t{1} << 61) - 1;

  PrimeField() = default;
  PrimeField(std::int64_t value);                       // NOLINT: integers map into every ring
  static PrimeField from(const expr::Rational& value);  ///< throws Undefined when the denominator is a multiple of p
  static PrimeField from_bits(std::uint64_t bits);      ///< `bits` modulo p; uniform up to 2**-61 for uniform bits
  static PrimeField negative_infinity();                ///< throws NeedsReals, always

  std::uint64_t value() const { return value_; }  ///< in [0, p)
  bool is_zero() const { return value_ == 0; }
  std::string text() const { return std::to_string(value_); }

  PrimeField operator-() const;
  friend PrimeField operator+(PrimeField a, PrimeField b);
  friend PrimeField operator-(PrimeField a, PrimeField b) { return a + -b; }
  friend PrimeField operator*(PrimeField a, PrimeField b);
  friend PrimeField operator/(PrimeField a, PrimeField b);  ///< throws Undefined when b is zero
  friend bool operator==(PrimeField a, PrimeField b) = default;

 private:
  std::uint64_t value_ = 0;
};

bool is_zero(const PrimeField& a);
/// Integer powers only. Errors: Undefined for 0 to a negative power, NeedsReals for a fractional exponent.
PrimeField pow(const PrimeField& a, const expr::Rational& exponent);
PrimeField exp(const PrimeField& a);  ///< throws NeedsReals, as do all below
PrimeField log(const PrimeField& a);
PrimeField abs(const PrimeField& a);
PrimeField sin(const PrimeField& a);
PrimeField cos(const PrimeField& a);
PrimeField normal_cdf(const PrimeField& a);
PrimeField max(const PrimeField& a, const PrimeField& b);

}  // namespace foldproof::numeric
