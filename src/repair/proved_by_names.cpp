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

std::optional<kernel::Certificate> proved_by_names(const expr::Claim& claim, const std::vector<NamedSizes>& ways, const Prover& prover) {
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

}  // namespace foldproof::repair
