// SPDX-License-Identifier: MIT
#include "repair/proved_by_names.hpp"

#include <utility>

#include "kernel/check.hpp"
#include "repair/quick_look.hpp"

namespace foldproof::repair {

std::optional<kernel::Certificate> sized(const expr::Claim& claim, const NamedSizes& named, kernel::Certificate general) {
  kernel::Certificate certificate;
  certificate.reduction = reduction_of(named);
  certificate.parts.push_back(std::move(general));
  return kernel::check(claim, certificate).accepted ? std::optional(std::move(certificate)) : std::nullopt;
}

namespace {

std::optional<kernel::Certificate> first_proved(const expr::Claim& claim, const std::vector<NamedSizes>& ways, const Prover& prover) {
  for (const NamedSizes& named : ways) {
    try {
      const infer::Problem general = infer::elaborate(named.claim);
      if (seems_false(general)) continue;
      prove::Proof proof = prover(named.claim, general);
      if (!proof.certificate) continue;
      if (auto certificate = sized(claim, named, std::move(*proof.certificate))) return certificate;
    } catch (const expr::Error&) {  // such sizes do not fit
    } catch (const expr::LimitReached&) {
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<kernel::Certificate> proved_by_names(const expr::Claim& claim, const std::vector<NamedSizes>& ways, const Prover& prover) {
  if (ways.size() > 1) {  // the one that is easy to prove, before a long search for another one spends what all of them may
    const Prover shortly = [](const expr::Claim& named, const infer::Problem& general) {
      return prove::prove_shortly(named, general, prove::few_steps, [](const infer::Problem& problem) { return seems_false(problem); });
    };
    if (auto certificate = first_proved(claim, ways, shortly)) return certificate;
  }
  return first_proved(claim, ways, prover);
}

}  // namespace foldproof::repair
