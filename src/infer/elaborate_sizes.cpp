// SPDX-License-Identifier: MIT
// Equations between sizes: those that assumptions give, those that shape rules ask for, and those that have more than one
// solution, which wait until everything else is known. Part of the trusted base.
#include <algorithm>
#include <numeric>

#include "infer/elaborator.hpp"
#include "infer/is_operator.hpp"

namespace foldproof::infer {
namespace {

std::size_t unknowns(const Dim& d) {
  std::vector<std::string> names;
  expr::collect_names(d, names);
  return static_cast<std::size_t>(std::count_if(names.begin(), names.end(), Sizes::is_unknown));
}

/// Whether a product of sizes of which one is unknown occurs.
bool unknown_product(const Dim& d) {
  return std::any_of(d.summands().begin(), d.summands().end(), [](const auto& m) {
    return m.product.size() > 1 && std::any_of(m.product.begin(), m.product.end(), [](const auto& s) { return Sizes::is_unknown(s.name); });
  });
}

std::vector<Dim> symbols(const Dim::Product& product) {
  std::vector<Dim> result;
  for (const auto& s : product) result.push_back(Dim::symbol(s));
  return result;
}

}  // namespace

std::string Elaborator::new_size() {
  for (std::size_t next = 0;; ++next) {
    static constexpr const char* pool[] = {"q", "p", "r", "s", "t", "u", "v", "w"};
    const std::string name = next < std::size(pool) ? pool[next] : "q" + std::to_string(next);
    if (!taken(name)) return *made_sizes_.insert(name).first;
  }
}

bool Elaborator::taken(const std::string& name) const {
  const bool defined = std::any_of(claim_.definitions.begin(), claim_.definitions.end(), [&](const auto& d) { return d.name == name; });  // also further on
  return names_.sizes.count(name) || by_name_.count(name) || defined || used_indices_.count(name) || made_sizes_.count(name);
}

void Elaborator::define_sizes() {
  const auto is_remainder = [](const Expression& e) { return e->kind == SyntaxKind::modulo; };
  bool learned = true;
  while (learned) {  // h*k == d is an equation for k once h == 32 and d == 4096 are known
    learned = false;
    undefined_relations_.clear();
    for (const bool remainders : {false, true}) {  // d % 2 == 0 after d == h*k
      for (const auto& a : claim_.assumptions) {
        if (!is_size_relation(a) || *a.relation != expr::Relation::equal || (is_remainder(a.lhs) || is_remainder(a.rhs)) != remainders) continue;
        learned |= define_size(a);
      }
    }
  }
}

bool Elaborator::define_size(const expr::Assumption& a) {
  const Dim x = resolve(size(a.lhs));
  const Dim y = resolve(size(a.rhs));
  const Dim difference = x - y;
  if (difference.is_zero()) return false;
  std::vector<std::string> named;
  expr::collect_names(difference, named);
  bool vacuous = difference.constant().has_value();
  const bool defined = !vacuous && (define_by(x, y) || define_by(y, x) || define_by_difference(difference) || define_by_ratio(difference) || define_by_remainder(x, y) || define_by_remainder(y, x));
  if (!defined) undefined_relations_.push_back(&a);
  for (const auto& name : named) {
    const auto n = resolve(expr::dim(name)).constant();
    vacuous = vacuous || (n && *n < 1);
  }
  if (vacuous) expr::fail("assume.vacuous", "`" + expr::text(a) + "` holds for no sizes, which are at least 1", a.span, "a claim without instances says nothing");
  return defined;
}

bool Elaborator::define_by(const Dim& x, const Dim& y) {
  const auto s = x.as_symbol();
  return s && !s->division && sizes_.define(s->name, y);
}

bool Elaborator::define_by_difference(const Dim& difference) {
  for (std::size_t k = difference.summands().size(); k-- > 0;) {
    const auto& summand = difference.summands()[k];
    if (summand.product.size() != 1 || (summand.coefficient != 1 && summand.coefficient != -1) || summand.product[0].division) continue;
    const Dim rest = difference - Dim::symbol(summand.product[0]) * Dim(summand.coefficient);
    if (sizes_.define(summand.product[0].name, summand.coefficient == 1 ? -rest : rest)) return true;
  }
  for (const auto& summand : difference.summands()) {  // 2*p == 4
    if (summand.product.size() != 1 || summand.product[0].division) continue;
    const Dim rest = Dim::symbol(summand.product[0]) * Dim(summand.coefficient) - difference;
    const auto quotient = rest.constant() ? rest.divide(Dim(summand.coefficient)) : std::nullopt;
    if (quotient && sizes_.define(summand.product[0].name, *quotient)) return true;
  }
  return false;
}

bool Elaborator::define_by_ratio(const Dim& difference) {
  const auto& parts = difference.summands();
  const auto plain = [](const auto& m) { return m.product.size() == 1 && !m.product[0].division && !expr::is_rank(m.product[0].name); };
  if (parts.size() != 2 || !plain(parts[0]) || !plain(parts[1])) return false;
  const std::int64_t a = parts[0].coefficient, b = parts[1].coefficient;
  if ((a < 0) == (b < 0)) return false;
  // 3*f == 8*d says f == 8*q, d == 3*q.
  const std::int64_t common = std::gcd(a, b);
  const Dim unit = expr::dim(new_size());
  return sizes_.define(parts[0].product[0].name, Dim((b < 0 ? -b : b) / common) * unit) && sizes_.define(parts[1].product[0].name, Dim((a < 0 ? -a : a) / common) * unit);
}

bool Elaborator::define_by_remainder(const Dim& x, const Dim& y) {
  const auto s = x.as_symbol();
  const auto rest = y.constant();
  if (!s || !s->division || !s->division->remainder || !rest || *rest < 0) return false;
  const auto divided = s->division->numerator.as_symbol();
  const Dim by = s->division->denominator;
  const auto number = by.constant();
  const bool positive = std::all_of(by.summands().begin(), by.summands().end(), [](const auto& m) { return m.coefficient > 0; });  // 6 % -3 == 0 says nothing of k - m
  if (!divided || divided->division || !positive || (*rest > 0 && (!number || *rest >= *number))) return false;
  // d % h == 0 says d == h*q; d % 3 == 1 says d == 3*q - 2: q counts from 1, as every size does.
  const Dim value = by * expr::dim(new_size()) + (*rest > 0 ? Dim(*rest) - by : Dim(0));
  return sizes_.define(divided->name, value);
}

bool Elaborator::make_even(const Dim& d) {
  const Dim size = resolve(d);
  if (size.divide(Dim(2))) return true;
  const auto s = size.as_symbol();
  if (!s || s->division || used_indices_.count(s->name) || expr::is_rank(s->name)) return false;
  return sizes_.define(s->name, Dim(2) * (Sizes::is_unknown(s->name) ? sizes_.fresh() : expr::dim(new_size())));
}

void Elaborator::require_double(const Dim& width, const Dim& pairs, std::span<const int> operands, const char* why) {
  if (unify(width, Dim(2) * pairs)) return;
  const auto s = resolve(width).as_symbol();
  std::vector<std::string> inside;
  expr::collect_names(resolve(pairs), inside);
  if (s && !s->division && !used_indices_.count(s->name) && !expr::is_rank(s->name)) {
    if (std::find(inside.begin(), inside.end(), s->name) == inside.end()) {
      if (sizes_.define(s->name, Dim(2) * pairs)) return;
    } else if (make_even(width) && unify(width, Dim(2) * pairs)) {  // pairs is width // 2
      return;
    }
  }
  const auto half = resolve(width).divide(Dim(2));
  const auto made = half ? half->as_symbol() : std::nullopt;  // the width was made even before anything said what half of it is
  if (made && !made->division && made_sizes_.count(made->name) > 0 && std::find(inside.begin(), inside.end(), made->name) == inside.end() && sizes_.define(made->name, pairs)) return;
  conflict(width, Dim(2) * pairs, operands, why);
}

void Elaborator::require_equal(const Dim& a, const Dim& b, std::span<const int> operands, const char* why) {
  const Dim x = resolve(a);
  const Dim y = resolve(b);
  std::vector<std::pair<Term, std::size_t>> first, second;  // operands and axes that have these sizes
  for (const int k : operands) {
    const Term& t = current_args_[static_cast<std::size_t>(k)];
    for (std::size_t axis = 0; axis < t->shape.size(); ++axis) {
      if (resolve(t->shape[axis]) == x) first.emplace_back(t, axis);
      if (resolve(t->shape[axis]) == y) second.emplace_back(t, axis);
    }
  }
  const std::vector<int> shown(operands.begin(), operands.end());
  equate(x, y, first, second, [this, x, y, shown, why] { conflict(x, y, shown, why); });
}

void Elaborator::equate(const Dim& x, const Dim& y, const Places& first, const Places& second, std::function<void()> fail) {
  Postponed p{x, y, {}, {}, current_, current_args_, std::move(fail)};
  const Dim difference = x - y;
  if (unknowns(difference) > 1 || unknown_product(difference)) {
    const auto find = [this](const Places& places) {
      int budget = 100;
      for (const auto& [t, axis] : places) {
        if (Parts found = parts(t, axis, budget); !found.sizes.empty()) return found;
      }
      return Parts{};
    };
    p.left = find(first);
    p.right = find(second);
    if (aligned(p) && !p.left.product) return postponed_.push_back(std::move(p));
  }
  if (unify(x, y)) return;
  if (unknown_product(difference)) return postponed_.push_back(std::move(p));
  if (!divide_evenly(difference)) p.fail();
}

/// n*d == n*h*(d//h) says d % h == 0; (h - 1)*d == (h - 1)*2*(d//2) need not, where h - 1 may be 0.
bool Elaborator::divide_evenly(const Dim& difference) {
  const Sizes before = sizes_;
  for (const auto& summand : difference.summands()) {
    for (const auto& s : summand.product) {
      if (!s.division || s.division->remainder) continue;
      const auto times = difference.divide(s.division->numerator - s.division->denominator * Dim::symbol(s));
      const bool positive = times && times->summands().size() == 1 && std::none_of(times->summands()[0].product.begin(), times->summands()[0].product.end(), [&](const auto& t) { return t.division != nullptr || expr::is_rank(t.name) || used_indices_.count(t.name) > 0; });
      if (!positive) continue;
      if (define_by_remainder(expr::modulo(s.division->numerator, s.division->denominator), 0) && resolve(difference).is_zero()) return true;
      sizes_ = before;
    }
  }
  return false;
}

Elaborator::Parts Elaborator::parts(const Term& t, std::size_t axis, int& budget) const {
  if (t->kind != TermKind::apply || --budget < 0) return {};
  const auto along = [axis](const Term& x) { return x->shape[axis]; };
  if (is<expr::ops::Transpose>(t)) return parts(t->args[0], t->shape.size() - 1 - axis, budget);
  if (is<expr::ops::Kron>(t) || (is<expr::ops::RowKron>(t) && axis == 1)) return {{along(t->args[0]), along(t->args[1])}, true};
  if (is<expr::ops::Vec>(t) && axis == 0) return {{t->args[0]->shape[1], t->args[0]->shape[0]}, true};
  if ((is<expr::ops::Concat>(t) || is<expr::ops::Vstack>(t)) && static_cast<std::size_t>(t->call.axis) == axis) {
    Parts result;
    for (const Term& a : t->args) result.sizes.push_back(along(a));
    return result;
  }
  for (const Term& a : t->args) {
    if (a->shape.size() != t->shape.size() || resolve(along(a)) != resolve(along(t))) continue;
    if (Parts inside = parts(a, axis, budget); !inside.sizes.empty()) return inside;
  }
  return {};
}

bool Elaborator::aligned(const Postponed& p) { return p.left.sizes.size() > 1 && p.left.sizes.size() == p.right.sizes.size() && p.left.product == p.right.product; }

bool Elaborator::pairwise(const Postponed& p, const std::vector<Dim>& left, const std::vector<Dim>& right) {
  const Sizes before = sizes_;
  bool fits = left.size() == right.size();
  for (std::size_t k = 0; fits && k < left.size(); ++k) fits = unify(left[k], right[k]);
  if (fits && (resolve(p.a) - resolve(p.b)).is_zero()) return true;
  sizes_ = before;
  return false;
}

void Elaborator::note_walk(const Dim& extent, const Dim& stop) {
  const auto axis = extent.as_symbol();
  if (!axis || !Sizes::is_unknown(axis->name)) return;
  Dim end = stop;
  for (bool found = true; found;) {
    found = false;
    std::vector<std::string> names;
    expr::collect_names(end, names);
    for (const std::string& name : names) {
      const auto range = index_range_.find(name);
      if (range == index_range_.end()) continue;
      const auto at = [&](const Dim& place) { return expr::substitute(end, {{name, place}}); };
      const Dim slope = at(1) - at(0);
      const bool grows = !slope.is_zero() && std::all_of(slope.summands().begin(), slope.summands().end(), [](const auto& m) { return m.coefficient > 0; });
      if (!grows || end - at(0) != slope * expr::dim(name)) return;
      end = at(range->second - Dim(1));
      found = true;
    }
  }
  if (end != stop) walks_.emplace_back(extent, end);
}

void Elaborator::end_walks() {
  for (const auto& [extent, end] : walks_) {
    const auto axis = resolve(extent).as_symbol();
    if (!axis || !Sizes::is_unknown(axis->name)) continue;
    Dim farthest = resolve(end);
    for (const auto& [other, stop] : walks_) {
      if (resolve(other) != resolve(extent)) continue;
      const Dim further = resolve(stop) - farthest;
      if (!further.is_zero() && std::all_of(further.summands().begin(), further.summands().end(), [](const auto& m) { return m.coefficient > 0; })) farthest = resolve(stop);
    }
    std::vector<std::string> names;
    expr::collect_names(farthest, names);
    const bool short_of = std::any_of(farthest.summands().begin(), farthest.summands().end(), [](const auto& m) { return m.coefficient < 0; });  // range(n - 1) leaves a row out
    if (!short_of && std::find(names.begin(), names.end(), axis->name) == names.end()) sizes_.define(axis->name, farthest);
  }
}

void Elaborator::settle() {
  while (!postponed_.empty()) {
    bool learned = false;
    for (std::size_t k = 0; k < postponed_.size(); ++k) {  // what has one solution only
      Postponed& p = postponed_[k];
      const Dim difference = Sizes::primitive(resolve(p.a) - resolve(p.b));
      current_ = p.at;
      current_args_ = p.args;
      if (unknowns(difference) == 0 && !difference.is_zero()) p.fail();
      const bool forced = unknowns(difference) <= 1 || difference.summands().size() <= 2;
      if (!difference.is_zero() && !(forced && unify(p.a, p.b))) continue;
      postponed_.erase(postponed_.begin() + static_cast<std::ptrdiff_t>(k));
      learned = true;
      break;
    }
    if (!learned) choose();
  }
}

void Elaborator::choose() {
  Postponed p = std::move(postponed_.front());
  postponed_.erase(postponed_.begin());
  current_ = p.at;
  current_args_ = p.args;
  if (aligned(p) && pairwise(p, p.left.sizes, p.right.sizes)) return;
  const Dim difference = Sizes::primitive(resolve(p.a) - resolve(p.b));
  const auto& s = difference.summands();
  if (s.size() == 2 && s[0].coefficient == -s[1].coefficient && pairwise(p, symbols(s[0].product), symbols(s[1].product))) return;
  if (!unify(p.a, p.b)) p.fail();
}

}  // namespace foldproof::infer
