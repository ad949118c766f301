// SPDX-License-Identifier: MIT
#include "repair/finite_masks.hpp"

#include "expr/build.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::SyntaxKind;

/// Whether e is a number that is used as if it were infinite, of that sign.
bool is_large(const Expression& e, int sign) {
  const bool negated = e->kind == SyntaxKind::negate;
  const Expression& number = negated ? e->args[0] : e;
  constexpr std::int64_t least = 10'000;
  return number->kind == SyntaxKind::number && (negated ? -number->value.sign() : number->value.sign()) == sign && !(expr::Rational(-least) < number->value && number->value < expr::Rational(least));
}

/// Minus infinity where m is 1, which is 1 - k of what is kept.
Expression masked(const Expression& m) {
  const bool kept = m->kind == SyntaxKind::subtract && expr::is_number(m->args[0], 1);
  return expr::call("neginf", {kept ? m->args[1] : expr::node(SyntaxKind::subtract, {expr::number(1), m})});
}

Expression with_infinity(const Expression& e, bool& found) {
  return expr::changed(e, [&](const Expression& part) -> Expression {
    const auto factor = [&](const Expression& product, int sign) -> Expression {
      if (product->kind != SyntaxKind::multiply) return nullptr;
      for (const std::size_t k : {0u, 1u}) {
        if (is_large(product->args[k], sign)) return masked(with_infinity(product->args[1 - k], found));
      }
      return nullptr;
    };
    if (part->kind == SyntaxKind::call && (part->name == "where" || part->name == "assigned")) {
      auto copy = std::make_shared<expr::Syntax>(*part);
      for (Expression& a : copy->args) {
        const bool large = is_large(a, -1);
        found = found || large;
        a = large ? expr::call("neginf", {expr::number(0)}) : with_infinity(a, found);
      }
      return copy;
    }
    if (const Expression mask = factor(part, -1)) {
      found = true;
      return mask;
    }
    const Expression mask = part->kind == SyntaxKind::subtract ? factor(part->args[1], 1) : nullptr;
    if (!mask) return nullptr;
    found = true;
    return expr::node(SyntaxKind::add, {with_infinity(part->args[0], found), mask});
  });
}

}  // namespace

std::optional<expr::Claim> with_infinite_masks(const expr::Claim& claim) {
  expr::Claim result = claim;
  bool found = false;
  for (auto& d : result.definitions) d.value = with_infinity(d.value, found);
  result.lhs = with_infinity(result.lhs, found);
  result.rhs = with_infinity(result.rhs, found);
  return found ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace foldproof::repair
