// SPDX-License-Identifier: MIT
#include "expr/rational.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "expr/diagnostic.hpp"

namespace foldproof::expr {
namespace {

[[noreturn]] void overflow() { throw LimitReached("a coefficient does not fit into 64 bits"); }

std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) overflow();
  return r;
}

std::int64_t mul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) overflow();
  return r;
}

}  // namespace

Rational::Rational(std::int64_t numerator, std::int64_t denominator) : num_(numerator), den_(denominator) {
  invariant(den_ != 0, "rational with denominator zero");
  if (num_ == INT64_MIN || den_ == INT64_MIN) overflow();  // their negation and gcd do not fit
  if (den_ < 0) {
    num_ = -num_;
    den_ = -den_;
  }
  const std::int64_t g = std::gcd(num_, den_);
  if (g > 1) {
    num_ /= g;
    den_ /= g;
  }
}

Rational Rational::operator-() const {
  if (num_ == INT64_MIN) overflow();
  Rational r = *this;
  r.num_ = -r.num_;
  return r;
}

Rational operator+(const Rational& a, const Rational& b) {
  if (a.den_ == 1 && b.den_ == 1) return {add(a.num_, b.num_)};
  const std::int64_t g = std::gcd(a.den_, b.den_);
  return {add(mul(a.num_, b.den_ / g), mul(b.num_, a.den_ / g)), mul(a.den_, b.den_ / g)};
}

Rational operator*(const Rational& a, const Rational& b) {
  if (a.den_ == 1 && b.den_ == 1) return {mul(a.num_, b.num_)};
  const Rational x(a.num_, b.den_);
  const Rational y(b.num_, a.den_);
  return {mul(x.num_, y.num_), mul(x.den_, y.den_)};
}

Rational operator/(const Rational& a, const Rational& b) {
  invariant(b.num_ != 0, "division by the rational zero");
  return a * Rational(b.den_, b.num_);
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  __extension__ using Wide = __int128;
  const Wide left = static_cast<Wide>(a.num_) * b.den_;
  const Wide right = static_cast<Wide>(b.num_) * a.den_;
  return left < right ? std::strong_ordering::less : left > right ? std::strong_ordering::greater : std::strong_ordering::equal;
}

std::string Rational::text() const {
  return den_ == 1 ? std::to_string(num_) : std::to_string(num_) + "/" + std::to_string(den_);
}

std::optional<Rational> Rational::parse(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  Rational value;
  Rational scale = 1;
  bool digits = false;
  bool fraction = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c >= '0' && c <= '9') {
      digits = true;
      value = value * Rational(10) + Rational(c - '0');
      if (fraction) scale = scale * Rational(10);
    } else if (c == '.' && !fraction) {
      fraction = true;
    } else {
      break;
    }
  }
  if (!digits) return std::nullopt;
  value = value / scale;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    int exponent = 0;
    const char* first = text.data() + i + 1;
    const char* end = text.data() + text.size();
    if (first != end && *first == '+') ++first;
    const auto [rest, status] = std::from_chars(first, end, exponent);
    if (status == std::errc::result_out_of_range) overflow();
    if (status != std::errc() || rest != end) return std::nullopt;
    if (exponent > 18 || exponent < -18) overflow();
    value = value * power(Rational(10), exponent);
  } else if (i < text.size() && text[i] == '/' && !fraction) {
    const auto denominator = parse(text.substr(i + 1));
    if (!denominator || !denominator->is_integer() || denominator->sign() <= 0) return std::nullopt;
    value = value / *denominator;
  } else if (i != text.size()) {
    return std::nullopt;
  }
  return negative ? -value : value;
}

Rational power(Rational a, std::int64_t exponent) {
  if (exponent == std::numeric_limits<std::int64_t>::min()) overflow();  // it has no opposite
  if (exponent < 0) return power(Rational(1) / a, -exponent);
  Rational r = 1;
  while (exponent > 0) {
    if (exponent & 1) r = r * a;
    exponent >>= 1;
    if (exponent > 0) a = a * a;
  }
  return r;
}

std::optional<std::int64_t> whole_root(std::int64_t n) {
  const auto root = n < 0 ? -1 : static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(n))));
  std::int64_t square = 0;
  return root >= 0 && !__builtin_mul_overflow(root, root, &square) && square == n ? std::optional(root) : std::nullopt;
}

}  // namespace foldproof::expr
