// SPDX-License-Identifier: MIT
#include "prove/prove.hpp"

#include <algorithm>
#include <initializer_list>

#include "normal/normalize.hpp"
#include "prove/bound.hpp"

namespace foldproof::prove {
namespace {

/// Last resort for claims about fixed small sizes (m == 2): write the sums over them, and over parts of them, out. False when
/// there is nothing new to try.
bool unroll_small_sizes(const infer::Problem& problem, normal::Cuts& cuts) {
  constexpr std::int64_t largest = 8;
  std::int64_t most = 1;
  for (const auto& variable : problem.variables) {
    for (const auto& size : variable.shape) {
      const std::int64_t n = size.constant().value_or(1);
      if (n <= largest) most = std::max(most, n);
    }
  }
  bool changed = false;
  for (std::int64_t n = 2; n <= most; ++n) changed |= cuts.unrolled.insert(kernel::Index(n)).second;
  return changed;
}

/// Takes the second way where one arose and the first was taken. False when all were tried.
bool choose_again(std::initializer_list<normal::Choice*> choices) {
  for (normal::Choice* choice : choices) {
    if (!choice->arose || choice->second) continue;
    choice->second = true;
    return true;
  }
  return false;
}

}  // namespace

Proof prove(const infer::Problem& problem) { return prove(problem, normal::Limits{}); }
Proof prove_shortly(const infer::Problem& problem, std::size_t steps) { return prove(problem, normal::Limits{.steps = steps}); }

Proof prove(const infer::Problem& problem, const normal::Limits& limits) {
  constexpr int rounds = 12;         // each round may learn finer cuts of the sums, and starts again with them
  constexpr std::uint64_t orders = 3;  // of the terms of sums under reciprocals
  Proof proof;
  const bool equation = problem.relation == expr::Relation::equal;
  normal::Cuts cuts;
  try {
    for (int round = 0; round < rounds; ++round) {
      const normal::Cuts before = cuts;
      kernel::Certificate certificate;
      const auto theory = kernel::unfold(problem);
      for (auto& axiom : theory->axioms) {
        theory->usable_axioms = certificate.assumptions.size();
        certificate.assumptions.emplace_back();
        axiom.poly = theory->arena.primitive(normal::normalize(*theory, axiom.poly, cuts, certificate.assumptions.back(), limits));
      }
      theory->usable_axioms = theory->axioms.size();
      for (auto& sign : theory->signs) {
        certificate.assumptions.emplace_back();
        sign.poly = normal::normalize(*theory, sign.poly, cuts, certificate.assumptions.back(), limits);
      }
      const kernel::Poly rest = normal::normalize(*theory, theory->goal, cuts, certificate.goal, limits);
      if (equation ? rest.empty() : never_negative(*theory, rest, cuts, certificate.goal, limits)) {
        const kernel::Outcome outcome = kernel::check(problem, certificate);
        if (!outcome.accepted) throw expr::InternalError("the kernel rejects a certificate of the prover at step " + std::to_string(outcome.step) + ": " + outcome.reason);
        proof.certificate = std::move(certificate);
        return proof;
      }
      if (!(cuts == before) || unroll_small_sizes(problem, cuts)) continue;
      if (choose_again({&cuts.turn, &cuts.pairing, &cuts.inwards, &cuts.multiple})) continue;
      if (!cuts.lead_was_a_choice || cuts.lead_seed == orders) break;
      ++cuts.lead_seed;
    }
    proof.reason = equation ? "the normal forms of the two sides differ" : "the difference of the sides has no known sign";
  } catch (const expr::LimitReached& e) {
    proof.reason = e.what();
    proof.limit = true;
  } catch (const kernel::Reject& e) {
    proof.reason = e.what();
  }
  return proof;
}

}  // namespace foldproof::prove
