// SPDX-License-Identifier: MIT
// Syntax back to text, with as few brackets as the grammar allows: parse(text(e)) is e again.
// Operators inside subscripts and ranges are written without spaces, as in W[:, i*k:(i+1)*k].
#include <algorithm>
#include <optional>
#include <utility>

#include "expr/build.hpp"
#include "expr/notation.hpp"
#include "expr/stated.hpp"
#include "expr/syntax.hpp"

namespace foldproof::expr {
namespace {

// How tightly a construct binds; an operand that binds less tightly than its place requires gets brackets.
enum Level { condition_level = 1, or_level, and_level, sum_level, product_level, unary_level, power_level, postfix_level, atom_level };

/// digits * 10^-places, when the value is such a number and the digits fit.
struct Decimal {
  std::int64_t digits = 0;
  int places = 0;
};

std::optional<Decimal> decimal(const Rational& value) {
  int twos = 0;
  int fives = 0;
  std::int64_t rest = value.den();
  for (; rest % 2 == 0; rest /= 2) ++twos;
  for (; rest % 5 == 0; rest /= 5) ++fives;
  if (rest != 1) return std::nullopt;
  Decimal d{value.num(), std::max(twos, fives)};
  for (int i = std::min(twos, fives); i < d.places; ++i) {
    if (__builtin_mul_overflow(d.digits, twos < fives ? 2 : 5, &d.digits)) return std::nullopt;
  }
  return d;
}

const char* symbol(SyntaxKind kind) {
  switch (kind) {
    case SyntaxKind::add: return "+";
    case SyntaxKind::subtract: return "-";
    case SyntaxKind::multiply: return "*";
    case SyntaxKind::divide: return "/";
    case SyntaxKind::floor_divide: return "//";
    case SyntaxKind::modulo: return "%";
    case SyntaxKind::matmul: return "@";
    case SyntaxKind::power: return "**";
    default: throw InternalError("not a binary operator");
  }
}

int level_of(const Syntax& s) {
  switch (s.kind) {
    case SyntaxKind::add: return is_broadcast(s) ? postfix_level : sum_level;
    case SyntaxKind::subtract: return sum_level;
    case SyntaxKind::multiply:
    case SyntaxKind::divide:
    case SyntaxKind::floor_divide:
    case SyntaxKind::modulo:
    case SyntaxKind::matmul: return product_level;
    case SyntaxKind::negate: return unary_level;
    case SyntaxKind::power: return power_level;
    case SyntaxKind::call:
      if (s.name == "&") return and_level;
      if (s.name == "|") return or_level;
      if (s.name == "~" || s.name == spread_call) return unary_level;
      return is_comparison(s) ? condition_level : atom_level;
    case SyntaxKind::transpose:
    case SyntaxKind::index: return postfix_level;
    case SyntaxKind::number: {
      const std::string written = number_text(s.value);
      if (written.find('/') != std::string::npos) return product_level;
      return s.value.sign() < 0 ? unary_level : atom_level;
    }
    default: return atom_level;
  }
}

class Printer {
 public:
  std::string take() { return std::move(out_); }

  void print(const Syntax& s, int least) {
    const bool brackets = level_of(s) < least;
    if (brackets) out_ += '(';
    bare(s);
    if (brackets) out_ += ')';
  }

 private:
  void bare(const Syntax& s) {
    switch (s.kind) {
      case SyntaxKind::number: out_ += number_text(s.value); return;
      case SyntaxKind::name: out_ += s.name; return;
      case SyntaxKind::negate:
        out_ += '-';
        return print(*s.args[0], unary_level);
      case SyntaxKind::transpose:
        base(*s.args[0]);
        out_ += ".T";
        return;
      case SyntaxKind::call: return call(s);
      case SyntaxKind::list: return list(s);
      case SyntaxKind::index: return index(s);
      case SyntaxKind::comprehension:
        out_ += '[';
        comprehension(s);
        out_ += ']';
        return;
      case SyntaxKind::matmul:
        if (s.name == "dot" || s.name == "bmm" || s.name == "mv" || s.name == torch_dot) return library_product(s, *s.args[1]);
        if (s.name == "inner" && s.args[1]->kind == SyntaxKind::transpose) return library_product(s, *s.args[1]->args[0]);
        return binary(s);
      case SyntaxKind::add: return is_broadcast(s) ? expanded(s) : binary(s);
      default: return binary(s);
    }
  }

  void expanded(const Syntax& s) {
    const Syntax& shape = *s.args[1];
    base(*s.args[0]);
    if (shape.kind != SyntaxKind::call) {  // 0 * y
      out_ += ".expand_as(";
      print(*shape.args[1], or_level);
      out_ += ')';
      return;
    }
    out_ += ".expand(";
    const bool list = shape.args.size() == 1 && shape.args[0]->kind == SyntaxKind::list;
    const std::vector<Expression>& sizes = list ? shape.args[0]->args : shape.args;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (k > 0) out_ += ", ";
      if (sizes[k]->name == kept_size) out_ += '-';
      print(*sizes[k], or_level);
    }
    out_ += ')';
  }

  /// NumPy's own products of arrays with more than two axes are none of the language's, so their names stay; and PyTorch's say how many axes there are.
  void library_product(const Syntax& s, const Syntax& second) {
    out_ += (s.name == "dot" || s.name == "inner" ? "np." : "") + s.name + '(';
    print(*s.args[0], sum_level);
    out_ += ", ";
    print(second, sum_level);
    out_ += ')';
  }

  void binary(const Syntax& s) {
    if (s.kind != SyntaxKind::power) return infix(s, level_of(s), symbol(s.kind), !compact_);
    print(*s.args[0], postfix_level);
    out_ += "**";
    print(*s.args[1], unary_level);
  }

  /// What groups to the left; of comparisons neither side is another one without brackets.
  void infix(const Syntax& s, int level, std::string_view sign, bool spaced) {
    print(*s.args[0], std::max<int>(level, or_level));
    out_ += spaced ? " " : "";
    out_ += sign;
    out_ += spaced ? " " : "";
    print(*s.args[1], level + 1);
  }

  /// What a postfix applies to. Python does not read `2.T`, though we do.
  void base(const Syntax& s) { print(s, s.kind == SyntaxKind::number ? atom_level + 1 : postfix_level); }

  void items(const Syntax& s, int least = or_level) {
    for (std::size_t i = 0; i < s.args.size(); ++i) {
      if (i > 0) out_ += ", ";
      print(*s.args[i], least);
    }
  }

  void list(const Syntax& s) {
    out_ += '[';
    items(s);
    out_ += ']';
  }

  void call(const Syntax& s) {
    if (s.name == "transpose01") {  // PyTorch's, of more than two axes
      base(*s.args[0]);
      out_ += ".transpose(0, 1)";
      return;
    }
    if (s.name == "view") {  // PyTorch's, of a tensor of which axes changed places
      base(*s.args[0]);
      out_ += ".view(";
      Syntax sizes = s;
      sizes.args.erase(sizes.args.begin());
      items(sizes);
      out_ += ')';
      return;
    }
    if (level_of(s) < sum_level) return infix(s, level_of(s), s.name, !compact_);
    if (s.name == "~" || s.name == spread_call) {
      out_ += s.name[0];
      return print(*s.args[0], unary_level);
    }
    if (std::any_of(s.keywords.begin(), s.keywords.end(), is_implicit)) out_ += "F.";
    out_ += s.name;
    out_ += '(';
    if (s.name == "einsum" && !s.keywords.empty()) {
      out_ += s.keywords[0].second->name + ", ";
      items(s);
      out_ += ')';
      return;
    }
    if (s.args.size() == 1 && s.keywords.empty() && s.args[0]->kind == SyntaxKind::comprehension) {
      comprehension(*s.args[0]);
    } else {
      items(s, condition_level);
    }
    for (std::size_t i = 0; i < s.keywords.size(); ++i) {
      if (is_implicit(s.keywords[i])) continue;
      if (i > 0 || !s.args.empty()) out_ += ", ";
      out_ += s.keywords[i].first;
      out_ += "=";
      print(*s.keywords[i].second, sum_level);
    }
    out_ += ')';
  }

  /// The axis that PyTorch's softmax takes where none is named.
  static bool is_implicit(const std::pair<std::string, Expression>& keyword) { return keyword.second->kind == SyntaxKind::name && keyword.second->name == "implicit"; }

  void comprehension(const Syntax& s) {
    print(*s.args[0], sum_level);
    out_ += " for ";
    out_ += s.name;
    out_ += " in range(";
    const bool outer = std::exchange(compact_, true);
    print(*s.args[1], sum_level);
    compact_ = outer;
    out_ += ')';
  }

  void index(const Syntax& s) {
    base(*s.args[0]);
    const bool outer = std::exchange(compact_, true);
    out_ += '[';
    for (std::size_t i = 0; i < s.subscripts.size(); ++i) {
      const Subscript& part = s.subscripts[i];
      if (i > 0) out_ += ", ";
      if (part.start) print(*part.start, sum_level);
      if (part.slice) out_ += ':';
      if (part.stop) print(*part.stop, sum_level);
      if (part.step) {
        out_ += ':';
        print(*part.step, sum_level);
      }
    }
    out_ += ']';
    compact_ = outer;
  }

  std::string out_;
  bool compact_ = false;  // inside a subscript or a range
};

}  // namespace

std::string number_text(const Rational& value) {
  constexpr int most_places = 18;  // more do not fit into Rational's scale, but an exponent adds as many again
  const auto d = decimal(value);
  if (value.is_integer() || !d || d->places > 2 * most_places) return value.text();
  std::string digits = std::to_string(d->digits < 0 ? -d->digits : d->digits);
  const int places = d->places > most_places ? d->places - most_places : d->places;
  if (static_cast<int>(digits.size()) <= places) digits.insert(0, static_cast<std::size_t>(places) + 1 - digits.size(), '0');
  digits.insert(digits.size() - static_cast<std::size_t>(places), ".");
  if (d->places > places) digits += "e-" + std::to_string(most_places);
  return (value.sign() < 0 ? "-" : "") + digits;
}

std::string text(const Expression& e) {
  Printer printer;
  printer.print(*e, or_level);
  return printer.take();
}

std::string text(const Assumption& a) { return a.relation ? text(a.lhs) + " " + text(*a.relation) + " " + text(a.rhs) : text(a.lhs); }

std::string text(const Claim& c) {
  std::string out;
  for (const auto& d : c.declarations) out += d.name + ": " + text(d.shape) + "\n";
  for (const auto& d : c.definitions) out += states_shape(d.value) ? "" : (d.shape ? d.name + ": " + text(*d.shape) + "\n" : "let ") + d.name + " = " + text(d.value) + "\n";
  for (const auto& a : c.assumptions) out += "assume " + text(a) + "\n";
  return out + text(c.lhs) + " " + text(c.relation) + " " + text(c.rhs);
}

bool same(const Expression& a, const Expression& b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind || a->value != b->value) return false;
  if (a->name != b->name && !is_operator(a->kind) && a->kind != SyntaxKind::transpose) return false;  // np.dot(A, B) is A @ B, x.t() is x.T, and what x += y asks of x is no part of its value
  const auto same_keyword = [](const auto& x, const auto& y) { return x.first == y.first && same(x.second, y.second); };
  const auto same_subscript = [](const Subscript& x, const Subscript& y) { return x.slice == y.slice && same(x.start, y.start) && same(x.stop, y.stop) && same(x.step, y.step); };
  return std::equal(a->args.begin(), a->args.end(), b->args.begin(), b->args.end(), same) &&
         std::equal(a->keywords.begin(), a->keywords.end(), b->keywords.begin(), b->keywords.end(), same_keyword) &&
         std::equal(a->subscripts.begin(), a->subscripts.end(), b->subscripts.begin(), b->subscripts.end(), same_subscript);
}

}  // namespace foldproof::expr
