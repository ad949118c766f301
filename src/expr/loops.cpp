// SPDX-License-Identifier: MIT
#include "expr/loops.hpp"

#include <algorithm>
#include <optional>

#include "expr/diagnostic.hpp"

namespace foldproof::expr {
namespace {

using Tokens = std::vector<Token>;

constexpr std::size_t most_steps = 64, most_written = 200000;

bool opens(const Token& t) { return t.kind == TokenKind::symbol && (t.text == "(" || t.text == "["); }
bool closes(const Token& t) { return t.kind == TokenKind::symbol && (t.text == ")" || t.text == "]"); }

/// The parts of tokens between commas outside of brackets.
std::vector<Tokens> parts_of(const Tokens& tokens) {
  std::vector<Tokens> parts(1);
  int depth = 0;
  for (const Token& t : tokens) {
    depth += opens(t) ? 1 : 0;
    depth -= closes(t) ? 1 : 0;
    if (depth == 0 && t.is(",")) parts.emplace_back();
    else parts.back().push_back(t);
  }
  if (parts.back().empty() && parts.size() > 1) parts.pop_back();
  return parts;
}

/// Whether token k names something by itself: not x.name, and not name= in a call.
bool is_use(const Tokens& tokens, std::size_t k) {
  if (tokens[k].kind != TokenKind::name) return false;
  const bool attribute = k > 0 && tokens[k - 1].is(".");
  if (attribute || k == 0 || k + 1 == tokens.size() || !tokens[k + 1].is("=") || (!tokens[k - 1].is("(") && !tokens[k - 1].is(","))) return !attribute;
  int depth = 0;  // inside of a bracket it is an argument
  for (std::size_t f = 0; f < k; ++f) depth += (opens(tokens[f]) ? 1 : 0) - (closes(tokens[f]) ? 1 : 0);
  return depth == 0;
}
bool names(const Tokens& tokens, std::string_view name, std::size_t first = 0) {
  for (std::size_t k = first; k < tokens.size(); ++k) {
    if (is_use(tokens, k) && tokens[k].text == name) return true;
  }
  return false;
}

/// Whether name k is the index of a comprehension around it: `for i` follows in a bracket that is open at k.
bool is_index(const Tokens& tokens, std::size_t k) {
  if (k > 0 && tokens[k - 1].is("for")) return true;
  int depth = 0, lowest = 0;
  for (std::size_t f = k + 1; f + 1 < tokens.size(); ++f) {
    depth += (opens(tokens[f]) ? 1 : 0) - (closes(tokens[f]) ? 1 : 0);
    lowest = std::min(lowest, depth);
    if (depth == lowest && tokens[f].is("for") && tokens[f + 1].text == tokens[k].text) return true;
  }
  return false;
}

/// The position of the first `=` outside of brackets, with one operator right before it where it is +=.
std::optional<std::size_t> assignment(const Tokens& tokens) {
  int depth = 0;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    depth += opens(tokens[k]) ? 1 : 0;
    depth -= closes(tokens[k]) ? 1 : 0;
    if (depth == 0 && tokens[k].is("=")) return k;
  }
  return std::nullopt;
}

bool is_append(const Tokens& t) { return t.size() > 5 && t[0].kind == TokenKind::name && t[1].is(".") && t[2].is("append") && t[3].is("(") && t.back().is(")"); }
Tokens inside(const Tokens& t, std::size_t first) { return {t.begin() + static_cast<std::ptrdiff_t>(first), t.end() - 1}; }

[[noreturn]] void refuse(const Token& at, const std::string& message, const std::string& hint) { fail("parse.loop", message, at.span, hint); }

/// Refuses to put tokens where a comprehension would give one of their names another meaning.
void refuse_capture(const Tokens& tokens, const Tokens& others) {
  for (std::size_t f = 0; f + 1 < tokens.size(); ++f) {
    if (!tokens[f].is("for")) continue;
    for (std::size_t k = 0; k < others.size(); ++k) {
      if (is_use(others, k) && others[k].text == tokens[f + 1].text && !is_index(others, k)) refuse(tokens[f + 1], describe(tokens[f + 1]) + " is an index here, and stands for something else in a list or in a loop around it", "give the index another name");
    }
  }
}

/// tokens with others in the place of names
template <typename By>
Tokens replaced(const Tokens& tokens, const By& by) {
  Tokens result;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const Tokens* others = is_use(tokens, k) ? by(tokens[k].text) : nullptr;
    if (others == nullptr) {
      result.push_back(tokens[k]);
      continue;
    }
    refuse_capture(tokens, *others);
    result.insert(result.end(), others->begin(), others->end());
  }
  return result;
}

}  // namespace

/// The next statement, without the separator after it.
Loops::Tokens Loops::statement() const {
  Tokens tokens;
  for (std::size_t k = 0; parser_.peek(k).kind != TokenKind::separator && parser_.peek(k).kind != TokenKind::end; ++k) tokens.push_back(parser_.peek(k));
  return tokens;
}

std::size_t Loops::column(const Token& token) const {
  const std::size_t line = text_.rfind('\n', token.span.begin);
  return token.span.begin - (line == std::string_view::npos ? 0 : line + 1);
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
  if (written_ > most_written) fail("limit.size", "with its lists and loops written out the claim is too long", parser_.peek().span, "write sum(... for i in range(h))");
  parser_.rewrite(count, std::move(by));
}

bool Loops::take() {
  if (parser_.peek().is("for") && parser_.peek(1).kind == TokenKind::name && parser_.peek(2).is("in")) {
    loop();
    return true;
  }
  if (parser_.peek(1).is("=") && parser_.peek().kind == TokenKind::name && (parser_.peek(2).is("[") || (parser_.peek(2).is("list") && parser_.peek(3).is("(") && parser_.peek(4).is(")")))) {
    const Tokens next = statement();
    const bool whole = next.back().is("]") || next.back().is(")");
    const auto items = whole ? parts_of(inside(next, next[2].is("[") ? 3 : 4)) : std::vector<Tokens>{};
    const bool empty = items.size() == 1 && items[0].empty();
    int depth = 0;
    bool one_bracket = whole;  // not [a] + [b]
    for (std::size_t k = 2; k + 1 < next.size(); ++k) {
      depth += (opens(next[k]) ? 1 : 0) - (closes(next[k]) ? 1 : 0);
      one_bracket = one_bracket && (depth > 0 || !next[2].is("["));
    }
    const auto is_number = [](const Tokens& t) { return !t.empty() && (t[0].is("[") || t.back().kind == TokenKind::number); };
    if (one_bracket && (empty || std::none_of(items.begin(), items.end(), is_number))) {
      begin_list(next);
      return true;
    }
  }
  if (lists_.empty() && gone_.empty()) return false;
  const Tokens next = statement();
  if (is_append(next) && lists_.count(next[0].text) > 0) {
    append();
    return true;
  }
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
  refuse_gone(next);
  for (const auto& [name, list] : lists_) {
    if (names(next, name) && std::any_of(next.begin(), next.end(), [](const Token& t) { return t.is("lambda"); })) refuse(next.front(), "a function reads the list `" + name + "`, which may change after it", "give it to the function as an argument");
  }
  const auto equals = assignment(next);
  const bool updates = equals && *equals > 1 && next[*equals - 1].kind == TokenKind::symbol;  // x += y
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

bool Loops::uses(const std::string& name) const {
  return std::any_of(lists_.begin(), lists_.end(), [&](const auto& list) { return names(list.second.comprehension, name); });
}

/// In Python such a name has its last value after the loop.
void Loops::refuse_gone(const Tokens& next) const {
  const auto at = assignment(next);
  for (std::size_t k = 0; k < next.size(); ++k) {
    if (!is_use(next, k) || gone_.count(next[k].text) == 0 || (at && k < *at)) continue;
    if (!is_index(next, k)) refuse(next[k], describe(next[k]) + " has the value of the last step here", "give what is used after the loop a name before it");
  }
}

Loops::Tokens Loops::written_out(const Tokens& tokens) const {
  std::map<std::string, Tokens, std::less<>> values;
  for (const auto& [name, list] : lists_) {
    if (!names(tokens, name)) continue;
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
  refuse_gone(next);
  refuse_read(next[0]);
  gone_.erase(name);
  List list;
  const Tokens content = written_out(inside(next, next[2].is("[") ? 3 : 4));
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
  if (value.front().is("[")) refuse(next[4], "a list in a list", "write one list for each");
  value.insert(value.begin(), {fresh, symbol("=", next[0])});
  list.items.push_back({fresh});
  rewrite(next.size(), std::move(value));
}

void Loops::loop() {
  const Token begin = parser_.peek(), index = parser_.peek(1);
  std::size_t at = 3;
  if (!parser_.peek(at).is("range") || !parser_.peek(at + 1).is("(")) refuse(parser_.peek(at), "a loop runs over range(n)", "write for i in range(n):");
  Tokens range;
  int depth = 1;
  for (at += 2; depth > 0; ++at) {
    if (parser_.peek(at).kind == TokenKind::end) refuse(begin, "the loop has no body", "write for i in range(n): and what is done in each step");
    depth += (opens(parser_.peek(at)) ? 1 : 0) - (closes(parser_.peek(at)) ? 1 : 0);
    if (depth > 0) range.push_back(parser_.peek(at));
  }
  if (!parser_.peek(at).is(":")) refuse(parser_.peek(at), "expected `:` after the range, found " + describe(parser_.peek(at)), "write for i in range(n):");
  const std::size_t colon = parser_.peek(at).span.end, next_begin = parser_.peek(++at).span.begin;  // no line ends after a colon
  const bool one_line = next_begin < colon || text_.substr(colon, next_begin - colon).find('\n') == std::string_view::npos;
  std::vector<Tokens> body;
  Tokens all;
  while (true) {
    std::size_t next = at;
    while (parser_.peek(next).kind == TokenKind::separator) ++next;
    const bool line_ends = next > at && parser_.peek(next - 1).text == "\n";
    const bool ends = parser_.peek(next).kind == TokenKind::end || (one_line ? !body.empty() && line_ends : column(parser_.peek(next)) <= column(begin));
    if (ends) break;
    body.emplace_back();
    for (at = next; parser_.peek(at).kind != TokenKind::separator && parser_.peek(at).kind != TokenKind::end; ++at) body.back().push_back(parser_.peek(at));
    all.insert(all.end(), body.back().begin(), body.back().end());
    all.push_back(parser_.peek(at).kind == TokenKind::separator ? parser_.peek(at) : Token{TokenKind::separator, "\n", body.back().back().span});
  }
  if (body.empty()) refuse(begin, "the loop has no body", "write for i in range(n): and what is done in each step");
  refuse_read(index);
  const auto bounds = parts_of(range);
  const auto number = [](const Tokens& t) { return t.size() == 1 && t[0].kind == TokenKind::number && t[0].text.size() < 4 && t[0].text.find('.') == std::string_view::npos ? std::optional<std::size_t>(std::stoul(std::string(t[0].text))) : std::nullopt; };
  const auto last = number(bounds.back()), first = bounds.size() == 1 ? std::optional<std::size_t>(0) : number(bounds[0]);
  parser_.rewrite(at, {});
  if (bounds.size() <= 2 && first && last) {
    if (*last < *first + 1 || *last - *first > most_steps) refuse(begin, "a loop over numbers has 1 to " + std::to_string(most_steps) + " steps", "take fewer, or a size: for i in range(n):");
    for (const Tokens& statement : body) {
      const std::size_t targets = statement[0].is("for") ? 0 : assignment(statement).value_or(0);
      for (std::size_t k = 0; k < targets; ++k) {
        if (statement[k].text == index.text && is_use(statement, k)) refuse(statement[k], "the index of the loop gets another value", "give that another name");
      }
    }
    unroll(index, *first, *last, all);
  } else {
    if (bounds.size() != 1) refuse(begin, "a loop over a size begins with 0", "write for i in range(n): and i + 1 for i");
    over_size(index, range, body);
  }
  gone_.emplace(index.text);
}

void Loops::unroll(const Token& index, std::size_t first, std::size_t last, const Tokens& body) {
  Tokens steps;
  for (std::size_t step = first; step < last; ++step) {
    const Tokens value{made(TokenKind::number, std::to_string(step), index)};
    const Tokens one = replaced(body, [&](std::string_view name) { return name == index.text ? &value : nullptr; });
    steps.insert(steps.end(), one.begin(), one.end());
    if (steps.size() > most_written) break;
  }
  rewrite(0, std::move(steps));
}

/// What is appended in each step is a list over the size, what is added a sum.
void Loops::over_size(const Token& index, const Tokens& range, const std::vector<Tokens>& body) {
  std::map<std::string, Tokens, std::less<>> locals;
  Tokens statements;
  const auto is_again = [](const Tokens& t) { return t.size() > 4 && t[1].is("=") && t[2].text == t[0].text && t[3].is("+"); };
  const auto is_sum = [&](const Tokens& t) { return (t.size() > 3 && t[1].is("+") && t[2].is("=")) || is_again(t); };
  std::set<std::string_view> changed;  // from step to step
  for (const Tokens& statement : body) {
    if ((is_append(statement) && lists_.count(statement[0].text) > 0) || is_sum(statement)) changed.insert(statement[0].text);
  }
  const auto with_locals = [&](const Tokens& tokens) {
    for (const std::string_view name : changed) {
      if (names(tokens, name)) refuse(tokens.front(), "each step takes `" + std::string(name) + "` from the one before", "write the loop over a number, for i in range(3), which is written out");
    }
    return replaced(written_out(tokens), [&](std::string_view name) {
      const auto value = locals.find(name);
      return value == locals.end() ? nullptr : &value->second;
    });
  };
  const auto over = [&](std::string_view opening, const Tokens& item, std::string_view closing) {
    Tokens result{symbol(opening, index), symbol("(", index)};
    result.insert(result.end(), item.begin(), item.end());
    result.insert(result.end(), {symbol(")", index), {TokenKind::name, "for", index.span}, index, {TokenKind::name, "in", index.span}, {TokenKind::name, "range", index.span}, symbol("(", index)});
    result.insert(result.end(), range.begin(), range.end());
    result.insert(result.end(), {symbol(")", index), symbol(closing, index)});
    return result;
  };
  for (const Tokens& statement : body) {
    const Token& name = statement[0];
    if (name.is("for")) refuse(name, "a loop in a loop over a size", "write einsum, or sum(sum(... for j in range(m)) for i in range(n))");
    if (is_append(statement) && lists_.count(name.text) > 0) {
      refuse_read(name);
      List& list = lists_.find(name.text)->second;
      if (!list.items.empty() || !list.comprehension.empty()) refuse(name, "this list is not empty before the loop, or appended to twice in it", "use one list for each");
      list.comprehension = over("[", with_locals(inside(statement, 4)), "]");
      continue;
    }
    const auto equals = assignment(statement);
    if (!equals || *equals == 0) refuse(name, "in a loop over a size expected a definition, a sum or heads.append(...), found " + describe(name), "write x = ..., x += ... or heads.append(...)");
    if (is_sum(statement)) {
      if (locals.count(name.text) > 0) refuse(name, describe(name) + " begins anew in each step, and is added to", "write one definition");
      const bool again = is_again(statement);
      const Tokens added = with_locals({statement.begin() + (again ? 4 : 3), statement.end()});
      if (again) statements.insert(statements.end(), {name, symbol("=", name), name, symbol("+", name)});
      else statements.insert(statements.end(), {name, statement[1], statement[2]});
      statements.push_back({TokenKind::name, "sum", name.span});
      const Tokens sum = over("(", added, ")");
      statements.insert(statements.end(), sum.begin(), sum.end());
      statements.push_back({TokenKind::separator, "\n", name.span});
      continue;
    }
    const std::vector<Tokens> targets = parts_of({statement.begin(), statement.begin() + static_cast<std::ptrdiff_t>(*equals)});
    const std::vector<Tokens> values = parts_of({statement.begin() + static_cast<std::ptrdiff_t>(*equals) + 1, statement.end()});
    if (targets.size() != values.size()) refuse(name, std::to_string(targets.size()) + " names and " + std::to_string(values.size()) + " values", "in a loop over a size write one value for each name");
    std::map<std::string, Tokens, std::less<>> after = locals;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const bool single = targets[k].size() == 1 && targets[k][0].kind == TokenKind::name;
      if (!single || targets[k][0].text == index.text) refuse(name, "in a loop over a size expected a name, found " + describe(targets[k].empty() ? name : targets[k][0]), "write x = ..., x += ... or heads.append(...)");
      const std::string local(targets[k][0].text);
      refuse_read(targets[k][0]);
      if (locals.count(local) == 0 && (known_(local) || lists_.count(local) > 0)) refuse(targets[k][0], "each step gives " + describe(targets[k][0]) + " another value", "write the loop over a number, for i in range(3), which is written out");
      Tokens value{symbol("(", name)};
      const Tokens inner = with_locals(values[k]);
      value.insert(value.end(), inner.begin(), inner.end());
      value.push_back(symbol(")", name));
      if (names(value, local)) refuse(targets[k][0], describe(targets[k][0]) + " has no value before the first step", "give it one before the loop");
      after[local] = std::move(value);
    }
    locals = std::move(after);
    if (statements.size() + locals.size() > most_written) break;
  }
  for (const auto& [local, value] : locals) gone_.insert(local);
  rewrite(0, std::move(statements));
}

}  // namespace foldproof::expr
