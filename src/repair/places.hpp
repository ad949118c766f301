// SPDX-License-Identifier: MIT
// Changes of single places of an expression: what repairs, and mistakes in programs, have in common.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "expr/build.hpp"

namespace foldproof::repair {

using expr::number;

inline expr::Expression named(const std::string& name) { return expr::node(expr::SyntaxKind::name, {}, name); }

/// The call with the same operands and another name.
inline expr::Expression renamed(const expr::Expression& call, const std::string& name) {
  auto copy = std::make_shared<expr::Syntax>(*call);
  copy->name = name;
  return copy;
}

/// e with another operand k; X for X.T.T.
inline expr::Expression with_argument(const expr::Expression& e, std::size_t k, expr::Expression argument) {
  if (e->kind == expr::SyntaxKind::transpose && argument->kind == expr::SyntaxKind::transpose) return argument->args[0];
  auto copy = std::make_shared<expr::Syntax>(*e);
  copy->args[k] = std::move(argument);
  return copy;
}

/// Every way to change one place of e; changes of the whole come before those of its parts. `here(place, changes)` adds what may take
/// the place of one expression, as `to` of a Change.
template <class Change, class Here>
void everywhere(const expr::Expression& e, const Here& here, std::vector<Change>& out) {
  here(e, out);
  for (std::size_t k = 0; k < e->args.size(); ++k) {
    if (e->kind == expr::SyntaxKind::comprehension && k == 1) continue;  // the range
    std::vector<Change> inside;
    everywhere(e->args[k], here, inside);
    for (Change& change : inside) {
      change.to = with_argument(e, k, std::move(change.to));
      out.push_back(std::move(change));
    }
  }
}

}  // namespace foldproof::repair
