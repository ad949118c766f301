// SPDX-License-Identifier: MIT
// Every seeded bug is caught within 160 cases, and the case it is caught on is shrunk and still fails. A campaign that cannot
// fail proves nothing.
#include <boost/test/unit_test.hpp>

#include "campaign/sides.hpp"
#include "claims.hpp"

namespace foldproof::properties {
namespace {

using campaign::Campaign;
using campaign::Mutation;

Campaign mutated(const std::string& claim, Mutation mutation, const std::vector<std::string>& formats) {
  campaign::CampaignOptions options;
  options.seed = 3;
  options.cases = 160;
  options.formats = formats;
  options.mutation = mutation;
  return campaign::run(problem(claim), options, campaign::Expectation::equal);
}
bool killed(const Campaign& c) {
  std::int64_t failed = c.exact.failed;
  for (const auto& f : c.formats) failed += f.failed;
  return failed > 0 && !c.passed() && c.failure.has_value();
}

const char* const fold = "X: [n, a]; A: [a, a]; B: [a, a]; (X @ A) @ B == X @ (A @ B)";

}  // namespace

BOOST_AUTO_TEST_CASE(each_seeded_bug_in_a_fold_is_caught_in_each_wide_format) {
  for (const Mutation m : campaign::mutations) {
    for (const std::string format : {"float64", "float32"}) {
      const Campaign c = mutated(fold, m, {format});
      BOOST_TEST(killed(c), std::string(campaign::text(m)) + " in " + format);
      BOOST_TEST(c.formats[0].failed > 0, std::string(campaign::text(m)) + " in " + format);
    }
  }
}

BOOST_AUTO_TEST_CASE(gross_bugs_are_caught_in_sixteen_bits_too) {
  for (const Mutation m : {Mutation::drop_tail, Mutation::transposed_factor, Mutation::wrong_scale, Mutation::swapped_operands, Mutation::flipped_row}) {
    for (const std::string format : {"bfloat16", "float16"}) BOOST_TEST(killed(mutated(fold, m, {format})), std::string(campaign::text(m)) + " in " + format);
  }
}

BOOST_AUTO_TEST_CASE(seeded_bugs_in_attention_are_caught) {
  for (const std::size_t k : {2, 3, 4, 6, 7}) {
    for (const Mutation m : {Mutation::drop_tail, Mutation::wrong_scale, Mutation::downcast, Mutation::flipped_row}) {
      BOOST_TEST(killed(mutated(true_claims[k], m, {"float64", "float32"})), std::string(campaign::text(m)) + ": " + true_claims[k]);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_result_is_caught_where_there_is_no_product) {
  BOOST_TEST(killed(mutated(true_claims[8], Mutation::wrong_scale, {"float64"})), true_claims[8]);  // a downcast changes no input there
  for (const std::size_t k : {5, 9, 10}) {
    for (const Mutation m : {Mutation::wrong_scale, Mutation::downcast})
      BOOST_TEST(killed(mutated(true_claims[k], m, {"float64"})), std::string(campaign::text(m)) + ": " + true_claims[k]);
  }
}

BOOST_AUTO_TEST_CASE(the_exact_lane_alone_catches_a_downcast) {
  const Campaign c = mutated("X: [n, a]; A: [a, b]; B: [b, c]; (X @ A) @ B == X @ (A @ B)", Mutation::downcast, {"float32"});
  BOOST_TEST(c.exact.failed > 0);
}

BOOST_AUTO_TEST_CASE(the_shrunk_case_of_each_bug_is_small_and_still_fails) {
  for (const Mutation m : {Mutation::drop_tail, Mutation::transposed_factor, Mutation::wrong_scale, Mutation::swapped_operands, Mutation::flipped_row}) {
    const infer::Problem p = problem(fold);
    const Campaign c = mutated(fold, m, {"float64"});
    BOOST_REQUIRE(c.failure.has_value());
    std::size_t entries = 0, nonzeros = 0;
    for (const auto& named : c.failure->values) {
      entries += named.second.values.size();
      for (const double v : named.second.values) nonzeros += v != 0;
    }
    BOOST_TEST(entries <= 10, campaign::text(m));
    BOOST_TEST(nonzeros <= 3, campaign::text(m));
    campaign::Sides sides(p, c.failure->dims, numeric::float64_format, m);
    BOOST_TEST((sides.compare(c.failure->values).outcome == campaign::Comparison::Outcome::beyond), campaign::text(m));
    campaign::Sides sound(p, c.failure->dims, numeric::float64_format, Mutation::none);
    BOOST_TEST((sound.compare(c.failure->values).outcome == campaign::Comparison::Outcome::within), campaign::text(m));
  }
}

}  // namespace foldproof::properties
