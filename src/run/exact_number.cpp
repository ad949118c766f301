// SPDX-License-Identifier: MIT
#include "run/exact_number.hpp"

#include "expr/syntax.hpp"
#include "read/parse.hpp"

namespace foldproof::run {
namespace {

using expr::SyntaxKind;
using numeric::Exact;

/// The number that the text of a counterexample stands for: rationals and multiples of log(2).
Exact constant(const expr::Expression& e) {
  switch (e->kind) {
    case SyntaxKind::number: return Exact::from(e->value);
    case SyntaxKind::negate: return Exact(0) - constant(e->args[0]);
    case SyntaxKind::add: return constant(e->args[0]) + constant(e->args[1]);
    case SyntaxKind::subtract: return constant(e->args[0]) - constant(e->args[1]);
    case SyntaxKind::multiply: return constant(e->args[0]) * constant(e->args[1]);
    case SyntaxKind::divide: return constant(e->args[0]) / constant(e->args[1]);
    case SyntaxKind::call:
      if (e->name == "log" && e->args.size() == 1) return log(constant(e->args[0]));
      break;
    default: break;
  }
  expr::fail("number.value", "`" + expr::text(e) + "` is no exact number", e->span);
}

}  // namespace

Exact exact_number(const std::string& text) {
  if (const auto q = numeric::Rational::parse(text)) return Exact(*q);
  return constant(read::parse_expression(text));
}

}  // namespace foldproof::run
