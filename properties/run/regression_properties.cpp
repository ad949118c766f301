// SPDX-License-Identifier: MIT
// A failure is stored as a literal case and is seen again when it is replayed, until the claim is mended.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "record/files.hpp"
#include "run/regressions.hpp"
#include "run/report_json.hpp"

namespace foldproof {
namespace {

run::Entry decided(const std::string& text, const std::string& expect) {
  run::ClaimResult result;
  result.claim.id = "example";
  result.claim.text = text;
  result.claim.expect = expect;
  result.decision = verdict::decide(text);
  return run::entry_of(result);
}

BOOST_AUTO_TEST_CASE(a_claim_expected_true_and_refuted_leaves_its_minimal_case) {
  const auto regression = run::regression_of(decided("A: [n, n]; B: [n, n]\nA @ B == B @ A", "proved"));
  BOOST_REQUIRE(regression);
  BOOST_TEST(regression->dims.at("n") == 2);
  BOOST_TEST(run::replay(*regression).fails);
  record::Regression mended = *regression;
  mended.claim = "A: [n, n]; B: [n, n]\n(A @ B).T == B.T @ A.T";
  BOOST_TEST(!run::replay(mended).fails);
}

BOOST_AUTO_TEST_CASE(a_claim_refuted_as_expected_leaves_nothing) {
  BOOST_TEST(!run::regression_of(decided("A: [n, n]; B: [n, n]\nA @ B == B @ A", "refuted")).has_value());
}

BOOST_AUTO_TEST_CASE(logits_that_are_multiples_of_log_two_keep_their_value) {
  const auto regression = run::regression_of(decided("S: [n, m]; b: [1, m]\nsoftmax(S + b) == softmax(S)", "proved"));
  BOOST_REQUIRE(regression);
  BOOST_TEST(run::replay(*regression).fails);
}

BOOST_AUTO_TEST_CASE(a_float_case_beyond_the_bound_still_fails_and_one_within_does_not) {
  record::Regression r{"scale", "X: [n, d]\n2*X == 3*X", "float32", {{"n", 1}, {"d", 2}}, {{"X", {1, 2}, {"1", "1/2"}}}};
  BOOST_TEST(run::replay(r).fails);
  r.claim = "X: [n, d]\n2*X == X + X";
  const auto replay = run::replay(r);
  BOOST_TEST_CONTEXT(replay.detail) BOOST_TEST(!replay.fails);
}

BOOST_AUTO_TEST_CASE(a_case_that_cannot_be_replayed_counts_as_failing) {
  record::Regression r{"broken", "X: [n, d]\nX == sotfmax(X)", "exact", {{"n", 1}, {"d", 1}}, {{"X", {1, 1}, {"1"}}}};
  BOOST_TEST(run::replay(r).fails);
  r.claim = "X: [n, d]\n2*X == X + X";
  r.values[0].values[0] = "one";
  BOOST_TEST(run::replay(r).fails);
}

BOOST_AUTO_TEST_CASE(the_file_reads_back_as_it_was_written) {
  const auto path = std::filesystem::temp_directory_path() / "foldproof-regressions-test.json";
  const std::vector<record::Regression> cases = {{"a", "X: [n, d]\n2*X == 3*X", "exact", {{"n", 1}, {"d", 2}}, {{"X", {1, 2}, {"-3/7", "2*log(2)"}}}}};
  record::write_atomically(path, record::write_regressions(cases));
  BOOST_TEST((record::read_regressions(path) == cases));
  for (const char* bad : {"{", "[]", R"({"schema":"foldproof-regressions-1"})", R"({"schema":"other","cases":[]})", R"({"schema":"foldproof-regressions-1","cases":[{"id":"a"}]})",
                          R"({"schema":"foldproof-regressions-1","cases":[],"more":1})"}) {
    record::write_atomically(path, bad);
    BOOST_TEST_CONTEXT(bad) BOOST_CHECK_THROW(record::read_regressions(path), expr::Error);
  }
  std::filesystem::remove(path);
  BOOST_TEST(record::read_regressions(path).empty());
}

}  // namespace
}  // namespace foldproof
