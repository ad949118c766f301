// SPDX-License-Identifier: MIT
// What a user wrote: expressions and claims as syntax, before shapes are known.
// Immutable and shared; every expression remembers the span of the text it came from.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/diagnostic.hpp"
#include "expr/dim.hpp"
#include "expr/rational.hpp"

namespace foldproof::expr {

struct Syntax;
using Expression = std::shared_ptr<const Syntax>;

/// One subscript between brackets: `i`, `a:b`, `:b`, `a:`, `:`, `a:b:2`, `::2`.
struct Subscript {
  bool slice = false;
  Expression start;  ///< the index itself when not a slice; null where omitted
  Expression stop;
  Expression step;   ///< a positive number or a size, or a number less than 0, which goes backwards; null where omitted
};

enum class SyntaxKind {
  number,         ///< 3, 0.125
  name,           ///< W_Q, d_model
  negate,         ///< -a
  add,            ///< a + b
  subtract,       ///< a - b
  multiply,       ///< a * b
  divide,         ///< a / b
  floor_divide,   ///< a // b
  modulo,         ///< a % b
  matmul,         ///< a @ b
  power,          ///< a ** b
  transpose,      ///< a.T
  call,           ///< name(args..., key=value)
  list,           ///< [a, b]
  index,          ///< a[subscripts]
  comprehension,  ///< args[0] for name in range(args[1])
};

struct Syntax {
  SyntaxKind kind;
  std::string name;              ///< name, function, or comprehension index; of operators see changed_in_place and those after it
  Rational value;                ///< number
  std::vector<Expression> args;  ///< operands
  std::vector<std::pair<std::string, Expression>> keywords;
  std::vector<Subscript> subscripts;
  Span span;
};

/// The name of the operator of x += y, whose left side keeps its shape and its kind of numbers.
inline constexpr std::string_view changed_in_place = "in place";
/// The name of the + of 0 * x + c for full_like(x, c), whose values are of the kind that those of x are.
inline constexpr std::string_view filled_like = "like";
/// The name of the * of c * ones(n) for np.full(n, c), whose values are whole numbers if c is one.
inline constexpr std::string_view filled_whole = "whole";
/// The name of the + of x + zeros(n, d) for broadcast_to(x, (n, d)), and of x + 0 * y for expand_as(x, y): it has the shape of its second operand.
inline constexpr std::string_view broadcast_sum = "broadcast";
/// The name of the 1 for a size that expand(-1, d) keeps.
inline constexpr std::string_view kept_size = "kept";
/// The name of the .T of torch.t(x), which takes matrices and vectors.
inline constexpr std::string_view torch_t = "t";
/// The name of the @ that torch.dot is read as.
inline constexpr std::string_view torch_dot = "torch.dot";
inline bool is_operator(SyntaxKind kind) { return kind == SyntaxKind::add || kind == SyntaxKind::subtract || kind == SyntaxKind::multiply || kind == SyntaxKind::divide || kind == SyntaxKind::matmul; }
/// The number n, as it is written.
inline bool is_number(const Expression& e, std::int64_t n) { return e->kind == SyntaxKind::number && e->value == Rational(n); }
/// Whether e is broadcast_to(x, (n, d)) or expand_as(x, y), which are read as sums; no more where a proof or a repair has put something else in place of zeros(n, d) or 0 * y.
inline bool is_broadcast(const Syntax& e) {
  if (e.kind != SyntaxKind::add || e.name != broadcast_sum) return false;
  const Expression& shape = e.args[1];
  return (shape->kind == SyntaxKind::call && shape->name == "zeros") || (shape->kind == SyntaxKind::multiply && is_number(shape->args[0], 0));
}
/// Text in quotes, which is a name that begins with one.
inline bool is_quoted(const Expression& e) { return e->kind == SyntaxKind::name && (e->name[0] == '\'' || e->name[0] == '"'); }
/// The call that `*` stands for in front of sizes, as in (*x.shape[:-1], h, k).
inline constexpr std::string_view spread_call = "* of";
/// `None`, which adds an axis of size 1, and `...`, which stands for all axes that are not written.
inline bool is_new_axis(const Subscript& s) { return !s.slice && s.start && s.start->kind == SyntaxKind::name && s.start->name == "None"; }
inline bool is_ellipsis(const Subscript& s) { return !s.slice && s.start && s.start->kind == SyntaxKind::name && s.start->name == "..."; }

/// `NAME: [dims]`
struct Declaration {
  std::string name;
  Shape shape;
  Span span;
};

/// `let NAME = value`
struct Definition {
  std::string name;
  Expression value;
  Span span;
  std::optional<Shape> shape = std::nullopt;  ///< as declared before the assignment, as in Q: [n, d]; Q = X @ W
};

enum class Relation { equal, less_equal, less, greater_equal, greater, not_equal };
const char* text(Relation relation);
/// The relation that is written like this.
std::optional<Relation> relation_called(std::string_view name);
/// Whether a number of this sign stands in the relation to 0.
bool ordered(int sign, Relation relation);

/// `assume lhs relation rhs`, or `assume predicate(arg)`: then `relation` is absent and `lhs` holds the call.
struct Assumption {
  Expression lhs;
  std::optional<Relation> relation;
  Expression rhs;
  Span span;
};

/// A claim as written. Spans refer to `source`, the text it was read from.
struct Claim {
  std::string source;
  std::vector<Declaration> declarations;
  std::vector<Definition> definitions;
  std::vector<Assumption> assumptions;
  Expression lhs;
  Relation relation = Relation::equal;
  Expression rhs;
  bool repeats = false;  ///< NumPy compares the sides entry by entry, np.allclose(a, b): axes of size 1, and in front, are repeated as in a - b
  std::map<std::string, std::size_t> axes;  ///< how many the functions of libraries say that names have: the bias of F.linear one, c of c.item() none
  std::vector<std::pair<std::string, Span>> types;  ///< names whose type something else is given, as in dtype=m.dtype, which must be one of numbers
};

/// Text that parses back to the same syntax.
std::string text(const Expression& e);
std::string text(const Assumption& a);
/// The claim on separate lines: declarations, definitions, assumptions, equation.
std::string text(const Claim& c);
/// How many axes the names of an expression have; a size has none. Only a product with a number may be written as juxtaposition,
/// which is the matrix product: a name that is not listed counts as a tensor.
using Ranks = std::map<std::string, std::size_t>;

/// Is the value one number, as far as `ranks` and the expression tell?
bool is_scalar(const Expression& e, const Ranks& ranks);

/// `ranks` and what the claim itself says: its declarations, their sizes, and definitions of numbers.
Ranks with_own_ranks(const Claim& c, Ranks ranks);

/// LaTeX without the dollar signs; MathML as a <math> element.
std::string latex(const Expression& e, const Ranks& ranks = {});
std::string mathml(const Expression& e, const Ranks& ranks = {});
/// What the claim declares and defines need not be in `ranks`.
std::string latex(const Claim& c, const Ranks& ranks = {});
std::string mathml(const Claim& c, const Ranks& ranks = {});

/// Structural equality, spans and the names of operators ignored.
bool same(const Expression& a, const Expression& b);

}  // namespace foldproof::expr
