// SPDX-License-Identifier: MIT
// NumPy cuts slices off at the end of their axes: x[:3] of two rows has two, where a claim about three says something else;
// and x[2:] of one has none, which add up to 0.
#pragma once

#include <functional>
#include <optional>

#include "infer/problem.hpp"

namespace foldproof::verdict {

/// What is wrong with a claim that is true where its slices lie inside their axes and false where NumPy cuts one off, with the assumption
/// that it lacks. `is_refuted` looks for a counterexample.
std::optional<expr::Diagnostic> false_where_cut_off(const expr::Claim& claim, const std::function<bool(const infer::Problem&)>& is_refuted);

/// What is wrong with a claim that is true where its slices select something and false where one selects nothing and a sum of it is 0, as
/// np.ones(n)[2:].sum() == n - 2 where n is 1, with the assumption that it lacks.
std::optional<expr::Diagnostic> false_where_empty(const infer::Problem& problem, const std::function<bool(const infer::Problem&)>& is_refuted);

/// The same of a place that is negative at some sizes, which NumPy counts from the end: x[n-2:] of one row has it.
std::optional<expr::Diagnostic> false_where_counted_from_the_end(const expr::Claim& claim, const std::function<bool(const infer::Problem&)>& is_refuted);

}  // namespace foldproof::verdict
