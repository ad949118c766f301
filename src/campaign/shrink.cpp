// SPDX-License-Identifier: MIT
#include "campaign/shrink.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/random.hpp"

namespace foldproof::campaign {
namespace {

using numeric::Tensor;

constexpr int most_trials = 4000;
constexpr std::size_t most_placed_entries = 256;  ///< beyond which places and single values are left as they are
constexpr double largest_integer = 0x1p11;        ///< of a binary descent over integers; larger ones descend over powers of two

/// Tensors that depend on their place alone, in the order they are tried.
enum class Probe { ones, generic, identity };
constexpr Probe probes[] = {Probe::ones, Probe::generic, Probe::identity};

double probe_value(Probe probe, std::size_t variable, const std::vector<std::int64_t>& at) {
  switch (probe) {
    case Probe::ones:
      return 1;
    case Probe::identity:
      return at.size() < 2 || at[at.size() - 2] == at.back();
    case Probe::generic:
      break;
  }
  std::uint64_t place = 0;
  for (const std::int64_t i : at) place = place << 12 | static_cast<std::uint64_t>(i);
  const auto v = numeric::uniform_integer(numeric::draw(1, variable, place, 0), 1, 6);
  return static_cast<double>(v > 3 ? 3 - v : v);  // -3 ... 3 without 0
}

class Shrinker {
 public:
  Shrinker(const infer::Problem& problem, const StillFails& fails, expr::DimValues& dims, Values& values)
      : problem_(problem), fails_(fails), dims_(dims), values_(values) {}

  int run() {
    for (bool smaller = true; smaller;) {
      smaller = false;
      for (const std::string& name : problem_.dimensions) smaller |= shorten(name);
    }
    for (const std::string& name : problem_.dimensions) drop_indices(name);
    for (const Probe probe : probes) {
      if (accept(dims_, probed(probe, dims_))) break;
    }
    for (bool better = true; better;) {
      better = false;
      for (const auto& v : problem_.variables) better |= clear(v.name);
      for (const auto& v : problem_.variables) better |= simplify(v.name);
      for (const auto& v : problem_.variables) better |= place(v.name);
      for (const std::string& name : problem_.dimensions) better |= reorder(name);
      for (const std::string& name : problem_.dimensions) better |= shorten(name);  // what stood in the way may have moved
    }
    return trials_;
  }

 private:
  bool accept(const expr::DimValues& dims, Values values) {
    if (dims == dims_ && values == values_) return false;
    if (++trials_ > most_trials || !fails_(dims, values)) return false;
    dims_ = dims;
    values_ = std::move(values);
    return true;
  }
  bool accept_value(const std::string& name, std::size_t place, double value) {
    Values values = values_;
    values[name].values[place] = value + 0.0;  // no negative zero
    return accept(dims_, std::move(values));
  }

  std::vector<std::int64_t> shape_at(const infer::Variable& v, const expr::DimValues& dims) const {
    std::vector<std::int64_t> shape;
    for (const auto& d : v.shape) shape.push_back(expr::evaluate(d, dims));
    return shape;
  }
  Values probed(Probe probe, const expr::DimValues& dims) const {
    Values values;
    for (std::size_t k = 0; k < problem_.variables.size(); ++k) {
      Tensor<double> t = numeric::filled(shape_at(problem_.variables[k], dims), 0.0);
      for (std::size_t i = 0; i < t.values.size(); ++i) t.values[i] = probe_value(probe, k, numeric::indices_of(static_cast<std::int64_t>(i), t.shape));
      values[problem_.variables[k].name] = std::move(t);
    }
    return values;
  }

  /// The first entries along every axis; false when an axis would grow or vanish.
  bool prefix(const expr::DimValues& dims, Values& values) const {
    for (const auto& v : problem_.variables) {
      const Tensor<double>& from = values_.at(v.name);
      Tensor<double> to{shape_at(v, dims), {}};
      for (std::size_t axis = 0; axis < to.shape.size(); ++axis) {
        if (to.shape[axis] < 1 || to.shape[axis] > from.shape[axis]) return false;
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

  bool shorten(const std::string& name) {
    for (std::int64_t size = 1; size < dims_.at(name); ++size) {
      expr::DimValues dims = dims_;
      dims[name] = size;
      Values values;
      if (!prefix(dims, values)) continue;
      for (const Probe probe : probes) {
        if (accept(dims, probed(probe, dims))) return true;
      }
      if (accept(dims, std::move(values))) return true;
    }
    return false;
  }

  /// The axes of a variable that are this dimension; false when a formula uses it.
  bool axes_of(const infer::Variable& v, const std::string& name, std::vector<char>& uses) const {
    uses.clear();
    for (const auto& d : v.shape) {
      std::vector<std::string> names;
      expr::collect_names(d, names);
      uses.push_back(std::find(names.begin(), names.end(), name) != names.end());
      if (uses.back() != 0 && !(d == expr::dim(name))) return false;
    }
    return true;
  }

  /// The tensors without index `dropped` of a dimension; false when an axis uses it in a formula.
  bool without(const std::string& name, std::int64_t dropped, Values& values) const {
    std::vector<char> uses;
    for (const auto& v : problem_.variables) {
      if (!axes_of(v, name, uses)) return false;
      const Tensor<double>& from = values_.at(v.name);
      Tensor<double> to{from.shape, {}};
      for (std::size_t axis = 0; axis < uses.size(); ++axis) to.shape[axis] -= uses[axis];
      for (std::size_t place = 0; place < from.values.size(); ++place) {
        const auto at = numeric::indices_of(static_cast<std::int64_t>(place), from.shape);
        bool kept = true;
        for (std::size_t axis = 0; axis < at.size(); ++axis) kept = kept && !(uses[axis] != 0 && at[axis] == dropped);
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
      accept(dims, std::move(values));
    }
  }

  /// Zeros: the whole tensor, then chunks of half the size, from the end.
  bool clear(const std::string& name) {
    bool any = false;
    for (std::size_t chunk = values_.at(name).values.size(); chunk > 0; chunk /= 2) {
      for (std::size_t end = values_.at(name).values.size(); end > 0; end -= std::min(chunk, end)) {
        Values values = values_;
        auto& v = values[name].values;
        std::fill(v.begin() + static_cast<std::ptrdiff_t>(end - std::min(chunk, end)), v.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
        any |= accept(dims_, std::move(values));
      }
    }
    return any;
  }

  bool simplify(const std::string& name) {
    bool any = false;
    const std::size_t count = values_.at(name).values.size();
    for (std::size_t i = 0; i < count && count <= most_placed_entries; ++i) any |= simplify(name, i);
    return any;
  }
  /// 1, or the positive number, or the smallest that fails: an integer, or a power of two where it is larger or below 1.
  bool simplify(const std::string& name, std::size_t place) {
    const auto value = [&] { return values_.at(name).values[place]; };
    if (value() == 0 || value() == 1) return false;
    if (accept_value(name, place, 1)) return true;
    bool any = accept_value(name, place, std::abs(value()));
    any |= value() < 0 && value() != -1 && accept_value(name, place, -1);
    if (std::abs(value()) == 1) return any;
    any |= smallest(std::abs(value()), [&](double size) { return accept_size(std::abs(value()), size); });  // all of this size together
    any |= smallest(std::abs(value()), [&](double size) { return accept_value(name, place, std::copysign(size, value())); });
    return any;
  }
  /// All numbers of one size get another one.
  bool accept_size(double from, double to) {
    Values values = values_;
    for (auto& named : values) {
      for (double& v : named.second.values) v = std::abs(v) == from ? std::copysign(to, v) : v;
    }
    return accept(dims_, std::move(values));
  }
  /// The smallest size that is accepted; `size` is accepted already.
  template <class Accepts>
  bool smallest(double size, const Accepts& accepts) {
    if (size > 1 && size <= largest_integer) {
      const double whole = std::ceil(size);
      if (size != whole && !accepts(whole)) return false;
      return descend(1, static_cast<int>(whole), [&](int k) { return accepts(k); }) || size != whole;
    }
    const auto power = [&](int k) { return accepts(std::ldexp(1, k)); };
    const int below = std::ilogb(size);
    if (std::ldexp(1, below) == size || power(below)) return descend(0, below, power) || std::ldexp(1, below) != size;
    return size > 1 && std::isfinite(std::ldexp(1, below + 1)) && power(below + 1) && (descend(0, below + 1, power), true);
  }
  /// Halves the distance of `failing` to `passing` for as long as the point between is accepted.
  template <class Accepts>
  bool descend(int passing, int failing, const Accepts& accepts) {
    bool any = false;
    while (std::abs(failing - passing) > 1) {
      const int middle = passing + (failing - passing) / 2;
      const bool accepted = accepts(middle);
      any |= accepted;
      (accepted ? failing : passing) = middle;
    }
    return any;
  }

  /// Moves every number to the first place where it still fails.
  bool place(const std::string& name) {
    bool any = false;
    const std::size_t count = values_.at(name).values.size();
    for (std::size_t from = 1; from < count && count <= most_placed_entries; ++from) {
      for (std::size_t to = 0; to < from && values_.at(name).values[from] != 0; ++to) {
        if (values_.at(name).values[to] != 0) continue;
        Values values = values_;
        std::swap(values[name].values[from], values[name].values[to]);
        any |= accept(dims_, std::move(values));
      }
    }
    return any;
  }

  /// All tensors with two indices of a dimension exchanged; false when an axis uses it in a formula.
  bool exchanged(const std::string& name, std::int64_t i, std::int64_t j, Values& values) const {
    std::vector<char> uses;
    for (const auto& v : problem_.variables) {
      if (!axes_of(v, name, uses)) return false;
      const Tensor<double>& from = values_.at(v.name);
      Tensor<double> to = from;
      for (std::size_t place = 0; place < from.values.size(); ++place) {
        std::int64_t target = 0;
        const auto at = numeric::indices_of(static_cast<std::int64_t>(place), from.shape);
        for (std::size_t axis = 0; axis < at.size(); ++axis) {
          const std::int64_t index = uses[axis] == 0 ? at[axis] : at[axis] == i ? j : at[axis] == j ? i : at[axis];
          target = target * from.shape[axis] + index;
        }
        to.values[static_cast<std::size_t>(target)] = from.values[place];
      }
      values[v.name] = std::move(to);
    }
    return true;
  }
  /// The order of indices that brings numbers other than zero, and among them large positive ones, to the front.
  bool reorder(const std::string& name) {
    bool any = false;
    std::size_t entries = 0;
    for (const auto& named : values_) entries += named.second.values.size();
    if (entries > most_placed_entries) return false;
    for (std::int64_t i = 0; i < dims_.at(name); ++i) {
      for (std::int64_t j = i + 1; j < dims_.at(name); ++j) {
        Values values;
        if (!exchanged(name, i, j, values)) return any;
        if (earlier(values, values_)) any |= accept(dims_, std::move(values));
      }
    }
    return any;
  }
  bool earlier(const Values& a, const Values& b) const {
    for (const auto& v : problem_.variables) {
      const auto& x = a.at(v.name).values;
      const auto& y = b.at(v.name).values;
      const auto rank = [](double d) { return std::pair(d > 0 ? 2 : d < 0 ? 1 : 0, d); };
      if (x != y) return std::lexicographical_compare(y.begin(), y.end(), x.begin(), x.end(), [&](double c, double d) { return rank(c) < rank(d); });
    }
    return false;
  }

  const infer::Problem& problem_;
  const StillFails& fails_;
  expr::DimValues& dims_;
  Values& values_;
  int trials_ = 0;
};

}  // namespace

int shrink(const infer::Problem& problem, const StillFails& fails, expr::DimValues& dims, Values& values) {
  return Shrinker(problem, fails, dims, values).run();
}

}  // namespace foldproof::campaign
