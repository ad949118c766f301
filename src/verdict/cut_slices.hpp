// SPDX-License-Identifier: MIT
// NumPy cuts slices off at the end of their axes: x[:3] of two rows has two, where a claim about three says something else;
// and x[2:] of one has none, which add up to 0.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "infer/problem.hpp"

namespace foldproof::verdict {

/// What is wrong with a claim that is true where its slices lie inside their axes, and false where NumPy takes one otherwise: where it cuts it
/// off, where a place of it is negative and counted from the end (x[n-2:] of one row has it), and where nothing is left of which a sum is 0
/// (np.ones(n)[2:].sum() == n - 2 at n = 1). With the assumption that the claim lacks. `is_refuted` looks for a counterexample.
std::optional<expr::Diagnostic> false_in_numpy(const expr::Claim& claim, const infer::Problem& problem, const std::function<bool(const infer::Problem&)>& is_refuted);

/// The same where a part of the claim has no entries, np.ones(n - 1) at n = 1, and NumPy has values for both sides all the same.
std::optional<expr::Diagnostic> false_without_entries(const infer::Problem& problem, std::uint64_t seed);

}  // namespace foldproof::verdict
