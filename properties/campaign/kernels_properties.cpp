// SPDX-License-Identifier: MIT
// The loops under the bounds: what they call a bound is one, by exact rationals, and not much more; also where squares underflow
// or overflow, and a bound that is not finite is never enough.
#include "campaign/kernels.hpp"

#include <rapidcheck/boost_test.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "campaign/family.hpp"
#include "numeric/rational.hpp"

namespace foldproof::properties {
namespace {

namespace kernels = campaign::kernels;
using numeric::Rational;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Matrix {
  std::int64_t rows;
  std::int64_t columns;
  std::vector<double> entries;
  Rational at(std::int64_t i, std::int64_t j) const { return abs(Rational::from_double(entries[static_cast<std::size_t>(i * columns + j)])); }
};

std::vector<double> drawn(campaign::Family family, const campaign::Extent& extent, std::uint64_t seed) {
  std::vector<double> out(static_cast<std::size_t>(extent.rows * extent.columns));
  std::vector<std::uint64_t> bits(out.size());
  campaign::draw_entries(family, numeric::Stream(seed, 1), extent, numeric::float64_format, bits, out);
  return out;
}
campaign::Family any_family() { return static_cast<campaign::Family>(*rc::gen::inRange(0, campaign::family_count)); }

/// Entries of any family, some rows and columns zero, scaled so that squares underflow or overflow.
Matrix any_matrix() {
  Matrix m{*rc::gen::inRange<std::int64_t>(1, 12), *rc::gen::inRange<std::int64_t>(1, 12), {}};
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  m.entries = drawn(any_family(), {m.rows, m.columns}, seed);
  const auto zero_row = *rc::gen::inRange<std::int64_t>(0, 12), zero_column = *rc::gen::inRange<std::int64_t>(0, 12);
  const int scale = *rc::gen::element(0, 0, 300, -300, -400);
  for (std::int64_t i = 0; i < m.rows; ++i) {
    for (std::int64_t j = 0; j < m.columns; ++j) {
      double& v = m.entries[static_cast<std::size_t>(i * m.columns + j)];
      v = i == zero_row || j == zero_column ? 0 : std::ldexp(v, scale);
    }
  }
  return m;
}

/// exact <= bound <= (1 + 2**-40) exact, or as near as numbers go that are hardly above zero.
bool fits(double bound, const Rational& exact) {
  const Rational b = Rational::from_double(bound);
  return exact <= b && b <= exact * Rational::from_double(1 + 0x1p-40) + Rational::from_double(0x1p-1000);
}

Rational sum_of_squares(const Matrix& m, std::int64_t k, bool of_row) {
  Rational sum(0);
  for (std::int64_t l = 0; l < (of_row ? m.columns : m.rows); ++l) {
    const Rational v = of_row ? m.at(k, l) : m.at(l, k);
    sum = sum + v * v;
  }
  return sum;
}

}  // namespace

RC_BOOST_PROP(norms_are_bounds_and_near, ()) {
  const Matrix m = any_matrix();
  for (const bool of_rows : {true, false}) {
    std::vector<double> norms(static_cast<std::size_t>(of_rows ? m.rows : m.columns));
    of_rows ? kernels::row_norms(m.entries.data(), m.rows, m.columns, norms.data()) : kernels::column_norms(m.entries.data(), m.rows, m.columns, norms.data());
    for (std::size_t k = 0; k < norms.size(); ++k) {
      const Rational squares = sum_of_squares(m, static_cast<std::int64_t>(k), of_rows);
      RC_ASSERT(std::isfinite(norms[k]));
      const Rational norm = Rational::from_double(norms[k]);
      RC_ASSERT(squares <= norm * norm);
      // Twice the relative error in the square; the smallest numbers are further apart than that.
      const Rational slack = Rational::from_double(0x1p-1070);
      const Rational below = norm > slack ? (norm - slack) * Rational::from_double(1 - 0x1p-40) : Rational(0);
      RC_ASSERT(below * below <= squares);
      if (squares == Rational(0)) RC_ASSERT(norms[k] == 0);
    }
  }
}

RC_BOOST_PROP(products_of_magnitudes_are_bounds_and_near, ()) {
  const Matrix m = any_matrix();
  const auto factors = [](std::int64_t count) {
    std::vector<double> x = drawn(campaign::Family::uniform, {1, count}, *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
    for (double& v : x) v = std::abs(v);
    return x;
  };
  const std::vector<double> x = factors(m.columns), z = factors(m.rows);
  std::vector<double> y(static_cast<std::size_t>(m.rows)), w(static_cast<std::size_t>(m.columns));
  kernels::absolute_times(m.entries.data(), m.rows, m.columns, x.data(), y.data());
  kernels::times_absolute(z.data(), m.entries.data(), m.rows, m.columns, w.data());
  for (std::int64_t i = 0; i < m.rows; ++i) {
    Rational exact(0);
    for (std::int64_t j = 0; j < m.columns; ++j) exact = exact + m.at(i, j) * Rational::from_double(x[static_cast<std::size_t>(j)]);
    RC_ASSERT(fits(y[static_cast<std::size_t>(i)], exact));
  }
  for (std::int64_t j = 0; j < m.columns; ++j) {
    Rational exact(0);
    for (std::int64_t i = 0; i < m.rows; ++i) exact = exact + m.at(i, j) * Rational::from_double(z[static_cast<std::size_t>(i)]);
    RC_ASSERT(fits(w[static_cast<std::size_t>(j)], exact));
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_finite_has_no_norm_and_is_no_bound) {
  for (const double odd : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    const double m[] = {1, 2, odd, 4};
    double norms[2];
    kernels::row_norms(m, 2, 2, norms);
    BOOST_TEST(norms[0] < 2.3);
    BOOST_TEST(norms[1] == infinity);
    kernels::column_norms(m, 2, 2, norms);
    BOOST_TEST(norms[0] == infinity);
    BOOST_TEST(norms[1] < 4.5);
    const double a[] = {1, 1}, b[] = {1, 1}, bound[] = {1, odd};
    BOOST_TEST(!kernels::exceeds(a, b, bound, 1, 1));
    BOOST_TEST(kernels::exceeds(a, b, bound, 1, 2));
    const double c[] = {1, odd};
    const double two[] = {1, 1};
    BOOST_TEST(kernels::exceeds(a, c, two, 1, 2));
  }
}

}  // namespace foldproof::properties
