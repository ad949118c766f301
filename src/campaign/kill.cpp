// SPDX-License-Identifier: MIT
#include "campaign/kill.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "campaign/sides.hpp"
#include "expr/diagnostic.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::campaign {
namespace {

using Outcome = Comparison::Outcome;

constexpr const numeric::FormatInfo* formats[] = {&numeric::float64_format, &numeric::float32_format};

/// The programs of one problem at one shape; null where there are none.
std::unique_ptr<Sides> sides_of(const infer::Problem& problem, const expr::DimValues& dims, const numeric::FormatInfo& format, Mutation mutation) {
  try {
    return std::make_unique<Sides>(problem, dims, format, mutation);
  } catch (const numeric::Undefined&) {
  } catch (const expr::LimitReached&) {
  }
  return nullptr;
}

bool is_finite(const std::vector<SideEntry>& side) {
  return std::all_of(side.begin(), side.end(), [](const SideEntry& e) { return std::isfinite(e.value); });
}
bool is_bounded(const std::vector<SideEntry>& side) {
  return std::all_of(side.begin(), side.end(), [](const SideEntry& e) { return std::isfinite(e.value) && std::isfinite(e.bound); });
}

class Killer {
 public:
  Killer(const infer::Problem& problem, const CampaignOptions& options)
      : problem_(problem), options_(options), sampler_(problem, options.seed, options.claim), mutants_(mutants(problem)), seen_(mutants_.size()) {
    for (std::size_t m = 0; m < mutants_.size(); ++m) alive_.push_back(m);
  }

  Kills run(const Proves& proves) {
    for (std::int64_t index = 0; index < options_.cases && !alive_.empty(); index += cases_per_shape) {
      if (index == cases_before_proof) set_equivalent_apart(proves);
      run_block(index);
    }
    for (const std::size_t m : alive_) {
      (seen_[m] ? result_.survivors : result_.untested).push_back(mutants_[m].name);
      result_.made += seen_[m];
    }
    return std::move(result_);
  }

 private:
  void set_equivalent_apart(const Proves& proves) {
    std::erase_if(alive_, [&](std::size_t m) {
      // What is equal over the reals by design is no bug of the formula but of the program.
      if (mutants_[m].rounds_only || !proves(mutants_[m].problem)) return false;
      result_.equivalent.push_back(mutants_[m].name);
      return true;
    });
  }

  void run_block(std::int64_t first) {
    const auto dims = sampler_.sizes(first / cases_per_shape, false);
    if (!dims) return;
    const std::int64_t share = one_case_in(problem_, *dims);
    for (const auto* format : formats) {
      programs_.clear();
      for (const std::size_t m : alive_) programs_.emplace_back(m, sides_of(mutants_[m].problem, *dims, *format, mutants_[m].mutation));
      sound_.reset();
      for (std::int64_t index = first; index < first + cases_per_shape && !alive_.empty(); ++index) {
        if ((index + first / cases_per_shape) % share == 0) run_case(index, *dims, *format);
      }
    }
  }

  void run_case(std::int64_t index, const expr::DimValues& dims, const numeric::FormatInfo& format) {
    const auto values = sampler_.values(index, dims, {&format, 0, false});
    if (!values) return;
    sound_run_.reset();
    for (auto& [m, sides] : programs_) {
      if (!sides || std::find(alive_.begin(), alive_.end(), m) == alive_.end()) continue;
      if (!shows(index, dims, format, *values, m, *sides)) continue;
      std::erase(alive_, m);
      ++result_.made, ++result_.killed;
      result_.last_kill = std::max(result_.last_kill, index);
    }
  }

  bool shows(std::int64_t index, const expr::DimValues& dims, const numeric::FormatInfo& format, const Values& values, std::size_t m, Sides& sides) {
    const Outcome outcome = sides.compare(values).outcome;
    seen_[m] = seen_[m] || outcome != Outcome::undefined;
    if (outcome == Outcome::beyond) return true;
    // No number where the side without its bug has one: 0/0 of a row that lost its only entry.
    const bool no_number = outcome == Outcome::undefined || (outcome == Outcome::vacuous && !is_finite(sides.entries(mutants_[m].right)));
    if (no_number && sound_side_is_bounded(mutants_[m].right, dims, format, values)) {
      seen_[m] = true;
      return true;
    }
    if (sides.exact_bits() == 0 || !sampler_.integral()) return false;
    const auto integers = sampler_.values(index, dims, {&format, sides.exact_bits(), false});
    return integers && sides.compare(*integers, Bounds::none).outcome == Outcome::beyond;
  }

  /// Whether the side without its bug has finite bounds here.
  bool sound_side_is_bounded(bool right, const expr::DimValues& dims, const numeric::FormatInfo& format, const Values& values) {
    if (!sound_) sound_ = sides_of(problem_, dims, format, Mutation::none);
    if (!sound_run_ && sound_) sound_run_ = sound_->compare(values).outcome != Outcome::undefined;
    return sound_run_.value_or(false) && is_bounded(sound_->entries(right));
  }

  const infer::Problem& problem_;
  const CampaignOptions& options_;
  Sampler sampler_;
  std::vector<Mutant> mutants_;
  std::vector<char> seen_;  ///< some case gave both sides a value
  std::vector<std::size_t> alive_;
  std::vector<std::pair<std::size_t, std::unique_ptr<Sides>>> programs_;
  std::unique_ptr<Sides> sound_;
  std::optional<bool> sound_run_;  ///< on the values at hand
  Kills result_;
};

}  // namespace

Kills kill(const infer::Problem& problem, const CampaignOptions& options, const Proves& proves) { return Killer(problem, options).run(proves); }

}  // namespace foldproof::campaign
