// SPDX-License-Identifier: MIT
// Questions about the parts of an expression, and the names for it that all of this folder uses.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>

#include "expr/build.hpp"

namespace foldproof::prove {

using expr::Claim;
using expr::Expression;
using expr::is_call;
using expr::Relation;
using expr::SyntaxKind;

inline bool is_call(const Expression& e, const char* name, std::size_t operands) { return is_call(e, name) && e->args.size() == operands; }

/// Whether e or a part of it is such.
inline bool any_part(const Expression& e, const std::function<bool(const Expression&)>& is_such) {
  return is_such(e) || std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return any_part(a, is_such); });
}

using Names = std::initializer_list<const char*>;
inline bool is_call_of(const Expression& e, Names functions) {
  return std::any_of(functions.begin(), functions.end(), [&](const char* name) { return is_call(e, name); });
}
inline bool calls(const Expression& e, Names functions) {
  return any_part(e, [&](const Expression& x) { return is_call_of(x, functions); });
}
/// Whether a term of the sum that e is, or e itself, is such.
inline bool is_term(const Expression& e, const std::function<bool(const Expression&)>& is_such) {
  const bool sum = e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::negate;
  return sum ? std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_term(a, is_such); }) : is_such(e);
}

using expr::is_square;

/// The X of which frob2(X), sum(X**2), sum(X * X), rowsum(X**2) or colsum(X**2) sums the squares, or mean(X**2) but for a number. Null for others.
inline Expression squares_summed(const Expression& e) {
  if (is_call(e, "frob2") && e->args.size() == 1) return e->args[0];
  return is_call_of(e, {"sum", "rowsum", "colsum", "mean"}) && e->args.size() == 1 ? expr::squared(e->args[0]) : nullptr;
}
inline bool is_rank(const Expression& e) { return is_call(e, "rank", 1); }

inline std::size_t nodes(const Expression& e) {
  std::size_t sum = 1;
  for (const Expression& a : e->args) sum += nodes(a);
  return sum;
}

}  // namespace foldproof::prove
