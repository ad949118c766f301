// SPDX-License-Identifier: MIT
#include "normal/print.hpp"

#include <map>
#include <string_view>

namespace foldproof::normal {
namespace {

using kernel::Arena;
using kernel::Atom;
using kernel::AtomKind;
using kernel::Index;
using kernel::Monomial;
using kernel::Poly;
using kernel::Symbol;
using kernel::SymbolKind;

constexpr std::string_view outer_letters = "ijkl";
constexpr std::string_view inner_letters = "abcefgpqrstuwxyz";

/// The letters, then the first letter with a number, without what is taken.
class Names {
 public:
  Names(std::string_view letters, const std::set<std::string>& taken) : letters_(letters), taken_(taken) {}
  std::string next() {
    std::string name;
    do {
      name = used_ < letters_.size() ? std::string(1, letters_[used_]) : letters_[0] + std::to_string(used_);
      ++used_;
    } while (taken_.count(name) != 0);
    return name;
  }

 private:
  std::string_view letters_;
  const std::set<std::string>& taken_;
  std::size_t used_ = 0;
};

class Printer {
 public:
  Printer(const Arena& arena, const std::vector<Symbol>& free, const std::set<std::string>& taken) : arena_(arena), bound_(inner_letters, taken) {
    const auto names = index_names(free.size(), taken);
    for (std::size_t n = 0; n < free.size(); ++n) names_[free[n]] = names[n];
  }

  std::string poly(const Poly& p) {
    if (p.empty()) return "0";
    std::string out;
    for (const Monomial& m : p) {
      const std::string one = monomial(m);
      if (out.empty()) {
        out = one;
      } else {
        out += one[0] == '-' ? " - " + one.substr(1) : " + " + one;
      }
    }
    return out;
  }

 private:
  std::string name(Symbol v) {
    const auto at = names_.find(v);
    return at != names_.end() ? at->second : names_[v] = bound_.next();
  }
  std::string index(const Index& e) {
    if (e.is_zero()) return "0";
    std::string out;
    for (const auto& s : e.summands()) {
      std::string product;
      for (const Symbol x : s.product) product += (product.empty() ? "" : "*") + symbol(x);
      const std::int64_t c = s.coefficient < 0 ? -s.coefficient : s.coefficient;
      if (c != 1 || product.empty()) product = std::to_string(c) + (product.empty() ? "" : "*" + product);
      out += s.coefficient < 0 ? (out.empty() ? "-" : " - ") : (out.empty() ? "" : " + ");
      out += product;
    }
    return out;
  }
  std::string symbol(Symbol s) {
    const auto& info = arena_.symbol(s);
    if (info.kind == SymbolKind::dimension) return info.name;
    if (info.kind == SymbolKind::variable) return name(s);
    return "((" + index(info.numerator) + (info.kind == SymbolKind::quotient ? ")//(" : ")%(") + index(info.denominator) + "))";
  }
  std::string monomial(const Monomial& m) {
    std::string sums;
    for (const Symbol v : m.variables) sums += "sum_" + name(v) + " ";
    std::string product;
    for (const auto& f : m.factors) product += (product.empty() ? "" : " ") + factor(f);
    std::string coefficient;
    if (m.coefficient == kernel::Rational(-1)) coefficient = "-";
    else if (!m.coefficient.is_one()) coefficient = m.coefficient.text() + (product.empty() ? "" : " ");
    if (product.empty() && (coefficient.empty() || coefficient == "-")) coefficient += "1";
    return coefficient[0] == '-' ? "-" + sums + coefficient.substr(1) + product : sums + coefficient + product;
  }
  std::string factor(const kernel::Factor& f) {
    const std::string base = atom(arena_.atom(f.atom));
    if (f.exponent.is_one()) return base;
    const std::string e = f.exponent.text();
    return base + "^" + (e.size() > 1 ? "(" + e + ")" : e);
  }
  std::string atom(const Atom& a) {
    switch (a.kind) {
      case AtomKind::entry: {
        std::string out = arena_.tensor(a.name).name;
        for (std::size_t k = 0; k < a.indices.size(); ++k) out += (k ? "," : "[") + index(a.indices[k]);
        return out + (a.indices.empty() ? "" : "]");
      }
      case AtomKind::size: return index(a.indices[0]);
      case AtomKind::equal: return "[" + index(a.indices[0]) + " = 0]";
      case AtomKind::at_least: return "[" + index(a.indices[0]) + " >= 0]";
      case AtomKind::apply: return std::string(expr::text(static_cast<expr::Function>(a.name))) + "(" + poly(arena_.poly(a.body)) + ")";
      case AtomKind::base: return "(" + poly(arena_.poly(a.body)) + ")";
      case AtomKind::maximum: return "max_" + name(a.variables[0]) + "(" + poly(arena_.poly(a.body)) + ")";
      case AtomKind::determinant: return "det(" + poly(arena_.poly(a.body)) + ")";
      case AtomKind::left_factor: return "lfac(" + poly(arena_.poly(a.body)) + ")[" + index(a.indices[0]) + "," + index(a.indices[1]) + "]";
      case AtomKind::right_factor: return "rfac(" + poly(arena_.poly(a.body)) + ")[" + index(a.indices[0]) + "," + index(a.indices[1]) + "]";
      case AtomKind::inverse: return "inv(" + poly(arena_.poly(a.body)) + ")[" + index(a.indices[0]) + "," + index(a.indices[1]) + "]";
    }
    return "?";
  }

  const Arena& arena_;
  std::map<Symbol, std::string> names_;
  Names bound_;
};

}  // namespace

std::vector<std::string> index_names(std::size_t count, const std::set<std::string>& taken) {
  Names names(outer_letters, taken);
  std::vector<std::string> result;
  while (result.size() < count) result.push_back(names.next());
  return result;
}

std::string text(const Arena& arena, const Poly& p, const std::vector<Symbol>& free, const std::set<std::string>& taken) { return Printer(arena, free, taken).poly(p); }

const char* describe(kernel::Law law) {
  using kernel::Law;
  switch (law) {
    case Law::keep: return "bound indices get canonical names";
    case Law::enter:
    case Law::leave: return "the argument of a function is normalized";
    case Law::split: return "a sum over n1 + n2 values is the sum over n1 plus the sum over n2";
    case Law::pair: return "a sum over h*k values is a sum over heads of sums over k";
    case Law::unroll: return "a sum over a fixed number of values is written out";
    case Law::sift: return "a sum against the identity picks one term";
    case Law::decide: return "a comparison of indices is decided";
    case Law::digits: return "positions in blocks are compared by block, then by offset";
    case Law::flip: return "i >= j is the opposite of j > i";
    case Law::turn: return "i >= j or j >= i, both when i = j";
    case Law::only_equal: return "what is never positive is not negative only when it is 0";
    case Law::implied: return "where i >= j and j >= k, i >= k; where a mask is 1, so is it inside functions";
    case Law::cases: return "f(p x) is f(x) where the mask p is 1, f(0) where it is 0";
    case Law::reverse: return "a sum may run backwards";
    case Law::align: return "equal indices are interchangeable";
    case Law::number: return "a position is a number";
    case Law::count: return "a sum of equal terms is their number times the term";
    case Law::count_up: return "as many j as e + 1 are at most e";
    case Law::add_up: return "0 + 1 + ... + (n - 1) = n (n - 1)/2";
    case Law::exp_sum: return "exp(a + b) = exp(a) exp(b), exp(-inf) = 0, exp(log x) = x";
    case Law::distribute: return "a power of a product is the product of powers";
    case Law::content: return "a common factor leaves a sum";
    case Law::sum_factor: return "a sum that is a factor leaves a power, (x + y)^2 under a root as |x + y|";
    case Law::expand: return "a power of a sum is multiplied out";
    case Law::cancel: return "a sum cancels against its own reciprocal";
    case Law::absolute: return "|c x| = |c| |x|, |x| = x for x >= 0, |x|^2 = x^2";
    case Law::logarithm: return "log(x y) = log x + log y, log(exp x) = x";
    case Law::reflect: return "Phi(-x) = 1 - Phi(x), sin(-x) = -sin x, cos(-x) = cos x";
    case Law::angle: return "sine and cosine of a sum of angles";
    case Law::pythagoras: return "sin^2 + cos^2 = 1";
    case Law::one_hot: return "one row holds a single 1";
    case Law::one_hot_sum: return "a row that holds a single 1 sums to 1";
    case Law::select: return "a function of a selected entry is the selected function value";
    case Law::halve: return "what equals its own opposite is 0";
    case Law::swap: return "a symmetric matrix equals its transpose";
    case Law::axiom: return "an assumption of the claim";
    case Law::inverse: return "inv(M) M = 1 = M inv(M)";
    case Law::inverse_diagonal: return "the inverse of a diagonal matrix inverts its entries";
    case Law::inverse_transpose: return "inv(M.T) = inv(M).T";
    case Law::inverse_product: return "inv(A B) = inv(B) inv(A) for square A and B";
    case Law::inverse_scale: return "inv(c M) = inv(M)/c, inv(diag(d) M) = inv(M) diag(1/d)";
    case Law::inverse_inverse: return "inv(inv(M)) = M";
    case Law::inverse_orthogonal: return "inv(R) = R.T for an orthogonal R";
    case Law::determinant_product: return "det(A B) = det(A) det(B)";
    case Law::determinant_transpose: return "det(M.T) = det(M)";
    case Law::determinant_inverse: return "det(inv(M)) = 1/det(M)";
    case Law::determinant_identity: return "the identity has determinant 1";
    case Law::determinant_orthogonal: return "an orthogonal matrix has determinant 1 or -1";
    case Law::factorize: return "a matrix is the product of its rank factors";
    case Law::signed_body: return "an assumed sign removes an absolute value, or takes it into a sum";
    case Law::shift_maximum: return "a constant leaves a maximum";
    case Law::scale_maximum: return "a factor that is not negative leaves a maximum";
    case Law::split_maximum: return "the maximum over n1 + n2 values is the larger of two maxima";
    case Law::pair_maximum: return "the maximum over h*k values is the maximum over heads of maxima over k";
    case Law::clear: return "both sides times something positive";
    case Law::assumed_bound: return "an assumed inequality";
    case Law::largest_bound: return "nothing is larger than the maximum";
    case Law::total_bound: return "the largest of values that are not negative is at most their sum";
    case Law::diagonal_bound: return "a sum over all pairs is at least that over equal ones, where no term is negative";
    case Law::triangle: return "|a + b| <= |a| + |b|";
    case Law::tangent: return "1 + x <= exp(x) and 1 - 1/x <= log(x) <= x - 1, here of x/y for some y > 0";
    case Law::attained: return "a maximum is one of the values it is taken of";
    case Law::part_bound: return "a part of a sum is at most the sum, where no part is negative";
    case Law::log_bound: return "the logarithm of a sum of exponentials is at least each exponent";
    case Law::unit_bound: return "sin, cos and Phi lie between -1 and 1";
    case Law::magnitude_bound: return "a number is at least minus its absolute value";
    case Law::mean_bound: return "2 |a b| <= a^2 + b^2";
    case Law::cauchy_bound: return "Cauchy-Schwarz: (sum of a b)^2 <= (sum of a^2) (sum of b^2)";
    case Law::exp_maximum: return "exp and log grow, so they may be taken inside a maximum";
    case Law::power_maximum: return "powers and logarithms of positive numbers grow or fall, so they may be taken inside a maximum";
    case Law::magnitude_maximum: return "what grows with x, as relu does, is largest where x is";
  }
  return "";
}

}  // namespace foldproof::normal
