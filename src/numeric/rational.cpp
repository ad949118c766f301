// SPDX-License-Identifier: MIT
// Small fractions use Knuth's gcd-first formulas (TAOCP 2, section 4.5.1) in 128 bits: intermediate values then fit by
// construction, and the result is already in lowest terms. Whatever leaves 64 bits goes to Boost's cpp_int.
#include "numeric/rational.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "expr/diagnostic.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::numeric {
namespace {

using boost::multiprecision::cpp_int;
__extension__ using Wide = __int128;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

// INT64_MIN counts as not fitting, because its negation does not.
bool fits(Wide value) { return value >= -Wide{largest} && value <= Wide{largest}; }
bool fits(const cpp_int& value) { return value >= -largest && value <= largest; }

cpp_int widen(Wide value) {
  cpp_int result = static_cast<std::int64_t>(value >> 64);
  result <<= 64;
  return result + static_cast<std::uint64_t>(value);
}

// Reads decimal digits. cpp_int itself would take a leading zero for octal.
cpp_int integer(std::string_view digits) {
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size());
  digits.remove_prefix(first);
  return digits.empty() ? cpp_int(0) : cpp_int(std::string(digits));
}

std::string_view take_digits(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && text[length] >= '0' && text[length] <= '9') ++length;
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

// Reads the exponent behind "e"; nullopt when there is none or something follows.
std::optional<int> take_exponent(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  int exponent = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (status == std::errc::result_out_of_range || (status == std::errc() && (exponent > 10000 || exponent < -10000)))
    throw expr::LimitReached("a decimal exponent beyond 10000");
  if (status != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return exponent;
}

std::optional<cpp_int> root(const cpp_int& value) {
  const cpp_int candidate = boost::multiprecision::sqrt(value);
  if (candidate * candidate != value) return std::nullopt;
  return candidate;
}

std::int64_t highest_bit(const cpp_int& value) { return static_cast<std::int64_t>(boost::multiprecision::msb(value)); }

/// The 62 bits of `value` from bit `lowest` on. Requires: none above them.
std::int64_t leading_bits(const cpp_int& value, std::int64_t lowest) { return static_cast<std::int64_t>(cpp_int(value >> static_cast<unsigned>(lowest))); }

/// The greatest common divisor of |a| and |b| by Lehmer's method (Knuth, TAOCP 2, section 4.5.2, algorithm L): the quotients of
/// Euclid's algorithm are read off the leading bits, about 30 bits of progress for each pass over the long numbers.
cpp_int greatest_common_divisor(cpp_int a, cpp_int b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  if (a < b) a.swap(b);
  while (b > largest) {
    if (highest_bit(a) < 128) return boost::multiprecision::gcd(a, b);  // in two words each
    const std::int64_t lowest = highest_bit(a) - 61;
    std::int64_t x = leading_bits(a, lowest);
    std::int64_t y = leading_bits(b, lowest);
    std::int64_t p = 1, q = 0, r = 0, s = 1;  // the pair is now p*a + q*b, r*a + s*b
    while (y + r != 0 && y + s != 0) {
      const std::int64_t quotient = (x + p) / (y + r);
      if (quotient != (x + q) / (y + s)) break;  // the bits that were cut off decide
      p = std::exchange(r, p - quotient * r);
      q = std::exchange(s, q - quotient * s);
      x = std::exchange(y, x - quotient * y);
    }
    if (q == 0) {
      a %= b;
      a.swap(b);
    } else {
      cpp_int next = r * a + s * b;
      a = p * a + q * b;
      b.swap(next);
    }
  }
  if (b == 0) return a;
  const auto small = static_cast<std::int64_t>(b);
  return std::gcd(small, static_cast<std::int64_t>(a % small));
}

}  // namespace

struct Rational::Big {
  cpp_int num;
  cpp_int den;
};

Rational::Rational(std::int64_t value) : num_(value) {
  if (!fits(Wide{value})) *this = reduced({value, 1});
}

Rational::Rational(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) throw Undefined("a fraction with denominator zero");
  *this = reduced({numerator, denominator});
}

Rational Rational::reduced(Big value) {
  if (value.den < 0) {
    value.num = -value.num;
    value.den = -value.den;
  }
  const cpp_int common = greatest_common_divisor(value.num, value.den);
  if (common > 1) {
    value.num /= common;
    value.den /= common;
  }
  return coprime(std::move(value));
}

Rational Rational::coprime(Big value) {
  Rational result;
  if (fits(value.num) && fits(value.den)) {
    result.num_ = static_cast<std::int64_t>(value.num);
    result.den_ = static_cast<std::int64_t>(value.den);
  } else {
    result.num_ = value.num.sign();
    result.den_ = 0;
    result.big_ = std::make_shared<const Big>(std::move(value));
  }
  return result;
}

Rational::Big Rational::widened() const { return big_ ? *big_ : Big{num_, den_}; }

Rational Rational::from(const expr::Rational& value) {
  Rational result(value.num());
  if (value.is_integer()) return result;
  result.den_ = value.den();  // already coprime, and neither part is INT64_MIN when there is a denominator
  return result;
}

Rational Rational::from_double(double value) {
  if (!std::isfinite(value)) throw Undefined("NaN and infinities are no fractions");
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return Rational(static_cast<std::int64_t>(std::ldexp(fraction, 53))) * power_of_two(exponent - 53);
}

Rational Rational::power_of_two(std::int64_t exponent) {
  if (exponent > (1 << 20) || exponent < -(1 << 20)) throw expr::LimitReached("a power of two beyond 2**20 bits");
  const cpp_int power = cpp_int(1) << static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  return exponent < 0 ? reduced({1, power}) : reduced({power, 1});
}

std::optional<Rational> Rational::parse(std::string_view text) {
  if (text.size() > 100000) throw expr::LimitReached("a number of more than 100000 characters");
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const std::string_view whole = take_digits(text);
  std::string_view decimals;
  bool point = false;
  if (!text.empty() && text.front() == '.') {
    point = true;
    text.remove_prefix(1);
    decimals = take_digits(text);
  }
  if (whole.empty() && decimals.empty()) return std::nullopt;
  Big value{integer(std::string(whole).append(decimals)), boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(decimals.size()))};
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    const std::optional<int> exponent = take_exponent(text.substr(1));
    if (!exponent) return std::nullopt;
    (*exponent < 0 ? value.den : value.num) *= boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(std::abs(*exponent)));
  } else if (!text.empty() && text.front() == '/' && !point) {
    text.remove_prefix(1);
    value.den = integer(take_digits(text));
    if (!text.empty() || value.den == 0) return std::nullopt;
  } else if (!text.empty()) {
    return std::nullopt;
  }
  if (negative) value.num = -value.num;
  return reduced(std::move(value));
}

Rational Rational::negative_infinity() { throw NeedsReals("minus infinity is no rational"); }

bool Rational::is_integer() const { return big_ ? big_->den == 1 : den_ == 1; }

std::int64_t Rational::bits() const {
  const Big value = widened();
  return std::max(is_zero() ? 0 : highest_bit(cpp_int(boost::multiprecision::abs(value.num))), highest_bit(value.den)) + 1;
}

double Rational::height() const {
  if (!big_) return std::abs(static_cast<double>(num_)) + static_cast<double>(den_);
  return boost::multiprecision::abs(big_->num).convert_to<double>() + big_->den.convert_to<double>();
}

int Rational::sign() const { return num_ > 0 ? 1 : num_ < 0 ? -1 : 0; }

Rational Rational::floor() const {
  if (is_integer()) return *this;
  if (!big_) return num_ / den_ - (num_ < 0 ? 1 : 0);  // division truncates towards zero, and it is not exact here
  return reduced({big_->num / big_->den - (num_ < 0 ? 1 : 0), 1});
}

std::optional<std::int64_t> Rational::to_int64() const {
  if (big_ || den_ != 1) return std::nullopt;
  return num_;
}

std::optional<Rational> Rational::exact_sqrt() const {
  if (sign() < 0) return std::nullopt;
  const Big value = widened();
  const auto num = root(value.num);
  const auto den = root(value.den);
  if (!num || !den) return std::nullopt;
  return reduced({*num, *den});
}

std::optional<std::int64_t> Rational::exact_log2() const {
  if (sign() <= 0) return std::nullopt;
  const Big value = widened();
  const std::int64_t up = highest_bit(value.num);
  const std::int64_t down = highest_bit(value.den);
  if (*this != power_of_two(up - down)) return std::nullopt;
  return up - down;
}

std::string Rational::text() const {
  if (!big_) return den_ == 1 ? std::to_string(num_) : std::to_string(num_) + "/" + std::to_string(den_);
  return big_->den == 1 ? big_->num.str() : big_->num.str() + "/" + big_->den.str();
}

double Rational::rounded(int precision, int least_exponent) const {
  if (is_zero()) return 0.0;
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  // Both parts are doubles and the quotient is a normal number: one IEEE division rounds correctly.
  if (!big_ && precision == 53 && least_exponent == -1074 && num_ <= exact && num_ >= -exact && den_ <= exact)
    return static_cast<double>(num_) / static_cast<double>(den_);
  auto [n, d] = widened();
  if (num_ < 0) n = -n;
  std::int64_t scale = highest_bit(n) - highest_bit(d);  // floor(log2(n/d)), or one more
  const bool smaller = scale >= 0 ? n < (d << static_cast<unsigned>(scale)) : (n << static_cast<unsigned>(-scale)) < d;
  if (smaller) --scale;
  if (scale > 1024) return std::copysign(std::numeric_limits<double>::infinity(), static_cast<double>(num_));
  const int unit = static_cast<int>(std::max<std::int64_t>(scale - precision + 1, least_exponent));
  if (unit >= 0) {
    d <<= static_cast<unsigned>(unit);
  } else {
    n <<= static_cast<unsigned>(-unit);
  }
  cpp_int quotient;
  cpp_int remainder;
  boost::multiprecision::divide_qr(n, d, quotient, remainder);
  auto bits = static_cast<std::uint64_t>(quotient);
  remainder <<= 1;
  if (remainder > d || (remainder == d && (bits & 1) != 0)) ++bits;
  return std::copysign(std::ldexp(static_cast<double>(bits), unit), static_cast<double>(num_));
}

float Rational::to_float() const {
  const double value = rounded(24, -149);
  // Out of range, the conversion from double would be undefined behaviour in C++.
  if (std::abs(value) > std::numeric_limits<float>::max()) return value > 0 ? INFINITY : -INFINITY;
  return static_cast<float>(value);
}

Rational Rational::operator-() const {
  if (big_) return coprime({-big_->num, big_->den});
  Rational result = *this;
  result.num_ = -num_;
  return result;
}

Rational operator+(const Rational& a, const Rational& b) {
  if (a.big_ || b.big_) {
    const Rational::Big x = a.widened();
    const Rational::Big y = b.widened();
    const cpp_int common = greatest_common_divisor(x.den, y.den);
    if (common == 1) return Rational::coprime({x.num * y.den + y.num * x.den, x.den * y.den});
    const cpp_int num = x.num * (y.den / common) + y.num * (x.den / common);
    const cpp_int rest = greatest_common_divisor(num, common);
    return Rational::coprime({num / rest, (x.den / common) * (y.den / rest)});
  }
  const std::int64_t common = std::gcd(a.den_, b.den_);
  Wide num = Wide{a.num_} * (b.den_ / common) + Wide{b.num_} * (a.den_ / common);
  const std::int64_t rest = common == 1 ? 1 : std::gcd(static_cast<std::int64_t>(num % common), common);
  num /= rest;
  const Wide den = Wide{a.den_ / common} * (b.den_ / rest);
  if (!fits(num) || !fits(den)) return Rational::reduced({widen(num), widen(den)});
  Rational result;
  result.num_ = static_cast<std::int64_t>(num);
  result.den_ = static_cast<std::int64_t>(den);
  return result;
}

Rational operator*(const Rational& a, const Rational& b) {
  if (a.big_ || b.big_) {
    const Rational::Big x = a.widened();
    const Rational::Big y = b.widened();
    const cpp_int left = greatest_common_divisor(x.num, y.den);
    const cpp_int right = greatest_common_divisor(y.num, x.den);
    return Rational::coprime({(x.num / left) * (y.num / right), (x.den / right) * (y.den / left)});
  }
  const std::int64_t left = b.den_ == 1 ? 1 : std::gcd(a.num_, b.den_);
  const std::int64_t right = a.den_ == 1 ? 1 : std::gcd(b.num_, a.den_);
  const Wide num = Wide{a.num_ / left} * (b.num_ / right);
  const Wide den = Wide{a.den_ / right} * (b.den_ / left);
  if (!fits(num) || !fits(den)) return Rational::reduced({widen(num), widen(den)});
  Rational result;
  result.num_ = static_cast<std::int64_t>(num);
  result.den_ = static_cast<std::int64_t>(den);
  return result;
}

Rational operator/(const Rational& a, const Rational& b) {
  if (b.is_zero()) throw Undefined("division by zero");
  if (b.big_) return a * (b.num_ < 0 ? Rational::coprime({-b.big_->den, -b.big_->num}) : Rational::coprime({b.big_->den, b.big_->num}));
  Rational inverse;
  inverse.num_ = b.num_ < 0 ? -b.den_ : b.den_;
  inverse.den_ = b.num_ < 0 ? -b.num_ : b.num_;
  return a * inverse;
}

bool operator==(const Rational& a, const Rational& b) {
  if (a.big_ && b.big_) return a.big_->num == b.big_->num && a.big_->den == b.big_->den;
  return a.num_ == b.num_ && a.den_ == b.den_;  // a big value has denominator 0 here, so it differs from every small one
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (!a.big_ && !b.big_) return Wide{a.num_} * b.den_ <=> Wide{b.num_} * a.den_;
  const Rational::Big x = a.widened();
  const Rational::Big y = b.widened();
  return cpp_int(x.num * y.den).compare(y.num * x.den) <=> 0;
}

}  // namespace foldproof::numeric
