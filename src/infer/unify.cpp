// SPDX-License-Identifier: MIT
#include "infer/unify.hpp"

namespace foldproof::infer {

using expr::Dim;
using expr::Shape;

Dim Sizes::fresh() { return expr::dim("?" + std::to_string(next_++)); }

Dim Sizes::resolve(const Dim& d) const {
  Dim result = d;
  for (;;) {  // definitions never contain the name they define, so this ends
    Dim next = expr::substitute(result, known_);
    if (next == result) return result;
    result = std::move(next);
  }
}

Shape Sizes::resolve(const Shape& shape) const {
  Shape result;
  for (const Dim& d : shape) result.push_back(resolve(d));
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

bool Sizes::unify(const Dim& a, const Dim& b) {
  const Dim difference = resolve(a) - resolve(b);
  if (difference.is_zero()) return true;
  // Solve for an unknown that stands alone with coefficient +1 or -1.
  for (const auto& summand : difference.summands()) {
    if (summand.product.size() != 1 || (summand.coefficient != 1 && summand.coefficient != -1)) continue;
    const std::string& name = summand.product[0].name;
    if (!is_unknown(name)) continue;
    const Dim rest = difference - Dim::symbol(summand.product[0]) * Dim(summand.coefficient);
    if (define(name, summand.coefficient == 1 ? -rest : rest)) return true;
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
      if (const auto quotient = rest.divide(factor); quotient && define(s.name, *quotient)) return true;
    }
  }
  return false;
}

}  // namespace foldproof::infer
