// SPDX-License-Identifier: MIT
// Enclosures: exact arithmetic stays inside, functions stay around 50 and 400 digits, wider in gives wider out, basic
// operations are as tight as doubles allow, and no NaN comes out.
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>

#include "numeric/interval.hpp"
#include "numeric/samples.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::properties {
namespace {

using boost::multiprecision::cpp_bin_float;
using boost::multiprecision::cpp_bin_float_50;
using numeric::Exact;
using numeric::Interval;
using numeric::Rational;
using numeric::Undefined;
using Digits400 = boost::multiprecision::number<cpp_bin_float<400>>;

constexpr int repetitions = 50;

// Unlike `contains(from(value))`, this does not trust Interval::from.
bool encloses(const Interval& interval, const Rational& value) {
  const bool above = std::isinf(interval.lower()) || Rational::from_double(interval.lower()) <= value;
  const bool below = std::isinf(interval.upper()) || value <= Rational::from_double(interval.upper());
  return above && below;
}

template <class Real>
bool encloses_digits(const Interval& interval, const Real& value) {
  return Real(interval.lower()) <= value && value <= Real(interval.upper());
}

// Ends are equal for an exact result, else neighbours.
bool is_tight(const Interval& interval, const Rational& value) {
  if (interval.is_point()) return Rational::from_double(interval.lower()) == value;
  return std::nextafter(interval.lower(), INFINITY) == interval.upper();
}

// The distribution function by the series of positive terms for erf; 400 digits leave 80 after the cancellation at x = -37.
Digits400 normal_cdf_digits(double x) {
  const Digits400 z = abs(Digits400(x)) / sqrt(Digits400(2));
  Digits400 term = z;
  Digits400 sum = z;
  for (int n = 1; term > sum * Digits400(1e-300) * Digits400(1e-80); ++n) {
    term *= 2 * z * z / (2 * n + 1);
    sum += term;
  }
  const Digits400 erf = 2 / sqrt(boost::math::constants::pi<Digits400>()) * exp(-z * z) * sum;
  return x < 0 ? Digits400((1 - erf) / 2) : Digits400((1 + erf) / 2);
}

Interval around(Samples& samples, double x) {
  const double left = std::abs(x) * std::ldexp(1.0, -static_cast<int>(samples.integer(1, 40)));
  const double right = std::abs(x) * std::ldexp(1.0, -static_cast<int>(samples.integer(1, 40)));
  return {x - left, x + right};
}

}  // namespace

RC_BOOST_PROP(rational_arithmetic_stays_inside_and_the_enclosure_is_tight, (std::uint64_t seed)) {
  Samples samples(seed);
  for (int i = 0; i < repetitions; ++i) {
    const double x = samples.number(-300, 300);
    const double y = samples.number(-300, 300);
    const Rational a = Rational::from_double(x);
    const Rational b = Rational::from_double(y);
    const Interval p(x);
    const Interval q(y);
    RC_ASSERT(encloses(p + q, a + b) && is_tight(p + q, a + b));
    RC_ASSERT(encloses(p - q, a - b) && is_tight(p - q, a - b));
    RC_ASSERT(encloses(p * q, a * b) && is_tight(p * q, a * b));
    RC_ASSERT(encloses(p / q, a / b) && is_tight(p / q, a / b));
    const Interval root = pow(Interval(std::abs(x)), expr::Rational(1, 2));
    RC_ASSERT(Rational::from_double(root.lower()) * Rational::from_double(root.lower()) <= abs(a));
    RC_ASSERT(Rational::from_double(root.upper()) * Rational::from_double(root.upper()) >= abs(a));
    RC_ASSERT(root.is_point() || std::nextafter(root.lower(), INFINITY) == root.upper());
  }
}

RC_BOOST_PROP(arithmetic_stays_inside_where_doubles_underflow_and_overflow, (std::uint64_t seed)) {
  Samples samples(seed);
  for (int i = 0; i < repetitions; ++i) {
    const double x = samples.number(-1074, 1023);
    const double y = samples.number(-1074, 1023);
    const Rational a = Rational::from_double(x);
    const Rational b = Rational::from_double(y);
    RC_ASSERT(encloses(Interval(x) + Interval(y), a + b));
    RC_ASSERT(encloses(Interval(x) * Interval(y), a * b));
    RC_ASSERT(encloses(Interval(x) / Interval(y), a / b));
    RC_ASSERT(encloses(pow(Interval(x), expr::Rational(3)), a * a * a));
    RC_ASSERT(encloses(pow(Interval(x), expr::Rational(2)), a * a));
  }
}

RC_BOOST_PROP(fractions_get_the_narrowest_enclosure, (std::uint64_t seed)) {
  Samples samples(seed);
  const Rational a = samples.fraction() * Rational::power_of_two(samples.integer(-1150, 800));
  RC_ASSERT(encloses(Interval::from(a), a));
  RC_ASSERT(is_tight(Interval::from(a), a));
}

RC_BOOST_PROP(exact_values_stay_inside_through_whole_expressions, (std::uint64_t seed)) {
  Samples samples(seed);
  const Exact a = Exact(samples.fraction()) + Exact::log_two(samples.fraction());
  const Exact b = Exact(samples.fraction()) - Exact::log_two(samples.fraction());
  const Exact c = exp(Exact::log_two(samples.integer(-50, 50)));
  const Interval x = Interval::from(a);
  const Interval y = Interval::from(b);
  const Interval z = exp(log(Interval::from(c)));
  RC_ASSERT(z.contains(Interval::from(c)));
  RC_ASSERT((x * y + z).contains(Interval::from(a * b + c)));
  RC_ASSERT((abs(x) / z).contains(Interval::from(abs(a) / c)));
  RC_ASSERT(max(x, y).contains(Interval::from(max(a, b))));
}

RC_BOOST_PROP(functions_contain_fifty_digits_of_their_value, (std::uint64_t seed)) {
  Samples samples(seed);
  for (int i = 0; i < repetitions; ++i) {
    const double small = samples.number(-40, 8);
    const double positive = std::abs(samples.number(-1000, 1000));
    const double angle = samples.number(-40, 30);
    RC_ASSERT(encloses_digits(exp(Interval(small)), exp(cpp_bin_float_50(small))));
    RC_ASSERT(encloses_digits(log(Interval(positive)), log(cpp_bin_float_50(positive))));
    RC_ASSERT(encloses_digits(sin(Interval(angle)), sin(cpp_bin_float_50(angle))));
    RC_ASSERT(encloses_digits(cos(Interval(angle)), cos(cpp_bin_float_50(angle))));
    const cpp_bin_float_50 third = pow(cpp_bin_float_50(positive), cpp_bin_float_50(1) / 3);
    RC_ASSERT(encloses_digits(pow(Interval(positive), expr::Rational(1, 3)), third));
    RC_ASSERT(encloses_digits(pow(Interval(positive), expr::Rational(-1, 2)), 1 / sqrt(cpp_bin_float_50(positive))));
  }
}

RC_BOOST_PROP(the_normal_distribution_function_contains_its_value_down_to_the_last_tail, (std::uint64_t seed)) {
  Samples samples(seed);
  for (int i = 0; i < 3; ++i) {
    const double x = samples.integer(0, 1) == 0 ? static_cast<double>(samples.integer(-37000, 9000)) / 1000 : samples.number(-20, 3);
    const Interval enclosure = normal_cdf(Interval(x));
    RC_ASSERT(encloses_digits(enclosure, normal_cdf_digits(x)));
    RC_ASSERT(enclosure.upper() - enclosure.lower() <= 1e-12 * enclosure.upper() + 1e-320 || x < -15);
  }
}

RC_BOOST_PROP(functions_of_a_wide_interval_contain_their_values_inside_it, (std::uint64_t seed)) {
  Samples samples(seed);
  for (int i = 0; i < repetitions; ++i) {
    const double x = samples.number(-6, 5);
    const Interval wide = around(samples, x);
    RC_ASSERT(encloses_digits(sin(wide), sin(cpp_bin_float_50(x))));
    RC_ASSERT(encloses_digits(cos(wide), cos(cpp_bin_float_50(x))));
    RC_ASSERT(encloses_digits(exp(wide), exp(cpp_bin_float_50(x))));
    RC_ASSERT(abs(wide).contains(std::abs(x)));
    const Rational a = Rational::from_double(x);
    RC_ASSERT(encloses(pow(wide - Interval(x), expr::Rational(2)), 0));
    RC_ASSERT(encloses(pow(wide, expr::Rational(-3)), Rational(1) / (a * a * a)));
  }
}

BOOST_AUTO_TEST_CASE(an_interval_over_an_extremum_of_sine_reaches_one) {
  BOOST_TEST(sin(Interval(1.5, 1.6)).upper() == 1.0);
  BOOST_TEST(sin(Interval(-1.6, -1.5)).lower() == -1.0);
  BOOST_TEST(sin(Interval(-1.5, 1.5)).upper() < 1.0);
  BOOST_TEST(cos(Interval(-0.1, 0.1)).upper() == 1.0);
  BOOST_TEST(cos(Interval(3.1, 3.2)).lower() == -1.0);
  BOOST_TEST(cos(Interval(0.1, 3.1)).upper() < 1.0);
  BOOST_TEST(sin(Interval(0.0, 1e300)).text() == "[-1, 1]");
  BOOST_TEST(sin(Interval(0.0)).text() == "[0, 0]");
  BOOST_TEST(cos(Interval(0.0)).text() == "[1, 1]");
}

RC_BOOST_PROP(wider_input_gives_wider_output, (std::uint64_t seed)) {
  Samples samples(seed);
  const Interval x = around(samples, samples.number(-6, 5));
  const Interval y = around(samples, samples.number(-6, 5));
  const Interval wider(x.lower() - std::abs(x.lower()) * 0x1p-20, x.upper() + std::abs(x.upper()) * 0x1p-20);
  RC_ASSERT((wider + y).contains(x + y));
  RC_ASSERT((wider * y).contains(x * y));
  if (!y.contains(0.0)) RC_ASSERT((wider / y).contains(x / y));
  if (!wider.contains(0.0)) RC_ASSERT((y / wider).contains(y / x));
  RC_ASSERT(exp(wider).contains(exp(x)));
  RC_ASSERT(sin(wider).contains(sin(x)));
  RC_ASSERT(cos(wider).contains(cos(x)));
  RC_ASSERT(normal_cdf(wider).contains(normal_cdf(x)));
  RC_ASSERT(abs(wider).contains(abs(x)));
  RC_ASSERT(max(wider, y).contains(max(x, y)));
  RC_ASSERT(pow(wider, 2).contains(pow(x, 2)));
  if (wider.lower() > 0) RC_ASSERT(log(wider).contains(log(x)));
  if (wider.lower() > 0) RC_ASSERT(pow(wider, expr::Rational(1, 3)).contains(pow(x, expr::Rational(1, 3))));
}

RC_BOOST_PROP(no_nan_comes_out_of_unbounded_enclosures, (std::uint64_t seed)) {
  Samples samples(seed);
  const auto any = [&]() -> Interval {
    const double x = samples.number(-1074, 1023);
    const std::int64_t kind = samples.integer(0, 4);
    if (kind == 0) return {x, INFINITY};
    if (kind == 1) return {-INFINITY, x};
    if (kind == 2) return {-INFINITY, INFINITY};
    if (kind == 3) return Interval(0.0);
    return Interval(x);
  };
  const Interval a = any();
  const Interval b = any();
  const auto sound = [](const Interval& r) { return r.lower() <= r.upper() && r.lower() < INFINITY && r.upper() > -INFINITY; };
  RC_ASSERT(sound(a + b) && sound(a - b) && sound(a * b) && sound(exp(a)) && sound(sin(a)) && sound(cos(a)) && sound(normal_cdf(a)));
  RC_ASSERT(sound(abs(a)) && sound(max(a, b)) && sound(pow(a, 2)) && sound(pow(a, 3)) && sound(pow(abs(a), expr::Rational(1, 2))));
  RC_ASSERT(sound(pow(abs(a), expr::Rational(2, 3))));
  if (!b.contains(0.0)) RC_ASSERT(sound(a / b));
}

BOOST_AUTO_TEST_CASE(operations_that_may_be_undefined_throw) {
  const Interval around_zero(-1, 1);
  BOOST_CHECK_THROW(Interval(1.0) / around_zero, Undefined);
  BOOST_CHECK_THROW(Interval(1.0) / Interval(0.0, 1.0), Undefined);
  BOOST_CHECK_THROW(log(Interval(0.0, 1.0)), Undefined);
  BOOST_CHECK_THROW(pow(around_zero, expr::Rational(1, 2)), Undefined);
  BOOST_CHECK_THROW(pow(around_zero, expr::Rational(1, 3)), Undefined);
  BOOST_CHECK_THROW(pow(around_zero, -2), Undefined);
  BOOST_CHECK_THROW(Interval{NAN}, Undefined);
  BOOST_CHECK_THROW(Interval{INFINITY}, Undefined);
  BOOST_CHECK_THROW(Interval(2, 1), Undefined);
  const Interval mask = Interval::negative_infinity();
  BOOST_TEST((mask + Interval(1.0)).is_negative_infinity());
  BOOST_TEST(exp(mask).text() == "[0, 0]");
  BOOST_TEST(max(mask, Interval(2.0)).text() == "[2, 2]");
  BOOST_CHECK_THROW(Interval(1.0) - mask, Undefined);
  BOOST_TEST((mask * Interval(0.5)).is_negative_infinity());
  BOOST_TEST((Interval(2.0, 3.0) * mask).is_negative_infinity());
  BOOST_TEST((mask / Interval(2.0, 3.0)).is_negative_infinity());
  BOOST_CHECK_THROW(mask * Interval(0.0), Undefined);
  BOOST_CHECK_THROW(mask * Interval(0.0, 1.0), Undefined);
  BOOST_CHECK_THROW(mask * Interval(-2.0, -1.0), Undefined);
  BOOST_CHECK_THROW(mask * mask, Undefined);
  BOOST_CHECK_THROW(mask / Interval(-1.0), Undefined);
  BOOST_CHECK_THROW(Interval(1.0) / mask, Undefined);
  BOOST_CHECK_THROW(sin(mask), Undefined);
}

BOOST_AUTO_TEST_CASE(only_separated_enclosures_are_disjoint) {
  BOOST_TEST(disjoint(Interval(0, 1), Interval(1.5, 2)));
  BOOST_TEST(!disjoint(Interval(0, 1), Interval(1, 2)));
  BOOST_TEST(!disjoint(Interval(0, 3), Interval(1, 2)));
  BOOST_TEST(disjoint(Interval::negative_infinity(), Interval(-INFINITY, 0)));
  BOOST_TEST(!disjoint(Interval::negative_infinity(), Interval::negative_infinity()));
  BOOST_TEST(Interval::from(expr::Rational(3, 10)).text() == "[0.3, 0.30000000000000004]");
  BOOST_TEST(exp(Interval(0.0)).text() == "[1, 1]");
}

BOOST_AUTO_TEST_CASE(a_positive_number_below_every_double_is_not_zero) {
  const Interval tiny = exp(Interval(-10000.0)), zero(0.0);
  BOOST_TEST(tiny.lower() == 0);
  BOOST_TEST(tiny.text().substr(0, 4) == "(0, ");
  for (const Interval& positive : {tiny, tiny + zero, tiny * tiny, tiny / Interval(1e300)}) {
    BOOST_TEST(disjoint(positive, zero));
    BOOST_TEST(is_less(zero, positive));
    BOOST_TEST(!is_less(positive, zero));
    BOOST_TEST(positive.upper() > 0);
  }
  // What may be 0 or anything else below is not told from 0.
  for (const Interval& open : {tiny - tiny, tiny + Interval(-1, 1), tiny * zero, tiny * Interval(0, 1), -tiny + zero}) BOOST_TEST(!disjoint(open, zero));
  BOOST_TEST(!disjoint(tiny, tiny * Interval(2.0)));
  BOOST_TEST(is_less(Interval::negative_infinity(), tiny));
}

}  // namespace foldproof::properties
