// SPDX-License-Identifier: MIT
// Unfolds a typed claim into index notation: what has to be shown zero, and what may be used. Part of the trusted base.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "infer/problem.hpp"
#include "kernel/algebra.hpp"

namespace foldproof::kernel {

/// poly == 0 for all values of the parameters in their ranges.
struct Axiom {
  std::string name;                ///< the assumption as written
  std::vector<Symbol> parameters;
  Poly poly;
};
/// poly >= 0 (or > 0, or != 0) for all values of the parameters in their ranges.
struct AssumedSign {
  std::string name;
  std::vector<Symbol> parameters;
  Poly poly;
  expr::Relation relation = expr::Relation::greater_equal;
};

/// A claim in index notation. An equation holds when `goal` is zero: goal = sum over the entries of test * (lhs - rhs),
/// where `test` is a tensor that nothing is known about. An inequality holds when `goal` = rhs - lhs is never negative.
struct Theory {
  Arena arena;
  std::map<std::string, int> tensors;
  std::map<std::pair<int, Index>, int> one_hot;  ///< (token tensor, vocabulary) -> its 0/1 tensor with a single 1 a row
  std::set<int> permutation_lists;               ///< token tensors that hold each of 0 .. n-1 once
  std::vector<Axiom> axioms;
  std::size_t usable_axioms = 0;  ///< an assumption is brought into form with the help of earlier ones only
  std::vector<AssumedSign> signs;
  std::vector<std::pair<Index, Index>> size_bounds;  ///< assumed: first <= second
  Poly goal;
  int unsure_parts = 0;     ///< sums that may have no parts, so that these need not have a value, that are being unfolded
  int empty_sums = 0;       ///< sums over a rank, which may be 0, and assumptions about what has one as a size, that are being unfolded
  std::set<const infer::TermNode*> evaluated;  ///< parts of the sides of which every entry is evaluated
  std::set<const infer::TermNode*> reached;    ///< the same, and of which every entry is at some step of comprehensions
  int bodies = 0;           ///< that the steps have entered
  std::vector<Symbol> around;  ///< what is bound around these: nothing within takes the names
  bool is_around(Symbol v) const { return std::find(around.begin(), around.end(), v) != around.end(); }
  bool orders = false;      ///< the claim is an inequality: its steps may drop factors
  bool lowered = false;     ///< a step, by what is assumed to be greater, has made the goal smaller: it was positive where it is not negative now
  bool leaves_out = false;  ///< a part of the claim or of an assumption may never be evaluated, so it need not have a value
};

/// The body of factor f of m, which the steps are in as long as this lives.
struct InBody {
  InBody(Theory& of, const Monomial& m, std::size_t f) : theory(of), before(of.around.size()) {
    ++theory.bodies;
    const auto& binder = theory.arena.atom(m.factors[f].atom).variables;
    theory.around.insert(theory.around.end(), m.variables.begin(), m.variables.end());
    theory.around.insert(theory.around.end(), binder.begin(), binder.end());
  }
  ~InBody() {
    --theory.bodies;
    theory.around.resize(before);
  }
  InBody(const InBody&) = delete;
  InBody& operator=(const InBody&) = delete;
  Theory& theory;
  std::size_t before;
};

/// Atoms that unfolding a claim may ask for: about a second. Those of functions of functions, each of whose entries is a sum of the next, are asked for again and again.
constexpr std::size_t most_looked_up = 2'000'000;

/// Unfolds the claim and its assumptions. Throws Reject for what has no index notation, LimitReached when it grows too large.
std::unique_ptr<Theory> unfold(const infer::Problem& problem);

/// Whether small <= large for all sizes, which are at least 1 (ranks at least 0) and bounded as assumed. False: not known.
bool at_most(Theory& theory, const Index& small, const Index& large);
/// Whether p >= 0 for all values of everything. False: not known.
bool never_negative(Theory& theory, const Poly& p);
/// The same for p > 0, and for p >= 0 where the goal was lowered to that.
bool always_positive(Theory& theory, const Poly& p);
/// The polynomial of sizes that p is, times a positive number; nothing when it is none.
std::optional<Index> as_sizes(const Arena& arena, const Poly& p);

/// The entry of a term at the given indices; `bound` gives the values of comprehension indices.
Poly unfold_entry(Theory& theory, const infer::Term& term, std::span<const Index> at, const std::map<std::string, Index>& bound);

}  // namespace foldproof::kernel
