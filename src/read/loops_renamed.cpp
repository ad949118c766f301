// SPDX-License-Identifier: MIT
// Steps that give the value from before, or the one after, a name of its own: new = max(m, s) ... m = new, and old = m ... m = max(old, s).
#include <algorithm>

#include "read/loops.hpp"

namespace foldproof::read {
namespace {

/// A statement of a step, and where it stands. Of a loop in it only the place is known.
struct Statement {
  std::size_t begin = 0, end = 0;
  Tokens tokens;
};

std::vector<Statement> statements_with_places(const Tokens& body) {
  std::vector<Statement> result;
  for (std::size_t at = 0; at < body.size();) {
    if (ends_statement(body[at])) {
      ++at;
      continue;
    }
    Statement s{at, at, {}};
    if (body[at].is("for")) {
      s.end = read_loop(body, at).end;
    } else {
      while (s.end < body.size() && !ends_statement(body[s.end])) ++s.end;
      s.tokens = Tokens(body.begin() + static_cast<std::ptrdiff_t>(s.begin), body.begin() + static_cast<std::ptrdiff_t>(s.end));
    }
    at = std::max(s.end, at + 1);
    result.push_back(std::move(s));
  }
  return result;
}

/// x = ..., of one name.
bool gives_value(const Statement& s) { return s.tokens.size() > 2 && s.tokens[0].kind == TokenKind::name && s.tokens[1].is("="); }
/// x = y
bool gives_name(const Statement& s) { return gives_value(s) && s.tokens.size() == 3 && s.tokens[2].kind == TokenKind::name; }

/// How often something in the step may change what the name stands for.
std::size_t changes(const Tokens& body, std::string_view name) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < body.size(); ++k) {
    if (body[k].text != name || !is_use(body, k)) continue;
    const bool first = k == 0 || ends_statement(body[k - 1]), given = k + 1 < body.size() && (body[k + 1].is("=") || body[k + 1].is(","));
    count += first || body[k - 1].is("for") || (body[k - 1].is(",") && given) ? 1U : 0U;
  }
  return count;
}

/// x = value, where the value says how x goes on.
bool goes_on(const Token& x, const Tokens& value) {
  Tokens statement{x, {TokenKind::symbol, "=", x.span}};
  put(statement, value);
  const auto how = recurrence(statement);
  return how && !how->kept;
}

Tokens with_name(Tokens tokens, std::string_view from, const Token& to) {
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k].text == from && is_use(tokens, k)) tokens[k] = to;
  }
  return tokens;
}

}  // namespace

Tokens Loops::with_recurrences(Tokens body) {
  const auto replace = [&](const Statement& s, const Tokens& by) {
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(s.begin), body.begin() + static_cast<std::ptrdiff_t>(s.end));
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(s.begin), by.begin(), by.end());
  };
  const auto once = [&](const Token& a, const Token& b) { return a.text != b.text && changes(body, a.text) == 1 && changes(body, b.text) == 1; };
  const auto end_of = [](const Token& at) { return Token{TokenKind::separator, "\n", at.span}; };
  const auto next = [&] {
    const auto all = statements_with_places(body);
    for (std::size_t first = 0; first < all.size(); ++first) {
      for (std::size_t later = first + 1; later < all.size(); ++later) {
        if (!gives_value(all[first]) || !gives_value(all[later])) continue;
        const Token& name = all[first].tokens[0];
        const Token& x = all[later].tokens[0];
        const Tokens value = between(all[first].tokens, 2), then = between(all[later].tokens, 2);
        if (gives_name(all[first]) && all[first].tokens[2].text == x.text && names(then, name.text) && !names(then, x.text) && once(name, x) && goes_on(x, with_name(then, name.text, x))) {  // old = x ... x = f(old)
          Tokens own{x, all[later].tokens[1]};
          put(own, with_name(then, name.text, x));
          replace(all[later], own);
          return true;
        }
        if (gives_name(all[later]) && then[0].text == name.text && !gives_name(all[first]) && names(value, x.text) && once(name, x) && goes_on(x, value)) {  // new = f(x) ... x = new
          const Token old = item_name(x, made_.size());
          const Tokens before = Tokens(body.begin() + static_cast<std::ptrdiff_t>(all[first].end), body.begin() + static_cast<std::ptrdiff_t>(all[later].begin));
          replace(all[later], {});
          Statement after = all[first];
          after.begin = all[first].end;
          after.end = all[later].begin;
          replace(after, with_name(before, x.text, old));
          Tokens own{old, all[first].tokens[1], x, end_of(x), x, all[first].tokens[1]};
          put(own, value);
          put(own, {end_of(x), name, all[first].tokens[1], x});
          replace(all[first], own);
          return true;
        }
      }
    }
    return false;
  };
  for (std::size_t turn = 0; turn < most_steps && next(); ++turn) {
  }
  return body;
}

}  // namespace foldproof::read
