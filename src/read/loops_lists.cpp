// SPDX-License-Identifier: MIT
// Lists of Python: how they begin, what is appended to them, copies and second names, items that change.
#include <algorithm>

#include "read/loops.hpp"

namespace foldproof::read {

/// heads = [], heads = [A, B], heads = [f(i) for i in range(h)]
void Loops::begin_list(const Tokens& next) {
  const std::string name(next[0].text);
  if (lists_.count(name) == 0 && known_(name)) refuse_loop(next[0], describe(next[0]) + " has a value already", "give the list a name of its own");
  note_shared(next);
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

/// heads += [x] and heads = heads + [x], which append x.
bool Loops::extend(const Tokens& next) {
  if (next.size() < 6 || lists_.count(next[0].text) == 0) return false;
  const bool updates = next[1].is("+") && next[2].is("="), adds = next[1].is("=") && next[2].text == next[0].text && next[3].is("+");
  const Tokens value = between(next, updates ? 3 : 4);
  if ((!updates && !adds) || !value[0].is("[") || !is_one_bracket(value) || has_outside(inside(value, 1), "for")) return false;
  Tokens statements;
  for (const Tokens& item : parts_of(inside(value, 1))) {
    put(statements, {next[0], symbol(".", next[0]), made(TokenKind::name, "append", next[0])});
    put(statements, in_brackets(item, next[0]));
    statements.push_back({TokenKind::separator, "\n", next[0].span});
  }
  rewrite(next.size(), std::move(statements));
  return true;
}

/// b = list(a), b = tuple(reversed(a)), b = a[:] and b = a.copy(): another list of the same items.
bool Loops::copy_list(const Tokens& next) {
  if (next.size() < 5 || next[0].kind != TokenKind::name || !next[1].is("=")) return false;
  Tokens value = between(next, 2);
  const auto calls = [&](std::string_view function) { return value.size() > 3 && value[0].is(function) && value[1].is("(") && is_one_bracket(between(value, 1)); };
  const bool made_of = calls("list") || calls("tuple"), whole = text_of(between(value, 1)) == "[ : ]" || text_of(between(value, 1)) == ". copy ( )";
  if (made_of) value = inside(value, 2);
  const bool backwards = made_of && calls("reversed");
  if (backwards) value = inside(value, 2);
  const auto list = lists_.find(value[0].text);
  if (list == lists_.end() || list->second.items.empty() || !(whole || (made_of && value.size() == 1))) return false;
  std::vector<Tokens> items = list->second.items;
  if (backwards) std::reverse(items.begin(), items.end());
  Tokens copied{next[0], next[1], symbol("[", next[0])};
  for (const Tokens& item : items) {
    put(copied, item);
    copied.push_back(symbol(",", next[0]));
  }
  copied.back() = symbol("]", next[0]);
  rewrite(next.size(), std::move(copied));
  return true;
}

/// Notes the lists that get a second name: b = a, c = (a, x), d = f(a) of one's own function, which may return what it is given.
void Loops::note_shared(const Tokens& statement) {
  const auto equals = assignment(statement);
  std::vector<bool> calls;  // whether what is around it is a call of a library, which makes something new
  for (std::size_t k = equals ? *equals + 1 : statement.size(); k < statement.size(); ++k) {
    const Token &t = statement[k], &before = statement[k - 1];
    if (opens(t)) {
      const bool names_it = before.kind == TokenKind::name && !is_reserved(before.text);
      calls.push_back((names_it && !parser_.is_own_function(std::string(before.text))) || closes(before));
    }
    if (closes(t) && !calls.empty()) calls.pop_back();
    const auto list = is_use(statement, k) ? lists_.find(t.text) : lists_.end();
    if (list == lists_.end() || std::find(calls.begin(), calls.end(), true) != calls.end()) continue;
    const bool part = k + 1 < statement.size() && (statement[k + 1].is("[") || statement[k + 1].is("."));
    if (!part && !before.is("in")) list->second.shared = true;
  }
}

/// The list, which is about to change. Errors: `parse.loop` where something else may be the same list.
Loops::List& Loops::own_list(const Token& name) {
  List& list = lists_.find(name.text)->second;
  if (list.shared) refuse_loop(name, "the list " + describe(name) + " has a second name here, and changes under both", "copy it: b = list(a)");
  return list;
}

/// The items of a list that a loop over a number made, as if each were written. Errors: `parse.loop` where a size says how many there are.
bool Loops::write_list(const Token& name) {
  List& list = lists_.find(name.text)->second;
  const auto values = items_of(inside(list.comprehension, 1), true);
  if (!values) refuse_loop(name, "an item of a list changes that has as many as a size says", "make an array, np.zeros((n, d)), and change its rows");
  list.comprehension.clear();
  Tokens statements;
  for (const Tokens& value : *values) {
    const Token fresh = item_name(name, made_.size());
    list.items.push_back({fresh});
    put(statements, {fresh, symbol("=", name)});
    put(statements, value);
    statements.push_back({TokenKind::separator, "\n", name.span});
  }
  rewrite(0, std::move(statements));
  return true;
}

/// rows[1] = x and rows[1] += x of a list, whose items have names.
bool Loops::change_item(const Tokens& next) {
  const auto item = item_change(next);
  if (!item || lists_.count(next[0].text) == 0) return false;
  List& list = own_list(next[0]);
  if (!list.comprehension.empty()) return write_list(next[0]);
  const auto place = item->places.size() == 1 ? whole(item->places[0]) : std::nullopt;
  const auto count = static_cast<std::int64_t>(list.items.size());
  if (!place || *place < -count || *place >= count) refuse_loop(next[0], "which item of the list " + describe(next[0]) + " gets another value is not known", "name it by its number: rows[0] += x");
  refuse_read(next[0]);
  Tokens statement = list.items[static_cast<std::size_t>(*place < 0 ? *place + count : *place)];
  put(statement, between(next, *assignment(next) - (item->sign.empty() ? 0 : 1)));
  rewrite(next.size(), std::move(statement));
  return true;
}

void Loops::append() {
  const Tokens next = statement();
  List& list = own_list(next[0]);
  if (!list.comprehension.empty()) refuse_loop(next[0], "something is appended to a list of as many items as a size says", "write concat(A, B) of both");
  refuse_gone(next);
  refuse_read(next[0]);
  const Token fresh = item_name(next[0], made_.size());
  Tokens value = written_out(inside(next, 4));
  if (value.front().is("[") && is_one_bracket(value)) refuse_loop(next[4], "a list in a list", "write one list for each");
  value.insert(value.begin(), {fresh, symbol("=", next[0])});
  list.items.push_back({fresh});
  rewrite(next.size(), std::move(value));
}

}  // namespace foldproof::read
