// SPDX-License-Identifier: MIT
#include "kernel/laws.hpp"

#include <algorithm>
#include <array>

namespace foldproof::kernel {
namespace {

using expr::Function;
using Monomials = std::vector<Monomial>;

constexpr std::array<std::string_view, law_count> names = {
    "keep",   "enter",      "leave",      "split",   "pair",        "unroll", "sift", "decide", "digits",  "flip",             "align",       "number", "count",        "exp-sum", "distribute", "content", "expand",
    "cancel", "absolute",   "logarithm",  "reflect", "angle",       "pythagoras", "one-hot", "one-hot-sum", "select", "swap", "axiom", "inverse", "inverse-diagonal", "inverse-transpose", "inverse-product", "inverse-scale", "inverse-inverse", "signed-body", "shift-maximum"};

/// One application of one law: the monomial and checked access to what the step names.
class Rewrite {
 public:
  Rewrite(Theory& theory, const Monomial& m, const Step& step) : theory_(theory), arena_(theory.arena), m_(m), step_(step) {}

  Monomials run() {
    switch (step_.law) {
      case Law::split: return split();
      case Law::pair: return pair();
      case Law::unroll: return unroll();
      case Law::sift: return sift();
      case Law::decide: return decide();
      case Law::digits: return digits();
      case Law::flip: return flip();
      case Law::align: return align();
      case Law::number: return number();
      case Law::count: return count();
      case Law::exp_sum: return exp_sum();
      case Law::distribute: return distribute();
      case Law::content: return content();
      case Law::expand: return expand();
      case Law::cancel: return cancel();
      case Law::absolute: return absolute();
      case Law::logarithm: return logarithm();
      case Law::reflect: return reflect();
      case Law::angle: return angle();
      case Law::pythagoras: return pythagoras();
      case Law::one_hot: return one_hot();
      case Law::one_hot_sum: return one_hot_sum();
      case Law::select: return select();
      case Law::swap: return swap();
      case Law::axiom: return axiom();
      case Law::inverse: return inverse();
      case Law::inverse_diagonal: return inverse_diagonal();
      case Law::inverse_transpose: return inverse_transpose();
      case Law::inverse_product: return inverse_product();
      case Law::inverse_scale: return inverse_scale();
      case Law::inverse_inverse: return inverse_inverse();
      case Law::signed_body: return signed_body();
      case Law::shift_maximum: return shift_maximum();
      case Law::keep:
      case Law::enter:
      case Law::leave: break;
    }
    throw Reject("this step stands outside a monomial");
  }

 private:
  // ---- access ----
  std::int64_t arg(std::size_t k) const {
    if (k >= step_.args.size()) throw Reject("a step lacks an argument");
    return step_.args[k];
  }
  std::size_t factor_position(std::size_t k) const {
    const std::int64_t f = arg(k);
    if (f < 0 || f >= static_cast<std::int64_t>(m_.factors.size())) throw Reject("a step names a factor that is not there");
    return static_cast<std::size_t>(f);
  }
  Symbol variable(std::size_t k) const {
    const std::int64_t v = arg(k);
    if (v < 0 || v >= static_cast<std::int64_t>(m_.variables.size())) throw Reject("a step names a variable that is not there");
    return m_.variables[static_cast<std::size_t>(v)];
  }
  const Factor& factor(std::size_t k) const { return m_.factors[factor_position(k)]; }
  Atom atom(std::size_t k) const { return arena_.atom(factor(k).atom); }
  static void require(bool holds, const char* what) {
    if (!holds) throw Reject(what);
  }
  /// m without the factors at the given positions.
  Monomial without(std::vector<std::size_t> positions) const {
    Monomial rest = m_;
    std::sort(positions.rbegin(), positions.rend());
    for (const std::size_t f : positions) rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(f));
    return rest;
  }
  static void unbind(Monomial& m, Symbol v) { m.variables.erase(std::remove(m.variables.begin(), m.variables.end(), v), m.variables.end()); }
  static void bind(Monomial& m, Symbol v) { m.variables.insert(std::lower_bound(m.variables.begin(), m.variables.end(), v), v); }
  Monomials times(const Monomial& rest, const Poly& p) { return arena_.multiply({rest}, arena_.freshen(p)); }
  Monomial replace(const Monomial& m, Symbol v, const Index& e) { return arena_.substitute(m, {{v, e}}); }
  bool in_range(const Index& e, const Index& range) const { return arena_.nonnegative(e) && arena_.positive(range - e); }

  // ---- sums ----
  Monomials split() {
    const Symbol v = variable(0);
    const Index range = arena_.symbol(v).range;
    const Index e = arena_.index(step_.size, {});
    require(arena_.positive(e) && arena_.positive(range - e), "split: the point must lie inside the range");
    Monomial below = m_, above = m_;
    unbind(below, v);
    unbind(above, v);
    const Symbol low = arena_.fresh(e), high = arena_.fresh(range - e);
    below = replace(below, v, Index::symbol(low));
    above = replace(above, v, e + Index::symbol(high));
    bind(below, low);
    bind(above, high);
    return {below, above};
  }
  Monomials pair() {
    const Symbol v = variable(0);
    const Index k = arena_.index(step_.size, {});
    const auto q = Index(arena_.symbol(v).range).divide(k);
    require(q.has_value() && arena_.positive(k) && arena_.positive(*q), "pair: the size must divide the range");
    Monomial m = m_;
    unbind(m, v);
    const Symbol a = arena_.fresh(*q), b = arena_.fresh(k);
    m = replace(m, v, Index::symbol(a) * k + Index::symbol(b));
    bind(m, a);
    bind(m, b);
    return {m};
  }
  Monomials unroll() {
    const Symbol v = variable(0);
    const auto n = arena_.symbol(v).range.constant();
    require(n && *n >= 1 && *n <= 64, "unroll: the range must be a number of at most 64");
    Monomial m = m_;
    unbind(m, v);
    Monomials r;
    for (std::int64_t k = 0; k < *n; ++k) r.push_back(replace(m, v, k));
    return r;
  }
  /// e with v == e where the factor says (v - e == 0) or (e - v == 0).
  Index solve(const Atom& a, Symbol v) const {
    require(a.kind == AtomKind::equal && factor(0).exponent.sign() > 0, "the factor is no equality");
    const Index& e = a.indices[0];
    const auto at = [&](const Index& value) { return e.substitute([&](Symbol s) { return s == v ? value : Index::symbol(s); }); };
    const Index rest = at(0);
    const auto slope = (at(1) - rest).constant();
    require(slope && (*slope == 1 || *slope == -1) && !arena_.mentions(rest, v), "the equality cannot be solved for the variable");
    require(e == rest + Index::symbol(v) * Index(*slope), "the equality is not linear in the variable");
    return *slope == 1 ? -rest : rest;
  }
  Monomials sift() {
    const Symbol v = variable(1);
    const Index e = solve(atom(0), v);
    require(in_range(e, arena_.symbol(v).range), "sift: the value must lie in the range of the variable");
    Monomial m = without({factor_position(0)});
    unbind(m, v);
    return {replace(m, v, e)};
  }
  Monomials align() {
    const Symbol v = variable(1);
    const Index e = solve(atom(0), v);
    const Factor kept = factor(0);
    Monomial m = replace(without({factor_position(0)}), v, e);
    arena_.multiply_in(m, kept.atom, kept.exponent);
    return {m};
  }
  Monomials decide() {
    const Atom a = atom(0);
    require(a.kind == AtomKind::equal || a.kind == AtomKind::at_least, "decide: the factor is no comparison");
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
  Monomials digits() {
    const Atom a = atom(0);
    require(a.kind == AtomKind::equal && factor(0).exponent.sign() > 0, "digits: the factor is no equality");
    const Index k = arena_.index(step_.size, {});
    Index x;
    for (const auto& summand : a.indices[0].summands()) {
      Index one(summand.coefficient);
      for (const Symbol s : summand.product) one = one * Index::symbol(s);
      if (const auto part = one.divide(k)) x = x + *part;
    }
    const Index y = a.indices[0] - x * k;
    require(arena_.positive(k - y) && arena_.positive(k + y), "digits: the remainder must be smaller than the size");
    const Poly blocks = arena_.equal(x);
    const Poly offsets = arena_.equal(y);
    return times(without({factor_position(0)}), arena_.multiply(blocks, offsets));
  }
  Monomials flip() {
    const Atom a = atom(0);
    require(a.kind == AtomKind::at_least && factor(0).exponent.is_one(), "flip: the factor is no comparison");
    return times(without({factor_position(0)}), arena_.add(arena_.constant(1), arena_.scale(arena_.at_least(-a.indices[0] - Index(1)), -1)));
  }
  Monomials number() {
    const Atom a = atom(0);
    require(a.kind == AtomKind::size && !a.indices[0].as_symbol(), "number: the factor is no composite number");
    return times(without({factor_position(0)}), arena_.power(arena_.number(a.indices[0]), factor(0).exponent));
  }
  Monomials count() {
    const Symbol v = variable(0);
    require(!arena_.mentions(m_, v), "count: a factor mentions the variable");
    Monomial m = m_;
    unbind(m, v);
    return times(m, arena_.number(Index(arena_.symbol(v).range)));
  }

  // ---- powers and functions ----
  bool is_function(const Atom& a, Function f) const { return a.kind == AtomKind::apply && a.name == static_cast<int>(f); }
  const Poly& body(const Atom& a) const { return arena_.poly(a.body); }
  static bool is_constant(const Monomial& m) { return m.variables.empty() && m.factors.empty(); }

  Monomials exp_sum() {
    const Atom a = atom(0);
    require(is_function(a, Function::exp), "exp-sum: the factor is no exponential");
    const Rational q = factor(0).exponent;
    Monomials r{without({factor_position(0)})};
    const Poly terms = body(a);
    for (const Monomial& t : terms) r = arena_.multiply(r, arena_.freshen(exp_of(t, q)));
    return r;
  }
  /// exp(t)^q for one monomial t
  Poly exp_of(const Monomial& t, const Rational& q) {
    if (t.variables.empty() && t.factors.size() == 1 && t.factors[0].exponent.is_one()) {
      const Atom inner = arena_.atom(t.factors[0].atom);
      if (is_function(inner, Function::log)) return arena_.power(Poly(body(inner)), t.coefficient * q);  // defined only for x > 0
      if (is_function(inner, Function::negative_infinity_unless)) {
        require(arena_.is_zero_one(body(inner)), "exp-sum: minus infinity needs a 0/1 mask");
        require((t.coefficient * q).sign() > 0, "exp-sum: minus infinity with a negative factor");
        return body(inner);
      }
    }
    Monomial unit = t;
    unit.coefficient = 1;
    return arena_.of(arena_.intern(Atom{AtomKind::apply, static_cast<int>(Function::exp), {}, {}, arena_.intern({unit})}), t.coefficient * q);
  }

  /// c^q for positive c as a rational times powers of primes; c^q for any c when q is an integer.
  Poly rational_power(const Rational& c, const Rational& q) {
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
  /// Exponents of the prime factors of c > 0; what trial division leaves counts as one prime.
  static std::vector<std::pair<std::int64_t, std::int64_t>> primes(const Rational& c) {
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
  /// x^e for an atom x under the outer power q: (x^e)^q
  Poly atom_power(const Factor& x, const Rational& q) {
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
  Monomials distribute() {
    const Atom a = atom(0);
    require(a.kind == AtomKind::base && body(a).size() == 1 && body(a)[0].variables.empty(), "distribute: the base is no product");
    const Rational q = factor(0).exponent;
    const Monomial t = body(a)[0];
    Poly r = rational_power(t.coefficient, q);
    for (const Factor& x : t.factors) r = arena_.multiply(r, atom_power(x, q));
    return times(without({factor_position(0)}), r);
  }

  /// The common factor of all terms of p that mentions none of their bound variables: least exponent of each atom, and the
  /// coefficient that makes the first term's coefficient 1 (or -1 when `keep_sign`).
  Monomial common(const Poly& p, bool fractional, bool keep_sign) const {
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
        bound = bound || std::any_of(t.variables.begin(), t.variables.end(), [&](Symbol v) { return arena_.mentions(x, v); });
      }
      const bool allowed = !bound && !least.is_zero() && !arena_.zero_one(x) && (!fractional || arena_.is_nonnegative(x));
      if (allowed) c.factors.push_back({x, least});
    }
    const Rational lead = p.front().coefficient;
    c.coefficient = keep_sign && lead.sign() < 0 ? -lead : lead;
    return c;
  }
  Monomials content() {
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
    Monomial inverse;
    inverse.coefficient = Rational(1) / c.coefficient;
    for (const Factor& x : c.factors) inverse.factors.push_back({x.atom, -x.exponent});
    const Poly rest = arena_.multiply(p, {inverse});
    require(arena_.multiply(rest, {c}) == p, "content: the common factor does not multiply back");
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
  Poly power_of(const Monomial& c, const Rational& q) {
    Poly r = rational_power(c.coefficient, q);
    for (const Factor& x : c.factors) r = arena_.multiply(r, atom_power(x, q));
    return r;
  }
  /// |c|^q, factor by factor
  Poly magnitude_of(const Monomial& c, const Rational& q) {
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
  Monomials expand() {
    const Factor f = factor(0);
    const Atom a = arena_.atom(f.atom);
    require(a.kind == AtomKind::base && f.exponent >= Rational(1), "expand: no power of at least one");
    Monomial rest = without({factor_position(0)});
    arena_.multiply_in(rest, f.atom, f.exponent - Rational(1));
    return times(rest, body(a));
  }

  Monomials absolute() {
    const Atom a = atom(0);
    require(is_function(a, Function::abs), "absolute: the factor is no absolute value");
    const Rational q = factor(0).exponent;
    const Poly p = body(a);
    Monomial rest = without({factor_position(0)});
    if (arena_.is_nonnegative(p)) return times(rest, p.empty() ? Poly() : arena_.power(p, q));
    if (q.is_integer() && (q >= Rational(2) || q <= Rational(-2))) {
      const Rational even = Rational(q.num() / 2 * 2);
      arena_.multiply_in(rest, factor(0).atom, q - even);
      return times(rest, arena_.power(p, even));
    }
    require(p.size() == 1 && p[0].variables.empty(), "absolute: nothing is known of the sign");
    require(!(p[0].factors.size() == 1 && p[0].coefficient.is_one() && p[0].factors[0].exponent.is_one()), "absolute: nothing is known of the sign");
    return times(rest, magnitude_of(p[0], q));
  }
  /// log c + sum of exponents times logs, for positive factors
  Poly log_of(const Monomial& c) {
    require(c.coefficient.sign() > 0, "logarithm: of a negative number");
    Poly r;
    for (const auto& [prime, exponent] : primes(c.coefficient)) {
      r = arena_.add(r, arena_.scale(arena_.apply(Function::log, arena_.constant(prime)), exponent));
    }
    for (const Factor& x : c.factors) {
      require(arena_.is_positive(x.atom), "logarithm: of something that may not be positive");
      const Atom a = arena_.atom(x.atom);
      const Poly inner = is_function(a, Function::exp) ? body(a) : arena_.apply(Function::log, a.kind == AtomKind::base ? Poly(body(a)) : arena_.of(x.atom));
      r = arena_.add(r, arena_.scale(inner, x.exponent));
    }
    return r;
  }
  Monomials logarithm() {
    const Atom a = atom(0);
    require(is_function(a, Function::log) && factor(0).exponent.is_one(), "logarithm: the factor is no logarithm");
    require(body(a).size() == 1 && body(a)[0].variables.empty(), "logarithm: of a sum");
    const Monomial c = body(a)[0];
    require(!(c.factors.size() == 1 && c.coefficient.is_one() && c.factors[0].exponent.is_one() && arena_.atom(c.factors[0].atom).body < 0), "logarithm: nothing to do");
    return times(without({factor_position(0)}), log_of(c));
  }
  Monomials reflect() {
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
  Monomials angle() {
    const Atom a = atom(0);
    const Rational q = factor(0).exponent;
    const bool sine = is_function(a, Function::sin);
    require((sine || is_function(a, Function::cos)) && q.is_integer() && q.sign() > 0, "angle: the factor is no sine or cosine");
    const Monomial rest = without({factor_position(0)});
    Poly p = body(a);
    if (p.empty()) return sine ? Monomials{} : Monomials{rest};
    Poly first{p.front()};
    const Rational c = p.front().coefficient;
    if (c.is_integer() && (c.num() > 1 || c.num() < -1)) {  // sin(3x) = sin(x + 2x)
      require(c.num() <= 32 && c.num() >= -32, "angle: the multiple is too large");
      first[0].coefficient = c.sign();
    } else {
      require(p.size() > 1, "angle: nothing to split");
    }
    const Poly others = arena_.add(p, arena_.scale(first, -1));
    const Poly s1 = arena_.apply(Function::sin, first), c1 = arena_.apply(Function::cos, first);
    const Poly s2 = arena_.apply(Function::sin, others), c2 = arena_.apply(Function::cos, others);
    const Poly one = sine ? arena_.add(arena_.multiply(s1, c2), arena_.multiply(c1, s2)) : arena_.add(arena_.multiply(c1, c2), arena_.scale(arena_.multiply(s1, s2), -1));
    return times(rest, arena_.power(one, q));
  }
  Monomials pythagoras() {
    const Atom a = atom(0);
    const Rational q = factor(0).exponent;
    require(is_function(a, Function::sin) && q.is_integer() && q >= Rational(2), "pythagoras: no square of a sine");
    Monomial rest = without({factor_position(0)});
    arena_.multiply_in(rest, factor(0).atom, q - Rational(2));
    const Poly cosine = arena_.apply(Function::cos, Poly(body(a)));
    return times(rest, arena_.add(arena_.constant(1), arena_.scale(arena_.multiply(cosine, cosine), -1)));
  }

  // ---- tensors of which something is assumed ----
  /// The axis along which entry a holds a single 1 while the other indices are fixed: last for rows, the one before for columns.
  std::size_t one_hot_axis(const Atom& a, bool rows) const {
    require(a.kind == AtomKind::entry && a.indices.size() >= 2, "the factor is no entry of a one-hot tensor");
    const Tensor& t = arena_.tensor(a.name);
    require(rows ? t.row_one_hot : t.column_one_hot, "the tensor is not known to be one-hot");
    return a.indices.size() - (rows ? 1 : 2);
  }
  /// The other indices lie in their axes: entries beyond the end count as 0, so they make up no row.
  bool names_a_row(const Atom& a, std::size_t axis) const {
    const Tensor& t = arena_.tensor(a.name);
    for (std::size_t k = 0; k < a.indices.size(); ++k) {
      if (k != axis && !in_range(a.indices[k], t.shape[k])) return false;
    }
    return true;
  }
  Monomials one_hot() {  // T[i, v] T[i, w] = (v == w) T[i, v]
    const Atom a = atom(0), b = atom(1);
    require(factor_position(0) != factor_position(1) && a.kind == AtomKind::entry && b.kind == AtomKind::entry && a.name == b.name, "one-hot: two entries of one tensor are needed");
    for (const bool rows : {true, false}) {
      const Tensor& t = arena_.tensor(a.name);
      if (!(rows ? t.row_one_hot : t.column_one_hot) || a.indices.size() < 2) continue;
      const std::size_t axis = one_hot_axis(a, rows);
      bool same = true;
      for (std::size_t k = 0; k < a.indices.size(); ++k) same = same && (k == axis || a.indices[k] == b.indices[k]);
      if (!same) continue;
      return times(without({factor_position(1)}), arena_.equal(a.indices[axis] - b.indices[axis]));
    }
    throw Reject("one-hot: the entries do not lie in one row or column");
  }
  Monomials one_hot_sum() {
    const Atom a = atom(0);
    const Symbol v = variable(1);
    for (const bool rows : {true, false}) {
      if (a.kind != AtomKind::entry || !(rows ? arena_.tensor(a.name).row_one_hot : arena_.tensor(a.name).column_one_hot)) continue;
      if (a.indices[one_hot_axis(a, rows)] != Index::symbol(v)) continue;
      Monomial rest = without({factor_position(0)});
      const std::size_t axis = one_hot_axis(a, rows);
      bool only = !arena_.mentions(rest, v);
      for (std::size_t k = 0; k < a.indices.size(); ++k) only = only && (k == axis || !arena_.mentions(a.indices[k], v));
      require(only && arena_.tensor(a.name).shape[axis] == arena_.symbol(v).range, "one-hot-sum: the variable occurs elsewhere");
      require(names_a_row(a, axis), "one-hot-sum: the row is not known to be one of the tensor");
      unbind(rest, v);
      return {rest};
    }
    throw Reject("one-hot-sum: no row or column of a one-hot tensor");
  }
  /// F(sum over v of T[.., v, ..] g(v)) = sum over v of T[.., v, ..] F(g(v)) for any function F of one number.
  Monomials select() {
    const Factor f = factor(0);
    const Atom a = arena_.atom(f.atom);
    require((a.kind == AtomKind::apply || a.kind == AtomKind::base) && a.body >= 0 && !body(a).empty(), "select: the factor has no body");
    const Poly p = body(a);
    std::optional<Atom> chosen;
    std::size_t axis = 0;
    Symbol v = -1;
    Poly inner;
    for (std::size_t k = 0; k < p.size(); ++k) {
      const std::int64_t position = arg(k + 1);
      if (position < 0) continue;
      require(position < static_cast<std::int64_t>(p[k].factors.size()), "select: no such factor in a term");
      const Factor& entry = p[k].factors[static_cast<std::size_t>(position)];
      const Atom t = arena_.atom(entry.atom);
      require(entry.exponent.is_one(), "select: a power of an entry");
      bool found = false;
      for (const bool rows : {true, false}) {
        if (found || t.kind != AtomKind::entry || !(rows ? arena_.tensor(t.name).row_one_hot : arena_.tensor(t.name).column_one_hot)) continue;
        const std::size_t where = one_hot_axis(t, rows);
        const auto bound = t.indices[where].as_symbol();
        if (!bound || std::find(p[k].variables.begin(), p[k].variables.end(), *bound) == p[k].variables.end()) continue;
        Atom shape = t;
        shape.indices[where] = Index(0);
        const bool constant = std::none_of(p[k].variables.begin(), p[k].variables.end(), [&](Symbol w) { return std::any_of(shape.indices.begin(), shape.indices.end(), [&](const Index& e) { return arena_.mentions(e, w); }); });
        if (!constant || !names_a_row(t, where) || (chosen && (*chosen != shape || axis != where)) || arena_.tensor(t.name).shape[where] != arena_.symbol(*bound).range) continue;
        if (!chosen) v = arena_.fresh(Index(arena_.symbol(*bound).range));
        chosen = shape;
        axis = where;
        Monomial term = p[k];
        term.factors.erase(term.factors.begin() + position);
        unbind(term, *bound);
        inner.push_back(arena_.substitute(term, {{*bound, Index::symbol(v)}}));
        found = true;
      }
      require(found, "select: the entry is not of a one-hot tensor summed over its 1");
    }
    require(chosen.has_value(), "select: no term selects");
    for (std::size_t k = 0; k < p.size(); ++k) {  // terms that do not select are multiplied by the sum of T, which is 1
      if (arg(k + 1) < 0) inner.push_back(p[k]);
    }
    chosen->indices[axis] = Index::symbol(v);
    Monomial rest = without({factor_position(0)});
    arena_.multiply_in(rest, arena_.intern(*chosen), 1);
    bind(rest, v);
    return times(rest, a.kind == AtomKind::base ? arena_.of(arena_.intern(Atom{AtomKind::base, 0, {}, {}, arena_.intern(arena_.collect(inner))}), f.exponent)
                                                : arena_.of(arena_.intern(Atom{AtomKind::apply, a.name, {}, {}, arena_.intern(arena_.collect(inner))}), f.exponent));
  }
  Monomials swap() {
    Atom a = atom(0);
    require(a.kind == AtomKind::entry && arena_.tensor(a.name).symmetric && a.indices.size() >= 2, "swap: the tensor is not known to be symmetric");
    std::swap(a.indices[a.indices.size() - 1], a.indices[a.indices.size() - 2]);
    Monomial rest = without({factor_position(0)});
    arena_.multiply_in(rest, arena_.intern(a), factor(0).exponent);
    return {rest};
  }

  // ---- equations ----
  /// Pairs an index of a pattern with an index of m: pattern variables stand alone, or the two are equal under what is known.
  bool match(const Index& pattern, const Index& target, const std::vector<Symbol>& open, Arena::Substitution& s) {
    if (const auto v = pattern.as_symbol(); v && std::find(open.begin(), open.end(), *v) != open.end()) {
      const auto [at, inserted] = s.emplace(*v, target);
      return inserted || at->second == target;
    }
    return arena_.substitute(pattern, s) == target;
  }
  /// Rewrites term `lead` of p == 0, found in m at the factor positions args[first...], to minus the other terms.
  /// `open` are the parameters of the equation, which must come to lie in their ranges.
  Monomials use_equation(const Poly& p, std::size_t lead, std::size_t first, const std::vector<Symbol>& open_parameters, const std::vector<std::size_t>& also_used) {
    require(lead < p.size(), "the equation has no such term");
    const Monomial t = p[lead];
    require(step_.args.size() == first + t.factors.size(), "a position is needed for each factor of the term");
    std::vector<Symbol> open = open_parameters;
    open.insert(open.end(), t.variables.begin(), t.variables.end());
    Arena::Substitution s;
    Monomial rest = m_;
    std::vector<std::size_t> positions;
    for (std::size_t k = 0; k < t.factors.size(); ++k) {
      const std::size_t f = factor_position(first + k);
      require(std::find(positions.begin(), positions.end(), f) == positions.end() && std::find(also_used.begin(), also_used.end(), f) == also_used.end(), "a factor is used twice");
      positions.push_back(f);
      const Atom pattern = arena_.atom(t.factors[k].atom);
      const Atom target = arena_.atom(m_.factors[f].atom);
      require(pattern.kind == target.kind && pattern.name == target.name && pattern.indices.size() == target.indices.size(), "a factor does not match the equation");
      for (std::size_t i = 0; i < pattern.indices.size(); ++i) require(match(pattern.indices[i], target.indices[i], open, s), "an index does not match the equation");
    }
    // Variables that occur only inside bodies are matched there.
    for (std::size_t k = 0; k < t.factors.size(); ++k) match_body(t.factors[k].atom, m_.factors[positions[k]].atom, open, s);
    std::vector<Symbol> bound;
    for (std::size_t k = 0; k < t.factors.size(); ++k) {
      require(arena_.substitute(t.factors[k].atom, s) == m_.factors[positions[k]].atom, "a factor does not match the equation");
      const Rational have = m_.factors[positions[k]].exponent, need = t.factors[k].exponent;
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
    for (std::size_t k = 0; k < t.factors.size(); ++k) arena_.multiply_in(rest, m_.factors[positions[k]].atom, -t.factors[k].exponent);
    std::vector<std::size_t> used = also_used;
    for (const Symbol b : bound) {
      require(!arena_.mentions(rest, b), "a variable of the equation occurs elsewhere in the monomial");
      unbind(rest, b);
    }
    Poly others = p;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(lead));
    others = arena_.scale(arena_.substitute(arena_.freshen(others), s), Rational(-1) / t.coefficient);
    return arena_.multiply({rest}, others);
  }
  /// Collects what a body of the pattern says about open variables: its n-th entry of a tensor is held against the n-th such
  /// entry of the target. Only a proposal: the caller compares the two bodies exactly.
  void match_body(AtomId pattern, AtomId target, const std::vector<Symbol>& open, Arena::Substitution& s) {
    const Atom a = arena_.atom(pattern), b = arena_.atom(target);
    if (a.body < 0 || b.body < 0 || a.kind != b.kind || a.name != b.name) return;
    const Poly p = body(a), q = body(b);
    for (std::size_t k = 0; k < std::min(p.size(), q.size()); ++k) {
      std::vector<bool> used(q[k].factors.size(), false);
      for (const Factor& f : p[k].factors) match_factor(f.atom, q[k], used, open, s);
    }
  }
  void match_factor(AtomId pattern, const Monomial& target, std::vector<bool>& used, const std::vector<Symbol>& open, Arena::Substitution& s) {
    const Atom x = arena_.atom(pattern);
    for (std::size_t g = 0; g < target.factors.size(); ++g) {
      const Atom y = arena_.atom(target.factors[g].atom);
      if (used[g] || x.kind != y.kind || x.name != y.name || x.indices.size() != y.indices.size()) continue;
      used[g] = true;
      for (std::size_t i = 0; i < x.indices.size(); ++i) {
        const auto v = x.indices[i].as_symbol();
        if (v && std::find(open.begin(), open.end(), *v) != open.end()) s.emplace(*v, y.indices[i]);
      }
      match_body(pattern, target.factors[g].atom, open, s);
      return;
    }
  }
  /// x^q with x = term k + others, q < 0: term k x^q = x^(q+1) - others x^q. An instance of the equation x - (sum of its terms) = 0.
  Monomials cancel() {
    const Factor f = factor(0);
    const Atom a = arena_.atom(f.atom);
    require(a.kind == AtomKind::base && f.exponent.sign() < 0, "cancel: no negative power of a sum");
    const Poly p = body(a);
    require(arg(1) >= 0 && arg(1) < static_cast<std::int64_t>(p.size()), "cancel: the base has no such term");
    const std::size_t lead = static_cast<std::size_t>(arg(1));
    for (const Symbol v : p[lead].variables) require(!arena_.mentions(f.atom, v), "cancel: a variable is captured");
    // As an equation in m: (term k) - x + others == 0, where x stands for the power itself.
    Monomials minus_others = use_equation(p, lead, 2, {}, {factor_position(0)});
    Monomial raised = m_;
    const Rational c = p[lead].coefficient;
    raised.coefficient = raised.coefficient / c;
    Arena::Substitution unused;
    for (std::size_t k = 0; k < p[lead].factors.size(); ++k) arena_.multiply_in(raised, m_.factors[factor_position(2 + k)].atom, -p[lead].factors[k].exponent);
    std::vector<Symbol> gone;
    for (const Symbol v : raised.variables) {
      const bool used = std::any_of(m_.factors.begin(), m_.factors.end(), [&](const Factor& x) { return arena_.mentions(x.atom, v); });
      if (used && !arena_.mentions(raised, v)) gone.push_back(v);
    }
    require(gone.size() == p[lead].variables.size(), "cancel: the variables of the term do not disappear");
    for (const Symbol v : gone) unbind(raised, v);
    arena_.multiply_in(raised, f.atom, 1);
    minus_others.push_back(raised);
    return minus_others;
  }
  Monomials axiom() {
    const std::int64_t a = arg(0), k = arg(1);
    require(a >= 0 && a < static_cast<std::int64_t>(theory_.usable_axioms) && k >= 0, "axiom: no such assumption");
    const Axiom& axiom = theory_.axioms[static_cast<std::size_t>(a)];
    return use_equation(axiom.poly, static_cast<std::size_t>(k), 2, axiom.parameters, {});
  }
  /// inv(M)[i, v] M[v, j] summed over v is (i == j); side 1: M[i, v] inv(M)[v, j]. Where M is invertible.
  Monomials inverse() {
    const Factor f = factor(0);
    const Atom a = arena_.atom(f.atom);
    require(a.kind == AtomKind::inverse && f.exponent.is_one(), "inverse: the factor is no inverse");
    const bool left = arg(2) == 0;
    const Index n = arena_.symbol(a.variables[0]).range;
    const Symbol inner = arena_.fresh(n), i = arena_.fresh(n), j = arena_.fresh(n);
    Atom inv = a;
    inv.indices = left ? std::vector<Index>{Index::symbol(i), Index::symbol(inner)} : std::vector<Index>{Index::symbol(inner), Index::symbol(j)};
    const Index row = left ? Index::symbol(inner) : Index::symbol(i), column = left ? Index::symbol(j) : Index::symbol(inner);
    const Poly matrix = arena_.substitute(arena_.freshen(body(a)), {{a.variables[0], row}, {a.variables[1], column}});
    const Poly product = arena_.sum(inner, arena_.multiply(arena_.of(arena_.intern(inv)), matrix));
    const Poly equation = arena_.add(product, arena_.scale(arena_.equal(Index::symbol(i) - Index::symbol(j)), -1));
    require(arg(1) >= 0, "inverse: no such term");
    return use_equation(equation, static_cast<std::size_t>(arg(1)), 3, {i, j}, {});
  }
  /// The inverse of (u == v) d(u) is (i == j) / d(i), where every d(i) is not zero.
  Monomials inverse_diagonal() {
    const Factor f = factor(0);
    const Atom a = arena_.atom(f.atom);
    require(a.kind == AtomKind::inverse && f.exponent.is_one(), "inverse-diagonal: the factor is no inverse");
    require(inside(a), "inverse-diagonal: the entry is not known to lie in the matrix");
    const Symbol u = a.variables[0], v = a.variables[1];
    const Index difference = Index::symbol(u) - Index::symbol(v);
    const AtomId delta = arena_.equal(difference)[0].factors[0].atom;
    Poly diagonal;
    for (Monomial t : Poly(body(a))) {
      const auto at = std::find_if(t.factors.begin(), t.factors.end(), [&](const Factor& x) { return x.atom == delta; });
      require(at != t.factors.end(), "inverse-diagonal: the matrix is not diagonal");
      t.factors.erase(at);
      diagonal.push_back(arena_.substitute(t, {{v, Index::symbol(u)}}));
    }
    const Poly d = arena_.substitute(arena_.freshen(arena_.collect(diagonal)), {{u, a.indices[0]}});
    require(!d.empty(), "inverse-diagonal: the matrix is zero");
    const Poly same = arena_.equal(a.indices[0] - a.indices[1]);
    return times(without({factor_position(0)}), arena_.multiply(same, arena_.power(d, -1)));
  }
  /// The named entry lies in the matrix; beyond its end an inverse counts as 0.
  bool inside(const Atom& a) const { return in_range(a.indices[0], arena_.symbol(a.variables[0]).range) && in_range(a.indices[1], arena_.symbol(a.variables[1]).range); }
  /// The inverse named by the step; its matrix must be a single product when `one_term`.
  Atom inverse_atom(bool one_term) const {
    const Atom a = atom(0);
    require(a.kind == AtomKind::inverse && factor(0).exponent.is_one(), "the factor is no inverse");
    require(!one_term || arena_.poly(a.body).size() == 1, "the matrix under the inverse is a sum");
    return a;
  }
  Monomials inverse_transpose() {
    Atom a = inverse_atom(false);
    const Symbol u = a.variables[0], v = a.variables[1];
    a.body = arena_.intern(arena_.substitute(arena_.freshen(body(a)), {{u, Index::symbol(v)}, {v, Index::symbol(u)}}));
    std::swap(a.indices[0], a.indices[1]);
    return times(without({factor_position(0)}), arena_.of(arena_.intern(a)));
  }
  /// M(u, v) = sum over k of A(u, k) B(k, v), all square; M is invertible exactly when A and B are.
  Monomials inverse_product() {
    const Atom a = inverse_atom(true);
    const Monomial t = arena_.freshen(body(a))[0];
    const Symbol u = a.variables[0], v = a.variables[1];
    require(arg(1) >= 0 && arg(1) < static_cast<std::int64_t>(t.variables.size()), "inverse-product: no such variable");
    const Symbol k = t.variables[static_cast<std::size_t>(arg(1))];
    require(arena_.symbol(k).range == arena_.symbol(u).range, "inverse-product: a factor is not square");
    Monomial left, right;
    for (std::size_t f = 0; f < t.factors.size(); ++f) {
      const bool first = std::find(step_.args.begin() + 2, step_.args.end(), static_cast<std::int64_t>(f)) != step_.args.end();
      (first ? left : right).factors.push_back(t.factors[f]);
    }
    require(!arena_.mentions(left, v) && !arena_.mentions(right, u), "inverse-product: the factors do not separate");
    for (const Symbol w : t.variables) {
      if (w == k) continue;
      const bool in_left = arena_.mentions(left, w), in_right = arena_.mentions(right, w);
      require(!(in_left && in_right), "inverse-product: the factors share a second variable");
      bind(in_left ? left : right, w);
    }
    const Symbol q = arena_.fresh(Index(arena_.symbol(u).range));
    const AtomId inv_left = arena_.intern(Atom{AtomKind::inverse, 0, {Index::symbol(q), a.indices[1]}, {u, k}, arena_.intern({left})});
    const AtomId inv_right = arena_.intern(Atom{AtomKind::inverse, 0, {a.indices[0], Index::symbol(q)}, {k, v}, arena_.intern({right})});
    Poly r = arena_.scale(arena_.multiply(arena_.of(inv_right), arena_.of(inv_left)), Rational(1) / t.coefficient);
    return times(without({factor_position(0)}), arena_.sum(q, r));
  }
  Monomials inverse_scale() {
    Atom a = inverse_atom(true);
    Monomial t = arena_.freshen(body(a))[0];
    const Symbol u = a.variables[0], v = a.variables[1];
    Poly scale;
    if (arg(1) < 0) {
      require(!t.coefficient.is_one(), "inverse-scale: the coefficient is 1");
      scale = arena_.constant(Rational(1) / t.coefficient);
      t.coefficient = 1;
    } else {
      require(arg(1) < static_cast<std::int64_t>(t.factors.size()), "inverse-scale: no such factor");
      const Factor d = t.factors[static_cast<std::size_t>(arg(1))];
      t.factors.erase(t.factors.begin() + arg(1));
      for (const Symbol w : t.variables) require(!arena_.mentions(d.atom, w), "inverse-scale: the factor is summed");
      const bool row = arena_.mentions(d.atom, u), column = arena_.mentions(d.atom, v);
      require(!(row && column), "inverse-scale: the factor depends on row and column");
      const AtomId moved = row ? arena_.substitute(d.atom, {{u, a.indices[1]}}) : arena_.substitute(d.atom, {{v, a.indices[0]}});
      scale = arena_.of(moved, -d.exponent);
    }
    a.body = arena_.intern({t});
    return times(without({factor_position(0)}), arena_.multiply(scale, arena_.of(arena_.intern(a))));
  }
  Monomials inverse_inverse() {
    const Atom a = inverse_atom(true);
    const Monomial t = body(a)[0];
    require(t.variables.empty() && t.factors.size() == 1 && t.coefficient.is_one() && t.factors[0].exponent.is_one(), "inverse-inverse: the matrix is no inverse");
    const Atom inner = arena_.atom(t.factors[0].atom);
    const Index u = Index::symbol(a.variables[0]), v = Index::symbol(a.variables[1]);
    const bool turned = inner.indices == std::vector<Index>{v, u};  // inv(inv(M).T) = M.T
    require(inner.kind == AtomKind::inverse && (turned || inner.indices == std::vector<Index>{u, v}), "inverse-inverse: the matrix is no inverse");
    require(inside(a), "inverse-inverse: the entry is not known to lie in the matrix");
    Atom whole = inner;
    whole.indices = {Index(0), Index(0)};
    const AtomId id = arena_.intern(whole);
    require(!arena_.mentions(id, a.variables[0]) && !arena_.mentions(id, a.variables[1]), "inverse-inverse: the inner matrix varies with the entry");
    const Poly matrix = arena_.substitute(arena_.freshen(body(inner)), {{inner.variables[0], a.indices[turned ? 1 : 0]}, {inner.variables[1], a.indices[turned ? 0 : 1]}});
    return times(without({factor_position(0)}), matrix);
  }
  Monomials signed_body() {
    const Factor f = factor(0);
    const Atom a = arena_.atom(f.atom);
    require(is_function(a, Function::abs) && f.exponent.is_integer() && f.exponent.sign() > 0, "signed-body: the factor is no absolute value");
    const std::int64_t k = arg(1);
    require(k >= 0 && k < static_cast<std::int64_t>(theory_.signs.size()), "signed-body: no such assumption");
    const AssumedSign& sign = theory_.signs[static_cast<std::size_t>(k)];
    require(sign.relation != expr::Relation::not_equal, "signed-body: the assumption names no sign");
    Arena::Substitution s;
    const AtomId pattern = arena_.apply(Function::abs, sign.poly)[0].factors[0].atom;
    match_body(pattern, f.atom, sign.parameters, s);
    for (const Symbol v : sign.parameters) require(s.count(v) > 0 && in_range(s.at(v), arena_.symbol(v).range), "signed-body: a parameter is not known to be in its range");
    require(arena_.substitute(pattern, s) == f.atom, "signed-body: the assumption is about something else");
    return times(without({factor_position(0)}), arena_.power(Poly(body(a)), f.exponent));
  }
  Monomials shift_maximum() {
    const Factor f = factor(0);
    const Atom a = arena_.atom(f.atom);
    require(a.kind == AtomKind::maximum && f.exponent.is_one(), "shift-maximum: the factor is no maximum");
    Poly constant, varying;
    for (const Monomial& t : body(a)) (arena_.mentions(t, a.variables[0]) ? varying : constant).push_back(t);
    require(!constant.empty(), "shift-maximum: no term is constant");
    Atom rest = a;
    rest.body = arena_.intern(varying);
    const Poly largest = varying.empty() ? Poly() : arena_.of(arena_.intern(rest));
    return times(without({factor_position(0)}), arena_.add(constant, largest));
  }

  Theory& theory_;
  Arena& arena_;
  const Monomial& m_;
  const Step& step_;
};

}  // namespace

std::string_view name(Law law) { return names[static_cast<std::size_t>(law)]; }

std::vector<Monomial> apply(Theory& theory, const Monomial& m, const Step& step) { return Rewrite(theory, m, step).run(); }

Monomial rename(Arena& arena, const Monomial& m, const std::vector<std::int64_t>& order) {
  if (order.size() != m.variables.size()) throw Reject("keep: not every variable gets a place");
  const int height = arena.height(m);
  Arena::Substitution s;
  std::vector<Symbol> variables;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (order[k] < 0 || order[k] >= static_cast<std::int64_t>(order.size())) throw Reject("keep: no such variable");
    const Symbol v = m.variables[static_cast<std::size_t>(order[k])];
    const Symbol canonical = arena.canonical(height, static_cast<int>(k), Index(arena.symbol(v).range));
    if (!s.emplace(v, Index::symbol(canonical)).second) throw Reject("keep: a variable gets two places");
    const bool own = std::find(m.variables.begin(), m.variables.end(), canonical) != m.variables.end();
    if (!own && arena.mentions(m, canonical)) throw Reject("keep: the canonical name is taken");
    variables.push_back(canonical);
  }
  Monomial renamed = arena.substitute(m, s);
  std::sort(variables.begin(), variables.end());
  renamed.variables = std::move(variables);
  return renamed;
}

std::vector<Monomial> replace_body(Arena& arena, const Monomial& m, std::size_t f, const Poly& body) {
  Monomial rest = m;
  const Factor old = m.factors[f];
  rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(f));
  Atom a = arena.atom(old.atom);
  if (!a.variables.empty()) {  // the binder gets canonical names, so that equal bodies become equal atoms
    int height = 0;
    for (const Monomial& t : body) height = std::max(height, arena.height(t));
    const std::vector<Symbol> bound = a.variables;
    Arena::Substitution s;
    for (std::size_t k = 0; k < a.variables.size(); ++k) {
      const Symbol canonical = arena.canonical(height + 1, static_cast<int>(k), Index(arena.symbol(a.variables[k]).range));
      const bool own = std::find(bound.begin(), bound.end(), canonical) != bound.end();
      for (const Monomial& t : body) {
        const bool shadowed = std::find(t.variables.begin(), t.variables.end(), canonical) != t.variables.end();
        if (!own && !shadowed && arena.mentions(t, canonical)) throw Reject("leave: the canonical name is taken");
      }
      s[a.variables[k]] = Index::symbol(canonical);
      a.variables[k] = canonical;
    }
    a.body = arena.intern(arena.substitute(body, s));
  } else {
    a.body = arena.intern(body);
  }
  return arena.multiply({rest}, arena.of(arena.intern(a), old.exponent));
}

}  // namespace foldproof::kernel
