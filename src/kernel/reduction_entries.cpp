// SPDX-License-Identifier: MIT
// Claims that hold entry by entry follow from a claim about numbers, and that from its pieces between given points. Part of the
// trusted base.
#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "kernel/reduction_steps.hpp"
#include "read/parse.hpp"

namespace foldproof::kernel {
namespace {

/// Whether an entry of e is a function of the same entry of its variables.
bool is_entrywise(const Expression& e, const Problem& problem) {
  static const std::set<std::string> functions = {"!=", "<", "<=", "==", ">", ">=", "abs", "clip", "cos", "elu", "erf", "exp", "exp2", "gelu", "gelu_tanh", "leaky_relu", "log", "maximum", "minimum", "quick_gelu", "relu", "rsqrt", "sigmoid", "silu", "sin", "softplus", "sqrt", "tanh", "where"};
  const auto all = [&] { return std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_entrywise(a, problem); }); };
  switch (e->kind) {
    case SyntaxKind::number: return true;
    case SyntaxKind::name: return std::any_of(problem.variables.begin(), problem.variables.end(), [&](const auto& v) { return v.name == e->name; });
    case SyntaxKind::negate:
    case SyntaxKind::add:
    case SyntaxKind::subtract:
    case SyntaxKind::multiply:
    case SyntaxKind::divide:
    case SyntaxKind::power: return all();
    case SyntaxKind::call: return functions.count(e->name) > 0 && e->keywords.empty() && all();
    default: return false;
  }
}

/// Whether the name is an index somewhere, which is another thing than a number of that name.
bool has_index(const Claim& claim, const std::string& name) {
  bool found = false;
  const auto look = [&](const Expression& e) {
    expr::changed(e, [&](const Expression& part) {
      found = found || (part->kind == SyntaxKind::comprehension && part->name == name);
      return nullptr;
    });
  };
  look(claim.lhs);
  look(claim.rhs);
  for (const auto& a : claim.assumptions) {
    look(a.lhs);
    look(a.rhs);
  }
  return found;
}

/// Whether e is a sum of products of other numbers than x, which has a value wherever they do.
bool is_sum_of_others(const Expression& e, const std::string& x, const Claim& claim, const Problem& problem) {
  switch (e->kind) {
    case SyntaxKind::number: return true;
    case SyntaxKind::name: return e->name != x && !has_index(claim, e->name) && std::any_of(problem.variables.begin(), problem.variables.end(), [&](const auto& v) { return v.name == e->name && v.shape.empty(); });
    case SyntaxKind::negate:
    case SyntaxKind::add:
    case SyntaxKind::subtract:
    case SyntaxKind::multiply: return std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_sum_of_others(a, x, claim, problem); });
    default: return false;
  }
}

/// Whether an assumption says that the number called `name` is at least that (`below`: nothing lies below), or at most; or not that either.
bool ends(const Claim& claim, const std::string& name, const std::function<bool(const Expression&)>& is_that, bool below, bool strictly = false) {
  return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const expr::Assumption& a) {
    const auto order = order_of(a);
    if (!order || (strictly && !order->strict)) return false;
    const auto& [x, bound] = below ? std::tie(order->larger, order->smaller) : std::tie(order->smaller, order->larger);
    return x->kind == SyntaxKind::name && x->name == name && is_that(bound);
  });
}

/// The claim without the assumptions that say more than something of each entry: then more is to be shown.
Claim of_entries(const Claim& claim, const Problem& problem) {
  static const std::set<std::string> predicates = {"positive", "nonnegative", "nonzero"};
  require(claim.definitions.empty() && is_entrywise(claim.lhs, problem) && is_entrywise(claim.rhs, problem), "a side is no function of single entries");
  require(without_infinities(claim), "entries: an assumption may say that a variable is infinite");
  Claim result = claim;
  std::erase_if(result.assumptions, [&](const expr::Assumption& a) {
    if (a.relation) return !is_entrywise(a.lhs, problem) || !is_entrywise(a.rhs, problem);
    return a.lhs->kind != SyntaxKind::call || predicates.count(a.lhs->name) == 0 || a.lhs->args.size() != 1 || !is_entrywise(a.lhs->args[0], problem);
  });
  return result;
}

/// The claim at x == value.
Claim at_value(const Claim& claim, const std::string& x, const Expression& value) {
  const auto by = [&](const std::string& name) { return name == x ? value : nullptr; };
  Claim result = claim;
  expr::change_each(result, [&](const Expression& e) { return replaced(e, by); });
  std::erase_if(result.declarations, [&](const auto& d) { return d.name == x; });
  return result;
}

/// The derivative of e by the number x, for what has one at every x.
Expression derivative(const Expression& e, const std::string& x) {
  if (!expr::mentions(e, x)) return read::parse_expression("0");
  const auto inner = [&](std::size_t k) { return derivative(e->args[k], x); };
  const auto sum = [](SyntaxKind kind, const Expression& a, const Expression& b) { return is_number(b, 0) ? a : is_number(a, 0) && kind == SyntaxKind::add ? b : node(kind, {a, b}); };
  const auto product = [](const Expression& a, const Expression& b) { return is_number(a, 0) || is_number(b, 1) ? a : is_number(b, 0) || is_number(a, 1) ? b : node(SyntaxKind::multiply, {a, b}); };
  const auto from_one = [](const Expression& y) { return node(SyntaxKind::subtract, {read::parse_expression("1"), y}); };
  switch (e->kind) {
    case SyntaxKind::name: return read::parse_expression("1");
    case SyntaxKind::negate: return node(SyntaxKind::negate, {inner(0)});
    case SyntaxKind::add:
    case SyntaxKind::subtract: return sum(e->kind, inner(0), inner(1));
    case SyntaxKind::multiply: return sum(SyntaxKind::add, product(inner(0), e->args[1]), product(e->args[0], inner(1)));
    case SyntaxKind::divide:
      require(!expr::mentions(e->args[1], x), "slope: the number stands in a divisor");
      return node(SyntaxKind::divide, {inner(0), e->args[1]});
    case SyntaxKind::power: {
      const Expression& q = e->args[1];
      require(q->kind == SyntaxKind::number && q->value.is_integer() && q->value.sign() > 0, "slope: the exponent is no natural number");
      return product(product(q, node(SyntaxKind::power, {e->args[0], read::parse_expression((q->value - 1).text())})), inner(0));
    }
    case SyntaxKind::call:
      require(e->args.size() == 1 && e->keywords.empty(), "slope: a function need not have one");
      if (e->name == "exp") return product(e, inner(0));
      if (e->name == "sin") return product(expr::call("cos", e->args), inner(0));
      if (e->name == "cos") return node(SyntaxKind::negate, {product(expr::call("sin", e->args), inner(0))});
      if (e->name == "tanh") return product(from_one(node(SyntaxKind::power, {e, read::parse_expression("2")})), inner(0));
      if (e->name == "sigmoid") return product(product(e, from_one(e)), inner(0));
      if (e->name == "softplus") return product(expr::call("sigmoid", e->args), inner(0));
      if (e->name == "silu") {
        const Expression share = expr::call("sigmoid", e->args);
        return product(node(SyntaxKind::add, {share, node(SyntaxKind::multiply, {e, from_one(share)})}), inner(0));
      }
      [[fallthrough]];
    default: throw Reject("slope: a function need not have one");
  }
}

}  // namespace

std::optional<expr::Rational> number(const Expression& e) {
  if (e->kind == SyntaxKind::number) return e->value;
  const auto first = e->kind == SyntaxKind::negate || e->kind == SyntaxKind::divide ? number(e->args[0]) : std::nullopt;
  const auto second = first && e->kind == SyntaxKind::divide ? number(e->args[1]) : std::nullopt;
  if (first && e->kind == SyntaxKind::negate) return -*first;
  return second && !second->is_zero() ? std::optional(*first / *second) : std::nullopt;
}

Claims slope(const Claim& claim, const Problem& problem, const Reduction& reduction) {
  const std::string& x = reduction.word(0);
  const auto variable = std::find_if(problem.variables.begin(), problem.variables.end(), [&](const auto& v) { return v.name == x; });
  require(claim.relation != Relation::equal && problem.lhs->shape.empty() && problem.rhs->shape.empty() && claim.definitions.empty(), "slope: no inequality between numbers");
  require(variable != problem.variables.end() && variable->shape.empty() && !has_index(claim, x), "slope: no number of that name");
  require(without_infinities(claim), "slope: where a side may be minus infinity it may jump");
  const auto is_zero = [](const Expression& e) { return number(e).value_or(1).is_zero(); };
  require(ends(claim, x, is_zero, true), "slope: the number may be negative");
  Claim start = claim;
  std::erase_if(start.assumptions, [&](const expr::Assumption& a) {
    const auto order = order_of(a);
    return order && order->larger->kind == SyntaxKind::name && order->larger->name == x && is_zero(order->smaller);
  });
  require(std::none_of(start.assumptions.begin(), start.assumptions.end(), [&](const auto& a) { return expr::mentions(a.lhs, x) || (a.rhs && expr::mentions(a.rhs, x)); }), "slope: more is assumed of the number");
  const bool rises = claim.relation == Relation::less && ends(claim, x, is_zero, true, true);  // x > 0, so the sides may start as equals
  start = at_value(start, x, read::parse_expression("0"));
  start.relation = rises ? Relation::less_equal : claim.relation;
  return {start, stating(claim, derivative(claim.lhs, x), rises ? Relation::less : Relation::less_equal, derivative(claim.rhs, x))};
}

Claims entries(const Claim& claim, const Problem& problem, const Reduction&) {
  const expr::Shape& shape = problem.lhs->shape.empty() ? problem.rhs->shape : problem.lhs->shape;
  require(!shape.empty(), "entries: the claim is about numbers already");
  Claim result = of_entries(claim, problem);
  for (auto& d : result.declarations) d.shape.clear();
  return {result};
}

Claims pieces(const Claim& claim, const Problem& problem, const Reduction& reduction) {
  const std::vector<std::string>& text = reduction.text;
  require(text.size() >= 2 && text.size() <= 34, "pieces: a variable and points are needed");
  const auto variable = std::find_if(problem.variables.begin(), problem.variables.end(), [&](const auto& v) { return v.name == text[0]; });
  require(variable != problem.variables.end() && variable->shape.empty(), "pieces: no number of that name");
  require(claim.definitions.empty(), "pieces: a definition may use the number");
  require(!has_index(claim, text[0]), "pieces: an index has the name of the number");
  const std::string own = unused_name(claim, "t");
  const auto constant = [](const expr::Rational& q) { return read::parse_expression("(" + q.text() + ")"); };
  const Expression t = node(SyntaxKind::name, {}, own), zero = constant(0);
  const auto at = [&](const Expression& value, bool strictly = false) {  // and for every t >= 0, or t > 0
    Claim piece = at_value(claim, text[0], value);
    piece.declarations.push_back({own, {}, {}});
    piece.assumptions.push_back({t, strictly ? Relation::greater : Relation::greater_equal, zero, {}});
    return piece;
  };
  const Expression other = read::parse_expression(text[1]);
  if (text.size() == 2 && !number(other)) {  // below another number, or not
    require(is_sum_of_others(other, text[0], claim, problem), "pieces: no sum of other numbers");
    const auto is_other = [&](const Expression& e) { return expr::same(e, other); };
    std::vector<Claim> claims;
    if (!ends(claim, text[0], is_other, true)) claims.push_back(at(node(SyntaxKind::subtract, {other, t})));
    if (!ends(claim, text[0], is_other, false) || claims.empty()) claims.push_back(at(node(SyntaxKind::add, {other, t}), ends(claim, text[0], is_other, true, true)));
    return claims;
  }
  std::vector<expr::Rational> points;
  for (std::size_t k = 1; k < text.size(); ++k) {
    const auto point = number(read::parse_expression(text[k]));
    require(point && (points.empty() || points.back() < *point), "pieces: the points are no increasing numbers");
    points.push_back(*point);
  }
  const auto is = [](const expr::Rational& point) { return [point](const Expression& e) { return number(e) == point; }; };
  const bool first = ends(claim, text[0], is(points.front()), true), last = ends(claim, text[0], is(points.back()), false);
  std::vector<Claim> claims;
  if (!first) claims.push_back(at(node(SyntaxKind::subtract, {constant(points.front()), t})));
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {  // (a + b t)/(1 + t) lies between a and b, and only b is left out
    const Expression sum = node(SyntaxKind::add, {constant(points[k]), node(SyntaxKind::multiply, {constant(points[k + 1]), t})});
    claims.push_back(at(node(SyntaxKind::divide, {sum, node(SyntaxKind::add, {constant(1), t})})));
  }
  if (!last) claims.push_back(at(node(SyntaxKind::add, {constant(points.back()), t}), points.size() == 1 && ends(claim, text[0], is(points.back()), true, true)));
  if (last && (points.size() > 1 ? !ends(claim, text[0], is(points.back()), false, true) : first)) {  // the point itself, which lies in no other piece
    claims.push_back(at_value(claim, text[0], constant(points.back())));
    std::erase_if(claims.back().assumptions, [](const auto& a) { return a.rhs && number(a.lhs) && number(a.rhs); });
  }
  return claims;
}

}  // namespace foldproof::kernel
