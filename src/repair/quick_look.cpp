// SPDX-License-Identifier: MIT
#include "repair/quick_look.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "numeric/assume.hpp"
#include "numeric/evaluate.hpp"
#include "numeric/undefined.hpp"
#include "refute/alternatives.hpp"
#include "repair/solve_assumed.hpp"

namespace foldproof::repair {
namespace {

using infer::Fact;
using infer::FactKind;
using infer::TermKind;
using Instance = numeric::Instance<double>;
using Tensor = numeric::Tensor<double>;

constexpr std::int64_t largest = 4096;  // entries of a variable
constexpr double tolerance = 1e-9;      // of values near one
constexpr double solved = 1e-4;         // of those that solve equations, where a double zero is met to half the digits
constexpr std::size_t most_sizes = 5;   // W.T @ W == eye(k) asks for rows enough
constexpr double least_size = 0.1;      // of entries that are not zero

bool is_equation(const Fact& f) { return f.kind == FactKind::relation && f.relation == expr::Relation::equal && !f.compares; }

/// A property of a whole matrix.
bool give_matrix(const std::string& predicate, Tensor& t) {
  if (t.shape.size() != 2) return false;
  const auto rows = static_cast<std::size_t>(t.shape[0]);
  const auto columns = static_cast<std::size_t>(t.shape[1]);
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return t.values[i * columns + j]; };
  if (predicate == "invertible") return true;  // random ones are
  if (predicate == "symmetric") {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < i; ++j) at(i, j) = at(j, i);
    }
  } else if (predicate == "rowstochastic") {
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < columns; ++j) sum += at(i, j) = std::abs(at(i, j)) + least_size;
      for (std::size_t j = 0; j < columns; ++j) at(i, j) /= sum;
    }
  } else if (predicate == "permutation" || predicate == "onehot") {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) at(i, j) = j == (i + 1) % columns ? 1 : 0;
    }
  } else if (predicate == "orthogonal") {  // a reflection along the first row
    const std::vector<double> v(t.values.begin(), t.values.begin() + static_cast<std::ptrdiff_t>(columns));
    double square = 0;
    for (const double x : v) square += x * x;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) at(i, j) = (i == j ? 1 : 0) - 2 * v[i] * v[j] / square;
    }
  } else {
    return false;
  }
  return true;
}

/// Changes t so that it has the property. False where that is not known here.
bool give(const std::string& predicate, Tensor& t) {
  for (double& x : t.values) {
    if (predicate == "positive" || predicate == "nonnegative") x = std::abs(x) + least_size;
    if (predicate == "nonzero") x += std::copysign(least_size, x);
    if (predicate == "mask01") x = x > 0 ? 1 : 0;
    if (predicate == "integer") x = std::round(x);
  }
  return !numeric::is_structural(predicate) || give_matrix(predicate, t);
}

bool is_entrywise(const std::string& predicate) { return predicate == "positive" || predicate == "nonnegative" || predicate == "nonzero"; }

/// The predicate that an assumption is of one variable: x > 0 says that it is positive.
std::string predicate_of_variable(const Fact& f) {
  if (f.compares || (f.kind != FactKind::predicate && f.kind != FactKind::relation) || f.lhs->kind != TermKind::variable) return {};
  if (f.kind == FactKind::predicate) return f.predicate;
  const bool sign = f.relation != expr::Relation::equal && f.rhs->kind == TermKind::number && f.rhs->value.sign() == 0;
  return !sign ? "" : f.relation == expr::Relation::not_equal ? "nonzero" : "positive";
}

/// Entries beyond a number that is assumed to bound them are turned back, a quarter as far: D < 1.
void turn_back(const Fact& f, Instance& instance) {
  if (f.kind != FactKind::relation || f.compares || f.lhs->kind != TermKind::variable || f.rhs->kind != TermKind::number) return;
  const bool above = f.relation == expr::Relation::less || f.relation == expr::Relation::less_equal, below = f.relation == expr::Relation::greater || f.relation == expr::Relation::greater_equal;
  const double bound = static_cast<double>(f.rhs->value.num()) / static_cast<double>(f.rhs->value.den());
  for (double& x : instance.values.at(f.lhs->name).values) {
    if ((above && x >= bound) || (below && x <= bound)) x = bound - (x - bound) / 4 + (above ? -1 : 1) * tolerance;
  }
}

/// Gives variables what is assumed of them, and solves equations; what is assumed of the signs of other parts, and other relations, are left to chance.
bool satisfy(const infer::Problem& problem, Instance& instance) {
  std::set<std::string> fixed;  // as whole tensors, so that entries may not change any more
  for (const Fact& f : problem.facts) {
    const std::string predicate = predicate_of_variable(f);
    if (f.kind == FactKind::dimension && !numeric::holds(f, instance.dims)) return false;
    if (f.kind == FactKind::predicate && predicate.empty() && !is_entrywise(f.predicate)) return false;
    if (predicate.empty() || is_entrywise(predicate)) continue;
    if (!fixed.insert(f.lhs->name).second || !give(predicate, instance.values.at(f.lhs->name))) return false;
  }
  std::vector<const Fact*> equations;
  for (const Fact& f : problem.facts) {
    const std::string predicate = predicate_of_variable(f);
    if (is_entrywise(predicate) && fixed.count(f.lhs->name) == 0) give(predicate, instance.values.at(f.lhs->name));
    if (f.lhs && fixed.count(f.lhs->name) == 0) turn_back(f, instance);
    if (is_equation(f)) equations.push_back(&f);
  }
  for (const Fact* f : equations) {  // masks follow from the others
    for (const std::size_t v : refute::variables_in(problem, *f)) {
      const std::string& name = problem.variables[v].name;
      if (std::any_of(problem.comparisons.begin(), problem.comparisons.end(), [&](const auto& c) { return c.mask == name || c.scale == name; })) return false;
    }
  }
  if (!equations.empty() && !solve_assumed(problem, equations, fixed, instance)) return false;
  for (const auto& c : problem.comparisons) {
    Tensor mask = numeric::evaluate(c.difference, instance), scale = mask;
    for (std::size_t i = 0; i < mask.values.size(); ++i) {
      const double z = mask.values[i];
      if (z != 0 && std::abs(z) < tolerance) return false;  // perhaps it is 0
      mask.values[i] = (c.equality ? z == 0 : z > 0) ? 1 : 0;
      scale.values[i] = z == 0 ? 0 : 1 / std::abs(z);
    }
    instance.values[c.mask] = std::move(mask);
    instance.values[c.scale] = std::move(scale);
  }
  return true;
}

/// What is not equal by construction.
bool holds(const Fact& f, const Instance& instance) {
  if (f.kind == FactKind::predicate && is_entrywise(f.predicate)) {  // equations have changed the entries
    const Tensor t = numeric::evaluate(f.lhs, instance);
    return std::all_of(t.values.begin(), t.values.end(), [&](double x) { return f.predicate == "nonzero" ? std::abs(x) > tolerance : x > 0; });
  }
  if (f.kind != FactKind::relation || f.compares || is_equation(f)) return true;
  const Tensor lhs = numeric::evaluate(f.lhs, instance);
  const Tensor rhs = numeric::evaluate(f.rhs, instance);
  for (std::size_t i = 0; i < std::max(lhs.values.size(), rhs.values.size()); ++i) {
    const double l = lhs.values[i % lhs.values.size()];
    const double r = rhs.values[i % rhs.values.size()];
    switch (f.relation) {
      case expr::Relation::equal: break;
      case expr::Relation::not_equal: if (!(l != r)) return false; break;
      case expr::Relation::less: if (!(l < r)) return false; break;
      case expr::Relation::less_equal: if (!(l <= r)) return false; break;
      case expr::Relation::greater: if (!(l > r)) return false; break;
      case expr::Relation::greater_equal: if (!(l >= r)) return false; break;
    }
  }
  return true;
}

}  // namespace

std::optional<Tensor> value_at(const infer::Term& term, const Instance& instance) {
  try {
    return numeric::evaluate(term, instance);
  } catch (const numeric::Undefined&) {
  } catch (const numeric::NeedsReals&) {
  } catch (const expr::LimitReached&) {
  }
  return std::nullopt;
}

std::optional<Instance> dense_instance(const infer::Problem& problem, bool tokens, std::uint64_t seed, std::size_t sizes) {
  if (std::any_of(problem.variables.begin(), problem.variables.end(), [](const auto& v) { return std::any_of(v.shape.begin(), v.shape.end(), expr::mentions_rank); })) return std::nullopt;
  try {
    Instance instance;
    for (std::size_t k = 0; k < problem.dimensions.size(); ++k) instance.dims[problem.dimensions[k]] = 2 + static_cast<std::int64_t>(sizes == 0 ? k % 2 : (2 * k + sizes) % 4);
    std::uint64_t next = seed;
    for (const auto& v : problem.variables) {
      std::vector<std::int64_t> shape;
      std::int64_t count = 1;
      for (const auto& size : v.shape) {
        shape.push_back(expr::evaluate(size, instance.dims));
        count *= shape.back();
        if (shape.back() < 1 || count > largest) return std::nullopt;
      }
      auto tensor = numeric::filled(shape, 0.0);
      for (double& x : tensor.values) {
        next = next * 6364136223846793005U + 1442695040888963407U;  // Knuth's linear congruences
        x = static_cast<double>(next >> 40U) / static_cast<double>(1U << 24U) * 3 - 1.5;
        if (tokens && v.shape.size() == 1) x = x > 0 ? 1 : 0;
      }
      instance.values[v.name] = std::move(tensor);
    }
    const bool satisfied = satisfy(problem, instance) && std::all_of(problem.facts.begin(), problem.facts.end(), [&](const Fact& f) { return holds(f, instance); });
    if (satisfied) return instance;
  } catch (const numeric::Undefined&) {
  } catch (const numeric::NeedsReals&) {
  } catch (const expr::LimitReached&) {
  }
  return std::nullopt;
}

numeric::Instance<numeric::Exact> in_eighths(const Instance& instance) {
  constexpr double parts = 8;
  numeric::Instance<numeric::Exact> exact;
  exact.dims = instance.dims;
  for (const auto& [name, tensor] : instance.values) {
    auto& value = exact.values[name];
    value.shape = tensor.shape;
    for (const double x : tensor.values) {
      const double count = std::copysign(std::max(1.0, std::floor(std::abs(x) * parts)), x);
      value.values.push_back(numeric::Exact::from(expr::Rational(static_cast<std::int64_t>(count), static_cast<std::int64_t>(parts))));
    }
  }
  return exact;
}

bool seems_false(const infer::Problem& problem, bool tokens, std::uint64_t seed) {
  const bool equations = std::any_of(problem.facts.begin(), problem.facts.end(), is_equation);
  auto instance = dense_instance(problem, tokens, seed);
  for (std::size_t sizes = 1; equations && !instance && sizes < most_sizes; ++sizes) instance = dense_instance(problem, tokens, seed, sizes);
  const auto lhs = instance ? value_at(problem.lhs, *instance) : std::nullopt;
  const auto rhs = lhs ? value_at(problem.rhs, *instance) : std::nullopt;
  if (!rhs) return false;
  const bool equation = problem.relation == expr::Relation::equal;
  for (std::size_t i = 0; i < std::max(lhs->values.size(), rhs->values.size()); ++i) {
    const double l = lhs->values[i % lhs->values.size()], r = rhs->values[i % rhs->values.size()];  // a scalar is compared with every entry
    const bool apart = std::isfinite(l) && std::isfinite(r) && std::abs(l - r) > (equations ? solved : tolerance) * (1 + std::abs(l) + std::abs(r));
    if (apart && (equation || l > r)) return true;
  }
  return false;
}

bool seems_false(const infer::Problem& problem) {
  const bool tokens = std::any_of(problem.variables.begin(), problem.variables.end(), [&](const auto& v) { return refute::holds_tokens(problem, v.name); });
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    if (seems_false(problem, tokens, seed)) return true;
  }
  return false;
}

}  // namespace foldproof::repair
