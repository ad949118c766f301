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

/// What shows that an inequality holds once it has a normal form: the signs of its terms; bounds; bounds, and norms and the like are left
/// as they are written; one or two bounds beside all denominators that are cleared.
enum class Pass { of_terms, by_bounds, as_written, cleared };

/// The claim in index notation, as part of the work that a decision may take.
std::unique_ptr<kernel::Theory> unfolded(const infer::Problem& problem) {
  constexpr std::size_t of_an_atom = 40;  // as long as looking at so many: see normal::Limits
  try {
    auto theory = kernel::unfold(problem);
    normal::Allowance::spend(of_an_atom * theory->arena.looked_up);
    return theory;
  } catch (const expr::LimitReached&) {
    normal::Allowance::spend(of_an_atom * kernel::most_looked_up);
    throw;
  }
}

Proof prove_once(const infer::Problem& problem, const normal::Limits& limits, bool thorough, Pass pass) {
  constexpr int rounds = 13;  // each round may learn finer cuts of the sums, and starts again with them
  Proof proof;
  const bool equation = problem.relation == expr::Relation::equal, strict = problem.relation == expr::Relation::less;
  normal::Cuts cuts;
  cuts.as_written = pass == Pass::as_written;
  // Another order may go on without end where the first one did not, and the other way round: each has its own limits.
  const normal::Limits brief{.steps = limits.steps / 8};
  std::size_t bounds = 450;  // tried in all rounds together
  for (int round = 0; round < rounds; ++round) {
    try {
      const normal::Limits& most = cuts.lead_seed == 0 ? limits : brief;
      const normal::Cuts before = cuts;
      kernel::Certificate certificate;
      const auto theory = unfolded(problem);
      for (auto& axiom : theory->axioms) {
        theory->usable_axioms = certificate.assumptions.size();
        certificate.assumptions.emplace_back();
        axiom.poly = theory->arena.primitive(normal::normalize(*theory, axiom.poly, cuts, certificate.assumptions.back(), most));
      }
      theory->usable_axioms = theory->axioms.size();
      for (auto& sign : theory->signs) {
        certificate.assumptions.emplace_back();
        sign.poly = normal::normalize(*theory, sign.poly, cuts, certificate.assumptions.back(), most);
      }
      const kernel::Poly rest = normal::normalize(*theory, theory->goal, cuts, certificate.goal, most);
      const auto shown = [&] {
        if (equation) return rest.empty();
        if (pass != Pass::of_terms) return has_sign(*theory, rest, strict, cuts, certificate.goal, most, bounds, pass == Pass::cleared);
        return shows_sign(*theory, rest, strict, most);
      };
      if (shown()) {
        const kernel::Outcome outcome = kernel::check(problem, certificate);
        if (!outcome.accepted) throw expr::InternalError("the kernel rejects a certificate of the prover at step " + std::to_string(outcome.step) + ": " + outcome.reason);
        proof.certificate = std::move(certificate);
        return proof;
      }
      if (!(cuts == before) || unroll_small_sizes(problem, cuts)) continue;
      if (choose_again({&cuts.own_points})) {
        cuts.splits.clear();  // each cut at a point of others has asked for more
        continue;
      }
      if (choose_again({&cuts.kept, &cuts.turn, &cuts.pairing, &cuts.inwards, &cuts.products, &cuts.multiple})) continue;
    } catch (const expr::LimitReached& e) {
      if (!proof.limit) proof.reason = e.what();
      proof.limit = true;
      if (!thorough) break;
    } catch (const kernel::Reject& e) {
      proof.reason = e.what();
      return proof;
    }
    const bool choice = cuts.lead_was_a_choice || (thorough && cuts.inverse_lead_was_a_choice);
    if (!choice || cuts.lead_seed == (thorough ? normal::Cuts::reversed : normal::Cuts::reversed - 1)) break;
    ++cuts.lead_seed;
  }
  if (!proof.limit) proof.reason = equation ? "the normal forms of the two sides differ" : "the difference of the sides has no known sign";
  return proof;
}

}  // namespace

Proof prove(const infer::Problem& problem) { return prove(problem, normal::Limits{}, true); }
Proof prove_shortly(const infer::Problem& problem, std::size_t steps) { return prove(problem, normal::Limits{.steps = steps}); }

/// x/(1 + x) is 1 - 1/(1 + x), too: an inequality is looked at in each of its forms before bounds are searched for in any. Of what its
/// normal form takes apart, as sigmoids, the form in which it is written may say more.
Proof prove(const infer::Problem& problem, const normal::Limits& limits, bool thorough) {
  if (kernel::same_long_sides(problem)) return {.certificate = kernel::Certificate{}, .reason = ""};  // f(g(x)) == f(h) for h = g(x), of layers that would be multiplied out
  if (problem.relation == expr::Relation::equal) return prove_once(problem, limits, thorough, Pass::of_terms);
  Proof proof = prove_once(problem, limits, thorough, Pass::of_terms);
  if (!proof.certificate) proof = prove_once(problem, limits, thorough, Pass::by_bounds);
  if (proof.certificate || limits.spent > limits.effort()) return proof;
  for (const Pass pass : {Pass::as_written, Pass::cleared}) {
    const normal::Limits brief{.steps = limits.steps / 8};
    Proof other = prove_once(problem, brief, false, pass);
    if (other.certificate) return other;
    limits.spent += pass == Pass::as_written ? brief.spent : 0;  // the last one tries little
  }
  return proof;
}

}  // namespace foldproof::prove
