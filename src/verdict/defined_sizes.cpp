// SPDX-License-Identifier: MIT
#include "verdict/defined_sizes.hpp"

namespace foldproof::verdict {
namespace {

using expr::Expression;
using expr::SyntaxKind;

void collect_names(const Expression& e, std::set<std::string>& names) {
  if (e->kind == SyntaxKind::name) names.insert(e->name);
  for (const auto& a : e->args) collect_names(a, names);
}

}  // namespace

expr::DimValues defined_sizes(const infer::Problem& problem, const expr::Claim& claim, const expr::DimValues& dims, const std::set<std::string>& others) {
  std::set<std::string> assumed = others;
  for (const auto& a : claim.assumptions) {
    if (!a.relation) continue;
    collect_names(a.lhs, assumed);
    collect_names(a.rhs, assumed);
  }
  expr::DimValues known = dims, found;
  const auto set = [&](const std::string& name, std::int64_t size) {
    known[name] = size;
    if (assumed.count(name) > 0) found[name] = size;
  };
  for (const auto& [name, value] : problem.replaced_sizes) {
    if (assumed.count(name) == 0 || expr::mentions_rank(value)) continue;
    std::vector<std::string> needed;
    expr::collect_names(value, needed);
    for (const std::string& other : needed) {
      if (known.count(other) == 0) set(other, 1);  // d = h*k, of which d // h leaves k alone: any h will do
    }
    try {
      set(name, expr::evaluate(value, known));
    } catch (const expr::LimitReached&) {  // beyond 64 bits: what is known is shown
    }
  }
  return found;
}

}  // namespace foldproof::verdict
