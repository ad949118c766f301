// SPDX-License-Identifier: MIT
#include "refute/tied.hpp"

#include <algorithm>
#include <numeric>

#include "numeric/random.hpp"
#include "refute/complete.hpp"
#include "refute/orbit.hpp"
#include "refute/refute.hpp"

namespace foldproof::refute {
namespace {

constexpr std::size_t most_found = 96;
constexpr std::size_t most_with_zero = 32;  ///< A = 0 satisfies A @ B == 0 with every B
constexpr std::size_t most_tries = 1500;
constexpr std::size_t most_units = 100;
constexpr std::size_t random_tries = 150;
constexpr std::size_t most_in_orbit = 32;
constexpr std::int64_t most_work = 20'000'000;  ///< scalar operations of the tensors listed; only those of large sizes need as many

/// How long its numbers are to write down, roughly.
double length(const Joint& tensors) {
  double sum = 0;
  for (const auto& t : tensors) {
    for (const Exact& v : t.values) {
      for (std::size_t power = 0; power <= v.degree(); ++power) sum += v.coefficient(power).height() + (v.coefficient(power).sign() < 0 ? 0.5 : 0);
    }
  }
  return sum;
}

}  // namespace

TiedSearch::TiedSearch(const infer::Problem& problem, const expr::DimValues& dims, std::vector<std::size_t> variables, std::vector<const infer::Fact*> facts,
                       std::vector<std::vector<Tensor<Exact>>> lists, std::vector<char> logarithmic)
    : tie_(problem, dims, std::move(variables), std::move(facts)), lists_(std::move(lists)), logarithmic_(std::move(logarithmic)), picks_(lists_.size(), 0) {
  for (std::size_t k = 0; k < lists_.size(); ++k) {
    if (tie_.is_given(k) && !lists_[k].empty()) lists_[k].resize(1);  // its values follow
  }
}

std::vector<Joint> TiedSearch::run(std::uint64_t seed, std::size_t completions) {
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
  add_others(seed, found_.empty() ? std::max(completions, Options{}.completions) : completions);
  std::vector<std::size_t> order(found_.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::pair<std::ptrdiff_t, double>> simplicity;
  for (const Joint& joint : found_) simplicity.emplace_back(non_zeros(joint), length(joint));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return simplicity[x] < simplicity[y]; });
  std::vector<Joint> result;
  for (const std::size_t k : order) result.push_back(std::move(found_[k]));
  return result;
}

/// Solutions that are not made of listed tensors alone.
void TiedSearch::add_others(std::uint64_t seed, std::size_t completions) {
  std::vector<Joint> others;
  const auto add = [&](std::vector<Joint> more) {
    for (Joint& joint : more) {
      if (std::find(found_.begin(), found_.end(), joint) == found_.end()) others.push_back(std::move(joint));
    }
  };
  add(Completion(tie_, lists_, logarithmic_, seed).run(completions));
  if (std::count(logarithmic_.begin(), logarithmic_.end(), 0) == static_cast<std::ptrdiff_t>(logarithmic_.size())) add(orbit(tie_, found_.empty() ? others : found_, most_in_orbit));
  for (Joint& joint : others) found_.push_back(std::move(joint));
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
  if (tie_.work() > most_work) return;
  ++tries_;
  Joint joint;
  for (std::size_t k = 0; k < picks_.size(); ++k) {
    joint.push_back(lists_[k][picks_[k]]);
    tie_.set(k, joint[k]);
  }
  if (!tie_.set_given([&](std::size_t k, const Tensor<Exact>& value) { joint[k] = value; }) || !tie_.satisfied()) return;
  bool with_zero = false;
  for (std::size_t k = 0; k < picks_.size(); ++k) with_zero = with_zero || (!tie_.is_given(k) && non_zeros(joint[k]) == 0);
  if (with_zero && ++with_zero_ > most_with_zero) return;
  found_.push_back(std::move(joint));
}

}  // namespace foldproof::refute
