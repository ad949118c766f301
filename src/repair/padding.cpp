// SPDX-License-Identifier: MIT
#include "repair/padding.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>

#include "campaign/row_sums.hpp"
#include "numeric/assume.hpp"
#include "numeric/entry_machine.hpp"
#include "numeric/undefined.hpp"
#include "refute/trial.hpp"

namespace foldproof::repair {

namespace {

using expr::Expression;
using expr::SyntaxKind;

/// What a size is where the names are these numbers.
std::int64_t value(const Expression& e, const std::function<std::int64_t(const std::string&)>& of) {
  if (e->kind == SyntaxKind::number) return e->value.num();
  if (e->kind == SyntaxKind::name) return of(e->name);
  const std::int64_t a = value(e->args[0], of), b = value(e->args[1], of);
  return e->kind == SyntaxKind::add ? a + b : a * b;
}

/// Whether the numbers that all names of a size stand for are known.
bool is_known(const Expression& e, const std::function<bool(const std::string&)>& has) {
  return e->kind == SyntaxKind::name ? has(e->name) : std::all_of(e->args.begin(), e->args.end(), [&](const Expression& part) { return is_known(part, has); });
}

/// The small tensor of a variable among those of the claim: where its entries go.
struct Placed {
  std::vector<std::int64_t> shape;                            ///< of the large one
  std::vector<std::map<std::int64_t, std::int64_t>> sources;  ///< for each axis, large place -> small place
  bool diagonal;                                              ///< ones on the diagonal where nothing was placed
  bool repeated = false;                                      ///< its rows are repeated instead
  bool filled;                                                ///< ones wherever nothing was placed: it must not be zero
};

class Padded {
 public:
  Padded(const infer::Problem& problem, const NamedSizes& named, const refute::Counterexample& small, const Padding& padding, std::int64_t& more) : problem_(problem), named_(named), small_(small), padding_(padding), more_(more) {
    for (const auto& dim : small.instance.dims) {
      if (std::none_of(named.values.begin(), named.values.end(), [&](const auto& v) { return v.first == dim.first; })) dims_.insert(dim);
    }
    for (const auto& v : problem.variables) {  // what nobody declared may have another name there
      const auto at = small.instance.values.find(v.name);
      for (std::size_t axis = 0; at != small.instance.values.end() && axis < v.shape.size(); ++axis) {
        const auto name = v.shape[axis].as_symbol();
        if (name && !name->division) dims_[name->name] = at->second.shape[axis];
      }
    }
    has_sizes_ = std::all_of(problem.dimensions.begin(), problem.dimensions.end(), [&](const std::string& name) { return dims_.count(name) > 0; }) &&
                 std::all_of(named.written.begin(), named.written.end(), [&](const auto& size) { return is_known(size.second, [&](const std::string& name) { return small.instance.dims.count(name) > 0; }); });
    for (const auto& v : problem.variables) {
      const auto at = small.instance.values.find(v.name);
      if (at == small.instance.values.end() || !has_sizes_) continue;
      const bool square = v.shape.size() == 2 && v.shape[0] == v.shape[1];  // then an identity beside it is as good
      const bool inverse = infer::is_assumed(problem.facts, {"orthogonal", "invertible", "permutation"}, v.name) || (square && infer::is_assumed(problem.facts, {"rowstochastic", "onehot"}, v.name));
      const bool filled = padding.filled || infer::is_assumed(problem.facts, {"positive", "nonzero"}, v.name);
      Placed placed{{}, {}, !filled && !padding.repeated && v.shape.size() == 2 && (padding.identity || inverse), false, filled};
      for (std::size_t axis = 0; axis < v.shape.size(); ++axis) {
        placed.shape.push_back(expr::evaluate(v.shape[axis], dims_));
        placed.sources.emplace_back();
        const std::int64_t few = at->second.shape[axis];
        const bool again = repeats_along(v.shape[axis]);
        if ((again || filled) && placed.shape[axis] > most_places) {
          has_sizes_ = false;
          return;
        }
        placed.repeated = placed.repeated || (again && few < placed.shape[axis]);
        for (std::int64_t k = 0; k < (again ? placed.shape[axis] : few); ++k) placed.sources.back()[again ? k : moved_along(v.shape[axis], k)] = k % few;
      }
      placed_[v.name] = std::move(placed);
    }
  }

  /// Whether what is assumed holds of the padded tensors.
  bool satisfies() const {
    return has_sizes_ && placed_.size() == problem_.variables.size() && std::all_of(problem_.facts.begin(), problem_.facts.end(), [&](const infer::Fact& f) {
      if (infer::is_about_sizes(f)) return numeric::holds(f, dims_);
      if (f.kind == infer::FactKind::definition) return true;
      if (infer::says_of_variable(f, {"mask01", "nonnegative", "real", "integer", "positive", "nonzero"})) return true;
      if (f.kind == infer::FactKind::relation) return holds_everywhere(f);
      const bool rows = infer::says_of_variable(f, {"rowstochastic", "onehot"});
      if (!rows && !infer::says_of_variable(f, {"orthogonal", "invertible", "permutation", "symmetric"})) return false;
      const Placed& placed = placed_.at(f.lhs->name);  // the small matrix beside an identity, or zeros
      if (placed.repeated) return false;
      if (rows && placed.shape.size() == 2 && static_cast<std::int64_t>(placed.sources[0].size()) == placed.shape[0]) return !placed.filled;  // no row is added
      if (placed.filled || (rows && !placed.diagonal)) return false;
      return placed.shape.size() == 2 && placed.shape[0] == placed.shape[1] && placed.sources[0] == placed.sources[1];
    });
  }

  std::optional<Difference> difference() const {
    try {
      return differs<numeric::Exact>();
    } catch (const numeric::NeedsReals&) {
    } catch (const numeric::Undefined&) {
      return std::nullopt;
    }
    try {
      return differs<numeric::Interval>();
    } catch (const numeric::NeedsReals&) {
    } catch (const numeric::Undefined&) {
    }
    return std::nullopt;
  }

 private:
  /// Whether what is at the places of the axis is there again and again: for the rows of the sides, each of which is computed for itself.
  bool repeats_along(const expr::Dim& size) const {
    const expr::Shape& shape = problem_.lhs->shape.empty() ? problem_.rhs->shape : problem_.lhs->shape;
    return padding_.repeated && std::find(shape.begin(), shape.end(), size) < shape.end() - (shape.empty() ? 0 : 1);
  }
  /// Where place k of the small axis goes.
  std::int64_t moved_along(const expr::Dim& size, std::int64_t k) const {
    const auto written = size.constant() ? named_.written.find(*size.constant()) : named_.written.end();
    return written == named_.written.end() ? k : moved(written->second, k);
  }
  std::int64_t moved(const Expression& e, std::int64_t place) const {
    if (e->kind == SyntaxKind::add) {
      const std::int64_t before = small_value(e->args[0]);
      return place < before ? moved(e->args[0], place) : large_value(e->args[0]) + moved(e->args[1], place - before);
    }
    if (e->kind != SyntaxKind::multiply) return padding_.last && e->kind == SyntaxKind::name ? large_value(e) - small_value(e) + place : place;
    const Expression &outer = e->args[padding_.turned ? 1 : 0], &inner = e->args[padding_.turned ? 0 : 1];
    const std::int64_t width = small_value(inner);
    return moved(outer, place / width) * large_value(inner) + moved(inner, place % width);
  }
  std::int64_t small_value(const Expression& e) const {
    return value(e, [&](const std::string& name) { return small_.instance.dims.at(name); });
  }
  std::int64_t large_value(const Expression& e) const {
    return value(e, [&](const std::string& name) { return std::find_if(named_.values.begin(), named_.values.end(), [&](const auto& v) { return v.first == name; })->second; });
  }

  template <class T>
  numeric::SparseVariable<T> sparse(const Placed& placed, const numeric::Tensor<numeric::Exact>& values) const {
    numeric::SparseVariable<T> variable;
    variable.diagonal = placed.diagonal;
    for (const auto& sources : placed.sources) {
      variable.places.emplace_back();
      for (const auto& [large, source] : sources) variable.places.back().push_back(large);
      if (!placed.filled) continue;
      variable.places.back().resize(static_cast<std::size_t>(placed.shape[variable.places.size() - 1]));
      std::iota(variable.places.back().begin(), variable.places.back().end(), 0);
    }
    const auto of = [](const numeric::Exact& x) -> T {
      if constexpr (std::is_same_v<T, numeric::Exact>) return x;
      else return T::from(x);
    };
    variable.entry = [&placed, &values, of](std::span<const std::int64_t> indices) -> T {
      std::int64_t place = 0;
      bool inside = true, taken = false;
      for (std::size_t axis = 0; axis < indices.size(); ++axis) {
        const auto source = placed.sources[axis].find(indices[axis]);
        const bool found = source != placed.sources[axis].end();
        inside = inside && found;
        taken = taken || found;
        place = place * values.shape[axis] + (found ? source->second : 0);
      }
      if (inside) return of(values.values[static_cast<std::size_t>(place)]);
      return of(numeric::Exact(placed.filled || (placed.diagonal && !taken && indices[0] == indices[1]) ? 1 : 0));
    };
    return variable;
  }

  /// Two sides at these sizes, entry by entry. A number is compared with every entry of the other one.
  template <class T>
  class Sides {
   public:
    Sides(const Padded& padded, const infer::Term& lhs, expr::Relation relation, const infer::Term& rhs) : machine_(padded.machine<T>(lhs, rhs)), relation_(relation) {}
    const std::vector<std::int64_t>& shape() const { return machine_.shape(0).empty() ? machine_.shape(1) : machine_.shape(0); }
    void allow(std::int64_t more) { machine_.allow(more); }
    std::int64_t left() const { return machine_.left(); }
    bool fit() const { return machine_.shape(0).empty() || machine_.shape(1).empty() || machine_.shape(0) == machine_.shape(1); }
    bool are_total() const { return machine_.is_total(0) && machine_.is_total(1); }
    bool have_values() { return are_total() || machine_.has_values(numeric::entries(shape())); }
    /// What is wrong there; nothing where the relation holds.
    std::optional<Difference> difference(std::span<const std::int64_t> at) {
      const std::span<const std::int64_t> none;
      const numeric::Tensor<T> lhs{{}, {machine_.root(0, machine_.shape(0).empty() ? none : at)}}, rhs{{}, {machine_.root(1, machine_.shape(1).empty() ? none : at)}};
      if (refute::first_violation(lhs, relation_, rhs) < 0) return std::nullopt;
      return Difference{{at.begin(), at.end()}, shortly(lhs.values[0]), shortly(rhs.values[0])};
    }

   private:
    numeric::EntryMachine<T> machine_;
    expr::Relation relation_;
  };
  template <class T>
  numeric::EntryMachine<T> machine(const infer::Term& lhs, const infer::Term& rhs) const {
    constexpr std::int64_t most_asked = 5'000'000;  // entries
    const infer::Term sides[] = {campaign::with_row_sums(lhs), campaign::with_row_sums(rhs)};
    const auto program = std::make_shared<numeric::Program>(sides, dims_, numeric::ProgramLimit{.entries = std::int64_t{1} << 50});
    std::map<std::string, numeric::SparseVariable<T>> variables;
    for (const auto& [name, placed] : placed_) variables.emplace(name, sparse<T>(placed, small_.instance.values.at(name)));
    return {program, std::move(variables), most_asked};
  }

  /// Whether an assumed comparison or equation is true in all entries.
  bool holds_everywhere(const infer::Fact& f) const {
    try {
      Sides<numeric::Exact> sides(*this, f.lhs, f.relation, f.rhs);
      if (!sides.fit()) return false;
      for (std::int64_t place = 0; place < numeric::entries(sides.shape()); ++place) {
        if (sides.difference(numeric::indices_of(place, sides.shape()))) return false;
      }
      return true;
    } catch (const numeric::NeedsReals&) {
    } catch (const numeric::Undefined&) {
    }
    return false;
  }

  /// Where the sides differ, at the entry where those of the small instance do if possible. All entries are looked at where some may lack a value.
  template <class T>
  std::optional<Difference> differs() const {
    Sides<T> sides(*this, problem_.lhs, problem_.relation, problem_.rhs);
    if (!sides.fit()) return std::nullopt;
    const auto& shape = sides.shape();
    const expr::Shape& sizes = problem_.lhs->shape.empty() ? problem_.rhs->shape : problem_.lhs->shape;
    std::vector<std::int64_t> expected;
    for (std::size_t axis = 0; axis < shape.size() && axis < small_.entry.size(); ++axis) expected.push_back(moved_along(sizes[axis], small_.entry[axis]));
    std::optional<Difference> first = expected.size() == shape.size() ? sides.difference(expected) : std::nullopt;
    if (!first) return first_of_all(sides, first);
    const std::int64_t own = sides.left();
    sides.allow(more_);  // what differs at one entry is worth to look at all of them
    try {
      const bool defined = sides.have_values();
      if (!defined) first = first_of_all(sides, first);
    } catch (const expr::LimitReached&) {
      more_ = 0;
      throw;
    }
    more_ = std::clamp<std::int64_t>(sides.left() - own, 0, more_);
    return first;
  }
  /// All entries are looked at, unless the sides have values whatever the tensors are.
  template <class T>
  static std::optional<Difference> first_of_all(Sides<T>& sides, std::optional<Difference> first) {
    const auto& shape = sides.shape();
    for (std::int64_t place = 0; place < numeric::entries(shape); ++place) {  // an axis may be made of others, and an entry Undefined
      auto here = sides.difference(numeric::indices_of(place, shape));
      if (!first) first = std::move(here);
      if (first && sides.are_total()) return first;
    }
    return first;
  }

  static std::string shortly(const numeric::Exact& x) { return x.text(); }
  static std::string shortly(const numeric::Interval& x) {
    if (x.is_negative_infinity()) return x.text();
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.4g", x.lower() + (x.upper() - x.lower()) / 2);
    return digits;
  }

  const infer::Problem& problem_;
  const NamedSizes& named_;
  const refute::Counterexample& small_;
  const Padding& padding_;
  std::int64_t& more_;
  expr::DimValues dims_;
  static constexpr std::int64_t most_places = 1'000'000;  ///< along an axis of which each place is listed
  bool has_sizes_;  ///< every size of the claim is known, and of the small one; no axis is too long
  std::map<std::string, Placed> placed_;
};

}  // namespace

std::optional<Difference> refuted_padded(const infer::Problem& problem, const NamedSizes& named, const refute::Counterexample& small, const Padding& padding, std::int64_t& more) {
  const Padded padded(problem, named, small, padding, more);
  return padded.satisfies() ? padded.difference() : std::nullopt;
}

}  // namespace foldproof::repair
