// SPDX-License-Identifier: MIT
#include "repair/repair.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "expr/build.hpp"
#include "infer/names.hpp"
#include "kernel/reduction.hpp"
#include "prove/prove.hpp"
#include "refute/defined.hpp"
#include "refute/refute.hpp"
#include "repair/changes.hpp"
#include "repair/fitted_edits.hpp"
#include "repair/proved_by_names.hpp"
#include "repair/quick_look.hpp"
#include "repair/shown.hpp"
#include "repair/tautology.hpp"

namespace foldproof::repair {
namespace {

/// Does the counterexample refute the edited claim too? Its sizes may have other names there: then it says nothing.
bool refuted_again(const infer::Problem& edited, const refute::Counterexample& counterexample) {
  const auto& instance = counterexample.instance;
  const bool sizes = std::all_of(edited.dimensions.begin(), edited.dimensions.end(), [&](const auto& d) { return instance.dims.count(d) > 0; });
  const bool fits = sizes && std::all_of(edited.variables.begin(), edited.variables.end(), [&](const auto& v) {
    const auto at = instance.values.find(v.name);
    if (at == instance.values.end() || at->second.shape.size() != v.shape.size()) return false;
    for (std::size_t axis = 0; axis < v.shape.size(); ++axis) {
      if (expr::evaluate(v.shape[axis], instance.dims) != at->second.shape[axis]) return false;
    }
    return true;
  });
  return fits && refute::verify(edited, instance).has_value();
}

/// Are its sides defined nowhere, so that its proof says nothing?
bool says_nothing(const infer::Problem& edited, std::uint64_t seed) {
  return refute::may_be_undefined(edited) && refute::defined_somewhere(edited, seed).answer == refute::Definedness::Answer::nowhere;
}

/// Is an edited claim what it assumes?
bool restates_an_assumption(const expr::Claim& claim) {
  return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) {
    if (a.relation != claim.relation) return false;
    return (expr::same(a.lhs, claim.lhs) && expr::same(a.rhs, claim.rhs)) || (expr::same(a.lhs, claim.rhs) && expr::same(a.rhs, claim.lhs));
  });
}

/// Statements about ranks and sizes follow from other claims; of tensors, what is proved directly is looked for first.
bool is_proved(const expr::Claim& claim, const infer::Problem& problem, std::size_t steps, std::size_t& long_proofs) {
  const bool reduced = !problem.ranks.empty() || problem.variables.empty();
  if ((reduced ? prove::prove_shortly(claim, problem, steps) : prove::prove_shortly(problem, steps)).certificate) return true;
  const bool equation = claim.relation == expr::Relation::equal;  // of which one instance was looked at, and of bounds all
  if (reduced || long_proofs == 0 || (equation && seems_false(problem))) return false;
  --long_proofs;
  const Prover shortly = [&](const expr::Claim& named, const infer::Problem& general) { return prove::prove_shortly(named, general, steps); };
  if (proved_by_names(claim, with_small_sizes_named(claim, problem), shortly)) return true;  // of numbers of rows everything would be written out
  const prove::Doubt doubt = [](const infer::Problem& p) { return seems_false(p); };
  if (prove::prove_turned(claim, problem) || prove::prove_shortly(claim, problem, prove::more_steps, doubt).certificate) return true;
  const bool inverts = equation && (expr::text(claim.lhs) + expr::text(claim.rhs)).find("inv(") != std::string::npos;  // multiplied by what is inverted
  return inverts && prove::prove_by_products(claim, problem, doubt);
}

/// Is a tensor of the claim read as a size in an edited one? sqrt(n) beside them makes sizes of a and b in a * b <= a * b * c.
bool makes_sizes(const infer::Problem& edited, const infer::Problem& problem) {
  return std::any_of(problem.variables.begin(), problem.variables.end(), [&](const auto& v) { return std::find(edited.dimensions.begin(), edited.dimensions.end(), v.name) != edited.dimensions.end(); });
}

/// Does the index of a comprehension stand outside of it, too, where it would be the name of a size?
bool frees_index(const expr::Claim& claim) {
  std::set<std::string> indices;
  const std::function<void(const expr::Expression&)> look = [&](const expr::Expression& e) {
    if (e->kind == expr::SyntaxKind::comprehension) indices.insert(e->name);
    expr::each_part(e, look);
  };
  expr::each_side(claim, look);
  bool found = false;
  expr::each_side(claim, [&](const expr::Expression& side) { found = found || std::any_of(indices.begin(), indices.end(), [&](const std::string& index) { return expr::mentions_free(side, index); }); });
  return found;
}

/// Are the assumptions equations of sizes or variables only, which every instance satisfies?
bool defined_away(const infer::Problem& edited) {
  return std::all_of(edited.facts.begin(), edited.facts.end(), [](const auto& fact) { return fact.kind == infer::FactKind::definition; });
}

/// Under assumptions instances are searched for: one has to exist, and none may speak against the claim. What is assumed beside the claim's
/// own has to leave sizes such as those where the claim is false: no row of positive numbers is one-hot but one of a single number.
bool holds_somewhere(infer::Problem edited, const infer::Problem& problem, const refute::Counterexample& counterexample, std::uint64_t seed) {
  const auto of_sizes = [](const infer::Problem& p) { return std::count_if(p.facts.begin(), p.facts.end(), infer::is_about_sizes); };
  if (edited.facts.size() > problem.facts.size() && of_sizes(edited) == of_sizes(problem)) {
    for (const auto& [size, value] : counterexample.instance.dims) {
      if (std::find(edited.dimensions.begin(), edited.dimensions.end(), size) == edited.dimensions.end()) continue;
      infer::Fact fact;
      fact.kind = infer::FactKind::dimension;
      fact.lhs_size = expr::dim(size);
      fact.rhs_size = value;
      fact.relation = expr::Relation::greater_equal;
      edited.facts.push_back(std::move(fact));
    }
  }
  refute::Options quick;
  quick.seed = seed;
  quick.shapes = 4;
  quick.draws = 1;
  quick.screening = 5'000;
  quick.operations = 0;
  quick.smallest = quick.further = false;
  return refute::refute(edited, quick).end == refute::End::exhausted;
}

/// Is an edit false at the shapes that the claim has, or does it not fit them? An assumption may make sizes equal.
bool false_at_once(const Edit& edit, const infer::Problem& shapes, bool tokens, std::uint64_t seed) {
  if (std::all_of(shapes.variables.begin(), shapes.variables.end(), [](const auto& v) { return v.declared; })) return false;
  try {
    return seems_false(infer::elaborate(kernel::declared(edit.claim, shapes)), tokens, seed);
  } catch (const expr::Error&) {
    return edit.claim.assumptions.size() <= shapes.facts.size();
  }
}

/// Has the claim itself a part that says nothing, or is it too long to look for one in each edit?
bool may_be_idle(const expr::Claim& claim) {
  constexpr std::size_t longest = 1000;
  try {
    return expr::text(claim.lhs).size() + expr::text(claim.rhs).size() > longest || has_idle_part(claim.lhs) || has_idle_part(claim.rhs);
  } catch (const expr::LimitReached&) {
    return true;
  }
}

/// Reading an edit takes as long as the claim is.
std::size_t fewer_of_long_claims(const expr::Claim& claim, std::size_t edits) {
  constexpr std::size_t usual = 1000, least = 6;  // characters; the smallest part that is left
  return std::max(edits / least, edits * usual / std::max(usual, expr::text(claim).size()));
}

}  // namespace

std::optional<Repair> repair(const expr::Claim& claim, const infer::Problem& problem, const refute::Counterexample& counterexample, const RepairOptions& options) {
  const std::string equation = expr::text(claim.lhs) + expr::text(claim.rhs);
  const bool tokens = equation.find("take(") != std::string::npos || equation.find("onehot(") != std::string::npos;  // vectors hold row numbers
  const bool idle = may_be_idle(claim);
  const std::size_t most = fewer_of_long_claims(claim, options.edits);
  std::size_t looked_at = 0;
  std::size_t searches = 0;
  std::size_t proofs = 0;
  std::size_t long_proofs = options.long_proofs;
  infer::Problem named = problem;
  std::erase_if(named.variables, [](const auto& v) { return !infer::is_written(v.name); });
  std::vector<Edit> list = edits(claim, named);
  for (Edit& edit : fitted_edits(claim, problem, tokens, options.seed)) list.push_back(std::move(edit));
  std::stable_sort(list.begin(), list.end(), [](const Edit& a, const Edit& b) { return a.size < b.size; });
  const bool freed = frees_index(claim);
  for (const Edit& edit : list) {
    if (looked_at == most || searches == options.searches || proofs == options.proofs) break;
    ++looked_at;
    try {
      if (edit.claim.relation == expr::Relation::equal && is_tautology(edit.claim.lhs, edit.claim.rhs) && !(idle && edit.change == missing_terms)) continue;
      if (edit.claim.relation != claim.relation && differ_by_a_number(edit.claim.lhs, edit.claim.rhs)) continue;
      if (edit.change == one_more_factor && differs_in_brackets(edit.claim.lhs, edit.claim.rhs)) continue;
      if (!freed && frees_index(edit.claim)) continue;
      if (restates_an_assumption(edit.claim) || (!idle && (has_idle_part(edit.claim.lhs) || has_idle_part(edit.claim.rhs)))) continue;
      const bool equation = edit.claim.relation == expr::Relation::equal;
      if (equation && false_at_once(edit, problem, tokens, options.seed)) continue;
      const infer::Problem edited = infer::elaborate(edit.claim);
      if (makes_sizes(edited, named)) continue;
      if (equation ? seems_false(edited, tokens, options.seed) : seems_false(edited)) continue;
      if (!equation || !defined_away(edited)) {
        if (equation && refuted_again(edited, counterexample)) continue;
        ++searches;
        if (!holds_somewhere(edited, problem, counterexample, options.seed)) continue;
      }
      ++proofs;
      const bool proved = is_proved(edit.claim, edited, options.steps, long_proofs) && !says_nothing(edited, options.seed);
      if (proved && !(options.is_false_in_numpy && options.is_false_in_numpy(edit.claim, edited))) return Repair{expr::text(edit.claim), edit.change, shown_equation(claim, edit.claim)};
    } catch (const expr::Error&) {  // its shapes do not fit
    } catch (const expr::LimitReached&) {
    }
  }
  return std::nullopt;
}

std::string new_declarations(const expr::Claim& repaired, const expr::Claim& claim) {
  std::string out;
  for (const expr::Declaration& d : repaired.declarations) {
    const bool known = std::any_of(claim.declarations.begin(), claim.declarations.end(), [&](const auto& own) { return own.name == d.name && own.shape == d.shape; });
    if (!known) out += (out.empty() ? "" : "; ") + d.name + ": " + expr::text(d.shape);
  }
  return out;
}

}  // namespace foldproof::repair
