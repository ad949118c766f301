// SPDX-License-Identifier: MIT
#include "repair/missing_terms.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include "expr/build.hpp"
#include "repair/places.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::node;
using expr::SyntaxKind;

constexpr std::size_t most_terms = 16;

bool is_eye(const Expression& e) { return e->kind == SyntaxKind::call && e->name == "eye" && e->args.size() == 1; }

/// A product with its brackets moved to the left, without identities: A @ (B @ C) becomes A @ B @ C.
Expression product(SyntaxKind kind, const Expression& a, const Expression& b) {
  if (kind == SyntaxKind::matmul && is_eye(a)) return b;
  if (kind == SyntaxKind::matmul && is_eye(b)) return a;
  if (kind == SyntaxKind::matmul && b->kind == SyntaxKind::matmul) return node(kind, {product(kind, a, b->args[0]), b->args[1]});
  return node(kind, {a, b});
}

struct Broadcast {
  bool row = false;     ///< one row, which stands for many
  bool column = false;  ///< one column
};
Broadcast broadcast(const Expression& e, const ShapeOf& shape) {
  switch (e->kind) {
    case SyntaxKind::name: {
      const expr::Shape* s = shape(e);
      if (s == nullptr || s->size() != 2) return {};
      return {(*s)[0].is_one(), (*s)[1].is_one()};
    }
    case SyntaxKind::transpose: {
      const Broadcast b = broadcast(e->args[0], shape);
      return {b.column, b.row};
    }
    case SyntaxKind::matmul: return {broadcast(e->args[0], shape).row, broadcast(e->args[1], shape).column};
    default: return {};
  }
}

/// a @ b of terms of sums, where a term may be a row or a column that its sum broadcasts.
Expression broadcast_product(const Expression& a, const Expression& b, const ShapeOf& shape) {
  const bool row = broadcast(b, shape).row;
  const bool column = broadcast(a, shape).column;
  const auto summed = [](const char* name, const Expression& e) { return std::make_shared<const expr::Syntax>(expr::Syntax{SyntaxKind::call, name, {}, {e}, {}, {}, {}}); };
  const bool stochastic = a->kind == SyntaxKind::call && a->name == "softmax" && a->args.size() == 1 && a->keywords.empty();
  if (row && !column && stochastic) return b;
  if (row && !column) return node(SyntaxKind::multiply, {summed("rowsum", a), b});
  if (column && !row) return node(SyntaxKind::matmul, {a, summed("colsum", b)});
  return product(SyntaxKind::matmul, a, b);
}

struct Term {
  Expression value;
  std::int64_t coefficient = 1;
};
using Terms = std::vector<Term>;

Terms scaled(Terms sum, std::int64_t factor) {
  for (Term& t : sum) t.coefficient *= factor;
  return sum;
}

/// The number that e is, if it is a small whole one.
std::optional<std::int64_t> whole_number(const Expression& e) {
  constexpr std::int64_t most = 1000;
  if (e->kind != SyntaxKind::number || !e->value.is_integer() || e->value.num() > most) return std::nullopt;
  return e->value.num();
}

/// The same where it is a product of entries in another order.
std::string key(const Expression& e) {
  if (e->kind != SyntaxKind::multiply) return expr::text(e);
  const std::string a = key(e->args[0]), b = key(e->args[1]);
  return std::min(a, b) + " * " + std::max(a, b);
}

/// Terms of the same value as one.
Terms combined(const Terms& list) {
  Terms sum;
  for (const Term& t : list) {
    const auto same = std::find_if(sum.begin(), sum.end(), [&](const Term& o) { return key(o.value) == key(t.value); });
    if (same == sum.end()) {
      sum.push_back(t);
    } else {
      same->coefficient += t.coefficient;
    }
  }
  std::erase_if(sum, [](const Term& t) { return t.coefficient == 0; });
  return sum;
}

/// Sums, traces and parts of matrices: f(a + b) is f(a) + f(b).
bool is_linear(const Expression& e) {
  static const std::set<std::string> functions = {"sum", "rowsum", "colsum", "mean", "rowmean", "colmean", "trace", "diag", "diagonal", "tril", "triu"};
  return e->kind == SyntaxKind::call && !e->args.empty() && functions.count(e->name) > 0;
}

Terms terms(const Expression& e, const ShapeOf& shape);

/// a * b multiplied out; nothing where it has too many terms.
Terms multiplied(SyntaxKind kind, const Terms& left, const Terms& right, const ShapeOf& shape) {
  if (left.size() * right.size() > most_terms) return {};
  Terms sum;
  for (const Term& a : left) {
    for (const Term& b : right) {
      const bool sums = kind == SyntaxKind::matmul && (left.size() > 1 || right.size() > 1);
      sum.push_back({sums ? broadcast_product(a.value, b.value, shape) : product(kind, a.value, b.value), a.coefficient * b.coefficient});
    }
  }
  return sum;
}

Terms transposed_terms(Terms sum, const ShapeOf& shape) {
  for (Term& t : sum) {
    if (t.value->kind == SyntaxKind::transpose) {
      t.value = t.value->args[0];
    } else if (t.value->kind == SyntaxKind::matmul) {
      t.value = product(SyntaxKind::matmul, terms(node(SyntaxKind::transpose, {t.value->args[1]}), shape)[0].value, terms(node(SyntaxKind::transpose, {t.value->args[0]}), shape)[0].value);
    } else {
      t.value = node(SyntaxKind::transpose, {t.value});
    }
  }
  return sum;
}

/// The terms of e multiplied out; e itself where there are too many or nothing is known of it.
Terms terms(const Expression& e, const ShapeOf& shape) {
  const Terms itself{{e, 1}};
  switch (e->kind) {
    case SyntaxKind::add:
    case SyntaxKind::subtract: {
      Terms sum = terms(e->args[0], shape);
      for (Term& t : scaled(terms(e->args[1], shape), e->kind == SyntaxKind::subtract ? -1 : 1)) sum.push_back(std::move(t));
      return sum;
    }
    case SyntaxKind::negate: return scaled(terms(e->args[0], shape), -1);
    case SyntaxKind::transpose: return transposed_terms(terms(e->args[0], shape), shape);
    case SyntaxKind::multiply:
      for (const std::size_t k : {0U, 1U}) {
        if (const auto factor = whole_number(e->args[k])) return scaled(terms(e->args[1 - k], shape), *factor);
      }
      [[fallthrough]];
    case SyntaxKind::matmul:
    case SyntaxKind::divide: {
      const Terms sum = multiplied(e->kind, terms(e->args[0], shape), e->kind == SyntaxKind::divide ? Terms{{e->args[1], 1}} : terms(e->args[1], shape), shape);
      return sum.empty() ? itself : sum;
    }
    case SyntaxKind::power: {
      if (whole_number(e->args[1]) != 2) return itself;
      const Terms base = terms(e->args[0], shape);
      Terms sum;
      for (std::size_t i = 0; i < base.size() && base.size() > 1 && base.size() * base.size() <= most_terms; ++i) {  // a**2 + 2 * (a * b) + b**2
        sum.push_back({node(SyntaxKind::power, {base[i].value, e->args[1]}), base[i].coefficient * base[i].coefficient});
        for (std::size_t j = i + 1; j < base.size(); ++j) sum.push_back({node(SyntaxKind::multiply, {base[i].value, base[j].value}), 2 * base[i].coefficient * base[j].coefficient});
      }
      return sum.empty() ? itself : sum;
    }
    default: break;
  }
  if (!is_linear(e)) return itself;
  Terms sum = terms(e->args[0], shape);
  for (Term& t : sum) t.value = with_argument(e, 0, t.value);
  return sum;
}

/// What `list` has of each value and `others` have not: the rest, where they have some of it with the same sign.
Terms without(const Terms& list, const Terms& others) {
  Terms rest;
  for (const Term& t : list) {
    const auto partner = std::find_if(others.begin(), others.end(), [&](const Term& o) { return key(o.value) == key(t.value); });
    if (partner == others.end() || (partner->coefficient > 0) != (t.coefficient > 0)) {
      rest.push_back(t);
    } else if (std::abs(t.coefficient) > std::abs(partner->coefficient)) {
      rest.push_back({t.value, t.coefficient - partner->coefficient});
    }
  }
  return rest;
}

void names_in(const Expression& e, std::multiset<std::string>& out) {
  if (e->kind == SyntaxKind::name) out.insert(e->name);
  for (const Expression& a : e->args) names_in(a, out);
}
/// P0 @ V0 where P @ V0 is meant, and not what is the same written in another way.
bool differ_in_one_name(const Expression& a, const Expression& b) {
  std::multiset<std::string> of_a, of_b, common;
  names_in(a, of_a);
  names_in(b, of_b);
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::inserter(common, common.end()));
  return of_a.size() == of_b.size() && common.size() + 1 == of_a.size();
}

Expression added(Expression sum, const Terms& list) {
  for (const Term& t : list) {
    const std::int64_t times = std::abs(t.coefficient);
    const Expression term = times == 1 ? t.value : node(SyntaxKind::multiply, {number(times), t.value});
    if (!sum) {
      sum = t.coefficient < 0 ? node(SyntaxKind::negate, {term}) : term;
    } else {
      sum = node(t.coefficient < 0 ? SyntaxKind::subtract : SyntaxKind::add, {sum, term});
    }
  }
  return sum;
}

}  // namespace

std::vector<Completed> completed(const Expression& side, const Expression& other, const ShapeOf& shape) {
  std::vector<Completed> result;
  const bool one_function = side->kind == SyntaxKind::call && other->kind == SyntaxKind::call && side->name == other->name && side->args.size() == other->args.size();
  if (one_function) {
    for (std::size_t k = 0; k < side->args.size(); ++k) {
      for (Completed& argument : completed(side->args[k], other->args[k], shape)) {
        auto copy = std::make_shared<expr::Syntax>(*side);
        copy->args[k] = std::move(argument.side);
        result.push_back({std::move(copy), argument.terms});
      }
    }
    return result;
  }
  const Terms own = combined(terms(side, shape));
  const Terms wanted = combined(terms(other, shape));
  const Terms missing = without(wanted, own);
  const Terms surplus = without(own, wanted);
  constexpr std::size_t few = 3;  // more would be the other side multiplied out
  if (missing.empty() || missing.size() > few || surplus.size() == own.size()) return result;
  std::size_t count = 0;
  for (const Term& t : missing) count += static_cast<std::size_t>(std::abs(t.coefficient));
  if (surplus.empty()) result.push_back({added(side, missing), count});
  const bool all_alike = surplus.size() == missing.size() && std::equal(surplus.begin(), surplus.end(), missing.begin(), [](const Term& a, const Term& b) { return differ_in_one_name(a.value, b.value); });
  if (all_alike) result.push_back({added(added(nullptr, without(own, surplus)), missing), count});
  return result;
}

}  // namespace foldproof::repair
