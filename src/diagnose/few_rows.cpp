// SPDX-License-Identifier: MIT
#include "diagnose/few_rows.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "campaign/rules.hpp"
#include "expr/operators.hpp"
#include "infer/is_operator.hpp"
#include "numeric/tensor.hpp"

namespace foldproof::diagnose {
namespace {

namespace ops = expr::ops;
using infer::Term;

constexpr std::int64_t few = 64;
constexpr std::size_t large = 250'000;  // entries, from which on a claim takes its time

void use_names(const expr::Dim& size, std::set<std::string>& used) {
  std::vector<std::string> names;
  expr::collect_names(size, names);
  used.insert(names.begin(), names.end());
}

/// The names that stand in sizes other than as a whole axis of a variable, or over which a step sums.
void collect_used(const Term& t, std::set<std::string>& used) {
  const auto use = [&](const expr::Dim& size) { use_names(size, used); };
  const auto use_all = [&](const expr::Shape& shape) { std::for_each(shape.begin(), shape.end(), use); };
  const bool entrywise = infer::is<ops::Add, ops::Subtract, ops::Multiply, ops::Divide, ops::Negate, ops::Transpose, ops::Sqrt, ops::Rsqrt, ops::Exp, ops::Abs, ops::Power>(t);
  if (t->kind == infer::TermKind::variable || t->kind == infer::TermKind::number) return;
  if (infer::is<ops::Matmul>(t)) {
    use(t->args[0]->shape.back());
  } else if (campaign::works_on_rows(t)) {
    use(t->args[0]->shape[static_cast<std::size_t>(t->call.axis)]);
  } else if (!entrywise) {
    if (t->kind == infer::TermKind::size) use(t->size);
    use_all(t->shape);
    for (const Term& a : t->args) use_all(a->shape);
  }
  for (const Term& a : t->args) collect_used(a, used);
}

/// The tensor with so many indices on each axis, from the first ones on.
campaign::GivenTensor cut(const campaign::GivenTensor& tensor, const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& shape) {
  campaign::GivenTensor out{shape, {}, tensor.format, tensor.integers};
  std::int64_t count = 1;
  for (const std::int64_t n : shape) count *= n;
  out.values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) {
    const std::vector<std::int64_t> index = numeric::indices_of(k, shape);
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) place = place * tensor.shape[axis] + first[axis] + index[axis];
    out.values.push_back(tensor.values[static_cast<std::size_t>(place)]);
  }
  return out;
}

}  // namespace

std::int64_t first_of_few(std::int64_t around, std::int64_t all, std::int64_t few) { return std::clamp<std::int64_t>(around - few / 2, 0, all - few); }

std::optional<campaign::GivenTensors> few_rows(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const std::vector<std::int64_t>& around) {
  const auto is_given = [&](const infer::Variable& v) { return tensors.count(v.name) > 0; };
  const auto is_large = [&](const infer::Variable& v) { return tensors.at(v.name).values.size() > large; };
  const auto& variables = problem.variables;
  if (!problem.facts.empty() || !std::all_of(variables.begin(), variables.end(), is_given) || std::none_of(variables.begin(), variables.end(), is_large)) return std::nullopt;
  std::set<std::string> used;
  for (const auto& given : dims) used.insert(given.first);
  collect_used(problem.lhs, used);
  collect_used(problem.rhs, used);
  for (const infer::Variable& v : problem.variables) {
    for (const expr::Dim& size : v.shape) {
      if (!size.as_symbol() || size.as_symbol()->division) use_names(size, used);
    }
  }
  std::map<std::string, std::int64_t> wanted;
  for (std::size_t axis = 0; axis < std::min(around.size(), problem.lhs->shape.size()); ++axis) {
    if (const auto symbol = problem.lhs->shape[axis].as_symbol()) wanted.emplace(symbol->name, around[axis]);
  }
  campaign::GivenTensors out;
  bool any = false;
  for (const infer::Variable& v : problem.variables) {
    const campaign::GivenTensor& tensor = tensors.at(v.name);
    std::vector<std::int64_t> shape = tensor.shape, first(shape.size(), 0);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const auto symbol = v.shape[axis].as_symbol();
      if (!symbol || used.count(symbol->name) > 0) continue;
      any = any || shape[axis] > few;
      const std::int64_t all = shape[axis];
      shape[axis] = std::min(all, few);
      if (const auto at = wanted.find(symbol->name); at != wanted.end()) first[axis] = first_of_few(at->second, all, shape[axis]);
    }
    out[v.name] = cut(tensor, first, shape);
  }
  return any ? std::optional(std::move(out)) : std::nullopt;
}

std::set<std::string> variables_with_rows(const infer::Problem& problem) {
  std::set<std::string> used, out;
  if (problem.relation != expr::Relation::equal || !problem.facts.empty() || problem.lhs->shape.empty() || problem.rhs->shape.empty()) return out;
  const auto rows = problem.lhs->shape.front().as_symbol(), others = problem.rhs->shape.front().as_symbol();
  if (!rows || rows->division || !others || others->division || rows->name != others->name) return out;
  collect_used(problem.lhs, used);
  collect_used(problem.rhs, used);
  for (const infer::Variable& v : problem.variables) {
    for (std::size_t axis = 0; axis < v.shape.size(); ++axis) {
      const auto symbol = v.shape[axis].as_symbol();
      const bool first = axis == 0 && symbol && !symbol->division && symbol->name == rows->name;
      first ? static_cast<void>(out.insert(v.name)) : use_names(v.shape[axis], used);
    }
  }
  return used.count(rows->name) > 0 ? std::set<std::string>() : out;
}

}  // namespace foldproof::diagnose
