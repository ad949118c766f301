// SPDX-License-Identifier: MIT
#include "prove/sides.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "expr/build.hpp"
#include "expr/rational.hpp"
#include "read/parse.hpp"

namespace foldproof::prove {
namespace {

using expr::Expression;
using expr::node;
using expr::Rational;
using expr::SyntaxKind;

using Sizes = std::map<std::string, int>;  // exponents
/// number * sizes * rest
struct Term {
  Rational number = 1;
  Sizes sizes;
  Expression rest;  ///< none: 1
};

Sizes times(Sizes a, const Sizes& b, int sign) {
  for (const auto& [name, exponent] : b) {
    if ((a[name] += sign * exponent) == 0) a.erase(name);
  }
  return a;
}

Expression number(std::int64_t n) { return read::parse_expression(std::to_string(n)); }
Expression entrywise(const Expression& a, const Expression& b) { return a ? b ? node(SyntaxKind::multiply, {a, b}) : a : b; }

class Terms {
 public:
  explicit Terms(const infer::Problem& problem) : problem_(problem) {}

  /// Adds the terms of e times `by`, which is a number and sizes.
  void add(const Expression& e, const Term& by) {
    switch (e->kind) {
      case SyntaxKind::add:
      case SyntaxKind::subtract:
        add(e->args[0], by);
        return add(e->args[1], e->kind == SyntaxKind::add ? by : scaled({-1, {}, {}}, by));
      case SyntaxKind::negate: return add(e->args[0], scaled({-1, {}, {}}, by));
      case SyntaxKind::multiply:
      case SyntaxKind::divide: {
        const Term first = factors(e->args[0]), second = factors(e->args[1]);
        if (!second.rest && !second.number.is_zero()) return add(e->args[0], scaled(by, second, e->kind == SyntaxKind::divide));
        if (!first.rest && e->kind == SyntaxKind::multiply) return add(e->args[1], scaled(by, first));
        return put(scaled(factors(e), by));
      }
      default: return put(scaled(factors(e), by));
    }
  }

  /// Drops a factor of all terms: what all terms were multiplied by, as a product of sizes and one number, and what they were divided by.
  std::pair<Expression, Expression> reduce() {
    std::erase_if(terms_, [](const Term& t) { return t.number.is_zero(); });
    if (terms_.empty()) return {number(1), number(1)};
    std::int64_t numerators = 0;
    Rational denominators = 1;
    Sizes least = terms_[0].sizes;
    for (const Term& t : terms_) {
      numerators = std::gcd(numerators, t.number.num());
      denominators = denominators * Rational((denominators * t.number).den());  // their least common multiple
      Sizes both = t.sizes;
      both.insert(least.begin(), least.end());
      for (const auto& [name, exponent] : both) {
        const auto at = t.sizes.find(name);
        least[name] = std::min(least[name], at == t.sizes.end() ? 0 : at->second);
      }
    }
    Expression above = number(numerators), below = number(denominators.num());
    for (const auto& [name, exponent] : least) {
      for (int k = 0; k < std::abs(exponent); ++k) (exponent > 0 ? above : below) = entrywise(exponent > 0 ? above : below, node(SyntaxKind::name, {}, name));
    }
    for (Term& t : terms_) t = {t.number * denominators / Rational(numerators), times(t.sizes, least, -1), t.rest};
    return {above, below};
  }

  /// The sides that the terms of rhs - lhs make: the positive ones to the right, the negative ones to the left. A number goes to the right
  /// also when it is negative, unless it is all that the left side has: rank(W) <= d - 1.
  std::pair<Expression, Expression> sides() const {
    const auto is_number = [](const Term& t) { return t.sizes.empty() && !t.rest; };
    const auto number = std::find_if(terms_.begin(), terms_.end(), [&](const Term& t) { return is_number(t) && t.number.sign() < 0; });
    const bool alone = std::none_of(terms_.begin(), terms_.end(), [&](const Term& t) { return !is_number(t) && t.number.sign() < 0; });
    if (number == terms_.end() || alone) return {side(-1, true), side(1, true)};
    return {side(-1, false), node(SyntaxKind::subtract, {side(1, true), prove::number(-number->number.num())})};
  }

 private:
  /// The sum of the terms of this sign, each without it.
  Expression side(int sign, bool with_number) const {
    Expression sum;
    for (const Term& t : terms_) {
      if (t.number.sign() != sign || (!with_number && t.sizes.empty() && !t.rest)) continue;
      Expression term = t.number == Rational(sign) ? nullptr : number(sign * t.number.num());
      for (const auto& [name, exponent] : t.sizes) {
        for (int k = 0; k < exponent; ++k) term = entrywise(term, node(SyntaxKind::name, {}, name));
      }
      term = entrywise(term, t.rest);
      if (!term) term = number(1);
      sum = sum ? node(SyntaxKind::add, {sum, term}) : term;
    }
    return sum ? sum : number(0);
  }

  static Term scaled(const Term& a, const Term& b, bool divide = false) { return {divide ? a.number / b.number : a.number * b.number, times(a.sizes, b.sizes, divide ? -1 : 1), a.rest ? a.rest : b.rest}; }

  /// e as one term.
  Term factors(const Expression& e) const {
    const bool size = e->kind == SyntaxKind::name && std::find(problem_.dimensions.begin(), problem_.dimensions.end(), e->name) != problem_.dimensions.end();
    if (e->kind == SyntaxKind::number) return {e->value, {}, {}};
    if (size) return {1, {{e->name, 1}}, {}};
    if (e->kind == SyntaxKind::negate) return scaled(factors(e->args[0]), {-1, {}, {}});
    if (e->kind == SyntaxKind::multiply) {
      const Term a = factors(e->args[0]), b = factors(e->args[1]);
      return {a.number * b.number, times(a.sizes, b.sizes, 1), entrywise(a.rest, b.rest)};
    }
    if (e->kind == SyntaxKind::divide) {
      const Term a = factors(e->args[0]), b = factors(e->args[1]);
      if (!b.rest && !b.number.is_zero()) return scaled(a, b, true);
    }
    return {1, {}, e};
  }

  void put(const Term& term) {
    const auto same = std::find_if(terms_.begin(), terms_.end(), [&](const Term& t) { return t.sizes == term.sizes && (t.rest ? term.rest && expr::same(t.rest, term.rest) : !term.rest); });
    if (same == terms_.end()) {
      terms_.push_back(term);
    } else {
      same->number = same->number + term.number;
    }
  }

  const infer::Problem& problem_;
  std::vector<Term> terms_;  ///< in the order in which they were met
};

}  // namespace

std::optional<kernel::Reduction> rearrangement(const expr::Claim& claim, const infer::Problem& problem) {
  if (claim.relation != expr::Relation::less_equal) return std::nullopt;
  try {
    Terms terms(problem);  // of rhs - lhs
    terms.add(claim.lhs, {-1, {}, {}});
    terms.add(claim.rhs, {1, {}, {}});
    const auto [above, below] = terms.reduce();
    const auto [left, right] = terms.sides();
    if (expr::same(left, claim.lhs) && expr::same(right, claim.rhs)) return std::nullopt;
    // rhs - lhs is above / below times right - left
    return kernel::Reduction{kernel::ReductionKind::rearranged, {expr::text(left), expr::text(right), expr::text(below), expr::text(above)}};
  } catch (const expr::LimitReached&) {  // its numbers have no common denominator of 64 bits
    return std::nullopt;
  }
}

}  // namespace foldproof::prove
