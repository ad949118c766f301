// SPDX-License-Identifier: MIT
// A claim tested on tensors that somebody has, instead of random ones.
#include <algorithm>

#include "campaign/campaign.hpp"
#include "campaign/sides.hpp"
#include "expr/diagnostic.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::campaign {
namespace {

constexpr std::size_t largest_checked = 20'000;  ///< entries of given tensors, beyond which exact checks of assumptions take too long

std::string text_of(const std::vector<std::int64_t>& shape) {
  std::string out;
  for (const std::int64_t n : shape) out += (out.empty() ? "" : ", ") + std::to_string(n);
  return "[" + out + "]";
}

const infer::Variable& variable(const infer::Problem& problem, const std::string& name) {
  for (const auto& v : problem.variables) {
    if (v.name == name) return v;
  }
  expr::fail("bind.name", "the claim has no tensor called " + name, {}, "bind one of: " + infer::shapes_text(problem));
}

/// Solves one axis for its only unknown name by trying sizes; false when several are unknown.
bool solve(const expr::Dim& axis, std::int64_t extent, expr::DimValues& dims) {
  std::vector<std::string> unknown;
  expr::collect_names(axis, unknown);
  unknown.erase(std::remove_if(unknown.begin(), unknown.end(), [&](const std::string& n) { return dims.count(n) != 0; }), unknown.end());
  if (unknown.size() != 1) return unknown.empty();
  for (std::int64_t size = 1; size <= extent; ++size) {
    expr::DimValues trial = dims;
    trial[unknown[0]] = size;
    if (expr::evaluate(axis, trial) != extent) continue;
    dims = trial;
    return true;
  }
  return false;
}

/// The sizes that the given tensors and the options determine.
expr::DimValues determined(const infer::Problem& problem, const std::map<std::string, GivenTensor>& given, expr::DimValues dims) {
  for (std::size_t round = 0; round <= problem.dimensions.size(); ++round) {
    for (const auto& [name, tensor] : given) {
      const infer::Variable& v = variable(problem, name);
      const auto misfit = [&, &shape = tensor.shape, &label = name] {
        expr::fail("bind.shape", label + " has shape " + text_of(shape) + ", but the claim needs " + expr::text(v.shape), {},
                   "bind a transpose or a slice, or check the sizes of the other tensors");
      };
      if (v.shape.size() != tensor.shape.size()) misfit();
      for (std::size_t axis = 0; axis < v.shape.size(); ++axis) {
        if (!solve(v.shape[axis], tensor.shape[axis], dims)) continue;
        if (expr::evaluate(v.shape[axis], dims) != tensor.shape[axis]) misfit();
      }
    }
  }
  for (const auto& [name, tensor] : given) {
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
      std::vector<std::string> names;
      expr::collect_names(variable(problem, name).shape[axis], names);
      for (const std::string& n : names) {
        if (dims.count(n) == 0) expr::fail("bind.shape", "the tensors do not determine the size " + n, {}, "give it, such as --dim " + n + "=4");
      }
    }
  }
  return dims;
}

void add(const Comparison& c, std::int64_t index, const Sides& sides, FormatResult& r) {
  r.discarded += c.outcome == Comparison::Outcome::undefined;
  r.within += c.outcome == Comparison::Outcome::within;
  r.suspicious += c.outcome == Comparison::Outcome::suspicious;
  r.vacuous += c.outcome == Comparison::Outcome::vacuous;
  r.beyond += c.outcome == Comparison::Outcome::beyond;
  r.failed = r.beyond;
  r.by_norms += c.by_norms;
  if (c.entry < 0 || (r.worst_case >= 0 && c.ratio <= r.worst_ratio)) return;
  r.worst_ratio = c.ratio;
  r.worst_case = index;
  r.worst_element = c.element();
  r.formula = sides.formula(c);
}

Values rounded_to(const numeric::FormatInfo& format, const std::map<std::string, GivenTensor>& given) {
  Values values;
  for (const auto& [name, tensor] : given) {
    values[name] = {tensor.shape, tensor.values};
    for (double& v : values[name].values) v = rounded(v, format);
  }
  return values;
}

/// What cannot be checked is refused: a test outside of its assumptions says nothing.
void check_assumptions(const infer::Problem& problem, const Sampler& sampler, const expr::DimValues& dims, const std::map<std::string, GivenTensor>& given) {
  if (problem.facts.empty()) return;
  std::size_t entries = 0;
  for (const auto& named : given) entries += named.second.values.size();
  if (entries > largest_checked)
    expr::fail("bind.assumption", "these tensors are too large to check the assumptions of the claim exactly", {},
               "test the claim without its assumptions, or on a slice");
  const auto values = sampler.values(0, dims, {}, rounded_to(numeric::float64_format, given));
  if (values && !sampler.satisfied(dims, *values))
    expr::fail("bind.assumption", "the tensors do not satisfy the assumptions of the claim exactly", {}, "nearly is not enough: the bounds assume them");
}

FormatResult run_format(const infer::Problem& problem, const Sampler& sampler, const expr::DimValues& dims, const std::map<std::string, GivenTensor>& given,
                        const GivenOptions& options, const numeric::FormatInfo& format) {
  FormatResult r;
  r.format = format.name;
  Sides sides(problem, dims, format, Mutation::none);
  const Values values = rounded_to(format, given);
  const bool random = problem.variables.size() > given.size();
  for (std::int64_t draw = 0; draw < (random ? options.draws : 1); ++draw) {
    ++r.cases;
    const auto drawn = sampler.values(draw, dims, {&format, 0, false}, values);
    if (drawn && (problem.facts.empty() || sampler.satisfied(dims, *drawn))) {
      add(sides.compare(*drawn, Bounds::norms), draw, sides, r);
    } else {
      ++r.discarded;
    }
  }
  return r;
}

}  // namespace

std::vector<FormatResult> run_on(const infer::Problem& problem, const std::map<std::string, GivenTensor>& given, const GivenOptions& options) {
  const expr::DimValues known = determined(problem, given, options.dims);
  const Sampler sampler(problem, options.seed, "", known);
  const auto dims = sampler.sizes(0, false);
  if (!dims) expr::fail("bind.assumption", "no sizes satisfy the assumptions of the claim together with these tensors", {});
  check_assumptions(problem, sampler, *dims, given);
  std::vector<FormatResult> results;
  try {
    for (const std::string& name : options.formats) results.push_back(run_format(problem, sampler, *dims, given, options, format_called(name)));
  } catch (const numeric::Undefined& e) {
    expr::fail("bind.shape", std::string("at these sizes the claim has no value: ") + e.what(), {});
  }
  return results;
}

}  // namespace foldproof::campaign
