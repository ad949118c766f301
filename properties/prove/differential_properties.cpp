// SPDX-License-Identifier: MIT
// The prover against evaluation: random claims, true by construction or spoiled by one mistake. Nothing that is proved may be
// seen to differ, nothing that is true by construction may be seen to differ, and most of the true ones must be proved.
// FOLDPROOF_RANDOM_CLAIMS sets the number of claims, FOLDPROOF_SEED where to start; FOLDPROOF_SHOW_UNPROVED lists true claims without a proof.
#include <boost/test/unit_test.hpp>

#include "prove/evaluation.hpp"
#include "prove/prove.hpp"
#include "prove/random_claims.hpp"
#include "read/parse.hpp"

namespace foldproof::properties {
namespace {

struct Tally {
  std::size_t claims = 0, proved = 0, different = 0, field_equal = 0, limits = 0, contradictions = 0;
};

/// Proves the claim and holds the answer against evaluation: at random instances, in the prime field, and, with assumptions or
/// without a proof of a claim that is true by construction, by a short search for a counterexample.
void hold_against(const std::string& claim, bool true_by_construction, std::uint64_t seed, Tally& tally) {
  const auto p = infer::elaborate(read::parse_claim(claim));
  auto proof = prove::prove_shortly(p, prove::few_steps);
  bool different = false;
  for (std::uint64_t trial = 0; p.facts.empty() && trial < 4 && !different; ++trial) different = instance_differs(p, hashed({seed, trial}));
  if (proof.limit && !different) different = search_refutes(p, seed);
  if (proof.limit && !different) proof = prove::prove(p);
  ++tally.claims;
  tally.limits += proof.limit;
  if (!different && (proof.certificate || true_by_construction)) {
    const auto identity = refute::identity_test(p, seed, 1);
    tally.field_equal += identity == refute::Identity::equal;
    different = identity == refute::Identity::different;
  }
  if (!different && (!p.facts.empty() || (true_by_construction && !proof.certificate))) different = search_refutes(p, seed);
  tally.proved += proof.certificate.has_value();
  tally.different += different;
  const bool contradiction = different && (proof.certificate || true_by_construction);
  tally.contradictions += contradiction;
  BOOST_TEST(!(different && proof.certificate), "proved, and false: " << claim);
  BOOST_TEST(!(different && true_by_construction), "true by construction, and seen to be false: " << claim);
  static const bool shows_unproved = std::getenv("FOLDPROOF_SHOW_UNPROVED") != nullptr;
  if (shows_unproved && true_by_construction && !proof.certificate) BOOST_TEST_MESSAGE("not proved: " << claim);
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_that_is_proved_is_false_and_most_that_is_true_is_proved) {
  const std::uint64_t count = setting("FOLDPROOF_RANDOM_CLAIMS", 3000), first = setting("FOLDPROOF_SEED", 1);
  Tally right[2], wrong[2];  // matrices only, all of the language
  for (std::uint64_t k = 0; k < count; ++k) {
    ClaimMaker maker(hashed({first, k}));
    const bool mistake = k % 2 != 0, all = k % 4 >= 2;
    const Tree lhs = maker.random(1 + static_cast<int>(maker.roll(all ? 2 : 3)), all);
    const Tree rhs = maker.equal(mistake ? maker.mistaken(lhs) : lhs, 1 + static_cast<int>(maker.roll(4)));
    const std::string equation = text(lhs) + " == " + text(rhs);
    hold_against(declarations(equation) + equation, !mistake, hashed({first, k, 2}), mistake ? wrong[all] : right[all]);
    if (count > 100'000 && (k + 1) % (count / 20) == 0) BOOST_TEST_MESSAGE(k + 1 << " of " << count << " claims");
  }
  for (const bool all : {false, true}) {
    for (const Tally* t : {&right[all], &wrong[all]}) {
      BOOST_TEST_MESSAGE((all ? "all of the language, " : "matrices, ") << (t == &right[all] ? "true by construction: " : "with a mistake: ") << t->claims << ", proved " << t->proved << ", seen to differ " << t->different
                                                                        << ", equal in the prime field " << t->field_equal << ", limits " << t->limits << ", contradictions " << t->contradictions);
    }
    BOOST_TEST(right[all].proved * 100 >= right[all].claims * (all ? 60 : 90));
    BOOST_TEST(wrong[all].different * 2 >= wrong[all].claims);
  }
}

}  // namespace foldproof::properties
