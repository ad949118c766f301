// SPDX-License-Identifier: MIT
// The prover against evaluation: random claims, true by construction or spoiled by one mistake. Nothing that is proved may be
// different in the prime field or in double precision at sizes 1 to 4; and most of the true ones must be proved.
// FOLDPROOF_RANDOM_CLAIMS sets the number of claims, FOLDPROOF_SEED where to start.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "numeric/evaluate.hpp"
#include "prove/prove.hpp"
#include "prove/random_claims.hpp"
#include "refute/identity_test.hpp"

namespace foldproof::properties {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<std::uint64_t>(std::atoll(text));
}

numeric::Instance<double> random_instance(const infer::Problem& p, std::uint64_t seed) {
  numeric::Instance<double> instance;
  std::uint64_t count = 0;
  for (const auto& name : p.dimensions) instance.dims[name] = 1 + static_cast<std::int64_t>(hashed({seed, count++}) % 4);
  for (const auto& v : p.variables) {
    numeric::Tensor<double> t;
    for (const auto& d : v.shape) t.shape.push_back(expr::evaluate(d, instance.dims));
    for (std::int64_t k = 0; k < numeric::entries(t.shape); ++k) t.values.push_back(static_cast<double>(hashed({seed, count++}) % 17) / 8.0 - 1.0);
    instance.values[v.name] = std::move(t);
  }
  return instance;
}

/// Whether the sides are clearly different numbers somewhere. Values too large for a double say nothing.
bool differs(const infer::Problem& p, std::uint64_t seed) {
  const auto instance = random_instance(p, seed);
  const auto lhs = numeric::evaluate(p.lhs, instance), rhs = numeric::evaluate(p.rhs, instance);
  double largest = 1;
  for (const double x : lhs.values) largest = std::max(largest, std::abs(x));
  if (!(largest < 1e6)) return false;
  for (std::size_t k = 0; k < lhs.values.size(); ++k) {
    const double x = lhs.values[k], y = rhs.values[k];
    if (std::isfinite(y) && std::abs(x - y) > 1e-5 * largest) return true;
  }
  return false;
}

struct Tally {
  std::size_t claims = 0, proved = 0, different = 0, limits = 0;
};

/// Proves the claim and, where that succeeds, holds it against both ways of evaluation.
void hold_against(const std::string& claim, std::uint64_t seed, Tally& tally) {
  const auto p = infer::elaborate(expr::parse_claim(claim));
  const auto proof = prove::prove(p);
  ++tally.claims;
  tally.limits += proof.limit;
  bool different = false;
  for (std::uint64_t trial = 0; trial < 4 && !different; ++trial) different = differs(p, hashed({seed, trial}));
  if (!different && proof.certificate) different = refute::identity_test(p, seed, 1) == refute::Identity::different;
  tally.proved += proof.certificate.has_value();
  tally.different += different;
  BOOST_TEST(!(different && proof.certificate), "proved, and false: " << claim);
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_that_is_proved_is_false_and_most_that_is_true_is_proved) {
  const std::uint64_t count = setting("FOLDPROOF_RANDOM_CLAIMS", 20000), first = setting("FOLDPROOF_SEED", 1);
  Tally right, wrong;
  for (std::uint64_t k = 0; k < count; ++k) {
    ClaimMaker maker(hashed({first, k}));
    const Tree lhs = maker.random(1 + static_cast<int>(maker.roll(3)));
    const bool mistake = k % 2 != 0;
    const Tree rhs = maker.equal(mistake ? maker.mistaken(lhs) : lhs, 1 + static_cast<int>(maker.roll(4)));
    hold_against(ClaimMaker::declarations + text(lhs) + " == " + text(rhs), hashed({first, k, 2}), mistake ? wrong : right);
  }
  BOOST_TEST_MESSAGE("true by construction: " << right.claims << ", proved " << right.proved << ", limits " << right.limits);
  BOOST_TEST_MESSAGE("with a mistake: " << wrong.claims << ", proved " << wrong.proved << ", seen to differ " << wrong.different);
  BOOST_TEST(right.different == 0u);  // the rewriting of this test is itself right
  BOOST_TEST(right.proved * 100 >= right.claims * 90);
  BOOST_TEST(wrong.different * 2 >= wrong.claims);
}

}  // namespace foldproof::properties
