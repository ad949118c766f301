// SPDX-License-Identifier: MIT
// The operator that CONTRIBUTING.md shows how to add: its code block, taken from the text, is an operator and computes what it says.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <span>

#include "expr/ops/functions.hpp"

namespace foldproof::expr::ops {
#include "recipe_operator.inc"
}  // namespace foldproof::expr::ops

namespace foldproof::expr {
namespace {

static_assert(Operator<ops::HardTanh>, "the recipe lacks info or shape");

/// As much of an algebra as an entrywise operator asks for.
struct Numbers {
  using Value = double;
  using Index = std::int64_t;
  using Operand = std::function<double(int, std::span<const Index>)>;
  static Index index(const Dim& d) { return d.constant().value(); }
  static Value number(const Rational& q) { return static_cast<double>(q.num()) / static_cast<double>(q.den()); }
  static Value apply(Function f, Value v) {
    BOOST_REQUIRE((f == Function::abs));
    return std::abs(v);
  }
};

BOOST_AUTO_TEST_CASE(the_recipe_for_an_operator_works) {
  BOOST_TEST(ops::HardTanh::info.name == std::string("hard_tanh"));
  Call call;
  call.operands = {{1, 4}};
  call.result = call.operands[0];
  const double x[] = {-3, -0.25, 0.5, 7};
  const double expected[] = {-1, -0.25, 0.5, 1};
  Numbers algebra;
  const Numbers::Operand operand = [&](int, std::span<const std::int64_t> at) { return x[static_cast<std::size_t>(at[1])]; };
  for (std::int64_t j = 0; j < 4; ++j) {
    const std::int64_t at[] = {0, j};
    BOOST_TEST(ops::HardTanh::entry(Site<Numbers>(algebra, call, operand, at)) == expected[j]);
  }
}

}  // namespace
}  // namespace foldproof::expr
