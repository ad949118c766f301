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

constexpr std::size_t longest_sum = 2000;

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
      if (out.size() > longest_sum) return out + " + ...";  // of two layers on top of each other it would not end
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

}  // namespace foldproof::normal
