// SPDX-License-Identifier: MIT
// What values are, as far as what stands above them says: whole numbers, how many axes they have, lists, arrays that nothing else is.
#include <algorithm>

#include "expr/operators.hpp"
#include "read/claim_parser.hpp"
#include "read/numpy.hpp"
#include "read/parse.hpp"

namespace foldproof::read {

std::optional<std::int64_t> ClaimParser::number_called(const std::string& name) const {
  const auto word = locals_.count(name) == 0 ? several_sizes_.find(name) : several_sizes_.end();
  const Expression e = word != several_sizes_.end() ? word->second : value_by_now(name);
  const bool truth = e && e->kind == SyntaxKind::name && (e->name == "True" || e->name == "False");
  const auto number = truth ? std::optional<std::int64_t>(e->name == "True" ? 1 : 0) : whole_number(e);
  if (number && parser_.is_in_function() && locals_.count(name) == 0) in_functions_[name].push_back(function_);
  return number;
}

std::optional<std::int64_t> ClaimParser::whole_number(const Expression& e) const {
  if (!e) return std::nullopt;
  bool real = false;  // 2.0 is no whole number in Python
  const Expression of_numbers = changed(e, [&](const Expression& part) -> Expression {
    if (part->kind == SyntaxKind::number) real = real || text_.substr(part->span.begin, part->span.end - part->span.begin).find('.') != std::string_view::npos;
    if (part->kind != SyntaxKind::name || locals_.count(part->name) > 0) return nullptr;  // a parameter
    const auto known = whole_numbers_.find(part->name);
    if (known == whole_numbers_.end()) {
      const Expression value = value_of(part->name);
      if (!value) return nullptr;
      whole_numbers_[part->name] = whole_number(value);
    }
    const auto number = whole_numbers_.at(part->name);
    return number ? expr::number(*number, part->span) : nullptr;
  });
  return real ? std::nullopt : folded(of_numbers);
}

std::optional<std::int64_t> ClaimParser::number_along(const std::string& name, std::int64_t axis) const {
  constexpr std::int64_t most = 16;  // of more steps a loop over a size is shorter
  int budget = 1000;
  if (parser_.is_in_function()) return std::nullopt;
  const Expression value = value_by_now(name);
  const auto shape = numbers_of_shape(value ? value : node(SyntaxKind::name, {}, name), budget);
  const auto axes = shape ? static_cast<std::int64_t>(shape->size()) : 0;
  if (axis < -axes || axis >= axes) return std::nullopt;
  const std::int64_t size = (*shape)[static_cast<std::size_t>(axis < 0 ? axis + axes : axis)];
  return size <= most ? std::optional(size) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> ClaimParser::numbers_of_shape(const Expression& e, int& budget) const {
  using Numbers = std::vector<std::int64_t>;
  if (--budget < 0) return std::nullopt;
  const auto of = [&](std::size_t k) { return numbers_of_shape(e->args[k], budget); };
  if (e->kind == SyntaxKind::number) return Numbers{};
  if (e->kind == SyntaxKind::name) {
    if (const Expression value = value_of(e->name)) return numbers_of_shape(value, budget);
    const auto d = std::find_if(claim_.declarations.begin(), claim_.declarations.end(), [&](const Declaration& declared) { return declared.name == e->name; });
    if (d == claim_.declarations.end() || shaped_.count(e->name) > 0) return std::nullopt;
    Numbers shape;
    for (const Dim& size : d->shape) {
      const auto number = size.constant();
      if (!number) return std::nullopt;
      shape.push_back(*number);
    }
    return shape;
  }
  if (e->kind == SyntaxKind::negate || (e->kind == SyntaxKind::call && e->args.size() == 1 && e->keywords.empty() && (is_entrywise_function(e->name) || e->name == "softmax" || e->name == copied_call))) return of(0);
  if (e->kind == SyntaxKind::transpose) {
    auto shape = of(0);
    if (shape && shape->size() == 2) std::reverse(shape->begin(), shape->end());
    return shape && shape->size() <= 2 ? shape : std::nullopt;
  }
  const bool filled = e->kind == SyntaxKind::call && (e->name == "zeros" || e->name == "ones") && e->keywords.empty() && !e->args.empty();
  if (filled) {
    Numbers shape;
    for (const Expression& size : e->args.size() == 1 && e->args[0]->kind == SyntaxKind::list ? e->args[0]->args : e->args) {
      const auto number = whole_number(size);
      if (!number || *number < 1) return std::nullopt;
      shape.push_back(*number);
    }
    return shape;
  }
  if (e->kind == SyntaxKind::index) {  // x[1:3] and x[0]
    const auto shape = of(0);
    if (!shape || e->subscripts.size() > shape->size()) return std::nullopt;
    Numbers left;
    for (std::size_t axis = 0; axis < shape->size(); ++axis) {
      const std::int64_t size = (*shape)[axis];
      const Subscript all{true, nullptr, nullptr, nullptr}, &s = axis < e->subscripts.size() ? e->subscripts[axis] : all;
      const auto from_end = [&](const Expression& place, std::int64_t otherwise) {
        const auto number = place ? whole_number(place) : std::optional(otherwise);
        return number && *number < 0 ? std::optional(std::max<std::int64_t>(*number + size, 0)) : number;
      };
      const auto start = from_end(s.start, 0), stop = s.slice ? from_end(s.stop, size) : start;
      if (s.step || !start || !stop || (!s.slice && !s.start)) return std::nullopt;
      if (s.slice && std::min(*stop, size) <= *start) return std::nullopt;
      if (s.slice) left.push_back(std::min(*stop, size) - *start);
    }
    return left;
  }
  const bool joins = is_call(e, "concat") && e->args.size() == 1 && e->args[0]->kind == SyntaxKind::list && e->keywords.size() == 1 && e->keywords[0].first == "axis";
  if (joins) {
    const auto axis = whole_number(e->keywords[0].second);
    std::optional<Numbers> all;
    for (const Expression& part : e->args[0]->args) {
      const auto shape = numbers_of_shape(part, budget);
      if (!shape || !axis || *axis < 0 || *axis >= static_cast<std::int64_t>(shape->size()) || (all && all->size() != shape->size())) return std::nullopt;
      if (all) (*all)[static_cast<std::size_t>(*axis)] += (*shape)[static_cast<std::size_t>(*axis)];
      else all = shape;
    }
    return all;
  }
  const auto first = is_operator(e->kind) && e->args.size() == 2 ? of(0) : std::nullopt, second = first ? of(1) : std::nullopt;
  if (!first || !second) return std::nullopt;
  if (e->kind == SyntaxKind::matmul) return first->size() == 2 && second->size() == 2 ? std::optional(Numbers{(*first)[0], (*second)[1]}) : std::nullopt;
  return first->empty() || *first == *second ? second : second->empty() ? first : std::nullopt;
}

Expression ClaimParser::with_known_sizes(const Expression& e) const {
  if (parser_.is_in_function()) return e;
  return changed(e, [this](const Expression& part) -> Expression {
    const bool entry = part->kind == SyntaxKind::index && is_call(part->args[0], "shape") && part->args[0]->args.size() == 1 && part->subscripts.size() == 1 && !part->subscripts[0].slice;
    const Expression of = entry ? part->args[0]->args[0] : nullptr;
    if (!of || of->kind != SyntaxKind::name || !value_of(of->name)) return nullptr;
    const auto axis = whole_number(part->subscripts[0].start);
    int budget = 1000;
    const auto shape = axis ? numbers_of_shape(of, budget) : std::nullopt;
    const auto axes = shape ? static_cast<std::int64_t>(shape->size()) : 0;
    if (!shape || *axis < -axes || *axis >= axes) return nullptr;
    return number((*shape)[static_cast<std::size_t>(*axis < 0 ? *axis + axes : *axis)], part->subscripts[0].start->span);  // a whole number, where no point stands
  });
}

Expression ClaimParser::without_overwriting(const Expression& e) {
  return changed(e, [](const Expression& part) -> Expression {
    if (!is_call(part, overwritten_call) || part->args.size() != 1) return nullptr;
    const Expression of = without_overwriting(part->args[0]);
    if (of->kind == SyntaxKind::name && of->name == module_input) return node(SyntaxKind::call, {of}, part->name, part->span);  // a module, of which a call says what it is
    if (!is_fresh(of)) fail("parse.unexpected", "in place this changes an array that has a name", of->span, "leave inplace=True out, or give it what has no name: F.relu(x @ W, inplace=True)");
    return of;
  });
}

Expression ClaimParser::list_of(const Expression& e) const {
  for (; listed_ < claim_.definitions.size(); ++listed_) {
    const Definition& d = claim_.definitions[listed_];
    if (d.value->kind == SyntaxKind::list) list_values_[d.name] = d.value;
  }
  const auto named = e->kind == SyntaxKind::name ? list_values_.find(e->name) : list_values_.end();
  const Expression value = e->kind != SyntaxKind::name ? e : named == list_values_.end() ? nullptr : named->second;
  const bool sizes = value && std::any_of(value->args.begin(), value->args.end(), [](const Expression& item) { return is_call(item, spread_call); });
  return value && value->kind == SyntaxKind::list && !sizes ? value : nullptr;
}

Expression ClaimParser::with_lists_joined(const Expression& e) const {
  return changed(e, [this](const Expression& part) -> Expression {
    if (!is_operator(part->kind) && part->kind != SyntaxKind::negate && part->kind != SyntaxKind::power) return nullptr;
    auto copy = std::make_shared<Syntax>(*part);
    for (Expression& a : copy->args) a = with_lists_joined(a);
    const Expression first = list_of(copy->args[0]), second = copy->args.size() > 1 ? list_of(copy->args[1]) : nullptr;
    if (!first && !second) return copy->args == part->args ? part : Expression(copy);  // the parts have been looked at
    std::vector<Expression> items = (first ? first : second)->args;
    const Expression& other = copy->args.size() == 1 ? copy->args[0] : copy->args[first ? 1 : 0];
    if (part->kind == SyntaxKind::add && first && second) {
      items.insert(items.end(), second->args.begin(), second->args.end());
      return node(SyntaxKind::list, std::move(items), {}, part->span);
    }
    const auto times = part->kind == SyntaxKind::multiply && !(first && second) ? whole_number(other) : std::nullopt;
    if (times && *times > 0 && *times <= static_cast<std::int64_t>(most_steps)) {
      const std::vector<Expression> once = items;
      for (std::int64_t k = 1; k < *times; ++k) items.insert(items.end(), once.begin(), once.end());
      return node(SyntaxKind::list, std::move(items), {}, part->span);
    }
    if (!std::all_of(items.begin(), items.end(), is_signed_number)) return copy->args == part->args ? part : Expression(copy);  // what is wrong of tensors the shapes tell
    if (copy->args.size() == 1 || (first && second) || other->kind == SyntaxKind::number || other->kind == SyntaxKind::negate || is_whole(other, false)) fail("parse.unexpected", "Python joins and repeats lists, and does not compute with them", part->span, "make an array of it: np.array([1, 2])");
    return copy->args == part->args ? part : Expression(copy);
  });
}

Expression ClaimParser::with_ranks(const Expression& e) const {
  const auto counted = [this](const Expression& condition) {
    return changed(condition, [this](const Expression& part) -> Expression {
      int budget = 1000;
      const auto rank = is_call(part, "ndim") && part->args.size() == 1 ? rank_of(part->args[0], budget) : std::nullopt;
      return rank ? expr::number(static_cast<std::int64_t>(*rank), part->span) : nullptr;
    });
  };
  return changed(e, [&](const Expression& part) -> Expression {
    if (!is_call(part, case_call) || part->args.size() != 3) return nullptr;
    return node(SyntaxKind::call, {counted(part->args[0]), with_ranks(part->args[1]), with_ranks(part->args[2])}, part->name, part->span);
  });
}

std::optional<std::size_t> ClaimParser::rank_of(const Expression& e, int& budget) const {
  if (--budget < 0) return std::nullopt;
  const auto of = [&](std::size_t k) { return rank_of(e->args[k], budget); };
  if (e->kind == SyntaxKind::number) return 0;
  if (e->kind == SyntaxKind::name) {
    if (const Expression value = value_of(e->name)) return rank_of(value, budget);
    const auto d = std::find_if(claim_.declarations.begin(), claim_.declarations.end(), [&](const Declaration& declared) { return declared.name == e->name; });
    return d == claim_.declarations.end() ? std::nullopt : std::optional(d->shape.size());
  }
  if (e->kind == SyntaxKind::negate || e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::power || (e->kind == SyntaxKind::call && e->args.size() == 1 && e->keywords.empty() && (is_entrywise_function(e->name) || e->name == "softmax" || e->name == copied_call))) return of(0);
  const auto first = is_operator(e->kind) ? of(0) : std::nullopt, second = first ? of(1) : std::nullopt;
  if (!first || !second) return std::nullopt;
  if (e->kind != SyntaxKind::matmul) return std::max(*first, *second);
  return *first == 2 && *second == 2 ? std::optional<std::size_t>(2) : std::nullopt;
}

bool ClaimParser::is_whole(const Expression& e, bool above_zero, bool if_size) const {
  if (above_zero && (e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::floor_divide)) return false;
  if (e->kind == SyntaxKind::number) return e->value.is_integer() && (!above_zero || e->value.sign() > 0);
  if (e->kind == SyntaxKind::name) {
    const Expression value = value_of(e->name);
    const auto is_it = [&](const Declaration& d) { return d.name == e->name; };
    const bool open = if_size && std::none_of(claim_.declarations.begin(), claim_.declarations.end(), is_it);
    return value ? is_whole(value, above_zero, if_size) : open || is_declared_size(e->name) || named_sizes_.count(e->name) > 0;
  }
  if (e->kind == SyntaxKind::index) return is_call(e->args[0], "shape");
  const bool computed = e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::floor_divide;
  return computed && std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_whole(a, above_zero, if_size); });
}

Expression ClaimParser::with_whole_numbers(const Expression& e) const {
  return changed(e, [this](const Expression& part) -> Expression {
    const bool diagonal = (is_call(part, "tril") || is_call(part, "triu")) && part->args.size() == 2 && !is_signed_number(part->args[1]);
    if (const auto number = diagonal ? whole_number(part->args[1]) : std::nullopt) return node(SyntaxKind::call, {with_whole_numbers(part->args[0]), parse_expression(std::to_string(*number))}, part->name, part->span);
    if (!is_call(part, "int") || part->args.size() != 1 || !part->keywords.empty()) return nullptr;
    const Expression of = with_whole_numbers(part->args[0]);
    if (is_whole(of, false)) return of;
    const bool divides = of->kind == SyntaxKind::divide && is_whole(of->args[0], true, true) && is_whole(of->args[1], true, true);  // only sizes have a floor_divide
    if (!divides) fail("call.arguments", "int cuts off what this has behind the point", part->span, "leave it out of whole numbers; sizes are divided with //");
    return node(SyntaxKind::floor_divide, of->args, {}, part->span);
  });
}

}  // namespace foldproof::read
