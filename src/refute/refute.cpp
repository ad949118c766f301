// SPDX-License-Identifier: MIT
// Shapes in order, a screening of each, and the smallest instance of the first shape that refutes; then the check from scratch.
#include "refute/refute.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "infer/names.hpp"
#include "numeric/random.hpp"
#include "numeric/undefined.hpp"
#include "refute/alternatives.hpp"
#include "refute/descent.hpp"
#include "refute/minimize.hpp"
#include "refute/order.hpp"
#include "refute/screen.hpp"
#include "refute/size_claims.hpp"

namespace foldproof::refute {
namespace {

using numeric::Instance;
using numeric::Interval;
using numeric::PrimeField;

constexpr std::int64_t most_minimizing = 100'000;  ///< instances
constexpr std::size_t last_shapes = 4;            ///< with pairwise different sizes, tried even when the screening is cut
constexpr int field_draws = 2;                     ///< the chance to miss a difference is below 2**-100 already
constexpr std::uint64_t exact_draws = 64;         ///< for a witness of what the prime field saw

template <class T>
TextTensor text_of(const Tensor<T>& tensor) {
  TextTensor result{tensor.shape, {}};
  for (const T& v : tensor.values) result.values.push_back(v.text());
  return result;
}

/// v with so many digits, rounded to the side of `towards`.
double with_digits(double v, int digits, double towards) {
  const auto printed = [&](double x) {
    char buffer[40];
    const char* const last = std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific, digits - 1).ptr;
    double value = x;
    std::from_chars(buffer, last, value);
    return value;
  };
  const double nearest = printed(v);
  const bool inside = towards < v ? nearest > v : nearest < v;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(v))) - digits + 1);
  return inside ? printed(towards < v ? nearest - unit : nearest + unit) : nearest;
}
Tensor<Interval> with_digits(Tensor<Interval> tensor, int digits) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto end = [&](double v, double towards) { return v == 0 || std::isinf(v) ? v : with_digits(v, digits, towards); };
  for (Interval& x : tensor.values) {
    if (!x.is_negative_infinity() && !x.is_point() && x.lower() != 0) x = Interval(end(x.lower(), -infinity), end(x.upper(), infinity));
  }
  return tensor;
}
/// Enclosures are shown with as few digits as still show that the sides differ there.
void shorten(Tensor<Interval>& lhs, expr::Relation relation, Tensor<Interval>& rhs, std::int64_t place) {
  constexpr int fewest = 6, most = 16;
  for (int digits = fewest; digits < most; ++digits) {
    const auto l = with_digits(lhs, digits), r = with_digits(rhs, digits);
    if (first_violation(l, relation, r) != place) continue;
    lhs = with_digits(std::move(lhs), digits + 1);
    rhs = with_digits(std::move(rhs), digits + 1);
    return;
  }
}
template <class T>
void shorten(Tensor<T>&, expr::Relation, Tensor<T>&, std::int64_t) {}

template <class T>
bool compare_sides(const infer::Problem& problem, const Instance<T>& instance, Counterexample& result) {
  Tensor<T> lhs = numeric::evaluate(problem.lhs, instance);
  Tensor<T> rhs = numeric::evaluate(problem.rhs, instance);
  const std::int64_t place = first_violation(lhs, problem.relation, rhs);
  if (place < 0) return false;
  shorten(lhs, problem.relation, rhs, place);
  result.lhs = text_of(lhs);
  result.rhs = text_of(rhs);
  result.entry = numeric::indices_of(place, lhs.shape.empty() ? rhs.shape : lhs.shape);
  return true;
}

template <class T>
std::optional<Smallest> smallest(const Screening& screening, const Options& options, std::int64_t& instances) {
  Trial<T> trial(*screening.space, screening.program);
  const std::int64_t cost = std::max<std::int64_t>(1, screening.program->work()) * (std::is_same_v<T, PrimeField> ? 1 : 8);
  const std::int64_t budget = std::min(most_minimizing, 2 * options.operations / cost);
  const auto result = minimize(trial, *screening.space, screening.witness, budget);
  instances += trial.runs();
  return result;
}

/// Something concrete for a difference that was only seen at random points of the prime field.
std::optional<std::vector<std::size_t>> field_witness(const Screening& screening) {
  Trial<PrimeField> trial(*screening.space, screening.program);
  for (std::uint64_t draw = 0; draw < exact_draws; ++draw) {
    trial.choose(screening.space->random_choice(draw));
    if (trial.run() == Finding::differs) return trial.choice();
  }
  return std::nullopt;
}

/// Whether of some variable only a few of the tensors are tried that satisfy what is assumed of it, such as X <= 0 and invertible, or
/// p > 0 and sum(p) == 1: a smaller shape may then have been passed over.
bool listed_in_part(const infer::Problem& problem) {
  return std::any_of(problem.variables.begin(), problem.variables.end(), [&](const auto& v) {
    const auto facts = facts_on(problem, v.name);
    const bool tied = std::any_of(problem.facts.begin(), problem.facts.end(), [&](const auto& f) {
      const auto in = is_tying_fact(f) ? variables_in(problem, f) : std::vector<std::size_t>();
      return std::any_of(in.begin(), in.end(), [&](std::size_t k) { return problem.variables[k].name == v.name; });
    });
    return (tied || std::any_of(facts.begin(), facts.end(), [](const auto* f) { return is_structural_fact(*f); })) && std::any_of(facts.begin(), facts.end(), [](const auto* f) { return is_entry_fact(*f); });
  });
}

std::optional<Counterexample> counterexample_at(const infer::Problem& problem, Screening screening, const Options& options, std::int64_t& instances) {
  if (!options.smallest && screening.witness) {
    if (auto any = verify(problem, screening.space->instance(*screening.witness))) return any;
  }
  std::optional<Smallest> found;
  switch (screening.type) {
    case NumberType::field:
      screening.witness = field_witness(screening);
      found = smallest<PrimeField>(screening, options, instances);
      break;
    case NumberType::exact: found = smallest<numeric::Exact>(screening, options, instances); break;
    case NumberType::interval: found = smallest<Interval>(screening, options, instances); break;
  }
  if (!found) return std::nullopt;
  auto result = verify(problem, screening.space->instance(found->choice));
  if (result) result->minimal = found->exhaustive && !listed_in_part(problem);
  return result;
}

/// Sizes of 1 and equal sizes make much of a claim true: the shapes with the fewest of them come first, a few of the smallest after them.
std::vector<expr::DimValues> telling_shapes(std::vector<expr::DimValues> shapes) {
  constexpr std::size_t large_shapes = 8;
  constexpr std::size_t small_shapes = 3;
  const std::vector<expr::DimValues> smallest(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(std::min(small_shapes, shapes.size())));
  const auto special = [](const expr::DimValues& dims) {
    std::ptrdiff_t count = 0;
    for (const auto& [name, size] : dims) {
      count += size == 1;
      for (const auto& [other, same] : dims) count += name < other && same == size;
    }
    return count;
  };
  std::stable_sort(shapes.begin(), shapes.end(), [&](const auto& x, const auto& y) { return special(x) < special(y); });
  shapes.resize(std::min(large_shapes, shapes.size()));
  shapes.insert(shapes.end(), smallest.begin(), smallest.end());
  return shapes;
}

/// A counterexample at this shape, or nullopt to go on.
std::optional<Counterexample> try_shape(const infer::Problem& problem, const expr::DimValues& dims, int draws, Effort effort, const Options& options, Screen& screen, Refutation& progress) {
  try {
    const Screening screening = screen.at(dims, draws, field_draws, effort);
    progress.empty_shapes += screening.empty;
    if (!screening.tried) return std::nullopt;
    ++progress.shapes;
    if (screening.satisfiable && progress.end == End::no_instance) progress.end = End::undefined;
    if (screening.holds > 0) progress.end = End::exhausted;
    if (!screening.differs) return std::nullopt;
    progress.end = End::exhausted;
    if (effort == Effort::simplest && screening.witness) return verify(problem, screening.space->instance(*screening.witness));
    return counterexample_at(problem, screening, options, progress.instances);
  } catch (const expr::LimitReached&) {
    return std::nullopt;  // numbers grew too long at this shape; the others are as good
  }
}

/// So many shapes below one that refutes are looked at, or those that the list has.
constexpr std::size_t most_below = 150;

/// A few draws may have missed what fails at a smaller shape, and a long search skips shapes: they are looked at once more, with more draws.
constexpr int more = 4;

void look_below(const infer::Problem& problem, const std::vector<expr::DimValues>& shapes, std::size_t at, Effort effort, const Options& options, Screen& screen, Refutation& result) {
  const std::int64_t before = screen.work(), most = before + options.screening / 4;
  for (std::size_t k = 0; k < at; ++k) {
    if (screen.work() > most) {
      result.counterexample->minimal = false;
      return;
    }
    if (auto smaller = try_shape(problem, shapes[k], more * options.draws, screen.work() < (before + most) / 2 ? effort : Effort::draws, options, screen, result)) {
      result.counterexample = std::move(smaller);
      return;
    }
  }
}

bool fits(const infer::Problem& problem, const expr::DimValues& dims) {
  return std::all_of(problem.facts.begin(), problem.facts.end(), [&](const auto& fact) { return numeric::holds(fact, dims); });
}

/// Each size in turn is made smaller as long as the claim fails; nothing says that no smaller shape refutes.
void make_smaller(const infer::Problem& problem, expr::DimValues dims, const Options& options, Screen& screen, Refutation& result) {
  result.counterexample->minimal = false;
  const std::int64_t most = screen.work() + options.screening / 4;
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string& name : problem.dimensions) {
      while (dims[name] > 1 && screen.work() < most) {
        --dims[name];
        auto smaller = fits(problem, dims) ? try_shape(problem, dims, 2, Effort::sparse, options, screen, result) : std::nullopt;
        if (!smaller) {
          ++dims[name];
          break;
        }
        result.counterexample = std::move(smaller);
        result.counterexample->minimal = false;
        changed = true;
      }
    }
  }
}

/// Shapes that the list leaves out, until `end` operations are spent; what is found there is made smaller.
void look_at_long(const infer::Problem& problem, Effort effort, std::int64_t end, const Options& options, Screen& screen, Refutation& result) {
  for (const auto& dims : long_shapes(problem)) {
    if (screen.work() > end) return;
    result.counterexample = try_shape(problem, dims, 2, effort, options, screen, result);
    if (!result.counterexample) continue;
    if (!options.smallest) return;
    if (const auto below = shapes_below(problem, dims, most_below)) {
      look_below(problem, *below, below->size(), Effort::sparse, options, screen, result);
    } else {
      make_smaller(problem, dims, options, screen, result);
    }
    return;
  }
}

/// Bounds by a number that only long rows break; the size is halved as far as the claim still fails.
void look_far(const infer::Problem& problem, const Options& options, Screen& screen, Refutation& result) {
  for (const auto& far : far_shapes(problem)) {
    const auto try_size = [&](std::int64_t size) {
      auto dims = far.dims;
      dims[far.dimension] = size;
      return try_shape(problem, dims, 0, Effort::simplest, options, screen, result);
    };
    std::int64_t most = far.dims.at(far.dimension), least = 1;
    result.counterexample = try_size(most);
    if (!result.counterexample) continue;
    while (options.smallest && least < most) {
      const std::int64_t middle = least + (most - least) / 2;
      auto smaller = try_size(middle);
      (smaller ? most : least) = smaller ? middle : middle + 1;
      if (smaller) result.counterexample = std::move(smaller);
    }
    result.counterexample->minimal = false;
    return;
  }
}

/// Points between the numbers tried, at the smallest shapes.
void look_between(const infer::Problem& problem, const std::vector<expr::DimValues>& shapes, const Options& options, Refutation& result) {
  constexpr std::size_t most_shapes = 4;
  if (problem.relation == expr::Relation::equal) return;
  std::size_t tried = 0;
  for (const auto& dims : shapes) {
    const auto lower = descend(problem, dims, numeric::mix(options.seed, signature(problem)));
    if (lower.instance) result.counterexample = verify(problem, *lower.instance);
    tried += lower.tried;
    if (result.counterexample || tried == most_shapes) return;
  }
}

/// After everything else failed: more instances of the same shapes, other shapes, other points. Costs about as much as what failed.
void look_further(const infer::Problem& problem, const std::vector<expr::DimValues>& shapes, const Options& options, Screen& screen, Refutation& result) {
  constexpr std::int64_t least = 400'000;
  const std::int64_t before = screen.work(), most = std::min(options.screening / 10, std::max(least, before));
  for (std::size_t k = 0; k < shapes.size() && screen.work() < before + most / 2 && !result.counterexample; ++k) {
    result.counterexample = try_shape(problem, shapes[k], more * options.draws, Effort::small, options, screen, result);
  }
  for (const Effort effort : {Effort::draws, Effort::sparse}) {
    if (!result.counterexample) look_at_long(problem, effort, screen.work() + most / 2, options, screen, result);
  }
  if (!result.counterexample) look_between(problem, shapes, options, result);
  if (!result.counterexample) look_far(problem, options, screen, result);
}

/// The smallest sizes first, then what the variables hold there that something is assumed of: the others may be large, and say nothing.
bool refute_by_sizes(infer::Problem problem, const Options& options, Refutation& result) {
  const auto found = refuting_sizes(problem, options.smallest);
  if (!found) return false;
  std::set<std::size_t> used;
  for (const infer::Fact& fact : problem.facts) {
    for (const std::size_t variable : variables_in(problem, fact)) used.insert(variable);
  }
  for (std::size_t k = problem.variables.size(); k-- > 0;) {
    if (used.count(k) == 0) problem.variables.erase(problem.variables.begin() + static_cast<std::ptrdiff_t>(k));
  }
  Screen screen(problem, options);
  result.counterexample = try_shape(problem, found->dims, options.draws, Effort::draws, options, screen, result);
  if (result.counterexample) result.counterexample->minimal = result.counterexample->minimal && found->smallest;
  result.instances += screen.instances();
  result.undefined += screen.undefined();
  return result.counterexample.has_value();
}

}  // namespace

const char* text(End end) {
  switch (end) {
    case End::refuted: return "refuted";
    case End::no_instance: return "no instance tried satisfies the assumptions";
    case End::undefined: return "no instance tried has values on both sides";
    case End::exhausted: return "no counterexample found";
    case End::too_large: return "instances of these sizes are too large to search";
  }
  return "?";
}

std::optional<Counterexample> verify(const infer::Problem& problem, const Instance<numeric::Exact>& instance) {
  Counterexample result;
  result.instance = instance;
  try {
    const bool satisfied = std::all_of(problem.facts.begin(), problem.facts.end(), [&](const auto& fact) { return numeric::holds(fact, instance); });
    if (!satisfied) return std::nullopt;
    try {
      if (!compare_sides(problem, instance, result)) return std::nullopt;
      result.how = "exact";
    } catch (const numeric::NeedsReals&) {
      if (!compare_sides(problem, numeric::enclosed(instance), result)) return std::nullopt;
      result.how = "interval";
    }
  } catch (const numeric::Undefined&) {
    return std::nullopt;
  } catch (const numeric::NeedsReals&) {
    return std::nullopt;
  }
  for (const auto& v : problem.variables) {
    const auto value = instance.values.find(v.name);  // none where neither a side nor an assumption asks for one
    if (infer::is_written(v.name) && value != instance.values.end()) result.values.emplace_back(v.name, text_of(value->second));
  }
  for (const auto& v : problem.replaced) {
    try {
      result.values.emplace_back(v.name, text_of(numeric::evaluate(v.value, instance)));
    } catch (const numeric::NeedsReals&) {  // exp(S) has a value, but none to write down
    } catch (const numeric::Undefined&) {
    }
  }
  return result;
}

Refutation refute(const infer::Problem& problem, const Options& options) {
  Refutation result;
  result.end = problem.facts.empty() ? End::undefined : End::no_instance;
  if (is_about_sizes(problem) && refute_by_sizes(problem, options, result)) {
    result.end = End::refuted;
    return result;
  }
  Screen screen(problem, options);
  const auto shapes = shapes_in_order(problem, options.shapes);
  std::size_t at = 0;
  for (; at < shapes.size() && !result.counterexample; ++at) {
    if (screen.work() > options.screening && at + last_shapes < shapes.size()) continue;  // go on with the last ones only
    result.counterexample = try_shape(problem, shapes[at], options.draws, Effort::draws, options, screen, result);
  }
  if (result.counterexample && options.smallest) {  // the list leaves out X: [1, 6] before X: [4, 4]
    const auto below = shapes_below(problem, shapes[at - 1], most_below);
    look_below(problem, below ? *below : shapes, below ? below->size() : at - 1, Effort::small, options, screen, result);
  }
  if (!result.counterexample && result.end == End::exhausted && options.further) look_further(problem, shapes, options, screen, result);
  if (result.counterexample && screen.unsure()) result.counterexample->minimal = false;
  result.instances += screen.instances();
  result.undefined += screen.undefined();
  if (result.counterexample) result.end = End::refuted;
  if (result.shapes == 0 && !shapes.empty()) result.end = result.empty_shapes > 0 ? End::undefined : End::too_large;
  return result;
}

std::vector<ThinSet> thin_sets(const infer::Problem& problem, const expr::DimValues& failed, const Options& options) {
  std::vector<ThinSet> found;
  const auto shapes = shapes_in_order(problem, options.shapes);
  const auto add = [&](const std::string& size, const expr::Dim& value) {
    if (failed.at(size) == expr::evaluate(value, failed)) return;
    std::vector<expr::DimValues> within;
    std::copy_if(shapes.begin(), shapes.end(), std::back_inserter(within), [&](const auto& dims) { return dims.at(size) == expr::evaluate(value, dims); });
    found.push_back({size, value, telling_shapes(std::move(within))});
  };
  const auto& names = problem.dimensions;
  for (const std::string& name : names) add(name, 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) add(names[i], expr::dim(names[j]));
  }
  return found;
}

int holding_instances(const infer::Problem& problem, const ThinSet& thin, int draws, const Options& options) {
  Screen screen(problem, options);
  int holds = 0;
  for (const auto& dims : thin.shapes) {
    const Screening screening = screen.at(dims, draws, draws);
    if (screening.differs) return 0;
    holds += screening.holds;
  }
  return holds >= draws && !screen.unsure() ? holds : 0;
}

bool refuted_within(const infer::Problem& problem, const ThinSet& thin, const Options& options) {
  infer::Fact fact;
  fact.kind = infer::FactKind::dimension;
  fact.lhs_size = expr::dim(thin.size);
  fact.rhs_size = thin.value;
  infer::Problem narrower = problem;
  narrower.facts.push_back(fact);
  Options fewer = options;
  fewer.screening /= 4;
  fewer.smallest = false;
  return refute(narrower, fewer).counterexample.has_value();
}

}  // namespace foldproof::refute
