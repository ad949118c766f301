// SPDX-License-Identifier: MIT
#include "repair/fitted_edits.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "infer/names.hpp"
#include "kernel/reduction.hpp"
#include "repair/places.hpp"
#include "repair/quick_look.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::mentions;
using expr::node;
using expr::SyntaxKind;
using Instance = numeric::Instance<double>;
using Tensor = numeric::Tensor<double>;

constexpr double fit_tolerance = 1e-7;  // relative; values are near one
constexpr std::size_t trials = 3;   // of different sizes: a size is told from a number
constexpr std::size_t most_fitted_terms = 60;

/// numerator / denominator, times `factor` or divided by it.
struct Constant {
  std::int64_t numerator = 1, denominator = 1;
  Expression factor = nullptr;
  bool below = false;
  bool negative() const { return numerator < 0; }
};

bool is_one(const Expression& e) { return e->kind == SyntaxKind::number && e->value == expr::Rational(1); }

Expression times(const Constant& c, Expression e) {
  const auto multiplied = [](const Expression& f, const Expression& x) { return is_one(x) ? f : node(SyntaxKind::multiply, {f, x}); };
  if (c.factor) e = c.below ? node(SyntaxKind::divide, {e, c.factor}) : multiplied(c.factor, e);
  if (std::abs(c.numerator) != 1) e = multiplied(number(std::abs(c.numerator)), e);
  return c.denominator == 1 ? e : node(SyntaxKind::divide, {e, number(c.denominator)});
}

/// The constant that a is of b in every entry.
std::optional<double> ratio(const Tensor& a, const Tensor& b) {
  std::optional<double> found;
  for (std::size_t i = 0; i < std::max(a.values.size(), b.values.size()); ++i) {
    const double x = a.values[i % a.values.size()], y = b.values[i % b.values.size()];
    if (!std::isfinite(x) || !std::isfinite(y)) return std::nullopt;
    if (std::abs(y) < fit_tolerance) {
      if (std::abs(x) > fit_tolerance) return std::nullopt;
      continue;
    }
    if (!found) found = x / y;
    if (std::abs(x / y - *found) > fit_tolerance * (1 + std::abs(*found))) return std::nullopt;
  }
  return found && std::abs(*found) > fit_tolerance ? found : std::nullopt;
}

/// The fraction with numbers up to 8 that x is.
std::optional<Constant> fraction(double x) {
  for (std::int64_t q = 1; q <= 8; ++q) {
    const double p = std::round(x * static_cast<double>(q));
    if (p != 0 && std::abs(p) <= 8 && std::abs(x * static_cast<double>(q) - p) < fit_tolerance) return Constant{static_cast<std::int64_t>(p), q};
  }
  return std::nullopt;
}

class Fitter {
 public:
  Fitter(const expr::Claim& claim, const infer::Problem& problem, bool tokens, std::uint64_t seed) : claim_(claim), problem_(problem), bare_(kernel::declared(claim, problem)) {
    for (std::size_t sizes = 1; sizes <= 2 * trials && instances_.size() < trials; ++sizes) {
      const auto instance = dense_instance(problem, tokens, seed, sizes);
      const auto lhs = instance ? value_at(problem.lhs, *instance) : std::nullopt;
      const auto rhs = lhs ? value_at(problem.rhs, *instance) : std::nullopt;
      if (!rhs) continue;
      instances_.push_back(*instance);
      lhs_.push_back(*lhs);
      rhs_.push_back(*rhs);
    }
    factors();
  }

  std::vector<Edit> run() {
    std::vector<Edit> found;
    if (instances_.size() < 2) return found;
    if (const auto c = constant(lhs_, rhs_)) {
      Edit edit{claim_, "a scale factor", 4};
      edit.claim.rhs = times(*c, claim_.rhs);
      if (c->negative()) edit.claim.rhs = node(SyntaxKind::negate, {edit.claim.rhs});
      found.push_back(std::move(edit));
      return found;
    }
    std::vector<Tensor> missing = lhs_;
    for (std::size_t t = 0; t < missing.size(); ++t) {
      const std::size_t count = std::max(lhs_[t].values.size(), rhs_[t].values.size());
      if (missing[t].values.size() < count) missing[t] = rhs_[t];
      for (std::size_t i = 0; i < count; ++i) missing[t].values[i] = lhs_[t].values[i % lhs_[t].values.size()] - rhs_[t].values[i % rhs_[t].values.size()];
    }
    for (const Expression& term : terms(missing[0])) {
      const auto values = values_of(term, missing);
      const auto c = values ? constant(missing, *values) : std::nullopt;
      if (!c) continue;
      Edit edit{claim_, c->negative() ? "one term less" : "one more term", 9};
      edit.claim.rhs = node(c->negative() ? SyntaxKind::subtract : SyntaxKind::add, {claim_.rhs, times(*c, term)});
      found.push_back(std::move(edit));
      if (found.size() == 2) break;
    }
    return found;
  }

 private:
  /// What a constant may hold beside a fraction: powers of sizes, sizes with 1 more or less, scalars; with its value at each instance.
  void factors() {
    const auto add = [&](Expression e, const std::function<double(const Instance&)>& at) {
      factors_.push_back({std::move(e), {}});
      for (const Instance& instance : instances_) factors_.back().second.push_back(at(instance));
    };
    const auto size = [](const Instance& i, const std::string& d) { return static_cast<double>(i.dims.at(d)); };
    for (const auto& v : problem_.variables) {
      if (!v.shape.empty() || !infer::is_written(v.name)) continue;
      const auto at = [&](const Instance& i) { return i.values.at(v.name).values[0]; };
      add(named(v.name), at);
      add(node(SyntaxKind::power, {named(v.name), number(2)}), [&](const Instance& i) { return at(i) * at(i); });
      add(node(SyntaxKind::subtract, {number(1), named(v.name)}), [&](const Instance& i) { return 1 - at(i); });
      add(node(SyntaxKind::add, {number(1), named(v.name)}), [&](const Instance& i) { return 1 + at(i); });
    }
    const auto& dims = problem_.dimensions;
    for (std::size_t k = 0; k < dims.size(); ++k) {
      const std::string& d = dims[k];
      const Expression n = named(d);
      add(n, [&](const Instance& i) { return size(i, d); });
      add(expr::call("sqrt", {n}), [&](const Instance& i) { return std::sqrt(size(i, d)); });
      add(node(SyntaxKind::power, {n, number(2)}), [&](const Instance& i) { return size(i, d) * size(i, d); });
      add(node(SyntaxKind::subtract, {n, number(1)}), [&](const Instance& i) { return size(i, d) - 1; });
      add(node(SyntaxKind::add, {n, number(1)}), [&](const Instance& i) { return size(i, d) + 1; });
      for (std::size_t l = k + 1; l < dims.size(); ++l) {
        const std::string& other = dims[l];
        add(node(SyntaxKind::multiply, {n, named(other)}), [&](const Instance& i) { return size(i, d) * size(i, other); });
        add(node(SyntaxKind::divide, {n, named(other)}), [&](const Instance& i) { return size(i, d) / size(i, other); });
      }
    }
  }

  /// The constant that a is of b at all instances.
  std::optional<Constant> constant(const std::vector<Tensor>& a, const std::vector<Tensor>& b) const {
    std::vector<double> of;
    for (std::size_t t = 0; t < a.size(); ++t) {
      const auto r = ratio(a[t], b[t]);
      if (!r) return std::nullopt;
      of.push_back(*r);
    }
    const auto same_fraction = [&](const std::function<double(std::size_t)>& rest) -> std::optional<Constant> {
      const double first = rest(0);
      for (std::size_t t = 1; t < of.size(); ++t) {
        if (!(std::abs(rest(t) - first) <= fit_tolerance * (1 + std::abs(first)))) return std::nullopt;
      }
      return fraction(first);
    };
    if (const auto plain = same_fraction([&](std::size_t t) { return of[t]; })) return plain;
    for (const auto& [factor, at] : factors_) {
      for (const bool below : {false, true}) {
        auto found = same_fraction([&, &values = at](std::size_t t) { return below ? of[t] * values[t] : of[t] / values[t]; });
        if (!found) continue;
        found->factor = factor;
        found->below = below;
        return found;
      }
    }
    return std::nullopt;
  }

  /// What may be missing: parts of the claim, products of two variables, ones and identities; the shortest first.
  std::vector<Expression> terms(const Tensor& missing) const {
    std::vector<Expression> found{number(1)};
    parts(claim_.lhs, {}, found);
    parts(claim_.rhs, {}, found);
    for (const auto& d : claim_.definitions) {
      found.push_back(named(d.name));
      parts(d.value, {}, found);
    }
    for (const auto& v : problem_.variables) {
      if (!infer::is_written(v.name)) continue;
      const Expression x = named(v.name);
      if (v.shape.size() == 2) found.push_back(expr::transposed(x));
      found.push_back(node(SyntaxKind::subtract, {number(1), x}));
      if (v.shape.size() == 2 && v.shape[0] == v.shape[1]) found.push_back(expr::call("diag", {expr::call("diagonal", {x})}));
      for (const auto& w : problem_.variables) {
        if (infer::is_written(w.name) && w.name >= v.name) products(v, w, found);
      }
    }
    if (missing.shape.size() == 2 && missing.shape[0] == missing.shape[1]) {
      for (const std::string& d : problem_.dimensions) found.push_back(expr::call("eye", {named(d)}));
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return expr::text(a).size() < expr::text(b).size(); });
    std::vector<Expression> unique;
    for (const Expression& e : found) {
      if (unique.size() < most_fitted_terms && !expr::contains(unique, e)) unique.push_back(e);
    }
    return unique;
  }
  /// e and what stands in it, where it means something outside of the comprehensions around it.
  void parts(const Expression& e, std::set<std::string> bound, std::vector<Expression>& out) const {
    if (e->kind == SyntaxKind::comprehension) bound.insert(e->name);
    const bool free = std::none_of(bound.begin(), bound.end(), [&](const std::string& i) { return mentions(e, i); });
    const bool size = e->kind == SyntaxKind::name && std::find(problem_.dimensions.begin(), problem_.dimensions.end(), e->name) != problem_.dimensions.end();
    if (free && !size && !expr::same(e, claim_.lhs) && e->kind != SyntaxKind::number && e->kind != SyntaxKind::comprehension && e->kind != SyntaxKind::list) out.push_back(e);
    for (const auto& a : e->args) parts(a, bound, out);
  }
  static void products(const infer::Variable& v, const infer::Variable& w, std::vector<Expression>& out) {
    if (w.shape.empty() && w.name == v.name) return;
    const Expression x = named(v.name), y = named(w.name);
    if (v.shape == w.shape || v.shape.empty() || w.shape.empty()) out.push_back(node(SyntaxKind::multiply, {x, y}));
    if (v.shape.size() != 2 || w.shape.size() != 2) return;
    for (const bool turned : {false, true}) {
      const Expression& a = turned ? y : x;
      const Expression& b = turned ? x : y;
      const auto& left = turned ? w.shape : v.shape;
      const auto& right = turned ? v.shape : w.shape;
      if (left[1] == right[0]) out.push_back(node(SyntaxKind::matmul, {a, b}));
      if (left[1] == right[1]) out.push_back(node(SyntaxKind::matmul, {a, expr::transposed(b)}));
      if (left[0] == right[0]) out.push_back(node(SyntaxKind::matmul, {expr::transposed(a), b}));
    }
  }

  /// The values of a term at all instances, where it can be added to what is missing.
  std::optional<std::vector<Tensor>> values_of(const Expression& term, const std::vector<Tensor>& missing) const {
    expr::Claim alone = bare_;
    alone.lhs = alone.rhs = term;
    std::vector<Tensor> found;
    try {
      const infer::Problem problem = infer::elaborate(alone);
      if (!is_understood(problem)) return std::nullopt;
      for (std::size_t t = 0; t < instances_.size(); ++t) {
        auto tensor = value_at(problem.lhs, instances_[t]);
        if (!tensor || !broadcast(*tensor, missing[t].shape)) return std::nullopt;
        found.push_back(std::move(*tensor));
      }
    } catch (const expr::Error&) {  // an index outside its comprehension, a size that is none
      return std::nullopt;
    }
    return found;
  }
  /// A part that stands alone may be read in another way: the n of positions(n) + X as a tensor.
  bool is_understood(const infer::Problem& alone) const {
    const Instance& known = instances_.front();
    return std::all_of(alone.dimensions.begin(), alone.dimensions.end(), [&](const auto& d) { return known.dims.count(d) > 0; }) &&
           std::all_of(alone.variables.begin(), alone.variables.end(), [&](const auto& v) { return known.values.count(v.name) > 0; });
  }
  /// Repeats axes of size 1. False where the shapes do not fit.
  static bool broadcast(Tensor& tensor, const std::vector<std::int64_t>& shape) {
    if (tensor.shape == shape || tensor.shape.empty()) return true;
    if (tensor.shape.size() != shape.size()) return false;
    Tensor full = numeric::filled(shape, 0.0);
    for (std::size_t i = 0; i < full.values.size(); ++i) {
      const auto at = numeric::indices_of(static_cast<std::int64_t>(i), shape);
      std::int64_t place = 0;
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (tensor.shape[axis] != 1 && tensor.shape[axis] != shape[axis]) return false;
        place = place * tensor.shape[axis] + (tensor.shape[axis] == 1 ? 0 : at[axis]);
      }
      full.values[i] = tensor.values[static_cast<std::size_t>(place)];
    }
    tensor = std::move(full);
    return true;
  }

  const expr::Claim& claim_;
  const infer::Problem& problem_;
  expr::Claim bare_;  ///< with shapes for all variables
  std::vector<Instance> instances_;
  std::vector<Tensor> lhs_, rhs_;
  std::vector<std::pair<Expression, std::vector<double>>> factors_;
};

}  // namespace

std::vector<Edit> fitted_edits(const expr::Claim& claim, const infer::Problem& problem, bool tokens, std::uint64_t seed) {
  if (claim.relation != expr::Relation::equal || problem.variables.empty()) return {};
  return Fitter(claim, problem, tokens, seed).run();
}

}  // namespace foldproof::repair
