// SPDX-License-Identifier: MIT
// Names of functions, comprehensions and lambda, which must not hide what attributes stand for.
#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"
#include "program/class_reader.hpp"

namespace foldproof::program::objects {

bool Classes::is_meant(std::string_view name) const {
  if (objects_.count(name) > 0 || lists_.count(name) > 0 || others_.count(name) > 0 || made_.count(name) > 0 || std::find(std::begin(settings), std::end(settings), name) != std::end(settings)) return true;
  for (const auto& [object, its] : objects_) {
    for (const auto& [attribute, value] : its.attributes) {
      if (std::any_of(value.begin(), value.end(), [&](const Token& t) { return t.kind == TokenKind::name && t.text == name; })) return true;
    }
  }
  return false;
}

void Classes::rename_bound(Tokens& tokens, const std::function<bool(std::string_view)>& meant) {
  Renaming own;
  const auto note = [&](const Token& name) {
    if (name.kind == TokenKind::name && meant(name.text) && own.count(name.text) == 0) own.emplace(name.text, fresh(std::string(name.text) + "_", name));
  };
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    own.clear();
    if (opens(tokens[k])) {
      const std::size_t end = std::min(closing(tokens, k), tokens.size());
      std::vector<std::size_t> loops;
      for (std::size_t f = k + 1; f < end; f = opens(tokens[f]) ? closing(tokens, f) + 1 : f + 1) {
        if (tokens[f].is("for")) loops.push_back(f);
      }
      if (loops.empty()) continue;
      std::size_t first = end;  // what the first loop goes through, which is outside of the comprehension
      for (const std::size_t f : loops) {
        std::size_t in = f + 1;
        for (; in < end && !tokens[in].is("in"); ++in) note(tokens[in]);
        if (f == loops[0]) first = in;
      }
      std::size_t rest = first;
      while (rest < end && !tokens[rest].is("if") && (rest == first || !tokens[rest].is("for"))) rest = opens(tokens[rest]) ? closing(tokens, rest) + 1 : rest + 1;
      rest = std::min(rest, end);
      if (own.empty()) continue;
      rename(tokens, rest, end, own);
      rename(tokens, k + 1, std::min(first, end), own);
    } else if (tokens[k].is("lambda")) {
      std::size_t colon = k + 1;
      std::vector<std::size_t> parameters;
      for (; colon < tokens.size() && !tokens[colon].is(":"); colon = opens(tokens[colon]) ? closing(tokens, colon) + 1 : colon + 1) {
        if (colon == k + 1 || tokens[colon - 1].is(",")) parameters.push_back(colon);
      }
      for (const std::size_t p : parameters) note(tokens[p]);
      if (own.empty()) continue;
      std::size_t end = colon;
      while (end < tokens.size() && !closes(tokens[end]) && !tokens[end].is(",") && !ends_statement(tokens[end])) end = opens(tokens[end]) ? closing(tokens, end) + 1 : end + 1;
      rename(tokens, std::min(colon, tokens.size()), std::min(end, tokens.size()), own);
      for (const std::size_t p : parameters) {
        if (const auto other = own.find(tokens[p].text); other != own.end()) tokens[p].text = other->second.text;
      }
    }
  }
}

Tokens Classes::with_own_names(Tokens t, std::size_t body) {
  Renaming own;
  const auto note = [&](const Token& name) {
    if (name.kind == TokenKind::name && is_meant(name.text) && own.count(name.text) == 0) own.emplace(name.text, fresh(std::string(name.text) + "_", name));
  };
  std::vector<std::size_t> parameters;
  for (std::size_t k = 3; k < body && t.size() > 2 && t[2].is("("); k = opens(t[k]) ? closing(t, k) + 1 : k + 1) {
    if (t[k].kind == TokenKind::name && (t[k - 1].is("(") || t[k - 1].is(",") || t[k - 1].is("*"))) parameters.push_back(k);
    if (closes(t[k])) break;
  }
  for (const std::size_t p : parameters) note(t[p]);
  for (std::size_t k = body; k < t.size(); ++k) {
    if (!begins_statement(t, k) || ends_statement(t[k])) continue;
    const Tokens s = slice(t, k, end_of_statement(t, k));
    if (s[0].is("for")) {
      for (const Token& name : target_names(slice(s, 1, place_outside(s, "in").value_or(1)))) note(name);
    } else {
      for (const Token& name : target_names(slice(s, 0, targets_end(s)))) note(name);
    }
  }
  rename(t, std::min(body, t.size()), t.size(), own);
  for (const std::size_t p : parameters) {
    if (const auto other = own.find(t[p].text); other != own.end()) t[p].text = other->second.text;
  }
  return t;
}

}  // namespace foldproof::program::objects
