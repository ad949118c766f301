// SPDX-License-Identifier: MIT
#include "repair/slips.hpp"

#include <algorithm>

namespace foldproof::repair {

namespace {

using expr::Expression;
using expr::SyntaxKind;

bool joins_columns(const Expression& e) { return e->kind == SyntaxKind::call && e->name == "concat" && e->keywords.empty(); }

std::string columns_for_rows(const Expression& e) {
  if (e->kind != SyntaxKind::matmul || !joins_columns(e->args[0]) || !joins_columns(e->args[1]) || e->args[0]->args.size() != e->args[1]->args.size()) return {};
  auto rows = std::make_shared<expr::Syntax>(*e->args[1]);
  rows->name = "vstack";
  return "concat joins columns; if each part of " + expr::text(e->args[0]) + " has its own rows of the other factor, write " + expr::text(Expression(rows));
}

std::string gain_for_eps(const Expression& e) {
  const bool norm = e->kind == SyntaxKind::call && (e->name == "rmsnorm" || e->name == "layernorm") && e->args.size() == 2 && e->args[1]->kind == SyntaxKind::name;
  if (!norm || e->args[1]->name[0] == 'e') return {};  // eps, epsilon, e
  return "the second operand of " + e->name + " is eps, one number; a gain is a factor: " + e->name + "(" + expr::text(e->args[0]) + ") * " + e->args[1]->name;
}

std::string slip_in(const Expression& e) {
  if (!e) return {};
  std::string found = columns_for_rows(e);
  if (found.empty()) found = gain_for_eps(e);
  for (std::size_t k = 0; k < e->args.size() && found.empty(); ++k) found = slip_in(e->args[k]);
  return found;
}

}  // namespace

std::string likely_slip(const expr::Claim& claim) {
  std::string found = slip_in(claim.lhs);
  if (found.empty()) found = slip_in(claim.rhs);
  for (std::size_t k = 0; k < claim.definitions.size() && found.empty(); ++k) found = slip_in(claim.definitions[k].value);
  return found;
}

}  // namespace foldproof::repair
