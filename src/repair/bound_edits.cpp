// SPDX-License-Identifier: MIT
#include "repair/bound_edits.hpp"

#include <algorithm>
#include <utility>

#include "repair/places.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::node;
using expr::Relation;
using expr::SyntaxKind;

/// min, max, // and %: whether such a number equals another one depends on which size is larger.
bool compares_sizes(const Expression& e) {
  const bool here = e->kind == SyntaxKind::floor_divide || e->kind == SyntaxKind::modulo || (e->kind == SyntaxKind::call && (e->name == "min" || e->name == "max"));
  return here || std::any_of(e->args.begin(), e->args.end(), compares_sizes);
}

/// rank(A @ B) == rank(A) as rank(A @ B) <= rank(A), and the other way round.
void add_bounds(const expr::Claim& claim, std::vector<Edit>& out) {
  Edit most{claim, "at most instead of equal", 2};
  most.claim.relation = Relation::less_equal;
  Edit least{most.claim, "at least instead of equal", 3};
  std::swap(least.claim.lhs, least.claim.rhs);
  out.push_back(std::move(most));
  out.push_back(std::move(least));
}

void add_orders(const expr::Claim& claim, const infer::Problem& problem, std::vector<Edit>& out) {
  for (const std::string& a : problem.dimensions) {
    for (const std::string& b : problem.dimensions) {
      if (a == b) continue;
      Edit edit{claim, "one more assumption", 3};
      edit.claim.assumptions.push_back({named(a), Relation::less_equal, named(b), {}});
      out.push_back(std::move(edit));
    }
  }
}

/// A number, or a sum with one: twice of it says little.
bool has_constant_term(const Expression& e) {
  if (e->kind == SyntaxKind::name || e->kind == SyntaxKind::call) return false;
  const bool joins = e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::divide;
  return e->kind == SyntaxKind::number || (joins && std::any_of(e->args.begin(), e->args.end(), has_constant_term));
}

/// Sizes of the matrix whose rank is bounded: a bound by them says nothing.
std::vector<std::string> outer_sizes(const infer::Problem& problem) {
  std::vector<std::string> found;
  const bool of_matrix = problem.lhs->args.size() == 1;
  for (const std::string& d : problem.dimensions) {
    const auto mentions_it = [&](const expr::Dim& size) { return size.mentions(*expr::dim(d).as_symbol()); };
    if (of_matrix && std::any_of(problem.lhs->args[0]->shape.begin(), problem.lhs->args[0]->shape.end(), mentions_it)) found.push_back(d);
  }
  return found;
}

/// rank(A @ B + C @ D) <= r as rank(A @ B + C @ D) <= 2 * r, abs(rmsnorm(X)) <= 1 as abs(rmsnorm(X)) <= sqrt(d): a larger right side.
void add_larger(const expr::Claim& claim, const infer::Problem& problem, std::vector<Edit>& out) {
  const auto bound_by = [&](Expression rhs, int size) {
    Edit edit{claim, "a larger bound", size};
    edit.claim.rhs = std::move(rhs);
    out.push_back(std::move(edit));
  };
  const bool ranks = !problem.ranks.empty();
  const auto outer = ranks ? outer_sizes(problem) : std::vector<std::string>{};
  if (std::any_of(outer.begin(), outer.end(), [&](const std::string& d) { return expr::mentions(claim.rhs, d); })) return;
  const bool plain = claim.rhs->kind == SyntaxKind::number && claim.rhs->value.is_integer();
  if (plain) bound_by(number(claim.rhs->value.num() + 1), 4);
  if (!plain && ranks) bound_by(node(SyntaxKind::add, {claim.rhs, number(1)}), 4);
  if (ranks && claim.rhs->kind == SyntaxKind::add) bound_by(node(SyntaxKind::multiply, claim.rhs->args), 4);
  if (!has_constant_term(claim.rhs)) bound_by(node(SyntaxKind::multiply, {number(2), claim.rhs}), 4);
  for (const std::string& name : problem.dimensions) {
    const Expression d = named(name);
    if (std::find(outer.begin(), outer.end(), name) != outer.end()) continue;
    if (!ranks) bound_by(plain && claim.rhs->value.num() == 1 ? expr::call("sqrt", {d}) : node(SyntaxKind::multiply, {expr::call("sqrt", {d}), claim.rhs}), 5);
    bound_by(plain && claim.rhs->value.num() == 1 ? d : node(SyntaxKind::multiply, {d, claim.rhs}), 5);
    if (ranks && !expr::mentions(claim.rhs, name)) bound_by(node(SyntaxKind::add, {claim.rhs, d}), 5);
  }
}

}  // namespace

std::vector<Edit> bound_edits(const expr::Claim& claim, const infer::Problem& problem) {
  std::vector<Edit> out;
  const bool equation = claim.relation == Relation::equal;
  if (equation && !problem.ranks.empty() && problem.lhs->shape.empty() && problem.rhs->shape.empty()) add_bounds(claim, out);
  if (claim.relation != Relation::equal && !problem.variables.empty()) add_larger(claim, problem, out);
  if (problem.variables.empty() && (!equation || compares_sizes(claim.lhs) || compares_sizes(claim.rhs))) add_orders(claim, problem, out);
  return out;
}

}  // namespace foldproof::repair
