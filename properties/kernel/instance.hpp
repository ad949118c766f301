// SPDX-License-Identifier: MIT
// Random values for the tensors of an unfolded claim that satisfy what is assumed of them, as a function of seed and place.
// Beyond the end of an axis stands what the kernel takes to stand there: the nearest entry, or 0 in a one-hot tensor.
#pragma once

#include "properties_random.hpp"

#include "infer/problem.hpp"
#include "kernel/evaluate.hpp"

namespace foldproof::properties {

class RandomInstance {
 public:
  RandomInstance(const infer::Problem& problem, const kernel::Theory& theory, std::uint64_t seed) : theory_(theory), seed_(seed), values_(theory.arena) {
    std::uint64_t k = 0;
    for (const auto& name : problem.dimensions) values_.dims[name] = 1 + static_cast<std::int64_t>(hashed({seed, 1, k++}) % 3);
    for (const auto& f : problem.facts) {
      if (f.kind == infer::FactKind::predicate && f.lhs->kind == infer::TermKind::variable) predicates_[f.lhs->name] = f.predicate;
    }
    values_.entry = [this](int tensor, const Evaluator::Place& place) { return value(tensor, place); };
  }
  RandomInstance(const RandomInstance&) = delete;
  RandomInstance& operator=(const RandomInstance&) = delete;

  const Evaluator& values() const { return values_; }

  /// A value in range for each symbol.
  template <class Symbols>
  void choose(const Symbols& symbols, Evaluator::Environment& at, std::uint64_t salt) const {
    for (const kernel::Symbol s : symbols) {
      const std::int64_t range = values_.index(theory_.arena.symbol(s).range, at);
      at[s] = range < 1 ? 0 : static_cast<std::int64_t>(hashed({seed_, 2, salt, static_cast<std::uint64_t>(s)}) % static_cast<std::uint64_t>(range));
    }
  }
  /// Whether the assumptions hold, as far as a few entries show.
  bool satisfied() const {
    for (const auto& [small, large] : theory_.size_bounds) {
      if (values_.index(small, {}) > values_.index(large, {})) return false;
    }
    for (std::uint64_t salt = 0; salt < 12; ++salt) {
      for (const auto& axiom : theory_.axioms) {
        Evaluator::Environment at;
        choose(axiom.parameters, at, salt);
        if (!(std::abs(values_.poly(axiom.poly, at)) < 1e-9)) return false;
      }
      for (const auto& sign : theory_.signs) {
        Evaluator::Environment at;
        choose(sign.parameters, at, salt);
        if (!(values_.poly(sign.poly, at) >= 0)) return false;
      }
    }
    return true;
  }

 private:
  double plain(int tensor, const Evaluator::Place& place) const {
    std::vector<std::uint64_t> key{seed_, 3, static_cast<std::uint64_t>(tensor)};
    for (const auto i : place) key.push_back(static_cast<std::uint64_t>(i));
    return static_cast<double>(static_cast<int>(hashed(key) % 17) - 8) / 4.0;
  }
  double value(int number, Evaluator::Place place) const {
    const kernel::Tensor& t = theory_.arena.tensor(number);
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
      const std::int64_t last = std::max<std::int64_t>(extent(t, axis), 1) - 1, inside = std::clamp<std::int64_t>(place[axis], 0, last);
      if (inside != place[axis] && (t.row_one_hot || t.column_one_hot)) return 0;
      place[axis] = inside;
    }
    const auto predicate = predicates_.find(t.name);
    const std::string p = predicate == predicates_.end() ? "" : predicate->second;
    if (p == "orthogonal") return reflection(number, place);
    if (t.row_one_hot) return unit(t, number, place, t.column_one_hot);
    if (p == "rowstochastic") return share(t, number, place);
    if (t.zero_one) return plain(number, place) > 0 ? 1 : 0;
    if (t.symmetric && place[place.size() - 1] < place[place.size() - 2]) std::swap(place[place.size() - 1], place[place.size() - 2]);
    const double x = plain(number, place);
    if (t.positive || seed_ % 2 == 0) return std::abs(x) + 0.25;
    if (t.nonnegative) return std::abs(x);
    return t.nonzero && x == 0 ? 1 : x;
  }
  std::int64_t extent(const kernel::Tensor& t, std::size_t axis) const { return values_.index(t.shape[axis], {}); }
  /// I - 2 v v'/(v'v)
  double reflection(int number, const Evaluator::Place& place) const {
    const std::int64_t n = extent(theory_.arena.tensor(number), place.size() - 1);
    double length = 0;
    for (std::int64_t k = 0; k < n; ++k) length += std::pow(plain(number, {k}) + 2.5, 2);
    const std::int64_t i = place[place.size() - 2], j = place[place.size() - 1];
    return (i == j ? 1 : 0) - 2 * (plain(number, {i}) + 2.5) * (plain(number, {j}) + 2.5) / length;
  }
  double unit(const kernel::Tensor& t, int number, Evaluator::Place place, bool permutation) const {
    const std::int64_t v = place.back(), row = place[place.size() - 2], width = extent(t, place.size() - 1);
    place.pop_back();
    if (permutation) place.pop_back();
    const auto turn = static_cast<std::int64_t>(plain(number, place) * 4) + 8;
    if (!permutation) return v == turn % width ? 1 : 0;
    return v == ((t.symmetric ? turn + 16 * width - row : row + turn) % width) ? 1 : 0;
  }
  double share(const kernel::Tensor& t, int number, Evaluator::Place place) const {
    const auto weight = [&](std::int64_t v) {
      place.back() = v;
      return std::abs(plain(number, place)) + 0.25;
    };
    const double own = weight(place.back());
    double total = 0;
    for (std::int64_t v = 0; v < extent(t, place.size() - 1); ++v) total += weight(v);
    return own / total;
  }

  const kernel::Theory& theory_;
  std::uint64_t seed_;
  Evaluator values_;
  std::map<std::string, std::string> predicates_;
};

}  // namespace foldproof::properties
