// SPDX-License-Identifier: MIT
// A claim after shape inference: typed sides, variables with shapes, assumptions sorted by kind. Part of the trusted base.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "infer/term.hpp"

namespace foldproof::infer {

struct Variable {
  std::string name;
  expr::Shape shape;
  bool declared = false;  ///< false: the shape was inferred
  Term value = nullptr;   ///< of what an assumption defines, and which therefore occurs nowhere; null otherwise
};

enum class FactKind {
  predicate,  ///< predicate(lhs), e.g. orthogonal(R)
  relation,   ///< lhs relation rhs between tensors, entrywise
  dimension,  ///< relation between sizes that is no definition of one name, e.g. k <= d
  definition, ///< a size or a variable defined by the rest, already substituted: k == d, W_K == W_Q
};

/// One assumption of the claim. `number` counts the assumptions as written, from 0; after them comes what they say without words,
/// that sizes which they define are at least 1.
struct Fact {
  FactKind kind;
  std::string predicate;
  Term lhs;
  expr::Relation relation = expr::Relation::equal;
  Term rhs;
  expr::Dim lhs_size;
  expr::Dim rhs_size;
  std::size_t number = 0;
  std::string text;
  bool unsaid = false;  ///< no assumption, but that a size which one defines is at least 1
  bool compares = false;                ///< says what the variables of a comparison stand for
};

/// Whether the fact is one of these predicates of a variable.
inline bool says_of_variable(const Fact& f, std::initializer_list<std::string_view> predicates) {
  return f.kind == FactKind::predicate && f.lhs && f.lhs->kind == TermKind::variable && std::find(predicates.begin(), predicates.end(), f.predicate) != predicates.end();
}
/// Whether one of the facts is one of these predicates of the variable of that name.
inline bool is_assumed(const std::vector<Fact>& facts, std::initializer_list<std::string_view> predicates, const std::string& variable) {
  return std::any_of(facts.begin(), facts.end(), [&](const Fact& f) { return says_of_variable(f, predicates) && f.lhs->name == variable; });
}

/// Whether the fact says nothing of values: of sizes alone.
inline bool is_about_sizes(const Fact& f) { return f.kind == FactKind::dimension || (f.kind == FactKind::definition && !f.rhs); }

/// The predicates of the language, in the order they are listed in messages.
inline constexpr const char* predicates[] = {"positive",  "nonnegative",   "nonzero", "orthogonal", "permutation", "onehot",
                                             "invertible", "symmetric", "rowstochastic", "mask01", "integer", "real"};

/// rank(matrix) as a size.
struct RankSize {
  std::string name;         ///< of the dimension; see expr::is_rank
  expr::Expression matrix;  ///< as written
};

/// A comparison of numbers, x > y or x == y: the variable that is 1 where it holds and 0 elsewhere, and the one that is 1 over the distance
/// of x and y, or anything where they are equal. Facts say so.
struct Comparison {
  std::string mask, scale;
  Term difference;  ///< x - y
  bool equality = false;
};

struct Problem {
  std::vector<Variable> variables;       ///< in order of declaration, then of first use
  std::vector<Variable> replaced;        ///< what an assumption such as W_K == W_Q defines, and which therefore occurs nowhere
  std::vector<std::string> dimensions;   ///< free dimension names, in order of first use
  std::vector<std::pair<std::string, expr::Dim>> replaced_sizes;  ///< names that stand for other sizes: d for h*q, where d % h == 0 is assumed
  std::vector<Fact> facts;
  Term lhs;
  expr::Relation relation = expr::Relation::equal;
  Term rhs;
  std::vector<RankSize> ranks;           ///< in order of first use
  std::vector<Term> sized;               ///< what the claim takes sizes of
  std::vector<Comparison> comparisons;   ///< each is made of earlier ones, if of any
  std::vector<Term> measured;            ///< what the claim takes no more of than its shape, as X.shape[0] does
};

/// Infers the shape of every subterm, most general first.
/// Errors: `shape.*` at the place of the conflict, `name.*` for unknown functions, `call.*` for wrong arguments, `assume.*`.
/// `axes`: how many an undeclared tensor has, where someone knows it.
Problem elaborate(const expr::Claim& claim, const std::map<std::string, std::size_t>& axes = {});

/// "X: [n, d_model]" for each variable, with `between` from one to the next.
std::string shapes_text(const Problem& problem, std::string_view between = "\n");

}  // namespace foldproof::infer
