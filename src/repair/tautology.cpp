// SPDX-License-Identifier: MIT
#include "repair/tautology.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "expr/build.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::Rational;
using expr::SyntaxKind;

using Monomial = std::map<std::string, Rational>;  ///< factor -> its power
using Sum = std::map<Monomial, Rational>;          ///< monomial -> its coefficient; none is zero

Sum canonical(const Expression& e);

std::string text(const Monomial& m) {
  std::string out;
  for (const auto& [factor, power] : m) out += "*" + factor + "^" + power.text();
  return out;
}
std::string text(const Sum& sum) {
  std::string out;
  for (const auto& [monomial, coefficient] : sum) out += "+" + coefficient.text() + text(monomial);
  return "(" + out + ")";
}
Sum single(std::string factor) { return {{Monomial{{std::move(factor), Rational(1)}}, Rational(1)}}; }

Sum plus(Sum a, const Sum& b, const Rational& sign) {
  for (const auto& [monomial, coefficient] : b) {
    Rational& total = a[monomial];
    total = total + sign * coefficient;
    if (total.is_zero()) a.erase(monomial);
  }
  return a;
}

/// A sum of several terms is one factor.
Sum as_factor(const Sum& sum) { return sum.size() > 1 ? single(text(sum)) : sum; }

Sum times(const Sum& a, const Sum& b) {
  const Sum left = as_factor(a), right = as_factor(b);
  if (left.empty() || right.empty()) return {};
  Monomial product = left.begin()->first;
  for (const auto& [factor, power] : right.begin()->first) {
    Rational& total = product[factor];
    total = total + power;
    if (total.is_zero()) product.erase(factor);
  }
  return {{product, left.begin()->second * right.begin()->second}};
}

/// Nothing for 0 ** -1 and for roots of numbers other than 1.
std::optional<Sum> raised(const Sum& base, const Rational& exponent) {
  const Sum factor = as_factor(base);
  if (factor.empty()) return std::nullopt;
  const auto& [monomial, coefficient] = *factor.begin();
  if (!exponent.is_integer()) return std::nullopt;
  Monomial result;
  for (const auto& [name, power] : monomial) {
    if (!exponent.is_zero()) result[name] = power * exponent;
  }
  return Sum{{result, expr::power(coefficient, exponent.num())}};
}

std::optional<Rational> number(const Sum& sum) {
  if (sum.empty()) return Rational(0);
  return sum.size() == 1 && sum.begin()->first.empty() ? std::optional(sum.begin()->second) : std::nullopt;
}

/// ones(n, 1) on the left of a row, ones(1, n) on the right of a column: broadcasting does the same.
bool only_repeats(const Expression& e, std::size_t axis_of_one) {
  return e->kind == SyntaxKind::call && e->name == "ones" && e->args.size() == 2 && e->args[axis_of_one]->kind == SyntaxKind::number && e->args[axis_of_one]->value.is_one();
}

bool is_identity(const Expression& e) { return e->kind == SyntaxKind::call && e->name == "eye" && e->args.size() == 1; }

Sum canonical(const Expression& e) {
  switch (e->kind) {
    case SyntaxKind::number: return e->value.is_zero() ? Sum{} : Sum{{Monomial{}, e->value}};
    case SyntaxKind::negate: return plus({}, canonical(e->args[0]), Rational(-1));
    case SyntaxKind::add: return plus(canonical(e->args[0]), canonical(e->args[1]), Rational(1));
    case SyntaxKind::subtract: return plus(canonical(e->args[0]), canonical(e->args[1]), Rational(-1));
    case SyntaxKind::multiply: return times(canonical(e->args[0]), canonical(e->args[1]));
    case SyntaxKind::divide:
      if (const auto inverse = raised(canonical(e->args[1]), Rational(-1))) return times(canonical(e->args[0]), *inverse);
      return single(expr::text(e));
    case SyntaxKind::power:
      if (const auto exponent = number(canonical(e->args[1]))) {
        if (const auto power = raised(canonical(e->args[0]), *exponent)) return *power;
      }
      return single(expr::text(e));
    case SyntaxKind::matmul:
      if (only_repeats(e->args[0], 1)) return canonical(e->args[1]);
      if (only_repeats(e->args[1], 0)) return canonical(e->args[0]);
      for (const std::size_t k : {0, 1}) {
        if (is_identity(e->args[k])) return canonical(e->args[1 - k]);
      }
      return single(text(canonical(e->args[0])) + "@" + text(canonical(e->args[1])));
    case SyntaxKind::transpose: return single(text(canonical(e->args[0])) + ".T");
    case SyntaxKind::call: {
      if (e->name == "zeros") return {};
      std::string out = e->name;
      for (const Expression& a : e->args) out += text(canonical(a));
      for (const auto& [key, value] : e->keywords) out += key + "=" + expr::text(value);
      return single(out);
    }
    default: return single(expr::text(e));
  }
}

/// A @ (B @ C) as A @ B @ C, everywhere.
Expression bracketed_left(const Expression& e) {
  auto copy = std::make_shared<expr::Syntax>(*e);
  for (Expression& a : copy->args) a = bracketed_left(a);
  while (copy->kind == SyntaxKind::matmul && copy->args[1]->kind == SyntaxKind::matmul) {
    const Expression right = copy->args[1];
    copy->args = {bracketed_left(expr::node(SyntaxKind::matmul, {copy->args[0], right->args[0]})), right->args[1]};
  }
  return copy;
}

/// Whether e, or a part of it, is that.
bool contains(const Expression& e, const Sum& sum) { return canonical(e) == sum || std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return contains(a, sum); }); }

}  // namespace

bool is_tautology(const Expression& lhs, const Expression& rhs) { return canonical(lhs) == canonical(rhs); }

bool differ_by_a_number(const Expression& lhs, const Expression& rhs) { return number(plus(canonical(lhs), canonical(rhs), Rational(-1))).has_value(); }

bool differs_in_brackets(const Expression& lhs, const Expression& rhs) { return is_tautology(bracketed_left(lhs), bracketed_left(rhs)); }

bool has_idle_part(const Expression& e) {
  static constexpr SyntaxKind operations[] = {SyntaxKind::add, SyntaxKind::subtract, SyntaxKind::multiply, SyntaxKind::divide, SyntaxKind::matmul};
  if (std::find(std::begin(operations), std::end(operations), e->kind) != std::end(operations)) {
    const Sum whole = canonical(e);
    const bool names = e->kind != SyntaxKind::divide || e->args[1]->kind != SyntaxKind::number;  // 1/2 is a number
    if (names && number(whole)) return true;
    if (std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return contains(a, whole); })) return true;
  }
  return std::any_of(e->args.begin(), e->args.end(), has_idle_part);
}

}  // namespace foldproof::repair
