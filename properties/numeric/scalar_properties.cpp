// SPDX-License-Identifier: MIT
// Exact scalars: fractions against Boost's cpp_rational, correct rounding against neighbouring doubles, the ring Q[ln 2]
// against 50 digits and against its own laws, and the templated interface that all scalar types share.
#include <bit>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <vector>

#include "expr/diagnostic.hpp"
#include "numeric/samples.hpp"
#include "numeric/scalar.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::properties {
namespace {

using boost::multiprecision::cpp_bin_float_50;
using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;
using numeric::Exact;
using numeric::NeedsReals;
using numeric::Rational;
using numeric::Undefined;

cpp_rational reference(const Rational& value) { return cpp_rational(value.text()); }

// No neighbour in the format is nearer. Ties have a property of their own.
template <class F>
bool is_nearest(const Rational& value, F rounded) {
  if (std::isinf(rounded)) return false;
  const auto distance = [&](F x) { return abs(value - Rational::from_double(x)); };
  for (const F towards : {-std::numeric_limits<F>::infinity(), std::numeric_limits<F>::infinity()}) {
    const F neighbour = std::nextafter(rounded, towards);
    if (std::isinf(neighbour)) continue;
    if (distance(neighbour) < distance(rounded)) return false;
  }
  return true;
}

Exact polynomial(Samples& samples, int degree) {
  Exact result;
  for (int power = 0; power <= degree; ++power) result = result + Exact(samples.fraction()) * pow(Exact::log_two(), expr::Rational(power));
  return result;
}

cpp_bin_float_50 digits(const Rational& value) { return reference(value).convert_to<cpp_bin_float_50>(); }

cpp_bin_float_50 digits(const Exact& value) {
  cpp_bin_float_50 sum = 0;
  for (std::size_t power = value.degree() + 1; power-- > 0;) sum = sum * log(cpp_bin_float_50(2)) + digits(value.coefficient(power));
  return sum;
}

template <class T>
std::vector<T> softmax(const std::vector<T>& row) {
  using namespace numeric;
  T top = negative_infinity<T>();
  for (const T& x : row) top = max(top, x);
  T sum = from<T>(0);
  for (const T& x : row) sum = sum + exp(x - top);
  std::vector<T> result;
  for (const T& x : row) result.push_back(exp(x - top) * pow(sum, expr::Rational(-1)));
  return result;
}

}  // namespace

RC_BOOST_PROP(fraction_arithmetic_agrees_with_cpp_rational, (std::uint64_t seed)) {
  Samples samples(seed);
  const Rational a = samples.fraction();
  const Rational b = samples.fraction();
  RC_ASSERT(reference(a + b) == reference(a) + reference(b));
  RC_ASSERT(reference(a - b) == reference(a) - reference(b));
  RC_ASSERT(reference(a * b) == reference(a) * reference(b));
  if (!b.is_zero()) RC_ASSERT(reference(a / b) == reference(a) / reference(b));
  RC_ASSERT((a < b) == (reference(a) < reference(b)));
  RC_ASSERT((a == b) == (reference(a) == reference(b)));
  RC_ASSERT((a + b) - b == a);
  const cpp_rational floor = reference(a.floor());
  RC_ASSERT(a.floor().is_integer());
  RC_ASSERT(floor <= reference(a));
  RC_ASSERT(reference(a) < floor + 1);
}

/// Numerators and denominators of up to 2000 bits with long common factors, and next to each other, where Euclid's quotients are all 1.
RC_BOOST_PROP(long_fractions_are_reduced_to_lowest_terms, (std::uint64_t seed)) {
  Samples samples(seed);
  const auto longer = [&] {
    cpp_int value = 1;
    for (std::int64_t words = samples.integer(1, 10); words > 0; --words) value = (value << 63) + samples.integer(0, std::int64_t{1} << 62);
    return cpp_int(value << static_cast<unsigned>(samples.integer(0, 1) * samples.integer(0, 200)));
  };
  const auto common = longer();
  auto x = cpp_int(longer() * common), y = cpp_int(longer() * common);
  if (samples.integer(0, 3) == 0) y = x + common;
  if (samples.integer(0, 3) == 0) {
    x = y = 1;
    for (std::int64_t n = samples.integer(50, 1500); n > 0; --n) x.swap(y), y += x;  // Fibonacci's numbers
  }
  const cpp_rational expected(samples.integer(0, 1) == 0 ? x : cpp_int(-x), y);
  const auto read = Rational::parse((expected < 0 ? "-" : "") + x.str() + "/" + y.str());
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->text() == expected.str());
  const auto other = *Rational::parse(y.str() + "/" + cpp_int(x + 1).str());
  const auto in_boost = cpp_rational(y, x + 1);
  RC_ASSERT((*read + other).text() == cpp_rational(expected + in_boost).str());
  RC_ASSERT((*read * other).text() == cpp_rational(expected * in_boost).str());
  RC_ASSERT((*read / other).text() == cpp_rational(expected / in_boost).str());
  RC_ASSERT((other / *read).text() == cpp_rational(in_boost / expected).str());
  RC_ASSERT((-*read).text() == cpp_rational(-expected).str());
  RC_ASSERT((*read - *read).is_zero());
}

RC_BOOST_PROP(a_square_has_its_exact_root_and_a_power_of_two_its_logarithm, (std::uint64_t seed)) {
  Samples samples(seed);
  const Rational a = samples.fraction();
  RC_ASSERT((a * a).exact_sqrt() == abs(a));
  if (!a.is_zero()) RC_ASSERT(!(Rational(2) * a * a).exact_sqrt().has_value());
  const std::int64_t n = samples.integer(-4000, 4000);
  RC_ASSERT(Rational::power_of_two(n).exact_log2() == n);
  RC_ASSERT(!(Rational::power_of_two(n) * Rational(3)).exact_log2().has_value());
}

RC_BOOST_PROP(fraction_text_reads_back, (std::uint64_t seed)) {
  const Rational a = Samples(seed).fraction();
  RC_ASSERT(Rational::parse(a.text()) == a);
}

BOOST_AUTO_TEST_CASE(decimals_and_exponents_read_exactly_and_nonsense_does_not_read) {
  BOOST_TEST((Rational::parse("-3/7") == Rational(-3, 7)));
  BOOST_TEST((Rational::parse("0.125") == Rational(1, 8)));
  BOOST_TEST((Rational::parse("1e-5") == Rational(1, 100000)));
  BOOST_TEST((Rational::parse("-2.5E+1") == Rational(-25)));
  BOOST_TEST((Rational::parse("010") == Rational(10)));  // not octal
  BOOST_TEST(Rational::parse("-9223372036854775808")->text() == "-9223372036854775808");
  for (const char* text : {"", "-", ".", "1/0", "1/-2", "1/", "1/5x", "1.5/2", "1e", "1e5x", "--1", "+1", "x", "1 ", "nan", "inf"})
    BOOST_TEST(!Rational::parse(text).has_value(), text);
  BOOST_CHECK_THROW(Rational::parse("1e99999"), expr::LimitReached);
}

RC_BOOST_PROP(conversion_to_double_is_correctly_rounded, (std::uint64_t seed)) {
  Samples samples(seed);
  const Rational a = samples.fraction();
  const Rational scaled = a * Rational::power_of_two(samples.integer(-1100, 800));  // down into the subnormals
  RC_ASSERT(is_nearest(a, a.to_double()));
  RC_ASSERT(is_nearest(scaled, scaled.to_double()));
  const Rational single = a * Rational::power_of_two(samples.integer(-160, 0));
  RC_ASSERT(is_nearest(single, single.to_float()));
}

RC_BOOST_PROP(ties_between_doubles_go_to_even, (std::uint64_t seed)) {
  Samples samples(seed);
  const double x = std::abs(samples.number(-1070, 1000));
  const double above = std::nextafter(x, INFINITY);
  const Rational middle = (Rational::from_double(x) + Rational::from_double(above)) / Rational(2);
  const double even = (std::bit_cast<std::uint64_t>(x) & 1) == 0 ? x : above;
  RC_ASSERT(middle.to_double() == even);
  RC_ASSERT((-middle).to_double() == -even);
  const auto f = static_cast<float>(std::abs(samples.number(-148, 100)));
  const float next = std::nextafter(f, INFINITY);
  const float even_float = (std::bit_cast<std::uint32_t>(f) & 1) == 0 ? f : next;
  const Rational between = (Rational::from_double(f) + Rational::from_double(next)) / Rational(2);
  const Rational nudge = Rational::power_of_two(-400);  // far below double's precision: rounding twice would lose it
  RC_ASSERT(between.to_float() == even_float);
  RC_ASSERT((between + nudge).to_float() == next);
  RC_ASSERT((between - nudge).to_float() == f);
}

RC_BOOST_PROP(a_double_survives_the_way_through_a_fraction, (std::uint64_t seed)) {
  const double x = Samples(seed).number(-1074, 1023);
  RC_ASSERT(Rational::from_double(x).to_double() == x);
}

BOOST_AUTO_TEST_CASE(fractions_beyond_the_format_become_infinite_and_nan_becomes_no_fraction) {
  BOOST_TEST(Rational::power_of_two(1024).to_double() == INFINITY);
  BOOST_TEST((-Rational::power_of_two(5000)).to_double() == -INFINITY);
  BOOST_TEST(Rational::power_of_two(128).to_float() == INFINITY);
  BOOST_TEST(Rational::power_of_two(-1076).to_double() == 0.0);
  BOOST_CHECK_THROW(Rational::from_double(NAN), Undefined);
  BOOST_CHECK_THROW(Rational(1) / Rational(0), Undefined);
}

RC_BOOST_PROP(polynomials_in_log_two_form_a_commutative_ring, (std::uint64_t seed)) {
  Samples samples(seed);
  const Exact a = polynomial(samples, 2);
  const Exact b = polynomial(samples, 1);
  const Exact c = polynomial(samples, 2);
  RC_ASSERT(a + b == b + a);
  RC_ASSERT(a * b == b * a);
  RC_ASSERT((a + b) + c == a + (b + c));
  RC_ASSERT((a * b) * c == a * (b * c));
  RC_ASSERT(a * (b + c) == a * b + a * c);
  RC_ASSERT(is_zero(a - a));
  RC_ASSERT(a * Exact(1) == a);
  if (!is_zero(b)) RC_ASSERT((a * b) / b == a);
}

RC_BOOST_PROP(signs_and_decimals_of_polynomials_agree_with_fifty_digits, (std::uint64_t seed)) {
  Samples samples(seed);
  Exact a = polynomial(samples, 2);
  if (!is_zero(a) && samples.integer(0, 1) == 0) a = a - Exact(Rational::from_double(a.to_double()));  // cancels 53 bits
  const cpp_bin_float_50 value = digits(a);
  RC_ASSERT(a.sign() == value.sign());
  RC_ASSERT(abs(a).sign() >= 0);
  const auto [lower, upper] = a.enclosure(128);
  const auto [inner_lower, inner_upper] = a.enclosure(512);
  RC_ASSERT(lower <= inner_lower);
  RC_ASSERT(inner_lower <= inner_upper);
  RC_ASSERT(inner_upper <= upper);
  RC_ASSERT(abs(cpp_bin_float_50(a.to_double()) - value) <= abs(value) * cpp_bin_float_50(0x1p-53) + cpp_bin_float_50(0x1p-1074));
}

BOOST_AUTO_TEST_CASE(log_two_is_enclosed_to_every_requested_precision) {
  const Rational below = *Rational::parse("0.693147180559945309417232121458");
  const Rational above = *Rational::parse("0.693147180559945309417232121459");
  Rational width = 1;
  for (const int bits : {128, 256, 1024}) {
    const auto [lower, upper] = Exact::log_two().enclosure(bits);
    BOOST_TEST((below < lower && lower < upper && upper < above));
    BOOST_TEST((upper - lower < Rational::power_of_two(-bits) && upper - lower < width));
    width = upper - lower;
  }
  BOOST_TEST((Exact::log_two() - Exact(below)).sign() == 1);
  BOOST_TEST((Exact::log_two() - Exact(above)).sign() == -1);
}

RC_BOOST_PROP(exp_and_log_are_inverse_on_multiples_of_log_two, (std::uint64_t seed)) {
  Samples samples(seed);
  const Exact x = Exact::log_two(samples.integer(-4096, 4096));
  const Exact y = Exact::log_two(samples.integer(-2000, 2000));
  RC_ASSERT(log(exp(x)) == x);
  RC_ASSERT(exp(y + y) == exp(y) * exp(y));
  RC_ASSERT_THROWS_AS(exp(x + Exact(1)), NeedsReals);
  RC_ASSERT_THROWS_AS(exp(Exact::log_two(Rational(1, 2)) + x), NeedsReals);
  RC_ASSERT_THROWS_AS(log(exp(x) * Exact(3)), NeedsReals);
}

RC_BOOST_PROP(half_powers_of_squares_are_exact, (std::uint64_t seed)) {
  Samples samples(seed);
  const Rational r = samples.fraction();
  RC_PRE(!r.is_zero());
  const Exact root = Exact(abs(r)) * pow(Exact::log_two(), expr::Rational(samples.integer(0, 3)));
  RC_ASSERT(pow(root * root, expr::Rational(1, 2)) == root);
  RC_ASSERT(pow(root * root, expr::Rational(3, 2)) == root * root * root);
  if (root.is_rational()) RC_ASSERT(pow(root * root, expr::Rational(-1, 2)) * root == Exact(1));
  RC_ASSERT_THROWS_AS(pow(root * root * Exact(2), expr::Rational(1, 2)), NeedsReals);
  RC_ASSERT_THROWS_AS(pow(-root, expr::Rational(1, 2)), Undefined);
}

BOOST_AUTO_TEST_CASE(exact_values_print_as_numpy_reads_them) {
  const Exact l = Exact::log_two();
  BOOST_TEST(Exact(Rational(3, 2)).text() == "3/2");
  BOOST_TEST(Exact().text() == "0");
  BOOST_TEST(l.text() == "log(2)");
  BOOST_TEST((Exact(1) - l - l).text() == "-2*log(2) + 1");
  BOOST_TEST((l * l - Exact(Rational(1, 2))).text() == "log(2)**2 - 1/2");
  BOOST_TEST((-l).text() == "-log(2)");
  BOOST_TEST(Exact::negative_infinity().text() == "-inf");
}

BOOST_AUTO_TEST_CASE(minus_infinity_absorbs_sums_and_positive_factors_vanishes_in_exp_and_is_undefined_elsewhere) {
  const Exact mask = Exact::negative_infinity();
  const Exact l = Exact::log_two();
  BOOST_TEST((mask + l == mask && l + mask == mask && mask - l == mask && mask + mask == mask));
  BOOST_TEST((exp(mask) == Exact(0) && max(mask, l) == l && max(l, mask) == l && mask != l));
  BOOST_TEST(!is_zero(mask));
  BOOST_TEST((mask * l == mask && Exact(Rational(1, 3)) * mask == mask && mask / Exact(2) == mask && mask * (Exact(1) - l) == mask));
  BOOST_CHECK_THROW(mask * Exact(-1), Undefined);
  BOOST_CHECK_THROW(mask * (l - Exact(1)), Undefined);
  BOOST_CHECK_THROW(mask * mask, Undefined);
  BOOST_CHECK_THROW(mask / Exact(0), Undefined);
  BOOST_CHECK_THROW(mask / Exact(-2), Undefined);
  BOOST_CHECK_THROW(mask / mask, Undefined);
  BOOST_CHECK_THROW(l - mask, Undefined);
  BOOST_CHECK_THROW(mask - mask, Undefined);
  BOOST_CHECK_THROW(mask * Exact(0), Undefined);
  BOOST_CHECK_THROW(Exact(1) / mask, Undefined);
  BOOST_CHECK_THROW(abs(mask), Undefined);
  BOOST_CHECK_THROW(log(mask), Undefined);
  BOOST_CHECK_THROW(pow(mask, 2), Undefined);
}

BOOST_AUTO_TEST_CASE(undefined_and_irrational_are_told_apart) {
  const Exact l = Exact::log_two();
  BOOST_CHECK_THROW(l / Exact(0), Undefined);
  BOOST_CHECK_THROW(Exact(1) / l, NeedsReals);
  BOOST_TEST(((l * l - Exact(1)) / (l - Exact(1)) == l + Exact(1)));
  BOOST_CHECK_THROW(log(Exact(0)), Undefined);
  BOOST_CHECK_THROW(log(l - Exact(1)), Undefined);
  BOOST_CHECK_THROW(pow(Exact(0), -1), Undefined);
  BOOST_CHECK_THROW(pow(Exact(2), expr::Rational(1, 3)), NeedsReals);
  BOOST_CHECK_THROW(pow(l, expr::Rational(1, 2)), NeedsReals);
  BOOST_CHECK_THROW(sin(l), NeedsReals);
  BOOST_TEST((cos(Exact(0)) == Exact(1) && normal_cdf(Exact(0)) == Exact(Rational(1, 2)) && max(l, Exact(1)) == Exact(1)));
  BOOST_CHECK_THROW(pow(pow(Exact(3), 4096), 4096), NeedsReals);
  BOOST_CHECK_THROW(pow(l + Exact(1), 4096), NeedsReals);
  BOOST_CHECK_THROW(exp(Exact::log_two(4097)), NeedsReals);
}

RC_BOOST_PROP(softmax_of_multiples_of_log_two_sums_to_one_in_every_scalar_type, (std::uint64_t seed)) {
  Samples samples(seed);
  std::vector<Exact> exact{Exact::negative_infinity()};
  std::vector<double> doubles{numeric::negative_infinity<double>()};
  std::vector<numeric::Interval> intervals{numeric::Interval::negative_infinity()};
  for (int i = 0; i < 4; ++i) {
    exact.push_back(Exact::log_two(samples.integer(-9, 9)));
    doubles.push_back(exact.back().to_double());
    intervals.push_back(numeric::Interval::from(exact.back()));
  }
  const auto rows = softmax(exact);
  const auto enclosed = softmax(intervals);
  const auto rounded = softmax(doubles);
  Exact sum;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sum = sum + rows[i];
    RC_ASSERT(enclosed[i].contains(numeric::Interval::from(rows[i])));
    RC_ASSERT(std::abs(rounded[i] - rows[i].to_double()) < 1e-14);
  }
  RC_ASSERT(sum == Exact(1));
  RC_ASSERT(is_zero(rows[0]));
}

BOOST_AUTO_TEST_CASE(float_and_double_follow_numpy_at_the_edges) {
  using namespace numeric;
  BOOST_TEST(from<float>(expr::Rational(1, 10)) == 0.1F);
  BOOST_TEST(from<double>(expr::Rational(1, 10)) == 0.1);
  BOOST_TEST(std::isnan(max(std::nan(""), 1.0)));
  BOOST_TEST(std::isnan(max(1.0, std::nan(""))));
  BOOST_TEST(max(negative_infinity<double>(), 1.0) == 1.0);
  BOOST_TEST(pow(3.0, expr::Rational(2)) == 9.0);
  BOOST_TEST(pow(4.0, expr::Rational(-1, 2)) == 0.5);
  BOOST_TEST(pow(8.0F, expr::Rational(1, 3)) == 2.0F);
  BOOST_TEST(normal_cdf(0.0) == 0.5);
  BOOST_TEST(normal_cdf(-30.0) > 0.0);  // the tail is not lost to 1 - 1
  BOOST_CHECK_THROW(negative_infinity<PrimeField>(), NeedsReals);
  BOOST_CHECK_THROW(negative_infinity<Rational>(), NeedsReals);
}

}  // namespace foldproof::properties
