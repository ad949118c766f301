// SPDX-License-Identifier: MIT
// Laws of what is 0 or 1: comparisons and masks decide each other, also inside functions. Part of the trusted base.
#include <algorithm>

#include "kernel/rewrite.hpp"

namespace foldproof::kernel {

std::optional<bool> Rewrite::decided(AtomId x, const Guards& guards) const {
  if (std::find(guards.atoms.begin(), guards.atoms.end(), x) != guards.atoms.end()) return guards.value;
  const Atom& a = arena_.atom(x);
  if (!is_comparison(a.kind)) return std::nullopt;
  const Index& e = a.indices[0];
  for (const Index& known : guards.known) {
    const bool negative = arena_.positive(-e - known);
    if (negative || (a.kind == AtomKind::equal && arena_.positive(e - known))) return false;
    if (a.kind == AtomKind::at_least && arena_.nonnegative(e - known)) return true;
  }
  return std::nullopt;
}

Rewrite::Guards Rewrite::guards(std::size_t first) const {
  Guards r;
  for (std::size_t k = first; k < step_.args.size(); ++k) {
    const Factor& g = factor(k);
    require(arena_.zero_one(g.atom) && g.exponent.sign() > 0, "implied: the factor is not 0 or 1");
    require(std::count(step_.args.begin(), step_.args.end(), step_.args[k]) == 1, "implied: a factor is named twice");
    r.atoms.push_back(g.atom);
    const Atom a = atom(k);
    if (!is_comparison(a.kind)) continue;
    if (r.known.empty()) r.known.emplace_back();
    const std::vector<Index> before = r.known;
    for (Index& known : r.known) known = known + a.indices[0];
    if (a.kind == AtomKind::equal) {  // what is 0 is at least 0 with either sign
      for (const Index& known : before) r.known.push_back(known - a.indices[0]);
    }
  }
  return r;
}

bool Rewrite::binds_a_variable_of(const Guards& guards, std::span<const Symbol> variables) const {
  return std::any_of(guards.atoms.begin(), guards.atoms.end(), [&](AtomId g) { return std::any_of(variables.begin(), variables.end(), [&](Symbol v) { return arena_.mentions(g, v); }); });
}

Poly Rewrite::given(const Factor& x, const Guards& guards) {
  if (const auto value = decided(x.atom, guards)) {
    require(x.exponent.sign() > 0, "a comparison in a denominator");
    return arena_.constant(*value ? 1 : 0);
  }
  const Atom a = arena_.atom(x.atom);
  if (a.body < 0 || binds_a_variable_of(guards, a.variables)) return arena_.of(x.atom, x.exponent);
  const Poly before = body(a);
  if (const auto position = !guards.known.empty() && is_function(a, Function::abs) && x.exponent.is_integer() && x.exponent.sign() > 0 ? as_sizes(arena_, before) : std::nullopt) {
    const auto at_least_zero = [&](const Index& e) { return std::any_of(guards.known.begin(), guards.known.end(), [&](const Index& known) { return arena_.nonnegative(e - known); }); };
    if (at_least_zero(*position)) return arena_.power(before, x.exponent);  // |i - j| = i - j where i >= j
    if (at_least_zero(-*position)) return arena_.power(arena_.scale(before, -1), x.exponent);
  }
  const Poly after = given(before, guards);
  if (after == before) return arena_.of(x.atom, x.exponent);
  // The new body also stands where the guards do not hold; there it must have a value, too, which is then multiplied by 0.
  const bool whole = x.exponent.is_integer() && x.exponent.sign() > 0;
  const auto function = static_cast<Function>(a.name);
  const bool entire = a.kind == AtomKind::maximum || (a.kind == AtomKind::apply && (function == Function::abs || function == Function::sin || function == Function::cos || function == Function::normal_cdf));
  const auto elsewhere = [&] { return -guards.known[0] - Index(1); };
  // Where the only guard just holds the new body is the old one, so it has a value wherever it is what it is there.
  const bool beside = std::any_of(m_.factors.begin(), m_.factors.end(), [&](const Factor& g) { return arena_.zero_one(g.atom) && std::find(guards.atoms.begin(), guards.atoms.end(), g.atom) == guards.atoms.end(); });
  const bool repeated = !beside && theory_.bodies == 0 && a.indices.empty() && guards.atoms.size() == 1 && guards.known.size() == 1 && arena_.repeats(after, elsewhere());
  const bool constant = after.size() == 1 && after[0].factors.empty() && after[0].variables.empty();
  const bool total = repeated || (a.kind == AtomKind::apply && function == Function::exp) || (entire && whole) || (a.kind == AtomKind::base && (whole || arena_.is_positive(after) || (constant && x.exponent.is_integer())));
  require(total && !arena_.is_infinite(x.atom), "a function that may have no value where the comparison does not hold");
  if (a.kind == AtomKind::base) return arena_.power(after, x.exponent);
  return with_body(a, after, x.exponent);
}

bool Rewrite::follows(const Factor& x, std::span<const Factor> beside, const Guards& guards) const {
  const AtomKind kind = arena_.atom(x.atom).kind;
  if (guards.known.empty() || !is_comparison(kind) || x.exponent.sign() < 0) return false;
  Guards together = guards;  // i >= j and j >= k say i >= k
  for (const Factor& y : beside) {
    if (arena_.atom(y.atom).kind != AtomKind::at_least || y.exponent.sign() < 0) continue;
    for (const Index& known : guards.known) together.known.push_back(known + arena_.atom(y.atom).indices[0]);
  }
  return decided(x.atom, together) == true;
}

Poly Rewrite::given(const Poly& p, const Guards& guards) {
  Poly r;
  for (const Monomial& t : p) {
    Poly product{Monomial{t.variables, {}, t.coefficient}};
    const bool shadowed = binds_a_variable_of(guards, t.variables);
    std::vector<Factor> left(t.factors.begin(), t.factors.end());
    for (const Factor& x : t.factors) {
      std::erase(left, x);
      if (!shadowed && follows(x, left, guards)) continue;
      left.push_back(x);
      product = arena_.multiply(product, shadowed ? arena_.of(x.atom, x.exponent) : given(x, guards));
    }
    r.insert(r.end(), product.begin(), product.end());
  }
  return arena_.collect(std::move(r));
}

std::vector<AtomId> Rewrite::lost(const Monomial& t) const {
  std::vector<AtomId> found;
  for (const Factor& x : m_.factors) {
    const bool stays = std::any_of(t.factors.begin(), t.factors.end(), [&](const Factor& y) { return y.atom == x.atom; });
    if (arena_.zero_one(x.atom) && !stays && theory_.leaves_out) found.push_back(x.atom);
  }
  return found;
}

std::vector<Factor> Rewrite::let_out(const Monomial& t) const {
  const std::vector<AtomId> lost = this->lost(t);
  std::vector<Factor> found;
  if (lost.empty()) return found;
  const auto stays = [&](AtomId a) { return std::find(lost.begin(), lost.end(), a) == lost.end(); };
  const auto holds = [&](AtomId g, Symbol v, const Index& e) {
    const Atom& a = arena_.atom(g);
    if (!is_comparison(a.kind)) return false;
    const Index at = arena_.substitute(a.indices[0], {{v, e}});
    return a.kind == AtomKind::equal ? at.is_zero() : arena_.nonnegative(at);
  };
  const auto counts_somewhere = [&](const Factor& x) {  // at some value of what is summed over all comparisons hold: of exp(S + causal(n)) each row has such a term
    return std::any_of(m_.variables.begin(), m_.variables.end(), [&](Symbol v) {
      const Index& range = arena_.symbol(v).range;
      std::vector<Index> places{0, range - Index(1)};
      for (const AtomId g : lost) {
        for (const Symbol w : arena_.free_variables(g)) places.push_back(Index::symbol(w));
      }
      return !arena_.mentions(x.atom, v) && std::any_of(places.begin(), places.end(), [&](const Index& e) { return in_range(e, range) && std::all_of(m_.factors.begin(), m_.factors.end(), [&](const Factor& g) { return !arena_.zero_one(g.atom) || (stays(g.atom) && !arena_.mentions(g.atom, v)) || holds(g.atom, v, e); }); });
    });
  };
  const auto divides = [&](const Factor& x) { return x.exponent.sign() < 0 && arena_.is_divisor(x.atom) && (x.exponent.is_integer() || arena_.is_nonnegative(x.atom)); };  // never left out
  for (const Factor& x : m_.factors) {
    if (!arena_.zero_one(x.atom) && !arena_.has_value(x) && !divides(x) && !counts_somewhere(x)) found.push_back(x);
  }
  return found;
}

bool Rewrite::expose(const Poly& p, std::vector<Factor>& exposed) const {
  bool kept = false;
  for (const Monomial& m : p) {
    const bool beside = std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& x) { return arena_.zero_one(x.atom) && x.exponent.sign() > 0; });
    for (const Factor& x : m.factors) {
      if (arena_.zero_one(x.atom) || arena_.has_value(x) || (x.exponent.sign() < 0 && arena_.is_divisor(x.atom))) continue;
      const bool whole = arena_.atom(x.atom).kind == AtomKind::inverse;  // of which no entry is evaluated alone
      kept = kept || (beside && !whole);
      if (beside) continue;
      if (!whole) exposed.push_back(x);
      if (const PolyId inside = arena_.atom(x.atom).body; inside >= 0) kept = expose(arena_.poly(inside), exposed) || kept;
    }
  }
  return kept;
}

void Rewrite::require_values_for(const Monomials& results) const {
  // What logarithms and denominators are taken of is not 0, so all comparisons hold in some term, with what all terms have.
  const bool not_zero = step_.law == Law::content && (is_function(atom(0), Function::log) || factor(0).exponent.sign() < 0);
  const bool asks = theory_.leaves_out && !not_zero;
  std::vector<Factor> before;
  const bool kept = asks && expose({m_}, before);
  for (const Monomial& t : results) {
    for (const Factor& x : let_out(t)) {
      require(std::none_of(t.factors.begin(), t.factors.end(), [&](const Factor& y) { return y.atom == x.atom; }), "a factor that may have no value where a comparison does not hold is left without it");
    }
    std::vector<Factor> after;
    if (kept || (asks && !lost(t).empty())) expose({t}, after);
    for (const Factor& x : after) require(std::find(before.begin(), before.end(), x) != before.end(), "a factor that may have no value comes out from behind a comparison");
  }
}

Monomials Rewrite::implied() {
  require(step_.args.size() >= 2, "implied: nothing is named that implies it");
  const Factor f = factor(0);
  const Poly value = given(f, guards(1));
  require(!(value.size() == 1 && value[0].factors.size() == 1 && value[0].factors[0] == f), "implied: the comparisons leave it open");
  return times(without({factor_position(0)}), value);
}

std::vector<AtomId> masks(const Arena& arena, const Poly& p) {
  std::vector<AtomId> found;
  for (const Monomial& t : p) {
    for (const Factor& x : t.factors) {
      if (arena.zero_one(x.atom)) found.push_back(x.atom);
      if (const PolyId inner = arena.atom(x.atom).body; inner >= 0) {
        const auto more = masks(arena, arena.poly(inner));
        found.insert(found.end(), more.begin(), more.end());
      }
    }
  }
  return found;
}

Monomials Rewrite::cases() {
  const Factor f = factor(0);
  require(arena_.atom(f.atom).body >= 0, "cases: the factor has no body");
  const auto all = masks(arena_, body(arena_.atom(f.atom)));
  const AtomId mask = all[position(arg(1), all.size(), "cases: the body has no such comparison")];
  const auto& outside = arena_.free_variables(f.atom);
  const auto& inside = arena_.free_variables(mask);
  require(std::includes(outside.begin(), outside.end(), inside.begin(), inside.end()), "cases: the comparison mentions a variable that the body binds");
  Guards holds{{mask}, true, {}}, fails{{mask}, false, {}};
  if (const Atom& a = arena_.atom(mask); a.kind == AtomKind::at_least) {
    holds.known = {a.indices[0]};
    fails.known = {-a.indices[0] - Index(1)};
  }
  const Poly on = given(f, holds), off = given(f, fails);
  require(on != off, "cases: the comparison changes nothing");
  const Poly masked = arena_.multiply(arena_.of(mask), arena_.add(on, arena_.scale(off, -1)));
  return times(without({factor_position(0)}), arena_.add(off, masked));
}

}  // namespace foldproof::kernel
