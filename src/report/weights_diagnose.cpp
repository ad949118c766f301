// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "report/common_factor.hpp"
#include "report/fitted_reading.hpp"
#include "report/mistakes.hpp"
#include "report/row_order.hpp"
#include "report/weights_check.hpp"

namespace foldproof::report {

namespace {

using Tensors = std::map<std::string, campaign::GivenTensor>;

/// Runs claims with a mistake on tensors, in the format that answers for the stored numbers.
class Attempts {
 public:
  Attempts(const WeightsCheck& check, const Given& given, std::uint64_t seed) {
    options_.seed = seed;
    options_.dims = sizes_left(given.dims, *check.decision.problem);
    options_.formats = {check.result->answer()->counts.format};
    options_.stored_results = true;
  }

  std::size_t tried() const { return tried_; }
  const expr::DimValues& dims() const { return options_.dims; }

  /// Nothing where it does not hold, or its shapes do not fit.
  std::optional<Explanation> holds(const expr::Claim& claim, const Tensors& all, const std::string& change) {
    const auto problem = fitting(claim, all);
    const auto result = problem ? run(*problem, all, options_) : std::nullopt;
    if (!result) return std::nullopt;
    ++tried_;
    std::string reason;
    const WeightsAnswer answer = answer_of(*result, reason);
    if (answer != WeightsAnswer::equal && answer != WeightsAnswer::rounding) return std::nullopt;
    const auto& format = campaign::format_called(result->answer()->counts.format);
    if (answer == WeightsAnswer::rounding && format.is_narrow() && common_factor(*problem, campaign::those_of(*problem, all), options_.dims, format)) return std::nullopt;
    std::int64_t differing = result->differing();
    if (answer == WeightsAnswer::rounding && format.is_narrow()) {
      campaign::GivenOptions once = options_;
      once.formats = {"float64"};
      if (const auto rounded_once = run(*problem, all, once)) differing = std::min(differing, rounded_once->differing());
    }
    return Explanation{expr::text(claim), change, answer, differing};
  }

  /// Whether the sides are the same number by number, up to the roundings of float64 alone.
  bool same_values(const expr::Claim& claim, const Tensors& all) {
    campaign::GivenOptions plain = options_;
    plain.formats = {"float64"};
    plain.stored_results = false;
    const auto problem = fitting(claim, all);
    const auto result = problem ? run(*problem, all, plain) : std::nullopt;
    return result && result->formats.front().counts.beyond == 0;
  }

 private:
  std::optional<infer::Problem> fitting(const expr::Claim& claim, const Tensors& all) const {
    try {
      infer::Problem problem = infer::elaborate(claim);
      const Tensors tensors = campaign::those_of(problem, all);  // a claim with a mistake may lack some
      if (tensors.size() >= 2 && campaign::fits(problem, tensors, options_.dims)) return problem;
    } catch (const expr::Error&) {  // its shapes do not fit
    } catch (const expr::LimitReached&) {
    }
    return std::nullopt;
  }
  static std::optional<campaign::GivenResult> run(const infer::Problem& problem, const Tensors& all, const campaign::GivenOptions& options) {
    try {
      return campaign::run_on(problem, campaign::those_of(problem, all), options);
    } catch (const expr::Error&) {
    } catch (const expr::LimitReached&) {
    }
    return std::nullopt;
  }

  campaign::GivenOptions options_;
  std::size_t tried_ = 0;
};

}  // namespace

Diagnosis diagnose(const WeightsCheck& check, const Given& given, std::uint64_t seed) {
  constexpr std::size_t most = 400, most_others = 40;
  Diagnosis out;
  Attempts attempts(check, given, seed);
  const auto attempt = [&](const expr::Claim& claim, const Tensors& all, const std::string& change) {
    if (attempts.tried() == most) {
      ++out.left;
    } else if (auto found = attempts.holds(claim, all, change)) {
      out.found.push_back(std::move(*found));
    }
    out.tried = attempts.tried();
  };
  const expr::Claim& claim = *check.decision.claim;
  for (const Mistake& mistake : mistakes(claim)) attempt(mistake.claim, given.tensors, mistake.change);
  if (!out.found.empty() || check.answer != WeightsAnswer::bug) return out;  // what follows is less likely
  for (const Mistake& mistake : mistakes_in_numbers(claim, given.tensors, attempts.dims())) attempt(mistake.claim, given.tensors, mistake.change);
  if (!out.found.empty()) return out;
  RowOrder order = row_order(claim, given.tensors, attempts.dims());
  for (const Mistake& mistake : order.mistakes) attempt(mistake.claim, given.tensors, mistake.change);
  if (!out.found.empty()) return out;
  out.observation = std::move(order.observation);
  for (const auto& [variable, others] : given.others) {
    out.left += others.size() - std::min(others.size(), most_others);
    for (std::size_t k = 0; k < std::min(others.size(), most_others); ++k) {
      auto tensors = given.tensors;
      try {
        tensors.at(variable) = others[k].read();
      } catch (const expr::Error&) {  // it holds infinities, say
        continue;
      }
      const auto same = [&, &name = variable](const auto& one) { return one.first != name && one.second.values == tensors.at(name).values; };
      if (std::any_of(tensors.begin(), tensors.end(), same)) continue;  // W == W explains nothing
      attempt(claim, tensors, "with the tensor " + others[k].name + " for " + variable);
    }
  }
  return out;
}

std::optional<Explanation> closer_mistake(const WeightsCheck& check, const Given& given, std::uint64_t seed) {
  constexpr std::int64_t far_better = 10;
  constexpr std::size_t enough_entries = 50'000'000, least = 4;  // of the largest tensor, in all attempts
  const std::int64_t differing = check.result->differing();
  if (check.result->answer()->counts.cases != 1 || differing == 0) return std::nullopt;
  std::size_t largest = 1;
  for (const auto& tensor : given.tensors) largest = std::max(largest, tensor.second.values.size());
  Attempts attempts(check, given, seed);
  const expr::Claim& claim = *check.decision.claim;
  for (const Mistake& mistake : mistakes(claim)) {
    if (attempts.tried() >= std::max(least, enough_entries / largest)) break;
    const auto found = attempts.holds(mistake.claim, given.tensors, mistake.change);
    if (!found || found->differing * far_better > differing) continue;
    // W.T for a symmetric W is no mistake: what is computed must be something else.
    expr::Claim both = claim;
    const bool left = !expr::same(claim.lhs, mistake.claim.lhs);
    both.lhs = left ? claim.lhs : claim.rhs;
    both.rhs = left ? mistake.claim.lhs : mistake.claim.rhs;
    if (!attempts.same_values(both, given.tensors)) return found;
  }
  return std::nullopt;
}

}  // namespace foldproof::report
