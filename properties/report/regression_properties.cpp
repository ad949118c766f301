// SPDX-License-Identifier: MIT
// A failure is stored as a literal case and is seen again when it is replayed, until the claim is mended.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "record/files.hpp"
#include "report/regressions.hpp"
#include "report/report_json.hpp"

namespace foldproof {
namespace {

report::Entry decided(const std::string& text, const std::string& expect) {
  report::ClaimResult result;
  result.claim.id = "example";
  result.claim.text = text;
  result.claim.expect = expect;
  result.decision = verdict::decide(text);
  return report::entry_of(result);
}

BOOST_AUTO_TEST_CASE(a_claim_expected_true_and_refuted_leaves_its_minimal_case) {
  const auto regression = report::regression_of(decided("A: [n, n]; B: [n, n]\nA @ B == B @ A", "proved"));
  BOOST_REQUIRE(regression);
  BOOST_TEST(regression->dims.at("n") == 2);
  BOOST_TEST(report::replay(*regression).fails);
  record::Regression mended = *regression;
  mended.claim = "A: [n, n]; B: [n, n]\n(A @ B).T == B.T @ A.T";
  BOOST_TEST(!report::replay(mended).fails);
}

BOOST_AUTO_TEST_CASE(a_claim_refuted_as_expected_leaves_nothing) {
  BOOST_TEST(!report::regression_of(decided("A: [n, n]; B: [n, n]\nA @ B == B @ A", "refuted")).has_value());
}

BOOST_AUTO_TEST_CASE(logits_that_are_multiples_of_log_two_keep_their_value) {
  const auto regression = report::regression_of(decided("S: [n, m]; b: [1, m]\nsoftmax(S + b) == softmax(S)", "proved"));
  BOOST_REQUIRE(regression);
  BOOST_TEST(report::replay(*regression).fails);
}

BOOST_AUTO_TEST_CASE(a_float_case_beyond_the_bound_still_fails_and_one_within_does_not) {
  record::Regression r{"scale", "X: [n, d]\n2*X == 3*X", "float32", {{"n", 1}, {"d", 2}}, {{"X", {1, 2}, {"1", "1/2"}}}};
  BOOST_TEST(report::replay(r).fails);
  r.claim = "X: [n, d]\n2*X == X + X";
  const auto replay = report::replay(r);
  BOOST_TEST_CONTEXT(replay.detail) BOOST_TEST(!replay.fails);
}

BOOST_AUTO_TEST_CASE(a_case_that_cannot_be_replayed_counts_as_failing) {
  record::Regression r{"broken", "X: [n, d]\nX == sotfmax(X)", "exact", {{"n", 1}, {"d", 1}}, {{"X", {1, 1}, {"1"}}}};
  BOOST_TEST(report::replay(r).fails);
  r.claim = "X: [n, d]\n2*X == X + X";
  r.values[0].values[0] = "one";
  BOOST_TEST(report::replay(r).fails);
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
