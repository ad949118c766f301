// SPDX-License-Identifier: MIT
// Laws that use an equation: an assumption of the claim, or a sum against its own reciprocal. Part of the trusted base.
#include <algorithm>

#include "kernel/rewrite.hpp"

namespace foldproof::kernel {

void Rewrite::propose(const Index& pattern, const Index& target, const std::vector<Symbol>& open, Arena::Substitution& s) const {
  const auto p = pattern.as_symbol(), q = target.as_symbol();
  if (p && q && arena_.symbol(*p).kind >= SymbolKind::quotient && arena_.symbol(*p).kind == arena_.symbol(*q).kind) return propose(arena_.symbol(*p).numerator, arena_.symbol(*q).numerator, open, s);
  const auto is_open = [&](Symbol v) { return std::find(open.begin(), open.end(), v) != open.end(); };
  std::optional<Symbol> alone;  // b in c*a + b: what a leaves
  for (const auto& summand : pattern.summands()) {
    const auto v = std::find_if(summand.product.begin(), summand.product.end(), is_open);
    if (v == summand.product.end()) continue;
    const Index k = *Index::of(summand).divide(Index::symbol(*v));
    if (k.is_one()) alone = *v;
    for (const auto& t : target.summands()) {
      const auto w = k.is_one() ? std::nullopt : Index::of(t).divide(k);
      if (w && w->as_symbol()) s.emplace(*v, *w);
    }
  }
  if (!alone) return;
  const Index others = (pattern - Index::symbol(*alone)).substitute([&](Symbol x) { return s.count(x) > 0 ? s.at(x) : Index::symbol(x); });
  s.emplace(*alone, target - others);
}

Monomials Rewrite::use_equation(const Poly& p, std::size_t lead, std::size_t first, const std::vector<Symbol>& open_parameters, const std::vector<std::size_t>& also_used) {
  const Monomial t = p[lead];
  require(step_.args.size() == first + t.factors.size(), "a position is needed for each factor of the term");
  std::vector<Symbol> open = open_parameters;
  open.insert(open.end(), t.variables.begin(), t.variables.end());
  Arena::Substitution s;
  Monomial rest = m_;
  std::vector<std::size_t> positions;
  for (std::size_t k = 0; k < t.factors.size(); ++k) {
    const std::size_t f = factor_position(first + k);
    require(std::find(also_used.begin(), also_used.end(), f) == also_used.end(), "a factor is used twice");
    positions.push_back(f);
    const Atom pattern = arena_.atom(t.factors[k].atom);
    const Atom target = arena_.atom(m_.factors[f].atom);
    require(pattern.kind == target.kind && pattern.name == target.name && pattern.indices.size() == target.indices.size(), "a factor does not match the equation");
    for (std::size_t i = 0; i < pattern.indices.size(); ++i) propose(pattern.indices[i], target.indices[i], open, s);
  }
  // Variables that occur only inside bodies are matched there. All of this only proposes; the atoms are compared next.
  for (std::size_t k = 0; k < t.factors.size(); ++k) match_body(t.factors[k].atom, m_.factors[positions[k]].atom, open, s);
  std::vector<Symbol> bound;
  for (std::size_t k = 0; k < t.factors.size(); ++k) {
    require(arena_.substitute(t.factors[k].atom, s) == m_.factors[positions[k]].atom, "a factor does not match the equation");
    Rational have = m_.factors[positions[k]].exponent;  // x[i] x[j] at i = j meets x[i]^2 twice
    for (std::size_t other = 0; other < k; ++other) {
      if (positions[other] == positions[k]) have = have - t.factors[other].exponent;
    }
    const Rational need = t.factors[k].exponent;
    require(have == need || (need.sign() > 0 && have > need && !arena_.zero_one(m_.factors[positions[k]].atom)), "a power does not match the equation");
  }
  for (const Symbol v : t.variables) {
    const auto target = s.count(v) ? s.at(v).as_symbol() : std::nullopt;
    require(target && std::find(m_.variables.begin(), m_.variables.end(), *target) != m_.variables.end(), "a bound variable of the equation does not meet one of the monomial");
    require(arena_.symbol(*target).range == arena_.symbol(v).range && std::find(bound.begin(), bound.end(), *target) == bound.end(), "bound variables must meet distinct ones with equal ranges");
    bound.push_back(*target);
  }
  for (const Symbol v : open_parameters) {
    require(s.count(v) > 0 && in_range(s.at(v), arena_.symbol(v).range), "a parameter of the equation is not known to be in its range");
    for (const Symbol b : bound) require(!arena_.mentions(s.at(v), b), "a parameter mentions a variable that the equation binds");
  }
  for (std::size_t k = 0; k < t.factors.size(); ++k) arena_.take_out(rest, m_.factors[positions[k]].atom, t.factors[k].exponent);
  require_values_for({rest});  // also for what the other terms cancel
  for (const Symbol b : bound) {
    require(!arena_.mentions(rest, b), "a variable of the equation occurs elsewhere in the monomial");
    unbind(rest, b);
  }
  Poly others = p;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(lead));
  others = arena_.scale(arena_.substitute(arena_.freshen(others), s), Rational(-1) / t.coefficient);
  return arena_.multiply({rest}, others);
}

void Rewrite::match_body(AtomId pattern, AtomId target, const std::vector<Symbol>& open, Arena::Substitution& s) {
  const Atom a = arena_.atom(pattern), b = arena_.atom(target);
  if (a.body < 0 || b.body < 0 || a.kind != b.kind || a.name != b.name) return;
  const Poly p = body(a), q = body(b);
  for (std::size_t k = 0; k < std::min(p.size(), q.size()); ++k) {
    std::vector<bool> used(q[k].factors.size(), false);
    for (const bool closed : {true, false}) {  // X[i, c] X[q, c] for open q: X[i, c] stands for itself
      for (const Factor& f : p[k].factors) {
        const auto& indices = arena_.atom(f.atom).indices;
        const bool known = std::none_of(indices.begin(), indices.end(), [&](const Index& e) { return e.as_symbol() && std::find(open.begin(), open.end(), *e.as_symbol()) != open.end(); });
        if (known == closed) match_factor(f.atom, q[k], used, open, s);
      }
    }
  }
}

void Rewrite::match_factor(AtomId pattern, const Monomial& target, std::vector<bool>& used, const std::vector<Symbol>& open, Arena::Substitution& s) {
  const Atom x = arena_.atom(pattern);
  std::optional<std::size_t> best;
  std::ptrdiff_t most = -1;
  for (std::size_t g = 0; g < target.factors.size(); ++g) {
    const Atom& y = arena_.atom(target.factors[g].atom);
    if (used[g] || x.kind != y.kind || x.name != y.name || x.indices.size() != y.indices.size()) continue;
    std::ptrdiff_t same = 0;
    for (std::size_t i = 0; i < x.indices.size(); ++i) same += x.indices[i] == y.indices[i] ? 1 : 0;
    if (same > most) best = g;
    most = std::max(most, same);
  }
  if (!best) return;
  used[*best] = true;
  const AtomId met = target.factors[*best].atom;
  for (std::size_t i = 0; i < x.indices.size(); ++i) propose(x.indices[i], arena_.atom(met).indices[i], open, s);
  match_body(pattern, met, open, s);
}

/// x^q with x = term k + others, q < 0: term k x^q = x^(q+1) - others x^q. An instance of the equation x - (sum of its terms) = 0.
Monomials Rewrite::cancel() {
  const Factor f = factor(0);
  const Atom a = arena_.atom(f.atom);
  require(a.kind == AtomKind::base && f.exponent.sign() < 0, "cancel: no negative power of a sum");
  const Poly p = body(a);
  const std::size_t lead = position(arg(1), p.size(), "cancel: the base has no such term");
  for (const Symbol v : p[lead].variables) require(!arena_.mentions(f.atom, v), "a variable of the equation occurs elsewhere in the monomial");
  // As an equation in m: (term k) - x + others == 0, where x stands for the power itself.
  Monomials minus_others = use_equation(p, lead, 2, {}, {factor_position(0)});
  Monomial raised = m_;
  const Rational c = p[lead].coefficient;
  raised.coefficient = raised.coefficient / c;
  for (std::size_t k = 0; k < p[lead].factors.size(); ++k) arena_.take_out(raised, m_.factors[factor_position(2 + k)].atom, p[lead].factors[k].exponent);
  std::vector<Symbol> gone;
  for (const Symbol v : raised.variables) {
    const bool used = std::any_of(m_.factors.begin(), m_.factors.end(), [&](const Factor& x) { return arena_.mentions(x.atom, v); });
    if (used && !arena_.mentions(raised, v)) gone.push_back(v);
  }
  require(gone.size() == p[lead].variables.size(), "a variable of the equation occurs elsewhere in the monomial");
  for (const Symbol v : gone) unbind(raised, v);
  arena_.multiply_in(raised, f.atom, 1);
  minus_others.push_back(raised);
  return minus_others;
}

Monomials Rewrite::axiom() {
  const Axiom& axiom = theory_.axioms[position(arg(0), theory_.usable_axioms, "axiom: no such assumption")];
  return use_equation(axiom.poly, position(arg(1), axiom.poly.size(), "axiom: no such term"), 2, axiom.parameters, {});
}

Monomials Rewrite::halve() {
  Monomial half = m_;
  half.coefficient = half.coefficient * Rational(1, 2);
  return {half, half};
}

}  // namespace foldproof::kernel
