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

bool is_one(const Tokens& tokens, std::string_view open) { return is_one_bracket(tokens) && tokens[0].is(open); }

std::string_view key_of(const Token& quoted) { return quoted.text.substr(1, quoted.text.size() - 2); }

}  // namespace foldproof::program
