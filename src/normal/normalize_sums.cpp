// SPDX-License-Identifier: MIT
// Comparisons of indices, and how sums are cut so that they can be decided.
#include <cstdlib>
#include <functional>

#include "normal/normalizer.hpp"

namespace foldproof::normal {

std::int64_t Normalizer::constant_term(const Index& e) const {
  for (const auto& s : e.summands()) {
    if (s.product.empty()) return s.coefficient;
  }
  return 0;
}

Normalizer::Results Normalizer::comparisons(const Monomial& m) {
  for (std::size_t f = 0; f < m.factors.size(); ++f) {  // before one is turned round that implies another
    if (atom(m.factors[f]).kind != AtomKind::at_least) continue;
    if (auto r = implied(m, f)) return r;
  }
  for (std::size_t f = 0; f < m.factors.size(); ++f) {
    const Atom& a = atom(m.factors[f]);
    if (a.kind == AtomKind::size && is_composite(a.indices[0])) return attempt(m, Law::number, {at(f)});
    if (a.kind == AtomKind::size) {
      if (auto r = of_lone_variable(m, f, Law::add_up)) return r;
    }
    if (a.kind != AtomKind::equal && a.kind != AtomKind::at_least) continue;
    const Index e = a.indices[0];
    const bool decided = a.kind == AtomKind::equal ? e.is_zero() || arena_.positive(e) || arena_.positive(-e) : arena_.nonnegative(e) || arena_.positive(-e);
    if (decided) {
      if (auto r = attempt(m, Law::decide, {at(f)})) return r;
    }
    if (a.kind == AtomKind::equal) {
      if (auto r = equality(m, f, e)) return r;
      request_cut(e, false);
    } else {
      if (auto r = of_lone_variable(m, f, Law::count_up)) return r;
      if (auto r = counted_in_parts(m, e)) return r;
      if (auto r = started_later(m, f, e)) return r;
      if (auto r = covering(m, f)) return r;
      if (auto r = digits(m, f, e)) return r;
      // Sums over a few values, or over blocks, are written out instead; sums that can be cut there are cut.
      request_cut(e, true);
      const bool whole = std::all_of(e.summands().begin(), e.summands().end(), [&](const auto& summand) {
        return std::all_of(summand.product.begin(), summand.product.end(), [&](Symbol s) {
          const auto& info = arena_.symbol(s);
          return info.kind == SymbolKind::dimension || (info.kind == SymbolKind::variable && !info.range.constant() && cuts_.splits.count(info.range) == 0);
        });
      });
      if (whole && arena_.nonnegative(-e)) return attempt(m, Law::only_equal, {at(f)});
      if (constant_term(e) < 0) {
        if (auto r = attempt(m, Law::flip, {at(f)})) return r;
      }
      cuts_.turn.arose = true;
    }
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::turned(const Monomial& m) {
  for (std::size_t f = 0; f < m.factors.size() && cuts_.turn.second; ++f) {
    const Atom& a = atom(m.factors[f]);
    if (a.kind == AtomKind::at_least && constant_term(a.indices[0]) == 0 && comes_later(m, f, a.indices[0])) return attempt(m, Law::turn, {at(f)});
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::mirrored(const Monomial& m) {
  for (std::size_t f = 0; f < m.factors.size(); ++f) {
    const Atom& a = atom(m.factors[f]);
    if (a.kind != AtomKind::at_least) continue;
    const auto variables = variables_of(a.indices[0]);
    const auto is_summed = [&](Symbol v) { return std::find(m.variables.begin(), m.variables.end(), v) != m.variables.end(); };
    if (variables.size() != 2 || !std::all_of(variables.begin(), variables.end(), is_summed)) continue;
    const Symbol i = variables[0], j = variables[1];
    if (!(arena_.symbol(i).range == arena_.symbol(j).range) || (a.indices[0] != Index::symbol(i) - Index::symbol(j) && a.indices[0] != Index::symbol(j) - Index::symbol(i))) continue;
    Monomial others = m;
    others.factors.erase(others.factors.begin() + at(f));
    others.variables.erase(std::remove_if(others.variables.begin(), others.variables.end(), [&](Symbol v) { return v == i || v == j; }), others.variables.end());
    if (hash(arena_, others, {{i, 37}, {j, 38}}) != hash(arena_, others, {{i, 38}, {j, 37}})) continue;
    const auto mark = arena_.mark();
    const std::size_t steps = script_.size();
    const Monomial half = attempt(m, Law::halve, {})->back();
    if (auto parts = attempt(half, Law::turn, {at(f)})) {
      const auto here = arena_.mark();
      const std::size_t until = script_.size();
      const Monomial kept = keep(half);
      const auto image = std::find_if(parts->begin(), parts->end(), [&](const Monomial& t) {
        const Monomial other = keep(t);
        return kernel::alike(kept, other) && kept.coefficient == -other.coefficient;
      });
      undo(here, until);
      if (image != parts->end()) {
        halves_.insert(halves_.end(), {*image, half});
        parts->push_back(half);
        return parts;
      }
    }
    undo(mark, steps);
  }
  return std::nullopt;
}

bool Normalizer::comes_later(const Monomial& m, std::size_t f, const Index& e) {
  Monomial others = m;
  others.factors.erase(others.factors.begin() + static_cast<std::ptrdiff_t>(f));
  Colours colours;
  colour(others, canonical(others), 1000, colours);
  const std::uint64_t here = hash(arena_, e, colours), turned = hash(arena_, -e, colours);
  return here == turned ? e.summands().front().coefficient < 0 : here > turned;
}

Normalizer::Results Normalizer::covering(const Monomial& m, std::size_t f) {
  const Index e = atom(m.factors[f]).indices[0];
  for (std::size_t g = 0; g < m.factors.size(); ++g) {
    if (g == f || atom(m.factors[g]).kind != AtomKind::at_least) continue;
    const auto gap = (e + atom(m.factors[g]).indices[0]).constant();
    // Where (e >= 0) fails, the other one holds: their product is the other minus a smaller one, which `implied` finds.
    if (gap && *gap >= -1 && (constant_term(e) > 0 || (constant_term(e) == 0 && f < g))) return attempt(m, Law::flip, {at(f)});
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::started_later(const Monomial& m, std::size_t f, const Index& e) {
  for (std::size_t v = 0; v < m.variables.size(); ++v) {
    const Symbol j = m.variables[v];
    if (slope(e, j) != Index(-1)) continue;
    for (const Symbol i : variables_of(e)) {
      const Index size = e + Index::symbol(i) + Index::symbol(j) + Index(1);
      if (i == j || !variables_of(size).empty() || !as_dim(size)) continue;
      std::size_t found = 0;  // factors such as x[i + j]; none may have j without i
      const std::function<bool(AtomId)> together = [&](AtomId id) {
        const Atom& a = arena_.atom(id);
        const bool in_indices = std::all_of(a.indices.begin(), a.indices.end(), [&](const Index& at) { return !arena_.mentions(at, j) || slope(at, i) == slope(at, j); });
        return in_indices && (a.body < 0 || std::all_of(body(a).begin(), body(a).end(), [&](const Monomial& t) {
                                return std::all_of(t.factors.begin(), t.factors.end(), [&](const Factor& x) { return together(x.atom); });
                              }));
      };
      const bool joined = std::all_of(m.factors.begin(), m.factors.end(), [&](const Factor& x) {
        const bool other = &x != &m.factors[f] && arena_.mentions(x.atom, j);
        found += other;
        return !other || together(x.atom);
      });
      if (!joined || found == 0) continue;
      if (auto r = attempt(m, Law::shift, {at(f), at(v)}, *as_dim(size))) return r;
    }
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::of_lone_variable(const Monomial& m, std::size_t f, Law law) {
  for (std::size_t v = 0; v < m.variables.size(); ++v) {
    const auto mentions = [&](const Factor& x) { return arena_.mentions(x.atom, m.variables[v]); };
    if (!mentions(m.factors[f]) || std::count_if(m.factors.begin(), m.factors.end(), mentions) != 1) continue;
    if (auto r = attempt(m, law, {at(f), at(v)})) return r;
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::counted_in_parts(const Monomial& m, const Index& e) {
  for (const Symbol v : m.variables) {
    const auto mentions = [&](const Factor& x) { return arena_.mentions(x.atom, v); };
    const auto [others, k] = e.linear_in(v);
    const Index n = arena_.symbol(v).range;
    if ((k != Index(1) && k != Index(-1)) || std::count_if(m.factors.begin(), m.factors.end(), mentions) != 1) continue;
    const Index number = others + (k == Index(1) ? n : Index(1));  // see count_up
    for (std::size_t w = 0; w < m.variables.size(); ++w) {
      const auto [rest, times] = number.linear_in(m.variables[w]);
      const auto beyond = (times == Index(1) ? -rest : rest - n).constant();  // for so many of its first values it is below 0, or above n; or of its last ones
      if ((times != Index(1) && times != Index(-1)) || !beyond) continue;
      const Index point = *beyond > 0 ? Index(*beyond) : n + Index(1) + Index(*beyond);
      if (!as_dim(point) || !arena_.splits(point, arena_.symbol(m.variables[w]).range)) continue;
      if (auto r = attempt(m, Law::split, {at(w)}, *as_dim(point))) return r;
    }
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::implied(const Monomial& m, std::size_t f) {
  const auto index = [&](std::size_t g) -> const Index& { return atom(m.factors[g]).indices[0]; };
  const auto compares = [&](std::size_t g) { return kernel::is_comparison(atom(m.factors[g]).kind); };
  std::vector<AtomId> key;  // the latest atom first: see undo()
  for (std::size_t g = m.factors.size(); g-- > 0;) {
    if (compares(g)) key.push_back(m.factors[g].atom);
  }
  if (key.size() < 2) return std::nullopt;
  key.push_back(m.factors[f].atom);
  if (open_comparisons_.count(key) > 0) return std::nullopt;
  Args args{at(f)};
  int budget = 100;
  // i >= j says something of j >= k only together with what mentions i or k: each comparison must share a variable with the rest.
  const std::function<bool(const Index&, const Index&)> search = [&](const Index& above, const Index& below) {
    if (args.size() > 1 && (arena_.nonnegative(above) || arena_.positive(below))) return true;
    for (std::size_t g = 0; g < m.factors.size() && args.size() <= 4 && budget > 0; ++g) {
      if (!compares(g) || std::find(args.begin(), args.end(), at(g)) != args.end()) continue;
      const auto variables = variables_of(index(g));
      const bool joins = std::any_of(variables.begin(), variables.end(), [&](Symbol v) { return arena_.mentions(above, v) || arena_.mentions(below, v); });
      if (!joins) continue;
      --budget;
      args.push_back(at(g));
      if (search(above - index(g), below - index(g))) return true;
      if (atom(m.factors[g]).kind == AtomKind::equal && search(above + index(g), below + index(g))) return true;
      args.pop_back();
    }
    return false;
  };
  if (search(index(f), -index(f))) {
    const bool through_strict = args.size() > 2 && constant_term(index(f)) == 0 && std::any_of(args.begin() + 1, args.end(), [&](std::int64_t g) { return constant_term(index(static_cast<std::size_t>(g))) < 0; });
    cuts_.kept.arose = cuts_.kept.arose || through_strict;
    if (!through_strict || !cuts_.kept.second) return attempt(m, Law::implied, args);
  }
  open_comparisons_.insert(key);
  return std::nullopt;
}

Normalizer::Results Normalizer::sifted_where(const Monomial& m, std::size_t f, std::size_t v) {
  std::vector<std::int64_t> args = {at(f), at(v)};
  for (std::size_t g = 0; g < m.factors.size(); ++g) {
    if (g != f && kernel::is_comparison(atom(m.factors[g]).kind) && arena_.mentions(m.factors[g].atom, m.variables[v])) args.push_back(at(g));
  }
  return args.size() > 2 ? attempt(m, Law::sift, args) : std::nullopt;
}

Normalizer::Results Normalizer::equality(const Monomial& m, std::size_t f, const Index& e) {
  const auto constant_slope = [&](Symbol v) { return slope(e, v).constant().value_or(0); };
  const auto is_single = [&](Symbol v) { return std::abs(constant_slope(v)) == 1; };
  for (std::size_t v = 0; v < m.variables.size(); ++v) {
    if (is_single(m.variables[v])) {
      if (auto r = attempt(m, Law::sift, {at(f), at(v)})) return r;
      if (auto r = sifted_where(m, f, v)) return r;
    }
  }
  for (const Symbol v : variables_of(e)) {  // i == 2 v + c: i is cut into pairs
    const Index step(std::abs(constant_slope(v)));
    if (step.is_zero() || step.is_one() || !is_few(step)) continue;
    for (const Symbol i : variables_of(e)) {
      const auto blocks = is_single(i) ? arena_.symbol(i).range.divide(step) : std::nullopt;
      if (!blocks || blocks->is_one()) continue;
      cuts_.pairs.emplace(arena_.symbol(i).range, step);
      cuts_.unrolled.insert(step);
    }
  }
  if (auto r = digits(m, f, e)) return r;
  const auto variables = variables_of(e);
  const auto is_of_many = [&](Symbol v) { return is_single(v) && !arena_.symbol(v).range.constant(); };
  if (variables.size() < 2 || !std::all_of(variables.begin(), variables.end(), is_of_many)) return std::nullopt;
  Index offset = e;
  for (const Symbol v : variables) offset = offset.linear_in(v).rest;
  return offset.is_zero() ? std::nullopt : attempt(m, Law::between, {at(f)});  // as tril(.., -1) and a band of |i - j| <= 1 are written
}

Normalizer::Results Normalizer::digits(const Monomial& m, std::size_t f, const Index& e) {
  for (const auto& summand : e.summands()) {  // sizes that stand before a variable, as in a*k + b
    for (const Symbol s : summand.product) {
      if (arena_.symbol(s).kind != SymbolKind::variable) continue;
      const Index k = slope(e, s);
      const Index size = constant_sign(k) < 0 ? -k : k;
      if (size.is_one() || k.is_zero()) continue;
      if (const auto d = as_dim(size)) {
        const Index x = kernel::whole_part(e, size);
        if (!x.is_zero() && x != e) {
          if (auto r = attempt(m, Law::digits, {at(f)}, *d)) return r;
        }
      }
    }
  }
  return std::nullopt;
}

Index Normalizer::slope(const Index& e, Symbol v) const {
  if (const auto s = e.as_symbol()) return *s == v ? 1 : 0;  // nearly always
  return e.linear_in(v).slope;
}

int Normalizer::constant_sign(const Index& e) { return !e.is_zero() && e.summands().front().coefficient < 0 ? -1 : 1; }

bool Normalizer::runs_backwards(AtomId id, Symbol v) const {
  if (!arena_.mentions(id, v)) return true;
  const Atom& a = arena_.atom(id);
  const bool indices = std::all_of(a.indices.begin(), a.indices.end(), [&](const Index& e) { return !arena_.mentions(e, v) || (!slope(e, v).is_zero() && arena_.nonnegative(-slope(e, v))); });
  if (!indices || a.body < 0) return indices;
  return std::all_of(body(a).begin(), body(a).end(), [&](const Monomial& t) { return std::all_of(t.factors.begin(), t.factors.end(), [&](const Factor& f) { return runs_backwards(f.atom, v); }); });
}

std::optional<expr::Dim> Normalizer::as_dim(const Index& e) const {
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

std::optional<Index> Normalizer::cut_point(const Index& e, bool ordering, Symbol v) const {
  const auto [rest, k] = e.linear_in(v);
  if (k == Index(1)) return -rest;
  if (k == Index(-1)) return ordering ? rest + Index(1) : rest;
  return std::nullopt;
}

void Normalizer::request_cut(const Index& e, bool ordering) {
  for (const Symbol v : variables_of(e)) {
    if (const auto point = cut_point(e, ordering, v)) request_split(v, *point);
    if (is_written_out(arena_.symbol(v).range)) cuts_.unrolled.insert(arena_.symbol(v).range);
  }
}

std::vector<Symbol> Normalizer::variables_of(const Index& e) const {
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

void Normalizer::request_split(Symbol v, const Index& point) {
  const Index& range = arena_.symbol(v).range;
  if (range.constant() || !as_dim(point)) return;
  if (arena_.splits(point, range)) cuts_.splits[range].insert(point);
}

void Normalizer::request_divisions(const Index& e) {
  for (const auto& summand : e.summands()) {
    for (const Symbol s : summand.product) {
      const auto info = arena_.symbol(s);
      if (info.kind != SymbolKind::quotient && info.kind != SymbolKind::remainder) continue;
      request_divisions(info.numerator);
      for (const Symbol v : variables_of(info.numerator)) {
        const Index& range = arena_.symbol(v).range;
        if (is_written_out(range)) {
          cuts_.unrolled.insert(range);
        } else if (slope(info.numerator, v).is_one()) {
          const auto q = range.divide(info.denominator);
          if (q && !q->is_one() && cuts_.pairs.emplace(range, info.denominator).second) cuts_.only_divided.insert(range);
        }
      }
    }
  }
}

void Normalizer::request_from_entry(const Atom& a) {
  const auto& shape = arena_.tensor(a.name).shape;
  for (std::size_t axis = 0; axis < a.indices.size() && axis < shape.size(); ++axis) {
    const Index& e = a.indices[axis];
    if (const auto s = e.as_symbol(); s && arena_.symbol(*s).kind == SymbolKind::variable && arena_.symbol(*s).range == shape[axis]) continue;  // nearly always
    request_divisions(e);
    if (shape[axis].constant()) continue;
    for (const Symbol v : variables_of(e)) {
      const Index k = slope(e, v);
      const Index& range = arena_.symbol(v).range;
      for (const Symbol u : variables_of(e)) {  // blocks of blocks: u*2*p + v*p is (2*u + v)*p
        const Index both = arena_.symbol(u).range * range;
        const bool within = !(u == v) && slope(e, u) == k * range && !range.is_one() && !arena_.symbol(u).range.is_one();
        if (within && !both.constant()) request_blocks(both, range);
      }
      if (!k.constant() && is_written_out(range) && k * range == shape[axis] && cuts_.splits.count(shape[axis]) > 0) cuts_.unrolled.insert(range);  // A[.., p c + v, ..] for c < 2 beside A[.., p + v, ..]
      if (k.is_one() && range != shape[axis]) {
        const Index low = e.substitute([&](Symbol s) { return arena_.symbol(s).kind == SymbolKind::variable ? Index(0) : Index::symbol(s); });
        const bool alone = e - Index::symbol(v) == low;
        if (alone) {
          request_axis_split(shape[axis], low);
          request_axis_split(shape[axis], low + range);
          if (const auto points = cuts_.splits.find(shape[axis]); points != cuts_.splits.end()) {  // where another sum over the axis begins or ends
            for (const Index& point : std::set<Index>(points->second)) {
              request_split(v, point - low);
              if (is_few(range) && arena_.splits(point - low, range)) cuts_.unrolled.insert(range);  // V[:2] beside V[1]
            }
          }
        } else if (const auto q = shape[axis].divide(range); q && !q->is_one() && !range.is_one()) {  // blocks of one entry are no blocks
          request_blocks(shape[axis], range);
        }
      } else if (k.constant() && *k.constant() > 1) {  // every second entry, A[.., 2 v + c, ..]
        request_strides(a.name, axis, v, *k.constant(), e - k * Index::symbol(v));
      }
    }
    if (variables_of(e).empty() && !e.is_zero()) {  // a single row such as A[n-1]
      request_axis_split(shape[axis], e);
      request_axis_split(shape[axis], e + Index(1));
    }
  }
}

/// Entries k v + offset of an axis: it is cut into parts of k entries, and at what is left over behind these; so is the range of v.
void Normalizer::request_strides(int tensor, std::size_t axis, Symbol v, std::int64_t k, const Index& offset) {
  const Index size = arena_.tensor(tensor).shape[axis], range = arena_.symbol(v).range;
  std::int64_t number = 0;
  for (const auto& summand : size.summands()) {
    if (summand.product.empty()) number = summand.coefficient;
  }
  const Index whole = size - Index((number % k + k) % k);
  const auto parts = whole.divide(Index(k));
  if (!parts || (range != *parts && range != *parts + Index(1))) return;
  cuts_.pairs.emplace(whole, Index(k));
  cuts_.strided.emplace(tensor, axis);
  if (is_few(Index(k)) && offset.constant()) cuts_.unrolled.insert(Index(k));
  if (whole == size) return;
  request_axis_split(size, whole);
  request_split(v, *parts);
  cuts_.unrolled.insert(size - whole);
}

void Normalizer::request_blocks(const Index& range, const Index& block) {
  if (cuts_.only_divided.erase(range) > 0) cuts_.pairs.insert_or_assign(range, block);
  else cuts_.pairs.emplace(range, block);
}

void Normalizer::request_axis_split(const Index& size, const Index& point) {
  if (as_dim(point) && arena_.splits(point, size)) cuts_.splits[size].insert(point);
}

Normalizer::Results Normalizer::pair(const Monomial& m, std::size_t v, const Index& range, const std::set<Index>& divisors) {
  const auto found = cuts_.pairs.find(range);
  if (found == cuts_.pairs.end()) return std::nullopt;
  const auto fits = [&](const Index& k) { return !k.is_one() && k != range && range.divide(k).has_value(); };
  const auto own = divisors.count(found->second) > 0 ? divisors.end() : std::find_if(divisors.begin(), divisors.end(), fits);  // i % g beside i // q elsewhere
  const auto d = as_dim(own == divisors.end() ? found->second : *own);
  return d ? attempt(m, Law::pair, {at(v)}, *d) : std::nullopt;
}

bool Normalizer::runs_along_strided(const Monomial& m, Symbol v) const {
  return std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) {
    const Atom& a = atom(f);
    for (std::size_t axis = 0; a.kind == AtomKind::entry && axis < a.indices.size(); ++axis) {
      if (a.indices[axis].as_symbol() == v && cuts_.strided.count({a.name, axis}) > 0) return true;
    }
    return a.body >= 0 && std::any_of(body(a).begin(), body(a).end(), [&](const Monomial& t) { return runs_along_strided(t, v); });
  });
}

void Normalizer::collect_divided(AtomId id, std::map<Symbol, std::set<Index>>& found) const {
  const Atom& a = arena_.atom(id);
  for (const Index& e : a.indices) {
    for (const auto& summand : e.summands()) {
      for (const Symbol s : summand.product) {
        const auto kind = arena_.symbol(s).kind;
        if (kind != SymbolKind::quotient && kind != SymbolKind::remainder) continue;
        for (const Symbol v : variables_of(arena_.symbol(s).numerator)) found[v].insert(arena_.symbol(s).denominator);
      }
    }
  }
  if (a.body < 0) return;
  for (const Monomial& t : body(a)) {
    for (const Factor& f : t.factors) collect_divided(f.atom, found);
  }
}

void Normalizer::collect_changes(AtomId id, Symbol v, std::set<Index>& found) const {
  const Atom& a = arena_.atom(id);
  const auto add = [&](const std::optional<Index>& point) {
    if (point && as_dim(*point) && arena_.splits(*point, arena_.symbol(v).range)) found.insert(*point);
  };
  if (kernel::is_comparison(a.kind)) add(cut_point(a.indices[0], a.kind == AtomKind::at_least, v));
  if (a.kind == AtomKind::entry) {
    const auto& shape = arena_.tensor(a.name).shape;
    for (std::size_t axis = 0; axis < a.indices.size() && axis < shape.size(); ++axis) {
      add(cut_point(a.indices[axis], false, v));
      add(cut_point(a.indices[axis] - shape[axis], false, v));
      if (const auto points = cuts_.splits.find(shape[axis]); points != cuts_.splits.end()) {  // x[v] at 1 and x[v + 1] at n - 2 beside x[0] and x[n-1]
        for (const Index& point : points->second) add(cut_point(a.indices[axis] - point, false, v));
      }
    }
  }
  if (a.body >= 0) collect_changes(body(a), v, found);
}

void Normalizer::collect_changes(const Poly& p, Symbol v, std::set<Index>& found) const {
  for (const Monomial& t : p) {
    for (const Factor& f : t.factors) collect_changes(f.atom, v, found);
  }
}

std::vector<Index> Normalizer::in_order(const std::set<Index>& points, const Poly& summand, Symbol v) {
  std::vector<Index> order(points.begin(), points.end());
  if (points.size() < 2) return order;
  std::set<Index> own;
  collect_changes(summand, v, own);
  cuts_.own_points.arose = cuts_.own_points.arose || !own.empty();
  const auto is_other = [&](const Index& point) { return own.count(point) == 0; };
  if (cuts_.own_points.second && !own.empty() && !std::all_of(order.begin(), order.end(), is_other)) std::erase_if(order, is_other);
  return order;
}

Normalizer::Results Normalizer::cut(const Monomial& m) {
  for (const Factor& f : m.factors) {
    const Atom& a = atom(f);
    if (a.kind == AtomKind::entry) request_from_entry(a);
    for (const Index& e : a.indices) request_divisions(e);
    if (a.kind == AtomKind::size) request_cut(a.indices[0], false);  // a position used as a number
  }
  std::map<Symbol, std::set<Index>> divisions;
  for (const Factor& f : m.factors) collect_divided(f.atom, divisions);
  for (std::size_t v = 0; v < m.variables.size(); ++v) {
    const Index range = arena_.symbol(m.variables[v]).range;
    if (!arena_.mentions(m, m.variables[v])) continue;  // counted instead
    if (range.is_one() || range.is_zero()) return attempt(m, Law::unroll, {at(v)});
    const auto compared = [&](const Factor& f) { return atom(f).kind == AtomKind::at_least && arena_.mentions(f.atom, m.variables[v]); };
    const bool either = cuts_.splits.count(range) > 0 && cuts_.pairs.count(range) > 0 && std::none_of(m.factors.begin(), m.factors.end(), compared);
    cuts_.pairing.arose = cuts_.pairing.arose || either;
    if (either && cuts_.pairing.second && is_written_out(cuts_.pairs.at(range))) cuts_.unrolled.insert(cuts_.pairs.at(range));
    const std::set<Index>& divisors = divisions[m.variables[v]];
    const bool in_parts = cuts_.strided.empty() || runs_along_strided(m, m.variables[v]);  // S of S[::2] and S[1::2], but not T beside T[:m] and T[m:]
    const bool divided = (!divisors.empty() && range.summands().size() == 1) || (either && cuts_.pairing.second && in_parts);  // k + k*k is cut at k first
    if (divided) {
      if (auto r = pair(m, v, range, divisors)) return r;
    }
    if (const auto at_points = cuts_.splits.find(range); at_points != cuts_.splits.end()) {
      for (const Index& point : in_order(at_points->second, {m}, m.variables[v])) {
        if (auto r = attempt(m, Law::split, {at(v)}, *as_dim(point))) return r;
      }
    }
    if (!divided) {
      if (auto r = pair(m, v, range, divisors)) return r;
    }
    if (cuts_.unrolled.count(range)) {
      if (auto r = attempt(m, Law::unroll, {at(v)})) return r;
    }
  }
  return std::nullopt;
}

}  // namespace foldproof::normal
