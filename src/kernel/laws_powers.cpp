// SPDX-License-Identifier: MIT
// Laws of powers and absolute values: what a power, a logarithm or an absolute value of a product is. Part of the trusted base.
#include <algorithm>
#include <numeric>

#include "expr/primes.hpp"
#include "kernel/rewrite.hpp"

namespace foldproof::kernel {

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
  for (const auto& [number, sign] : {std::pair{c.num(), 1}, std::pair{c.den(), -1}}) {
    for (const auto& [prime, exponent] : expr::prime_factors(number)) r.emplace_back(prime, sign * exponent);
  }
  return r;
}

bool Rewrite::is_never_negative(AtomId x) {
  if (arena_.is_nonnegative(x)) return true;
  return arena_.atom(x).kind == AtomKind::base && !arena_.is_infinite(x) && never_negative(theory_, Poly(body(arena_.atom(x))));
}

Poly Rewrite::atom_power(const Factor& x, const Rational& q) {
  const Atom a = arena_.atom(x.atom);
  const Rational e = x.exponent * q;
  if (!q.is_integer() && x.exponent.is_integer() && !is_never_negative(x.atom)) {
    require(x.exponent.num() % 2 == 0, "distribute: a fractional power of something that may be negative");
    return arena_.apply(Function::abs, arena_.of(x.atom), e);
  }
  if (arena_.zero_one(x.atom)) {
    require(e.sign() > 0 || q.is_integer(), "distribute: a comparison under a root in a denominator");
    return arena_.of(x.atom, e.sign() > 0 ? Rational(1) : e);
  }
  if (a.kind == AtomKind::base && e.is_integer() && e.sign() > 0) return arena_.power(Poly(body(a)), e);
  return arena_.of(x.atom, e);
}

std::optional<std::vector<Monomial>> Rewrite::independent_sums(const Monomial& t) const {
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
  std::size_t bound = 0;
  for (const Monomial& part : parts) bound += part.variables.size();
  return bound == t.variables.size() && (t.variables.empty() || parts.size() > 1) ? std::optional(std::move(parts)) : std::nullopt;
}

Monomials Rewrite::distribute() {
  const Atom a = atom(0);
  const Rational q = factor(0).exponent;
  if (a.kind == AtomKind::base && body(a).empty() && q.sign() > 0) {  // a root of 0
    require(!arena_.is_infinite(Poly{without({factor_position(0)})}), "distribute: 0 times what may be infinite");
    return {};
  }
  require(a.kind == AtomKind::base && body(a).size() == 1, "distribute: the base is no product");
  const Monomial t = body(a)[0];
  const auto parts = independent_sums(t);
  require(parts.has_value(), "distribute: the base is one sum");
  Poly r = rational_power(t.coefficient, q);
  for (const Monomial& part : *parts) {
    if (part.variables.empty()) {
      r = arena_.multiply(r, atom_power(part.factors[0], q));
      continue;
    }
    require(q.is_integer() || arena_.is_nonnegative(Poly{part}), "distribute: a fractional power of a sum that may be negative");
    r = arena_.multiply(r, arena_.power({part}, q));
  }
  return times(without({factor_position(0)}), r);
}

namespace {

/// The largest positive number that leaves whole coefficients, whatever the order of the terms; the first coefficient's size when it does not fit.
Rational largest_divisor(const Poly& p) {
  std::int64_t numerators = 0, denominators = 1;
  for (const Monomial& t : p) {
    const std::int64_t den = t.coefficient.den() / std::gcd(denominators, t.coefficient.den());
    numerators = std::gcd(numerators, t.coefficient.num());
    if (__builtin_mul_overflow(denominators, den, &denominators)) return p.front().coefficient.sign() < 0 ? -p.front().coefficient : p.front().coefficient;
  }
  return {numerators, denominators};
}

}  // namespace

Monomial Rewrite::common(const Poly& p, bool fractional) {
  Monomial c;
  std::vector<AtomId> atoms;
  for (const Monomial& t : p) {
    for (const Factor& x : t.factors) atoms.push_back(x.atom);
  }
  std::sort(atoms.begin(), atoms.end());
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  for (const AtomId x : atoms) {
    Rational least;
    bool first = true, bound = false;
    for (const Monomial& t : p) {
      const auto at = std::find_if(t.factors.begin(), t.factors.end(), [&](const Factor& f) { return f.atom == x; });
      const Rational e = at == t.factors.end() ? Rational(0) : at->exponent;
      if (first || e < least) least = e;
      first = false;
      bound = bound || arena_.binds(t, x);
    }
    if (fractional && !is_never_negative(x)) {  // an even power is not negative
      if (!least.is_integer()) continue;
      least = Rational(least.num() - (least.num() % 2 != 0 ? 1 : 0));
    }
    const bool allowed = !bound && !least.is_zero() && !arena_.zero_one(x);
    if (allowed) c.factors.push_back({x, least});
  }
  c.coefficient = largest_divisor(p);
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

Poly Rewrite::expanded(const Poly& p) {
  Poly r;
  for (const Monomial& t : p) r = arena_.add(r, arena_.multiply({Monomial{t.variables, {}, 1}}, arena_.freshen(power_of({{}, t.factors, t.coefficient}, 1))));
  return r;
}

Monomials Rewrite::content() {
  const Atom a = atom(0);
  const Rational q = factor(0).exponent;
  const Poly p = a.body >= 0 ? body(a) : Poly();
  require(!p.empty(), "content: the body is zero");
  const bool logarithm = is_function(a, Function::log), magnitude = is_function(a, Function::abs);
  require(a.kind == AtomKind::base || logarithm || magnitude, "content: the factor has no content law");
  const bool fractional = a.kind == AtomKind::base && !q.is_integer();
  Monomial c = common(p, fractional);
  if (arg(1) != 0) {
    require(!fractional, "content: a minus stays under a root");
    c.coefficient = -c.coefficient;
  }
  if (logarithm && !arena_.is_positive(expanded(divided(p, c)))) {  // what is positive where its product with something positive is needs no sign of its own
    require(arg(1) == 0, "content: a minus stays under a logarithm of what may not be negative");
    c = common(p, true);
    const auto keep = [&](const auto& has_sign) { c.factors.erase(std::remove_if(c.factors.begin(), c.factors.end(), [&](const Factor& x) { return !has_sign(x.atom); }), c.factors.end()); };
    keep([&](AtomId x) { return arena_.is_nonnegative(x); });
    // What is never negative is positive where its product with something never negative is.
    if (!arena_.is_nonnegative(divided(p, c))) keep([&](AtomId x) { return arena_.is_positive(x); });
  }
  require(!logarithm || (q.is_integer() && q.sign() > 0), "content: a power of a logarithm");
  require(!c.coefficient.is_one() || !c.factors.empty(), "content: nothing to take out");
  const Poly rest = logarithm ? expanded(divided(p, c)) : divided(p, c);
  // sqrt(x (y + z)) has a value where x is 0 and y + z is negative, and sqrt(y + z) has none: no harm to an equation, whose steps keep both.
  const bool keeps_domain = !theory_.orders || !fractional || arena_.is_nonnegative(rest) || std::all_of(c.factors.begin(), c.factors.end(), [&](const Factor& x) { return arena_.is_positive(x.atom); });
  require(keeps_domain, "content: what stays under the root may be negative where what leaves it is 0");
  const Monomial others = without({factor_position(0)});
  if (logarithm) {
    Poly r = log_of(c);
    r = arena_.add(r, arena_.apply(Function::log, rest));
    return times(others, arena_.power(r, q));
  }
  Poly r = magnitude ? magnitude_of(c, q) : power_of(c, q);
  return times(others, arena_.multiply(r, with_body(a, rest, q)));
}

namespace {

/// t is free times summed, and free mentions no bound variable of t, nor, with `sizes` summed, sizes.
struct Parts {
  Monomial free, summed;
};
Parts parts(const Arena& arena, const Monomial& t, bool sizes) {
  Parts r{{{}, {}, t.coefficient}, {t.variables, {}, 1}};
  for (const Factor& x : t.factors) (arena.binds(t, x.atom) || (sizes && arena.atom(x.atom).kind == AtomKind::size) ? r.summed : r.free).factors.push_back(x);
  return r;
}

}  // namespace

Poly sum_factor_of(const Arena& arena, const Poly& p, std::size_t k) {
  const bool sizes = k >= p.size();
  const Monomial summed = parts(arena, p[k % p.size()], sizes).summed;
  Poly sum;
  for (const Monomial& t : p) {
    Parts part = parts(arena, t, sizes);
    if (part.summed == summed) sum.push_back(std::move(part.free));
  }
  return arena.collect(std::move(sum));
}

Poly Rewrite::divided(const Poly& p, const Poly& sum, bool sizes) {
  Poly rest;  // what the first term of the sum stands with
  for (const Monomial& t : p) {
    Parts part = parts(arena_, t, sizes);
    if (!alike(part.free, sum[0])) continue;
    part.summed.coefficient = t.coefficient * (Rational(1) / sum[0].coefficient);
    rest.push_back(std::move(part.summed));
  }
  rest = arena_.collect(std::move(rest));
  require(arena_.multiply(rest, sum) == p, "the sum does not multiply back");
  return rest;
}

Poly Rewrite::root_of(const Poly& p, std::size_t first) {
  Poly root;
  for (std::size_t n = first; n < step_.args.size(); ++n) {
    Monomial half = p[position(arg(n) / 2, p.size(), "sum-factor: no such term")];
    for (Factor& x : half.factors) {
      require(x.exponent.is_integer() && x.exponent.num() % 2 == 0, "sum-factor: the term is no square");
      x.exponent = Rational(x.exponent.num() / 2);
    }
    const Poly c = rational_power(half.coefficient, Rational(1, 2));
    require(c.size() == 1 && c[0].factors.empty(), "sum-factor: the term is no square");
    half.coefficient = arg(n) % 2 == 0 ? c[0].coefficient : -c[0].coefficient;
    root.push_back(std::move(half));
  }
  root = arena_.collect(std::move(root));
  require(arena_.multiply(root, root) == p, "sum-factor: the square of the root is another sum");
  return root;
}

Monomials Rewrite::sum_factor() {
  const Atom a = atom(0);
  const Rational q = factor(0).exponent;
  require(a.kind == AtomKind::base, "sum-factor: the factor is no power");
  const Poly p = body(a);
  const std::size_t term = position(arg(1), 2 * p.size(), "sum-factor: no such term");
  const Poly sum = sum_factor_of(arena_, p, term);
  require(sum.size() >= 2, "sum-factor: the factor is no sum");
  const Poly rest = divided(p, sum, term >= p.size());
  const bool rooted = step_.args.size() > 2;
  require(rooted || rest != arena_.constant(1), "sum-factor: nothing else is left");
  const Monomial others = without({factor_position(0)});
  const auto of = [&](const Poly& x) { return arena_.of(arena_.intern(Atom{AtomKind::base, 0, {}, {}, arena_.intern(x)}), q); };
  require(!rooted || !q.is_integer(), "sum-factor: a whole power needs no root");
  if (q.is_integer()) return times(others, arena_.multiply(of(sum), of(rest)));
  // The rest may be 0 where a positive power has a value and its own would have none; below 0 it may not be where the sum is no square.
  require(rooted || arena_.is_nonnegative(sum), "sum-factor: a fractional power of a sum that may be negative");
  require(q.sign() < 0 || arena_.is_nonnegative(rest), "sum-factor: a fractional power of what may be negative");
  Poly r = rest == arena_.constant(1) ? rest : of(rest);
  if (!rooted) return times(others, arena_.multiply(of(sum), r));
  const Rational c = sum[position(arg(2) / 2, sum.size(), "sum-factor: no such term")].coefficient;
  require(c.sign() > 0, "sum-factor: the term is no square");  // a root in rational numbers is left where it is 1
  const Poly size = arena_.apply(Function::abs, root_of(arena_.scale(sum, Rational(1) / c), 2));
  r = arena_.multiply(r, rational_power(c, q));
  return times(others, arena_.multiply(r, arena_.of(size[0].factors[0].atom, q * Rational(2))));
}

Poly Rewrite::power_of(const Monomial& c, const Rational& q) {
  Poly r = rational_power(c.coefficient, q);
  for (const Factor& x : c.factors) r = arena_.multiply(r, atom_power(x, q));
  return r;
}

Poly Rewrite::magnitude_of(const Monomial& c, const Rational& q) {
  Poly r = rational_power(c.coefficient.sign() < 0 ? -c.coefficient : c.coefficient, q);
  for (const Factor& x : c.factors) {
    const bool itself = is_never_negative(x.atom) || !x.exponent.is_integer();
    r = arena_.multiply(r, itself ? arena_.of(x.atom, x.exponent * q) : arena_.apply(Function::abs, arena_.of(x.atom), x.exponent * q));
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

}  // namespace foldproof::kernel
