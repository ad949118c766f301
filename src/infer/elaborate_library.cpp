// SPDX-License-Identifier: MIT
// What NumPy and PyTorch have as one function or notation and the language as several operators: literal matrices, X.shape, a mean
// or a maximum of all entries. Part of the trusted base.
#include <algorithm>

#include "expr/build.hpp"
#include "infer/elaborator.hpp"
#include "read/numpy.hpp"

namespace foldproof::infer {

/// Whether np.array([a, b]) stacks tensors, which torch.tensor does not.
bool Elaborator::holds_tensors(const Expression& list) {
  return list->name != read::list_of_numbers && !list->args.empty() && std::none_of(list->args.begin(), list->args.end(), [&](const Expression& part) { return part->kind == SyntaxKind::list || term(part)->shape.empty(); });
}

/// [[a, b], [c, d]] is vstack(concat(a, b), concat(c, d)), of numbers or, in block, of matrices; [a, b] of numbers is a vector.
Term Elaborator::literal(const Expression& e, bool blocks) {
  const bool rows = std::all_of(e->args.begin(), e->args.end(), [](const Expression& row) { return row->kind == SyntaxKind::list; });
  const auto entry = [&](const Expression& part) {
    if (part->kind == SyntaxKind::list) expr::fail("call.list", "a list of numbers and lists is no matrix", part->span, "write [[a, b], [c, d]], one list a row");
    const Term t = term(part);
    const bool fits = t->shape.empty() || (blocks && t->shape.size() == 2);
    if (!fits && !rows) expr::fail("call.list", "these are several tensors, and " + describe(t->shape) + " is the shape of one of them", e->span, "name them, a, b = f(x), or take one by its place, f(x)[0]; np.stack([A, B]) makes one tensor of several, concat([A, B], axis=1) joins columns");
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
  sized_.push_back(term(of->args[0]));
  const Shape shape = sizes_.resolve(sized_.back()->shape);
  return shape[counted(written->num(), shape, e->span)];
}

/// X.numel(), and X.size in NumPy
Term Elaborator::number_of_entries(const Expression& e) {
  Dim count(1);
  sized_.push_back(term(e->args[0]));
  for (const Dim& d : sizes_.resolve(sized_.back()->shape)) count = count * d;
  return size_term(count, e->span);
}

/// The logarithm of what a product is made of.
Term Elaborator::log_factor(const Expression& e) {
  if (!is_positive_base(e->args[0])) expr::fail("call.product", "products of as many factors as a size says are read of positive numbers, and `" + shorten(expr::text(e->args[0])) + "` is not known to be positive", e->args[0]->span, "assume positive(x) of a factor with a name, or write an exponential, np.exp(x)");
  const Expression& factor = e->args[0];
  const bool exponential = factor->kind == SyntaxKind::call && factor->name == "exp" && factor->args.size() == 1 && factor->keywords.empty();
  const Term result = term(exponential ? factor->args[0] : expr::node(SyntaxKind::call, {factor}, "log", e->span));
  const auto most = e->args.size() == 2 ? constant(e->args[1]) : std::nullopt;
  if (most && Rational(static_cast<std::int64_t>(result->shape.size())) > *most) expr::fail("call.product", "a product without an axis is read of numbers in a list and of vectors, and this is " + describe(result->shape), factor->span, "say along which axis: np.prod(x, axis=0)");
  if (is_infinite(result)) expr::fail("call.product", "minus infinity stands in a factor of a product, which may be 0 then", factor->span, "products of as many factors as a size says are read of positive numbers");
  return result;
}

/// NumPy's mean, max and min without an axis: one number, or with keepdims, as sum too, one entry on every axis.
Term Elaborator::of_all_entries(const Expression& e, bool keeps_axes) {
  const Term x = term(argument(e, 0));
  const std::size_t rank = x->shape.size();
  if (e->name == "mean" && !keeps_axes) {
    Term count = number(1, e->span);
    for (const Dim& d : sizes_.resolve(x->shape)) count = apply(expr::operator_id<expr::ops::Multiply>(), e, {count, size_term(d, e->span)}, {});
    return apply(expr::operator_id<expr::ops::Divide>(), e, {apply(expr::operator_id<expr::ops::SumAll>(), e, {x}, {}), count}, {});
  }
  const int op = e->name == "sum" ? expr::operator_id<expr::ops::SumAxis>() : e->name == "mean" ? expr::operator_id<expr::ops::Mean>() : e->name == "max" ? expr::operator_id<expr::ops::Max>() : expr::operator_id<expr::ops::Min>();
  Term result = x;
  for (std::size_t axis = rank; axis-- > 0;) result = apply(op, e, {result}, {}, static_cast<std::int64_t>(axis));
  return keeps_axes || rank == 0 ? result : first_along(e, result, 0, rank);
}

}  // namespace foldproof::infer
