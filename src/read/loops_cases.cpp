// SPDX-License-Identifier: MIT
// Cases and loops whose conditions are about numbers that are known: if i % 2 == 0, while i < 3.
#include <algorithm>

#include "expr/diagnostic.hpp"
#include "read/loops.hpp"

namespace foldproof::read {

/// Whether a condition of numbers holds: i % 2 == 0, not i, i > 0 and i < 3. Nothing for others.
std::optional<bool> Loops::truth(const Tokens& t) const {
  const auto part = [this](const Tokens& condition) { return truth(condition); };
  if (is_joined(t)) return of_joined(t, part);
  if (t.empty()) return std::nullopt;
  if (t.size() == 1 && (t[0].is("True") || t[0].is("False"))) return t[0].is("True");
  for (const Relation relation : {Relation::equal, Relation::not_equal, Relation::less, Relation::less_equal, Relation::greater, Relation::greater_equal}) {
    const auto place = place_outside(t, text(relation));
    if (!place || *place == 0 || *place + 1 == t.size()) continue;
    const auto left = whole(between(t, 0, static_cast<std::ptrdiff_t>(*place))), right = whole(between(t, *place + 1));
    return left && right ? std::optional(ordered(*left < *right ? -1 : *left > *right ? 1 : 0, relation)) : std::nullopt;
  }
  const auto number = whole(t);
  return number ? std::optional(*number != 0) : std::nullopt;
}

/// The case that is taken of `if` at `at`, which is set behind all of them: empty where none is, and nothing where that is not known.
std::optional<Tokens> Loops::chosen_case(const Tokens& t, std::size_t& at, const std::function<std::optional<bool>(const Tokens&)>& holds) {
  std::optional<Tokens> chosen;
  bool last = false;
  for (std::size_t next = at; !last && next < t.size() && (t[next].is("if") || t[next].is("elif") || t[next].is("else"));) {
    last = t[next].is("else");
    const std::size_t block = end_of_statement(t, next), behind = behind_block(t, block);
    const auto taken = last ? std::optional(true) : holds(slice(t, next + 1, block - 1));
    if (!taken && !chosen) return std::nullopt;
    if (!chosen && *taken) chosen = slice(t, block + 1, behind - 1);
    at = next = behind;
    while (next < t.size() && t[next].kind == TokenKind::separator) ++next;
    last = last || next >= t.size() || t[next].is("if");
  }
  return chosen ? chosen : Tokens{};
}

/// The statements with the cases in the place of `if` whose conditions are known, up to `continue` or `break`. Which of these ended them, if any; nothing
/// where a condition is not known, as of what `loop` gives other values to.
std::optional<std::string_view> Loops::put_cases(Tokens& result, const Tokens& t, const Loop& loop) const {
  const auto holds_here = [&](const Tokens& condition) {
    const bool changes = std::any_of(condition.begin(), condition.end(), [&](const Token& name) { return name.kind == TokenKind::name && assigns(loop.body, name.text); });
    return changes ? std::nullopt : truth(condition);
  };
  for (std::size_t at = 0; at < t.size();) {
    std::size_t end = at;
    if (t[at].is("for") || t[at].is("while") || t[at].is("def")) {
      end = behind_block(t, end_of_statement(t, at));
    } else if (t[at].is("if")) {
      const auto chosen = chosen_case(t, at, holds_here);
      if (!chosen) return std::nullopt;
      const auto ended = put_cases(result, *chosen, loop);
      if (!result.empty() && !ends_statement(result.back())) result.push_back({TokenKind::separator, "\n", result.back().span});
      if (!ended || !ended->empty()) return ended;
      continue;
    } else {
      end = end_of_statement(t, at);
      if (end == at + 1 && (t[at].is("continue") || t[at].is("break"))) return t[at].text;
      end = std::min(end + 1, t.size());
      if (end == at + 2 && t[at].is("pass")) at = end;
    }
    put(result, slice(t, at, end));
    at = end;
  }
  return std::string_view();
}

/// The cases of `if` outside of functions, whose conditions are known where they stand. Those of functions are decided where these are called.
bool Loops::choose() {
  Tokens tokens = compound(0);
  for (std::size_t next = tokens.size();;) {
    while (parser_.peek(next).kind == TokenKind::separator) ++next;
    if (!parser_.peek(next).is("elif") && !parser_.peek(next).is("else")) break;
    while (tokens.size() < next) tokens.push_back(parser_.peek(tokens.size()));
    put(tokens, compound(next));
    next = tokens.size();
  }
  std::size_t end = 0;
  const auto chosen = chosen_case(tokens, end, [this](const Tokens& condition) { return truth(condition); });
  if (!chosen) return false;
  rewrite(end, chosen->size() == 1 && chosen->front().is("pass") ? Tokens{} : *chosen);
  return true;
}

/// while i < 3: a step, and then the rest of them, as long as the condition is known to hold.
void Loops::repeat() {
  Tokens tokens = compound(0);
  const Token begin = tokens[0];
  const std::size_t block = end_of_statement(tokens, 0);
  if (block == tokens.size() || tokens[block].kind != TokenKind::block_begin) refuse_loop(begin, "expected `:` after the condition", "write while i < 3:");
  const auto holds = truth(slice(tokens, 1, block - 1));
  if (!holds) refuse_loop(begin, "whether this loop has another step is not known", "count with a number: i = 0, and i += 1 in each step; over a size write for i in range(n):");
  std::size_t behind = tokens.size();
  while (parser_.peek(behind).kind == TokenKind::separator) ++behind;
  if (parser_.peek(behind).is("else")) refuse_loop(begin, "`else` behind a loop is not read", "write it behind the loop");
  std::size_t& steps = while_steps_[begin.span.begin];
  steps = *holds ? steps + 1 : 0;
  if (steps > most_steps) refuse_loop(begin, "a loop over numbers has at most " + std::to_string(most_steps) + " steps", "take fewer, or a size: for i in range(n):");
  Tokens step = slice(tokens, block + 1, tokens.size() - 1);
  if (std::any_of(step.begin(), step.end(), [](const Token& t) { return t.is("break") || t.is("continue"); })) refuse_loop(begin, "`break` and `continue` of such a loop are not read", "write the condition behind `while`");
  step.push_back({TokenKind::separator, "\n", begin.span});
  put(step, tokens);
  rewrite(tokens.size(), *holds ? std::move(step) : Tokens{});
}

/// Refuses a loop of so many steps as its condition says, where what is in the loop around it is put together.
void Loops::refuse_while(const Loop& loop) {
  const auto repeats = std::find_if(loop.body.begin(), loop.body.end(), [](const Token& t) { return t.is("while"); });
  if (repeats != loop.body.end()) refuse_loop(*repeats, "`while` in this loop is not read", "write for i in range(n):");
}

/// The loop step by step, with the cases that each of them takes; nothing where these are not known, as those that arguments of a function decide.
std::optional<Tokens> Loops::unrolled_cases(const Loop& loop, const Items& targets, const std::vector<Step>& steps) const {
  Tokens result;
  for (const Step& step : steps) {
    const auto ended = put_cases(result, in_step(loop.body, targets, step, loop.begin), loop);
    if (!ended) return std::nullopt;
    if (*ended == "break" || result.size() > most_tokens_written) break;
  }
  return result;
}

}  // namespace foldproof::read
