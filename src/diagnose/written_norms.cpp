// SPDX-License-Identifier: MIT
#include "diagnose/written_norms.hpp"

#include "expr/build.hpp"
#include "read/parse.hpp"

namespace foldproof::diagnose {
namespace {

using expr::Expression;

/// The formula for `name(x, e)`.
struct Formula {
  const char* name;
  std::size_t operands;
  const char* text;
};
constexpr Formula formulas[] = {
    {"rmsnorm", 2, "x / sqrt(mean(x * x, axis=-1, keepdims=True) + e)"},
    {"layernorm", 2, "(x - mean(x, axis=-1, keepdims=True)) / sqrt(mean((x - mean(x, axis=-1, keepdims=True)) * (x - mean(x, axis=-1, keepdims=True)), axis=-1, keepdims=True) + e)"},
    {"softmax", 1, "exp(x - max(x, axis=-1, keepdims=True)) / sum(exp(x - max(x, axis=-1, keepdims=True)), axis=-1, keepdims=True)"},
};

/// Null for what is none of them.
Expression written_out(const Expression& e) {
  for (const Formula& formula : formulas) {
    if (!expr::is_call(e, formula.name) || e->args.size() != formula.operands || !e->keywords.empty()) continue;
    std::vector<Expression> operands;
    for (const Expression& a : e->args) operands.push_back(expr::changed(a, written_out));
    return expr::changed(read::parse_expression(formula.text), [&](const Expression& part) -> Expression {
      if (part->kind != expr::SyntaxKind::name) return nullptr;
      return part->name == "x" ? operands[0] : part->name == "e" ? operands[1] : nullptr;
    });
  }
  return nullptr;
}

}  // namespace

std::optional<expr::Claim> with_norms_written_out(const expr::Claim& claim) {
  expr::Claim out = claim;
  bool any = false;
  expr::change_each(out, [&](const Expression& e) {
    return expr::changed(e, [&](const Expression& part) {
      Expression formula = written_out(part);
      any = any || formula;
      return formula;
    });
  });
  return any ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace foldproof::diagnose
