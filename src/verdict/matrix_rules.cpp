// SPDX-License-Identifier: MIT
#include "verdict/matrix_rules.hpp"

#include <algorithm>

#include "expr/build.hpp"

namespace foldproof::verdict {

namespace {

using expr::call;
using expr::Expression;
using expr::mentions;
using expr::node;
using expr::Syntax;
using expr::SyntaxKind;

constexpr const char* transpose_product = "transpose of a product: the factors change places";
constexpr const char* distribute = "distributivity";
constexpr const char* scalar_out = "a number may be multiplied anywhere in a product";
constexpr const char* block_product = "product of blocks";

Expression matmul(Expression a, Expression b) { return node(SyntaxKind::matmul, {std::move(a), std::move(b)}); }
Expression transpose(Expression a) { return node(SyntaxKind::transpose, {std::move(a)}); }
Expression with_args(const Syntax& e, std::vector<Expression> args) {
  Syntax s = e;
  s.args = std::move(args);
  return std::make_shared<const Syntax>(std::move(s));
}

bool is(const Expression& e, SyntaxKind kind) { return e->kind == kind; }
bool is_sum(const Expression& e) { return is(e, SyntaxKind::add) || is(e, SyntaxKind::subtract); }
bool is_plain_call(const Expression& e, const char* name) { return is(e, SyntaxKind::call) && e->name == name && e->keywords.empty(); }
bool is_list(const Expression& e, const char* name) { return is_plain_call(e, name) && e->args.size() >= 2; }
bool is_each(const Expression& e, const char* name) { return is_plain_call(e, name) && e->args.size() == 1 && is(e->args[0], SyntaxKind::comprehension); }

/// The same comprehension with another body.
Expression each(const std::string& name, const Syntax& comprehension, Expression body) { return call(name, {with_args(comprehension, {std::move(body), comprehension.args[1]})}); }

/// Functions of one matrix that keep its shape.
bool keeps_shape(const std::string& name) {
  static const std::vector<std::string> names = {"softmax", "softmax1", "log_softmax", "relu", "gelu", "silu", "sigmoid", "tanh", "exp", "log", "abs", "sqrt", "rsqrt",
                                                 "rmsnorm", "layernorm", "l2norm", "rope", "rope_half", "inv", "sin", "cos"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

MatrixRules::MatrixRules(const expr::Claim& claim, const infer::Problem& problem) {
  for (const infer::Variable& v : problem.variables) shapes_[v.name] = v.shape;
  for (const expr::Definition& d : claim.definitions) definitions_[d.name] = d.value;
  for (const expr::Assumption& a : claim.assumptions) {
    if (!a.relation && is_plain_call(a.lhs, "orthogonal") && a.lhs->args.size() == 1) {
      inverses_.push_back({a.lhs->args[0], transpose(a.lhs->args[0])});
      inverses_.push_back({transpose(a.lhs->args[0]), a.lhs->args[0]});
    } else if (!a.relation && is_plain_call(a.lhs, "permutation") && a.lhs->args.size() == 1) {
      inverses_.push_back({a.lhs->args[0], transpose(a.lhs->args[0])});
      inverses_.push_back({transpose(a.lhs->args[0]), a.lhs->args[0]});
    } else if (a.relation == expr::Relation::equal && is_plain_call(a.rhs, "eye") && is(a.lhs, SyntaxKind::matmul)) {
      inverses_.push_back({a.lhs->args[0], a.lhs->args[1]});
    } else if (a.relation == expr::Relation::equal && shape(a.lhs) && !shape(a.lhs)->empty()) {
      equations_.push_back({a.lhs, a.rhs});
    }
  }
}

std::optional<expr::Shape> MatrixRules::shape(const Expression& e) const {
  using Known = std::optional<expr::Shape>;
  const auto of = [&](std::size_t k) { return shape(e->args[k]); };
  switch (e->kind) {
    case SyntaxKind::number: return expr::Shape{};
    case SyntaxKind::name: {
      const auto found = shapes_.find(e->name);
      if (found != shapes_.end()) return found->second;
      const auto defined = definitions_.find(e->name);
      return defined != definitions_.end() ? shape(defined->second) : Known(expr::Shape{});
    }
    case SyntaxKind::negate:
    case SyntaxKind::power: return of(0);
    case SyntaxKind::add:
    case SyntaxKind::subtract:
    case SyntaxKind::multiply:
    case SyntaxKind::divide: {
      const Known a = of(0);
      const Known b = of(1);
      if (!a || !b || a->empty()) return a ? b : std::nullopt;
      if (b->empty() || *a == *b) return a;
      if (a->size() != 2 || b->size() != 2) return std::nullopt;
      return expr::Shape{(*a)[0] == 1 ? (*b)[0] : (*a)[0], (*a)[1] == 1 ? (*b)[1] : (*a)[1]};
    }
    case SyntaxKind::matmul: {
      const Known a = of(0);
      const Known b = of(1);
      return a && b && a->size() == 2 && b->size() == 2 ? Known(expr::Shape{(*a)[0], (*b)[1]}) : std::nullopt;
    }
    case SyntaxKind::transpose: {
      const Known a = of(0);
      return a && a->size() == 2 ? Known(expr::Shape{(*a)[1], (*a)[0]}) : std::nullopt;
    }
    case SyntaxKind::index: {
      const Known a = of(0);
      const bool head = a && a->size() == 3 && e->subscripts.size() == 1 && !e->subscripts[0].slice;
      return head ? Known(expr::Shape{(*a)[1], (*a)[2]}) : std::nullopt;
    }
    case SyntaxKind::call:
      if (keeps_shape(e->name) && !e->args.empty()) return of(0);
      if ((e->name == "rowsum" || e->name == "mean") && e->args.size() == 1 && e->keywords.empty()) {
        const Known a = of(0);
        return a && a->size() == 2 ? Known(expr::Shape{(*a)[0], 1}) : std::nullopt;
      }
      return std::nullopt;
    default: return std::nullopt;
  }
}

bool MatrixRules::is_scalar(const Expression& e) const {
  const auto s = shape(e);
  return s && s->empty();
}
bool MatrixRules::is_axis(const Expression& e, std::size_t axis, bool one) const {
  const auto s = shape(e);
  return s && s->size() == 2 && ((*s)[axis] == 1) == one;
}
bool MatrixRules::same_shape(const Expression& a, const Expression& b) const {
  const auto s = shape(a);
  const auto t = shape(b);
  return s && t && *s == *t;
}

bool MatrixRules::cancels(const Expression& a, const Expression& b) const {
  if (is_plain_call(a, "inv") && expr::same(a->args[0], b)) return true;
  if (is_plain_call(b, "inv") && expr::same(b->args[0], a)) return true;
  return std::any_of(inverses_.begin(), inverses_.end(), [&](const auto& pair) { return expr::same(pair.first, a) && expr::same(pair.second, b); });
}

std::optional<Rewriting> MatrixRules::apply(const Expression& e) const {
  if (const Maybe here = at(e)) return Rewriting{here->e, here->e, e, here->law};
  for (std::size_t k = 0; k < e->args.size(); ++k) {
    if (is(e, SyntaxKind::comprehension) && k == 1) continue;  // a count is no matrix
    if (!e->args[k]) continue;
    if (auto inside = apply(e->args[k])) {
      std::vector<Expression> args = e->args;
      args[k] = inside->whole;
      inside->whole = with_args(*e, std::move(args));
      return inside;
    }
  }
  return std::nullopt;
}

MatrixRules::Maybe MatrixRules::at(const Expression& e) const {
  if (is(e, SyntaxKind::name) && definitions_.count(e->name) > 0) return Result{definitions_.at(e->name), "by definition"};
  for (const auto& [left, right] : equations_) {
    if (expr::same(left, e)) return Result{right, "an assumption of the claim"};
  }
  switch (e->kind) {
    case SyntaxKind::transpose: return transposed(*e->args[0]);
    case SyntaxKind::matmul: return product(e->args[0], e->args[1]);
    case SyntaxKind::add:
    case SyntaxKind::subtract: return sum(*e);
    case SyntaxKind::multiply:
    case SyntaxKind::divide: return scaled(*e);
    case SyntaxKind::call: return softmax(*e);
    default: return std::nullopt;
  }
}

MatrixRules::Maybe MatrixRules::transposed(const Syntax& inner) const {
  switch (inner.kind) {
    case SyntaxKind::transpose: return Result{inner.args[0], "transposing twice changes nothing"};
    case SyntaxKind::matmul: return Result{matmul(transpose(inner.args[1]), transpose(inner.args[0])), transpose_product};
    case SyntaxKind::add:
    case SyntaxKind::subtract: return Result{with_args(inner, {transpose(inner.args[0]), transpose(inner.args[1])}), "transpose of a sum"};
    case SyntaxKind::multiply:
      if (is_scalar(inner.args[0])) return Result{with_args(inner, {inner.args[0], transpose(inner.args[1])}), "a number needs no transpose"};
      return std::nullopt;
    case SyntaxKind::divide:
      if (is_scalar(inner.args[1])) return Result{with_args(inner, {transpose(inner.args[0]), inner.args[1]}), "a number needs no transpose"};
      return std::nullopt;
    case SyntaxKind::call:
      if ((inner.name == "concat" || inner.name == "vstack") && inner.args.size() >= 2 && inner.keywords.empty()) {
        std::vector<Expression> parts;
        for (const Expression& part : inner.args) parts.push_back(transpose(part));
        return Result{call(inner.name == "concat" ? "vstack" : "concat", std::move(parts)), "transpose of blocks"};
      }
      return std::nullopt;
    default: return std::nullopt;
  }
}

MatrixRules::Maybe MatrixRules::product(const Expression& a, const Expression& b) const {
  if (is(b, SyntaxKind::matmul)) return Result{matmul(matmul(a, b->args[0]), b->args[1]), "associativity of the matrix product"};
  if (is_plain_call(b, "eye")) return Result{a, "the identity matrix changes nothing"};
  if (is_plain_call(a, "eye")) return Result{b, "the identity matrix changes nothing"};
  if (is(a, SyntaxKind::matmul) && cancels(a->args[1], b)) return Result{a->args[0], "these two factors cancel"};
  if (is_plain_call(a, "softmax") && a->args.size() == 1 && is(b, SyntaxKind::add) && is_axis(b->args[0], 0, false) && is_axis(b->args[1], 0, true))
    return Result{node(SyntaxKind::add, {matmul(a, b->args[0]), b->args[1]}), "the weights of a row sum to one"};
  if (is_sum(a) && same_shape(a->args[0], a->args[1])) return Result{with_args(*a, {matmul(a->args[0], b), matmul(a->args[1], b)}), distribute};
  if (is_sum(b) && same_shape(b->args[0], b->args[1])) return Result{with_args(*b, {matmul(a, b->args[0]), matmul(a, b->args[1])}), distribute};
  // (X + b) W with a bias row: b is added to every row, before and after.
  if (is(a, SyntaxKind::add) && is_axis(a->args[0], 0, false) && is_axis(a->args[1], 0, true)) return Result{with_args(*a, {matmul(a->args[0], b), matmul(a->args[1], b)}), distribute};
  if (is(b, SyntaxKind::add) && is_axis(b->args[0], 1, false) && is_axis(b->args[1], 1, true)) return Result{with_args(*b, {matmul(a, b->args[0]), matmul(a, b->args[1])}), distribute};
  if (is(a, SyntaxKind::multiply) && is_scalar(a->args[0])) return Result{with_args(*a, {a->args[0], matmul(a->args[1], b)}), scalar_out};
  if (is(b, SyntaxKind::multiply) && is_scalar(b->args[0])) return Result{with_args(*b, {b->args[0], matmul(a, b->args[1])}), scalar_out};
  if (is(a, SyntaxKind::divide) && is_scalar(a->args[1])) return Result{with_args(*a, {matmul(a->args[0], b), a->args[1]}), scalar_out};
  if (is(b, SyntaxKind::divide) && is_scalar(b->args[1])) return Result{with_args(*b, {matmul(a, b->args[0]), b->args[1]}), scalar_out};
  return blocks(a, b);
}

MatrixRules::Maybe MatrixRules::blocks(const Expression& a, const Expression& b) const {
  if (is_list(a, "concat") && is_list(b, "vstack") && a->args.size() == b->args.size()) {
    Expression out = matmul(a->args[0], b->args[0]);
    for (std::size_t k = 1; k < a->args.size(); ++k) out = node(SyntaxKind::add, {out, matmul(a->args[k], b->args[k])});
    return Result{out, block_product};
  }
  if (is_each(a, "concat") && is_each(b, "vstack") && a->args[0]->name == b->args[0]->name && expr::same(a->args[0]->args[1], b->args[0]->args[1]))
    return Result{each("sum", *a->args[0], matmul(a->args[0]->args[0], b->args[0]->args[0])), block_product};
  if (is_list(b, "concat")) {
    std::vector<Expression> parts;
    for (const Expression& part : b->args) parts.push_back(matmul(a, part));
    return Result{call("concat", std::move(parts)), block_product};
  }
  if (is_list(a, "vstack")) {
    std::vector<Expression> parts;
    for (const Expression& part : a->args) parts.push_back(matmul(part, b));
    return Result{call("vstack", std::move(parts)), block_product};
  }
  if (is_each(b, "concat") && !mentions(a, b->args[0]->name)) return Result{each("concat", *b->args[0], matmul(a, b->args[0]->args[0])), block_product};
  if (is_each(a, "sum") && !mentions(b, a->args[0]->name)) return Result{each("sum", *a->args[0], matmul(a->args[0]->args[0], b)), distribute};
  if (is_each(b, "sum") && !mentions(a, b->args[0]->name)) return Result{each("sum", *b->args[0], matmul(a, b->args[0]->args[0])), distribute};
  return std::nullopt;
}

MatrixRules::Maybe MatrixRules::sum(const Syntax& e) const {
  const Expression& a = e.args[0];
  const Expression& b = e.args[1];
  if (is_sum(b)) {
    const bool minus = e.kind == SyntaxKind::subtract;
    const bool plus = is(b, SyntaxKind::add) != minus;
    return Result{node(plus ? SyntaxKind::add : SyntaxKind::subtract, {with_args(e, {a, b->args[0]}), b->args[1]}), "brackets in a sum"};
  }
  if (e.kind == SyntaxKind::subtract && expr::same(a, b)) return std::nullopt;
  if (e.kind == SyntaxKind::subtract && is(a, SyntaxKind::add) && expr::same(a->args[1], b)) return Result{a->args[0], "what is added is taken away again"};
  return std::nullopt;
}

MatrixRules::Maybe MatrixRules::scaled(const Syntax& e) const {
  const Expression& a = e.args[0];
  const Expression& b = e.args[1];
  if (e.kind == SyntaxKind::multiply && is_scalar(a) && is_sum(b)) return Result{with_args(*b, {with_args(e, {a, b->args[0]}), with_args(e, {a, b->args[1]})}), distribute};
  if (e.kind == SyntaxKind::divide && is_scalar(b) && is_sum(a)) return Result{with_args(*a, {with_args(e, {a->args[0], b}), with_args(e, {a->args[1], b})}), distribute};
  if (e.kind == SyntaxKind::multiply && is_axis(a, 0, false) && is_axis(a, 1, false) && is_axis(b, 0, true) && is_axis(b, 1, false) && is(b, SyntaxKind::name))
    return Result{matmul(a, call("diag", {b})), "scaling the columns is multiplying by a diagonal matrix"};
  return std::nullopt;
}

MatrixRules::Maybe MatrixRules::softmax(const Syntax& e) const {
  if (e.name != "softmax" || e.args.size() != 1 || !e.keywords.empty()) return std::nullopt;
  // The summand that is one number a row, wherever it stands in the sum.
  std::vector<Expression> path;
  for (Expression s = e.args[0]; is(s, SyntaxKind::add); s = s->args[0]) {
    path.push_back(s);
    const bool row = is_axis(s->args[1], 1, true) && is_axis(s->args[0], 1, false);
    if (!row) continue;
    Expression out = s->args[0];
    for (std::size_t k = path.size() - 1; k-- > 0;) out = with_args(*path[k], {out, path[k]->args[1]});
    return Result{with_args(e, {out}), "a softmax ignores what is added to a whole row"};
  }
  return std::nullopt;
}

}  // namespace foldproof::verdict
