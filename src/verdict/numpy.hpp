// SPDX-License-Identifier: MIT
// A counterexample as a NumPy program: paste it and see both sides. Functions that NumPy lacks are defined at the top.
#pragma once

#include <string>
#include <string_view>

#include "infer/problem.hpp"
#include "refute/refute.hpp"

namespace foldproof::verdict {

/// Whether a snippet may call the operator: NumPy has it, or the snippet defines it.
bool snippet_defines(std::string_view name);
/// The snippet that shows a counterexample, ready to paste.
/// Errors: none; a name that only this language has, and that no assumption gives a value, stays undefined.
std::string numpy_snippet(const infer::Problem& problem, const expr::Claim& claim, const refute::Counterexample& counterexample);

}  // namespace foldproof::verdict
