// SPDX-License-Identifier: MIT
#include "refute/empty_axes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"
#include "expr/operators.hpp"
#include "infer/names.hpp"
#include "infer/visit.hpp"
#include "refute/order.hpp"
#include "refute/screen.hpp"

namespace foldproof::refute {
namespace {

using infer::Term;

/// An axis of a part whose size may be 0.
struct Axis {
  Term part;
  std::size_t place;
  const expr::Dim& size() const { return part->shape[place]; }
};

/// Operands before what is made of them. Sizes that mention an index of a comprehension, or a rank, are left out.
void collect(const infer::Problem& problem, const Term& t, std::set<const infer::TermNode*>& seen, std::vector<Axis>& found) {
  if (!seen.insert(t.get()).second) return;
  for (const Term& a : t->args) collect(problem, a, seen, found);
  for (std::size_t k = 0; k < t->shape.size(); ++k) {
    const expr::Dim& size = t->shape[k];
    const bool positive = std::all_of(size.summands().begin(), size.summands().end(), [](const auto& m) { return m.coefficient > 0 && std::none_of(m.product.begin(), m.product.end(), [](const auto& s) { return s.division != nullptr; }); });
    std::vector<std::string> names;
    expr::collect_names(size, names);
    const bool known = std::all_of(names.begin(), names.end(), [&](const auto& n) { return std::find(problem.dimensions.begin(), problem.dimensions.end(), n) != problem.dimensions.end(); });
    if (positive || !known || names.empty() || expr::mentions_rank(size)) continue;
    if (std::none_of(found.begin(), found.end(), [&](const Axis& a) { return a.size() == size; })) found.push_back({t, k});
  }
}

/// Masks of comparisons, as of x[1:] > 0, stand for what a claim writes, and have no entries where that has none; those that are declared have some.
class AtSizes {
 public:
  AtSizes(const infer::Problem& problem, const expr::DimValues& dims) : problem_(problem), dims_(dims) {}

  /// The problem without the masks that have no entries there, and without what is assumed of nothing.
  infer::Problem without_empty_masks() {
    infer::Problem result = problem_;
    result.lhs = of(problem_.lhs);
    result.rhs = of(problem_.rhs);
    std::erase_if(result.variables, [&](const infer::Variable& v) { return is_empty_mask(v); });
    std::erase_if(result.facts, [&](const infer::Fact& f) {
      std::set<const infer::TermNode*> seen;
      bool of_nothing = false;
      const auto see = [&](const Term& t) { of_nothing = of_nothing || has_no_entries(t->shape); };
      for (const Term& side : {f.lhs, f.rhs}) infer::visit_each(side, seen, see);
      return of_nothing;
    });
    return result;
  }

 private:
  bool has_no_entries(const expr::Shape& shape) const {
    return std::any_of(shape.begin(), shape.end(), [&](const expr::Dim& d) {
      std::vector<std::string> names;
      expr::collect_names(d, names);
      return std::all_of(names.begin(), names.end(), [&](const auto& n) { return dims_.count(n) > 0; }) && expr::evaluate(d, dims_) == 0;
    });
  }
  bool is_empty_mask(const infer::Variable& v) const { return !infer::is_written(v.name) && has_no_entries(v.shape); }

  Term of(const Term& t) {
    if (const auto known = done_.find(t); known != done_.end()) return known->second;
    Term result = t;
    const auto masked = [&](const infer::Variable& v) { return t->kind == infer::TermKind::variable && v.name == t->name && is_empty_mask(v); };
    if (std::any_of(problem_.variables.begin(), problem_.variables.end(), masked)) {
      auto zeros = std::make_shared<infer::TermNode>(*t);
      zeros->kind = infer::TermKind::apply;
      zeros->op = expr::operator_id<expr::ops::Zeros>();
      zeros->call = {};
      zeros->call.sizes = zeros->call.result = t->shape;
      result = zeros;
    } else {
      std::vector<Term> args;
      for (const Term& a : t->args) args.push_back(of(a));
      if (args != t->args) {
        auto changed = std::make_shared<infer::TermNode>(*t);
        changed->args = std::move(args);
        result = changed;
      }
    }
    return done_[t] = result;
  }

  const infer::Problem& problem_;
  const expr::DimValues& dims_;
  std::map<Term, Term> done_;
};

/// Small sizes at which that one is 0: those of the declared variables alone, as parts may be empty.
std::vector<expr::DimValues> where_zero(const infer::Problem& problem, const expr::Dim& size) {
  constexpr std::size_t most = 12;
  infer::Problem bare = problem;
  std::erase_if(bare.variables, [](const infer::Variable& v) { return !infer::is_written(v.name); });
  auto number = std::make_shared<infer::TermNode>();
  number->kind = infer::TermKind::number;
  bare.lhs = bare.rhs = number;
  infer::Fact none;
  none.kind = infer::FactKind::dimension;
  none.relation = expr::Relation::equal;
  none.lhs_size = size;
  bare.facts.push_back(none);
  return shapes_in_order(bare, most);
}

}  // namespace

std::optional<WithoutEntries> fails_where_empty(const infer::Problem& problem, std::uint64_t seed) {
  std::vector<Axis> axes;
  std::set<const infer::TermNode*> seen;
  for (const Term& side : {problem.lhs, problem.rhs}) collect(problem, side, seen, axes);
  if (axes.empty()) return std::nullopt;
  constexpr int draws = 3;
  for (const Axis& axis : axes) {
    for (const expr::DimValues& dims : where_zero(problem, axis.size())) {
      try {
        const infer::Problem there = AtSizes(problem, dims).without_empty_masks();
        Screen screen(there, {.seed = seed, .draws = draws, .empty_axes = true});
        if (screen.at(dims, draws, draws).differs) return WithoutEntries{dims, axis.part, axis.place};
      } catch (const expr::LimitReached&) {  // others are as good
      }
    }
  }
  return std::nullopt;
}

}  // namespace foldproof::refute
