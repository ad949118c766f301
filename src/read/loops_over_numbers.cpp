// SPDX-License-Identifier: MIT
// Loops over numbers and written items, whose steps are written out one after the other.
#include <algorithm>

#include "expr/diagnostic.hpp"
#include "read/loops.hpp"
#include "read/parse.hpp"

namespace foldproof::read {
namespace {

/// 1 and -1, as x.shape has them.
std::optional<std::int64_t> small_axis(const Tokens& t) {
  const bool back = t.size() == 2 && t[0].is("-");
  const auto number = small_number(back ? between(t, 1) : t);
  return !number ? std::nullopt : std::optional(back ? -static_cast<std::int64_t>(*number) : static_cast<std::int64_t>(*number));
}

}  // namespace

/// The whole number that the tokens say, also through names of numbers and lengths of lists; nothing where that depends on sizes, or on the step
/// of a loop around it.
std::optional<std::int64_t> Loops::whole(const Tokens& tokens) const {
  if (const auto number = small_number(tokens)) return static_cast<std::int64_t>(*number);
  std::string text;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const Token& t = tokens[k];
    if (t.kind != TokenKind::name) {
      text += std::string(t.text) + " ";
      continue;
    }
    const bool shape = k + 5 < tokens.size() && tokens[k + 1].is(".") && tokens[k + 2].is("shape") && tokens[k + 3].is("[");
    const std::size_t behind = shape ? closing(tokens, k + 3) : 0;
    if (const auto axis = shape && behind < tokens.size() ? small_axis(slice(tokens, k + 4, behind)) : std::nullopt; axis && around_.loops == 0 && around_.targets.count(t.text) == 0) {
      const auto size = size_(std::string(t.text), *axis);
      if (!size) return std::nullopt;
      text += std::to_string(*size) + " ";
      k = behind;
      continue;
    }
    const bool length = t.is("len") && k + 3 < tokens.size() && tokens[k + 1].is("(") && tokens[k + 2].kind == TokenKind::name && tokens[k + 3].is(")");
    const std::string name(tokens[length ? k + 2 : k].text);
    if (around_.loops > 0 || around_.targets.count(name) > 0) return std::nullopt;
    std::optional<std::int64_t> number = length ? std::nullopt : number_(name);
    if (length && is_list_of_items(name)) {
      const auto list = lists_.find(name);
      number = static_cast<std::int64_t>(list != lists_.end() ? list->second.items.size() : length_(name).value_or(0));
    }
    if (!number) return std::nullopt;
    text += "(" + std::to_string(*number) + ") ";
    k += length ? 3 : 0;
  }
  try {
    return folded(parse_expression(text));
  } catch (const Error&) {
    return std::nullopt;  // the loop says what is wrong
  }
}

/// The numbers of range(a, b, c) where all three are numbers; at most one more than loops may have steps.
std::optional<std::vector<std::int64_t>> Loops::numbers_of(const Tokens& range) const {
  if (!range[0].is("range") || range.size() < 4 || !is_one_bracket(between(range, 1))) return std::nullopt;
  const auto arguments = parts_of(inside(range, 2));
  std::vector<std::int64_t> given;
  for (const Tokens& argument : arguments) {
    const auto number = argument.empty() ? std::nullopt : whole(argument);
    if (!number) return std::nullopt;
    given.push_back(*number);
  }
  if (given.size() > 3) return std::nullopt;
  const std::int64_t begin = given.size() > 1 ? given[0] : 0, end = given.size() > 1 ? given[1] : given[0], by = given.size() > 2 ? given[2] : 1;
  if (by == 0) refuse_loop(range[0], "a range has no step of 0", "write range(a, b)");
  std::vector<std::int64_t> numbers;
  for (std::int64_t k = begin; (by > 0 ? k < end : k > end) && numbers.size() <= most_steps; k += by) numbers.push_back(k);
  return numbers;
}

/// A loop over range(a, b, c) of sizes as one over range((b - a) / c), where that is a whole number for all sizes.
std::optional<Loop> Loops::with_whole_steps(const Loop& loop, const Items& targets) {
  const Tokens& range = loop.range;
  const auto arguments = range[0].is("range") && range.size() > 3 && is_one_bracket(between(range, 1)) ? parts_of(inside(range, 2)) : std::vector<Tokens>{};
  const bool complete = std::none_of(arguments.begin(), arguments.end(), [](const Tokens& argument) { return argument.empty(); });
  if (arguments.size() != 3 || !complete || targets.flat.size() != 1 || numbers_of(range) || arguments[2][0].is("-") || whole(arguments[2]) == std::optional<std::int64_t>(1)) return std::nullopt;
  const auto refuse = [&]() { refuse_loop(range[0], "whether this range has a whole number of steps is not known", "write range(m), and i*c for every c-th index of m*c"); };
  const Token& target = targets.flat[0];
  if (least(arguments[2]) != std::optional(1)) refuse();
  const Expression begin = parse_expression(text_of(arguments[0])), count = steps_between(begin, parse_expression(text_of(arguments[1])), parse_expression(text_of(arguments[2])));
  if (!count) refuse();
  for (const Token& name : range) {
    if (name.kind == TokenKind::name && (assigns(loop.body, name.text) || name.text == target.text)) refuse_loop(name, describe(name) + " changes while the loop goes through it", "give it another name in the loop");
  }
  if (assigns(loop.body, target.text)) refuse_loop(target, "the index of the loop gets another value", "give that another name");
  Loop whole_steps = loop;
  const Token index = item_name(target, made_.size());
  whole_steps.targets = {index};
  whole_steps.range = code("range (", range[0]);
  for (const Token& token : tokenize(made(TokenKind::name, text(count), range[0]).text)) {
    if (token.kind != TokenKind::end) whole_steps.range.push_back({token.kind, token.text, range[0].span});
  }
  put(whole_steps.range, code(")", range[0]));
  Tokens place{index, symbol("*", target)};
  put(place, in_brackets(arguments[2], target));
  if (!is_number(begin, 0)) {
    place.push_back(symbol("+", target));
    put(place, in_brackets(arguments[0], target));
  }
  place = in_brackets(std::move(place), target);
  whole_steps.body = replaced(loop.body, [&](std::string_view name) { return name == target.text ? &place : nullptr; });
  return whole_steps;
}

/// The numbers that a loop counts; none where it goes through something else.
std::optional<Counted> Loops::counted(const Tokens& range) {
  if (range.empty()) return std::nullopt;
  const Token& first = range[0];
  if (range.size() < 4 || !is_one_bracket(between(range, 1))) return std::nullopt;
  const auto arguments = parts_of(inside(range, 2));
  if (first.is("reversed") && arguments.size() == 1) {
    auto numbers = counted(arguments[0]);
    if (numbers) numbers->backwards = !numbers->backwards;
    return numbers;
  }
  if (!first.is("range") || arguments[0].empty()) return std::nullopt;
  const bool back = arguments.size() == 3 && arguments[2].size() == 2 && arguments[2][0].is("-") && arguments[2][1].text == "1";
  if (arguments.size() > 3 || (arguments.size() == 3 && !back && small_number(arguments[2]) != std::optional<std::size_t>(1))) refuse_loop(first, "a range has no step but -1 here", "write range(a, b), and 2*i for every second index");
  if (arguments.size() == 1) return Counted{{made(TokenKind::number, "0", first)}, arguments[0]};
  if (!back) return Counted{arguments[0], arguments[1]};
  const auto one_more = [&](Tokens t) -> Tokens {
    if (const auto number = small_number(t)) return {made(TokenKind::number, std::to_string(*number + 1), first)};
    const bool less_one = t.size() > 1 && t[t.size() - 2].is("-") && t.back().text == "1";
    if (less_one && t.size() == 2) return {made(TokenKind::number, "0", first)};
    if (less_one && (t[t.size() - 3].kind != TokenKind::symbol || closes(t[t.size() - 3]))) return between(t, 0, -2);
    put(t, code("+ 1", first));
    return t;
  };
  return Counted{one_more(arguments[1]), one_more(arguments[0]), true};
}

/// The least value that is known of the end of a range, 0 or 1; nothing where it may be below. Sizes are at least 1, and indices at least 0.
std::optional<int> Loops::least(const Tokens& t) const {
  if (is_one_bracket(t) && t[0].is("(")) return least(inside(t, 1));
  const auto number = small_number(t);
  if (number) return *number > 0 ? 1 : 0;
  if (t.size() == 1 && t[0].kind == TokenKind::name) return around_.targets.count(t[0].text) > 0 ? std::optional(0) : is_size_(std::string(t[0].text)) ? std::optional(1) : std::nullopt;
  for (const char* sign : {"+", "*"}) {
    const auto place = place_outside(t, sign);
    if (!place || *place == 0 || *place + 1 == t.size() || has_outside(t, "-") || has_outside(t, "/") || has_outside(t, "//") || has_outside(t, "%")) continue;
    const auto first = least(between(t, 0, static_cast<std::ptrdiff_t>(*place))), rest = least(between(t, *place + 1));
    if (!first || !rest) return std::nullopt;
    return *sign == '+' ? std::max(*first, *rest) : std::min(*first, *rest);
  }
  const auto has_entries = [&](const Tokens& names) { return std::all_of(names.begin(), names.end(), [&](const Token& name) { return name.is(",") || name.is("zipped") || name.is("(") || name.is(")") || has_entries_(std::string(name.text)); }); };
  const bool length = t.size() > 3 && t[0].is("len") && is_one_bracket(between(t, 1)), of_shape = t.size() > 4 && t[1].is(".") && (t[2].is("shape") || t[2].is("size")) && is_one_bracket(between(t, 3));
  return (length && has_entries(inside(t, 2))) || (of_shape && has_entries({t[0]})) ? std::optional(1) : std::nullopt;
}

/// Whether a loop has a step for all sizes.
bool Loops::has_step(const Counted& steps) const { return small_number(steps.begin) == std::optional<std::size_t>(0) && least(steps.end) == std::optional(1); }

/// What each step gives to the targets, of a loop over numbers, written items, or a list or tensor of as many items as a number says;
/// none where that is a size. `before` gets the definitions of what is written; without it that stands in brackets where it is used.
std::optional<std::vector<Loops::Step>> Loops::steps_of(const Tokens& range, Tokens* before) {
  if (range.empty()) return std::nullopt;
  const Token& first = range[0];
  if (is_in_round_brackets(range)) return steps_of(inside(range, 1), before);
  const bool call = range.size() > 3 && first.kind == TokenKind::name && range[1].is("(") && is_one_bracket(between(range, 1));
  const auto arguments = call ? parts_of(inside(range, 2)) : std::vector<Tokens>{};
  std::vector<Step> steps;
  if (const auto numbers = numbers_of(range)) {
    for (const std::int64_t k : *numbers) {
      const Token digits = made(TokenKind::number, std::to_string(k < 0 ? -k : k), first);
      steps.push_back({{k < 0 ? in_brackets({symbol("-", first), digits}, first) : Tokens{digits}}, "x"});
    }
    return steps;
  }
  if (const auto numbers = counted(range)) {
    const auto begin = small_number(numbers->begin), end = small_number(numbers->end);
    if (!begin || !end) return std::nullopt;
    for (std::size_t k = *begin; k < *end && steps.size() <= most_steps; ++k) steps.push_back({{{made(TokenKind::number, std::to_string(k), first)}}, "x"});
    if (numbers->backwards) std::reverse(steps.begin(), steps.end());
    return steps;
  }
  if (call && first.is("reversed") && arguments.size() == 1) {
    auto turned = steps_of(arguments[0], before);
    if (!turned) refuse_loop(first, "this goes backwards over as many items as a size says", "write flip(x, axis=0)");
    std::reverse(turned->begin(), turned->end());
    return turned;
  }
  const auto from = call && first.is("enumerate") && arguments.size() == 2 ? whole(between(arguments[1], arguments[1].size() > 2 && arguments[1][0].is("start") && arguments[1][1].is("=") ? 2 : 0)) : std::optional<std::int64_t>(0);
  if (call && first.is("enumerate") && arguments.size() < 3 && from && *from >= 0) {
    auto counted = steps_of(arguments[0], before);
    for (std::size_t k = 0; counted && k < counted->size(); ++k) {
      Step& step = (*counted)[k];
      step.values.insert(step.values.begin(), {made(TokenKind::number, std::to_string(k + static_cast<std::size_t>(*from)), first)});
      step.form = step.form.size() > 1 ? "x,(" + step.form + ")" : "x,x";
    }
    return counted;
  }
  if (call && first.is("zip")) {
    require_several(first, arguments);
    for (const Tokens& argument : arguments) {
      const auto one = steps_of(argument, before);
      if (!one && &argument == arguments.data()) return std::nullopt;
      if (!one || (&argument != arguments.data() && one->size() != steps.size())) refuse_loop(first, "zip goes through lists of different lengths", "take as many items of each");
      if (&argument == arguments.data()) steps.resize(one->size());
      for (std::size_t k = 0; k < steps.size(); ++k) {
        steps[k].values.insert(steps[k].values.end(), (*one)[k].values.begin(), (*one)[k].values.end());
        const std::string& form = (*one)[k].form;
        steps[k].form += (steps[k].form.empty() ? "" : ",") + (form.size() > 1 ? "(" + form + ")" : form);
      }
    }
    return steps;
  }
  const bool list = range.size() == 1 && lists_.count(first.text) > 0;
  if (list) {
    const List& known = lists_.find(first.text)->second;
    if (!known.comprehension.empty()) return std::nullopt;
    for (const Tokens& item : known.items) steps.push_back({{item}, "x"});
    if (steps.empty()) refuse_loop(first, "the list " + describe(first) + " is empty here", "append to it first");
    return steps;
  }
  if (range.size() == 1 && first.kind == TokenKind::name) {
    const auto length = length_(std::string(first.text));
    if (!length || *length > most_steps) return std::nullopt;
    for (std::size_t k = 0; k < *length; ++k) steps.push_back({{{first, symbol("[", first), made(TokenKind::number, std::to_string(k), first), symbol("]", first)}}, "x"});
    return steps;
  }
  if (!is_one_bracket(range) || has_outside(inside(range, 1), "for")) refuse_loop(first, "a loop runs over range(n), a tensor or a list by its name, or over what is written in [ ]", "name it before the loop: ws = ...");
  for (const Tokens& item : parts_of(inside(range, 1))) {
    Step step;
    const bool tuple = is_one_bracket(item) && item[0].is("(") && has_outside(inside(item, 1), ",");
    for (const Tokens& value : tuple ? parts_of(inside(item, 1)) : std::vector<Tokens>{item}) {
      if (value.empty() || value[0].is("[")) refuse_loop(first, "a list in a list", "write one list for each");
      const bool number = small_number(value).has_value();
      if (before == nullptr) {
        step.values.push_back(in_brackets(value, first));
        step.form += step.form.empty() ? "x" : ",x";
        continue;
      }
      const Token fresh = number ? value[0] : item_name(made(TokenKind::name, "item", first), made_.size());
      step.values.push_back({fresh});
      step.form += step.form.empty() ? "x" : ",x";
      if (number) continue;
      put(*before, {fresh, symbol("=", first)});
      put(*before, value);
      before->push_back({TokenKind::separator, "\n", first.span});
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

/// Whether a statement of the loop, or one in it, gives the name another value.
bool Loops::assigns(const Tokens& body, std::string_view name) {
  for (const Tokens& statement : statements_of(body)) {
    const bool loop = statement[0].is("for");
    const std::size_t targets = (loop ? place_outside(statement, "in") : assignment(statement)).value_or(0);
    for (std::size_t k = 0; k < targets; ++k) {
      if (statement[k].text == name && is_use(statement, k) && !(k > 0 && item_change(statement))) return true;
    }
  }
  return false;
}

/// What stands there in the step, with its values for the targets of the loop.
Tokens Loops::in_step(const Tokens& tokens, const Items& targets, const Step& step, const Token& at) {
  if (step.form != targets.form) refuse_loop(at, std::to_string(targets.flat.size()) + " names for the " + std::to_string(step.values.size()) + " values of a step", "write one name for each");
  return replaced(tokens, [&](std::string_view name) -> const Tokens* {
    const auto target = std::find_if(targets.flat.begin(), targets.flat.end(), [&](const Token& t) { return t.text == name; });
    return target == targets.flat.end() ? nullptr : &step.values[static_cast<std::size_t>(target - targets.flat.begin())];
  });
}

/// The steps one after the other, of which each finds out by itself what it does.
Tokens Loops::step_by_step(const Loop& loop, const Items& targets, const std::vector<Step>& steps) {
  Tokens result;
  for (std::size_t k = 0; k < steps.size() && result.size() <= most_tokens_written; ++k) put(result, in_step(loop.body, targets, steps[k], loop.begin));
  return result;
}

/// The loop step by step. What its steps give to all places of an array is put together after the last one.
Tokens Loops::unrolled(const Loop& loop, const Items& targets, const std::vector<Step>& steps) {
  for (const Token& target : targets.flat) {
    if (assigns(loop.body, target.text)) refuse_loop(target, "the index of the loop gets another value", "give that another name");
  }
  for (const Token& range : loop.range) {
    if (range.kind == TokenKind::name && !is_one_bracket(loop.range) && assigns(loop.body, range.text)) refuse_loop(range, describe(range) + " changes while the loop goes through it", "give it another name in the loop");
  }
  const bool has_cases = std::any_of(loop.body.begin(), loop.body.end(), [](const Token& t) { return t.kind == TokenKind::block_begin; }) && std::any_of(loop.body.begin(), loop.body.end(), [](const Token& t) { return t.is("if") || t.is("while"); });
  if (const auto cases = has_cases ? unrolled_cases(loop, targets, steps) : std::nullopt) return *cases;
  if (has_cases && !parser_.is_in_function()) return step_by_step(loop, targets, steps);
  refuse_while(loop);
  if (steps.size() > 1) require_own_places(loop, targets);
  const Set in_turn = given_in_turn(loop.body);
  const bool nested = std::any_of(loop.body.begin(), loop.body.end(), [](const Token& t) { return t.is("for"); });  // where the pieces of the inner loop are added up
  if (nested && !in_turn.empty() && !parser_.is_in_function()) return step_by_step(loop, targets, steps);
  if (nested) require_one_statement(loop);
  const bool counted = loop.range[0].is("enumerate") || (loop.range[0].is("range") && whole(inside(loop.range, 2)));
  std::map<std::string, std::vector<Tokens>, std::less<>> pieces;  ///< what the steps give to an array, by the name in the body
  Tokens before, body, after;
  std::size_t at = 0;
  const auto place_of = [&](const ItemChange& item) { return std::find_if(item.places.begin(), item.places.end(), [&](const Tokens& p) { return p.size() == 1 && p[0].text == targets.flat[0].text; }) - item.places.begin(); };
  const auto has_all_places = [&](const Token& array, const ItemChange& item, std::size_t k) {
    const bool from_end = std::any_of(item.places.begin(), item.places.begin() + static_cast<std::ptrdiff_t>(k), [](const Tokens& p) { return p[0].is("."); });
    const auto size = size_(std::string(array.text), static_cast<std::int64_t>(k) - (from_end ? static_cast<std::int64_t>(item.places.size()) : 0));
    return !size || *size == static_cast<std::int64_t>(steps.size());
  };
  while (at < loop.body.size()) {
    if (loop.body[at].is("for")) {
      const Loop inner = read_loop(loop.body, at);
      const auto statements = statements_of(inner.body);
      const bool gives_places = std::any_of(statements.begin(), statements.end(), [&](const Tokens& statement) {
        const auto item = item_change(statement);
        return item && place_of(*item) < static_cast<std::ptrdiff_t>(item->places.size());
      });
      if (gives_places) {  // the inner loop first: then each step gives the array its place once
        Loop again = loop;
        again.body = between(loop.body, 0, static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(loop.body.size()));
        const Set gone = gone_, before = free_names(again.body);
        const Around outer = around_;
        ++around_.loops;
        for (const Token& target : targets.flat) {
          around_.targets.emplace(target.text);
          gone_.erase(std::string(target.text));
        }
        for (const std::string& name : before) {
          around_.read.insert(name);
          gone_.erase(name);
        }
        put(again.body, without_loop(inner));
        around_ = outer;
        gone_.insert(gone.begin(), gone.end());
        put(again.body, between(loop.body, inner.end));
        return unrolled(again, targets, steps);
      }
      put(body, between(loop.body, at, static_cast<std::ptrdiff_t>(inner.end)));
      at = inner.end;
      continue;
    }
    Tokens statement;
    for (; !ends_statement(loop.body[at]); ++at) statement.push_back(loop.body[at]);
    const Token& end = loop.body[at++];
    auto item = counted ? item_change(statement) : std::nullopt;
    if (item && lists_.count(statement[0].text) > 0) item.reset();  // which has its items one by one
    if (item && !item->sign.empty() && !item->adds()) item.reset();  // x[0] *= s, then x[1] *= s
    const auto names_target = [&](const Tokens& place) { return std::any_of(targets.flat.begin(), targets.flat.end(), [&](const Token& t) { return names(place, t.text); }); };
    if (item && (in_turn.count(statement[0].text) > 0 || std::count_if(item->places.begin(), item->places.end(), names_target) > 1)) item.reset();  // P[0, 1] = 1, then P[1, 2] = 1
    const std::size_t place = item ? static_cast<std::size_t>(place_of(*item)) : 0;
    if (item && place < item->places.size() && !has_all_places(statement[0], *item, place)) item.reset();
    if (item && place < item->places.size()) {
      const Token array = statement[0];
      require_once(array, *item, loop.body);
      if (item->sign.empty() && !adds_to_zeros(array, *item, place) && around_.loops == 0) {
        if (empty_.count(array.text) > 0) put(before, with_unknown_entries(array));
      } else {
        require_zeros(array, *item);
      }
      const Token fresh = item_name(array, made_.size());
      std::vector<Tokens>& items = pieces[std::string(fresh.text)];
      for (std::size_t k = 0; k < steps.size(); ++k) items.push_back({item_name(fresh, k)});
      put(body, {fresh, symbol("=", array)});
      put(body, piece(array, *item));
      Tokens all;
      for (const Tokens& one : items) {
        put(all, one);
        all.push_back(symbol(",", array));
      }
      put(after, changed_array(array, *item, place, all));
      after.push_back({TokenKind::separator, "\n", array.span});
    } else {
      put(body, statement);
    }
    body.push_back(end);
  }
  Tokens result = std::move(before);
  for (std::size_t k = 0; k < steps.size() && result.size() <= most_tokens_written; ++k) {
    const Tokens with_pieces = replaced(body, [&](std::string_view name) -> const Tokens* {
      const auto given = pieces.find(name);
      return given == pieces.end() ? nullptr : &given->second[k];
    });
    put(result, in_step(with_pieces, targets, steps[k], loop.begin));
  }
  put(result, after);
  return result;
}

}  // namespace foldproof::read
