// SPDX-License-Identifier: MIT
#include "refute/tie.hpp"

#include <algorithm>

#include "numeric/undefined.hpp"

namespace foldproof::refute {
namespace {

std::vector<infer::Term> roots_of(const std::vector<const infer::Fact*>& facts) {
  std::vector<infer::Term> roots;
  for (const auto* f : facts) {
    roots.push_back(f->lhs);
    roots.push_back(f->rhs ? f->rhs : f->lhs);
  }
  return roots;
}

}  // namespace

std::ptrdiff_t non_zeros(const Tensor<Exact>& tensor) {
  return std::count_if(tensor.values.begin(), tensor.values.end(), [](const Exact& v) { return !v.is_zero(); });
}

std::ptrdiff_t non_zeros(const Joint& tensors) {
  std::ptrdiff_t count = 0;
  for (const auto& t : tensors) count += non_zeros(t);
  return count;
}

Tie::Tie(const infer::Problem& problem, const expr::DimValues& dims, std::vector<std::size_t> variables, std::vector<const infer::Fact*> facts)
    : problem_(&problem), variables_(std::move(variables)), facts_(std::move(facts)), machine_(std::make_shared<const numeric::Program>(roots_of(facts_), dims)) {}

void Tie::set(std::size_t k, const Tensor<Exact>& value) { machine_.set(problem_->variables[variables_[k]].name, value); }

void Tie::set_entry(std::size_t k, std::size_t place, const Exact& value) {
  const int step = machine_.program().variable(problem_->variables[variables_[k]].name);
  if (step >= 0) machine_.set_entry(step, place, value);  // a sum without parts leaves a variable out
}

bool Tie::satisfied() {
  work_ += 8 * machine_.program().work() + 50;  // failing costs most: an exception each
  try {
    for (std::size_t k = 0; k < facts_.size(); ++k) {
      const infer::Fact& f = *facts_[k];
      const numeric::Outcome outcome = machine_.outcome(2 * k, 2 * k + 1);
      if (outcome != numeric::Outcome::value) {
        unsure_ = unsure_ || outcome != numeric::Outcome::undefined;
        return false;
      }
      const Tensor<Exact>& lhs = machine_.root(2 * k);
      if (f.kind == infer::FactKind::predicate ? !numeric::satisfies(f.predicate, lhs) : !numeric::related(lhs, f.relation, machine_.root(2 * k + 1))) return false;
    }
    return true;
  } catch (const numeric::Undefined&) {
    return false;
  } catch (const numeric::NeedsReals&) {
    unsure_ = true;
    return false;
  }
}

std::vector<Tie::Equation> Tie::equations() {
  std::vector<Equation> result;
  for (std::size_t k = 0; k < facts_.size(); ++k) {
    if (facts_[k]->kind != infer::FactKind::relation || facts_[k]->relation != expr::Relation::equal) continue;
    const std::size_t count = std::max(machine_.root(2 * k).values.size(), machine_.root(2 * k + 1).values.size());
    for (std::size_t i = 0; i < count; ++i) result.push_back({k, i});
  }
  return result;
}

Exact Tie::residual(const Equation& e) {
  work_ += 8 * machine_.program().work() / static_cast<std::int64_t>(facts_.size()) + 4;
  const Tensor<Exact>& lhs = machine_.root(2 * e.fact);
  const Tensor<Exact>& rhs = machine_.root(2 * e.fact + 1);
  return lhs.values[lhs.shape.empty() ? 0 : e.entry] - rhs.values[rhs.shape.empty() ? 0 : e.entry];
}

}  // namespace foldproof::refute
