// SPDX-License-Identifier: MIT
#include "diagnose/side_terms.hpp"

#include <utility>

#include "repair/places.hpp"

namespace foldproof::diagnose {
namespace {

using expr::Expression;
using expr::SyntaxKind;

void collect_terms(const Expression& e, const std::function<Expression(Expression)>& with, int sign, std::vector<SideTerm>& out) {
  if (e->kind != SyntaxKind::add && e->kind != SyntaxKind::subtract) {
    out.push_back({e, with, sign});
    return;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const int turned = k == 1 && e->kind == SyntaxKind::subtract ? -sign : sign;
    collect_terms(e->args[k], [e, k, with](const Expression& other) { return with(repair::with_argument(e, k, other)); }, turned, out);
  }
}

}  // namespace

std::vector<SideTerm> terms_of(const expr::Expression& side) {
  std::vector<SideTerm> out;
  collect_terms(side, [](Expression e) { return e; }, 1, out);
  return out;
}

expr::Expression computed_side(const expr::Claim& claim, bool stored_on_the_right) {
  Expression computed = stored_on_the_right ? claim.lhs : claim.rhs;
  for (auto d = claim.definitions.rbegin(); d != claim.definitions.rend(); ++d) {
    if (computed->kind == SyntaxKind::name && computed->name == d->name) computed = d->value;
  }
  return computed;
}

}  // namespace foldproof::diagnose
