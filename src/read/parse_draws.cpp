// SPDX-License-Identifier: MIT
// What is drawn, as tensors of any entries.
#include "read/claim_parser.hpp"
#include "read/draws.hpp"
#include "read/parse.hpp"

namespace foldproof::read {

Expression ClaimParser::with_draws(const Expression& e) {
  if (!e) return e;
  std::set<std::int64_t> once;  // drawn before the steps that read them
  const std::function<void(const Expression&)> note = [&](const Expression& part) {
    if (is_draw(part)) once.insert(part->args[0]->value.num());
    if (part->kind != SyntaxKind::comprehension) each_part(part, note);
  };
  note(e);
  return changed(e, [&](const Expression& part) -> Expression {
    if (part->kind == SyntaxKind::comprehension) {
      const std::function<void(const Expression&)> refuse = [&](const Expression& inner) {
        if (is_draw(inner) && once.count(inner->args[0]->value.num()) == 0) fail("parse.unexpected", "each step draws numbers of its own here", inner->span, "draw them all before: X = torch.randn(h, n, d), and use X[i]; or take a number of steps, range(3)");
        each_part(inner, refuse);
      };
      each_part(part, refuse);
      return nullptr;
    }
    if (!is_draw(part)) return nullptr;
    std::string& name = drawn_[part->args[0]->value.num()];
    const Expression like = shaped_like(part);
    if (name.empty()) {
      for (int k = 1; name.empty() || is_taken(name); ++k) name = k == 1 ? "sample" : "sample_" + std::to_string(k);
      introduced_.emplace(name, part->span);
      if (!like) declare_drawn(name, part, part->span);
    }
    if (like) return node(SyntaxKind::call, {node(SyntaxKind::name, {}, name, part->span), with_draws(like)}, std::string(any_entries_call), part->span);
    return node(SyntaxKind::name, {}, name, part->span);
  });
}

Expression ClaimParser::shaped_like(const Expression& draw) const {
  const Expression& sizes = draw->args[1];
  const Expression one = sizes->kind == SyntaxKind::list && sizes->args.size() == 1 ? sizes->args[0] : sizes;
  const Expression all = is_call(one, spread_call) ? one->args[0] : one;
  if (!is_call(draw, normal_call) || !is_call(all, "shape") || all->args.size() != 1) return nullptr;
  const Expression& like = all->args[0];
  const bool declared = like->kind == SyntaxKind::name && std::any_of(claim_.declarations.begin(), claim_.declarations.end(), [&](const Declaration& d) { return d.name == like->name; });
  return declared ? nullptr : like;
}

void ClaimParser::declare_drawn(const std::string& name, const Expression& draw, Span span) {
  const auto declared = [&](const Expression& of) -> const Declaration* {
    const auto d = std::find_if(claim_.declarations.begin(), claim_.declarations.end(), [&](const Declaration& x) { return of->kind == SyntaxKind::name && x.name == of->name; });
    return d == claim_.declarations.end() ? nullptr : &*d;
  };
  Shape shape;
  const Expression& sizes = draw->args[1];
  const std::vector<Expression> items = sizes->kind == SyntaxKind::list ? sizes->args : std::vector<Expression>{sizes};
  for (const Expression& item : items) {
    const Expression all = is_call(item, spread_call) ? item->args[0] : item;
    const bool whole = is_call(all, "shape"), entry = item->kind == SyntaxKind::index && is_call(item->args[0], "shape") && item->subscripts.size() == 1 && !item->subscripts[0].slice;
    const Declaration* const like = whole ? declared(all->args[0]) : entry ? declared(item->args[0]->args[0]) : nullptr;
    if ((whole || entry) && like == nullptr) fail("parse.unexpected", "the shape of what is drawn here is not known", item->span, "write its sizes: torch.randn(n, d)");
    if (whole) {
      shape.insert(shape.end(), like->shape.begin(), like->shape.end());
      continue;
    }
    const auto place = entry ? whole_number(item->subscripts[0].start) : std::nullopt;
    const auto axes = entry ? static_cast<std::int64_t>(like->shape.size()) : 0;
    if (entry && (!place || *place < -axes || *place >= axes)) fail("parse.unexpected", "the shape of what is drawn here is not known", item->span, "write its sizes: torch.randn(n, d)");
    shape.push_back(entry ? like->shape[static_cast<std::size_t>(*place < 0 ? *place + axes : *place)] : dimension(*item));
  }
  claim_.declarations.push_back({name, shape, span});
  assume_drawn(node(SyntaxKind::name, {}, name, span), draw, span);
}

void ClaimParser::assume_drawn(const Expression& drawn, const Expression& draw, Span span) {
  const auto is = [&](std::string_view predicate) { claim_.assumptions.push_back({node(SyntaxKind::call, {drawn}, std::string(predicate), span), std::nullopt, nullptr, span}); };
  const auto lies = [&](const Expression& low, const Expression& high, Relation above = Relation::greater_equal) { claim_.assumptions.insert(claim_.assumptions.end(), {{drawn, above, low, span}, {drawn, Relation::less, high, span}}); };
  if (draw->name == order_call) is("permutation");
  if (draw->name == rotation_call) is("orthogonal");
  if (draw->name == magnitudes_call) {
    claim_.assumptions.push_back({drawn, Relation::greater_equal, parse_expression("0"), span});
    claim_.assumptions.push_back({parse_expression(drawn->name + "[1:]"), Relation::less_equal, parse_expression(drawn->name + "[:-1]"), span});
  }
  if (draw->name == fraction_call) {
    static constexpr std::string_view of_positive_numbers[] = {"**", "pow", "prod", "log"};  // 0 is drawn once in 2^53 times
    const bool positive = std::any_of(std::begin(of_positive_numbers), std::end(of_positive_numbers), [this](std::string_view word) { return text_.find(word) != std::string_view::npos; });
    lies(parse_expression("0"), parse_expression("1"), positive ? Relation::greater : Relation::greater_equal);
  }
  if (draw->name != whole_call) return;
  const Expression &low = draw->args[2], &high = draw->args[3];
  for (const Expression& bound : {low, high}) {
    const bool entry = bound->kind == SyntaxKind::index && is_call(bound->args[0], "shape");
    if (!is_signed_number(bound) && !entry) dimension(*bound);
  }
  if (low->kind == SyntaxKind::number && high->kind == SyntaxKind::number && high->value <= low->value) fail("call.arguments", "no whole number lies between these bounds", draw->span, "write the lower one first: torch.randint(0, 5, (n,))");
  is("integer");
  lies(low, high);
}

}  // namespace foldproof::read
