// SPDX-License-Identifier: MIT
#include "cost/crossover.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "expr/rational.hpp"

namespace foldproof::cost {

namespace {

using expr::Dim;
using Product = Dim::Product;

// The largest single summand that divides all summands of both.
Dim common_factor(const Dim& a, const Dim& b) {
  std::optional<Product> shared;
  std::int64_t number = 0;
  for (const Dim* d : {&a, &b}) {
    for (const Dim::Summand& s : d->summands()) {
      number = std::gcd(number, s.coefficient);
      Product both;
      if (shared) std::set_intersection(shared->begin(), shared->end(), s.product.begin(), s.product.end(), std::back_inserter(both));
      shared = shared ? both : s.product;
    }
  }
  Dim out(number == 0 ? 1 : number);
  for (const expr::DimSymbol& symbol : shared.value_or(Product{})) {
    if (!symbol.division) out = out * Dim::symbol(symbol);  // a quotient may be zero
  }
  return out;
}

bool all_positive(const Dim& d) {
  return std::all_of(d.summands().begin(), d.summands().end(), [](const Dim::Summand& s) { return s.coefficient > 0; });
}

std::string grouped(const Dim& d, bool below) {
  const bool sum = d.summands().size() > 1;
  const bool product = !d.constant() && !d.as_symbol();
  return sum || (below && product) ? "(" + expr::text(d) + ")" : expr::text(d);
}

std::string quotient(Dim above, Dim below) {
  const Dim factor = common_factor(above, below);
  above = above.divide(factor).value_or(above);
  below = below.divide(factor).value_or(below);
  if (const auto whole = above.divide(below)) return expr::text(*whole);
  return grouped(above, false) + "/" + grouped(below, true);
}

// d = slope * symbol + rest, when the symbol occurs in no higher power and inside no quotient.
bool split(const Dim& d, const std::string& symbol, Dim& slope, Dim& rest) {
  for (const Dim::Summand& s : d.summands()) {
    Dim factor(s.coefficient);
    std::int64_t power = 0;
    for (const expr::DimSymbol& found : s.product) {
      std::vector<std::string> inside;
      if (found.division) expr::collect_names(Dim::symbol(found), inside);
      if (std::find(inside.begin(), inside.end(), symbol) != inside.end()) return false;
      found.name == symbol ? static_cast<void>(++power) : static_cast<void>(factor = factor * Dim::symbol(found));
    }
    if (power > 1) return false;
    Dim& part = power == 1 ? slope : rest;
    part = part + factor;
  }
  return true;
}

std::optional<Condition> solved(const Dim& difference, const std::string& symbol, const expr::DimValues& sizes) {
  Dim slope;
  Dim rest;
  if (!split(difference, symbol, slope, rest) || slope.is_zero()) return std::nullopt;
  const bool above = all_positive(slope);
  if (!above && !all_positive(-slope)) return std::nullopt;
  const Dim numerator = above ? -rest : rest;
  const Dim denominator = above ? slope : -slope;
  Condition out{symbol, above ? ">" : "<", quotient(numerator, denominator), std::nullopt, std::nullopt, std::nullopt};
  if (!known(numerator, sizes) || !known(denominator, sizes)) return out;
  const expr::Rational bound(expr::evaluate(numerator, sizes), expr::evaluate(denominator, sizes));
  out.value = bound.text();
  if (const auto size = sizes.find(symbol); size != sizes.end()) {
    const expr::Rational value(size->second);
    out.size = size->second;
    out.holds = above ? bound < value : value < bound;
  }
  return out;
}

}  // namespace

bool known(const Dim& d, const expr::DimValues& sizes) {
  std::vector<std::string> names;
  expr::collect_names(d, names);
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return sizes.count(name) > 0; });
}

Crossover crossover(const Dim& first, const Dim& second, const expr::DimValues& sizes) {
  Crossover out;
  out.difference = first - second;
  if (out.difference.is_zero()) return out;
  // Shared factors are positive, since sizes are: they do not change the sign.
  out.difference = out.difference.divide(common_factor(out.difference, {})).value_or(out.difference);
  out.kind = all_positive(out.difference) ? Crossover::Kind::always : all_positive(-out.difference) ? Crossover::Kind::never : Crossover::Kind::depends;
  if (out.kind != Crossover::Kind::depends) return out;
  std::vector<std::string> names;
  expr::collect_names(out.difference, names);
  for (const std::string& name : names) {
    if (auto condition = solved(out.difference, name, sizes)) out.conditions.push_back(std::move(*condition));
  }
  return out;
}

std::string text(const Crossover& crossover) {
  switch (crossover.kind) {
    case Crossover::Kind::equal:
      return "equal on both sides";
    case Crossover::Kind::always:
      return "always";
    case Crossover::Kind::never:
      return "never";
    case Crossover::Kind::depends:
      break;
  }
  std::string out;
  for (const Condition& c : crossover.conditions) {
    out += (out.empty() ? "when " : ", that is when ") + c.symbol + " " + c.relation + " " + c.bound;
    if (!c.holds) continue;
    const std::string other = c.relation == ">" ? "<=" : ">=";
    out += "; here " + std::to_string(*c.size) + " " + (*c.holds ? c.relation : other) + " " + *c.value;
  }
  return out.empty() ? "when " + expr::text(crossover.difference) + " > 0" : out;
}

}  // namespace foldproof::cost
