// SPDX-License-Identifier: MIT
#include "repair/missing_terms.hpp"

#include <algorithm>

#include "expr/build.hpp"

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
  if (row && !column) return node(SyntaxKind::multiply, {summed("rowsum", a), b});
  if (column && !row) return node(SyntaxKind::matmul, {a, summed("colsum", b)});
  return product(SyntaxKind::matmul, a, b);
}

struct Term {
  Expression value;
  bool negative = false;
};
using Terms = std::vector<Term>;

/// The terms of e multiplied out; e itself where there are too many or nothing is known of it.
Terms terms(const Expression& e, const ShapeOf& shape) {
  switch (e->kind) {
    case SyntaxKind::add:
    case SyntaxKind::subtract: {
      Terms sum = terms(e->args[0], shape);
      for (Term t : terms(e->args[1], shape)) {
        t.negative = t.negative != (e->kind == SyntaxKind::subtract);
        sum.push_back(std::move(t));
      }
      return sum;
    }
    case SyntaxKind::negate: {
      Terms sum = terms(e->args[0], shape);
      for (Term& t : sum) t.negative = !t.negative;
      return sum;
    }
    case SyntaxKind::transpose: {
      Terms sum = terms(e->args[0], shape);
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
    case SyntaxKind::matmul:
    case SyntaxKind::multiply:
    case SyntaxKind::divide: {
      const Terms left = terms(e->args[0], shape);
      const Terms right = e->kind == SyntaxKind::divide ? Terms{{e->args[1], false}} : terms(e->args[1], shape);
      if (left.size() * right.size() > most_terms) return {{e, false}};
      Terms sum;
      for (const Term& a : left) {
        for (const Term& b : right) {
          const bool sums = e->kind == SyntaxKind::matmul && (left.size() > 1 || right.size() > 1);
          sum.push_back({sums ? broadcast_product(a.value, b.value, shape) : product(e->kind, a.value, b.value), a.negative != b.negative});
        }
      }
      return sum;
    }
    default: return {{e, false}};
  }
}

/// The terms of `list` that have no partner in `others`.
Terms without(const Terms& list, Terms others) {
  Terms rest;
  for (const Term& t : list) {
    const auto partner = std::find_if(others.begin(), others.end(), [&](const Term& o) { return o.negative == t.negative && expr::same(o.value, t.value); });
    if (partner == others.end()) {
      rest.push_back(t);
    } else {
      others.erase(partner);
    }
  }
  return rest;
}

Expression added(Expression sum, const Terms& list) {
  for (const Term& t : list) sum = node(t.negative ? SyntaxKind::subtract : SyntaxKind::add, {sum, t.value});
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
  const Terms own = terms(side, shape);
  const Terms wanted = terms(other, shape);
  const Terms missing = without(wanted, own);
  const Terms surplus = without(own, wanted);
  constexpr std::size_t few = 3;  // more would be the other side multiplied out
  if (missing.empty() || missing.size() > few || surplus.size() == own.size()) return result;
  if (surplus.empty()) result.push_back({added(side, missing), missing.size()});
  if (surplus.size() == missing.size()) {
    Terms kept = without(own, surplus);
    const Terms rest(kept.begin() + 1, kept.end());
    if (!kept.front().negative) result.push_back({added(added(kept.front().value, rest), missing), missing.size()});
  }
  return result;
}

}  // namespace foldproof::repair
