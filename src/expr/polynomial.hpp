// SPDX-License-Identifier: MIT
// Polynomials with integer coefficients over symbols of any ordered type. Part of the trusted base.
// Dimensions (symbols are names) and index expressions (symbols are index variables and dimensions) are both such
// polynomials, kept in one canonical form so that equality is equality of polynomials.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "expr/diagnostic.hpp"
#include "expr/small_vector.hpp"

namespace foldproof::expr {

template <class Symbol>
class Polynomial {
 public:
  using Product = SmallVector<Symbol, 2>;  ///< sorted, repeated for powers; empty for the constant term
  struct Summand {
    Product product;
    std::int64_t coefficient = 0;
    friend bool operator==(const Summand&, const Summand&) = default;
    friend auto operator<=>(const Summand& a, const Summand& b) {
      if (auto c = a.product <=> b.product; c != 0) return c;
      return a.coefficient <=> b.coefficient;
    }
  };

  Polynomial() = default;
  Polynomial(std::int64_t constant) {  // NOLINT: integers are polynomials
    if (constant != 0) summands_.push_back({{}, constant});
  }
  static Polynomial symbol(Symbol s) {
    Polynomial p;
    p.summands_.push_back({{std::move(s)}, 1});
    return p;
  }

  /// One summand of another polynomial.
  static Polynomial of(Summand summand) {
    Polynomial p;
    p.summands_.push_back(std::move(summand));
    return p;
  }

  using Summands = SmallVector<Summand, 2>;  // n - 1
  const Summands& summands() const { return summands_; }
  bool is_zero() const { return summands_.empty(); }
  std::optional<std::int64_t> constant() const {
    if (summands_.empty()) return 0;
    if (summands_.size() == 1 && summands_[0].product.empty()) return summands_[0].coefficient;
    return std::nullopt;
  }
  bool is_one() const { return summands_.size() == 1 && summands_[0].coefficient == 1 && summands_[0].product.empty(); }
  /// The symbol when the polynomial is exactly one symbol with coefficient 1.
  std::optional<Symbol> as_symbol() const {
    if (summands_.size() == 1 && summands_[0].coefficient == 1 && summands_[0].product.size() == 1) return summands_[0].product[0];
    return std::nullopt;
  }
  bool mentions(const Symbol& s) const {
    for (const auto& m : summands_) {
      if (std::find(m.product.begin(), m.product.end(), s) != m.product.end()) return true;
    }
    return false;
  }

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b) {
    Polynomial r = a;
    for (const auto& m : b.summands_) r.add(m.product, m.coefficient);
    return r;
  }
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b) {
    Polynomial r = a;
    for (const auto& m : b.summands_) r.add(m.product, multiply(m.coefficient, -1));
    return r;
  }
  Polynomial operator-() const { return *this * Polynomial(-1); }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    if (a.is_one()) return b;
    if (b.is_one()) return a;
    if (a.symbols() * b.symbols() > most_symbols) throw LimitReached("a size has too many terms");
    Polynomial r;
    for (const auto& x : a.summands_) {
      for (const auto& y : b.summands_) {
        Product product;
        std::merge(x.product.begin(), x.product.end(), y.product.begin(), y.product.end(), std::back_inserter(product));
        r.add(product, multiply(x.coefficient, y.coefficient));
      }
    }
    return r;
  }
  friend bool operator==(const Polynomial&, const Polynomial&) = default;
  friend auto operator<=>(const Polynomial& a, const Polynomial& b) { return a.summands_ <=> b.summands_; }

  /// Replaces every occurrence of a symbol s by value(s); value returns a Polynomial.
  template <class Value>
  Polynomial substitute(const Value& value) const {
    if (constant()) return *this;
    if (summands_.size() == 1 && summands_[0].coefficient == 1 && summands_[0].product.size() == 1) return value(summands_[0].product[0]);  // nearly always
    Polynomial r;
    for (const auto& m : summands_) {
      Polynomial product(m.coefficient);
      for (const auto& s : m.product) product = product * value(s);
      r = r + product;
    }
    return r;
  }

  /// The part without s, and what the other part is times where s is 1: *this == rest + slope * s for degree one in s.
  struct Linear {
    Polynomial rest, slope;
  };
  Linear linear_in(const Symbol& s) const {
    Linear parts;
    for (const auto& m : summands_) {
      Product others;
      std::remove_copy(m.product.begin(), m.product.end(), std::back_inserter(others), s);
      (others.size() == m.product.size() ? parts.rest : parts.slope).add(others, m.coefficient);
    }
    return parts;
  }

  /// q with *this == q * divisor when such a polynomial exists.
  std::optional<Polynomial> divide(const Polynomial& divisor) const {
    if (divisor.is_zero()) return std::nullopt;
    const Summand d = divisor.leading();
    if (d.coefficient == INT64_MIN || d.coefficient == -1) return (*this * Polynomial(-1)).divide(divisor * Polynomial(-1));  // checked negation
    Polynomial q, left = *this;
    while (!left.is_zero()) {
      const Summand m = left.leading();
      if (m.coefficient % d.coefficient != 0 || !std::includes(m.product.begin(), m.product.end(), d.product.begin(), d.product.end())) return std::nullopt;
      Product rest;
      std::set_difference(m.product.begin(), m.product.end(), d.product.begin(), d.product.end(), std::back_inserter(rest));
      Polynomial step;
      step.add(rest, m.coefficient / d.coefficient);
      q = q + step;
      left = left - step * divisor;
    }
    return q;
  }

 private:
  static constexpr std::size_t most_symbols = 16384;  // powers and products of sums grow exponentially
  /// Its length as text, about.
  std::size_t symbols() const {
    std::size_t count = summands_.size();
    for (const auto& m : summands_) count += m.product.size();
    return count;
  }
  static std::int64_t multiply(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    if (__builtin_mul_overflow(a, b, &r)) throw LimitReached("a size does not fit into 64 bits");
    return r;
  }
  /// The largest summand in an order that products keep: by degree, then by the symbols.
  const Summand& leading() const {
    return *std::max_element(summands_.begin(), summands_.end(), [](const Summand& a, const Summand& b) { return a.product.size() != b.product.size() ? a.product.size() < b.product.size() : a.product < b.product; });
  }
  void add(const Product& product, std::int64_t coefficient) {
    auto at = std::lower_bound(summands_.begin(), summands_.end(), product, [](const Summand& m, const Product& p) { return m.product < p; });
    if (at != summands_.end() && at->product == product) {
      if (__builtin_add_overflow(at->coefficient, coefficient, &at->coefficient)) throw LimitReached("a size does not fit into 64 bits");
      if (at->coefficient == 0) summands_.erase(at);
    } else if (coefficient != 0) {
      summands_.insert(at, Summand{product, coefficient});
    }
  }

  Summands summands_;  // sorted by product, no zero coefficients
};

}  // namespace foldproof::expr
