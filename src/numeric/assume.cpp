// SPDX-License-Identifier: MIT
// Checks of assumptions, by definition: no check trusts the generator that made the instance.
#include "numeric/assume.hpp"

#include <algorithm>
#include <set>

#include "expr/operators.hpp"
#include "numeric/elimination.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::numeric {
namespace {

using expr::Relation;

bool all(const Tensor<Exact>& t, Relation relation, std::int64_t bound) {
  return std::all_of(t.values.begin(), t.values.end(), [&](const Exact& v) { return related(v, relation, bound); });
}

bool zero_or_one(const Tensor<Exact>& t) {
  return std::all_of(t.values.begin(), t.values.end(), [](const Exact& v) { return v == Exact(0) || v == Exact(1); });
}

/// One matrix, the last two axes of a tensor.
struct Matrix {
  std::size_t rows;
  std::size_t columns;
  const Exact* values;
  const Exact& at(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
};

bool rows_sum_to_one(const Matrix& m) {
  for (std::size_t i = 0; i < m.rows; ++i) {
    Exact sum = 0;
    for (std::size_t j = 0; j < m.columns; ++j) sum = sum + m.at(i, j);
    if (sum != Exact(1)) return false;
  }
  return true;
}

bool is_orthogonal(const Matrix& m) {
  for (std::size_t i = 0; i < m.columns; ++i) {
    for (std::size_t j = 0; j < m.columns; ++j) {
      Exact sum = 0;
      for (std::size_t k = 0; k < m.rows; ++k) sum = sum + m.at(k, i) * m.at(k, j);
      if (sum != Exact(i == j)) return false;
    }
  }
  return true;
}

bool is_symmetric(const Matrix& m) {
  for (std::size_t i = 0; i < m.rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (m.at(i, j) != m.at(j, i)) return false;
    }
  }
  return true;
}

bool is_invertible(const Matrix& m) {
  const auto n = static_cast<std::int64_t>(m.rows);
  try {
    inverse(Tensor<Exact>{{n, n}, {m.values, m.values + m.rows * m.columns}});
  } catch (const Undefined&) {
    return false;
  }
  return true;
}

bool satisfies(const std::string& predicate, const Matrix& m) {
  if (predicate == "orthogonal") return m.rows == m.columns && is_orthogonal(m);
  if (predicate == "permutation") return m.rows == m.columns && is_orthogonal(m) && rows_sum_to_one(m);
  if (predicate == "onehot" || predicate == "rowstochastic") return rows_sum_to_one(m);
  if (predicate == "invertible") return m.rows == m.columns && is_invertible(m);
  if (predicate == "symmetric") return m.rows == m.columns && is_symmetric(m);
  throw expr::InternalError("unknown predicate " + predicate);
}

/// Whether each of the numbers 0 .. n-1 stands once in it.
bool is_permutation_list(const Tensor<Exact>& t) {
  for (std::int64_t n = 0; n < t.shape[0]; ++n) {
    if (std::find(t.values.begin(), t.values.end(), Exact(n)) == t.values.end()) return false;
  }
  return true;
}

}  // namespace

std::optional<expr::Rational> number_of(const infer::Term& term) {
  if (!term || term->kind == infer::TermKind::number) return term ? std::optional(term->value) : std::nullopt;
  if (term->kind != infer::TermKind::apply) return std::nullopt;
  const bool negated = term->op == expr::operator_id<expr::ops::Negate>();
  const auto first = negated || term->op == expr::operator_id<expr::ops::Divide>() ? number_of(term->args[0]) : std::nullopt;
  if (!first || negated) return first ? std::optional(-*first) : std::nullopt;
  const auto second = number_of(term->args[1]);
  return second && !second->is_zero() ? std::optional(*first / *second) : std::nullopt;
}

bool related(const Exact& a, Relation relation, const Exact& b) {
  if (relation == Relation::equal) return a == b;
  if (relation == Relation::not_equal) return !(a == b);
  if (a == b) return expr::ordered(0, relation);
  if (a.is_negative_infinity()) return expr::ordered(-1, relation);
  if (b.is_negative_infinity()) return expr::ordered(1, relation);
  return expr::ordered((a - b).sign(), relation);
}

bool related(const Tensor<Exact>& a, Relation relation, const Tensor<Exact>& b) {
  for (std::size_t i = 0; i < std::max(a.values.size(), b.values.size()); ++i) {
    if (!related(a.values[a.shape.empty() ? 0 : i], relation, b.values[b.shape.empty() ? 0 : i])) return false;
  }
  return true;
}

bool is_structural(const std::string& predicate) {
  static const std::set<std::string> of_entries = {"positive", "nonnegative", "nonzero", "mask01", "integer", "real"};
  return of_entries.count(predicate) == 0;
}

bool satisfies(const std::string& predicate, const Tensor<Exact>& t) {
  if (predicate == "positive") return all(t, Relation::greater, 0);
  if (predicate == "nonnegative") return all(t, Relation::greater_equal, 0);
  if (predicate == "nonzero") return all(t, Relation::not_equal, 0);
  if (predicate == "mask01") return zero_or_one(t);
  if (predicate == "integer") return std::all_of(t.values.begin(), t.values.end(), [](const Exact& v) { return v.is_rational() && v.coefficient(0).is_integer(); });
  if (predicate == "real") return true;
  if (predicate == "permutation" && t.shape.size() == 1) return is_permutation_list(t);
  if ((predicate == "permutation" || predicate == "onehot") && !zero_or_one(t)) return false;
  if (predicate == "rowstochastic" && !all(t, Relation::greater_equal, 0)) return false;
  const auto rows = static_cast<std::size_t>(t.shape[t.shape.size() - 2]);
  const auto columns = static_cast<std::size_t>(t.shape.back());
  for (std::size_t start = 0; start < t.values.size(); start += rows * columns) {
    if (!satisfies(predicate, Matrix{rows, columns, t.values.data() + start})) return false;
  }
  return true;
}

bool holds(const infer::Fact& fact, const expr::DimValues& dims) {
  if (fact.kind != infer::FactKind::dimension) return true;
  const std::int64_t a = expr::evaluate(fact.lhs_size, dims);
  const std::int64_t b = expr::evaluate(fact.rhs_size, dims);
  return expr::ordered(a < b ? -1 : a > b, fact.relation);
}

bool holds(const infer::Fact& fact, const Instance<Exact>& instance) {
  if (fact.kind == infer::FactKind::dimension) return holds(fact, instance.dims);
  const bool definition = fact.kind == infer::FactKind::definition;
  if (definition && !fact.rhs) return true;  // of a size
  try {
    if (definition) {  // y == sqrt(x) holds by itself, but only where the root has a value
      evaluate(fact.rhs, instance);
      return true;
    }
    if (fact.kind == infer::FactKind::predicate) return satisfies(fact.predicate, evaluate(fact.lhs, instance));
    return related(evaluate(fact.lhs, instance), fact.relation, evaluate(fact.rhs, instance));
  } catch (const NeedsReals&) {
    if (!definition) return holds_throughout(fact, enclosed(instance));
    evaluate(fact.rhs, enclosed(instance));
    return true;
  }
}

/// Orders and differences that enclosures separate; an equality never follows from enclosures.
bool holds_throughout(const infer::Fact& fact, const Instance<Interval>& instance) {
  const bool predicate = fact.kind == infer::FactKind::predicate;
  const Tensor<Interval> a = evaluate(fact.lhs, instance);
  const Tensor<Interval> b = predicate ? Tensor<Interval>{{}, {Interval(0.0)}} : evaluate(fact.rhs, instance);
  const std::string& p = fact.predicate;
  if (predicate && p == "real") return true;
  if (predicate && p != "positive" && p != "nonnegative" && p != "nonzero") return false;
  const Relation relation = !predicate ? fact.relation : p == "positive" ? Relation::greater : p == "nonnegative" ? Relation::greater_equal : Relation::not_equal;
  for (std::size_t i = 0; i < std::max(a.values.size(), b.values.size()); ++i) {
    const Interval& x = a.values[a.shape.empty() ? 0 : i];
    const Interval& y = b.values[b.shape.empty() ? 0 : i];
    const bool below = relation == Relation::less || relation == Relation::less_equal;
    const bool above = relation == Relation::greater || relation == Relation::greater_equal;
    if (!(below ? is_less(x, y) : above ? is_less(y, x) : relation == Relation::not_equal && disjoint(x, y))) return false;
  }
  return true;
}

}  // namespace foldproof::numeric
