// SPDX-License-Identifier: MIT
#include "normal/label.hpp"

#include <algorithm>
#include <numeric>

namespace foldproof::normal {
namespace {

using kernel::Atom;
using kernel::AtomKind;
using kernel::Index;
using kernel::SymbolKind;

std::uint64_t mix(std::uint64_t h) {
  h ^= h >> 30;
  h *= 0xbf58476d1ce4e5b9ULL;
  h ^= h >> 27;
  h *= 0x94d049bb133111ebULL;
  return h ^ (h >> 31);
}
std::uint64_t combine(std::uint64_t a, std::uint64_t b) { return mix(a * 0x9e3779b97f4a7c15ULL + b + 0x2545f4914f6cdd1dULL); }
std::uint64_t hash_of(const kernel::Rational& q) { return combine(static_cast<std::uint64_t>(q.num()), static_cast<std::uint64_t>(q.den())); }

std::uint64_t hash_index(const Arena& arena, const Index& e, const Colours& colours) {
  std::uint64_t sum = 17;
  for (const auto& summand : e.summands()) {
    std::uint64_t product = 1;
    for (const Symbol s : summand.product) {
      const auto& info = arena.symbol(s);
      std::uint64_t one = 0;
      if (info.kind == SymbolKind::dimension) {
        one = combine(3, static_cast<std::uint64_t>(s));  // dimensions are numbered alike everywhere in one arena
      } else if (info.kind == SymbolKind::variable) {
        const auto at = colours.find(s);
        one = combine(5, at == colours.end() ? 0 : at->second);
      } else {
        one = combine(info.kind == SymbolKind::quotient ? 7 : 11, combine(hash_index(arena, info.numerator, colours), hash_index(arena, info.denominator, colours)));
      }
      product += mix(one);
    }
    sum += mix(combine(static_cast<std::uint64_t>(summand.coefficient), product));
  }
  return sum;
}

std::uint64_t hash_factor(const Arena& arena, const kernel::Factor& f, const Colours& colours) { return combine(hash(arena, f.atom, colours), hash_of(f.exponent)); }

/// Refines the colours of the bound variables of one monomial.
class Refiner {
 public:
  Refiner(const Arena& arena, const Monomial& m, const Colours& free) : arena_(arena), m_(m), colours_(free) {
    for (const Symbol v : m.variables) colours_[v] = combine(23, hash_index(arena, arena.symbol(v).range, {}));
    incident_.resize(m.variables.size());
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      for (const Symbol v : arena.free_variables(m.factors[f].atom)) {
        const auto at = std::lower_bound(m.variables.begin(), m.variables.end(), v);
        if (at != m.variables.end() && *at == v) incident_[static_cast<std::size_t>(at - m.variables.begin())].push_back(f);
      }
    }
  }

  /// Refines until the partition is stable.
  void refine() {
    std::size_t classes = count_classes();
    for (std::size_t round = 0; round <= m_.variables.size(); ++round) {
      if (classes == m_.variables.size() && round > 0) return;
      std::vector<std::uint64_t> next;
      for (std::size_t k = 0; k < m_.variables.size(); ++k) next.push_back(refined(k));
      for (std::size_t k = 0; k < m_.variables.size(); ++k) colours_[m_.variables[k]] = next[k];
      const std::size_t now = count_classes();
      if (now == classes && round > 0) return;
      classes = now;
    }
  }
  std::size_t count_classes() const {
    std::vector<std::uint64_t> all;
    for (const Symbol v : m_.variables) all.push_back(colours_.at(v));
    std::sort(all.begin(), all.end());
    return static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin());
  }
  /// Positions of the first class with more than one member; empty when the colouring is discrete.
  std::vector<std::size_t> first_tie() const {
    std::map<std::uint64_t, std::vector<std::size_t>> classes;
    for (std::size_t k = 0; k < m_.variables.size(); ++k) classes[colours_.at(m_.variables[k])].push_back(k);
    for (const auto& [colour, members] : classes) {
      if (members.size() > 1) return members;
    }
    return {};
  }
  void individualize(std::size_t k) { colours_[m_.variables[k]] = combine(colours_[m_.variables[k]], 0x51ed270b); }
  std::uint64_t fingerprint() const {
    std::uint64_t sum = 29;
    for (const auto& f : m_.factors) sum += mix(hash_factor(arena_, f, colours_));
    for (const Symbol v : m_.variables) sum += mix(combine(31, colours_.at(v)));
    return sum;
  }
  std::vector<std::int64_t> order() const {
    std::vector<std::int64_t> r(m_.variables.size());
    std::iota(r.begin(), r.end(), 0);
    std::stable_sort(r.begin(), r.end(), [&](std::int64_t a, std::int64_t b) { return colours_.at(m_.variables[static_cast<std::size_t>(a)]) < colours_.at(m_.variables[static_cast<std::size_t>(b)]); });
    return r;
  }

 private:
  std::uint64_t refined(std::size_t k) {
    const Symbol v = m_.variables[k];
    const std::uint64_t own = colours_[v];
    std::uint64_t sum = 0;
    for (const std::size_t f : incident_[k]) {
      const std::uint64_t plain = hash_factor(arena_, m_.factors[f], colours_);
      colours_[v] = combine(own, 0xabcdef);  // mark the places of v itself
      sum += mix(combine(plain, hash_factor(arena_, m_.factors[f], colours_)));
      colours_[v] = own;
    }
    return combine(own, sum);
  }

  const Arena& arena_;
  const Monomial& m_;
  Colours colours_;
  std::vector<std::vector<std::size_t>> incident_;
};

struct Leaf {
  std::uint64_t fingerprint;
  std::vector<std::int64_t> order;
};

/// Tries the members of the first tie; `budget` bounds the leaves, beyond it the first member stands for all.
Leaf best_leaf(Refiner refiner, int& budget) {
  refiner.refine();
  const auto tie = refiner.first_tie();
  if (tie.empty()) {
    --budget;
    return {refiner.fingerprint(), refiner.order()};
  }
  std::optional<Leaf> best;
  for (const std::size_t member : tie) {
    if (best && budget <= 0) break;
    Refiner next = refiner;
    next.individualize(member);
    Leaf leaf = best_leaf(std::move(next), budget);
    if (best && leaf.fingerprint == best->fingerprint) break;  // an automorphism swaps the members
    if (!best || leaf.fingerprint < best->fingerprint) best = std::move(leaf);
  }
  return *best;
}

}  // namespace

std::uint64_t hash(const Arena& arena, kernel::AtomId id, const Colours& colours) {
  const Atom& a = arena.atom(id);
  std::uint64_t h = combine(static_cast<std::uint64_t>(a.kind), static_cast<std::uint64_t>(a.name));
  const bool unordered = (a.kind == AtomKind::entry && arena.tensor(a.name).symmetric);
  if (unordered || a.kind == AtomKind::equal) {
    // x == y reads the same both ways, and a symmetric tensor does not tell its last two indices apart
    std::uint64_t sum = 0;
    if (a.kind == AtomKind::equal) {
      sum = hash_index(arena, a.indices[0], colours) + hash_index(arena, -a.indices[0], colours);
    } else {
      const std::size_t n = a.indices.size();
      for (std::size_t k = 0; k + 2 < n; ++k) h = combine(h, hash_index(arena, a.indices[k], colours));
      sum = mix(hash_index(arena, a.indices[n - 1], colours)) + mix(hash_index(arena, a.indices[n - 2], colours));
    }
    h = combine(h, sum);
  } else {
    for (const Index& e : a.indices) h = combine(h, hash_index(arena, e, colours));
  }
  if (a.body >= 0) {
    Colours inner = colours;
    for (std::size_t k = 0; k < a.variables.size(); ++k) inner[a.variables[k]] = 37 + k;
    h = combine(h, hash(arena, arena.poly(a.body), inner));
  }
  return h;
}

std::uint64_t hash(const Arena& arena, const Index& e, const Colours& colours) { return hash_index(arena, e, colours); }

std::uint64_t hash(const Arena& arena, const kernel::Poly& p, const Colours& colours) {
  std::uint64_t sum = 41;
  for (const Monomial& m : p) sum += mix(combine(hash(arena, m, colours), hash_of(m.coefficient)));
  return sum;
}

std::uint64_t hash(const Arena& arena, const Monomial& m, const Colours& free) {
  if (m.variables.empty()) {
    std::uint64_t sum = 29;
    for (const auto& f : m.factors) sum += mix(hash_factor(arena, f, free));
    return sum;
  }
  Refiner refiner(arena, m, free);
  refiner.refine();
  return refiner.fingerprint();
}

namespace {

/// What tells variables apart at first sight: their ranges, and where they stand in the factors, whose bodies are not looked at.
bool any_alike(const Arena& arena, const Monomial& m) {
  std::vector<std::pair<Index, std::uint64_t>> seen;
  for (const Symbol v : m.variables) {
    std::uint64_t places = 0;
    for (const auto& f : m.factors) {
      if (!arena.mentions(f.atom, v)) continue;
      const Atom& a = arena.atom(f.atom);
      std::uint64_t place = combine(combine(static_cast<std::uint64_t>(a.kind), static_cast<std::uint64_t>(a.name)), hash_of(f.exponent));
      const bool ordered = a.kind == AtomKind::entry && !arena.tensor(a.name).symmetric;
      for (std::size_t k = 0; ordered && k < a.indices.size(); ++k) place = combine(place, arena.mentions(a.indices[k], v) ? 1 : 0);
      places += mix(place);
    }
    seen.emplace_back(arena.symbol(v).range, places);
  }
  std::sort(seen.begin(), seen.end());
  return std::adjacent_find(seen.begin(), seen.end()) != seen.end();
}

}  // namespace

bool has_tie(const Arena& arena, const Monomial& m) {
  if (m.variables.size() < 2) return false;
  std::vector<Symbol> free;
  for (const auto& f : m.factors) {
    for (const Symbol v : arena.free_variables(f.atom)) {
      const bool known = std::find(free.begin(), free.end(), v) != free.end() || std::find(m.variables.begin(), m.variables.end(), v) != m.variables.end();
      if (!known) free.push_back(v);
    }
  }
  if (free.size() < 2 || !any_alike(arena, m)) return false;
  Refiner refiner(arena, m, {});
  refiner.refine();
  return !refiner.first_tie().empty();
}

std::vector<std::int64_t> canonical_order(const Arena& arena, const Monomial& m, const Colours& free, std::size_t& tried) {
  if (m.variables.size() < 2) return std::vector<std::int64_t>(m.variables.size(), 0);
  constexpr int most = 64;
  int budget = most;
  Leaf best = best_leaf(Refiner(arena, m, free), budget);
  tried += static_cast<std::size_t>(most - budget);
  return std::move(best.order);
}

}  // namespace foldproof::normal
