// SPDX-License-Identifier: MIT
// What one card says about one claim, whatever it is drawn as: the answer first, then the evidence, what both sides cost, and where
// the claim matters. A card is made from the claim's record in report.json, so a report and `explain` cannot disagree.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "expr/dim.hpp"
#include "expr/syntax.hpp"
#include "infer/problem.hpp"
#include "record/json.hpp"
#include "refute/refute.hpp"
#include "verdict/matrix_steps.hpp"

namespace foldproof::report {

/// One quantity of both sides, as a formula of the sizes and, where all sizes are known, as a number.
struct CostRow {
  std::string what;  ///< "parameters", "multiply-adds"
  std::string lhs, rhs;
  std::optional<std::int64_t> lhs_value, rhs_value;
  std::string when;  ///< when the right side needs fewer: "when p > d*k/(d + k)"
};

struct CardCost {
  std::string data;   ///< the variables that are no parameters: "X, Y"
  std::string sizes;  ///< "d = 512, k = 64"; empty when the numbers are not known
  std::vector<CostRow> rows;
};

/// The sizes of Vaswani et al. 2017, base model, with 128 tokens, under the names that claims use for them.
const expr::DimValues& usual_sizes();

/// What both sides cost; nothing when neither side stores or multiplies anything. `data` empty: the names that usually are no weights.
/// Numbers are given when `sizes` has all names and meets the assumed sizes. Errors: LimitReached on overflow.
std::optional<CardCost> card_cost(const infer::Problem& problem, const expr::DimValues& sizes, std::vector<std::string> data = {});

/// "9 times fewer", "4 times more", "as many": the right side against the left. Empty when a number is missing or zero.
std::string compared(const CostRow& row);

/// One variable of an example, or one of its sides.
struct NamedTensor {
  std::string name;
  refute::TextTensor value;
};

/// An instance with both sides' values.
struct Example {
  std::string sizes;  ///< "d = 2, n = 1"
  std::vector<NamedTensor> values;
  refute::TextTensor lhs, rhs;
  std::vector<std::int64_t> entry;  ///< the first entry that differs
  std::string how;                  ///< "exact" or "interval"
  bool smallest = false;
  std::string numpy;  ///< a program that shows it; may be empty
};

struct CardAssumption {
  std::string text;
  std::string need;  ///< "needed", "not needed", "not known whether needed"; without an example also why
  std::optional<Example> example;
};

struct Card {
  std::string id;
  std::string verdict;
  std::string answer;  ///< one line: "True: ...", "False: ...", "Not decided (limit): ...", "The shapes do not fit: ..."
  std::string title, why, practice, source;
  std::string statement;            ///< text of the claim language
  std::string shapes;               ///< "X: [n, d]; W: [d, k]"
  std::optional<expr::Claim> claim; ///< absent when the statement does not parse
  expr::Ranks ranks;                ///< of its names, for typesetting
  std::string detail;               ///< of the verdict: why it is undecided or invalid, or how it was found
  std::vector<std::string> derivation;  ///< entry by entry
  std::vector<verdict::MatrixStep> steps;  ///< at the level of matrices; may be empty
  std::vector<std::string> holds_where;
  std::vector<std::string> true_when;
  std::vector<std::string> hazards;  ///< in floating point, of what is proved; empty also where they were not looked for
  std::optional<Example> counterexample;
  std::vector<CardAssumption> assumptions;
  std::optional<CardCost> cost;
  std::string nearest_true;     ///< as the claim file has it
  std::string nearest_declares;      ///< what it declares and the statement does not: "b: [1, d]"; typeset formulas have no declarations
  std::string nearest_true_id;       ///< the claim that states it; empty when there is none
  std::string nearest_true_verdict;  ///< of that claim; empty when it is not known
  std::string certificate;      ///< "12 steps, sha256 ..."; empty without one
  std::string unexpected;       ///< what was expected instead; empty when all is as expected
  Json tests;                   ///< as in report.json
};

/// A claim that states something.
struct Stated {
  std::string id;
  std::string verdict;
};
/// From what is stated, shapes and spaces aside, to the first claim that states it.
using Statements = std::map<std::string, Stated>;
void add_statement(Statements& known, const std::string& id, const std::string& statement, const std::string& verdict);
Statements statements(const Json& claims);

/// Requires: one element of "claims" of report.json. Costs have numbers at `sizes` and, for sizes that the claim itself names, at the usual ones;
/// a size that was only inferred has no usual value.
Card card(const Json& claim, const Statements& known = {}, const expr::DimValues& sizes = {});

/// What a record of report.json says of one of its assumptions: "needed; without it the shapes do not fit".
std::string need_text(const Json& assumption);

/// The claim as it was typed, without its declarations: definitions, assumptions, equation, each on its line.
std::vector<std::string> equation_lines(const Card& card);

/// The claim on one line as it is typed after -e: declarations, definitions, assumptions, equation.
std::string command_line(const Card& card);

}  // namespace foldproof::report
