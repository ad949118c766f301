// SPDX-License-Identifier: MIT
// A counterexample as a NumPy program: nothing that a claim may call is missing there.
#include "verdict/numpy.hpp"

#include <boost/test/unit_test.hpp>

#include "expr/operators.hpp"

namespace foldproof {
namespace {

BOOST_AUTO_TEST_CASE(a_numpy_program_has_every_operator) {
  for (int id = 0; id < expr::operator_count; ++id) {
    const std::string_view name = expr::operator_info(id).name;
    const bool called = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
    if (called && name != "negate") BOOST_TEST(verdict::snippet_defines(name), name);
  }
  BOOST_TEST(!verdict::snippet_defines("negate"));
}

}  // namespace
}  // namespace foldproof
