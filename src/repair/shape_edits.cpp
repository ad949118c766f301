// SPDX-License-Identifier: MIT
#include "repair/shape_edits.hpp"

#include <algorithm>
#include <set>

#include "expr/build.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::SyntaxKind;

/// The temperature and factors of the field.
bool names_number(const std::string& name) {
  static const std::set<std::string> names = {"T", "a", "alpha", "b", "beta", "c", "inv_temp", "lam", "m", "s", "scale", "t", "tau", "temp", "temperature"};
  return names.count(name) > 0;
}

bool is_name(const Expression& e, const std::string& name) { return e->kind == SyntaxKind::name && e->name == name; }

int places(const Expression& e, const std::string& name) {
  int count = is_name(e, name) ? 1 : 0;
  for (const auto& a : e->args) count += places(a, name);
  return count;
}

/// Whether the name, or its transpose, is a factor of a product of matrices.
bool is_factor(const Expression& e, const std::string& name) {
  const auto here = [&](const Expression& a) { return is_name(a->kind == SyntaxKind::transpose ? a->args[0] : a, name); };
  return (e->kind == SyntaxKind::matmul && std::any_of(e->args.begin(), e->args.end(), here)) || std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_factor(a, name); });
}

/// Whether the name stands first in an entrywise product.
bool leads(const Expression& e, const std::string& name) {
  return (e->kind == SyntaxKind::multiply && is_name(e->args[0], name)) || std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return leads(a, name); });
}

/// Nobody declared it, and it is read as a matrix of two sizes.
bool read_as_matrix(const infer::Variable& v) { return !v.declared && v.shape.size() == 2 && !v.shape[0].is_one() && !v.shape[1].is_one(); }

/// None where the sides do not fit.
std::size_t free_sizes(const expr::Claim& claim) {
  try {
    return infer::elaborate(claim).dimensions.size();
  } catch (const expr::Error&) {
    return 0;
  }
}

class ShapeEditor {
 public:
  ShapeEditor(const expr::Claim& claim, const infer::Problem& problem) : claim_(claim), problem_(problem) {}

  std::vector<Edit> run() {
    shapes();
    vectors();
    turned_shapes();
    return std::move(found_);
  }

 private:
  /// An undeclared bias or scale that was read as a whole matrix; where it stands in several places, only if that leaves more sizes free.
  void shapes() {
    constexpr int small = 2, larger = 4;  // where it stands in one place, and in several
    for (const auto& v : problem_.variables) {
      if (!read_as_matrix(v)) continue;
      const bool once = places(claim_.lhs, v.name) + places(claim_.rhs, v.name) == 1;
      for (const expr::Shape& shape : {expr::Shape{1, v.shape[1]}, expr::Shape{v.shape[0], 1}, expr::Shape{}}) {
        const bool number = shape.empty() && names_number(v.name);
        Edit edit{claim_, shape.empty() ? "a number" : shape[0].is_one() ? "a row" : "a column", once || number ? small : larger};
        edit.claim.declarations.push_back({v.name, shape, {}});
        if (once || number || free_sizes(edit.claim) > problem_.dimensions.size()) found_.push_back(std::move(edit));
      }
    }
  }
  /// x.T @ y == y.T @ x, where small letters may be meant as vectors, and a * X, where one may be meant as a number.
  void vectors() {
    constexpr int columns = 8, one = 9;
    Edit all{claim_, "columns", columns}, flat{claim_, "vectors", columns};
    for (const auto& v : problem_.variables) {
      const bool small = v.name[0] >= 'a' && v.name[0] <= 'z';
      if (!small || !read_as_matrix(v)) continue;
      flat.claim.declarations.push_back({v.name, {v.shape[1]}, {}});
      if (is_factor(claim_.lhs, v.name) || is_factor(claim_.rhs, v.name)) all.claim.declarations.push_back({v.name, {v.shape[0], 1}, {}});
      if (!leads(claim_.lhs, v.name) && !leads(claim_.rhs, v.name)) continue;  // a gain stands behind what it scales
      Edit number{claim_, "a number", one};
      number.claim.declarations.push_back({v.name, {}, {}});
      found_.push_back(std::move(number));
    }
    for (Edit* edit : {&all, &flat}) {
      if (edit->claim.declarations.size() > claim_.declarations.size()) found_.push_back(std::move(*edit));
    }
  }
  /// A row that should be a column, or a number, and the other way round.
  void turned_shapes() {
    constexpr int size = 11;
    const auto declare = [&](const std::string& name, expr::Shape shape) {
      Edit edit{claim_, shape.empty() ? "a number" : shape[0].is_one() ? "a row" : "a column", size};
      for (auto& d : edit.claim.declarations) {
        if (d.name == name) d.shape = std::move(shape);
      }
      found_.push_back(std::move(edit));
    };
    for (const auto& v : problem_.variables) {
      if (!v.declared || v.shape.size() != 2 || v.shape[0].is_one() == v.shape[1].is_one()) continue;
      const expr::Dim& length = v.shape[v.shape[0].is_one() ? 1 : 0];
      for (const std::string& d : problem_.dimensions) {
        if (expr::dim(d) == length) continue;
        declare(v.name, v.shape[0].is_one() ? expr::Shape{expr::dim(d), 1} : expr::Shape{1, expr::dim(d)});
      }
      declare(v.name, {});
    }
  }

  const expr::Claim& claim_;
  const infer::Problem& problem_;
  std::vector<Edit> found_;
};

}  // namespace

std::vector<Edit> shape_edits(const expr::Claim& claim, const infer::Problem& problem) { return ShapeEditor(claim, problem).run(); }

}  // namespace foldproof::repair
