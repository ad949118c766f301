// SPDX-License-Identifier: MIT
// What grows by one part in each step of a loop and is read there, as the keys and values of the tokens so far are in decoding with a
// cache: lists that are appended to, arrays that are joined to, K = np.concatenate([K, k]), and arrays whose places get values, K[t] = k.
#include <algorithm>

#include "read/loops.hpp"

namespace foldproof::read {
namespace {

constexpr std::string_view joining[] = {"stack", "concatenate", "cat", "concat", "vstack", "array"};

bool is_among(std::string_view word, std::span<const std::string_view> words) { return std::find(words.begin(), words.end(), word) != words.end(); }

}  // namespace

std::optional<Loops::Join> Loops::join(const Tokens& statement) {
  if (statement.size() < 8 || statement[0].kind != TokenKind::name || !statement[1].is("=") || !statement.back().is(")")) return std::nullopt;
  const Tokens value = between(statement, 2);
  const Token* function = called(value);
  if (function == nullptr || !is_among(function->text, std::span(joining).subspan(1, 4))) return std::nullopt;
  const auto open = static_cast<std::size_t>(function - value.data()) + 1;
  if (!is_one_bracket(between(value, open))) return std::nullopt;
  const std::vector<Tokens> arguments = parts_of(inside(value, open + 1));
  const std::vector<Tokens> parts = is_one_bracket(arguments[0]) ? parts_of(inside(arguments[0], 1)) : std::vector<Tokens>{};
  if (parts.size() != 2 || parts[0].size() != 1 || parts[0][0].text != statement[0].text || names(parts[1], statement[0].text)) return std::nullopt;
  Join result{between(value, 0, static_cast<std::ptrdiff_t>(open + 1)), {}, parts[1]};
  for (std::size_t k = 1; k < arguments.size(); ++k) {
    result.closing.push_back(symbol(",", statement[0]));
    put(result.closing, arguments[k]);
  }
  result.closing.push_back(symbol(")", statement[0]));
  return result;
}

bool Loops::is_joined_there(const Tokens& tokens, std::size_t k) { return k > 1 && tokens[k - 1].is("(") && is_among(tokens[k - 2].text, joining); }

std::size_t Loops::behind_places_so_far(const Tokens& tokens, std::size_t k, std::size_t along, const Token& index) {
  const std::size_t end = k + 1 < tokens.size() && tokens[k + 1].is("[") ? closing(tokens, k + 1) : tokens.size();
  if (end >= tokens.size()) return 0;
  const std::vector<Tokens> places = parts_of(slice(tokens, k + 2, end));
  if (along >= places.size()) return 0;
  const std::string text = text_of(places[along]), last = std::string(index.text);
  return text == ": " + last + " + 1" || text == "0 : " + last + " + 1" ? end + 1 : 0;
}

/// Whether parts as long as the step says are taken there, K[:t+1] or K[t:]: step by step each of them would be another tensor. K[2*t:2*(t+1)] is as long in all steps.
bool Loops::takes_parts_so_far(const Tokens& tokens, const Token& index, const Set& locals) const {
  for (std::size_t k = 1; k < tokens.size(); ++k) {
    const bool places = tokens[k].is("[") && ((tokens[k - 1].kind == TokenKind::name && lists_.count(tokens[k - 1].text) == 0) || closes(tokens[k - 1]));
    for (const Tokens& place : places ? parts_of(slice(tokens, k + 1, closing(tokens, k))) : std::vector<Tokens>{}) {
      const auto colon = place_outside(place, ":");
      if (!colon || has_outside(between(place, *colon + 1), ":")) continue;
      const Tokens begin = slice(place, 0, *colon), end = between(place, *colon + 1);
      const auto plain = [&](const Tokens& bound) { return bound.size() == 1 || (bound.size() == 3 && bound[1].is("+") && bound[2].kind == TokenKind::number); };  // t, t + 1
      const auto local = [&](const Token& t) { return locals.count(t.text) > 0; };
      if (std::any_of(place.begin(), place.end(), local)) continue;
      const bool names_begin = !begin.empty() && names(begin, index.text), names_end = !end.empty() && names(end, index.text);
      if (names_begin != names_end && plain(names_begin ? begin : end)) return true;
    }
  }
  return false;
}

bool Loops::grows(const Loop& loop) const {
  if (loop.targets.size() != 1 || !loop.range[0].is("range") || parts_of(inside(loop.range, 2)).size() > 2) return false;
  const auto stands = [&](std::string_view word) { return std::any_of(loop.body.begin(), loop.body.end(), [&](const Token& t) { return t.is(word); }); };
  if (stands("for") || stands("if") || stands("while") || stands("def")) return false;
  const std::vector<Tokens> statements = statements_of(loop.body);
  const auto appends = [&](const Tokens& s) {
    const auto list = is_append(s) ? lists_.find(s[0].text) : lists_.end();
    return list != lists_.end() && list->second.items.empty() && list->second.comprehension.empty();
  };
  const auto gives_place = [](const Tokens& s) {
    const auto item = item_change(s);
    return item && item->sign.empty();
  };
  Set growing, begun;  // over all steps; anew in each
  for (const Tokens& s : statements) {
    if (is_append(s) && !appends(s)) return false;
    if (appends(s) || join(s) || gives_place(s)) {
      if (!growing.emplace(s[0].text).second) return false;
      continue;
    }
    const auto equals = assignment(s);
    if (equals && changes_in_place(s, *equals)) return false;  // from the step before, too
    for (std::size_t k = 0; equals && k < *equals; ++k) {
      if (s[k].kind == TokenKind::name) begun.emplace(s[k].text);
    }
  }
  Set grown, known;
  bool reads = false;
  for (const Tokens& s : statements) {
    const bool whole = join(s).has_value(), grows_here = appends(s) || whole || gives_place(s);
    const std::size_t first = grows_here ? 1 : assignment(s).value_or(0);
    for (std::size_t k = first; k < s.size(); ++k) {
      const std::string name(s[k].text);
      if (!is_use(s, k) || (whole && name == s[0].text)) continue;
      if (begun.count(name) > 0 && known.count(name) == 0) return false;  // from the step before
      if (growing.count(name) == 0) continue;
      const bool so_far = grown.count(name) > 0 && (lists_.count(name) == 0 || is_joined_there(s, k));
      if (!so_far) return false;
      reads = true;
    }
    if (grows_here) grown.emplace(s[0].text);
    reads = reads || (whole && nothing_.count(s[0].text) > 0) || takes_parts_so_far(s, loop.targets[0], begun);
    for (std::size_t k = 0; !grows_here && k < first; ++k) known.emplace(s[k].text);
  }
  return reads;
}

/// K = np.zeros((0, k)): an array that something is joined to before it is read.
bool Loops::begin_with_nothing(const Tokens& next) {
  if (next.size() < 6 || !next[1].is("=") || !next.back().is(")")) return false;
  const Tokens value = between(next, 2);
  if (!makes_zeros(value)) return false;
  const auto open = static_cast<std::size_t>(called(value) - value.data()) + 1;
  std::vector<Tokens> sizes = parts_of(inside(value, open + 1));
  if (is_one_bracket(sizes[0])) sizes = parts_of(inside(sizes[0], 1));
  if (std::none_of(sizes.begin(), sizes.end(), [](const Tokens& size) { return small_number(size) == std::optional<std::size_t>(0); })) return false;
  refuse_read(next[0]);
  gone_.erase(std::string(next[0].text));
  nothing_.emplace(next[0].text);
  rewrite(next.size(), {});
  return true;
}

/// K = np.concatenate([K, k]) of a K that has no entries is what is joined to it.
bool Loops::join_to_nothing(const Tokens& next) {
  const auto how = join(next);
  if (!how || nothing_.erase(std::string(next[0].text)) == 0) return false;
  Tokens statement{next[0], next[1]};
  put(statement, how->opening);
  statement.push_back(symbol("[", next[0]));
  put(statement, how->item);
  statement.push_back(symbol("]", next[0]));
  put(statement, how->closing);
  rewrite(next.size(), std::move(statement));
  return true;
}

}  // namespace foldproof::read
