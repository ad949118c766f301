// SPDX-License-Identifier: MIT
#include "program/slices.hpp"

#include <algorithm>

#include "program/library_names.hpp"

namespace foldproof::program {
namespace {

/// The places of slice(a, b, s), a:b:s; nothing for what is no such call.
Tokens of_call(const Tokens& value) {
  if (value.size() < 4 || !value[0].is("slice") || !value[1].is("(") || !is_one_bracket(between(value, 1))) return {};
  std::vector<Tokens> parts = parts_of(inside(value, 2));
  if (parts.size() > 3 || !std::all_of(parts.begin(), parts.end(), is_by_place)) return {};
  if (parts.size() == 1) parts.insert(parts.begin(), Tokens{});
  Tokens places;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (k > 0) places.push_back({TokenKind::symbol, ":", value[0].span});
    if (!parts[k].empty() && !parts[k][0].is("None")) put(places, parts[k]);
  }
  return places;
}

/// The same of np.s_[:, a:b].
Tokens of_value(const Tokens& value) {
  const bool index = value.size() > 4 && is_module(value[0].text) && value[1].is(".") && value[2].is("s_") && value[3].is("[") && is_one_bracket(between(value, 3));
  return index ? inside(value, 4) : of_call(value);
}

/// Whether token k stands alone for one place of x[...].
bool is_place(const Tokens& tokens, std::size_t k) {
  const std::vector<std::size_t> open = open_brackets(tokens, k);
  if (open.empty() || open.back() == 0 || !tokens[open.back()].is("[") || k + 1 >= tokens.size()) return false;
  const Token& before = tokens[open.back() - 1];
  const bool subscript = (before.kind == TokenKind::name && !is_reserved(before.text)) || before.is(")") || before.is("]");
  return subscript && (tokens[k - 1].is("[") || tokens[k - 1].is(",")) && (tokens[k + 1].is("]") || tokens[k + 1].is(","));
}

/// Where the block ends in which token k stands, or the tokens.
std::size_t end_of_block(const Tokens& tokens, std::size_t k) {
  for (int depth = 0; k < tokens.size(); ++k) {
    depth += step_into_block(tokens[k]);
    if (depth < 0) break;
  }
  return k;
}

/// Whether the block around token k is a case, which may not be the one that is taken.
bool is_in_case(const Tokens& tokens, std::size_t k) {
  int depth = 0;
  while (k > 0) {
    --k;
    depth += step_into_block(tokens[k]);
    if (depth <= 0) continue;
    std::size_t begin = k;
    while (!begins_statement(tokens, begin)) --begin;
    return tokens[begin].is("if") || tokens[begin].is("elif") || tokens[begin].is("else");
  }
  return false;
}

class Slices {
 public:
  explicit Slices(Tokens tokens) : tokens_(std::move(tokens)) {}

  Tokens run() {
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      while (k < tokens_.size() && begins_statement(tokens_, k) && takes_out(k)) {
      }
    }
    Tokens found;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      const std::size_t end = tokens_[k].is("slice") && k + 1 < tokens_.size() && tokens_[k + 1].is("(") ? closing(tokens_, k + 1) : k;
      const Tokens places = end > k && end + 1 < tokens_.size() && is_end_of_place(end) && is_begin_of_place(k) ? of_call(slice(tokens_, k, end + 1)) : Tokens{};
      if (places.empty()) {
        found.push_back(tokens_[k]);
        continue;
      }
      put(found, places);
      k = end;
    }
    return found;
  }

 private:
  bool is_begin_of_place(std::size_t k) const {
    const std::vector<std::size_t> open = open_brackets(tokens_, k);
    return !open.empty() && tokens_[open.back()].is("[") && (tokens_[k - 1].is("[") || tokens_[k - 1].is(","));
  }
  bool is_end_of_place(std::size_t k) const { return tokens_[k + 1].is("]") || tokens_[k + 1].is(","); }

  /// Takes the statement out if it gives a slice a name that is only used as a place from there on; whether it does.
  bool takes_out(std::size_t begin) {
    const std::size_t end = end_of_statement(tokens_, begin);
    const Tokens statement = slice(tokens_, begin, end);
    if (statement.size() < 6 || statement[0].kind != TokenKind::name || !statement[1].is("=")) return false;
    const Tokens places = of_value(between(statement, 2));
    if (places.empty() || end >= tokens_.size() || tokens_[end].kind != TokenKind::separator || is_in_case(tokens_, begin)) return false;
    const std::string_view name = statement[0].text;
    std::size_t last = end_of_block(tokens_, end);
    for (std::size_t k = end + 1; k < last; ++k) {  // up to where the name gets another value
      if (begins_statement(tokens_, k) && tokens_[k].is(name) && tokens_[k + 1].is("=")) {
        if (end_of_block(tokens_, k) != last) return false;
        last = k;
      }
    }
    const BoundNames bound = bound_names(slice(tokens_, end, last));
    if (bound.has(name) || std::any_of(places.begin(), places.end(), [&](const Token& t) { return bound.has(t.text); })) return false;
    Tokens found = slice(tokens_, 0, begin);
    for (std::size_t k = end + 1; k < tokens_.size(); ++k) {
      if (k >= last || !tokens_[k].is(name) || tokens_[k - 1].is(".")) {
        found.push_back(tokens_[k]);
      } else if (is_place(tokens_, k)) {
        put(found, places);
      } else {
        return false;
      }
    }
    tokens_ = std::move(found);
    return true;
  }

  Tokens tokens_;
};

}  // namespace

Tokens with_slices(Tokens tokens) {
  bool found = false;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (k > 0 && tokens[k].is("slice") && tokens[k - 1].is("def")) return tokens;  // one's own
    found = found || tokens[k].is("slice") || tokens[k].is("s_");
  }
  return found ? Slices(std::move(tokens)).run() : tokens;  // nearly never
}

}  // namespace foldproof::program
