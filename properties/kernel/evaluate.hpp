// SPDX-License-Identifier: MIT
// Values of monomials of the kernel at one instance, in doubles. Written from the meaning of each kind of atom and sharing
// nothing with the laws, so that a law can be checked by evaluating both of its sides. A value that does not exist is NaN.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "kernel/unfold.hpp"

namespace foldproof::properties {

/// A size for each dimension name, and a value for each entry, also beyond the end of an axis: branches of a concatenation
/// are unfolded there and multiplied by 0.
class Evaluator {
 public:
  using Place = std::vector<std::int64_t>;
  using Environment = std::map<kernel::Symbol, std::int64_t>;

  std::map<std::string, std::int64_t> dims;
  std::function<double(int tensor, const Place& place)> entry;

  explicit Evaluator(const kernel::Arena& arena) : arena_(arena) {}

  std::int64_t index(const kernel::Index& e, const Environment& at) const {
    std::int64_t sum = 0;
    for (const auto& summand : e.summands()) {
      std::int64_t product = summand.coefficient;
      for (const kernel::Symbol s : summand.product) product *= symbol(s, at);
      sum += product;
    }
    return sum;
  }

  double poly(const kernel::Poly& p, const Environment& at) const {
    double sum = 0;
    for (const auto& m : p) sum += monomial(m, at);
    return sum;
  }

  double monomial(const kernel::Monomial& m, const Environment& at) const { return static_cast<double>(m.coefficient.num()) / static_cast<double>(m.coefficient.den()) * sum(m, 0, at); }

 private:
  std::int64_t symbol(kernel::Symbol s, const Environment& at) const {
    const auto& info = arena_.symbol(s);
    if (const auto found = at.find(s); found != at.end()) return found->second;
    if (info.kind == kernel::SymbolKind::dimension) return dims.at(info.name);
    if (info.kind == kernel::SymbolKind::variable) throw expr::InternalError("an index variable has no value");
    const std::int64_t a = index(info.numerator, at), b = index(info.denominator, at);
    const std::int64_t q = a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    return info.kind == kernel::SymbolKind::quotient ? q : a - q * b;
  }

  double sum(const kernel::Monomial& m, std::size_t k, Environment at) const {
    if (k == m.variables.size()) return product(m, at);
    double total = 0;
    const std::int64_t range = index(arena_.symbol(m.variables[k]).range, at);
    for (std::int64_t i = 0; i < range; ++i) {
      at[m.variables[k]] = i;
      total += sum(m, k + 1, at);
    }
    return total;
  }
  /// A factor that is exactly 0 wins over what has no value: it marks a branch that is not taken.
  double product(const kernel::Monomial& m, const Environment& at) const {
    double total = 1;
    for (const auto& f : m.factors) {
      const auto kind = arena_.atom(f.atom).kind;
      const bool guard = kind == kernel::AtomKind::equal || kind == kernel::AtomKind::at_least || arena_.zero_one(f.atom);
      if (guard && f.exponent.sign() > 0 && atom(f.atom, at) == 0) return 0;
    }
    for (const auto& f : m.factors) total *= power(atom(f.atom, at), f.exponent);
    return total;
  }
  static double power(double x, const kernel::Rational& e) {
    if (x == 0 && e.sign() < 0) return std::numeric_limits<double>::quiet_NaN();
    return std::pow(x, static_cast<double>(e.num()) / static_cast<double>(e.den()));
  }

  double atom(kernel::AtomId id, const Environment& at) const {
    const kernel::Atom& a = arena_.atom(id);
    switch (a.kind) {
      case kernel::AtomKind::entry: {
        Place place;
        for (const auto& e : a.indices) place.push_back(index(e, at));
        return entry(a.name, place);
      }
      case kernel::AtomKind::size: return static_cast<double>(index(a.indices[0], at));
      case kernel::AtomKind::equal: return index(a.indices[0], at) == 0 ? 1 : 0;
      case kernel::AtomKind::at_least: return index(a.indices[0], at) >= 0 ? 1 : 0;
      case kernel::AtomKind::apply: return function(static_cast<expr::Function>(a.name), poly(arena_.poly(a.body), at));
      case kernel::AtomKind::base: return poly(arena_.poly(a.body), at);
      case kernel::AtomKind::maximum: return maximum(a, at);
      case kernel::AtomKind::inverse: return inverse(a, at);
      case kernel::AtomKind::determinant: return determinant(matrix(a, at));
      case kernel::AtomKind::left_factor:
      case kernel::AtomKind::right_factor: return rank_factor(a, at);
    }
    return std::numeric_limits<double>::quiet_NaN();
  }
  static double function(expr::Function f, double x) {
    switch (f) {
      case expr::Function::exp: return std::exp(x);
      case expr::Function::log: return x > 0 ? std::log(x) : std::numeric_limits<double>::quiet_NaN();
      case expr::Function::abs: return std::abs(x);
      case expr::Function::sin: return std::sin(x);
      case expr::Function::cos: return std::cos(x);
      case expr::Function::normal_cdf: return 0.5 * std::erfc(-x / std::sqrt(2.0));
      case expr::Function::negative_infinity_unless: return x == 1 ? 0 : -std::numeric_limits<double>::infinity();
    }
    return 0;
  }
  double maximum(const kernel::Atom& a, Environment at) const {
    double largest = -std::numeric_limits<double>::infinity();
    const std::int64_t range = index(arena_.symbol(a.variables[0]).range, at);
    for (std::int64_t i = 0; i < range; ++i) {
      at[a.variables[0]] = i;
      const double x = poly(arena_.poly(a.body), at);
      if (std::isnan(x)) return x;
      largest = std::max(largest, x);
    }
    return largest;
  }
  using Rows = std::vector<std::vector<double>>;
  Rows matrix(const kernel::Atom& a, Environment at) const {
    const auto size = [&](std::size_t k) { return static_cast<std::size_t>(index(arena_.symbol(a.variables[k]).range, at)); };
    Rows m(size(0), std::vector<double>(size(1)));
    for (std::size_t i = 0; i < m.size(); ++i) {
      for (std::size_t j = 0; j < m[i].size(); ++j) {
        at[a.variables[0]] = static_cast<std::int64_t>(i);
        at[a.variables[1]] = static_cast<std::int64_t>(j);
        m[i][j] = poly(arena_.poly(a.body), at);
      }
    }
    return m;
  }
  /// By expansion along the first row.
  static double determinant(const Rows& m) {
    if (m.empty()) return 1;
    double sum = 0;
    for (std::size_t c = 0; c < m.size(); ++c) {
      Rows minor;
      for (std::size_t i = 1; i < m.size(); ++i) {
        minor.push_back(m[i]);
        minor.back().erase(minor.back().begin() + static_cast<std::ptrdiff_t>(c));
      }
      sum += (c % 2 == 0 ? 1 : -1) * m[0][c] * determinant(minor);
    }
    return sum;
  }
  /// Columns that are not combinations of earlier ones, and the reduced rows; 0 beyond them.
  double rank_factor(const kernel::Atom& a, const Environment& at) const {
    const bool left = a.kind == kernel::AtomKind::left_factor;
    const std::int64_t i = index(a.indices[0], at), j = index(a.indices[1], at), inner = left ? j : i;
    const Rows original = matrix(a, at);
    Rows m = original;
    std::vector<std::size_t> pivots;
    for (std::size_t c = 0; c < m[0].size() && pivots.size() < m.size(); ++c) {
      const std::size_t row = pivots.size();
      const auto best = static_cast<std::size_t>(std::max_element(m.begin() + static_cast<std::ptrdiff_t>(row), m.end(), [c](const auto& x, const auto& y) { return std::abs(x[c]) < std::abs(y[c]); }) - m.begin());
      if (!(std::abs(m[best][c]) > 1e-9)) continue;
      std::swap(m[row], m[best]);
      const double pivot = m[row][c];
      for (double& x : m[row]) x /= pivot;
      for (std::size_t r = 0; r < m.size(); ++r) {
        const double ratio = r == row ? 0 : m[r][c];
        for (std::size_t k = 0; ratio != 0 && k < m[r].size(); ++k) m[r][k] -= ratio * m[row][k];
      }
      pivots.push_back(c);
    }
    if (inner >= static_cast<std::int64_t>(pivots.size())) return 0;
    return left ? original.at(static_cast<std::size_t>(i)).at(pivots[static_cast<std::size_t>(j)]) : m[static_cast<std::size_t>(i)].at(static_cast<std::size_t>(j));
  }
  /// Gauss-Jordan with pivoting; beyond the end of the matrix 0.
  double inverse(const kernel::Atom& a, Environment at) const {
    const std::int64_t row = index(a.indices[0], at), column = index(a.indices[1], at);
    const auto n = static_cast<std::size_t>(index(arena_.symbol(a.variables[0]).range, at));
    if (row < 0 || column < 0 || row >= static_cast<std::int64_t>(n) || column >= static_cast<std::int64_t>(n)) return 0;
    std::vector<std::vector<double>> m(n, std::vector<double>(2 * n, 0));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        at[a.variables[0]] = static_cast<std::int64_t>(i);
        at[a.variables[1]] = static_cast<std::int64_t>(j);
        m[i][j] = poly(arena_.poly(a.body), at);
      }
      m[i][n + i] = 1;
    }
    for (std::size_t c = 0; c < n; ++c) {
      std::size_t best = c;
      for (std::size_t i = c; i < n; ++i) best = std::abs(m[i][c]) > std::abs(m[best][c]) ? i : best;
      if (!(std::abs(m[best][c]) > 1e-9)) return std::numeric_limits<double>::quiet_NaN();
      std::swap(m[c], m[best]);
      for (std::size_t i = 0; i < n; ++i) {
        const double ratio = i == c ? 0 : m[i][c] / m[c][c];
        for (std::size_t j = 0; ratio != 0 && j < 2 * n; ++j) m[i][j] -= ratio * m[c][j];
      }
    }
    const auto r = static_cast<std::size_t>(row);
    return m[r][n + static_cast<std::size_t>(column)] / m[r][r];
  }

  const kernel::Arena& arena_;
};

}  // namespace foldproof::properties
