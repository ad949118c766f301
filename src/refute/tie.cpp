// SPDX-License-Identifier: MIT
#include "refute/tie.hpp"

#include <algorithm>

#include "numeric/undefined.hpp"

namespace foldproof::refute {
namespace {

/// The comparisons of which both variables are among these.
std::vector<const infer::Comparison*> comparisons_of(const infer::Problem& problem, const std::vector<std::size_t>& variables) {
  const auto has = [&](const std::string& name) { return std::any_of(variables.begin(), variables.end(), [&](std::size_t v) { return problem.variables[v].name == name; }); };
  std::vector<const infer::Comparison*> found;
  for (const auto& c : problem.comparisons) {
    if (has(c.mask) && has(c.scale)) found.push_back(&c);
  }
  return found;
}

std::vector<infer::Term> roots_of(const infer::Problem& problem, const std::vector<std::size_t>& variables, const std::vector<const infer::Fact*>& facts) {
  std::vector<infer::Term> roots;
  for (const auto* f : facts) {
    roots.push_back(f->lhs);
    roots.push_back(f->rhs ? f->rhs : f->lhs);
  }
  for (const auto* c : comparisons_of(problem, variables)) roots.push_back(c->difference);
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
    : problem_(&problem), variables_(std::move(variables)), facts_(std::move(facts)), machine_(std::make_shared<const numeric::Program>(roots_of(problem, variables_, facts_), dims)) {
  const auto position = [&](const std::string& name) { return static_cast<std::size_t>(std::find_if(variables_.begin(), variables_.end(), [&](std::size_t v) { return problem.variables[v].name == name; }) - variables_.begin()); };
  for (const auto* c : comparisons_of(problem, variables_)) given_.push_back({position(c->mask), position(c->scale), c->equality});
}

bool Tie::is_given(std::size_t k) const {
  return std::any_of(given_.begin(), given_.end(), [&](const Given& g) { return g.mask == k || g.scale == k; });
}

bool Tie::can_be_told(const std::function<bool()>& holds) {
  try {
    return holds();
  } catch (const numeric::Undefined&) {
    return false;
  } catch (const numeric::NeedsReals&) {
    unsure_ = true;
    return false;
  }
}

bool Tie::is_value(numeric::Outcome outcome) {
  unsure_ = unsure_ || (outcome != numeric::Outcome::value && outcome != numeric::Outcome::undefined);
  return outcome == numeric::Outcome::value;
}

bool Tie::set_given(const std::function<void(std::size_t, const Tensor<Exact>&)>& see) {
  return can_be_told([&] {
    for (std::size_t c = 0; c < given_.size(); ++c) {
      const std::size_t root = 2 * facts_.size() + c;
      if (!is_value(machine_.outcome(root))) return false;  // exp(1) > 2 is not told here
      Tensor<Exact> mask = machine_.root(root), scale = mask;
      for (std::size_t i = 0; i < mask.values.size(); ++i) {
        const Exact z = mask.values[i], distance = numeric::related(z, expr::Relation::less, Exact(0)) ? -z : z;
        const bool zero = z.is_zero();
        mask.values[i] = Exact(given_[c].equality ? zero : !zero && z == distance);
        const bool any = zero || (!given_[c].equality && !(z == distance));  // M == r * relu(z) asks nothing of r then, and 1 / (2 - ln 4) has no exact value
        scale.values[i] = any ? Exact(0) : Exact(1) / distance;
      }
      for (const auto& [k, value] : {std::pair(given_[c].mask, &mask), std::pair(given_[c].scale, &scale)}) {
        set(k, *value);
        see(k, *value);
      }
    }
    return true;
  });
}

void Tie::set(std::size_t k, const Tensor<Exact>& value) { machine_.set(problem_->variables[variables_[k]].name, value); }

void Tie::set_entry(std::size_t k, std::size_t place, const Exact& value) {
  const int step = machine_.program().variable(problem_->variables[variables_[k]].name);
  if (step >= 0) machine_.set_entry(step, place, value);  // a sum without parts leaves a variable out
}

bool Tie::satisfied() {
  work_ += 8 * machine_.program().work() + 50;  // failing costs most: an exception each
  return can_be_told([&] {
    for (std::size_t k = 0; k < facts_.size(); ++k) {
      const infer::Fact& f = *facts_[k];
      if (!is_value(machine_.outcome(2 * k, 2 * k + 1))) return false;
      const Tensor<Exact>& lhs = machine_.root(2 * k);
      if (f.kind == infer::FactKind::predicate ? !numeric::satisfies(f.predicate, lhs) : !numeric::related(lhs, f.relation, machine_.root(2 * k + 1))) return false;
    }
    return true;
  });
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
