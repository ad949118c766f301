// SPDX-License-Identifier: MIT
// Campaigns: no false alarm on true claims, false ones are shown different, exact lanes agree bit for bit, pieces add up to the
// whole, assumptions are respected, given tensors are tested as given.
#include <rapidcheck/boost_test.h>

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "campaign/structured.hpp"
#include "claims.hpp"
#include "expr/diagnostic.hpp"
#include "numeric/assume.hpp"

namespace foldproof::properties {
namespace {

using campaign::Campaign;
using campaign::CampaignOptions;
using campaign::Expectation;

Campaign run(const std::string& claim, std::int64_t first, std::int64_t cases, Expectation expectation, std::uint64_t seed = 11) {
  CampaignOptions options;
  options.seed = seed;
  options.first_case = first;
  options.cases = cases;
  options.sixteen_bit_every = 2;
  return campaign::run(problem(claim), options, expectation);
}
std::string everything(const Campaign& c) {
  std::string out = c.digest_exact_input() + "\n" + c.digest_numeric_input();
  for (const auto& f : c.formats) out += std::to_string(f.failed) + f.formula;
  if (c.failure) out += c.failure->lane + c.failure->lhs + c.failure->rhs + std::to_string(c.failure->case_index);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_true_claim_is_called_false_in_any_format) {
  for (const std::string claim : true_claims) {
    const Campaign c = run(claim, 0, 800, Expectation::equal);
    BOOST_TEST(c.passed(), claim);
    BOOST_TEST(c.rational_failed == 0, claim);
    for (const auto& f : c.formats) {
      BOOST_TEST(f.failed == 0, claim + " in " + f.format + ": " + f.formula);
      // Half of the sums that are accumulated in 16 bits and put through an exponential have no bound at all.
      const bool wide = f.format.find('/') == std::string::npos;
      BOOST_TEST(10 * (f.within + f.suspicious) > (wide ? 6 : 4) * f.cases, claim + " in " + f.format);
      BOOST_TEST(f.suspicious <= f.cases / 100, claim + " in " + f.format);
      BOOST_TEST(f.cases == f.discarded + f.within + f.suspicious + f.vacuous + f.beyond, claim);
    }
  }
}

RC_BOOST_PROP(other_seeds_raise_no_alarm_either, ()) {
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  const auto first = *rc::gen::inRange<std::int64_t>(0, 100000);
  const std::string claim = true_claims[*rc::gen::inRange<std::size_t>(0, std::size(true_claims))];
  const Campaign c = run(claim, first, 20, Expectation::equal, numeric::mix(seed, "alarm"));
  RC_LOG() << claim << "\n" << everything(c);
  for (const auto& f : c.formats) RC_ASSERT(f.failed == 0);
  RC_ASSERT(c.exact.failed == 0);
  RC_ASSERT(c.rational_failed == 0);
}

BOOST_AUTO_TEST_CASE(folds_agree_bit_for_bit_on_small_integers) {
  for (const std::size_t k : {0, 1, 2, 11}) {
    const Campaign c = run(true_claims[k], 0, 500, Expectation::equal);
    BOOST_TEST(c.exact.cases > 400, true_claims[k]);
    BOOST_TEST(c.exact.failed == 0, true_claims[k]);
  }
  const Campaign bounded = run("s: [n, m]; t: [m, k]; assume nonnegative(s); assume s <= 1; (2 * s) @ t == 2 * (s @ t)", 0, 200, Expectation::equal);
  BOOST_TEST(bounded.exact.cases > 300);
  BOOST_TEST(bounded.exact.failed == 0);
  BOOST_TEST(bounded.exact.note().empty());
}

/// Softmax rounds most numbers, but not equal scores of a power of two of keys; the sine is exact at zero only.
BOOST_AUTO_TEST_CASE(claims_that_round_are_exact_at_chosen_numbers_or_say_why_not) {
  const std::pair<std::size_t, std::int64_t> least_cases[] = {{3, 300}, {4, 300}, {5, 10}, {6, 15}, {10, 100}};
  for (const auto& [k, least] : least_cases) {
    const Campaign c = run(true_claims[k], 0, 400, Expectation::equal);
    BOOST_TEST(c.exact.cases > least, true_claims[k]);
    BOOST_TEST(c.exact.failed == 0, true_claims[k]);
    BOOST_TEST(c.exact.note().find("not exact by construction because of") == 0, c.exact.note());
  }
  const Campaign never = run("X: [n, m]; sin(X + 7) == sin(7 + X)", 0, 100, Expectation::equal);
  BOOST_TEST(never.exact.cases == 0);
  BOOST_TEST(never.exact.note().find("none: sin rounds") == 0, never.exact.note());
  const Campaign wrong = run("X: [n, m]; softmax(X) == softmax(X) * 2", 0, 100, Expectation::equal);
  BOOST_TEST(wrong.exact.failed > 0);
  BOOST_TEST(wrong.exact.failed == wrong.exact.cases);
}

/// Exponents that are multiples of log(2) make softmax rational.
BOOST_AUTO_TEST_CASE(the_rational_lane_reaches_softmax) {
  const Campaign c = run(true_claims[3], 0, 640, Expectation::equal);
  BOOST_TEST(c.rational_cases > 2);
  BOOST_TEST(c.rational_failed == 0);
  BOOST_TEST(run("X: [n, m]; Y: [n, m]; softmax(X) * Y == Y * exp(X)", 0, 640, Expectation::different).rational_failed > 5);
}

BOOST_AUTO_TEST_CASE(three_maps_in_a_row_are_one_in_every_grouping) {
  const Campaign c = run("X: [n, a]; A: [a, b]; B: [b, c]; C: [c, d]; ((X @ A) @ B) @ C == X @ (A @ (B @ C))", 0, 500, Expectation::equal);
  BOOST_TEST(c.passed());
  BOOST_TEST(c.exact.cases > 300);
}

BOOST_AUTO_TEST_CASE(false_claims_differ_by_more_than_rounding) {
  for (const std::string claim : {"X: [n, a]; U: [a, b]; V: [b, c]; softmax(X @ U) @ V == X @ (U @ V)",
                                  "X: [n, a]; U: [a, b]; V: [b, c]; relu(X @ U) @ V == X @ (U @ V)", "softmax(X + Y) == softmax(X) + softmax(Y)",
                                  "exp(X + Y) == exp(X) + exp(Y)", "A: [a, a]; B: [a, a]; A @ B == B @ A", "Z: [r, a]; gelu(Z) == gelu_tanh(Z)"}) {
    const Campaign c = run(claim, 0, 100, Expectation::different);
    BOOST_TEST(c.passed(), claim);
    BOOST_TEST(c.formats[0].beyond > 50, claim);
    BOOST_TEST(c.formats[0].failed == 0, claim);
    BOOST_TEST(c.largest_gap_ratio > 1e6, claim);
    BOOST_TEST(!run(claim, 0, 100, Expectation::equal).passed(), claim);
  }
  BOOST_TEST(!run(true_claims[0], 0, 100, Expectation::different).passed());
}

/// Softmax between two maps: the smallest literal case, and the gap that no rounding explains.
BOOST_AUTO_TEST_CASE(a_failure_is_shrunk_to_a_small_literal_case) {
  const Campaign c = run("A: [a, a]; B: [a, a]; A @ B == B @ A", 0, 40, Expectation::equal);
  BOOST_REQUIRE(c.failure.has_value());
  BOOST_TEST(c.failure->dims.at("a") == 2);
  int nonzeros = 0;
  for (const auto& [name, tensor] : c.failure->values) {
    for (const double v : tensor.values) {
      nonzeros += v != 0;
      BOOST_TEST((v == 0 || v == 1), name);
    }
  }
  BOOST_TEST(nonzeros == 2);
}

RC_BOOST_PROP(pieces_add_up_to_the_whole, ()) {
  const std::string claim =
      *rc::gen::elementOf(std::vector<std::string>{true_claims[0], true_claims[4], true_claims[8], "A: [a, a]; B: [a, a]; A @ B == B @ A"});
  const auto first = *rc::gen::inRange<std::int64_t>(0, 200);
  const auto a = *rc::gen::inRange<std::int64_t>(0, 40);
  const auto b = *rc::gen::inRange<std::int64_t>(0, 40);
  const auto c = *rc::gen::inRange<std::int64_t>(1, 40);
  const auto piece = [&](std::int64_t from, std::int64_t count) { return run(claim, from, count, Expectation::equal); };
  const Campaign whole = piece(first, a + b + c);
  const Campaign x = piece(first, a), y = piece(first + a, b), z = piece(first + a + b, c);
  RC_ASSERT(everything(merged(merged(x, y), z)) == everything(whole));
  RC_ASSERT(everything(merged(x, merged(y, z))) == everything(whole));
}

RC_BOOST_PROP(structured_matrices_have_their_property_exactly, ()) {
  const std::string predicate = *rc::gen::element<std::string>("permutation", "orthogonal", "onehot", "rowstochastic", "symmetric", "invertible");
  const auto n = *rc::gen::inRange<std::int64_t>(1, 9);
  const auto m = predicate == "onehot" || predicate == "rowstochastic" ? *rc::gen::inRange<std::int64_t>(1, 9) : n;
  const numeric::Stream stream(numeric::mix(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()), "structured"), 1);
  const auto tensor = campaign::structured(predicate, {2, n, m}, stream, {*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()});
  for (const auto& format : numeric::formats) {
    for (const double v : tensor.values) RC_ASSERT(campaign::rounded(v, format) == v);
  }
  RC_ASSERT(
      numeric::satisfies(predicate, numeric::converted<numeric::Exact>(tensor, [](double v) { return numeric::Exact(numeric::Rational::from_double(v)); })));
}

RC_BOOST_PROP(drawn_values_satisfy_the_assumptions_in_every_format, ()) {
  const std::string claim = *rc::gen::element<std::string>(
      "s: [n]; assume s > 0; s == s * 1", "s: [n]; assume s != 2; s == s * 1", "s: [n, m]; assume nonnegative(s); assume s <= 1; s == s * 1",
      "M: [n, m]; assume mask01(M); M * M == M", "A: [k, d]; assume k <= d; A == A * 1", "t: [n]; E: [v, d]; take(E, t) == onehot(t, v) @ E");
  const infer::Problem p = problem(claim);
  const campaign::Sampler sampler(p, *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()), "");
  const auto index = *rc::gen::inRange<std::int64_t>(0, 1000);
  const auto dims = sampler.sizes(index / campaign::cases_per_shape, true);
  RC_ASSERT(dims.has_value());
  for (const auto& format : numeric::formats) {
    const auto values = sampler.values(index, *dims, {&format, 0, false});
    RC_ASSERT(values.has_value());
    RC_ASSERT(sampler.satisfied(*dims, *values));
    for (const auto& named : *values) {
      for (const double v : named.second.values) RC_ASSERT(campaign::rounded(v, format) == v);
    }
  }
}

BOOST_AUTO_TEST_CASE(given_tensors_are_tested_as_given) {
  const infer::Problem p = problem("X: [n, d]; A: [d, h*k]; B: [h*k, m]; (X @ A) @ B == X @ (A @ B)");
  campaign::GivenTensor a{{2, 6}, {1, 0.1, -0.3, 4, 5, 6, 7, 8, 9, 1e-3, 11, 12}, "float32"};
  campaign::GivenTensor b{{6, 1}, {1, 2, 3, 4, 5, 6}, "float32"};
  campaign::GivenOptions options;
  options.dims["h"] = 2;
  for (const auto& format : campaign::run_on(p, {{"A", a}, {"B", b}}, options).formats) {
    const campaign::FormatResult& r = format.counts;
    BOOST_TEST(r.cases == options.draws);
    BOOST_TEST(r.within == r.cases, r.formula);
  }
  const auto different =
      campaign::run_on(problem("A: [a, a]; B: [a, a]; A @ B == B @ A"), {{"A", {{2, 2}, {0, 1, 0, 0}, ""}}, {"B", {{2, 2}, {1, 0, 0, 0}, ""}}});
  BOOST_TEST(different.formats[0].counts.failed == 1);
  BOOST_CHECK_THROW(campaign::run_on(p, {{"A", a}, {"B", b}}), expr::Error);  // h or k must be given
  b.shape = {5, 1};
  b.values.pop_back();
  BOOST_CHECK_THROW(campaign::run_on(p, {{"A", a}, {"B", b}}, options), expr::Error);
  BOOST_CHECK_THROW(campaign::run_on(p, {{"C", a}}, options), expr::Error);
}

BOOST_AUTO_TEST_CASE(the_narrowest_format_that_holds_the_given_tensors_answers) {
  const infer::Problem p = problem("A: [n, n]; B: [n, n]; A + B == B + A");
  const auto answers = [&](const std::string& a, const std::string& b, std::vector<std::string> formats = campaign::every_format()) {
    campaign::GivenOptions options;
    options.formats = std::move(formats);
    const auto result = campaign::run_on(p, {{"A", {{1, 1}, {1.5}, a}}, {"B", {{1, 1}, {2}, b}}}, options);
    return result.answer() == nullptr ? "none" : result.answer()->counts.format;
  };
  for (const std::string format : {"float64", "float32", "bfloat16", "float16"}) BOOST_TEST(answers(format, format) == format);
  BOOST_TEST(answers("bfloat16", "float32") == "float32");
  BOOST_TEST(answers("bfloat16", "float16") == "float32");  // neither holds the other
  BOOST_TEST(answers("float16", "float64") == "float64");
  BOOST_TEST(answers("float16", "float16", {"float32", "bfloat16"}) == "float32");
  BOOST_TEST(answers("float64", "float32", {"float32", "bfloat16"}) == "none");
}

BOOST_AUTO_TEST_CASE(cases_on_given_tensors_that_say_nothing_are_counted_by_their_reason) {
  const auto counts = [](const std::string& claim, double value) {
    return campaign::run_on(problem(claim), {{"A", {{1, 1}, {value}, "float32"}}}).answer()->counts;
  };
  const auto both = counts("A: [n, n]; 2 * A == A + A", 3e38);
  BOOST_TEST((both.compared() == 0 && both.overflowed == 1 && both.one_sided == 0));
  const auto one = counts("A: [n, n]; 2 * A / 2 == A", 3e38);
  BOOST_TEST((one.compared() == 0 && one.one_sided == 1));
  BOOST_TEST(one.not_compared() == "one side overflows (1)");
  const auto undefined = counts("A: [n, n]; A / (A - A) == A / (A - A) * 1", 1);
  BOOST_TEST((undefined.compared() == 0 && undefined.discarded == 1));
  const auto unfit = campaign::run_on(problem("A: [n, n]; 2 * A == A + A"), {{"A", {{1, 1}, {3e38}, "float32"}}}).formats[3];
  BOOST_TEST((unfit.counts.format == "float16" && unfit.counts.unfit == 1 && unfit.counts.compared() == 0 && unfit.rerounded.size() == 1));
}

/// What is rounded to storage once, from any value, is within the bound in every format that holds it; a changed last digit of it is not.
RC_BOOST_PROP(roundings_to_storage_are_within_the_bound_and_twice_as_much_is_not, (std::uint32_t significand, bool small)) {
  const infer::Problem p = problem("A: [n, n]; M: [n, n]; A == M");
  campaign::GivenOptions options;
  options.stored_results = true;
  options.formats = {"float64"};
  const std::string storage = *rc::gen::element<std::string>("float32", "bfloat16", "float16");
  const auto& format = campaign::format_called(storage);
  const double value = small ? significand % 4096 * format.eta / 64 : 1 + std::ldexp(significand, -33);  // in [1, 3/2)
  const auto beyond = [&](double m) { return campaign::run_on(p, {{"A", {{1, 1}, {value}, "float64"}}, {"M", {{1, 1}, {m}, storage}}}, options).formats[0].counts.beyond; };
  const double stored = campaign::rounded(value, format);
  RC_ASSERT(beyond(stored) == 0);
  const double step = small ? 2 * format.eta : std::ldexp(1.0, 1 - format.precision);
  for (const double m : {stored - 2 * step, stored + 2 * step}) RC_ASSERT(beyond(m) == 1);  // at least 3/2 of a step away
}

BOOST_AUTO_TEST_CASE(given_tensors_that_break_an_assumption_are_refused) {
  const infer::Problem p = problem("X: [n, a]; R: [a, a]; assume orthogonal(R); rmsnorm(X @ R) == rmsnorm(X) @ R");
  const campaign::GivenTensor rotation{{2, 2}, {0, -1, 1, 0}, "float32"};
  const campaign::GivenTensor shear{{2, 2}, {1, 1, 0, 1}, "float32"};
  BOOST_TEST(campaign::run_on(p, {{"R", rotation}}).formats[0].counts.within > 0);
  BOOST_CHECK_THROW(campaign::run_on(p, {{"R", shear}}), expr::Error);
}

BOOST_AUTO_TEST_CASE(cases_have_sizes_that_assumptions_ask_for) {
  for (const std::string claim : {"X: [n, d]; assume d > 100; X @ ones(d, 1) == rowsum(X)", "X: [n, d]; assume n*d == 1001; X + X == 2 * X",
                                  "x: [n]; assume x > 1/1000; assume x < 2/1000; x + x == 2 * x"}) {
    const Campaign c = run(claim, 0, 40, Expectation::equal);
    BOOST_TEST(c.passed(), claim);
    BOOST_TEST(c.formats[0].cases > 2 * c.formats[0].discarded, claim);
  }
}

BOOST_AUTO_TEST_CASE(a_case_that_is_far_too_large_is_not_begun) {
  BOOST_CHECK_THROW(run("X: [n, 4096]; W: [4096, 4096]; X @ W + X @ W == 2 * (X @ W)", 0, 8, Expectation::equal), expr::LimitReached);
}

/// Nothing tested is no pass.
BOOST_AUTO_TEST_CASE(vacuous_and_discarded_cases_never_pass) {
  BOOST_TEST(!run(true_claims[0], 0, 0, Expectation::equal).passed());
  const Campaign overflow = run("X: [n, m]; exp(1000 + exp(X * X)) == exp(1000 + exp(X * X)) * 1", 0, 50, Expectation::equal);
  BOOST_TEST(!overflow.passed());
  BOOST_TEST(overflow.formats[0].vacuous > 0);
  const Campaign undefined = run("X: [n, m]; X / (X - X) == X / (X - X) * 1", 0, 50, Expectation::equal);
  BOOST_TEST(!undefined.passed());
}

}  // namespace foldproof::properties
