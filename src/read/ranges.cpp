// SPDX-License-Identifier: MIT
// How many steps range(a, b, c) has.
#include "expr/build.hpp"
#include "read/parse.hpp"
#include "read/parser.hpp"

namespace foldproof::read {

std::optional<std::int64_t> folded(const Expression& e) {
  constexpr std::int64_t most = 1'000'000;
  const auto small = [](std::int64_t value) { return value < -most || value > most ? std::nullopt : std::optional(value); };
  if (e->kind == SyntaxKind::number) return e->value.is_integer() ? small(e->value.num()) : std::nullopt;
  const auto a = e->args.empty() ? std::nullopt : folded(e->args[0]);
  if (a && e->kind == SyntaxKind::negate) return -*a;
  const auto b = a && e->args.size() == 2 ? folded(e->args[1]) : std::nullopt;
  if (!b) return std::nullopt;
  const auto quotient = [&] { return *a / *b - (*a % *b != 0 && (*a < 0) != (*b < 0) ? 1 : 0); };
  switch (e->kind) {
    case SyntaxKind::add: return small(*a + *b);
    case SyntaxKind::subtract: return small(*a - *b);
    case SyntaxKind::multiply: return small(*a * *b);
    case SyntaxKind::floor_divide: return *b == 0 ? std::nullopt : std::optional(quotient());
    case SyntaxKind::modulo: return *b == 0 ? std::nullopt : std::optional(*a - *b * quotient());
    default: return std::nullopt;
  }
}

Expression steps_between(const Expression& begin, const Expression& end, const Expression& by) {
  const auto first = folded(begin), last = folded(end), step = folded(by);
  if (step && *step == 0) return nullptr;
  if (first && last && step) {
    const std::int64_t length = *step > 0 ? *last - *first : *first - *last, width = *step > 0 ? *step : -*step;
    return parse_expression(std::to_string(length > 0 ? (length + width - 1) / width : 0));
  }
  try {
    const Dim length = first && *first == 0 ? size_of(*end) : size_of(*end) - size_of(*begin), width = size_of(*by);
    return modulo(length, width).is_zero() ? parse_expression(text(floor_divide(length, width))) : nullptr;
  } catch (const Error&) {
    return nullptr;  // no sizes
  } catch (const LimitReached&) {
    return nullptr;
  }
}

}  // namespace foldproof::read
