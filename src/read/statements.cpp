// SPDX-License-Identifier: MIT
#include "read/statements.hpp"

#include <algorithm>

#include "program/lexer.hpp"
#include "read/language.hpp"

namespace foldproof::read {

namespace {

/// What may hold bytes that no token has.
std::vector<std::string> rough_statements(std::string_view text) {
  std::vector<std::string> out;
  bool comment = false;
  bool fresh = true;
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (c == '\n' || (c == ';' && !comment)) {
      comment = false;
      fresh = true;
    } else if (c == '#' || comment) {
      comment = true;
    } else if (!fresh || (c != ' ' && !control)) {
      if (fresh) out.emplace_back();
      fresh = false;
      out.back() += control ? ' ' : c;
    }
  }
  for (std::string& statement : out) statement.erase(statement.find_last_not_of(' ') + 1);
  return out;
}

}  // namespace

std::vector<std::string> statements(std::string_view claim_text) {
  std::vector<std::string> out;
  try {
    bool fresh = true;
    std::size_t behind = 0;  // the token before
    for (const Token& token : tokenize(claim_text)) {
      if (token.kind == TokenKind::separator || token.kind == TokenKind::end) {
        fresh = true;
        continue;
      }
      if (fresh) out.emplace_back();
      if (!fresh && token.span.begin > behind) out.back() += ' ';
      out.back() += token.text;
      fresh = false;
      behind = token.span.end;
    }
  } catch (const Error&) {
    return rough_statements(claim_text);
  }
  return out;
}

std::string claim_line(std::string_view claim_text, std::size_t longest) {
  std::string out;
  for (const std::string& statement : statements(claim_text)) {
    out += (out.empty() ? "" : "; ") + statement;
    if (out.size() > longest) return out.substr(0, longest) + "...";
  }
  return out;
}

}  // namespace foldproof::read
