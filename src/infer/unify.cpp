// SPDX-License-Identifier: MIT
#include "infer/unify.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace foldproof::infer {

using expr::Dim;
using expr::Shape;

Dim Sizes::primitive(const Dim& p) {
  if (p.is_zero()) return p;
  Dim::Product common = p.summands()[0].product;
  std::int64_t divisor = 0;
  for (const auto& m : p.summands()) {
    Dim::Product shared;
    std::set_intersection(common.begin(), common.end(), m.product.begin(), m.product.end(), std::back_inserter(shared));
    common = std::move(shared);
    divisor = std::gcd(divisor, m.coefficient);
  }
  Dim content(divisor);
  for (const auto& s : common) content = content * Dim::symbol(s);
  return p.divide(content).value_or(p);
}

/// Numbered with leading zeros, so that products and sums list unknown sizes in the order in which they were made.
Dim Sizes::fresh() {
  const std::string number = std::to_string(next_++);
  return expr::dim("?" + std::string(number.size() < 6 ? 6 - number.size() : 0, '0') + number);
}

bool Sizes::is_resolved(const Dim& d) const {
  return std::none_of(d.summands().begin(), d.summands().end(), [&](const auto& summand) {
    return std::any_of(summand.product.begin(), summand.product.end(), [&](const expr::DimSymbol& s) {
      return s.division ? !is_resolved(s.division->numerator) || !is_resolved(s.division->denominator) : known_.count(s.name) > 0;
    });
  });
}

Dim Sizes::resolve(const Dim& d) const {
  Dim result = d;
  while (!is_resolved(result)) {  // definitions never contain the name they define, so this ends, though each may double what it stands in
    constexpr std::size_t most_terms = 1000;
    if (result.summands().size() > most_terms) throw expr::LimitReached("a size has too many terms");
    result = expr::substitute(result, known_);
  }
  return result;
}

Shape Sizes::resolve(const Shape& shape) const {
  Shape result = shape;
  for (Dim& d : result) {
    if (!is_resolved(d)) d = resolve(d);
  }
  return result;
}

bool Sizes::define(const std::string& name, const Dim& value) {
  const Dim resolved = resolve(value);
  std::vector<std::string> names;
  expr::collect_names(resolved, names);
  if (std::find(names.begin(), names.end(), name) != names.end()) return false;
  known_[name] = resolved;
  return true;
}

bool Sizes::solve(const std::string& name, const Dim& value) {
  const auto number = value.constant();
  return (!number || *number >= 1) && define(name, value);
}

bool Sizes::unify(const Dim& a, const Dim& b) {
  const Dim difference = primitive(resolve(a) - resolve(b));
  if (difference.is_zero()) return true;
  // Solve for an unknown that stands alone with coefficient +1 or -1.
  for (const auto& summand : difference.summands()) {
    if (summand.product.size() != 1 || (summand.coefficient != 1 && summand.coefficient != -1)) continue;
    const std::string& name = summand.product[0].name;
    if (!is_unknown(name)) continue;
    const Dim rest = difference - Dim::symbol(summand.product[0]) * Dim(summand.coefficient);
    if (solve(name, summand.coefficient == 1 ? -rest : rest)) return true;
  }
  // c * ?x == c * d, as in 2*?p == 2*p
  for (const auto& summand : difference.summands()) {
    for (const auto& s : summand.product) {
      if (!is_unknown(s.name)) continue;
      Dim factor(summand.coefficient);
      bool removed = false;
      for (const auto& other : summand.product) {
        if (!removed && other == s) {
          removed = true;
        } else {
          factor = factor * Dim::symbol(other);
        }
      }
      Dim rest = -(difference - factor * Dim::symbol(s));
      if (const auto quotient = rest.divide(factor); quotient && solve(s.name, *quotient)) return true;
    }
  }
  return false;
}

}  // namespace foldproof::infer
