// SPDX-License-Identifier: MIT
#include "read/kinds.hpp"

#include <algorithm>
#include <span>

#include "expr/character_hints.hpp"
#include "expr/operators.hpp"

namespace foldproof::read {
namespace {

constexpr std::string_view exchanging[] = {"transpose", "transpose01", "permute", "swapaxes", "moveaxis", "movedim"};

Expression value_of(const Claim& claim, const Expression& e) {
  const auto d = std::find_if(claim.definitions.begin(), claim.definitions.end(), [&](const Definition& definition) { return e->kind == SyntaxKind::name && definition.name == e->name; });
  return d == claim.definitions.end() ? nullptr : d->value;
}

/// 3 is a whole number and 3.0 is none; one that nobody wrote may be either.
Kind kind_of_number(const Claim& claim, const Syntax& number) {
  const std::string_view written = number.span.end <= claim.source.size() ? std::string_view(claim.source).substr(number.span.begin, number.span.end - number.span.begin) : std::string_view{};
  const bool begins = written.size() > 1 ? is_digit(written[0]) || (written[0] == '.' && is_digit(written[1])) : !written.empty() && is_digit(written[0]);  // not `E`, nor what stands in the claim where a step of a proof has a number in a text of its own
  if (!begins || written.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return Kind::unknown;
  return written.find_first_of(".eE") != std::string_view::npos ? Kind::real : Kind::whole;
}

/// Of what is computed from both.
Numbers joined(const Numbers& a, const Numbers& b) {
  const bool array = a.array || b.array, either_real = a.kind == Kind::real || b.kind == Kind::real;
  if (either_real) return {Kind::real, array};
  if (a.kind == Kind::unknown || b.kind == Kind::unknown) return {Kind::unknown, array};
  return {a.kind == Kind::truth && b.kind == Kind::truth ? Kind::truth : Kind::whole, array};
}

Numbers kind_of_call(const Claim& claim, const Expression& e) {
  static constexpr std::string_view moving[] = {"transpose", "swapaxes", "moveaxis", "reshape", "flip", "roll", "repeat_interleave", "tile", "tril", "triu", mask_call, view_call, in_order_call, made_tensor_call}, making[] = {"ones", "zeros", "eye"}, reals[] = {"softmax", "log_softmax", "exp", "sqrt", "sigmoid", "tanh", "mean", "inv", real_call};
  const auto first = [&] { return e->args.empty() ? Numbers{} : kind_of(claim, e->args[0]); };
  if (is_comparison(*e)) return {Kind::truth, kind_of(claim, e->args[0]).array || kind_of(claim, e->args[1]).array};
  if (e->name == "bool" || e->name == "~") return {is_condition(*e) ? Kind::truth : Kind::unknown, first().array};
  if (e->name == "&" || e->name == "|") return joined(first(), kind_of(claim, e->args[1]));
  const bool written = e->span.begin > 0 && claim.source.compare(std::min(e->span.begin, claim.source.size()), e->name.size(), e->name) == 0;  // and not by a step of a proof, in a text of its own
  const bool of_library = written && claim.source[e->span.begin - 1] == '.';  // the claim language has one kind of numbers
  if ((e->name == "arange" || e->name == "array") && !of_library) return {Kind::unknown, true};
  if (e->name == "arange") return {std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return a->kind != SyntaxKind::divide && kind_of(claim, a).kind != Kind::real; }) ? Kind::whole : Kind::unknown, true};
  if (e->name == "array" && e->args.size() == 1 && e->args[0]->kind == SyntaxKind::list && !e->args[0]->args.empty()) {
    Numbers all = kind_of(claim, e->args[0]->args[0]);
    for (const Expression& part : e->args[0]->args) all = joined(all, part->kind == SyntaxKind::list ? kind_of_call(claim, node(SyntaxKind::call, {part}, "array", e->span)) : kind_of(claim, part));
    return {all.kind, true};
  }
  if (is_among(e->name, making)) return {Kind::real, true};
  if ((e->name == "tril" || e->name == "triu") && !e->args.empty() && e->args[0]->kind == SyntaxKind::name && value_of(claim, e->args[0]) == nullptr) return {Kind::unknown, true};  // tril(n)
  if (is_among(e->name, moving)) return first();
  return {is_among(e->name, reals) ? Kind::real : Kind::unknown, first().array};
}

/// Whether e gives the entries of something in another order than they lie in, or apart.
bool turns(const Expression& e) { return e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::index || is_broadcast(*e) || (e->kind == SyntaxKind::call && is_among(e->name, exchanging)); }

/// Whether the entries of e may be in another order than they lie in, or apart.
bool is_turned(const Claim& claim, const Expression& e) {
  if (turns(e)) return true;
  const Expression value = value_of(claim, e);
  return value && is_turned(claim, value);
}

/// Whether e surely has several entries: names that are declared so, and what is computed from their entries.
bool has_axes(const Claim& claim, const Expression& e) {
  if (const Expression value = value_of(claim, e)) return has_axes(claim, value);
  const auto declared = std::find_if(claim.declarations.begin(), claim.declarations.end(), [&](const Declaration& d) { return e->kind == SyntaxKind::name && d.name == e->name; });
  if (declared != claim.declarations.end()) return std::any_of(declared->shape.begin(), declared->shape.end(), [](const Dim& d) { return !d.is_one(); });
  const bool entries = e->kind == SyntaxKind::negate || e->kind == SyntaxKind::transpose || (is_operator(e->kind) && e->kind != SyntaxKind::matmul) || (e->kind == SyntaxKind::call && e->keywords.empty() && is_entrywise_function(e->name));
  return entries && std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return has_axes(claim, a); });
}

/// Whether e surely is a number of Python: made of numbers and sizes.
bool is_of_python(const Claim& claim, const Expression& e) {
  if (e->kind == SyntaxKind::number) return true;
  if (e->kind == SyntaxKind::index) return is_call(e->args[0], "shape");
  if (e->kind == SyntaxKind::name) {
    return value_of(claim, e) == nullptr && std::any_of(claim.declarations.begin(), claim.declarations.end(), [&](const Declaration& d) {
      std::vector<std::string> names;
      for (const Dim& size : d.shape) collect_names(size, names);
      return std::find(names.begin(), names.end(), e->name) != names.end();
    });
  }
  const bool computed = e->kind == SyntaxKind::negate || is_operator(e->kind) || e->kind == SyntaxKind::floor_divide || e->kind == SyntaxKind::power;
  return computed && std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_of_python(claim, a); });
}

void require_whole(const Expression& size) {
  if (size->kind == SyntaxKind::divide) fail("shape.quotient", "a quotient is a real number in Python, and no size", size->span, "write " + text(size->args[0]) + " // " + text(size->args[1]) + ", where that has no remainder");
  const bool computed = size->kind == SyntaxKind::list || size->kind == SyntaxKind::negate || size->kind == SyntaxKind::add || size->kind == SyntaxKind::subtract || size->kind == SyntaxKind::multiply;
  for (const Expression& a : size->args) {
    if (computed) require_whole(a);
  }
}

/// The same of all places between brackets, and of all ranges.
void require_whole_places(const Expression& e) {
  if (e->kind == SyntaxKind::comprehension) require_whole(e->args[1]);
  for (const Subscript& s : e->subscripts) {
    for (const Expression* place : {&s.start, &s.stop, &s.step}) {
      if (*place) require_whole(*place);
    }
  }
  each_part(e, require_whole_places);
}

[[noreturn]] void refuse_pair(const Expression& pair) {
  fail("call.arguments", "in PyTorch these are the values and their places", pair->span, "say that the values are meant: x.max(dim=1).values, or m, _ = x.max(dim=1)");
}

/// A pair may stand for its values where numbers are computed, and nowhere else: r[0] of r = x.max(dim=1) is no row of them.
void require_computed(const Expression& e) {
  const auto pair = std::find_if(e->args.begin(), e->args.end(), [](const Expression& a) { return a && is_call(a, pair_call); });
  if (pair == e->args.end()) return;  // nearly always
  const bool computes = e->kind == SyntaxKind::negate || e->kind == SyntaxKind::power || is_operator(e->kind) || (e->kind == SyntaxKind::call && (is_kind_call(e->name) || is_comparison(*e) || is_entrywise_function(e->name)));
  if (!computes) refuse_pair(*pair);
}

Expression finished(const Claim& claim, const Expression& e) {
  return changed(e, [&](const Expression& part) -> Expression {
    require_computed(part);
    for (const Subscript& s : part->subscripts) {
      const Numbers places = !s.slice && s.start ? kind_of(claim, s.start) : Numbers{};
      if (places.array && places.kind == Kind::real) fail("call.arguments", "places are whole numbers, and these are real ones", s.start->span, "write them without a point, or make them whole");
    }
    if (is_call(part, "reshape") && !part->args.empty() && is_call(part->args[0], view_call) && is_turned(claim, part->args[0]->args[0])) {
      auto view = std::make_shared<Syntax>(*part);
      view->name = "view";
      for (Expression& a : view->args) a = finished(claim, a);
      return view;
    }
    const auto made_of = [&](std::size_t counting, std::size_t factor) { return is_call(part->args[counting], "arange") && part->args[factor]->kind == SyntaxKind::number && kind_of_number(claim, *part->args[factor]) == Kind::real; };
    if (part->kind == SyntaxKind::multiply && part->name.empty() && (made_of(0, 1) || made_of(1, 0))) {  // np.arange(3) * 1.0 counts in real numbers
      return node(SyntaxKind::multiply, {finished(claim, part->args[0]), finished(claim, part->args[1])}, std::string(made_real), part->span);
    }
    if (part->kind != SyntaxKind::call || !is_kind_call(part->name) || part->args.size() != 1) return nullptr;
    const Expression of = finished(claim, part->args[0]);
    if (part->name == one_number_call && has_axes(claim, of)) fail("call.arguments", "one number is taken here, and this is an array", of->span, "write np.exp(x) for each entry of an array, x[0] for one of them");
    if (part->name == tensor_call && is_of_python(claim, part->args[0])) fail("call.arguments", "PyTorch takes a tensor here, and this is a number of Python", of->span, "write torch.tensor(2), or math.sqrt(2) where only numbers are computed");
    const Kind kind = part->name == real_call || part->name == mask_call ? kind_of(claim, of).kind : Kind::unknown;
    if (part->name == mask_call && (kind == Kind::real || kind == Kind::whole)) fail("call.mask", "PyTorch takes truth values for a mask, and these are numbers", of->span, "write .bool() behind it, or a comparison, M == 0");
    if (part->name == real_call && is_indicator(of)) return std::make_shared<const Syntax>(chosen_where(of, number(1), part->span));
    if (part->name == real_call && (kind == Kind::truth || kind == Kind::whole)) return node(SyntaxKind::multiply, {of, number(1)}, std::string(made_real), part->span);
    return of;
  });
}

}  // namespace

Numbers kind_of(const Claim& claim, const Expression& e) {
  switch (e->kind) {
    case SyntaxKind::number: return {kind_of_number(claim, *e), false};
    case SyntaxKind::name: {
      if (const Expression value = value_of(claim, e)) return kind_of(claim, value);
      const auto declared = std::find_if(claim.declarations.begin(), claim.declarations.end(), [&](const Declaration& d) { return d.name == e->name; });
      return {Kind::unknown, declared != claim.declarations.end() && !declared->shape.empty()};
    }
    case SyntaxKind::negate:
    case SyntaxKind::transpose:
    case SyntaxKind::index: return kind_of(claim, e->args[0]);
    case SyntaxKind::multiply:
      if (e->name == made_real) return {Kind::real, kind_of(claim, e->args[0]).array};
      if (e->name == filled_whole) return {kind_of(claim, e->args[0]).kind, true};
      return joined(kind_of(claim, e->args[0]), kind_of(claim, e->args[1]));
    case SyntaxKind::add:
      if (e->name == broadcast_sum) return {kind_of(claim, e->args[0]).kind, true};
      [[fallthrough]];
    case SyntaxKind::subtract:
    case SyntaxKind::matmul:
    case SyntaxKind::floor_divide:
    case SyntaxKind::modulo: return joined(kind_of(claim, e->args[0]), kind_of(claim, e->args[1]));
    case SyntaxKind::divide: return {Kind::real, kind_of(claim, e->args[0]).array || kind_of(claim, e->args[1]).array};
    case SyntaxKind::call: return kind_of_call(claim, e);
    default: return {};
  }
}

bool chooses(const Claim& claim, const Expression& e) {
  if (kind_of(claim, e).kind == Kind::truth || is_call(e, "bool") || is_call(e, "~")) return true;
  if (const Expression value = value_of(claim, e)) return chooses(claim, value);
  return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const Assumption& a) { return !a.relation && is_call(a.lhs, "mask01") && a.lhs->args.size() == 1 && same(a.lhs->args[0], e); });
}

bool is_kind_call(std::string_view name) {
  static constexpr std::string_view names[] = {real_call, mask_call, view_call, in_order_call, one_number_call, tensor_call, made_tensor_call, pair_call};
  return is_among(name, names);
}

void note_kinds(Syntax& call, Spelling spelling) {
  static constexpr std::string_view of_tensors[] = {"sqrt", "rsqrt", "exp", "log", "sin", "cos", "abs", "relu", "sigmoid", "tanh", "maximum", "minimum"};
  const bool one = call.args.size() == 1 && ((spelling == Spelling::math && call.name != "prod") || (spelling == Spelling::plain && call.name == "float") || call.name == "item");
  const bool tensors = spelling == Spelling::torch && is_among(call.name, of_tensors);
  for (Expression& a : call.args) {
    const bool named = a->kind != SyntaxKind::list && a->kind != SyntaxKind::comprehension && !is_quoted(a);
    if ((one || tensors) && named) a = node(SyntaxKind::call, {a}, std::string(one ? one_number_call : tensor_call), a->span);
  }
}

void require_whole_sizes(const Syntax& call) {
  static constexpr std::string_view of_sizes[] = {"ones", "zeros", "empty", "eye", "identity", "tri", "randn", "rand"}, after_tensor[] = {"reshape", "view", "expand", "broadcast_to", "tile", "repeat", "repeat_interleave", "chunk", "split", "unflatten"};
  const bool all = is_among(call.name, of_sizes);
  const std::size_t first = call.name == "full" || all ? 0 : 1, last = call.name == "full" ? std::min<std::size_t>(1, call.args.size()) : call.args.size();
  if (!all && call.name != "full" && !is_among(call.name, after_tensor)) return;
  for (std::size_t k = first; k < last; ++k) require_whole(call.args[k]);
}

bool may_be_turned(const Expression& e) { return e->kind == SyntaxKind::name || turns(e) || is_call(e, in_order_call); }

void finish_kinds(Claim& claim) {
  const Claim whole = claim;  // what names stand for while it changes
  for (const Definition& d : claim.definitions) {
    if (is_call(d.value, pair_call)) refuse_pair(d.value);
  }
  change_each(claim, [&](const Expression& e) {
    require_whole_places(e);
    return finished(whole, e);
  });
}

Expression without_kinds(const Expression& e) {
  return changed(finished(Claim{}, e), [](const Expression& part) -> Expression {
    if (!is_operator(part->kind) || part->name != of_torch) return nullptr;
    return node(part->kind, {without_kinds(part->args[0]), without_kinds(part->args[1])}, {}, part->span);
  });
}

}  // namespace foldproof::read
