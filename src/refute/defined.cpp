// SPDX-License-Identifier: MIT
#include "refute/defined.hpp"

#include <algorithm>
#include <set>

#include "infer/is_operator.hpp"
#include "numeric/random.hpp"
#include "numeric/undefined.hpp"
#include "refute/order.hpp"
#include "refute/space.hpp"

namespace foldproof::refute {
namespace {

using infer::is;
using infer::Term;
using infer::TermKind;
using numeric::Instance;
using numeric::Interval;
using numeric::Rational;
namespace ops = expr::ops;

constexpr std::size_t most_shapes = 60;
constexpr std::int64_t largest_work = 200'000;  ///< scalar operations of one instance
constexpr std::int64_t few_work = 5'000;
constexpr std::int64_t enclosed_work = 30'000'000;  ///< of one instance of given sizes, by intervals
constexpr std::int64_t most_work = 4'000'000;   ///< of all, exact ones counted several times
constexpr std::uint64_t few_draws = 3;
constexpr std::uint64_t most_draws = 100;

/// Whether it lacks one because of sizes or token numbers, which are not what is varied here.
bool is_selection(const Term& t) { return t->kind == TermKind::stack || is<ops::Subscripts, ops::OneHot, ops::Take>(t); }

/// Looks for operators that may lack a value where their operands have one.
class PartialOperators {
 public:
  explicit PartialOperators(const infer::Problem& problem) : problem_(problem) {}

  bool any_in(const Term& t) {
    if (!seen_.insert(t.get()).second) return false;
    return is_partial(t) || std::any_of(t->args.begin(), t->args.end(), [&](const Term& arg) { return any_in(arg); });
  }

 private:
  bool is_partial(const Term& t) const {
    if (is<ops::Divide>(t)) return !is_positive(t->args[1]);
    if (is<ops::Log, ops::Sqrt, ops::Rsqrt>(t)) return !is_positive(t->args[0]);
    if (is<ops::Power>(t)) return (!t->call.exponent.is_integer() || t->call.exponent.sign() < 0) && !is_positive(t->args[0]);
    if (is<ops::Subscripts>(t)) return !lies_inside(t);
    return is<ops::Inverse, ops::Rms, ops::RmsNorm, ops::LayerNorm, ops::BatchNorm, ops::L2Norm, ops::Dora, ops::Causal, ops::NegInf, ops::OneHot, ops::Take,
              ops::LeftFactor, ops::RightFactor>(t);
  }
  /// Whether the places are there, as far as differences of sizes that are numbers say.
  static bool lies_inside(const Term& t) {
    const auto is_at_least = [](const expr::Dim& d, std::int64_t least) { return d.constant() && *d.constant() >= least; };
    for (std::size_t axis = 0; axis < t->args[0]->shape.size(); ++axis) {
      const auto &start = t->call.sizes[3 * axis + 1], &extent = t->args[0]->shape[axis];
      const expr::Dim stop = t->call.sizes[3 * axis].is_zero() ? t->call.sizes[3 * axis + 2] : start + expr::Dim(1);
      if (!is_at_least(start, 0) || !is_at_least(stop - start, 1) || !is_at_least(extent - stop, 0)) return false;
    }
    return true;
  }
  /// For reasons that can be read off: sqrt(d), 2*exp(x).
  bool is_positive(const Term& t) const {
    if (t->kind == TermKind::number) return t->value.sign() > 0;
    if (t->kind == TermKind::size) return is_positive_size(t->size);
    return is<ops::Exp>(t) || (is<ops::Sqrt, ops::Multiply, ops::Add, ops::Divide>(t) && std::all_of(t->args.begin(), t->args.end(), [&](const Term& arg) { return is_positive(arg); }));
  }
  /// A sum of products of dimensions, which are at least 1; comprehension indices and ranks may be 0.
  bool is_positive_size(const expr::Dim& size) const {
    const auto& names = problem_.dimensions;
    return !size.is_zero() && std::all_of(size.summands().begin(), size.summands().end(), [&](const auto& summand) {
      return summand.coefficient > 0 && std::all_of(summand.product.begin(), summand.product.end(), [&](const auto& symbol) {
        return !expr::is_rank(symbol.name) && std::find(names.begin(), names.end(), symbol.name) != names.end();
      });
    });
  }

  const infer::Problem& problem_;
  std::set<const infer::TermNode*> seen_;
};

enum class Value { defined, undefined, unsure };
struct Outcome {
  Value value;
  std::string cause = {};  ///< of `undefined`
};

/// Of one term; `unsure` when only an enclosure, or a limit, says that it has no value.
Outcome outcome_of(const Term& t, const Instance<Exact>& instance) {
  try {
    try {
      numeric::evaluate(t, instance);
    } catch (const numeric::NeedsReals&) {
      try {
        numeric::evaluate(t, numeric::enclosed(instance));
      } catch (const numeric::Undefined&) {
        return {Value::unsure};
      }
    }
    return {Value::defined};
  } catch (const numeric::Undefined& reason) {
    return {Value::undefined, reason.what()};
  } catch (const numeric::NeedsReals&) {
    return {Value::unsure};
  } catch (const expr::LimitReached&) {
    return {Value::unsure};
  }
}

/// Whether t takes exponentials or the largest entry of rows of which one is minus infinity throughout: a mask that hides every key.
bool hides_every_key(const Term& t, const Instance<Exact>& instance) {
  if (is<ops::Softmax, ops::LogSoftmax, ops::LogSumExp, ops::Exp, ops::Max>(t) && !t->args[0]->shape.empty()) {
    const auto hidden = [](const auto& tensor) {
      const auto row = static_cast<std::ptrdiff_t>(tensor.shape.back());
      for (auto at = tensor.values.begin(); row > 0 && at != tensor.values.end(); at += row) {
        if (std::all_of(at, at + row, [](const auto& x) { return x.is_negative_infinity(); })) return true;
      }
      return false;
    };
    try {
      try {
        if (hidden(numeric::evaluate(t->args[0], instance))) return true;
      } catch (const numeric::NeedsReals&) {
        if (hidden(numeric::evaluate(t->args[0], numeric::enclosed(instance)))) return true;
      }
    } catch (const numeric::Undefined&) {
    } catch (const numeric::NeedsReals&) {
    } catch (const expr::LimitReached&) {
    }
  }
  // What a comprehension stacks is another thing at each index.
  return t->kind != TermKind::stack && std::any_of(t->args.begin(), t->args.end(), [&](const Term& arg) { return hides_every_key(arg, instance); });
}

/// The innermost part without a value of a term whose outcome is known; nothing when it is not certain that it has none.
std::optional<NoValue> first_without_value(const Term& t, const Instance<Exact>& instance, const Outcome& own) {
  if (own.value == Value::defined) return std::nullopt;
  if (t->kind == TermKind::apply) {
    for (const Term& arg : t->args) {
      const Outcome inner = outcome_of(arg, instance);
      if (inner.value != Value::defined) return first_without_value(arg, instance, inner);
    }
  }
  if (own.value != Value::undefined || is_selection(t)) return std::nullopt;
  return NoValue{instance.dims, t, hides_every_key(t, instance) ? "every key of a row is masked" : own.cause};
}

bool mentions_variable(const Term& t) { return t->kind == TermKind::variable || std::any_of(t->args.begin(), t->args.end(), mentions_variable); }

/// Whether a number made of sizes alone has a value at larger sizes than were searched: log(n - 100).
bool has_value_at_large_sizes(const infer::Problem& problem, const Term& t) {
  if (!t->shape.empty() || mentions_variable(t)) return false;
  for (const std::int64_t size : {7, 16, 64, 512, 4096, 1'000'000}) {
    for (const std::int64_t step : {0, 1, -1}) {  // alike, growing, falling
      Instance<Exact> instance;
      for (std::size_t k = 0; k < problem.dimensions.size(); ++k) {
        const std::int64_t other = size / static_cast<std::int64_t>(k + 1) + 1;
        instance.dims[problem.dimensions[k]] = step == 0 ? size : step > 0 ? size * static_cast<std::int64_t>(k + 1) : other;
      }
      if (outcome_of(t, instance).value != Value::undefined) return true;
    }
  }
  return false;
}

class ValueSearch {
 public:
  ValueSearch(const infer::Problem& problem, std::uint64_t seed) : problem_(problem), seed_(numeric::mix(seed, "defined")), literals_(literals_in({problem.lhs, problem.rhs})) {
    for (const auto& v : problem.variables) free_.push_back(has_free_entries(problem, v.name));
    for (const infer::Fact& f : problem.facts) {
      if (!is_tying_fact(f)) continue;
      for (const std::size_t v : variables_in(problem, f)) free_[v] = 0;
    }
  }

  Definedness run() {
    if (has_values_at({2, 1, 3})) return {Definedness::Answer::somewhere, std::nullopt};
    evidence_.reset();  // the list below begins with the smallest shape
    for (const auto& dims : shapes_in_order(problem_, most_shapes)) {
      if (work_ > most_work) break;
      if (try_shape(dims, most_draws)) return {Definedness::Answer::somewhere, std::nullopt};
    }
    // Masks such as abs(i - j) > 2 leave something in each row from 6 rows on.
    if (!problem_.dimensions.empty() && has_values_at({5, 8, 12})) return {Definedness::Answer::somewhere, std::nullopt};
    if (!evidence_ && problem_.dimensions.empty() && problem_.facts.empty() && has_enclosed_values()) return {Definedness::Answer::somewhere, std::nullopt};
    if (evidence_ && has_value_at_large_sizes(problem_, evidence_->part)) evidence_.reset();
    return {evidence_ ? Definedness::Answer::nowhere : Definedness::Answer::unknown, std::move(evidence_)};
  }

 private:
  /// Where all sizes are one of these; without sizes there is one case.
  bool has_values_at(std::initializer_list<std::int64_t> sizes) {
    for (const std::int64_t size : sizes) {
      expr::DimValues dims;
      for (const auto& name : problem_.dimensions) dims[name] = size;
      if (allowed(dims) && try_shape(dims, few_draws)) return true;
      if (dims.empty()) break;
    }
    return false;
  }

  bool allowed(const expr::DimValues& dims) const {
    return std::all_of(problem_.facts.begin(), problem_.facts.end(), [&](const infer::Fact& f) { return numeric::holds(f, dims); });
  }

  /// True when an instance of this shape has values on both sides.
  bool try_shape(const expr::DimValues& dims, std::uint64_t draws) {
    try {
      const Term sides[] = {problem_.lhs, problem_.rhs};
      const auto program = std::make_shared<const numeric::Program>(sides, dims, numeric::quick_program);
      if (program->work() > largest_work) return false;
      const Space space(problem_, dims, Lane(problem_.variables.size(), 0), seed_);
      work_ += space.work();
      if (space.empty()) return false;
      numeric::Machine<Exact> exact(program);
      numeric::Machine<Interval> interval(program);
      const auto defined = [&](const Instance<Exact>& instance) {
        work_ += 8 * program->work() + 50;
        return has_values(instance, exact, interval);
      };
      const bool one = space.slots().empty();
      const bool large = program->work() > few_work;
      const Instance<Exact> simplest = space.instance(std::vector<std::size_t>(space.slots().size(), 0));
      if (large && defined(near_identity(space, 0))) return true;  // exact inverses of others have long numbers
      if (defined(varied(space, 0, true))) return true;
      for (std::uint64_t draw = 0; draw < (one ? 0 : draws); ++draw) {
        if (work_ > most_work) return false;
        if (defined(draw == 0 ? simplest : varied(space, draw, draw % 3 != 2)) || defined(near_identity(space, draw))) return true;
        if (draws > few_draws && (defined(far_out(space, draw)) || defined(space.instance(space.random_choice(draw))))) return true;
      }
      if (!evidence_) note_evidence(simplest);
      if (!evidence_ && !one) note_evidence(varied(space, 0, true));
    } catch (const numeric::Undefined&) {  // an empty axis
    } catch (const numeric::NeedsReals&) {
    } catch (const expr::LimitReached&) {
    }
    return false;
  }

  /// Of the only sizes that there are, which may be too large for exact numbers.
  bool has_enclosed_values() {
    try {
      const Term sides[] = {problem_.lhs, problem_.rhs};
      const auto program = std::make_shared<const numeric::Program>(sides, expr::DimValues{}, numeric::quick_program);
      if (program->work() > enclosed_work) return false;
      const Space space(problem_, {}, Lane(problem_.variables.size(), 0), seed_);
      if (space.empty()) return false;
      numeric::Machine<Interval> interval(program);
      for (std::uint64_t draw = 0; draw < few_draws; ++draw) {
        for (const auto& instance : {varied(space, draw, draw % 2 == 0), near_identity(space, draw)}) {
          if (has_values(instance, interval)) return true;
        }
      }
    } catch (const numeric::Undefined&) {
    } catch (const numeric::NeedsReals&) {
    } catch (const expr::LimitReached&) {
    }
    return false;
  }

  static bool has_values(const Instance<Exact>& instance, numeric::Machine<Interval>& interval) {
    try {
      for (const auto& [name, value] : numeric::enclosed(instance).values) interval.set(name, value);
      interval.root(0);
      interval.root(1);
      return true;
    } catch (const numeric::Undefined&) {
    } catch (const numeric::NeedsReals&) {
    } catch (const expr::LimitReached&) {
    }
    return false;
  }

  static bool has_values(const Instance<Exact>& instance, numeric::Machine<Exact>& exact, numeric::Machine<Interval>& interval) {
    try {
      for (const auto& [name, value] : instance.values) exact.set(name, value);
      try {
        exact.root(0);
        exact.root(1);
      } catch (const numeric::NeedsReals&) {
        return has_values(instance, interval);
      }
      return true;
    } catch (const numeric::Undefined&) {
    } catch (const numeric::NeedsReals&) {
    } catch (const expr::LimitReached&) {
    }
    return false;
  }

  void note_evidence(const Instance<Exact>& instance) {
    for (const Term& side : {problem_.lhs, problem_.rhs}) {
      if (!evidence_) evidence_ = first_without_value(side, instance, outcome_of(side, instance));
    }
  }

  /// Entries of one sign, where the assumptions allow it, and different: rows that are not constant, sums that do not cancel.
  Instance<Exact> varied(const Space& space, std::uint64_t draw, bool positive) const { return space.instance(space.choice_of_sign(draw + 1, positive ? 1 : -1)); }

  /// Free matrices whose diagonal outweighs the rest, positive or negative: products and sums of them are invertible.
  Instance<Exact> near_identity(const Space& space, std::uint64_t draw) const {
    auto result = varied(space, draw, true);
    for (std::size_t v = 0; v < problem_.variables.size(); ++v) {
      Tensor<Exact> tensor = result.values[problem_.variables[v].name];
      if (free_[v] == 0 || tensor.shape.size() < 2) continue;
      const auto columns = static_cast<std::size_t>(tensor.shape.back());
      const auto rows = static_cast<std::size_t>(tensor.shape[tensor.shape.size() - 2]);
      for (std::size_t k = 0; k < tensor.values.size(); ++k) {
        const bool diagonal = k / columns % rows == k % columns;
        const std::int64_t own = static_cast<std::int64_t>(2 + (k + v + draw) % 5);
        tensor.values[k] = diagonal ? Exact(draw % 2 == 0 ? own : -own) : draw < 2 ? Exact(0) : Exact(Rational(1, 10 + own));
      }
      give(result, v, std::move(tensor));
    }
    return result;
  }

  /// Free variables far from zero or next to it, and near the numbers that the claim names: log(x - 100) has values there.
  Instance<Exact> far_out(const Space& space, std::uint64_t draw) const {
    auto result = varied(space, draw / 4, draw % 2 == 0);
    const numeric::Stream stream(seed_, 29);
    static const std::vector<Rational> factors{1, Rational(1, 10), Rational(1, 100), Rational(1, 10'000), 10, 100, 10'000, 1'000'000};
    for (std::size_t v = 0; v < problem_.variables.size(); ++v) {
      if (free_[v] == 0) continue;
      const std::uint64_t drawn = stream.draw(draw, v);
      const Rational factor = factors[drawn % factors.size()];
      const Rational shift = literals_.empty() || drawn / 8 % 2 == 0 ? Rational(0) : literals_[drawn / 16 % literals_.size()];
      const bool scales_shift = drawn / 1024 % 2 == 0;
      Tensor<Exact> tensor = result.values[problem_.variables[v].name];
      for (Exact& value : tensor.values) value = scales_shift ? value * Exact(factor) + Exact(shift) : value * Exact(shift.is_zero() ? factor : shift);
      give(result, v, std::move(tensor));
    }
    return result;
  }

  /// Another value for a free variable, where the bounds on its entries allow it.
  void give(Instance<Exact>& instance, std::size_t variable, Tensor<Exact> value) const {
    const std::string& name = problem_.variables[variable].name;
    std::swap(instance.values[name], value);
    const auto facts = facts_on(problem_, name);
    if (!std::all_of(facts.begin(), facts.end(), [&](const infer::Fact* f) { return numeric::holds(*f, instance); })) std::swap(instance.values[name], value);
  }

  const infer::Problem& problem_;
  std::uint64_t seed_;
  std::vector<Rational> literals_;
  std::vector<char> free_;
  std::int64_t work_ = 0;
  std::optional<NoValue> evidence_;
};

}  // namespace

bool may_be_undefined(const infer::Problem& problem) {
  PartialOperators partial(problem);
  return partial.any_in(problem.lhs) || partial.any_in(problem.rhs);
}

Definedness defined_somewhere(const infer::Problem& problem, std::uint64_t seed) { return ValueSearch(problem, seed).run(); }

}  // namespace foldproof::refute
