// SPDX-License-Identifier: MIT
// From syntax to notation. Juxtaposition is the matrix product, and binds tighter than the entrywise product on paper
// though not in NumPy, so brackets are decided anew here rather than taken from the text form.
#include "expr/notation.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <utility>

#include "expr/notation_parts.hpp"

namespace foldproof::expr {
namespace {

// How tightly a construct binds on paper.
enum Level { open_level, sum_level, product_level, script_level, base_level, atom_level };

constexpr int deepest = 100;  // beyond this nobody reads a formula, and an ellipsis keeps pages and stacks small

/// Will `a * b` be read as a scaling rather than as an entrywise product?
bool looks_scalar(const Syntax& s) {
  switch (s.kind) {
    case SyntaxKind::number: return true;
    case SyntaxKind::name: {
      const std::string base = s.name.substr(0, s.name.find('_'));
      return (base.size() == 1 && base[0] >= 'a' && base[0] <= 'z') || is_greek(base);
    }
    case SyntaxKind::multiply: return looks_scalar(*s.args[0]) && looks_scalar(*s.args[1]);
    case SyntaxKind::call: return s.name == "sqrt" || s.name == "rsqrt";
    case SyntaxKind::negate:
    case SyntaxKind::power: return s.args[0]->kind != s.kind && looks_scalar(*s.args[0]);
    case SyntaxKind::divide: return s.args[0]->kind == SyntaxKind::number && s.args[1]->kind != SyntaxKind::divide && looks_scalar(*s.args[1]);
    default: return false;
  }
}

bool starts_with_number(const Syntax& s) {
  const Syntax* first = &s;
  while (first->kind == SyntaxKind::power || first->kind == SyntaxKind::transpose) first = first->args[0].get();
  return first->kind == SyntaxKind::number;
}

bool is_entrywise(const Syntax& s) { return s.kind == SyntaxKind::multiply && !looks_scalar(*s.args[0]) && !looks_scalar(*s.args[1]); }

bool is_comprehension_call(const Syntax& s) { return s.kind == SyntaxKind::call && s.args.size() == 1 && s.args[0]->kind == SyntaxKind::comprehension; }

int level_of(const Syntax& s) {
  switch (s.kind) {
    case SyntaxKind::add:
    case SyntaxKind::subtract:
    case SyntaxKind::negate: return sum_level;
    case SyntaxKind::multiply:
    case SyntaxKind::modulo:
    case SyntaxKind::matmul: return product_level;
    case SyntaxKind::divide:
    case SyntaxKind::power:
    case SyntaxKind::transpose: return script_level;
    case SyntaxKind::index: return base_level;
    case SyntaxKind::number: return s.value.sign() < 0 ? sum_level : s.value.is_integer() ? atom_level : base_level;
    case SyntaxKind::call:
      if (is_comprehension_call(s) && s.name == "sum") return open_level;
      return s.name == "rsqrt" || s.name == "inv" || (s.name == "transpose" && s.args.size() == 1) ? script_level : atom_level;
    default: return atom_level;
  }
}

class Writer {
 public:
  Notation write(const Syntax& s, int least) {
    if (depth_ >= deepest) return symbol("\\cdots", "\u22ef");
    ++depth_;
    Notation n = bare(s);
    --depth_;
    return level_of(s) < least ? fenced("(", std::move(n), ")") : n;
  }

 private:
  Notation bare(const Syntax& s) {
    switch (s.kind) {
      case SyntaxKind::number: return number(s.value);
      case SyntaxKind::name: return variable(s.name);
      case SyntaxKind::negate: return row(symbol("-", "\u2212"), write(*s.args[0], product_level));
      case SyntaxKind::add: return infix(s, symbol("+", "+"), sum_level);
      case SyntaxKind::subtract: return infix(s, symbol("-", "\u2212"), sum_level);
      case SyntaxKind::modulo: return infix(s, symbol("\\bmod", "mod"), product_level);
      case SyntaxKind::multiply:
      case SyntaxKind::matmul: return product(s);
      case SyntaxKind::divide: return fraction(write(*s.args[0], open_level), write(*s.args[1], open_level));
      case SyntaxKind::floor_divide: return floored(s);
      case SyntaxKind::power: return superscript(write(*s.args[0], base_level), write(*s.args[1], open_level));
      case SyntaxKind::transpose: return superscript(write(*s.args[0], base_level), symbol("\\top", "\u22a4"));
      case SyntaxKind::call: return call(s);
      case SyntaxKind::list: return fenced("[", items(s), "]");
      case SyntaxKind::index: return index(s);
      case SyntaxKind::comprehension: return limits(fenced("[", write(*s.args[0], open_level), "]"), s);
    }
    throw InternalError("an unknown kind of syntax");
  }

  Notation infix(const Syntax& s, Notation sign, int level) {
    Notation out = row(write(*s.args[0], level), std::move(sign));
    out.parts.push_back(write(*s.args[1], level + 1));
    return out;
  }

  Notation product(const Syntax& s) {
    const Syntax& left = *s.args[0];
    const Syntax& right = *s.args[1];
    if (is_entrywise(s)) return infix(s, symbol("\\odot", "\u2299"), product_level);
    const bool ambiguous = is_entrywise(left) || left.kind == SyntaxKind::modulo;  // A * B @ C is (A * B) @ C
    Notation out = row(write(left, ambiguous ? script_level : product_level), juxtaposition());
    const bool mixed_number = left.kind == SyntaxKind::number && right.kind == SyntaxKind::divide;
    if (starts_with_number(right) || mixed_number) out.parts.back() = symbol("\\cdot", "\u22c5");
    out.parts.push_back(write(right, script_level));
    return out;
  }

  Notation floored(const Syntax& s) {
    Notation out = row(symbol("\\lfloor", "\u230a"), fraction(write(*s.args[0], open_level), write(*s.args[1], open_level)));
    out.parts.push_back(symbol("\\rfloor", "\u230b"));
    return out;
  }

  Notation items(const Syntax& s) {
    Notation out;
    for (const Expression& item : s.args) {
      if (!out.parts.empty()) out.parts.push_back(symbol(",", ","));
      out.parts.push_back(write(*item, open_level));
    }
    return out;
  }

  Notation call(const Syntax& s) {
    const bool one = s.args.size() == 1 && s.keywords.empty();
    if (one && s.name == "sqrt") return root(write(*s.args[0], open_level));
    if (one && s.name == "rsqrt") return fraction(leaf(NotationKind::number, "1", "1"), root(write(*s.args[0], open_level)));
    if (one && s.name == "abs") return fenced("|", write(*s.args[0], open_level), "|");
    if (one && s.name == "inv") return superscript(write(*s.args[0], base_level), row(symbol("-", "\u2212"), leaf(NotationKind::number, "1", "1")));
    if (one && s.name == "transpose") return superscript(write(*s.args[0], base_level), symbol("\\top", "\u22a4"));
    if (one && s.name == "eye") return subscript(leaf(NotationKind::identifier, "I", "I"), write(*s.args[0], open_level));
    if ((s.name == "ones" || s.name == "zeros") && !s.args.empty() && s.keywords.empty()) return constant_matrix(s);
    if (is_comprehension_call(s)) return comprehension_call(s);
    if (s.name == "einsum") return row(subscript(function(s.name), einsum_subscripts(s)), fenced("(", items(s), ")"));
    return row(function(s.name), fenced("(", arguments(s), ")"));
  }

  static Notation einsum_subscripts(const Syntax& s) {
    Notation out;
    for (const char c : s.keywords.at(0).second->name) {
      if (c == ',') out.parts.push_back(symbol(",", ","));
      if (c == '>') out.parts.push_back(symbol("\\to", "\u2192"));
      if (std::isalpha(static_cast<unsigned char>(c)) != 0) out.parts.push_back(variable(std::string(1, c)));
    }
    return out;
  }

  Notation arguments(const Syntax& s) {
    const bool one_list = s.args.size() == 1 && s.args[0]->kind == SyntaxKind::list;  // concat([A, B]) is Concat(A, B)
    Notation out = items(one_list ? *s.args[0] : s);
    for (const auto& keyword : s.keywords) {
      if (!out.parts.empty()) out.parts.push_back(symbol(",", ","));
      out.parts.push_back(row(word(keyword.first), symbol("=", "=")));
      out.parts.push_back(write(*keyword.second, open_level));
    }
    return out;
  }

  /// Sizes with a multiplication sign between them below a bold 1 or 0.
  Notation constant_matrix(const Syntax& s) {
    const Syntax& sizes = s.args.size() == 1 && s.args[0]->kind == SyntaxKind::list ? *s.args[0] : s;
    Notation below;
    for (const Expression& size : sizes.args) {
      if (!below.parts.empty()) below.parts.push_back(symbol("\\times", "\u00d7"));
      below.parts.push_back(write(*size, script_level));
    }
    return subscript(s.name == "ones" ? leaf(NotationKind::number, "\\mathbf{1}", "\U0001d7cf") : leaf(NotationKind::number, "\\mathbf{0}", "\U0001d7ce"),
                     std::move(below));
  }

  Notation comprehension_call(const Syntax& s) {
    const Syntax& each = *s.args[0];
    if (s.name == "sum" && s.keywords.empty()) {
      return row(limits(symbol("\\sum", "\u2211"), each), write(*each.args[0], product_level));
    }
    Notation body = write(*each.args[0], open_level);
    for (const auto& keyword : s.keywords) {
      body = row(std::move(body), symbol(",", ","));
      body.parts.push_back(row(word(keyword.first), symbol("=", "=")));
      body.parts.push_back(write(*keyword.second, open_level));
    }
    return row(limits(function(s.name), each), fenced("(", std::move(body), ")"));
  }

  /// `over` with the index of a comprehension from 0 to its last value.
  Notation limits(Notation over, const Syntax& comprehension) {
    const Syntax& count = *comprehension.args[1];
    Notation below = row(variable(comprehension.name), symbol("=", "="));
    below.parts.push_back(leaf(NotationKind::number, "0", "0"));
    Notation last;
    if (count.kind == SyntaxKind::number && count.value.is_integer() && count.value.sign() > 0) {
      last = number(count.value - Rational(1));
    } else {
      last = row(write(count, sum_level), symbol("-", "\u2212"));
      last.parts.push_back(leaf(NotationKind::number, "1", "1"));
    }
    Notation out = leaf(NotationKind::limits, "", "");
    out.parts.push_back(std::move(over));
    out.parts.push_back(std::move(below));
    out.parts.push_back(std::move(last));
    return out;
  }

  /// Indices join the subscript a name already has: W_Q[i] is W with Q,i below.
  Notation index(const Syntax& s) {
    Notation base = write(*s.args[0], atom_level);
    Notation below;
    if (base.kind == NotationKind::subscript && s.args[0]->kind == SyntaxKind::name) {
      below = row(std::move(base.parts[1]), symbol(",", ","));
      Notation stem = std::move(base.parts[0]);
      base = std::move(stem);
    }
    for (std::size_t i = 0; i < s.subscripts.size(); ++i) {
      const Subscript& part = s.subscripts[i];
      if (i > 0) below.parts.push_back(symbol(",", ","));
      if (part.start) below.parts.push_back(write(*part.start, open_level));
      if (part.slice) below.parts.push_back(symbol(":", ":"));
      if (part.stop) below.parts.push_back(write(*part.stop, open_level));
      if (part.step != 1) below.parts.push_back(row(symbol(":", ":"), leaf(NotationKind::number, std::to_string(part.step), std::to_string(part.step))));
    }
    return subscript(std::move(base), std::move(below));
  }

  int depth_ = 0;
};

Notation relation_sign(Relation relation) {
  switch (relation) {
    case Relation::equal: return symbol("=", "=");
    case Relation::less_equal: return symbol("\\le", "\u2264");
    case Relation::less: return symbol("<", "<");
    case Relation::greater_equal: return symbol("\\ge", "\u2265");
    case Relation::greater: return symbol(">", ">");
    case Relation::not_equal: return symbol("\\ne", "\u2260");
  }
  throw InternalError("an unknown relation");
}

Notation relation(const Expression& lhs, Relation relation, const Expression& rhs) {
  Notation out = row(notation(lhs), relation_sign(relation));
  out.parts.push_back(notation(rhs));
  return out;
}

}  // namespace

Notation notation(const Expression& e) { return Writer().write(*e, open_level); }

Notation notation(const Claim& c) {
  Notation out = relation(c.lhs, c.relation, c.rhs);
  const char* lead = "if";
  const auto append = [&](const char* first, Notation condition) {
    out.parts.push_back(leaf(NotationKind::space, "\\quad", "\u2003"));
    out.parts.push_back(*first ? word(first) : symbol(",", ","));
    out.parts.push_back(leaf(NotationKind::space, "\\ ", "\u00a0"));
    out.parts.push_back(std::move(condition));
  };
  for (const Assumption& a : c.assumptions) append(std::exchange(lead, ""), a.relation ? relation(a.lhs, *a.relation, a.rhs) : notation(a.lhs));
  lead = "where";
  for (const Definition& d : c.definitions) {
    Notation definition = row(variable(d.name), symbol("=", "="));
    definition.parts.push_back(notation(d.value));
    append(std::exchange(lead, ""), std::move(definition));
  }
  return out;
}

}  // namespace foldproof::expr
