// SPDX-License-Identifier: MIT
#include "program/dictionary_reader.hpp"

#include <algorithm>

#include "expr/diagnostic.hpp"

namespace foldproof::program {

std::optional<Record> Dictionaries::record_of(const Tokens& tokens) {
  if (tokens.empty()) return std::nullopt;
  if (is_one(tokens, "{")) return literal(tokens);
  if (is_one(tokens, "(")) {
    const Tokens content = inside(tokens, 1);
    return place_outside(content, ",") ? std::nullopt : record_of(content);
  }
  if (tokens.size() > 3 && tokens[0].is("dict") && is_one(between(tokens, 1), "(")) return by_names(tokens);
  for (const std::string_view copies : {"copy", "deepcopy"}) {
    const std::size_t name = tokens.size() > 3 && tokens[0].is("copy") && tokens[1].is(".") ? 2 : 0;
    if (tokens.size() > name + 3 && tokens[name].is(copies) && is_one(between(tokens, name + 1), "(")) return record_of(inside(tokens, name + 2));
    const std::size_t n = tokens.size();
    if (n > 4 && tokens[n - 4].is(".") && tokens[n - 3].is(copies) && tokens[n - 2].is("(") && tokens[n - 1].is(")")) return record_of(slice(tokens, 0, n - 4));
  }
  if (auto called = returned_by(tokens)) return called;
  std::size_t end = 0;
  auto found = read_at(tokens, 0, end);
  return found && !found->plain() && end == tokens.size() ? found : std::nullopt;
}

bool Dictionaries::is_new(const Tokens& tokens) { return tokens.back().is("}") || (tokens.back().is(")") && !is_in_round_brackets(tokens)); }

std::optional<Record> Dictionaries::read_at(const Tokens& s, std::size_t k, std::size_t& end) {
  const auto at = is_use(s, k) ? here_.records.find(s[k].text) : here_.records.end();
  if (at == here_.records.end()) return std::nullopt;
  if ((here_.in_function || here_.recomputed) && here_.own.count(s[k].text) == 0) read_later_.insert(s[k].text);
  Record found = at->second;
  const Token name = s[k];
  for (end = k + 1; end < s.size() && s[end].is("[") && !found.plain();) {
    const std::size_t close = closing(s, end);
    const Tokens place = slice(s, end + 1, close);
    if (found.list) {
      if (place_outside(place, ",")) misused(name);
      const Tokens index = rewritten(place);
      const bool some = place_outside(place, ":").has_value();
      found = found.mapped([&](const Tokens& list) {
        Tokens one = list;
        one.push_back(s[end]);
        put(one, index);
        one.push_back(s[close]);
        return one;
      });
      found.list = some;
      found.given = true;  // a value of a key may not be put into the list
    } else {
      const bool key = place.size() == 1 && place[0].kind == (found.kind == Record::Kind::dictionary ? TokenKind::text : TokenKind::number);
      if (!key) misused(name);
      const std::string_view text = found.kind == Record::Kind::dictionary ? key_of(place[0]) : place[0].text;
      const Record* part = found.part(text);
      if (part == nullptr) fail("name.unknown", describe(name) + " has no key " + describe(place[0]), place[0].span, "give it a value before");
      Record next = *part;
      next.given = next.given || found.given;
      found = std::move(next);
    }
    end = close + 1;
  }
  if (found.plain() && found.value.size() == 1) found.value[0].span = name.span;
  return found;
}

Record Dictionaries::literal(const Tokens& tokens) {
  Record result{.kind = Record::Kind::dictionary, .value = {}, .parts = {}};
  const Tokens content = inside(tokens, 1);
  if (const auto loop = place_outside(content, "for")) return of_each(content, *loop);
  for (const Tokens& entry : parts_of(content)) {
    static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (entry.empty()) continue;
    if (entry[0].is("**")) {
      set_all(result, between(entry, 1), entry[0], "write {**s, \"scale\": 2} for an s = {...}");
      continue;
    }
    const bool plain = entry.size() > 2 && entry[0].kind == TokenKind::text && entry[1].is(":") && key_of(entry[0]).find_first_not_of(letters) == std::string_view::npos;
    if (!plain) fail("parse.unexpected", "an entry of a dictionary has a word in quotes for its key here", entry[0].span, "write {\"scale\": 2}");
    if (result.part(key_of(entry[0])) != nullptr && std::none_of(content.begin(), content.end(), [](const Token& t) { return t.is("**"); })) fail("parse.duplicate", describe(entry[0]) + " has two values", entry[0].span, "leave one of them out");
    result.set(key_of(entry[0]), value_of(between(entry, 2)));
  }
  return result;
}

Record Dictionaries::value_of(const Tokens& tokens) {
  if (auto record = list_of(tokens)) return *record;
  if (auto record = record_of(tokens)) return *record;
  return {.kind = Record::Kind::value, .value = rewritten(tokens), .parts = {}};
}

void Dictionaries::set_all(Record& record, const Tokens& others, const Token& at, const std::string& hint) {
  const auto found = record_of(others);
  if (!found || found->kind != Record::Kind::dictionary || found->list) fail("parse.unexpected", "what is no dictionary has no keys", at.span, hint);
  for (const Record& part : found->parts) record.set(part.key, part);
}

Record Dictionaries::by_names(const Tokens& tokens) {
  Record result{.kind = Record::Kind::dictionary, .value = {}, .parts = {}};
  for (const Tokens& entry : parts_of(inside(tokens, 2))) {
    if (entry.empty()) continue;
    if (is_by_name(entry)) result.set(entry[0].text, value_of(between(entry, 2)));
    else set_all(result, between(entry, entry[0].is("**") ? 1 : 0), tokens[0], "write dict(scale=2)");
  }
  return result;
}

Record Dictionaries::of_each(const Tokens& content, std::size_t loop) {
  const Tokens head = slice(content, 0, loop), clause = between(content, loop + 1);
  const auto in = place_outside(clause, "in"), colon = place_outside(head, ":");
  const Tokens names = slice(clause, 0, in.value_or(0));
  const auto [others, items] = in ? keys_in(between(clause, *in + 1)) : std::pair<std::optional<Record>, bool>{};
  const bool form = others && colon == 1u && (items ? names.size() == 3 && names[1].is(",") : names.size() == 1) && head[0].is(names[0].text);
  if (!form) fail("parse.unexpected", "a dictionary is made of the keys of another one here", content[loop].span, "write {key: 2*value for key, value in s.items()}");
  Record result{.kind = Record::Kind::dictionary, .value = {}, .parts = {}};
  for (const Record& part : others->parts) {
    result.set(part.key, value_of(for_key(between(head, 2), names, part)));
  }
  return result;
}

std::pair<std::optional<Record>, bool> Dictionaries::keys_in(const Tokens& range) {
  const std::size_t n = range.size();
  const bool call = n > 4 && range[n - 4].is(".") && range[n - 2].is("(") && range[n - 1].is(")") && (range[n - 3].is("items") || range[n - 3].is("keys"));
  auto found = record_of(call ? slice(range, 0, n - 4) : range);
  if (found && (found->kind != Record::Kind::dictionary || found->list)) found.reset();
  return {std::move(found), call && range[n - 3].is("items")};
}

Tokens Dictionaries::for_key(const Tokens& body, const Tokens& names, const Record& part) {
  words_.push_back("'" + std::string(part.key) + "'");
  const Tokens text{{TokenKind::text, words_.back(), names[0].span}};
  const bool items = names.size() == 3;
  Tokens value = part.value;
  if (items && !part.plain()) {
    value = {word(std::string(names[2].text), names[2])};
    here_.records[value[0].text] = part;
  }
  return replaced(body, [&](std::string_view used) { return used == names[0].text ? &text : items && used == names[2].text ? &value : nullptr; });
}

std::optional<Record> Dictionaries::list_of(const Tokens& tokens) {
  if (!is_one(tokens, "[")) return std::nullopt;
  const Tokens content = inside(tokens, 1);
  const auto loop = place_outside(content, "for");
  std::vector<Tokens> items = loop ? std::vector<Tokens>{slice(content, 0, *loop)} : parts_of(content);
  const auto is_record = [&](const Tokens& item) {
    if (item.empty()) return false;
    const bool tuple = is_one(item, "(") && place_outside(inside(item, 1), ",").has_value();
    if (tuple || is_one(item, "{") || (item[0].is("dict") && item.size() > 2 && is_one(between(item, 1), "("))) return true;
    if (loop) return false;
    const auto at = here_.records.find(item[0].text);
    return item.size() == 1 && at != here_.records.end() && !at->second.list;
  };
  std::erase_if(items, [](const Tokens& item) { return item.empty(); });
  if (items.empty() || !std::all_of(items.begin(), items.end(), is_record)) return std::nullopt;
  const Records before = here_.records;
  Tokens clauses = loop ? bound_clauses(between(content, *loop)) : Tokens{};
  std::vector<Record> all;
  for (const Tokens& item : items) all.push_back(item_of(item));
  here_.records = before;
  for (const Record& r : all) {
    if (!r.same_keys(all[0])) fail("parse.unexpected", "dictionaries in one list have the same keys here, and tuples the same length", tokens[0].span, "name each of them");
  }
  return joined(all, tokens, clauses);
}

Record Dictionaries::item_of(const Tokens& item) {
  if (auto record = record_of(item)) return *record;
  Record result{.kind = Record::Kind::tuple, .value = {}, .parts = {}};
  for (const Tokens& part : parts_of(inside(item, 1))) {
    words_.push_back(std::to_string(result.parts.size()));
    result.set(words_.back(), value_of(part));
  }
  return result;
}

Record Dictionaries::joined(const std::vector<Record>& all, const Tokens& brackets, const Tokens& clauses) {
  Record result = all[0];
  result.list = true;
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    std::vector<Record> parts;
    for (const Record& r : all) parts.push_back(r.parts[p]);
    Record& part = result.parts[p];
    if (!part.plain()) {
      if (part.list) misused(brackets[0]);
      part = joined(parts, brackets, clauses);
      part.list = false;
      continue;
    }
    std::vector<Tokens> values;
    for (const Record& one : parts) values.push_back(one.value);
    part.value = {brackets.front()};
    put(part.value, with_commas(values, brackets[0]));
    put(part.value, clauses);
    part.value.push_back(brackets.back());
  }
  return result;
}

}  // namespace foldproof::program
