// SPDX-License-Identifier: MIT
// Laws of powers, exponentials, logarithms, absolute values, angles and maxima. Part of the trusted base.
#include <algorithm>

#include "kernel/rewrite.hpp"

namespace foldproof::kernel {

Monomials Rewrite::exp_sum() {
  const Atom a = atom(0);
  require(is_function(a, Function::exp), "exp-sum: the factor is no exponential");
  const Rational q = factor(0).exponent;
  Monomials r{without({factor_position(0)})};
  const Poly terms = body(a);
  for (const Monomial& t : terms) r = arena_.multiply(r, arena_.freshen(exp_of(t, q)));
  return r;
}

Poly Rewrite::exp_of(const Monomial& t, const Rational& q) {
  if (t.variables.empty() && t.factors.size() == 1 && t.factors[0].exponent.is_one()) {
    const Atom inner = arena_.atom(t.factors[0].atom);
    if (is_function(inner, Function::log)) return arena_.power(Poly(body(inner)), t.coefficient * q);  // defined only for x > 0
  }
  if (const Factor* mask = arena_.minus_infinity(t)) {
    const Atom inner = arena_.atom(mask->atom);
    require(arena_.is_zero_one(body(inner)), "exp-sum: minus infinity needs a 0/1 mask");
    require((t.coefficient * q).sign() > 0, "exp-sum: minus infinity with a negative factor");
    return body(inner);
  }
  Monomial unit = t;
  unit.coefficient = 1;
  return arena_.of(arena_.intern(Atom{AtomKind::apply, static_cast<int>(Function::exp), {}, {}, arena_.intern({unit})}), t.coefficient * q);
}

Poly Rewrite::rational_power(const Rational& c, const Rational& q) {
  if (q.is_integer()) return arena_.constant(expr::power(c, q.num()));
  require(c.sign() > 0, "a fractional power of a negative number");
  Poly r = arena_.constant(1);
  for (const auto& [prime, exponent] : primes(c)) {
    const Rational e = Rational(exponent) * q;
    const std::int64_t whole = e.num() >= 0 ? e.num() / e.den() : -((-e.num() + e.den() - 1) / e.den());
    r = arena_.scale(r, expr::power(Rational(prime), whole));
    const Rational rest = e - Rational(whole);
    if (!rest.is_zero()) r = arena_.multiply(r, arena_.of(arena_.intern(Atom{AtomKind::base, 0, {}, {}, arena_.intern(arena_.constant(prime))}), rest));
  }
  return r;
}

std::vector<std::pair<std::int64_t, std::int64_t>> Rewrite::primes(const Rational& c) {
  std::vector<std::pair<std::int64_t, std::int64_t>> r;
  for (auto [n, sign] : {std::pair{c.num(), 1}, std::pair{c.den(), -1}}) {
    for (std::int64_t p = 2; p < 100000 && p * p <= n; ++p) {
      std::int64_t e = 0;
      for (; n % p == 0; n /= p) ++e;
      if (e > 0) r.emplace_back(p, sign * e);
    }
    if (n > 1) r.emplace_back(n, sign);
  }
  return r;
}

Poly Rewrite::atom_power(const Factor& x, const Rational& q) {
  const Atom a = arena_.atom(x.atom);
  const Rational e = x.exponent * q;
  if (!q.is_integer() && x.exponent.is_integer() && !arena_.is_nonnegative(x.atom)) {
    require(x.exponent.num() % 2 == 0, "distribute: a fractional power of something that may be negative");
    return arena_.of(arena_.intern(Atom{AtomKind::apply, static_cast<int>(Function::abs), {}, {}, arena_.intern(arena_.of(x.atom))}), e);
  }
  if (arena_.zero_one(x.atom)) {
    require(e.sign() > 0 || q.is_integer(), "distribute: a comparison under a root in a denominator");
    return arena_.of(x.atom, e.sign() > 0 ? Rational(1) : e);
  }
  if (a.kind == AtomKind::base && e.is_integer() && e.sign() > 0) return arena_.power(Poly(body(a)), e);
  return arena_.of(x.atom, e);
}

std::vector<Monomial> Rewrite::independent(const Monomial& t) const {
  std::vector<Monomial> parts;
  for (const Factor& x : t.factors) {
    Monomial part{{}, {x}, 1};
    for (const Symbol v : t.variables) {
      if (arena_.mentions(x.atom, v)) bind(part, v);
    }
    const auto shares = [&](const Monomial& other) { return std::any_of(other.variables.begin(), other.variables.end(), [&](Symbol v) { return std::binary_search(part.variables.begin(), part.variables.end(), v); }); };
    for (const Monomial& other : parts) {
      if (!shares(other)) continue;
      for (const Factor& y : other.factors) arena_.multiply_in(part, y.atom, y.exponent);
      for (const Symbol v : other.variables) {
        if (!std::binary_search(part.variables.begin(), part.variables.end(), v)) bind(part, v);
      }
    }
    std::erase_if(parts, [&](const Monomial& other) { return !other.variables.empty() && shares(other); });
    parts.push_back(std::move(part));
  }
  return parts;
}

Monomials Rewrite::distribute() {
  const Atom a = atom(0);
  require(a.kind == AtomKind::base && body(a).size() == 1, "distribute: the base is no product");
  const Rational q = factor(0).exponent;
  const Monomial t = body(a)[0];
  const auto parts = independent(t);
  std::size_t bound = 0;
  for (const Monomial& part : parts) bound += part.variables.size();
  require(bound == t.variables.size() && (t.variables.empty() || parts.size() > 1), "distribute: the base is one sum");
  Poly r = rational_power(t.coefficient, q);
  for (const Monomial& part : parts) {
    if (part.variables.empty()) {
      r = arena_.multiply(r, atom_power(part.factors[0], q));
      continue;
    }
    require(q.is_integer() || arena_.is_nonnegative(Poly{part}), "distribute: a fractional power of a sum that may be negative");
    r = arena_.multiply(r, arena_.power({part}, q));
  }
  return times(without({factor_position(0)}), r);
}

Monomial Rewrite::common(const Poly& p, bool fractional, bool keep_sign) const {
  Monomial c;
  std::vector<AtomId> atoms;
  for (const Monomial& t : p) {
    for (const Factor& x : t.factors) atoms.push_back(x.atom);
  }
  std::sort(atoms.begin(), atoms.end());
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  for (const AtomId x : atoms) {
    Rational least;
    bool first = true;
    bool bound = false;
    for (const Monomial& t : p) {
      const auto at = std::find_if(t.factors.begin(), t.factors.end(), [&](const Factor& f) { return f.atom == x; });
      const Rational e = at == t.factors.end() ? Rational(0) : at->exponent;
      if (first || e < least) least = e;
      first = false;
      bound = bound || arena_.binds(t, x);
    }
    if (fractional && !arena_.is_nonnegative(x)) {  // an even power is not negative
      if (!least.is_integer()) continue;
      least = Rational(least.num() - (least.num() % 2 != 0 ? 1 : 0));
    }
    const bool allowed = !bound && !least.is_zero() && !arena_.zero_one(x);
    if (allowed) c.factors.push_back({x, least});
  }
  const Rational lead = p.front().coefficient;
  c.coefficient = keep_sign && lead.sign() < 0 ? -lead : lead;
  return c;
}

Poly Rewrite::divided(const Poly& p, const Monomial& c) {
  Monomial inverse;
  inverse.coefficient = Rational(1) / c.coefficient;
  for (const Factor& x : c.factors) inverse.factors.push_back({x.atom, -x.exponent});
  const Poly rest = arena_.multiply(p, {inverse});
  require(arena_.multiply(rest, {c}) == p, "content: the common factor does not multiply back");
  return rest;
}

Monomials Rewrite::content() {
  const Atom a = atom(0);
  const Rational q = factor(0).exponent;
  const Poly p = a.body >= 0 ? body(a) : Poly();
  require(!p.empty(), "content: the body is zero");
  const bool logarithm = is_function(a, Function::log);
  const bool magnitude = is_function(a, Function::abs);
  require(a.kind == AtomKind::base || logarithm || magnitude, "content: the factor has no content law");
  const bool fractional = a.kind == AtomKind::base && !q.is_integer();
  Monomial c = common(p, fractional || logarithm, fractional || logarithm);
  if (logarithm) {
    c.factors.erase(std::remove_if(c.factors.begin(), c.factors.end(), [&](const Factor& x) { return !arena_.is_positive(x.atom); }), c.factors.end());
    require(q.is_one(), "content: a power of a logarithm");
  }
  require(!c.coefficient.is_one() || !c.factors.empty(), "content: nothing to take out");
  const Poly rest = divided(p, c);
  const Monomial others = without({factor_position(0)});
  const PolyId rest_id = arena_.intern(rest);
  if (logarithm) {
    Poly r = log_of(c);
    r = arena_.add(r, arena_.of(arena_.intern(Atom{AtomKind::apply, a.name, {}, {}, rest_id})));
    return times(others, r);
  }
  Poly r = magnitude ? magnitude_of(c, q) : power_of(c, q);
  r = arena_.multiply(r, arena_.of(arena_.intern(Atom{a.kind, a.name, {}, {}, rest_id}), q));
  return times(others, r);
}

Poly Rewrite::power_of(const Monomial& c, const Rational& q) {
  Poly r = rational_power(c.coefficient, q);
  for (const Factor& x : c.factors) r = arena_.multiply(r, atom_power(x, q));
  return r;
}

Poly Rewrite::magnitude_of(const Monomial& c, const Rational& q) {
  Poly r = rational_power(c.coefficient.sign() < 0 ? -c.coefficient : c.coefficient, q);
  for (const Factor& x : c.factors) {
    const Rational e = x.exponent * q;
    if (arena_.is_nonnegative(x.atom) || !x.exponent.is_integer()) {
      r = arena_.multiply(r, arena_.of(x.atom, e));
    } else {
      const AtomId size = arena_.intern(Atom{AtomKind::apply, static_cast<int>(Function::abs), {}, {}, arena_.intern(arena_.of(x.atom))});
      r = arena_.multiply(r, arena_.of(size, e));
    }
  }
  return r;
}

Monomials Rewrite::expand() {
  const Factor f = factor(0);
  const Atom a = arena_.atom(f.atom);
  require(a.kind == AtomKind::base && f.exponent >= Rational(1), "expand: no power of at least one");
  Monomial rest = without({factor_position(0)});
  arena_.multiply_in(rest, f.atom, f.exponent - Rational(1));
  return times(rest, body(a));
}

Monomials Rewrite::absolute() {
  const Atom a = atom(0);
  require(is_function(a, Function::abs), "absolute: the factor is no absolute value");
  const Rational q = factor(0).exponent;
  const Poly p = body(a);
  Monomial rest = without({factor_position(0)});
  if (arena_.is_nonnegative(p)) return times(rest, p.empty() ? Poly() : arena_.power(p, q));
  if (q.is_integer() && !q.is_one()) {  // |x|^3 = |x| x^2, 1/|x| = |x| / x^2
    const Rational even = Rational(q.num() - (q.num() % 2 != 0 ? 1 : 0));
    arena_.multiply_in(rest, factor(0).atom, q - even);
    return times(rest, arena_.power(p, even));
  }
  require(p.size() == 1 && p[0].variables.empty(), "absolute: nothing is known of the sign");
  require(!(p[0].factors.size() == 1 && p[0].coefficient.is_one() && p[0].factors[0].exponent.is_one()), "absolute: nothing is known of the sign");
  return times(rest, magnitude_of(p[0], q));
}

Poly Rewrite::log_of(const Monomial& c) {
  require(c.coefficient.sign() > 0, "logarithm: of a negative number");
  Poly r;
  for (const auto& [prime, exponent] : primes(c.coefficient)) {
    r = arena_.add(r, arena_.scale(arena_.apply(Function::log, arena_.constant(prime)), exponent));
  }
  for (const Factor& x : c.factors) {
    const bool odd = c.factors.size() == 1 && (!x.exponent.is_integer() || x.exponent.num() % 2 != 0);  // x^q has a logarithm only where x has one
    require(odd || arena_.is_positive(x.atom), "logarithm: of something that may not be positive");
    const Atom a = arena_.atom(x.atom);
    const Poly inner = is_function(a, Function::exp) ? body(a) : arena_.apply(Function::log, a.kind == AtomKind::base ? Poly(body(a)) : arena_.of(x.atom));
    r = arena_.add(r, arena_.scale(inner, x.exponent));
  }
  return r;
}

Monomials Rewrite::logarithm() {
  const Atom a = atom(0);
  require(is_function(a, Function::log) && factor(0).exponent.is_one(), "logarithm: the factor is no logarithm");
  require(body(a).size() == 1 && body(a)[0].variables.empty(), "logarithm: of a sum");
  const Monomial c = body(a)[0];
  const bool prime = c.factors.empty() && c.coefficient.sign() > 0 && primes(c.coefficient).size() == 1 && primes(c.coefficient)[0].second == 1;
  require(!prime, "logarithm: of a prime number");
  const auto plain = [&](const Atom& x) { return !is_function(x, Function::exp) && x.kind != AtomKind::base; };
  require(!(c.factors.size() == 1 && c.coefficient.is_one() && c.factors[0].exponent.is_one() && plain(arena_.atom(c.factors[0].atom))), "logarithm: nothing to do");
  return times(without({factor_position(0)}), log_of(c));
}

Monomials Rewrite::reflect() {
  const Atom a = atom(0);
  const Rational q = factor(0).exponent;
  require(a.kind == AtomKind::apply, "reflect: the factor is no function");
  const auto f = static_cast<Function>(a.name);
  const Poly mirrored = arena_.apply(f, arena_.scale(Poly(body(a)), -1));
  const Monomial rest = without({factor_position(0)});
  if (f == Function::cos) return times(rest, arena_.of(mirrored[0].factors[0].atom, q));
  require(q.is_integer() && q.sign() > 0, "reflect: a power that is no positive integer");
  if (f == Function::sin) return times(rest, arena_.power(arena_.scale(mirrored, -1), q));
  require(f == Function::normal_cdf, "reflect: the function has no reflection");
  return times(rest, arena_.power(arena_.add(arena_.constant(1), arena_.scale(mirrored, -1)), q));
}

Monomials Rewrite::angle() {
  const Atom a = atom(0);
  const Rational q = factor(0).exponent;
  const bool sine = is_function(a, Function::sin);
  require((sine || is_function(a, Function::cos)) && q.is_integer() && q.sign() > 0, "angle: the factor is no sine or cosine");
  const Monomial rest = without({factor_position(0)});
  Poly p = body(a);
  if (p.empty()) return sine ? Monomials{} : Monomials{rest};
  Poly first{p.front()};
  if (p.size() == 1) {  // sin(3x) = sin(x + 2x)
    const Rational c = p[0].coefficient;
    require(c.is_integer() && (c.num() > 1 || c.num() < -1), "angle: nothing to split");
    require(c.num() <= 32 && c.num() >= -32, "angle: the multiple is too large");
    first[0].coefficient = c.sign();
  }
  const Poly others = arena_.add(p, arena_.scale(first, -1));
  const Poly s1 = arena_.apply(Function::sin, first), c1 = arena_.apply(Function::cos, first);
  const Poly s2 = arena_.apply(Function::sin, others), c2 = arena_.apply(Function::cos, others);
  const Poly one = sine ? arena_.add(arena_.multiply(s1, c2), arena_.multiply(c1, s2)) : arena_.add(arena_.multiply(c1, c2), arena_.scale(arena_.multiply(s1, s2), -1));
  return times(rest, arena_.power(one, q));
}

Monomials Rewrite::pythagoras() {
  const Atom a = atom(0);
  const Rational q = factor(0).exponent;
  require(is_function(a, Function::sin) && q.is_integer() && q >= Rational(2), "pythagoras: no square of a sine");
  Monomial rest = without({factor_position(0)});
  arena_.multiply_in(rest, factor(0).atom, q - Rational(2));
  const Poly cosine = arena_.apply(Function::cos, Poly(body(a)));
  return times(rest, arena_.add(arena_.constant(1), arena_.scale(arena_.multiply(cosine, cosine), -1)));
}

Monomials Rewrite::signed_body() {
  const Factor f = factor(0);
  const Atom a = arena_.atom(f.atom);
  require(is_function(a, Function::abs), "signed-body: the factor is no absolute value");
  const std::int64_t k = arg(1);
  require(k >= 0 && k < static_cast<std::int64_t>(theory_.signs.size()), "signed-body: no such assumption");
  const AssumedSign& sign = theory_.signs[static_cast<std::size_t>(k)];
  require(sign.relation != expr::Relation::not_equal, "signed-body: the assumption names no sign");
  for (const int turn : {1, -1}) {  // |x| = x for x >= 0, |x| = -x for -x >= 0
    Arena::Substitution s;
    const AtomId pattern = arena_.apply(Function::abs, arena_.scale(sign.poly, turn))[0].factors[0].atom;
    match_body(pattern, f.atom, sign.parameters, s);
    const bool ranged = std::all_of(sign.parameters.begin(), sign.parameters.end(), [&](Symbol v) { return s.count(v) > 0 && in_range(s.at(v), arena_.symbol(v).range); });
    if (!ranged || arena_.substitute(pattern, s) != f.atom) continue;
    return times(without({factor_position(0)}), arena_.power(arena_.scale(Poly(body(a)), turn), f.exponent));
  }
  throw Reject("signed-body: the assumption is about something else");
}

Atom Rewrite::maximum_atom() const {
  const Atom a = atom(0);
  require(a.kind == AtomKind::maximum && factor(0).exponent.is_one(), "the factor is no maximum");
  require(arena_.positive(arena_.symbol(a.variables[0]).range), "the maximum may be over nothing");
  return a;
}

Monomials Rewrite::shift_maximum() {
  const Atom a = maximum_atom();
  Poly constant, varying;
  for (const Monomial& t : body(a)) (arena_.mentions(t, a.variables[0]) ? varying : constant).push_back(t);
  require(!constant.empty(), "shift-maximum: no term is constant");
  Atom rest = a;
  rest.body = arena_.intern(varying);
  const Poly largest = varying.empty() ? Poly() : arena_.of(arena_.intern(rest));
  return times(without({factor_position(0)}), arena_.add(constant, largest));
}

Monomials Rewrite::scale_maximum() {
  Atom a = maximum_atom();
  const Poly p = body(a);
  require(!p.empty(), "scale-maximum: the maximum of nothing but 0");
  Monomial c = common(p, true, true);
  const auto stays = [&](const Factor& x) { return arena_.mentions(x.atom, a.variables[0]) || !x.exponent.is_integer(); };
  c.factors.erase(std::remove_if(c.factors.begin(), c.factors.end(), stays), c.factors.end());
  require(!c.coefficient.is_one() || !c.factors.empty(), "scale-maximum: nothing to take out");
  const Poly rest = divided(p, c);
  a.body = arena_.intern(rest);
  return times(without({factor_position(0)}), arena_.multiply({c}, arena_.of(arena_.intern(a))));
}

Monomials Rewrite::split_maximum() {
  const Atom a = maximum_atom();
  const Symbol v = a.variables[0];
  const Index range = arena_.symbol(v).range;
  const Index e = arena_.index(step_.size, {});
  require(arena_.positive(e) && arena_.positive(range - e), "split-maximum: the point must lie inside the range");
  const auto part = [&](const Index& size, const Index& start) {
    if (size.is_one()) return arena_.substitute(arena_.freshen(body(a)), {{v, start}});
    const Symbol w = arena_.fresh(size);
    const Poly p = arena_.substitute(arena_.freshen(body(a)), {{v, start + Index::symbol(w)}});
    return arena_.of(arena_.intern(Atom{AtomKind::maximum, 0, {}, {w}, arena_.intern(p)}));
  };
  const Poly low = part(e, 0);
  const Poly high = part(range - e, e);
  const Poly gap = arena_.apply(Function::abs, arena_.add(low, arena_.scale(high, -1)));
  return times(without({factor_position(0)}), arena_.scale(arena_.add(arena_.add(low, high), gap), Rational(1, 2)));
}

Monomials Rewrite::exp_maximum() {
  const Atom a = atom(0);
  require(is_function(a, Function::exp), "exp-maximum: the factor is no exponential");
  const Poly p = body(a);
  require(p.size() == 1 && p[0].variables.empty() && p[0].coefficient.is_one() && p[0].factors.size() == 1 && p[0].factors[0].exponent.is_one(), "exp-maximum: of something else than a maximum");
  Atom largest = arena_.atom(p[0].factors[0].atom);
  require(largest.kind == AtomKind::maximum, "exp-maximum: of something else than a maximum");
  largest.body = arena_.intern(arena_.apply(Function::exp, Poly(body(largest))));
  return times(without({factor_position(0)}), arena_.of(arena_.intern(largest), factor(0).exponent));
}

}  // namespace foldproof::kernel
