// SPDX-License-Identifier: MIT
#include "read/loops.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "expr/diagnostic.hpp"

namespace foldproof::read {
namespace {

[[noreturn]] void refuse(const Token& at, const std::string& message, const std::string& hint) { refuse_loop(at, message, hint); }

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
    depth += step_into_block(tokens.back());
  }
  return tokens;
}

/// A name that stands nowhere in the text.
Token Loops::item_name(const Token& list, std::size_t k) {
  std::string name = std::string(list.text) + "_" + std::to_string(k);
  while (text_.find(name) != std::string_view::npos || parser_.is_made(name) || known_(name)) name += "_";
  return made(TokenKind::name, std::move(name), list);
}

/// Python reads what the name stands for when the function is called.
void Loops::refuse_read(const Token& name) const {
  if (read_by_function_(std::string(name.text))) refuse(name, "a function reads " + describe(name) + ", which changes after it", "give it to the function as an argument");
}

Token Loops::made(TokenKind kind, std::string text, const Token& at) {
  made_.push_back(std::move(text));
  made_at_.emplace(made_.back().data(), made_.back().data() + made_.back().size());
  return {kind, made_.back(), at.span};
}

/// The tokens of what is written there with blanks between them.
Tokens Loops::code(std::string_view text, const Token& at) {
  Tokens result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const auto first = static_cast<unsigned char>(text[begin]);
    const TokenKind kind = std::isdigit(first) ? TokenKind::number : std::isalpha(first) ? TokenKind::name : TokenKind::symbol;
    result.push_back(made(kind, std::string(text.substr(begin, end - begin)), at));
    begin = end + 1;
  }
  return result;
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
  if (parser_.peek().is("while")) {
    repeat();
    return true;
  }
  const Tokens next = statement();
  if (write_items(next)) return true;
  if (begins_list()) {
    begin_list(next);
    return true;
  }
  if (is_append(next) && lists_.count(next[0].text) > 0) {
    append();
    return true;
  }
  if (extend(next) || copy_list(next)) return true;
  if (calls_in_place(next) || change_item(next)) return true;
  note_shared(next);
  if (const auto at = assignment(next); at && *at > 2 && next[0].is("(") && is_one_bracket(between(next, 0, static_cast<std::ptrdiff_t>(*at)))) {  // (a, b) = ...
    Tokens plain = between(next, 1, static_cast<std::ptrdiff_t>(*at - 1));
    put(plain, between(next, *at));
    rewrite(next.size(), std::move(plain));
    return true;
  }
  if (const auto at = assignment(next); at && *at > 1) {  // keys, values = [], [] and K, V = np.zeros((n, k)), np.zeros((n, k))
    const auto targets = parts_of(between(next, 0, static_cast<std::ptrdiff_t>(*at))), values = parts_of(between(next, *at + 1));
    const auto begins = [](const Tokens& value) { return makes_zeros(value) || (value.size() > 1 && value[0].is("[") && is_one_bracket(value)); };
    const auto names_target = [&](const Tokens& value) { return std::any_of(targets.begin(), targets.end(), [&](const Tokens& t) { return t.size() != 1 || names(value, t[0].text); }); };
    if (targets.size() > 1 && targets.size() == values.size() && std::any_of(values.begin(), values.end(), begins) && std::none_of(values.begin(), values.end(), names_target)) {
      Tokens single;
      for (std::size_t k = 0; k < targets.size(); ++k) {
        if (k > 0) single.push_back({TokenKind::separator, "\n", next[*at].span});
        put(single, targets[k]);
        single.push_back(next[*at]);
        put(single, values[k]);
      }
      rewrite(next.size(), std::move(single));
      return true;
    }
  }
  if (!next.empty() && next[0].is("if") && !parser_.is_in_function() && choose()) return true;
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
  if (begin_with_nothing(next) || join_to_nothing(next)) return true;
  const auto equals = assignment(next);
  if (!divided_.empty()) refuse_as_tensor(next);
  if (equals && (spread(next, *equals) || divide(next, *equals) || keep_for_lists(next, *equals))) return true;
  if (!empty_.empty() && fill_unknown(next)) return true;
  if (!empty_.empty() || !nothing_.empty()) refuse_gone(next);
  for (std::size_t k = 0; equals && k < *equals; ++k) {
    nothing_.erase(std::string(next[k].text));
    if (next.size() > *equals + 1 && !next[*equals + 1].is(divided_call)) divided_.erase(std::string(next[k].text));
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
  const auto replaced_list = equals && *equals == 1 && !updates ? lists_.find(next[0].text) : lists_.end();  // out = np.stack(out)
  for (std::size_t k = 0; equals && k < *equals; ++k) {
    if (lists_.count(next[k].text) > 0 && replaced_list == lists_.end()) refuse(next[k], "the list " + describe(next[k]) + " gets another value", "give that another name");
    if (item && !updates) items_.emplace(next[k].text);
    else if (!updates) items_.erase(std::string(next[k].text));
    if (!updates && next[k].kind == TokenKind::name) gone_.erase(std::string(next[k].text));
  }
  if (replaced_list != lists_.end()) {
    refuse_read(next[0]);
    Tokens value = written_out(between(next, 2));
    require_read(replaced_list->first, replaced_list->second);
    lists_.erase(replaced_list);
    value.insert(value.begin(), {next[0], next[1]});
    rewrite(next.size(), std::move(value));
    return false;
  }
  const Tokens out = written_out(next);
  if (out.size() != next.size()) rewrite(next.size(), out);
  return false;
}

/// x.add_(y) and x = x.add_(y) are x += y, and x.masked_fill_(M, -inf) adds minus infinity where M holds.
bool Loops::calls_in_place(const Tokens& next) {
  static constexpr std::pair<std::string_view, std::string_view> operations[] = {{"add_", "+"}, {"sub_", "-"}, {"mul_", "*"}, {"div_", "/"}, {"masked_fill_", "+"}};
  const bool again = next.size() > 2 && next[1].is("=") && next[2].text == next[0].text;
  const Tokens call = between(next, again ? 2 : 0);
  if (call.size() < 5 || call[0].kind != TokenKind::name || !call[1].is(".") || !is_one_bracket(between(call, 3))) return false;
  const auto* operation = std::find_if(std::begin(operations), std::end(operations), [&](const auto& o) { return call[2].is(o.first); });
  if (operation == std::end(operations)) return false;
  const Token& name = call[0];
  const std::vector<Tokens> arguments = parts_of(inside(call, 4));
  const bool fills = call[2].is("masked_fill_");
  const auto is_named = [](const Tokens& t) { return t.size() > 1 && t[1].is("="); };
  if (arguments.size() != (fills ? 2U : 1U) || std::any_of(arguments.begin(), arguments.end(), is_named)) refuse(call[2], describe(call[2]) + " is not known with these arguments", "write x.masked_fill_(M, c), x.add_(y)");
  Tokens statement{name, symbol(operation->second, name), symbol("=", name)};
  const auto put_argument = [&](const Tokens& t) {
    statement.push_back(symbol("(", name));
    put(statement, t);
    statement.push_back(symbol(")", name));
  };
  if (!fills) {
    put_argument(arguments[0]);
  } else if (std::any_of(arguments[1].begin(), arguments[1].end(), [](const Token& t) { return t.is("inf") || t.kind == TokenKind::text; })) {  // float('-inf')
    put(statement, code("torch . zeros ( ", name));
    put(statement, {name, symbol(".", name), made(TokenKind::name, "shape", name), symbol(")", name)});
    put(statement, code(". masked_fill (", name));
    put(statement, arguments[0]);
    statement.push_back(symbol(",", name));
    put(statement, arguments[1]);
    statement.push_back(symbol(")", name));
  } else {  // the difference to the new value, where it is one
    statement.push_back(symbol("(", name));
    put_argument(arguments[1]);
    put(statement, {symbol("-", name), name, symbol(")", name)});
    put(statement, code(". masked_fill ( ~", name));
    put_argument(arguments[0]);
    put(statement, code(", 0 )", name));
  }
  rewrite(next.size(), std::move(statement));
  return true;
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
  const auto calls = [&](const Function& function, const Function& other) { return names(function.text, other.name, 2); };
  if (functions.empty() || std::none_of(functions.begin() + 1, functions.end(), [&](const Function& other) { return calls(functions[0], other); })) return false;  // the next ones have their turn
  std::vector<Function> ordered;
  std::vector<bool> placed(functions.size());
  while (ordered.size() < functions.size()) {
    std::size_t k = 0;
    const auto waits = [&](std::size_t f) {  // it calls another that has no place yet
      for (std::size_t other = 0; other < functions.size(); ++other) {
        if (other != f && !placed[other] && calls(functions[f], functions[other])) return true;
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
  if (!function.text.starts_with("empty")) return;
  empty_.insert(name);
  Tokens rewritten = next;
  rewritten[2 + static_cast<std::size_t>(&function - value.data())].text = function.is("empty") ? "zeros" : "zeros_like";
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
  const bool counts = open > 4 && next[open - 2].is(".") && (next[open - 1].is("chunk") || (next[open - 1].is("split") && module && !next[2].is("torch")));
  const auto arguments = counts ? parts_of(inside(next, open + 1)) : std::vector<Tokens>{};
  const std::size_t count = arguments.size() > (module ? 1U : 0U) ? small_number(arguments[module ? 1 : 0]).value_or(0) : 0;
  const bool divides = open > 4 && next[open - 2].is(".") && (counts || next[open - 1].is("split") || next[open - 1].is("unbind"));
  const bool by_list = divides && std::any_of(next.begin() + static_cast<std::ptrdiff_t>(open), next.end(), [](const Token& t) { return t.is("["); });  // which says how many
  if (divides && count == 0 && !by_list) return divide_by_size(next);
  if (count < 2 || count > most_steps) return false;
  List list;
  Tokens statements;
  for (std::size_t k = 0; k < count; ++k) {
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

/// heads = q.chunk(h, dim=-1) and k.unbind(1), as many as a size says: the array that has them along its first axis.
bool Loops::divide_by_size(const Tokens& next) {
  const Token& name = next[0];
  Tokens stacked{name, next[1], Token{TokenKind::name, divided_call, name.span}, symbol("(", name)};
  put(stacked, written_out(between(next, 2)));
  stacked.push_back(symbol(")", name));
  rewrite(next.size(), std::move(stacked));
  divided_.emplace(name.text);
  return true;
}

/// What divides a tensor gives a tuple, which is no tensor: it has items and a length, and may be joined.
void Loops::refuse_as_tensor(const Tokens& next) const {
  static constexpr std::string_view takes_tuples[] = {"len", "cat", "concat", "concatenate", "stack", "hstack", "vstack", "column_stack", "zip", "enumerate", "reversed", "list", "tuple"};
  std::vector<std::string_view> functions;  // of the brackets around
  const auto equals = assignment(next);
  for (std::size_t k = 0; k < next.size(); ++k) {
    if (opens(next[k])) functions.push_back(next[k].is("(") && k > 0 ? next[k - 1].text : std::string_view());
    if (closes(next[k]) && !functions.empty()) functions.pop_back();
    if (!is_use(next, k) || divided_.count(next[k].text) == 0 || (equals && k < *equals && !item_change(next))) continue;
    const auto stands_at = [&](std::size_t at, std::initializer_list<std::string_view> symbols) { return at < next.size() && std::any_of(symbols.begin(), symbols.end(), [&](std::string_view s) { return next[at].is(s); }); };
    const bool ends = k + 1 == next.size() || stands_at(k + 1, {")", "]", ",", ":", "for", "if"});  // cs * 2 and cs + ds are longer tuples
    const bool taken = ends && stands_at(k - 1, {"(", ","}) && !functions.empty() && is_among(functions.back(), takes_tuples);
    const Tokens place = k + 1 < next.size() && next[k + 1].is("[") ? slice(next, k + 2, closing(next, k + 1)) : Tokens{};
    const bool item = !place.empty() && !has_outside(place, ",") && !has_outside(place, ":") && !place[0].is("None") && !place[0].is(".") && (k > 0 || !item_change(next));
    if (!taken && !item && !(ends && stands_at(k - 1, {"in"}))) refuse(next[k], describe(next[k]) + " is a tuple of tensors here", "join them, torch.cat(" + std::string(next[k].text.substr(0, 40)) + ", dim=-1), or take one, " + std::string(next[k].text.substr(0, 40)) + "[0]");
  }
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

bool Loops::holds(const std::string& name) const {
  return std::any_of(lists_.begin(), lists_.end(), [&](const auto& list) {
    return names(list.second.comprehension, name) || std::any_of(list.second.items.begin(), list.second.items.end(), [&](const Tokens& item) { return names(item, name); });
  });
}

void Loops::require_read(const std::string& name, const List& list) {
  const auto calls = [](const Token& t) { return t.is("("); };
  if (!list.read && std::any_of(list.comprehension.begin(), list.comprehension.end(), calls)) refuse(list.comprehension.front(), "nothing needs the list `" + name + "`", "leave it out");
}
void Loops::require_read() const {
  for (const auto& [name, list] : lists_) require_read(name, list);
}
bool Loops::define_unread() {
  Tokens definitions;
  for (const auto& [name, list] : lists_) {
    if (list.read || list.comprehension.empty()) continue;
    const Token& at = list.comprehension.front();
    put(definitions, {item_name(made(TokenKind::name, name, at), made_.size()), symbol("=", at), made(TokenKind::name, "stack", at), symbol("(", at)});
    put(definitions, list.comprehension);
    put(definitions, {symbol(")", at), {TokenKind::separator, "\n", at.span}});
    list.read = true;
  }
  if (definitions.empty()) return false;
  rewrite(0, std::move(definitions));
  return true;
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
    if (nothing_.count(next[k].text) > 0) refuse(next[k], describe(next[k]) + " has no entries here", "join something to it first: K = np.concatenate([K, k])");
  }
}

/// y = torch.randn(y.shape) for what np.empty(...) has made, on a line: its entries may be any numbers.
Tokens Loops::with_unknown_entries(const Token& array) {
  zeros_.erase(std::string(array.text));
  empty_.erase(std::string(array.text));
  Tokens drawn{array, symbol("=", array)};
  put(drawn, code("torch . randn (", array));
  drawn.push_back(array);
  put(drawn, code(". shape )", array));
  drawn.push_back({TokenKind::separator, "\n", array.span});
  return drawn;
}

/// The places of such an array get values one after the other, y[:, ::2] = ...
bool Loops::fill_unknown(const Tokens& next) {
  const auto item = item_change(next);
  if (!item || !item->sign.empty() || empty_.count(next[0].text) == 0) return false;
  rewrite(0, with_unknown_entries(next[0]));
  return true;
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

void Loops::loop() {
  Tokens tokens = compound(0);
  tokens.push_back(parser_.peek(tokens.size()));
  const Loop loop = read_loop(tokens, 0);
  if (name_sources(tokens, loop)) return;
  parser_.rewrite(loop.end, {});
  rewrite(0, without_loop(loop));
}

/// for w in W.T is ws = W.T, then for w in ws; and so with what zip and enumerate go through.
bool Loops::name_sources(const Tokens& tokens, const Loop& loop) {
  const auto calls = [](const Tokens& t, std::initializer_list<std::string_view> functions) { return t.size() > 3 && std::find(functions.begin(), functions.end(), t[0].text) != functions.end() && is_one_bracket(between(t, 1)); };
  Tokens definitions;
  const auto named = [&](const Tokens& source) -> Tokens {
    const bool simple = source.size() < 2 || is_one_bracket(source) || calls(source, {"range", "zip", "enumerate", "reversed", "map", "filter", "sorted", "list", "tuple", "iter"});
    if (simple || has_outside(source, "for") || has_outside(source, "=")) return source;
    const Token name = item_name(made(TokenKind::name, "items", source[0]), made_.size());
    put(definitions, {name, symbol("=", source[0])});
    put(definitions, source);
    definitions.push_back({TokenKind::separator, "\n", source[0].span});
    return {name};
  };
  const bool joins = calls(loop.range, {"zip", "enumerate"});
  Tokens range = joins ? between(loop.range, 0, 2) : named(loop.range);
  for (const Tokens& source : joins ? parts_of(inside(loop.range, 2)) : std::vector<Tokens>{}) {
    if (range.size() > 2) range.push_back(symbol(",", loop.range[0]));
    put(range, named(source));
  }
  if (definitions.empty()) return false;
  if (joins) range.push_back(loop.range.back());
  const auto in = static_cast<std::ptrdiff_t>(loop.targets.size() + 1), behind = in + 1 + static_cast<std::ptrdiff_t>(loop.range.size());
  put(definitions, between(tokens, 0, in + 1));
  put(definitions, range);
  put(definitions, between(tokens, static_cast<std::size_t>(behind), static_cast<std::ptrdiff_t>(loop.end)));
  rewrite(loop.end, std::move(definitions));
  return true;
}

/// The statements that do what the loop does.
Tokens Loops::without_loop(const Loop& loop) {
  const Items targets = items_of_targets(loop.targets);
  if (targets.flat.empty()) refuse_loop(parser_.peek(), "no name gets the values of this loop", "for i in range(h):");
  for (const Token& target : targets.flat) {
    if (lists_.count(target.text) > 0) refuse(target, "the list " + describe(target) + " gets another value", "give that another name");
    if (around_.targets.count(target.text) > 0) refuse(target, describe(target) + " gets its values from the loop around this one", "give the index of this loop another name");
    refuse_another_value(target);
  }
  if (const auto whole_steps = with_whole_steps(loop, targets)) {
    Tokens statements = without_loop(*whole_steps);
    gone_.emplace(targets.flat[0].text);
    return statements;
  }
  Tokens before;
  Tokens statements;
  if (const auto steps = grows(loop) ? std::nullopt : steps_of(loop.range, &before)) {
    const bool written = std::all_of(loop.range.begin(), loop.range.end(), [this](const Token& t) { return is_written(t); });
    if (steps->empty() && !written) return {};  // for s in range(t), in the first step of t
    if (steps->empty() || steps->size() > most_steps) refuse(loop.begin, "a loop over numbers has 1 to " + std::to_string(most_steps) + " steps", "take fewer, or a size: for i in range(n):");
    statements = unrolled(loop, targets, *steps);
    statements.insert(statements.begin(), before.begin(), before.end());
  } else {
    refuse_while(loop);
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

}  // namespace foldproof::read
