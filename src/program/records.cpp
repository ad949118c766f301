// SPDX-License-Identifier: MIT
#include "program/records.hpp"

#include <algorithm>

namespace foldproof::program {

const Record* Record::part(std::string_view wanted) const {
  const auto at = std::find_if(parts.begin(), parts.end(), [&](const Record& p) { return p.key == wanted; });
  return at == parts.end() ? nullptr : &*at;
}

void Record::set(std::string_view key_of_part, Record part) {
  part.key = key_of_part;
  const auto at = std::find_if(parts.begin(), parts.end(), [&](const Record& p) { return p.key == key_of_part; });
  if (at != parts.end()) *at = std::move(part);
  else parts.push_back(std::move(part));
}

void Record::each_value(const std::function<void(const Record&)>& see) const {
  if (plain()) return see(*this);
  for (const Record& part : parts) part.each_value(see);
}

std::vector<Tokens> Record::values() const {
  std::vector<Tokens> found;
  each_value([&](const Record& r) { found.push_back(r.value); });
  return found;
}

Tokens Record::listed() const {
  Tokens found;
  for (const Tokens& one : values()) {
    if (!found.empty()) found.push_back({TokenKind::symbol, ",", one[0].span});
    put(found, one);
  }
  return found;
}

Record Record::mapped(const std::function<Tokens(const Tokens&)>& change) const {
  Record result = *this;
  if (plain()) result.value = change(value);
  for (Record& part : result.parts) part = part.mapped(change);
  return result;
}

bool Record::same_values(const Record& other) const {
  const auto same = [](const Record& a, const Record& b) { return a.key == b.key && a.same_values(b); };
  return kind == other.kind && list == other.list && text_of(value) == text_of(other.value) && std::equal(parts.begin(), parts.end(), other.parts.begin(), other.parts.end(), same);
}

bool Record::same_keys(const Record& other) const {
  const auto same = [](const Record& a, const Record& b) { return a.key == b.key && a.same_keys(b); };
  return kind == other.kind && list == other.list && std::equal(parts.begin(), parts.end(), other.parts.begin(), other.parts.end(), same);
}

bool opens_any(const Token& t) { return opens(t) || t.is("{"); }
namespace {
bool closes_any(const Token& t) { return closes(t) || t.is("}"); }
}  // namespace

std::size_t closing_any(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < tokens.size(); ++k) {
    depth += (opens_any(tokens[k]) ? 1 : 0) - (closes_any(tokens[k]) ? 1 : 0);
    if (depth == 0) return k;
  }
  return tokens.size();
}

std::optional<std::size_t> place_outside_all(const Tokens& tokens, std::string_view what) {
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k].is(what)) return k;
    if (opens_any(tokens[k])) k = closing_any(tokens, k);
  }
  return std::nullopt;
}

std::vector<Tokens> entries_of(const Tokens& tokens) {
  std::vector<Tokens> parts;
  Tokens rest = tokens;
  while (!rest.empty()) {
    const auto comma = place_outside_all(rest, ",");
    parts.push_back(slice(rest, 0, comma.value_or(rest.size())));
    rest = comma ? between(rest, *comma + 1) : Tokens{};
  }
  return parts;
}

bool is_one(const Tokens& tokens, std::string_view open) { return tokens.size() > 1 && tokens[0].is(open) && closing_any(tokens, 0) + 1 == tokens.size(); }

std::string_view key_of(const Token& quoted) { return quoted.text.substr(1, quoted.text.size() - 2); }

}  // namespace foldproof::program
