// SPDX-License-Identifier: MIT
// The nearest true statement of a refuted claim: the smallest of a fixed list of edits whose result is proved.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "refute/refute.hpp"
#include "repair/edits.hpp"

namespace foldproof::repair {

struct Repair {
  std::string statement;  ///< a whole claim as text, with what it declares and assumes
  std::string change;     ///< what was changed, in a few words
  std::string shown = {};  ///< the equation alone, see shown_equation; empty where the statement is shown
};

/// How much is spent; counted, not timed, so that the answer is the same everywhere.
struct RepairOptions {
  std::uint64_t seed = 1;
  std::size_t edits = 600;    ///< looked at
  std::size_t searches = 32;  ///< for instances, where something is assumed
  std::size_t proofs = 12;    ///< attempted, of edits that no instance refutes
  std::size_t steps = 5000;   ///< of each proof
  std::size_t long_proofs = 3;  ///< by way of other claims, where no short proof is found
  std::function<bool(const expr::Claim&, const infer::Problem&)> is_false_in_numpy = {};  ///< though it is proved: where a slice goes beyond its axis
};

/// Nothing when no edit is proved within the limits. The statement says something: its sides are different expressions, and
/// some instance satisfies its assumptions.
std::optional<Repair> repair(const expr::Claim& claim, const infer::Problem& problem, const refute::Counterexample& counterexample, const RepairOptions& options = {});

/// The declarations of `repaired` that `claim` does not have: "b: [1, d]; c: []". Where the formula is the same, they are the whole repair.
std::string new_declarations(const expr::Claim& repaired, const expr::Claim& claim);

}  // namespace foldproof::repair
