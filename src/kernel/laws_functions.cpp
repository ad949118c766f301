// SPDX-License-Identifier: MIT
// Laws of exponentials, logarithms, angles and maxima. Part of the trusted base.
#include <algorithm>

#include "kernel/rewrite.hpp"

namespace foldproof::kernel {

Monomials Rewrite::exp_sum() {
  const Atom a = atom(0);
  require(is_function(a, Function::exp), "exp-sum: the factor is no exponential");
  const Rational q = factor(0).exponent;
  Monomials r{without({factor_position(0)})};
  const Poly terms = body(a);
  const auto infinite = [&](const Monomial& t) { return arena_.is_infinite(Poly{t}); };
  const auto masked = [&](const Monomial& t) { return !infinite(t) || (arena_.minus_infinity(t) != nullptr && t.coefficient.sign() > 0); };
  const auto largest_taken_off = [&](const Monomial& t) {  // where exp(x - max(y)) has a value and y is nowhere inf, max(y) is a number
    if (t.coefficient.sign() > 0 || !t.variables.empty() || t.factors.size() != 1 || !t.factors[0].exponent.is_one() || arena_.atom(t.factors[0].atom).kind != AtomKind::maximum) return false;
    const Poly values = body(arena_.atom(t.factors[0].atom));
    return std::all_of(values.begin(), values.end(), masked);
  };
  const auto otherwise = [&](const Monomial& t) { return !masked(t) && !largest_taken_off(t); };
  const bool several = std::count_if(terms.begin(), terms.end(), infinite) > 1 && std::any_of(terms.begin(), terms.end(), otherwise);
  require(!several, "exp-sum: infinities may cancel");  // -inf + inf is no number, and -inf - (-inf) p is 0 nowhere
  Poly others = terms;
  std::erase_if(others, infinite);
  for (const Monomial& t : terms) {
    const Poly factor = exp_of(t, q);
    require(factor.size() <= 1 || !infinite(t) || arena_.has_value(others), "exp-sum: a mask that is a sum beside what may have no value");
    r = arena_.multiply(r, arena_.freshen(factor));
  }
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
  return arena_.apply(Function::exp, {unit}, t.coefficient * q);
}

Poly Rewrite::log_of(const Monomial& c) {
  const Rational number = c.coefficient.sign() < 0 ? -c.coefficient : c.coefficient;
  Poly r;
  for (const auto& [prime, exponent] : primes(number)) {
    r = arena_.add(r, arena_.scale(arena_.apply(Function::log, arena_.constant(prime)), exponent));
  }
  const auto even = [](const Factor& x) { return x.exponent.is_integer() && x.exponent.num() % 2 == 0; };
  const auto may_be_negative = [&](const Factor& x) { return !even(x) && !arena_.is_nonnegative(x.atom); };
  const auto is_open = [&](const Factor& x) { return !even(x) && !arena_.is_positive(x.atom); };
  const bool alone = std::count_if(c.factors.begin(), c.factors.end(), is_open) <= 1;  // what remains when all others are positive is positive, too
  const auto negated = [&](const Factor& x) { return c.coefficient.sign() < 0 && is_open(x) && x.exponent.is_integer(); };  // where -x has a logarithm, -x is positive
  require(c.coefficient.sign() > 0 || (alone && std::any_of(c.factors.begin(), c.factors.end(), negated)), "logarithm: of a negative number");
  require(alone || std::none_of(c.factors.begin(), c.factors.end(), may_be_negative), "logarithm: of something that may not be positive");  // none is 0 where their product is positive
  for (const Factor& x : c.factors) {
    const Atom a = arena_.atom(x.atom);
    Poly value = a.kind == AtomKind::base ? Poly(body(a)) : arena_.of(x.atom);
    if (negated(x)) value = arena_.scale(value, -1);
    if (even(x) && !arena_.is_positive(x.atom)) value = arena_.apply(Function::abs, value);  // x^2 has a logarithm where x is not 0
    const Poly inner = is_function(a, Function::exp) ? body(a) : arena_.apply(Function::log, value);
    r = arena_.add(r, arena_.scale(inner, x.exponent));
  }
  return r;
}

Monomials Rewrite::logarithm() {
  const Atom a = atom(0);
  if (is_function(a, Function::negative_infinity_unless)) {  // of 0 or 1 it is the logarithm
    const Monomial rest = without({factor_position(0)});
    require(factor(0).exponent.is_one() && !arena_.is_infinite(Poly{rest}), "logarithm: minus infinity in a product with infinities");
    require(body(a).size() == 1 && arena_.is_zero_one(body(a)) && body(a)[0].factors.size() != 1, "logarithm: of no product of masks");
    Poly sum;
    for (const Factor& x : Monomial(body(a)[0]).factors) sum = arena_.add(sum, arena_.apply(Function::negative_infinity_unless, arena_.of(x.atom)));
    return times(rest, sum);
  }
  const Rational q = factor(0).exponent;
  require(is_function(a, Function::log) && q.is_integer() && q.sign() > 0, "logarithm: the factor is no logarithm");
  const auto parts = body(a).size() == 1 ? independent_sums(body(a)[0]) : std::nullopt;
  require(parts.has_value(), "logarithm: of a sum");
  const Monomial c = body(a)[0];
  Poly r;
  Monomial rest{{}, {}, c.coefficient};
  for (const Monomial& part : *parts) {
    require(part.variables.empty() || arena_.is_positive(Poly{part}), "logarithm: of a sum that may not be positive");
    if (part.variables.empty()) rest.factors.push_back(part.factors[0]);
    else r = arena_.add(r, arena_.apply(Function::log, {part}));
  }
  const bool prime = c.factors.empty() && c.coefficient.sign() > 0 && primes(c.coefficient).size() == 1 && primes(c.coefficient)[0].second == 1;
  require(!prime, "logarithm: of a prime number");
  const auto plain = [&](const Atom& x) { return !is_function(x, Function::exp) && x.kind != AtomKind::base; };
  require(!(c.factors.size() == 1 && (c.coefficient.is_one() || (-c.coefficient).is_one()) && c.factors[0].exponent.is_one() && plain(arena_.atom(c.factors[0].atom))), "logarithm: nothing to do");
  return times(without({factor_position(0)}), arena_.power(arena_.add(r, log_of(rest)), q));
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

Monomials Rewrite::angle_product() {
  const Factor f = factor(0), g = factor(1);
  const bool square = factor_position(0) == factor_position(1), sine = is_function(atom(0), Function::sin), other_sine = is_function(atom(1), Function::sin);
  const auto fits = [&](const Factor& x, bool is_sine, int least) { return (is_sine || is_function(arena_.atom(x.atom), Function::cos)) && x.exponent.is_integer() && x.exponent >= Rational(least); };
  require(fits(f, sine, square ? 2 : 1) && fits(g, other_sine, 1), "angle-product: no product of a sine or cosine and another one");
  Monomial rest = without(square ? std::vector{factor_position(0)} : std::vector{factor_position(0), factor_position(1)});
  arena_.multiply_in(rest, f.atom, f.exponent - Rational(square ? 2 : 1));
  if (!square) arena_.multiply_in(rest, g.atom, g.exponent - Rational(1));
  const Poly x = body(atom(sine || !other_sine ? 0 : 1)), y = body(atom(sine || !other_sine ? 1 : 0));  // sin x cos y
  const Function result = sine == other_sine ? Function::cos : Function::sin;
  const Poly difference = arena_.apply(result, arena_.add(x, arena_.scale(y, -1))), sum = arena_.apply(result, arena_.add(x, y));
  return times(rest, arena_.scale(arena_.add(difference, arena_.scale(sum, sine && other_sine ? -1 : 1)), Rational(1, 2)));
}

Monomials Rewrite::signed_body() {
  const Factor f = factor(0);
  const Atom a = arena_.atom(f.atom);
  require(is_function(a, Function::abs), "signed-body: the factor is no absolute value");
  const AssumedSign& sign = theory_.signs[position(arg(1), theory_.signs.size(), "signed-body: no such assumption")];
  require(sign.relation != expr::Relation::not_equal, "signed-body: the assumption names no sign");
  const auto says = [&](const Poly& x, int turn) {  // whether turn * (what is not negative) is x, for some values of its parameters
    const AtomId pattern = arena_.apply(Function::abs, arena_.scale(sign.poly, turn))[0].factors[0].atom, target = arena_.apply(Function::abs, x)[0].factors[0].atom;
    Arena::Substitution s;
    match_body(pattern, target, sign.parameters, s);
    const bool ranged = std::all_of(sign.parameters.begin(), sign.parameters.end(), [&](Symbol v) { return s.count(v) > 0 && in_range(s.at(v), arena_.symbol(v).range); });
    return ranged && arena_.substitute(pattern, s) == target;
  };
  const Poly p = body(a);
  const Monomial rest = without({factor_position(0)});
  for (const int turn : {1, -1}) {  // |x| = x for x >= 0, |x| = -x for -x >= 0
    if (says(p, turn)) return times(rest, arena_.power(arena_.scale(p, turn), f.exponent));
  }
  if (p.size() == 2 && p[0].variables.empty() && p[1].variables.empty() && f.exponent.is_one()) {  // |x + y| = |x| + |y| for x y >= 0
    Poly product = arena_.multiply({p[0]}, {p[1]});
    product[0].coefficient = product[0].coefficient.sign();
    if (says(product, 1)) return times(rest, arena_.add(arena_.apply(Function::abs, {p[0]}), arena_.apply(Function::abs, {p[1]})));
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
  require(!constant.empty() || (varying.empty() && !arena_.is_infinite(Poly{without({factor_position(0)})})), "shift-maximum: no term is constant");
  const Poly largest = varying.empty() ? Poly() : with_body(a, varying);
  return times(without({factor_position(0)}), arena_.add(constant, largest));
}

Monomials Rewrite::scale_maximum() {
  const Atom a = maximum_atom();
  Poly p = body(a);
  require(!p.empty(), "scale-maximum: the maximum of nothing but 0");
  if (step_.args.size() > 1) {  // the factor is a sum
    for (Monomial& t : p) bind(t, a.variables[0]);  // as if summed over: what then leaves a term does not vary
    p = arena_.collect(std::move(p));
    const Poly sum = sum_factor_of(arena_, p, 0);
    require(sum.size() > 1 && arena_.is_nonnegative(sum), "scale-maximum: no sum that is never negative is a factor");
    Poly values = divided(p, sum);
    for (Monomial& t : values) unbind(t, a.variables[0]);
    return times(without({factor_position(0)}), arena_.multiply(sum, with_body(a, arena_.collect(std::move(values)))));
  }
  Monomial c = common(p, true);
  const auto stays = [&](const Factor& x) { return arena_.mentions(x.atom, a.variables[0]) || !x.exponent.is_integer(); };
  c.factors.erase(std::remove_if(c.factors.begin(), c.factors.end(), stays), c.factors.end());
  require(!c.coefficient.is_one() || !c.factors.empty(), "scale-maximum: nothing to take out");
  return times(without({factor_position(0)}), arena_.multiply({c}, with_body(a, divided(p, c))));
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
    return maximum(w, arena_.substitute(arena_.freshen(body(a)), {{v, start + Index::symbol(w)}}));
  };
  const Poly low = part(e, 0);
  const Poly high = part(range - e, e);
  require(!arena_.is_infinite(low) && !arena_.is_infinite(high), "split-maximum: a part may be infinite");
  const Poly gap = arena_.apply(Function::abs, arena_.add(low, arena_.scale(high, -1)));
  return times(without({factor_position(0)}), arena_.scale(arena_.add(arena_.add(low, high), gap), Rational(1, 2)));
}

Monomials Rewrite::pair_maximum() {
  const Atom a = maximum_atom();
  const Symbol v = a.variables[0];
  const Index k = arena_.index(step_.size, {});
  const auto q = Index(arena_.symbol(v).range).divide(k);
  require(q.has_value() && arena_.positive(k) && arena_.positive(*q), "pair-maximum: the size must divide the range");
  const Symbol i = arena_.fresh(*q), j = arena_.fresh(k);
  const Poly entry = arena_.substitute(arena_.freshen(body(a)), {{v, Index::symbol(i) * k + Index::symbol(j)}});
  return times(without({factor_position(0)}), maximum(i, maximum(j, entry)));
}

Monomials Rewrite::exp_maximum() {
  const Atom a = atom(0);
  const bool exponential = is_function(a, Function::exp);
  require(exponential || is_function(a, Function::log), "exp-maximum: the factor is no exponential");
  const Poly p = body(a);
  require(p.size() == 1 && p[0].variables.empty() && p[0].coefficient.is_one(), "exp-maximum: of something else than a maximum");
  Monomial scale = p[0];
  const auto at = std::find_if(scale.factors.begin(), scale.factors.end(), [&](const Factor& x) { return x.exponent.is_one() && arena_.atom(x.atom).kind == AtomKind::maximum; });
  require(at != scale.factors.end(), "exp-maximum: of something else than a maximum");
  Atom largest = arena_.atom(at->atom);
  scale.factors.erase(at);
  require(arena_.is_nonnegative(Poly{scale}) && !arena_.mentions(scale, largest.variables[0]), "exp-maximum: of a maximum times what may be negative");
  const Poly values = arena_.multiply({scale}, body(largest));
  Monomial masks, others;  // the logarithm of a mask is 0 or -inf; of the largest number there is one where not all are 0
  if (!exponential && values.size() == 1 && values[0].variables.empty()) {
    others.coefficient = values[0].coefficient;
    for (const Factor& x : values[0].factors) (arena_.zero_one(x.atom) && x.exponent.is_one() ? masks : others).factors.push_back(x);
  }
  const Poly taken = masks.factors.empty() ? values : Poly{others};
  require(exponential || arena_.is_positive(taken), "exp-maximum: the logarithm of what may not be positive");
  Poly inside = arena_.apply(static_cast<Function>(a.name), taken);
  if (!masks.factors.empty()) inside = arena_.add(inside, arena_.apply(Function::negative_infinity_unless, {masks}));
  return times(without({factor_position(0)}), with_body(largest, inside, factor(0).exponent));
}

Monomials Rewrite::product_maximum() {
  const Atom a = maximum_atom();
  const Symbol v = a.variables[0];
  const Poly p = body(a);
  require(p.size() == 1 && p[0].variables.empty() && p[0].coefficient.is_one(), "product-maximum: of no product");
  Monomial masks;
  std::map<Poly, std::pair<Poly, Monomial>> groups;  // c -> b(v), and what exp(c b(v)) is the product of
  for (const Factor& x : p[0].factors) {
    const Atom e = arena_.atom(x.atom);
    if (arena_.zero_one(x.atom)) {
      masks.factors.push_back(x);
      continue;
    }
    require(is_function(e, Function::exp) && body(e).size() == 1 && !arena_.is_infinite(x.atom), "product-maximum: of other factors than exponentials and masks");
    Poly exponent = arena_.scale(body(e), x.exponent);
    bind(exponent[0], v);  // as if summed over: what then leaves it does not vary
    const Poly c = sum_factor_of(arena_, exponent, 0);
    auto& [b, product] = groups[c];
    b = arena_.add(b, divided(exponent, c));
    product.factors.push_back(x);
  }
  require(groups.size() > 1, "product-maximum: of one factor");
  Poly result = arena_.constant(1);
  for (const auto& [c, group] : groups) {
    require(arena_.is_nonnegative(c) && group.first == groups.begin()->second.first, "product-maximum: the exponents do not grow together");
    result = arena_.multiply(result, with_body(a, arena_.multiply(Poly{masks}, Poly{group.second})));
  }
  return times(without({factor_position(0)}), result);
}

Monomials Rewrite::power_maximum() {
  const Factor f = factor(0);
  const Atom a = arena_.atom(f.atom);
  const bool logarithm = is_function(a, Function::log), itself = a.kind == AtomKind::maximum;
  require(((logarithm || itself) && f.exponent.is_one() == logarithm) || a.kind == AtomKind::base, "power-maximum: the factor is no logarithm and no power");
  Poly inside = itself ? arena_.of(f.atom) : body(a);
  const auto at = std::find_if(inside.begin(), inside.end(), [&](const Monomial& t) { return t.variables.empty() && t.factors.size() == 1 && t.factors[0].exponent.is_one() && arena_.atom(t.factors[0].atom).kind == AtomKind::maximum; });
  require(at != inside.end(), "power-maximum: of something else than a maximum");
  const Rational c = at->coefficient;
  const Atom largest = arena_.atom(at->factors[0].atom);
  inside.erase(at);
  const Symbol v = arena_.fresh(Index(arena_.symbol(largest.variables[0]).range));
  inside = arena_.add(inside, arena_.scale(arena_.substitute(arena_.freshen(body(largest)), {{largest.variables[0], Index::symbol(v)}}), c));
  const bool rises_from_zero = !logarithm && f.exponent.sign() > 0;
  require(rises_from_zero ? arena_.is_nonnegative(inside) : arena_.is_positive(inside), "power-maximum: of what may not be positive");
  const int sign = !logarithm && f.exponent.sign() < 0 ? -c.sign() : c.sign();  // a falling function of the largest is the least of its values
  const Poly values = arena_.scale(logarithm ? arena_.apply(Function::log, inside) : arena_.power(inside, f.exponent), sign);
  return times(without({factor_position(0)}), arena_.scale(maximum(v, values), sign));
}

Monomials Rewrite::magnitude_maximum() {
  const Atom a = maximum_atom();
  const Poly p = body(a);
  const auto magnitude = std::find_if(p.begin(), p.end(), [&](const Monomial& t) { return t.variables.empty() && t.factors.size() == 1 && t.factors[0].exponent.is_one() && is_function(arena_.atom(t.factors[0].atom), Function::abs); });
  require(magnitude != p.end(), "magnitude-maximum: of no absolute value");
  const Poly x = body(arena_.atom(magnitude->factors[0].atom));
  const auto same = std::find_if(p.begin(), p.end(), [&](const Monomial& t) { return !x.empty() && t.variables == x[0].variables && t.factors == x[0].factors; });
  require(same != p.end() && !arena_.is_infinite(x), "magnitude-maximum: of other terms than an absolute value and what it is taken of");
  const Rational rise = same->coefficient / x[0].coefficient, bend = magnitude->coefficient;
  require(arena_.add(arena_.scale(x, rise), {*magnitude}) == p, "magnitude-maximum: of other terms than an absolute value and what it is taken of");
  require((rise < Rational(0) ? -rise : rise) >= (bend < Rational(0) ? -bend : bend), "magnitude-maximum: of values that rise and fall");
  const Poly extreme = arena_.scale(with_body(a, arena_.scale(x, rise.sign())), rise.sign());
  return times(without({factor_position(0)}), arena_.add(arena_.scale(extreme, rise), arena_.scale(arena_.apply(Function::abs, extreme), bend)));
}

}  // namespace foldproof::kernel
