// SPDX-License-Identifier: MIT
#include "expr/dim.hpp"

#include <algorithm>
#include <optional>

namespace foldproof::expr {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  if (b == 0) throw LimitReached("a size is divided by zero");
  if (a == INT64_MIN) throw LimitReached("a size does not fit into 64 bits");  // its negation does not exist
  const std::int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

/// The number in a where all other summands are multiples of the number b: the 1 of (2*e + 1)//2.
std::optional<std::int64_t> number_beside_multiples(const Dim& a, std::int64_t b) {
  std::int64_t number = 0;
  for (const auto& m : a.summands()) {
    if (m.product.empty()) number = m.coefficient;
    else if (b == -1 || m.coefficient % b != 0) return std::nullopt;
  }
  return number;
}

Dim division(const Dim& a, const Dim& b, bool remainder) {
  if (const auto q = a.divide(b); q && !b.is_zero()) return remainder ? Dim() : *q;
  const auto y = b.constant();
  if (const auto x = y && *y != 0 ? number_beside_multiples(a, *y) : std::nullopt) {  // sizes are whole: (k*x + c)//k is x + c//k
    const Dim below = floor_div(*x, *y);
    if (remainder) return Dim(*x) - b * below;
    if (const auto multiples = (a - Dim(*x)).divide(b)) return *multiples + below;
  }
  const auto operand = [](const Dim& d) {
    const std::string t = text(d);
    return d.constant() || d.as_symbol() ? t : "(" + t + ")";
  };
  DimSymbol s;
  s.name = "(" + operand(a) + (remainder ? "%" : "//") + operand(b) + ")";
  s.division = std::make_shared<const Division>(Division{a, b, remainder});
  return Dim::symbol(std::move(s));
}

}  // namespace

Dim dim(const std::string& name) { return Dim::symbol({name, nullptr}); }
Dim floor_divide(const Dim& a, const Dim& b) { return division(a, b, false); }
Dim modulo(const Dim& a, const Dim& b) { return division(a, b, true); }

std::string text(const Dim& d) {
  if (d.is_zero()) return "0";
  // Symbols first, the constant last: "n - 1", not "-1 + n".
  auto summands = d.summands();
  std::stable_partition(summands.begin(), summands.end(), [](const auto& m) { return m.coefficient > 0 && !m.product.empty(); });
  if (summands.size() > 1 && summands.front().product.empty()) std::rotate(summands.begin(), summands.begin() + 1, summands.end());
  std::string out;
  for (const auto& m : summands) {
    const std::int64_t magnitude = m.coefficient < 0 ? -m.coefficient : m.coefficient;
    if (out.empty()) {
      if (m.coefficient < 0) out += "-";
    } else {
      out += m.coefficient < 0 ? " - " : " + ";
    }
    std::string product;
    if (magnitude != 1 || m.product.empty()) product = std::to_string(magnitude);
    for (const auto& s : m.product) product += (product.empty() ? "" : "*") + s.name;
    out += product;
  }
  return out;
}

std::string text(const Shape& shape) {
  std::string out = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i ? ", " : "") + text(shape[i]);
  return out + "]";
}

std::int64_t evaluate(const Dim& d, const DimValues& values) {
  std::int64_t sum = 0;
  for (const auto& m : d.summands()) {
    std::int64_t product = m.coefficient;
    for (const auto& s : m.product) {
      std::int64_t value = 0;
      if (s.division) {
        const std::int64_t a = evaluate(s.division->numerator, values);
        const std::int64_t b = evaluate(s.division->denominator, values);
        value = s.division->remainder ? a - b * floor_div(a, b) : floor_div(a, b);
      } else {
        const auto at = values.find(s.name);
        invariant(at != values.end(), "a dimension has no value");
        value = at->second;
      }
      if (__builtin_mul_overflow(product, value, &product)) throw LimitReached("a size does not fit into 64 bits");
    }
    if (__builtin_add_overflow(sum, product, &sum)) throw LimitReached("a size does not fit into 64 bits");
  }
  return sum;
}

bool mentions_rank(const Dim& d) {
  std::vector<std::string> names;
  collect_names(d, names);
  return std::any_of(names.begin(), names.end(), is_rank);
}

void collect_names(const Dim& d, std::vector<std::string>& names) {
  for (const auto& m : d.summands()) {
    for (const auto& s : m.product) {
      if (s.division) {
        collect_names(s.division->numerator, names);
        collect_names(s.division->denominator, names);
      } else if (std::find(names.begin(), names.end(), s.name) == names.end()) {
        names.push_back(s.name);
      }
    }
  }
}

Dim substitute(const Dim& d, const std::map<std::string, Dim>& sizes) {
  return d.substitute([&](const DimSymbol& s) {
    if (s.division) {
      const Dim a = substitute(s.division->numerator, sizes);
      const Dim b = substitute(s.division->denominator, sizes);
      return s.division->remainder ? modulo(a, b) : floor_divide(a, b);
    }
    const auto at = sizes.find(s.name);
    return at == sizes.end() ? Dim::symbol(s) : at->second;
  });
}

}  // namespace foldproof::expr
