// SPDX-License-Identifier: MIT
#include "campaign/given_cases.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "campaign/rules.hpp"
#include "infer/is_operator.hpp"
#include "numeric/assume.hpp"
#include "numeric/program.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::campaign {
namespace {

namespace ops = expr::ops;

std::vector<expr::DimValues> sizes_of_cases(const infer::Problem& problem, const Sampler& sampler, const expr::DimValues& known, std::int64_t cases) {
  constexpr std::int64_t attempts = 64;
  const auto above_one = [&](const expr::DimValues& dims) {
    return std::all_of(dims.begin(), dims.end(), [&](const auto& size) { return size.second > 1 || known.count(size.first) != 0; });
  };
  const bool open = std::any_of(problem.dimensions.begin(), problem.dimensions.end(), [&](const std::string& name) { return known.count(name) == 0; });
  std::vector<expr::DimValues> out;
  for (std::int64_t block = 0; block < attempts && static_cast<std::int64_t>(out.size()) < cases; ++block) {
    const auto dims = sampler.sizes(block, false);
    if (dims && above_one(*dims)) out.push_back(*dims);
    if (!open && !out.empty()) break;
  }
  if (out.empty()) {
    if (const auto dims = sampler.sizes(0, false)) out.push_back(*dims);
  }
  for (std::size_t k = 0; !out.empty() && out.size() < static_cast<std::size_t>(cases); ++k) out.push_back(out[k]);
  return out;
}

/// Of each step, whether its rows have a single entry when those of all random variables do.
std::vector<bool> rows_of_one_entry(const numeric::Program& program, const GivenTensors& given) {
  std::vector<bool> out;
  for (const numeric::Step& step : program.steps()) {
    const infer::Term& t = step.term;
    const auto operand = [&](std::size_t k) { return static_cast<bool>(out[static_cast<std::size_t>(step.args[k])]); };
    const bool drawn = t->kind == infer::TermKind::variable && given.count(t->name) == 0 && t->shape.size() >= 2;
    const bool first = infer::is<ops::Multiply, ops::Divide, ops::Negate, ops::RmsNorm, ops::L2Norm>(t) && operand(0);
    out.push_back(drawn || first || (infer::is<ops::Multiply>(t) && operand(1)));
  }
  return out;
}

/// Rough number of scalar operations of one case.
std::int64_t work_of(const infer::Problem& problem, const GivenTensors& given, const expr::DimValues& dims, bool unit_vectors) {
  constexpr std::int64_t few = 8;
  const infer::Term sides[] = {problem.lhs, problem.rhs};
  try {
    const numeric::Program program(sides, dims, {std::numeric_limits<std::int64_t>::max(), false});
    const std::vector<bool> sparse = rows_of_one_entry(program, given);
    std::int64_t work = 1;
    for (const numeric::Step& step : program.steps()) {
      const auto arg = [&](std::size_t k) { return static_cast<std::size_t>(step.args[k]); };
      std::int64_t each = few;
      if (infer::is<ops::Matmul>(step.term)) {
        each = unit_vectors && sparse[arg(0)] ? few : program.steps()[arg(0)].shape.back();
      } else if (works_on_rows(step.term)) {
        work += program.steps()[arg(0)].entries * few;
      } else if (step.term->kind == infer::TermKind::apply && !moves_entries(step) && !transposes(step) && !infer::is<ops::Add, ops::Subtract, ops::Multiply, ops::Divide, ops::Negate, ops::Power, ops::Relu, ops::Silu, ops::Gelu, ops::Exp, ops::Abs>(step.term)) {
        for (const auto& size : step.sizes) each = std::max(each, size.second);
      }
      work += step.entries * each;
    }
    return work;
  } catch (const numeric::Undefined&) {
    return 1;
  }
}

/// The sizes of a case with as many rows of random numbers as they have columns; nothing where no size is open like that.
std::optional<expr::DimValues> as_many_rows(const infer::Problem& problem, const GivenTensors& given, const expr::DimValues& known, expr::DimValues sizes) {
  bool any = false;
  for (const infer::Variable& v : problem.variables) {
    if (given.count(v.name) != 0 || v.shape.size() < 2) continue;
    const auto rows = v.shape[v.shape.size() - 2].as_symbol();
    if (!rows || rows->division || known.count(rows->name) != 0 || !unknown_names(v.shape.back(), known).empty()) continue;
    sizes[rows->name] = expr::evaluate(v.shape.back(), known);
    any = true;
  }
  return any ? std::optional(sizes) : std::nullopt;
}

}  // namespace

std::vector<std::string> unknown_names(const expr::Dim& size, const expr::DimValues& dims) {
  std::vector<std::string> names;
  expr::collect_names(size, names);
  std::erase_if(names, [&](const std::string& n) { return dims.count(n) != 0; });
  return names;
}

GivenCases cases_of(const infer::Problem& problem, const Sampler& sampler, const GivenTensors& given, const expr::DimValues& known, std::int64_t most) {
  GivenCases out;
  out.sizes = sizes_of_cases(problem, sampler, known, most);
  if (out.sizes.empty()) return out;
  const std::int64_t each = work_of(problem, given, out.sizes.front(), false);
  out.sizes.resize(std::min(out.sizes.size(), static_cast<std::size_t>(std::max<std::int64_t>(2, much_work / each))));
  out.work = each * static_cast<std::int64_t>(out.sizes.size());
  const auto square = out.sizes.size() > 1 ? as_many_rows(problem, given, known, out.sizes.front()) : std::nullopt;
  if (!square) return out;
  const std::int64_t work = work_of(problem, given, *square, true);
  out.misses_unit_vectors = work > 4 * much_work || !std::all_of(problem.facts.begin(), problem.facts.end(), [&](const infer::Fact& f) { return numeric::holds(f, *square); });
  if (out.misses_unit_vectors) return out;
  out.sizes[1] = *square;
  out.work += work - each;
  return out;
}

}  // namespace foldproof::campaign
