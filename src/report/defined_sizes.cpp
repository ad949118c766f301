// SPDX-License-Identifier: MIT
#include "report/defined_sizes.hpp"

#include <algorithm>
#include <set>

namespace foldproof::report {
namespace {

using expr::Expression;
using expr::Rational;
using expr::SyntaxKind;

void collect_names(const Expression& e, std::set<std::string>& names) {
  if (e->kind == SyntaxKind::name) names.insert(e->name);
  for (const auto& a : e->args) collect_names(a, names);
}

/// The value of sums and products of sizes; nothing of other expressions. Requires: every name has a size.
std::optional<Rational> value_of(const Expression& e, const expr::DimValues& sizes) {
  if (e->kind == SyntaxKind::number) return e->value;
  if (e->kind == SyntaxKind::name) return Rational(sizes.at(e->name));
  const bool binary = e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::divide;
  if (!binary) return std::nullopt;
  const auto a = value_of(e->args[0], sizes), b = value_of(e->args[1], sizes);
  if (!a || !b) return std::nullopt;
  switch (e->kind) {
    case SyntaxKind::add: return *a + *b;
    case SyntaxKind::subtract: return *a - *b;
    case SyntaxKind::multiply: return *a * *b;
    default: return b->is_zero() ? std::nullopt : std::optional(*a / *b);
  }
}

/// The size of the one name that makes the expression equal to `value`, if it is linear in that name.
std::optional<std::int64_t> solved(const Expression& e, const std::string& name, expr::DimValues sizes, const Rational& value) {
  const auto at = [&](std::int64_t size) {
    sizes[name] = size;
    return value_of(e, sizes);
  };
  const auto one = at(1), two = at(2);
  if (!one || !two || (*two - *one).is_zero()) return std::nullopt;
  const Rational size = Rational(1) + (value - *one) / (*two - *one);
  if (!size.is_integer() || size.sign() <= 0 || at(size.num()) != value) return std::nullopt;
  return size.num();
}

}  // namespace

expr::DimValues defined_sizes(const infer::Problem& problem, const expr::Claim& claim, const expr::DimValues& dims) {
  expr::DimValues known = dims, found;
  const auto solve = [&](const infer::Fact& fact, const Expression& side) {
    std::set<std::string> names;
    collect_names(side, names);
    std::vector<std::string> needed;
    expr::collect_names(fact.lhs_size, needed);
    if (std::any_of(needed.begin(), needed.end(), [&](const std::string& n) { return dims.count(n) == 0; })) return false;  // a rank
    std::erase_if(names, [&](const std::string& n) { return known.count(n) > 0; });
    if (names.size() != 1) return false;
    const auto size = solved(side, *names.begin(), known, Rational(expr::evaluate(fact.lhs_size, dims)));
    if (!size) return false;
    known[*names.begin()] = found[*names.begin()] = *size;
    return true;
  };
  const auto solve_some = [&] {  // one may need another that a later assumption defines
    return std::any_of(problem.facts.begin(), problem.facts.end(), [&](const infer::Fact& fact) {
      if (fact.kind != infer::FactKind::definition || fact.rhs || fact.number >= claim.assumptions.size()) return false;
      const auto& assumption = claim.assumptions[fact.number];
      return assumption.relation && (solve(fact, assumption.lhs) || solve(fact, assumption.rhs));
    });
  };
  try {
    while (solve_some()) {
    }
  } catch (const expr::LimitReached&) {  // beyond 64 bits: what is known is shown
  }
  return found;
}

}  // namespace foldproof::report
