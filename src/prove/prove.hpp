// SPDX-License-Identifier: MIT
// Looks for a certificate: normalizes the difference of the two sides until nothing is left, then lets the kernel check it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "kernel/check.hpp"

namespace foldproof::normal {
struct Limits;
}

namespace foldproof::prove {

struct Proof {
  std::optional<kernel::Certificate> certificate;  ///< accepted by the kernel when present
  std::string reason;                              ///< otherwise: "normal forms differ", or "limit: ..."
  bool limit = false;                              ///< a resource bound ended the search
  bool limit_on_the_way = false;                   ///< or that of a claim that would have led to this one
};

/// Searches a proof that the two sides are equal wherever both are defined.
/// Throws InternalError when the kernel rejects a certificate that the search believes in.
Proof prove(const infer::Problem& problem);
/// The same within limits that several proofs may share. A search that is not thorough tries fewer orders: of where sums are cut first, of what
/// an inverse removes.
Proof prove(const infer::Problem& problem, const normal::Limits& limits, bool thorough = false);
/// Steps of a short search, as deciding begins: the long ones are for what no instance refutes.
inline constexpr std::size_t few_steps = 3000;
/// Where a claim on the way ran out of the few: of claims that lead to this one there may be hundreds, which share the limit.
inline constexpr std::size_t more_steps = 16 * few_steps;
/// The same with at most so many steps. A proof that fits in is the one that prove finds.
Proof prove_shortly(const infer::Problem& problem, std::size_t steps);
/// Whether a claim is false, as far as is known: no proof of it is searched, nor of what would follow from it alone. It never makes a proof.
using Doubt = std::function<bool(const infer::Problem&)>;
/// The same, and by reductions to other claims: rank statements, cases of sizes. `problem` is what the claim elaborates to.
Proof prove(const expr::Claim& claim, const infer::Problem& problem, const Doubt& doubt = {});
Proof prove_shortly(const expr::Claim& claim, const infer::Problem& problem, std::size_t steps, const Doubt& doubt = {});
/// An equation with its sides exchanged or its names in another order, within few steps: what normal forms do first depends on these.
std::optional<kernel::Certificate> prove_turned(const expr::Claim& claim, const infer::Problem& problem);
/// For equations that are not proved so, and inequalities whose sides are equal: with lemmas from the assumptions, and from both sides times what they divide by. A search
/// of many proofs, worth its time when no counterexample is at hand. Nothing when there is nothing to try.
std::optional<kernel::Certificate> prove_by_products(const expr::Claim& claim, const infer::Problem& problem, const Doubt& doubt = {});

}  // namespace foldproof::prove
