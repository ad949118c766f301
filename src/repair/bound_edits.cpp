// SPDX-License-Identifier: MIT
#include "repair/bound_edits.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "repair/places.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::node;
using expr::Relation;
using expr::SyntaxKind;

/// min, max, // and %: whether such a number equals another one depends on which size is larger.
bool compares_sizes(const Expression& e) {
  const bool here = e->kind == SyntaxKind::floor_divide || e->kind == SyntaxKind::modulo || (e->kind == SyntaxKind::call && (e->name == "min" || e->name == "max"));
  return here || std::any_of(e->args.begin(), e->args.end(), compares_sizes);
}

/// rank(A @ B) == rank(A) as rank(A @ B) <= rank(A), and the other way round: of tensors last, as an equation of them is hardly meant as a bound.
void add_bounds(const expr::Claim& claim, const infer::Problem& problem, std::vector<Edit>& out) {
  constexpr int of_ranks = 2, of_tensors = 13;
  const bool ranks = !problem.ranks.empty();
  if (ranks ? !problem.lhs->shape.empty() || !problem.rhs->shape.empty() : problem.variables.empty()) return;
  const int size = ranks ? of_ranks : of_tensors;
  Edit most{claim, "at most instead of equal", size};
  most.claim.relation = Relation::less_equal;
  Edit least{most.claim, "at least instead of equal", size + 1};
  std::swap(least.claim.lhs, least.claim.rhs);
  out.push_back(std::move(most));
  out.push_back(std::move(least));
}

void whole_numbers(const Expression& e, std::vector<Expression>& out) {
  if (e->kind == SyntaxKind::number && e->value.is_integer() && e->value.num() > 1 && !expr::contains(out, e)) out.push_back(e);
  for (const Expression& a : e->args) whole_numbers(a, out);
}

/// n <= m, and n <= 20 of n * n <= 20 * n
void add_orders(const expr::Claim& claim, const infer::Problem& problem, std::vector<Edit>& out) {
  const auto assume = [&](const std::string& a, const Expression& most, int size) {
    Edit edit{claim, "one more assumption", size};
    edit.claim.assumptions.push_back({named(a), Relation::less_equal, most, {}});
    out.push_back(std::move(edit));
  };
  for (const std::string& a : problem.dimensions) {
    for (const std::string& b : problem.dimensions) {
      if (a != b) assume(a, named(b), 3);
    }
  }
  std::vector<Expression> numbers;
  whole_numbers(claim.lhs, numbers);
  whole_numbers(claim.rhs, numbers);
  for (const std::string& a : problem.dimensions) {
    for (const Expression& most : numbers) assume(a, most, 4);
  }
}

/// A number, or a sum with one: twice of it says little.
bool has_constant_term(const Expression& e) {
  if (e->kind == SyntaxKind::name || e->kind == SyntaxKind::call) return false;
  const bool joins = e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::divide;
  return e->kind == SyntaxKind::number || (joins && std::any_of(e->args.begin(), e->args.end(), has_constant_term));
}

/// Sizes of the matrix whose rank is bounded: a bound by them says nothing.
std::vector<std::string> outer_sizes(const infer::Problem& problem) {
  std::vector<std::string> found;
  const bool of_matrix = problem.lhs->args.size() == 1;
  for (const std::string& d : problem.dimensions) {
    const auto mentions_it = [&](const expr::Dim& size) { return size.mentions(*expr::dim(d).as_symbol()); };
    if (of_matrix && std::any_of(problem.lhs->args[0]->shape.begin(), problem.lhs->args[0]->shape.end(), mentions_it)) found.push_back(d);
  }
  return found;
}

/// rank(A @ B + C @ D) <= r as rank(A @ B + C @ D) <= 2 * r, abs(rmsnorm(X)) <= 1 as abs(rmsnorm(X)) <= sqrt(d): a larger right side.
void add_larger(const expr::Claim& claim, const infer::Problem& problem, std::vector<Edit>& out) {
  const auto bound_by = [&](Expression rhs, int size) {
    Edit edit{claim, "a larger bound", size};
    edit.claim.rhs = std::move(rhs);
    out.push_back(std::move(edit));
  };
  const bool ranks = !problem.ranks.empty();
  const auto outer = ranks ? outer_sizes(problem) : std::vector<std::string>{};
  if (std::any_of(outer.begin(), outer.end(), [&](const std::string& d) { return expr::mentions(claim.rhs, d); })) return;
  const bool plain = claim.rhs->kind == SyntaxKind::number && claim.rhs->value.is_integer();
  if (plain) bound_by(number(claim.rhs->value.num() + 1), 4);
  if (!plain && ranks) bound_by(node(SyntaxKind::add, {claim.rhs, number(1)}), 4);
  if (ranks && claim.rhs->kind == SyntaxKind::add) bound_by(node(SyntaxKind::multiply, claim.rhs->args), 4);
  if (!has_constant_term(claim.rhs)) bound_by(node(SyntaxKind::multiply, {number(2), claim.rhs}), 4);
  for (const std::string& name : problem.dimensions) {
    const Expression d = named(name);
    if (std::find(outer.begin(), outer.end(), name) != outer.end()) continue;
    if (!ranks) bound_by(plain && claim.rhs->value.num() == 1 ? expr::call("sqrt", {d}) : node(SyntaxKind::multiply, {expr::call("sqrt", {d}), claim.rhs}), 5);
    bound_by(plain && claim.rhs->value.num() == 1 ? d : node(SyntaxKind::multiply, {d, claim.rhs}), 5);
    if (ranks && !expr::mentions(claim.rhs, name)) bound_by(node(SyntaxKind::add, {claim.rhs, d}), 5);
  }
}

/// Numbers that bound a little less, the nearest first: the next one with the same denominator, what is left when the last digits are
/// rounded, 1/4, 1/3, 1/2 and 1, or twice and half of a whole number.
std::vector<expr::Rational> wider(const expr::Rational& bound, bool larger) {
  std::vector<expr::Rational> found;
  const auto add = [&](const expr::Rational& x) {
    if ((larger ? x > bound : x < bound) && !x.is_zero() && std::find(found.begin(), found.end(), x) == found.end()) found.push_back(x);
  };
  const std::int64_t step = larger ? 1 : -1;
  add(bound + expr::Rational(step, bound.den()));
  for (std::int64_t den = bound.den() / 10; den > 0 && bound.den() % 10 == 0; den = den % 10 == 0 ? den / 10 : 0) {
    const expr::Rational parts = bound * expr::Rational(den);
    const std::int64_t below = parts.num() / parts.den() - (parts.sign() < 0 && !parts.is_integer() ? 1 : 0);
    add(expr::Rational(below + (larger ? 1 : 0), den));
  }
  const bool counts = bound.is_integer() && std::abs(bound.num()) > 1;  // of 4 rows, no half of one
  if (counts) {
    add(bound * expr::Rational(2));
    if (bound.num() % 2 == 0) add(bound / expr::Rational(2));
  } else {
    const std::int64_t sign = bound.is_zero() ? step : bound.sign();
    for (const std::int64_t den : {4, 3, 2, 1}) add(expr::Rational(sign, den));
  }
  std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) { return larger ? a < b : a > b; });
  return found;
}

/// The number that e is, written as a fraction, or with a sign.
std::optional<expr::Rational> fraction(const Expression& e) {
  if (e->kind == SyntaxKind::number) return e->value;
  if (e->kind == SyntaxKind::negate) {
    const auto x = fraction(e->args[0]);
    return x ? std::optional(-*x) : std::nullopt;
  }
  if (e->kind != SyntaxKind::divide || e->args[1]->kind != SyntaxKind::number || e->args[1]->value.is_zero()) return std::nullopt;
  const auto x = fraction(e->args[0]);
  return x ? std::optional(*x / e->args[1]->value) : std::nullopt;
}
Expression written(const expr::Rational& x) {
  const Expression size = number(std::abs(x.num()));
  const Expression top = x.sign() < 0 ? node(SyntaxKind::negate, {size}) : size;
  return x.is_integer() ? top : node(SyntaxKind::divide, {top, number(x.den())});
}

bool has_logarithms(const Expression& e) {
  static const std::set<std::string> functions = {"softplus", "lse", "log", "log_softmax", "logaddexp"};
  return (e->kind == SyntaxKind::call && functions.count(e->name) > 0) || std::any_of(e->args.begin(), e->args.end(), has_logarithms);
}

/// Another number where a side, a term or a factor of it is one: d - 1 for d - 2, 17/100 for 169/1000. `larger` is what makes the bound weaker.
void other_numbers(const Expression& e, bool larger, bool logarithms, const std::function<void(Expression)>& put) {
  if (const auto x = fraction(e)) {
    const expr::Rational log_of_two(7, 10);  // nearly
    bool logarithm = logarithms && larger && x->sign() > 0 && *x < log_of_two;
    for (const expr::Rational& other : wider(*x, larger)) {
      if (logarithm && other > log_of_two) {
        put(expr::call("log", {number(2)}));
        logarithm = false;
      }
      put(written(other));
    }
    return;
  }
  const bool joins = e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::divide;
  for (std::size_t k = 0; joins && k < 2; ++k) {
    const bool turned = k == 1 && (e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::divide);
    other_numbers(e->args[k], larger != turned, logarithms, [&](Expression other) {
      const bool idle = other->kind == SyntaxKind::number && other->value.is_one() && (e->kind == SyntaxKind::multiply || (k == 1 && e->kind == SyntaxKind::divide));
      put(idle ? e->args[1 - k] : with_argument(e, k, std::move(other)));
    });
  }
}

void add_other_numbers(const expr::Claim& claim, std::vector<Edit>& out) {
  const bool logarithms = has_logarithms(claim.lhs) || has_logarithms(claim.rhs);
  for (const bool right : {true, false}) {
    other_numbers(right ? claim.rhs : claim.lhs, right, logarithms, [&](Expression side) {
      Edit edit{claim, "another number", 3};
      (right ? edit.claim.rhs : edit.claim.lhs) = std::move(side);
      out.push_back(std::move(edit));
    });
  }
}

}  // namespace

std::vector<Edit> bound_edits(const expr::Claim& claim, const infer::Problem& problem) {
  std::vector<Edit> out;
  const bool equation = claim.relation == Relation::equal;
  if (equation) add_bounds(claim, problem, out);
  if (!equation && !problem.variables.empty()) add_larger(claim, problem, out);
  if (!equation && !problem.variables.empty() && problem.ranks.empty()) add_other_numbers(claim, out);
  if (problem.variables.empty() && (!equation || compares_sizes(claim.lhs) || compares_sizes(claim.rhs))) add_orders(claim, problem, out);
  return out;
}

}  // namespace foldproof::repair
