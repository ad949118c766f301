// SPDX-License-Identifier: MIT
// Reduction modulo 2**61 - 1 is a shift and an add, because 2**61 is 1 there.
#include "numeric/prime_field.hpp"

#include "numeric/undefined.hpp"

namespace foldproof::numeric {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr std::uint64_t p = PrimeField::modulus;

// Requires: value < 2p. Returns it modulo p.
std::uint64_t once(std::uint64_t value) { return value >= p ? value - p : value; }

PrimeField raised(PrimeField base, std::uint64_t exponent) {
  PrimeField result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * base;
    base = base * base;
  }
  return result;
}

[[noreturn]] void needs_reals(const char* function) { throw NeedsReals(std::string(function) + " is not defined in a prime field"); }

}  // namespace

PrimeField::PrimeField(std::int64_t value) {
  const auto rest = value % static_cast<std::int64_t>(p);
  value_ = static_cast<std::uint64_t>(rest < 0 ? rest + static_cast<std::int64_t>(p) : rest);
}

PrimeField PrimeField::from(const expr::Rational& value) { return PrimeField(value.num()) / PrimeField(value.den()); }

PrimeField PrimeField::from_bits(std::uint64_t bits) {
  PrimeField result;
  result.value_ = bits % p;
  return result;
}

PrimeField PrimeField::negative_infinity() { needs_reals("minus infinity"); }

PrimeField PrimeField::operator-() const {
  PrimeField result;
  result.value_ = once(p - value_);
  return result;
}

PrimeField operator+(PrimeField a, PrimeField b) {
  PrimeField result;
  result.value_ = once(a.value_ + b.value_);
  return result;
}

PrimeField operator*(PrimeField a, PrimeField b) {
  const Wide product = Wide{a.value_} * b.value_;
  PrimeField result;
  result.value_ = once(static_cast<std::uint64_t>(product & p) + static_cast<std::uint64_t>(product >> 61));
  return result;
}

PrimeField operator/(PrimeField a, PrimeField b) {
  if (b.is_zero()) throw Undefined("division by zero");
  return a * raised(b, p - 2);  // Fermat
}

bool is_zero(const PrimeField& a) { return a.is_zero(); }

PrimeField pow(const PrimeField& a, const expr::Rational& exponent) {
  if (!exponent.is_integer()) needs_reals("a fractional power");
  const auto size = static_cast<std::uint64_t>(exponent.num());
  return exponent.sign() < 0 ? PrimeField(1) / raised(a, ~size + 1) : raised(a, size);
}

PrimeField exp(const PrimeField&) { needs_reals("exp"); }
PrimeField log(const PrimeField&) { needs_reals("log"); }
PrimeField abs(const PrimeField&) { needs_reals("abs"); }
PrimeField sin(const PrimeField&) { needs_reals("sin"); }
PrimeField cos(const PrimeField&) { needs_reals("cos"); }
PrimeField normal_cdf(const PrimeField&) { needs_reals("normal_cdf"); }
PrimeField max(const PrimeField&, const PrimeField&) { needs_reals("max"); }

}  // namespace foldproof::numeric
