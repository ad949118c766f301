// SPDX-License-Identifier: MIT
#include "expr/build.hpp"

#include <algorithm>

namespace foldproof::expr {

Expression node(SyntaxKind kind, std::vector<Expression> args, std::string name, Span span) {
  return std::make_shared<const Syntax>(Syntax{kind, std::move(name), {}, std::move(args), {}, {}, span});
}

Expression number(const Rational& value, Span span) { return std::make_shared<const Syntax>(Syntax{SyntaxKind::number, {}, value, {}, {}, {}, span}); }

Expression call(std::string name, std::vector<Expression> args) { return node(SyntaxKind::call, std::move(args), std::move(name)); }

Expression transposed(const Expression& a) { return a->kind == SyntaxKind::transpose ? a->args[0] : node(SyntaxKind::transpose, {a}); }

Expression changed(const Expression& e, const std::function<Expression(const Expression&)>& change) {
  if (!e) return e;
  if (const Expression other = change(e)) return other;
  std::shared_ptr<Syntax> copy;  // made where something changes: most looks change nothing
  const auto look = [&](const Expression& part, const auto& place) {
    Expression other = changed(part, change);
    if (other == part) return;
    if (!copy) copy = std::make_shared<Syntax>(*e);
    place() = std::move(other);
  };
  for (std::size_t k = 0; k < e->args.size(); ++k) look(e->args[k], [&]() -> Expression& { return copy->args[k]; });
  for (std::size_t k = 0; k < e->keywords.size(); ++k) look(e->keywords[k].second, [&]() -> Expression& { return copy->keywords[k].second; });
  for (std::size_t k = 0; k < e->subscripts.size(); ++k) {
    const Subscript& s = e->subscripts[k];
    look(s.start, [&]() -> Expression& { return copy->subscripts[k].start; });
    look(s.stop, [&]() -> Expression& { return copy->subscripts[k].stop; });
    look(s.step, [&]() -> Expression& { return copy->subscripts[k].step; });
  }
  return copy ? Expression(std::move(copy)) : e;
}

Expression entry(const Expression& e, const Expression& place, Span span) {
  return std::make_shared<const Syntax>(Syntax{SyntaxKind::index, {}, {}, {e}, {}, {Subscript{false, place, nullptr, nullptr}}, span});
}

Expression size_along(const Expression& x, std::size_t k, Span span) { return entry(node(SyntaxKind::call, {x}, "shape", span), number(static_cast<std::int64_t>(k)), span); }

Expression with_definitions_in_full(const Expression& e, const Claim& claim) {
  Expression result = e;
  for (auto d = claim.definitions.rbegin(); d != claim.definitions.rend(); ++d) {  // each uses earlier ones
    result = changed(result, [&](const Expression& part) { return part->kind == SyntaxKind::name && part->name == d->name ? d->value : nullptr; });
  }
  return result;
}

void change_each(Claim& claim, const std::function<Expression(const Expression&)>& change) {
  for (Definition& d : claim.definitions) d.value = change(d.value);
  for (Assumption& a : claim.assumptions) {
    a.lhs = change(a.lhs);
    if (a.rhs) a.rhs = change(a.rhs);
  }
  claim.lhs = change(claim.lhs);
  claim.rhs = change(claim.rhs);
}

void each_side(const Claim& claim, const std::function<void(const Expression&)>& see) {
  for (const Definition& d : claim.definitions) see(d.value);
  for (const Assumption& a : claim.assumptions) {
    see(a.lhs);
    if (a.rhs) see(a.rhs);
  }
  see(claim.lhs);
  see(claim.rhs);
}

void each_part(const Expression& e, const std::function<void(const Expression&)>& see) {
  const auto show = [&](const Expression& part) {
    if (part) see(part);
  };
  for (const Expression& a : e->args) show(a);
  for (const auto& [key, value] : e->keywords) show(value);
  for (const Subscript& s : e->subscripts) {
    for (const Expression* place : {&s.start, &s.stop, &s.step}) show(*place);
  }
}

namespace {
bool mentions(const Expression& e, const std::string& name, bool free) {
  if (!e) return false;
  if (e->kind == SyntaxKind::name && e->name == name) return true;
  const auto in = [&](const Expression& x) { return mentions(x, name, free); };
  const bool binds = free && e->kind == SyntaxKind::comprehension && e->name == name;  // in the first part
  return std::any_of(e->args.begin() + (binds ? 1 : 0), e->args.end(), in) || std::any_of(e->keywords.begin(), e->keywords.end(), [&](const auto& k) { return in(k.second); }) || std::any_of(e->subscripts.begin(), e->subscripts.end(), [&](const Subscript& s) { return in(s.start) || in(s.stop) || in(s.step); });
}
}  // namespace

bool mentions(const Expression& e, const std::string& name) { return mentions(e, name, false); }
bool mentions_free(const Expression& e, const std::string& name) { return mentions(e, name, true); }

bool contains(const std::vector<Expression>& list, const Expression& e) {
  return std::any_of(list.begin(), list.end(), [&](const Expression& x) { return same(x, e); });
}

bool subtracts(const Expression& e) {
  using enum SyntaxKind;
  if (!e) return false;
  return e->kind == subtract || e->kind == negate || e->kind == floor_divide || e->kind == modulo || std::any_of(e->args.begin(), e->args.end(), subtracts);
}

bool is_comparison(const Syntax& s) { return s.kind == SyntaxKind::call && s.args.size() == 2 && s.name.find_first_of("=<>!") == 0; }

bool is_condition(const Syntax& s) {
  if (s.kind != SyntaxKind::call) return false;
  return is_comparison(s) || s.name == "~" || s.name == "&" || s.name == "|" || (s.name == "bool" && s.args.size() == 1 && s.keywords.empty());
}

bool gives_parts(const Syntax& s) {
  static constexpr std::string_view names[] = {"chunk", "split", "tensor_split", "hsplit", "vsplit", "unbind"};
  return s.kind == SyntaxKind::call && std::find(std::begin(names), std::end(names), s.name) != std::end(names);
}

bool is_several_sizes(const Expression& e) {
  if (is_call(e, "shape") && e->args.size() == 1) return true;
  if (e->kind == SyntaxKind::call) return e->name == spread_call;
  if (e->kind == SyntaxKind::list) return std::any_of(e->args.begin(), e->args.end(), is_several_sizes);
  return e->kind == SyntaxKind::index && is_call(e->args[0], "shape") && e->subscripts.size() == 1 && e->subscripts[0].slice && !e->subscripts[0].step;
}

bool is_indicator(const Expression& e) {
  if (is_comparison(*e)) return true;
  const bool chosen = e->kind == SyntaxKind::call && e->name == "where" && e->args.size() == 3 && is_comparison(*e->args[0]);
  return chosen && ((is_number(e->args[1], 1) && is_number(e->args[2], 0)) || (is_number(e->args[1], 0) && is_number(e->args[2], 1)));
}

Syntax chosen_where(const Expression& indicator, const Expression& factor, Span span) {
  const bool compares = is_comparison(*indicator), turned = !compares && is_number(indicator->args[1], 0);
  const Expression condition = compares ? indicator : indicator->args[0], nothing = number(0, span);
  return {SyntaxKind::call, "where", {}, {condition, turned ? nothing : factor, turned ? factor : nothing}, {}, {}, span};
}

Syntax minus_infinity(Span span) { return {SyntaxKind::call, "neginf", {}, {number(0, span)}, {}, {}, span}; }

}  // namespace foldproof::expr
