// SPDX-License-Identifier: MIT
#include "expr/loops.hpp"

#include <algorithm>
#include <optional>

#include "expr/diagnostic.hpp"

namespace foldproof::expr {
namespace {

constexpr std::size_t most_steps = 64;

[[noreturn]] void refuse(const Token& at, const std::string& message, const std::string& hint) { refuse_loop(at, message, hint); }

void require_several(const Token& zip, const std::vector<Tokens>& arguments) {
  if (arguments.size() < 2) refuse(zip, "zip of one thing gives tuples of one value", "write for a in A:");
}

}  // namespace

/// The next statement, without the separator after it.
Tokens Loops::statement() const {
  Tokens tokens;
  for (std::size_t k = 0; parser_.peek(k).kind != TokenKind::separator && parser_.peek(k).kind != TokenKind::end; ++k) tokens.push_back(parser_.peek(k));
  return tokens;
}

/// The loop, case or function that begins there, with its block.
Tokens Loops::compound(std::size_t begin) const {
  Tokens tokens;
  int depth = 0;
  const auto ends = [&](const Token& t) { return t.kind == TokenKind::end || (depth == 0 && t.kind == TokenKind::separator); };
  while (!ends(parser_.peek(begin + tokens.size()))) {
    tokens.push_back(parser_.peek(begin + tokens.size()));
    depth += (tokens.back().kind == TokenKind::block_begin ? 1 : 0) - (tokens.back().kind == TokenKind::block_end ? 1 : 0);
  }
  return tokens;
}

/// A name that stands nowhere in the text.
Token Loops::item_name(const Token& list, std::size_t k) {
  std::string name = std::string(list.text) + "_" + std::to_string(k);
  while (text_.find(name) != std::string_view::npos) name += "_";
  return made(TokenKind::name, std::move(name), list);
}

/// Python reads what the name stands for when the function is called.
void Loops::refuse_read(const Token& name) const {
  if (read_by_function_(std::string(name.text))) refuse(name, "a function reads " + describe(name) + ", which changes after it", "give it to the function as an argument");
}

Token Loops::made(TokenKind kind, std::string text, const Token& at) {
  made_.push_back(std::move(text));
  return {kind, made_.back(), at.span};
}

void Loops::rewrite(std::size_t count, Tokens by) {
  written_ += by.size() + 1;
  if (written_ > most_tokens_written) fail("limit.size", "with its lists and loops written out the claim is too long", parser_.peek().span, "write sum(... for i in range(h))");
  parser_.rewrite(count, std::move(by));
}

bool Loops::take() {
  if (parser_.peek().is("for") && (parser_.peek(1).kind == TokenKind::name || parser_.peek(1).is("("))) {
    loop();
    return true;
  }
  if (begins_list()) {
    begin_list(statement());
    return true;
  }
  const Tokens next = statement();
  if (is_append(next) && lists_.count(next[0].text) > 0) {
    append();
    return true;
  }
  if (next.empty() || next[0].is("if") || next[0].is("elif") || next[0].is("else")) return false;  // what is in the cases comes by itself
  if (next.front().is("def") && order_functions()) return true;
  if (next.front().is("def")) {  // read statement by statement, but for default values
    Tokens defaults;
    bool value = false;
    int depth = 0;
    for (std::size_t k = 1; k < next.size() && !(depth == 0 && next[k].is(":")); ++k) {
      depth += (opens(next[k]) ? 1 : 0) - (closes(next[k]) ? 1 : 0);
      if (depth == 1 && (next[k].is("=") || next[k].is(","))) value = next[k].is("=");
      else if (value) defaults.push_back(next[k]);
    }
    refuse_gone(defaults);
    for (const auto& [name, list] : lists_) {
      if (names(defaults, name)) refuse(next.front(), "a default value is made of the list `" + name + "`", "give the value a name before");
    }
    return false;
  }
  const auto equals = assignment(next);
  if (equals && (spread(next, *equals) || divide(next, *equals) || keep_for_lists(next, *equals))) return true;
  if (!empty_.empty()) refuse_gone(next);
  for (std::size_t k = 0; equals && k < *equals; ++k) {
    zeros_.erase(std::string(next[k].text));
    empty_.erase(std::string(next[k].text));
  }
  if (equals && *equals == 1) note_zeros(next);
  if (lists_.empty() && gone_.empty() && empty_.empty()) return false;
  refuse_gone(next);
  for (const auto& [name, list] : lists_) {
    if (names(next, name) && std::any_of(next.begin(), next.end(), [](const Token& t) { return t.is("lambda"); })) refuse(next.front(), "a function reads the list `" + name + "`, which may change after it", "give it to the function as an argument");
  }
  const bool updates = equals && changes_in_place(next, *equals);
  const bool item = equals && std::any_of(lists_.begin(), lists_.end(), [&](const auto& list) { return names(next, list.first, *equals); });
  for (std::size_t k = 0; equals && k < *equals; ++k) {
    if (lists_.count(next[k].text) > 0) refuse(next[k], "the list " + describe(next[k]) + " gets another value", "give that another name");
    if (item) items_.emplace(next[k].text);
    else if (!updates) items_.erase(std::string(next[k].text));
    if (!updates && next[k].kind == TokenKind::name) gone_.erase(std::string(next[k].text));
  }
  const Tokens out = written_out(next);
  if (out.size() != next.size()) rewrite(next.size(), out);
  return false;
}

/// Functions that stand one below the other may call each other in any order: those that are called come first.
bool Loops::order_functions() {
  struct Function {
    std::string_view name;
    Tokens text;
  };
  std::vector<Function> functions;
  std::size_t at = 0;
  while (parser_.peek(at).is("def") && parser_.peek(at + 1).kind == TokenKind::name) {
    Function function{parser_.peek(at + 1).text, compound(at)};
    at += function.text.size();
    while (parser_.peek(at).kind == TokenKind::separator) function.text.push_back(parser_.peek(at++));
    functions.push_back(std::move(function));
  }
  std::vector<Function> ordered;
  std::vector<bool> placed(functions.size());
  while (ordered.size() < functions.size()) {
    std::size_t k = 0;
    const auto waits = [&](std::size_t f) {  // it calls another that has no place yet
      for (std::size_t other = 0; other < functions.size(); ++other) {
        if (other != f && !placed[other] && names(functions[f].text, functions[other].name, 2)) return true;
      }
      return false;
    };
    while (k < functions.size() && (placed[k] || waits(k))) ++k;
    if (k == functions.size()) return false;  // in a circle
    placed[k] = true;
    ordered.push_back(functions[k]);
  }
  const bool same = std::equal(ordered.begin(), ordered.end(), functions.begin(), [](const Function& a, const Function& b) { return a.name == b.name; });
  if (same) return false;
  Tokens all;
  for (const Function& function : ordered) put(all, function.text);
  rewrite(at, std::move(all));
  return true;
}

/// NAME = [...] or NAME = list(), but for a list of numbers, which is an array.
bool Loops::begins_list() const {
  if (!parser_.peek(1).is("=") || parser_.peek().kind != TokenKind::name || (!parser_.peek(2).is("[") && !(parser_.peek(2).is("list") && parser_.peek(3).is("(") && parser_.peek(4).is(")")))) return false;
  const Tokens next = statement();
  if (next[2].is("[") && !is_one_bracket(between(next, 2))) return false;  // [a] + [b]
  const auto items = parts_of(inside(next, next[2].is("[") ? 3 : 4));
  const auto is_number = [](const Tokens& t) { return !t.empty() && (t[0].is("[") || t.back().kind == TokenKind::number); };
  return (items.size() == 1 && items[0].empty()) || std::none_of(items.begin(), items.end(), is_number);
}

/// Which arrays are zeros: np.zeros(...), and np.empty(...), which is read as zeros that nobody may look at before every place has got its value.
void Loops::note_zeros(const Tokens& next) {
  const std::string name(next[0].text);
  const Tokens value = between(next, 2);
  if (!makes_zeros(value)) return;
  zeros_.insert(name);
  const Token& function = *called(value);
  if (!function.is("empty")) return;
  empty_.insert(name);
  Tokens rewritten = next;
  rewritten[2 + static_cast<std::size_t>(&function - value.data())].text = "zeros";
  rewrite(next.size(), std::move(rewritten));
}

/// q, k = (f(t) for t in (q, k)) and q, k = map(lambda t: f(t), (q, k)): the items first, then what is made of each.
bool Loops::spread(const Tokens& next, std::size_t equals) {
  const std::vector<Tokens> targets = parts_of(between(next, 0, static_cast<std::ptrdiff_t>(equals)));
  Tokens value = between(next, equals + 1), body, source;
  if (targets.size() < 2 || value.empty()) return false;
  std::string_view variable;
  if (value[0].is("map") && is_one_bracket(between(value, 1))) {
    const auto arguments = parts_of(inside(value, 2));
    if (arguments.size() != 2) return false;
    source = arguments[1];
    if (arguments[0].size() > 3 && arguments[0][0].is("lambda") && arguments[0][2].is(":")) {
      variable = arguments[0][1].text;
      body = between(arguments[0], 3);
    } else if (arguments[0].size() == 1) {
      const Token each = made(TokenKind::name, "each", value[0]);
      variable = each.text;
      body = {arguments[0][0], symbol("(", value[0]), each, symbol(")", value[0])};
    }
  } else if (is_one_bracket(value)) {
    value = inside(value, 1);
    const std::size_t k = place_outside(value, "for").value_or(value.size());
    if (k + 3 < value.size() && value[k + 1].kind == TokenKind::name && value[k + 2].is("in")) {
      body = between(value, 0, static_cast<std::ptrdiff_t>(k));
      variable = value[k + 1].text;
      source = between(value, k + 3);
    }
  }
  if (body.empty() || source.empty() || source[0].is("range") || has_outside(source, "for") || has_outside(source, "if")) return false;
  if (is_one_bracket(source)) source = inside(source, 1);
  Tokens statements;
  std::vector<Tokens> items;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    items.push_back({item_name(next[0], made_.size())});
    if (k > 0) statements.push_back(symbol(",", next[0]));
    put(statements, items.back());
  }
  statements.push_back(symbol("=", next[0]));
  put(statements, source);
  statements.push_back({TokenKind::separator, "\n", next[0].span});
  put(statements, between(next, 0, static_cast<std::ptrdiff_t>(equals + 1)));
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (k > 0) statements.push_back(symbol(",", next[0]));
    put(statements, replaced(body, [&](std::string_view name) { return name == variable ? &items[k] : nullptr; }));
  }
  rewrite(next.size(), std::move(statements));
  return true;
}

/// qkv = x.chunk(3, dim=-1) and np.split(x, 3, axis=1): a list of so many parts.
bool Loops::divide(const Tokens& next, std::size_t equals) {
  if (equals != 1 || !next.back().is(")") || lists_.count(next[0].text) > 0 || known_(std::string(next[0].text))) return false;
  std::size_t open = next.size() - 1;
  for (int depth = 1; open > 2 && depth > 0;) {
    --open;
    depth += (closes(next[open]) ? 1 : 0) - (opens(next[open]) ? 1 : 0);
  }
  const bool module = open == 5 && (next[2].is("torch") || next[2].is("np") || next[2].is("numpy"));
  const bool divides = open > 4 && next[open - 2].is(".") && (next[open - 1].is("chunk") || (next[open - 1].is("split") && module && !next[2].is("torch")));
  const auto arguments = divides ? parts_of(inside(next, open + 1)) : std::vector<Tokens>{};
  const auto count = arguments.size() > (module ? 1U : 0U) ? small_number(arguments[module ? 1 : 0]) : std::nullopt;
  if (!count || *count < 2 || *count > most_steps) return false;
  List list;
  Tokens statements;
  for (std::size_t k = 0; k < *count; ++k) {
    list.items.push_back({item_name(next[0], made_.size())});
    if (k > 0) statements.push_back(symbol(",", next[0]));
    put(statements, list.items.back());
  }
  put(statements, written_out(between(next, 1)));
  refuse_gone(next);
  refuse_read(next[0]);
  gone_.erase(std::string(next[0].text));
  lists_[std::string(next[0].text)] = std::move(list);
  rewrite(next.size(), std::move(statements));
  return true;
}

/// ys = [f(x, i) for i in range(h)]; x = ...: what the list was made of keeps a name.
bool Loops::keep_for_lists(const Tokens& next, std::size_t equals) {
  if (equals == 0 || next[equals - 1].kind == TokenKind::symbol) return false;
  for (std::size_t k = 0; k < equals; ++k) {
    if (next[k].kind != TokenKind::name || !known_(std::string(next[k].text)) || !uses(std::string(next[k].text))) continue;
    const Tokens kept{item_name(next[k], made_.size())};
    for (auto& [name, list] : lists_) list.comprehension = replaced(list.comprehension, [&](std::string_view used) { return used == next[k].text ? &kept : nullptr; });
    rewrite(0, {kept[0], symbol("=", next[k]), next[k], {TokenKind::separator, "\n", next[k].span}});
    return true;
  }
  return false;
}

bool Loops::uses(const std::string& name) const {
  return std::any_of(lists_.begin(), lists_.end(), [&](const auto& list) { return names(list.second.comprehension, name); });
}

void Loops::require_read(const std::string& name, const List& list) {
  const auto calls = [](const Token& t) { return t.is("("); };
  if (!list.read && std::any_of(list.comprehension.begin(), list.comprehension.end(), calls)) refuse(list.comprehension.front(), "nothing needs the list `" + name + "`", "leave it out");
}
void Loops::require_read() const {
  for (const auto& [name, list] : lists_) require_read(name, list);
}

std::size_t Loops::item_count() const {
  std::size_t count = empty_.size();
  for (const auto& [name, list] : lists_) count += 1 + list.items.size() + list.comprehension.size();
  return count;
}

/// In Python such a name has its last value after the loop. What is changed in place is read, too.
void Loops::refuse_gone(const Tokens& next) const {
  const std::size_t equals = assignment(next).value_or(0), targets = changes_in_place(next, equals) ? 0 : equals;
  for (std::size_t k = targets; k < next.size(); ++k) {
    if (!is_use(next, k)) continue;
    if (gone_.count(next[k].text) > 0 && !is_index(next, k)) refuse(next[k], describe(next[k]) + " has the value of the last step here", "give what is used after the loop a name before it");
    if (empty_.count(next[k].text) > 0) refuse(next[k], describe(next[k]) + " has no values yet", "write np.zeros(...)");
  }
}

Tokens Loops::written_out(const Tokens& tokens) const {
  std::map<std::string, Tokens, std::less<>> values;
  for (const auto& [name, list] : lists_) {
    if (!names(tokens, name)) continue;
    list.read = true;
    const Token& at = tokens.front();
    Tokens value = list.comprehension;
    if (value.empty()) {
      if (list.items.empty()) refuse(at, "the list `" + name + "` is empty here", "append to it first");
      value.push_back(symbol("[", at));
      for (std::size_t k = 0; k < list.items.size(); ++k) {
        if (k > 0) value.push_back(symbol(",", at));
        value.insert(value.end(), list.items[k].begin(), list.items[k].end());
      }
      value.push_back(symbol("]", at));
    }
    values.emplace(name, std::move(value));
  }
  return replaced(tokens, [&](std::string_view name) {
    const auto value = values.find(name);
    return value == values.end() ? nullptr : &value->second;
  });
}

/// heads = [], heads = [A, B], heads = [f(i) for i in range(h)]
void Loops::begin_list(const Tokens& next) {
  const std::string name(next[0].text);
  if (lists_.count(name) == 0 && known_(name)) refuse(next[0], describe(next[0]) + " has a value already", "give the list a name of its own");
  const Tokens content = written_out(inside(next, next[2].is("[") ? 3 : 4));
  if (const auto old = lists_.find(name); old != lists_.end()) require_read(name, old->second);
  refuse_gone(next);
  refuse_read(next[0]);
  gone_.erase(name);
  List list;
  const bool comprehension = std::any_of(content.begin(), content.end(), [](const Token& t) { return t.is("for"); });
  if (comprehension) {
    list.comprehension.push_back(next[2]);
    list.comprehension.insert(list.comprehension.end(), content.begin(), content.end());
    list.comprehension.push_back(next.back());
  }
  lists_[name] = std::move(list);
  parser_.rewrite(next.size(), {});
  if (comprehension || content.empty()) return;
  Tokens statements;  // each item gets its value here
  for (const Tokens& item : parts_of(content)) {
    const Token fresh = item_name(next[0], made_.size());
    lists_[name].items.push_back({fresh});
    statements.push_back(fresh);
    statements.push_back(symbol("=", next[0]));
    statements.insert(statements.end(), item.begin(), item.end());
    statements.push_back({TokenKind::separator, ";", next[0].span});
  }
  rewrite(0, std::move(statements));
}

void Loops::append() {
  const Tokens next = statement();
  List& list = lists_.find(next[0].text)->second;
  if (!list.comprehension.empty()) refuse(next[0], "something is appended to a list of as many items as a size says", "write concat(A, B) of both");
  refuse_gone(next);
  refuse_read(next[0]);
  const Token fresh = item_name(next[0], made_.size());
  Tokens value = written_out(inside(next, 4));
  if (value.front().is("[") && is_one_bracket(value)) refuse(next[4], "a list in a list", "write one list for each");
  value.insert(value.begin(), {fresh, symbol("=", next[0])});
  list.items.push_back({fresh});
  rewrite(next.size(), std::move(value));
}

void Loops::loop() {
  Tokens tokens = compound(0);
  tokens.push_back(parser_.peek(tokens.size()));
  const Loop loop = read_loop(tokens, 0);
  parser_.rewrite(loop.end, {});
  rewrite(0, without_loop(loop));
}

/// The statements that do what the loop does.
Tokens Loops::without_loop(const Loop& loop) {
  const Items targets = items_of_targets(loop.targets);
  for (const Token& target : targets.flat) {
    if (lists_.count(target.text) > 0) refuse(target, "the list " + describe(target) + " gets another value", "give that another name");
    if (around_.targets.count(target.text) > 0) refuse(target, describe(target) + " gets its values from the loop around this one", "give the index of this loop another name");
    refuse_another_value(target);
  }
  Tokens before;
  Tokens statements;
  if (const auto steps = steps_of(loop.range, before)) {
    if (steps->empty() || steps->size() > most_steps) refuse(loop.begin, "a loop over numbers has 1 to " + std::to_string(most_steps) + " steps", "take fewer, or a size: for i in range(n):");
    statements = unrolled(loop, targets, *steps);
    statements.insert(statements.begin(), before.begin(), before.end());
  } else {
    statements = over_size(loop, targets);
  }
  for (const Token& target : targets.flat) gone_.emplace(target.text);
  return statements;
}

/// A loop gives the name another value than it has for what reads it.
void Loops::refuse_another_value(const Token& name) const {
  refuse_read(name);
  if (around_.read.count(name.text) > 0) refuse(name, "the loop around this one reads " + describe(name) + ", which gets another value here", "give that another name");
}

/// What is named outside of the loops in it that give the name its values.
Loops::Set Loops::free_names(const Tokens& tokens) {
  Set result;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].is("for")) {
      const Loop inner = read_loop(tokens, at);
      Set names_of = free_names(inner.body);
      for (const Token& target : inner.targets) names_of.erase(std::string(target.text));
      result.merge(names_of);
      result.merge(names_of = free_names(inner.range));
      at = inner.end - 1;
      continue;
    }
    Tokens statement;
    for (; at < tokens.size() && !ends_statement(tokens[at]); ++at) statement.push_back(tokens[at]);
    for (std::size_t k = 0; k < statement.size(); ++k) {
      if (is_use(statement, k) && !is_index(statement, k)) result.emplace(statement[k].text);
    }
  }
  return result;
}

/// The names that a loop gives values to, i, (a, b), with what stands between them.
Loops::Items Loops::items_of_targets(const Tokens& targets) {
  Items items;
  for (const Token& t : targets) {
    if (t.kind == TokenKind::name && !is_reserved(t.text)) {
      const bool again = std::any_of(items.flat.begin(), items.flat.end(), [&](const Token& other) { return other.text == t.text; });
      if (again) refuse(t, describe(t) + " gets two values in each step", "give each a name of its own");
      items.flat.push_back(t);
      items.form += "x";
    } else if (t.is("(") || t.is(")") || t.is(",")) {
      items.form += t.text;
    } else {
      refuse(t, "expected a name that the loop gives values to, found " + describe(t), "write for i in range(n):");
    }
  }
  if (is_one_bracket(targets)) items.form = items.form.substr(1, items.form.size() - 2);
  return items;
}

/// What each step gives to the targets, of a loop over numbers, written items, or a list or tensor of as many items as a number says;
/// none where that is a size. `before` gets the definitions of what is written.
std::optional<std::vector<Loops::Step>> Loops::steps_of(const Tokens& range, Tokens& before) {
  const Token& first = range[0];
  const bool call = range.size() > 3 && first.kind == TokenKind::name && range[1].is("(") && is_one_bracket(between(range, 1));
  const auto arguments = call ? parts_of(inside(range, 2)) : std::vector<Tokens>{};
  std::vector<Step> steps;
  if (call && first.is("range")) {
    const auto begin = arguments.size() == 1 ? std::optional<std::size_t>(0) : small_number(arguments[0]), end = small_number(arguments.size() > 1 ? arguments[1] : arguments[0]);
    if (arguments.size() > 2) refuse(first, "a range has no step here", "write range(a, b), and 2*i for every second index");
    if (!begin || !end) return std::nullopt;
    for (std::size_t k = *begin; k < *end && steps.size() <= most_steps; ++k) steps.push_back({{{made(TokenKind::number, std::to_string(k), first)}}, "x"});
    return steps;
  }
  if (call && first.is("reversed") && arguments.size() == 1) {
    auto turned = steps_of(arguments[0], before);
    if (!turned) refuse(first, "this goes backwards over as many items as a size says", "write flip(x, axis=0)");
    std::reverse(turned->begin(), turned->end());
    return turned;
  }
  if (call && first.is("enumerate") && arguments.size() == 1) {
    auto counted = steps_of(arguments[0], before);
    for (std::size_t k = 0; counted && k < counted->size(); ++k) {
      Step& step = (*counted)[k];
      step.values.insert(step.values.begin(), {made(TokenKind::number, std::to_string(k), first)});
      step.form = step.form.size() > 1 ? "x,(" + step.form + ")" : "x,x";
    }
    return counted;
  }
  if (call && first.is("zip")) {
    require_several(first, arguments);
    for (const Tokens& argument : arguments) {
      const auto one = steps_of(argument, before);
      if (!one && &argument == arguments.data()) return std::nullopt;
      if (!one || (&argument != arguments.data() && one->size() != steps.size())) refuse(first, "zip goes through lists of different lengths", "take as many items of each");
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
    if (steps.empty()) refuse(first, "the list " + describe(first) + " is empty here", "append to it first");
    return steps;
  }
  if (range.size() == 1 && first.kind == TokenKind::name) {
    const auto length = length_(std::string(first.text));
    if (!length || *length > most_steps) return std::nullopt;
    for (std::size_t k = 0; k < *length; ++k) steps.push_back({{{first, symbol("[", first), made(TokenKind::number, std::to_string(k), first), symbol("]", first)}}, "x"});
    return steps;
  }
  if (!is_one_bracket(range) || has_outside(inside(range, 1), "for")) refuse(first, "a loop runs over range(n), a tensor or a list by its name, or over what is written in [ ]", "name it before the loop: ws = ...");
  for (const Tokens& item : parts_of(inside(range, 1))) {
    Step step;
    const bool tuple = is_one_bracket(item) && item[0].is("(") && has_outside(inside(item, 1), ",");
    for (const Tokens& value : tuple ? parts_of(inside(item, 1)) : std::vector<Tokens>{item}) {
      if (value.empty() || value[0].is("[")) refuse(first, "a list in a list", "write one list for each");
      const bool number = small_number(value).has_value();
      const Token fresh = number ? value[0] : item_name(made(TokenKind::name, "item", first), made_.size());
      step.values.push_back({fresh});
      step.form += step.form.empty() ? "x" : ",x";
      if (number) continue;
      put(before, {fresh, symbol("=", first)});
      put(before, value);
      before.push_back({TokenKind::separator, "\n", first.span});
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

/// The loop step by step. What its steps give to all places of an array is put together after the last one.
Tokens Loops::unrolled(const Loop& loop, const Items& targets, const std::vector<Step>& steps) {
  for (const Token& target : targets.flat) {
    if (assigns(loop.body, target.text)) refuse(target, "the index of the loop gets another value", "give that another name");
  }
  for (const Token& range : loop.range) {
    if (range.kind == TokenKind::name && !is_one_bracket(loop.range) && assigns(loop.body, range.text)) refuse(range, describe(range) + " changes while the loop goes through it", "give it another name in the loop");
  }
  if (steps.size() > 1) require_own_places(loop, targets);
  const bool counted = loop.range[0].is("enumerate") || (loop.range[0].is("range") && small_number(inside(loop.range, 2)));
  std::map<std::string, std::vector<Tokens>, std::less<>> pieces;  ///< what the steps give to an array, by the name in the body
  Tokens body, after;
  std::size_t at = 0;
  const auto place_of = [&](const ItemChange& item) { return std::find_if(item.places.begin(), item.places.end(), [&](const Tokens& p) { return p.size() == 1 && p[0].text == targets.flat[0].text; }) - item.places.begin(); };
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
    const auto item = counted ? item_change(statement) : std::nullopt;
    const std::size_t place = item ? static_cast<std::size_t>(place_of(*item)) : 0;
    if (item && place < item->places.size()) {
      const Token array = statement[0];
      require_zeros(array, *item, loop.body);
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
  Tokens result;
  for (std::size_t k = 0; k < steps.size() && result.size() <= most_tokens_written; ++k) {
    const Step& step = steps[k];
    if (step.form != targets.form) refuse(loop.begin, std::to_string(targets.flat.size()) + " names for the " + std::to_string(step.values.size()) + " values of a step", "write one name for each");
    put(result, replaced(body, [&](std::string_view name) -> const Tokens* {
      for (std::size_t t = 0; t < targets.flat.size(); ++t) {
        if (targets.flat[t].text == name) return &step.values[t];
      }
      const auto given = pieces.find(name);
      return given == pieces.end() ? nullptr : &given->second[k];
    }));
  }
  put(result, after);
  return result;
}

/// Of x[i] = ... in a loop, or in one within it: each step has places of its own, unless it makes the array, and one statement gives them.
void Loops::require_own_places(const Loop& loop, const Items& targets) const {
  Set made_anew, given;
  std::map<std::string, std::size_t, std::less<>> changes;
  Set of_step;  // the index, and what is made of it
  for (const Token& t : targets.flat) of_step.emplace(t.text);
  const auto names_target = [&](const Tokens& place) { return std::any_of(of_step.begin(), of_step.end(), [&](const std::string& name) { return names(place, name); }); };
  for (const Tokens& statement : statements_of(loop.body)) {
    const std::string name(statement[0].text);
    const auto item = item_change(statement);
    const bool makes = !item && !added(statement) && statement.size() > 1 && statement[1].is("=");
    if (makes) made_anew.insert(name);
    else if (item || added(statement)) ++changes[name];
    if (makes && names_target(between(statement, 2))) of_step.insert(name);
    if (!item || !item->sign.empty()) continue;
    given.insert(name);
    const bool again = std::none_of(item->places.begin(), item->places.end(), names_target) && made_anew.count(name) == 0;
    if (again) refuse(statement[0], "each step gives the same places of " + describe(statement[0]) + " other values", "make the array anew in each step, or add to it");
  }
  for (const std::string& name : given) {
    if (changes[name] > 1) refuse(loop.begin, "`" + name + "` gets values in two places of this loop", "write one loop for each");
  }
}

/// Of x[i] = ... in a loop that gives every place its value once, so that it is added to zeros.
void Loops::require_zeros(const Token& array, const ItemChange& item, const Tokens& body) {
  std::size_t changes = 0;
  for (const Tokens& statement : statements_of(body)) {
    for (std::size_t k = 0; k < statement.size(); ++k) {
      const bool changed = k == 0 && item_change(statement);
      if (!changed && is_use(statement, k) && is_written(statement[k]) && statement[k].text == array.text) refuse(statement[k], "each step takes " + describe(array) + " from the one before", "give the values of the steps names of their own, and stack them");
    }
    changes += statement[0].text == array.text && (item_change(statement) || assignment(statement)) ? 1 : 0;
  }
  if (changes > 1 && item.sign.empty()) refuse(array, describe(array) + " gets values in two places of this loop", "write one loop for each");
  if (zeros_.count(array.text) == 0 || (!item.sign.empty() && empty_.count(array.text) > 0)) refuse(array, "that the entries of " + describe(array) + " are zeros before the loop is not known", "write " + std::string(array.text.substr(0, 40)) + " = np.zeros(...) before it");
}

void Loops::put_places(Tokens& tokens, const std::vector<Tokens>& places) {
  for (std::size_t k = 0; k < places.size(); ++k) {
    tokens.push_back(symbol(k == 0 ? "[" : ",", places[k][0]));
    put(tokens, places[k]);
  }
  tokens.push_back(symbol("]", places[0][0]));
}

/// What x[places] gets, in the shape that is there.
Tokens Loops::piece(const Token& array, const ItemChange& item) {
  const Token zero = made(TokenKind::name, std::string(array.text), array);  // which is there for its shape: see is_written
  Tokens value{symbol("(", array), zero};
  put_places(value, item.places);
  put(value, {symbol("*", array), {TokenKind::number, "0", array.span}, symbol(item.sign == "-" ? "-" : "+", array), symbol("(", array)});
  put(value, item.value);
  put(value, {symbol(")", array), symbol(")", array)});
  return value;
}

/// x[places] += of all pieces along the axis of place k, of which each place must get one. They are in `items` with commas or a comprehension.
Tokens Loops::changed_array(const Token& array, const ItemChange& item, std::size_t k, const Tokens& items) {
  Tokens statement{array};
  empty_.erase(std::string(array.text));
  const bool slice = has_outside(item.places[k], ":");
  std::vector<Tokens> places = item.places;
  places[k] = {symbol(":", array)};
  const bool all = std::all_of(places.begin(), places.end(), [](const Tokens& p) { return p[0].is(".") || (p.size() == 1 && p[0].is(":")); });
  if (!all) put_places(statement, places);
  const Token np{TokenKind::name, "np", array.span}, join{TokenKind::name, slice ? "concatenate" : "stack", array.span};
  put(statement, {symbol("+", array), symbol("=", array), {TokenKind::name, "filled", array.span}, symbol("(", array), made(TokenKind::name, std::string(array.text), array)});
  if (!all) put_places(statement, places);
  put(statement, {symbol(",", array), np, symbol(".", array), join, symbol("(", array), symbol("[", array)});
  put(statement, items);
  put(statement, {symbol("]", array), symbol(",", array), {TokenKind::name, "axis", array.span}, symbol("=", array)});
  const std::string axis = axis_of_place(item.places, k);
  const bool from_end = axis[0] == '-';
  if (from_end) statement.push_back(symbol("-", array));
  put(statement, {made(TokenKind::number, axis.substr(from_end ? 1 : 0), array), symbol(")", array), symbol(")", array)});
  return statement;
}

/// Whether the place is i*c:(i+1)*c, so that all of them, one after the other, are the axis.
bool Loops::is_block(const Tokens& place, const Token& index) {
  const std::size_t colon = place_outside(place, ":").value_or(0);
  if (colon == 0 || colon + 1 == place.size()) return false;
  try {
    const Dim begin = size_of(*parse_expression(text_of(between(place, 0, static_cast<std::ptrdiff_t>(colon))))), end = size_of(*parse_expression(text_of(between(place, colon + 1))));
    std::vector<std::string> in_width;
    collect_names(end - begin, in_width);
    return std::find(in_width.begin(), in_width.end(), index.text) == in_width.end() && begin == dim(std::string(index.text)) * (end - begin);
  } catch (const Error&) {
    return false;
  }
}

/// The range of a loop over the items of tensors and lists of as many as a size says, by their names, also in enumerate and zip.
Tokens Loops::through(const Loop& loop, const Items& targets, const Token& index, Values& locals) const {
  const auto arguments = [](const Tokens& call) { return parts_of(inside(call, 2)); };
  const auto calls = [](const Tokens& t, std::string_view function) { return t.size() > 3 && t[0].is(function) && is_one_bracket(between(t, 1)); };
  Tokens whole = loop.range;
  std::string form;
  std::size_t target = 0;
  if (calls(whole, "enumerate") && arguments(whole).size() == 1) {
    locals[std::string(targets.flat[target++].text)] = {index};
    whole = arguments(whole)[0];
  }
  if (calls(whole, "zip")) require_several(whole[0], arguments(whole));
  const std::vector<Tokens> sources = calls(whole, "zip") ? arguments(whole) : std::vector<Tokens>{whole};
  for (std::size_t k = 0; k < sources.size(); ++k) form += k == 0 ? "x" : ",x";
  if (target == 1) form = "x," + (sources.size() > 1 ? "(" + form + ")" : form);
  if (form != targets.form) refuse(loop.begin, "the loop has other names than what it goes through gives", "write for q, k in zip(Q, K):");
  Tokens range, all;
  std::size_t lists = 0;
  for (const Tokens& source : sources) {
    if (source.size() != 1 || source[0].kind != TokenKind::name) refuse_loop(source.empty() ? loop.begin : source[0], "a loop runs over range(n), a tensor or a list by its name, or over what is written in [ ]", "name it before the loop: ws = ...");
    const auto list = lists_.find(source[0].text);
    Tokens item = source;
    if (list != lists_.end()) {
      list->second.read = true;
      item = list->second.comprehension;
      const auto last = std::find_if(item.rbegin(), item.rend(), [](const Token& t) { return t.is("for"); });
      const Tokens length = last == item.rend() ? Tokens{} : Tokens(last.base() + 2, item.end() - 1);  // behind `for i in`
      const bool same = !length.empty() && length[0].is("range") && (lists == 0 || text_of(length) == text_of(range));
      if (!same) refuse_loop(source[0], "the list " + describe(source[0]) + " has its own length", "write for i in range(n): and heads[i]");
      range = length;
      ++lists;
    }
    if (!all.empty()) all.push_back(symbol(",", index));
    all.push_back(source[0]);
    put(item, {symbol("[", index), index, symbol("]", index)});
    locals[std::string(targets.flat[target++].text)] = std::move(item);
  }
  if (lists > 0 && lists < sources.size()) refuse_loop(loop.begin, "zip goes through a list and a tensor", "write for i in range(n): and heads[i]");
  if (lists > 0) return range;
  range = {{TokenKind::name, "range", index.span}, symbol("(", index), {TokenKind::name, "len", index.span}, symbol("(", index)};
  if (sources.size() > 1) put(range, {{TokenKind::name, "zipped", index.span}, symbol("(", index)});  // which are all of one length
  put(range, all);
  if (sources.size() > 1) range.push_back(symbol(")", index));
  put(range, {symbol(")", index), symbol(")", index)});
  return range;
}

}  // namespace foldproof::expr
