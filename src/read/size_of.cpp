// SPDX-License-Identifier: MIT
// What an expression says of a size.
#include "read/parser.hpp"

namespace foldproof::read {
namespace {

constexpr std::size_t maximum_size_terms = 1000;  // products of sums grow exponentially

[[noreturn]] void not_a_size(const Syntax& s) {
  std::string hint = "sizes are names, positive integers, and their sums, differences and products";
  if (s.kind == SyntaxKind::divide) hint = "integer division is written //";
  if (s.kind == SyntaxKind::power) hint = "write d*d";
  fail("parse.unexpected", "this is not a size", s.span, hint);
}

[[noreturn]] void too_small(Span span) { fail("parse.number", "dimensions are at least 1", span, "a scalar is declared with []"); }

Dim size_of_number(const Syntax& s) {
  if (!s.value.is_integer()) fail("parse.number", "a dimension is a whole number", s.span, "write a positive integer or a name");
  if (s.value.is_zero()) too_small(s.span);
  return s.value.num();
}

}  // namespace

Dim size_of(const Syntax& s) {
  if (s.kind == SyntaxKind::number) return size_of_number(s);
  if (s.kind == SyntaxKind::name) return dim(s.name);
  if (s.kind == SyntaxKind::negate) return -size_of(*s.args[0]);
  if (s.args.size() != 2 || s.kind == SyntaxKind::comprehension) not_a_size(s);
  const SyntaxKind kind = s.kind;
  if (kind != SyntaxKind::add && kind != SyntaxKind::subtract && kind != SyntaxKind::multiply && kind != SyntaxKind::floor_divide &&
      kind != SyntaxKind::modulo) {
    not_a_size(s);
  }
  const Dim a = size_of(*s.args[0]);
  const Dim b = size_of(*s.args[1]);
  if (kind == SyntaxKind::add) return a + b;
  if (kind == SyntaxKind::subtract) return a - b;
  if (kind == SyntaxKind::multiply) {
    if (a.summands().size() * b.summands().size() > maximum_size_terms) fail("limit.size", "this size has too many terms", s.span, "name it with one symbol");
    return a * b;
  }
  if (b.is_zero()) fail("parse.number", "a size is divided by zero", s.span);
  return kind == SyntaxKind::floor_divide ? floor_divide(a, b) : modulo(a, b);
}

Dim dimension(const Syntax& s) {
  try {
    const Dim size = size_of(s);
    const auto constant = size.constant();
    if (constant && *constant < 1) too_small(s.span);
    return size;
  } catch (const LimitReached& limit) {
    fail("parse.number", limit.what(), s.span, "use a smaller size");
  }
}

}  // namespace foldproof::read
