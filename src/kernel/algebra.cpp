// SPDX-License-Identifier: MIT
#include "kernel/algebra.hpp"

#include <algorithm>

namespace foldproof::kernel {

using expr::Function;

bool alike(const Monomial& a, const Monomial& b) { return a.variables == b.variables && a.factors == b.factors; }
bool operator==(const Monomial& a, const Monomial& b) { return alike(a, b) && a.coefficient == b.coefficient; }
bool operator<(const Monomial& a, const Monomial& b) {
  if (auto c = a.variables <=> b.variables; c != 0) return c < 0;
  if (auto c = a.factors <=> b.factors; c != 0) return c < 0;
  return a.coefficient < b.coefficient;
}

// ---- symbols ----

Symbol Arena::dimension(const std::string& name) {
  const auto [at, inserted] = dimensions_.emplace(name, static_cast<Symbol>(symbols_.size()));
  if (inserted) symbols_.push_back({.kind = SymbolKind::dimension, .name = name, .range = {}, .numerator = {}, .denominator = {}, .least = expr::is_rank(name) ? 0 : 1});
  return at->second;
}

Symbol Arena::fresh(const Index& range) {
  std::vector<Symbol> indices;
  add_variables(range, indices);
  if (!indices.empty()) throw Reject("a range varies with an index");
  symbols_.push_back({.kind = SymbolKind::variable, .name = {}, .range = range, .numerator = {}, .denominator = {}});
  return static_cast<Symbol>(symbols_.size() - 1);
}

Index Arena::largest(Index e) const {
  const auto divided = [&]() -> std::optional<Symbol> {
    for (const auto& summand : e.summands()) {
      for (const Symbol s : summand.product) {
        if (symbol(s).kind == SymbolKind::quotient || symbol(s).kind == SymbolKind::remainder) return s;
      }
    }
    return std::nullopt;
  };
  const auto last = [&](const SymbolInfo& info) {
    if (info.kind == SymbolKind::variable) return info.range - Index(1);
    if (info.kind == SymbolKind::remainder) return info.denominator - Index(1);
    const auto [q, r] = divide(largest(info.numerator), info.denominator);
    if (!nonnegative(r) || !positive(info.denominator - r)) throw Reject("a length with a quotient whose largest value is not known");
    return q;
  };
  for (;;) {
    std::vector<Symbol> indices;
    add_variables(e, indices);
    const auto next = divided();  // quotients before the variables in them
    if (indices.empty() && !next) return e;
    const Symbol s = next ? *next : indices.front();
    if (next && !positive(symbol(s).denominator)) throw Reject("a length with a divisor that may not be positive");
    const auto [low, slope] = e.linear_in(s);
    const bool linear = e == low + slope * Index::symbol(s) && !mentions(slope, s) && (!next ? !mentions(low, s) : nonnegative(symbol(s).numerator));
    const bool grows = linear && nonnegative(slope);
    if (!grows && !(linear && nonnegative(-slope))) throw Reject("a length that neither grows nor falls with its index");
    e = grows ? low + slope * last(symbol(s)) : Index(low);
  }
}

Symbol Arena::canonical(int height, int position, const Index& range) {
  const auto [at, inserted] = canonical_.emplace(std::pair{std::pair{height, position}, range}, static_cast<Symbol>(symbols_.size()));
  if (inserted) symbols_.push_back({.kind = SymbolKind::variable, .name = {}, .range = range, .height = height, .position = position, .numerator = {}, .denominator = {}});
  return at->second;
}

Index Arena::index(const expr::Dim& d, const std::map<std::string, Index>& bound) {
  Index sum;
  for (const auto& summand : d.summands()) {
    Index product(summand.coefficient);
    for (const auto& s : summand.product) {
      if (s.division) {
        const Index a = index(s.division->numerator, bound), b = index(s.division->denominator, bound);
        product = product * (s.division->remainder ? remainder(a, b) : quotient(a, b));
      } else {
        const auto at = bound.find(s.name);
        product = product * (at != bound.end() ? at->second : Index::symbol(dimension(s.name)));
      }
    }
    sum = sum + product;
  }
  return sum;
}

Index whole_part(const Index& a, const Index& b) {
  Index q;
  if (b.is_zero()) return q;
  const Index lead = Index::of(b.summands().front());
  for (const auto& summand : a.summands()) {
    const auto part = Index::of(summand).divide(lead);
    const auto rest = part ? a - (q + *part) * b : a;
    if (part && rest.summands().size() + b.summands().size() == (a - q * b).summands().size()) q = q + *part;  // i*k + i*k*p by k + k*p
  }
  return q;
}

/// q and a - q b, which lies within 0 .. b-1 when that can be shown: (h k - k + i) // k is h - 1 for i < k.
std::pair<Index, Index> Arena::divide(const Index& a, const Index& b) const {
  if (const auto x = a.constant(), y = b.constant(); x && y && *x >= 0 && *y > 0) return {*x / *y, *x % *y};
  const Index whole = whole_part(a, b);
  for (const int shift : {0, -1}) {
    const Index q = whole + Index(shift), r = a - q * b;
    if (nonnegative(r) && nonnegative(b - Index(1) - r)) return {q, r};
  }
  return {whole, a - whole * b};
}

Index Arena::rejoined(Index e) const {
  const auto one = [&](const Index& from) -> std::optional<Index> {
    for (const auto& summand : from.summands()) {
      for (const Symbol s : summand.product) {
        if (symbol(s).kind != SymbolKind::remainder) continue;
        const auto whole = divisions_.find({{symbol(s).numerator, symbol(s).denominator}, false});
        if (whole == divisions_.end()) continue;
        const auto [low, slope] = from.linear_in(s);
        const Index joined = low + slope * (symbol(s).numerator - symbol(s).denominator * Index::symbol(whole->second));
        const bool linear = from == low + slope * Index::symbol(s) && !mentions(slope, s);
        if (linear && !mentions(joined, whole->second)) return joined;
      }
    }
    return std::nullopt;
  };
  while (auto joined = one(e)) e = std::move(*joined);
  return e;
}

Index Arena::quotient(const Index& whole, const Index& b) {
  if (b.is_one()) return whole;
  const Index a = rejoined(whole);
  if (const auto s = a.as_symbol(); s && symbol(*s).kind == SymbolKind::quotient && symbol(*s).denominator.constant().value_or(0) > 0 && b.constant().value_or(0) > 0) {
    return quotient(Index(symbol(*s).numerator), symbol(*s).denominator * b);  // n // 2 // 2 is n // 4; the head of a head, i // k // g, is more use as it is
  }
  const auto [q, r] = divide(a, b);
  if (nonnegative(r) && nonnegative(b - Index(1) - r)) return q;
  const auto [at, inserted] = divisions_.emplace(std::pair{std::pair{r, b}, false}, static_cast<Symbol>(symbols_.size()));
  if (inserted) symbols_.push_back({.kind = SymbolKind::quotient, .name = {}, .range = {}, .numerator = r, .denominator = b});
  return q + Index::symbol(at->second);
}

Index Arena::remainder(const Index& a, const Index& b) {
  if (b.is_one()) return 0;
  const Index r = divide(rejoined(a), b).second;
  if (nonnegative(r) && nonnegative(b - Index(1) - r)) return r;
  const auto [at, inserted] = divisions_.emplace(std::pair{std::pair{r, b}, true}, static_cast<Symbol>(symbols_.size()));
  if (inserted) symbols_.push_back({.kind = SymbolKind::remainder, .name = {}, .range = {}, .numerator = r, .denominator = b});
  return Index::symbol(at->second);
}

// ---- tensors, atoms, polynomials ----

int Arena::tensor(const Tensor& t) {
  tensors_.push_back(t);
  return static_cast<int>(tensors_.size() - 1);
}

AtomId Arena::intern(Atom value) {
  ++looked_up;
  const auto [id, inserted] = atoms_.intern(std::move(value));
  if (inserted) {
    const Atom& a = atoms_[id];
    AtomFacts facts;
    facts.infinite = is_function(a, Function::negative_infinity_unless);
    if (a.body >= 0) {
      for (const Monomial& m : poly(a.body)) {
        facts.height = std::max(facts.height, height(m));
        for (const Factor& f : m.factors) facts.infinite = facts.infinite || is_infinite(f.atom);
      }
      if (!a.variables.empty()) ++facts.height;
    }
    facts.unbounded = facts.infinite && may_be_infinite(a);
    facts.variables = find_free_variables(a);
    atom_facts_.push_back(std::move(facts));
  }
  return id;
}

PolyId Arena::intern(Poly p) { return polys_.intern(std::move(p)).first; }

bool Arena::zero_one(AtomId id) const {
  const Atom& a = atom(id);
  return is_comparison(a.kind) || (a.kind == AtomKind::entry && tensor(a.name).zero_one);
}

int Arena::height(AtomId a) const { return atom_facts_[static_cast<std::size_t>(a)].height; }

int Arena::height(const Monomial& m) const {
  int h = 0;
  for (const Factor& f : m.factors) h = std::max(h, height(f.atom));
  return h + 1;
}

bool Arena::mentions(const Index& e, Symbol v) const {
  for (const auto& summand : e.summands()) {
    for (const Symbol s : summand.product) {
      if (s == v) return true;
      const SymbolInfo& info = symbol(s);
      if (info.kind >= SymbolKind::quotient && (mentions(info.numerator, v) || mentions(info.denominator, v))) return true;
    }
  }
  return false;
}

bool Arena::mentions_rank(const Index& e) const {
  const auto is_rank = [&](Symbol s) { return symbol(s).kind == SymbolKind::dimension && symbol(s).least == 0; };
  return std::any_of(e.summands().begin(), e.summands().end(), [&](const auto& m) { return std::any_of(m.product.begin(), m.product.end(), is_rank); });
}

bool Arena::leaves_out() const {
  const auto may_be_zero = [](const SymbolInfo& s) { return s.kind == SymbolKind::dimension && s.least == 0; };
  if (std::any_of(symbols_.begin(), symbols_.end(), may_be_zero)) return true;
  bool any = false;
  for (AtomId a = 0; a < static_cast<AtomId>(atoms_.size()); ++a) any = any || zero_one(a);
  return any;
}

void Arena::add_variables(const Index& e, std::vector<Symbol>& found) const {
  for (const auto& summand : e.summands()) {
    for (const Symbol s : summand.product) {
      const SymbolInfo& info = symbol(s);
      if (info.kind == SymbolKind::variable) found.push_back(s);
      if (info.kind < SymbolKind::quotient) continue;
      add_variables(info.numerator, found);
      add_variables(info.denominator, found);
    }
  }
}

std::vector<Symbol> Arena::find_free_variables(const Atom& a) const {
  std::vector<Symbol> found;
  if (a.body >= 0) {
    for (const Monomial& m : poly(a.body)) {
      for (const Factor& f : m.factors) {
        for (const Symbol v : free_variables(f.atom)) {
          if (!std::binary_search(m.variables.begin(), m.variables.end(), v)) found.push_back(v);
        }
      }
    }
    for (const Symbol v : a.variables) std::erase(found, v);  // binders bind in the body only
  }
  for (const Index& e : a.indices) add_variables(e, found);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool Arena::mentions(AtomId a, Symbol v) const { return std::binary_search(free_variables(a).begin(), free_variables(a).end(), v); }

bool Arena::mentions(const Monomial& m, Symbol v) const {
  return std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) { return mentions(f.atom, v); });
}

// ---- arithmetic ----

Poly Arena::constant(const Rational& q) const { return q.is_zero() ? Poly{} : Poly{Monomial{{}, {}, q}}; }

Poly Arena::of(AtomId a, const Rational& exponent) { return {Monomial{{}, {{a, exponent}}, 1}}; }

Poly Arena::number(const Index& e) {
  Poly p;
  for (const auto& summand : e.summands()) {
    Monomial m;
    m.coefficient = summand.coefficient;
    for (const Symbol s : summand.product) multiply_in(m, intern(Atom{AtomKind::size, 0, {Index::symbol(s)}, {}, -1}), 1);
    p.push_back(std::move(m));
  }
  return collect(std::move(p));
}

Poly Arena::collect(Poly p) const {
  std::sort(p.begin(), p.end());
  Poly r;
  for (Monomial& m : p) {
    if (!r.empty() && alike(r.back(), m)) {
      r.back().coefficient = r.back().coefficient + m.coefficient;
      if (r.back().coefficient.is_zero()) r.pop_back();
    } else if (!m.coefficient.is_zero()) {
      r.push_back(std::move(m));
    }
  }
  return r;
}

Poly Arena::add(const Poly& a, const Poly& b) const {
  Poly r = a;
  r.insert(r.end(), b.begin(), b.end());
  if (r.size() > limit) throw expr::LimitReached("more than " + std::to_string(limit) + " monomials");
  return collect(std::move(r));
}

Poly Arena::scale(Poly a, const Rational& q) const {
  if (q.is_zero()) return {};
  for (Monomial& m : a) m.coefficient = m.coefficient * q;
  return a;
}

void Arena::multiply_in(Monomial& m, AtomId a, const Rational& exponent) const {
  const auto at = std::lower_bound(m.factors.begin(), m.factors.end(), a, [](const Factor& f, AtomId id) { return f.atom < id; });
  if (at == m.factors.end() || at->atom != a) {
    if (!exponent.is_zero()) m.factors.insert(at, {a, exponent});
    return;
  }
  // x^a x^b = x^(a+b) holds wherever both are defined. 0/1 atoms are their own squares, and p/p is p where it is left out if p is 0.
  if (zero_one(a)) at->exponent = at->exponent.sign() > 0 || exponent.sign() > 0 ? 1 : -1;
  else at->exponent = at->exponent + exponent;
  if (at->exponent.is_zero()) m.factors.erase(at);
}

void Arena::take_out(Monomial& m, AtomId a, const Rational& exponent) const {
  const auto at = std::find_if(m.factors.begin(), m.factors.end(), [&](const Factor& f) { return f.atom == a; });
  if (at == m.factors.end()) return multiply_in(m, a, -exponent);
  at->exponent = at->exponent - exponent;
  if (at->exponent.is_zero()) m.factors.erase(at);
}

Poly Arena::multiply(const Poly& a, const Poly& b) {
  if (a.size() * b.size() > limit) throw expr::LimitReached("more than " + std::to_string(limit) + " monomials");
  std::vector<Symbol> bound_a, bound_b;
  for (const Monomial& m : a) bound_a.insert(bound_a.end(), m.variables.begin(), m.variables.end());
  for (const Monomial& m : b) bound_b.insert(bound_b.end(), m.variables.begin(), m.variables.end());
  std::sort(bound_a.begin(), bound_a.end());
  const bool clash = std::any_of(bound_b.begin(), bound_b.end(), [&](Symbol v) { return std::binary_search(bound_a.begin(), bound_a.end(), v); });
  const Poly renamed = clash ? freshen(b) : Poly();
  Poly r;
  for (const Monomial& x : a) {
    for (const Monomial& y : clash ? renamed : b) {
      Monomial m;
      m.coefficient = x.coefficient * y.coefficient;
      std::merge(x.variables.begin(), x.variables.end(), y.variables.begin(), y.variables.end(), std::back_inserter(m.variables));
      m.factors = x.factors;
      for (const Factor& f : y.factors) multiply_in(m, f.atom, f.exponent);
      r.push_back(std::move(m));
    }
  }
  return collect(std::move(r));
}

Poly Arena::power(const Poly& a, const Rational& q) {
  if (q.is_integer() && q.sign() >= 0 && q.num() <= 64) {
    const Poly own = q.num() > 1 ? with_own_names(a) : a;  // none of its sums binds what another part has from outside
    Poly r = q.is_zero() ? constant(1) : own;
    for (std::int64_t k = 1; k < q.num(); ++k) r = multiply(r, own);
    return r;
  }
  return of(intern(Atom{AtomKind::base, 0, {}, {}, intern(a)}), q);
}

Poly Arena::apply(Function f, const Poly& a, const Rational& q) { return of(intern(Atom{AtomKind::apply, static_cast<int>(f), {}, {}, intern(a)}), q); }

std::optional<AtomId> Arena::sole_atom(const Poly& p) const {
  const bool sole = p.size() == 1 && p[0].variables.empty() && p[0].coefficient.is_one() && p[0].factors.size() == 1 && p[0].factors[0].exponent.is_one();
  return sole ? std::optional(p[0].factors[0].atom) : std::nullopt;
}

Poly Arena::equal(const Index& e) {
  if (e.is_zero()) return constant(1);
  return of(intern(Atom{AtomKind::equal, 0, {e.summands().front().coefficient < 0 ? -e : e}, {}, -1}));
}
Poly Arena::at_least(const Index& e) { return of(intern(Atom{AtomKind::at_least, 0, {e}, {}, -1})); }

Poly Arena::sum(Symbol v, Poly a) const {
  for (Monomial& m : a) m.variables.insert(std::lower_bound(m.variables.begin(), m.variables.end(), v), v);
  return collect(std::move(a));
}

// ---- substitution ----

Index Arena::substitute(const Index& e, const Substitution& s) {
  return e.substitute([&](Symbol x) {
    if (const auto at = s.find(x); at != s.end()) return at->second;
    if (symbol(x).kind != SymbolKind::quotient && symbol(x).kind != SymbolKind::remainder) return Index::symbol(x);
    const SymbolInfo info = symbol(x);  // a copy: new symbols may move the table
    const Index a = substitute(info.numerator, s);
    const Index b = substitute(info.denominator, s);
    return info.kind == SymbolKind::quotient ? quotient(a, b) : remainder(a, b);
  });
}

AtomId Arena::substitute(AtomId id, const Substitution& s) {
  const std::vector<Symbol>& free = free_variables(id);
  if (std::none_of(free.begin(), free.end(), [&](Symbol v) { return s.count(v) > 0; })) return id;
  Atom a = atom(id);
  for (Index& e : a.indices) e = substitute(e, s);
  if (a.kind == AtomKind::equal && !a.indices[0].is_zero() && a.indices[0].summands().front().coefficient < 0) a.indices[0] = -a.indices[0];
  if (a.body < 0) return intern(std::move(a));
  Substitution relevant;  // what the atom binds is not free in its body, though it may be in its indices
  for (const Symbol v : free_variables(id)) {
    if (const auto at = s.find(v); at != s.end() && std::find(a.variables.begin(), a.variables.end(), v) == a.variables.end()) relevant.insert(*at);
  }
  for (const Symbol v : a.variables) {
    for (const auto& [from, to] : relevant) {
      if (mentions(to, v)) throw Reject("a substitution would capture the variable of a binder");
    }
  }
  a.body = intern(substitute(Poly(poly(a.body)), relevant));
  return intern(std::move(a));
}

Monomial Arena::substitute(const Monomial& m, const Substitution& s) {
  Monomial r;
  r.coefficient = m.coefficient;
  r.variables = m.variables;
  for (const Factor& f : m.factors) multiply_in(r, substitute(f.atom, s), f.exponent);
  return r;
}

Poly Arena::substitute(const Poly& p, const Substitution& s) {
  Poly r;
  for (const Monomial& m : p) {
    for (const Symbol v : m.variables) {  // a name that is bound here must neither be replaced nor captured
      for (const auto& [from, to] : s) {
        if (from == v || mentions(to, v)) throw Reject("a substitution would capture a bound variable");
      }
    }
    r.push_back(substitute(m, s));
  }
  return collect(std::move(r));
}

Poly Arena::freshen(const Poly& p) {
  Poly r;
  for (const Monomial& m : p) {
    Substitution s;
    Monomial::Variables variables;
    for (const Symbol v : m.variables) {
      variables.push_back(fresh(Index(symbol(v).range)));
      s[v] = Index::symbol(variables.back());
    }
    Monomial renamed = s.empty() ? m : substitute(m, s);
    renamed.variables = std::move(variables);
    r.push_back(std::move(renamed));
  }
  return collect(std::move(r));
}

Poly Arena::with_own_names(const Poly& p) {
  const auto named = [&](const Monomial& m) { return std::any_of(m.variables.begin(), m.variables.end(), [&](Symbol v) { return symbol(v).height >= 0; }); };
  return std::any_of(p.begin(), p.end(), named) ? freshen(p) : p;
}

void Arena::rollback(const Mark& mark) {
  while (polys_.size() > mark.polys) polys_.pop_back();
  for (; atoms_.size() > mark.atoms; atom_facts_.pop_back()) atoms_.pop_back();
  const auto newer = [&](const auto& entry) { return entry.second >= static_cast<Symbol>(mark.symbols); };
  if (symbols_.size() == mark.symbols) return;
  std::erase_if(dimensions_, newer);
  std::erase_if(canonical_, newer);
  std::erase_if(divisions_, newer);
  symbols_.resize(mark.symbols, SymbolInfo{.kind = SymbolKind::dimension, .name = {}, .range = {}, .numerator = {}, .denominator = {}});
}

}  // namespace foldproof::kernel
