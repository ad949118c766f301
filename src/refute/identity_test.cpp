// SPDX-License-Identifier: MIT
#include "refute/identity_test.hpp"

#include <algorithm>

#include "numeric/assume.hpp"
#include "numeric/random.hpp"
#include "numeric/undefined.hpp"
#include "refute/order.hpp"
#include "refute/space.hpp"
#include "refute/trial.hpp"

namespace foldproof::refute {
namespace {

using infer::FactKind;
using infer::TermKind;
using numeric::PrimeField;
using numeric::Stream;
using Shape = std::vector<std::int64_t>;

constexpr std::int64_t largest_work = 2'000'000;
constexpr std::size_t most_shapes = 3;

/// Sizes from 2 to 5, pairwise different for up to four dimensions, that satisfy the assumptions; larger ones first.
std::vector<expr::DimValues> sizes(const infer::Problem& problem) {
  std::vector<expr::DimValues> result;
  const std::size_t count = problem.dimensions.size();
  for (std::size_t turn = 0; turn < 4 && result.size() < most_shapes; ++turn) {
    for (const std::size_t step : {std::size_t{1}, std::size_t{3}}) {
      expr::DimValues dims;
      for (std::size_t k = 0; k < count; ++k) dims[problem.dimensions[k]] = static_cast<std::int64_t>(5 - (step * k + turn) % 4);
      const bool allowed = std::all_of(problem.facts.begin(), problem.facts.end(), [&](const auto& f) { return numeric::holds(f, dims); });
      if (allowed && std::find(result.begin(), result.end(), dims) == result.end()) result.push_back(std::move(dims));
    }
  }
  for (auto& dims : shapes_in_order(problem, 60)) {  // assumptions on sizes may refuse all of those
    if (result.size() < 2) result.push_back(std::move(dims));
  }
  return result;
}

Tensor<PrimeField> random_tensor(const Shape& shape, const Stream& stream) {
  Tensor<PrimeField> result = numeric::filled(shape, PrimeField(0));
  for (std::size_t i = 0; i < result.values.size(); ++i) result.values[i] = PrimeField::from_bits(stream.draw(i, 0));
  return result;
}

/// A random matrix [n, m] with the property; nullopt for properties without random points.
std::optional<Tensor<PrimeField>> random_matrix(const std::string& predicate, std::int64_t n, std::int64_t m, const Stream& stream, bool reflect) {
  Tensor<PrimeField> a = random_tensor({n, m}, stream);
  const auto at = [&](std::int64_t i, std::int64_t j) -> PrimeField& { return a.values[static_cast<std::size_t>(i * m + j)]; };
  if (predicate == "invertible") return a;  // singular with probability about n/p, and then Undefined
  if (predicate == "orthogonal") return numeric::cayley(static_cast<std::size_t>(n), a.values, reflect);
  if (predicate == "symmetric") {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < i; ++j) at(i, j) = at(j, i);
    }
    return a;
  }
  if (predicate == "rowstochastic") {
    for (std::int64_t i = 0; i < n; ++i) {
      PrimeField rest = 1;
      for (std::int64_t j = 1; j < m; ++j) rest = rest - at(i, j);
      at(i, 0) = rest;
    }
    return a;
  }
  if (predicate != "permutation" && predicate != "onehot") return std::nullopt;
  std::vector<std::int64_t> free;
  for (std::int64_t j = 0; j < m; ++j) free.push_back(j);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto pick = stream.draw(static_cast<std::uint64_t>(i), 1) % free.size();
    for (std::int64_t j = 0; j < m; ++j) at(i, j) = j == free[pick] ? 1 : 0;
    if (predicate == "permutation") free.erase(free.begin() + static_cast<std::ptrdiff_t>(pick));
  }
  return a;
}

std::optional<Tensor<PrimeField>> random_value(const infer::Problem& problem, const infer::Variable& v, const Shape& shape, const Stream& stream, bool reflect) {
  std::optional<std::string> structure;
  for (const auto& f : problem.facts) {
    if (f.kind != FactKind::predicate || f.lhs->name != v.name) continue;
    if (!numeric::is_structural(f.predicate) && f.predicate != "mask01") continue;
    if (structure) return std::nullopt;  // two properties at once
    structure = f.predicate;
  }
  if (!structure) return random_tensor(shape, stream);
  if (*structure == "mask01") {
    auto mask = random_tensor(shape, stream);
    for (PrimeField& a : mask.values) a = static_cast<std::int64_t>(a.value() % 2);
    return mask;
  }
  if (shape.size() < 2) return std::nullopt;  // a list of numbers is no random point
  Tensor<PrimeField> result{shape, {}};
  const std::int64_t heads = shape.size() == 3 ? shape[0] : 1;
  for (std::int64_t head = 0; head < heads; ++head) {
    const Stream own(stream.draw(0, 2), static_cast<std::uint64_t>(head));
    const auto matrix = random_matrix(*structure, shape[shape.size() - 2], shape.back(), own, reflect);
    if (!matrix) return std::nullopt;
    result.values.insert(result.values.end(), matrix->values.begin(), matrix->values.end());
  }
  return result;
}

bool applicable(const infer::Problem& problem) {
  if (problem.relation != expr::Relation::equal) return false;
  const bool compares = std::any_of(problem.facts.begin(), problem.facts.end(), [](const auto& f) { return f.kind == FactKind::relation; });
  for (const auto& v : problem.variables) {
    if (holds_tokens(problem, v.name) || (compares && infer::is_assumed(problem.facts, {"mask01", "onehot", "permutation"}, v.name))) return false;  // of 0 and 1 a strict bound leaves one
  }
  return std::all_of(problem.facts.begin(), problem.facts.end(), [](const infer::Fact& f) {
    if (f.kind == FactKind::predicate) return f.lhs->kind == TermKind::variable;
    const auto of_rank = [](const infer::Term& t) { return t && std::any_of(t->call.sizes.begin(), t->call.sizes.end(), expr::mentions_rank); };
    if (of_rank(f.lhs) || of_rank(f.rhs)) return false;  // random matrices have full rank
    using expr::Relation;
    // x <= y and y <= x together, or x**2 <= 0 alone, make equations; strict bounds leave room around every point.
    return f.kind != FactKind::relation || f.relation == Relation::less || f.relation == Relation::greater || f.relation == Relation::not_equal;
  });
}

}  // namespace

const char* text(Identity identity) {
  switch (identity) {
    case Identity::equal: return "equal";
    case Identity::different: return "different";
    case Identity::not_applicable: return "not applicable";
  }
  return "?";
}

Identity identity_test(const infer::Problem& problem, std::uint64_t seed, int trials) {
  if (!applicable(problem)) return Identity::not_applicable;
  const std::uint64_t key = numeric::mix(seed, signature(problem));
  const infer::Term sides[] = {problem.lhs, problem.rhs};
  bool any = false;
  for (const auto& dims : sizes(problem)) {
    try {
      const auto program = std::make_shared<const numeric::Program>(sides, dims, numeric::quick_program);
      if (program->work() > largest_work) continue;
      numeric::Machine<PrimeField> machine(program);
      for (int trial = 0; trial < trials; ++trial) {
        for (std::size_t v = 0; v < problem.variables.size(); ++v) {
          Shape shape;
          for (const auto& d : problem.variables[v].shape) shape.push_back(expr::evaluate(d, dims));
          const Stream stream(key + static_cast<std::uint64_t>(trial), v);
          const auto value = random_value(problem, problem.variables[v], shape, stream, trial % 2 != 0);
          if (!value) return Identity::not_applicable;
          machine.set(problem.variables[v].name, *value);
        }
        if (first_violation(machine.root(0), problem.relation, machine.root(1)) >= 0) return Identity::different;
        any = true;
      }
    } catch (const numeric::NeedsReals&) {
      return Identity::not_applicable;
    } catch (const numeric::Undefined&) {
      continue;
    } catch (const expr::LimitReached&) {
      continue;
    }
  }
  return any ? Identity::equal : Identity::not_applicable;
}

}  // namespace foldproof::refute
