// SPDX-License-Identifier: MIT
// Proofs of claims about fixed sizes by proofs of the same claims about any.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "prove/prove.hpp"
#include "repair/named_sizes.hpp"

namespace foldproof::repair {

/// The proof of a claim by that of the one with names for its sizes; nothing where the kernel does not accept it.
std::optional<kernel::Certificate> sized(const expr::Claim& claim, const NamedSizes& named, kernel::Certificate general);

using Prover = std::function<prove::Proof(const expr::Claim&, const infer::Problem&)>;
/// The proof of a claim by the first of those with names for its sizes that `prover` proves and that no instance refutes.
std::optional<kernel::Certificate> proved_by_names(const expr::Claim& claim, const std::vector<NamedSizes>& ways, const Prover& prover);

}  // namespace foldproof::repair
