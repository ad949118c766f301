// SPDX-License-Identifier: MIT
// From syntax to notation. Juxtaposition is the matrix product, and binds tighter than the entrywise product on paper
// though not in NumPy, so brackets are decided anew here rather than taken from the text form.
#include "expr/notation.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "expr/build.hpp"
#include "expr/character_hints.hpp"
#include "expr/notation_parts.hpp"
#include "expr/operators.hpp"
#include "expr/stated.hpp"

namespace foldproof::expr {
namespace {

// How tightly a construct binds on paper.
enum Level { open_level, sum_level, product_level, script_level, base_level, atom_level };

constexpr int deepest = 100;  // beyond this nobody reads a formula, and an ellipsis keeps pages and stacks small

bool starts_with_number(const Syntax& s) {
  const Syntax* first = &s;
  while (first->kind == SyntaxKind::power || first->kind == SyntaxKind::transpose) first = first->args[0].get();
  return first->kind == SyntaxKind::number;
}

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
      if (s.name == "~") return script_level;
      if (s.name == "&" || s.name == "|" || is_comparison(s)) return open_level;
      if (is_comprehension_call(s) && s.name == "sum") return open_level;
      return s.name == "rsqrt" || s.name == "inv" || (s.name == "transpose" && s.args.size() == 1) ? script_level : atom_level;
    default: return atom_level;
  }
}

/// Calls whose value is one number, whatever the shape of their operand.
bool is_number_of_tensor(const Syntax& s) {
  static constexpr std::string_view functions[] = {"trace", "det", "rank", "frob2"};
  if (s.name == "sum") return s.args.size() == 1 && s.keywords.empty() && !is_comprehension_call(s);
  return std::find(std::begin(functions), std::end(functions), s.name) != std::end(functions);
}

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

class Writer {
 public:
  explicit Writer(const Ranks& ranks) : ranks_(ranks) {}

  /// Is the value of `s` known to be one number, without axes?
  bool is_scalar(const Syntax& s) const {
    const auto all = [this](const Syntax& of) { return std::all_of(of.args.begin(), of.args.end(), [this](const Expression& e) { return is_scalar(*e); }); };
    switch (s.kind) {
      case SyntaxKind::number: return true;
      case SyntaxKind::name: return sizes_ > 0 || rank(s.name) == 0;
      case SyntaxKind::negate:
      case SyntaxKind::add:
      case SyntaxKind::subtract:
      case SyntaxKind::multiply:
      case SyntaxKind::divide:
      case SyntaxKind::floor_divide:
      case SyntaxKind::modulo:
      case SyntaxKind::power: return all(s);
      case SyntaxKind::call: return is_number_of_tensor(s) || (is_entrywise_function(s.name) && all(s)) || (is_comprehension_call(s) && s.name == "sum" && is_scalar(*s.args[0]->args[0]));
      case SyntaxKind::index: return is_entry(s);
      default: return false;
    }
  }

  Notation write(const Syntax& s, int least) {
    if (depth_ >= deepest) return symbol("\\cdots", "\u22ef");
    ++depth_;
    Notation n = bare(s);
    --depth_;
    return level_of(s) < least ? fenced("(", std::move(n), ")") : n;
  }

 private:
  /// Of a name; nothing where it is not known.
  std::optional<std::size_t> rank(const std::string& name) const {
    if (std::find(indices_.begin(), indices_.end(), name) != indices_.end()) return 0;
    const auto found = ranks_.find(name);
    return found == ranks_.end() ? std::nullopt : std::optional(found->second);
  }

  /// A[i, j] with an index for each axis of A.
  bool is_entry(const Syntax& s) const {
    const bool only_indices = std::none_of(s.subscripts.begin(), s.subscripts.end(), [](const Subscript& part) { return part.slice || is_new_axis(part) || is_ellipsis(part); });
    return only_indices && s.args[0]->kind == SyntaxKind::name && rank(s.args[0]->name) == s.subscripts.size();
  }

  /// A * B where neither is a number: the sign must say that it is not the matrix product.
  bool is_entrywise(const Syntax& s) const { return s.kind == SyntaxKind::multiply && !is_scalar(*s.args[0]) && !is_scalar(*s.args[1]); }

  /// In the place of a size, where every name is a number.
  Notation size(const Syntax& s, int least) {
    ++sizes_;
    Notation n = write(s, least);
    --sizes_;
    return n;
  }

  Notation bare(const Syntax& s) {
    switch (s.kind) {
      case SyntaxKind::number: return numeral(s.value);
      case SyntaxKind::name: return variable(s.name);
      case SyntaxKind::negate: return row(symbol("-", "\u2212"), write(*s.args[0], product_level));
      case SyntaxKind::add: return infix(s, symbol("+", "+"), sum_level);
      case SyntaxKind::subtract: return infix(s, symbol("-", "\u2212"), sum_level);
      case SyntaxKind::modulo: return infix(s, symbol("\\bmod", "mod"), product_level);
      case SyntaxKind::multiply:
      case SyntaxKind::matmul: return product(s);
      case SyntaxKind::divide: return fraction(write(*s.args[0], open_level), write(*s.args[1], open_level));
      case SyntaxKind::floor_divide: return floored(s);
      case SyntaxKind::power: return power(s);
      case SyntaxKind::transpose: return superscript(write(*s.args[0], base_level), symbol("\\top", "\u22a4"));
      case SyntaxKind::call: return call(s);
      case SyntaxKind::list: return fenced("[", items(s), "]");
      case SyntaxKind::index: return index(s);
      case SyntaxKind::comprehension: return limits(fenced("[", body(s, open_level), "]"), s);
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

  /// X ** 2 is entrywise, and X^2 would be X X.
  Notation power(const Syntax& s) {
    Notation exponent = write(*s.args[1], open_level);
    if (!is_scalar(*s.args[0])) exponent = row(symbol("\\odot", "\u2299"), std::move(exponent));
    return superscript(write(*s.args[0], base_level), std::move(exponent));
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

  /// Of a condition; nothing for other calls.
  static std::optional<Notation> sign_of(const Syntax& s) {
    if (s.name == "&") return symbol("\\land", "\u2227");
    if (s.name == "|") return symbol("\\lor", "\u2228");
    for (const Relation r : {Relation::equal, Relation::less_equal, Relation::less, Relation::greater_equal, Relation::greater, Relation::not_equal}) {
      if (s.name == text(r)) return relation_sign(r);
    }
    return std::nullopt;
  }

  Notation call(const Syntax& s) {
    const bool one = s.args.size() == 1 && s.keywords.empty();
    if (s.name == "~") return row(symbol("\\lnot", "\u00ac"), write(*s.args[0], base_level));
    if (const auto sign = sign_of(s)) return row(row(write(*s.args[0], level_of(s) + 1), *sign), write(*s.args[1], level_of(s) + 1));
    if (one && s.name == "sqrt") return root(write(*s.args[0], open_level));
    if (one && s.name == "rsqrt") return fraction(leaf(NotationKind::number, "1", "1"), root(write(*s.args[0], open_level)));
    if (one && s.name == "abs") return fenced("|", write(*s.args[0], open_level), "|");
    if (one && s.name == "inv") return superscript(write(*s.args[0], base_level), row(symbol("-", "\u2212"), leaf(NotationKind::number, "1", "1")));
    if (one && s.name == "transpose") return superscript(write(*s.args[0], base_level), symbol("\\top", "\u22a4"));
    if (one && s.name == "eye") return subscript(leaf(NotationKind::identifier, "I", "I"), size(*s.args[0], open_level));
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
      if (is_letter(c)) out.parts.push_back(variable(std::string(1, c)));
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
    for (const Expression& one : sizes.args) {
      if (!below.parts.empty()) below.parts.push_back(symbol("\\times", "\u00d7"));
      below.parts.push_back(size(*one, script_level));
    }
    return subscript(s.name == "ones" ? leaf(NotationKind::number, "\\mathbf{1}", "\U0001d7cf") : leaf(NotationKind::number, "\\mathbf{0}", "\U0001d7ce"),
                     std::move(below));
  }

  Notation comprehension_call(const Syntax& s) {
    const Syntax& each = *s.args[0];
    if (s.name == "sum" && s.keywords.empty()) {
      return row(limits(symbol("\\sum", "\u2211"), each), body(each, product_level));
    }
    Notation inside = body(each, open_level);
    for (const auto& keyword : s.keywords) {
      inside = row(std::move(inside), symbol(",", ","));
      inside.parts.push_back(row(word(keyword.first), symbol("=", "=")));
      inside.parts.push_back(write(*keyword.second, open_level));
    }
    return row(limits(function(s.name), each), fenced("(", std::move(inside), ")"));
  }

  /// What a comprehension repeats.
  Notation body(const Syntax& comprehension, int least) {
    indices_.push_back(comprehension.name);
    Notation n = write(*comprehension.args[0], least);
    indices_.pop_back();
    return n;
  }

  /// `over` with the index of a comprehension from 0 to its last value.
  Notation limits(Notation over, const Syntax& comprehension) {
    const Syntax& count = *comprehension.args[1];
    Notation below = row(variable(comprehension.name), symbol("=", "="));
    below.parts.push_back(leaf(NotationKind::number, "0", "0"));
    Notation last;
    if (count.kind == SyntaxKind::number && count.value.is_integer() && count.value.sign() > 0) {
      last = numeral(count.value - Rational(1));
    } else {
      last = row(size(count, sum_level), symbol("-", "\u2212"));
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
      if (part.start) below.parts.push_back(size(*part.start, open_level));
      if (part.slice) below.parts.push_back(symbol(":", ":"));
      if (part.stop) below.parts.push_back(size(*part.stop, open_level));
      if (part.step) below.parts.push_back(row(symbol(":", ":"), size(*part.step, open_level)));
    }
    return subscript(std::move(base), std::move(below));
  }

  const Ranks& ranks_;
  std::vector<std::string> indices_;  // of the comprehensions around
  int sizes_ = 0;                     // places of sizes around
  int depth_ = 0;
};

Notation relation(const Expression& lhs, Relation relation, const Expression& rhs, const Ranks& ranks) {
  Notation out = row(notation(lhs, ranks), relation_sign(relation));
  out.parts.push_back(notation(rhs, ranks));
  return out;
}

}  // namespace

bool is_scalar(const Expression& e, const Ranks& ranks) { return Writer(ranks).is_scalar(*e); }

Ranks with_own_ranks(const Claim& c, Ranks ranks) {
  for (const Declaration& d : c.declarations) {
    ranks[d.name] = d.shape.size();
    std::vector<std::string> sizes;
    for (const Dim& axis : d.shape) collect_names(axis, sizes);
    for (const std::string& size : sizes) ranks[size] = 0;
  }
  for (const Definition& d : c.definitions) {
    if (is_scalar(d.value, ranks)) ranks[d.name] = 0;
  }
  return ranks;
}

Notation notation(const Expression& e, const Ranks& ranks) { return Writer(ranks).write(*e, open_level); }

Notation notation(const Claim& c, const Ranks& given) {
  const Ranks ranks = with_own_ranks(c, given);
  Notation out = relation(c.lhs, c.relation, c.rhs, ranks);
  const char* lead = "if";
  const auto append = [&](const char* first, Notation condition) {
    out.parts.push_back(leaf(NotationKind::space, "\\quad", "\u2003"));
    out.parts.push_back(*first ? word(first) : symbol(",", ","));
    out.parts.push_back(leaf(NotationKind::space, "\\ ", "\u00a0"));
    out.parts.push_back(std::move(condition));
  };
  for (const Assumption& a : c.assumptions) append(std::exchange(lead, ""), a.relation ? relation(a.lhs, *a.relation, a.rhs, ranks) : notation(a.lhs, ranks));
  lead = "where";
  for (const Definition& d : c.definitions) {
    if (states_shape(d.value)) continue;
    Notation definition = row(variable(d.name), symbol("=", "="));
    definition.parts.push_back(notation(d.value, ranks));
    append(std::exchange(lead, ""), std::move(definition));
  }
  return out;
}

}  // namespace foldproof::expr
