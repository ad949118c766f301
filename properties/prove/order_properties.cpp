// SPDX-License-Identifier: MIT
// A proof that is found is found again for the same claim written in another order: its sides exchanged, its names declared the other
// way round, a name declared that occurs nowhere.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "kernel/claims.hpp"
#include "kernel/reduction.hpp"
#include "read/parse.hpp"

namespace foldproof::properties {
namespace {

bool is_proved(const expr::Claim& claim) {
  const auto problem = infer::elaborate(claim);
  return prove::prove(claim, problem).certificate || prove::prove_by_products(claim, problem);
}

template <class Change>
void check_all(const char* what, const Change& change) {
  std::size_t count = 0;
  const auto check = [&](const char* text) {
    expr::Claim claim = read::parse_claim(text);
    claim = kernel::declared(claim, infer::elaborate(claim));  // or another order would be read in another way
    if (claim.relation != expr::Relation::equal || claim.declarations.empty()) return;  // beside a tensor max(n, 1) is no claim about sizes
    change(claim);
    ++count;
    BOOST_TEST(is_proved(claim), expr::text(claim) << ": " << what);
  };
  for (const char* claim : proved_claims) check(claim);
  for (const char* claim : reduced_claims) check(claim);
  BOOST_TEST(count > 100u);
}

BOOST_AUTO_TEST_CASE(the_sides_of_an_equation_have_no_order) {
  check_all("sides exchanged", [](expr::Claim& claim) { std::swap(claim.lhs, claim.rhs); });
}
BOOST_AUTO_TEST_CASE(declarations_have_no_order) {
  check_all("declarations reversed", [](expr::Claim& claim) { std::reverse(claim.declarations.begin(), claim.declarations.end()); });
}
BOOST_AUTO_TEST_CASE(a_name_that_occurs_nowhere_changes_nothing) {
  check_all("one more name", [](expr::Claim& claim) { claim.declarations.insert(claim.declarations.begin(), {"unused_", {3}, {}}); });
}

}  // namespace
}  // namespace foldproof::properties
