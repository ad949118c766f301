// SPDX-License-Identifier: MIT
// Tests run on a stack as large as that of the tool, also where sanitizers make every frame larger.
#define BOOST_TEST_MODULE foldproof
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>

#include "expr/large_stack.hpp"

int main(int argc, char* argv[]) {
  int result = 1;
  foldproof::expr::on_large_stack([&] { result = boost::unit_test::unit_test_main([] { return true; }, argc, argv); });
  return result;
}
