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

struct Change {
  const char* name;
  void (*make)(expr::Claim&);
};
const Change changes[] = {
    {"sides exchanged", [](expr::Claim& claim) { std::swap(claim.lhs, claim.rhs); }},
    {"declarations reversed", [](expr::Claim& claim) { std::reverse(claim.declarations.begin(), claim.declarations.end()); }},
    {"one more name", [](expr::Claim& claim) { claim.declarations.insert(claim.declarations.begin(), {"unused_", {3}, {}}); }},
};

/// Each claim is written in one other order, the next claim in the next; with FOLDPROOF_WHOLE_SEARCH set in every one.
BOOST_AUTO_TEST_CASE(a_proof_is_found_in_whatever_order_a_claim_is_written) {
  const bool whole = whole_search();
  std::size_t count = 0;
  const auto check = [&](const char* text) {
    expr::Claim claim = read::parse_claim(text);
    claim = kernel::declared(claim, infer::elaborate(claim));  // or another order would be read in another way
    if (claim.relation != expr::Relation::equal || claim.declarations.empty()) return;  // beside a tensor max(n, 1) is no claim about sizes
    ++count;
    for (std::size_t k = 0; k < std::size(changes); ++k) {
      if (!whole && k != count % std::size(changes)) continue;
      expr::Claim other = claim;
      changes[k].make(other);
      BOOST_TEST(proof_of(other).certificate.has_value(), expr::text(other) << ": " << changes[k].name);
    }
  };
  for (const char* claim : proved_claims) check(claim);
  for (const char* claim : reduced_claims) check(claim);
  BOOST_TEST(count > 100u);
}

}  // namespace
}  // namespace foldproof::properties
