// SPDX-License-Identifier: MIT
// What each assumption concerns, and the values that one variable may take under the assumptions about it alone.
// Bounds by a number restrict single entries, named properties whole matrices; everything else ties variables together
// (tied.hpp). Lists are ordered by simplicity, because the order decides which counterexample is minimal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "numeric/assume.hpp"

namespace foldproof::refute {

using numeric::Exact;
using numeric::Tensor;

/// A bound on every entry of one variable: "s > 0", "1 != B", positive(s), mask01(M).
bool is_entry_fact(const infer::Fact& fact);
/// A named property of one matrix variable.
bool is_structural_fact(const infer::Fact& fact);
/// Any other assumption on values.
bool is_tying_fact(const infer::Fact& fact);
/// The facts of the first two kinds that concern a variable.
std::vector<const infer::Fact*> facts_on(const infer::Problem& problem, const std::string& variable);
/// Positions of the variables that an assumption mentions.
std::vector<std::size_t> variables_in(const infer::Problem& problem, const infer::Fact& fact);

/// Whether the variable holds token numbers.
bool holds_tokens(const infer::Problem& problem, const std::string& variable);
/// Variables that may hold multiples of ln 2: not token numbers, masks or matrices with a named property.
std::vector<char> may_be_logarithmic(const infer::Problem& problem);

/// Whether the entries of the variable are numbers that may be changed one by one: no token numbers, masks, integers or named properties.
bool has_free_entries(const infer::Problem& problem, const std::string& variable);
/// Whether an entry of the variable may have the value, as far as bounds by numbers say.
bool entry_allowed(const infer::Problem& problem, const std::string& variable, const Exact& value);
/// Whether the variable may have the value, as far as the assumptions about it alone say.
bool tensor_allowed(const infer::Problem& problem, const std::string& variable, const Tensor<Exact>& value);
/// Values of one entry of the variable, simplest first; multiples of ln 2 when `logarithmic`, no fractions when `integral`.
std::vector<Exact> entry_values(const infer::Problem& problem, const std::string& variable, const expr::DimValues& dims, bool logarithmic, bool integral);
/// Whether it is certain that no number satisfies what is assumed of each entry of the variable. False: not known.
bool entries_contradict(const infer::Problem& problem, const std::string& variable);
/// Whether entries of the variable range over intervals, so that a polynomial that vanishes for all of them is zero.
bool is_dense(const infer::Problem& problem, const std::string& variable);
/// Values of the whole variable, simplest first.
std::vector<Tensor<Exact>> tensor_values(const infer::Problem& problem, const std::string& variable, const std::vector<std::int64_t>& shape, bool logarithmic, std::uint64_t seed);
/// Literals other than 0, each once, in order of occurrence.
std::vector<numeric::Rational> literals_in(const std::vector<infer::Term>& terms);
/// Tensors of equal entries that the assumptions on them allow, near the literals and parts of them: sum(X) == 1000.
std::vector<Tensor<Exact>> tensors_near(const std::vector<numeric::Rational>& literals, const infer::Problem& problem, const std::string& variable, const std::vector<std::int64_t>& shape);

}  // namespace foldproof::refute
