// SPDX-License-Identifier: MIT
// Questions about the parts of an expression.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>

#include "expr/syntax.hpp"

namespace foldproof::prove {

inline bool is_call(const expr::Expression& e, const char* name) { return e->kind == expr::SyntaxKind::call && e->name == name; }

/// Whether e or a part of it is such.
inline bool any_part(const expr::Expression& e, const std::function<bool(const expr::Expression&)>& is_such) {
  return is_such(e) || std::any_of(e->args.begin(), e->args.end(), [&](const expr::Expression& a) { return any_part(a, is_such); });
}

using Names = std::initializer_list<const char*>;
inline bool is_call_of(const expr::Expression& e, Names functions) {
  return std::any_of(functions.begin(), functions.end(), [&](const char* name) { return is_call(e, name); });
}
inline bool calls(const expr::Expression& e, Names functions) {
  return any_part(e, [&](const expr::Expression& x) { return is_call_of(x, functions); });
}

inline bool is_rank(const expr::Expression& e) { return is_call(e, "rank") && e->args.size() == 1; }

inline std::size_t nodes(const expr::Expression& e) {
  std::size_t sum = 1;
  for (const expr::Expression& a : e->args) sum += nodes(a);
  return sum;
}

}  // namespace foldproof::prove
