// SPDX-License-Identifier: MIT
#include "prove/prove.hpp"

#include "normal/normalize.hpp"

namespace foldproof::prove {

Proof prove(const infer::Problem& problem) {
  constexpr int rounds = 8;  // each round may learn finer cuts of the sums, and starts again with them
  Proof proof;
  if (problem.relation != expr::Relation::equal) {
    proof.reason = "only equations are proved";
    return proof;
  }
  normal::Cuts cuts;
  try {
    for (int round = 0; round < rounds; ++round) {
      const normal::Cuts before = cuts;
      kernel::Certificate certificate;
      const auto theory = kernel::unfold(problem);
      for (auto& axiom : theory->axioms) {
        theory->usable_axioms = certificate.assumptions.size();
        certificate.assumptions.emplace_back();
        axiom.poly = normal::normalize(*theory, axiom.poly, cuts, certificate.assumptions.back(), {});
      }
      theory->usable_axioms = theory->axioms.size();
      const kernel::Poly rest = normal::normalize(*theory, theory->goal, cuts, certificate.goal, {});
      if (rest.empty()) {
        const kernel::Outcome outcome = kernel::check(problem, certificate);
        if (!outcome.accepted) throw expr::InternalError("the kernel rejects a certificate of the prover at step " + std::to_string(outcome.step) + ": " + outcome.reason);
        proof.certificate = std::move(certificate);
        return proof;
      }
      if (cuts == before) break;
    }
    proof.reason = "the normal forms of the two sides differ";
  } catch (const expr::LimitReached& e) {
    proof.reason = e.what();
    proof.limit = true;
  } catch (const kernel::Reject& e) {
    proof.reason = e.what();
  }
  return proof;
}

}  // namespace foldproof::prove
