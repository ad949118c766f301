// SPDX-License-Identifier: MIT
// Calls by name: operands, sizes and keywords are told apart, comprehensions become stacks. Part of the trusted base.
#include <algorithm>
#include <numeric>
#include <set>

#include "expr/build.hpp"
#include "expr/nearest.hpp"
#include "expr/stated.hpp"
#include "infer/elaborator.hpp"
#include "infer/is_operator.hpp"
#include "read/library.hpp"
#include "read/numpy.hpp"

namespace foldproof::infer {

namespace {

/// repeat(x, 'h n -> (h g) n', g=g)
bool is_pattern(const Expression& e) { return e->args.size() > 1 && expr::is_quoted(e->args[1]); }

/// Functions of several parts, given as a list or by a comprehension.
bool takes_parts(const std::string& name) {
  static const std::set<std::string> names = {"concat", "concatenate", "cat", "hstack", "column_stack", "vstack", "stack", "blockdiag", "sum"};
  return names.count(name) > 0;
}

}  // namespace

Term Elaborator::call(const Expression& e) {
  refuse_keywords(e);
  if (takes_parts(e->name) && e->args.size() == 1) {
    Expression only = e->args[0];
    if (only->kind == SyntaxKind::list && only->args.size() == 1 && only->args[0]->kind == SyntaxKind::comprehension) only = only->args[0];
    if (only->kind == SyntaxKind::comprehension) return over_heads(e, only);
    if (only->kind == SyntaxKind::list) return join_list(e, only);
  }
  const auto keyword = [&](const char* one, const char* other) { return Elaborator::keyword(e, one, other); };
  const auto says = [](const Expression& value, const char* word) { return value && value->kind == SyntaxKind::name && value->name == word; };
  const Expression kept = keyword("keepdims", "keepdim");
  if ((e->name == "mean" || e->name == "max" || e->name == "min") && e->args.size() == 1 && says(keyword("axis", "dim"), "None")) {
    for (const auto& [key, value] : e->keywords) {
      if (key != "axis" && key != "dim" && key != "keepdims" && key != "keepdim") expr::fail("call.keyword", "`" + e->name + "` is not read with the keyword `" + key + "`", value->span, "known keywords are axis and keepdims");
    }
    return of_all_entries(e, says(kept, "True"));
  }
  if (e->name == "sum" && e->args.size() == 1 && says(kept, "True") && (!keyword("axis", "dim") || says(keyword("axis", "dim"), "None"))) return of_all_entries(e, true);
  if (says(kept, "False")) return without_axis(e);
  if (kept && !says(kept, "True")) expr::fail("call.keyword", "keepdims is True or False", kept->span, "write keepdims=True or leave it out");
  if (e->name == "sum" && keyword_axis(e)) return apply(expr::operator_id<expr::ops::SumAxis>(), e, {term(argument(e, 0))}, {}, keyword_axis(e));
  if ((e->name == "max" || e->name == "min") && e->args.size() >= 2) {
    const auto is_array = [this](const Expression& x) {
      const Term t = expr::is_minus_infinity(x) ? number(0, x->span) : term(x);
      return std::any_of(t->shape.begin(), t->shape.end(), [this](const Dim& d) { return !resolve(d).is_one(); });
    };
    if (std::count_if(e->args.begin(), e->args.end(), is_array) > 1) expr::fail("call.arguments", "Python's `" + e->name + "` compares arrays as a whole, which have no one truth value", e->span, "write np." + e->name + "imum(X, Y) for the " + (e->name == "max" ? "larger" : "smaller") + " of two entries");
    if (!e->keywords.empty()) expr::fail("call.keyword", "`" + e->name + "` of several values has no keyword `" + e->keywords.front().first + "`", e->keywords.front().second->span, "write max(X, axis=1) for the largest along an axis, maximum(X, Y) for the larger of two");
    const int op = e->name == "max" ? expr::operator_id<expr::ops::Maximum>() : expr::operator_id<expr::ops::Minimum>();
    std::vector<Expression> values = e->args;
    const auto least = [this](const Expression& x) { return expr::is_minus_infinity(x) || (defined_as(x) && expr::is_minus_infinity(defined_as(x))); };
    if (e->name == "max") std::erase_if(values, least);  // max(-inf, x)
    if (values.empty()) return term(e->args[0]);
    Term result = term(values[0]);
    for (std::size_t k = 1; k < values.size(); ++k) result = apply(op, e, {result, term(values[k])}, {});
    return result;
  }
  if (e->name == "flip" && keyword_axis(e)) return apply(expr::operator_id<expr::ops::FlipAxis>(), e, {term(argument(e, 0))}, {}, keyword_axis(e));
  if (e->name == "take" && e->args.size() == 2 && e->args[1]->kind == SyntaxKind::call && e->args[1]->name == "arange") return first_entries(e);
  if (e->name == "einsum") return einsum(e);
  if (e->name == "matrix_power") return matrix_power(e);
  if (e->name == "swapaxes") return swapaxes(e);
  if (e->name == "transpose01") return transpose_first(e);
  if (e->name == "repeat_interleave" || (e->name == "repeat" && (e->args.size() == 3 || keyword("axis", "dim")) && !is_pattern(e))) return repeated(e);
  if ((e->name == "rearrange" || e->name == "repeat" || e->name == "reduce") && is_pattern(e)) return rearranged(e);
  if (e->name == "view") return viewed(e);
  if (e->name == "flatten") return flattened(e);
  if (e->name == "unflatten") return unflattened(e);
  if (e->name == "squeeze") return squeezed(e);
  if (e->name == "moveaxis" || e->name == "movedim") return moved(e);
  if ((e->name == "attn_mask" || e->name == "blocking_mask") && e->args.size() == 1) return added_mask(e);
  if (e->name == "class_targets" && e->args.size() == 2) return class_targets(e);
  if (expr::is_condition(*e)) return condition(e);
  if (e->name == "zipped" && e->args.size() > 1) return zipped(e);
  if (e->name == "of_vector" && e->args.size() == 2) return of_vector(e);
  if (e->name == "kron" && e->args.size() == 2 && e->keywords.empty()) return kronecker(e);
  if (e->name == "tensordot" && e->args.size() == 2) return contracted(e);
  if (e->name == "prod" && e->args.size() == 1 && e->args[0]->kind == SyntaxKind::list) return multiplied(e);
  if (e->name == "log_factor") return log_factor(e);
  if (e->name == "numel" && e->args.size() == 1) return number_of_entries(e);
  if (e->name == "assigned" && (e->args.size() == 3 || e->args.size() == 4)) {
    if (e->args[1]->kind != SyntaxKind::index) expr::fail("call.arguments", "which places get the values is not read here", e->span, "write M[:2, :2] = 1, or np.where of a mask");
    return assigned(e);
  }
  if (e->name == "kept" && e->args.size() == 2) return same_shape(e);
  if (expr::states_shape(e) && e->args.size() == 2) return of_stated_shape(e);
  if (expr::is_call(e, expr::shape_difference_call) && e->args.size() == 2) return shape_difference(e);
  if (e->name == "ndim" && e->args.size() == 1) return number(static_cast<std::int64_t>(term(e->args[0])->shape.size()), e->span);
  if (e->name == "any_entries" && e->args.size() == 2) return any_entries(e);
  if (e->name == "filled" && e->args.size() == 2) return filled(e);
  if (e->name == "begun" && (e->args.size() == 3 || e->args.size() == 4)) return begun(e);
  if (e->name == "at_place" && e->args.size() == 5) return at_place(e);
  if (e->name == "roll") return rolled(e);
  if (e->name == "padded" && e->args.size() > 2) return padded(e);
  if (e->name == "np.diag") return library_diagonal(e);
  if (e->name == "tile" || e->name == "repeat") return tiled(e);
  if ((e->name == "stack" || e->name == "divided") && e->args.size() == 1 && expr::gives_parts(*e->args[0])) return stacked_parts(e);
  if (expr::gives_parts(*e)) expr::fail("call.arguments", "what divides a tensor gives several tensors", e->span, "name one of them: split(...)[0]");
  if (e->name == "where") return where(e);
  if (e->name == "log" && e->args.size() == 1 && e->args[0]->kind != SyntaxKind::number && is_mask(e->args[0])) return term(expr::call("neginf", e->args));  // which is what NumPy makes of log(0)
  if (e->name == "block" && e->args.size() == 1 && e->args[0]->kind == SyntaxKind::list) return literal(e->args[0], true);
  if (e->name == "array" && e->args.size() == 1 && e->keywords.empty() && e->args[0]->kind == SyntaxKind::list) return holds_tensors(e->args[0]) ? term(expr::call("stack", {e->args[0]})) : literal(e->args[0]);
  if (e->name == "shape") expr::fail("shape.no_size", "a shape is several sizes", e->span, "write X.shape[0] or X.shape[-1] for one of them");
  const int op = expr::find_operator(e->name);
  if (op < 0) {
    std::vector<std::string> known;
    for (int id = 0; id < expr::operator_count; ++id) {
      const std::string candidate = expr::operator_info(id).name;
      if (candidate.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string::npos) known.push_back(candidate);
    }
    for (const char* predicate : predicates) {
      if (e->name == predicate) expr::fail("name.unknown", "`" + e->name + "` is an assumption, not a function", e->span, "write assume " + e->name + "(...)");
    }
    // A word that differs in much of its length is another word, not a slip.
    const std::string near = 4 * expr::edit_distance(e->name, expr::nearest(e->name, known, 1).front()) <= e->name.size() + 1 ? expr::did_you_mean(e->name, known, 1) : "";
    if (read::is_defined(e->name)) expr::fail("call.arguments", "`" + e->name + "` is not known with these arguments", e->span, "leave out what does not matter here, or write the function out");
    std::string hint = near.empty() ? "the language has no such function; `foldproof operators` lists those that it has" : near;
    if (near.empty() && e->name[0] == 'W' && e->args.size() == 1) {
      const std::string operand = shorten(expr::text(e->args[0]));
      hint = read::layer_hint(e->name, e->args[0]->kind == SyntaxKind::name ? operand : "(" + operand + ")");
    }
    if (e->name == expr::spread_call) expr::fail("call.arguments", "`*` puts the items of a list here, and this is no list that is written out", e->span, "write np.concatenate([[1.0], w]) for [1.0, *w] of an array");
    expr::fail("name.unknown", "unknown function `" + e->name + "`", e->span, hint);
  }
  return call_operator(op, e);
}

/// Of the functions that do not end in call_operator, which knows its keywords.
void Elaborator::refuse_keywords(const Expression& e) {
  if (!takes_parts(e->name)) return;
  const bool fixed = e->name == "hstack" || e->name == "column_stack" || e->name == "vstack" || e->name == "blockdiag";
  for (const auto& [key, value] : e->keywords) {
    const bool axis = (key == "axis" || key == "dim") && !fixed;
    const bool kept = (key == "keepdims" || key == "keepdim") && e->name == "sum";
    if (!axis && !kept) expr::fail("call.keyword", "`" + e->name + "` is not read with the keyword `" + key + "`", value->span, fixed ? "its axis is in its name" : "known keywords are axis and, of sums, keepdims");
  }
  const bool parts = e->name == "sum" && e->args.size() == 1 && (e->args[0]->kind == SyntaxKind::comprehension || e->args[0]->kind == SyntaxKind::list);
  if (parts && !e->keywords.empty() && keyword_axis(e).value_or(1) != 0) expr::fail("call.axis", "a sum of parts adds them up entry by entry", e->span, "leave axis= and keepdims= out");
}

Term Elaborator::without_axis(const Expression& e) {
  auto kept = std::make_shared<Syntax>(*e);
  std::erase_if(kept->keywords, [](const auto& k) { return k.first == "keepdims" || k.first == "keepdim"; });
  const Term t = call(kept);
  static constexpr int reductions[] = {expr::operator_id<expr::ops::SumAxis>(), expr::operator_id<expr::ops::Mean>(), expr::operator_id<expr::ops::Max>(), expr::operator_id<expr::ops::Min>(),
                                       expr::operator_id<expr::ops::LogSumExp>()};
  if (t->kind == TermKind::apply && t->op == expr::operator_id<expr::ops::SumAll>()) return t;
  if (t->kind != TermKind::apply || std::find(std::begin(reductions), std::end(reductions), t->op) == std::end(reductions)) {
    expr::fail("call.keyword", "`" + e->name + "` has no axis to drop", e->span, "leave out keepdims=False");
  }
  const auto axis = static_cast<std::size_t>(t->call.axis);
  const Term result = first_along(e, t, axis, axis + 1);
  if (axis > 0) dropped_.insert(result);  // without the first axis the others still meet their own kind
  return result;
}

/// The first place on each of the axes from `begin` up to `end`, which are gone then.
Term Elaborator::first_along(const Expression& e, const Term& t, std::size_t begin, std::size_t end) {
  std::vector<Dim> subscripts;
  for (std::size_t k = 0; k < t->shape.size(); ++k) {
    const bool gone = begin <= k && k < end;
    subscripts.insert(subscripts.end(), {Dim(gone ? 1 : 0), Dim(0), gone ? Dim(0) : t->shape[k]});
  }
  return apply(expr::operator_id<expr::ops::Subscripts>(), e, {t}, std::move(subscripts));
}

/// take(X, arange(n)) is X[:n].
Term Elaborator::first_entries(const Expression& e) {
  auto slice = std::make_shared<Syntax>(*e);
  slice->kind = SyntaxKind::index;
  slice->args = {e->args[0]};
  slice->keywords.clear();
  const std::int64_t axis = keyword_axis(e).value_or(0);
  if (axis < 0) expr::fail("call.axis", "the axis of take is counted from the front", e->span, "axis=0 takes rows, axis=1 columns");
  slice->subscripts.assign(static_cast<std::size_t>(axis), expr::Subscript{true, nullptr, nullptr, nullptr});
  const Expression count = argument(e->args[1], 0);
  if (e->args[1]->args.size() > 1 || always_negative(resolve(size(count)))) expr::fail("call.arguments", "take reads arange with one number of places", e->args[1]->span, "write take(X, arange(n)), or X[a:b] for the rows from a on");
  slice->subscripts.push_back({true, nullptr, count, nullptr});
  return index(slice);
}

/// x.shape, x.shape[:-1] and (*x.shape[:-1], h, k) as the sizes that they are.
void Elaborator::several_sizes(const Expression& e, std::vector<Expression>& sizes) {
  if (e->kind == SyntaxKind::list) {
    for (const Expression& part : e->args) several_sizes(part, sizes);
    return;
  }
  if (e->kind == SyntaxKind::call && e->name == expr::spread_call) {
    if (!expr::is_several_sizes(e->args[0]) && e->args[0]->kind != SyntaxKind::list) expr::fail("shape.no_size", "`" + shorten(expr::text(e->args[0])) + "` is no list of sizes", e->span, "write *x.shape[:-1]");
    return several_sizes(e->args[0], sizes);
  }
  if (!expr::is_several_sizes(e)) {
    sizes.push_back(e);
    return;
  }
  const Expression of = e->kind == SyntaxKind::index ? e->args[0]->args[0] : e->args[0];
  const auto rank = static_cast<std::int64_t>(term(of)->shape.size());
  const auto place = [&](const Expression& written, std::int64_t otherwise) {
    const auto number = written ? constant(written) : std::optional(Rational(otherwise));
    if (!number || !number->is_integer()) expr::fail("shape.no_size", "`" + shorten(expr::text(e)) + "` has an unknown number of sizes", e->span, "write X.shape[:-1]");
    return std::clamp<std::int64_t>(number->num() < 0 ? number->num() + rank : number->num(), 0, rank);
  };
  const bool part = e->kind == SyntaxKind::index;
  const std::int64_t last = place(part ? e->subscripts[0].stop : nullptr, rank);
  for (std::int64_t k = place(part ? e->subscripts[0].start : nullptr, 0); k < last; ++k) sizes.push_back(expr::size_along(of, static_cast<std::size_t>(k), e->span));
}

Expression Elaborator::argument(const Expression& e, std::size_t k) {
  if (k >= e->args.size()) expr::fail("call.arguments", "`" + e->name + "` needs an operand", e->span);
  return e->args[k];
}

std::optional<std::int64_t> Elaborator::keyword_axis(const Expression& e, std::size_t rank) const {
  for (const auto& [key, value] : e->keywords) {
    if (key == "axis" || key == "dim") {
      const auto c = constant(value);
      if (value->kind == SyntaxKind::name && value->name == "implicit") return rank == 2 || rank > 3 ? 1 : 0;  // what PyTorch warns of
      if (value->kind == SyntaxKind::name && value->name == "None") {
        if (e->name == "cumsum" && rank == 1) return 0;
        if (e->name == "sum" || e->name == "flip") return std::nullopt;  // of all entries, along all axes
        expr::fail("call.axis", "`axis=None` is about all entries at once, which `" + e->name + "` is not here", value->span, "give an axis; of all entries there are sum(X) and, as their mean, sum(X) / (n*d)");
      }
      if (!c || !c->is_integer()) expr::fail("call.axis", "axis must be an integer", value->span, "axis=0 runs down the columns, axis=1 along the rows");
      return c->num();
    }
  }
  return std::nullopt;
}

namespace {

/// Whether that operand is the vector of angles of a rotation.
bool takes_angles(int op, std::size_t operand) {
  using namespace expr;
  static constexpr int second[] = {operator_id<ops::Rope>(), operator_id<ops::RopeHalf>()};
  const bool after_tensor = std::find(std::begin(second), std::end(second), op) != std::end(second);
  return (after_tensor && operand == 1) || (op == operator_id<ops::Rotation>() && operand == 0);
}

}  // namespace

/// onehot([0, 3, 6], n) is eye(n)[[0, 3, 6]], and of several such lists a stack of these; of numbers that count from the end there are none.
Term Elaborator::rows_of_identity(const Expression& e, const Expression& places, const Expression& size) {
  if (places->args[0]->kind == SyntaxKind::list) {
    std::vector<Expression> rows;
    for (const Expression& row : places->args) rows.push_back(expr::node(SyntaxKind::call, {row, size}, "onehot", e->span));
    return term(expr::node(SyntaxKind::call, {expr::node(SyntaxKind::list, std::move(rows), {}, e->span)}, "stack", e->span));
  }
  for (const Expression& place : places->args) {
    if (place->kind != SyntaxKind::number) expr::fail("call.arguments", "token numbers are 0 or more", place->span, "write n - 1 for the last of n");
  }
  const Expression identity = expr::node(SyntaxKind::call, {size}, "eye", e->span);
  expr::Syntax rows = *expr::node(SyntaxKind::index, {identity}, {}, e->span);
  rows.subscripts = {{false, places, nullptr, nullptr}};
  return at_places(std::make_shared<const expr::Syntax>(std::move(rows)), 0, *places);
}

Term Elaborator::call_operator(int op, const Expression& e) {
  const auto& info = expr::operator_info(op);
  std::vector<Term> args;
  std::vector<Dim> sizes;
  std::vector<std::pair<std::int64_t, Expression>> below_one;  // no axis has such a size, though an offset or a position may
  // Shapes may come as one list or tuple: reshape(X, [n, h, k]), ones([n, 1]).
  std::vector<Expression> operands;
  for (const auto& a : e->args) {
    if (info.sizes_max > 1 && expr::is_several_sizes(a)) {
      several_sizes(a, operands);
    } else if (a->kind == SyntaxKind::list && info.sizes_max > 1) {
      operands.insert(operands.end(), a->args.begin(), a->args.end());
    } else {
      operands.push_back(a);
    }
  }
  const std::size_t count = operands.size();
  const std::size_t leading_sizes = info.sizes_first ? static_cast<std::size_t>(info.sizes_max) : 0;
  for (std::size_t k = 0; k < count; ++k) {
    const bool takes_either = info.tensors_min == 0 && info.tensors_max > 0;
    const bool is_tensor = takes_either ? !is_size(operands[k]) : k >= leading_sizes && args.size() < static_cast<std::size_t>(info.tensors_max);
    if (is_tensor) {
      if (const Expression places = op == expr::operator_id<expr::ops::OneHot>() && operands.size() == 2 ? written_tokens(operands[0]) : nullptr) return rows_of_identity(e, places, operands[1]);
      args.push_back(term(operands[k]));
      if (op == expr::operator_id<expr::ops::OneHot>() && args.back()->shape.size() > 1 && operands.size() == 2 && e->keywords.empty()) {
        const Dim vocabulary = size(operands[1]);
        return of_each_row(e, args.back(), [&](const Term& row) { return apply(op, e, {row}, {vocabulary}); });
      }
      const Shape shape = sizes_.resolve(args.back()->shape);
      if (takes_angles(op, args.size() - 1) && shape.size() == 2 && shape[0].is_one()) args.back() = apply(expr::operator_id<expr::ops::Subscripts>(), operands[k], {args.back()}, {1, 0, 0, 0, 0, shape[1]});  // a row [1, p] holds the angles too
    } else {
      const bool number = op == expr::operator_id<expr::ops::Arange>() && operands[k]->kind == SyntaxKind::number && operands[k]->value.is_integer();  // of arange 3.0 as well
      sizes.push_back(number ? Dim(operands[k]->value.num()) : size(operands[k]));
      if (const auto written = sizes.back().constant(); written && *written < 1) below_one.emplace_back(*written, operands[k]);
    }
  }
  for (const auto& [key, value] : e->keywords) {
    if (key == "eps" && static_cast<int>(args.size()) < info.tensors_max && info.axis) {
      args.push_back(term(value));
    } else if (key == "shift" && static_cast<int>(args.size()) < info.tensors_max) {
      args.push_back(term(value));
    } else if (key != "axis" && key != "dim" && key != "keepdims" && key != "keepdim") {
      expr::fail("call.keyword", "`" + e->name + "` is not read with the keyword `" + key + "`", value->span, "known keywords are axis, eps and keepdims");
    }
  }
  const int tensors = static_cast<int>(args.size());
  const int given = static_cast<int>(sizes.size());
  if (tensors < info.tensors_min || tensors > info.tensors_max || given > info.sizes_max || (given < info.sizes_min && tensors == 0) || (info.tensors_min > 0 && given < info.sizes_min)) {
    expr::fail("call.arguments", "`" + e->name + "` is called with " + std::to_string(count) + (count == 1 ? " operand" : " operands"), e->span, std::string(info.name) + ": " + info.rule);
  }
  if (op == expr::operator_id<expr::ops::Arange>() && !is_at_least(resolve(sizes[0]), 0)) {
    expr::fail("shape.no_size", "where " + expr::text(resolve(sizes[0])) + " is less than 0 Python counts no numbers", e->span, "add an assumption that leaves none of these sizes out, as n >= 3 for np.arange(3, n)");
  }
  const bool triangle = op == expr::operator_id<expr::ops::Tril>() || op == expr::operator_id<expr::ops::Triu>();
  if (triangle && tensors == 0 && given == 2 && always_negative(sizes[1])) {  // tril(n, -1): no number of columns
    auto ones = std::make_shared<Syntax>(*e), moved = std::make_shared<Syntax>(*e);
    ones->name = "ones";
    ones->args = {operands[0], operands[0]};
    moved->args = {ones, operands[1]};
    return call_operator(op, moved);
  }
  if (triangle && tensors == 0 && given == 2 && sizes[1].constant() && !sizes[0].constant()) {
    expr::fail("call.arguments", "the second number of `" + e->name + "` is a number of columns here, not a diagonal", operands[1]->span, "write " + e->name + "(ones(n, n), " + expr::text(operands[1]) + ") to move the diagonal");
  }
  if (const auto chosen = triangle && tensors == 1 ? triangle_of_masked(e, op, args[0], sizes) : std::nullopt) return *chosen;
  const bool factor = op == expr::operator_id<expr::ops::LeftFactor>() || op == expr::operator_id<expr::ops::RightFactor>();
  if (op == expr::operator_id<expr::ops::Rank>() && !sizes.empty()) expr::fail("call.arguments", "`rank` takes one matrix and no tolerance: it is the exact rank", e->span);
  if (factor && sizes.empty()) sizes.push_back(rank_size(argument(e, 0)));
  if (factor || op == expr::operator_id<expr::ops::Rank>()) sizes.push_back(rank_size(argument(e, 0)));  // the kernel needs the rank itself as well
  if (!args.empty() && stacks(e, args[0])) return apply(expr::operator_id<expr::ops::Stack>(), e, std::move(args), {});
  const auto is_zero = [](const Term& t) { return t->kind == TermKind::number && t->value.is_zero(); };
  const auto all_zero = [&](const Term& t) { return is<expr::ops::Zeros>(t) || is_zero(t) || (is<expr::ops::Multiply>(t) && is_zero(t->args[0]) && !is_infinite(t->args[1])); };  // 0 * x is zeros_like(x)
  for (std::size_t k = 0; op == expr::operator_id<expr::ops::Maximum>() && tensors == 2 && k < 2; ++k) {  // m = np.full((n, 1), -np.inf), before the first block of an online softmax
    if (is<expr::ops::NegInf>(args[k]) && all_zero(args[k]->args[0])) return apply(expr::operator_id<expr::ops::Add>(), e, {args[1 - k], args[k]->args[0]}, {});
  }
  const auto axis = keyword_axis(e, args.empty() ? 2 : args[0]->shape.size());
  const Term result = apply(op, e, std::move(args), std::move(sizes), axis);
  if (op == expr::operator_id<expr::ops::OneHot>() || op == expr::operator_id<expr::ops::Take>()) {
    const Dim vocabulary = resolve(op == expr::operator_id<expr::ops::OneHot>() ? result->call.sizes[0] : result->call.operands[0][static_cast<std::size_t>(result->call.axis)]);
    std::vector<std::string> names;
    expr::collect_names(vocabulary, names);
    const bool varies = std::any_of(names.begin(), names.end(), [&](const auto& n) { return used_indices_.count(n) > 0; });
    require_inside(result->args[op == expr::operator_id<expr::ops::OneHot>() ? 0 : 1], vocabulary, e);
    if (varies) expr::fail("call.comprehension", "what the token numbers choose from varies with the index of a comprehension", e->span, "choose from all rows, whatever the index");
  }
  for (const auto& written : below_one) {
    const bool is_axis = std::any_of(result->shape.begin(), result->shape.end(), [&](const Dim& d) { return d.constant() == written.first; });
    if (is_axis) expr::fail("shape.size", "sizes are at least 1", written.second->span, "an empty matrix has no entries: leave it out");
  }
  return result;
}

void Elaborator::require_inside(const Term& numbers, const Dim& places, const Expression& e) {
  for (const Term& part : numbers->args) require_inside(part, places, e);
  if (numbers->kind != TermKind::variable) return;
  for (const auto& a : claim_.assumptions) {
    const bool bounds = a.relation && a.lhs->kind == SyntaxKind::name && a.lhs->name == numbers->name;
    const bool below = bounds && *a.relation == expr::Relation::greater_equal && a.rhs->kind == SyntaxKind::negate;
    const bool limited = bounds && *a.relation == expr::Relation::less;
    const auto left = limited ? (places - resolve(size(a.rhs))).constant() : std::nullopt;
    const bool above = limited && (!left || *left < 0);
    if (below || above) expr::fail("call.arguments", std::string("these places may be ") + (below ? "negative" : "beyond the last one"), e->span, "let them be whole numbers from 0 up to the number of rows: torch.randint(0, len(E), (n,))");
  }
}

/// The letters of einsum become numbers. Without an arrow NumPy's result has the letters that stand once, in alphabetical order.
Term Elaborator::einsum(const Expression& e) {
  const Expression& quoted = e->keywords[0].second;
  const std::vector<std::string> lists = einsum_lists(*quoted);
  if (lists.size() != e->args.size() + 1) {
    expr::fail("call.arguments", "einsum has subscripts for " + std::to_string(lists.size() - 1) + " operands and is given " + std::to_string(e->args.size()), quoted->span, "one group of letters for each tensor, separated by commas");
  }
  refuse_truth(e);
  std::vector<Term> args;
  for (const Expression& operand : e->args) args.push_back(term(operand));
  // `...` stands for the axes that have no letter, the same ones for all operands, the last one last.
  std::size_t unnamed = 0;
  for (std::size_t k = 0; k < args.size(); ++k) {
    const bool dots = lists[k].find('.') != std::string::npos;
    if (dots && args[k]->shape.size() + 1 < lists[k].size()) expr::fail("call.arguments", "einsum has letters for more axes than " + describe(args[k]->shape) + " has", quoted->span, "one letter for each axis");
    if (dots) unnamed = std::max(unnamed, args[k]->shape.size() + 1 - lists[k].size());
  }
  std::string letters;
  std::vector<Dim> labels;
  const auto label = [&](char c) {
    if (letters.find(c) == std::string::npos) letters += c;
    labels.emplace_back(static_cast<std::int64_t>(letters.find(c)));
  };
  for (std::size_t k = 0; k < lists.size(); ++k) {
    if (k > 0) labels.emplace_back(-1);
    const std::size_t own = k < args.size() ? args[k]->shape.size() + 1 - lists[k].size() : unnamed;
    for (const char c : lists[k]) {
      if (c != '.') label(c);
      for (std::size_t axis = unnamed - own; c == '.' && axis < unnamed; ++axis) label(static_cast<char>('0' + axis));
    }
  }
  return apply(expr::operator_id<expr::ops::Einsum>(), e, std::move(args), std::move(labels));
}

Term Elaborator::matrix_power(const Expression& e) {
  const auto exponent = e->args.size() == 2 ? constant(e->args[1]) : std::nullopt;
  if (!exponent || !exponent->is_integer() || exponent->sign() < 1 || exponent->num() > 64) expr::fail("call.arguments", "matrix_power needs a matrix and a whole number from 1 to 64", e->span);
  const Term base = term(e->args[0]);
  Term result = base;
  for (std::int64_t k = 1; k < exponent->num(); ++k) result = apply(expr::operator_id<expr::ops::Matmul>(), e, {result, base}, {});
  return result;
}

/// swapaxes(x, -1, -2) exchanges two axes, counted from the end where negative.
Term Elaborator::swapaxes(const Expression& e) {
  if (e->args.size() != 3 || !e->keywords.empty()) expr::fail("call.arguments", "swapaxes needs a tensor and two axes", e->span, "write swapaxes(K, -1, -2)");
  const Term base = term(e->args[0]);
  std::vector<Dim> order;
  for (std::size_t axis = 0; axis < base->shape.size(); ++axis) order.emplace_back(static_cast<std::int64_t>(axis));
  std::size_t axes[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const auto written = constant(e->args[k + 1]);
    if (!written || !written->is_integer()) expr::fail("call.axis", "an axis is an integer", e->args[k + 1]->span, "write swapaxes(K, -1, -2)");
    axes[k] = counted(written->num(), base->shape, e->args[k + 1]->span);
  }
  std::swap(order[axes[0]], order[axes[1]]);
  return apply(expr::operator_id<expr::ops::Permute>(), e, {base}, order);
}

/// NumPy's and PyTorch's diag: of a row [1, d], which is a vector elsewhere in the language, it would be one entry.
Term Elaborator::library_diagonal(const Expression& e) {
  auto plain = std::make_shared<Syntax>(*e);
  plain->name = "diag";
  const Term result = call(plain);
  const Shape& of = result->args[0]->shape;
  const auto is_one = [&](std::size_t axis) { return resolve(of[axis]).is_one(); };
  if (of.size() == 2 && (is_one(0) || is_one(1))) expr::fail("call.arguments", "of a matrix " + describe(of) + " NumPy's `diag` is its one diagonal entry", e->span, "write np.diag(g[0]), or diag(g), which takes a row for a vector");
  return result;
}

std::vector<bool> Elaborator::apart_in_memory(const Expression& e, const Term& x) {
  std::vector<bool> apart(x->shape.size(), false);
  const Expression written = behind_names(e);
  if (expr::is_broadcast(*written)) {  // what is repeated lies in one place
    const Shape own = sizes_.resolve(term(written->args[0])->shape), shape = sizes_.resolve(x->shape);
    const auto repeated = [&](std::size_t axis) { return !shape[axis].is_one() && (axis + own.size() < shape.size() || own[axis + own.size() - shape.size()] != shape[axis]); };
    for (std::size_t axis = 1; axis < shape.size(); ++axis) apart[axis] = repeated(axis) != repeated(axis - 1) && !shape[axis - 1].is_one();
  } else if (is<expr::ops::Subscripts>(x)) {
    const Shape whole = sizes_.resolve(x->args[0]->shape);
    const auto& sizes = x->call.sizes;
    bool left_out = false;  // an axis of which one place is taken, before one that stays
    for (std::size_t axis = 0, next = 0; axis < whole.size(); ++axis) {
      const Dim start = resolve(sizes[3 * axis + 1]), stop = resolve(sizes[3 * axis + 2]);
      if (!sizes[3 * axis].is_zero()) {
        left_out = left_out || !whole[axis].is_one();
        continue;
      }
      apart[next++] = left_out || !start.is_zero() || stop != whole[axis];
      left_out = false;
    }
  }
  return apart;
}

/// Axes that become one must lie behind each other in memory.
Term Elaborator::viewed(const Expression& e) {
  auto plain = std::make_shared<Syntax>(*e);
  plain->name = "reshape";
  const Term result = call(plain), x = result->args[0];
  std::vector<std::size_t> lies(x->shape.size());  // where the axes of x lie, from the outermost on
  std::iota(lies.begin(), lies.end(), std::size_t{0});
  for (Term turned = x; is<expr::ops::Transpose, expr::ops::Permute>(turned); turned = turned->args[0]) {
    const auto order = is<expr::ops::Permute>(turned) ? expr::ops::Permute::axes(turned->call) : std::vector<std::size_t>{};
    for (std::size_t& axis : lies) axis = order.empty() ? lies.size() - 1 - axis : order[axis];
  }
  const Shape from = sizes_.resolve(x->shape), to = sizes_.resolve(result->shape);
  const std::vector<bool> apart = apart_in_memory(e->args[0], x);
  Dim before(1), after(1);
  for (std::size_t axis = 0, next = 0; axis < lies.size(); ++axis) {
    const bool joins = before != after;  // with the axes before it
    if (joins && !from[axis].is_one() && (lies[axis] != lies[axis - 1] + 1 || apart[axis])) expr::fail("call.arguments", apart[axis] ? "PyTorch's `view` joins no axes of which a part was taken, or which are repeated" : "PyTorch's `view` joins no axes that changed places", e->span, "write x.reshape(...), or x.contiguous().view(...)");
    before = before * from[axis];
    while (next < to.size() && before != after && before.divide(after * to[next])) after = after * to[next++];
  }
  return result;
}

/// PyTorch's X.transpose(0, 1): of a tensor the first two axes change places. NumPy would leave a matrix as it is.
Term Elaborator::transpose_first(const Expression& e) {
  const Term base = term(e->args[0]);
  if (base->shape.size() < 3) expr::fail("call.axis", "this transpose means one thing in NumPy and another in PyTorch", e->span, "write A.T, swapaxes(A, -1, -2), or the order of all axes: transpose(A, 1, 0)");
  std::vector<Dim> order{Dim(1), Dim(0)};
  for (std::size_t axis = 2; axis < base->shape.size(); ++axis) order.emplace_back(static_cast<std::int64_t>(axis));
  return apply(expr::operator_id<expr::ops::Permute>(), e, {base}, order);
}

Term Elaborator::join_list(const Expression& e, const Expression& list) {
  std::vector<Term> args;
  for (const auto& a : list->args) args.push_back(term(a));
  if (args.empty()) expr::fail("call.arguments", "an empty list cannot be joined", list->span);
  if (e->name == "sum") expr::fail("call.arguments", "sum of a list is not part of the language", e->span, "write A + B");
  if (e->name == "stack") return first_moved(e, apply(expr::operator_id<expr::ops::Stack>(), e, std::move(args), {}));
  if (stacks(e, args[0])) return apply(expr::operator_id<expr::ops::Stack>(), e, std::move(args), {});
  if (e->name == "vstack" || e->name == "column_stack") {  // a vector below a matrix is a row, and beside one a column
    for (Term& part : args) {
      if (part->shape.size() != 1) continue;
      const Dim length = part->shape[0];
      part = reshaped(e, part, e->name == "vstack" ? Shape{Dim(1), length} : Shape{length, Dim(1)});
    }
  }
  if (e->name == "blockdiag") return apply(expr::operator_id<expr::ops::BlockDiagonal>(), e, std::move(args), {});
  if (e->name == "vstack") return apply(expr::operator_id<expr::ops::Vstack>(), e, std::move(args), {});
  const auto axis = keyword_axis(e);
  if (!axis && e->name != "hstack" && e->name != "column_stack") {
    expr::fail("call.axis", "say along which axis the list is joined: NumPy's default is 0, the paper's Concat is 1", e->span, "write concat([A, B], axis=1) for columns, axis=0 for rows; concat(A, B) joins columns");
  }
  return apply(expr::operator_id<expr::ops::Concat>(), e, std::move(args), {}, axis.value_or(-1));
}

Term Elaborator::first_moved(const Expression& e, const Term& t) {
  const std::size_t place = axis_of(e, keyword(e, "axis", "dim"), t->shape);
  return place == 0 ? t : axis_moved(e, t, 0, place);
}

bool Elaborator::stacks(const Expression& e, const Term& part) const {
  const std::size_t axes = part->shape.size();
  if (e->name == "stack" && keyword_axis(e).value_or(0) != 0) expr::fail("call.axis", "stack(A, B) joins along a new first axis", e->span, "write a list: stack([A, B], axis=1)");
  if ((e->name == "hstack" || e->name == "column_stack") && axes > 2) expr::fail("call.axis", e->name + " joins the second axis of arrays that have more than two", e->span, "write concat([A, B], axis=1)");
  return e->name == "stack" || (e->name == "vstack" && axes == 1);
}

std::string Elaborator::new_index(std::string name, const Dim& count) {
  while (used_indices_.count(name) || names_.sizes.count(name) || made_sizes_.count(name)) name += "_";
  used_indices_.insert(name);
  index_range_[name] = count;
  return name;
}

Term Elaborator::stack_of(const std::string& index, const Dim& count, const Term& body, Span span) const {
  auto stack = std::make_shared<TermNode>();
  stack->kind = TermKind::stack;
  stack->name = index;
  stack->size = count;
  stack->span = span;
  stack->args = {body};
  stack->shape = sizes_.resolve(body->shape);
  stack->shape.insert(stack->shape.begin(), count);
  return stack;
}

/// Whether a part of the body of a comprehension is read of numbers only: x ** i of any x, x[i] > 0, and t[i] of t = np.array([1, 0]). Not where another one has the same index.
bool Elaborator::asks_for_numbers(const Expression& body, const std::string& index) const {
  bool asks = false, hidden = false;
  const std::function<bool(const Expression&)> counts = [&](const Expression& e) {
    const bool arithmetic = e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::floor_divide || e->kind == SyntaxKind::modulo || e->kind == SyntaxKind::negate;
    return is_size(e) || (e->kind == SyntaxKind::name && e->name == index) || (arithmetic && std::all_of(e->args.begin(), e->args.end(), counts));
  };
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    hidden = hidden || (e->kind == SyntaxKind::comprehension && e->name == index);
    if (e->kind == SyntaxKind::power) asks = asks || (expr::mentions(e->args[1], index) && !is_size(e->args[0]));
    if (expr::is_comparison(*e)) asks = asks || (expr::mentions(e, index) && !(counts(e->args[0]) && counts(e->args[1])));
    if (e->kind == SyntaxKind::index && !asks) asks = std::any_of(e->subscripts.begin(), e->subscripts.end(), [&](const auto& s) { return s.start && expr::mentions(s.start, index); }) && written_list(e->args[0]) && written_numbers(e->args[0]);
    expr::each_part(e, look);
  };
  look(body);
  return asks && !hidden;
}

Term Elaborator::over_heads(const Expression& e, const Expression& comprehension) {
  const Dim count = resolve(size(comprehension->args[1]));
  const auto number = count.constant();
  if (number && *number < 1 && e->name == "sum") return term(expr::node(SyntaxKind::number, {}, {}, e->span));  // as in Python
  if (number && *number < 1) expr::fail("shape.size", "sizes are at least 1", comprehension->args[1]->span, "a comprehension over nothing has no value: leave it out");
  if (expr::mentions_rank(count)) expr::fail("call.comprehension", "a comprehension runs over a size, and the number of its parts may not depend on the entries of a matrix as a rank does", comprehension->args[1]->span, "n * X is the sum of n equal parts");
  constexpr std::int64_t most_written_out = 16;
  if (number && *number <= most_written_out && asks_for_numbers(comprehension->args[0], comprehension->name)) {
    auto list = std::make_shared<expr::Syntax>(*expr::node(SyntaxKind::list, {}, {}, comprehension->span));
    for (std::int64_t k = 0; k < *number; ++k) {
      const Expression value = std::make_shared<const expr::Syntax>(expr::Syntax{SyntaxKind::number, {}, expr::Rational(k), {}, {}, {}, comprehension->span});
      list->args.push_back(expr::changed(comprehension->args[0], [&](const Expression& part) { return part->kind == SyntaxKind::name && part->name == comprehension->name ? value : nullptr; }));
    }
    if (e->name == "sum") return term(std::accumulate(list->args.begin() + 1, list->args.end(), list->args[0], [&](const Expression& a, const Expression& b) { return expr::node(SyntaxKind::add, {a, b}, {}, e->span); }));
    auto written = std::make_shared<expr::Syntax>(*e);
    written->args = {list};
    return term(written);
  }
  const std::string unique = new_index(comprehension->name, count);
  const auto outer = index_scope_.find(comprehension->name);
  const std::optional<std::string> shadowed = outer == index_scope_.end() ? std::nullopt : std::optional(outer->second);
  index_scope_[comprehension->name] = unique;
  const Term body = term(comprehension->args[0]);
  if (shadowed) {
    index_scope_[comprehension->name] = *shadowed;
  } else {
    index_scope_.erase(comprehension->name);
  }
  const Term stack = stack_of(unique, count, body, comprehension->span);
  for (const Dim& d : stack->shape) {
    std::vector<std::string> found;
    expr::collect_names(d, found);
    if (std::find(found.begin(), found.end(), unique) != found.end()) {
      expr::fail("shape.ragged", "the shape of the body depends on `" + comprehension->name + "`", comprehension->span, "all heads must have one shape");
    }
  }
  if (e->name == "stack") return first_moved(e, stack);
  if (stacks(e, body)) return stack;
  if (e->name == "blockdiag") return apply(expr::operator_id<expr::ops::BlockDiagonalHeads>(), e, {stack}, {});
  if (e->name == "sum") return apply(expr::operator_id<expr::ops::SumHeads>(), e, {stack}, {});
  const auto axis = keyword_axis(e);
  const bool first = e->name == "vstack" || (axis && *axis == 0);
  const auto axes = static_cast<std::int64_t>(body->shape.size());
  if (axis && *axis != 0 && *axis != -1 && *axis != axes - 1) {  // one in the middle: the heads beside it, and both as one
    const std::size_t place = axis_of(e, keyword(e, "axis", "dim"), body->shape);
    Shape joined = sizes_.resolve(body->shape);
    joined[place] = count * joined[place];
    return reshaped(e, axis_moved(e, stack, 0, place), joined);
  }
  return first ? apply(expr::operator_id<expr::ops::JoinFirst>(), e, {stack}, {}) : apply(expr::operator_id<expr::ops::JoinLast>(), e, {stack}, {});
}

}  // namespace foldproof::infer
