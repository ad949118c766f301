// SPDX-License-Identifier: MIT
// What NumPy and PyTorch have as one function or notation and the language as several operators: literal matrices, X.shape, where,
// a mean or a maximum of all entries. Part of the trusted base.
#include <algorithm>
#include <set>

#include "expr/build.hpp"
#include "infer/elaborator.hpp"

namespace foldproof::infer {
namespace {

/// -inf as the parser writes it.
bool is_minus_infinity(const Expression& e) { return e->kind == SyntaxKind::call && e->name == "neginf" && e->args.size() == 1 && expr::is_number(e->args[0], 0); }

/// Whether an infinity is written somewhere in e.
bool names_infinity(const Expression& e) {
  if (e->kind == SyntaxKind::call && (e->name == "neginf" || e->name == "causal")) return true;
  return std::any_of(e->args.begin(), e->args.end(), names_infinity);
}

}  // namespace

/// [[a, b], [c, d]] is vstack(concat(a, b), concat(c, d)), of numbers or, in block, of matrices; [a, b] of numbers is a vector.
Term Elaborator::literal(const Expression& e, bool blocks) {
  const bool rows = std::all_of(e->args.begin(), e->args.end(), [](const Expression& row) { return row->kind == SyntaxKind::list; });
  const auto entry = [&](const Expression& part) {
    if (part->kind == SyntaxKind::list) expr::fail("call.list", "a list of numbers and lists is no matrix", part->span, "write [[a, b], [c, d]], one list a row");
    const Term t = term(part);
    const bool fits = t->shape.empty() || (blocks && t->shape.size() == 2);
    if (!fits) expr::fail("call.list", blocks ? "block joins matrices here, and this is " + describe(t->shape) : "a literal matrix is one of numbers, and this is " + describe(t->shape), part->span, "write vstack(concat(A, B), concat(C, D)) or np.block([[A, B], [C, D]]) for blocks, concat([A, B], axis=1) for columns");
    return t;
  };
  if (!rows) {
    std::vector<Term> numbers;
    if (blocks) expr::fail("call.list", "block takes a list of rows", e->span, "write np.block([[A, B], [C, D]])");
    for (const Expression& part : e->args) numbers.push_back(entry(part));
    return apply(expr::operator_id<expr::ops::Stack>(), e, std::move(numbers), {});
  }
  std::vector<Term> lines;
  for (const Expression& row : e->args) {
    if (row->args.size() != e->args[0]->args.size()) expr::fail("shape.ragged", "the rows of a matrix have equally many entries", row->span, "write [[a, b], [c, d]], one list a row");
    std::vector<Term> parts;
    for (const Expression& part : row->args) {
      const Term t = entry(part);
      parts.push_back(t->shape.empty() ? apply(expr::operator_id<expr::ops::Reshape>(), part, {t}, {1, 1}) : t);
    }
    lines.push_back(parts.size() == 1 ? parts[0] : apply(expr::operator_id<expr::ops::Concat>(), row, std::move(parts), {}, -1));
  }
  return lines.size() == 1 ? lines[0] : apply(expr::operator_id<expr::ops::Vstack>(), e, std::move(lines), {});
}

bool Elaborator::is_shape_entry(const Expression& e) { return e->kind == SyntaxKind::index && e->args[0]->kind == SyntaxKind::call && e->args[0]->name == "shape"; }

/// shape(X)[-1], which X.shape[-1] is read as.
Dim Elaborator::shape_entry(const Expression& e) {
  const Expression& of = e->args[0];
  const bool single = of->args.size() == 1 && of->keywords.empty() && e->subscripts.size() == 1 && !e->subscripts[0].slice && e->subscripts[0].start;
  const auto written = single ? constant(e->subscripts[0].start) : std::nullopt;
  if (!written || !written->is_integer()) expr::fail("shape.no_size", "`" + shorten(expr::text(e)) + "` is not a size", e->span, "write X.shape[0] or X.shape[-1]");
  const Shape shape = sizes_.resolve(term(of->args[0])->shape);
  return shape[counted(written->num(), shape, e->span)];
}

/// ~M, the opposite of a mask
Term Elaborator::opposite(const Expression& e) {
  const Expression& mask = e->args[0];
  if (!is_mask(mask)) expr::fail("call.mask", "`~` is the opposite of a mask, and `" + shorten(expr::text(mask)) + "` is not known to be 0 or 1 everywhere", e->span, "assume mask01(M) of a mask M");
  return apply(expr::operator_id<expr::ops::Subtract>(), e, {number(1, e->span), term(mask)}, {});
}

/// Whether every entry of e is known to be 0 or 1.
bool Elaborator::is_mask(const Expression& e) const {
  static const std::set<std::string> predicates = {"mask01", "onehot", "permutation"}, triangles = {"tril", "triu"}, made = {"eye", "ones", "zeros", "onehot"};
  if (expr::is_number(e, 0) || expr::is_number(e, 1)) return true;
  if (e->kind == SyntaxKind::subtract) return expr::is_number(e->args[0], 1) && is_mask(e->args[1]);
  if (e->kind == SyntaxKind::call && e->name == "~") return is_mask(e->args[0]);
  if (e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::index) {
    return is_mask(e->args[0]) && (e->kind != SyntaxKind::multiply || is_mask(e->args[1]));
  }
  if (e->kind == SyntaxKind::call && triangles.count(e->name) > 0) return !e->args.empty() && (is_size(e->args[0]) || is_mask(e->args[0]));
  if (e->kind == SyntaxKind::call) return made.count(e->name) > 0;
  if (e->kind != SyntaxKind::name || index_scope_.count(e->name) > 0) return false;
  for (const auto& d : claim_.definitions) {
    if (d.name == e->name) return is_mask(d.value);
  }
  const auto variable = by_name_.find(e->name);
  const bool matrix = variable != by_name_.end() && variable->second->shape.size() == 2;
  return std::any_of(claim_.assumptions.begin(), claim_.assumptions.end(), [&](const expr::Assumption& a) {
    const bool says = !a.relation && a.lhs->kind == SyntaxKind::call && predicates.count(a.lhs->name) > 0 && (matrix || a.lhs->name != "permutation");  // a list holds 0 .. n-1
    return says && a.lhs->args.size() == 1 && expr::same(a.lhs->args[0], e);
  });
}

namespace {

/// Whether an entry of e depends on no other entries of its operands.
bool is_entrywise(const Expression& e) {
  switch (e->kind) {
    case SyntaxKind::negate:
    case SyntaxKind::add:
    case SyntaxKind::subtract:
    case SyntaxKind::multiply:
    case SyntaxKind::divide: return true;
    case SyntaxKind::power: return e->args[1]->kind == SyntaxKind::number;
    case SyntaxKind::call: return e->keywords.empty() && (expr::is_entrywise_function(e->name) || e->name == "maximum" || e->name == "minimum");
    default: return false;
  }
}

/// e with `value` for x where only the same entry of x counts: x * sum(x) is value * sum(x).
Expression with_entry(const Expression& e, const Expression& x, const Expression& value) {
  if (expr::same(e, x)) return value;
  if (!is_entrywise(e)) return e;
  auto copy = std::make_shared<Syntax>(*e);
  for (Expression& a : copy->args) a = with_entry(a, x, value);
  return copy;
}
bool mentions_entry(const Expression& e, const Expression& x) {
  return expr::same(e, x) || (is_entrywise(e) && std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return mentions_entry(a, x); }));
}

std::optional<Rational> value_at(const Expression& e, const Expression& x, const Rational& c);

/// Whether e surely has a value where x is c, if it has one elsewhere.
bool has_value_at(const Expression& e, const Expression& x, const Rational& c) {
  static const std::set<std::string> partial = {"log", "sqrt", "rsqrt"};
  if (!mentions_entry(e, x) || value_at(e, x, c)) return true;
  const bool total = e->kind != SyntaxKind::divide && (e->kind != SyntaxKind::call || partial.count(e->name) == 0) && (e->kind != SyntaxKind::power || (e->args[1]->value.is_integer() && e->args[1]->value.sign() >= 0));
  if (e->kind == SyntaxKind::divide && !mentions_entry(e->args[1], x)) return has_value_at(e->args[0], x, c);
  return total && std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return has_value_at(a, x, c); });
}

/// What e is worth where x is c, as far as it shows: 0 * y is 0 for every y that has a value, and exp(0) is 1.
std::optional<Rational> value_at(const Expression& e, const Expression& x, const Rational& c) {
  if (expr::same(e, x)) return c;
  if (e->kind == SyntaxKind::number) return e->value;
  if (!is_entrywise(e)) return std::nullopt;
  std::vector<std::optional<Rational>> parts;
  for (const Expression& a : e->args) parts.push_back(value_at(a, x, c));
  const auto is_zero = [&](std::size_t k) { return parts[k] && parts[k]->is_zero(); };
  if (e->kind == SyntaxKind::multiply && ((is_zero(0) && has_value_at(e->args[1], x, c)) || (is_zero(1) && has_value_at(e->args[0], x, c)))) return Rational(0);
  if (parts.empty() || !std::all_of(parts.begin(), parts.end(), [](const auto& p) { return p.has_value(); })) return std::nullopt;
  switch (e->kind) {
    case SyntaxKind::negate: return -*parts[0];
    case SyntaxKind::add: return *parts[0] + *parts[1];
    case SyntaxKind::subtract: return *parts[0] - *parts[1];
    case SyntaxKind::multiply: return *parts[0] * *parts[1];
    case SyntaxKind::divide: return parts[1]->is_zero() ? std::nullopt : std::optional(*parts[0] / *parts[1]);
    case SyntaxKind::call:
      if (e->name == "relu") return parts[0]->sign() > 0 ? *parts[0] : Rational(0);
      if (e->name == "abs") return parts[0]->sign() < 0 ? -*parts[0] : *parts[0];
      if (!is_zero(0)) return std::nullopt;
      if (e->name == "exp" || e->name == "cos") return Rational(1);
      if (e->name == "tanh" || e->name == "sin" || e->name == "gelu" || e->name == "silu" || e->name == "erf") return Rational(0);
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

/// With the larger of x and c for x in P and the smaller one in Q, P + Q - P(c) is P above c and Q below: where P(c) = Q(c). What P has of
/// other entries of x, as in x * sum(x), is the same above and below.
Term Elaborator::chosen_by_sign(const Expression& condition, const Expression& above, const Expression& below) {
  const Expression& x = condition->args[0];
  const auto bound = constant(condition->args[1]);
  const auto refuse = [&](const std::string& hint) { expr::fail("call.mask", "a comparison chooses between two values that meet at its bound", condition->span, hint); };
  const bool greater = condition->name[0] == '>';
  if (!bound || (!greater && condition->name[0] != '<')) refuse("assume mask01(M) of a mask M, and write where(M == 1, A, B)");
  const auto at_bound = value_at(above, x, *bound), other = value_at(below, x, *bound);
  if (!at_bound || !other || *at_bound != *other) refuse("where(x > 0, x, 0) is relu(x); a value that jumps is none of the language");
  const auto with = [&](const Expression& e, const char* function) { return with_entry(e, x, expr::node(SyntaxKind::call, {x, condition->args[1]}, function, x->span)); };
  const Expression sum = expr::node(SyntaxKind::add, {with(above, greater ? "maximum" : "minimum"), with(below, greater ? "minimum" : "maximum")}, {}, condition->span);
  if (at_bound->is_zero()) return term(sum);
  return apply(expr::operator_id<expr::ops::Subtract>(), condition, {term(sum), number(*at_bound, condition->span)}, {});
}

/// where(M, A, B) is M * A + (1 - M) * B for a 0/1 mask M, and A + neginf(M) where B is minus infinity.
Term Elaborator::where(const Expression& e) {
  const Expression condition = keyword(e, "condition", "condition");
  if (e->args.size() != 3 || e->keywords.size() != (condition ? 1 : 0)) expr::fail("call.arguments", "where takes a mask and two values", e->span, "write where(M, A, B)");
  const Expression &mask = e->args[0], &kept = e->args[1], &other = e->args[2];
  if (condition && !is_mask(mask)) return chosen_by_sign(condition, kept, other);
  if (!is_mask(mask)) expr::fail("call.mask", "`" + shorten(expr::text(mask)) + "` is not known to be 0 or 1 everywhere", mask->span, "assume mask01(M) of a mask M; tril(n) and eye(n) are masks, too");
  const auto join = [&](SyntaxKind kind, const Expression& a, const Expression& b) { return expr::node(kind, {a, b}, {}, e->span); };
  const auto complement = join(SyntaxKind::subtract, expr::parse_expression("1"), mask);
  const auto masked = [&](const Expression& value, const Expression& where) { return term(join(SyntaxKind::add, value, expr::node(SyntaxKind::call, {where}, "neginf", e->span))); };
  const bool kept_infinite = names_infinity(kept), other_infinite = names_infinity(other);
  if (is_minus_infinity(other) && !kept_infinite) return masked(kept, mask);
  if (is_minus_infinity(kept) && !other_infinite) return masked(other, complement);
  if (kept_infinite || other_infinite) expr::fail("call.mask", "`where` chooses between finite values, or between one and minus infinity", e->span, "add masks to scores: S + neginf(M)");
  return term(join(SyntaxKind::add, join(SyntaxKind::multiply, mask, kept), join(SyntaxKind::multiply, complement, other)));
}

/// NumPy's mean, max and min without an axis: one number, or with keepdims one entry on every axis.
Term Elaborator::of_all_entries(const Expression& e, bool keeps_axes) {
  const Term x = term(argument(e, 0));
  const std::size_t rank = x->shape.size();
  if (e->name == "mean" && !keeps_axes) {
    Term count = number(1, e->span);
    for (const Dim& d : sizes_.resolve(x->shape)) count = apply(expr::operator_id<expr::ops::Multiply>(), e, {count, size_term(d, e->span)}, {});
    return apply(expr::operator_id<expr::ops::Divide>(), e, {apply(expr::operator_id<expr::ops::SumAll>(), e, {x}, {}), count}, {});
  }
  const int op = e->name == "mean" ? expr::operator_id<expr::ops::Mean>() : e->name == "max" ? expr::operator_id<expr::ops::Max>() : expr::operator_id<expr::ops::Min>();
  Term result = x;
  for (std::size_t axis = rank; axis-- > 0;) result = apply(op, e, {result}, {}, static_cast<std::int64_t>(axis));
  return keeps_axes || rank == 0 ? result : first_along(e, result, 0, rank);
}

}  // namespace foldproof::infer
