// SPDX-License-Identifier: MIT
// Drawing a whole matrix, by vector instructions where the processor has them, gives the numbers that single draws give.
#include "numeric/random.hpp"

#include <rapidcheck/boost_test.h>

#include <bit>
#include <boost/test/unit_test.hpp>
#include <vector>

namespace foldproof::properties {

RC_BOOST_PROP(a_matrix_holds_what_single_draws_give, ()) {
  const auto rows = *rc::gen::inRange<std::int64_t>(0, 40), columns = *rc::gen::inRange<std::int64_t>(1, 70);
  const numeric::Stream stream(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()), *rc::gen::arbitrary<std::uint64_t>());
  std::vector<std::uint64_t> matrix(static_cast<std::size_t>(rows * columns));
  stream.draw_matrix(columns, matrix);
  std::size_t i = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) RC_ASSERT(matrix[i++] == stream.draw(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column)));
  }
}

RC_BOOST_PROP(the_normal_numbers_count_bits, ()) {
  const auto bits = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()) & *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  for (const std::uint64_t b : {bits, ~bits, std::uint64_t{0}, ~std::uint64_t{0}}) RC_ASSERT(numeric::popcount_normal(b) == (std::popcount(b) - 32) / 4.0);
}

}  // namespace foldproof::properties
