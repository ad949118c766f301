// SPDX-License-Identifier: MIT
#include "kernel/reduction.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "expr/build.hpp"
#include "expr/operators.hpp"
#include "kernel/algebra.hpp"

namespace foldproof::kernel {
namespace {

using expr::Claim;
using expr::Dim;
using expr::Expression;
using expr::node;
using expr::Relation;
using expr::Syntax;
using expr::SyntaxKind;
using infer::Problem;
using infer::Term;
using infer::TermKind;

constexpr std::array<std::string_view, reduction_count> names = {"none", "within", "modulo", "least", "equal", "above", "below", "before", "after", "scaled", "increasing", "exponential", "squared", "lemma", "congruent", "blocks"};

void require(bool holds, const char* what) {
  if (!holds) throw Reject(what);
}

/// e with names replaced.
Expression replaced(const Expression& e, const std::function<Expression(const std::string&)>& by) {
  if (e->kind == SyntaxKind::name) {
    const Expression other = by(e->name);
    return other ? other : e;
  }
  auto copy = std::make_shared<Syntax>(*e);
  for (Expression& a : copy->args) a = replaced(a, by);
  return copy;
}

/// A size as an expression; ranks are written out.
Expression expression_of(const Dim& d, const Problem& problem) {
  return replaced(expr::parse_expression(expr::text(d)), [&](const std::string& name) -> Expression {
    for (const auto& r : problem.ranks) {
      if (r.name == name) return node(SyntaxKind::call, {r.matrix}, "rank");
    }
    return nullptr;
  });
}

Claim assuming(const Claim& claim, const Expression& lhs, Relation relation, const Expression& rhs) {
  Claim result = claim;
  result.assumptions.push_back({lhs, relation, rhs, {}});
  return result;
}

Claim stating(const Claim& claim, const Expression& lhs, Relation relation, const Expression& rhs) {
  Claim result = claim;
  result.lhs = lhs;
  result.relation = relation;
  result.rhs = rhs;
  return result;
}

void visit(const Term& term, std::set<const infer::TermNode*>& seen, const std::function<void(const Term&)>& see) {
  if (!seen.insert(term.get()).second) return;
  see(term);
  for (const Term& a : term->args) visit(a, seen, see);
}

/// A name that stands nowhere in the text of the claim: a definition or a tensor of that name would not be a free size.
std::string unused_name(const Claim& claim, std::string name) {
  const std::string text = expr::text(claim);
  while (text.find(name) != std::string::npos) name += "_";
  return name;
}

bool is_call(const Expression& e, const char* name) { return e->kind == SyntaxKind::call && e->name == name; }
bool is_several(const Expression& e, const char* name) { return is_call(e, name) && e->args.size() >= 2; }

bool is_number(const Expression& e, std::int64_t n) { return e->kind == SyntaxKind::number && e->value == expr::Rational(n); }

std::vector<Claim> within(const Claim& claim, const Problem& problem, const std::string& size, const Expression& bound) {
  const auto bounds = slice_bounds(problem);
  const bool sliced = std::any_of(bounds.begin(), bounds.end(), [&](const auto& b) { return b.first == size && expr::same(expression_of(b.second, problem), bound); });
  const bool least = is_number(bound, 1) && !expr::is_rank(size) && std::find(problem.dimensions.begin(), problem.dimensions.end(), size) != problem.dimensions.end();  // every size is at least 1
  require(sliced || least, "within: no slice shows that the bound lies within the size");
  const Expression d = node(SyntaxKind::name, {}, size);
  const Expression rest = node(SyntaxKind::name, {}, unused_name(claim, "rest"));
  return {assuming(claim, d, Relation::equal, bound), assuming(claim, d, Relation::equal, node(SyntaxKind::add, {bound, rest}))};
}

std::vector<Claim> modulo(const Claim& claim, const Problem& problem, const std::string& size, std::int64_t c) {
  require(c >= 2 && c <= 8, "modulo: the divisor must be 2 to 8");
  require(std::find(problem.dimensions.begin(), problem.dimensions.end(), size) != problem.dimensions.end(), "modulo: no such size");
  const Expression d = node(SyntaxKind::name, {}, size);
  const std::string quotient = unused_name(claim, "quotient");
  std::vector<Claim> claims;
  for (std::int64_t r = 1; r < c; ++r) claims.push_back(assuming(claim, d, Relation::equal, expr::parse_expression(std::to_string(r))));
  for (std::int64_t r = 0; r < c; ++r) {
    claims.push_back(assuming(claim, d, Relation::equal, expr::parse_expression(std::to_string(c) + "*" + quotient + (r == 0 ? "" : " + " + std::to_string(r)))));
  }
  return claims;
}

/// One claim for each operand of min or max, which `with` puts in its place.
std::vector<Claim> each_operand(const Expression& call, const std::function<Claim(const Expression&)>& with) {
  std::vector<Claim> claims;
  for (const Expression& a : call->args) claims.push_back(with(a));
  return claims;
}

std::vector<Claim> least(const Claim& claim, const std::vector<std::string>& text) {
  if (text.empty()) {
    const auto side = splitting_side(claim);
    require(side.has_value(), "least: no side is min or max of several numbers");
    if (*side == Side::right) return each_operand(claim.rhs, [&](const Expression& a) { return stating(claim, claim.lhs, Relation::less_equal, a); });
    return each_operand(claim.lhs, [&](const Expression& a) { return stating(claim, a, Relation::less_equal, claim.rhs); });
  }
  const std::size_t k = !text[0].empty() && text[0].find_first_not_of("0123456789") == std::string::npos && text[0].size() < 6 ? std::stoul(text[0]) : claim.assumptions.size();
  require(k < claim.assumptions.size(), "least: no such assumption");
  const auto side = splitting_side(claim, claim.assumptions[k]);
  require(side.has_value(), "least: the assumption is not one of several");
  const bool left = *side == Side::left;
  return each_operand(left ? claim.assumptions[k].lhs : claim.assumptions[k].rhs, [&](const Expression& a) {
    Claim result = claim;
    (left ? result.assumptions[k].lhs : result.assumptions[k].rhs) = a;
    return result;
  });
}

using Comprehensions = std::vector<Expression>;  // from the outermost to the innermost
/// The comprehension that gives the name its meaning, if one does.
Expression binder(const Comprehensions& around, const std::string& name) {
  const auto at = std::find_if(around.rbegin(), around.rend(), [&](const Expression& c) { return c->name == name; });
  return at == around.rend() ? nullptr : *at;
}
/// Whether no name in e is the index of one of the comprehensions.
bool closed(const Expression& e, const Comprehensions& around) {
  return std::none_of(around.begin(), around.end(), [&](const Expression& c) { return expr::mentions(e, c->name); });
}

/// Whether `part`, which stands inside the comprehensions `around`, is evaluated for `whole`, whatever the sizes: at every value of
/// its indices, which must run over the same range there. Ranges mention no index.
bool occurs(const Expression& part, const Expression& whole, const Comprehensions& around, const Comprehensions& entered = {}) {
  const auto means_the_same = [&](const Expression& c) {
    if (!expr::mentions(part, c->name)) return true;
    const Expression here = binder(around, c->name), there = binder(entered, c->name);
    return here && there && expr::same(here->args[1], there->args[1]) && closed(here->args[1], around) && closed(there->args[1], entered);
  };
  const bool same = expr::same(part, whole) && std::all_of(around.begin(), around.end(), means_the_same) && std::all_of(entered.begin(), entered.end(), means_the_same);
  if (same) return true;
  Comprehensions inside = entered;
  if (whole->kind == SyntaxKind::comprehension) inside.push_back(whole);
  return std::any_of(whole->args.begin(), whole->args.end(), [&](const Expression& a) { return occurs(part, a, around, inside); });
}

bool contains(const std::vector<Expression>& list, const Expression& e) {
  return std::any_of(list.begin(), list.end(), [&](const Expression& x) { return expr::same(x, e); });
}

/// The argument of every assumption that is one of these predicates.
std::vector<Expression> assumed(const Claim& claim, const std::set<std::string>& predicates) {
  std::vector<Expression> found;
  for (const auto& a : claim.assumptions) {
    if (!a.relation && a.lhs->kind == SyntaxKind::call && a.lhs->args.size() == 1 && predicates.count(a.lhs->name) > 0) found.push_back(a.lhs->args[0]);
  }
  return found;
}

/// Adds what `take` makes of the parts of e that are evaluated once, whatever the sizes.
void parts_of(const Expression& e, const std::function<Expression(const Expression&)>& take, std::vector<Expression>& found) {
  if (e->kind == SyntaxKind::comprehension) return;
  const Expression part = take(e);
  if (part && !contains(found, part)) found.push_back(part);
  for (const Expression& a : e->args) parts_of(a, take, found);
}

/// A witness must have a value wherever the claim has one: it is made of operators that always do, and of parts of the claim and
/// of its assumptions. `around`: the comprehensions of the witness in which e stands.
bool always_defined(const Expression& e, const Claim& claim, const Comprehensions& around = {}) {
  static const std::set<std::string> total = {"concat", "vstack", "stack", "sum", "blockdiag", "kron", "rowkron", "eye", "ones", "zeros", "diag", "lfac", "rfac", "onehot", "reshape", "rank", "exp"};
  if (occurs(e, claim.lhs, around) || occurs(e, claim.rhs, around)) return true;
  const bool side = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return a.relation && (expr::same(a.lhs, e) || expr::same(a.rhs, e)); });
  if (side && closed(e, around)) return true;
  if (is_call(e, "log")) return e->args.size() == 1 && is_call(e->args[0], "exp") && always_defined(e->args[0], claim, around);
  const auto all = [&](std::size_t first) { return std::all_of(e->args.begin() + static_cast<std::ptrdiff_t>(first), e->args.end(), [&](const Expression& a) { return always_defined(a, claim, around); }); };
  switch (e->kind) {
    case SyntaxKind::number: return true;
    case SyntaxKind::name: return binder(around, e->name) || std::none_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& d) { return d.name == e->name; });
    case SyntaxKind::negate:
    case SyntaxKind::add:
    case SyntaxKind::subtract:
    case SyntaxKind::multiply:
    case SyntaxKind::matmul:
    case SyntaxKind::transpose: return all(0);
    case SyntaxKind::comprehension: {
      Comprehensions inner = around;
      inner.push_back(e);
      return always_defined(e->args[0], claim, inner);
    }
    case SyntaxKind::divide:
      if (e->args[1]->kind == SyntaxKind::number && !e->args[1]->value.is_zero()) return all(0);
      return all(0) && contains(nonzero_parts(claim), e->args[1]) && closed(e->args[1], around);
    case SyntaxKind::call:
      if (e->name == "inv") return e->args.size() == 1 && all(0) && contains(invertible_parts(claim), e->args[0]) && closed(e->args[0], around);
      return total.count(e->name) > 0 && e->keywords.empty() && all(0);
    default: return false;
  }
}

/// A size of a factor of the product that is the left side of the claim: `operand` 0 or 1, axis 0 or 1.
Expression size_of_factor(const Claim& claim, std::size_t operand, std::size_t axis) {
  const Problem problem = infer::elaborate(claim);
  const Term& product = problem.lhs;
  require(product->kind == TermKind::apply && product->op == expr::operator_id<expr::ops::Matmul>() && product->args[operand]->shape.size() == 2, "the witness is no product of matrices");
  return expression_of(product->args[operand]->shape[axis], problem);
}

std::vector<Claim> above(const Claim& claim, const Expression& left, const Expression& right) {
  require(claim.relation == Relation::less_equal && is_call(claim.lhs, "rank") && claim.lhs->args.size() == 1, "above: the claim does not bound a rank from above");
  require(always_defined(left, claim) && always_defined(right, claim), "above: the witness may have no value");
  const Claim product = stating(claim, node(SyntaxKind::matmul, {left, right}), Relation::equal, claim.lhs->args[0]);
  return {product, stating(claim, size_of_factor(product, 0, 1), Relation::less_equal, claim.rhs)};
}

std::vector<Claim> below(const Claim& claim, const Expression& left, const Expression& right) {
  require(claim.relation == Relation::less_equal && is_call(claim.rhs, "rank") && claim.rhs->args.size() == 1, "below: the claim does not bound a rank from below");
  require(always_defined(left, claim) && always_defined(right, claim), "below: the witness may have no value");
  const Expression product = node(SyntaxKind::matmul, {left, node(SyntaxKind::matmul, {claim.rhs->args[0], right})});
  const Expression s = size_of_factor(stating(claim, product, Relation::equal, product), 0, 0);
  return {stating(claim, product, Relation::equal, expr::call("eye", {s})), stating(claim, claim.lhs, Relation::less_equal, s)};
}

bool without_infinities(const Claim& claim) {
  const std::string text = expr::text(claim);
  return text.find("neginf") == std::string::npos && text.find("causal") == std::string::npos;
}

std::vector<Claim> multiplied(const Claim& claim, const Problem& problem, ReductionKind kind, const Expression& factor) {
  require(claim.relation == Relation::equal, "only an equation may be multiplied");
  require(without_infinities(claim), "a claim with infinities is not multiplied");  // 0 * inf is no number, and a product of matrices with infinities may be none
  const bool entrywise = kind == ReductionKind::scaled;
  require(contains(entrywise ? nonzero_parts(claim) : invertible_parts(claim), factor), "nothing says that what both sides are multiplied by can be divided by again");
  const auto times = [&](const Expression& side) {
    return kind == ReductionKind::after ? node(SyntaxKind::matmul, {side, factor}) : node(entrywise ? SyntaxKind::multiply : SyntaxKind::matmul, {factor, side});
  };
  const Claim result = stating(claim, times(claim.lhs), Relation::equal, times(claim.rhs));
  // A product of larger shape would say less of each entry, one of matrices with more axes is another product.
  require(infer::elaborate(result).lhs->shape == problem.lhs->shape && (entrywise || problem.lhs->shape.size() == 2), "the product has another shape than the sides");
  return {result};
}

std::vector<Claim> increasing(const Claim& claim) {
  static const std::set<std::string> functions = {"exp", "log", "sqrt", "tanh", "sigmoid", "relu", "softplus"};
  const bool same = claim.lhs->kind == SyntaxKind::call && claim.rhs->kind == SyntaxKind::call && claim.lhs->name == claim.rhs->name && functions.count(claim.lhs->name) > 0;
  require(claim.relation == Relation::less_equal && same && claim.lhs->args.size() == 1 && claim.rhs->args.size() == 1, "increasing: the sides are not values of one increasing function");
  return {stating(claim, claim.lhs->args[0], Relation::less_equal, claim.rhs->args[0])};
}

std::vector<Claim> exponential(const Claim& claim) {
  require(claim.relation == Relation::less_equal && without_infinities(claim), "exponential: no inequality between finite numbers");
  return {stating(claim, expr::call("exp", {claim.lhs}), Relation::less_equal, expr::call("exp", {claim.rhs}))};
}

std::vector<Claim> squared(const Claim& claim) {
  require(claim.relation == Relation::less_equal && without_infinities(claim), "squared: no inequality between finite numbers");
  const Expression two = expr::parse_expression("2");
  return {stating(claim, node(SyntaxKind::power, {claim.lhs, two}), Relation::less_equal, node(SyntaxKind::power, {claim.rhs, two})), stating(claim, expr::parse_expression("0"), Relation::less_equal, claim.rhs)};
}

std::vector<Claim> lemma(const Claim& claim, const Expression& left, const Expression& right) {
  require(always_defined(left, claim) && always_defined(right, claim), "lemma: a side may have no value");
  Claim helped = claim;
  helped.assumptions.insert(helped.assumptions.begin(), {left, Relation::equal, right, {}});  // the first assumption simplifies the others
  return {stating(claim, left, Relation::equal, right), helped};
}

std::vector<Claim> congruent(const Claim& claim) {
  // Functions of tensors: none that takes sizes, whose names would mean something else in a claim of their own.
  static const std::set<std::string> functions = {"abs", "concat", "cos", "det", "exp", "frob2", "gelu", "inv", "kron", "l2norm", "layernorm", "log", "log_softmax", "lse", "max", "mean", "relu", "rms", "rmsnorm", "rowsum", "colsum", "sigmoid", "silu", "sin", "softmax", "softmax1", "softplus", "sqrt", "sum", "tanh", "trace", "vstack"};
  static const std::set<SyntaxKind> operators = {SyntaxKind::negate, SyntaxKind::add, SyntaxKind::subtract, SyntaxKind::multiply, SyntaxKind::divide, SyntaxKind::matmul, SyntaxKind::power, SyntaxKind::transpose};
  const Expression &l = claim.lhs, &r = claim.rhs;
  require(claim.relation == Relation::equal && (operators.count(l->kind) > 0 || (l->kind == SyntaxKind::call && functions.count(l->name) > 0)), "congruent: the left side is no function of tensors");
  auto moved = std::make_shared<Syntax>(*l);
  moved->args = r->args;
  require(l->args.size() == r->args.size() && expr::same(moved, r) && !expr::same(l, r), "congruent: the sides are not values of one function");
  std::vector<Claim> claims;
  for (std::size_t k = 0; k < l->args.size(); ++k) {
    if (expr::same(l->args[k], r->args[k])) continue;
    claims.push_back(stating(claim, l->args[k], Relation::equal, r->args[k]));
    const Problem part = infer::elaborate(claims.back());
    require(part.lhs->shape == part.rhs->shape, "congruent: what the function is taken of has two shapes");
  }
  return claims;
}

std::vector<Claim> blocks(const Claim& claim, const Problem& problem, const std::string& axis_text, const Expression& point) {
  require(claim.relation == Relation::equal && problem.lhs->shape == problem.rhs->shape, "blocks: the claim is no equation of two tensors of one shape");
  require((axis_text == "0" || axis_text == "1") && problem.lhs->shape.size() > (axis_text == "1" ? 1u : 0u), "blocks: no such axis");
  const std::size_t axis = axis_text == "1" ? 1 : 0;
  const auto inside = cut_points(problem.lhs->shape[axis]);
  require(std::any_of(inside.begin(), inside.end(), [&](const Dim& d) { return expr::same(expression_of(d, problem), point); }), "blocks: the axis is no sum of sizes of which that is one");
  const auto part = [&](const Expression& side, bool first) {
    auto sliced = std::make_shared<Syntax>(*node(SyntaxKind::index, {side}));
    sliced->subscripts.assign(axis, {.slice = true, .start = nullptr, .stop = nullptr});
    sliced->subscripts.push_back({.slice = true, .start = first ? nullptr : point, .stop = first ? point : nullptr});
    return Expression(sliced);
  };
  std::vector<Claim> claims;
  for (const bool first : {true, false}) claims.push_back(stating(claim, part(claim.lhs, first), Relation::equal, part(claim.rhs, first)));
  return claims;
}

}  // namespace

std::vector<Dim> cut_points(const Dim& size) {
  std::vector<Dim> points;
  for (const auto& m : size.summands()) {
    const bool plain = m.coefficient == 1 && m.product.size() == 1 && !m.product[0].division && !expr::is_rank(m.product[0].name);
    if (!plain) return {};
    points.push_back(Dim::symbol(m.product[0]));
  }
  return points.size() > 1 ? points : std::vector<Dim>{};
}

std::vector<Expression> invertible_parts(const Claim& claim) {
  std::vector<Expression> found = assumed(claim, {"invertible", "orthogonal", "permutation"});
  const auto take = [](const Expression& e) { return is_call(e, "inv") && e->args.size() == 1 ? e->args[0] : nullptr; };
  parts_of(claim.lhs, take, found);
  parts_of(claim.rhs, take, found);
  return found;
}

std::vector<Expression> nonzero_parts(const Claim& claim) {
  std::vector<Expression> found = assumed(claim, {"positive", "nonzero"});
  for (const auto& a : claim.assumptions) {
    const bool not_zero = a.relation == Relation::not_equal || a.relation == Relation::greater || a.relation == Relation::less;
    if (not_zero && is_number(a.rhs, 0) && !contains(found, a.lhs)) found.push_back(a.lhs);
  }
  const auto take = [](const Expression& e) { return e->kind == SyntaxKind::divide ? e->args[1] : nullptr; };
  parts_of(claim.lhs, take, found);
  parts_of(claim.rhs, take, found);
  return found;
}

Claim declared(const Claim& claim, const Problem& problem) {
  Claim result = claim;
  for (const auto& v : problem.variables) {
    const bool known = std::any_of(claim.declarations.begin(), claim.declarations.end(), [&](const auto& d) { return d.name == v.name; });
    if (!known) result.declarations.push_back({v.name, v.shape, {}});
  }
  return result;
}

std::optional<Side> splitting_side(const Claim& claim) {
  if (claim.relation != Relation::less_equal) return std::nullopt;
  return is_several(claim.rhs, "min") ? std::optional(Side::right) : is_several(claim.lhs, "max") ? std::optional(Side::left) : std::nullopt;
}

std::optional<Side> splitting_side(const Claim& claim, const expr::Assumption& a) {
  if (!a.relation || (!is_several(a.lhs, "min") && !is_several(a.lhs, "max") && !is_several(a.rhs, "min") && !is_several(a.rhs, "max"))) return std::nullopt;
  // Of two matrices one entry may be the larger here and the other there.
  try {
    const Problem sides = infer::elaborate(stating(claim, a.lhs, Relation::less_equal, a.rhs));
    if (!sides.lhs->shape.empty() || !sides.rhs->shape.empty()) return std::nullopt;
  } catch (const expr::Error&) {
    return std::nullopt;
  }
  const bool rises = *a.relation == Relation::greater_equal || *a.relation == Relation::greater;
  const bool falls = *a.relation == Relation::less_equal || *a.relation == Relation::less;
  if ((rises && is_several(a.rhs, "min")) || (falls && is_several(a.rhs, "max"))) return Side::right;
  if ((falls && is_several(a.lhs, "min")) || (rises && is_several(a.lhs, "max"))) return Side::left;
  return std::nullopt;
}

bool has_no_value(const Claim& reduced, const Reduction& reduction, const expr::Error& error) {
  if (!by_cases(reduction.kind) || error.diagnostic().code != "shape.subscript" || !reduced.definitions.empty()) return false;
  Claim bare = reduced;
  bare.assumptions = {reduced.assumptions.back()};  // the sizes of this case
  try {
    infer::elaborate(bare);
    return false;
  } catch (const expr::Error& e) {
    return e.diagnostic().code == "shape.subscript";
  }
}

std::string_view name(ReductionKind kind) { return names[static_cast<std::size_t>(kind)]; }

std::vector<std::pair<std::string, Dim>> slice_bounds(const Problem& problem) {
  std::vector<std::pair<std::string, Dim>> found;
  const auto note = [&](const Dim& extent, const Dim& bound) {
    const auto d = extent.as_symbol();
    if (!d || d->division || bound.constant() || expr::is_rank(d->name) || expr::mentions_rank(bound)) return;
    std::vector<std::string> inside;
    expr::collect_names(bound, inside);
    const bool plain = std::none_of(bound.summands().begin(), bound.summands().end(), [](const auto& m) { return std::any_of(m.product.begin(), m.product.end(), [](const auto& s) { return s.division != nullptr; }); });
    // Comprehension indices are no sizes.
    const bool sizes = std::all_of(inside.begin(), inside.end(), [&](const auto& n) { return std::find(problem.dimensions.begin(), problem.dimensions.end(), n) != problem.dimensions.end(); });
    if (!plain || !sizes || std::find(inside.begin(), inside.end(), d->name) != inside.end()) return;
    if (std::find(found.begin(), found.end(), std::pair{d->name, bound}) == found.end()) found.emplace_back(d->name, bound);
  };
  std::set<const infer::TermNode*> seen;
  const auto see = [&](const Term& t) {
    if (t->kind != TermKind::apply || t->op != expr::operator_id<expr::ops::Subscripts>()) return;
    const auto& extents = t->call.operands[0];
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {  // (kind, start, stop): see expr/ops/structure.hpp
      const bool single = t->call.sizes[3 * axis].is_one();
      note(extents[axis], t->call.sizes[3 * axis + 1]);
      if (!single) note(extents[axis], t->call.sizes[3 * axis + 2]);
    }
  };
  visit(problem.lhs, seen, see);
  visit(problem.rhs, seen, see);
  for (const auto& f : problem.facts) {
    if (f.kind != infer::FactKind::dimension) continue;
    if (f.relation == Relation::less_equal || f.relation == Relation::less) note(f.rhs_size, f.lhs_size);
    if (f.relation == Relation::greater_equal || f.relation == Relation::greater) note(f.lhs_size, f.rhs_size);
  }
  return found;
}

std::vector<Claim> reduce(const Claim& original, const Problem& problem, const Reduction& reduction) {
  const Claim claim = declared(original, problem);
  const auto text = [&](std::size_t k) -> const std::string& {
    require(k < reduction.text.size() && reduction.text[k].size() <= 100000, "the reduction lacks a text");
    return reduction.text[k];
  };
  switch (reduction.kind) {
    case ReductionKind::within: return within(claim, problem, text(0), expr::parse_expression(text(1)));
    case ReductionKind::modulo: {
      const Expression c = expr::parse_expression(text(1));
      require(c->kind == SyntaxKind::number && c->value.is_integer(), "modulo: the divisor must be a number");
      return modulo(claim, problem, text(0), c->value.num());
    }
    case ReductionKind::least: return least(claim, reduction.text);
    case ReductionKind::equal:
      require(claim.relation == Relation::equal, "equal: the claim is no equation");
      return {stating(claim, claim.lhs, Relation::less_equal, claim.rhs), stating(claim, claim.rhs, Relation::less_equal, claim.lhs)};
    case ReductionKind::above: return above(claim, expr::parse_expression(text(0)), expr::parse_expression(text(1)));
    case ReductionKind::below: return below(claim, expr::parse_expression(text(0)), expr::parse_expression(text(1)));
    case ReductionKind::before:
    case ReductionKind::after:
    case ReductionKind::scaled: return multiplied(claim, problem, reduction.kind, expr::parse_expression(text(0)));
    case ReductionKind::increasing: return increasing(claim);
    case ReductionKind::exponential: return exponential(claim);
    case ReductionKind::squared: return squared(claim);
    case ReductionKind::lemma: return lemma(claim, expr::parse_expression(text(0)), expr::parse_expression(text(1)));
    case ReductionKind::congruent: return congruent(claim);
    case ReductionKind::blocks: return blocks(claim, problem, text(0), expr::parse_expression(text(1)));
    case ReductionKind::none: break;
  }
  throw Reject("no reduction");
}

}  // namespace foldproof::kernel
