// SPDX-License-Identifier: MIT
// Equations: sums against their reciprocals, assumptions, inverses; and one-hot tensors.
#include "normal/normalizer.hpp"

namespace foldproof::normal {

Normalizer::Results Normalizer::reciprocals(const Monomial& m) {
  for (const bool single : {true, false}) {
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      const Atom& a = atom(m.factors[f]);
      if (a.kind != AtomKind::base || m.factors[f].exponent.sign() >= 0 || body(a).empty() || (body(a).size() == 1) != single) continue;
      const std::size_t lead = leading_term(body(a));
      if (!single) cuts_.lead_was_a_choice = true;
      if (auto r = cancel(m, f, lead)) return r;
    }
  }
  // 1/(x (1 + x)) = 1/x - 1/(1 + x), y/(x (x + y)) = 1/x - 1/(x + y): where x, the first term or a sum of some, stands in a
  // denominator of its own, another term is the one to remove. Always the same one: two would bring each other back.
  for (std::size_t f = 0; f < m.factors.size(); ++f) {
    const Atom& a = atom(m.factors[f]);
    if (a.kind != AtomKind::base || m.factors[f].exponent.sign() >= 0 || body(a).size() < 2) continue;
    const Poly p = body(a);
    const std::size_t lead = leading_term(p);
    Poly others = p;
    for (const Factor& x : m.factors) {
      if (x.exponent.sign() >= 0 || x == m.factors[f]) continue;
      const auto in = [](const Poly& q, const Monomial& t) { return std::find(q.begin(), q.end(), t) != q.end(); };
      const bool part = atom(x).kind == AtomKind::base && std::all_of(body(atom(x)).begin(), body(atom(x)).end(), [&](const Monomial& t) { return in(p, t); });
      const bool whole = std::any_of(p[lead].factors.begin(), p[lead].factors.end(), [&](const Factor& y) { return y.atom == x.atom && y.exponent.sign() > 0; });
      if (part) std::erase_if(others, [&](const Monomial& t) { return in(body(atom(x)), t); });
      if (whole) std::erase(others, p[lead]);
    }
    if (others.empty() || others.size() == p.size()) continue;
    const auto one = std::find_if(others.begin(), others.end(), [](const Monomial& t) { return t.factors.empty() && t.variables.empty(); });
    const Monomial& other = one != others.end() ? *one : others[leading_term(others)];
    const auto term = static_cast<std::size_t>(std::find(p.begin(), p.end(), other) - p.begin());
    if (auto r = cancel(m, f, term)) return r;
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::cancel(const Monomial& m, std::size_t f, std::size_t term) {
  return use(m, Poly(body(atom(m.factors[f]))), term, {f}, [&](Args positions) {
    Args args{at(f), at(term)};
    args.insert(args.end(), positions.begin(), positions.end());
    return attempt(m, Law::cancel, args);
  });
}

std::uint64_t Normalizer::shape_hash(AtomId a) {
  const auto at = shapes_.find(a);
  if (at != shapes_.end()) return at->second;
  const Atom& x = arena_.atom(a);  // inv(M)[2 i, j] may be an instance of inv(M)[i, j]
  return shapes_.emplace(a, x.kind == AtomKind::inverse ? matrix_hash(body(x), x.variables[0], x.variables[1]) : hash(arena_, a, {})).first->second;
}

bool Normalizer::may_match(const Factor& pattern, const Factor& target) {
  const Atom& a = atom(pattern);
  const Atom& b = atom(target);
  if (a.kind != b.kind || a.name != b.name || a.indices.size() != b.indices.size()) return false;
  if (a.body >= 0 && shape_hash(pattern.atom) != shape_hash(target.atom)) return false;
  return pattern.exponent == target.exponent || (pattern.exponent.sign() > 0 && target.exponent > pattern.exponent);
}

bool Normalizer::consistent(const Monomial& m, const Monomial& t, const Args& positions, const Factor& pattern, std::size_t f) const {
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

bool Normalizer::is_permutative(const Poly& p) const {
  if (p.size() != 2) return false;
  Monomial a = p[0], b = p[1];
  a.coefficient = b.coefficient = 1;
  return hash(arena_, a, {}) == hash(arena_, b, {});
}

std::uint64_t Normalizer::place(const Monomial& m) {
  Colours colours;
  colour(m, canonical(m), 1000, colours);
  // Free variables by their rank, not by their number: the binder of a body gets other numbers in the same order when it is renamed.
  std::set<std::tuple<int, int, Symbol>> free;
  for (const Factor& f : m.factors) {
    for (const Symbol v : arena_.free_variables(f.atom)) {
      const auto& info = arena_.symbol(v);
      if (colours.count(v) == 0) free.emplace(-info.height, info.position, v);
    }
  }
  std::uint64_t rank = 100000;
  for (const auto& [height, position, v] : free) colours.emplace(v, rank++);
  Monomial unit = m;
  unit.coefficient = 1;
  return hash(arena_, unit, colours);
}

std::optional<std::size_t> Normalizer::inverse_alone(const Poly& p) const {
  const auto holds = [&](const Monomial& t) { return std::any_of(t.factors.begin(), t.factors.end(), [&](const Factor& f) { return atom(f).kind == AtomKind::inverse; }); };
  if (std::count_if(p.begin(), p.end(), holds) != 1) return std::nullopt;
  const auto t = std::find_if(p.begin(), p.end(), holds);
  return t->factors.size() == 1 && t->variables.empty() ? std::optional(static_cast<std::size_t>(t - p.begin())) : std::nullopt;
}

Normalizer::Results Normalizer::equations(const Monomial& m) {
  for (std::size_t a = 0; a < theory_.usable_axioms; ++a) {
    const Poly p = theory_.axioms[a].poly;
    if (p.empty()) continue;
    const std::size_t lead = inverse_alone(p).value_or(leading_term(p));
    if (p[lead].factors.empty()) continue;
    auto r = use(m, p, lead, {}, [&](Args positions) {
      Args args{at(a), at(lead)};
      args.insert(args.end(), positions.begin(), positions.end());
      if (!is_permutative(p)) return attempt(m, Law::axiom, args);
      if (auto down = attempt(m, Law::axiom, args, {}, true)) return down;
      return vanishes(m, args) ? Results(std::vector<Monomial>{}) : std::nullopt;
    });
    if (r) return r;
  }
  return inverses(m);
}

Normalizer::Results Normalizer::inverses(const Monomial& m) {
  for (std::size_t f = 0; f < m.factors.size(); ++f) {
    if (atom(m.factors[f]).kind == AtomKind::inverse) {
      if (auto r = inverse(m, f)) return r;
    }
  }
  return std::nullopt;
}

bool Normalizer::vanishes(const Monomial& m, const Args& axiom) {
  const auto mark = arena_.mark();
  const std::size_t steps = script_.size();
  const auto halves = attempt(m, Law::halve, {});
  const Monomial kept = keep(halves->front());
  const auto turned = attempt(halves->back(), Law::axiom, axiom);
  if (turned && turned->size() == 1) {
    const Monomial other = keep(turned->front());
    if (kernel::alike(kept, other) && kept.coefficient == -other.coefficient) return true;
  }
  undo(mark, steps);
  return false;
}

Normalizer::Results Normalizer::symmetric_inverses(const Monomial& m) {
  for (std::size_t f = 0; f < m.factors.size(); ++f) {
    const Atom a = atom(m.factors[f]);
    if (a.kind != AtomKind::inverse || a.indices[0] == a.indices[1] || !equals_its_transpose(a)) continue;
    if (auto r = attempt(m, Law::inverse_transpose, {at(f)}, {}, true)) return r;
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::inverses_of_skew(const Monomial& m, int turns) {
  const bool any = std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) { return atom(f).kind == AtomKind::inverse; });
  for (std::size_t a = 0; a < theory_.usable_axioms && any && turns > 0; ++a) {
    const Poly p = theory_.axioms[a].poly;
    if (!is_permutative(p) || p[0].factors.size() != 1) continue;
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      if (!may_match(p[0].factors[0], m.factors[f])) continue;
      const auto mark = arena_.mark();
      const std::size_t steps = script_.size();
      const auto turned = attempt(m, Law::axiom, {at(a), 0, at(f)});
      if (turned && turned->size() == 1) {
        if (auto r = inverses(turned->front())) return r;
        if (auto r = inverses_of_skew(turned->front(), turns - 1)) return r;
      }
      undo(mark, steps);
    }
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::equations_of_symmetric(const Monomial& m, std::size_t first, int swaps) {
  for (std::size_t f = first; f < m.factors.size() && swaps > 0; ++f) {
    const Atom& a = atom(m.factors[f]);
    if (!is_symmetric(a) || a.indices.back() == a.indices[a.indices.size() - 2]) continue;
    const auto mark = arena_.mark();
    const std::size_t steps = script_.size();
    if (const auto turned = attempt(m, Law::swap, {at(f)})) {
      if (auto r = equations(turned->front())) return r;
      if (auto r = tensors(turned->front())) return r;  // P[i, k] P[k, j] = P[i, k] P[j, k] for a symmetric permutation
      if (auto r = equations_of_symmetric(turned->front(), f, swaps - 1)) return r;  // the turned entry may stand at the end now
    }
    undo(mark, steps);
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::inverse(const Monomial& m, std::size_t f) {
  const Poly p = body(atom(m.factors[f]));
  if (p.empty()) return std::nullopt;
  const std::size_t lead = leading_term(p);
  if (p.size() > 1) cuts_.inverse_lead_was_a_choice = true;
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

Normalizer::Results Normalizer::inverses_of_blocks(const Monomial& m) {
  const auto in_blocks = [&](const Factor& x) {
    const Atom& a = atom(x);
    const auto divided = [&](const Index& e) { return e.as_symbol() && arena_.symbol(*e.as_symbol()).kind >= SymbolKind::quotient; };
    return a.kind == AtomKind::at_least || (a.kind == AtomKind::entry && std::any_of(a.indices.begin(), a.indices.end(), divided));
  };
  for (std::size_t f = 0; f < m.factors.size(); ++f) {
    if (atom(m.factors[f]).kind != AtomKind::inverse) continue;
    const Poly p = body(atom(m.factors[f]));
    const bool blocks = std::any_of(p.begin(), p.end(), [&](const Monomial& t) { return std::any_of(t.factors.begin(), t.factors.end(), in_blocks); });
    if (!blocks) continue;
    if (auto r = inverse(m, f)) return r;
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::tensors(const Monomial& m) {
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

Normalizer::Results Normalizer::select(const Monomial& m, std::size_t f, const Atom& a) {
  if (a.kind != AtomKind::apply && a.kind != AtomKind::base && a.kind != AtomKind::maximum) return std::nullopt;
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

}  // namespace foldproof::normal
