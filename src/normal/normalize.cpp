// SPDX-License-Identifier: MIT
// Runs the strategy: bodies first, then one law after the other, until a monomial is in normal form.
#include "normal/normalizer.hpp"

namespace foldproof::normal {

Poly Normalizer::run(const Poly& p) {
  if (theory_.bodies >= kernel::deepest_body) throw expr::LimitReached("functions within each other, more than " + std::to_string(kernel::deepest_body) + " deep");
  const Poly own = arena_.with_own_names(p);
  std::vector<Monomial> stack(own.rbegin(), own.rend());
  Poly done;
  while (!stack.empty()) {
    Monomial m = std::move(stack.back());
    stack.pop_back();
    if (auto results = step(m)) {
      stack.insert(stack.end(), results->rbegin(), results->rend());
      if (stack.size() > arena_.limit) throw expr::LimitReached("more than " + std::to_string(arena_.limit) + " monomials");
    } else {
      done.push_back(keep(std::move(m)));
    }
  }
  Poly result = arena_.collect(std::move(done));
  normal_.insert(arena_.intern(result));
  return result;
}

Normalizer::Results Normalizer::attempt(const Monomial& m, Law law, Args args, const expr::Dim& size, bool downwards) {
  Step s{law, std::move(args), size};
  const auto mark = arena_.mark();
  const std::size_t tensors = arena_.tensor_count();
  try {
    auto results = kernel::apply(theory_, m, s);
    if (downwards && (results.size() != 1 || place(results[0]) >= place(m))) throw kernel::Reject("not downwards");
    if (law == Law::axiom && results.size() == 1 && results[0] == m) throw kernel::Reject("nothing changes");  // b[0] by b[j] == b[0]
    record(std::move(s));
    return results;
  } catch (const kernel::Reject&) {
    expr::invariant(arena_.tensor_count() == tensors, "a rejected step left a tensor behind");
    undo(mark, script_.size());
    spend(Limits::trial);
    return std::nullopt;
  }
}

Normalizer::Results Normalizer::attempt_once(const Monomial& m, Law law, const Args& args) {
  const Factor& x = m.factors[static_cast<std::size_t>(args[0])];
  const std::tuple key{x.atom, x.exponent, law, Args(args.begin() + 1, args.end())};
  if (futile_.count(key) > 0) return std::nullopt;
  auto results = attempt(m, law, args);
  if (!results) futile_.insert(key);
  return results;
}

void Normalizer::undo(const Arena::Mark& mark, std::size_t steps) {
  script_.resize(steps);
  arena_.rollback(mark);
  shapes_.erase(shapes_.lower_bound(static_cast<AtomId>(mark.atoms)), shapes_.end());
  open_comparisons_.erase(open_comparisons_.lower_bound({static_cast<AtomId>(mark.atoms)}), open_comparisons_.end());
  futile_.erase(std::find_if(futile_.begin(), futile_.end(), [&](const auto& key) { return std::get<0>(key) >= static_cast<AtomId>(mark.atoms); }), futile_.end());
  weights_.erase(weights_.lower_bound(static_cast<AtomId>(mark.atoms)), weights_.end());
  masks_.erase(masks_.lower_bound(static_cast<PolyId>(mark.polys)), masks_.end());
  ties_.erase(ties_.lower_bound(static_cast<PolyId>(mark.polys)), ties_.end());
  normal_.erase(normal_.lower_bound(static_cast<PolyId>(mark.polys)), normal_.end());
}

std::size_t Normalizer::weight(const Monomial& m) {
  std::size_t sum = 1;
  for (const Factor& f : m.factors) {
    const PolyId id = atom(f).body;
    if (const auto known = weights_.find(f.atom); known != weights_.end()) {
      sum += known->second;
      continue;
    }
    std::size_t one = 1;
    if (id >= 0) {
      for (const Monomial& t : arena_.poly(id)) one = std::min(one + weight(t), limits_.effort());
    }
    weights_[f.atom] = one;
    sum += one;
  }
  return std::min(sum * (1 + m.variables.size()), limits_.effort());
}

void Limits::spend(std::size_t more) const {
  spent += more;
  if (spent > effort()) throw expr::LimitReached("more than " + std::to_string(effort() / trial) + " trials of laws, or as much work on large bodies");
  Allowance::spend(more);
}

namespace {
thread_local Allowance* innermost = nullptr;
}  // namespace

Allowance::Allowance(std::size_t limit) : limit_(limit), outer_(innermost) { innermost = this; }
Allowance::~Allowance() { innermost = outer_; }
void Allowance::spend(std::size_t more) {
  for (Allowance* a = innermost; a != nullptr; a = a->outer_) {
    a->spent_ += more;
    if (a->spent_ > a->limit_) throw expr::LimitReached("more than " + std::to_string(a->limit_ / Limits::trial) + " trials of laws in all claims that lead to this one");
  }
}

void Normalizer::spend(std::size_t effort) { limits_.spend(effort); }

std::vector<std::int64_t> Normalizer::canonical(const Monomial& m, const Colours& free) {
  std::size_t tried = 1;
  auto r = canonical_order(arena_, m, free, tried);
  spend(10 * tried * weight(m));
  return r;
}

Normalizer::Results Normalizer::step(const Monomial& m) {
  spend(Limits::trial + weight(m));
  if (cuts_.as_written) return std::nullopt;
  if (auto r = bodies(m)) return r;
  if (auto r = inverses_of_blocks(m)) return r;
  if (auto r = comparisons(m)) return r;
  if (auto r = cut(m)) return r;
  if (auto r = functions(m)) return r;
  if (auto r = guarded(m)) return r;
  if (auto r = reciprocals(m)) return r;
  if (auto r = tensors(m)) return r;
  if (auto r = equations(m)) return r;
  if (auto r = inverses_of_skew(m, 2)) return r;
  if (arena_.any_symmetric()) {
    if (auto r = equations_of_symmetric(m, 0, 2)) return r;
  }
  if (auto r = symmetric_inverses(m)) return r;
  if (const auto half = std::find(halves_.begin(), halves_.end(), m); half != halves_.end()) {
    halves_.erase(half);
    return std::nullopt;
  }
  if (auto r = mirrored(m)) return r;
  if (auto r = turned(m)) return r;  // when the rest has its form, by which it is told which comes first
  for (std::size_t v = 0; v < m.variables.size(); ++v) {
    if (!arena_.mentions(m, m.variables[v])) return attempt(m, Law::count, {at(v)});
    const auto compares = [&](const Factor& f) { return kernel::is_comparison(atom(f).kind); };
    // Entries say which way a sum goes: a comparison has two forms, with one sign of the variable and with the other.
    const bool has_entries = std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) { return !compares(f) && arena_.mentions(f.atom, m.variables[v]); });
    const auto backwards = [&](const Factor& f) { return (has_entries && compares(f)) || runs_backwards(f.atom, m.variables[v]); };
    if (std::all_of(m.factors.begin(), m.factors.end(), backwards)) return attempt(m, Law::reverse, {at(v)});
    if (std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) { return atom(f).kind == AtomKind::entry && arena_.mentions(f.atom, m.variables[v]) && backwards(f); })) {
      if (auto r = attempt(m, Law::reverse, {at(v)}, {}, true)) return r;  // A[n-1-i] B[i] or A[i] B[n-1-i]
    }
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::bodies(const Monomial& m) {
  for (std::size_t f = 0; f < m.factors.size(); ++f) {
    const PolyId id = atom(m.factors[f]).body;
    if (id < 0 || (normal_.count(id) && binder_is_canonical(atom(m.factors[f])))) continue;
    record({Law::enter, {at(f)}, {}});
    const Poly rewritten = [&] {
      const kernel::InBody inside(theory_, m, f);
      return run(Poly(arena_.poly(id)));
    }();
    record({Law::leave, {}, {}});
    auto results = kernel::replace_body(theory_, m, f, rewritten);
    for (const Monomial& r : results) {  // the binder of a maximum was renamed, which changes the body but not its form
      for (const Factor& x : r.factors) {
        if (!atom(x).variables.empty()) normal_.insert(atom(x).body);
      }
    }
    return results;
  }
  return std::nullopt;
}

bool Normalizer::binder_is_canonical(const Atom& a) const {
  int height = 0;
  for (const Monomial& t : body(a)) height = std::max(height, arena_.height(t));
  for (std::size_t k = 0; k < a.variables.size(); ++k) {
    const auto& v = arena_.symbol(a.variables[k]);
    if (v.height != height + 1 || v.position != static_cast<int>(k)) return false;
  }
  return true;
}

Monomial Normalizer::keep(Monomial m, Colours colours) {
  const bool named_outside = !colours.empty() && has_tie(arena_, m);
  const auto order = canonical(m, named_outside ? colours : Colours{});
  colour(m, order, 1000 * (1 + colours.size()), colours);  // what is bound outside comes first
  m = orient_bodies(orient_symmetric(std::move(m), colours), colours);  // which keeps the variables, so the order still stands
  record({Law::keep, order, {}});
  return kernel::rename(theory_, m, order);
}

bool Normalizer::wrong_way_round(const Atom& a, const Colours& colours) const {
  if (!is_symmetric(a)) return false;
  const auto rank = [&](const Index& e) {  // what the atom around binds has no colour, but a place among its variables
    const auto v = e.as_symbol();
    const auto c = v ? colours.find(*v) : colours.end();
    return c != colours.end() ? std::tuple{c->second, 0, Symbol{0}} : std::tuple{std::uint64_t{0}, v ? arena_.symbol(*v).position : -1, v.value_or(-1)};
  };
  return rank(a.indices[a.indices.size() - 2]) > rank(a.indices.back());
}

bool Normalizer::holds_wrong_way_round(const Poly& p, const Colours& colours) const {
  return std::any_of(p.begin(), p.end(), [&](const Monomial& t) {
    return std::any_of(t.factors.begin(), t.factors.end(), [&](const Factor& f) { return wrong_way_round(atom(f), colours) || (atom(f).body >= 0 && holds_wrong_way_round(body(atom(f)), colours)); });
  });
}

Monomial Normalizer::orient_symmetric(Monomial m, const Colours& colours) {
  for (std::size_t f = 0; f < m.factors.size(); ++f) {
    if (!wrong_way_round(atom(m.factors[f]), colours)) continue;
    if (auto r = attempt(m, Law::swap, {at(f)})) {
      m = r->front();
      f = static_cast<std::size_t>(-1);  // positions moved: look again from the start
    }
  }
  return m;
}

bool Normalizer::ties(PolyId id) {
  if (const auto known = ties_.find(id); known != ties_.end()) return known->second;
  const Poly& p = arena_.poly(id);
  const bool any = std::any_of(p.begin(), p.end(), [&](const Monomial& t) {
    return has_tie(arena_, t) || std::any_of(t.factors.begin(), t.factors.end(), [&](const Factor& f) { return atom(f).body >= 0 && ties(atom(f).body); });
  });
  ties_[id] = any;
  return any;
}

Monomial Normalizer::orient_bodies(Monomial m, const Colours& colours) {
  const auto before = m.factors;
  for (const Factor& x : before) {
    const PolyId id = atom(x).body;
    if (id < 0) continue;
    const bool turned_round = arena_.any_symmetric() && holds_wrong_way_round(arena_.poly(id), colours);
    if (!turned_round && (colours.size() < 2 || !ties(id))) continue;
    const auto f = static_cast<std::size_t>(std::find(m.factors.begin(), m.factors.end(), x) - m.factors.begin());
    if (f == m.factors.size()) continue;  // it became another one that was there already
    record({Law::enter, {at(f)}, {}});
    Poly turned;
    {
      const kernel::InBody inside(theory_, m, f);
      for (const Monomial& t : arena_.with_own_names(Poly(arena_.poly(id)))) turned.push_back(keep(t, colours));
    }
    record({Law::leave, {}, {}});
    m = kernel::replace_body(theory_, m, f, arena_.collect(std::move(turned))).at(0);
  }
  return m;
}

Poly normalize(Theory& theory, const Poly& p, Cuts& cuts, Script& script, const Limits& limits) { return Normalizer(theory, cuts, script, limits).run(p); }

}  // namespace foldproof::normal
