// SPDX-License-Identifier: MIT
#include "refute/existence.hpp"

#include <algorithm>
#include <set>

#include "infer/is_operator.hpp"
#include "numeric/undefined.hpp"
#include "refute/order.hpp"
#include "refute/space.hpp"

namespace foldproof::refute {
namespace {

using infer::Fact;
using infer::Term;
using numeric::Instance;
using numeric::Interval;
namespace ops = expr::ops;

constexpr std::size_t most_shapes = 6;
constexpr std::uint64_t draws = 6;
constexpr std::size_t most_entries = 4;  ///< of one variable, moved one at a time
constexpr int halvings = 12;
constexpr double grid[] = {-1000, -30, -8, -4, -2, -1, -0.5, -0.125, 0.125, 0.5, 1, 2, 4, 8, 30, 1000};

/// Ranks and factors of a matrix jump as its entries move.
bool jumps(const Term& t, std::set<const infer::TermNode*>& seen) {
  if (!seen.insert(t.get()).second) return false;
  return infer::is<ops::Rank, ops::LeftFactor, ops::RightFactor, ops::OneHot, ops::Take>(t) || std::any_of(t->args.begin(), t->args.end(), [&](const Term& a) { return jumps(a, seen); });
}

/// The difference of the sides of one equation as one entry of an instance moves.
class Line {
 public:
  Line(const Fact& equation, Instance<Interval> instance, const std::string& variable, std::size_t place)
      : equation_(equation), instance_(std::move(instance)), variable_(variable), place_(place) {}

  /// Enclosed for all values between the ends. Errors: Undefined, NeedsReals.
  Interval at(double low, double high) {
    move(low, high);
    return numeric::evaluate(equation_.lhs, instance_).values[0] - numeric::evaluate(equation_.rhs, instance_).values[0];
  }
  int sign(double x) {
    try {
      const Interval value = at(x, x);
      return value.is_negative_infinity() ? 0 : value.lower() > 0 ? 1 : value.upper() < 0 ? -1 : 0;
    } catch (const numeric::Undefined&) {
    } catch (const numeric::NeedsReals&) {
    } catch (const expr::LimitReached&) {
    }
    return 0;
  }
  /// Between two values with different signs: whether the difference is defined all the way, and with it all other assumptions.
  bool reaches_zero(const infer::Problem& others, double low, double high) {
    const int before = sign(low);
    for (int k = 0; k < halvings; ++k) {
      if (holds_between(others, low, high)) return true;
      const double middle = low + (high - low) / 2;
      const int here = sign(middle);
      if (here == 0) return false;
      (here == before ? low : high) = middle;
    }
    return false;
  }

 private:
  void move(double low, double high) { instance_.values[variable_].values[place_] = Interval(low, high); }
  bool holds_between(const infer::Problem& others, double low, double high) {
    try {
      if (at(low, high).is_negative_infinity()) return false;
      return std::all_of(others.facts.begin(), others.facts.end(), [&](const Fact& f) {
        if (f.kind == infer::FactKind::definition && f.rhs) numeric::evaluate(f.rhs, instance_);  // must have a value
        if (f.kind == infer::FactKind::definition || f.kind == infer::FactKind::dimension) return true;
        const auto in = variables_in(others, f);
        const bool moved = std::any_of(in.begin(), in.end(), [&](std::size_t v) { return others.variables[v].name == variable_; });
        return !moved || numeric::holds_throughout(f, instance_);
      });
    } catch (const numeric::Undefined&) {
    } catch (const numeric::NeedsReals&) {
    } catch (const expr::LimitReached&) {
    }
    return false;
  }

  const Fact& equation_;
  Instance<Interval> instance_;
  const std::string& variable_;
  std::size_t place_;
};

bool changes_sign(const Fact& equation, const infer::Problem& others, const Instance<Exact>& instance) {
  for (const std::size_t v : variables_in(others, equation)) {
    const std::string& name = others.variables[v].name;
    if (!has_free_entries(others, name)) continue;
    const std::size_t entries = instance.values.at(name).values.size();
    for (std::size_t place = 0; place < std::min(most_entries, entries); ++place) {
      Line line(equation, numeric::enclosed(instance), name, place);
      for (std::size_t k = 0; k + 1 < std::size(grid); ++k) {
        const int before = line.sign(grid[k]);
        if (before != 0 && line.sign(grid[k + 1]) == -before && line.reaches_zero(others, grid[k], grid[k + 1])) return true;
      }
    }
  }
  return false;
}

}  // namespace

bool satisfied_somewhere(const infer::Problem& problem, std::uint64_t seed) {
  for (std::size_t k = 0; k < problem.facts.size(); ++k) {
    const Fact& equation = problem.facts[k];
    std::set<const infer::TermNode*> seen;
    if (equation.kind != infer::FactKind::relation || equation.relation != expr::Relation::equal || jumps(equation.lhs, seen) || jumps(equation.rhs, seen)) continue;
    infer::Problem others = problem;
    others.facts.erase(others.facts.begin() + static_cast<std::ptrdiff_t>(k));
    for (const auto& dims : shapes_in_order(problem, most_shapes)) {
      try {
        const auto is_number = [&](const Term& t) { return std::all_of(t->shape.begin(), t->shape.end(), [&](const expr::Dim& d) { return expr::evaluate(d, dims) == 1; }); };
        if (!is_number(equation.lhs) || !is_number(equation.rhs)) continue;
        const Space space(others, dims, Lane(others.variables.size(), 0), seed);
        if (space.empty()) continue;
        for (std::uint64_t draw = 0; draw < draws; ++draw) {
          const auto choice = draw == 0 ? std::vector<std::size_t>(space.slots().size(), 0) : space.random_choice(draw);
          if (changes_sign(equation, others, space.instance(choice))) return true;
        }
      } catch (const numeric::Undefined&) {  // an empty axis
      } catch (const expr::LimitReached&) {
      }
    }
  }
  return false;
}

}  // namespace foldproof::refute
