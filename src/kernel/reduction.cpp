// SPDX-License-Identifier: MIT
#include "kernel/reduction.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>

#include "infer/is_operator.hpp"
#include "infer/names.hpp"
#include "infer/visit.hpp"
#include "kernel/reduction_steps.hpp"
#include "read/parse.hpp"

namespace foldproof::kernel {
namespace {

using expr::Dim;

struct Form {
  std::string_view word;
  Claims (*reduce)(const Claim&, const Problem&, const Reduction&);
};
constexpr Form forms[] = {
    {"none", nullptr},
#define FOLDPROOF_REDUCTION(word, function) {#word, function},
#include "kernel/reductions.def"
};

Claim assuming(const Claim& claim, const Expression& lhs, Relation relation, const Expression& rhs) {
  Claim result = claim;
  result.assumptions.push_back({lhs, relation, rhs, {}});
  return result;
}

bool is_several(const Expression& e, const char* name) { return is_call(e, name) && e->args.size() >= 2; }
bool is_larger(const Expression& e) { return is_several(e, "max") || is_several(e, "maximum"); }
bool is_smaller(const Expression& e) { return is_several(e, "min") || is_several(e, "minimum"); }

/// One claim for each operand of min or max, which `with` puts in its place.
std::vector<Claim> each_operand(const Expression& call, const std::function<Claim(const Expression&)>& with) {
  std::vector<Claim> claims;
  for (const Expression& a : call->args) claims.push_back(with(a));
  return claims;
}

/// Without declarations of what occurs nowhere, as far as other declarations name their sizes.
void drop_unused(Claim& claim) {
  const auto sizes_of = [](const expr::Declaration& d) {
    std::vector<std::string> names;
    for (const Dim& size : d.shape) expr::collect_names(size, names);
    return std::set<std::string>(names.begin(), names.end());
  };
  std::set<std::string> known;
  for (const auto& d : claim.declarations) {
    if (is_used(d.name, claim)) known.merge(sizes_of(d));
  }
  std::erase_if(claim.declarations, [&](const expr::Declaration& d) {
    const auto sizes = sizes_of(d);
    return !is_used(d.name, claim) && std::includes(known.begin(), known.end(), sizes.begin(), sizes.end());
  });
}

}  // namespace

bool is_used(const std::string& name, const Claim& claim) {
  const auto in = [&](const Expression& e) { return e && expr::mentions(e, name); };
  return in(claim.lhs) || in(claim.rhs) || std::any_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& d) { return in(d.value); }) ||
         std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return in(a.lhs) || in(a.rhs); });
}

bool is_never_empty(const Dim& length, const Problem& problem) {
  std::vector<std::string> names;
  expr::collect_names(length, names);
  const auto is_size = [&](const std::string& name) { return !expr::is_rank(name) && std::find(problem.dimensions.begin(), problem.dimensions.end(), name) != problem.dimensions.end(); };
  Arena arena;
  return std::all_of(names.begin(), names.end(), is_size) && arena.positive(arena.index(length, {}));
}

void visit_evaluated(const Problem& problem, const std::function<void(const Term&)>& see) {
  std::set<const infer::TermNode*> seen;
  const std::function<void(const Term&)> look = [&](const Term& t) {
    if (!seen.insert(t.get()).second) return;
    see(t);
    if (const Dim* range = infer::summed_range(t); range != nullptr && !is_never_empty(*range, problem)) return;
    for (const Term& a : t->args) look(a);
  };
  look(problem.lhs);
  look(problem.rhs);
}

Expression replaced(const Expression& e, const std::function<Expression(const std::string&)>& by) {
  return expr::changed(e, [&](const Expression& part) { return part->kind == SyntaxKind::name ? by(part->name) : nullptr; });
}

bool without_infinities(const std::string& text) { return text.find("neginf") == std::string::npos && text.find("causal") == std::string::npos && text.find("_mask(") == std::string::npos; }
bool without_infinities(const Claim& claim) {
  const std::string text = expr::text(claim);
  if (!without_infinities(text)) return false;
  if (text.find("log(") == std::string::npos) return true;
  const Problem problem = infer::elaborate(claim);  // the logarithm of a mask is minus infinity in places
  std::set<const infer::TermNode*> seen;
  bool finite = true;
  const auto see = [&](const Term& t) { finite = finite && !infer::is<expr::ops::NegInf, expr::ops::Causal>(t); };
  for (const Term& side : {problem.lhs, problem.rhs}) infer::visit_each(side, seen, see);
  for (const auto& fact : problem.facts) {
    infer::visit_each(fact.lhs, seen, see);
    infer::visit_each(fact.rhs, seen, see);
  }
  return finite;
}

std::string unused_name(const Claim& claim, std::string name) {
  const std::string text = expr::text(claim);
  while (text.find(name) != std::string::npos) name += "_";
  return name;
}

std::size_t number_of_assumption(const Claim& claim, const std::string& text) {
  const bool number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos && text.size() < 6;
  return number ? std::stoul(text) : claim.assumptions.size();
}

Claim stating(const Claim& claim, const Expression& lhs, Relation relation, const Expression& rhs) {
  Claim result = claim;
  result.lhs = lhs;
  result.relation = relation;
  result.rhs = rhs;
  return result;
}

Expression expression_of(const Dim& d, const Problem& problem) {
  return replaced(read::parse_expression(expr::text(d)), [&](const std::string& name) -> Expression {
    for (const auto& r : problem.ranks) {
      if (r.name == name) return node(SyntaxKind::call, {r.matrix}, "rank");
    }
    return nullptr;
  });
}

std::vector<Dim> cut_points(const Dim& size) {
  std::vector<Dim> points;
  for (const auto& m : size.summands()) {
    const bool number = m.product.empty() && m.coefficient > 0;  // the 1 of n + 1
    const bool plain = m.coefficient > 0 && m.product.size() == 1 && !m.product[0].division && !expr::is_rank(m.product[0].name);
    if (!plain && !number) return {};
    points.push_back(number ? Dim(m.coefficient) : Dim::symbol(m.product[0]));
  }
  return points.size() > 1 || (points.size() == 1 && points[0] != size) ? points : std::vector<Dim>{};  // 2*p is p + p
}

Claim declared(const Claim& claim, const Problem& problem) {
  Claim result = claim;
  for (const auto* variables : {&problem.variables, &problem.replaced}) {
    for (const auto& v : *variables) {
      const bool known = !infer::is_written(v.name) || std::any_of(claim.declarations.begin(), claim.declarations.end(), [&](const auto& d) { return d.name == v.name; });
      if (!known) result.declarations.push_back({v.name, v.shape, {}});
    }
  }
  std::vector<std::string> shaped;
  for (const auto& d : result.declarations) {
    for (const Dim& size : d.shape) expr::collect_names(size, shaped);
  }
  for (const std::string& size : problem.dimensions) {  // the q of rank(W) <= q: a tensor of that size says that it is one
    const bool plain = !size.empty() && std::isalpha(static_cast<unsigned char>(size[0])) != 0 && !expr::is_rank(size);
    if (plain && std::find(shaped.begin(), shaped.end(), size) == shaped.end()) result.declarations.push_back({unused_name(result, "sized"), {expr::dim(size)}, {}});
  }
  return result;
}

std::optional<Order> order_of(const expr::Assumption& a) {
  if (a.relation == Relation::greater || a.relation == Relation::greater_equal) return Order{a.lhs, a.rhs, a.relation == Relation::greater};
  if (a.relation == Relation::less || a.relation == Relation::less_equal) return Order{a.rhs, a.lhs, a.relation == Relation::less};
  return std::nullopt;
}

std::optional<Side> splitting_side(const Claim& claim) {
  if (claim.relation == Relation::equal) return std::nullopt;
  return is_smaller(claim.rhs) ? std::optional(Side::right) : is_larger(claim.lhs) ? std::optional(Side::left) : std::nullopt;
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

namespace {

/// The claim with what its definitions stand for in the sides, and no definitions; nothing where an index has the name of something else.
std::optional<Claim> without_definitions(const Claim& claim) {
  std::map<std::string, Expression> values;
  bool hidden = false;
  const auto written_out = [&](const Expression& e) {
    return expr::changed(e, [&](const Expression& part) -> Expression {
      const auto captured = [&](const auto& d) { return expr::mentions(part, d.first) && expr::mentions(d.second, part->name); };
      hidden = hidden || (part->kind == SyntaxKind::comprehension && std::any_of(values.begin(), values.end(), captured));  // its index is another thing in what is put in
      const auto value = part->kind == SyntaxKind::name ? values.find(part->name) : values.end();
      return value == values.end() ? nullptr : value->second;
    });
  };
  for (const auto& d : claim.definitions) {
    const Expression value = written_out(d.value);
    values[d.name] = value;
  }
  Claim result = stating(claim, written_out(claim.lhs), claim.relation, written_out(claim.rhs));
  result.definitions.clear();
  return hidden ? std::nullopt : std::optional(result);
}

/// e with 0 for each sum over a range that varies with another index, or from which something is subtracted: where it has no values, what
/// stands in it need not have one. Null where another comprehension has such a range.
Expression without_unsure_sums(const Expression& e, std::vector<std::string> indices = {}) {
  const auto is_unsure = [&](const Expression& part) {
    return part->kind == SyntaxKind::comprehension && (expr::subtracts(part->args[1]) || std::any_of(indices.begin(), indices.end(), [&](const std::string& index) { return expr::mentions(part->args[1], index); }));
  };
  if (expr::is_call(e, "sum") && e->args.size() == 1 && is_unsure(e->args[0])) return node(SyntaxKind::number, {}, {}, e->span);
  if (is_unsure(e)) return nullptr;
  if (e->kind == SyntaxKind::comprehension) indices.push_back(e->name);
  auto result = std::make_shared<expr::Syntax>(*e);
  for (Expression& a : result->args) a = a ? without_unsure_sums(a, indices) : nullptr;
  return std::all_of(result->args.begin(), result->args.end(), [](const Expression& a) { return a != nullptr; }) ? result : nullptr;
}

}  // namespace

bool has_no_value(const Claim& reduced, const Reduction& reduction, const expr::Error& error) {
  const auto nothing_left = [](const expr::Error& e) { return e.diagnostic().code == "shape.subscript" || e.diagnostic().code == "shape.size"; };
  if (!by_cases(reduction.kind) || !nothing_left(error)) return false;
  const auto whole = without_definitions(reduced);
  if (!whole) return false;
  Claim bare = *whole;
  bare.lhs = without_unsure_sums(whole->lhs);
  bare.rhs = without_unsure_sums(whole->rhs);
  if (!bare.lhs || !bare.rhs) return false;
  bare.assumptions = {reduced.assumptions.back()};  // the sizes of this case
  try {
    infer::elaborate(bare);
    return false;
  } catch (const expr::Error& e) {
    return nothing_left(e);
  }
}

std::string_view name(ReductionKind kind) { return forms[static_cast<std::size_t>(kind)].word; }

const std::string& Reduction::word(std::size_t k) const {
  require(k < text.size() && text[k].size() <= 100000, "the reduction lacks a text");
  return text[k];
}

std::vector<std::pair<std::string, Dim>> slice_bounds(const Problem& problem) {
  std::vector<std::pair<std::string, Dim>> found;
  const auto note = [&](const Dim& extent, const Dim& bound) {
    const auto d = extent.as_symbol();
    if (!d || d->division || bound.constant().value_or(1) < 1 || expr::is_rank(d->name) || expr::mentions_rank(bound)) return;
    std::vector<std::string> inside;
    expr::collect_names(bound, inside);
    const bool plain = std::none_of(bound.summands().begin(), bound.summands().end(), [](const auto& m) { return std::any_of(m.product.begin(), m.product.end(), [](const auto& s) { return s.division != nullptr; }); });
    // Comprehension indices are no sizes.
    const bool sizes = std::all_of(inside.begin(), inside.end(), [&](const auto& n) { return std::find(problem.dimensions.begin(), problem.dimensions.end(), n) != problem.dimensions.end(); });
    if (!plain || !sizes || std::find(inside.begin(), inside.end(), d->name) != inside.end()) return;
    if (std::find(found.begin(), found.end(), std::pair{d->name, bound}) == found.end()) found.emplace_back(d->name, bound);
  };
  const auto see = [&](const Term& t) {
    if (!infer::is<expr::ops::Subscripts>(t)) return;
    const auto& extents = t->call.operands[0];
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {  // (kind, start, stop): see expr/ops/structure.hpp
      const bool single = t->call.sizes[3 * axis].is_one();
      note(extents[axis], t->call.sizes[3 * axis + 1]);
      if (!single) note(extents[axis], t->call.sizes[3 * axis + 2]);
    }
  };
  visit_evaluated(problem, see);
  for (const auto& f : problem.facts) {
    if (f.kind != infer::FactKind::dimension) continue;
    if (f.relation == Relation::less_equal || f.relation == Relation::less) note(f.rhs_size, f.lhs_size);
    if (f.relation == Relation::greater_equal || f.relation == Relation::greater) note(f.lhs_size, f.rhs_size);
  }
  return found;
}

Claims within(const Claim& claim, const Problem& problem, const Reduction& reduction) {
  const std::string& size = reduction.word(0);
  const Expression bound = reduction.expression(1);
  const auto bounds = slice_bounds(problem);
  const bool sliced = std::any_of(bounds.begin(), bounds.end(), [&](const auto& b) { return b.first == size && expr::same(expression_of(b.second, problem), bound); });
  const bool least = is_number(bound, 1) && !expr::is_rank(size) && std::find(problem.dimensions.begin(), problem.dimensions.end(), size) != problem.dimensions.end();  // every size is at least 1
  require(sliced || least, "within: no slice shows that the bound lies within the size");
  const Expression d = node(SyntaxKind::name, {}, size);
  const Expression rest = node(SyntaxKind::name, {}, unused_name(claim, "rest"));
  const auto is_above = [&](const std::optional<Order>& order) { return order && order->strict && expr::same(order->larger, d) && expr::same(order->smaller, bound); };
  const bool above = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return is_above(order_of(a)); });  // then it is not equal
  const Claim larger = assuming(claim, d, Relation::equal, node(SyntaxKind::add, {bound, rest}));
  return above ? Claims{larger} : Claims{assuming(claim, d, Relation::equal, bound), larger};
}

Claims modulo(const Claim& claim, const Problem& problem, const Reduction& reduction) {
  const std::string& size = reduction.word(0);
  const Expression divisor = reduction.expression(1);
  require(divisor->kind == SyntaxKind::number && divisor->value.is_integer() && divisor->value >= 2 && divisor->value <= 8, "modulo: the divisor must be 2 to 8");
  const std::int64_t c = divisor->value.num();
  require(std::find(problem.dimensions.begin(), problem.dimensions.end(), size) != problem.dimensions.end(), "modulo: no such size");
  const Expression d = node(SyntaxKind::name, {}, size);
  const std::string quotient = unused_name(claim, "quotient");
  std::vector<Claim> claims;
  for (std::int64_t r = 1; r < c; ++r) claims.push_back(assuming(claim, d, Relation::equal, read::parse_expression(std::to_string(r))));
  for (std::int64_t r = 0; r < c; ++r) {
    claims.push_back(assuming(claim, d, Relation::equal, read::parse_expression(std::to_string(c) + "*" + quotient + (r == 0 ? "" : " + " + std::to_string(r)))));
  }
  return claims;
}

Claims least(const Claim& claim, const Problem&, const Reduction& reduction) {
  if (reduction.text.empty()) {
    const auto is_at_most = [&](const Expression& e) { return stating(claim, e, claim.relation, claim.rhs); };  // or less, where the claim says so
    if (claim.relation != Relation::equal && is_call(claim.lhs, "abs") && claim.lhs->args.size() == 1) {  // the larger of x and -x
      const Expression& x = claim.lhs->args[0];
      const bool difference = x->kind == SyntaxKind::subtract;
      return {is_at_most(x), is_at_most(difference ? node(SyntaxKind::subtract, {x->args[1], x->args[0]}) : node(SyntaxKind::negate, {x}))};
    }
    const auto side = splitting_side(claim);
    require(side.has_value(), "least: no side is min or max of several numbers");
    if (*side == Side::right) return each_operand(claim.rhs, [&](const Expression& a) { return stating(claim, claim.lhs, claim.relation, a); });
    return each_operand(claim.lhs, is_at_most);
  }
  const std::size_t k = number_of_assumption(claim, reduction.word(0));
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

Claims equal(const Claim& claim, const Problem&, const Reduction&) {
  require(claim.relation == Relation::equal, "equal: the claim is no equation");
  return {stating(claim, claim.lhs, Relation::less_equal, claim.rhs), stating(claim, claim.rhs, Relation::less_equal, claim.lhs)};
}

Claims blocks(const Claim& claim, const Problem& problem, const Reduction& reduction) {
  const std::string& axis_text = reduction.word(0);
  const Expression point = reduction.expression(1);
  require(claim.relation == Relation::equal && problem.lhs->shape == problem.rhs->shape, "blocks: the claim is no equation of two tensors of one shape");
  require((axis_text == "0" || axis_text == "1") && problem.lhs->shape.size() > (axis_text == "1" ? 1u : 0u), "blocks: no such axis");
  const std::size_t axis = axis_text == "1" ? 1 : 0;
  const auto inside = cut_points(problem.lhs->shape[axis]);
  require(std::any_of(inside.begin(), inside.end(), [&](const Dim& d) { return expr::same(expression_of(d, problem), point); }), "blocks: the axis is no sum of sizes of which that is one");
  const auto part = [&](const Expression& side, bool first) {
    auto sliced = std::make_shared<Syntax>(*node(SyntaxKind::index, {side}));
    sliced->subscripts.assign(axis, {.slice = true, .start = nullptr, .stop = nullptr, .step = nullptr});
    sliced->subscripts.push_back({.slice = true, .start = first ? nullptr : point, .stop = first ? point : nullptr, .step = nullptr});
    return Expression(sliced);
  };
  std::vector<Claim> claims;
  for (const bool first : {true, false}) claims.push_back(stating(claim, part(claim.lhs, first), Relation::equal, part(claim.rhs, first)));
  return claims;
}

Claims turned(const Claim& claim, const Problem&, const Reduction& reduction) {
  Claim result = claim;
  for (const std::string& what : reduction.text) {
    require(what == "names" || what == "used" || what == "free" || what == "bare" || (what == "equal" && claim.relation == Relation::less_equal) || (what == "one" && claim.relation == Relation::less && without_infinities(claim)) || (what == "sides" && claim.relation == Relation::equal), "turned: only the declarations and the sides of an equation have no order");
    require((what != "free" && what != "bare") || without_infinities(claim), "turned: an assumption may say that a variable is infinite");
    if (what == "free" || what == "bare") std::erase_if(result.assumptions, [&](const auto& a) { return a.relation == Relation::equal || what == "bare"; });
    if (what == "used") drop_unused(result);
    if (what == "names") std::reverse(result.declarations.begin(), result.declarations.end());
    if (what == "sides") std::swap(result.lhs, result.rhs);
    if (what == "equal") result.relation = Relation::equal;
    if (what == "one") result = stating(result, node(SyntaxKind::add, {result.lhs, expr::number(1)}), Relation::less_equal, result.rhs);
  }
  return {result};
}

std::vector<Claim> reduce(const Claim& original, const Problem& problem, const Reduction& reduction) {
  const auto write = forms[static_cast<std::size_t>(reduction.kind)].reduce;
  if (write == nullptr) throw expr::InternalError("no reduction");
  return write(declared(original, problem), problem, reduction);
}

}  // namespace foldproof::kernel
