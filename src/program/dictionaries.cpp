// SPDX-License-Identifier: MIT
#include "program/dictionaries.hpp"

#include "expr/diagnostic.hpp"
#include "program/dictionary_reader.hpp"

namespace foldproof::program {

Tokens Dictionaries::run() {
  written_ = block(tokens_, true);
  for (const std::string_view name : copied_) drop_uncalled(name);
  if (!refused_.empty()) std::rethrow_exception(refused_.begin()->second);
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
  if (here_.records.empty() && functions_.empty()) return s;
  Tokens found;
  for (std::size_t k = 0; k < s.size(); ++k) {
    if (s[k].is("lambda")) {
      const std::size_t colon = k + place_outside(between(s, k), ":").value_or(s.size() - k);
      const auto comma = place_outside(slice(s, colon, s.size()), ",");  // which ends it
      const std::size_t end = comma ? colon + *comma : s.size();
      const Scope outside = here_;
      here_.recomputed = true;
      for (const Token& t : slice(s, k + 1, colon)) here_.records.erase(t.text);
      put(found, slice(s, k, colon));
      put(found, rewritten(slice(s, colon, end)));
      here_ = outside;
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
      k = closing(s, k + 1);
      continue;
    }
    if (opens(s[k])) {
      const std::size_t close = closing(s, k);
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
    else give_spread(found, *read, s[k]);
    k = end - 1;
  }
  return found;
}

Tokens Dictionaries::in_brackets(const Tokens& content) {
  const auto loop = place_outside(content, "for");
  if (!loop) return rewritten(content);
  const Scope outside = here_;
  here_.recomputed = true;
  const Tokens clauses = bound_clauses(between(content, *loop));
  Tokens result = rewritten(slice(content, 0, *loop));
  put(result, clauses);
  here_ = outside;
  return result;
}

void Dictionaries::give_spread(Tokens& found, const Record& record, const Token& name) {
  const bool tuple = record.kind == Record::Kind::tuple, star = !found.empty() && found.back().is(tuple ? "*" : "**");
  const bool argument = star && (found.size() == 1 || found[found.size() - 2].is("(") || found[found.size() - 2].is(","));
  if (!argument || record.list) misused(name);
  found.pop_back();
  if (tuple) return put(found, record.listed(name));
  std::vector<Tokens> arguments;
  for (const Record& part : record.parts) {
    if (!part.plain()) misused(name);
    arguments.push_back({{TokenKind::name, part.key, part.value[0].span}, {TokenKind::symbol, "=", part.value[0].span}});
    put(arguments.back(), part.value);
  }
  put(found, with_commas(arguments, name));
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
