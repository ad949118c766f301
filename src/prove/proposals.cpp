// SPDX-License-Identifier: MIT
#include "prove/proposals.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "expr/build.hpp"
#include "infer/is_operator.hpp"
#include "infer/visit.hpp"
#include "prove/factors.hpp"
#include "prove/parts.hpp"
#include "read/numpy.hpp"
#include "infer/names.hpp"
#include "read/parse.hpp"

namespace foldproof::prove {
namespace {

using kernel::ReductionKind;

/// Whether left == right is assumed.
bool assumes(const Claim& claim, const Expression& left, const Expression& right) {
  return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return a.relation == Relation::equal && expr::same(a.lhs, left) && expr::same(a.rhs, right); });
}

/// Whether e is the name of a tensor, and of no size.
bool is_tensor(const Expression& e, const Claim& claim) {
  const auto names = [&](const auto& list) { return std::any_of(list.begin(), list.end(), [&](const auto& x) { return x.name == e->name; }); };
  return e->kind == SyntaxKind::name && (names(claim.definitions) || names(claim.declarations) || !infer::is_conventional_size(e->name));
}

/// That of a tensor's name; of numbers, and of whatever is not declared, without axes.
expr::Shape declared_shape(const Claim& claim, const Expression& e) {
  const auto declared = std::find_if(claim.declarations.begin(), claim.declarations.end(), [&](const auto& d) { return e->kind == SyntaxKind::name && d.name == e->name; });
  return declared == claim.declarations.end() ? expr::Shape{} : declared->shape;
}

/// The claim with what `change` gives in place of parts of its sides; nothing where it changes neither.
std::optional<kernel::Reduction> reworded(const Claim& claim, const std::function<Expression(const Expression&)>& change) {
  const std::string left = expr::text(expr::changed(claim.lhs, change)), right = expr::text(expr::changed(claim.rhs, change));
  if (left == expr::text(claim.lhs) && right == expr::text(claim.rhs)) return std::nullopt;
  return kernel::Reduction{ReductionKind::rearranged, {left, right, "1", "1"}};
}

/// R.T @ w == v for an orthogonal R of which R @ v == w is assumed.
void add_fixed_by_transpose(const Claim& claim, std::vector<kernel::Reduction>& found) {
  for (const auto& a : claim.assumptions) {
    if (a.relation || !a.lhs || (!is_call(a.lhs, "orthogonal") && !is_call(a.lhs, "permutation"))) continue;
    for (const auto& b : claim.assumptions) {
      const bool row_sums = b.relation == Relation::equal && is_call(b.lhs, "rowsum") && b.lhs->args.size() == 1 && is_call(b.rhs, "ones");
      if (row_sums && expr::same(b.lhs->args[0], a.lhs->args[0])) {  // R @ ones == ones
        found.push_back({ReductionKind::lemma, {expr::text(expr::node(SyntaxKind::matmul, {expr::transposed(b.lhs->args[0]), b.rhs})), expr::text(b.rhs)}});
        continue;
      }
      if (b.relation != Relation::equal || b.lhs->kind != SyntaxKind::matmul || !expr::same(b.lhs->args[0], a.lhs->args[0])) continue;
      const Expression moved = expr::node(SyntaxKind::matmul, {expr::transposed(b.lhs->args[0]), b.rhs});
      found.push_back({ReductionKind::lemma, {expr::text(moved), expr::text(b.lhs->args[1])}});
    }
  }
}

/// exp and log of assumed equations: lse(S) == lse(T) says that two sums of exponentials are equal. What rotations fix.
std::vector<kernel::Reduction> lemmas(const Claim& claim, const infer::Problem& problem) {
  std::vector<kernel::Reduction> found;
  for (const auto& a : claim.assumptions) {
    if (a.relation != Relation::equal) continue;
    const bool logarithms = is_call_of(a.lhs, {"log", "lse"}) || is_call_of(a.rhs, {"log", "lse"});
    const bool exponentials = is_call_of(a.lhs, {"exp", "softmax"}) && is_call_of(a.rhs, {"exp", "softmax"});
    if (!logarithms && !exponentials) continue;
    const char* f = logarithms ? "exp" : "log";
    const auto sides = std::pair{expr::call(f, {a.lhs}), expr::call(f, {a.rhs})};
    if (!assumes(claim, sides.first, sides.second)) found.push_back({ReductionKind::lemma, {expr::text(sides.first), expr::text(sides.second)}});
  }
  add_fixed_by_transpose(claim, found);
  for (const auto& [inverse, other] : {std::pair{claim.lhs, claim.rhs}, std::pair{claim.rhs, claim.lhs}}) {  // inv(M) == N, because M @ N == eye(n)
    if (!is_call(inverse, "inv") || inverse->args.size() != 1 || inverse->args[0]->kind == SyntaxKind::name || problem.lhs->shape.size() != 2) continue;
    const Expression size = read::parse_expression(expr::text(problem.lhs->shape[0]));
    found.push_back({ReductionKind::lemma, {expr::text(expr::node(SyntaxKind::matmul, {inverse->args[0], other})), expr::text(expr::call("eye", {size}))}});
  }
  for (const auto& a : claim.assumptions) {  // a left inverse of a square matrix is a right one: H @ H.T == d * eye(d)
    if (a.relation != Relation::equal || a.lhs->kind != SyntaxKind::matmul) continue;
    const Expression& eye = a.rhs->kind == SyntaxKind::multiply ? a.rhs->args[is_call(a.rhs->args[0], "eye") ? 0 : 1] : a.rhs;
    const Expression turned = expr::node(SyntaxKind::matmul, {a.lhs->args[1], a.lhs->args[0]});
    const bool known = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& b) { return b.relation == Relation::equal && expr::same(b.lhs, turned); });
    if (is_call(eye, "eye") && !known) found.push_back({ReductionKind::lemma, {expr::text(turned), expr::text(a.rhs)}});
  }
  return found;
}

void visit_terms(const infer::Problem& problem, const std::function<void(const infer::Term&)>& see) {
  std::set<const infer::TermNode*> seen;
  for (const infer::Term& side : {problem.lhs, problem.rhs}) infer::visit_each(side, seen, see);
}

void visit_sizes(const infer::Problem& problem, const std::function<void(const expr::Dim&)>& see) {
  visit_terms(problem, [&](const infer::Term& t) {
    for (const auto& d : t->shape) see(d);
    for (const auto& d : t->call.sizes) see(d);
    see(t->size);
  });
}

/// A sum of two products with a factor in common as one product: A @ X - B @ X is (A - B) @ X. Null for others.
Expression collected(const Expression& e) {
  if (e->kind != SyntaxKind::add && e->kind != SyntaxKind::subtract) return nullptr;
  const Expression &a = e->args[0], &b = e->args[1];
  if (a->kind != b->kind || (a->kind != SyntaxKind::matmul && a->kind != SyntaxKind::multiply)) return nullptr;
  for (const std::size_t place : {0, 1}) {
    if (!expr::same(a->args[place], b->args[place])) continue;
    std::vector<Expression> factors = a->args;
    factors[1 - place] = expr::node(e->kind, {a->args[1 - place], b->args[1 - place]});
    return expr::node(a->kind, std::move(factors));
  }
  return nullptr;
}

/// (A + c * B) @ x as A @ x + c * (B @ x). Null for others.
Expression distributed(const Expression& e, const Claim& claim) {
  if (e->kind != SyntaxKind::matmul) return nullptr;
  const std::function<Expression(const Expression&)> times = [&](const Expression& left) -> Expression {
    if (left->kind == SyntaxKind::add || left->kind == SyntaxKind::subtract) return expr::node(left->kind, {times(left->args[0]), times(left->args[1])});
    const auto is_number = [&](const Expression& x) { return shape_of(claim, x).value_or(expr::Shape{1}).empty(); };
    if (left->kind == SyntaxKind::multiply && is_number(left->args[0])) return expr::node(SyntaxKind::multiply, {left->args[0], times(left->args[1])});
    return is_call(left, "eye", 1) ? e->args[1] : expr::node(SyntaxKind::matmul, {left, e->args[1]});
  };
  const Expression& left = e->args[0];
  const bool sum = left->kind == SyntaxKind::add || left->kind == SyntaxKind::subtract;
  return sum ? times(left) : nullptr;
}

/// layernorm(X) as the norm of what is centred, rmsnorm(X - mean(X)). Null for others.
Expression centred(const Expression& e) {
  if (!is_call(e, "layernorm")) return nullptr;
  std::vector<Expression> args = e->args;
  args[0] = expr::node(SyntaxKind::subtract, {args[0], expr::call("mean", {args[0]})});
  auto norm = std::make_shared<expr::Syntax>(*e);
  norm->name = "rmsnorm";
  norm->args = std::move(args);
  return norm;
}

/// lse(concat(S, T)) as the log-sum-exp of two numbers a row, log(exp(lse(S)) + exp(lse(T))). Null for others.
Expression merged(const Expression& e) {
  if (!is_call(e, "lse") || e->args.size() != 1 || !e->keywords.empty() || !is_call(e->args[0], "concat") || e->args[0]->args.size() != 2 || !e->args[0]->keywords.empty()) return nullptr;
  const auto weight = [](const Expression& part) { return expr::call("exp", {expr::call("lse", {part})}); };
  return expr::call("log", {expr::node(SyntaxKind::add, {weight(e->args[0]->args[0]), weight(e->args[0]->args[1])})});
}

/// Of the exponentials of an inequality of logarithms: x for exp(log(x)), and exp(log(w)) for names w of which the sides have the logarithm,
/// which may be anything then. Nothing for others.
std::optional<kernel::Reduction> in_logarithms(const Claim& claim) {
  std::set<std::string> names;
  const auto of_name = [](const Expression& e) { return is_call(e, "log", 1) && e->args[0]->kind == SyntaxKind::name; };
  const auto collect = [&](const Expression& e) {
    if (of_name(e)) names.insert(e->args[0]->name);
    return false;
  };
  any_part(claim.lhs, collect);
  any_part(claim.rhs, collect);
  const auto is_undone = [](const Expression& e) { return is_call(e, "exp", 1) && is_call(e->args[0], "log", 1); };
  if (names.empty() || (!is_undone(claim.lhs) && !is_undone(claim.rhs))) return std::nullopt;
  const std::function<Expression(const Expression&)> change = [&](const Expression& e) -> Expression {
    if (of_name(e)) return e;
    if (is_undone(e)) return expr::changed(e->args[0]->args[0], change);
    return e->kind == SyntaxKind::name && names.count(e->name) > 0 ? expr::call("exp", {expr::call("log", {e})}) : nullptr;
  };
  return reworded(claim, change);
}

/// sqrt(x)**2 for names x of which the sides have the root, which are then polynomials of it; and what a root is taken of for its square.
std::optional<kernel::Reduction> in_roots(const Claim& claim) {
  std::set<std::string> names;
  const auto of_name = [](const Expression& e) { return is_call(e, "sqrt", 1) && e->args[0]->kind == SyntaxKind::name; };
  for (const Expression& side : {claim.lhs, claim.rhs}) {
    any_part(side, [&](const Expression& e) {
      if (of_name(e)) names.insert(e->args[0]->name);
      return false;
    });
  }
  const std::function<Expression(const Expression&)> change = [&](const Expression& e) -> Expression {
    if (of_name(e)) return e;
    if (is_square(e) && is_call(e->args[0], "sqrt", 1)) return expr::changed(e->args[0]->args[0], change);
    return e->kind == SyntaxKind::name && names.count(e->name) > 0 ? expr::node(SyntaxKind::power, {expr::call("sqrt", {e}), read::parse_expression("2")}) : nullptr;
  };
  return names.empty() ? std::nullopt : reworded(claim, change);
}

/// What e is as a sum of names times numbers; nothing when it is no such sum.
std::optional<std::map<std::string, expr::Rational>> linear(const Expression& e) {
  const auto combined = [](const Expression& a, const Expression& b, const expr::Rational& times) {
    auto sum = linear(a);
    const auto other = linear(b);
    if (!sum || !other) return decltype(sum){};
    for (const auto& [name, q] : *other) (*sum)[name] = (*sum)[name] + times * q;
    std::erase_if(*sum, [](const auto& term) { return term.second.is_zero(); });
    return sum;
  };
  switch (e->kind) {
    case SyntaxKind::number: return e->value.is_zero() ? std::optional(std::map<std::string, expr::Rational>{}) : std::nullopt;
    case SyntaxKind::name: return std::map<std::string, expr::Rational>{{e->name, 1}};
    case SyntaxKind::negate: return combined(read::parse_expression("0"), e->args[0], -1);
    case SyntaxKind::add: return combined(e->args[0], e->args[1], 1);
    case SyntaxKind::subtract: return combined(e->args[0], e->args[1], -1);
    default: return std::nullopt;
  }
}

/// |y + t - y| and relu(y + t - y) as t, and |y - (y + t)| too, where 0 <= t is assumed. Null for others.
Expression magnitude(const Expression& e, const Claim& claim) {
  const auto sum = is_call_of(e, {"abs", "relu"}) && e->args.size() == 1 ? linear(e->args[0]) : std::nullopt;
  if (!sum || sum->size() != 1 || !is_never_negative(claim, sum->begin()->first)) return nullptr;
  const auto& [name, q] = *sum->begin();
  if (q.sign() < 0 && is_call(e, "relu")) return read::parse_expression("0");
  const Expression t = expr::node(SyntaxKind::name, {}, name);
  return q == 1 || q == -1 ? t : expr::node(SyntaxKind::multiply, {read::parse_expression((q.sign() < 0 ? -q : q).text()), t});
}

bool is_vector(const Expression& e, const Claim& claim) {
  const auto shape = shape_of(claim, e);
  return shape && shape->size() == 1;
}

/// The factors of a matrix product, in their order: A, B, C of A @ (B @ C).
std::vector<Expression> factors_of(const Expression& e) {
  if (e->kind != SyntaxKind::matmul) return {e};
  std::vector<Expression> factors = factors_of(e->args[0]);
  for (Expression& x : factors_of(e->args[1])) factors.push_back(std::move(x));
  return factors;
}

Expression product_of(const std::vector<Expression>& factors) {
  return std::accumulate(factors.begin() + 1, factors.end(), factors.front(), [](const Expression& a, const Expression& b) { return expr::node(SyntaxKind::matmul, {a, b}); });
}

/// The H of a product H.T @ H, such as U.T @ x of x.T @ U @ U.T @ x. Null for others.
Expression factor_of_gram(const Expression& e, const Claim& claim) {
  if (e->kind != SyntaxKind::matmul) return nullptr;
  const std::vector<Expression> factors = factors_of(e);
  if (factors.size() % 2 != 0) return nullptr;
  for (std::size_t k = 0; k < factors.size() / 2; ++k) {
    const Expression &left = factors[k], &right = factors[factors.size() - 1 - k];
    const bool vector = k == 0 && expr::same(left, right) && is_vector(left, claim);
    if (!vector && !expr::same(left, expr::transposed(right))) return nullptr;
  }
  Expression half = factors.back();
  for (std::size_t k = factors.size() - 1; k-- > factors.size() / 2;) half = expr::node(SyntaxKind::matmul, {factors[k], half});
  return half;
}

/// The X of which e sums the squares, as frob2(X) and x.T @ x do. Null for others.
Expression measured(const Expression& e, const Claim& claim) {
  const Expression x = squares_summed(e);
  return x ? x : factor_of_gram(e, claim);
}

/// What is added to one side to give the other, where it is a sum of squares: frob2(B - B @ P) for frob2(B @ P) <= frob2(B) and a projection
/// P, frob2(B - B @ U @ U.T) for orthonormal columns U, frob2(R - eye(d)) for the trace of an orthogonal R.
std::vector<kernel::Reduction> sums_of_squares(const Claim& claim) {
  std::vector<kernel::Reduction> found;
  const Expression part = measured(claim.lhs, claim), whole = measured(claim.rhs, claim);
  const auto offer = [&](const Expression& nearest) {
    const Expression rest = expr::node(SyntaxKind::subtract, {whole, nearest});
    const Expression gram = expr::node(SyntaxKind::matmul, {is_vector(whole, claim) ? rest : expr::transposed(rest), rest});
    const Expression larger = squares_summed(claim.rhs) ? expr::changed(claim.rhs, [&](const Expression& e) { return expr::same(e, whole) ? rest : nullptr; }) : gram;
    found.push_back({ReductionKind::rearranged, {"0", expr::text(larger), "1", "1"}});
  };
  if (part && whole && part->kind == SyntaxKind::subtract) offer(part);  // X - mean(X) is nearer to 0 than X - c
  if (part && whole && part->kind == SyntaxKind::matmul) {
    const std::vector<Expression> factors = factors_of(part), kept = factors_of(whole);
    const auto among = static_cast<std::ptrdiff_t>(factors.size()) - static_cast<std::ptrdiff_t>(kept.size());
    if (among > 0 && std::equal(kept.begin(), kept.end(), factors.begin(), expr::same)) {
      offer(part);
      offer(expr::node(SyntaxKind::matmul, {part, expr::transposed(product_of({factors.end() - among, factors.end()}))}));
    }
    if (among > 0 && std::equal(kept.begin(), kept.end(), factors.begin() + among, expr::same)) {
      offer(part);
      offer(expr::node(SyntaxKind::matmul, {expr::transposed(product_of({factors.begin(), factors.begin() + among})), part}));
    }
  }
  if (!part && whole && claim.lhs->kind == SyntaxKind::matmul) {  // x.T @ R @ x, where R @ x is as long as x
    const std::vector<Expression> factors = factors_of(claim.lhs);
    const bool first = expr::same(factors.front(), expr::transposed(whole)) || (is_vector(whole, claim) && expr::same(factors.front(), whole));
    const Expression rest = expr::node(SyntaxKind::subtract, {whole, product_of({factors.begin() + 1, factors.end()})});
    if (first) found.push_back({ReductionKind::rearranged, {"0", expr::text(expr::node(SyntaxKind::matmul, {is_vector(whole, claim) ? rest : expr::transposed(rest), rest})), "2", "1"}});
  }
  for (const auto& a : claim.assumptions) {
    if (a.relation || !is_call(a.lhs, "orthogonal") || !calls(claim.lhs, {"trace"})) continue;
    const std::string matrix = expr::text(a.lhs->args[0]);
    found.push_back({ReductionKind::rearranged, {"0", "frob2(" + matrix + " - eye(" + expr::text(claim.rhs) + "))", "2", "1"}});
  }
  return found;
}

/// The X @ W of X @ W > 0 in the sides and the definitions, of which only the sign counts as a rule.
std::vector<std::string> compared(const Claim& claim, std::size_t least_part) {
  std::vector<std::string> found;
  const auto is_definition = [&](const Expression& e) { return std::any_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& d) { return e->kind == SyntaxKind::name && d.name == e->name; }); };
  const auto is_of_numbers = [&](const Expression& e) {  // such as -t and abs(x): what is cut where it bends is no simpler without it
    std::set<std::string> names, tensors;
    const bool others = any_part(e, [&](const Expression& x) {
      if (x->kind == SyntaxKind::name) (declared_shape(claim, x).empty() ? names : tensors).insert(x->name);
      static const std::set<SyntaxKind> arithmetic = {SyntaxKind::number, SyntaxKind::name, SyntaxKind::negate, SyntaxKind::add, SyntaxKind::subtract, SyntaxKind::multiply, SyntaxKind::divide, SyntaxKind::power};
      return arithmetic.count(x->kind) == 0 && !(x->kind == SyntaxKind::call && expr::is_entrywise_function(x->name));
    });
    return !others && (tensors.empty() || (names.empty() && tensors.size() == 1));
  };
  const auto note = [&](const Expression& e) {
    for (std::size_t k = 0; expr::is_comparison(*e) && k < 2; ++k) {
      const std::string part = expr::text(e->args[k]);
      if (((nodes(e->args[k]) >= least_part && !is_of_numbers(e->args[k])) || is_definition(e->args[k])) && std::find(found.begin(), found.end(), part) == found.end()) found.push_back(part);
    }
    return false;
  };
  any_part(claim.lhs, note);
  any_part(claim.rhs, note);
  for (const auto& d : claim.definitions) any_part(d.value, note);
  return found;
}

}  // namespace

std::vector<kernel::Reduction> by_assumptions(const Claim& claim) {
  constexpr std::size_t least_part = 2;  // nodes: a name alone is no part to forget
  std::vector<kernel::Reduction> found;
  std::vector<std::string> shared, values;
  const auto in_sides = [&](const Expression& part) {
    return any_part(claim.lhs, [&](const Expression& e) { return expr::same(e, part); }) || any_part(claim.rhs, [&](const Expression& e) { return expr::same(e, part); });
  };
  const std::function<void(const Expression&)> share = [&](const Expression& e) {
    if (e->kind == SyntaxKind::call && nodes(e) >= least_part && in_sides(e)) {
      if (std::find(shared.begin(), shared.end(), expr::text(e)) == shared.end()) shared.push_back(expr::text(e));
    } else if (e->kind != SyntaxKind::comprehension) {
      for (const Expression& a : e->args) share(a);
    }
  };
  const auto logarithm = [](const Expression& x) { return expr::call("lse", {x}); };
  const auto is_softmax = [](const Expression& e) { return is_call_of(e, {"softmax", "log_softmax"}) && e->args.size() == 1 && e->keywords.empty(); };
  for (std::size_t k = 0; k < claim.assumptions.size(); ++k) {
    const auto& a = claim.assumptions[k];
    if (!a.relation) continue;
    if (is_call_of(a.lhs, {"exp", "log", "sqrt", "tanh", "sigmoid", "softplus"}) && is_call(a.rhs, a.lhs->name.c_str())) values.push_back(std::to_string(k));
    if (a.relation == Relation::equal && is_softmax(a.lhs) && is_softmax(a.rhs) && a.lhs->name == a.rhs->name) {  // softmax(S) == softmax(T) says S == T + c for a number c a row
      const Expression &s = a.lhs->args[0], &t = a.rhs->args[0], constant = expr::node(SyntaxKind::subtract, {logarithm(s), logarithm(t)});
      const Expression moved = expr::node(SyntaxKind::add, {t, constant});
      const bool here = expr::same(claim.lhs, s) && expr::same(claim.rhs, moved), logarithms = is_call(a.lhs, "log_softmax");
      const auto side = [&](const Expression& e) { return expr::text(logarithms ? e : expr::call("log", {e})); };
      if (here) found.push_back({ReductionKind::rearranged, {side(a.lhs), side(a.rhs), "1", "1"}});
      else if (assumes(claim, s, moved)) found.push_back({ReductionKind::forget, {expr::text(constant)}});
      else found.push_back({ReductionKind::lemma, {expr::text(s), expr::text(moved)}});
    }
    share(a.lhs);
    share(a.rhs);
  }
  if (!shared.empty()) found.push_back({ReductionKind::forget, shared});
  std::vector<std::string> differences;  // abs(W - V) <= e says something of (W - V) @ x
  for (const auto& a : claim.assumptions) {
    any_part(a.lhs, [&](const Expression& e) {
      const bool difference = is_call(e, "abs", 1) && e->args[0]->kind == SyntaxKind::subtract && in_sides(e->args[0]);
      if (difference && std::find(differences.begin(), differences.end(), expr::text(e->args[0])) == differences.end()) differences.push_back(expr::text(e->args[0]));
      return difference;
    });
  }
  if (!differences.empty()) found.push_back({ReductionKind::forget, differences});
  if (const auto parts = compared(claim, least_part); !parts.empty()) found.push_back({ReductionKind::forget, parts});
  if (!values.empty()) found.insert(found.begin(), {ReductionKind::increasing, values});
  return found;
}

std::optional<kernel::Reduction> with_what_it_is(const Claim& claim) {
  for (std::size_t k = 0; k < claim.assumptions.size(); ++k) {
    const auto& a = claim.assumptions[k];
    if (a.relation != Relation::equal) continue;
    for (const auto& [name, other, side] : {std::tuple{a.lhs, a.rhs, "left"}, std::tuple{a.rhs, a.lhs, "right"}}) {
      const bool made_of_itself = name->kind == SyntaxKind::name && expr::mentions(other, name->name) && other->kind != SyntaxKind::transpose;
      if (!made_of_itself) continue;
      if (other->kind != SyntaxKind::index) return kernel::Reduction{ReductionKind::instead, {std::to_string(k), side}};
      const expr::Shape shape = declared_shape(claim, name);  // b == b[0], a number: a row of that number
      if (shape.size() != 1) continue;
      const Expression row = expr::node(SyntaxKind::multiply, {other, read::parse_expression("ones(" + expr::text(shape[0]) + ")")});
      if (!assumes(claim, name, row)) return kernel::Reduction{ReductionKind::lemma, {name->name, expr::text(row)}};
    }
  }
  return std::nullopt;
}

bool is_bounded_by_a_part(const Expression& matrix, const Expression& bound) {
  return any_part(bound, [&](const Expression& r) { return is_rank(r) && any_part(matrix, [&](const Expression& part) { return expr::same(r->args[0], part); }); });
}

std::vector<std::string> positive_numbers(const Claim& claim) {
  std::vector<std::string> found;
  for (const auto& a : claim.assumptions) {
    const auto order = kernel::order_of(a);
    const bool positive = !a.relation && is_call(a.lhs, "positive"), above_zero = order && order->strict && expr::is_number(order->smaller, 0);
    if (!positive && !above_zero) continue;
    const Expression& c = positive ? a.lhs->args[0] : order->larger;
    if (c->kind == SyntaxKind::name) found.push_back(c->name);
  }
  return found;
}

std::vector<std::string> assumed_denominators(const Claim& claim) {
  std::vector<std::string> found;
  for (const auto& a : claim.assumptions) {
    if (!kernel::order_of(a)) continue;
    for (const Expression& side : {a.lhs, a.rhs}) {
      if (side->kind == SyntaxKind::divide && side->args[1]->kind != SyntaxKind::number) found.push_back("1/(" + expr::text(side->args[1]) + ")");
    }
  }
  return found;
}

std::vector<std::string> reasons_for_full_rank(const Claim& claim) {
  std::vector<std::string> found{"lower", "upper", "1"};
  for (std::string& c : positive_numbers(claim)) found.push_back(std::move(c));
  return found;
}

bool has_functions_of_blocks(const Claim& claim) {
  const auto of_blocks = [](const Expression& e) { return (is_rank(e) && is_call_of(e->args[0], {"blockdiag", "kron"})) || (is_call(e, "det", 1) && (is_call_of(e->args[0], {"blockdiag", "vstack"}) || e->args[0]->kind == SyntaxKind::matmul)); };
  return any_part(claim.lhs, of_blocks) || any_part(claim.rhs, of_blocks);
}

std::vector<kernel::Reduction> triangles(const Claim& claim) {
  const Names makes = {"causal", "diag", "tril", "triu"};
  const auto in_assumptions = [&](const auto& a) { return calls(a.lhs, makes) || (a.rhs && calls(a.rhs, makes)); };
  const bool any = calls(claim.lhs, makes) || calls(claim.rhs, makes) || std::any_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& d) { return calls(d.value, makes); }) ||
                   std::any_of(claim.assumptions.begin(), claim.assumptions.end(), in_assumptions);
  std::vector<kernel::Reduction> found;
  const auto offer = [&](const Expression& e) {
    if (any && is_call(e, "det", 1)) {
      for (const char* half : {"lower", "upper"}) found.push_back({ReductionKind::triangle, {expr::text(e->args[0]), half}});
    }
    return false;
  };
  any_part(claim.lhs, offer);
  any_part(claim.rhs, offer);
  return found;
}

std::vector<kernel::Reduction> null_spaces(const Claim& claim, const infer::Problem& problem) {
  std::vector<kernel::Reduction> found;
  const Claim whole = kernel::declared(claim, problem);
  const Expression& matrix = kernel::growing_rank(claim.lhs)->args[0];
  const auto shape = shape_of(whole, matrix);
  if (!shape || shape->size() != 2) return found;
  const auto offer = [&](const Expression& v, bool left) {
    kernel::Reduction step{ReductionKind::nullity, {expr::text(v)}};
    if (left) step.text.push_back("left");
    found.push_back(std::move(step));
  };
  any_part(claim.rhs, [&](const Expression& e) {  // rank(A) + rank(B) <= rank(A @ B) + k
    if (is_rank(e) && e->args[0]->kind == SyntaxKind::matmul) {
      if (expr::same(e->args[0]->args[0], matrix)) offer(e->args[0]->args[1], false);
      if (expr::same(e->args[0]->args[1], matrix)) offer(e->args[0]->args[0], true);
    }
    return false;
  });
  any_part(claim.lhs, [&](const Expression& e) {  // rank(P) + rank(eye(d) - P) <= d
    const auto of = is_rank(e) && !expr::same(e->args[0], matrix) ? shape_of(whole, e->args[0]) : std::nullopt;
    if (of && of->size() == 2 && (*of)[0] == (*shape)[1]) offer(e->args[0], false);
    return false;
  });
  const auto size = [&](std::size_t axis) { return read::parse_expression(expr::text((*shape)[axis])); };
  const Expression one = read::parse_expression("1");
  if (!sizes_less_one(claim.rhs).empty() || is_term(claim.lhs, [](const Expression& e) { return expr::is_number(e, 1); })) {  // rank(E) + 1 <= d
    offer(expr::call("ones", {size(1), one}), false);
    offer(expr::call("ones", {one, size(0)}), true);
  }
  for (const auto& a : claim.assumptions) {
    if (a.relation != Relation::equal || a.lhs->kind != SyntaxKind::matmul) continue;
    for (const Expression& v : a.lhs->args) {
      const auto of = shape_of(whole, v);
      if (!of || of->size() != 2) continue;
      if ((*of)[0] == (*shape)[1]) offer(v, false);
      if ((*of)[1] == (*shape)[0]) offer(v, true);
    }
  }
  return found;
}

namespace {

/// A.T @ A of A.T @ (2 * A) / sqrt(d): without what is a number, wherever it is multiplied by.
Expression without_scales(const Expression& e, const Claim& whole) {
  const auto is_scale = [&](const Expression& x) {
    const auto shape = shape_of(whole, x);
    return shape && shape->empty();
  };
  if (e->kind == SyntaxKind::negate) return without_scales(e->args[0], whole);
  if (e->kind == SyntaxKind::multiply && is_scale(e->args[0])) return without_scales(e->args[1], whole);
  if ((e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::divide) && is_scale(e->args[1])) return without_scales(e->args[0], whole);
  if (e->kind == SyntaxKind::matmul) return expr::node(SyntaxKind::matmul, {without_scales(e->args[0], whole), without_scales(e->args[1], whole)});
  return e;
}

}  // namespace

std::vector<std::string> ranks_between(const Claim& claim, const infer::Problem& problem) {
  std::vector<std::string> found;
  const Claim whole = kernel::declared(claim, problem);
  any_part(claim.rhs, [&](const Expression& e) {
    if (!is_rank(e)) return false;
    const Expression bare = without_scales(e->args[0], whole);
    if (!expr::same(bare, e->args[0])) found.push_back(expr::text(expr::call("rank", {bare})));
    return false;
  });
  any_part(claim.rhs, [&](const Expression& e) {
    if (!is_rank(e) || (e->args[0]->kind != SyntaxKind::add && e->args[0]->kind != SyntaxKind::subtract)) return false;
    for (const Expression& term : e->args[0]->args) found.push_back(expr::text(expr::call("rank", {term})));
    return false;
  });
  return found;
}

std::vector<kernel::Reduction> by_ranks(const Claim& claim, const infer::Problem& problem) {
  std::vector<kernel::Reduction> found;
  if (claim.relation == Relation::equal && is_call(claim.lhs, "det", 1) && expr::is_number(claim.rhs, 0)) found.push_back({ReductionKind::singular, {}});
  const bool sizes = claim.relation == Relation::less_equal && problem.lhs->kind == infer::TermKind::size && problem.rhs->kind == infer::TermKind::size;
  const auto has_inverse = [&](const expr::Assumption& a) { return a.relation == Relation::equal && a.lhs->kind == SyntaxKind::matmul && is_call(a.rhs, "eye", 1) && expr::same(a.rhs->args[0], claim.lhs); };
  const auto at = std::find_if(claim.assumptions.begin(), claim.assumptions.end(), has_inverse);
  if (sizes && at != claim.assumptions.end()) found.push_back({ReductionKind::through, {expr::text(expr::call("rank", {at->lhs->args[0]}))}});
  return found;
}

std::vector<Expression> square_factors(const Claim& claim, const infer::Problem& problem) {
  std::vector<Expression> found;
  const Claim whole = kernel::declared(claim, problem);
  const auto invertible = kernel::invertible_parts(whole);
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    for (const Expression& a : e->args) {
      look(a);
      const bool factor = e->kind == SyntaxKind::matmul && a->kind != SyntaxKind::transpose && a->kind != SyntaxKind::matmul && !is_call(a, "inv");
      if (!factor || !calls(a, {"causal", "eye", "tril", "triu"}) || expr::contains(found, a) || expr::contains(invertible, a)) continue;
      const auto shape = shape_of(whole, a);
      if (shape && shape->size() == 2 && (*shape)[0] == (*shape)[1]) found.push_back(a);
    }
  };
  look(claim.lhs);
  look(claim.rhs);
  return found;
}

std::vector<kernel::Reduction> products_and_lemmas(const Claim& claim, const infer::Problem& problem) {
  std::vector<kernel::Reduction> found;
  const bool one_function = claim.lhs->kind == claim.rhs->kind && claim.lhs->name == claim.rhs->name && claim.lhs->args.size() == claim.rhs->args.size() && !claim.lhs->args.empty();
  const bool difference = claim.lhs->kind == SyntaxKind::subtract && (is_call(claim.rhs, "zeros") || expr::is_number(claim.rhs, 0));
  if (one_function || difference) found.push_back({ReductionKind::congruent, {}});
  for (std::size_t axis = 0; axis < std::min<std::size_t>(problem.lhs->shape.size(), 2); ++axis) {
    for (const expr::Dim& p : kernel::cut_points(problem.lhs->shape[axis])) found.push_back({ReductionKind::blocks, {std::to_string(axis), expr::text(p)}});
  }
  for (auto& step : lemmas(claim, problem)) found.push_back(std::move(step));
  const std::size_t axes = std::max(problem.lhs->shape.size(), problem.rhs->shape.size());  // one side may be 0
  if (axes == 1 || axes == 2) {
    for (const Expression& m : kernel::invertible_parts(claim)) {
      found.push_back({ReductionKind::before, {expr::text(m)}});
      found.push_back({ReductionKind::after, {expr::text(m)}});
    }
  }
  for (const Expression& d : kernel::nonzero_parts(claim)) {
    const bool assumed = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [](const auto& a) { return a.relation == Relation::equal; });  // a * b == a * c
    if ((d->kind != SyntaxKind::name || assumed) && !is_call(d, "rms") && d->kind != SyntaxKind::number) found.push_back({ReductionKind::scaled, {expr::text(d)}});
  }
  return found;
}

bool is_zero(const Expression& e) { return expr::is_number(e, 0) || is_call(e, "zeros") || (e->kind == SyntaxKind::multiply && (is_zero(e->args[0]) || is_zero(e->args[1]))); }

std::vector<std::string> permutation_lists(const Claim& claim) {
  std::vector<std::string> found;
  for (const auto& d : claim.definitions) {
    if (kernel::is_permutation_list(d.value)) found.push_back(d.name);
  }
  return found;
}

bool assumes_zero(const Claim& claim) {
  return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [](const auto& a) { return a.relation == Relation::equal && is_zero(a.rhs); });
}

std::vector<std::string> equal_to_bound(const Claim& claim) {
  const bool squared = is_square(claim.rhs);
  const Expression& bound = squared ? claim.rhs->args[0] : claim.rhs;
  std::vector<std::string> found;
  const bool zero = is_zero(bound), one = expr::is_number(bound, 1);
  if ((bound->kind != SyntaxKind::number && !zero) || (squared && !one && !zero)) return found;
  for (const auto& a : claim.assumptions) {
    if (a.relation == Relation::equal && (zero ? is_zero(a.rhs) : a.rhs->kind == SyntaxKind::number && a.rhs->value == bound->value)) {
      found.push_back(expr::text(a.lhs));
      if (one && squares_summed(claim.lhs)) found.push_back(expr::text(expr::node(SyntaxKind::power, {a.lhs, read::parse_expression("2")})));
    }
    const bool gram = a.relation == Relation::equal && a.lhs->kind == SyntaxKind::matmul && expr::same(a.lhs->args[0], expr::transposed(a.lhs->args[1]));  // A.T @ A == zeros(d, d)
    const auto squares = [](const Expression& x) { return expr::node(SyntaxKind::power, {x, read::parse_expression("2")}); };
    if (gram && one && is_call(a.rhs, "eye")) found.push_back(expr::text(a.lhs->args[0]->kind == SyntaxKind::transpose ? expr::call("colsum", {squares(a.lhs->args[1])}) : expr::call("rowsum", {squares(a.lhs->args[0])})));
    if (gram && is_zero(a.rhs) && zero) {  // X @ X.T as well
      found.push_back(expr::text(expr::call("colsum", {squares(a.lhs->args[1])})));
      found.push_back(expr::text(expr::call("rowsum", {squares(a.lhs->args[0])})));
    }
    if (!a.relation && is_call(a.lhs, "orthogonal") && one) {
      const Expression& matrix = a.lhs->args[0];
      const Expression turned = expr::transposed(matrix);
      const bool is_turned = any_part(claim.lhs, [&](const Expression& e) { return expr::same(e, turned); });
      found.push_back(expr::text(expr::call("rowsum", {squares(is_turned ? turned : matrix)})));
    }
  }
  return found;
}

bool is_negative_bound(const Claim& claim) {
  if (claim.lhs->kind != SyntaxKind::negate || claim.rhs->kind == SyntaxKind::negate) return false;
  Claim negated = claim;
  std::tie(negated.lhs, negated.rhs) = std::tuple(claim.rhs, claim.lhs->args[0]);
  return !equal_to_bound(negated).empty();
}

namespace {

/// Parts that stand in these more than once, the largest first; with what norms and relu are taken of, which only their argument makes hard.
std::vector<Expression> repeated_in(std::initializer_list<Expression> sides, bool norms) {
  constexpr std::size_t most = 3;
  std::vector<Expression> once, found;
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    static const std::set<SyntaxKind> joins = {SyntaxKind::add, SyntaxKind::subtract, SyntaxKind::multiply, SyntaxKind::divide, SyntaxKind::matmul};
    const bool compound = (joins.count(e->kind) > 0 || (e->kind == SyntaxKind::call && e->args.size() == 1)) && any_part(e, [](const Expression& x) { return x->kind == SyntaxKind::name; });
    if (compound && expr::contains(once, e) && !expr::contains(found, e)) found.push_back(e);
    if (compound) once.push_back(e);
    const Expression of = !norms ? nullptr : is_call_of(e, {"rmsnorm", "l2norm", "gelu", "relu"}) ? e->args[0] : squares_summed(e);
    if (of && of->kind != SyntaxKind::name && !expr::contains(found, of)) found.push_back(of);
    if (e->kind == SyntaxKind::comprehension) return;
    for (const Expression& a : e->args) look(a);
  };
  for (const Expression& side : sides) look(side);
  std::stable_sort(found.begin(), found.end(), [](const Expression& a, const Expression& b) { return nodes(a) > nodes(b); });
  found.resize(std::min(found.size(), most));
  return found;
}

}  // namespace

std::vector<Expression> repeated_parts(const Claim& claim) { return repeated_in({claim.lhs, claim.rhs}, true); }

std::vector<std::string> shared_parts(const Claim& claim) {
  std::vector<std::string> found;
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    const auto is_tensor = [&](const Expression& x) { return prove::is_tensor(x, claim); };
    const auto is_it = [&](const Expression& x) { return expr::same(x, e); };
    if (e->kind == SyntaxKind::call && any_part(e, is_tensor) && any_part(claim.rhs, is_it)) {
      if (std::find(found.begin(), found.end(), expr::text(e)) == found.end()) found.push_back(expr::text(e));
      return;
    }
    if (e->kind == SyntaxKind::comprehension) return;
    for (const Expression& a : e->args) look(a);
  };
  look(claim.lhs);
  return found;
}

std::vector<std::string> stochastic_parts(const Claim& claim) {
  constexpr std::size_t most = 3;
  std::vector<std::string> found;
  const auto is_softmax = [](const Expression& e) { return is_call(e, "softmax", 1) && e->keywords.empty(); };
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    if (e->kind == SyntaxKind::comprehension) return;
    if (is_softmax(e)) {
      if (std::find(found.begin(), found.end(), expr::text(e)) == found.end()) found.push_back(expr::text(e));
      return;
    }
    for (const Expression& a : e->args) look(a);
  };
  for (const auto& d : claim.definitions) {
    if (is_softmax(d.value)) found.push_back(d.name);
    else look(d.value);
  }
  look(claim.lhs);
  look(claim.rhs);
  return found.size() <= most ? found : std::vector<std::string>{};
}

std::vector<std::string> largest_in_exponents(const Claim& claim) {
  const auto is_largest = [](const Expression& value) {
    Expression e = value;
    while (e->kind == SyntaxKind::index) e = e->args[0];
    return is_call_of(e, {"max", "maximum", "rowmax"});
  };
  const auto subtracted = [&](const std::string& name) {
    const auto subtracts = [&](const Expression& e) { return e->kind == SyntaxKind::subtract && (expr::mentions(e->args[0], name) || expr::mentions(e->args[1], name)); };
    const auto in_exponent = [&](const Expression& e) { return is_call(e, "exp", 1) && any_part(e, subtracts); };
    return any_part(claim.lhs, in_exponent) || any_part(claim.rhs, in_exponent) || std::any_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& d) { return any_part(d.value, in_exponent); });
  };
  std::vector<std::string> found;
  for (const auto& d : claim.definitions) {
    if (is_largest(d.value) && subtracted(d.name)) found.push_back(d.name);
  }
  const auto see = [&](const Expression& e) {
    const bool stands_alone = e->kind == SyntaxKind::subtract && is_largest(e->args[1]);
    if (stands_alone && std::find(found.begin(), found.end(), expr::text(e->args[1])) == found.end()) found.push_back(expr::text(e->args[1]));
    return false;
  };
  any_part(claim.lhs, see);
  any_part(claim.rhs, see);
  for (const auto& d : claim.definitions) any_part(d.value, see);
  return found;
}

std::vector<kernel::Reduction> whatever_is_inverted(const Claim& claim) {
  std::vector<kernel::Reduction> found;
  std::set<std::string> offered;
  const auto offer = [&](const std::string& part) {
    if (offered.insert(part).second) found.push_back({ReductionKind::forget, {part}});
  };
  const auto look = [&](const Expression& e) {
    if (!is_call(e, "inv", 1)) return false;
    const Expression& matrix = e->args[0];
    for (const auto& d : claim.definitions) {
      if (expr::mentions(matrix, d.name)) offer(d.name);
    }
    const auto triangle = [&](const Expression& part) {
      if (is_call_of(part, {"tril", "triu"})) offer(expr::text(part));
      return false;
    };
    any_part(matrix, triangle);
    return false;
  };
  any_part(claim.lhs, look);
  any_part(claim.rhs, look);
  for (const auto& d : claim.definitions) any_part(d.value, look);
  return found;
}

namespace {

/// The first part inside of e that is such, from the outside. Null where there is none.
Expression largest_part(const Expression& e, const std::function<bool(const Expression&)>& is_such) {
  for (const Expression& a : e->args) {
    const Expression found = is_such(a) ? a : largest_part(a, is_such);
    if (found) return found;
  }
  return nullptr;
}

/// The name of a and what stands in its place everywhere in b, if they are alike otherwise: X and P @ X of X + f(X) and P @ X + f(P @ X).
std::optional<std::pair<std::string, Expression>> put_in_place(const Expression& a, const Expression& b) {
  std::optional<std::pair<std::string, Expression>> found;
  const std::function<bool(const Expression&, const Expression&)> look = [&](const Expression& x, const Expression& y) {
    if (!x || !y) return !x && !y;
    if (x->kind == SyntaxKind::name && y->kind != SyntaxKind::name && expr::mentions(y, x->name)) {
      if (!found) found.emplace(x->name, y);
      return found->first == x->name && expr::same(found->second, y);
    }
    if (x->args.empty() || x->args.size() != y->args.size()) return expr::same(x, y) && !(found && expr::mentions(x, found->first));
    auto with_args = std::make_shared<expr::Syntax>(*x);
    with_args->args = y->args;
    if (!expr::same(with_args, y) || x->kind == SyntaxKind::comprehension) return false;
    for (std::size_t k = 0; k < x->args.size(); ++k) {
      if (!look(x->args[k], y->args[k])) return false;
    }
    return true;
  };
  return look(a, b) && found ? found : std::nullopt;
}

}  // namespace

std::vector<Lemma> between_definitions(const Claim& claim) {
  std::vector<std::function<Expression(const Expression&)>> wrappers;
  for (const Expression& side : {claim.lhs, claim.rhs}) {
    const auto with = [&](std::size_t place) {
      return [side, place](const Expression& x) {
        auto copy = std::make_shared<expr::Syntax>(*side);
        copy->args[place] = x;
        return Expression(copy);
      };
    };
    if (side->kind == SyntaxKind::matmul) wrappers.push_back(with(1));
    if (side->kind == SyntaxKind::matmul || side->kind == SyntaxKind::index || side->kind == SyntaxKind::transpose) wrappers.push_back(with(0));
  }
  wrappers.push_back([](const Expression& x) { return x; });
  // The largest first, of one size what says the longer by the shorter, and every pair with the first wrapper before any with the next.
  std::vector<std::pair<std::tuple<std::size_t, bool, std::size_t>, Lemma>> found;
  const auto pair = [&](const Expression& name, const Expression& value, const Expression& other_name, const Expression& other_value, std::size_t weight) {
    const std::size_t size = nodes(value), other = nodes(other_value);
    if (value->kind != other_value->kind || 3 * std::min(size, other) < std::max(size, other)) return;
    if (const auto own = put_in_place(value, other_value)) found.push_back({{weight, size <= other, wrappers.size() + 1}, {expr::text(other_name), expr::changed(own->second, [&](const Expression& x) { return x->kind == SyntaxKind::name && x->name == own->first ? name : nullptr; }), {expr::text(name)}}});
    for (std::size_t k = 0; k < wrappers.size(); ++k) found.push_back({{weight, size <= other, wrappers.size() - k}, {expr::text(other_name), wrappers[k](name), {expr::text(name)}}});
  };
  for (const auto& a : claim.definitions) {
    for (const auto& b : claim.definitions) {
      if (a.name != b.name) pair(expr::node(SyntaxKind::name, {}, a.name), a.value, expr::node(SyntaxKind::name, {}, b.name), b.value, nodes(a.value) + nodes(b.value));
    }
  }
  const auto weight_of = [](const Expression& side, const Expression& part) {  // the nodes that go when it is forgotten
    const Expression rest = expr::changed(side, [&](const Expression& e) { return expr::same(e, part) ? expr::node(SyntaxKind::name, {}, "Z") : nullptr; });
    return nodes(side) - nodes(rest);
  };
  const auto left = repeated_in({claim.lhs}, false), right = repeated_in({claim.rhs}, false);
  for (const Expression& a : left) {
    for (const Expression& b : right) {
      if (expr::same(a, b)) continue;
      const std::size_t weight = weight_of(claim.lhs, a) + weight_of(claim.rhs, b);
      pair(b, b, a, a, weight);
      pair(a, a, b, b, weight);
    }
  }
  for (const auto& [whole, joined] : {std::pair{claim.lhs, claim.rhs}, std::pair{claim.rhs, claim.lhs}}) {  // f(f(vstack(X, Y))), because f(vstack(X, Y)) is vstack(f(X), f(Y))
    if (!is_call_of(joined, {"vstack", "concat"}) || joined->args.size() != 2 || !joined->keywords.empty()) continue;
    for (const Expression& a : repeated_in({whole}, false)) {
      for (const Expression& b : repeated_in({joined->args[0]}, false)) {
        for (const Expression& c : repeated_in({joined->args[1]}, false)) {
          if (a->kind != b->kind || a->kind != c->kind) continue;
          const std::size_t weight = weight_of(whole, a) + weight_of(joined, b) + weight_of(joined, c);
          found.push_back({{weight, true, wrappers.size() + 2}, {expr::text(a), expr::call(joined->name, {b, c}), {expr::text(b), expr::text(c)}}});
        }
      }
    }
  }
  for (const auto& [whole, other] : {std::pair{claim.lhs, claim.rhs}, std::pair{claim.rhs, claim.lhs}}) {  // f(f(f(x))) == f(x), because f(f(x)) == f(x)
    const auto inside = [&, &part = other](const Expression& e) { return e->kind == SyntaxKind::call && e->name == part->name && !expr::same(e, part); };
    if (other->kind != SyntaxKind::call || whole->kind != SyntaxKind::call) continue;
    const Expression part = largest_part(whole, inside);
    if (part) found.push_back({{nodes(part), true, 0}, {expr::text(part), other, {}}});
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  std::vector<Lemma> lemmas;
  for (auto& [size, lemma] : found) lemmas.push_back(std::move(lemma));
  return lemmas;
}

namespace {

/// What the definitions of a claim, and its sides, are written with.
class Written {
 public:
  explicit Written(const Claim& claim) {
    for (std::size_t k = 0; k < claim.definitions.size(); ++k) {
      definitions_.push_back(count(claim.definitions[k].value));
      places_[claim.definitions[k].name] = k;
    }
    sides_ = {count(claim.lhs), count(claim.rhs)};
  }
  /// The definitions that the side is made of.
  std::set<std::size_t> under(std::size_t side) const {
    std::set<std::size_t> found;
    for (const auto& [k, times] : sides_[side].uses) found.insert(k);
    for (std::size_t k = definitions_.size(); k-- > 0;) {
      if (found.count(k) == 0) continue;
      for (const auto& [used, times] : definitions_[k].uses) found.insert(used);
    }
    return found;
  }
  /// The nodes of both sides with values for names, but for those of two definitions.
  double sides_but_for(std::size_t a, std::size_t b) const {
    const std::vector<double> sizes = all(a, b);
    return of(sides_[0], sizes) + of(sides_[1], sizes);
  }
  double sides() const { return sides_but_for(definitions_.size(), definitions_.size()); }
  /// The nodes of each definition with values for names.
  std::vector<double> definitions() const { return all(definitions_.size(), definitions_.size()); }

 private:
  struct Count {
    double nodes = 0;
    std::map<std::size_t, double> uses;
  };
  Count count(const Expression& e) const {
    Count found;
    const std::function<void(const Expression&)> look = [&](const Expression& part) {
      const auto at = part->kind == SyntaxKind::name ? places_.find(part->name) : places_.end();
      if (at != places_.end()) ++found.uses[at->second];
      else ++found.nodes;
      for (const Expression& a : part->args) look(a);
    };
    look(e);
    return found;
  }
  static double of(const Count& count, const std::vector<double>& sizes) {
    double sum = count.nodes;
    for (const auto& [k, times] : count.uses) sum += times * sizes[k];
    return sum;
  }
  std::vector<double> all(std::size_t a, std::size_t b) const {
    std::vector<double> sizes;
    for (std::size_t k = 0; k < definitions_.size(); ++k) sizes.push_back(k == a || k == b ? 1 : of(definitions_[k], sizes));
    return sizes;
  }
  std::vector<Count> definitions_;  // each uses earlier ones
  std::map<std::string, std::size_t> places_;
  std::array<Count, 2> sides_;
};

}  // namespace

double parts_written_out(const Claim& claim) { return Written(claim).sides(); }

std::vector<Lemma> between_layers(const Claim& claim, double least) {
  constexpr std::size_t fewest = 4, most = 40;
  constexpr std::ptrdiff_t window = 8;  // a layer may have other steps on one side
  if (claim.relation != Relation::equal || claim.definitions.size() < fewest) return {};
  const Written written(claim);
  const double whole = written.sides();
  if (whole < least) return {};
  const std::vector<double> nodes_of = written.definitions();
  std::vector<std::size_t> own[2];
  const std::set<std::size_t> under[2] = {written.under(0), written.under(1)};
  for (std::size_t side : {0, 1}) std::set_difference(under[side].begin(), under[side].end(), under[1 - side].begin(), under[1 - side].end(), std::back_inserter(own[side]));
  std::vector<std::pair<double, std::pair<std::size_t, std::size_t>>> found;
  for (std::size_t k = 0; k < own[0].size(); ++k) {
    const auto alike = static_cast<std::ptrdiff_t>(k * own[1].size() / own[0].size()), end = static_cast<std::ptrdiff_t>(own[1].size());
    for (std::ptrdiff_t l = std::max<std::ptrdiff_t>(alike - window, 0); l < std::min(alike + window + 1, end); ++l) {
      const std::size_t a = own[0][k], b = own[1][static_cast<std::size_t>(l)];
      const double left = std::max(nodes_of[a] + nodes_of[b], written.sides_but_for(a, b));
      const double astray = 1 + 0.5 * static_cast<double>(std::abs(l - alike));  // from the layer that is alike
      if (left < whole) found.push_back({left * astray, {a, b}});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<Lemma> lemmas;
  for (const auto& [left, pair] : found) {
    if (lemmas.size() == most) break;
    const std::string &a = claim.definitions[pair.first].name, &b = claim.definitions[pair.second].name;
    lemmas.push_back({b, expr::node(SyntaxKind::name, {}, a), {a}});
  }
  return lemmas;
}

std::optional<std::vector<std::string>> split_by_least(const Claim& claim) {
  if (kernel::splitting_side(claim)) return std::vector<std::string>{};
  const auto at = std::find_if(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return kernel::splitting_side(claim, a).has_value(); });
  if (at == claim.assumptions.end()) return std::nullopt;
  return std::vector<std::string>{std::to_string(at - claim.assumptions.begin())};
}

bool bends(const Expression& e, const std::vector<std::string>& names) {
  static const std::set<std::string> functions = {"abs", "clip", "elu", "leaky_relu", "maximum", "minimum", "relu"};
  const auto adds = [](const Expression& x) { return x->kind == SyntaxKind::add || x->kind == SyntaxKind::subtract || (x->kind == SyntaxKind::call && x->args.size() > 1); };
  return any_part(e, [&](const Expression& x) {
    const bool of_numbers = (is_call(x, "max") || is_call(x, "min")) && x->args.size() > 1;
    if (x->kind != SyntaxKind::call || (functions.count(x->name) == 0 && !of_numbers && !expr::is_comparison(*x)) || (names.size() > 1 && !any_part(x, adds))) return false;
    return std::all_of(names.begin(), names.end(), [&](const auto& name) { return expr::mentions(x, name); });
  });
}

namespace {

/// X @ W + b of X @ W + b - 1 and of -2*(X @ W + b): without the numbers that are added and multiplied.
Expression without_numbers(const Expression& e) {
  if (e->kind == SyntaxKind::negate) return without_numbers(e->args[0]);
  const bool sum = e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract, product = e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::divide;
  if ((sum || product) && e->args[1]->kind == SyntaxKind::number) return without_numbers(e->args[0]);
  if ((sum || product) && e->args[0]->kind == SyntaxKind::number) return without_numbers(e->args[1]);
  return e;
}

/// -(X @ W) for -X @ W, which Python reads as (-X) @ W: the same product as X @ W.
Expression with_minus_outside(const Expression& e) {
  if (e->kind != SyntaxKind::matmul || e->args[0]->kind != SyntaxKind::negate) return nullptr;
  return expr::node(SyntaxKind::negate, {expr::node(SyntaxKind::matmul, {e->args[0]->args[0], e->args[1]})});
}

}  // namespace

std::optional<kernel::Reduction> whatever_is_bent(const Claim& claim) {
  if (auto step = reworded(claim, with_minus_outside)) return step;
  const auto is_of_tensors = [&](const Expression& e) {  // and no number or declared tensor itself
    if (e->kind == SyntaxKind::name) return std::any_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& d) { return d.name == e->name; });
    return any_part(e, [&](const Expression& x) { return is_tensor(x, claim); });
  };
  const auto is_entrywise = [](const Expression& e) {
    static const std::set<SyntaxKind> kinds = {SyntaxKind::negate, SyntaxKind::add, SyntaxKind::subtract, SyntaxKind::multiply, SyntaxKind::divide, SyntaxKind::power};
    return kinds.count(e->kind) > 0 || (e->kind == SyntaxKind::call && (expr::is_entrywise_function(e->name) || expr::is_comparison(*e) || is_call_of(e, {"clip", "maximum", "minimum", "where"})));
  };
  const auto is_part = [&](const Expression& e) { return !is_entrywise(e) && is_of_tensors(e); };
  std::vector<Expression> bent, parts;
  const auto see = [&](const Expression& e) {
    for (const Expression& a : e->kind == SyntaxKind::call && bends(e) ? e->args : std::vector<Expression>{}) {
      const Expression x = without_numbers(a);
      if ((x->kind == SyntaxKind::add || x->kind == SyntaxKind::subtract) && any_part(x, is_part)) bent.push_back(x);  // X @ W + b as a whole
    }
    return false;
  };
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    if (!expr::contains(bent, e) && is_entrywise(e)) {
      std::for_each(e->args.begin(), e->args.end(), look);
    } else if (is_of_tensors(e) && !expr::contains(parts, e)) {
      parts.push_back(e);
    }
  };
  for (const Expression& side : {claim.lhs, claim.rhs}) any_part(side, see);
  for (const Expression& side : {claim.lhs, claim.rhs}) look(side);
  if (parts.empty()) return std::nullopt;
  std::vector<std::string> texts;
  for (const Expression& part : parts) texts.push_back(expr::text(part));
  return kernel::Reduction{ReductionKind::forget, texts};
}

std::optional<kernel::Reduction> of_summands(const Claim& claim) {
  const auto is_sum = [](const Expression& e) { return is_call_of(e, {"sum", "rowsum", "colsum", "mean"}) && e->args.size() == 1 && e->keywords.empty(); };
  Expression first;
  any_part(claim.lhs, [&](const Expression& e) {
    if (is_sum(e)) first = e;
    return first != nullptr;
  });
  if (!first || claim.relation != Relation::equal) return std::nullopt;
  const std::function<Expression(const Expression&)> summed = [&](const Expression& e) -> Expression {
    if (is_sum(e) && e->name == first->name) return e->args[0];
    const auto is_number = [&](std::size_t k) { return e->args[k]->kind == SyntaxKind::number; };
    const bool terms = e->kind == SyntaxKind::negate || e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract;
    const bool scaled = (e->kind == SyntaxKind::multiply && (is_number(0) || is_number(1))) || (e->kind == SyntaxKind::divide && is_number(1));
    if (!terms && !scaled) return nullptr;
    std::vector<Expression> args;
    for (std::size_t k = 0; k < e->args.size(); ++k) {
      args.push_back(scaled && is_number(k) ? e->args[k] : summed(e->args[k]));
      if (!args.back()) return nullptr;
    }
    return expr::node(e->kind, args);
  };
  const Expression left = summed(claim.lhs), right = left ? summed(claim.rhs) : nullptr;
  if (!right) return std::nullopt;
  if (is_sum(claim.lhs) && is_sum(claim.rhs)) return kernel::Reduction{ReductionKind::congruent, {}};
  return kernel::Reduction{ReductionKind::rearranged, {expr::text(expr::call(first->name, {left})), expr::text(expr::call(first->name, {right})), "1", "1"}};
}

bool has_one_shape(const Claim& claim, const infer::Problem& problem) {
  const expr::Shape& shape = problem.lhs->shape.empty() ? problem.rhs->shape : problem.lhs->shape;
  const auto is_used = [&](const std::string& name) { return expr::mentions(claim.lhs, name) || expr::mentions(claim.rhs, name); };
  return std::all_of(problem.variables.begin(), problem.variables.end(), [&](const auto& v) { return v.shape.empty() || v.shape == shape || !is_used(v.name); });
}

std::optional<kernel::Reduction> with_identities(const Claim& claim) {
  const auto is_inverse_of = [](const Expression& inverse, const Expression& e) { return is_call(inverse, "inv", 1) && expr::same(inverse->args[0], e); };
  return reworded(claim, [&](const Expression& e) -> Expression {
    if (e->kind != SyntaxKind::matmul || (!is_inverse_of(e->args[0], e->args[1]) && !is_inverse_of(e->args[1], e->args[0]))) return nullptr;
    const Expression& matrix = e->args[is_inverse_of(e->args[0], e->args[1]) ? 1 : 0];
    const expr::Shape shape = declared_shape(claim, matrix);
    return shape.empty() ? nullptr : read::parse_expression("eye(" + expr::text(shape.back()) + ")");
  });
}

bool has_slopes(const Claim& claim) {
  const Names smooth = {"cos", "exp", "sigmoid", "silu", "sin", "softplus", "tanh"};
  return calls(claim.lhs, smooth) || calls(claim.rhs, smooth);
}

std::vector<std::string> rising_numbers(const Claim& claim) {
  std::vector<std::string> found;
  if (!has_slopes(claim)) return found;
  for (const auto& a : claim.assumptions) {
    const auto order = kernel::order_of(a);
    if (order && order->larger->kind == SyntaxKind::name && expr::is_number(order->smaller, 0)) found.push_back(order->larger->name);
  }
  return found;
}

std::optional<kernel::Reduction> with_products_apart(const Claim& claim) {
  const auto cuts = [](const Expression& e) { return e->kind == SyntaxKind::index || is_call(e, "pad"); };  // what is shifted is no product of its own
  if (!any_part(claim.lhs, cuts) && !any_part(claim.rhs, cuts)) return std::nullopt;
  return reworded(claim, [&](const Expression& e) { return distributed(e, claim); });
}

std::optional<kernel::Reduction> as_determinant_of_product(const Claim& claim) {
  const bool square = is_square(claim.lhs) && is_call(claim.lhs->args[0], "det", 1);
  if (!square || claim.relation != Relation::equal) return std::nullopt;
  for (const auto& a : claim.assumptions) {
    const auto is_it = [&](const Expression& e) { return expr::same(e, claim.lhs->args[0]->args[0]); };
    if (a.relation != Relation::equal || a.lhs->kind != SyntaxKind::matmul || !any_part(a.lhs, is_it)) continue;
    return kernel::Reduction{ReductionKind::rearranged, {expr::text(expr::call("det", {a.lhs})), expr::text(claim.rhs), "1", "1"}};
  }
  return std::nullopt;
}

std::optional<kernel::Reduction> as_assumed(const Claim& claim) {
  const auto assumed = [&](Names functions) {
    return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return a.relation == Relation::equal && (calls(a.lhs, functions) || calls(a.rhs, functions)); });
  };
  const auto applied = [](const char* outer, const char* inner, const Expression& e) { return expr::call(outer, {expr::call(inner, e->args)}); };
  const std::function<Expression(const Expression&)> changed = [&](const Expression& e) -> Expression {
    if (e->kind != SyntaxKind::call || e->args.size() != 1 || !e->keywords.empty()) return nullptr;
    if (is_call(e, "log_softmax") && assumed({"softmax"})) return applied("log", "softmax", e);
    if (is_call(e, "softmax") && assumed({"log_softmax"})) return applied("exp", "log_softmax", e);
    if (is_call(e, "softmax") && assumed({"lse"})) return expr::call("exp", {expr::node(SyntaxKind::subtract, {e->args[0], expr::call("lse", e->args)})});
    return nullptr;
  };
  return reworded(claim, changed);
}

namespace {

/// layernorm(X)**2 <= d - 1 by Cauchy-Schwarz: an entry is minus the sum of the d - 1 others of its row.
void add_square_of_others(const Claim& claim, const infer::Problem& problem, std::vector<kernel::Reduction>& found) {
  if (!is_square(claim.lhs) || !is_call(claim.lhs->args[0], "layernorm") || problem.lhs->shape.empty()) return;
  const std::string z = expr::text(claim.lhs->args[0]), d = expr::text(problem.lhs->shape.back()), others = "(ones(" + d + ", " + d + ") - eye(" + d + "))";
  found.push_back({ReductionKind::rearranged, {"(" + z + " @ " + others + ")**2", "colsum(" + others + ") * (" + z + "**2 @ " + others + ")", d, "1"}});
}

/// (softmax(A) - softmax(B)) * (A - B) with logarithms of softmax for A and B, up to what adds up to zero: exp(X) - exp(Y) times X - Y. The
/// same of a product of a row and a column. Null for others.
Expression by_logarithms(const Expression& e) {
  if (e->kind != SyntaxKind::multiply && e->kind != SyntaxKind::matmul) return nullptr;
  const bool row = e->kind == SyntaxKind::matmul;
  for (const std::size_t k : {0, 1}) {
    const Expression &p = e->args[k], &other = e->args[1 - k], &x = row && other->kind == SyntaxKind::transpose ? other->args[0] : other;
    if (p->kind != SyntaxKind::subtract || x->kind != SyntaxKind::subtract || !is_call(p->args[0], "softmax", 1) || !is_call(p->args[1], "softmax", 1)) continue;
    if (!expr::same(p->args[0]->args[0], x->args[0]) || !expr::same(p->args[1]->args[0], x->args[1])) continue;
    const auto logarithm = [](const Expression& scores) { return expr::node(SyntaxKind::subtract, {scores, expr::call("lse", {scores})}); };
    const Expression a = logarithm(x->args[0]), b = logarithm(x->args[1]);
    const Expression product = expr::node(SyntaxKind::multiply, {expr::node(SyntaxKind::subtract, {expr::call("exp", {a}), expr::call("exp", {b})}), expr::node(SyntaxKind::subtract, {a, b})});
    return row ? expr::call("rowsum", {product}) : product;
  }
  return nullptr;
}

}  // namespace

std::optional<kernel::Reduction> without_ones(const Claim& claim) {
  return reworded(claim, [](const Expression& e) { return is_call(e, "ones") ? read::parse_expression("1") : is_call(e, "zeros") ? read::parse_expression("0") : nullptr; });
}

std::optional<kernel::Reduction> mask(const Claim& claim) {
  Expression matrix;
  any_part(claim.lhs, [&](const Expression& e) {
    const bool others = e->kind == SyntaxKind::subtract && is_call(e->args[0], "ones", 2) && is_call(e->args[1], "eye", 1);
    if (others) matrix = e;
    return others;
  });
  if (!matrix) return std::nullopt;
  const Expression square = expr::node(SyntaxKind::multiply, {matrix, matrix});
  if (assumes(claim, square, matrix)) return std::nullopt;
  return kernel::Reduction{ReductionKind::lemma, {expr::text(square), expr::text(matrix)}};
}

bool multiplies_differences(const Claim& claim) {
  const auto difference = [](const Expression& e) { return e->kind == SyntaxKind::subtract; };
  const Expression& product = claim.rhs;
  return claim.relation == Relation::less_equal && expr::is_number(claim.lhs, 0) && product->kind == SyntaxKind::multiply && difference(product->args[0]) && difference(product->args[1]);
}

namespace {

/// Whether the rows of e add up to 1, or the entries of a vector: a softmax, or what is assumed to be such.
bool adds_up_to_one(const Expression& e, const Claim& claim) {
  if (is_call(e, "softmax", 1) && e->keywords.empty()) return true;
  return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) {
    if (!a.relation) return is_call(a.lhs, "rowstochastic", 1) && expr::same(a.lhs->args[0], e);
    const bool sum = is_call(a.lhs, "rowsum", 1) || (is_call(a.lhs, "sum", 1) && is_vector(e, claim));
    return a.relation == Relation::equal && sum && expr::same(a.lhs->args[0], e) && (expr::is_number(a.rhs, 1) || is_call(a.rhs, "ones"));
  });
}

/// 1/m <= rowsum(P**2) and n/m <= frob2(P) for rows that add up to 1, whose squares stand in the place of that 1 for Cauchy-Schwarz.
void add_row_sums(const Claim& claim, const infer::Problem& problem, std::vector<kernel::Reduction>& found) {
  any_part(claim.rhs, [&](const Expression& e) {
    Expression p = measured(e, claim);
    if (p && p->kind == SyntaxKind::transpose) p = p->args[0];  // p @ p.T
    if (!p || !adds_up_to_one(p, claim)) return false;
    const bool vector = is_vector(p, claim);
    const Expression one = expr::node(SyntaxKind::power, {expr::call(vector ? "sum" : "rowsum", {p}), read::parse_expression("2")});
    const auto shape = vector ? std::nullopt : problem.rhs->shape.empty() ? shape_of(claim, p) : std::nullopt;
    const Expression ones = shape ? expr::node(SyntaxKind::divide, {expr::call("sum", {one}), read::parse_expression("(" + expr::text((*shape)[0]) + ")")}) : one;
    found.push_back({ReductionKind::rearranged, {expr::text(expr::node(SyntaxKind::multiply, {ones, claim.lhs})), expr::text(claim.rhs), "1", "1"}});
    return true;
  });
}

}  // namespace

std::optional<kernel::Reduction> through_a_mean(const Claim& claim) {
  const bool root = is_square(claim.lhs) && is_call(claim.lhs->args[0], "sqrt", 1);
  const Expression& sum = root ? claim.lhs->args[0]->args[0] : claim.lhs;
  if (claim.relation != Relation::less_equal || !is_call_of(sum, {"sum", "rowsum"}) || sum->args.size() != 1) return std::nullopt;
  const Expression &square = sum->args[0], product = squares_summed(sum);
  if (!product || product->kind != SyntaxKind::matmul || !adds_up_to_one(product->args[0], claim)) return std::nullopt;
  const Expression &weights = product->args[0], &values = product->args[1];
  auto of_values = std::make_shared<expr::Syntax>(*sum);
  of_values->args[0] = expr::node(square->kind, {values, square->kind == SyntaxKind::power ? square->args[1] : values});
  return kernel::Reduction{ReductionKind::through, {expr::text(expr::node(SyntaxKind::matmul, {weights, of_values}))}};
}

std::optional<kernel::Reduction> factor_by_factor(const Claim& claim, const infer::Problem& problem) {
  const Expression root = expr::squared(claim.rhs);
  if (claim.relation != Relation::less_equal || claim.lhs->kind != SyntaxKind::multiply || !root || !has_slopes(claim)) return std::nullopt;
  const std::size_t at = expr::same(claim.lhs->args[0], root) ? 0 : 1;
  if (!expr::same(claim.lhs->args[at], root)) return std::nullopt;
  if (!problem.lhs->shape.empty()) return has_one_shape(claim, problem) ? std::optional(kernel::Reduction{ReductionKind::entries, {}}) : std::nullopt;
  const auto sum = linear(root);
  if (!sum || sum->size() != 1) return std::nullopt;
  const auto& [name, q] = *sum->begin();
  if (!is_never_negative(claim, name)) return q == 1 ? std::optional(kernel::Reduction{ReductionKind::pieces, {name, "0"}}) : std::nullopt;
  if (root->kind == SyntaxKind::name && claim.rhs->kind == SyntaxKind::multiply) return kernel::Reduction{ReductionKind::increasing, {}};
  const Expression t = expr::node(SyntaxKind::name, {}, name), &other = claim.lhs->args[1 - at];
  const Expression factor = q == 1 ? other : expr::node(SyntaxKind::negate, {other});
  if (q != 1 && q != -1) return std::nullopt;
  return kernel::Reduction{ReductionKind::rearranged, {expr::text(expr::node(SyntaxKind::multiply, {t, factor})), expr::text(expr::node(SyntaxKind::multiply, {t, t})), "1", "1"}};
}

std::optional<kernel::Reduction> between_logarithms(const Claim& claim) {
  if (claim.relation != Relation::less_equal) return std::nullopt;
  Expression less, more, rest;
  const auto is_lse = [](const Expression& e) { return is_call(e, "lse", 1) && e->keywords.empty(); };
  std::size_t others = 0;
  const std::function<void(const Expression&, bool)> collect = [&](const Expression& e, bool right) {
    if (e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract) {
      collect(e->args[0], right);
      collect(e->args[1], (e->kind == SyntaxKind::add) == right);
    } else if (e->kind == SyntaxKind::negate) {
      collect(e->args[0], !right);
    } else if (is_lse(e) && !(right ? more : less)) {
      (right ? more : less) = e;
    } else {
      ++others;
      const Expression term = right ? e : expr::node(SyntaxKind::negate, {e});
      rest = rest ? expr::node(SyntaxKind::add, {rest, term}) : term;
    }
  };
  collect(claim.lhs, false);
  collect(claim.rhs, true);
  if (!less || !more || others == 0) return std::nullopt;
  const Expression moved = expr::call("lse", {expr::node(SyntaxKind::add, {more->args[0], rest})});
  return kernel::Reduction{ReductionKind::rearranged, {expr::text(less), expr::text(moved), "1", "1"}};
}

std::optional<kernel::Reduction> through_arguments(const Claim& claim) {
  const Expression difference = claim.relation == Relation::less_equal && is_call(claim.lhs, "abs", 1) ? claim.lhs->args[0] : nullptr;
  if (!difference || difference->kind != SyntaxKind::subtract) return std::nullopt;
  const Expression &f = difference->args[0], &g = difference->args[1];
  const bool gentle = is_call_of(f, {"abs", "cos", "relu", "sigmoid", "sin", "softplus", "tanh"}) && f->args.size() == 1 && is_call(g, f->name.c_str(), 1);
  if (!gentle || (f->args[0]->kind == SyntaxKind::name && g->args[0]->kind == SyntaxKind::name)) return std::nullopt;
  const Expression between = expr::call("abs", {expr::node(SyntaxKind::subtract, {f->args[0], g->args[0]})});
  if (!expr::same(between, claim.rhs)) return kernel::Reduction{ReductionKind::through, {expr::text(between)}};
  std::vector<std::string> parts;
  for (const Expression& part : {f->args[0], g->args[0]}) {
    if (part->kind != SyntaxKind::name) parts.push_back(expr::text(part));
  }
  return kernel::Reduction{ReductionKind::forget, parts};
}

std::optional<kernel::Reduction> through_exponential(const Claim& claim) {
  const bool below = is_call(claim.lhs, "exp", 1) && expr::is_number(claim.rhs, 1), above = is_call(claim.rhs, "exp", 1) && expr::is_number(claim.lhs, 1);
  if (!below && !above) return std::nullopt;
  return kernel::Reduction{ReductionKind::through, {expr::text(expr::call("exp", {read::parse_expression("0")}))}};
}

std::optional<kernel::Reduction> below_logarithms(const Claim& claim) {
  if (calls(claim.rhs, {"exp"})) return std::nullopt;  // which is positive anyway
  const bool negated = claim.rhs->kind == SyntaxKind::negate;
  const Expression &sum = negated ? claim.rhs->args[0] : claim.rhs, one = read::parse_expression("1");
  const Expression between = expr::changed(sum, [&](const Expression& e) -> Expression {
    const bool share = is_call(e, "log_softmax", 1) && e->keywords.empty();
    if (!share && !is_call(e, "log", 1)) return nullptr;
    const Expression x = share ? expr::call("softmax", e->args) : e->args[0];
    return expr::node(SyntaxKind::subtract, {negated ? one : x, negated ? x : one});
  });
  if (expr::same(between, sum)) return std::nullopt;
  return kernel::Reduction{ReductionKind::through, {expr::text(between)}};
}

namespace {

/// The logarithms of sums of exponentials in e.
std::vector<Expression> logarithms_of_sums(const Expression& e) {
  std::vector<Expression> found;
  any_part(e, [&](const Expression& x) {
    const bool is_one = is_call_of(x, {"lse", "softplus"}) && x->args.size() == 1 && x->keywords.empty();
    if (is_one && !expr::contains(found, x)) found.push_back(x);
    return false;
  });
  return found;
}

}  // namespace

std::optional<kernel::Reduction> by_log_convexity(const Claim& claim) {
  const auto convex = [](const Expression& of_mean, const Expression& mean) {  // f(m) beside a mean of f(V)
    const auto parts = logarithms_of_sums(mean);
    const auto is_alike = [&](const Expression& f) {  // and has a weight
      return f->name == of_mean->name && !is_term(mean, [&](const Expression& e) { return expr::same(e, f); });
    };
    return is_call_of(of_mean, {"lse", "softplus"}) && of_mean->args.size() == 1 && !parts.empty() && std::all_of(parts.begin(), parts.end(), is_alike);
  };
  const auto difference = [](const Expression& a, const Expression& b) { return expr::node(SyntaxKind::subtract, {a, b}); };
  const auto exponential = [](const Expression& e) { return expr::call("exp", {e}); };
  const bool written = is_call_of(claim.lhs, {"lse", "softplus"}) && claim.relation == Relation::less_equal;
  if (written) return convex(claim.lhs, claim.rhs) ? std::optional(kernel::Reduction{ReductionKind::exponential, {}}) : std::nullopt;
  const Expression minus = claim.rhs->kind == SyntaxKind::multiply ? claim.rhs->args[0] : nullptr;  // exp(-g) exp(f(m)) <= exp(-g) exp(g)
  const Expression &left = minus && claim.lhs->kind == SyntaxKind::multiply ? claim.lhs->args[1] : claim.lhs, &right = minus ? claim.rhs->args[1] : claim.rhs;
  if (!is_call(left, "exp", 1) || !is_call(right, "exp", 1)) return std::nullopt;
  const Expression &one = left->args[0], &mean = right->args[0];
  const auto parts = logarithms_of_sums(mean);
  if (!convex(one, mean)) return std::nullopt;
  const Expression reciprocal = exponential(expr::node(SyntaxKind::negate, {mean}));
  if (!minus) return kernel::Reduction{ReductionKind::scaled, {expr::text(reciprocal)}};
  if (!expr::same(minus, reciprocal)) return std::nullopt;
  // The same mean of what makes of each f(V): exponents V - f(V) and, of softplus, -f(V), whose exponentials add up to 1.
  const auto mean_of = [&](const std::function<Expression(const Expression&)>& make) {
    return expr::changed(mean, [&](const Expression& e) { return expr::contains(parts, e) ? make(e) : nullptr; });
  };
  const auto exponent = [&](const Expression& f) { return difference(f->args[0], f); };
  const auto rest = [](const Expression& f) { return expr::node(SyntaxKind::negate, {f}); };
  const auto both = [&](const Expression& f) { return expr::node(SyntaxKind::add, {exponential(rest(f)), exponential(exponent(f))}); };
  const auto share = [&](const Expression& f) { return exponential(exponent(f)); };
  const bool row = one->name == "lse";
  const Expression smaller = row ? expr::call("rowsum", {exponential(mean_of(exponent))}) : expr::node(SyntaxKind::add, {exponential(mean_of(rest)), exponential(mean_of(exponent))});
  const Expression larger = row ? expr::call("rowsum", {mean_of(share)}) : mean_of(both);
  return kernel::Reduction{ReductionKind::rearranged, {expr::text(smaller), expr::text(larger), "1", "1"}};
}

std::optional<kernel::Reduction> whatever_is_shifted(const Claim& claim) {
  std::vector<std::string> parts;
  const auto offer = [&](const Expression& e) {
    if (std::find(parts.begin(), parts.end(), expr::text(e)) == parts.end()) parts.push_back(expr::text(e));
  };
  const auto sums = logarithms_of_sums(claim.rhs);
  any_part(claim.rhs, [&](const Expression& e) {
    const bool shifted = e->kind == SyntaxKind::subtract && expr::contains(sums, e->args[1]);
    if (shifted) offer(e);
    return false;
  });
  if (parts.empty()) return std::nullopt;
  for (const Expression& f : sums) {
    if (f->name == "softplus") offer(f);
  }
  return kernel::Reduction{ReductionKind::forget, parts};
}

std::optional<kernel::Reduction> through_the_middle(const Claim& claim) {
  const Expression spread = claim.relation == Relation::less_equal && is_call_of(claim.lhs, {"mean", "rowsum"}) ? squares_summed(claim.lhs) : nullptr;
  if (!spread || spread->kind != SyntaxKind::subtract || !expr::same(spread->args[1], expr::call("mean", {spread->args[0]}))) return std::nullopt;
  const Expression &x = spread->args[0], largest = expr::call("rowmax", {x}), least = expr::call("rowmin", {x});
  const auto bounds = [&](const Expression& end) { return any_part(claim.rhs, [&](const Expression& e) { return expr::same(e, end); }); };
  if (!bounds(largest) || !bounds(least)) return std::nullopt;
  const Expression middle = expr::node(SyntaxKind::divide, {expr::node(SyntaxKind::add, {largest, least}), read::parse_expression("2")});
  const Expression about_it = expr::node(SyntaxKind::power, {expr::node(SyntaxKind::subtract, {x, middle}), read::parse_expression("2")});
  return kernel::Reduction{ReductionKind::through, {expr::text(expr::call(claim.lhs->name, {about_it}))}};
}

std::optional<kernel::Reduction> through_terms(const Claim& claim) {
  if (claim.relation != Relation::less_equal || !calls(claim.lhs, {"max", "min", "rowmax", "rowmin", "colmax", "colmin", "lse"})) return std::nullopt;
  using Terms = std::pair<std::vector<Expression>, std::vector<Expression>>;  // that are added, and subtracted
  const std::function<void(const Expression&, bool, Terms&)> collect = [&](const Expression& e, bool added, Terms& terms) {
    const bool sum = e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract;
    if (!sum) return (added ? terms.first : terms.second).push_back(e);
    collect(e->args[0], added, terms);
    collect(e->args[1], added == (e->kind == SyntaxKind::add), terms);
  };
  Terms smaller, larger;
  collect(claim.lhs, true, smaller);
  collect(claim.rhs, true, larger);
  if (smaller.first.size() + smaller.second.size() < 2 || larger.first.size() + larger.second.size() < 2 || smaller.first.empty() || larger.first.empty()) return std::nullopt;
  Expression between;
  const auto add = [&](SyntaxKind kind, const Expression& e) { between = between ? expr::node(kind, {between, e}) : e; };
  if (smaller.second.empty()) {  // a + b <= c + d through c + b
    add(SyntaxKind::add, larger.first[0]);
    for (std::size_t k = 1; k < smaller.first.size(); ++k) add(SyntaxKind::add, smaller.first[k]);
  } else {  // a - b <= c - d through c - b
    for (const Expression& e : larger.first) add(SyntaxKind::add, e);
    for (const Expression& e : smaller.second) add(SyntaxKind::subtract, e);
  }
  if (expr::same(between, claim.lhs) || expr::same(between, claim.rhs)) return std::nullopt;
  return kernel::Reduction{ReductionKind::through, {expr::text(between)}};
}

std::optional<kernel::Reduction> whatever_is_measured(const Claim& claim) {
  std::vector<std::string> parts;
  const auto collect = [&](const Expression& e) {
    const bool stands = e->kind != SyntaxKind::name && any_part(claim.lhs, [&](const Expression& part) { return expr::same(part, e); });
    if (stands && std::find(parts.begin(), parts.end(), expr::text(e)) == parts.end()) parts.push_back(expr::text(e));
    return stands;
  };
  any_part(claim.rhs, [&](const Expression& e) {
    const Expression x = squares_summed(e);
    if (x && !collect(x) && (x->kind == SyntaxKind::add || x->kind == SyntaxKind::subtract)) std::for_each(x->args.begin(), x->args.end(), collect);
    return false;
  });
  if (parts.empty()) return std::nullopt;
  return kernel::Reduction{ReductionKind::forget, parts};
}

kernel::Reduction by_a_margin(const Claim& claim) {
  const Expression margin = read::parse_expression("1/1024");
  return {ReductionKind::through, {expr::text(expr::is_number(claim.lhs, 0) ? margin : expr::node(SyntaxKind::add, {claim.lhs, margin}))}};
}

std::vector<kernel::Reduction> through_norms(const Claim& claim) {
  std::vector<kernel::Reduction> found;
  std::vector<Expression> known;  // what the larger side has norms of
  const auto argument = [](const Expression& e) { return is_call(e, "sqrt", 1) ? squares_summed(e->args[0]) : nullptr; };
  any_part(claim.rhs, [&](const Expression& e) {
    if (const Expression x = is_call(e, "frob2", 1) ? e->args[0] : argument(e)) known.push_back(x);  // 2 |A| |B| <= |A|^2 + |B|^2
    return false;
  });
  if (claim.relation != Relation::less_equal || known.empty()) return found;
  const auto offer = [&](const Expression& norm, const Expression& bound) {
    const Expression between = expr::changed(claim.lhs, [&](const Expression& e) { return expr::same(e, norm) ? bound : nullptr; });
    if (!expr::same(between, claim.rhs)) found.push_back({ReductionKind::through, {expr::text(between)}});
  };
  any_part(claim.lhs, [&](const Expression& norm) {
    const Expression x = argument(norm);
    if (!x || expr::contains(known, x)) return false;
    const auto of = [&](const Expression& other) {  // the same norm of it
      auto sum = std::make_shared<expr::Syntax>(*norm->args[0]);
      sum->args = {is_call(norm->args[0], "frob2") ? other : expr::node(SyntaxKind::multiply, {other, other})};
      return expr::call("sqrt", {sum});
    };
    const bool adds = x->kind == SyntaxKind::add || x->kind == SyntaxKind::subtract, whole = is_call_of(norm->args[0], {"sum", "frob2"});
    if (const Expression product = collected(x)) offer(norm, of(product));
    if (adds) offer(norm, expr::node(SyntaxKind::add, {of(x->args[0]), of(x->args[1])}));
    const auto shrinks = [](const Expression& e) { return is_call_of(e, {"relu", "abs", "tanh"}) && e->args.size() == 1; };  // distances, too
    if (shrinks(x)) offer(norm, of(x->args[0]));
    if (x->kind == SyntaxKind::subtract && shrinks(x->args[0]) && x->args[1]->name == x->args[0]->name && shrinks(x->args[1])) offer(norm, of(expr::node(SyntaxKind::subtract, {x->args[0]->args[0], x->args[1]->args[0]})));
    if (x->kind == SyntaxKind::matmul && whole) {
      const auto shape = adds_up_to_one(x->args[0], claim) ? shape_of(claim, x->args[0]) : std::nullopt;
      const Expression left = shape && shape->size() == 2 ? expr::call("sqrt", {read::parse_expression(expr::text((*shape)[0]))}) : of(x->args[0]);
      offer(norm, expr::node(SyntaxKind::multiply, {left, of(x->args[1])}));
    }
    const bool in_two = adds && known.size() == 2 && claim.rhs->kind == SyntaxKind::add && expr::same(norm, claim.lhs);
    if (in_two) offer(norm, of(expr::node(SyntaxKind::add, known)));  // |A - C| is |(A - B) + (B - C)|
    return true;
  });
  return found;
}

namespace {

struct Fraction {
  Expression above, below;
};
/// Whether axis=-1 or axis=1 names the rows of a matrix.
bool is_last_axis(const std::pair<std::string, Expression>& keyword, const Expression& matrix, const Claim& claim) {
  const std::string axis = expr::text(keyword.second);
  const auto shape = shape_of(claim, matrix);
  return keyword.first == "axis" && (axis == "-1" || axis == "1") && shape && shape->size() == 2;
}
/// Of a quotient of sums of exponentials, as softmax(x) and its largest and smallest entries are.
std::optional<Fraction> fraction(const Expression& e, const Claim& claim) {
  if (e->kind == SyntaxKind::divide && calls(e->args[1], {"exp"})) return Fraction{e->args[0], e->args[1]};
  const bool row = is_call_of(e, {"max", "min"}) && e->args.size() == 1 && e->keywords.size() == 1 && is_last_axis(e->keywords[0], e->args[0], claim);
  const bool one = row || (is_call_of(e, {"max", "min", "rowmax", "rowmin"}) && e->args.size() == 1 && e->keywords.empty());
  const Expression& weights = one ? e->args[0] : e;
  if (!is_call(weights, "softmax", 1) || !weights->keywords.empty()) return std::nullopt;
  const Expression& scores = weights->args[0];
  const bool vector = is_vector(scores, claim);
  if (one && !row && vector != is_call_of(e, {"max", "min"})) return std::nullopt;
  const std::string name = row ? "row" + e->name : e->name;
  return Fraction{expr::call("exp", {one ? expr::call(name, {scores}) : scores}), expr::call(vector ? "sum" : "rowsum", {expr::call("exp", {scores})})};
}

/// exp(u) * sum(exp(v)) as sum(exp(u + v)), and other products as they are.
Expression product_in_sum(const Expression& a, const Expression& b, const Claim& claim) {
  if (!is_call(a, "exp", 1) || !is_call_of(b, {"sum", "rowsum"}) || b->args.size() != 1 || !is_call(b->args[0], "exp", 1)) return expr::node(SyntaxKind::multiply, {a, b});
  const bool number = shape_of(claim, a).value_or(expr::Shape{}).empty();
  return expr::call(number ? b->name : "rowsum", {expr::call("exp", {expr::node(SyntaxKind::add, {a->args[0], b->args[0]->args[0]})})});
}

}  // namespace

std::optional<kernel::Reduction> without_denominators(const Claim& claim) {
  const auto left = fraction(claim.lhs, claim), right = fraction(claim.rhs, claim);
  if (!left || !right) return std::nullopt;
  return kernel::Reduction{ReductionKind::scaled, {expr::text(expr::node(SyntaxKind::multiply, {left->below, right->below}))}};
}

std::optional<kernel::Reduction> cross_multiplied(const Claim& claim) {
  if (claim.lhs->kind != SyntaxKind::multiply || claim.rhs->kind != SyntaxKind::multiply) return std::nullopt;
  const auto left = fraction(claim.lhs->args[1], claim), right = fraction(claim.rhs->args[1], claim);
  if (!left || !right) return std::nullopt;
  return kernel::Reduction{ReductionKind::rearranged, {expr::text(product_in_sum(left->above, right->below, claim)), expr::text(product_in_sum(right->above, left->below, claim)), "1", "1"}};
}

namespace {

/// The claim with nothing that is defined in the sides: frob2(Y) of Y = X @ U is looked at as frob2(X @ U). The claim itself where an index of a
/// comprehension might take the place of a name, or so much would be written out that nothing is seen in it.
Claim in_full(const Claim& claim) {
  constexpr double most_parts = 400;
  const auto is_comprehension = [](const Expression& e) { return e->kind == SyntaxKind::comprehension; };
  const auto has_index = [&](const Expression& e) { return any_part(e, is_comprehension); };
  const bool hides = has_index(claim.lhs) || has_index(claim.rhs) || std::any_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& d) { return has_index(d.value); });
  if (claim.definitions.empty() || hides || parts_written_out(claim) > most_parts) return claim;
  Claim result = claim;
  result.lhs = expr::with_definitions_in_full(claim.lhs, claim);
  result.rhs = expr::with_definitions_in_full(claim.rhs, claim);
  return result;
}

/// X**2 <= Y**2/4 with (Y/2)**2. Null for others.
Expression square_of_part(const Expression& e) {
  if (e->kind != SyntaxKind::divide || !is_square(e->args[0]) || !expr::is_number(e->args[1], 4)) return nullptr;
  const Expression two = read::parse_expression("2");
  return expr::node(SyntaxKind::power, {expr::node(SyntaxKind::divide, {e->args[0]->args[0], two}), two});
}

}  // namespace

std::vector<kernel::Reduction> other_forms(const Claim& given, const infer::Problem& problem) {
  std::vector<kernel::Reduction> found;
  const Claim claim = in_full(given);
  add_square_of_others(claim, problem, found);
  if (claim.relation == Relation::less_equal) add_row_sums(claim, problem, found);
  if (auto step = in_logarithms(claim)) found.push_back(std::move(*step));
  if (auto step = in_roots(claim)) found.push_back(std::move(*step));
  const auto without_magnitudes = [&](const Expression& e) { return magnitude(e, claim); };
  for (const std::function<Expression(const Expression&)>& change : {std::function<Expression(const Expression&)>(collected), {by_logarithms}, {centred}, {merged}, {square_of_part}, {without_magnitudes}}) {
    if (auto step = reworded(claim, change)) found.push_back(std::move(*step));
  }
  if (is_zero(claim.lhs) && assumes_zero(claim)) found.push_back({ReductionKind::rearranged, {expr::text(expr::node(SyntaxKind::negate, {claim.rhs})), "0", "1", "1"}});
  if (claim.lhs->kind == SyntaxKind::negate) found.push_back({ReductionKind::rearranged, {expr::text(expr::node(SyntaxKind::negate, {claim.rhs})), expr::text(claim.lhs->args[0]), "1", "1"}});  // -1 <= det(R)
  for (auto& step : sums_of_squares(claim)) found.push_back(std::move(step));
  if (is_call(claim.lhs, "relu", 1)) {  // relu(z) <= y as abs(z) <= 2*y - z, which says z <= y and 0 <= y
    const Expression two = read::parse_expression("2"), &z = claim.lhs->args[0];
    found.push_back({ReductionKind::rearranged, {expr::text(expr::call("abs", {z})), expr::text(expr::node(SyntaxKind::subtract, {expr::node(SyntaxKind::multiply, {two, claim.rhs}), z})), "2", "1"}});
  }
  return found;
}

bool is_never_negative(const Claim& claim, const std::string& name) {
  return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) {
    const auto order = kernel::order_of(a);
    return order && !order->strict && order->larger->kind == SyntaxKind::name && order->larger->name == name && expr::is_number(order->smaller, 0);
  });
}

std::vector<expr::Rational> bending_points(const Claim& claim) {
  constexpr std::size_t most_numbers = 4, most_points = 24;
  std::set<expr::Rational> numbers, points{expr::Rational(0)};
  const std::function<void(const Expression&)> collect = [&](const Expression& e) {
    if (e->kind == SyntaxKind::number && !e->value.is_zero() && numbers.size() < most_numbers) numbers.insert(e->value);
    for (const Expression& a : e->args) collect(a);
  };
  collect(claim.lhs);
  collect(claim.rhs);
  const auto add = [&](const expr::Rational& q) {
    if (points.size() + 2 <= most_points) points.insert({q, -q});
  };
  for (const auto& a : numbers) add(a);
  for (const auto& a : numbers) {
    for (const auto& b : numbers) {
      if (a == b) continue;
      add(a + b);
      add(a - b);
      add(a / b);
    }
  }
  return {points.begin(), points.end()};
}

bool is_given(const Claim& claim, const std::string& size) {
  return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return a.relation == Relation::equal && a.lhs->kind == SyntaxKind::name && a.lhs->name == size; });
}

std::vector<std::pair<std::string, std::int64_t>> divided_sizes(const infer::Problem& problem) {
  std::vector<std::pair<std::string, std::int64_t>> found;
  visit_sizes(problem, [&](const expr::Dim& d) {
    for (const auto& m : d.summands()) {
      for (const auto& s : m.product) {
        if (!s.division) continue;
        const auto divisor = s.division->denominator.constant();
        std::vector<std::string> sizes;
        expr::collect_names(s.division->numerator, sizes);
        if (!divisor || *divisor < 2 || *divisor > 8 || sizes.size() > 2) continue;
        for (const std::string& size : sizes) {
          if (is_dimension(problem, size) && std::find(found.begin(), found.end(), std::pair{size, *divisor}) == found.end()) found.emplace_back(size, *divisor);
        }
      }
    }
  });
  return found;
}

namespace {

void add_size(const infer::Problem& problem, const std::optional<expr::DimSymbol>& size, std::vector<std::string>& found) {
  if (size && !size->division && is_dimension(problem, size->name) && std::find(found.begin(), found.end(), size->name) == found.end()) found.push_back(size->name);
}

}  // namespace

std::vector<std::string> shifted_sizes(const infer::Problem& problem) {
  std::vector<std::string> found;
  visit_sizes(problem, [&](const expr::Dim& d) {
    const bool constant = std::any_of(d.summands().begin(), d.summands().end(), [](const auto& m) { return m.product.empty(); });
    for (const auto& m : d.summands()) {
      if (constant && m.product.size() == 1) add_size(problem, m.product[0], found);
    }
  });
  return found;
}

std::vector<std::string> sizes_of_bands(const infer::Problem& problem) {
  bool compares_places = false;  // as in eye(n, k), whose entries are compared one by one
  visit_terms(problem, [&](const infer::Term& t) { compares_places = compares_places || infer::is<expr::ops::SamePlace>(t); });
  std::vector<std::string> found;
  visit_terms(problem, [&](const infer::Term& t) {
    if (!compares_places && !infer::is<expr::ops::Tril, expr::ops::Triu>(t)) return;
    for (const expr::Dim& d : t->shape) add_size(problem, d.as_symbol(), found);
  });
  return found;
}

bool has_slices(const infer::Problem& problem) {
  bool found = false;
  visit_terms(problem, [&](const infer::Term& t) { found = found || infer::is<expr::ops::Subscripts>(t); });
  return found;
}

bool assumes_only_sizes(const Claim& claim, const infer::Problem& problem) {
  const auto is_size = [&](const Expression& e) { return e->kind == SyntaxKind::number || (e->kind == SyntaxKind::name && is_dimension(problem, e->name)); };
  return !claim.assumptions.empty() && std::all_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) {
    const auto order = kernel::order_of(a);
    return order && is_size(order->larger) && is_size(order->smaller);
  });
}

bool is_polynomial(const Claim& claim) {
  const std::function<bool(const Expression&)> is_one = [&](const Expression& e) {
    const auto all = [&] { return std::all_of(e->args.begin(), e->args.end(), is_one); };
    switch (e->kind) {
      case SyntaxKind::number:
      case SyntaxKind::name: return true;
      case SyntaxKind::negate:
      case SyntaxKind::add:
      case SyntaxKind::subtract:
      case SyntaxKind::multiply: return all();
      case SyntaxKind::divide: return e->args[1]->kind == SyntaxKind::number && all();
      case SyntaxKind::power: return e->args[1]->kind == SyntaxKind::number && e->args[1]->value.is_integer() && e->args[1]->value.sign() > 0 && is_one(e->args[0]);
      default: return false;
    }
  };
  return is_one(claim.lhs) && is_one(claim.rhs);
}

std::vector<std::string> numbers_of(const infer::Problem& problem) {
  std::vector<std::string> names;
  for (const auto& v : problem.variables) {
    if (v.shape.empty()) names.push_back(v.name);
  }
  return names;
}

std::vector<std::string> numbers_of_blocks(const infer::Problem& problem) {
  std::vector<std::string> found;
  visit_terms(problem, [&](const infer::Term& t) {
    if (!infer::is<expr::ops::Subscripts>(t)) return;
    const auto& extents = t->call.operands[0];
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {  // (kind, start, stop): see expr/ops/structure.hpp
      for (const expr::Dim& part : {t->call.sizes[3 * axis + 2], extents[axis] - t->call.sizes[3 * axis + 1]}) {
        const auto blocks = part.is_zero() ? std::nullopt : extents[axis].divide(part);
        const auto h = blocks ? blocks->as_symbol() : std::nullopt;
        if (h && !h->division && is_dimension(problem, h->name) && std::find(found.begin(), found.end(), h->name) == found.end()) found.push_back(h->name);
      }
    }
  });
  return found;
}

bool is_dimension(const infer::Problem& problem, const std::string& name) { return !expr::is_rank(name) && std::find(problem.dimensions.begin(), problem.dimensions.end(), name) != problem.dimensions.end(); }

}  // namespace foldproof::prove
