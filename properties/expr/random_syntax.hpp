// SPDX-License-Identifier: MIT
// Random expressions of every kind of syntax, with names that look like words of the grammar.
// Only trees that the parser can produce: no negative numbers (they are negations), no empty lists.
#pragma once

#include <rapidcheck.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "expr/syntax.hpp"
#include "read/parse.hpp"

namespace foldproof::expr {

inline Expression make_syntax(SyntaxKind kind, std::vector<Expression> args, std::string name = {}) {
  return std::make_shared<const Syntax>(Syntax{kind, std::move(name), {}, std::move(args), {}, {}, {}});
}

inline std::string random_name() {
  return *rc::gen::element<std::string>("X", "W_Q", "W_Qi", "d_model", "theta", "T", "range", "all", "np", "e5", "A1", "lambda_", "_x", "x__y", "s", "I");
}

inline Expression random_number() {
  const auto digits = *rc::gen::inRange<std::int64_t>(0, 1000000);
  const auto places = *rc::gen::inRange<std::int64_t>(0, 13);
  return std::make_shared<const Syntax>(Syntax{SyntaxKind::number, {}, Rational(digits) / power(Rational(10), places), {}, {}, {}, {}});
}

Expression random_expression(int depth);

inline Expression random_call(int depth) {
  Syntax call{SyntaxKind::call, random_name(), {}, {}, {}, {}, {}};
  const int count = *rc::gen::inRange(0, 3);
  for (int i = 0; i < count; ++i) call.args.push_back(random_expression(depth - 1));
  if (*rc::gen::arbitrary<bool>()) call.keywords.emplace_back("axis", random_expression(depth - 1));
  if (*rc::gen::arbitrary<bool>()) call.keywords.emplace_back(random_name(), random_expression(depth - 1));
  return std::make_shared<const Syntax>(std::move(call));
}

inline Expression random_index(int depth) {
  Syntax index{SyntaxKind::index, {}, {}, {random_expression(depth - 1)}, {}, {}, {}};
  if (index.args[0]->kind == SyntaxKind::list || index.args[0]->kind == SyntaxKind::comprehension) index.args[0] = random_number();  // [A, B][0] is another spelling of A
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    Subscript part;
    part.slice = *rc::gen::arbitrary<bool>();
    if (!part.slice || *rc::gen::arbitrary<bool>()) part.start = random_expression(depth - 1);
    if (!part.slice && part.start->kind == SyntaxKind::list) part.start = random_number();  // [0, 2] is another spelling of two slices
    if (part.slice && *rc::gen::arbitrary<bool>()) part.stop = random_expression(depth - 1);
    if (part.slice) part.step = *rc::gen::element<Expression>(nullptr, nullptr, read::parse_expression("2"), read::parse_expression("64"), read::parse_expression("h"));
    if (part.slice && !part.start && !part.stop && *rc::gen::arbitrary<bool>()) part.step = read::parse_expression("-1");
    index.subscripts.push_back(part);
  }
  return std::make_shared<const Syntax>(std::move(index));
}

inline Expression random_expression(int depth) {
  if (depth <= 0) return *rc::gen::arbitrary<bool>() ? random_number() : make_syntax(SyntaxKind::name, {}, random_name());
  static const std::vector<SyntaxKind> kinds = {SyntaxKind::number,   SyntaxKind::name,   SyntaxKind::negate,       SyntaxKind::add,    SyntaxKind::subtract,
                                                SyntaxKind::multiply, SyntaxKind::divide, SyntaxKind::floor_divide, SyntaxKind::modulo, SyntaxKind::matmul,
                                                SyntaxKind::power,    SyntaxKind::transpose, SyntaxKind::call,      SyntaxKind::list,   SyntaxKind::index,
                                                SyntaxKind::comprehension};
  const SyntaxKind kind = *rc::gen::elementOf(kinds);
  switch (kind) {
    case SyntaxKind::number: return random_number();
    case SyntaxKind::name: return make_syntax(kind, {}, random_name());
    case SyntaxKind::negate:
    case SyntaxKind::transpose:
    case SyntaxKind::list: return make_syntax(kind, {random_expression(depth - 1)});
    case SyntaxKind::call: return random_call(depth);
    case SyntaxKind::index: return random_index(depth);
    default: break;
  }
  const Expression first = random_expression(depth - 1);
  return make_syntax(kind, {first, random_expression(depth - 1)}, kind == SyntaxKind::comprehension ? random_name() : "");
}

}  // namespace foldproof::expr
