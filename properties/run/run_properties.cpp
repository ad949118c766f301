// SPDX-License-Identifier: MIT
// A long campaign that is run in pieces on several threads is the campaign that one thread runs from the first case to the last.
#include <boost/test/unit_test.hpp>

#include "run/report_json.hpp"
#include "verdict/decide.hpp"

namespace foldproof {
namespace {

record::ClaimRecord claim(const std::string& text, const std::string& expect) {
  record::ClaimRecord c;
  c.id = "claim of " + text;
  c.text = text;
  c.expect = expect;
  return c;
}

BOOST_AUTO_TEST_CASE(pieces_on_threads_are_the_campaign_in_one_go) {
  constexpr std::int64_t cases = 9001;  // two whole pieces and a part of one
  const std::vector<record::ClaimRecord> claims = {claim("a: []; b: []\na + b == b + a", "proved"), claim("a: []; b: []\na * b == a + b", "refuted")};
  run::RunOptions options;
  options.cases = cases;
  options.seed = 3;
  options.threads = 3;
  const auto results = run::run(claims, options);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    campaign::CampaignOptions how;
    how.seed = 3;
    how.cases = cases;
    how.claim = claims[i].id;
    const auto whole = campaign::run(*results[i].decision->problem, how, i == 0 ? campaign::Expectation::equal : campaign::Expectation::different);
    BOOST_REQUIRE(results[i].campaign);
    BOOST_TEST(results[i].campaign->digest_exact_input() == whole.digest_exact_input());
    BOOST_TEST(results[i].campaign->digest_numeric_input() == whole.digest_numeric_input());
    BOOST_TEST(results[i].campaign->formats[0].cases == cases);
  }
}

BOOST_AUTO_TEST_CASE(a_claim_without_cases_is_not_tested_and_says_so) {
  run::RunOptions options;
  options.cases = 20;
  const auto results = run::run({claim("x: []; Y: [n, d]; assume x**2 == 2\nx * (x * Y) == 2 * Y", "proved")}, options);
  BOOST_TEST(run::as_expected(results[0]));
  BOOST_TEST(!results[0].campaign);
  BOOST_TEST(results[0].not_tested.find("no case") == 0);
  BOOST_TEST(!run::test_failed(results[0]));
}

BOOST_AUTO_TEST_CASE(an_interrupted_claim_leaves_nothing) {
  std::atomic<bool> interrupted{true};
  run::RunOptions options;
  options.cases = 1;
  options.interrupted = &interrupted;
  const std::vector<record::ClaimRecord> claims = {claim("a: []\na == a + 0", "proved")};
  run::Entries entries(1);
  run::run(claims, options, entries, [](std::size_t, const run::Entry&) { BOOST_FAIL("nothing is kept"); });
  BOOST_TEST(!entries[0].has_value());
  BOOST_TEST(run::count(entries).skipped == 1U);
}

BOOST_AUTO_TEST_CASE(known_claims_are_not_run_again) {
  run::RunOptions options;
  const std::vector<record::ClaimRecord> claims = {claim("a: []\na == a + 0", "proved"), claim("a: []\na == a + 1", "refuted")};
  run::Entries entries(2);
  std::vector<std::size_t> kept;
  run::run(claims, options, entries, [&](std::size_t i, const run::Entry&) { kept.push_back(i); });
  BOOST_TEST(kept.size() == 2U);
  const std::string all = run::digest(entries, "exact");
  entries[1].reset();
  kept.clear();
  run::run(claims, options, entries, [&](std::size_t i, const run::Entry&) { kept.push_back(i); });
  BOOST_TEST(kept == std::vector<std::size_t>{1}, boost::test_tools::per_element());
  BOOST_TEST(run::digest(entries, "exact") == all);
}

}  // namespace
}  // namespace foldproof
