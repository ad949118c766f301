// SPDX-License-Identifier: MIT
#include "read/simple_statements.hpp"

#include <algorithm>

namespace foldproof::read {
namespace {

/// The names of a = b = value, up to the value; empty where something else stands there.
Tokens several_targets(const Tokens& statement) {
  Tokens targets;
  for (std::size_t k = 0; k + 1 < statement.size() && statement[k].kind == TokenKind::name && statement[k + 1].is("="); k += 2) targets.push_back(statement[k]);
  return targets.size() > 1 ? targets : Tokens{};
}

/// Whether nothing changes the value in place, so that each name may have it for its own: a number, a word, a function.
bool is_constant(const Tokens& value) {
  const std::size_t sign = !value.empty() && value[0].is("-") ? 1 : 0;
  const bool one = value.size() == sign + 1, word = one && (value[sign].kind == TokenKind::text || value[sign].is("True") || value[sign].is("False") || value[sign].is("None"));
  return (one && value[sign].kind == TokenKind::number) || word || (!value.empty() && value[0].is("lambda"));
}

/// 'cuda', torch.device('cuda') and "cuda" if torch.cuda.is_available() else "cpu": where numbers are stored. The first of its words; nothing for others.
std::optional<Token> device(Tokens value) {
  const auto begins = [&](std::initializer_list<std::string_view> words) { return value.size() > words.size() && std::equal(words.begin(), words.end(), value.begin(), [](std::string_view word, const Token& t) { return t.is(word); }); };
  if (begins({"torch", ".", "device", "("}) && is_one_bracket(between(value, 3))) value = inside(value, 4);
  const bool one = value.size() == 1, either = value.size() == 11 && text_of(slice(value, 1, 10)) == "if torch . cuda . is_available ( ) else" && is_device(value[10]);
  return !value.empty() && is_device(value[0]) && (one || either) ? std::optional(value[0]) : std::nullopt;
}

}  // namespace

bool is_device(const Token& t) {
  static constexpr std::string_view devices[] = {"cpu", "cuda", "mps", "xpu", "gpu", "tpu"};
  if (t.kind != TokenKind::text || t.text.size() < 2) return false;
  const std::string_view word = t.text.substr(1, t.text.size() - 2), kind = word.substr(0, word.find(':'));
  return is_among(kind, devices);
}

Tokens with_single_targets(Tokens tokens) {
  Tokens found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::size_t end = end_of_statement(tokens, k);
    Tokens statement = slice(tokens, k, end);
    if (const auto word = statement.size() > 2 && statement[1].is("=") ? device(between(statement, 2)) : std::nullopt) statement = {statement[0], statement[1], *word};
    const Tokens targets = several_targets(statement), value = slice(statement, 2 * targets.size(), statement.size());
    if (targets.empty()) put(found, statement);
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (t > 0) found.push_back({TokenKind::separator, "\n", targets[t].span});
      put(found, {targets[t], statement[1]});
      put(found, t == 0 || is_constant(value) ? value : Tokens{targets[0]});
    }
    if (end < tokens.size()) found.push_back(tokens[end]);
    k = end;
  }
  return found;
}

}  // namespace foldproof::read
