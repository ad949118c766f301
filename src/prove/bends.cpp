// SPDX-License-Identifier: MIT
#include "prove/bends.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "prove/parts.hpp"
#include "prove/proposals.hpp"

namespace foldproof::prove {
namespace {

using expr::Rational;

/// A polynomial in numbers: a coefficient for each product of names, which are sorted.
using Product = std::vector<std::string>;
using Polynomial = std::map<Product, Rational>;

Polynomial sum(Polynomial a, const Polynomial& b, const Rational& times = 1) {
  for (const auto& [product, q] : b) a[product] = a[product] + times * q;
  std::erase_if(a, [](const auto& term) { return term.second.is_zero(); });
  return a;
}
Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  for (const auto& [left, p] : a) {
    for (const auto& [right, q] : b) {
      Product both;
      std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
      result = sum(std::move(result), {{both, p * q}});
    }
  }
  return result;
}

std::string text(const Polynomial& p) {
  std::string out;
  for (const auto& [names, q] : p) {
    out += (out.empty() ? "" : " + ") + std::string("(") + q.text() + ")";
    for (const std::string& name : names) out += " * " + name;
  }
  return out.empty() ? "0" : out;
}

class Bends {
 public:
  Bends(const Claim& claim, const infer::Problem& problem) : claim_(claim), numbers_(numbers_of(problem)) {
    for (const auto& a : claim.assumptions) {
      const auto order = kernel::order_of(a);
      if (!order) continue;
      auto larger = value(order->larger), smaller = larger ? value(order->smaller) : std::nullopt;
      if (smaller) assumed_.push_back(sum(std::move(*larger), *smaller, -1));
      cut_.reset();  // which only the sides ask for
    }
  }

  std::optional<kernel::Reduction> first() {
    value(claim_.lhs);
    if (!cut_) value(claim_.rhs);
    return std::move(cut_);
  }

 private:
  enum class Sign { unknown, never_negative, never_positive };

  /// The polynomial that e is where the signs are what is known of them; nothing for other functions, and from the first cut on.
  std::optional<Polynomial> value(const Expression& e) {
    std::vector<Polynomial> of;
    if (e->kind != SyntaxKind::number && e->kind != SyntaxKind::name) {
      for (const Expression& a : e->args) {
        auto argument = cut_ ? std::nullopt : value(a);
        if (!argument) return std::nullopt;
        of.push_back(std::move(*argument));
      }
    }
    switch (e->kind) {
      case SyntaxKind::number: return sum({}, {{{}, e->value}});
      case SyntaxKind::name: return std::find(numbers_.begin(), numbers_.end(), e->name) != numbers_.end() ? std::optional(Polynomial{{{e->name}, 1}}) : std::nullopt;
      case SyntaxKind::negate: return sum({}, of[0], -1);
      case SyntaxKind::add: return sum(of[0], of[1]);
      case SyntaxKind::subtract: return sum(of[0], of[1], -1);
      case SyntaxKind::multiply: return product(of[0], of[1]);
      case SyntaxKind::divide: return is_number(of[1]) ? std::optional(product(of[0], {{{}, Rational(1) / of[1].begin()->second}})) : std::nullopt;
      case SyntaxKind::call: return e->keywords.empty() ? of_call(*e, of) : std::nullopt;
      default: return std::nullopt;
    }
  }
  static bool is_number(const Polynomial& p) { return p.size() == 1 && p.begin()->first.empty(); }  // and not 0
  std::optional<Polynomial> of_call(const expr::Syntax& call, const std::vector<Polynomial>& of) {
    const bool largest = call.name == "maximum" || call.name == "max", least = call.name == "minimum" || call.name == "min";
    if (call.name == "abs" && of.size() == 1) return larger(of[0], sum({}, of[0], -1));
    if (call.name == "relu" && of.size() == 1) return larger(of[0], {});
    if (call.name == "clip" && of.size() == 3) {
      const auto from_below = larger(of[0], of[1]);
      return from_below ? smaller(*from_below, of[2]) : std::nullopt;
    }
    if (call.name == "where" && of.size() == 3) return sum(product(of[0], of[1]), product(sum({{{}, 1}}, of[0], -1), of[2]));
    if (expr::is_comparison(call)) return compared(call.name, sum(of[0], of[1], -1));
    if ((!largest && !least) || of.size() < 2) return std::nullopt;
    std::optional<Polynomial> result = of[0];
    for (std::size_t k = 1; k < of.size() && result; ++k) result = largest ? larger(*result, of[k]) : smaller(*result, of[k]);
    return result;
  }
  /// 1 or 0 where the sides differ and the one with the larger side is known; at the ends of the pieces it may be the other one.
  std::optional<Polynomial> compared(const std::string& relation, const Polynomial& difference) {
    const Sign sign = sign_of(difference);
    if (sign == Sign::unknown) {
      cut_where_zero(difference);
      return std::nullopt;
    }
    const bool holds = relation[0] == '>' ? sign == Sign::never_negative : relation[0] == '<' ? sign == Sign::never_positive : relation == "!=";
    return sum({}, {{{}, holds ? 1 : 0}});
  }
  std::optional<Polynomial> larger(const Polynomial& a, const Polynomial& b) {
    const Polynomial difference = sum(a, b, -1);
    const Sign sign = sign_of(difference);
    if (sign != Sign::unknown) return sign == Sign::never_negative ? a : b;
    cut_where_zero(difference);
    return std::nullopt;
  }
  std::optional<Polynomial> smaller(const Polynomial& a, const Polynomial& b) {
    const auto found = larger(a, b);
    return found ? std::optional(sum(sum(a, b), *found, -1)) : std::nullopt;
  }

  /// Whether an assumption says name - c >= 0 for some c >= 0.
  bool is_never_negative(const std::string& name) const {
    return std::any_of(assumed_.begin(), assumed_.end(), [&](const Polynomial& p) {
      const auto at = p.find({name}), constant = p.find({});
      return at != p.end() && at->second.sign() > 0 && p.size() == (constant == p.end() ? 1U : 2U) && (constant == p.end() || constant->second.sign() < 0);
    });
  }
  /// Whether p is a positive multiple of what an assumption says not to be negative.
  bool is_assumed(const Polynomial& p) const {
    return std::any_of(assumed_.begin(), assumed_.end(), [&](const Polynomial& a) {
      if (a.empty() || a.size() != p.size() || a.begin()->first != p.begin()->first) return false;
      const Rational times = p.begin()->second / a.begin()->second;
      return times.sign() > 0 && sum(p, a, -times).empty();
    });
  }
  Sign sign_of(const Polynomial& p) const {
    if (is_assumed(p)) return Sign::never_negative;
    if (is_assumed(sum({}, p, -1))) return Sign::never_positive;
    bool positive = false, negative = false;
    for (const auto& [names, q] : p) {
      if (!std::all_of(names.begin(), names.end(), [&](const std::string& name) { return is_never_negative(name); })) return Sign::unknown;
      (q.sign() > 0 ? positive : negative) = true;
    }
    return positive && negative ? Sign::unknown : negative ? Sign::never_positive : Sign::never_negative;
  }

  /// A * (r - 1 + e) changes its sign where r is 1 - e, and where A is 0.
  void cut_where_zero(const Polynomial& difference) {
    Product common = difference.begin()->first;
    for (const auto& [names, q] : difference) {
      Product shared;
      std::set_intersection(common.begin(), common.end(), names.begin(), names.end(), std::back_inserter(shared));
      common = std::move(shared);
    }
    Polynomial rest;
    for (const auto& [names, q] : difference) {
      Product left;
      std::set_difference(names.begin(), names.end(), common.begin(), common.end(), std::back_inserter(left));
      rest[left] = q;
    }
    std::string best;
    for (const auto& [names, q] : rest) {
      if (names.size() != 1 || stands_elsewhere(names[0], rest)) continue;
      if (best.empty() || is_never_negative(best)) best = names[0];  // rather not e, of which e >= 0 is known as long as it has its name, but t
    }
    if (!best.empty()) {
      const Rational q = rest[{best}];
      rest.erase({best});
      cut_ = {kernel::ReductionKind::pieces, {best, text(product(rest, {{{}, Rational(-1) / q}}))}};
      return;
    }
    const auto unknown = std::find_if(common.begin(), common.end(), [&](const std::string& name) { return !is_never_negative(name); });
    if (rest.size() == 1 && unknown != common.end()) cut_ = {kernel::ReductionKind::pieces, {*unknown, "0"}};
  }
  static bool stands_elsewhere(const std::string& name, const Polynomial& p) {
    return std::any_of(p.begin(), p.end(), [&](const auto& term) { return term.first != Product{name} && std::find(term.first.begin(), term.first.end(), name) != term.first.end(); });
  }

  const Claim& claim_;
  std::vector<std::string> numbers_;
  std::vector<Polynomial> assumed_;  ///< not to be negative
  std::optional<kernel::Reduction> cut_;
};

}  // namespace

std::optional<kernel::Reduction> cut_at_bend(const Claim& claim, const infer::Problem& problem) { return Bends(claim, problem).first(); }

}  // namespace foldproof::prove
