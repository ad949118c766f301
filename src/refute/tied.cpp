// SPDX-License-Identifier: MIT
#include "refute/tied.hpp"

#include <algorithm>
#include <numeric>

#include "numeric/random.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::refute {
namespace {

constexpr std::size_t most_found = 96;
constexpr std::size_t most_with_zero = 32;  ///< A = 0 satisfies A @ B == 0 with every B
constexpr std::size_t most_tries = 1500;
constexpr std::size_t most_units = 100;
constexpr std::size_t random_tries = 150;

std::ptrdiff_t non_zeros(const Tensor<Exact>& t) {
  return std::count_if(t.values.begin(), t.values.end(), [](const Exact& v) { return !v.is_zero(); });
}

std::vector<infer::Term> roots_of(const std::vector<const infer::Fact*>& facts) {
  std::vector<infer::Term> roots;
  for (const auto* f : facts) {
    roots.push_back(f->lhs);
    roots.push_back(f->rhs ? f->rhs : f->lhs);
  }
  return roots;
}

}  // namespace

TiedSearch::TiedSearch(const infer::Problem& problem, const expr::DimValues& dims, std::vector<std::size_t> variables, std::vector<const infer::Fact*> facts,
                       std::vector<std::vector<Tensor<Exact>>> lists)
    : problem_(&problem), variables_(std::move(variables)), facts_(std::move(facts)), lists_(std::move(lists)),
      machine_(std::make_shared<const numeric::Program>(roots_of(facts_), dims)), picks_(variables_.size(), 0) {}

std::vector<std::vector<Tensor<Exact>>> TiedSearch::run(std::uint64_t seed) {
  std::size_t largest = 0;
  for (const auto& list : lists_) largest += list.size();
  for (std::size_t sum = 0; sum < largest; ++sum) try_sum(0, sum);
  try_units(false);
  with_zero_ = 0;
  try_units(true);
  const numeric::Stream stream(seed, 7);
  for (std::size_t draw = 0; draw < random_tries; ++draw) {  // unrelated positions, for variety
    for (std::size_t k = 0; k < picks_.size(); ++k) picks_[k] = stream.draw(draw, k) % lists_[k].size();
    try_picks();
  }
  const auto weight = [](const std::vector<Tensor<Exact>>& tensors) {
    return std::accumulate(tensors.begin(), tensors.end(), std::ptrdiff_t{0}, [](std::ptrdiff_t sum, const auto& t) { return sum + non_zeros(t); });
  };
  std::stable_sort(found_.begin(), found_.end(), [&](const auto& x, const auto& y) { return weight(x) < weight(y); });
  return std::move(found_);
}

/// All picks from variable k on whose positions in the lists add up to `rest`.
void TiedSearch::try_sum(std::size_t k, std::size_t rest) {
  if (tries_ >= most_tries || found_.size() >= most_found) return;
  if (k + 1 == picks_.size()) {
    if (rest >= lists_[k].size()) return;
    picks_[k] = rest;
    try_picks();
    return;
  }
  for (std::size_t p = 0; p < lists_[k].size() && p <= rest; ++p) {
    picks_[k] = p;
    try_sum(k + 1, rest - p);
  }
}

/// All picks of tensors with a single entry, 1: products of such that vanish in one order only. With zeros some of the tensors
/// are 0 instead: an eigenvector of the eigenvalue 0.
void TiedSearch::try_units(bool zeros) {
  std::vector<std::vector<std::size_t>> units(lists_.size());
  for (std::size_t k = 0; k < lists_.size(); ++k) {
    for (std::size_t p = 0; p < lists_[k].size(); ++p) {
      const auto& values = lists_[k][p].values;
      const auto count = non_zeros(lists_[k][p]);
      if ((zeros && count == 0) || (count == 1 && std::find(values.begin(), values.end(), Exact(1)) != values.end())) units[k].push_back(p);
    }
    if (units[k].empty()) return;
  }
  std::vector<std::size_t> digits(lists_.size(), 0);
  for (std::size_t tried = 0; tried < most_units; ++tried) {
    for (std::size_t k = 0; k < picks_.size(); ++k) picks_[k] = units[k][digits[k]];
    try_picks();
    std::size_t k = 0;
    while (k < digits.size() && ++digits[k] == units[k].size()) digits[k++] = 0;
    if (k == digits.size()) return;
  }
}

void TiedSearch::try_picks() {
  ++tries_;
  work_ += 8 * machine_.program().work() + 50;  // failing costs most: an exception each
  for (std::size_t k = 0; k < picks_.size(); ++k) machine_.set(problem_->variables[variables_[k]].name, lists_[k][picks_[k]]);
  if (!satisfied()) return;
  bool with_zero = false;
  for (std::size_t k = 0; k < picks_.size(); ++k) with_zero = with_zero || non_zeros(lists_[k][picks_[k]]) == 0;
  if (with_zero && ++with_zero_ > most_with_zero) return;
  found_.emplace_back();
  for (std::size_t k = 0; k < picks_.size(); ++k) found_.back().push_back(lists_[k][picks_[k]]);
}

bool TiedSearch::satisfied() {
  try {
    for (std::size_t k = 0; k < facts_.size(); ++k) {
      const infer::Fact& f = *facts_[k];
      const Tensor<Exact>& lhs = machine_.root(2 * k);
      if (f.kind == infer::FactKind::predicate ? !numeric::satisfies(f.predicate, lhs) : !numeric::related(lhs, f.relation, machine_.root(2 * k + 1))) return false;
    }
    return true;
  } catch (const numeric::Undefined&) {
    return false;
  } catch (const numeric::NeedsReals&) {
    return false;
  }
}

}  // namespace foldproof::refute
