// SPDX-License-Identifier: MIT
// Inequalities: steps that make a sum smaller, and what shows that a sum is never negative. Part of the trusted base.
#include <algorithm>
#include <functional>
#include <numeric>

#include "kernel/rewrite.hpp"

namespace foldproof::kernel {

namespace {

const Monomial& term_of(const Poly& p, std::int64_t l) { return p[position(l, p.size(), "a bound names a term that is not there")]; }
const Factor& factor_of(const Monomial& m, std::int64_t f) { return m.factors[position(f, m.factors.size(), "a bound names a factor that is not there")]; }

}  // namespace

Monomials Rewrite::bounded(const Poly& s, std::int64_t j, std::size_t first, const std::vector<Symbol>& open) {
  const std::size_t lead = position(j, s.size(), "the bound has no such term");
  const Monomial& term = s[lead];
  Monomials others = use_equation(s, lead, first, open, {});
  Monomial rest = m_;  // m is rest times the term, and rest times s is not negative
  for (std::size_t k = 0; k < term.factors.size(); ++k) arena_.take_out(rest, factor(first + k).atom, term.factors[k].exponent);
  rest.coefficient = m_.coefficient / term.coefficient;
  require_sign(rest, 1);
  times_positive_ = arena_.is_positive(Poly{rest});  // one of what is summed is positive then, as none is negative
  return others;
}

bool Rewrite::has_sign(const Monomial& rest, int sign) const { return arena_.is_nonnegative(Poly{{rest.variables, rest.factors, rest.coefficient * Rational(sign)}}); }

Poly Rewrite::tangent_at(const Poly& p) {
  Poly y = arena_.constant(1);
  for (std::size_t k = 2; k < step_.args.size(); k += 3) {
    require(arg(k + 2) == 1 || arg(k + 2) == -1, "tangent: the point is a product of factors and their reciprocals");
    if (arg(k + 1) == -1) {  // the number before the term, without its sign
      const Rational& c = term_of(p, arg(k)).coefficient;
      y = arena_.scale(y, power(c.sign() < 0 ? -c : c, arg(k + 2)));
      continue;
    }
    const AtomId x = arg(k) == arg(0) ? factor_of(m_, arg(k + 1)).atom : elsewhere(p, arg(k), arg(k + 1));
    const Atom a = arena_.atom(x);
    const AtomId whole = is_function(a, Function::log) ? arena_.intern(Atom{AtomKind::base, 0, {}, {}, a.body}) : x;  // its logarithm is a sum of logarithms, of which this is one
    y = arena_.multiply(y, arena_.of(whole, arg(k + 2)));
  }
  require(arena_.is_positive(y) && arena_.has_value(y), "tangent: the point may not be positive");
  return y;
}

Monomials Rewrite::tangent(const Poly& p) {
  const Factor x = factor(1);
  const Atom a = arena_.atom(x.atom);
  const Monomial rest = without({factor_position(1)});
  // log y is a new body, in which a variable that m binds under a canonical name may get in the way of others.
  const auto with_rest = [&](const Poly& bound) {
    const Poly r = arena_.freshen(arena_.multiply({rest}, bound));
    return Monomials(r.begin(), r.end());
  };
  const bool added = has_sign(rest, 1), exponential = is_function(a, Function::exp), logarithm = is_function(a, Function::log);
  require(!arena_.is_infinite(x.atom), "tangent: of minus infinity");
  if (!added) require_sign(rest, exponential ? 1 : -1);
  const Poly y = tangent_at(p), log_y = step_.args.size() == 2 ? Poly() : arena_.apply(Function::log, y);
  const Poly inside = exponential || logarithm ? arena_.freshen(Poly(body(a))) : Poly();  // y may mention what m binds
  if (exponential) return with_rest(arena_.multiply(y, arena_.add(arena_.scale(inside, x.exponent), arena_.add(arena_.constant(1), arena_.scale(log_y, -1)))));
  require(x.exponent.is_one(), "tangent: of a power");
  // log t is at most log y + t/y - 1 and at least log y + 1 - y/t; what is no logarithm is that of t = exp(x), or minus that of t = exp(-x).
  const Poly t = logarithm ? inside : arena_.apply(Function::exp, arena_.scale(arena_.of(x.atom), added ? -1 : 1));
  const Poly ratio = logarithm && added ? arena_.multiply(y, arena_.power(t, -1)) : arena_.multiply(t, arena_.power(y, -1));
  const Poly above = arena_.add(ratio, arena_.constant(-1));
  return with_rest(arena_.add(arena_.scale(log_y, added && !logarithm ? -1 : 1), arena_.scale(above, added ? -1 : 1)));
}

Monomials Rewrite::product_bound() {
  const std::int64_t count = arg(1);
  Monomial first, second, rest = m_;
  for (std::size_t k = 2; k < step_.args.size(); ++k) {
    const Factor& x = factor(k);
    require(!arena_.is_infinite(x.atom), "a bound of minus infinity");
    const auto at = std::find(rest.factors.begin(), rest.factors.end(), x);
    require(at != rest.factors.end(), "a bound names a factor twice");
    rest.factors.erase(at);
    arena_.multiply_in(static_cast<std::int64_t>(k) - 2 < count ? first : second, x.atom, x.exponent * Rational(2));
  }
  require(let_out(rest).empty(), "a bound of what may have no value where a comparison does not hold");
  if (rest.coefficient.sign() > 0) rest.coefficient = -rest.coefficient;
  require_sign(rest, -1);
  if (step_.law == Law::mean_bound) return times(rest, arena_.scale(arena_.add(Poly{first}, Poly{second}), Rational(1, 2)));
  for (const Symbol v : m_.variables) {
    if (arena_.mentions(rest, v)) continue;
    unbind(rest, v);
    bind(first, v);
    bind(second, v);
  }
  return times(rest, arena_.multiply(arena_.power(Poly{first}, Rational(1, 2)), arena_.power(Poly{second}, Rational(1, 2))));
}

Monomial Rewrite::part_of(const Atom& a, std::int64_t b) {
  const Poly parts = arena_.freshen(body(a));
  const std::size_t part = position(b, parts.size(), "the sum has no such part");
  const auto counts = [&](const Monomial& t) { return arena_.is_nonnegative(Poly{{{}, t.factors, t.coefficient}}); };
  require(std::all_of(parts.begin(), parts.end(), counts), "a part of the sum may be negative");
  return parts[part];
}

Monomials Rewrite::minus_magnitude(const Monomial& m) {
  require(std::none_of(m.factors.begin(), m.factors.end(), [&](const Factor& x) { return arena_.is_infinite(x.atom); }), "the absolute value of minus infinity");
  const Poly size = arena_.scale(magnitude_of({{}, m.factors, m.coefficient}, 1), -1);
  Monomials result(size.begin(), size.end());
  for (Monomial& t : result) t.variables = m.variables;
  return result;
}

AtomId Rewrite::elsewhere(const Poly& p, std::int64_t l, std::int64_t f) const {
  const Monomial& holder = term_of(p, l);
  const AtomId found = factor_of(holder, f).atom;
  require(!arena_.binds(holder, found) && !arena_.binds(m_, found), "the bound depends on what its term sums over");
  const bool masked = std::any_of(holder.factors.begin(), holder.factors.end(), [&](const Factor& x) { return arena_.zero_one(x.atom); });
  require(!masked || arena_.has_value(found), "the bound may have no value where a comparison of its term does not hold");
  return found;
}

Monomials Rewrite::assumed_bound(const Poly&) {
  const AssumedSign sign = theory_.signs[position(arg(1), theory_.signs.size(), "assumed-bound: no such assumption")];
  require(sign.relation != expr::Relation::not_equal, "assumed-bound: the assumption names no sign");
  const Monomials less = bounded(sign.poly, arg(2), 3, sign.parameters);
  theory_.lowered = theory_.lowered || (sign.relation == expr::Relation::greater && times_positive_ && !arena_.is_infinite(sign.poly));
  return less;
}

Monomials Rewrite::largest_bound(const Poly& p) {
  const AtomId largest = elsewhere(p, arg(1), arg(2));
  const Atom a = arena_.atom(largest);
  require(a.kind == AtomKind::maximum, "largest-bound: the factor is no maximum");
  std::vector<Symbol> open(a.variables.begin(), a.variables.end());
  Poly values = arena_.freshen(body(a));
  const auto sole = [&] { return arena_.sole_atom(values); };
  while (sole() && arena_.atom(*sole()).kind == AtomKind::maximum) {  // the largest of the largest of each row
    const Atom inner = arena_.atom(*sole());
    open.insert(open.end(), inner.variables.begin(), inner.variables.end());
    values = arena_.freshen(body(inner));
  }
  const std::int64_t j = arg(3) < 0 ? (-1 - arg(3)) / 2 : arg(3);
  if (arg(3) < 0) {  // x and -x are at most |x|
    require(sole() && is_function(arena_.atom(*sole()), Function::abs), "largest-bound: no maximum of absolute values");
    values = arena_.scale(arena_.freshen(Poly(body(arena_.atom(*sole())))), arg(3) % 2 == 0 ? -1 : 1);
  }
  return bounded(arena_.add(arena_.of(largest), arena_.scale(values, -1)), j, 4, open);
}

Monomials Rewrite::total_bound(const Poly&) {
  const Factor x = factor(1);
  const Atom a = arena_.atom(x.atom);
  require(a.kind == AtomKind::maximum && x.exponent.is_one() && arena_.is_nonnegative(Poly(body(a))), "total-bound: no maximum of values that are not negative");
  const Monomial rest = without({factor_position(1)});
  require_sign(rest, -1);
  return times(rest, arena_.sum(a.variables[0], Poly(body(a))));
}

Monomials Rewrite::triangle(const Poly&) {
  const Factor x = factor(1);
  const Atom a = arena_.atom(x.atom);
  require(is_function(a, Function::abs) && x.exponent.is_one(), "triangle: no absolute value");
  const Monomial rest = without({factor_position(1)});
  require_sign(rest, -1);
  const bool whole = step_.args.size() > 2;
  require(body(a).size() > 1 || (!whole && body(a).size() == 1 && !body(a)[0].variables.empty()), "triangle: of one term");
  Poly sum;
  for (Monomial t : Poly(body(a))) {
    const Monomial bare{{}, t.factors, t.coefficient};
    Poly size = arena_.apply(Function::abs, {whole ? t : bare});
    if (!whole) size[0].variables = t.variables;
    sum = arena_.add(sum, size);
  }
  return times(rest, sum);
}

Symbol Rewrite::place(const Poly& p) const {
  const AtomId holder = arg(2) == arg(0) ? factor_of(m_, arg(3)).atom : elsewhere(p, arg(2), arg(3));
  const auto& variables = arena_.free_variables(holder);
  return variables[position(arg(4), variables.size(), "the bound names a place that is not there")];
}

Monomials Rewrite::place_bound(const Poly& p) {
  const Symbol v = variable(1), at = place(p);
  require(v != at && in_range(Index::symbol(at), arena_.symbol(v).range), "place-bound: the sum has no such place");
  require(arena_.is_nonnegative(Poly{{{}, m_.factors, m_.coefficient}}), "place-bound: a term may be negative");
  Monomials terms{summed(m_, v, Index::symbol(at))};
  if (step_.args.size() == 5) return terms;
  require(arg(5) == 1 && arena_.positive(arena_.symbol(v).range - Index(1)) && std::find(m_.variables.begin(), m_.variables.end(), at) == m_.variables.end(), "place-bound: the sum has no other place");
  terms.push_back(summed(m_, v, Index::symbol(arena_.fresh(Index(arena_.symbol(v).range)))));  // any: one of them is another place
  return terms;
}

Monomials Rewrite::value_bound(const Poly& p) {
  const Factor x = factor(1);
  const Atom a = arena_.atom(x.atom);
  require(a.kind == AtomKind::maximum && x.exponent.is_one() && !arena_.is_infinite(x.atom), "value-bound: the factor is no maximum");
  const Monomial rest = without({factor_position(1)});
  require_sign(rest, 1);
  const Index at = Index::symbol(place(p));
  require(in_range(at, arena_.symbol(a.variables[0]).range), "value-bound: the maximum has no such place");
  return times(rest, arena_.substitute(arena_.freshen(body(a)), {{a.variables[0], at}}));
}

Monomials Rewrite::attained(const Poly&) {
  const Factor x = factor(1);
  const Atom a = arena_.atom(x.atom);
  require(a.kind == AtomKind::maximum && !arena_.binds(m_, x.atom), "attained: no maximum, or one that varies with the sum");
  const Index range = arena_.symbol(a.variables[0]).range;
  require(arena_.positive(range), "attained: the maximum may be over nothing");
  const Index place = Index::symbol(arena_.fresh(range));  // any: the largest value is among them
  return times(without({factor_position(1)}), arena_.power(arena_.substitute(arena_.freshen(body(a)), {{a.variables[0], place}}), x.exponent));
}

Monomials Rewrite::part_bound(const Poly&) {
  const Factor x = factor(1);
  const Atom a = arena_.atom(x.atom);
  require(a.kind == AtomKind::base && x.exponent.sign() < 0, "part-bound: the factor divides by no sum");
  const Monomial part = part_of(a, arg(2));
  Monomial masks;  // where a mask of the part is 0, so is the part: mask * (sum - part) = mask * sum - part
  std::copy_if(part.factors.begin(), part.factors.end(), std::back_inserter(masks.factors), [&](const Factor& f) { return f.exponent.is_one() && arena_.zero_one(f.atom); });
  const Poly rest = arena_.add(arena_.multiply({masks}, arena_.of(x.atom)), {{{}, part.factors, -part.coefficient}});
  const auto at = std::find_if(rest.begin(), rest.end(), [&](const Monomial& t) { return t.factors == part.factors; });
  require(at != rest.end(), "part-bound: the factor divides by no sum");
  return bounded(rest, at - rest.begin(), 3, {part.variables.begin(), part.variables.end()});
}

Monomials Rewrite::log_bound(const Poly& p) {
  const AtomId logarithm = elsewhere(p, arg(1), arg(2));
  const Atom a = arena_.atom(logarithm);
  require(is_function(a, Function::log), "log-bound: the factor is no logarithm");
  const Monomial part = part_of(a, arg(3));
  require(part.factors.size() == 1 && part.coefficient >= Rational(1), "log-bound: the part is no exponential");
  const Factor x = part.factors[0];
  const Atom exponential = arena_.atom(x.atom);
  require(is_function(exponential, Function::exp) && !arena_.is_infinite(x.atom), "log-bound: the part is no exponential");
  const Poly exponent = arena_.scale(arena_.freshen(body(exponential)), -x.exponent);
  return bounded(arena_.add(arena_.of(logarithm), exponent), arg(4), 5, {part.variables.begin(), part.variables.end()});
}

Monomials Rewrite::unit_bound(const Poly&) {
  const Factor x = factor(1);
  require(arena_.is_within_one(x.atom) && x.exponent.is_integer() && x.exponent.sign() > 0, "unit-bound: no function between -1 and 1");
  return minus_magnitude(without({factor_position(1)}));
}

Monomials Rewrite::magnitude_bound(const Poly&) {
  require(!has_sign(m_, -1), "magnitude-bound: the term is its own bound");
  return minus_magnitude(m_);
}

/// x Phi(x) is least where x phi(x) = -Phi(x), with phi the density: -0.169971 at x = -0.751792. It is at least x/2 as well, because Phi
/// grows and Phi(0) = 1/2, and x Phi(x) - x is what it is for -x.
Monomials Rewrite::gelu_bound(const Poly&) {
  const Factor phi = factor(1);
  const Atom a = arena_.atom(phi.atom);
  const bool single = is_function(a, Function::normal_cdf) && phi.exponent.is_one() && body(a).size() == 1 && body(a)[0].variables.empty();
  require(single && arg(2) >= 0 && arg(2) <= 2 && !arena_.is_infinite(phi.atom), "gelu-bound: no normal distribution at a product");
  const Monomial x = body(a)[0];
  Monomial rest = without({factor_position(1)});
  for (const Factor& f : x.factors) {  // what m is not a multiple of must not be 0: least of all a mask
    const bool stands = std::any_of(rest.factors.begin(), rest.factors.end(), [&](const Factor& g) { return g == f || (g.atom == f.atom && f.exponent.sign() > 0 && g.exponent > f.exponent); });
    require(stands || arena_.is_nonzero(f.atom), "gelu-bound: what the score is made of may be 0");
    arena_.take_out(rest, f.atom, f.exponent);
  }
  rest.coefficient = rest.coefficient / x.coefficient;
  require_sign(rest, 1);
  return times(rest, arena_.add(arena_.scale(Poly{x}, Rational(arg(2), 2)), arena_.constant(arg(2) == 1 ? Rational(0) : Rational(-17, 100))));
}

Monomials Rewrite::mean_bound(const Poly&) { return product_bound(); }
Monomials Rewrite::cauchy_bound(const Poly&) { return product_bound(); }

namespace {

/// What p sums over one variable of each term, at any one place: p is positive, or not negative, where this is at every place.
Poly summand(Arena& arena, const Poly& p, const Step& step) {
  std::optional<Index> range;
  Poly terms = p;
  for (std::size_t k = 0; k < p.size() && step.args.size() == p.size() && !arena.is_infinite(p); ++k) {
    if (step.args[k] == -1) continue;
    const Symbol v = p[k].variables[position(step.args[k], p[k].variables.size(), "summand: a term has no such variable")];
    if (range && *range != arena.symbol(v).range) throw Reject("summand: the variables have different ranges");
    range = arena.symbol(v).range;
  }
  if (!range || !arena.positive(*range)) throw Reject("summand: no one sum, over something, of finite terms");
  const Index place = Index::symbol(arena.fresh(*range));
  const Poly size = arena.number(*range);
  Monomial share;  // 1 / size, so that it cancels against the size
  share.coefficient = Rational(1) / size[0].coefficient;
  for (const Factor& x : size[0].factors) arena.multiply_in(share, x.atom, -x.exponent);
  Poly at_place;
  for (std::size_t k = 0; k < p.size(); ++k) {
    Monomial& m = terms[k];
    if (step.args[k] < 0) {
      if (size.size() > 1) throw Reject("summand: a share of a sum over a sum of sizes");
      at_place = arena.add(at_place, arena.multiply({m}, {share}));
    } else {
      const Symbol v = *(m.variables.begin() + step.args[k]);
      m.variables.erase(m.variables.begin() + step.args[k]);
      at_place = arena.add(at_place, {arena.substitute(m, {{v, place}})});
    }
  }
  return at_place;
}

/// rest >= 0, by adding up to `uses` of the assumed bounds, each as it is or times what makes it cancel a summand of rest. Not known after so many trials.
bool follows(Theory& theory, const Index& rest, int uses, int& trials) {
  Arena& arena = theory.arena;
  if (arena.nonnegative(rest)) return true;
  if (--trials < 0) return false;
  for (std::size_t k = 0; k < theory.size_bounds.size() && uses > 0; ++k) {
    const auto [a, b] = theory.size_bounds[k];
    const Index gap = b - a;
    if (follows(theory, rest - gap, uses - 1, trials)) return true;
    for (const auto& less : rest.summands()) {
      for (const auto& u : gap.summands()) {
        if (less.coefficient >= 0 || u.coefficient >= 0) continue;
        const auto factor = Index::of(less).divide(Index::of(u));
        if (factor && !factor->is_one() && arena.nonnegative(*factor) && follows(theory, rest - *factor * gap, uses - 1, trials)) return true;
      }
    }
    // b = a + something that is not negative: a size of its own, less one
    const auto symbol = b.as_symbol();
    if (!symbol || arena.mentions(a, *symbol)) continue;
    const Index value = a + Index::symbol(arena.dimension("(slack)")) - Index(1);
    if (arena.nonnegative(arena.substitute(rest, {{*symbol, value}}))) return true;
  }
  return false;
}

}  // namespace

Poly lower(Theory& theory, const Poly& p, const Step& step) {
  Arena& arena = theory.arena;
  check_form(step);
  if (step.law == Law::summand) return summand(arena, p, step);
  const Monomial& term = term_of(p, step.args.empty() ? -1 : step.args[0]);
  if (step.law != Law::clear) {
    Poly r = p;
    r.erase(r.begin() + (&term - &p[0]));
    const auto terms = Rewrite(theory, term, step).lowered(p);
    return arena.add(r, arena.collect(Poly(terms.begin(), terms.end())));
  }
  const Factor f = factor_of(term, step.args[1]);
  const Atom a = arena.atom(f.atom);
  const bool divides = (a.kind == AtomKind::base || a.kind == AtomKind::maximum || a.kind == AtomKind::size) && f.exponent.sign() < 0, exponential = is_function(a, Function::exp);
  if ((!divides && !exponential) || arena.binds(term, f.atom)) throw Reject("clear: the factor is no denominator");
  // What is divided by has a value and is not zero, unless it is never divided by; an exponential may be 0, as exp(-inf), and
  // sigmoid(-inf) is 1/(1 + exp(inf)).
  const bool never_zero = !exponential && (!theory.leaves_out || arena.is_divisor(f.atom));
  const bool positive = never_zero ? arena.is_nonnegative(f.atom) && !arena.is_infinite(f.atom) : arena.is_positive(f.atom) && arena.has_value(f.atom);
  if (!positive) throw Reject("clear: the denominator is not known to be positive");
  return arena.multiply(p, arena.of(f.atom, -f.exponent));
}

bool at_most(Theory& theory, const Index& small, const Index& large) {
  const Index rest = large - small;
  int trials = 20'000;
  if (follows(theory, rest, 3, trials)) return true;
  // Otherwise rest <= -1; the bounds contradict that when they show s (rest + 1) >= 1 for some size s.
  for (const auto& [a, b] : theory.size_bounds) {
    const Index gap = b - a;
    for (const auto& summand : gap.summands()) {
      for (const Symbol s : summand.product) {
        if (theory.arena.nonnegative(Index::symbol(s)) && follows(theory, Index::symbol(s) * (rest + Index(1)) - Index(1), 2, trials)) return true;
      }
    }
  }
  return false;
}

/// The polynomial of sizes that p is, when it is one, times a positive number.
std::optional<Index> as_sizes(const Arena& arena, const Poly& p) {
  std::int64_t denominators = 1;
  for (const Monomial& m : p) {
    if (__builtin_mul_overflow(denominators, m.coefficient.den() / std::gcd(denominators, m.coefficient.den()), &denominators)) throw expr::LimitReached("a common denominator does not fit into 64 bits");
  }
  Index e;
  for (const Monomial& m : p) {
    if (!m.variables.empty()) return std::nullopt;
    Index product((m.coefficient * Rational(denominators)).num());
    for (const Factor& f : m.factors) {
      const Atom& a = arena.atom(f.atom);
      if (a.kind != AtomKind::size || !f.exponent.is_integer() || f.exponent.sign() < 0 || f.exponent > Rational(64)) return std::nullopt;
      for (std::int64_t k = 0; k < f.exponent.num(); ++k) product = product * a.indices[0];
    }
    e = e + product;
  }
  return e;
}

namespace {

/// Offers the factors of m with its bound variables replaced by those of `onto`, in every way that keeps ranges. What m has
/// fewer stands in m as a size, which is taken out; one that m has more becomes 0 or another index, which `part` allows.
bool any_renaming(Arena& arena, const Monomial& m, const Monomial& onto, bool part, const std::function<bool(const Monomial&)>& take) {
  if (onto.variables.size() > 4 || m.variables.size() > onto.variables.size() + (part ? 1 : 0)) return false;
  std::vector<Index> places{0};
  for (const Factor& x : onto.factors) {
    for (const Symbol w : arena.free_variables(x.atom)) places.push_back(Index::symbol(w));
  }
  std::vector<bool> used(onto.variables.size(), false);
  Arena::Substitution s;
  const auto finish = [&] {
    Monomial renamed = arena.substitute(m, s);
    for (std::size_t w = 0; w < used.size(); ++w) {
      if (used[w]) continue;
      const Poly size = arena.number(Index(arena.symbol(onto.variables[w]).range));
      if (size.size() != 1) return false;
      for (const Factor& x : size[0].factors) arena.multiply_in(renamed, x.atom, -x.exponent);
      renamed.coefficient = renamed.coefficient / size[0].coefficient;
    }
    return renamed.coefficient == m.coefficient && take(renamed);
  };
  const std::function<bool(std::size_t, bool)> choose = [&](std::size_t k, bool may_leave) {
    if (k == m.variables.size()) return finish();
    const Symbol v = m.variables[k];
    const Index range = arena.symbol(v).range;
    for (std::size_t w = 0; w < used.size(); ++w) {
      if (used[w] || arena.symbol(onto.variables[w]).range != range) continue;
      used[w] = true;
      s[v] = Index::symbol(onto.variables[w]);
      if (choose(k + 1, may_leave)) return true;
      used[w] = false;
    }
    for (std::size_t e = 0; may_leave && e <= places.size(); ++e) {
      const Index place = e < places.size() ? places[e] : range - Index(1);
      if (!arena.nonnegative(place) || !arena.positive(range - place)) continue;
      s[v] = place;
      if (choose(k + 1, false)) return true;
    }
    return false;
  };
  try {
    return choose(0, part && m.variables.size() == onto.variables.size() + 1);
  } catch (const Reject&) {
    return false;  // a name is taken inside a body
  }
}

/// Whether t is one of the summands of `whole`, none of them negative, or what is left of it or of `whole` under a mask.
bool is_part_of(Arena& arena, const Monomial& t, const Monomial& whole) {
  return any_renaming(arena, whole, t, true, [&](const Monomial& renamed) {
    Monomial bare = t;
    const auto mask = [&](const Factor& x) { return arena.zero_one(x.atom) && x.exponent.sign() > 0 && std::find(renamed.factors.begin(), renamed.factors.end(), x) == renamed.factors.end(); };
    bare.factors.erase(std::remove_if(bare.factors.begin(), bare.factors.end(), mask), bare.factors.end());
    return bare.factors == renamed.factors;
  });
}

/// x as a mean over as many variables as m has: n^2 is the sum of 1 over i and j.
Monomial spread(Arena& arena, Monomial x, const Monomial& m) {
  for (std::size_t k = 0; k < m.variables.size() && x.variables.size() < m.variables.size(); ++k) {
    const Index range = arena.symbol(m.variables[k]).range;
    const Poly size = arena.number(range);
    if (size.size() != 1 || !size[0].coefficient.is_one() || !arena.positive(range) || std::find(x.variables.begin(), x.variables.end(), m.variables[k]) != x.variables.end()) continue;
    for (const Factor& f : size[0].factors) arena.multiply_in(x, f.atom, -f.exponent);
    x.variables.push_back(m.variables[k]);
  }
  return x;
}

/// Whether x^2 is a b, all of them sums over the same variables under some names: then a + b is at least 2 |x|.
bool is_mean_of(Arena& arena, const Monomial& x, const Monomial& a, const Monomial& b) {
  Monomial square;
  for (const Factor& f : x.factors) arena.multiply_in(square, f.atom, f.exponent * Rational(2));
  return any_renaming(arena, a, x, false, [&](const Monomial& first) {
    return any_renaming(arena, b, x, false, [&](const Monomial& second) {
      Monomial product = first;
      for (const Factor& f : second.factors) arena.multiply_in(product, f.atom, f.exponent);
      return product.factors == square.factors;
    });
  });
}

/// Whether m is a sum of squares, (sum over j of A[i, j] x[j])^2 for each i: its bound variables can be exchanged in pairs so that the
/// factors that mention the first ones become those that mention the second ones, and what mentions neither is never negative.
bool is_square(Arena& arena, const Monomial& m) {
  if (m.variables.size() > 6 || m.coefficient.sign() <= 0) return false;
  std::map<Symbol, Symbol> partner;  // of the first ones
  std::vector<bool> placed(m.variables.size(), false);
  const auto mentions_any = [&](const Factor& f, bool first) {
    return std::any_of(partner.begin(), partner.end(), [&](const auto& pair) { return arena.mentions(f.atom, first ? pair.first : pair.second); });
  };
  const auto splits = [&] {
    Monomial ones, others;
    for (const Factor& f : m.factors) {
      const bool first = mentions_any(f, true), second = mentions_any(f, false);
      const bool even = f.exponent.is_integer() && f.exponent.num() % 2 == 0;
      if (arena.is_infinite(f.atom) || (!first && !second && !even && !arena.is_nonnegative(f.atom))) return false;
      if (first) ones.factors.push_back(f);
      if (second) others.factors.push_back(f);
    }
    Arena::Substitution s;
    for (const auto& [a, b] : partner) s[a] = Index::symbol(b);
    return arena.substitute(ones, s).factors == others.factors;
  };
  const std::function<bool(std::size_t)> choose = [&](std::size_t k) {
    if (k == m.variables.size()) return splits();
    if (placed[k] || choose(k + 1)) return placed[k] ? choose(k + 1) : true;
    for (std::size_t w = k + 1; w < m.variables.size(); ++w) {
      if (placed[w] || arena.symbol(m.variables[w]).range != arena.symbol(m.variables[k]).range) continue;
      for (const auto& [a, b] : {std::pair{k, w}, std::pair{w, k}}) {  // which of the two is a first one
        partner[m.variables[a]] = m.variables[b];
        placed[w] = true;
        const bool found = choose(k + 1);
        placed[w] = false;
        partner.erase(m.variables[a]);
        if (found) return true;
      }
    }
    return false;
  };
  try {
    return choose(0);
  } catch (const Reject&) {
    return false;  // a name is taken inside a body
  }
}

/// How much of a u^2 and of b v^2 makes up for size |u v|: p and q with 4 p q = size^2. Halves where there is enough of both.
std::optional<std::pair<Rational, Rational>> shares_of(const Rational& size, const Rational& a, const Rational& b, bool same) {
  const Rational half = size * Rational(1, 2), square = half * half;
  if (same) return a >= size ? std::optional(std::pair{half, half}) : std::nullopt;
  if (a >= half && b >= half) return std::pair{half, half};
  if (a.sign() > 0 && square / a <= b) return std::pair{a, square / a};
  return std::nullopt;
}

/// p without terms that others make up for. It is at most p, and not negative only if p is not.
Poly without_pairs(Arena& arena, Poly p) {
  std::vector<bool> adds;  // stays so while a term is used up
  for (const Monomial& m : p) {  // each summand: a part of (x + y)^2 may be more than all of it
    const Monomial summand{{}, m.factors, m.coefficient};
    adds.push_back(arena.is_nonnegative(Poly{summand}) || is_square(arena, summand));
  }
  const auto shrink = [](Monomial& m, const Rational& by) { m.coefficient = m.coefficient - by; };
  for (std::size_t k = 0; k < p.size(); ++k) {
    Monomial& x = p[k];
    if (adds[k]) continue;
    const Rational size = x.coefficient.sign() < 0 ? -x.coefficient : x.coefficient;
    for (std::size_t i = 0; i < p.size(); ++i) {
      Monomial& a = p[i];
      if (x.coefficient.is_zero() || !adds[i]) continue;
      if (x.coefficient.sign() < 0 && a.coefficient >= size && is_part_of(arena, x, a)) {
        shrink(a, size);
        x.coefficient = 0;
      }
      const Monomial as_many = spread(arena, x, a);
      for (std::size_t j = i; j < p.size(); ++j) {
        if (x.coefficient.is_zero() || !adds[j]) continue;
        const auto shares = shares_of(size, a.coefficient, p[j].coefficient, i == j);
        if (!shares || !is_mean_of(arena, as_many, a, p[j])) continue;
        shrink(a, shares->first);
        shrink(p[j], shares->second);
        x.coefficient = 0;
      }
    }
  }
  return arena.collect(std::move(p));
}

}  // namespace

bool always_positive(Theory& theory, const Poly& p) {
  const auto sizes = as_sizes(theory.arena, p);
  return theory.arena.is_positive(p) || (sizes && at_most(theory, 1, *sizes)) || (theory.lowered && never_negative(theory, p));  // sizes are whole numbers
}

bool never_negative(Theory& theory, const Poly& p) {
  if (theory.arena.is_nonnegative(p)) return true;
  const auto is_taken_off = [&](const Monomial& m) { return m.coefficient.sign() < 0 && theory.arena.minus_infinity({{}, m.factors, m.coefficient}) != nullptr; };  // S + neginf(M) <= S
  if (std::any_of(p.begin(), p.end(), is_taken_off)) {
    Poly finite;
    std::remove_copy_if(p.begin(), p.end(), std::back_inserter(finite), is_taken_off);
    return never_negative(theory, finite);
  }
  const auto sizes = as_sizes(theory.arena, p);
  if (sizes && at_most(theory, 0, *sizes)) return true;
  Poly rest = without_pairs(theory.arena, p);
  std::erase_if(rest, [&](const Monomial& m) { return is_square(theory.arena, m); });
  return theory.arena.is_nonnegative(rest);
}

}  // namespace foldproof::kernel
