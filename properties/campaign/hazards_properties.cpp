// SPDX-License-Identifier: MIT
// Hazards: known ones are found in each format, each is a small exact instance that shows what it says, the same for every seed
// where the smallest is unique; claims that only move numbers have none.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <set>

#include "campaign/hazards.hpp"
#include "campaign/sides.hpp"
#include "claims.hpp"

namespace foldproof::properties {
namespace {

using campaign::Hazard;
using campaign::HazardKind;

std::vector<Hazard> found(const std::string& claim, std::uint64_t seed = 1) {
  campaign::HazardOptions options;
  options.seed = seed;
  return campaign::hazards(problem(claim), options);
}
/// The hazards of one kind and format, in either side.
std::vector<Hazard> only(const std::vector<Hazard>& all, HazardKind kind, const std::string& format) {
  std::vector<Hazard> result;
  for (const Hazard& h : all) {
    if (h.kind == kind && h.format == format) result.push_back(h);
  }
  return result;
}
std::string form(const Hazard& h) {
  std::string out = std::string(campaign::text(h.kind)) + (h.right ? " rhs" : " lhs");
  for (const auto& [name, t] : h.values) {
    out += " " + name + ":";
    for (const double v : t.values) out += " " + campaign::hex(v);
  }
  return out;
}

const char* const wide_and_narrow[] = {"float64", "float32", "bfloat16", "float16"};
const char* const mask = "S: [n, m]; M: [n, m]; assume mask01(M); softmax(S + neginf(M)) == exp(S) * M / rowsum(exp(S) * M)";
const char* const chain = "X: [n, a]; A: [a, b]; B: [b, c]; (X @ A) @ B == X @ (A @ B)";
const char* const unmerge = "W: [d, k]; A: [d, r]; B: [r, k]; s: []; (W + s * (A @ B)) - s * (A @ B) == W";
const char* const shift = "S: [n, m]; c: [n, 1]; softmax(S + c) == softmax(S)";
const char* const exponents = "a: [n]; b: [n]; exp(a) * exp(b) == exp(a + b)";

}  // namespace

BOOST_AUTO_TEST_CASE(known_hazards_are_found_in_every_format) {
  const auto products = found(chain), masks = found(mask), merges = found(unmerge), shifts = found(shift), powers = found(exponents);
  for (const std::string format : wide_and_narrow) {
    BOOST_TEST(!only(powers, HazardKind::overflow, format).empty(), format);
    BOOST_TEST(!only(products, HazardKind::overflow, format).empty(), format);
    BOOST_TEST(!only(products, HazardKind::underflow, format).empty(), format);
    BOOST_TEST(!only(merges, HazardKind::cancellation, format).empty(), format);
    BOOST_TEST(!only(shifts, HazardKind::cancellation, format).empty(), format);
    BOOST_TEST(!only(masks, HazardKind::overflow, format).empty(), format);
    BOOST_TEST(!only(masks, HazardKind::finite_mask, format).empty(), format);
    BOOST_TEST(only(masks, HazardKind::masked_row, format).size() == 1u, format);
  }
}

/// The numbers that a program in C++ gives at the instance.
BOOST_AUTO_TEST_CASE(an_instance_shows_what_it_says) {
  const auto all = found(exponents);
  const auto powers = only(all, HazardKind::overflow, "float64");
  BOOST_REQUIRE(powers.size() == 1u);
  const double a = powers[0].values.at("a").values[0], b = powers[0].values.at("b").values[0];
  BOOST_TEST(!std::isfinite(std::exp(a) * std::exp(b)));
  BOOST_TEST(std::isfinite(std::exp(a + b)));
  BOOST_TEST(powers[0].reference == std::exp(a + b));
  BOOST_TEST(std::max(a, b) == 710);  // the first integer whose exponential is no double
  const auto merges = only(found(unmerge), HazardKind::cancellation, "float64");
  BOOST_REQUIRE(merges.size() == 1u);
  const auto& v = merges[0].values;
  const double delta = v.at("s").values[0] * v.at("A").values[0] * v.at("B").values[0], w = v.at("W").values[0];
  BOOST_TEST(std::abs((w + delta) - delta - w) > std::abs(w) / 4);
}

BOOST_AUTO_TEST_CASE(the_finite_mask_of_float16_ties_with_its_lowest_score) {
  const auto masks = only(found(mask), HazardKind::finite_mask, "float16");
  BOOST_REQUIRE(masks.size() == 1u);
  BOOST_TEST(masks[0].detail.find("-65504") != std::string::npos);
  for (const Hazard& h : only(found(mask), HazardKind::finite_mask, "float32")) BOOST_TEST(h.detail.find("-1000000000") != std::string::npos, h.detail);
}

BOOST_AUTO_TEST_CASE(instances_are_exact_small_and_within_the_assumptions) {
  for (const std::string claim : {chain, mask, unmerge, shift, exponents, true_claims[7]}) {
    const infer::Problem p = problem(claim);
    const campaign::Sampler sampler(p, 1, "");
    for (const Hazard& h : found(claim)) {
      const auto& format = campaign::format_called(h.format);
      std::size_t entries = 0;
      for (const auto& named : h.values) {
        entries += named.second.values.size();
        for (const double v : named.second.values) BOOST_TEST((std::isfinite(v) && campaign::rounded(v, format) == v), claim);
      }
      BOOST_TEST(entries <= 12u, claim + ": " + form(h));
      BOOST_TEST(sampler.satisfied(h.dims, h.values), claim + ": " + form(h));
      if (h.kind == HazardKind::masked_row || h.kind == HazardKind::finite_mask) continue;
      campaign::Sides sides(p, h.dims, format, campaign::Mutation::none);
      BOOST_REQUIRE((sides.compare(h.values).outcome != campaign::Comparison::Outcome::undefined));
      const auto good = sides.entries(!h.right), bad = sides.entries(h.right);
      bool lost = false;
      for (std::size_t i = 0; i < good.size(); ++i)
        lost = lost || (good[i].bound <= std::abs(good[i].value) / 64 && !(std::abs(bad[i].value - good[i].value) <= std::abs(good[i].value) / 4));
      BOOST_TEST(lost, claim + ": " + form(h));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_only_moves_numbers_has_no_hazard) {
  for (const std::string claim : {"X + Y == Y + X", "X.T.T == X * 1", "H: [h, n, k]; reshape(transpose(H, 1, 0, 2), n, h*k) == concat(H[i] for i in range(h))",
                                  "S: [n, m]; softmax(S, axis=0) == softmax(S.T).T"}) {
    for (const Hazard& h : found(claim)) BOOST_ERROR(claim + " has " + form(h));
  }
}

BOOST_AUTO_TEST_CASE(every_seed_finds_the_same_smallest_overflow_of_exp) {
  std::set<std::string> forms;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const Hazard& h : only(found("S: [n, m]; log(exp(S)) == S", seed), HazardKind::overflow, "float64")) forms.insert(form(h));
  }
  BOOST_TEST(forms.size() == 1u);
  BOOST_TEST(forms.count("overflow lhs S: " + campaign::hex(710)) == 1u);
}

BOOST_AUTO_TEST_CASE(the_same_seed_finds_the_same) {
  const auto a = found(mask, 7), b = found(mask, 7);
  BOOST_REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) BOOST_TEST(form(a[i]) == form(b[i]));
}

}  // namespace foldproof::properties
