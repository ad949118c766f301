// SPDX-License-Identifier: MIT
// Parts of arrays, arrays that repeat, and axes in another order: chunk, split, repeat, tile, and the patterns of einops. Part of the trusted base.
#include <algorithm>
#include <cctype>

#include "expr/build.hpp"
#include "expr/stated.hpp"
#include "infer/elaborator.hpp"
#include "read/parse.hpp"

namespace foldproof::infer {
namespace {

/// A group of axes in a pattern, (h k), or one axis by itself.
using Group = std::vector<std::string>;
constexpr std::string_view all_others = "...";
std::string all_others_axis(std::size_t k) { return std::string(all_others) + std::to_string(k); }

std::vector<Group> groups_of(const std::string& text, Span span) {
  std::vector<Group> out;
  bool open = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const auto is_word = [&](std::size_t k) { return k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) != 0 || text[k] == '_'); };
    if (c == ' ') {
      ++i;
    } else if (c == '(' && !open) {
      open = true;
      out.emplace_back();
      ++i;
    } else if (c == ')' && open) {
      open = false;
      ++i;
    } else if (is_word(i)) {
      std::string word;
      while (is_word(i)) word += text[i++];
      if (!open) out.emplace_back();
      if (word != "1") out.back().push_back(word);  // an axis of no names has size 1
    } else if (text.compare(i, all_others.size(), all_others) == 0 && !open) {
      out.push_back({std::string(all_others)});
      i += all_others.size();
    } else {
      expr::fail("call.arguments", std::string("`") + c + "` is not read in a pattern of axes", span, "name every axis: 'b n (h k) -> b h n k'");
    }
  }
  if (open) expr::fail("call.arguments", "a bracket of the pattern is not closed", span, "name every axis: 'b n (h k) -> b h n k'");
  return out;
}

/// The groups with as many axes as `count` says where ... stands.
std::vector<Group> with_others(const std::vector<Group>& groups, std::size_t count) {
  std::vector<Group> out;
  for (const Group& g : groups) {
    const bool others = g == Group{std::string(all_others)};
    if (!others) out.push_back(g);
    for (std::size_t k = 0; others && k < count; ++k) out.push_back({all_others_axis(k)});
  }
  return out;
}

/// 'sum', 'mean', 'max' or 'min'
int reduction_of(const Expression& quoted) {
  const std::string word = expr::is_quoted(quoted) ? quoted->name.substr(1, quoted->name.size() - 2) : "";
  if (word == "sum") return expr::operator_id<expr::ops::SumAxis>();
  if (word == "mean") return expr::operator_id<expr::ops::Mean>();
  if (word == "max") return expr::operator_id<expr::ops::Max>();
  if (word == "min") return expr::operator_id<expr::ops::Min>();
  expr::fail("call.arguments", "reduce takes 'sum', 'mean', 'max' or 'min'", quoted->span, "write reduce(x, 'n (h k) -> n k', 'sum', h=h)");
}

Group flat(const std::vector<Group>& groups) {
  Group out;
  for (const Group& g : groups) out.insert(out.end(), g.begin(), g.end());
  return out;
}

}  // namespace

Expression Elaborator::keyword(const Expression& e, std::string_view one, std::string_view other) {
  const auto at = std::find_if(e->keywords.begin(), e->keywords.end(), [&](const auto& k) { return k.first == one || k.first == other; });
  return at == e->keywords.end() ? nullptr : at->second;
}

std::size_t Elaborator::counted(std::int64_t axis, const Shape& shape, Span span) const {
  const auto rank = static_cast<std::int64_t>(shape.size());
  if (axis < -rank || axis >= rank) expr::fail("call.axis", "there is no such axis in " + describe(shape), span, "axes count from 0, or from the end where negative");
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

std::size_t Elaborator::axis_of(const Expression& e, const Expression& written, const Shape& shape) const {
  const auto number = written ? constant(written) : std::optional(Rational(0));
  if (!number || !number->is_integer()) expr::fail("call.axis", "an axis is an integer", written->span, "axes count from 0, or from the end where negative");
  return counted(number->num(), shape, (written ? written : e)->span);
}

std::size_t Elaborator::axis_of_parts(const Expression& call, const Shape& shape) {
  for (const auto& [key, value] : call->keywords) {
    if (key != "axis" && key != "dim" && key != "parts") expr::fail("call.keyword", "`" + call->name + "` is not read with the keyword `" + key + "`", value->span, "known keywords are axis and dim");
  }
  const bool by_number = call->name == "split" && call->args.size() > 1 && call->args[1]->kind != SyntaxKind::list;
  if (by_number && keyword(call, "axis", "axis")) expr::fail("call.arguments", "NumPy's split gives so many parts, PyTorch's parts of so many entries", call->span, "write np.split(x, 2, axis=1), or x.split(3, dim=1)");
  const Expression named = keyword(call, "axis", "dim"), last = call->args.size() == (call->name == "unbind" ? 2U : 3U) ? call->args.back() : nullptr;
  if (named && last) expr::fail("call.arguments", "`" + call->name + "` is given two axes", call->span, "give one of them");
  return call->name == "hsplit" ? std::min<std::size_t>(1, shape.size() - 1) : axis_of(call, named ? named : last, shape);
}

/// stack(x.chunk(h, dim=-1)): the axis as (h, k), with h in front. stack(x.unbind(1)): that axis in front.
Term Elaborator::stacked_parts(const Expression& e) {
  const Expression& call = e->args[0];
  const bool single = call->name == "unbind", by_count = call->name == "chunk", by_width = call->name == "split";
  const bool written = !call->args.empty() && (single || (call->args.size() >= 2 && call->args[1]->kind != SyntaxKind::list));
  if (!written || (!single && !by_count && !by_width)) expr::fail("call.arguments", "what divides a tensor gives several tensors", call->span, "name one of them: split(...)[0]");
  const Term x = term(call->args[0]);
  const std::size_t axis = axis_of_parts(call, x->shape);
  if (single) return first_moved(e, axis_moved(call, x, axis, 0));
  const Dim given = resolve(size(call->args[1]));
  const auto unknown = resolve(x->shape[axis]).as_symbol();
  const bool is_open = unknown && Sizes::is_unknown(unknown->name);  // then the parts may still get a size
  if (!is_open && !resolve(x->shape[axis]).divide(given)) define_by_remainder(expr::modulo(resolve(x->shape[axis]), given), 0);
  const Dim extent = resolve(x->shape[axis]);
  const auto known = extent.divide(given);
  const Dim other = known ? *known : sizes_.fresh();
  if (!unify(extent, given * other)) expr::fail("shape.conflict", "parts of one size are stacked, and " + expr::text(given) + " does not divide " + expr::text(extent), call->span, "assume that it does: assume d % h == 0");
  Shape divided = x->shape;
  divided[axis] = by_count ? given : other;
  divided.insert(divided.begin() + static_cast<std::ptrdiff_t>(axis) + 1, by_count ? other : given);
  return first_moved(e, axis_moved(call, reshaped(call, x, sizes_.resolve(divided)), axis, 0));
}

Term Elaborator::part(const Expression& e) {
  const Expression& call = e->args[0];
  const auto which = e->subscripts.size() == 1 && !e->subscripts[0].slice && e->subscripts[0].start ? constant(e->subscripts[0].start) : std::nullopt;
  const bool single = call->name == "unbind";
  if (!which && e->subscripts.size() == 1 && e->subscripts[0].start) {  // x.chunk(h, dim=-1)[i]
    auto stacked = std::make_shared<Syntax>(*e);
    stacked->args[0] = expr::node(SyntaxKind::call, {call}, "stack", call->span);
    return term(stacked);
  }
  if (!which || !which->is_integer()) expr::fail("call.arguments", "one of the parts is named by its number", e->span, "write x." + call->name + "(...)[0]");
  if (call->args.empty() || call->args.size() > (single ? 2U : 3U) || (!single && call->args.size() < 2)) expr::fail("call.arguments", "`" + call->name + "` takes a tensor and " + (single ? "an axis" : "how to divide it"), call->span, "write chunk(x, 3, dim=-1)[0]");
  const Term x = term(call->args[0]);
  const Expression counted_parts = keyword(call, "parts", "parts");  // q, k = X.unbind(0)
  if (x->shape.empty()) expr::fail("call.axis", "a number has no parts", call->span, "write chunk(x, 3, dim=-1)[0] of a tensor x");
  const std::size_t axis = axis_of_parts(call, x->shape);
  const Dim extent = resolve(x->shape[axis]);
  std::int64_t place = which->num();
  if (counted_parts) {
    const Dim each = single ? Dim(1) : resolve(size(call->args[1]));
    if (!unify(Dim(counted_parts->value.num()) * each, extent)) expr::fail("shape.conflict", "there are " + counted_parts->value.text() + " names for the parts of an axis of size " + expr::text(extent), call->span, "one name for each part");
  }
  const auto inside = [&](std::int64_t count) {
    if (place < 0) place += count;
    if (place < 0 || place >= count) expr::fail("shape.subscript", "there are " + std::to_string(count) + " parts", e->span, "parts count from 0");
  };
  Dim start, stop;
  if (single) {
    if (place < 0) expr::fail("shape.subscript", "parts count from the front here", e->span, "write X[-1] for the last row");
    start = Dim(place);
  } else if (call->args[1]->kind == SyntaxKind::list && call->name != "split") {  // cut there
    std::vector<Dim> cuts{Dim(0)};
    for (const Expression& cut : call->args[1]->args) cuts.push_back(resolve(size(cut)));
    cuts.push_back(extent);
    inside(static_cast<std::int64_t>(cuts.size()) - 1);
    start = cuts[static_cast<std::size_t>(place)];
    stop = cuts[static_cast<std::size_t>(place) + 1];
  } else if (call->args[1]->kind == SyntaxKind::list) {  // so many each
    std::vector<Dim> sizes;
    for (const Expression& s : call->args[1]->args) sizes.push_back(resolve(size(s)));
    inside(static_cast<std::int64_t>(sizes.size()));
    Dim sum;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (static_cast<std::int64_t>(k) == place) start = sum, stop = sum + sizes[k];
      sum = sum + sizes[k];
    }
    if (!(resolve(sum) == extent) && !unify(sum, extent)) expr::fail("shape.conflict", "the parts have " + expr::text(sum) + " entries together, and the axis has " + expr::text(extent), call->args[1]->span, "their sizes add up to that of the axis");
  } else if (call->name == "split") {
    const Dim width = resolve(size(call->args[1]));
    if (place < 0) expr::fail("shape.subscript", "parts count from the front here", e->span, "write chunk(x, 3)[-1] for the last of three");
    start = Dim(place) * width;
    stop = start + width;
  } else {
    const auto count = constant(call->args[1]);
    if (!count || !count->is_integer() || count->num() < 1) expr::fail("call.arguments", "the number of parts is a whole number", call->args[1]->span, "write chunk(x, 3, dim=-1)[0]");
    const auto unknown = extent.as_symbol();
    if (unknown && Sizes::is_unknown(unknown->name)) unify(extent, Dim(count->num()) * sizes_.fresh());  // q, k, v = (x @ W).chunk(3, dim=-1)
    const auto width = resolve(extent).divide(Dim(count->num()));
    if (!width) expr::fail("shape.place", "an axis of size " + expr::text(extent) + " is not known to have " + std::to_string(count->num()) + " equal parts", call->span, "declare it as a multiple, such as W: [3*k, d]");
    inside(count->num());
    start = Dim(place) * *width;
    stop = start + *width;
  }
  std::vector<Dim> subscripts;
  for (std::size_t k = 0; k < x->shape.size(); ++k) {
    if (k != axis) subscripts.insert(subscripts.end(), {Dim(0), Dim(0), x->shape[k]});
    else if (single) subscripts.insert(subscripts.end(), {Dim(1), start, Dim(0)});
    else subscripts.insert(subscripts.end(), {Dim(0), start, stop});
  }
  const expr::Subscript written{!single, nullptr, nullptr, nullptr};
  check_inside(e, extent, written, {subscripts.begin(), subscripts.begin() + static_cast<std::ptrdiff_t>(3 * axis + 3)});
  note_walk(extent, single ? start + Dim(1) : stop);
  return apply(expr::operator_id<expr::ops::Subscripts>(), e, {x}, std::move(subscripts));
}

Term Elaborator::stretched(const Expression& e, const Term& t, const Shape& shape) {
  if (sizes_.resolve(t->shape) == shape) return t;
  measured_.push_back(t);
  return apply(expr::operator_id<expr::ops::Add>(), e, {t, apply(expr::operator_id<expr::ops::Zeros>(), e, {}, shape)}, {});
}

/// repeat_interleave(x, g, dim=0) and NumPy's repeat(x, g, axis=0): every entry of the axis g times in a row.
Term Elaborator::repeated(const Expression& e) {
  const Expression axis = keyword(e, "axis", "dim") ? keyword(e, "axis", "dim") : e->args.size() == 3 ? e->args[2] : nullptr;
  const Expression often = e->args.size() > 1 ? e->args[1] : keyword(e, "repeats", "repeats");
  if (e->args.empty() || e->args.size() > 3 || !often || !axis) expr::fail("call.arguments", "`" + e->name + "` takes a tensor, how often, and an axis", e->span, "write repeat_interleave(K, g, dim=0)");
  const Term x = term(e->args[0]);
  const Dim times = resolve(size(often));
  const std::size_t at = axis_of(e, axis, x->shape);
  Shape apart = x->shape, wide, together = x->shape;
  apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(at) + 1, Dim(1));
  wide = apart;
  wide[at + 1] = times;
  together[at] = x->shape[at] * times;
  return reshaped(e, stretched(e, reshaped(e, x, apart), wide), together);
}

Term Elaborator::of_each_row(const Expression& e, const Term& t, const std::function<Term(const Term&)>& f) {
  const Shape shape = sizes_.resolve(t->shape);
  if (shape.size() < 2) return f(t);
  const std::string index = new_index("i", shape[0]);
  std::vector<Dim> one{Dim(1), expr::dim(index), Dim(0)};
  for (std::size_t axis = 1; axis < shape.size(); ++axis) one.insert(one.end(), {Dim(0), Dim(0), shape[axis]});
  return stack_of(index, shape[0], of_each_row(e, apply(expr::operator_id<expr::ops::Subscripts>(), e, {t}, std::move(one)), f), e->span);
}

/// padded(x, before, after, axis, ...), or padded(x, before, after) along every axis.
Term Elaborator::padded(const Expression& e) {
  Term x = term(e->args[0]);
  const std::size_t axes = x->shape.size(), given = e->args.size() - 1;
  const bool every = given == 2;
  const Expression count = keyword(e, "axes", "axes");
  const bool fits = (every || given % 3 == 0) && (!count || expr::is_number(count, static_cast<std::int64_t>(axes)));
  if (!fits) expr::fail("call.arguments", "these are not the widths of the padding of " + describe(x->shape), e->span, "np.pad takes one pair for each axis: np.pad(x, ((1, 0), (0, 0)))");
  for (std::size_t k = 0; k < (every ? axes : given / 3); ++k) {
    const std::size_t first = every ? 1 : 3 * k + 1, axis = every ? k : axis_of(e, e->args[first + 2], x->shape);
    x = padded(e, x, axis, e->args[first], e->args[first + 1], every || count);
  }
  return x;
}

/// PyTorch's negative numbers cut off, and NumPy has none.
Term Elaborator::padded(const Expression& e, Term x, std::size_t axis, const Expression& before, const Expression& after, bool only_adds) {
  const Shape shape = sizes_.resolve(x->shape);
  const auto cuts = [](const Expression& width) { return width->kind == SyntaxKind::negate; };
  if (only_adds && (cuts(before) || cuts(after))) expr::fail("call.arguments", "NumPy's widths of padding are not negative", e->span, "cut with a slice: x[1:]");
  if (cuts(before) || cuts(after)) {
    std::vector<Dim> kept;
    for (const Dim& extent : shape) kept.insert(kept.end(), {Dim(0), Dim(0), extent});
    if (cuts(before)) kept[3 * axis + 1] = -size(before);
    if (cuts(after)) kept[3 * axis + 2] = shape[axis] + size(after);
    check_inside(e, shape[axis], {true, nullptr, nullptr, nullptr}, {kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(3 * axis + 3)});
    x = apply(expr::operator_id<expr::ops::Subscripts>(), e, {x}, std::move(kept));
  }
  const auto zeros = [&](const Expression& width) {
    Shape part = shape;
    part[axis] = resolve(size(width));
    return apply(expr::operator_id<expr::ops::Zeros>(), e, {}, part);
  };
  std::vector<Term> parts{x};
  if (!cuts(before) && !expr::is_number(before, 0)) parts.insert(parts.begin(), zeros(before));
  if (!cuts(after) && !expr::is_number(after, 0)) parts.push_back(zeros(after));
  return parts.size() == 1 ? x : apply(expr::operator_id<expr::ops::Concat>(), e, std::move(parts), {}, static_cast<std::int64_t>(axis));
}

/// np.tile(x, (a, b)) and PyTorch's x.repeat(a, b): all of x, a times below and b times beside itself.
Term Elaborator::tiled(const Expression& e) {
  const Term x = term(argument(e, 0));
  std::vector<Expression> times(e->args.begin() + 1, e->args.end());
  if (times.size() == 1 && times[0]->kind == SyntaxKind::list) times = times[0]->args;
  const bool fits = e->keywords.empty() && (times.size() == x->shape.size() || (e->name == "repeat" && times.size() > x->shape.size()) || (e->name == "tile" && !times.empty()));
  if (!fits) expr::fail("call.arguments", "`" + e->name + "` takes a tensor and how often along each axis", e->span, "write np.tile(x, (2, 1)), x.repeat(2, 1), or np.repeat(x, 2, axis=0) for every row twice");
  const std::size_t rank = std::max(times.size(), x->shape.size());
  Shape apart, wide, together;
  for (std::size_t k = 0; k < rank; ++k) {
    const Dim extent = k + x->shape.size() >= rank ? x->shape[k + x->shape.size() - rank] : Dim(1);
    const Dim count = k + times.size() >= rank ? resolve(size(times[k + times.size() - rank])) : Dim(1);
    apart.insert(apart.end(), {Dim(1), extent});
    wide.insert(wide.end(), {count, extent});
    together.push_back(count * extent);
  }
  return reshaped(e, stretched(e, reshaped(e, x, apart), wide), together);
}

/// np.roll(x, s, axis=0), torch.roll(x, s, 0): the last s rows come first.
Term Elaborator::rolled(const Expression& e) {
  const Expression named = keyword(e, "axis", "dims"), by = keyword(e, "shift", "shifts");
  const std::size_t places = by ? 1 : 2;
  const Expression axis = named ? named : e->args.size() == places + 1 ? e->args[places] : nullptr;
  const Term x = term(argument(e, 0));
  if (e->args.size() < places || e->args.size() > places + 1 || (!axis && x->shape.size() != 1)) expr::fail("call.arguments", "roll takes a tensor, by how much, and an axis", e->span, "write np.roll(x, 1, axis=0)");
  const std::size_t at = axis_of(e, axis, x->shape);
  const Dim extent = resolve(x->shape[at]);
  Dim shift = resolve(size(by ? by : e->args[1]));
  if (shift.divide(extent)) return x;  // once round, or several times
  if (const auto places = shift.constant(), rows = extent.constant(); places && rows) shift = Dim(*places % *rows);
  const bool backwards = always_negative(shift);
  const Dim cut = backwards ? Dim(0) - shift : extent - shift;
  const auto slice = [&](const Dim& start, const Dim& stop) {
    std::vector<Dim> subscripts;
    for (std::size_t k = 0; k < x->shape.size(); ++k) subscripts.insert(subscripts.end(), {Dim(0), k == at ? start : Dim(0), k == at ? stop : x->shape[k]});
    check_inside(e, extent, {true, nullptr, nullptr, nullptr}, {subscripts.begin() + static_cast<std::ptrdiff_t>(3 * at), subscripts.begin() + static_cast<std::ptrdiff_t>(3 * at + 3)});
    return apply(expr::operator_id<expr::ops::Subscripts>(), e, {x}, std::move(subscripts));
  };
  const Term last = slice(cut, extent), first = slice(Dim(0), cut);
  return apply(expr::operator_id<expr::ops::Concat>(), e, {last, first}, {}, static_cast<std::int64_t>(at));
}

/// x.flatten(), x.flatten(1), flatten(x, start_dim=0, end_dim=1): the axes from one to another become one.
Term Elaborator::flattened(const Expression& e) {
  const Term x = term(argument(e, 0));
  const Expression first = keyword(e, "start_dim", "start_dim"), last = keyword(e, "end_dim", "end_dim");
  const std::size_t named = (first ? 1 : 0) + (last ? 1 : 0);
  if (e->args.size() + named > 3 || named != e->keywords.size() || x->shape.empty()) expr::fail("call.arguments", "`" + e->name + "` takes a tensor, the first axis and the last one", e->span, "write x.flatten(1), or reshape(x, n, h*k)");
  const std::size_t begin = axis_of(e, first ? first : e->args.size() > 1 ? e->args[1] : nullptr, x->shape);
  const Expression& end_written = last ? last : e->args.size() > 2 ? e->args[2] : nullptr;
  const std::size_t end = end_written ? axis_of(e, end_written, x->shape) : x->shape.size() - 1;
  if (end < begin) expr::fail("call.axis", "the last axis comes before the first one", e->span, "write x.flatten(1)");
  Shape shape(x->shape.begin(), x->shape.begin() + static_cast<std::ptrdiff_t>(begin));
  Dim product(1);
  for (std::size_t k = begin; k <= end; ++k) product = product * x->shape[k];
  shape.push_back(product);
  shape.insert(shape.end(), x->shape.begin() + static_cast<std::ptrdiff_t>(end) + 1, x->shape.end());
  return reshaped(e, x, shape);
}

/// unflatten(x, -1, (h, k)): an axis as several, of which one may be written -1.
Term Elaborator::unflattened(const Expression& e) {
  const Term x = term(argument(e, 0));
  const auto given = [&](std::size_t k, const char* name) { return e->args.size() > k ? e->args[k] : keyword(e, name, name); };
  const Expression axis = given(1, "dim"), parts = given(2, "sizes");
  const bool fits = axis && parts && parts->kind == SyntaxKind::list && e->args.size() + e->keywords.size() == 3;
  if (!fits) expr::fail("call.arguments", "unflatten takes a tensor, an axis and the sizes of its parts", e->span, "write x.unflatten(-1, (h, k))");
  const std::size_t at = axis_of(e, axis, x->shape);
  Shape sizes;
  Dim known(1);
  std::size_t open = parts->args.size();
  for (std::size_t k = 0; k < parts->args.size(); ++k) {
    const auto number = constant(parts->args[k]);
    const bool rest = number && *number == Rational(-1) && open == parts->args.size();
    if (rest) open = k;
    sizes.push_back(rest ? Dim(1) : size(parts->args[k]));
    known = known * sizes.back();
  }
  if (open < sizes.size()) {
    const auto rest = resolve(x->shape[at]).divide(resolve(known));
    if (!rest) expr::fail("shape.conflict", "an axis of size " + expr::text(resolve(x->shape[at])) + " is not known to be a multiple of " + expr::text(resolve(known)), e->span, "write all sizes, or the size of the axis as a product");
    sizes[open] = *rest;
  }
  Shape shape = x->shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(at));
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), sizes.begin(), sizes.end());
  return reshaped(e, x, shape);
}

/// squeeze(x, 1): without an axis of size 1.
Term Elaborator::squeezed(const Expression& e) {
  const Term x = term(argument(e, 0));
  const Expression named = keyword(e, "axis", "dim"), axis = named ? named : e->args.size() == 2 ? e->args[1] : nullptr;
  const bool known = std::all_of(x->shape.begin(), x->shape.end(), [&](const Dim& d) { return resolve(d).constant().has_value(); });
  if (!axis && e->args.size() == 1 && e->keywords.empty() && known) {  // a name may be 1, too
    Term rest = x;
    for (std::size_t at = x->shape.size(); at > 0; --at) {
      if (resolve(x->shape[at - 1]) == Dim(1)) rest = first_along(e, rest, at - 1, at);
    }
    return rest;
  }
  if (!axis || e->args.size() > 2 || e->keywords.size() > 1) expr::fail("call.arguments", "squeeze takes a tensor and the axis that goes", e->span, "write x.squeeze(1), or x[:, 0]");
  const std::size_t at = axis_of(e, axis, x->shape);
  if (!unify(x->shape[at], Dim(1))) expr::fail("shape.conflict", "squeeze drops an axis of size 1, and this one has " + expr::text(resolve(x->shape[at])), e->span, "write x[:, 0] for its first place");
  return first_along(e, x, at, at + 1);
}

/// np.moveaxis(x, 0, 1), torch.movedim(x, 0, 1)
Term Elaborator::moved(const Expression& e) {
  if (e->args.size() != 3 || !e->keywords.empty()) expr::fail("call.arguments", "`" + e->name + "` takes a tensor, an axis and its new place", e->span, "write np.moveaxis(x, 0, 1), or transpose(x, 1, 0, 2)");
  const Term x = term(e->args[0]);
  return axis_moved(e, x, axis_of(e, e->args[1], x->shape), axis_of(e, e->args[2], x->shape));
}

Term Elaborator::axis_moved(const Expression& e, const Term& t, std::size_t from, std::size_t to) {
  std::vector<Dim> order;
  for (std::size_t k = 0; k < t->shape.size(); ++k) {
    if (k != from) order.emplace_back(static_cast<std::int64_t>(k));
  }
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), Dim(static_cast<std::int64_t>(from)));
  return apply(expr::operator_id<expr::ops::Permute>(), e, {t}, order);
}

/// The first of the tensors that a loop goes through together: Python's zip stops at the shortest.
Term Elaborator::zipped(const Expression& e) {
  const Term t = term(e->args[0]);
  for (const Expression& another : e->args) {
    const Term other = term(another);
    if (t->shape.empty() || other->shape.empty()) expr::fail("shape.operand", "zip goes through tensors", e->span, "declare them: Q: [h, n, k]");
    if (!unify(t->shape[0], other->shape[0])) expr::fail("shape.conflict", "zip and vmap go through tensors of one length here, and these have " + expr::text(resolve(t->shape[0])) + " and " + expr::text(resolve(other->shape[0])), e->span, "Python's zip stops at the shorter one, and vmap raises: cut the other one off");
  }
  return t;
}

/// What the steps of a loop give to the places of an array, which are as many.
Term Elaborator::filled(const Expression& e) {
  require_kept(e->args[0], e->args[1], e->span);
  const Term array = term(e->args[0]), pieces = term(e->args[1]);
  bool fits = array->shape.size() == pieces->shape.size();
  for (std::size_t axis = 0; fits && axis < array->shape.size(); ++axis) fits = unify(array->shape[axis], pieces->shape[axis]);
  if (!fits) expr::fail("shape.conflict", "the loop gives values to places of shape " + describe(pieces->shape) + " of an array of shape " + describe(array->shape), e->span, "let it run over the whole axis, or write np.stack([...]) of what is there");
  return pieces;
}

/// What a loop makes of m where m began as the value of a step 0, and where it did not: see Loops::Accumulators::largest.
Term Elaborator::begun(const Expression& e) {
  if (expr::same(behind_names(e->args[0]), e->args[1])) return term(e->args[2]);
  if (e->args.size() == 3) expr::fail("call.arguments", "a largest value over steps from 1 on is read where it begins with the value of step 0, `" + shorten(expr::text(e->args[1])) + "`", e->span, "write m = " + shorten(expr::text(e->args[1])) + " before the loop, or np.max(x) for the largest of all");
  return term(e->args[3]);
}

/// Whether d is at least 0 for all sizes and all values of the indices in it.
bool Elaborator::never_negative(Dim d) const {
  for (const auto& [index, count] : index_range_) {
    const auto slope = (expr::substitute(d, {{index, expr::dim(index) + Dim(1)}}) - d).constant();
    if (slope && *slope < 0) d = resolve(expr::substitute(d, {{index, count - Dim(1)}}));
  }
  const auto is_counted = [this](const expr::DimSymbol& s) { return !s.division || s.division->remainder || never_negative(s.division->numerator); };
  const bool counted = std::all_of(d.summands().begin(), d.summands().end(), [&](const auto& m) { return std::all_of(m.product.begin(), m.product.end(), is_counted); });
  return counted && always_negative(-d - Dim(1));
}

bool Elaborator::is_at_least(const Dim& d, std::int64_t least) {
  const Dim rest = d - Dim(least);
  if (never_negative(rest)) return true;
  for (const auto& m : d.summands()) {
    const bool quotient = m.product.size() == 1 && m.product[0].division && !m.product[0].division->remainder;
    if (!quotient || (m.coefficient != 1 && m.coefficient != -1)) continue;
    const expr::Division& of = *m.product[0].division;
    const Dim others = rest - Dim::symbol(m.product[0]) * Dim(m.coefficient);
    // a + n // m is at least 0 where n is at least -a * m, and a - n // m where n is less than (a + 1) * m
    if (is_at_least(m.coefficient == 1 ? of.numerator + others * of.denominator : (others + Dim(1)) * of.denominator - of.numerator - Dim(1), 0)) return true;
  }
  return std::any_of(claim_.assumptions.begin(), claim_.assumptions.end(), [&](const expr::Assumption& a) {
    using expr::Relation;
    if (!a.relation || *a.relation == Relation::equal || *a.relation == Relation::not_equal || !is_size(a.lhs) || !is_size(a.rhs)) return false;
    const bool strict = *a.relation == Relation::less || *a.relation == Relation::greater, turned = *a.relation == Relation::greater || *a.relation == Relation::greater_equal;
    const Dim left = resolve(size(a.lhs)), right = resolve(size(a.rhs));
    return never_negative(rest - (turned ? left - right : right - left) + Dim(strict ? 1 : 0));
  });
}

/// What one step of a loop over part of an axis gives to its place, in the shape of the whole axis.
Term Elaborator::at_place(const Expression& e) {
  const Shape whole = term(e->args[0])->shape, value = term(e->args[2])->shape;
  if (whole.size() != 1 || !value.empty()) expr::fail("call.arguments", "in a loop over part of an axis each place gets a number, and this is " + describe(value), e->span, "let it run over the whole axis, and choose by a mask: np.where(i >= j, ..., 0)");
  if (!never_negative(size(e->args[3])) || !never_negative(resolve(whole[0]) - size(e->args[4]))) expr::fail("call.arguments", "whether the axis of size " + expr::text(resolve(whole[0])) + " has all places from " + expr::text(e->args[3]) + " up to " + expr::text(e->args[4]) + " depends on the sizes", e->span, "let the loop run over places that are there: for j in range(i + 1) of i in range(n)");
  const Expression places = expr::node(SyntaxKind::call, {expr::size_along(e->args[0], 0, e->span)}, "arange", e->span);
  return term(expr::node(SyntaxKind::call, {expr::node(SyntaxKind::call, {places, e->args[1]}, "==", e->span), e->args[2], read::parse_expression("0")}, "where", e->span));
}

/// What the steps of a loop make of a tensor that they read before they change it: in the first step it has its own shape, and so it must
/// have that in all.
Term Elaborator::same_shape(const Expression& e) {
  const Term first = term(e->args[0]), later = term(e->args[1]);
  bool same = first->shape.size() == later->shape.size();
  for (std::size_t axis = 0; same && axis < first->shape.size(); ++axis) same = unify(first->shape[axis], later->shape[axis]);
  if (!same) expr::fail("shape.conflict", "this is " + describe(first->shape) + " in the first step of the loop and " + describe(later->shape) + " in the others", e->span, "begin with np.zeros(...) of the shape that it gets");
  return later;
}

/// See expr/stated.hpp.
Term Elaborator::of_stated_shape(const Expression& e) {
  const Term x = term(e->args[0]);
  const bool whole = expr::is_call(e, expr::shaped_call);
  const auto refuse = [&](const std::string& said) {
    const std::string is = "`" + shorten(expr::text(e->args[0])) + "` is " + describe(x->shape);
    const Expression like = whole && expr::is_call(e->args[1], "shape") && e->args[1]->args.size() == 1 ? e->args[1]->args[0] : nullptr;
    if (like) expr::fail("shape.conflict", is + ", and `" + shorten(expr::text(like)) + "` is " + describe(term(like)->shape) + ", which the program says are the same", e->span, "tensors of other shapes are not equal: torch.equal and np.array_equal of them are False");
    expr::fail("shape.conflict", is + ", and the program says " + said, e->span, "shapes must be as a program says for it to go on");
  };
  if (whole && e->args[1]->kind == SyntaxKind::number) {
    if (!(e->args[1]->value == Rational(static_cast<std::int64_t>(x->shape.size())))) refuse("that it has " + e->args[1]->value.text() + " axes");
    return x;
  }
  std::vector<Expression> said;
  several_sizes(e->args[1], said);
  bool fits = whole ? said.size() == x->shape.size() : said.size() <= x->shape.size();
  for (std::size_t k = 0; fits && k < said.size(); ++k) fits = unify(x->shape[x->shape.size() - said.size() + k], size(said[k]));
  if (!fits) refuse((whole ? "that its shape is `" : "that its last axis has size `") + shorten(expr::text(e->args[1])) + "`");
  return x;
}

Term Elaborator::any_entries(const Expression& e) {
  const std::string& name = e->args[0]->name;
  const Shape shape = sizes_.resolve(term(e->args[1])->shape);
  if (by_name_.count(name) == 0) {
    any_entries_.insert(name);
    add_variable(name, shape, false, e->span);
  }
  const Term variable = by_name_.at(name);  // or declared, as where all tensors of a claim are
  if (!unify(variable->shape, shape)) expr::fail("shape.conflict", "`" + name + "` is " + describe(variable->shape) + ", and should have the shape " + describe(shape), e->span, "give one of them another name");
  return this->name(e->args[0]);
}

/// See expr/stated.hpp: the sum of the squares of what the sizes differ by.
Term Elaborator::shape_difference(const Expression& e) {
  const Expression& x = e->args[0];
  const Shape shape = term(x)->shape;
  std::vector<Expression> said;
  several_sizes(e->args[1], said);
  if (said.size() != shape.size()) return number(1, e->span);
  Expression sum = expr::number(0, e->span);
  for (std::size_t k = 0; k < said.size(); ++k) {
    const Expression difference = expr::node(SyntaxKind::subtract, {expr::size_along(x, k, e->span), said[k]}, {}, e->span);
    sum = expr::node(SyntaxKind::add, {sum, expr::node(SyntaxKind::power, {difference, expr::number(2, e->span)}, {}, e->span)}, {}, e->span);
  }
  return term(sum);
}

Term Elaborator::of_vector(const Expression& e) {
  const Term x = term(e->args[0]);
  if (x->shape.size() != 1) expr::fail("call.arguments", "this is read of vectors, and here of " + describe(x->shape), e->span, "NumPy has something else for what is no vector: write it out, sum(abs(X)) or max(abs(X)) of all entries, X[:, None] + Y[None, :]");
  return term(e->args[1]);
}

/// kron of vectors is a vector; beside a matrix a vector is a row.
Term Elaborator::kronecker(const Expression& e) {
  Term a = term(e->args[0]), b = term(e->args[1]);
  const bool vectors = a->shape.size() == 1 && b->shape.size() == 1;
  for (Term* t : {&a, &b}) {
    if ((*t)->shape.size() == 1) *t = with_axes_in_front(*t, 1);
  }
  const Term product = apply(expr::operator_id<expr::ops::Kron>(), e, {a, b}, {});
  return vectors ? first_along(e, product, 0, 1) : product;
}

/// np.tensordot(A, B, axes=1): the sum over the last axis of A and the first of B.
Term Elaborator::contracted(const Expression& e) {
  const Term a = term(e->args[0]), b = term(e->args[1]);
  if (a->shape.size() < 3 && b->shape.size() < 3) return apply(expr::operator_id<expr::ops::Matmul>(), e, {a, b}, {});
  if (a->shape.empty() || b->shape.empty()) expr::fail("shape.operand", "tensordot sums over an axis of each of both, and one is a number", e->span, "write c * X");
  if (!unify(a->shape.back(), b->shape.front())) expr::fail("shape.conflict", "tensordot sums over the last axis of " + describe(a->shape) + " and the first of " + describe(b->shape), e->span, "write einsum('ij,kj->ik', A, B) with a letter for each axis");
  const Dim inner = resolve(b->shape.front());
  Dim rows(1), columns(1);
  Shape shape;
  for (std::size_t k = 0; k + 1 < a->shape.size(); ++k) {
    rows = rows * resolve(a->shape[k]);
    shape.push_back(a->shape[k]);
  }
  for (std::size_t k = 1; k < b->shape.size(); ++k) {
    columns = columns * resolve(b->shape[k]);
    shape.push_back(b->shape[k]);
  }
  const Term product = apply(expr::operator_id<expr::ops::Matmul>(), e, {reshaped(e, a, {rows, inner}), reshaped(e, b, {inner, columns})}, {});
  return reshaped(e, product, shape);
}

/// np.prod of a list of numbers.
Term Elaborator::multiplied(const Expression& e) {
  Term product;
  for (const Expression& factor : e->args[0]->args) {
    const Term t = term(factor);
    if (!t->shape.empty()) expr::fail("call.list", "the product of a list is one of numbers, and this is " + describe(t->shape), factor->span, "write A * B for a product entry by entry");
    product = product ? apply(expr::operator_id<expr::ops::Multiply>(), e, {product, t}, {}) : t;
  }
  if (!product) expr::fail("call.list", "a product of nothing", e->span, "write 1");
  return product;
}

/// The attn_mask of PyTorch's attention: numbers are added to the scores, truth values choose them.
Term Elaborator::added_mask(const Expression& e) {
  const Expression& mask = e->args[0];
  const bool says_seen = e->name == "attn_mask";  // nn.MultiheadAttention leaves out what its masks choose
  if (holds_truth(claim_, mask)) return term(expr::call("neginf", {says_seen ? mask : expr::call("~", {mask})}));
  if (!is_mask(mask) && !is_truth(mask)) return term(mask);
  if (says_seen) expr::fail("call.mask", "PyTorch adds an attn_mask of numbers and selects by one of truth values, and this one is 0 or 1, or may be either", mask->span, "write attn_mask=M.bool() for the mask M of what is seen, or softmax(Q @ K.T / sqrt(d) + neginf(M)) @ V");
  expr::fail("call.mask", "nn.MultiheadAttention adds a mask of numbers and leaves out what one of truth values says, and this one is 0 or 1, or may be either", mask->span, "write attn_mask=M.bool() for the mask M of what is not seen, or a mask of zeros and minus infinity");
}

Term Elaborator::class_targets(const Expression& e) {
  const Expression &targets = e->args[0], &logits = e->args[1];
  const auto classes_last = [&](const Expression& x) { return expr::node(SyntaxKind::call, {x, expr::number(1, e->span), expr::node(SyntaxKind::negate, {expr::number(1, e->span)}, {}, e->span)}, "moveaxis", e->span); };
  const auto shape_of = [&](const Expression& x) { return expr::node(SyntaxKind::call, {x}, "shape", e->span); };
  const bool unknown = targets->kind == SyntaxKind::name && !defined_as(targets) && by_name_.count(targets->name) == 0;
  const bool shares = !unknown && term(targets)->shape.size() == term(logits)->shape.size();
  const Expression each = shares ? classes_last(targets) : expr::node(SyntaxKind::call, {targets, expr::size_along(logits, 1, e->span)}, "onehot", e->span);
  return term(expr::node(SyntaxKind::call, {each, shape_of(classes_last(logits))}, std::string(expr::shaped_call), e->span));
}

/// rearrange(x, 'b n (h k) -> b h n k', h=h); repeat(x, 'h n k -> (h g) n k', g=g) has new axes on the right, reduce(x, 'n (h k) -> n k', 'sum',
/// h=h) some on the left.
/// Requires: the second operand is quoted.
Term Elaborator::rearranged(const Expression& e) {
  const Expression& quoted = argument(e, 1);
  const std::string pattern = quoted->name.substr(1, quoted->name.size() - 2);
  const std::size_t arrow = pattern.find("->");
  const bool reduces = e->name == "reduce";
  if (e->args.size() != (reduces ? 3 : 2) || arrow == std::string::npos) expr::fail("call.arguments", "`" + e->name + "` takes a tensor and a pattern" + (reduces ? ", and how to reduce" : ""), e->span, reduces ? "write reduce(x, 'n (h k) -> n k', 'sum', h=h)" : "write rearrange(x, 'b n (h k) -> b h n k', h=h)");
  std::vector<Group> from = groups_of(pattern.substr(0, arrow), quoted->span), to = groups_of(pattern.substr(arrow + 2), quoted->span);
  const Term x = term(e->args[0]);
  const auto refuse = [&](const std::string& message, const std::string& hint) { expr::fail("call.arguments", message, quoted->span, hint); };
  if (const auto others = std::count(from.begin(), from.end(), Group{std::string(all_others)}); others == 1 && from.size() <= x->shape.size() + 1) {
    const std::size_t count = x->shape.size() + 1 - from.size();
    from = with_others(from, count);
    to = with_others(to, count);
  }
  if (from.size() != x->shape.size()) refuse("the pattern has " + std::to_string(from.size()) + " axes, and the tensor is " + describe(x->shape), "one name or bracket for each axis");
  std::map<std::string, Dim> sizes;
  for (const auto& [key, value] : e->keywords) sizes[key] = resolve(size(value));
  const Group before = flat(from), after = flat(to);
  for (const Group* all : {&before, &after}) {
    if (std::set<std::string>(all->begin(), all->end()).size() != all->size()) refuse("an axis is named twice", "every axis has a name of its own");
  }
  for (std::size_t k = 0; k < from.size(); ++k) {
    const Dim extent = resolve(x->shape[k]);
    Dim known(1);
    const std::string* open = nullptr;
    for (const std::string& name : from[k]) {
      if (sizes.count(name) > 0) {
        known = known * sizes[name];
      } else if (open != nullptr) {
        refuse("the sizes of `" + *open + "` and `" + name + "` are not known", "give all but one of a bracket: " + name + "=4");
      } else {
        open = &name;
      }
    }
    if (open != nullptr) {
      const bool open_size = extent.summands().size() == 1 && extent.summands()[0].product.size() == 1 && Sizes::is_unknown(extent.summands()[0].product[0].name);
      if (open_size && !known.is_one()) unify(extent, known * sizes_.fresh());
      const auto rest = resolve(extent).divide(resolve(known));
      if (!rest) refuse("an axis of size " + expr::text(extent) + " is not known to be a multiple of " + expr::text(known), "declare it so, such as x: [n, h*k]");
      sizes[*open] = *rest;
    } else if (!unify(known, extent)) {
      refuse("an axis of size " + expr::text(extent) + " is no " + expr::text(known), "the sizes of a bracket multiply to that of the axis");
    }
  }
  Shape apart;
  for (const std::string& name : before) apart.push_back(sizes.at(name));
  Term t = reshaped(e, x, apart);
  std::vector<Dim> order;
  Shape thin, wide, together;
  for (const std::string& name : after) {
    const auto at = std::find(before.begin(), before.end(), name);
    if (at != before.end()) order.emplace_back(at - before.begin());
    if (sizes.count(name) == 0) refuse("the size of `" + name + "` is not known", "give it: " + name + "=4");
    thin.push_back(at != before.end() ? sizes.at(name) : Dim(1));
    wide.push_back(sizes.at(name));
    if (at == before.end() && e->name != "repeat") refuse("`" + name + "` is on the right only", "rearrange keeps all axes; repeat(x, ...) adds some");
  }
  const std::size_t kept = order.size();
  if (kept != before.size() && !reduces) refuse("an axis is on the left only", "reduce(x, ..., 'sum') sums over it");
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (std::find(after.begin(), after.end(), before[k]) == after.end()) order.emplace_back(static_cast<std::int64_t>(k));
  }
  if (order.size() > 1) t = apply(expr::operator_id<expr::ops::Permute>(), e, {t}, order);
  if (reduces) {
    const int op = reduction_of(e->args[2]);
    while (t->shape.size() > kept) {
      const auto last = static_cast<std::int64_t>(t->shape.size()) - 1;
      t = apply(op, e, {t}, {}, last);
      t = first_along(e, t, static_cast<std::size_t>(last), static_cast<std::size_t>(last) + 1);
    }
    order.resize(kept);
  }
  if (thin.size() != order.size()) t = stretched(e, reshaped(e, t, thin), wide);
  for (const Group& g : to) {
    Dim product(1);
    for (const std::string& name : g) product = product * sizes.at(name);
    together.push_back(product);
  }
  return reshaped(e, t, together);
}

}  // namespace foldproof::infer
