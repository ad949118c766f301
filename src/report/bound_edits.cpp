// SPDX-License-Identifier: MIT
#include "report/bound_edits.hpp"

#include <algorithm>
#include <utility>

#include "expr/build.hpp"

namespace foldproof::report {
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
      edit.claim.assumptions.push_back({node(SyntaxKind::name, {}, a), Relation::less_equal, node(SyntaxKind::name, {}, b), {}});
      out.push_back(std::move(edit));
    }
  }
}

}  // namespace

std::vector<Edit> bound_edits(const expr::Claim& claim, const infer::Problem& problem) {
  std::vector<Edit> out;
  const bool equation = claim.relation == Relation::equal;
  if (equation && !problem.ranks.empty() && problem.lhs->shape.empty() && problem.rhs->shape.empty()) add_bounds(claim, out);
  if (problem.variables.empty() && (!equation || compares_sizes(claim.lhs) || compares_sizes(claim.rhs))) add_orders(claim, problem, out);
  return out;
}

}  // namespace foldproof::report
