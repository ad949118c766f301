// SPDX-License-Identifier: MIT
// Masks of zeros and ones: conditions on positions such as i >= j, conditions on masks such as M == 0, and the values that `where` chooses
// between. Part of the trusted base.
#include <algorithm>
#include <functional>
#include <set>

#include "expr/build.hpp"
#include "expr/operators.hpp"
#include "infer/elaborator.hpp"
#include "infer/is_operator.hpp"
#include "read/kinds.hpp"
#include "read/numpy.hpp"
#include "read/parse.hpp"

namespace foldproof::infer {
namespace {

using expr::is_minus_infinity;

/// ones(n, m), and 0 * x + 1 for ones_like(x).
bool is_all_ones(const Expression& e) {
  const bool like = e->kind == SyntaxKind::add && e->args[0]->kind == SyntaxKind::multiply && expr::is_number(e->args[0]->args[0], 0) && expr::is_number(e->args[1], 1);
  return like || expr::is_call(e, "ones");
}

/// Whether an infinity is written somewhere in e.
bool writes_infinity(const Expression& e, const std::set<std::string_view>& but_in = {}) {
  if (e->kind == SyntaxKind::call && (e->name == "neginf" || e->name == "causal")) return true;
  if (e->kind == SyntaxKind::call && but_in.count(e->name) > 0) return false;
  return std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return writes_infinity(a, but_in); });
}

/// Whether minus infinity may be among its values, as it is written: exp and softmax of it are finite.
bool may_be_infinite(const Expression& e) {
  static const std::set<std::string_view> finite = {"exp", "softmax", "softmax1", "sigmoid"};
  return writes_infinity(e, finite);
}

/// Whether the entries of a call's result are entries of its first operand.
bool moves_entries(const Syntax& call) {
  static const std::set<std::string_view> functions = {"reshape", "transpose", "transpose01", "swapaxes", "moveaxis", "movedim", "flip"};
  return call.kind == SyntaxKind::call && functions.count(call.name) > 0 && !call.args.empty();
}

/// What a condition says of a mask: true for M == 1 and M > 0, false for M == 0; nothing for other conditions.
std::optional<bool> mask_value(const Syntax& condition) {
  const Expression& value = condition.args[1];
  const auto is = [&](std::string_view relation, std::int64_t n) { return condition.name == relation && expr::is_number(value, n); };
  if (is("==", 1) || is("!=", 0) || is(">", 0) || is(">=", 1)) return true;
  if (is("==", 0) || is("!=", 1) || is("<", 1) || is("<=", 0)) return false;
  return std::nullopt;
}

/// Where an entry stands, as sizes are written. No name of a claim has a blank.
const Dim row = expr::dim(" row"), column = expr::dim(" column");

/// A place with others for its row and column.
Dim placed(const Dim& place, const Dim& to_row, const Dim& to_column) { return expr::substitute(place, {{" row", to_row}, {" column", to_column}}); }
bool varies(const Dim& place) { return placed(place, Dim(0), Dim(0)) != place; }

/// a * row + b * column + offset for 1, -1 or 0, neither in the offset: where that is at least 0 is a triangle, or a block of rows or columns
struct Triangle {
  std::int64_t row = 0, column = 0;
  Dim offset;
};
/// Nothing for i // 2, 2 * i, i + j and what is the same everywhere.
std::optional<Triangle> triangle_of(const Dim& place) {
  const Dim offset = placed(place, Dim(0), Dim(0));
  const auto a = (placed(place, Dim(1), Dim(0)) - offset).constant(), b = (placed(place, Dim(0), Dim(1)) - offset).constant();
  if (!a || !b || *a == *b || std::abs(*a) > 1 || std::abs(*b) > 1 || place != Dim(*a) * row + Dim(*b) * column + offset) return std::nullopt;
  return Triangle{*a, *b, offset};
}

/// [[1, 0], [1, 1]], and True and False for numbers.
bool is_list_of_zeros_and_ones(const Expression& e) {
  return e->kind == SyntaxKind::list ? std::all_of(e->args.begin(), e->args.end(), is_list_of_zeros_and_ones) : expr::is_number(e, 0) || expr::is_number(e, 1);
}

}  // namespace

bool holds_truth(const expr::Claim& claim, const Expression& e) {
  static const std::set<std::string> moves = {"tril", "triu", "reshape", "transpose", "swapaxes"};
  if (expr::is_condition(*e)) return true;
  if (e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::index || (e->kind == SyntaxKind::call && moves.count(e->name) > 0 && !e->args.empty())) return holds_truth(claim, e->args[0]);
  if (expr::is_broadcast(*e)) return holds_truth(claim, e->args[0]);
  const auto defined = std::find_if(claim.definitions.begin(), claim.definitions.end(), [&](const auto& d) { return e->kind == SyntaxKind::name && d.name == e->name; });
  return defined != claim.definitions.end() && holds_truth(claim, defined->value);
}

bool Elaborator::names_infinity(const Expression& e) { return writes_infinity(e); }

void Elaborator::require_mask(const Expression& e) const {
  if (!is_mask(e)) expr::fail("call.mask", "`" + shorten(expr::text(e)) + "` is not known to be 0 or 1 everywhere", e->span, "assume mask01(M) of a mask M; tril(n), eye(n) and arange(n)[:, None] >= arange(n)[None, :] are masks, too");
}

/// M & P, M | P, ~M, M.bool() and comparisons
Term Elaborator::condition(const Expression& e) {
  if (expr::is_comparison(*e)) return compared(e);
  for (const Expression& mask : e->args) {
    if (mask->kind == SyntaxKind::number) expr::fail("call.mask", "of numbers `" + e->name + "` is another operation, on their bits", mask->span, "assume mask01(M) of a mask M");
    require_mask(mask);
    if (e->name != "bool" && (holds_numbers(mask) || (e->name == "~" && counts(mask)))) expr::fail("call.mask", "`" + e->name + "` is for truth values, and these are the numbers 0 and 1", mask->span, "write np.ones((n, n), dtype=bool), or .bool() behind it");
  }
  const Term first = term(e->args[0]);
  if (e->name == "bool") return first;
  if (e->name == "~" && expr::is_call(e->args[0], "~")) return term(e->args[0]->args[0]);
  if (e->name == "~" && first->shape.empty() && is_of_python(e->args[0])) expr::fail("call.mask", "`~` of True is -2 where Python itself compares, which is true as well", e->span, "write the opposite, n <= 3 for ~(n > 3)");
  if (e->name == "~") return apply(expr::operator_id<expr::ops::Subtract>(), e, {number(1, e->span), first}, {});
  const Term second = term(e->args[1]), both = apply(expr::operator_id<expr::ops::Multiply>(), e, {first, second}, {});
  if (e->name == "&") return both;
  return apply(expr::operator_id<expr::ops::Subtract>(), e, {apply(expr::operator_id<expr::ops::Add>(), e, {first, second}, {}), both}, {});
}

/// The M of M.T, M[0], M.reshape(k) and tril(M); null for others, and for tril(n).
Expression Elaborator::cut_or_moved(const Expression& e) const {
  const bool cuts = e->kind == SyntaxKind::call && (e->name == "tril" || e->name == "triu") && !e->args.empty() && !is_size(e->args[0]);
  return cuts || e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::index || moves_entries(*e) ? e->args[0] : nullptr;
}

/// Whether e is made of numbers that are written, as (x > 0) * 1 and where(x > 0, 1, 0) are: ~1 is -2.
bool Elaborator::counts(const Expression& e) const {
  if (e->kind == SyntaxKind::number) return true;
  const auto any = [&](std::size_t first) { return std::any_of(e->args.begin() + static_cast<std::ptrdiff_t>(first), e->args.end(), [this](const Expression& a) { return counts(a); }); };
  if (const Expression value = defined_as(e)) return remembered(counts_, e->name, [&] { return counts(value); });
  if (const Expression whole = cut_or_moved(e)) return counts(whole);
  if (expr::is_call(e, "where")) return any(1);
  if (e->kind == SyntaxKind::call && (e->name == "&" || e->name == "|" || e->name == "~")) return any(0);
  return (e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract) && any(0);
}

/// Whether e may be a number, True or False of Python, as n > 3 is, and nothing of NumPy.
bool Elaborator::is_of_python(const Expression& e) const {
  if (e->kind == SyntaxKind::number) return true;
  if (e->kind == SyntaxKind::index) return is_shape_entry(e);
  if (e->kind == SyntaxKind::comprehension || e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::matmul) return false;
  if (e->kind != SyntaxKind::name) return std::all_of(e->args.begin(), e->args.end(), [this](const Expression& a) { return is_of_python(a); });
  if (index_scope_.count(e->name) > 0) return true;
  if (const Expression value = defined_as(e)) return remembered(is_of_python_, e->name, [&] { return is_of_python(value); });
  const auto variable = by_name_.find(e->name);
  return variable == by_name_.end() || variable->second->shape.empty();
}

/// Whether e is an array of truth values in NumPy, where the sum of two is `or`.
bool Elaborator::is_truth(const Expression& e) const {
  static const std::set<std::string> numbers = {"sum", "rowsum", "colsum", "mean", "rowmean", "colmean", "cumsum", "trace", "frob2", "softmax", "softmax_cols", "log_softmax", "lse", "neginf", "onehot", "rms", "rmsnorm", "layernorm", "l2norm", "batchnorm"};
  const auto all = [this](auto begin, auto end) { return std::all_of(begin, end, [this](const Expression& a) { return is_truth(a); }); };
  const auto any = [&] { return std::any_of(e->args.begin(), e->args.end(), [this](const Expression& a) { return is_truth(a); }); };
  const auto is_blank = [this](const Expression& a) { return a->kind == SyntaxKind::multiply && expr::is_number(a->args[0], 0) && is_truth(a->args[1]); };  // ones_like(x) is 0 * x + 1
  if (is_blank(e)) return true;
  if (e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::matmul) return all(e->args.begin(), e->args.end());
  if (e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::index || e->kind == SyntaxKind::comprehension) return is_truth(e->args[0]);
  if (e->kind == SyntaxKind::list) return any();
  if (expr::is_broadcast(*e)) return is_truth(e->args[0]);
  if (e->kind == SyntaxKind::add) return is_blank(e->args[0]) || is_blank(e->args[1]);
  if (e->kind == SyntaxKind::call && e->name == "where") return e->args.size() == 3 && (is_truth(e->args[1]) || is_truth(e->args[2]));  // PyTorch's masked_fill keeps them
  if (e->kind == SyntaxKind::call) return expr::is_condition(*e) || (any() && numbers.count(e->name) == 0 && (e->name == "abs" || !expr::is_entrywise_function(e->name)));
  if (e->kind != SyntaxKind::name || index_scope_.count(e->name) > 0) return false;
  const Expression value = defined_as(e);
  return value && remembered(is_truth_, e->name, [&] { return is_truth(value); });
}

void Elaborator::refuse_truth(const Expression& e) const {
  const auto sums_truth = [&](const Expression& a) {  // S + sum(M[t] for t in range(n)) is S = S + M[t] in a loop, where both stay truth values
    if (e->kind != SyntaxKind::add || !expr::is_call(a, "sum") || a->args.size() != 1 || a->args[0]->kind != SyntaxKind::comprehension) return false;
    const Expression& body = a->args[0]->args[0];
    return is_truth(body->kind == SyntaxKind::subtract && expr::is_number(body->args[0], 0) ? body->args[1] : body);
  };
  const auto is_any = [&](const Expression& a) { return is_truth(a) || sums_truth(a); };
  if (std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_truth(a); }) && std::all_of(e->args.begin(), e->args.end(), is_any)) expr::fail("call.mask", "NumPy's sums and products of truth values are truth values", e->span, "write (i >= j) * 1 for a mask of zeros and ones, A & B and A | B for `and` and `or`");
}

/// Whether token numbers of that name take something out: Python takes no others than whole ones.
bool Elaborator::chooses(const std::string& name) const {
  bool found = false;
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    if (!e || found) return;
    const auto names_it = [&](const Expression& numbers) {
      return numbers && (expr::mentions(numbers, name) || std::any_of(claim_.definitions.begin(), claim_.definitions.end(), [&](const auto& d) { return expr::mentions(numbers, d.name) && expr::mentions(d.value, name); }));
    };
    found = found || std::any_of(e->subscripts.begin(), e->subscripts.end(), [&](const auto& s) { return !s.slice && names_it(s.start); });
    const std::size_t place = expr::is_call(e, "take") ? 1 : 0;
    const bool takes = place == 1 || expr::is_call(e, "onehot") || expr::is_call(e, "one_hot") || expr::is_call(e, "embedding");
    found = found || (takes && place < e->args.size() && names_it(e->args[place]));
    for (const Expression& a : e->args) look(a);
  };
  look(claim_.lhs);
  look(claim_.rhs);
  for (const auto& d : claim_.definitions) look(d.value);
  return found;
}

bool Elaborator::is_assumed_whole(const std::string& name) const {
  static const std::set<std::string> predicates = {"integer", "mask01", "onehot", "permutation"};
  return std::any_of(claim_.assumptions.begin(), claim_.assumptions.end(), [&](const auto& a) {
    return !a.relation && a.lhs->kind == SyntaxKind::call && predicates.count(a.lhs->name) > 0 && !a.lhs->args.empty() && a.lhs->args[0]->kind == SyntaxKind::name && a.lhs->args[0]->name == name;
  });
}

bool Elaborator::may_be_whole(const Expression& e, bool made) const {
  static const std::set<std::string> makes = {"zeros", "ones", "eye", "onehot"}, triangles = {"tril", "triu", "causal"};
  static const std::set<std::string> keep = {"abs", "relu", "maximum", "minimum", "clip", "square"};  // of the functions of entries
  static const std::set<std::string> reals = {"mean", "rowmean", "colmean", "softmax", "softmax_cols", "log_softmax", "lse", "neginf", "rms", "rmsnorm", "layernorm", "l2norm", "batchnorm", "inv"};
  const auto all = [&](std::size_t first) { return e->args.size() > first && std::all_of(e->args.begin() + static_cast<std::ptrdiff_t>(first), e->args.end(), [&](const Expression& a) { return may_be_whole(a, made); }); };
  switch (e->kind) {
    case SyntaxKind::number: return e->value.is_integer();
    case SyntaxKind::name: {
      const Expression value = defined_as(e);
      if (value) return remembered(made ? made_whole_ : may_be_whole_, e->name, [&] { return may_be_whole(value, made); });
      return by_name_.count(e->name) == 0 || (made ? is_assumed_whole(e->name) : chooses(e->name));
    }
    case SyntaxKind::divide: return false;
    case SyntaxKind::multiply:
      if (e->name == read::made_real) return false;
      return e->name == expr::filled_whole ? may_be_whole(e->args[0], made) : all(0);
    case SyntaxKind::add: return expr::is_broadcast(*e) ? may_be_whole(e->args[0], made) : all(0);
    case SyntaxKind::index: return is_shape_entry(e) || may_be_whole(e->args[0], made);
    case SyntaxKind::comprehension: return may_be_whole(e->args[0], made);
    case SyntaxKind::call:
      if (is_truth(e) || makes_places(*e)) return true;
      if (e->name == "any_entries") return may_be_whole(e->args[1], made);  // of np.empty(...), whose kind of numbers is that of the second
      if (makes.count(e->name) > 0 || (triangles.count(e->name) > 0 && !e->args.empty() && is_size(e->args[0]))) return made;
      if (triangles.count(e->name) > 0) return may_be_whole(e->args[0], made);
      if (reals.count(e->name) > 0 || (expr::is_entrywise_function(e->name) && keep.count(e->name) == 0)) return false;
      return all(e->name == "where" ? 1 : 0);
    default: return all(0);
  }
}

void Elaborator::require_like(const Expression& e) const {
  if (e->args[0]->kind != SyntaxKind::multiply) return;  // a repair has changed the sum
  const Expression& like = e->args[0]->args[1];
  if (is_truth(like) || ((may_be_whole(like, true) || may_be_whole(like, false)) && !may_be_whole(e->args[1], false))) expr::fail("call.arguments", "full_like makes numbers of the same kind as those of the array, which may be whole", e->span, "write np.full(x.shape, c)");
}

/// The M of M == 0, and whether it is asked to be 1.
std::optional<std::pair<Expression, bool>> Elaborator::asks_mask(const Expression& e) const {
  const auto value = mask_value(*e);
  return value && is_mask(e->args[0]) ? std::optional(std::pair(e->args[0], *value)) : std::nullopt;
}

/// Whether e is made of positions, sizes and integers, of which each is counted; `places` is set where there are positions.
bool Elaborator::counts(const Expression& e, bool& places) const {
  static const std::set<std::string> keeps = {"reshape", "unsqueeze", "abs"};
  switch (e->kind) {
    case SyntaxKind::number: return e->value.is_integer();
    case SyntaxKind::name: {
      const Expression value = defined_as(e);
      return value ? counts(value, places) : is_size(e);
    }
    case SyntaxKind::negate:
    case SyntaxKind::add:
    case SyntaxKind::subtract:
    case SyntaxKind::multiply:
    case SyntaxKind::floor_divide:
    case SyntaxKind::modulo: return std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return counts(a, places); });
    case SyntaxKind::transpose: return counts(e->args[0], places);
    case SyntaxKind::index: return is_shape_entry(e) || counts(e->args[0], places);
    case SyntaxKind::call:
      if (makes_places(*e)) return places = true;
      return (keeps.count(e->name) > 0 && !e->args.empty() && counts(e->args[0], places)) || is_size(e);
    default: return is_size(e);
  }
}

bool Elaborator::compares_places(const Expression& e) const {
  bool places = false;
  return counts(e->args[0], places) && counts(e->args[1], places) && places;
}

namespace {

std::optional<Dim> place_of(const Sizes& sizes, const Term& t);

/// The same of a function of positions, as if each of its axes had more than one place.
std::optional<Dim> place_along(const Sizes& sizes, const Term& t) {
  const auto is = [&](int op) { return t->kind == TermKind::apply && t->op == op; };
  if (t->kind == TermKind::stack) {  // i // 2, as divided_place() makes it
    const bool rows = t->shape.size() == 2;
    const Term& inner = rows ? t->args[0] : t;
    if (inner->kind != TermKind::stack || inner->args[0]->kind != TermKind::size) return std::nullopt;
    return expr::substitute(sizes.resolve(inner->args[0]->size), {{inner->name, column}, {t->name, rows ? row : column}});
  }
  if (is(expr::operator_id<expr::ops::Arange>()) || is(expr::operator_id<expr::ops::Positions>())) return column;
  if (is(expr::operator_id<expr::ops::Offsets>())) return column - row;
  std::vector<Dim> parts;
  for (const Term& a : t->args) {
    const auto part = place_of(sizes, a);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  if (is(expr::operator_id<expr::ops::Add>())) return parts[0] + parts[1];
  if (is(expr::operator_id<expr::ops::Subtract>())) return parts[0] - parts[1];
  if (is(expr::operator_id<expr::ops::Multiply>())) return parts[0] * parts[1];
  if (is(expr::operator_id<expr::ops::Negate>())) return -parts[0];
  if (is(expr::operator_id<expr::ops::Transpose>())) return t->shape.size() < 2 ? parts[0] : placed(parts[0], column, row);
  const Shape from = t->args.empty() ? Shape{} : sizes.resolve(t->args[0]->shape), to = sizes.resolve(t->shape);
  const auto has = [](const Shape& shape, std::size_t from_end) { return shape.size() >= from_end && !shape[shape.size() - from_end].is_one(); };
  if (is(expr::operator_id<expr::ops::Reshape>())) {  // an axis that gets another place: (n) is (n, 1) or (1, n)
    if (from == to) return parts[0];
    if ((has(from, 1) && has(from, 2)) || (has(to, 1) && has(to, 2))) return std::nullopt;
    const Dim along = has(to, 2) ? row : has(to, 1) ? column : Dim(0);
    return placed(parts[0], along, along);
  }
  if (!is(expr::operator_id<expr::ops::Subscripts>()) || from.size() > 2) return std::nullopt;
  std::vector<Dim> along;
  std::size_t left = to.size();
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    along.push_back(t->call.sizes[3 * axis + 1]);
    if (t->call.sizes[3 * axis].is_zero()) along.back() = along.back() + (left-- == 1 ? column : row);
  }
  return along.empty() ? parts[0] : placed(parts[0], along.front(), along.back());
}

/// The place that an entry of a term names which counts() accepts; nothing where it has more axes than two. An axis of size 1 counts
/// nothing, however far it is stretched.
std::optional<Dim> place_of(const Sizes& sizes, const Term& t) {
  if (t->kind == TermKind::number) return Dim(t->value.num());
  if (t->kind == TermKind::size) return sizes.resolve(t->size);
  if ((t->kind != TermKind::apply && t->kind != TermKind::stack) || t->shape.size() > 2) return std::nullopt;
  const auto found = place_along(sizes, t);
  const Shape shape = sizes.resolve(t->shape);
  const bool one_row = shape.size() < 2 || shape[0].is_one(), one_column = shape.empty() || shape.back().is_one();
  return found ? std::optional(placed(*found, one_row ? Dim(0) : row, one_column ? Dim(0) : column)) : std::nullopt;
}

}  // namespace

Term Elaborator::at_each_place(const Expression& e, const Shape& shape, const std::function<Term(const Dim& row, const Dim& column)>& entry) {
  std::vector<std::string> indices;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) indices.push_back(new_index(axis + 1 == shape.size() ? "j" : "i", shape[axis]));
  Term made = entry(shape.size() < 2 ? Dim(0) : expr::dim(indices[0]), shape.empty() ? Dim(0) : expr::dim(indices.back()));
  for (std::size_t axis = shape.size(); axis-- > 0;) made = stack_of(indices[axis], shape[axis], made, e->span);
  return made;
}

/// i // k and i % k of positions, which are whole numbers and no sizes
Term Elaborator::divided_place(const Expression& e) {
  bool places = false;
  if (!counts(e, places) || !places) return size_term(size(e), e->span);
  const Term left = term(e->args[0]), right = term(e->args[1]);
  const Shape shape = sizes_.resolve(apply(expr::operator_id<expr::ops::Subtract>(), e, {left, right}, {})->shape);
  const auto from = place_of(sizes_, left), by = place_of(sizes_, right);
  if (!from || !by || varies(*by) || shape.size() > 2) expr::fail("call.mask", "positions are divided by sizes only", e->span, "write i // k with i = arange(n)[:, None]");
  const Dim divided = e->kind == SyntaxKind::modulo ? expr::modulo(*from, *by) : expr::floor_divide(*from, *by);
  return at_each_place(e, shape, [&](const Dim& i, const Dim& j) { return size_term(placed(divided, i, j), e->span); });
}

/// 1 where the index of a comprehension is what it is compared with, and 0 elsewhere: H[i] * (i == 0).
Term Elaborator::compared_indices(const Expression& e) {
  const Dim apart = resolve(size(e->args[0])) - resolve(size(e->args[1]));
  const auto at_least_zero = [&](const Dim& d) { return apply(expr::operator_id<expr::ops::AtLeast>(), e, {}, {d, Dim(0)}); };
  if (e->name == ">=") return at_least_zero(apart);
  if (e->name == ">") return at_least_zero(apart - Dim(1));
  if (e->name == "<=") return at_least_zero(-apart);
  if (e->name == "<") return at_least_zero(-apart - Dim(1));
  const Term same = apply(expr::operator_id<expr::ops::SamePlace>(), e, {}, {apart, Dim(0)});
  return e->name == "==" ? same : apply(expr::operator_id<expr::ops::Subtract>(), e, {number(1, e->span), same}, {});
}

/// Triangles of ones where a row or a column, or their difference, is compared with a size: j <= i + k is tril(ones(n, m), k), and i >= k is
/// tril(ones(n, 1), -k).
Term Elaborator::compared(const Expression& e) {
  if (mentions_index(e) && is_size(e->args[0]) && is_size(e->args[1])) return compared_indices(e);
  if (compares_numbers(e)) return compared_numbers(e);
  const auto one_minus = [&](const Term& t) { return apply(expr::operator_id<expr::ops::Subtract>(), e, {number(1, e->span), t}, {}); };
  if (const auto asked = asks_mask(e)) return asked->second ? term(asked->first) : one_minus(term(asked->first));
  Term left = term(e->args[0]), right = term(e->args[1]);
  std::string relation = e->name;
  const auto is_distance = [](const Term& t) { return t->kind == TermKind::apply && t->op == expr::operator_id<expr::ops::Abs>(); };
  if (is_distance(right)) {
    std::swap(left, right);
    if (relation[0] == '<' || relation[0] == '>') relation[0] = relation[0] == '<' ? '>' : '<';
  }
  const bool distance = is_distance(left);
  const Shape shape = sizes_.resolve(apply(expr::operator_id<expr::ops::Subtract>(), e, {left, right}, {})->shape);
  const auto from = place_of(sizes_, distance ? left->args[0] : left), to = place_of(sizes_, right);
  if (!from || !to || shape.empty() || shape.size() > 2) expr::fail("call.mask", "a condition on positions compares rows and columns, their sums, multiples and quotients", e->span, "write i >= j or abs(i - j) <= 4, with i = arange(n)[:, None] and j = arange(n)[None, :]");
  const auto ones = [&](const Dim& rows, const Dim& columns) { return apply(expr::operator_id<expr::ops::Ones>(), e, {}, {rows, columns}); };
  const auto product = [&](const Term& a, const Term& b) { return apply(expr::operator_id<expr::ops::Multiply>(), e, {a, b}, {}); };
  const Dim rows = shape.size() == 2 ? shape[0] : Dim(1), columns = shape.back();
  const auto at_each = [&](int op, const Dim& p) {
    return at_each_place(e, {rows, columns}, [&](const Dim& i, const Dim& j) { return apply(op, e, {}, {placed(p, i, j), Dim(0)}); });
  };
  /// Ones where p is at least 0.
  const auto at_least_zero = [&](const Dim& p) {
    const auto line = triangle_of(p);
    if (!line) return at_each(expr::operator_id<expr::ops::AtLeast>(), p);
    const bool by_rows = line->row != 0, by_columns = line->column != 0, lower = line->row == 1 || line->column == -1;
    const Term all = ones(by_rows ? rows : Dim(1), by_columns ? columns : Dim(1));
    const Term triangle = apply(lower ? expr::operator_id<expr::ops::Tril>() : expr::operator_id<expr::ops::Triu>(), e, {all}, {lower ? line->offset : -line->offset});
    return by_rows && by_columns ? triangle : product(triangle, ones(rows, columns));
  };
  const auto is_zero = [&](const Dim& p) { return at_each(expr::operator_id<expr::ops::SamePlace>(), p); };
  const bool equality = relation == "==" || relation == "!=", strict = relation.size() == 1, outside = relation[0] == '>' || relation == "!=";
  const Dim apart(strict ? 1 : 0);
  Term mask;
  if (distance && equality) {  // |p| is k where k is not negative and p is k or -k
    mask = product(at_least_zero(*to), one_minus(product(one_minus(is_zero(*from - *to)), one_minus(is_zero(*from + *to)))));
  } else if (distance) {  // |p| <= k is p <= k and -p <= k, and the opposite of |p| > k
    const Dim most = outside == strict ? *to : *to - Dim(1);
    mask = product(at_least_zero(most - *from), at_least_zero(most + *from));
  } else if (equality) {
    mask = is_zero(*from - *to);
  } else {
    mask = outside ? at_least_zero(*from - *to - apart) : at_least_zero(*to - *from - apart);
  }
  if (outside && (distance || equality)) mask = one_minus(mask);
  return shape.size() == 1 ? reshaped(e, mask, shape) : mask;
}

bool Elaborator::holds_numbers(const Expression& e) const {
  static const std::set<std::string> makes = {"eye", "ones", "zeros", "onehot", "array"};
  if (e->kind == SyntaxKind::name) {
    const Expression value = index_scope_.count(e->name) == 0 ? defined_as(e) : nullptr;
    return value && remembered(holds_numbers_, e->name, [&] { return holds_numbers(value); });
  }
  if (e->kind == SyntaxKind::subtract) return true;  // 1 - M
  if (const Expression whole = cut_or_moved(e)) return holds_numbers(whole);
  return e->kind == SyntaxKind::call && makes.count(e->name) > 0;
}

/// Whether every entry of e is known to be 0 or 1.
bool Elaborator::is_mask(const Expression& e) const {
  static const std::set<std::string> predicates = {"mask01", "onehot", "permutation"}, triangles = {"tril", "triu"}, made = {"eye", "ones", "zeros", "onehot"};
  if (expr::is_number(e, 0) || expr::is_number(e, 1)) return true;
  if (e->kind == SyntaxKind::subtract) return expr::is_number(e->args[0], 1) && is_mask(e->args[1]);
  if (e->kind == SyntaxKind::call && e->name == "where") return e->args.size() == 3 && is_mask(e->args[1]) && is_mask(e->args[2]);
  if (expr::is_comparison(*e)) return true;
  if (expr::is_condition(*e)) return std::all_of(e->args.begin(), e->args.end(), [this](const Expression& a) { return is_mask(a); });
  if (e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::index || moves_entries(*e)) {
    return is_mask(e->args[0]) && (e->kind != SyntaxKind::multiply || is_mask(e->args[1]));
  }
  if (expr::is_broadcast(*e)) return is_mask(e->args[0]);
  if (e->kind == SyntaxKind::call && triangles.count(e->name) > 0) return !e->args.empty() && (is_size(e->args[0]) || is_mask(e->args[0]));
  if (expr::is_call(e, "array") && e->args.size() == 1) return is_list_of_zeros_and_ones(e->args[0]);
  if (e->kind == SyntaxKind::call) return made.count(e->name) > 0;
  if (e->kind != SyntaxKind::name || index_scope_.count(e->name) > 0) return false;
  if (const Expression value = defined_as(e)) return remembered(is_mask_, e->name, [&] { return is_mask(value); });
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

/// Functions that have a value of every positive number.
bool takes_positive(const Expression& e) { return expr::is_call(e, "log") || expr::is_call(e, "sqrt") || expr::is_call(e, "rsqrt"); }

/// Whether e may lack a value where its operands have one, which NumPy's where drops where it takes the other branch.
bool may_lack_value(const Expression& e) {
  static const std::set<std::string_view> partial = {"log", "sqrt", "rsqrt", "inv", "layernorm", "rmsnorm", "batchnorm", "l2norm", "rms", "dora"}, in_rows = {"softmax", "softmax_cols", "log_softmax", "lse"};
  const auto number = [&] { return e->args[1]->kind == SyntaxKind::number; };
  if (e->kind == SyntaxKind::divide) return !number() || e->args[1]->value.is_zero();
  if (e->kind == SyntaxKind::power) return !number() || !e->args[1]->value.is_integer() || e->args[1]->value.sign() < 0;
  const int op = e->kind == SyntaxKind::call ? expr::find_operator(e->name) : -1;
  if (op < 0) return false;
  const std::string_view name = expr::operator_info(op).name;
  return partial.count(name) > 0 || (in_rows.count(name) > 0 && writes_infinity(e));  // of a row that is minus infinity
}

bool may_lack_value_within(const Expression& e) { return may_lack_value(e) || std::any_of(e->args.begin(), e->args.end(), may_lack_value_within); }

/// Whether e surely has a value where x is c, if it has one elsewhere.
bool has_value_at(const Expression& e, const Expression& x, const Rational& c) {
  if (!mentions_entry(e, x)) return !may_lack_value_within(e);
  if (value_at(e, x, c)) return true;
  return !may_lack_value(e) && std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return has_value_at(a, x, c); });
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
/// Whether e, with its definitions, may lack a value where its variables have one. Sizes divide by nothing that is 0.
bool Elaborator::may_lack_value(const Expression& e) const {
  const auto is_size = [&](const Expression& a) {
    const std::function<bool(const Expression&)> only = [&](const Expression& part) { return (part->kind != SyntaxKind::name || names_.sizes.count(part->name) > 0) && std::all_of(part->args.begin(), part->args.end(), only); };
    return only(a) && !expr::is_number(a, 0);
  };
  if (is_size(e)) return false;
  if (e->kind == SyntaxKind::divide && is_size(e->args[1])) return may_lack_value(e->args[0]);
  if (const Expression value = defined_as(e)) return remembered(may_lack_value_, e->name, [&] { return names_infinity(value) || may_lack_value(value); });
  const bool positive = (takes_positive(e) && e->args.size() == 1 && is_surely_positive(e->args[0])) || (e->kind == SyntaxKind::divide && is_surely_positive(e->args[1]));
  return (!positive && infer::may_lack_value(e)) || std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return may_lack_value(a); });
}

std::optional<Term> Elaborator::chosen_by_sign(const Expression& condition, const Expression& above, const Expression& below) {
  const Expression& x = condition->args[0];
  const bool undefined = std::any_of(claim_.definitions.begin(), claim_.definitions.end(), [&](const auto& d) {
    return (expr::mentions(above, d.name) || expr::mentions(below, d.name)) && may_lack_value(expr::node(SyntaxKind::name, {}, d.name));
  });
  const auto bound = constant(condition->args[1]);
  const bool greater = condition->name[0] == '>';
  if (undefined || may_lack_value(x) || !bound || (!greater && condition->name[0] != '<')) return std::nullopt;
  const auto at_bound = value_at(above, x, *bound), other = value_at(below, x, *bound);
  if (!at_bound || !other || *at_bound != *other) return std::nullopt;
  const auto with = [&](const Expression& e, const char* function) { return with_entry(e, x, expr::node(SyntaxKind::call, {x, condition->args[1]}, function, x->span)); };
  const Expression sum = expr::node(SyntaxKind::add, {with(above, greater ? "maximum" : "minimum"), with(below, greater ? "minimum" : "maximum")}, {}, condition->span);
  if (at_bound->is_zero()) return term(sum);
  return apply(expr::operator_id<expr::ops::Subtract>(), condition, {term(sum), number(*at_bound, condition->span)}, {});
}

/// Minus infinity in all places, as -inf * ones(n, 1) and full_like(x, -inf) write it; null for others.
Expression Elaborator::all_infinite(const Expression& e) {
  if (e->kind == SyntaxKind::add) return e->name == expr::filled_like && is_minus_infinity(e->args[1]) ? expr::call("neginf", {e->args[0]}) : nullptr;
  for (const std::size_t k : {0, 1}) {
    const Expression& ones = e->args[1 - k];
    if (!is_minus_infinity(e->args[k]) || !is_all_ones(ones)) continue;
    return expr::call("neginf", {expr::is_call(ones, "ones") ? expr::call("zeros", ones->args) : ones->args[0]});
  }
  return nullptr;
}

/// Whether e has a value, of which all logarithms, roots and divisors that may lack one are of positive numbers.
bool Elaborator::has_value_of_numbers(const Expression& e) const {
  if (e->args.empty()) return !may_lack_value(e);
  const bool positive = e->args[0]->kind == SyntaxKind::number && e->args[0]->value.sign() > 0;
  const bool known = positive && (takes_positive(e) || (e->kind == SyntaxKind::power && e->args[1]->kind == SyntaxKind::number));
  return known || (!infer::may_lack_value(e) && std::all_of(e->args.begin(), e->args.end(), [this](const Expression& a) { return has_value_of_numbers(a); }));
}

/// log(x) of where(x > 0, log(x), 0) as log(where(x > 0, x, 1)), which has the same value where it is chosen, and one elsewhere, too. `holds`:
/// the value is chosen where the condition holds. Null where that does not give it a value.
Expression Elaborator::with_value_elsewhere(const Expression& condition, const Expression& value, bool holds) const {
  if (!expr::is_comparison(*condition) || condition->args[1]->kind != SyntaxKind::number) return nullptr;
  const Expression &x = condition->args[0], &bound = condition->args[1];
  const int sign = bound->value.sign();
  const std::string& relation = condition->name;
  const bool nonzero = sign == 0 && relation == (holds ? "!=" : "=="), above = (sign >= 0 && relation == (holds ? ">" : "<=")) || (sign > 0 && relation == (holds ? ">=" : "<"));
  if ((!nonzero && !above) || x->kind == SyntaxKind::number || may_lack_value(x)) return nullptr;
  const Expression other = expr::number(bound->value + Rational(1), x->span);
  if (!has_value_of_numbers(with_entry(value, x, other))) return nullptr;
  return with_entry(value, x, expr::node(SyntaxKind::call, {condition, holds ? x : other, holds ? other : x}, "where", x->span));
}

/// where(M, A, B) is M * A + (1 - M) * B for a 0/1 mask M, and A + neginf(M) where B is minus infinity.
Term Elaborator::where(const Expression& e) {
  if (e->args.size() != 3 || !e->keywords.empty()) expr::fail("call.arguments", "where takes a mask and two values", e->span, "write where(M, A, B)");
  const Expression& mask = e->args[0];
  Expression kept = e->args[1], other = e->args[2];
  if (compares_numbers(mask)) {
    if (const auto chosen = chosen_by_sign(mask, kept, other)) return *chosen;
  }
  if (depends_on_numbers(mask)) {
    const auto lacks = [&](const Expression& value) { return !is_minus_infinity(value) && may_lack_value(value); };
    const Expression guarded_kept = lacks(kept) ? with_value_elsewhere(mask, kept, true) : kept, guarded_other = lacks(other) ? with_value_elsewhere(mask, other, false) : other;
    if (guarded_kept && guarded_other) kept = guarded_kept, other = guarded_other;
    else expr::fail("call.mask", "NumPy's where leaves out what has no value in the other branch", mask->span, "let it have one there, too: np.log(np.where(x > 0, x, 1))");
  }
  require_mask(mask);
  const auto join = [&](SyntaxKind kind, const Expression& a, const Expression& b) { return expr::node(kind, {a, b}, {}, e->span); };
  const auto complement = join(SyntaxKind::subtract, read::parse_expression("1"), mask);
  const auto masked = [&](const Expression& value, const Expression& where) { return term(join(SyntaxKind::add, value, expr::node(SyntaxKind::call, {where}, "neginf", e->span))); };
  const bool kept_infinite = may_be_infinite(kept), other_infinite = may_be_infinite(other);
  if (is_minus_infinity(other) && !kept_infinite) return masked(kept, mask);
  if (is_minus_infinity(kept) && !other_infinite) return masked(other, complement);
  if (kept_infinite || other_infinite) expr::fail("call.mask", "`where` chooses between finite values, or between one and minus infinity", e->span, "add masks to scores: S + neginf(M)");
  return term(join(SyntaxKind::add, join(SyntaxKind::multiply, mask, kept), join(SyntaxKind::multiply, complement, other)));
}

/// Each entry of V as often as the step says, for the array t of which every so many places along the axis get V; a number stays one.
Expression Elaborator::spread_out(const Expression& value, const Expression& step, std::size_t axis, const Term& t, const Term& given) {
  if (given->shape.empty()) return value;
  const Dim count(step->value.num()), extent = resolve(t->shape[axis]), parts = resolve(given->shape[axis]);
  if ((parts.is_one() && extent != count) || !unify(extent, parts * count)) expr::fail("call.arguments", "one of " + expr::text(step) + " places along an axis of " + describe(t->shape) + " gets a value of " + describe(given->shape), value->span, "the axis must be a multiple of the step, as in np.zeros((n, 2*e)), and have one value for each such place");
  return std::make_shared<const Syntax>(Syntax{SyntaxKind::call, "repeat_interleave", {}, {value, step}, {{"axis", read::parse_expression(std::to_string(axis))}}, {}, value->span});
}

/// Whether e surely is an array of truth values, which chooses places of another one; where is_truth only says that it may be one.
bool Elaborator::is_surely_truth(const Expression& e) const {
  static const std::set<std::string> joins = {"~", "&", "|"}, moves = {"tril", "triu", "swapaxes", "reshape"};
  if (e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::index) return is_surely_truth(e->args[0]);
  if (e->kind == SyntaxKind::call && moves.count(e->name) > 0) return !e->args.empty() && is_surely_truth(e->args[0]);
  if (e->kind == SyntaxKind::call && joins.count(e->name) > 0) return std::all_of(e->args.begin(), e->args.end(), [this](const Expression& a) { return is_surely_truth(a); });
  if (e->kind == SyntaxKind::call) return expr::is_condition(*e);
  const Expression value = e->kind == SyntaxKind::name && index_scope_.count(e->name) == 0 ? defined_as(e) : nullptr;
  return value && is_surely_truth(value);
}

/// What gets values in place keeps its kind of numbers.
void Elaborator::require_kept(const Expression& array, const Expression& value, Span span) const {
  if (is_truth(array) || (may_be_whole(array, false) && !may_be_whole(value, true))) expr::fail("call.arguments", "an array of whole numbers or truth values keeps these", span, "begin with np.zeros(...) of real numbers");
}

/// S[mask] = c of truth values in the shape of S; nothing for other places. A list or a mask of numbers would choose rows.
std::optional<Term> Elaborator::assigned_by_mask(const Expression& e, const Term& t) {
  const Expression &array = e->args[0], &places = e->args[1], &value = e->args[2];
  const bool single = places->subscripts.size() == 1 && !places->subscripts[0].slice && places->subscripts[0].start;
  if (!single || !is_surely_truth(places->subscripts[0].start)) return std::nullopt;
  const Expression& mask = places->subscripts[0].start;
  const auto refuse = [&](const std::string& message, const std::string& hint) { expr::fail("call.arguments", message, e->span, hint); };
  const Term chosen = term(mask);
  if (!unify(t->shape, chosen->shape)) refuse("the mask is " + describe(chosen->shape) + ", and what it chooses from " + describe(t->shape), "write np.where(M, c, S), where shapes are broadcast");
  if (!is_minus_infinity(e->args.back()) && !term(e->args.back())->shape.empty()) refuse("what a mask chooses gets one number here", "write np.where(M, A, S)");
  require_kept(array, value, e->span);
  return term(expr::node(SyntaxKind::call, {mask, value, array}, "where", e->span));
}

/// x[2*0 + 1] as x[1], as the steps of a loop write it, and x[(0 + 1) % n] where n is 4; x[..., k] as x[:, k] of a matrix.
Expression Elaborator::with_plain_places(const Expression& places, std::size_t axes) {
  const auto with_sizes = [&](const Expression& part) -> Expression {
    const auto size = part->kind == SyntaxKind::name && is_size(part) ? resolve(this->size(part)).constant() : std::nullopt;
    return size ? expr::number(Rational(*size), part->span) : nullptr;
  };
  const auto number = [&](const Expression& place) -> Expression {
    const auto value = place && place->kind != SyntaxKind::number && place->kind != SyntaxKind::negate ? constant(expr::changed(place, with_sizes)) : std::nullopt;
    if (!value || !value->is_integer()) return place;
    const Expression size = expr::number(value->sign() < 0 ? -*value : *value, place->span);
    return value->sign() < 0 ? expr::node(SyntaxKind::negate, {size}, {}, place->span) : size;
  };
  auto result = std::make_shared<Syntax>(*places);
  for (expr::Subscript& s : result->subscripts) {
    s.start = number(s.start);
    s.stop = number(s.stop);
  }
  const auto others = std::find_if(result->subscripts.begin(), result->subscripts.end(), expr::is_ellipsis);
  if (others == result->subscripts.end() || result->subscripts.size() > axes + 1 || std::any_of(result->subscripts.begin(), result->subscripts.end(), expr::is_new_axis)) return result;
  const auto at = others - result->subscripts.begin();
  result->subscripts.erase(others);
  result->subscripts.insert(result->subscripts.begin() + at, axes - result->subscripts.size(), expr::Subscript{true, nullptr, nullptr, nullptr});
  return result;
}

Term Elaborator::assigned(const Expression& written) {
  const Term t = term(written->args[0]);
  std::vector<Expression> operands(written->args);
  operands[1] = with_plain_places(operands[1], t->shape.size());
  const Expression e = expr::node(SyntaxKind::call, std::move(operands), written->name, written->span);
  const Expression &array = e->args[0], &value = e->args[2], &places = e->args[1];
  const auto refuse = [&](const std::string& message, const std::string& hint) { expr::fail("call.arguments", message, e->span, hint); };
  if (const auto joined = assigned_part(e, t)) return *joined;
  if (const auto joined = assigned_within(e, t)) return *joined;
  if (t->shape.empty() || t->shape.size() > 2 || places->subscripts.size() > t->shape.size()) refuse("places are read of vectors and matrices, and this is " + describe(t->shape), "write np.stack([...]) of the parts");
  if (const auto chosen = assigned_by_mask(e, t)) return *chosen;
  const Term given = term(e->args.back());  // of x[places] += value the value, which `value` has in it
  const auto part_of_every = [&](const expr::Subscript& s) { return s.slice && s.step && s.step->kind == SyntaxKind::number && !s.stop && (!s.start || (s.start->kind == SyntaxKind::number && s.start->value < s.step->value)); };
  const bool strided = std::any_of(places->subscripts.begin(), places->subscripts.end(), part_of_every);
  if (!given->shape.empty() && (!strided || e->args.size() > 3 || given->shape.size() != t->shape.size())) refuse("places of an array get one number here, and this is " + describe(given->shape), "put the parts together: np.block([[A, B], [C, D]])");
  Expression everywhere = value;  // what each place gets, were it chosen
  require_kept(array, value, e->span);
  const auto forwards = [](const Expression& place, auto& self) -> bool {  // counted from the beginning, whatever the sizes are
    const bool sum = place->kind == SyntaxKind::add || place->kind == SyntaxKind::multiply;
    return place->kind == SyntaxKind::name || (place->kind == SyntaxKind::number && place->value.is_integer()) || (sum && self(place->args[0], self) && self(place->args[1], self));
  };
  const auto from_the_end = [](const Expression& place) { return place->kind == SyntaxKind::negate && place->args[0]->kind == SyntaxKind::number && place->args[0]->value.is_integer(); };  // -t of a list of places are several
  const auto relation = [&](const char* name, const Expression& a, const Expression& b) { return expr::node(SyntaxKind::call, {a, b}, name, e->span); };
  Expression chosen;
  for (std::size_t axis = 0; axis < places->subscripts.size(); ++axis) {
    const expr::Subscript& s = places->subscripts[axis];
    const bool known = (!s.step || part_of_every(s)) && !expr::is_new_axis(s) && !expr::is_ellipsis(s) && (!s.start || (!s.slice && from_the_end(s.start)) || (is_size(s.start) && forwards(s.start, forwards))) && (!s.stop || (is_size(s.stop) && forwards(s.stop, forwards)));
    if (!known) refuse("which places get the number is not read here", "write M[:2, :2] = 1, or np.where((i < 2) & (j < 2), 1, M) with i = np.arange(n)[:, None]; j = np.arange(n)[None, :]");
    if (!given->shape.empty() && !s.step && (s.start || s.stop)) refuse("places of an array get one number here, and this is " + describe(given->shape), "put the parts together: np.block([[A, B], [C, D]])");
    auto at = std::make_shared<Syntax>(*expr::node(SyntaxKind::index, {expr::node(SyntaxKind::call, {read::parse_expression(expr::text(resolve(t->shape[axis])))}, "arange", e->span)}, {}, e->span));
    const expr::Subscript whole{true, nullptr, nullptr, nullptr}, none{false, expr::node(SyntaxKind::name, {}, "None", e->span), nullptr, nullptr};
    if (t->shape.size() == 1) at->subscripts = {whole};
    else at->subscripts = axis == 0 ? std::vector<expr::Subscript>{whole, none} : std::vector<expr::Subscript>{none, whole};
    const auto demand = [&](const Expression& condition) { chosen = chosen ? expr::node(SyntaxKind::call, {chosen, condition}, "&", e->span) : condition; };
    if (s.step) {  // X[:, 1::2] = V: where j % 2 == 1, V[:, j // 2]
      everywhere = spread_out(everywhere, s.step, axis, t, given);
      demand(relation("==", expr::node(SyntaxKind::modulo, {at, s.step}, {}, e->span), s.start ? s.start : read::parse_expression("0")));
      continue;
    }
    if (!s.slice) {
      const Dim extent = resolve(t->shape[axis]);
      const bool back = s.start->kind == SyntaxKind::negate;
      const Expression& number = back ? s.start->args[0] : s.start;
      const Dim place = number->kind == SyntaxKind::number && number->value.is_integer() ? Dim(number->value.num()) : extent, least = back ? place : place + Dim(1);  // so many entries the axis must have
      if ((back && place.is_zero()) || !always_negative(least - extent - Dim(1))) refuse("whether the array has this place depends on its sizes", "write M[:2, :2] = 1 of places that are there, or np.where(i == k, 1, M) with i = np.arange(n)[:, None]");
      demand(relation("==", at, back ? read::parse_expression(expr::text(extent - place)) : s.start));
      continue;
    }
    if (s.start) demand(relation(">=", at, s.start));
    if (s.stop) demand(relation("<", at, s.stop));
  }
  if (!chosen && e->args.size() > 3) return term(value);  // y[:] *= 3
  if (!chosen) {  // M[:] = 1
    std::vector<Expression> sizes;
    for (const Dim& size : t->shape) sizes.push_back(read::parse_expression(expr::text(resolve(size))));
    return term(expr::node(SyntaxKind::multiply, {value, expr::node(SyntaxKind::call, {expr::node(SyntaxKind::list, std::move(sizes), {}, e->span)}, "ones", e->span)}, {}, e->span));
  }
  for (std::size_t axis = 0; axis < given->shape.size(); ++axis) {  // what is assigned is repeated, the array is not
    const bool strided_here = axis < places->subscripts.size() && places->subscripts[axis].step, repeated = resolve(given->shape[axis]).is_one();
    if (!strided_here && !repeated && !unify(t->shape[axis], given->shape[axis])) refuse("places of " + describe(t->shape) + " get what is " + describe(given->shape), "give them as many values as there are places");
  }
  return term(expr::node(SyntaxKind::call, {chosen, everywhere, array}, "where", e->span));
}

/// x[i, a:b] = v as x[i] = y, where y is x[i] after [a:b] = v; and so of more places. Nothing for numbers and for other places.
std::optional<Term> Elaborator::assigned_within(const Expression& e, const Term& t) {
  const Expression& array = e->args[0];
  const auto& subscripts = e->args[1]->subscripts;
  const auto is_all = [](const expr::Subscript& s) { return s.slice && !s.start && !s.stop && !s.step; };
  const auto first = std::find_if_not(subscripts.begin(), subscripts.end(), is_all);
  if (first == subscripts.end() || std::find_if_not(first + 1, subscripts.end(), is_all) == subscripts.end() || subscripts.size() > t->shape.size()) return std::nullopt;
  if (std::any_of(first, subscripts.end(), [](const expr::Subscript& s) { return s.step || expr::is_new_axis(s) || expr::is_ellipsis(s); }) || (t->shape.size() <= 2 && term(e->args.back())->shape.empty())) return std::nullopt;
  const auto at = [&](const Expression& of, std::vector<expr::Subscript> places) {
    auto placed = std::make_shared<Syntax>(*expr::node(SyntaxKind::index, {of}, {}, e->span));
    placed->subscripts = std::move(places);
    return Expression(placed);
  };
  const expr::Subscript whole{true, nullptr, nullptr, nullptr};
  std::vector<expr::Subscript> outer(subscripts.begin(), first + 1), inner(static_cast<std::size_t>(first - subscripts.begin()), whole);
  if (first->slice) inner.push_back(whole);
  inner.insert(inner.end(), first + 1, subscripts.end());
  const Expression part = at(array, std::move(outer));
  std::vector<Expression> operands(e->args);
  operands[0] = part;
  operands[1] = at(part, std::move(inner));
  if (e->args.size() == 4) operands[2] = expr::node(e->args[2]->kind, {operands[1], e->args[3]}, {}, e->span);
  const Expression value = expr::node(SyntaxKind::call, operands, e->name, e->span);
  return term(expr::node(SyntaxKind::call, {array, part, value}, e->name, e->span));
}

/// x[a:b] = V and x[k] = v along one axis: what stands before, V, and what stands behind, one after the other. Nothing for numbers and for other places.
std::optional<Term> Elaborator::assigned_part(const Expression& e, const Term& t) {
  const Expression &array = e->args[0], &places = e->args[1];
  const bool changes = e->args.size() == 4;  // x[places] += v is x[places] = x[places] + v
  const Expression value = changes ? expr::node(e->args[2]->kind, {places, e->args[3]}, {}, e->span) : e->args[2];
  const auto& subscripts = places->subscripts;
  if (subscripts.size() > t->shape.size()) return std::nullopt;
  std::optional<std::size_t> chosen;
  for (std::size_t axis = 0; axis < subscripts.size(); ++axis) {
    const expr::Subscript& s = subscripts[axis];
    if (s.step || expr::is_new_axis(s) || expr::is_ellipsis(s)) return std::nullopt;
    if (s.slice && !s.start && !s.stop) continue;
    if (chosen || (s.start && !is_size(s.start)) || (s.stop && !is_size(s.stop))) return std::nullopt;
    chosen = axis;
  }
  const std::size_t rank = t->shape.size();
  if (rank <= 2 && term(e->args.back())->shape.empty()) return std::nullopt;
  const Term given = term(value);
  require_kept(array, value, e->span);
  const auto written = [&](const Dim& d) { return read::parse_expression(expr::text(d)); };
  const auto repeated = [&](const Shape& piece) {  // the value in the shape of the places
    if (sizes_.resolve(given->shape) == piece) return value;
    std::vector<Expression> sizes;
    for (const Dim& d : piece) sizes.push_back(written(d));
    return expr::node(SyntaxKind::add, {value, expr::node(SyntaxKind::call, sizes, "zeros", e->span)}, std::string(expr::broadcast_sum), e->span);
  };
  if (!chosen) return term(repeated(sizes_.resolve(t->shape)));  // y[:] = x
  const expr::Subscript& s = subscripts[*chosen];
  const Dim extent = resolve(t->shape[*chosen]), start = s.start ? place_in(s.start, extent, true) : Dim(0), stop = !s.slice ? start + Dim(1) : s.stop ? place_in(s.stop, extent, true) : extent;
  if (!is_at_least(start, 0) || !is_at_least(extent - stop, 0) || !is_at_least(stop - start, 1)) {
    expr::fail("call.arguments", "whether the array of size " + expr::text(extent) + " has the places from " + expr::text(start) + " up to " + expr::text(stop) + " depends on the sizes", e->span, "add an assumption that says so");
  }
  Shape piece = sizes_.resolve(t->shape);
  piece[*chosen] = stop - start;
  if (!s.slice) piece.erase(piece.begin() + static_cast<std::ptrdiff_t>(*chosen));
  Expression part = repeated(piece);
  const expr::Subscript whole{true, nullptr, nullptr, nullptr}, none{false, expr::node(SyntaxKind::name, {}, "None", e->span), nullptr, nullptr};
  const auto along = [&](const Expression& of, const std::vector<expr::Subscript>& at) {
    auto placed = std::make_shared<Syntax>(*expr::node(SyntaxKind::index, {of}, {}, e->span));
    placed->subscripts = at;
    return Expression(placed);
  };
  std::vector<expr::Subscript> places_along(rank, none), value_along(rank, whole);
  places_along[*chosen] = whole;
  value_along[*chosen] = none;
  if (!s.slice && rank <= 2) {  // whatever else there is, also nothing
    const Expression positions = expr::node(SyntaxKind::call, {written(extent)}, "arange", e->span);
    const Expression at = expr::node(SyntaxKind::call, {rank == 1 ? positions : along(positions, places_along), written(start)}, "==", e->span);
    return term(expr::node(SyntaxKind::call, {at, along(part, value_along), array}, "where", e->span));
  }
  if (!s.slice) part = along(part, value_along);
  if ((!start.is_zero() && !is_at_least(start, 1)) || (stop != extent && !is_at_least(extent - stop, 1))) {
    expr::fail("call.arguments", "whether something of the array of size " + expr::text(extent) + " is left before " + expr::text(start) + " and behind " + expr::text(stop) + " depends on the sizes", e->span, "add an assumption that says so");
  }
  const auto rest = [&](const Expression& from, const Expression& to) {
    auto kept = std::make_shared<Syntax>(*expr::node(SyntaxKind::index, {array}, {}, e->span));
    kept->subscripts.assign(*chosen, expr::Subscript{true, nullptr, nullptr, nullptr});
    kept->subscripts.push_back({true, from, to, nullptr});
    return Expression(kept);
  };
  std::vector<Term> parts;
  const auto keep = [&](const Dim& from, const Dim& to, const Expression& slice) {
    if (const auto kept = parts_within(e, t, *chosen, from, to)) parts.insert(parts.end(), kept->begin(), kept->end());
    else parts.push_back(term(slice));
  };
  if (!start.is_zero()) keep(Dim(0), start, rest(nullptr, written(start)));
  parts.push_back(term(part));
  if (stop != extent) keep(stop, extent, rest(written(stop), nullptr));
  return parts.size() == 1 ? parts[0] : apply(expr::operator_id<expr::ops::Concat>(), e, std::move(parts), {}, static_cast<std::int64_t>(*chosen));
}

/// The parts of what is joined along an axis that stand there, those at its ends cut off. Nothing where t is not joined so, or how far they reach depends on
/// the sizes. An array that is written block by block stays one list of blocks.
std::optional<std::vector<Term>> Elaborator::parts_within(const Expression& e, const Term& t, std::size_t axis, const Dim& from, const Dim& to) {
  if (!is<expr::ops::Concat>(t) || t->call.axis != static_cast<std::int64_t>(axis)) return std::nullopt;
  std::vector<Term> found;
  Dim end = 0;
  for (const Term& part : t->args) {
    const Dim begin = end, width = resolve(part->shape[axis]);
    end = begin + width;
    if (is_at_least(from - end, 0) || is_at_least(begin - to, 0)) continue;
    const bool whole_before = is_at_least(begin - from, 0), whole_behind = is_at_least(to - end, 0);
    if ((!whole_before && !is_at_least(from - begin, 1)) || (!whole_behind && !is_at_least(end - to, 1))) return std::nullopt;
    if (whole_before && whole_behind) {
      found.push_back(part);
      continue;
    }
    std::vector<Dim> places;
    for (std::size_t k = 0; k < part->shape.size(); ++k) {
      places.push_back(0);
      places.push_back(k == axis && !whole_before ? from - begin : Dim(0));
      places.push_back(k == axis && !whole_behind ? to - begin : resolve(part->shape[k]));
    }
    found.push_back(apply(expr::operator_id<expr::ops::Subscripts>(), e, {part}, std::move(places)));
  }
  return found;
}

/// t as a sum of finite values and minus infinity where a mask is 0.
std::optional<Elaborator::Masked> Elaborator::as_masked(const Expression& e, const Term& t) {
  const auto of = [&](int op, const Term& a, const Term& b) { return apply(op, e, {a, b}, {}); };
  const int multiply = expr::operator_id<expr::ops::Multiply>();
  if (is<expr::ops::NegInf>(t)) return Masked{nullptr, t->args[0]};
  if (is<expr::ops::Causal>(t)) return Masked{nullptr, apply(expr::operator_id<expr::ops::Tril>(), e, {}, t->call.sizes)};
  if (!is_infinite(t)) return Masked{t, nullptr};
  if (!is<expr::ops::Add, expr::ops::Subtract, expr::ops::Multiply>(t)) return std::nullopt;
  const auto left = as_masked(e, t->args[0]), right = as_masked(e, t->args[1]);
  if (!left || !right) return std::nullopt;
  if (is<expr::ops::Multiply>(t)) {  // ones((n, n)) * -inf
    const bool first = is<expr::ops::Ones>(t->args[0]);
    const Masked& other = first ? *right : *left;
    if ((!first && !is<expr::ops::Ones>(t->args[1])) || other.finite) return std::nullopt;
    return Masked{nullptr, of(multiply, t->args[first ? 0 : 1], other.mask)};
  }
  const bool subtracts = is<expr::ops::Subtract>(t);
  if (subtracts && right->mask) return std::nullopt;
  Masked sum = *left;
  if (right->finite) sum.finite = left->finite || subtracts ? of(t->op, left->finite ? left->finite : number(0, e->span), right->finite) : right->finite;
  if (right->mask) sum.mask = left->mask ? of(multiply, left->mask, right->mask) : right->mask;
  return sum;
}

bool Elaborator::is_infinite(const Term& t) {
  return is<expr::ops::NegInf, expr::ops::Causal>(t) || std::any_of(t->args.begin(), t->args.end(), is_infinite);
}

/// tril and triu of what is minus infinity in places: what they leave out is 0, where a product with 0 is no number.
std::optional<Term> Elaborator::triangle_of_masked(const Expression& e, int op, const Term& t, const std::vector<Dim>& sizes) {
  const auto parts = is_infinite(t) ? as_masked(e, t) : std::nullopt;
  if (!parts) return std::nullopt;
  const auto of = [&](int operation, const Term& a, const Term& b) { return apply(operation, e, {a, b}, {}); };
  const auto complement = [&](const Term& mask) { return of(expr::operator_id<expr::ops::Subtract>(), number(1, e->span), mask); };
  const Term kept = apply(op, e, {apply(expr::operator_id<expr::ops::Ones>(), e, {}, sizes_.resolve(t->shape))}, sizes);
  const Term infinite = apply(expr::operator_id<expr::ops::NegInf>(), e, {complement(of(expr::operator_id<expr::ops::Multiply>(), kept, complement(parts->mask)))}, {});
  return parts->finite ? of(expr::operator_id<expr::ops::Add>(), of(expr::operator_id<expr::ops::Multiply>(), kept, parts->finite), infinite) : infinite;
}

}  // namespace foldproof::infer
