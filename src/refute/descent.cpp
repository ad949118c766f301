// SPDX-License-Identifier: MIT
#include "refute/descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/undefined.hpp"
#include "refute/space.hpp"

namespace foldproof::refute {
namespace {

using numeric::Rational;

constexpr std::size_t most_entries = 4;
constexpr std::uint64_t draws = 40;
constexpr std::size_t starts = 4;
constexpr int halvings = 12;
constexpr int most_steps = 400;                 ///< of one descent
constexpr std::int64_t largest_divisor = 4096;  ///< of the fractions that stand for the result
constexpr std::int64_t largest_work = 500;      ///< scalar operations of one instance

class Search {
 public:
  Search(const infer::Problem& problem, const Space& space, std::shared_ptr<const numeric::Program> program) : problem_(problem), space_(space), machine_(std::move(program)) {}

  std::optional<numeric::Instance<Exact>> run() {
    for (std::uint64_t draw = 0; draw < draws; ++draw) note(space_.random_choice(draw));
    for (std::size_t k = 0; space_.slots().size() == 1 && k < space_.alternatives(0); ++k) note({k});
    std::sort(starts_.begin(), starts_.end(), [](const Start& a, const Start& b) { return a.gap < b.gap; });
    starts_.erase(std::unique(starts_.begin(), starts_.end(), [](const Start& a, const Start& b) { return a.point == b.point; }), starts_.end());
    for (std::size_t k = 0; k < std::min(starts, starts_.size()); ++k) {
      const auto point = lowered(starts_[k]);
      if (gap(point) < 0) return instance(simplified(point));
    }
    return std::nullopt;
  }

 private:
  using Point = std::vector<double>;  // the entries, by slot
  struct Start {
    double gap;
    Point point;
  };

  static constexpr double nowhere = std::numeric_limits<double>::infinity();

  void note(const std::vector<std::size_t>& choice) {
    Point point;
    for (std::size_t k = 0; k < choice.size(); ++k) point.push_back(space_.pools()[static_cast<std::size_t>(space_.slots()[k].pool)][choice[k]].to_double());
    const double here = gap(point);
    if (here < nowhere) starts_.push_back({here, std::move(point)});
  }

  /// How far the claim is from failing: the least difference of the sides. Infinite where a side has no value or an entry may not be.
  double gap(const Point& point) {
    std::vector<Tensor<double>> values;
    for (std::size_t v = 0; v < problem_.variables.size(); ++v) values.push_back(numeric::filled(space_.shape(v), 0.0));
    for (std::size_t k = 0; k < point.size(); ++k) {
      const Slot& slot = space_.slots()[k];
      const std::string& name = problem_.variables[slot.variables[0]].name;
      if (!entry_allowed(problem_, name, Rational::from_double(point[k]))) return nowhere;
      values[slot.variables[0]].values[slot.place] = point[k];
    }
    for (std::size_t v = 0; v < values.size(); ++v) machine_.set(problem_.variables[v].name, values[v]);
    try {
      const auto& lhs = machine_.root(0);
      const auto& rhs = machine_.root(1);
      double least = nowhere;
      for (std::size_t i = 0; i < std::max(lhs.values.size(), rhs.values.size()); ++i) {
        const double difference = rhs.values[rhs.shape.empty() ? 0 : i] - lhs.values[lhs.shape.empty() ? 0 : i];
        if (!std::isfinite(difference)) return nowhere;
        least = std::min(least, difference);
      }
      return least;
    } catch (const numeric::Undefined&) {
    } catch (const numeric::NeedsReals&) {
    } catch (const expr::LimitReached&) {
    }
    return nowhere;
  }

  Point lowered(const Start& start) {
    Point best = start.point;
    double least = start.gap, step = 0.5;
    int steps = 0;
    for (int halving = 0; halving < halvings; ++halving, step /= 2) {
      for (bool changed = true; changed && steps < most_steps;) {
        changed = false;
        for (std::size_t k = 0; k < best.size(); ++k) {
          for (const double move : {step, -step}) {
            Point next = best;
            next[k] += move;
            ++steps;
            const double here = gap(next);
            if (!(here < least)) continue;
            least = here;
            best = std::move(next);
            changed = true;
          }
        }
      }
    }
    return best;
  }

  /// The fractions with the smallest divisors, one entry after the other, at which the claim still fails.
  std::vector<Rational> simplified(const Point& point) {
    Point rounded = point;
    std::vector<Rational> result;
    for (std::size_t k = 0; k < point.size(); ++k) {
      Rational value = Rational::from_double(point[k]);
      for (std::int64_t divisor = 1; divisor <= largest_divisor; divisor = divisor < 100 ? divisor + 1 : 2 * divisor) {
        const Rational fraction(std::llround(point[k] * static_cast<double>(divisor)), divisor);
        rounded[k] = fraction.to_double();
        if (gap(rounded) < 0) {
          value = fraction;
          break;
        }
        rounded[k] = point[k];
      }
      result.push_back(value);
    }
    return result;
  }

  numeric::Instance<Exact> instance(const std::vector<Rational>& values) const {
    auto result = space_.instance(std::vector<std::size_t>(values.size(), 0));
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Slot& slot = space_.slots()[k];
      result.values[problem_.variables[slot.variables[0]].name].values[slot.place] = values[k];
    }
    return result;
  }

  const infer::Problem& problem_;
  const Space& space_;
  numeric::Machine<double> machine_;
  std::vector<Start> starts_;
};

}  // namespace

Descent descend(const infer::Problem& problem, const expr::DimValues& dims, std::uint64_t seed) {
  std::int64_t entries = 0;
  for (const auto& v : problem.variables) {
    std::int64_t count = 1;
    for (const auto& d : v.shape) count *= expr::evaluate(d, dims);
    entries += count;
    if (!has_free_entries(problem, v.name)) return {};
  }
  if (entries < 1 || entries > static_cast<std::int64_t>(most_entries)) return {};
  if (std::any_of(problem.facts.begin(), problem.facts.end(), is_tying_fact)) return {};
  try {
    const infer::Term sides[] = {problem.lhs, problem.rhs};
    auto program = std::make_shared<const numeric::Program>(sides, dims, numeric::quick_program);
    if (program->work() > largest_work) return {};
    const Space space(problem, dims, Lane(problem.variables.size(), 0), seed);
    if (space.empty()) return {};
    return {true, Search(problem, space, std::move(program)).run()};
  } catch (const numeric::Undefined&) {
  } catch (const expr::LimitReached&) {
  }
  return {};
}

}  // namespace foldproof::refute
