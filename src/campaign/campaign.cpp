// SPDX-License-Identifier: MIT
#include "campaign/campaign.hpp"

#include <algorithm>

#include "campaign/exact_lane.hpp"
#include "campaign/shrink.hpp"
#include "campaign/sides.hpp"
#include "numeric/assume.hpp"
#include "numeric/evaluate.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::campaign {
namespace {

using numeric::Exact;
using Outcome = Comparison::Outcome;

/// One case in so many is bounded entry by entry in any case; coprime to the number of families, so that all have their turn.
constexpr std::int64_t entries_every = 33;
constexpr std::int64_t entries_turn = 5;
constexpr std::int64_t largest_share = 5000;  ///< beyond it a claim is not run: literal sizes such as 4096

std::string exact_text(const Values::mapped_type& tensor) {
  std::string out;
  for (const double v : tensor.values) out += (out.empty() ? "" : " ") + numeric::Rational::from_double(v).text();
  return out;
}

std::int64_t largest(const expr::DimValues& dims) {
  std::int64_t out = 1;
  for (const auto& [name, size] : dims) out = std::max(out, size);
  return out;
}

std::int64_t power_of_two(std::int64_t least) {
  std::int64_t out = 1;
  while (out < least) out *= 2;
  return out;
}

void add(std::vector<SizeRatio>& bins, const SizeRatio& more) {
  const auto at = std::lower_bound(bins.begin(), bins.end(), more.size, [](const SizeRatio& bin, std::int64_t size) { return bin.size < size; });
  if (at == bins.end() || at->size != more.size) {
    bins.insert(at, more);
    return;
  }
  at->cases += more.cases;
  at->worst_ratio = std::max(at->worst_ratio, more.worst_ratio);
}

class Runner {
 public:
  Runner(const infer::Problem& problem, const CampaignOptions& options, Expectation expectation)
      : problem_(problem), options_(options), sampler_(problem, options.seed, options.claim, options.dims, options.turns) {
    result_.expectation = expectation;
    result_.excluded = sampler_.excluded();
    for (const std::string& name : options.formats) result_.formats.push_back(FormatResult{.format = name, .worst_element = "", .formula = "", .by_size = {}});
  }

  Campaign run() {
    const std::int64_t last = options_.first_case + options_.cases;
    for (std::int64_t index = options_.first_case; index < last;) {
      const std::int64_t block = index / cases_per_shape;
      const std::int64_t end = std::min(last, (block + 1) * cases_per_shape);
      run_block(block, index, end);
      index = end;
    }
    return std::move(result_);
  }

 private:
  void run_block(std::int64_t block, std::int64_t first, std::int64_t end) {
    const auto dims = sampler_.sizes(block, false);
    if (dims != dims_ || sides_.empty()) build(dims);
    for (std::int64_t index = first; index < end; ++index) {
      if ((index + index / cases_per_shape) % share_ != 0) continue;  // shifted by the block, so that all families have their turn
      for (std::size_t f = 0; f < sides_.size(); ++f) run_case(index, f, dims, sides_[f].get());
      if (index % options_.rational_every == 0) rational_case(index);
    }
  }

  /// The programs at the sizes of a block; none where they have no value.
  void build(const std::optional<expr::DimValues>& dims) {
    dims_ = dims;
    share_ = dims && !options_.every_case ? one_case_in(problem_, *dims) : 1;
    if (share_ > largest_share) throw expr::LimitReached("one case costs more than " + std::to_string(largest_share) + " usual ones at the sizes of the claim");
    drawing_.reset();
    if (dims) drawing_.emplace(sampler_, *dims);
    sides_.clear();
    sides_.resize(result_.formats.size());
    for (std::size_t f = 0; f < sides_.size() && dims; ++f) {
      try {
        sides_[f] = std::make_unique<Sides>(problem_, *dims, format_called(result_.formats[f].format), options_.mutation);
      } catch (const numeric::Undefined&) {
      } catch (const expr::LimitReached&) {
      }
    }
    chosen_dims_ = dims ? std::optional(sizes_for_exactness(*dims)) : std::nullopt;
    chosen_sides_.clear();
    chosen_sides_.resize(sides_.size());
  }

  void run_case(std::int64_t index, std::size_t f, const std::optional<expr::DimValues>& dims, Sides* sides) {
    FormatResult& r = result_.formats[f];
    const auto& format = format_called(r.format);
    if (format.is_narrow() && (index + index / cases_per_shape) % options_.sixteen_bit_every != 0)
      return;  // all families in turn
    ++r.cases;
    const Lane lane{&format, 0, false};
    const bool drawn = sides != nullptr && drawing_->draw(index, lane);
    const Comparison c = drawn ? sides->compare(drawing_->values(), index % entries_every == entries_turn ? Bounds::entries : Bounds::norms) : Comparison{};
    if (options_.observe) {
      const std::string element = c.entry < 0 ? "" : c.element();
      options_.observe({index, r.format, text(sampler_.family(index)), dims.value_or(expr::DimValues{}), result_.expectation, c.outcome, c.ratio, element});
    }
    if (!drawn) {
      ++r.discarded;
      return;
    }
    count(index, c, *sides, r);
    if (c.entry >= 0) add(r.by_size, {power_of_two(largest(*dims)), 1, c.ratio});
    if (c.outcome == Outcome::beyond && result_.expectation == Expectation::equal) keep_failure(index, *dims, drawing_->values(), format, false);
    if (sides->exact_bits() > 0 && sampler_.integral()) {
      exact_case(index, *dims, *sides, format);
    } else if ((index + index / cases_per_shape) % options_.chosen_every == 0) {
      chosen_case(index, f, *sides, format);
    }
  }

  void count(std::int64_t index, const Comparison& c, const Sides& sides, FormatResult& r) {
    switch (c.outcome) {
      case Outcome::undefined:
        ++r.discarded;
        return;
      case Outcome::within:
        ++r.within;
        break;
      case Outcome::suspicious:
        ++r.suspicious;
        break;
      case Outcome::vacuous:
        r.add_vacuous(c);
        break;
      case Outcome::beyond:
        ++r.beyond;
        break;
    }
    if (c.outcome == Outcome::beyond && result_.expectation == Expectation::equal) ++r.failed;
    r.by_norms += c.by_norms;
    result_.largest_gap_ratio = std::max(result_.largest_gap_ratio, c.ratio);
    if (c.entry < 0 || (r.worst_case >= 0 && c.ratio <= r.worst_ratio)) return;
    r.worst_ratio = c.ratio;
    r.worst_case = index;
    r.worst_element = c.element();
    r.formula = sides.formula(c);
  }

  void exact_case(std::int64_t index, const expr::DimValues& dims, Sides& sides, const numeric::FormatInfo& format) {
    if (!drawing_->draw(index, {&format, sides.exact_bits(), false})) return;
    const Comparison c = sides.compare(drawing_->values(), Bounds::none);
    if (c.outcome == Outcome::undefined || c.outcome == Outcome::vacuous) return;
    ++result_.exact.cases;
    if (c.outcome != Outcome::beyond) return;
    ++result_.exact.failed;
    if (result_.expectation == Expectation::equal) keep_failure(index, dims, drawing_->values(), format, true);
  }

  /// The running bounds tell whether the chosen numbers were exact all the way.
  void chosen_case(std::int64_t index, std::size_t f, const Sides& usual, const numeric::FormatInfo& format) {
    std::string& rounding = result_.exact.rounding;  // stays empty where only this format has too few bits
    if (rounding.empty()) rounding = !usual.rounding_operator().empty() ? usual.rounding_operator() : sampler_.integral() ? "" : "an assumption on the inputs";
    const expr::DimValues& dims = *chosen_dims_;
    try {
      if (!std::all_of(problem_.facts.begin(), problem_.facts.end(), [&](const infer::Fact& fact) { return numeric::holds(fact, dims); })) return;
      if (!chosen_sides_[f]) chosen_sides_[f] = std::make_unique<Sides>(problem_, dims, format, options_.mutation);
      auto values = sampler_.values(index, dims, {&format, 2, false});
      if (!values) return;
      Values chosen = *values;
      choose_for_exactness(index, chosen);
      if (problem_.facts.empty() || sampler_.satisfied(dims, chosen)) values = std::move(chosen);
      const Comparison c = chosen_sides_[f]->compare(*values, Bounds::entries);
      if (c.outcome == Outcome::undefined) return;
      ++result_.exact.chosen;
      if (!c.exact) return;
      ++result_.exact.cases;
      if (c.outcome != Outcome::beyond) return;
      ++result_.exact.failed;
      if (result_.expectation == Expectation::equal) keep_failure(index, dims, *values, format, false);
    } catch (const numeric::Undefined&) {
    } catch (const expr::LimitReached&) {
    }
  }

  void rational_case(std::int64_t index) {
    const auto dims = sampler_.sizes(index / options_.rational_every, true);
    const auto values = dims ? sampler_.values(index, *dims, {&numeric::float64_format, 0, true}) : std::nullopt;
    const int differs = values ? rational_difference(*dims, *values) : -1;
    ++(differs < 0 ? result_.rational_skipped : result_.rational_cases);
    result_.rational_failed += differs == 1;
  }

  /// Whether the sides differ in exact arithmetic; -1 when this cannot be told. Exponentials are rational where their arguments
  /// are integer multiples of ln 2: the variables in turn are drawn as such.
  int rational_difference(const expr::DimValues& dims, const Values& values) const {
    numeric::Instance<Exact> instance{dims, {}};
    for (const auto& [name, tensor] : values)
      instance.values[name] = numeric::converted<Exact>(tensor, [](double v) { return Exact(numeric::Rational::from_double(v)); });
    int differs = difference_at(instance);
    for (std::size_t v = 0; v < problem_.variables.size() && differs < 0; ++v) {
      const std::string& name = problem_.variables[v].name;
      numeric::Instance<Exact> logarithms = instance;
      for (Exact& entry : logarithms.values[name].values) entry = entry * Exact::log_two(2);
      differs = difference_at(logarithms);
    }
    return differs;
  }
  int difference_at(const numeric::Instance<Exact>& instance) const {
    try {
      for (const auto& fact : problem_.facts) {
        if (!numeric::holds(fact, instance)) return -1;
      }
      return !numeric::related(numeric::evaluate(problem_.lhs, instance), problem_.relation, numeric::evaluate(problem_.rhs, instance));
    } catch (const numeric::NeedsReals&) {
      return -1;
    } catch (const numeric::Undefined&) {
      return -1;
    } catch (const expr::LimitReached&) {
      return -1;
    }
  }

  /// The first failure is shrunk and kept.
  void keep_failure(std::int64_t index, expr::DimValues dims, Values values, const numeric::FormatInfo& format, bool exactly) {
    if (result_.failure || !options_.keep_failure) return;
    const Bounds bounds = exactly ? Bounds::none : Bounds::entries;
    const StillFails fails = [&](const expr::DimValues& d, const Values& v) {
      try {
        Sides sides(problem_, d, format, options_.mutation);
        if (bounds == Bounds::none && sides.exact_bits() == 0) return false;
        for (const auto& fact : problem_.facts) {
          if (!numeric::holds(fact, d)) return false;
        }
        return sides.compare(v, bounds).outcome == Outcome::beyond && (problem_.facts.empty() || sampler_.satisfied(d, v));
      } catch (const numeric::Undefined&) {
        return false;
      }
    };
    shrink(problem_, fails, dims, values);
    MinimalCase minimal;
    minimal.case_index = index;
    minimal.lane = (exactly ? "exact lane, " : "") + std::string(format.name);
    minimal.dims = dims;
    for (const auto& v : problem_.variables) minimal.tensors.emplace_back(v.name, exact_text(values.at(v.name)));
    Sides sides(problem_, dims, format, options_.mutation);
    static_cast<void>(sides.compare(values, bounds));
    minimal.lhs = sides.side_text(false);
    minimal.rhs = sides.side_text(true);
    minimal.values = std::move(values);
    result_.failure = std::move(minimal);
  }

  const infer::Problem& problem_;
  const CampaignOptions& options_;
  Sampler sampler_;
  Campaign result_;
  std::optional<expr::DimValues> dims_;  ///< of the current programs
  std::int64_t share_ = 1;  ///< one case in so many is run
  std::optional<Sampler::Drawing> drawing_;
  std::vector<std::unique_ptr<Sides>> sides_;
  std::optional<expr::DimValues> chosen_dims_;
  std::vector<std::unique_ptr<Sides>> chosen_sides_;
};

}  // namespace

Campaign run(const infer::Problem& problem, const CampaignOptions& options, Expectation expectation) { return Runner(problem, options, expectation).run(); }

Campaign merged(const Campaign& a, const Campaign& b) {
  Campaign result = a;
  expr::invariant(a.formats.size() == b.formats.size() && a.expectation == b.expectation, "pieces of different campaigns");
  for (std::size_t f = 0; f < a.formats.size(); ++f) {
    FormatResult& r = result.formats[f];
    const FormatResult& other = b.formats[f];
    const FormatResult& worst = r.worst_case < 0 || (other.worst_case >= 0 && other.worst_ratio > r.worst_ratio) ? other : r;
    FormatResult sum{r.format,
                     r.cases + other.cases,
                     r.discarded + other.discarded,
                     r.within + other.within,
                     r.suspicious + other.suspicious,
                     r.vacuous + other.vacuous,
                     r.overflowed + other.overflowed,
                     r.one_sided + other.one_sided,
                     r.unfit + other.unfit,
                     r.beyond + other.beyond,
                     r.failed + other.failed,
                     r.by_norms + other.by_norms,
                     worst.worst_ratio,
                     worst.worst_case,
                     worst.worst_element,
                     worst.formula,
                     r.by_size};
    for (const SizeRatio& bin : other.by_size) add(sum.by_size, bin);
    r = std::move(sum);
  }
  result.exact.cases += b.exact.cases;
  result.exact.failed += b.exact.failed;
  result.exact.chosen += b.exact.chosen;
  if (result.exact.rounding.empty()) result.exact.rounding = b.exact.rounding;
  result.rational_cases += b.rational_cases;
  result.rational_failed += b.rational_failed;
  result.rational_skipped += b.rational_skipped;
  result.largest_gap_ratio = std::max(a.largest_gap_ratio, b.largest_gap_ratio);
  if (!result.failure) result.failure = b.failure;
  return result;
}

void FormatResult::add_vacuous(const Comparison& c) {
  ++vacuous;
  overflowed += c.overflow != Comparison::Overflow::none;
  one_sided += c.overflow == Comparison::Overflow::one_side;
}

std::string FormatResult::not_compared() const {
  std::string out;
  const auto add = [&out](std::int64_t number, const char* why) {
    if (number > 0) out += (out.empty() ? "" : ", ") + std::string(why) + " (" + std::to_string(number) + ")";
  };
  add(one_sided, "one side overflows");
  add(unfit, "a given tensor overflows in this format");
  add(overflowed - one_sided - unfit, "both sides overflow");
  add(vacuous - overflowed, "the bound is infinite");
  add(discarded, "a side has no value, or an assumption is not met");
  return out;
}

std::string ExactLane::note() const {
  if (rounding.empty()) return "";
  if (chosen == 0) return "not exact by construction because of " + rounding + "; no numbers were chosen in these few cases";
  const std::string tried = std::to_string(chosen) + " cases at numbers chosen for exactness";
  if (cases == 0) return "none: " + rounding + " rounds in all of " + tried;
  return "not exact by construction because of " + rounding + "; of " + tried + " those count that round nowhere";
}

bool Campaign::passed() const {
  const auto any = [&](auto count) { return std::any_of(formats.begin(), formats.end(), [&](const FormatResult& r) { return count(r) > 0; }); };
  if (expectation == Expectation::different) return any([](const FormatResult& r) { return r.beyond; }) || exact.failed > 0;
  const bool tested = any([](const FormatResult& r) { return r.within + r.suspicious; });
  return tested && !any([](const FormatResult& r) { return r.failed; }) && exact.failed == 0 && rational_failed == 0;
}

std::int64_t Campaign::failures() const {
  if (expectation == Expectation::different) return 0;
  std::int64_t sum = exact.failed;
  for (const FormatResult& r : formats) sum += r.failed;
  return sum;
}

std::string Campaign::digest_exact_input() const {
  return "exact " + std::to_string(exact.cases) + " " + std::to_string(exact.failed) + " rational " + std::to_string(rational_cases) + " " +
         std::to_string(rational_failed) + " " + std::to_string(rational_skipped);
}
std::string Campaign::digest_numeric_input() const {
  std::string out;
  for (const FormatResult& r : formats) {
    out += r.format;
    for (const std::int64_t n : {r.cases, r.discarded, r.within, r.suspicious, r.vacuous, r.beyond}) out += " " + std::to_string(n);
    out += " " + hex(r.worst_ratio) + " " + r.worst_element + "\n";
  }
  return out;
}

}  // namespace foldproof::campaign
