// SPDX-License-Identifier: MIT
// Laws of sums over indices, of comparisons and of positions. Part of the trusted base.
#include <algorithm>

#include "kernel/rewrite.hpp"

namespace foldproof::kernel {

Monomials Rewrite::split() {
  const Symbol v = variable(0);
  const Index range = arena_.symbol(v).range;
  const Index e = arena_.index(step_.size, {});
  require(arena_.splits(e, range), "split: the point must lie inside the range");
  const Symbol low = arena_.fresh(e), high = arena_.fresh(range - e);
  return {summed(m_, v, Index::symbol(low), {low}), summed(m_, v, e + Index::symbol(high), {high})};
}

Monomials Rewrite::pair() {
  const Symbol v = variable(0);
  const Index k = arena_.index(step_.size, {});
  const auto q = Index(arena_.symbol(v).range).divide(k);
  require(q.has_value() && arena_.is_size(k) && arena_.is_size(*q), "pair: the size must divide the range");
  const Symbol a = arena_.fresh(*q), b = arena_.fresh(k);
  return {summed(m_, v, Index::symbol(a) * k + Index::symbol(b), {a, b})};
}

Monomials Rewrite::unroll() {
  const Symbol v = variable(0);
  const auto n = arena_.symbol(v).range.constant();
  require(n && *n >= 0 && *n <= 64, "unroll: the range must be a number of at most 64");
  Monomials r;
  for (std::int64_t k = 0; k < *n; ++k) r.push_back(summed(m_, v, k));
  return r;
}

Index Rewrite::solve(const Atom& a, Symbol v) const {
  require(a.kind == AtomKind::equal && factor(0).exponent.sign() > 0, "the factor is no equality");
  const Index& e = a.indices[0];
  const auto [rest, steps] = e.linear_in(v);
  const auto slope = steps.constant();
  require(slope && (*slope == 1 || *slope == -1) && !arena_.mentions(rest, v), "the equality cannot be solved for the variable");
  require(e == rest + Index::symbol(v) * Index(*slope), "the equality is not linear in the variable");
  return *slope == 1 ? -rest : rest;
}

Monomials Rewrite::sift() {
  const Symbol v = variable(1);
  const Index e = solve(atom(0), v);
  const auto is_shown = [&](const Index& bound) {  // bound >= 0, also where a comparison, at the value e, holds
    if (arena_.nonnegative(bound)) return true;
    for (std::size_t k = 2; k < step_.args.size(); ++k) {
      const Atom a = atom(k);
      require(factor_position(k) != factor_position(0) && is_comparison(a.kind) && factor(k).exponent.sign() > 0, "sift: the factor is no other comparison");
      const Index compared = arena_.substitute(a.indices[0], {{v, e}});
      if (arena_.nonnegative(bound - compared) || (a.kind == AtomKind::equal && arena_.nonnegative(bound + compared))) return true;
    }
    return false;
  };
  require(is_shown(e) && is_shown(arena_.symbol(v).range - Index(1) - e), "sift: the value must lie in the range of the variable");
  if (step_.args.size() > 2) require_values_beyond(v, e);
  return {summed(without({factor_position(0)}), v, e)};
}

Monomials Rewrite::decide() {
  const Atom a = atom(0);
  require(is_comparison(a.kind), "decide: the factor is no comparison");
  const Index& e = a.indices[0];
  require(factor(0).exponent.sign() > 0, "decide: a comparison in a denominator");
  const Monomial rest = without({factor_position(0)});
  if (a.kind == AtomKind::equal) {
    if (e.is_zero()) return {rest};
    require(arena_.positive(e) || arena_.positive(-e), "decide: the equality is neither true nor false");
    return {};
  }
  if (arena_.nonnegative(e)) return {rest};
  require(arena_.positive(-e), "decide: the comparison is neither true nor false");
  return {};
}

Monomials Rewrite::digits() {
  const Atom a = atom(0);
  const bool ordering = a.kind == AtomKind::at_least;
  require((ordering || a.kind == AtomKind::equal) && factor(0).exponent.sign() > 0, "digits: the factor is no comparison");
  const Index k = arena_.index(step_.size, {});
  const Index x = whole_part(a.indices[0], k);
  const Index y = a.indices[0] - x * k;
  require(arena_.positive(k - y) && arena_.positive(k + y), "digits: the remainder must be smaller than the size");
  if (ordering && arena_.nonnegative(y)) return times(without({factor_position(0)}), arena_.at_least(x));
  const Poly blocks = arena_.equal(x), offsets = ordering ? arena_.at_least(y) : arena_.equal(y);
  const Poly both = arena_.multiply(blocks, offsets);
  return times(without({factor_position(0)}), ordering ? arena_.add(arena_.at_least(x - Index(1)), both) : both);
}

/// e where factor k is 1 for e >= 0, else 0.
Index Rewrite::compared(std::size_t k) const {
  const Atom a = atom(k);
  require(a.kind == AtomKind::at_least && factor(k).exponent.is_one(), "the factor is no comparison of order");
  return a.indices[0];
}

Monomials Rewrite::flip() {
  const Index e = compared(0);
  return times(without({factor_position(0)}), arena_.add(arena_.constant(1), arena_.scale(arena_.at_least(-e - Index(1)), -1)));
}

Monomials Rewrite::turn() {
  const Index e = compared(0);
  const Poly same = arena_.equal(e), other = arena_.scale(arena_.at_least(-e), -1);
  return times(without({factor_position(0)}), arena_.add(arena_.add(arena_.constant(1), same), other));
}

Monomials Rewrite::only_equal() {
  const Index e = compared(0);
  require(arena_.nonnegative(-e), "only-equal: the difference may be positive");
  return times(without({factor_position(0)}), arena_.equal(e));
}

Monomials Rewrite::between() {
  const Atom a = atom(0);
  require(a.kind == AtomKind::equal && factor(0).exponent.sign() > 0, "between: the factor is no equality");
  const Index& e = a.indices[0];
  return times(without({factor_position(0)}), arena_.add(arena_.at_least(e), arena_.scale(arena_.at_least(e - Index(1)), -1)));
}

Monomials Rewrite::reverse() {
  const Symbol v = variable(0);
  const Symbol w = arena_.fresh(Index(arena_.symbol(v).range));
  return {summed(m_, v, Index(arena_.symbol(v).range) - Index(1) - Index::symbol(w), {w})};
}

void Rewrite::require_values_beyond(Symbol v, const Index& e) {
  for (const Factor& x : m_.factors) {
    const bool fits = !arena_.mentions(x.atom, v) || (arena_.has_value(arena_.substitute(Poly{{{}, {x}, 1}}, {{v, e}})) && !arena_.is_infinite(x.atom));
    require(fits, "a factor may have no value beyond the range of the variable");
  }
}

Monomials Rewrite::shift() {
  const Index compares = compared(0);
  const Symbol v = variable(1);
  const Index range = arena_.symbol(v).range, size = arena_.index(step_.size, {});
  const Index e = size - Index(1) - Index::symbol(v) - compares;
  require(!arena_.mentions(e, v) && arena_.nonnegative(e) && arena_.is_size(size), "shift: the comparison is no bound of a place further on");
  const Symbol w = arena_.fresh(size);
  require_values_beyond(v, Index::symbol(w) - e);  // where w < e, too
  const Monomial m = summed(without({factor_position(0)}), v, Index::symbol(w) - e, {w});
  return times(m, arena_.multiply(arena_.at_least(Index::symbol(w) - e), arena_.at_least(range - Index(1) - Index::symbol(w) + e)));
}

Monomials Rewrite::number() {
  const Atom a = atom(0);
  require(a.kind == AtomKind::size, "number: the factor is no number");
  Index e = a.indices[0];
  if (const auto symbol = e.as_symbol()) {
    const SymbolInfo info = arena_.symbol(*symbol);
    require(info.kind == SymbolKind::remainder, "number: the factor is no composite number");
    e = info.numerator - info.denominator * arena_.quotient(info.numerator, info.denominator);
  }
  return times(without({factor_position(0)}), arena_.power(arena_.number(e), factor(0).exponent));
}

Monomials Rewrite::count() {
  const Symbol v = variable(0);
  require(!arena_.mentions(m_, v), "count: a factor mentions the variable");
  Monomial m = m_;
  unbind(m, v);
  return times(m, arena_.number(Index(arena_.symbol(v).range)));
}

Monomials Rewrite::count_up() {
  const Index e = compared(0);
  const Symbol v = variable(1);
  Monomial m = without({factor_position(0)});
  require(!arena_.mentions(m, v), "count-up: another factor mentions the variable");
  unbind(m, v);
  const Index n = arena_.symbol(v).range, rest = e.linear_in(v).rest;
  require(!arena_.mentions(rest, v), "count-up: the variable stands under a division");
  for (const auto& [compared, number] : {std::pair{rest - Index::symbol(v), rest + Index(1)}, std::pair{rest + Index::symbol(v), n + rest}}) {
    if (e != compared || !arena_.nonnegative(number) || !arena_.nonnegative(n - number)) continue;
    if (!arena_.positive(number)) require_values_for({m});  // before the number, which may be 0, cancels against what divides by it
    return times(m, arena_.number(number));
  }
  throw Reject("count-up: the number of values is not known");
}

Monomials Rewrite::add_up() {
  const Atom a = atom(0);
  const Symbol v = variable(1);
  const Rational power = factor(0).exponent;
  require(a.kind == AtomKind::size && a.indices[0] == Index::symbol(v) && power.is_integer() && power.sign() > 0 && power.num() <= 3, "add-up: the factor is not the number of the variable");
  Monomial m = without({factor_position(0)});
  require(!arena_.mentions(m, v), "add-up: another factor mentions the variable");
  unbind(m, v);
  const Index n = arena_.symbol(v).range, pairs = n * (n - Index(1));  // twice the sum of the numbers
  const Index sum = power.is_one() ? pairs : power.num() == 2 ? pairs * (n + n - Index(1)) : pairs * pairs;
  return times(m, arena_.scale(arena_.number(sum), Rational(1, power.is_one() ? 2 : power.num() == 2 ? 6 : 4)));
}

}  // namespace foldproof::kernel
