// SPDX-License-Identifier: MIT
#include "repair/general_shapes.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "expr/build.hpp"
#include "expr/diagnostic.hpp"
#include "repair/stated_sizes.hpp"
#include "repair/unused_names.hpp"

namespace foldproof::repair {
namespace {

/// What formulas and assumptions have in them.
struct Written {
  std::set<std::string> names;
  std::set<std::pair<std::string, std::size_t>> sliced;  ///< tensors, with the axes along which parts of them are taken
};
Written written_in(const expr::Claim& claim) {
  Written found;
  const auto see = [&](const expr::Expression& e) {
    if (e->kind == expr::SyntaxKind::name) found.names.insert(e->name);
    for (std::size_t axis = 0; axis < e->subscripts.size(); ++axis) {
      const expr::Subscript& s = e->subscripts[axis];
      if (s.slice && (s.start || s.stop) && e->args[0]->kind == expr::SyntaxKind::name) found.sliced.emplace(e->args[0]->name, axis);
    }
  };
  expr::each_side(claim, [&](const expr::Expression& side) { each_expression(side, see); });
  return found;
}

using Sizes = std::map<std::string, expr::Dim>;

/// The number that a size is where the names are these; nothing where it has others.
std::optional<std::int64_t> value_of(const expr::Dim& size, const NamedSizes& named) {
  Sizes values;
  for (const auto& [name, value] : named.values) values.emplace(name, expr::Dim(value));
  return expr::substitute(size, values).constant();
}

/// What the sizes that only the inference names are in the claim, and which of them stay as they are there: of an axis that is too short a slice would be cut off.
struct Inferred {
  Sizes sizes;
  std::set<std::string> kept;
};
/// The shape that is inferred for what is declared; none where it stands in no formula.
const expr::Shape* inferred_shape(const infer::Problem& general, const expr::Declaration& d) {
  const auto v = std::find_if(general.variables.begin(), general.variables.end(), [&](const auto& own) { return own.name == d.name; });
  return v == general.variables.end() ? nullptr : &v->shape;
}
/// Nothing where the shapes of the claim are no case of those inferred.
std::optional<Inferred> sizes_of(const infer::Problem& general, const NamedSizes& named, const Written& written) {
  Inferred found;
  const auto each_axis = [&](const auto& see) {
    return std::all_of(named.claim.declarations.begin(), named.claim.declarations.end(), [&](const auto& d) {
      const expr::Shape* shape = inferred_shape(general, d);
      if (shape && shape->size() != d.shape.size()) return false;
      for (std::size_t axis = 0; shape && axis < shape->size(); ++axis) {
        if (!see(d, axis, (*shape)[axis])) return false;
      }
      return true;
    });
  };
  const auto note = [&](const expr::Declaration& d, std::size_t axis, const expr::Dim& inferred) {
    const auto name = inferred.as_symbol();
    if (!name || name->division || written.names.count(name->name) > 0) return true;
    found.sizes.emplace(name->name, d.shape[axis]);
    if (written.sliced.count({d.name, axis}) > 0) found.kept.insert(name->name);
    return true;
  };
  const auto agrees = [&](const expr::Declaration& d, std::size_t axis, const expr::Dim& inferred) {
    const expr::Dim size = expr::substitute(inferred, found.sizes);
    const auto value = value_of(size, named);
    return size == d.shape[axis] || (value && value == value_of(d.shape[axis], named));
  };
  return each_axis(note) && each_axis(agrees) ? std::optional(found) : std::nullopt;
}

/// The claim with the shapes that are inferred where no more is declared than `declarations`.
std::optional<NamedSizes> with_inferred_shapes(const NamedSizes& named, std::vector<expr::Declaration> declarations) {
  expr::Claim undeclared = named.claim;
  for (const auto& d : named.claim.declarations) undeclared.axes[d.name] = d.shape.size();
  undeclared.declarations = std::move(declarations);
  try {
    const infer::Problem general = infer::elaborate(undeclared, undeclared.axes);
    const auto inferred = sizes_of(general, named, written_in(named.claim));
    if (!inferred) return std::nullopt;
    NamedSizes result = named;
    UnusedNames names(named.claim);
    Sizes renamed;
    std::set<std::string> used;  // names of the claim that one of these sizes has already
    for (const auto& [name, size] : inferred->sizes) {
      const auto value = value_of(size, named);
      const auto own = size.as_symbol();
      if (!value || size.constant() || inferred->kept.count(name) > 0 || (own && used.insert(own->name).second)) {
        renamed.emplace(name, size);
        continue;
      }
      result.values.emplace_back(names.next(), *value);
      renamed.emplace(name, expr::dim(result.values.back().first));
    }
    bool changed = false;
    for (auto& d : result.claim.declarations) {
      const expr::Shape* shape = inferred_shape(general, d);
      for (std::size_t axis = 0; shape && axis < shape->size(); ++axis) {
        const expr::Dim size = expr::substitute((*shape)[axis], renamed);
        changed = changed || d.shape[axis] != size;
        d.shape[axis] = size;
      }
    }
    if (!changed) return std::nullopt;
    const infer::Problem problem = infer::elaborate(result.claim);
    std::erase_if(result.values, [&](const auto& v) { return std::find(problem.dimensions.begin(), problem.dimensions.end(), v.first) == problem.dimensions.end(); });
    return result;
  } catch (const expr::Error&) {  // what is not declared is read in another way
    return std::nullopt;
  }
}

}  // namespace

std::optional<NamedSizes> with_general_shapes(const NamedSizes& named) {
  if (auto found = with_inferred_shapes(named, {})) return found;
  const std::string open = UnusedNames(named.claim).next();  // the size of an axis of the one tensor that must be declared, as what x @ W is split into must be known
  for (const expr::Declaration& d : named.claim.declarations) {
    for (std::size_t axis = 0; d.shape.size() > 1 && axis < d.shape.size(); ++axis) {
      expr::Declaration kept = d;
      kept.shape[axis] = expr::dim(open);
      if (auto found = with_inferred_shapes(named, {kept})) return found;
    }
  }
  return std::nullopt;
}

}  // namespace foldproof::repair
