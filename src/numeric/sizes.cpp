// SPDX-License-Identifier: MIT
#include "numeric/sizes.hpp"

#include <algorithm>
#include <set>

#include "infer/is_operator.hpp"
#include "numeric/assume.hpp"

namespace foldproof::numeric {
namespace {

using expr::Dim;
using expr::Relation;

/// Stands for every number beyond it, so sums and products stay in 64 bits.
constexpr std::int64_t infinity = std::int64_t{1} << 61;
constexpr std::int64_t largest = std::int64_t{1} << 31;  ///< up to which ends of ranges are looked for
constexpr int most_looks = 200'000;  ///< of all ranges against all constraints, in one search

struct Range {
  std::int64_t low = 1;
  std::int64_t high = infinity;
};
using Box = std::vector<Range>;  // one range a dimension

std::int64_t clamped(std::int64_t x) { return std::clamp(x, -infinity, infinity); }

Range operator*(const Range& a, const Range& b) {
  const auto times = [](std::int64_t x, std::int64_t y) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(x, y, &product)) return (x < 0) == (y < 0) ? infinity : -infinity;
    return clamped(product);
  };
  const auto [low, high] = std::minmax({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
  return {low, high};
}

/// An end at infinity stays there, whatever is added.
Range operator+(const Range& a, const Range& b) {
  Range r{clamped(a.low + b.low), clamped(a.high + b.high)};
  if (a.low == -infinity || b.low == -infinity) r.low = -infinity;
  if (a.high == infinity || b.high == infinity) r.high = infinity;
  return r;
}

std::int64_t floor_divided(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

using Constraint = SizeConstraint;

class SizeSearch {
 public:
  SizeSearch(const infer::Problem& problem, std::vector<Constraint> constraints) : names_(problem.dimensions), constraints_(std::move(constraints)) {}

  /// Assignments whose sizes lie less than `width` above the least ones possible; about `most` of them.
  const std::vector<std::vector<std::int64_t>>& run(std::int64_t width, std::size_t most) {
    found_.clear();
    cut_ = false;
    width_ = width;
    most_ = most;
    looks_ = 0;
    search(Box(names_.size()));
    return found_;
  }
  /// Something was left out.
  bool cut() const { return cut_; }

 private:
  Range range_of(const Dim& d, const Box& box) const {
    Range sum{0, 0};
    for (const auto& m : d.summands()) {
      Range product{clamped(m.coefficient), clamped(m.coefficient)};
      for (const auto& s : m.product) product = product * range_of(s, box);
      sum = sum + product;
    }
    return sum;
  }
  Range range_of(const expr::DimSymbol& s, const Box& box) const {
    if (!s.division) {
      const auto at = std::find(names_.begin(), names_.end(), s.name);
      return at == names_.end() ? Range{-infinity, infinity} : box[static_cast<std::size_t>(at - names_.begin())];
    }
    const Range a = range_of(s.division->numerator, box), b = range_of(s.division->denominator, box);
    if (b.low < 1) return {-infinity, infinity};
    if (s.division->remainder) return {0, std::min(b.high - 1, a.low >= 0 ? a.high : infinity)};
    const std::int64_t high = a.high == infinity ? infinity : floor_divided(a.high, a.high >= 0 ? b.low : b.high);
    return {a.low == -infinity ? -infinity : floor_divided(a.low, a.low >= 0 ? b.high : b.low), high};
  }

  bool may_hold(const Constraint& c, const Box& box) const {
    const Range r = range_of(c.difference, box);
    switch (c.relation) {
      case Relation::equal: return r.low <= 0 && r.high >= 0;
      case Relation::not_equal: return r.low != 0 || r.high != 0;
      case Relation::less: return r.low < 0;
      case Relation::less_equal: return r.low <= 0;
      case Relation::greater: return r.high > 0;
      case Relation::greater_equal: return r.high >= 0;
    }
    return true;
  }
  bool may_hold(const Box& box) {
    ++looks_;
    return std::all_of(constraints_.begin(), constraints_.end(), [&](const Constraint& c) { return may_hold(c, box); });
  }
  bool excluded(Box box, std::size_t k, std::int64_t low, std::int64_t high) {
    box[k] = {low, high};
    return !may_hold(box);
  }

  /// The least step up to `most` for which `reached` holds, as it does for all larger ones; most + 1 when for none.
  template <class Reached>
  static std::int64_t least_step(std::int64_t most, const Reached& reached) {
    std::int64_t step = 0, before = -1;
    while (step < most && !reached(step)) before = step, step = std::min(most, 2 * step + 1);
    if (step == most && !reached(most)) return most + 1;
    while (before + 1 < step) {
      const std::int64_t middle = before + (step - before) / 2;
      (reached(middle) ? step : before) = middle;
    }
    return step;
  }

  /// Moves the ends of the ranges inwards. False when nothing is left.
  bool narrow(Box& box) {
    constexpr int rounds = 40;
    bool changed = true;
    for (int round = 0; round < rounds && changed && looks_ <= most_looks; ++round) {
      if (!may_hold(box)) return false;
      changed = false;
      for (std::size_t k = 0; k < box.size(); ++k) {
        const Range r = box[k];
        const std::int64_t width = std::min(largest, r.high - r.low);
        const std::int64_t first = least_step(width, [&](std::int64_t step) { return !excluded(box, k, r.low, r.low + step); });
        if (first <= width) box[k].low = r.low + first;
        const std::int64_t last = least_step(width, [&](std::int64_t step) { return r.low + step >= r.high || excluded(box, k, r.low + step + 1, r.high); });
        if (last <= width) box[k].high = r.low + last;
        if (box[k].low > box[k].high) return false;
        changed = changed || box[k].low != r.low || box[k].high != r.high;
      }
    }
    return true;
  }

  void search(Box box) {
    if (!narrow(box)) return;
    if (looks_ > most_looks || std::any_of(box.begin(), box.end(), [](const Range& r) { return r.low >= largest; })) {
      cut_ = true;
      return;
    }
    std::size_t chosen = box.size();
    for (std::size_t k = 0; k < box.size(); ++k) {
      const auto span = [&](std::size_t i) { return box[i].high - box[i].low; };
      if (span(k) > 0 && (chosen == box.size() || span(k) < span(chosen))) chosen = k;
    }
    if (chosen == box.size()) {
      note(box);
      return;
    }
    const Range all = box[chosen];
    for (std::int64_t v = all.low; v <= all.high && found_.size() < most_; ++v) {
      if (v - all.low >= width_ || looks_ > most_looks) {
        cut_ = true;
        return;
      }
      box[chosen] = {v, v};
      search(box);
    }
  }

  void note(const Box& box) {
    expr::DimValues values;
    for (std::size_t k = 0; k < box.size(); ++k) values[names_[k]] = box[k].low;
    try {
      if (!hold(constraints_, values)) return;
    } catch (const expr::LimitReached&) {
      cut_ = true;
      return;
    }
    found_.emplace_back();
    for (const Range& r : box) found_.back().push_back(r.low);
  }

  const std::vector<std::string>& names_;
  std::vector<Constraint> constraints_;
  std::vector<std::vector<std::int64_t>> found_;
  bool cut_ = false;
  std::int64_t width_ = 0;
  std::size_t most_ = 0;
  int looks_ = 0;
};

std::vector<Constraint> assumed(const infer::Problem& problem) {
  std::vector<Constraint> result;
  for (const auto& f : problem.facts) {
    if (f.kind == infer::FactKind::dimension) result.push_back({f.lhs_size - f.rhs_size, f.relation});
  }
  return result;
}

/// Every axis of every part holds something. Sizes that are sums of products need no saying.
class Axes {
 public:
  Axes(const infer::Problem& problem, std::vector<Constraint>& constraints) : problem_(problem), constraints_(constraints) {}

  void note(const Dim& d) {
    if (is_positive(d)) return;
    std::vector<std::string> names;
    expr::collect_names(d, names);
    const auto known = [&](const std::string& n) { return std::find(problem_.dimensions.begin(), problem_.dimensions.end(), n) != problem_.dimensions.end(); };
    if (std::all_of(names.begin(), names.end(), known)) constraints_.push_back({d - Dim(1), Relation::greater_equal});
  }
  void visit(const infer::Term& t) {
    if (!t || !seen_.insert(t.get()).second) return;
    for (const Dim& d : t->shape) note(d);
    if (const Dim* range = infer::summed_range(t); range != nullptr && !is_positive(*range)) return;
    for (const auto& a : t->args) visit(a);
  }

 private:
  static bool is_positive(const Dim& d) {
    return std::all_of(d.summands().begin(), d.summands().end(), [](const auto& m) { return m.coefficient > 0; });
  }

  const infer::Problem& problem_;
  std::vector<Constraint>& constraints_;
  std::set<const infer::TermNode*> seen_;
};

}  // namespace

std::vector<SizeConstraint> size_constraints(const infer::Problem& problem) {
  auto constraints = assumed(problem);
  Axes axes(problem, constraints);
  for (const auto& v : problem.variables) {
    for (const Dim& d : v.shape) axes.note(d);
  }
  axes.visit(problem.lhs);
  axes.visit(problem.rhs);
  return constraints;
}

bool hold(const SizeConstraint& constraint, const expr::DimValues& sizes) {
  const std::int64_t d = expr::evaluate(constraint.difference, sizes);
  return ordered(d < 0 ? -1 : d > 0, constraint.relation);
}
bool hold(const std::vector<SizeConstraint>& constraints, const expr::DimValues& sizes) {
  return std::all_of(constraints.begin(), constraints.end(), [&](const SizeConstraint& c) { return hold(c, sizes); });
}

std::vector<std::vector<std::int64_t>> sizes_that_fit(const infer::Problem& problem, std::size_t most) {
  auto constraints = size_constraints(problem);
  if (constraints.empty()) return {};
  SizeSearch search(problem, std::move(constraints));
  std::vector<std::vector<std::int64_t>> found;
  for (const std::int64_t width : {3, 6, 40, 2000}) {
    found = search.run(width, most);
    if (!search.cut() || found.size() >= most) break;
  }
  return found;
}

bool sizes_contradict(const infer::Problem& problem) {
  auto constraints = assumed(problem);
  if (constraints.empty()) return false;
  SizeSearch search(problem, std::move(constraints));
  return search.run(largest, 1).empty() && !search.cut();
}

}  // namespace foldproof::numeric
