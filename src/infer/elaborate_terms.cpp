// SPDX-License-Identifier: MIT
// Expressions become typed terms; every operator runs its shape rule. Part of the trusted base.
#include <algorithm>

#include "expr/build.hpp"
#include "infer/elaborator.hpp"
#include "read/kinds.hpp"
#include "read/numpy.hpp"

namespace foldproof::infer {

namespace {

/// PyTorch's products, which take factors of so many axes and no others.
struct Product {
  std::string_view name, multiplies;
  std::size_t axes[2];
};
constexpr Product products[] = {{"mm", "mm multiplies two matrices", {2, 2}}, {"mv", "mv multiplies a matrix and a vector", {2, 1}}, {expr::torch_dot, "PyTorch's dot multiplies two vectors", {1, 1}}, {"bmm", "bmm multiplies batches of matrices, which have 3 axes", {3, 3}}};

}  // namespace

Term Elaborator::term(const Expression& e) {
  if (e->kind == SyntaxKind::negate || e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::matmul) refuse_truth(e);
  if (e->kind == SyntaxKind::power && is_truth(e->args[0])) expr::fail("call.mask", "NumPy's powers of truth values are numbers of 8 bits, which begin again behind 127", e->span, "leave the power out, or write ((i >= j) * 1)**2");
  if (expr::is_operator(e->kind) && e->name == expr::changed_in_place) return in_place(e);
  if (e->kind == SyntaxKind::add && e->name == expr::filled_like) require_like(e);
  if (expr::is_broadcast(*e)) return broadcast_to(e);
  if (e->kind == SyntaxKind::add || e->kind == SyntaxKind::multiply) {
    if (const Expression infinite = all_infinite(e)) return term(infinite);
  }
  switch (e->kind) {
    case SyntaxKind::number: return number(e->value, e->span);
    case SyntaxKind::name: return name(e);
    case SyntaxKind::negate: return apply<expr::ops::Negate>(e, {e->args[0]});
    case SyntaxKind::add: return apply<expr::ops::Add>(e, e->args);
    case SyntaxKind::subtract:
      if (e->name == read::of_torch) refuse_truth_in_torch(e);
      return apply<expr::ops::Subtract>(e, e->args);
    case SyntaxKind::multiply: return apply<expr::ops::Multiply>(e, e->args);
    case SyntaxKind::divide: return apply<expr::ops::Divide>(e, e->args);
    case SyntaxKind::matmul: {
      for (const Expression& factor : e->args) refuse_size_as_matrix(factor);
      if (e->name == read::of_torch) refuse_truth_in_torch(e);
      const Term product = apply<expr::ops::Matmul>(e, e->args);
      const bool batched = product->args[1]->shape.size() > 2;  // every x of a list of vectors or matrices times one matrix is what @ gives
      if (const auto* known = std::find_if(std::begin(products), std::end(products), [&](const auto& p) { return p.name == e->name; }); known != std::end(products)) {
        for (const std::size_t k : {0u, 1u}) {
          const Shape& factor = product->args[k]->shape;
          if (factor.size() != known->axes[k]) expr::fail("shape.operand", std::string(known->multiplies) + ", and this is " + describe(factor), e->args[k]->span, "write A @ B");
        }
      } else if (batched && !e->name.empty() && e->name != read::of_torch) {
        expr::fail("call.arguments", "`" + e->name + "` of arrays with more than two axes multiplies every pair of their matrices", e->span, "write A @ B for the products of matrices with the same index");
      }
      return product;
    }
    case SyntaxKind::transpose:
      refuse_size_as_matrix(e);
      if (e->name == expr::torch_t) {
        if (const Shape shape = term(e->args[0])->shape; shape.size() > 2) expr::fail("shape.operand", "PyTorch's t turns a matrix, and this is " + describe(shape), e->span, "write x.mT for the last two axes, x.permute(...) for others");
      }
      return apply<expr::ops::Transpose>(e, e->args);
    case SyntaxKind::power: return power(e);
    case SyntaxKind::floor_divide:
    case SyntaxKind::modulo: return divided_place(e);
    case SyntaxKind::index: return is_shape_entry(e) ? size_term(shape_entry(e), e->span) : index(e);
    case SyntaxKind::call: return call(e);
    case SyntaxKind::list: return literal(e);
    case SyntaxKind::comprehension: expr::fail("call.comprehension", "`for` stands only inside concat, vstack, stack or sum", e->span, "write sum(A[i] @ B[i] for i in range(h))");
  }
  throw expr::InternalError("unknown syntax");
}

/// 1 - mask and mask @ x of truth values, which PyTorch neither subtracts nor multiplies so.
void Elaborator::refuse_truth_in_torch(const Expression& e) const {
  for (const Expression& mask : e->args) {
    if (is_surely_truth(mask) && (read::kind_of(claim_, mask).array || !is_of_python(mask))) expr::fail("call.mask", std::string("PyTorch ") + (e->kind == SyntaxKind::matmul ? "makes no matrix products of" : "does not subtract") + " truth values", mask->span, "write M.float() for numbers, ~M for the opposite of a mask");
  }
}

/// q[:, :k] @ k.T
void Elaborator::refuse_size_as_matrix(const Expression& e) const {
  const Expression& name = e->kind == SyntaxKind::transpose ? e->args[0] : e;
  const bool size = name->kind == SyntaxKind::name && (names_.sizes.count(name->name) > 0 || index_scope_.count(name->name) > 0);
  if (size) expr::fail("name.two_meanings", "`" + name->name + "` is a matrix here, and elsewhere in the claim a size or an index", name->span, "give the matrix another name");
}

Term Elaborator::number(const Rational& value, Span span) {
  auto node = std::make_shared<TermNode>();
  node->kind = TermKind::number;
  node->value = value;
  node->span = span;
  return node;
}

Term Elaborator::size_term(const Dim& d, Span span) {
  auto node = std::make_shared<TermNode>();
  node->kind = TermKind::size;
  node->size = d;
  node->span = span;
  return node;
}

Term Elaborator::name(const Expression& e) {
  if (expr::is_quoted(e)) expr::fail("parse.unexpected", "text in quotes is no operand", e->span, "quotes hold the subscripts of einsum and the patterns of rearrange");
  if (const auto index = index_scope_.find(e->name); index != index_scope_.end()) return size_term(expr::dim(index->second), e->span);
  if (const auto d = definitions_.find(e->name); d != definitions_.end()) return d->second;
  if (const auto v = by_name_.find(e->name); v != by_name_.end()) return v->second;
  if (names_.sizes.count(e->name)) return size_term(expr::dim(e->name), e->span);
  expr::fail("name.unknown", "`" + e->name + "` is used before its definition", e->span, "define it with let before this place");
}

Term Elaborator::apply(int op, const Expression& e, std::vector<Term> args, std::vector<Dim> sizes, std::optional<std::int64_t> axis, Rational exponent) {
  auto node = std::make_shared<TermNode>();
  node->kind = TermKind::apply;
  node->op = op;
  node->span = e->span;
  for (const Term& a : args) node->call.operands.push_back(sizes_.resolve(a->shape));
  for (const Dim& d : sizes) node->call.sizes.push_back(resolve(d));
  node->call.exponent = exponent;
  current_ = e;
  current_args_ = args;
  check_dropped_axis(op, node->call);
  if (const auto fallback = expr::operator_info(op).axis) {
    const std::int64_t rank = static_cast<std::int64_t>(node->call.operands.at(0).size());
    std::int64_t a = axis.value_or(*fallback);
    if (a < 0) a += rank;
    if (a < 0 || a >= rank) fail("there is no such axis in " + describe(node->call.operands[0]), "axis=0 runs down the columns, axis=1 along the rows");
    node->call.axis = static_cast<int>(a);
  } else if (axis) {
    fail(std::string(expr::operator_info(op).name) + " takes no axis", "leave out axis=");
  }
  expr::visit_operator(op, [&](auto o) { node->shape = decltype(o)::shape(*this, node->call); });
  node->args = std::move(args);
  const bool dropped = std::any_of(node->args.begin(), node->args.end(), [&](const Term& a) { return dropped_.count(a) > 0 && sizes_.resolve(a->shape) == sizes_.resolve(node->shape); });
  if (dropped && op != expr::operator_id<expr::ops::Matmul>()) dropped_.insert(node);
  return node;
}

/// One number for each row, [n], beside a matrix [n, d]: NumPy pairs it with the columns, which is hardly what was meant where
/// the sizes are not known to be equal.
void Elaborator::check_dropped_axis(int op, const expr::Call& call) {
  static constexpr int entrywise[] = {expr::operator_id<expr::ops::Add>(),      expr::operator_id<expr::ops::Subtract>(), expr::operator_id<expr::ops::Multiply>(),
                                      expr::operator_id<expr::ops::Divide>(), expr::operator_id<expr::ops::Maximum>(),  expr::operator_id<expr::ops::Minimum>()};
  if (std::find(std::begin(entrywise), std::end(entrywise), op) == std::end(entrywise)) return;
  for (const std::size_t k : {0u, 1u}) {
    const Shape& numbers = call.operands[k];
    const Shape& matrix = call.operands[1 - k];
    if (dropped_.count(current_args_[k]) == 0 || matrix.size() <= numbers.size()) continue;
    const bool fits = std::equal(numbers.rbegin(), numbers.rend(), matrix.rbegin(), [](const Dim& a, const Dim& b) { return a == b || a.is_one() || b.is_one(); });
    if (fits) continue;
    const char* met = matrix.size() == 2 ? " meets the columns of " : " meets the last axes of ";
    expr::fail(dropped_axis, "NumPy drops the axis of a sum, mean or maximum, so that here " + describe(numbers) + met + describe(matrix) + here(), current_->span, dropped_hint);
  }
}

std::optional<Rational> Elaborator::constant(const Expression& e) const {
  switch (e->kind) {
    case SyntaxKind::number: return e->value;
    case SyntaxKind::name: {
      const Expression value = index_scope_.count(e->name) > 0 ? nullptr : defined_as(e);
      return value ? constant(value) : std::nullopt;
    }
    case SyntaxKind::negate: {
      const auto x = constant(e->args[0]);
      return x ? std::optional(-*x) : std::nullopt;
    }
    case SyntaxKind::add:
    case SyntaxKind::subtract:
    case SyntaxKind::multiply:
    case SyntaxKind::power:
    case SyntaxKind::divide: {
      const auto x = constant(e->args[0]);
      const auto y = constant(e->args[1]);
      if (!x || !y) return std::nullopt;
      if (e->kind == SyntaxKind::add) return *x + *y;
      if (e->kind == SyntaxKind::subtract) return *x - *y;
      if (e->kind == SyntaxKind::multiply) return *x * *y;
      if (e->kind == SyntaxKind::power) return y->is_integer() && y->sign() >= 0 && *y <= Rational(16) ? std::optional(expr::power(*x, y->num())) : std::nullopt;
      if (y->is_zero()) expr::fail("shape.operand", "division by zero", e->span);
      return *x / *y;
    }
    case SyntaxKind::floor_divide:
    case SyntaxKind::modulo: {
      const auto x = constant(e->args[0]), y = constant(e->args[1]);
      if (!x || !y || !x->is_integer() || !y->is_integer() || y->sign() <= 0) return std::nullopt;
      const std::int64_t rest = ((x->num() % y->num()) + y->num()) % y->num();
      return e->kind == SyntaxKind::modulo ? Rational(rest) : Rational((x->num() - rest) / y->num());
    }
    default: return std::nullopt;
  }
}

/// A name of which `positive(x)`, `x > 0` or `x >= 1` is assumed, the value of a function that is positive wherever a logarithm of it has a value,
/// or a product, quotient or sum of such.
bool Elaborator::is_positive_base(const Expression& e) const {
  static const std::set<std::string> positive = {"exp", "sigmoid", "softmax", "softmax1", "softplus"};
  if (e->kind == SyntaxKind::call) return positive.count(e->name) > 0;
  if (e->kind == SyntaxKind::number) return e->value.sign() > 0;
  if (e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::divide || e->kind == SyntaxKind::add) return is_positive_base(e->args[0]) && is_positive_base(e->args[1]);
  if (e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::power || (e->kind == SyntaxKind::index && !is_part(e))) return is_positive_base(e->args[0]);
  if (e->kind != SyntaxKind::name) return false;
  if (const Expression value = defined_as(e)) return remembered(is_positive_base_, e->name, [&] { return is_positive_base(value); });
  if (names_.sizes.count(e->name) > 0) return index_scope_.count(e->name) == 0 && !expr::is_rank(e->name);
  using expr::Relation;
  return std::any_of(claim_.assumptions.begin(), claim_.assumptions.end(), [&](const expr::Assumption& a) {
    if (!a.relation) return a.lhs->kind == SyntaxKind::call && a.lhs->name == "positive" && a.lhs->args.size() == 1 && expr::same(a.lhs->args[0], e);
    const auto is_above = [&](const Expression& x, Relation strict, Relation reached, const Expression& bound) {
      if (!expr::same(x, e) || bound->kind != SyntaxKind::number) return false;
      return (*a.relation == strict && bound->value.sign() >= 0) || (*a.relation == reached && bound->value.sign() > 0);
    };
    return is_above(a.lhs, Relation::greater, Relation::greater_equal, a.rhs) || is_above(a.rhs, Relation::less, Relation::less_equal, a.lhs);
  });
}

/// Errors: call.exponent for np.arange(n) ** -1 and 2 ** -np.arange(n)
void Elaborator::refuse_negative_power(const Expression& e) const {
  const Expression &base = e->args[0], &exponent = e->args[1];
  const auto is_negative = [](const Expression& x) { return x->kind == SyntaxKind::negate || (x->kind == SyntaxKind::multiply && x->args[0]->kind == SyntaxKind::negate); };
  const read::Numbers of_base = read::kind_of(claim_, base), of_exponent = read::kind_of(claim_, exponent);
  if (!is_negative(exponent) || of_base.kind != read::Kind::whole || of_exponent.kind != read::Kind::whole || (!of_base.array && !of_exponent.array)) return;
  expr::fail("call.exponent", "arrays of whole numbers have no powers with negative exponents in NumPy and PyTorch", e->span, "write 1 / x**k, or a number with a point: 2.0 ** -np.arange(n)");
}

Term Elaborator::power(const Expression& e) {
  refuse_negative_power(e);
  const auto exponent = constant(e->args[1]);
  if (!exponent) {
    const auto base = constant(e->args[0]);
    if (base && base->is_one()) expr::fail("call.exponent", "1 to any power is 1, in NumPy also where the exponent has no value", e->span, "write ones_like(x) for the shape of the exponent x");
    if (!(base && base->sign() > 0) && !is_positive_base(e->args[0])) {
      expr::fail("call.exponent", "the exponent of ** must be a number, or its base positive", e->args[1]->span, "write x**2, x**(1/2) or x**-1; assume positive(x) of a base with a name, or write exp(y * log(x)) for x**y; matrix powers are matrix_power(A, 3)");
    }
    if (is_infinite(term(e->args[0]))) expr::fail("call.exponent", "minus infinity stands in the base of a power, which may be 0 then", e->args[0]->span, "write the power of what is not masked");
    const Expression logarithm = expr::node(SyntaxKind::call, {e->args[0]}, "log", e->span);
    return term(expr::node(SyntaxKind::call, {expr::node(SyntaxKind::multiply, {e->args[1], logarithm}, {}, e->span)}, "exp", e->span));
  }
  return apply(expr::operator_id<expr::ops::Power>(), e, {term(e->args[0])}, {}, {}, *exponent);
}

bool Elaborator::always_negative(const Dim& d) const {
  const auto at_least_one = [&](const expr::DimSymbol& s) { return !s.division && !expr::is_rank(s.name) && used_indices_.count(s.name) == 0; };
  bool negative = false;
  for (const auto& summand : d.summands()) {
    if (summand.coefficient > 0) return false;
    negative |= std::all_of(summand.product.begin(), summand.product.end(), at_least_one);
  }
  return negative;
}

/// Whether an index of a comprehension has a part in it.
bool Elaborator::has_index(const Dim& d) const {
  std::vector<std::string> names;
  expr::collect_names(d, names);
  return std::any_of(names.begin(), names.end(), [&](const auto& n) { return used_indices_.count(n) > 0; });
}

/// Whether the place of a comprehension's index is, for some of its values, one that NumPy counts from the end, as i - 1 and -i are at i = 0 and 1.
bool Elaborator::goes_round(const Dim& place, const Dim& extent) const {
  return has_index(place) && !never_negative(place) && never_negative(place + extent) && never_negative(extent - place - Dim(1));
}

/// Whether a slice goes backwards.
static bool turns(const expr::Subscript& s) { return s.step && s.step->kind == SyntaxKind::negate; }

Dim Elaborator::place_in(const Expression& written, const Dim& extent, bool slice) {
  const Dim d = resolve(size(written)), back = -d;
  if (!slice && goes_round(d, extent)) return expr::modulo(d + extent, extent);
  if (always_negative(d)) return extent + d;
  if (d.constant() || never_negative(d)) return d;
  if (is_at_least(back, 1)) return extent + d;
  if (!is_at_least(back, 0)) return d;
  expr::fail("shape.place", "where " + expr::text(back) + " is 0 this is 0, which is the beginning, and does not count from the end", written->span, (has_index(back) ? "" : "add assume " + expr::text(back) + " >= 1, or ") + ("write it from the beginning: " + expr::text(extent + d)));
}

/// Where x[a:b:-1] begins and ends, as the end of a slice that goes forwards: 1 more than the place.
Dim Elaborator::turned_end(const Expression& written, const Dim& extent) {
  const Dim d = resolve(size(written));
  if (always_negative(d)) return extent + d + Dim(1);
  if (!d.constant() && !never_negative(d)) expr::fail("shape.place", "where " + expr::text(d) + " is negative this place counts from the end", written->span, "write X[a:b][::-1]");
  const auto place = d.constant(), rows = extent.constant();
  return place && rows ? Dim(std::min(*place + 1, *rows)) : d + Dim(1);
}

Term Elaborator::index(const Expression& e) {
  if (is_part(e)) return part(e);
  const Term base = term(e->args[0]);
  const std::size_t rank = base->shape.size();
  current_ = e;
  current_args_ = {base};
  if (const auto chosen = take(e, base)) return chosen;
  const std::vector<expr::Subscript> written = all_axes(e->subscripts, rank);
  std::vector<Dim> sizes;
  std::vector<std::size_t> new_axes;  // places in the result
  std::size_t result_rank = 0;
  for (const expr::Subscript& s : written) {
    if (is_new_axis(s)) {
      new_axes.push_back(result_rank++);
      continue;
    }
    if (sizes.size() == 3 * rank) fail("too many subscripts for the shape " + describe(base->shape), "one subscript an axis");
    const Dim extent = resolve(base->shape[sizes.size() / 3]);
    sizes.push_back(s.slice ? 0 : 1);
    if (turns(s)) {  // x[a:b:-1] is x[b + 1:a + 1][::-1]
      sizes.push_back(s.stop ? turned_end(s.stop, extent) : Dim(0));
      sizes.push_back(s.start ? turned_end(s.start, extent) : extent);
    } else {
      sizes.push_back(s.start ? place_in(s.start, extent, s.slice) : Dim(0));
      sizes.push_back(!s.slice ? Dim(0) : s.stop ? place_in(s.stop, extent, true) : extent);
    }
    for (const std::size_t back : {std::size_t{2}, std::size_t{1}}) {  // cut off, as in Python
      Dim& place = sizes[sizes.size() - back];
      const auto at = place.constant(), rows = extent.constant();
      if (s.slice && at && rows) place = std::clamp(*at, std::int64_t{0}, *rows);
    }
    check_inside(e, extent, s, sizes);
    const bool up_to_place = s.slice && !s.start && s.stop && s.stop->kind == SyntaxKind::name && index_scope_.count(s.stop->name) > 0;  // K[:i] is what stands before row i
    note_walk(extent, !s.slice ? sizes[sizes.size() - 2] + Dim(1) : up_to_place ? sizes.back() + Dim(1) : sizes.back());
    if (s.slice) ++result_rank;
  }
  const std::vector<Dim> steps = stretch(written, base->shape, sizes);
  Term selected = apply(expr::operator_id<expr::ops::Subscripts>(), e, {base}, sizes);
  std::ptrdiff_t slice = 0;
  for (const expr::Subscript& s : written) {
    if (turns(s)) selected = apply(expr::operator_id<expr::ops::FlipAxis>(), e, {selected}, {}, slice);
    if (s.slice) ++slice;
  }
  const auto is_long = [](const expr::Subscript& s) { return s.step && !(turns(s) && expr::text(s.step) == "-1"); };
  if (std::any_of(written.begin(), written.end(), is_long)) selected = apply(expr::operator_id<expr::ops::Stride>(), e, {selected}, steps);
  if (new_axes.empty()) return selected;
  Shape shape = sizes_.resolve(selected->shape);
  for (const std::size_t axis : new_axes) shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), Dim(1));
  return apply(expr::operator_id<expr::ops::Reshape>(), e, {selected}, shape);
}

std::vector<Dim> Elaborator::stretch(const std::vector<expr::Subscript>& written, const Shape& shape, std::vector<Dim>& sizes) {
  std::vector<Dim> steps;
  std::size_t next = 0;
  for (const expr::Subscript& s : written) {
    if (is_new_axis(s)) continue;
    const std::size_t axis = next++;
    if (!s.slice) continue;
    const Dim step = !s.step ? Dim(1) : resolve(size(turns(s) ? s.step->args[0] : s.step));
    steps.push_back(step);
    steps.push_back(0);
    if (step.is_one()) continue;
    Dim &start = sizes[3 * axis + 1], &stop = sizes[3 * axis + 2];
    const std::string by = expr::text(step);
    if (!turns(s) && !(stop - start).divide(step) && is_below(start, step)) {
      steps.back() = start;
      start = 0;
    }
    const Dim taken = resolve(stop - start);
    const auto size = taken.as_symbol();
    const bool open = size && !size->division && Sizes::is_unknown(size->name);  // a declared d stands for odd sizes, too
    const bool counted = step.constant() && steps.back().constant() && !has_index(taken) && !open;  // as many as NumPy takes, (n + 1)//2 for x[::2]
    if (!counted && !taken.divide(step) && (!open || !sizes_.define(size->name, step * sizes_.fresh()))) {
      fail("a step of " + by + " is taken from a multiple of " + by + ", not from " + expr::text(taken), "write the size of axis " + std::to_string(axis) + " of " + describe(shape) + " as " + by + "*p, or assume that " + by + " divides it: assume d % " + by + " == 0");
    }
    start = resolve(start);
    stop = resolve(stop);
  }
  return steps;
}

/// Whether a place is surely smaller than a step: a number than a number, the index of a comprehension than its range.
bool Elaborator::is_below(const Dim& place, const Dim& step) const {
  const auto number = place.constant(), most = step.constant();
  if (number) return *number == 0 || (most && *number < *most);
  const auto index = place.as_symbol();
  const auto range = index && !index->division ? index_range_.find(index->name) : index_range_.end();
  return range != index_range_.end() && sizes_.resolve(range->second) == step;
}

/// One subscript for every axis of a tensor, and those that add one: `...` is spelled out, missing ones at the end are `:`.
std::vector<expr::Subscript> Elaborator::all_axes(const std::vector<expr::Subscript>& written, std::size_t rank) {
  const auto count = [&](bool (*is)(const expr::Subscript&)) { return static_cast<std::size_t>(std::count_if(written.begin(), written.end(), is)); };
  const std::size_t named = written.size() - count(expr::is_new_axis) - count(expr::is_ellipsis);
  if (count(expr::is_ellipsis) > 1) fail("`...` stands in one place only", "write : for the other axes");
  const std::vector<expr::Subscript> rest(named < rank ? rank - named : 0, expr::Subscript{true, nullptr, nullptr, nullptr});
  std::vector<expr::Subscript> all = written;
  const auto dots = std::find_if(all.begin(), all.end(), expr::is_ellipsis);
  all.insert(dots == all.end() ? dots : all.erase(dots), rest.begin(), rest.end());
  return all;
}

Expression Elaborator::whole_numbers(const Expression& e) const {
  const Expression list = written_list(e);
  const auto is_whole = [](const Expression& a) {
    const Expression& digits = a->kind == SyntaxKind::negate ? a->args[0] : a;
    return digits->kind == SyntaxKind::number && digits->value.is_integer();
  };
  return list && std::all_of(list->args.begin(), list->args.end(), is_whole) ? list : nullptr;
}

std::optional<std::vector<bool>> Elaborator::written_truth(const Expression& e) const {
  const Expression value = behind_names(e);
  if (expr::is_call(value, "~") && value->args.size() == 1) {
    auto truth = written_truth(value->args[0]);
    if (truth) truth->flip();
    return truth;
  }
  const Expression numbers = expr::is_comparison(*value) && value->name == "==" && value->args[1]->kind == SyntaxKind::number ? whole_numbers(value->args[0]) : nullptr;
  if (!numbers) return std::nullopt;
  std::vector<bool> truth;
  for (const Expression& x : numbers->args) truth.push_back(x->kind == SyntaxKind::number && x->value == value->args[1]->value);
  return truth;
}

Expression Elaborator::written_tokens(const Expression& e) const {
  if (const Expression one_row = whole_numbers(e)) return one_row;
  const Expression value = behind_names(e);
  if (expr::is_call(value, "reshape") && value->args.size() == 2) {
    const Expression rows = written_tokens(value->args[0]);
    if (!rows) return nullptr;
    std::vector<Expression> all;
    for (const Expression& row : rows->args) {
      if (row->kind == SyntaxKind::list) all.insert(all.end(), row->args.begin(), row->args.end());
      else all.push_back(row);
    }
    const Expression& size = value->args[1]->kind == SyntaxKind::list && value->args[1]->args.size() == 1 ? value->args[1]->args[0] : value->args[1];
    const bool fits = expr::is_number(size, static_cast<std::int64_t>(all.size())) || (size->kind == SyntaxKind::negate && expr::is_number(size->args[0], 1));
    return fits ? expr::node(SyntaxKind::list, std::move(all), {}, e->span) : nullptr;
  }
  const Expression rows = written_list(value);
  return rows && std::all_of(rows->args.begin(), rows->args.end(), [this](const Expression& row) { return row->kind == SyntaxKind::list && whole_numbers(row); }) ? rows : nullptr;
}

Term Elaborator::at_places(const Expression& e, std::ptrdiff_t axis, const expr::Syntax& places) {
  std::vector<Expression> parts;
  for (const Expression& place : places.args) {
    auto part = std::make_shared<expr::Syntax>(*e);
    part->subscripts[static_cast<std::size_t>(axis)].start = place;
    parts.push_back(std::move(part));
  }
  auto stack = std::make_shared<expr::Syntax>(*expr::node(SyntaxKind::call, {expr::node(SyntaxKind::list, parts, {}, e->span)}, "stack", e->span));
  stack->keywords.emplace_back("axis", expr::number(axis));
  return term(stack);
}

Term Elaborator::take(const Expression& e, const Term& base) {
  // The token numbers t of E[t], X[:, t], H[t[i]]: one subscript that is a tensor, whole axes beside it.
  const auto tokens = [this](const expr::Subscript& s) {
    if (s.slice || !s.start || is_new_axis(s) || is_ellipsis(s)) return false;
    if (((expr::is_call(s.start, "array") || s.start->kind == SyntaxKind::list) && whole_numbers(s.start)) || written_truth(s.start)) return true;
    if (bool places = false; s.start->kind != SyntaxKind::name && counts(s.start, places) && places) return true;
    const Expression& name = s.start->kind == SyntaxKind::index ? s.start->args[0] : s.start;
    return name->kind == SyntaxKind::name && index_scope_.count(name->name) == 0 && (by_name_.count(name->name) > 0 || definitions_.count(name->name) > 0);
  };
  const auto at = std::find_if(e->subscripts.begin(), e->subscripts.end(), tokens);
  if (at == e->subscripts.end()) return nullptr;
  if (std::any_of(e->subscripts.begin(), e->subscripts.end(), expr::is_ellipsis)) {  // x[..., t]
    auto spelled = std::make_shared<expr::Syntax>(*e);
    spelled->subscripts = all_axes(e->subscripts, base->shape.size());
    return take(spelled, base);
  }
  const auto truth = written_truth(at->start);
  if (!truth && read::chooses(claim_, at->start)) expr::fail("call.mask", "a mask chooses as many places as it holds for, which is no size of a claim", at->start->span, "multiply by it: (x * m[:, None]).sum(0) for x[m].sum(0)");
  const bool whole = std::all_of(e->subscripts.begin(), e->subscripts.end(), [&](const auto& s) { return &s == &*at || (s.slice && !s.start && !s.stop && !s.step); });
  if (!whole && e->subscripts.size() <= base->shape.size()) {  // X[i, t] is X[i, :][t], and X[:k, t] is X[:k, :][:, t]
    const bool one = !truth && !whole_numbers(at->start) && term(at->start)->shape.empty();
    auto others = std::make_shared<expr::Syntax>(*e), after = std::make_shared<expr::Syntax>(*e);
    others->subscripts[static_cast<std::size_t>(at - e->subscripts.begin())] = expr::Subscript{true, nullptr, nullptr, nullptr};
    after->args[0] = others;
    after->subscripts.clear();
    bool places = false, slices = false, known = true;
    for (const expr::Subscript& s : e->subscripts) {
      if (&s == &*at) {
        after->subscripts.push_back(s);
        continue;
      }
      known = known && !is_new_axis(s) && !tokens(s);
      (s.slice ? slices : places) = true;
      if (s.slice) after->subscripts.push_back(expr::Subscript{true, nullptr, nullptr, nullptr});
    }
    if (known && (one || !places || !slices)) return index(after);  // X[0, :, [1, 2]] has its axes in another order
  }
  if (!whole || e->subscripts.size() > base->shape.size()) fail("token numbers stand alone between brackets", "write E[t][:, :k]: one step after the other");
  const auto axis = at - e->subscripts.begin();
  if (truth) {  // of np.array([True, False, True]) the places that it holds for
    const Dim extent = resolve(base->shape[static_cast<std::size_t>(axis)]);
    std::vector<Expression> places;
    for (std::size_t k = 0; k < truth->size(); ++k) {
      if ((*truth)[k]) places.push_back(expr::number(static_cast<std::int64_t>(k), at->start->span));
    }
    if (places.empty() || extent != Dim(static_cast<std::int64_t>(truth->size()))) fail("a mask of " + std::to_string(truth->size()) + " places chooses " + std::to_string(places.size()) + " from an axis of " + expr::text(extent), "a mask has as many places as the axis, and chooses one at least");
    return at_places(e, axis, *expr::node(SyntaxKind::list, std::move(places), {}, at->start->span));
  }
  if (const Expression places = whole_numbers(at->start)) return at_places(e, axis, *places);
  const Term numbers = term(at->start);
  require_inside(numbers, resolve(base->shape[static_cast<std::size_t>(axis)]), e);
  current_ = e;
  current_args_ = {base, numbers};
  if (numbers->shape.size() > 1 && axis == 0) {
    return of_each_row(e, numbers, [&](const Term& row) { return apply(expr::operator_id<expr::ops::Take>(), e, {base, row}, {}, 0); });
  }
  if (numbers->shape.size() > 1) fail("the places along axis " + std::to_string(axis) + " are " + describe(numbers->shape) + ", and a list [n] is read there", at->start->kind == SyntaxKind::name ? "declare " + expr::text(at->start) + ": [n]" : "write X.T[...], where they are places along the first axis, or one list of places");
  const Dim extent = base->shape[static_cast<std::size_t>(axis)];
  const bool list = std::any_of(claim_.assumptions.begin(), claim_.assumptions.end(), [&](const auto& a) {
    const Expression& name = at->start->kind == SyntaxKind::index ? at->start->args[0] : at->start;
    return !a.relation && a.lhs->kind == SyntaxKind::call && a.lhs->name == "permutation" && a.lhs->args.size() == 1 && expr::same(a.lhs->args[0], name);
  });
  if (list) {  // a permutation list names every row once, where the sizes leave it open
    const Term whole_list = at->start->kind == SyntaxKind::index ? term(at->start->args[0]) : numbers;
    if (whole_list->shape.size() == 1) {
      if (numbers->shape.empty() && at->start->subscripts[0].start->kind == SyntaxKind::name) {
        const auto index = index_scope_.find(at->start->subscripts[0].start->name);
        if (index != index_scope_.end()) unify(whole_list->shape[0], index_range_.at(index->second));
      }
      unify(extent, whole_list->shape[0]);
    }
  }
  return apply(expr::operator_id<expr::ops::Take>(), e, {base, numbers}, {}, axis);
}

void Elaborator::check_inside(const Expression& e, const Dim& extent, const expr::Subscript& s, const std::vector<Dim>& sizes) {
  const Dim& start = sizes[sizes.size() - 2];
  const Dim& stop = sizes.back();
  const auto negative = [](const Dim& d) {
    const auto c = d.constant();
    return c && *c < 0;
  };
  if (s.slice ? negative(start) || negative(extent - stop) || negative(stop - start - Dim(1)) : negative(start) || negative(extent - start - Dim(1))) {
    const bool computed = s.slice && s.start && s.start->kind != SyntaxKind::negate && s.start->kind != SyntaxKind::number;
    const auto at = computed ? resolve(size(s.start)).constant() : std::nullopt;
    const std::string hint = at && *at < 0 ? "the slice begins at " + std::to_string(*at) + ", which NumPy counts from the end; write max(0, " + expr::text(s.start) + ") for the beginning" : "indices run from 0 to size - 1";
    expr::fail("shape.subscript", "this subscript lies outside an axis of size " + expr::text(extent) + " or selects nothing", e->span, hint);
  }
}

}  // namespace foldproof::infer
