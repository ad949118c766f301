// SPDX-License-Identifier: MIT
#include "normal/normalize.hpp"

#include <algorithm>
#include <optional>

#include "normal/label.hpp"

namespace foldproof::normal {
namespace {

using expr::Function;
using kernel::Arena;
using kernel::Atom;
using kernel::AtomId;
using kernel::AtomKind;
using kernel::Factor;
using kernel::Index;
using kernel::Law;
using kernel::Monomial;
using kernel::Poly;
using kernel::PolyId;
using kernel::Rational;
using kernel::Script;
using kernel::Step;
using kernel::Symbol;
using kernel::SymbolKind;
using kernel::Theory;

using Args = std::vector<std::int64_t>;

class Normalizer {
 public:
  Normalizer(Theory& theory, Cuts& cuts, Script& script, const Limits& limits) : theory_(theory), arena_(theory.arena), cuts_(cuts), script_(script), limits_(limits) {}

  Poly run(const Poly& p) {
    std::vector<Monomial> stack(p.rbegin(), p.rend());
    Poly done;
    while (!stack.empty()) {
      Monomial m = std::move(stack.back());
      stack.pop_back();
      if (auto results = step(m)) {
        stack.insert(stack.end(), results->rbegin(), results->rend());
        if (stack.size() > arena_.limit) throw expr::LimitReached("more than " + std::to_string(arena_.limit) + " monomials");
      } else {
        done.push_back(keep(m));
      }
    }
    Poly result = arena_.collect(std::move(done));
    normal_.insert(arena_.intern(result));
    return result;
  }

 private:
  using Results = std::optional<std::vector<Monomial>>;

  void record(Step s) {
    script_.push_back(std::move(s));
    if (script_.size() > limits_.steps) throw expr::LimitReached("more than " + std::to_string(limits_.steps) + " steps");
  }
  /// Applies a law that is expected to hold, or finds out that it does not and leaves no trace.
  Results attempt(const Monomial& m, Law law, Args args, const expr::Dim& size = {}) {
    Step s{law, std::move(args), size};
    const auto mark = arena_.mark();
    const std::size_t tensors = arena_.tensor_count();
    try {
      auto results = kernel::apply(theory_, m, s);
      record(std::move(s));
      return results;
    } catch (const kernel::Reject&) {
      expr::invariant(arena_.tensor_count() == tensors, "a rejected step left a tensor behind");
      arena_.rollback(mark);
      shapes_.erase(shapes_.lower_bound(static_cast<AtomId>(mark.atoms)), shapes_.end());
      return std::nullopt;
    }
  }
  static std::int64_t at(std::size_t k) { return static_cast<std::int64_t>(k); }
  const Poly& body(const Atom& a) const { return arena_.poly(a.body); }
  const Atom& atom(const Factor& f) const { return arena_.atom(f.atom); }
  static bool is(const Atom& a, Function f) { return a.kind == AtomKind::apply && a.name == static_cast<int>(f); }

  /// The next step on m, or nothing when m is in normal form.
  Results step(const Monomial& m) {
    if (auto r = bodies(m)) return r;
    if (auto r = comparisons(m)) return r;
    if (auto r = cut(m)) return r;
    if (auto r = functions(m)) return r;
    if (auto r = reciprocals(m)) return r;
    if (auto r = tensors(m)) return r;
    if (auto r = equations(m)) return r;
    for (std::size_t v = 0; v < m.variables.size(); ++v) {
      if (!arena_.mentions(m, m.variables[v])) return attempt(m, Law::count, {at(v)});
    }
    return std::nullopt;
  }

  // ---- bodies ----
  Results bodies(const Monomial& m) {
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      const PolyId id = atom(m.factors[f]).body;
      if (id < 0 || (normal_.count(id) && binder_is_canonical(atom(m.factors[f])))) continue;
      record({Law::enter, {at(f)}, {}});
      const Poly rewritten = run(Poly(arena_.poly(id)));
      record({Law::leave, {}, {}});
      auto results = kernel::replace_body(arena_, m, f, rewritten);
      for (const Monomial& r : results) {  // the binder of a maximum was renamed, which changes the body but not its form
        for (const Factor& x : r.factors) {
          if (!atom(x).variables.empty()) normal_.insert(atom(x).body);
        }
      }
      return results;
    }
    return std::nullopt;
  }

  bool binder_is_canonical(const Atom& a) const {
    int height = 0;
    for (const Monomial& t : body(a)) height = std::max(height, arena_.height(t));
    for (std::size_t k = 0; k < a.variables.size(); ++k) {
      const auto& v = arena_.symbol(a.variables[k]);
      if (v.height != height + 1 || v.position != static_cast<int>(k)) return false;
    }
    return true;
  }

  // ---- comparisons ----
  std::int64_t constant_term(const Index& e) const {
    for (const auto& s : e.summands()) {
      if (s.product.empty()) return s.coefficient;
    }
    return 0;
  }
  Results comparisons(const Monomial& m) {
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      const Atom& a = atom(m.factors[f]);
      if (a.kind == AtomKind::size && !a.indices[0].as_symbol()) return attempt(m, Law::number, {at(f)});
      if (a.kind != AtomKind::equal && a.kind != AtomKind::at_least) continue;
      const Index e = a.indices[0];
      const bool decided = a.kind == AtomKind::equal ? e.is_zero() || arena_.positive(e) || arena_.positive(-e) : arena_.nonnegative(e) || arena_.positive(-e);
      if (decided) {
        if (auto r = attempt(m, Law::decide, {at(f)})) return r;
      }
      if (a.kind == AtomKind::equal) {
        if (auto r = equality(m, f, e)) return r;
      } else if (constant_term(e) < 0) {
        if (auto r = attempt(m, Law::flip, {at(f)})) return r;
      }
      request_cut(e, a.kind == AtomKind::at_least);
    }
    return std::nullopt;
  }
  Results equality(const Monomial& m, std::size_t f, const Index& e) {
    for (std::size_t v = 0; v < m.variables.size(); ++v) {
      if (slope(e, m.variables[v]).constant().value_or(0) == 1 || slope(e, m.variables[v]).constant().value_or(0) == -1) {
        if (auto r = attempt(m, Law::sift, {at(f), at(v)})) return r;
      }
    }
    for (const auto& summand : e.summands()) {  // sizes that stand before a variable, as in a*k + b
      for (const Symbol s : summand.product) {
        if (arena_.symbol(s).kind != SymbolKind::variable) continue;
        const Index k = slope(e, s);
        const Index size = constant_sign(k) < 0 ? -k : k;
        if (size.is_one() || k.is_zero()) continue;
        if (const auto d = as_dim(size)) {
          const Index x = whole(e, size);
          if (!x.is_zero() && x != e) {
            if (auto r = attempt(m, Law::digits, {at(f)}, *d)) return r;
          }
        }
      }
    }
    return std::nullopt;
  }
  Index slope(const Index& e, Symbol v) const {
    const auto value = [&](const Index& x) { return e.substitute([&](Symbol s) { return s == v ? x : Index::symbol(s); }); };
    return value(1) - value(0);
  }
  static int constant_sign(const Index& e) { return !e.is_zero() && e.summands().front().coefficient < 0 ? -1 : 1; }
  static Index whole(const Index& e, const Index& k) {
    Index x;
    for (const auto& summand : e.summands()) {
      Index one(summand.coefficient);
      for (const Symbol s : summand.product) one = one * Index::symbol(s);
      if (const auto part = one.divide(k)) x = x + *part;
    }
    return x;
  }
  /// The size as a Dim, when it mentions dimensions only.
  std::optional<expr::Dim> as_dim(const Index& e) const {
    expr::Dim d;
    for (const auto& summand : e.summands()) {
      expr::Dim one(summand.coefficient);
      for (const Symbol s : summand.product) {
        if (arena_.symbol(s).kind != SymbolKind::dimension) return std::nullopt;
        one = one * expr::dim(arena_.symbol(s).name);
      }
      d = d + one;
    }
    return d;
  }

  // ---- cutting sums ----
  /// (v - c >= 0) and (v - c == 0) ask for the sum over v to be cut at c.
  void request_cut(const Index& e, bool ordering) {
    for (const Symbol v : variables_of(e)) {
      const Index k = slope(e, v);
      const Index rest = e.substitute([&](Symbol s) { return s == v ? Index(0) : Index::symbol(s); });
      if (k == Index(1)) request_split(v, -rest);
      if (k == Index(-1)) request_split(v, ordering ? rest + Index(1) : rest);
      const auto range = arena_.symbol(v).range.constant();
      if (range && *range <= 16) cuts_.unrolled.insert(arena_.symbol(v).range);
    }
  }
  std::vector<Symbol> variables_of(const Index& e) const {
    std::vector<Symbol> r;
    for (const auto& summand : e.summands()) {
      for (const Symbol s : summand.product) {
        const auto& info = arena_.symbol(s);
        if (info.kind == SymbolKind::variable) r.push_back(s);
        if (info.kind == SymbolKind::quotient || info.kind == SymbolKind::remainder) {
          for (const Symbol t : variables_of(info.numerator)) r.push_back(t);
        }
      }
    }
    return r;
  }
  void request_split(Symbol v, const Index& point) {
    const Index& range = arena_.symbol(v).range;
    if (range.constant() || !as_dim(point)) return;
    if (arena_.positive(point) && arena_.positive(range - point)) cuts_.splits[range].insert(point);
  }
  void request_divisions(const Index& e) {
    for (const auto& summand : e.summands()) {
      for (const Symbol s : summand.product) {
        const auto info = arena_.symbol(s);
        if (info.kind != SymbolKind::quotient && info.kind != SymbolKind::remainder) continue;
        request_divisions(info.numerator);
        for (const Symbol v : variables_of(info.numerator)) {
          const Index& range = arena_.symbol(v).range;
          const auto small = range.constant();
          if (small && *small <= 16) {
            cuts_.unrolled.insert(range);
          } else if (slope(info.numerator, v).is_one()) {
            const auto q = range.divide(info.denominator);
            if (q && !q->is_one()) cuts_.pairs.emplace(range, info.denominator);
          }
        }
      }
    }
  }
  /// An entry A[.., c + v, ..] with v over less than the whole axis shows how the axis is cut elsewhere.
  void request_from_entry(const Atom& a) {
    const auto& shape = arena_.tensor(a.name).shape;
    for (std::size_t axis = 0; axis < a.indices.size() && axis < shape.size(); ++axis) {
      const Index& e = a.indices[axis];
      request_divisions(e);
      if (shape[axis].constant()) continue;
      for (const Symbol v : variables_of(e)) {
        const Index k = slope(e, v);
        const Index& range = arena_.symbol(v).range;
        if (k.is_one() && range != shape[axis]) {
          const Index low = e.substitute([&](Symbol s) { return arena_.symbol(s).kind == SymbolKind::variable ? Index(0) : Index::symbol(s); });
          const bool alone = e - Index::symbol(v) == low;
          if (alone) {
            request_axis_split(shape[axis], low);
            request_axis_split(shape[axis], low + range);
          } else if (const auto q = shape[axis].divide(range); q && !q->is_one()) {
            cuts_.pairs.emplace(shape[axis], range);
          }
        }
      }
      if (variables_of(e).empty() && !e.is_zero()) {  // a single row such as A[n-1]
        request_axis_split(shape[axis], e);
        request_axis_split(shape[axis], e + Index(1));
      }
    }
  }
  void request_axis_split(const Index& size, const Index& point) {
    if (as_dim(point) && arena_.positive(point) && arena_.positive(size - point)) cuts_.splits[size].insert(point);
  }

  Results pair(const Monomial& m, std::size_t v, const Index& range) {
    const auto found = cuts_.pairs.find(range);
    const auto d = found == cuts_.pairs.end() ? std::nullopt : as_dim(found->second);
    return d ? attempt(m, Law::pair, {at(v)}, *d) : std::nullopt;
  }
  /// Variables under a quotient or remainder, anywhere in the atom.
  void collect_divided(AtomId id, std::set<Symbol>& found) const {
    const Atom& a = arena_.atom(id);
    for (const Index& e : a.indices) {
      for (const auto& summand : e.summands()) {
        for (const Symbol s : summand.product) {
          const auto kind = arena_.symbol(s).kind;
          if (kind != SymbolKind::quotient && kind != SymbolKind::remainder) continue;
          for (const Symbol v : variables_of(arena_.symbol(s).numerator)) found.insert(v);
        }
      }
    }
    if (a.body < 0) return;
    for (const Monomial& t : body(a)) {
      for (const Factor& f : t.factors) collect_divided(f.atom, found);
    }
  }
  Results cut(const Monomial& m) {
    for (const Factor& f : m.factors) {
      const Atom& a = atom(f);
      if (a.kind == AtomKind::entry) request_from_entry(a);
      for (const Index& e : a.indices) request_divisions(e);
      if (a.kind == AtomKind::size) request_cut(a.indices[0], false);  // a position used as a number
    }
    std::set<Symbol> divisions;
    for (const Factor& f : m.factors) collect_divided(f.atom, divisions);
    for (std::size_t v = 0; v < m.variables.size(); ++v) {
      const Index range = arena_.symbol(m.variables[v]).range;
      if (!arena_.mentions(m, m.variables[v])) continue;  // counted instead
      if (range.is_one()) return attempt(m, Law::unroll, {at(v)});
      const bool divided = divisions.count(m.variables[v]) > 0;
      if (divided) {
        if (auto r = pair(m, v, range)) return r;
      }
      if (const auto at_points = cuts_.splits.find(range); at_points != cuts_.splits.end()) {
        for (const Index& point : at_points->second) {
          if (auto r = attempt(m, Law::split, {at(v)}, *as_dim(point))) return r;
        }
      }
      if (!divided) {
        if (auto r = pair(m, v, range)) return r;
      }
      if (cuts_.unrolled.count(range)) {
        if (auto r = attempt(m, Law::unroll, {at(v)})) return r;
      }
    }
    return std::nullopt;
  }

  // ---- functions and powers ----
  Results functions(const Monomial& m) {
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      const Atom a = atom(m.factors[f]);
      if (a.kind != AtomKind::apply && a.kind != AtomKind::base && a.kind != AtomKind::maximum && a.kind != AtomKind::inverse) continue;
      if (auto r = select(m, f, a)) return r;
      if (a.kind == AtomKind::base) {
        if (auto r = power(m, f, a)) return r;
      } else if (a.kind == AtomKind::maximum) {
        const bool constant = std::any_of(body(a).begin(), body(a).end(), [&](const Monomial& t) { return !arena_.mentions(t, a.variables[0]); });
        if (constant) {
          if (auto r = attempt(m, Law::shift_maximum, {at(f)})) return r;
        }
      } else if (a.kind == AtomKind::inverse) {
        if (auto r = inverse_form(m, f, a)) return r;
      } else if (auto r = function(m, f, a)) {
        return r;
      }
    }
    return std::nullopt;
  }
  /// inv of products, scaled and transposed matrices, taken apart until single matrices are left.
  Results inverse_form(const Monomial& m, std::size_t f, const Atom& a) {
    if (auto r = attempt(m, Law::inverse_diagonal, {at(f)})) return r;
    const Poly p = body(a);
    const Symbol u = a.variables[0], v = a.variables[1];
    if (hash(arena_, p, {{u, 38}, {v, 37}}) < hash(arena_, p, {{u, 37}, {v, 38}})) return attempt(m, Law::inverse_transpose, {at(f)});
    if (p.size() != 1) return std::nullopt;
    if (auto r = attempt(m, Law::inverse_inverse, {at(f)})) return r;
    if (!p[0].coefficient.is_one()) return attempt(m, Law::inverse_scale, {at(f), -1});
    for (std::size_t g = 0; g < p[0].factors.size() && p[0].factors.size() > 1; ++g) {
      if (auto r = attempt(m, Law::inverse_scale, {at(f), at(g)})) return r;
    }
    for (std::size_t k = 0; k < p[0].variables.size(); ++k) {
      Args args{at(f), at(k)};
      for (const std::size_t g : reachable(p[0], u, p[0].variables[k])) args.push_back(at(g));
      if (auto r = attempt(m, Law::inverse_product, args)) return r;
    }
    return std::nullopt;
  }
  /// Factors that hang together with index u when the variable `cut` does not connect.
  std::vector<std::size_t> reachable(const Monomial& t, Symbol u, Symbol cut) const {
    std::set<Symbol> reached{u};
    std::vector<bool> in(t.factors.size(), false);
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t g = 0; g < t.factors.size(); ++g) {
        const bool touches = !in[g] && std::any_of(reached.begin(), reached.end(), [&](Symbol s) { return arena_.mentions(t.factors[g].atom, s); });
        if (!touches) continue;
        in[g] = grown = true;
        for (const Symbol w : t.variables) {
          if (w != cut && arena_.mentions(t.factors[g].atom, w)) reached.insert(w);
        }
      }
    }
    std::vector<std::size_t> r;
    for (std::size_t g = 0; g < in.size(); ++g) {
      if (in[g]) r.push_back(g);
    }
    return r;
  }
  bool is_unit_exponential(const Poly& p) const {
    if (p.size() != 1 || !p[0].coefficient.is_one()) return false;
    if (!p[0].variables.empty() || p[0].factors.size() != 1 || !p[0].factors[0].exponent.is_one()) return true;
    const Atom& inner = atom(p[0].factors[0]);
    return !is(inner, Function::log) && !is(inner, Function::negative_infinity_unless);
  }
  Results function(const Monomial& m, std::size_t f, const Atom& a) {
    const Poly p = body(a);
    switch (static_cast<Function>(a.name)) {
      case Function::exp: return is_unit_exponential(p) ? std::nullopt : attempt(m, Law::exp_sum, {at(f)});
      case Function::log:
        if (auto r = attempt(m, Law::logarithm, {at(f)})) return r;
        return p.size() < 2 ? std::nullopt : attempt(m, Law::content, {at(f)});
      case Function::abs:
        if (auto r = attempt(m, Law::absolute, {at(f)})) return r;
        for (std::size_t s = 0; s < theory_.signs.size(); ++s) {
          if (auto r = attempt(m, Law::signed_body, {at(f), at(s)})) return r;
        }
        return p.size() < 2 && (p.empty() || p[0].variables.empty()) ? std::nullopt : attempt(m, Law::content, {at(f)});
      case Function::normal_cdf: return !p.empty() && leading_sign(p) < 0 ? attempt(m, Law::reflect, {at(f)}) : std::nullopt;
      case Function::sin:
      case Function::cos:
        if (!p.empty() && p.size() == 1 && p[0].coefficient.sign() < 0) return attempt(m, Law::reflect, {at(f)});
        if (auto r = attempt(m, Law::angle, {at(f)})) return r;
        return attempt(m, Law::pythagoras, {at(f)});
      case Function::negative_infinity_unless: return std::nullopt;
    }
    return std::nullopt;
  }
  /// Sign of the term that comes first by structure, so that x and -x agree on which of them is turned.
  int leading_sign(const Poly& p) const { return p[leading_term(p)].coefficient.sign(); }

  /// The term of p that rewriting removes: most factors first, then by structure.
  std::size_t leading_term(const Poly& p) const {
    std::size_t best = 0;
    std::pair<std::size_t, std::uint64_t> best_key{0, 0};
    for (std::size_t k = 0; k < p.size(); ++k) {
      const std::uint64_t structure = hash(arena_, p[k], {});
      const std::uint64_t shuffled = (structure + cuts_.lead_seed) * (2 * cuts_.lead_seed + 1) % 1000003;
      const std::pair<std::size_t, std::uint64_t> key{cuts_.lead_seed == 0 ? p[k].factors.size() + p[k].variables.size() : shuffled, structure};
      if (k == 0 || key > best_key) {
        best = k;
        best_key = key;
      }
    }
    return best;
  }

  Results power(const Monomial& m, std::size_t f, const Atom& a) {
    const Poly p = body(a);
    const Rational q = m.factors[f].exponent;
    if (q >= Rational(1)) return attempt(m, Law::expand, {at(f)});
    if (p.empty()) return std::nullopt;
    if (p.size() == 1 && p[0].variables.empty()) {
      const bool prime = !q.is_integer() && p[0].factors.empty() && q.sign() > 0;  // sqrt(2) stays
      return prime && p[0].coefficient.is_integer() && is_squarefree_prime(p[0].coefficient) ? std::nullopt : attempt(m, Law::distribute, {at(f)});
    }
    if (auto r = attempt(m, Law::content, {at(f)})) return r;
    return std::nullopt;
  }
  /// Sums against their own reciprocals. Whole sums first: rewriting one term of a longer sum could hide them.
  Results reciprocals(const Monomial& m) {
    for (const bool single : {true, false}) {
      for (std::size_t f = 0; f < m.factors.size(); ++f) {
        const Atom a = atom(m.factors[f]);
        if (a.kind != AtomKind::base || m.factors[f].exponent.sign() >= 0 || body(a).empty() || (body(a).size() == 1) != single) continue;
        const Poly p = body(a);
        const std::size_t lead = leading_term(p);
        if (!single) cuts_.lead_was_a_choice = true;
        auto r = use(m, p, lead, {f}, [&](Args positions) {
          Args args{at(f), at(lead)};
          args.insert(args.end(), positions.begin(), positions.end());
          return attempt(m, Law::cancel, args);
        });
        if (r) return r;
      }
    }
    return std::nullopt;
  }
  static bool is_squarefree_prime(const Rational& c) {
    if (c.num() < 2) return false;
    for (std::int64_t p = 2; p * p <= c.num() && p < 100000; ++p) {
      if (c.num() % p == 0) return false;
    }
    return true;
  }

  // ---- equations: reciprocals, assumptions, inverses ----
  /// Offers every pairing of the factors of term `lead` of p with factors of m that may match, until one is taken.
  template <class Take>
  Results use(const Monomial& m, const Poly& p, std::size_t lead, const std::vector<std::size_t>& taken, const Take& take) {
    const Monomial& t = p[lead];
    if (t.factors.size() > m.factors.size()) return std::nullopt;
    Args positions;
    std::vector<bool> used(m.factors.size(), false);
    for (const std::size_t f : taken) used[f] = true;
    int budget = 2000;
    return pair_up(m, t, positions, used, budget, take);
  }
  template <class Take>
  Results pair_up(const Monomial& m, const Monomial& t, Args& positions, std::vector<bool>& used, int& budget, const Take& take) {
    if (--budget < 0) return std::nullopt;
    if (positions.size() == t.factors.size()) return take(positions);
    const Factor& pattern = t.factors[positions.size()];
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      if (used[f] || !may_match(pattern, m.factors[f]) || !consistent(m, t, positions, pattern, f)) continue;
      used[f] = true;
      positions.push_back(at(f));
      if (auto r = pair_up(m, t, positions, used, budget, take)) return r;
      positions.pop_back();
      used[f] = false;
    }
    return std::nullopt;
  }
  /// Hash of an atom with all variables alike.
  std::uint64_t shape_hash(AtomId a) {
    const auto at = shapes_.find(a);
    return at != shapes_.end() ? at->second : shapes_.emplace(a, hash(arena_, a, {})).first->second;
  }
  bool may_match(const Factor& pattern, const Factor& target) {
    const Atom& a = atom(pattern);
    const Atom& b = atom(target);
    if (a.kind != b.kind || a.name != b.name || a.indices.size() != b.indices.size()) return false;
    if (a.body >= 0 && shape_hash(pattern.atom) != shape_hash(target.atom)) return false;
    return pattern.exponent == target.exponent || (pattern.exponent.sign() > 0 && target.exponent > pattern.exponent);
  }
  /// A variable of the pattern must meet the same index everywhere.
  bool consistent(const Monomial& m, const Monomial& t, const Args& positions, const Factor& pattern, std::size_t f) const {
    const Atom& a = atom(pattern);
    const Atom& b = atom(m.factors[f]);
    for (std::size_t i = 0; i < a.indices.size(); ++i) {
      const auto v = a.indices[i].as_symbol();
      if (!v) continue;
      for (std::size_t k = 0; k < positions.size(); ++k) {
        const Atom& x = atom(t.factors[k]);
        const Atom& y = atom(m.factors[static_cast<std::size_t>(positions[k])]);
        for (std::size_t j = 0; j < x.indices.size(); ++j) {
          if (x.indices[j] == a.indices[i] && y.indices[j] != b.indices[i]) return false;
        }
      }
    }
    return true;
  }
  Results equations(const Monomial& m) {
    for (std::size_t a = 0; a < theory_.usable_axioms; ++a) {
      const Poly p = theory_.axioms[a].poly;
      if (p.empty()) continue;
      const std::size_t lead = leading_term(p);
      if (p[lead].factors.empty()) continue;
      auto r = use(m, p, lead, {}, [&](Args positions) {
        Args args{at(a), at(lead)};
        args.insert(args.end(), positions.begin(), positions.end());
        return attempt(m, Law::axiom, args);
      });
      if (r) return r;
    }
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      if (atom(m.factors[f]).kind == AtomKind::inverse) {
        if (auto r = inverse(m, f)) return r;
      }
    }
    return std::nullopt;
  }
  Results inverse(const Monomial& m, std::size_t f) {
    const Poly p = body(atom(m.factors[f]));
    if (p.empty()) return std::nullopt;
    const std::size_t lead = leading_term(p);
    if (p[lead].factors.size() > 3) return std::nullopt;
    return use(m, p, lead, {f}, [&](Args positions) -> Results {
      // The kernel numbers the factors of its equation by atom; every order of the few positions is offered.
      positions.push_back(at(f));
      std::sort(positions.begin(), positions.end());
      do {
        for (std::size_t term = 0; term <= p.size(); ++term) {
          for (const std::int64_t side : {0, 1}) {
            Args args{at(f), at(term), side};
            args.insert(args.end(), positions.begin(), positions.end());
            if (auto r = attempt(m, Law::inverse, args)) return r;
          }
        }
      } while (std::next_permutation(positions.begin(), positions.end()));
      return std::nullopt;
    });
  }

  // ---- tensors of which something is assumed ----
  bool one_hot(const Atom& a) const { return a.kind == AtomKind::entry && (arena_.tensor(a.name).row_one_hot || arena_.tensor(a.name).column_one_hot); }
  Results tensors(const Monomial& m) {
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      if (!one_hot(atom(m.factors[f]))) continue;
      for (std::size_t g = 0; g < m.factors.size(); ++g) {
        if (g == f || atom(m.factors[g]).kind != AtomKind::entry || atom(m.factors[g]).name != atom(m.factors[f]).name) continue;
        if (auto r = attempt(m, Law::one_hot, {at(f), at(g)})) return r;
      }
      for (std::size_t v = 0; v < m.variables.size(); ++v) {
        if (!arena_.mentions(m.factors[f].atom, m.variables[v])) continue;
        if (auto r = attempt(m, Law::one_hot_sum, {at(f), at(v)})) return r;
      }
    }
    return std::nullopt;
  }
  Results select(const Monomial& m, std::size_t f, const Atom& a) {
    if (a.kind != AtomKind::apply && a.kind != AtomKind::base) return std::nullopt;
    if (is(a, Function::exp) && !is_unit_exponential(body(a))) return std::nullopt;  // split first
    const Poly p = body(a);
    bool any = false;
    Args args{at(f)};
    for (const Monomial& t : p) {
      std::int64_t chosen = -1;
      for (std::size_t k = 0; k < t.factors.size() && chosen < 0; ++k) {
        const Atom& x = atom(t.factors[k]);
        if (!one_hot(x)) continue;
        const bool bound = std::any_of(t.variables.begin(), t.variables.end(), [&](Symbol v) { return arena_.mentions(t.factors[k].atom, v); });
        if (bound) chosen = at(k);
      }
      any = any || chosen >= 0;
      args.push_back(chosen);
    }
    return any ? attempt(m, Law::select, args) : std::nullopt;
  }

  // ---- done ----
  Monomial keep(const Monomial& start) {
    Monomial m = start;
    const auto order = canonical_order(arena_, m, {});
    Colours colours;
    for (std::size_t k = 0; k < order.size(); ++k) colours[m.variables[static_cast<std::size_t>(order[k])]] = 1000 + k;
    m = orient_symmetric(m, colours);
    // orient_symmetric keeps the variables, so the order still stands
    record({Law::keep, order, {}});
    return kernel::rename(arena_, m, order);
  }
  /// S[j, i] becomes S[i, j] when i comes first in the canonical order.
  Monomial orient_symmetric(Monomial m, const Colours& colours) {
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      const Atom a = atom(m.factors[f]);
      if (a.kind != AtomKind::entry || !arena_.tensor(a.name).symmetric || a.indices.size() < 2) continue;
      Atom swapped = a;
      std::swap(swapped.indices[a.indices.size() - 1], swapped.indices[a.indices.size() - 2]);
      const auto rank = [&](const Index& e) {
        const auto v = e.as_symbol();
        const auto c = v ? colours.find(*v) : colours.end();
        return c == colours.end() ? std::uint64_t{0} : c->second;
      };
      if (rank(a.indices[a.indices.size() - 2]) <= rank(a.indices.back())) continue;
      if (auto r = attempt(m, Law::swap, {at(f)})) {
        m = r->front();
        f = static_cast<std::size_t>(-1);  // positions moved: look again from the start
      }
    }
    return m;
  }

  Theory& theory_;
  Arena& arena_;
  Cuts& cuts_;
  Script& script_;
  Limits limits_;
  std::set<PolyId> normal_;
  std::map<AtomId, std::uint64_t> shapes_;
};

}  // namespace

Poly normalize(Theory& theory, const Poly& p, Cuts& cuts, Script& script, const Limits& limits) { return Normalizer(theory, cuts, script, limits).run(p); }

}  // namespace foldproof::normal
