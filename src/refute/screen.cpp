// SPDX-License-Identifier: MIT
#include "refute/screen.hpp"

#include <algorithm>

#include "numeric/random.hpp"
#include "numeric/undefined.hpp"
#include "refute/minimize.hpp"
#include "refute/order.hpp"

namespace foldproof::refute {
namespace {

using numeric::Interval;
using numeric::PrimeField;

constexpr std::size_t few_slots = 3;     ///< up to this many slots all simple instances are tried
constexpr std::int64_t few_instances = 300;
constexpr std::size_t few_signs = 6;     ///< up to this many slots all instances of the first alternatives may be tried, such as 0, 1 and -1
constexpr std::size_t small_alternatives = 3;
constexpr std::int64_t all_signs = 729;
constexpr int dead_after = 4;            ///< a choice of logarithmic variables that never worked is dropped after so many shapes
constexpr std::size_t most_tracks = 24;
constexpr std::uint64_t rank_draws = 12;
constexpr std::size_t most_ranks = 64;   ///< combinations of the ranks of matrices
constexpr std::int64_t largest_work = 1'000'000;  ///< scalar operations of one instance

/// None, each variable alone, pairs, all.
std::vector<Lane> lanes_of(const std::vector<char>& allowed) {
  const std::size_t n = allowed.size();
  std::vector<Lane> lanes{Lane(n, 0)};
  for (std::size_t i = 0; i < n; ++i) {
    if (allowed[i] == 0) continue;
    lanes.emplace_back(n, 0);
    lanes.back()[i] = 1;
  }
  Lane all(allowed.begin(), allowed.end());
  for (std::size_t i = 0; i < n && lanes.size() < most_tracks; ++i) {
    for (std::size_t j = i + 1; j < n && lanes.size() < most_tracks; ++j) {
      if (allowed[i] == 0 || allowed[j] == 0) continue;
      lanes.emplace_back(n, 0);
      lanes.back()[i] = lanes.back()[j] = 1;
    }
  }
  if (std::find(lanes.begin(), lanes.end(), all) == lanes.end()) lanes.push_back(all);
  return lanes;
}

}  // namespace

Screen::Screen(const infer::Problem& problem, const Options& options) : problem_(&problem), seed_(numeric::mix(options.seed, signature(problem))), completions_(options.completions), empty_axes_(options.empty_axes) {
  for (Lane& lane : lanes_of(may_be_logarithmic(problem))) tracks_.push_back({std::move(lane)});
  field_ = problem.relation == expr::Relation::equal;
}

bool Screen::settled_in_field(const Space& space, const std::shared_ptr<const numeric::Program>& program, int draws, Screening& result) {
  numeric::Machine<PrimeField> machine(program);
  bool settled = false;
  for (int draw = 0; draw < draws; ++draw) {
    for (std::size_t v = 0; v < problem_->variables.size(); ++v) {
      const numeric::Stream stream(seed_ + static_cast<std::uint64_t>(draw), 100 + v);
      Tensor<PrimeField> value{space.shape(v), {}};
      const auto count = static_cast<std::size_t>(numeric::entries(value.shape));
      for (std::size_t i = 0; i < count; ++i) value.values.push_back(PrimeField::from_bits(stream.draw(i, 0)));
      machine.set(problem_->variables[v].name, value);
    }
    ++instances_;
    work_ += program->work();
    const numeric::Outcome outcome = machine.outcome(0, 1);
    if (outcome == numeric::Outcome::needs_reals) {
      field_ = false;  // it has no functions of the reals at any point, so this claim is none for it
      return false;
    }
    if (outcome != numeric::Outcome::value) continue;
    settled = true;
    ++result.holds;
    if (first_violation(machine.root(0), problem_->relation, machine.root(1)) < 0) continue;
    result.differs = true;
    result.type = NumberType::field;
    return true;
  }
  return settled;
}

template <class T>
Finding Screen::run(Trial<T>& trial, const std::shared_ptr<const Space>& space, Screening& result) {
  const Finding finding = trial.run();
  ++instances_;
  work_ += 4 * result.program->work();
  if (finding == Finding::holds) ++result.holds;
  if (finding == Finding::undefined) ++result.undefined, ++undefined_;
  if (finding == Finding::differs) {
    result.differs = true;
    result.type = std::is_same_v<T, Interval> ? NumberType::interval : NumberType::exact;
    result.space = space;
    result.witness = trial.choice();
  }
  return finding;
}

/// Logarithms and roots of matrices hardly ever have values at entries of both signs.
template <class T>
void Screen::try_positive(const std::shared_ptr<const Space>& space, int draws, Screening& result) {
  Trial<T> trial(*space, result.program);
  for (int draw = 0, undefined = 0; draw < draws && !result.differs; ++draw) {
    if (draw == 2 && undefined == 2) return;  // the signs are not what is missing
    trial.choose(space->choice_of_sign(static_cast<std::uint64_t>(draw), 1));
    undefined += run(trial, space, result) == Finding::undefined;
  }
}

/// Random matrices have full rank; the others may hold no zero, as in 1 / X.
void Screen::try_dependent(const std::shared_ptr<const Space>& space, Screening& result) {
  Trial<Exact> trial(*space, result.program);
  for (const auto& choice : space->diagonal_choices(most_ranks)) {
    trial.choose(choice);
    if (run(trial, space, result) == Finding::differs) return;
  }
  for (std::uint64_t draw = 0; draw < rank_draws && !result.differs; ++draw) {
    trial.choose(space->dependent_choice(draw));
    run(trial, space, result);
  }
}

namespace {

bool is_tied(const Slot& s) { return s.tied; }
/// Whether all variables take one of a few values that satisfy an equation: random numbers hit one again and again.
bool is_listed(const Space& space) { return std::all_of(space.slots().begin(), space.slots().end(), is_tied); }
/// Whether some do: of multiples of ln 2 these may be fewer than of other numbers, as those of y and y > 0 are.
bool is_listed_in_part(const Space& space) { return std::any_of(space.slots().begin(), space.slots().end(), is_tied); }

}  // namespace

template <class T>
Screen::Use Screen::try_space(const std::shared_ptr<const Space>& space, int draws, Effort effort, Screening& result) {
  Trial<T> trial(*space, result.program);
  int exact = 0;
  int failed = 0;
  int undefined = 0;
  const auto found = [&] {
    const Finding finding = run(trial, space, result);
    exact += finding == Finding::holds;
    undefined += finding == Finding::undefined;
    failed += finding == Finding::needs_reals;
    return finding == Finding::differs;
  };
  if (found()) return Use::some_exact;  // alternative 0 everywhere
  const int baseline_failed = failed;
  const int baseline_exact = exact;
  const bool fixed = space->slots().empty();
  if (effort == Effort::simplest) {
    for (const auto& choice : {space->choice_of_sign(0, 1), space->first_entries()}) {
      trial.choose(choice);
      if (found()) break;
    }
    return Use::some_exact;
  }
  for (int draw = 0; draw < draws && !fixed; ++draw) {
    trial.choose(space->random_choice(static_cast<std::uint64_t>(draw)));
    if (found()) return Use::some_exact;
    if (draw == 2 && exact == baseline_exact && failed - baseline_failed >= 2) return Use::none;
  }
  if (exact + undefined > 0 && space->slots().size() == 1) {  // all values of one number
    for (std::size_t k = 0; k < space->alternatives(0); ++k) {
      trial.choose({k});
      if (found()) return Use::some_exact;
    }
  }
  if ((exact > 0 || (std::is_same_v<T, Interval> && is_listed(*space))) && !fixed && space->slots().size() <= few_slots) {
    if (const auto smallest = minimize(trial, *space, std::nullopt, few_instances)) {
      trial.choose(smallest->choice);
      found();
      return Use::some_exact;
    }
  }
  const bool all = effort == Effort::small && space->slots().size() <= few_signs;
  if (exact > 0 && space->slots().size() > few_slots && (all || effort == Effort::sparse)) {
    const std::int64_t before = trial.runs();
    const auto smallest = minimize(trial, *space, std::nullopt, all ? all_signs : few_instances, small_alternatives);
    work_ += 4 * result.program->work() * (trial.runs() - before);
    if (smallest) {
      trial.choose(smallest->choice);
      found();
      return Use::some_exact;
    }
  }
  return exact == 0 ? Use::none : failed == 0 ? Use::all_exact : Use::some_exact;
}

Screening Screen::at(const expr::DimValues& dims, int draws, int field_draws, Effort effort) {
  Screening result;
  try {
    const infer::Term sides[] = {problem_->lhs, problem_->rhs};
    numeric::ProgramLimit limit = numeric::quick_program;
    limit.empty_axes = empty_axes_;
    result.program = std::make_shared<const numeric::Program>(sides, dims, limit);
    if (empty_axes_ && !result.program->has_empty_axes()) return result;
    if (result.program->work() > largest_work) return result;
    result.space = std::make_shared<const Space>(*problem_, dims, tracks_[0].lane, seed_, completions_);
  } catch (const numeric::Undefined&) {
    result.empty = true;
    return result;
  } catch (const expr::LimitReached&) {
    return result;
  }
  const auto plain = result.space;
  result.tried = true;
  work_ += plain->work();
  result.satisfiable = !plain->empty();
  unsure_ = unsure_ || plain->unsure();
  if (field_ && result.satisfiable && plain->unstructured() && settled_in_field(*plain, result.program, field_draws, result)) return result;
  bool all_exact = false;
  for (Track& track : tracks_) {
    if (!track.alive && track.dead >= dead_after) continue;
    const bool first = &track == &tracks_[0];
    const auto space = first ? plain : std::make_shared<const Space>(*problem_, dims, track.lane, seed_, completions_);
    work_ += first ? 0 : space->work();
    if (space->empty()) continue;
    result.satisfiable = true;
    const Use use = try_space<Exact>(space, draws, first || effort >= Effort::sparse ? effort : Effort::draws, result);
    if (result.differs) return result;
    track.alive = track.alive || use != Use::none;
    track.dead += use == Use::none;
    all_exact = use == Use::all_exact && (first || all_exact || (problem_->relation == expr::Relation::equal && !space->slots().empty() && !is_listed_in_part(*space)));  // 1/2 is no logarithm of a whole number, and what differs may be the larger
    if (all_exact && first && !plain->unsure()) break;  // no function of the reals occurs, in the assumptions neither: nothing is gained by logarithms
  }
  if (!all_exact && !plain->empty()) try_space<Interval>(plain, draws, effort >= Effort::sparse ? effort : Effort::draws, result);
  if (!result.differs && result.undefined > result.holds && !plain->empty() && !plain->slots().empty()) {
    try_positive<Exact>(plain, draws, result);
    if (!result.differs) try_positive<Interval>(plain, draws, result);
  }
  if (!result.differs && !problem_->ranks.empty() && !plain->empty() && !plain->slots().empty()) try_dependent(plain, result);
  if (!result.differs) result.space = plain;
  return result;
}

}  // namespace foldproof::refute
