// SPDX-License-Identifier: MIT
#include "refute/orbit.hpp"

#include <algorithm>

namespace foldproof::refute {
namespace {

using numeric::Rational;

constexpr std::size_t most_sources = 8;
constexpr std::int64_t largest_size = 5;
constexpr std::int64_t most_work = 150'000;  ///< scalar operations

/// A change of basis and its inverse.
struct Change {
  Tensor<Exact> forth, back;
};

Tensor<Exact> plane(std::int64_t n, const Exact& a, const Exact& b, const Exact& c, const Exact& d) {
  Tensor<Exact> m = numeric::filled<Exact>({n, n}, 0);
  for (std::int64_t i = 2; i < n; ++i) m.values[static_cast<std::size_t>(i * n + i)] = 1;
  m.values[0] = a;
  m.values[1] = b;
  m.values[static_cast<std::size_t>(n)] = c;
  m.values[static_cast<std::size_t>(n + 1)] = d;
  return m;
}

std::vector<Change> changes(std::int64_t n) {
  const Exact x = Rational(3, 5), y = Rational(4, 5);
  Tensor<Exact> mirror = numeric::filled<Exact>({n, n}, Rational(-2, n));
  for (std::int64_t i = 0; i < n; ++i) mirror.values[static_cast<std::size_t>(i * n + i)] = Rational(n - 2, n);
  return {{plane(n, x, y, -y, x), plane(n, x, -y, y, x)}, {plane(n, 1, 1, 0, 1), plane(n, 1, -1, 0, 1)}, {mirror, mirror}, {plane(n, 1, 0, 1, 1), plane(n, 1, 0, -1, 1)}};
}

/// `m` from the left on axis 0, from the right on axis 1. Requires: one or two axes, and the size of `m` on that axis.
Tensor<Exact> multiplied(const Tensor<Exact>& t, std::size_t axis, const Tensor<Exact>& m) {
  const std::int64_t n = m.shape[0], stride = axis == 0 && t.shape.size() == 2 ? t.shape[1] : 1;
  Tensor<Exact> result = t;
  for (std::size_t place = 0; place < t.values.size(); ++place) {
    const auto at = static_cast<std::int64_t>(place);
    const std::int64_t own = at / stride % n;
    Exact sum = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      const Exact& factor = m.values[static_cast<std::size_t>(axis == 0 ? own * n + k : k * n + own)];
      if (!factor.is_zero()) sum = sum + factor * t.values[static_cast<std::size_t>(at + (k - own) * stride)];
    }
    result.values[place] = sum;
  }
  return result;
}

class Orbit {
 public:
  Orbit(Tie& tie, const std::vector<Joint>& solutions, std::size_t most) : tie_(tie), solutions_(solutions), most_(most), end_(tie.work() + most_work) {}

  std::vector<Joint> run() {
    std::vector<expr::Dim> sizes;
    for (const std::size_t v : tie_.variables()) {
      for (const expr::Dim& d : tie_.problem().variables[v].shape) {
        if (std::find(sizes.begin(), sizes.end(), d) == sizes.end()) sizes.push_back(d);
      }
    }
    const std::size_t step = std::max<std::size_t>(1, solutions_.size() / most_sources);
    for (std::size_t k = 0; k < solutions_.size(); k += step) {
      for (const expr::Dim& size : sizes) from(solutions_[k], size);
    }
    return std::move(found_);
  }

 private:
  bool has_size(std::size_t k, std::size_t axis, const expr::Dim& size) const { return tie_.problem().variables[tie_.variables()[k]].shape[axis] == size; }

  void from(const Joint& solution, const expr::Dim& size) {
    std::int64_t n = 0;
    for (std::size_t k = 0; k < solution.size(); ++k) {
      if (solution[k].shape.size() > 2) return;
      for (std::size_t axis = 0; axis < solution[k].shape.size(); ++axis) n = has_size(k, axis, size) ? solution[k].shape[axis] : n;
    }
    if (n < 2 || n > largest_size) return;
    for (const Change& change : changes(n)) {
      Joint all = solution;
      for (std::size_t k = 0; k < solution.size(); ++k) {
        for (std::size_t axis = 0; axis < solution[k].shape.size(); ++axis) {
          if (!has_size(k, axis, size)) continue;
          Joint one = solution;
          one[k] = multiplied(one[k], axis, change.forth);
          all[k] = multiplied(all[k], axis, axis == 0 ? change.forth : change.back);
          note(one);
        }
      }
      note(all);
    }
  }

  void note(const Joint& candidate) {
    if (found_.size() >= most_ || tie_.work() >= end_) return;
    const auto known = [&](const std::vector<Joint>& list) { return std::find(list.begin(), list.end(), candidate) != list.end(); };
    if (known(solutions_) || known(found_)) return;
    for (std::size_t k = 0; k < candidate.size(); ++k) {
      if (!tensor_allowed(tie_.problem(), tie_.problem().variables[tie_.variables()[k]].name, candidate[k])) return;
      tie_.set(k, candidate[k]);
    }
    if (tie_.satisfied()) found_.push_back(candidate);
  }

  Tie& tie_;
  const std::vector<Joint>& solutions_;
  std::size_t most_;
  std::int64_t end_;
  std::vector<Joint> found_;
};

}  // namespace

std::vector<Joint> orbit(Tie& tie, const std::vector<Joint>& solutions, std::size_t most) { return Orbit(tie, solutions, most).run(); }

}  // namespace foldproof::refute
