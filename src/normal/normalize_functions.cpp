// SPDX-License-Identifier: MIT
// Functions, powers, inverses and determinants.
#include <numeric>
#include <tuple>

#include "expr/primes.hpp"
#include "normal/normalizer.hpp"

namespace foldproof::normal {

Normalizer::Results Normalizer::functions(const Monomial& m) {
  for (std::size_t f = 0; f < m.factors.size(); ++f) {
    const Atom a = atom(m.factors[f]);
    if (a.body < 0) continue;
    if (auto r = select(m, f, a)) return r;
    if (auto r = inwards(m, f, a)) return r;
    if (a.kind == AtomKind::base) {
      if (auto r = power(m, f, a)) return r;
    } else if (a.kind == AtomKind::maximum) {
      const bool bends = std::any_of(body(a).begin(), body(a).end(), [&](const Monomial& t) { return t.factors.size() == 1 && is(atom(t.factors[0]), Function::abs); });
      if (bends && body(a).size() > 1) {
        if (auto r = attempt(m, Law::magnitude_maximum, {at(f)})) return r;
      }
      const bool constant = std::any_of(body(a).begin(), body(a).end(), [&](const Monomial& t) { return !arena_.mentions(t, a.variables[0]); });
      if (constant || body(a).empty()) {
        if (auto r = attempt(m, Law::shift_maximum, {at(f)})) return r;
      }
      if (auto r = attempt(m, Law::scale_maximum, {at(f)})) return r;
      const auto scaled = [&](const Monomial& t) {  // by something that stays
        return std::any_of(t.factors.begin(), t.factors.end(), [&](const Factor& x) { return !arena_.mentions(x.atom, a.variables[0]) && !arena_.binds(t, x.atom); });
      };
      if (body(a).size() > 1 && std::any_of(body(a).begin(), body(a).end(), scaled)) {
        if (auto r = attempt(m, Law::scale_maximum, {at(f), 1})) return r;
      }
      const auto exponentials = body(a).size() != 1 ? 0 : std::count_if(body(a)[0].factors.begin(), body(a)[0].factors.end(), [&](const Factor& x) { return is(atom(x), Function::exp); });
      if (exponentials > 1) {
        if (auto r = attempt(m, Law::product_maximum, {at(f)})) return r;
      }
      if (const auto points = cuts_.splits.find(arena_.symbol(a.variables[0]).range); points != cuts_.splits.end()) {
        for (const Index& point : in_order(points->second, body(a), a.variables[0])) {
          if (auto r = attempt(m, Law::split_maximum, {at(f)}, *as_dim(point))) return r;
        }
      }
      const Index range = arena_.symbol(a.variables[0]).range;
      if (const auto number = range.constant(); number && *number > 1 && cuts_.unrolled.count(range) > 0) {  // max(max(x[0], x[1]), x[2]), as it is written
        cuts_.unrolled.insert(range - Index(1));
        if (auto r = attempt(m, Law::split_maximum, {at(f)}, expr::Dim(*number - 1))) return r;
      }
      const auto half = cuts_.pairs.find(range);
      if (const auto size = half == cuts_.pairs.end() ? std::nullopt : as_dim(half->second)) {
        if (auto r = attempt(m, Law::pair_maximum, {at(f)}, *size)) return r;
      }
    } else if (a.kind == AtomKind::inverse) {
      if (auto r = inverse_form(m, f, a)) return r;
    } else if (a.kind == AtomKind::determinant) {
      if (auto r = determinant_form(m, f, a)) return r;
    } else if (a.kind == AtomKind::left_factor) {
      for (std::size_t g = 0; g < m.factors.size(); ++g) {
        if (atom(m.factors[g]).kind != AtomKind::right_factor) continue;
        if (auto r = attempt(m, Law::factorize, {at(f), at(g)})) return r;
      }
    } else if (a.kind == AtomKind::apply) {
      if (auto r = function(m, f, a)) return r;
    }
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::inwards(const Monomial& m, std::size_t f, const Atom& a) {
  const auto is_maximum = [&](const Monomial& t) { return t.variables.empty() && t.factors.size() == 1 && atom(t.factors[0]).kind == AtomKind::maximum; };
  const bool power = a.kind == AtomKind::maximum && !m.factors[f].exponent.is_one();
  const bool affine = (a.kind == AtomKind::base || is(a, Function::log)) && std::any_of(body(a).begin(), body(a).end(), is_maximum);
  if (!power && !affine) return std::nullopt;
  cuts_.inwards.arose = true;
  return cuts_.inwards.second ? attempt(m, Law::power_maximum, {at(f)}) : std::nullopt;
}

Normalizer::Results Normalizer::inverse_form(const Monomial& m, std::size_t f, const Atom& a) {
  if (auto r = attempt(m, Law::inverse_diagonal, {at(f)})) return r;
  if (auto r = attempt(m, Law::inverse_orthogonal, {at(f)})) return r;
  const Poly p = body(a);
  const Symbol u = a.variables[0];
  if (better_turned(a)) return attempt(m, Law::inverse_transpose, {at(f)});
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

bool Normalizer::better_turned(const Atom& a) {
  const Symbol u = a.variables[0], v = a.variables[1];
  const Poly p = body(a);
  if (theory_.usable_axioms == 0) return matrix_hash(p, v, u) < matrix_hash(p, u, v);
  // An assumption S.T == -S gives the turned matrix a form of its own.
  const auto mark = arena_.mark();
  const std::size_t steps = script_.size();
  const Poly turned = run(arena_.substitute(p, {{u, Index::symbol(v)}, {v, Index::symbol(u)}}));
  const bool better = matrix_hash(turned, u, v) < matrix_hash(p, u, v);
  undo(mark, steps);
  return better;
}

bool Normalizer::equals_its_transpose(const Atom& a) const { return matrix_hash(body(a), a.variables[0], a.variables[1]) == matrix_hash(body(a), a.variables[1], a.variables[0]); }

Normalizer::Results Normalizer::determinant_form(const Monomial& m, std::size_t f, const Atom& a) {
  for (const Law law : {Law::determinant_identity, Law::determinant_inverse, Law::determinant_orthogonal, Law::determinant_expand}) {
    if (auto r = attempt(m, law, {at(f)})) return r;
  }
  const Poly p = body(a);
  if (better_turned(a)) return attempt(m, Law::determinant_transpose, {at(f)});
  if (p.size() == 2) return exchanged(m, f, a);
  if (p.size() != 1) return std::nullopt;
  for (std::size_t k = 0; k < p[0].variables.size(); ++k) {
    Args args{at(f), at(k)};
    for (const std::size_t g : reachable(p[0], a.variables[0], p[0].variables[k])) args.push_back(at(g));
    if (auto r = attempt(m, Law::determinant_product, args)) return r;
  }
  return std::nullopt;
}

/// det(1 + A B) as det(1 + B A), where that is smaller or, of two of one size, the first in some order.
Normalizer::Results Normalizer::exchanged(const Monomial& m, std::size_t f, const Atom& a) {
  const Poly p = body(a);
  const Symbol u = a.variables[0], v = a.variables[1];
  const auto is_identity = [&](const Monomial& t) { return t.factors.size() == 1 && atom(t.factors[0]).kind == AtomKind::equal; };
  const Monomial& t = is_identity(p[0]) ? p[1] : p[0];
  const auto first_hash = [&](const Atom& x) { return std::min(matrix_hash(body(x), x.variables[0], x.variables[1]), matrix_hash(body(x), x.variables[1], x.variables[0])); };
  const auto is_better = [&](const Results& r) {
    const auto found = std::find_if((*r)[0].factors.begin(), (*r)[0].factors.end(), [&](const Factor& x) { return atom(x).kind == AtomKind::determinant && !std::count(m.factors.begin(), m.factors.end(), x); });
    if (found == (*r)[0].factors.end()) return true;  // a number
    const Atom other = atom(*found);
    const Index before = arena_.symbol(u).range, after = arena_.symbol(other.variables[0]).range;
    return after != before ? after < before : first_hash(other) < first_hash(a);
  };
  Monomial::Variables cuts = t.variables;
  cuts.push_back(v);  // a column times a row is cut nowhere
  for (const Symbol cut : cuts) {
    Args args{at(f)};
    for (const std::size_t g : reachable(t, u, cut)) args.push_back(at(g));
    const auto mark = arena_.mark();
    const std::size_t steps = script_.size();
    auto r = attempt(m, Law::determinant_exchange, args);
    if (r && is_better(r)) return r;
    if (r) undo(mark, steps);
  }
  return std::nullopt;
}

std::vector<std::size_t> Normalizer::reachable(const Monomial& t, Symbol u, Symbol cut) const {
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

bool Normalizer::is_unit_exponential(const Poly& p) const {
  if (p.size() != 1 || !p[0].coefficient.is_one()) return false;
  const bool logarithm = p[0].variables.empty() && p[0].factors.size() == 1 && p[0].factors[0].exponent.is_one() && is(atom(p[0].factors[0]), Function::log);
  return !logarithm && arena_.minus_infinity(p[0]) == nullptr;
}

Normalizer::Results Normalizer::function(const Monomial& m, std::size_t f, const Atom& a) {
  const Poly p = body(a);
  switch (static_cast<Function>(a.name)) {
    case Function::exp:
      if (!is_unit_exponential(p)) return attempt(m, Law::exp_sum, {at(f)});
      return std::any_of(p[0].factors.begin(), p[0].factors.end(), [&](const Factor& x) { return atom(x).kind == AtomKind::maximum; }) ? attempt(m, Law::exp_maximum, {at(f)}) : std::nullopt;
    case Function::log:
      if (auto r = attempt(m, Law::logarithm, {at(f)})) return r;
      if (p.size() == 1 && p[0].factors.size() == 1 && atom(p[0].factors[0]).kind == AtomKind::maximum) return attempt(m, Law::exp_maximum, {at(f)});
      if (p.empty() || (p.size() == 1 && p[0].variables.empty())) return std::nullopt;
      if (auto r = attempt(m, Law::content, {at(f), 0})) return r;
      return leading_sign(p) < 0 ? attempt(m, Law::content, {at(f), 1}) : std::nullopt;
    case Function::abs:
      if (auto r = attempt(m, Law::absolute, {at(f)})) return r;
      for (std::size_t s = 0; s < theory_.signs.size(); ++s) {
        if (auto r = attempt(m, Law::signed_body, {at(f), at(s)})) return r;
      }
      return p.size() < 2 && (p.empty() || p[0].variables.empty()) ? std::nullopt : attempt(m, Law::content, {at(f), leading_sign(p) < 0 ? 1 : 0});
    case Function::normal_cdf: return !p.empty() && leading_sign(p) < 0 ? attempt(m, Law::reflect, {at(f)}) : std::nullopt;
    case Function::sin:
    case Function::cos:
      if (cuts_.products.second && !cuts_.multiple.second) return product_of_angles(m, f, p);
      if (p.size() > 1) cuts_.products.arose = true;
      if (!p.empty() && p.size() == 1 && p[0].coefficient.sign() < 0) return attempt(m, Law::reflect, {at(f)});
      if (p.size() != 1) {
        if (auto r = attempt(m, Law::angle, {at(f)})) return r;
      } else if (!p[0].coefficient.is_one()) {
        cuts_.products.arose = true;  // cos(7x/4) cos(3x/4), sin(x/2)^2
        cuts_.multiple.arose = cuts_.multiple.arose || p[0].coefficient.is_integer();
        if (auto r = cuts_.multiple.second ? attempt(m, Law::angle, {at(f)}) : std::nullopt) return r;
      }
      return m.factors[f].exponent >= Rational(2) ? attempt(m, Law::pythagoras, {at(f)}) : std::nullopt;
    case Function::negative_infinity_unless: return p.size() == 1 && p[0].factors.size() != 1 ? attempt(m, Law::logarithm, {at(f)}) : std::nullopt;
  }
  return std::nullopt;
}

Normalizer::Results Normalizer::product_of_angles(const Monomial& m, std::size_t f, const Poly& p) {
  if (p.empty()) return attempt(m, Law::angle, {at(f)});
  if (leading_sign(p) < 0) return attempt(m, Law::reflect, {at(f)});
  if (m.factors[f].exponent >= Rational(2)) return attempt(m, Law::angle_product, {at(f), at(f)});
  for (std::size_t g = 0; g < m.factors.size(); ++g) {
    const bool angle = g != f && (is(atom(m.factors[g]), Function::sin) || is(atom(m.factors[g]), Function::cos));
    if (auto r = angle ? attempt(m, Law::angle_product, {at(f), at(g)}) : std::nullopt) return r;
  }
  return std::nullopt;
}

bool Normalizer::is_within(std::uint64_t term, const Poly& p) const {
  const auto holds = [&](const Monomial& t) { return hash(arena_, t, {}) == term || is_within(term, {t}); };
  return std::any_of(p.begin(), p.end(), [&](const Monomial& t) {
    return std::any_of(t.factors.begin(), t.factors.end(), [&](const Factor& f) { return atom(f).body >= 0 && std::any_of(body(atom(f)).begin(), body(atom(f)).end(), holds); });
  });
}

std::size_t Normalizer::leading_term(const Poly& p) const {
  std::size_t best = 0;
  const auto is_identity = [&](const Monomial& t) { return t.factors.size() == 1 && atom(t.factors[0]).kind == AtomKind::equal; };  // A goes before eye(n)
  std::tuple<bool, std::size_t, bool, Rational, std::uint64_t> best_key;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const std::uint64_t structure = hash(arena_, p[k], {});
    const std::uint64_t shuffled = cuts_.lead_seed == Cuts::reversed ? ~structure : (structure + cuts_.lead_seed) * (2 * cuts_.lead_seed + 1) % 1000003;
    const Rational degree = std::accumulate(p[k].factors.begin(), p[k].factors.end(), Rational(0), [](const Rational& sum, const Factor& f) { return sum + f.exponent; });
    // M |z| = (z + |z|)/2 would put |z| into |z| without an end, for a sum z.
    const std::tuple key{!is_within(structure, p), cuts_.lead_seed == 0 ? p[k].factors.size() + p[k].variables.size() : shuffled, !is_identity(p[k]), degree, structure};
    if (k == 0 || key > best_key) {
      best = k;
      best_key = key;
    }
  }
  return best;
}

Normalizer::Results Normalizer::power(const Monomial& m, std::size_t f, const Atom& a) {
  const Poly p = body(a);
  const Rational q = m.factors[f].exponent;
  if (q >= Rational(1)) return attempt(m, Law::expand, {at(f)});
  if (p.empty()) return q.sign() > 0 ? attempt(m, Law::distribute, {at(f)}) : std::nullopt;
  if (p.size() == 1 && p[0].variables.empty()) {
    const bool prime = !q.is_integer() && p[0].factors.empty() && q.sign() > 0;  // sqrt(2) stays
    return prime && p[0].coefficient.is_integer() && is_squarefree_prime(p[0].coefficient) ? std::nullopt : attempt_once(m, Law::distribute, {at(f)});
  }
  if (auto r = attempt_once(m, Law::content, {at(f), q.is_integer() && leading_sign(p) < 0 ? 1 : 0})) return r;
  return p.size() == 1 ? attempt_once(m, Law::distribute, {at(f)}) : product(m, f, p);
}

Normalizer::Results Normalizer::product(const Monomial& m, std::size_t f, const Poly& p) {
  const auto bound = [](const Monomial& t) { return !t.variables.empty(); };
  const bool sums = std::any_of(p.begin(), p.end(), bound);
  if (auto r = product_with(m, f, p, 0, sums)) return r;
  const auto size = [&](const Monomial& t) { return std::any_of(t.factors.begin(), t.factors.end(), [&](const Factor& x) { return atom(x).kind == AtomKind::size; }); };
  if (!sums || std::none_of(p.begin(), p.end(), size)) return std::nullopt;
  const auto added = std::find_if(p.begin(), p.end(), [](const Monomial& t) { return t.coefficient.sign() > 0; });
  return added == p.end() ? std::nullopt : product_with(m, f, p, p.size() + static_cast<std::size_t>(added - p.begin()), true);  // (a + 1)^2 (n sum x^2 - (sum x)^2)
}

Normalizer::Results Normalizer::product_with(const Monomial& m, std::size_t f, const Poly& p, std::size_t term, bool sums) {
  const Args whole{at(f), at(term)};
  if (m.factors[f].exponent.is_integer()) return sums ? attempt_once(m, Law::sum_factor, whole) : std::nullopt;
  const Poly sum = kernel::sum_factor_of(arena_, p, term);
  std::vector<std::size_t> squares;  // of the terms of a root
  for (std::size_t k = 0; k < sum.size(); ++k) {
    const bool even = std::all_of(sum[k].factors.begin(), sum[k].factors.end(), [](const Factor& x) { return x.exponent.is_integer() && x.exponent.num() % 2 == 0; });
    if (even && sum[k].coefficient.sign() > 0) squares.push_back(k);
  }
  constexpr std::size_t most = 4;
  for (std::size_t chosen = 1; chosen < std::size_t{1} << std::min(squares.size(), most); ++chosen) {
    Args terms;
    for (std::size_t n = 0; n < most; ++n) {
      if ((chosen >> n) & 1) terms.push_back(at(2 * squares[n]));
    }
    if (terms.size() < 2 || sum.size() > terms.size() * (terms.size() + 1) / 2) continue;
    for (std::size_t signs = 0; signs < std::size_t{1} << (terms.size() - 1); ++signs) {
      Args args = whole;
      for (std::size_t n = 0; n < terms.size(); ++n) args.push_back(terms[n] + at((2 * signs >> n) & 1));
      if (auto r = attempt_once(m, Law::sum_factor, args)) return r;
    }
  }
  return sums ? attempt_once(m, Law::sum_factor, whole) : std::nullopt;
}

bool Normalizer::holds_mask(const Poly& p) {
  return std::any_of(p.begin(), p.end(), [&](const Monomial& t) {
    return std::any_of(t.factors.begin(), t.factors.end(), [&](const Factor& x) {
      if (arena_.zero_one(x.atom) || is(atom(x), Function::abs)) return true;
      const PolyId id = atom(x).body;
      if (id < 0) return false;
      const auto known = masks_.find(id);
      if (known != masks_.end()) return known->second;
      const bool holds = holds_mask(arena_.poly(id));
      masks_[id] = holds;
      return holds;
    });
  });
}

Normalizer::Results Normalizer::guarded(const Monomial& m) {
  for (std::size_t f = 0; f < m.factors.size(); ++f) {
    if (atom(m.factors[f]).body < 0 || !holds_mask({Monomial{{}, {m.factors[f]}, 1}})) continue;
    for (std::size_t g = 0; g < m.factors.size(); ++g) {
      if (!arena_.zero_one(m.factors[g].atom)) continue;
      if (auto r = attempt(m, Law::implied, {at(f), at(g)})) return r;
    }
    const std::size_t masks = kernel::masks(arena_, body(atom(m.factors[f]))).size();
    for (std::size_t k = 0; k < masks; ++k) {
      if (auto r = attempt(m, Law::cases, {at(f), at(k)})) return r;
    }
  }
  return std::nullopt;
}

bool Normalizer::is_squarefree_prime(const Rational& c) {
  if (c.num() < 2) return false;
  const auto factors = expr::prime_factors(c.num());
  return factors.size() == 1 && factors[0].second == 1;
}

}  // namespace foldproof::normal
