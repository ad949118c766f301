// SPDX-License-Identifier: MIT
// Scalars defined by bits: 16-bit formats over all their patterns, the prime field, Philox against its published vectors.
#include <array>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>

#include "numeric/half.hpp"
#include "numeric/prime_field.hpp"
#include "numeric/samples.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::properties {
namespace {

using numeric::BFloat16;
using numeric::Float16;
using numeric::FormatInfo;
using numeric::NeedsReals;
using numeric::PrimeField;
using numeric::Rational;
using numeric::Undefined;

// The value of a pattern from the definition of the format, with no floating-point operation of the code under test.
Rational by_definition(unsigned bits, int fraction, int least) {
  const auto exponent = static_cast<int>((bits & 0x7fff) >> fraction);
  const std::int64_t mantissa = bits & ((1U << fraction) - 1);
  const std::int64_t full = exponent == 0 ? mantissa : mantissa + (1 << fraction);
  const Rational size = Rational(full) * Rational::power_of_two(std::max(exponent - 1, 0) + least - fraction);
  return (bits & 0x8000) != 0 ? -size : size;
}

template <class Half>
void check_every_pattern(int fraction, int least) {
  const unsigned infinity = 0x7fffU >> fraction << fraction;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const Half half = Half::from_bits(static_cast<std::uint16_t>(bits));
    const auto value = static_cast<float>(half);
    const unsigned size = bits & 0x7fff;
    const unsigned back = Half(value).bits();
    bool holds = std::signbit(value) == (bits > 0x7fff);
    if (size > infinity) {
      holds = holds && std::isnan(value) && back == (bits | 1U << (fraction - 1));
    } else if (size == infinity) {
      holds = holds && std::isinf(value) && back == bits;
    } else {
      holds = holds && Rational::from_double(value) == by_definition(bits, fraction, least) && back == bits;
    }
    if (!holds) BOOST_TEST(holds, "pattern " << bits);
  }
}

// The pattern nearest to |x|, by exact comparison with both candidates; beyond the last, the next power of two stands for infinity.
template <class Half>
bool rounds_to_nearest_even(double x, int fraction, int least) {
  const unsigned bits = Half(x).bits();
  if (std::signbit(x) != (bits > 0x7fff)) return false;
  const Rational value = Rational::from_double(std::abs(x));
  const unsigned size = bits & 0x7fff;
  const unsigned infinity = 0x7fffU >> fraction << fraction;
  if (size > infinity) return false;
  const Rational here = abs(value - by_definition(size, fraction, least));
  for (const unsigned other : {size - 1, size + 1}) {
    if (other > infinity) continue;  // also the wrapped 0 - 1
    const Rational there = abs(value - by_definition(other, fraction, least));
    const bool overflows = size == infinity && value > by_definition(infinity, fraction, least);
    if (there < here && !overflows) return false;
    if (there == here && (size & 1) != 0) return false;
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_float16_pattern_converts_by_definition_and_back) { check_every_pattern<Float16>(10, -14); }
BOOST_AUTO_TEST_CASE(every_bfloat16_pattern_converts_by_definition_and_back) { check_every_pattern<BFloat16>(7, -126); }

RC_BOOST_PROP(doubles_round_once_to_nearest_even, (std::uint64_t seed)) {
  Samples samples(seed);
  for (int i = 0; i < 100; ++i) {
    const double x = samples.number(-28, 17);
    RC_ASSERT(rounds_to_nearest_even<Float16>(x, 10, -14));
    const double y = samples.number(-138, 128);
    RC_ASSERT(rounds_to_nearest_even<BFloat16>(y, 7, -126));
  }
}

RC_BOOST_PROP(midpoints_of_neighbours_and_their_own_neighbours_round_to_nearest_even, (std::uint64_t seed)) {
  Samples samples(seed);
  for (int i = 0; i < 100; ++i) {
    const auto a = static_cast<std::uint16_t>(samples.integer(0, 0x7bff));
    const double low = static_cast<double>(Float16::from_bits(a));
    const double high = a == 0x7bff ? 65536 : static_cast<double>(Float16::from_bits(a + 1));
    const double tie = (low + high) / 2;
    for (const double x : {tie, std::nextafter(tie, 0), std::nextafter(tie, INFINITY)}) RC_ASSERT(rounds_to_nearest_even<Float16>(x, 10, -14));
    const auto b = static_cast<std::uint16_t>(samples.integer(0, 0x7f7e));
    const double middle = (static_cast<double>(BFloat16::from_bits(b)) + static_cast<double>(BFloat16::from_bits(b + 1))) / 2;
    for (const double x : {middle, std::nextafter(middle, 0), std::nextafter(middle, INFINITY)}) RC_ASSERT(rounds_to_nearest_even<BFloat16>(x, 7, -126));
  }
}

BOOST_AUTO_TEST_CASE(conversion_does_not_round_through_float) {
  // 1 + 2^-11 is a tie in float16; 2^-40 more is not, but float loses the 2^-40 and would then round the tie to even, to 1.
  BOOST_TEST(Float16(1 + 0x1p-11 + 0x1p-40).bits() == 0x3c01);
  BOOST_TEST(Float16(1 + 0x1p-11).bits() == 0x3c00);
  BOOST_TEST(Float16(65519.999).bits() == 0x7bff);
  BOOST_TEST(Float16(65520.0).bits() == 0x7c00);
  BOOST_TEST(Float16(-0.0).bits() == 0x8000);
  BOOST_TEST(Float16(0x1p-25).bits() == 0);
  BOOST_TEST(Float16(0x1.0000000000001p-25).bits() == 1);
  BOOST_TEST(BFloat16(0x1p-1074).bits() == 0);
  BOOST_TEST(BFloat16(-INFINITY).bits() == 0xff80);
  // A NaN whose payload lies in the bits that are cut off must not turn into infinity.
  BOOST_TEST(Float16(std::bit_cast<double>(std::uint64_t{0x7ff0000000000001})).bits() == 0x7e00);
}

BOOST_AUTO_TEST_CASE(format_constants_are_those_of_the_formats) {
  BOOST_TEST(numeric::float16_format.max_finite == static_cast<double>(Float16::from_bits(0x7bff)));
  BOOST_TEST(numeric::bfloat16_format.max_finite == static_cast<double>(BFloat16::from_bits(0x7f7f)));
  BOOST_TEST(numeric::float32_format.max_finite == std::numeric_limits<float>::max());
  BOOST_TEST(numeric::float64_format.max_finite == std::numeric_limits<double>::max());
  BOOST_TEST(2 * numeric::float16_format.eta == static_cast<double>(Float16::from_bits(1)));
  BOOST_TEST(2 * numeric::bfloat16_format.eta == static_cast<double>(BFloat16::from_bits(1)));
  BOOST_TEST(2 * numeric::float32_format.eta == std::numeric_limits<float>::denorm_min());
  BOOST_TEST(numeric::float64_format.eta == std::numeric_limits<double>::denorm_min());
  for (const FormatInfo& format : numeric::formats) BOOST_TEST(format.unit_roundoff == std::ldexp(1.0, -format.precision), format.name);
}

RC_BOOST_PROP(one_rounding_stays_within_u_and_eta, (std::uint64_t seed)) {
  Samples samples(seed);
  for (int i = 0; i < 100; ++i) {
    const double x = samples.number(-30, 14);
    const double y = samples.number(-140, 126);
    // Both sides are exact in double up to one rounding of the right one, covered by the factor.
    RC_ASSERT(std::abs(static_cast<double>(Float16(x)) - x) <= (0x1p-11 * std::abs(x) + 0x1p-25) * (1 + 0x1p-50));
    RC_ASSERT(std::abs(static_cast<double>(BFloat16(y)) - y) <= (0x1p-8 * std::abs(y) + 0x1p-134) * (1 + 0x1p-50));
  }
}

RC_BOOST_PROP(the_integers_modulo_the_mersenne_prime_form_a_field, (std::uint64_t seed)) {
  Samples samples(seed);
  const PrimeField a = PrimeField::from_bits(samples.bits());
  const PrimeField b = PrimeField::from_bits(samples.bits());
  const PrimeField c = PrimeField::from_bits(samples.bits());
  RC_ASSERT(a + b == b + a);
  RC_ASSERT((a + b) + c == a + (b + c));
  RC_ASSERT((a * b) * c == a * (b * c));
  RC_ASSERT(a * (b + c) == a * b + a * c);
  RC_ASSERT((a - b) + b == a);
  RC_ASSERT((a + -a).is_zero());
  if (!a.is_zero()) RC_ASSERT(a * (PrimeField(1) / a) == PrimeField(1));
  if (!a.is_zero()) RC_ASSERT(pow(a, -3) * a * a * a == PrimeField(1));
  __extension__ using Wide = unsigned __int128;
  RC_ASSERT((a * b).value() == static_cast<std::uint64_t>(Wide{a.value()} * b.value() % PrimeField::modulus));
}

RC_BOOST_PROP(fractions_map_into_the_field_homomorphically, (std::uint64_t seed)) {
  Samples samples(seed);
  const expr::Rational a(samples.integer(-1000000, 1000000), samples.integer(1, 1000000));
  const expr::Rational b(samples.integer(-1000000, 1000000), samples.integer(1, 1000000));
  RC_ASSERT(PrimeField::from(a) + PrimeField::from(b) == PrimeField::from(a + b));
  RC_ASSERT(PrimeField::from(a) * PrimeField::from(b) == PrimeField::from(a * b));
}

BOOST_AUTO_TEST_CASE(the_field_reduces_at_its_edges_and_refuses_functions_of_the_reals) {
  constexpr auto p = static_cast<std::int64_t>(PrimeField::modulus);
  BOOST_TEST(PrimeField(p).is_zero());
  BOOST_TEST(PrimeField(-p).is_zero());
  BOOST_TEST(PrimeField(-1).value() == PrimeField::modulus - 1);
  BOOST_TEST((PrimeField(-1) * PrimeField(-1)).value() == 1U);
  BOOST_TEST(PrimeField(INT64_MIN).value() == PrimeField::modulus - 4);  // -2**63 = -4 * 2**61
  BOOST_TEST((-PrimeField(0)).value() == 0U);
  BOOST_TEST(PrimeField::from_bits(~std::uint64_t{0}).value() == 7U);
  BOOST_CHECK_THROW(PrimeField(1) / PrimeField(0), Undefined);
  BOOST_CHECK_THROW(pow(PrimeField(0), -1), Undefined);
  BOOST_CHECK_THROW(PrimeField::from(expr::Rational(1, p)), Undefined);
  BOOST_CHECK_THROW(pow(PrimeField(4), expr::Rational(1, 2)), NeedsReals);
  using Function = PrimeField (*)(const PrimeField&);
  for (const Function f : std::initializer_list<Function>{numeric::exp, numeric::log, numeric::abs, numeric::sin, numeric::cos, numeric::normal_cdf})
    BOOST_CHECK_THROW(f(PrimeField(0)), NeedsReals);
  BOOST_CHECK_THROW(max(PrimeField(0), PrimeField(1)), NeedsReals);
}

BOOST_AUTO_TEST_CASE(philox_gives_the_published_vectors) {
  // Source: Random123, tests/kat_vectors, philox4x32 10.
  using Block = std::array<std::uint32_t, 4>;
  BOOST_TEST((numeric::philox({0, 0, 0, 0}, {0, 0}) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  BOOST_TEST(
      (numeric::philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) == Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  BOOST_TEST(
      (numeric::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) == Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

RC_BOOST_PROP(every_coordinate_changes_the_draw, (std::uint64_t seed)) {
  Samples samples(seed);
  const std::uint64_t s = samples.bits();
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 3; ++i)
    for (std::uint64_t j = 0; j < 3; ++j)
      for (std::uint64_t k = 0; k < 3; ++k)
        for (std::uint64_t l = 0; l < 3; ++l) seen.insert(numeric::draw(s + i, j, k, l));
  RC_ASSERT(seen.size() == 81U);
  constexpr std::uint64_t high = std::uint64_t{1} << 32;
  for (const std::uint64_t other : {numeric::draw(s ^ high, 0, 0, 0), numeric::draw(s, high, 0, 0), numeric::draw(s, 0, high, 0), numeric::draw(s, 0, 0, high)})
    RC_ASSERT(seen.insert(other).second);
  RC_ASSERT(numeric::draw(s, 1, 2, 3) == numeric::Stream(s, 1).draw(2, 3));
  RC_ASSERT(numeric::mix(s, "X") != numeric::mix(s, "Y"));
  RC_ASSERT(numeric::mix(s, "X") != numeric::mix(s + 1, "X"));
}

BOOST_AUTO_TEST_CASE(draws_never_change_between_versions) {
  BOOST_TEST(numeric::draw(0, 0, 0, 0) == 0x719f5d2b14f5c8e3U);
  BOOST_TEST(numeric::draw(1, 2, 3, 4) == 0x9b2d3bf7b5613475U);
  BOOST_TEST(numeric::mix(7, "W_Q") == 0xbb70e1eea4e59c8cU);
}

RC_BOOST_PROP(maps_to_numbers_stay_in_range_and_reach_their_ends, (std::uint64_t seed)) {
  Samples samples(seed);
  const std::int64_t lowest = samples.integer(-1000, 1000);
  const std::int64_t highest = lowest + samples.integer(0, 1000);
  const std::int64_t x = numeric::uniform_integer(samples.bits(), lowest, highest);
  RC_ASSERT(lowest <= x);
  RC_ASSERT(x <= highest);
  RC_ASSERT(numeric::uniform_integer(0, lowest, highest) == lowest);
  RC_ASSERT(numeric::uniform_integer(~std::uint64_t{0}, lowest, highest) == highest);
  const std::uint64_t bits = samples.bits();
  RC_ASSERT(numeric::uniform_integer(bits, INT64_MIN, INT64_MAX) == static_cast<std::int64_t>(bits ^ std::uint64_t{1} << 63));
  const int precision = static_cast<int>(samples.integer(1, 53));
  const double d = numeric::dyadic(bits, precision);
  RC_ASSERT(std::abs(d) < 1);
  RC_ASSERT(std::fmod(std::abs(std::ldexp(d, precision)), 2) == 1);
  RC_ASSERT(numeric::dyadic(~bits, precision) == -d);
  RC_ASSERT(numeric::dyadic(0, precision) == -1 + std::ldexp(1.0, -precision));
  RC_ASSERT(numeric::popcount_normal(~bits) == -numeric::popcount_normal(bits));
  RC_ASSERT(numeric::sign(bits) == -numeric::sign(~bits));
}

BOOST_AUTO_TEST_CASE(small_integers_are_drawn_equally_often_and_popcounts_have_unit_variance) {
  const numeric::Stream stream(1, 1);
  constexpr int draws = 70000;
  std::array<int, 7> counts{};
  double sum = 0;
  double squares = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    ++counts.at(static_cast<std::size_t>(numeric::uniform_integer(stream.draw(i, 0), 0, 6)));
    const double x = numeric::popcount_normal(stream.draw(i, 1));
    sum += x;
    squares += x * x;
  }
  for (const int count : counts) BOOST_TEST(std::abs(count - 10000) < 500);  // five standard deviations are 463
  BOOST_TEST(std::abs(sum / draws) < 0.02);
  BOOST_TEST(std::abs(squares / draws - 1) < 0.03);
}

}  // namespace foldproof::properties
