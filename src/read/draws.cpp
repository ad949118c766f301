// SPDX-License-Identifier: MIT
#include "read/draws.hpp"

namespace foldproof::read {

std::optional<Syntax> draw_called(const Syntax& call, std::int64_t draw) {
  static constexpr std::string_view normal[] = {"randn", "standard_normal"}, fractions[] = {"rand", "random"};
  if (!call.keywords.empty()) return std::nullopt;
  const auto drawn = [&](std::string_view name, const Expression& shape, std::vector<Expression> bounds) {
    bounds.insert(bounds.begin(), {number(Rational(draw), call.span), shape});
    return Syntax{SyntaxKind::call, std::string(name), {}, std::move(bounds), {}, {}, call.span};
  };
  if (call.name == rotation_call || call.name == magnitudes_call) return drawn(call.name, node(SyntaxKind::list, call.args, {}, call.span), {});
  if (call.name == "randint" && call.args.size() == 3) return drawn(whole_call, call.args[2], {call.args[0], call.args[1]});
  if (call.name == "randperm" && call.args.size() == 1 && call.args[0]->kind != SyntaxKind::list) return drawn(order_call, node(SyntaxKind::list, call.args, {}, call.span), {});
  const bool fraction = is_among(call.name, fractions);
  if (!fraction && !is_among(call.name, normal)) return std::nullopt;
  const bool tuple = call.args.size() == 1 && (call.args[0]->kind == SyntaxKind::list || is_call(call.args[0], "shape"));
  const Expression shape = tuple ? call.args[0] : node(SyntaxKind::list, call.args, {}, call.span);
  return drawn(fraction ? fraction_call : normal_call, shape, {});
}

}  // namespace foldproof::read
