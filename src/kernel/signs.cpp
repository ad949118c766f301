// SPDX-License-Identifier: MIT
// What is never negative: sizes and positions, atoms and sums of products. Part of the trusted base.
#include <algorithm>
#include <functional>

#include "kernel/unfold.hpp"

namespace foldproof::kernel {

using expr::Function;

bool Arena::nonnegative(const Index& e) const { return nonnegative(e, 0); }

/// e is of degree one in each index variable, so its least value lies where every variable is 0 or range-1.
/// A variable goes to the end that its coefficient's sign names; a coefficient of unknown sign tries both ends.
bool Arena::nonnegative(const Index& e, int depth) const {
  if (depth > 24) return false;
  const auto is_size_or_index = [&](Symbol s) { return symbol(s).kind == SymbolKind::dimension || symbol(s).kind == SymbolKind::variable; };
  const auto adds = [&](const auto& m) { return m.coefficient >= 0 && std::all_of(m.product.begin(), m.product.end(), is_size_or_index); };
  if (std::all_of(e.summands().begin(), e.summands().end(), adds)) return true;  // nearly always
  for (const auto& summand : e.summands()) {
    for (const Symbol s : summand.product) {
      const SymbolInfo& info = symbol(s);
      if (info.kind == SymbolKind::dimension) continue;
      const auto squared = [s](const auto& m) { return std::count(m.product.begin(), m.product.end(), s) > 1; };
      if (std::any_of(e.summands().begin(), e.summands().end(), squared)) return false;
      const auto [low, slope] = e.linear_in(s);
      if (info.kind == SymbolKind::quotient) {  // a - b + 1 <= b q <= a, and q >= 0 when a is not negative
        const Index a = info.numerator, b = info.denominator;
        if (!nonnegative(b - Index(1), depth + 1)) return false;
        if (nonnegative(slope, depth + 1) && nonnegative(a, depth + 1) && nonnegative(low, depth + 1)) return true;
        const auto c = slope.divide(b);
        const bool falls = c ? nonnegative(-*c, depth + 1) : nonnegative(-slope, depth + 1);
        if (!falls && !nonnegative(c ? *c : slope, depth + 1)) return false;
        const Index bound = falls ? a : a - b + Index(1);
        // An integer is at least 0 when b times it is above -b: d - 1 - j // 3 for j < 3 d.
        if (nonnegative(c ? low + *c * bound : b * low + slope * bound + b - Index(1), depth + 1)) return true;
        try {  // d h - 1 - d ((j // d) // g) - j % d for j < h g d
          return falls && nonnegative(low + slope * largest(Index::symbol(s)), depth + 1);
        } catch (const Reject&) {
          return false;
        }
      }
      if (info.kind == SymbolKind::remainder && !nonnegative(info.denominator - Index(1), depth + 1)) return false;
      const Index last = (info.kind == SymbolKind::remainder ? info.denominator : info.range) - Index(1);
      if (nonnegative(slope, depth + 1)) return nonnegative(low, depth + 1);
      const Index high = low + slope * last;
      if (nonnegative(-slope, depth + 1)) return nonnegative(high, depth + 1);
      return nonnegative(low, depth + 1) && nonnegative(high, depth + 1);
    }
  }
  // Only sizes are left: write each as its least value + something not negative and look at the coefficients.
  const Index shifted = e.substitute([this](Symbol s) { return Index::symbol(s) + Index(symbol(s).least); });
  return std::all_of(shifted.summands().begin(), shifted.summands().end(), [](const auto& m) { return m.coefficient >= 0; });
}

bool Arena::is_nonnegative(AtomId id) const {
  const Atom& a = atom(id);
  switch (a.kind) {
    case AtomKind::entry: return tensor(a.name).nonnegative || tensor(a.name).positive || tensor(a.name).zero_one;
    case AtomKind::size: return nonnegative(a.indices[0]);
    case AtomKind::equal:
    case AtomKind::at_least: return true;
    case AtomKind::apply: {
      const auto f = static_cast<Function>(a.name);
      return f == Function::exp || f == Function::abs || f == Function::normal_cdf || (f == Function::log && is_nonnegative(add(poly(a.body), constant(-1))));
    }
    case AtomKind::base: return is_nonnegative(poly(a.body));
    case AtomKind::maximum: return is_nonnegative(poly(a.body));
    case AtomKind::inverse:
    case AtomKind::determinant:
    case AtomKind::left_factor:
    case AtomKind::right_factor: return false;
  }
  return false;
}

bool Arena::is_within_one(AtomId id) const {
  const Atom& a = atom(id);
  if (a.kind != AtomKind::apply) return false;
  const auto f = static_cast<Function>(a.name);
  if (f != Function::abs) return f == Function::sin || f == Function::cos || f == Function::normal_cdf;
  const auto inner = sole_atom(poly(a.body));
  return inner && is_within_one(*inner);
}

bool Arena::is_infinite(const Poly& p) const {
  return std::any_of(p.begin(), p.end(), [&](const Monomial& m) {
    return std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) { return atom_facts_[static_cast<std::size_t>(f.atom)].unbounded; });
  });
}

bool Arena::may_be_infinite(const Atom& a) const {
  if (a.body < 0 || is_function(a, Function::negative_infinity_unless)) return true;
  if (!is_function(a, Function::exp)) return is_infinite(poly(a.body));
  return std::any_of(poly(a.body).begin(), poly(a.body).end(), [&](const Monomial& t) {  // exp(-inf + x) = 0, but exp(inf) is no number
    const bool whole = t.variables.empty() && t.coefficient.sign() > 0 && t.factors.size() == 1 && t.factors[0].exponent.is_one() && is_function(atom(t.factors[0].atom), Function::negative_infinity_unless);
    return whole ? is_infinite(poly(atom(t.factors[0].atom).body)) : is_infinite(Poly{t});
  });
}

const Factor* Arena::minus_infinity(const Monomial& t) const {
  const auto unless = [&](const Factor& x) { return x.exponent.is_one() && is_function(atom(x.atom), Function::negative_infinity_unless); };
  const auto mask = std::find_if(t.factors.begin(), t.factors.end(), unless);
  const bool alone = t.variables.empty() && mask != t.factors.end() && std::all_of(t.factors.begin(), t.factors.end(), [&](const Factor& x) { return x.atom == mask->atom || is_positive(x.atom); });
  return alone ? mask : nullptr;
}

/// exp(-inf) is 0, so nothing in which minus infinity may occur is known to be positive.
bool Arena::is_positive(AtomId id) const {
  if (is_infinite(id)) return false;
  const Atom& a = atom(id);
  switch (a.kind) {
    case AtomKind::entry: return tensor(a.name).positive;
    case AtomKind::size: return positive(a.indices[0]);
    case AtomKind::apply: {
      const auto f = static_cast<Function>(a.name);
      const Poly& p = poly(a.body);
      const auto nonzero = [&](const Factor& x) { return is_nonzero(x.atom); };
      if (f == Function::log) return is_positive(add(p, constant(-1)));
      if (f == Function::abs) return p.size() == 1 && p[0].variables.empty() && std::all_of(p[0].factors.begin(), p[0].factors.end(), nonzero);
      return f == Function::exp || f == Function::normal_cdf;
    }
    case AtomKind::base:
    case AtomKind::maximum: return is_positive(poly(a.body));
    default: return false;
  }
}

/// Whether some values of the variables of m, each 0, its last one or another index of that range, make all comparisons i >= j
/// among its factors true.
bool Arena::holds_somewhere(const Monomial& m) const {
  std::vector<Index> comparisons;
  std::vector<Symbol> others;
  for (const Factor& f : m.factors) {
    if (atom(f.atom).kind != AtomKind::at_least) continue;
    comparisons.push_back(atom(f.atom).indices[0]);
    others.insert(others.end(), free_variables(f.atom).begin(), free_variables(f.atom).end());
  }
  if (comparisons.empty() || m.variables.size() > 3) return false;
  const std::function<bool(std::size_t, const std::vector<Index>&)> choose = [&](std::size_t k, const std::vector<Index>& left) {
    if (k == m.variables.size()) return std::all_of(left.begin(), left.end(), [&](const Index& e) { return nonnegative(e); });
    const Symbol v = m.variables[k];
    std::vector<Index> values{0, symbol(v).range - Index(1)};
    for (const Symbol w : others) {
      if (symbol(w).range == symbol(v).range && std::find(m.variables.begin(), m.variables.end(), w) == m.variables.end()) values.push_back(Index::symbol(w));
    }
    return std::any_of(values.begin(), values.end(), [&](const Index& value) {
      std::vector<Index> next;
      for (const Index& e : left) next.push_back(e.substitute([&](Symbol s) { return s == v ? value : Index::symbol(s); }));
      return choose(k + 1, next);
    });
  };
  return choose(0, comparisons);
}

/// A sum of positive terms over at least one value is positive. Fractional powers are of bases that are not negative where the
/// claim is defined.
bool Arena::monomial_sign(const Monomial& m, bool strict) const {
  if (m.coefficient.sign() <= 0) return false;
  if (strict && !std::all_of(m.variables.begin(), m.variables.end(), [&](Symbol v) { return positive(symbol(v).range); })) return false;
  const bool reached = strict && holds_somewhere(m);
  return std::all_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) {
    if (is_positive(f.atom) || (reached && atom(f.atom).kind == AtomKind::at_least && f.exponent.sign() > 0)) return true;
    const Atom& a = atom(f.atom);
    const bool nonzero = a.kind == AtomKind::entry && tensor(a.name).nonzero;
    if (f.exponent.is_integer() && f.exponent.num() % 2 == 0 && (!strict || nonzero)) return true;
    return !strict && (!f.exponent.is_integer() || is_nonnegative(f.atom));
  });
}

/// p where a comparison or a mask that is a factor of its terms is 0, and where it is 1.
std::optional<std::pair<Poly, Poly>> Arena::either_way(const Poly& p) const {
  for (const Monomial& m : p) {
    const auto mask = std::find_if(m.factors.begin(), m.factors.end(), [&](const Factor& f) { return m.coefficient.sign() < 0 && zero_one(f.atom) && f.exponent.is_one(); });
    if (mask == m.factors.end() || binds(m, mask->atom)) continue;
    Poly zero, one;
    for (Monomial t : p) {
      const bool bound = binds(t, mask->atom);
      const auto at = bound ? t.factors.end() : std::find_if(t.factors.begin(), t.factors.end(), [&](const Factor& f) { return f.atom == mask->atom; });
      if (at == t.factors.end()) zero.push_back(t);
      if (at != t.factors.end()) t.factors.erase(at);
      one.push_back(std::move(t));
    }
    return std::pair{collect(std::move(zero)), collect(std::move(one))};
  }
  return std::nullopt;
}

/// a + b/(1 + x) for x >= 0 lies between a and a + b.
bool Arena::lies_between(const Poly& p, bool strict) const {
  const auto is_constant = [](const Monomial& m) { return m.factors.empty() && m.variables.empty(); };
  if (p.size() != 2 || is_constant(p[0]) == is_constant(p[1])) return false;
  const Monomial& varying = p[is_constant(p[0]) ? 1 : 0];
  const Rational a = p[is_constant(p[0]) ? 0 : 1].coefficient, b = varying.coefficient;
  if (!varying.variables.empty() || varying.factors.size() != 1 || varying.factors[0].exponent.sign() >= 0) return false;
  const Atom& base = atom(varying.factors[0].atom);
  const bool positive = strict ? a.sign() > 0 && (a + b).sign() > 0 : a.sign() >= 0 && (a + b).sign() >= 0;
  return positive && base.kind == AtomKind::base && is_nonnegative(add(poly(base.body), constant(-1)));
}

bool Arena::is_nonnegative(const Poly& p, int masks) const { return has_sign(p, false, masks); }
bool Arena::is_positive(const Poly& p, int masks) const { return has_sign(p, true, masks); }
bool Arena::has_sign(const Poly& p, bool strict, int masks) const {
  int tries = 400;
  return has_sign(p, strict, masks, tries);
}

/// p with one exp(x), x >= 0, replaced by 1, where it is added, or exp(-x), where it is taken off: no larger.
std::optional<Poly> Arena::without_growth(const Poly& p) const {
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Monomial& m = p[k];
    const int sign = m.coefficient.sign();
    const auto grown = std::find_if(m.factors.begin(), m.factors.end(), [&](const Factor& f) {
      return is_function(atom(f.atom), Function::exp) && f.exponent.sign() == sign && is_nonnegative(poly(atom(f.atom).body));
    });
    Monomial size = m;
    if (sign < 0) size.coefficient = -size.coefficient;
    if (grown == m.factors.end() || !monomial_sign(size, false)) continue;
    Poly less = p;
    less[k].factors.erase(less[k].factors.begin() + (grown - m.factors.begin()));
    return collect(std::move(less));
  }
  return std::nullopt;
}

/// p >= the same with some |q| replaced by q or by -q, because |q| >= q and |q| >= -q. At most so many sums are tried in all.
bool Arena::has_sign(const Poly& p, bool strict, int masks, int& tries) const {
  if (--tries < 0) return false;
  terms_asked += p.size();
  const auto has = [&](bool positive) { return [this, positive](const Monomial& m) { return monomial_sign(m, positive); }; };
  if (std::all_of(p.begin(), p.end(), has(false)) && (!strict || std::any_of(p.begin(), p.end(), has(true)))) return true;
  if (lies_between(p, strict)) return true;
  if (const auto sizes = as_sizes(*this, p)) return strict ? positive(*sizes) : nonnegative(*sizes);
  const auto has_it = [&](const std::optional<Poly>& less) { return less && has_sign(*less, strict, masks, tries); };
  if (has_it(without_growth(p)) || has_it(with_least_numbers(p))) return true;
  if (const auto cases = masks > 0 ? either_way(p) : std::nullopt) return has_sign(cases->first, strict, masks - 1, tries) && has_sign(cases->second, strict, masks - 1, tries);
  for (const Monomial& m : p) {
    for (std::size_t f = 0; f < m.factors.size() && m.variables.empty() && tries > 0; ++f) {
      const Atom& a = atom(m.factors[f].atom);
      const bool magnitude = is_function(a, Function::abs) && m.factors[f].exponent.is_one();
      if (!magnitude || !monomial_sign(m, false)) continue;
      Monomial rest = m;
      rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(f));
      for (const int sign : {1, -1}) {
        Poly less = p;
        less.push_back(m);
        less.back().coefficient = -m.coefficient;
        for (Monomial t : poly(a.body)) {
          if (!t.variables.empty() && !rest.factors.empty()) return false;  // names of bound variables might not agree
          t.coefficient = t.coefficient * rest.coefficient * Rational(sign);
          for (const Factor& x : rest.factors) multiply_in(t, x.atom, x.exponent);
          less.push_back(std::move(t));
        }
        less = collect(std::move(less));
        if (less.size() < p.size() && has_sign(less, strict, masks, tries)) return true;
      }
    }
  }
  return false;
}

bool Arena::has_value(AtomId id) const {
  const Atom& a = atom(id);
  switch (a.kind) {
    case AtomKind::entry:
    case AtomKind::size:
    case AtomKind::equal:
    case AtomKind::at_least: return true;
    case AtomKind::base:
    case AtomKind::determinant:
    case AtomKind::left_factor:
    case AtomKind::right_factor: return has_value(poly(a.body));
    case AtomKind::maximum: return positive(symbol(a.variables[0]).range) && (has_value(poly(a.body)) || is_number_somewhere(a));
    case AtomKind::apply: {
      const auto f = static_cast<Function>(a.name);
      return f != Function::negative_infinity_unless && has_value(poly(a.body)) && (f != Function::log || is_positive(poly(a.body)));
    }
    case AtomKind::inverse: return false;
  }
  return false;
}

/// Whether what the maximum is taken of is a number at some value of its variable, and a number or minus infinity at all others.
bool Arena::is_number_somewhere(const Atom& maximum) const {
  Poly rest = poly(maximum.body);
  const auto at = std::find_if(rest.begin(), rest.end(), [&](const Monomial& t) { return t.coefficient.sign() > 0 && minus_infinity(t) != nullptr; });
  if (at == rest.end()) return false;
  const Poly mask = poly(atom(minus_infinity(*at)->atom).body);
  rest.erase(at);
  const auto compares = [&](const Factor& f) { return atom(f.atom).kind == AtomKind::at_least && f.exponent.is_one(); };
  const bool compared = mask.size() == 1 && mask[0].variables.empty() && mask[0].coefficient.is_one() && std::all_of(mask[0].factors.begin(), mask[0].factors.end(), compares);
  return compared && has_value(rest) && holds_somewhere({{maximum.variables[0]}, mask[0].factors, 1});
}

bool Arena::is_nonzero(AtomId id) const {
  const Atom& a = atom(id);
  if (a.kind == AtomKind::entry) return tensor(a.name).nonzero || tensor(a.name).positive;
  const bool product = a.kind == AtomKind::base && poly(a.body).size() == 1 && poly(a.body)[0].variables.empty();
  return is_positive(id) || (product && std::all_of(poly(a.body)[0].factors.begin(), poly(a.body)[0].factors.end(), [&](const Factor& x) { return is_nonzero(x.atom); }));
}

bool Arena::has_value(const Factor& f) const {
  const bool whole = f.exponent.is_integer();
  const bool power = f.exponent.sign() > 0 ? whole || is_nonnegative(f.atom) : is_positive(f.atom) || (whole && is_nonzero(f.atom));
  return power && has_value(f.atom);
}

bool Arena::has_value(const Poly& p) const {
  return std::all_of(p.begin(), p.end(), [&](const Monomial& m) { return std::all_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) { return has_value(f); }); });
}

Poly Arena::clamped(const Poly& p, const Index& e) {
  Poly r;
  for (const Monomial& m : p) {
    Monomial at_ends{m.variables, {}, m.coefficient};
    for (const Factor& f : m.factors) {
      Atom a = atom(f.atom);
      if (a.body >= 0) a.body = intern(clamped(Poly(poly(a.body)), e));
      if (a.kind == AtomKind::at_least && f.exponent.sign() > 0 && nonnegative(a.indices[0] - e)) continue;
      const bool unmasked = is_function(a, Function::negative_infinity_unless) && poly(a.body) == constant(1);
      if (unmasked && m.factors.size() == 1 && f.exponent.is_one()) at_ends.coefficient = 0;
      const bool one_hot = a.kind == AtomKind::entry && (tensor(a.name).row_one_hot || tensor(a.name).column_one_hot);
      for (std::size_t k = 0; k < a.indices.size() && a.kind == AtomKind::entry && !one_hot; ++k) {
        const Index last = tensor(a.name).shape[k] - Index(1);
        if (nonnegative(a.indices[k] - last - Index(1) - e)) a.indices[k] = last;
        if (nonnegative(-a.indices[k] - Index(1) - e)) a.indices[k] = 0;
      }
      multiply_in(at_ends, intern(std::move(a)), f.exponent);
    }
    r.push_back(std::move(at_ends));
  }
  return collect(std::move(r));
}

bool Arena::repeats(const Poly& p, const Index& e) {
  std::vector<Symbol> variables;
  add_variables(e, variables);
  return std::any_of(variables.begin(), variables.end(), [&](Symbol v) {
    const Index rest = substitute(e, {{v, 0}}), slope = substitute(e, {{v, 1}}) - rest;
    const bool linear = (slope == Index(1) || slope == Index(-1)) && rest + slope * Index::symbol(v) == e;
    const Index place = slope * (-rest - Index(1));
    if (!linear || !nonnegative(place) || !positive(symbol(v).range - place)) return false;
    return clamped(p, e) == clamped(substitute(p, {{v, place}}), 0);
  });
}

bool Arena::has_value_beyond(const Poly& p, const Index& e, bool some) {
  std::vector<Symbol> variables;
  add_variables(e, variables);
  const bool empty = !some || mentions_rank(e) || std::any_of(variables.begin(), variables.end(), [&](Symbol v) { return mentions_rank(symbol(v).range); });
  const auto any_entry = [&](const Factor& f) {
    Atom a = atom(f.atom);
    if (a.kind != AtomKind::inverse || !f.exponent.is_one()) return f.atom;
    a.indices = {Index(0), Index(0)};  // beyond its end the entries of an inverse count as 0
    return intern(std::move(a));
  };
  const auto stays = [&](const Factor& f) { return !empty && std::none_of(variables.begin(), variables.end(), [&, a = any_entry(f)](Symbol v) { return mentions(a, v); }); };
  const auto inside = [&](const Factor& f) {  // these have a value wherever what they are of has one
    const Atom& a = atom(f.atom);
    const bool total = is_function(a, Function::exp) || ((is_function(a, Function::abs) || is_function(a, Function::sin) || is_function(a, Function::cos) || is_function(a, Function::normal_cdf)) && f.exponent.is_integer() && f.exponent.sign() > 0);
    return total && has_value_beyond(Poly(poly(a.body)), e, some);
  };
  return std::all_of(p.begin(), p.end(), [&](const Monomial& m) {  // what does not vary with the place stands in a part that has some entry, too
    return std::all_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) { return has_value(f) || stays(f) || inside(f) || has_value(clamped(of(f.atom, f.exponent), e)) || (some && repeats(of(f.atom, f.exponent), e)); });
  });
}

Poly Arena::primitive(const Poly& p) const {
  if (p.empty()) return p;
  Poly r = p;
  for (const Factor& x : p[0].factors) {
    if (!is_positive(x.atom)) continue;
    Rational least = x.exponent;
    bool common = true;
    for (const Monomial& m : p) {
      const auto at = std::find_if(m.factors.begin(), m.factors.end(), [&](const Factor& f) { return f.atom == x.atom; });
      common = common && at != m.factors.end() && !binds(m, x.atom);
      if (at != m.factors.end() && at->exponent < least) least = at->exponent;
    }
    if (!common) continue;
    for (Monomial& m : r) take_out(m, x.atom, least);
  }
  return collect(std::move(r));
}

bool Arena::is_possible(AtomId x, bool x_holds, AtomId y, bool y_holds) const {
  const Atom &a = atom(x), &b = atom(y);
  if (a.kind == AtomKind::equal && b.kind == AtomKind::equal && x_holds && y_holds) {
    const auto differ = [&](const Index& other) { return positive(a.indices[0] - other) || positive(other - a.indices[0]); };
    return !differ(b.indices[0]) && !differ(-b.indices[0]);
  }
  if (b.kind != AtomKind::at_least) return a.kind != AtomKind::at_least || is_possible(y, y_holds, x, x_holds);
  const Index e = b.indices[0], reached = y_holds ? -e - Index(1) : e;  // never negative where y is otherwise
  const auto contradicts = [&](const Index& known) { return nonnegative(reached - known); };  // known >= 0
  if (a.kind == AtomKind::at_least) return !contradicts(x_holds ? a.indices[0] : -a.indices[0] - Index(1));
  return a.kind != AtomKind::equal || !x_holds || (!contradicts(a.indices[0]) && !contradicts(-a.indices[0]));
}

bool Arena::is_zero_one(const Poly& p) const {
  std::vector<AtomId> bits;
  for (const Monomial& m : p) {
    if (!m.variables.empty()) return false;
    for (const Factor& f : m.factors) {
      if (!f.exponent.is_one() || !zero_one(f.atom)) return false;
      if (std::find(bits.begin(), bits.end(), f.atom) == bits.end()) bits.push_back(f.atom);
    }
  }
  if (bits.size() > 8) return false;
  for (std::size_t values = 0; values < std::size_t{1} << bits.size(); ++values) {
    const auto holds = [&](std::size_t k) { return ((values >> k) & 1) != 0; };
    bool possible = true;
    for (std::size_t k = 0; k < bits.size(); ++k) {
      for (std::size_t l = 0; l < k; ++l) possible = possible && is_possible(bits[k], holds(k), bits[l], holds(l));
    }
    Rational sum;
    for (const Monomial& m : p) {
      const bool counts = std::all_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) { return holds(static_cast<std::size_t>(std::find(bits.begin(), bits.end(), f.atom) - bits.begin())); });
      if (counts) sum = sum + m.coefficient;
    }
    if (possible && !sum.is_zero() && !sum.is_one()) return false;
  }
  return true;
}

}  // namespace foldproof::kernel
