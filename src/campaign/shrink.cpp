// SPDX-License-Identifier: MIT
#include "campaign/shrink.hpp"

#include <algorithm>
#include <cmath>

namespace foldproof::campaign {
namespace {

using numeric::Tensor;

constexpr int most_trials = 4000;
constexpr std::size_t most_simple_values = 256;  ///< entries, beyond which values are left as they are

class Shrinker {
 public:
  Shrinker(const infer::Problem& problem, const StillFails& fails, expr::DimValues& dims, Values& values)
      : problem_(problem), fails_(fails), dims_(dims), values_(values) {}

  void run() {
    for (const std::string& name : problem_.dimensions) shorten(name);
    for (const std::string& name : problem_.dimensions) drop_indices(name);
    for (const auto& v : problem_.variables) {
      for (const double whole : {0.0, 1.0}) replace(v.name, numeric::filled(values_.at(v.name).shape, whole));
    }
    for (const auto& v : problem_.variables) {
      for (std::size_t i = 0; i < values_.at(v.name).values.size(); ++i) simplify(v.name, i);
    }
  }

 private:
  bool accept(const expr::DimValues& dims, const Values& values) {
    if (++trials_ > most_trials || !fails_(dims, values)) return false;
    dims_ = dims;
    values_ = values;
    return true;
  }
  void replace(const std::string& name, Tensor<double> tensor) {
    if (values_.at(name) == tensor) return;
    Values values = values_;
    values[name] = std::move(tensor);
    accept(dims_, values);
  }

  /// The first entries along every axis; false when an axis would grow or vanish.
  bool prefix(const expr::DimValues& dims, Values& values) const {
    for (const auto& v : problem_.variables) {
      const Tensor<double>& from = values_.at(v.name);
      Tensor<double> to;
      for (std::size_t axis = 0; axis < v.shape.size(); ++axis) {
        to.shape.push_back(expr::evaluate(v.shape[axis], dims));
        if (to.shape.back() < 1 || to.shape.back() > from.shape[axis]) return false;
      }
      for (std::int64_t place = 0; place < numeric::entries(to.shape); ++place) {
        const auto at = numeric::indices_of(place, to.shape);
        std::int64_t source = 0;
        for (std::size_t axis = 0; axis < at.size(); ++axis) source = source * from.shape[axis] + at[axis];
        to.values.push_back(from.values[static_cast<std::size_t>(source)]);
      }
      values[v.name] = std::move(to);
    }
    return true;
  }

  void shorten(const std::string& name) {
    for (std::int64_t size = 1; size < dims_.at(name); ++size) {
      expr::DimValues dims = dims_;
      dims[name] = size;
      Values values;
      if (prefix(dims, values) && accept(dims, values)) return;
    }
  }

  /// The tensors without index `dropped` of a dimension; false when an axis uses it in a formula.
  bool without(const std::string& name, std::int64_t dropped, Values& values) const {
    for (const auto& v : problem_.variables) {
      const Tensor<double>& from = values_.at(v.name);
      Tensor<double> to{from.shape, {}};
      std::vector<char> affected;
      for (std::size_t axis = 0; axis < v.shape.size(); ++axis) {
        std::vector<std::string> names;
        expr::collect_names(v.shape[axis], names);
        const bool uses = std::find(names.begin(), names.end(), name) != names.end();
        if (uses && !(v.shape[axis] == expr::dim(name))) return false;
        affected.push_back(uses);
        to.shape[axis] -= uses;
      }
      for (std::size_t place = 0; place < from.values.size(); ++place) {
        const auto at = numeric::indices_of(static_cast<std::int64_t>(place), from.shape);
        bool kept = true;
        for (std::size_t axis = 0; axis < at.size(); ++axis) kept = kept && !(affected[axis] != 0 && at[axis] == dropped);
        if (kept) to.values.push_back(from.values[place]);
      }
      values[v.name] = std::move(to);
    }
    return true;
  }

  void drop_indices(const std::string& name) {
    for (std::int64_t index = dims_.at(name); index-- > 0 && dims_.at(name) > 1;) {
      expr::DimValues dims = dims_;
      dims[name] -= 1;
      Values values;
      if (!without(name, index, values)) return;
      accept(dims, values);
    }
  }

  void simplify(const std::string& name, std::size_t place) {
    const double now = values_.at(name).values[place];
    if (now == 0) return;
    const bool small = values_.at(name).values.size() <= most_simple_values;
    for (const double simple : {0.0, 1.0, std::abs(now), std::trunc(now), std::round(now * 8) / 8}) {
      if (simple == values_.at(name).values[place]) {
        if (simple == 0 || simple == 1) return;
        continue;
      }
      if (simple != 0 && !small) return;
      Tensor<double> tensor = values_.at(name);
      tensor.values[place] = simple + 0.0;  // no negative zero
      const auto before = values_.at(name).values[place];
      replace(name, std::move(tensor));
      if (values_.at(name).values[place] != before && simple <= 1 && simple >= 0) return;
    }
  }

  const infer::Problem& problem_;
  const StillFails& fails_;
  expr::DimValues& dims_;
  Values& values_;
  int trials_ = 0;
};

}  // namespace

void shrink(const infer::Problem& problem, const StillFails& fails, expr::DimValues& dims, Values& values) { Shrinker(problem, fails, dims, values).run(); }

}  // namespace foldproof::campaign
