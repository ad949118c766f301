// SPDX-License-Identifier: MIT
#include "program/dictionaries.hpp"

#include "expr/diagnostic.hpp"
#include "program/dictionary_reader.hpp"

namespace foldproof::program {

Tokens Dictionaries::run() {
  written_ = block(tokens_, true);
  for (const std::string_view name : copied_) drop_uncalled(name);
  for (const auto& [name, error] : refused_) {
    std::rethrow_exception(error);
  }
  return std::move(written_);
}

Token Dictionaries::word(std::string text, const Token& at) {
  while (taken_.count(text) > 0) text += "_";
  words_.push_back(std::move(text));
  taken_.insert(words_.back());
  return {TokenKind::name, words_.back(), at.span};
}

Record Dictionaries::named(const Record& record, const Token& name) {
  Record result = record;
  if (record.plain()) {
    result.value = {name};
    return result;
  }
  for (Record& part : result.parts) part = named(part, word(std::string(name.text) + "_" + std::string(part.key), name));
  return result;
}

[[noreturn]] void Dictionaries::misused(const Token& at) {
  const std::string name(at.text.substr(0, 40));
  fail("parse.unexpected", describe(at) + " is a dictionary, or a list of such or of tuples, which is read by its keys", at.span, "write " + name + "[\"key\"], or f(**" + name + ")");
}

Tokens Dictionaries::rewritten(const Tokens& s) {
  if (records_.empty() && functions_.empty()) return s;
  Tokens found;
  for (std::size_t k = 0; k < s.size(); ++k) {
    if (s[k].is("lambda")) {
      const Records outside_of = records_;
      const bool recomputed = std::exchange(recomputed_, true);
      const auto until = place_outside_all(between(s, k), ":");  // its body ends at the next comma
      const std::size_t begin = until ? k + *until : s.size();
      const auto comma = place_outside_all(slice(s, begin, s.size()), ",");
      const std::size_t end = comma ? begin + *comma : s.size();
      const Tokens rest = slice(s, k + 1, end);
      const auto colon = place_outside_all(rest, ":");
      for (const Token& t : slice(rest, 0, colon.value_or(0))) records_.erase(t.text);
      found.push_back(s[k]);
      put(found, slice(rest, 0, colon.value_or(0)));
      put(found, rewritten(between(rest, colon.value_or(0))));
      records_ = outside_of;
      recomputed_ = recomputed;
      k = end - 1;
      continue;
    }
    if (s[k].is("len") && k + 2 < s.size() && s[k + 1].is("(") && (k == 0 || !s[k - 1].is("."))) {
      const std::size_t close = closing(s, k + 1);
      if (const auto list = record_of(slice(s, k + 2, close)); list && list->list) {
        put(found, {s[k], s[k + 1]});
        put(found, list->values().front());
        found.push_back({TokenKind::symbol, ")", s[k].span});
        k = close;
        continue;
      }
    }
    if (auto call = call_for_records(s, k)) {
      put(found, *call);
      k = closing_any(s, k + 1);
      continue;
    }
    if (opens_any(s[k])) {
      const std::size_t close = closing_any(s, k);
      const Tokens content = slice(s, k + 1, close);
      if (s[k].is("{")) fail("parse.unexpected", "a dictionary stands alone behind a name, or in a call of a function of the program", s[k].span, "write s = {\"scale\": 2} first");
      found.push_back(s[k]);
      put(found, in_brackets(content));
      if (close < s.size()) found.push_back(s[close]);
      k = close;
      continue;
    }
    std::size_t end = k;
    const auto read = read_at(s, k, end);
    if (!read) {
      found.push_back(s[k]);
      continue;
    }
    if (read->plain()) put(found, read->value);
    else if (!read->list && !found.empty() && found.back().is("**") && is_spread(found)) give_all(found, *read, s[k]);
    else if (!read->list && read->kind == Record::Kind::tuple && !found.empty() && found.back().is("*") && is_spread(found)) give_in_turn(found, *read);
    else misused(s[k]);
    k = end - 1;
  }
  return found;
}

Tokens Dictionaries::in_brackets(const Tokens& content) {
  const auto loop = place_outside_all(content, "for");
  if (!loop) return rewritten(content);
  const Records outside_of = records_;
  const bool recomputed = std::exchange(recomputed_, true);
  const Tokens clauses = bound_clauses(between(content, *loop));
  Tokens result = rewritten(slice(content, 0, *loop));
  put(result, clauses);
  records_ = outside_of;
  recomputed_ = recomputed;
  return result;
}

bool Dictionaries::is_spread(const Tokens& found) { return found.size() == 1 || found[found.size() - 2].is("(") || found[found.size() - 2].is(","); }

void Dictionaries::give_all(Tokens& found, const Record& record, const Token& name) {
  found.pop_back();
  bool first = true;
  for (const Record& part : record.parts) {
    if (!part.plain()) misused(name);
    if (!first) found.push_back({TokenKind::symbol, ",", part.value[0].span});
    first = false;
    put(found, {{TokenKind::name, part.key, part.value[0].span}, {TokenKind::symbol, "=", part.value[0].span}});
    put(found, part.value);
  }
}

void Dictionaries::give_in_turn(Tokens& found, const Record& record) {
  found.pop_back();  // the star
  put(found, record.listed());
}

Tokens with_dictionaries(Tokens tokens, Words& words) {
  const auto holds_tuples = [&](std::size_t k) { return k + 1 < tokens.size() && tokens[k].is("[") && tokens[k + 1].is("("); };
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool appended = k + 4 < tokens.size() && tokens[k].is("append") && tokens[k + 1].is("(") && tokens[k + 2].is("(");
    if (tokens[k].is("{") || tokens[k].is("dict") || holds_tuples(k) || appended) return Dictionaries(std::move(tokens), words).run();  // nearly never
  }
  return tokens;
}

}  // namespace foldproof::program
