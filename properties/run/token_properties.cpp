// SPDX-License-Identifier: MIT
// The word that stands for a failing case finds the same failure again, or is refused; it never runs something else.
#include <boost/test/unit_test.hpp>

#include "read/parse.hpp"
#include "run/report_json.hpp"
#include "run/token.hpp"

namespace foldproof {
namespace {

using campaign::Mutation;
using run::CaseToken;

record::ClaimRecord claim(const std::string& text = "X: [n, d]; A: [d, p]; B: [p, k]\n(X @ A) @ B == X @ (A @ B)") {
  record::ClaimRecord c;
  c.id = "two maps: in a row";
  c.text = text;
  c.expect = "proved";
  return c;
}

infer::Problem problem(const record::ClaimRecord& c) { return infer::elaborate(read::parse_claim(c.text)); }

campaign::Campaign broken_campaign(Mutation mutation, std::vector<std::string> formats) {
  campaign::CampaignOptions how;
  how.seed = 7;
  how.cases = 200;
  how.claim = claim().id;
  how.formats = std::move(formats);
  how.mutation = mutation;
  return campaign::run(problem(claim()), how, campaign::Expectation::equal);
}

std::string refusal(const std::function<void()>& job) {
  try {
    job();
    return "none";
  } catch (const expr::Error& e) {
    return e.diagnostic().code;
  }
}

BOOST_AUTO_TEST_CASE(a_failure_in_any_lane_is_found_again_and_is_gone_without_the_bug) {
  for (const auto& [mutation, format] : {std::pair{Mutation::drop_tail, "float64"}, std::pair{Mutation::wrong_scale, "float32"}, std::pair{Mutation::flipped_row, "bfloat16"}}) {
    const campaign::Campaign campaign = broken_campaign(mutation, {format});
    BOOST_REQUIRE(campaign.failure);
    const CaseToken token = run::token_of(claim(), problem(claim()), 7, campaign.failure->case_index, campaign.failure->lane);
    const CaseToken read = run::parse_token(run::text(token));
    BOOST_TEST((read == token), run::text(token));
    const run::CaseReplay again = run::replay(read, claim(), mutation);
    BOOST_TEST(again.fails);
    BOOST_REQUIRE(again.failure);
    BOOST_TEST(again.failure->lhs == campaign.failure->lhs);
    BOOST_TEST((again.failure->values == campaign.failure->values));
    BOOST_TEST(!run::replay(read, claim()).fails);
  }
}

BOOST_AUTO_TEST_CASE(the_exact_lane_is_found_again_where_the_float_lane_sees_nothing) {
  const CaseToken token = run::token_of(claim(), problem(claim()), 7, 2, "exact lane, float64");
  BOOST_TEST(run::replay(token, claim(), Mutation::drop_tail).fails);
  BOOST_TEST(!run::replay(token, claim()).fails);
}

BOOST_AUTO_TEST_CASE(a_stale_word_is_refused) {
  const CaseToken token = run::token_of(claim(), problem(claim()), 7, 2, "float32");
  BOOST_TEST(refusal([&] { run::replay(token, claim()); }) == "none");
  BOOST_TEST(refusal([&] { run::replay(token, claim("X: [n, d]; A: [d, p]; B: [p, k]\nX @ (A @ B) == (X @ A) @ B")); }) == "token.stale");
  CaseToken other = token;
  other.input_digest.back() = other.input_digest.back() == '0' ? '1' : '0';
  BOOST_TEST(refusal([&] { run::replay(other, claim()); }) == "token.stale");
  for (auto change : {+[](CaseToken& t) { ++t.seed; }, +[](CaseToken& t) { ++t.case_index; }, +[](CaseToken& t) { t.lane = "float64"; }, +[](CaseToken& t) { t.claim += "!"; }}) {
    CaseToken changed = token;
    change(changed);
    BOOST_TEST(refusal([&] { run::replay(changed, claim()); }) == "token.stale");
  }
}

BOOST_AUTO_TEST_CASE(damaged_words_are_refused) {
  const std::string word = run::text(run::token_of(claim(), problem(claim()), 7, 2, "exact lane, float32"));
  BOOST_TEST(refusal([&] { run::parse_token(word); }) == "none");
  for (std::size_t length = 0; length < word.size() - claim().id.size() + 1; ++length) {
    BOOST_TEST_CONTEXT(word.substr(0, length)) BOOST_TEST(refusal([&] { run::parse_token(word.substr(0, length)); }) == "token.syntax");
  }
  for (const std::string bad : {"case2:7:2:float32:000000000000:000000000000:a", "case1:x:2:float32:000000000000:000000000000:a", "case1:7:-2:float32:000000000000:000000000000:a",
                                "case1:7:2:float99:000000000000:000000000000:a", "case1:7:99999999999999999999:float32:000000000000:000000000000:a"}) {
    BOOST_TEST(refusal([&] { run::parse_token(bad); }) == "token.syntax", bad);
  }
}

BOOST_AUTO_TEST_CASE(the_report_of_a_failing_case_has_its_word) {
  run::ClaimResult result;
  result.claim = claim();
  result.decision = verdict::decide(result.claim.text);
  result.campaign = broken_campaign(Mutation::drop_tail, {"float64"});
  result.token = run::text(run::token_of(claim(), problem(claim()), 7, result.campaign->failure->case_index, result.campaign->failure->lane));
  const run::Entry entry = run::entry_of(result);
  BOOST_TEST(run::standing(entry).test_failed);
  BOOST_TEST(entry.record["tests"]["failure"]["token"] == result.token);
  const run::Entry same = run::entry_from_json(Json::parse(record::dump(run::to_json(entry))));
  BOOST_TEST(record::dump(same.record) == record::dump(entry.record));
}

}  // namespace
}  // namespace foldproof
