// SPDX-License-Identifier: MIT
#include "program/random_draws.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"
#include "program/generators.hpp"

namespace foldproof::program {
namespace {

constexpr std::size_t most_items = 64;  // of a list of random tensors

class Draws {
 public:
  Draws(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words), numbers_(named_numbers(tokens_)) { note_functions(); }

  Tokens run() {
    each_statement(tokens_, [&](const Tokens& statement, std::size_t end) {
      for (Tokens& one : apart(with_lists_written(statement))) {
        const Token at = one.empty() ? Token{} : one[0];
        name_draws(std::move(one));
        if (!at.text.empty()) written_.push_back({TokenKind::separator, "\n", at.span});
      }
      if (!written_.empty() && written_.back().kind == TokenKind::separator && !statement.empty()) written_.pop_back();
      if (end < tokens_.size()) written_.push_back(tokens_[end]);
    });
    return std::move(written_);
  }

 private:
  /// The functions of the program that draw, and those that call them: each call draws anew.
  void note_functions() {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t k = 0; k + 2 < tokens_.size(); ++k) {
        const bool function = tokens_[k].is("def"), lambda = tokens_[k + 1].is("=") && tokens_[k + 2].is("lambda");
        if (!function && !lambda) continue;
        const Token& name = tokens_[function ? k + 1 : k];
        if (drawing_.count(name.text) > 0) continue;
        const std::size_t end = function ? behind_statement(tokens_, k) : end_of_statement(tokens_, k);
        for (std::size_t d = function ? end_of_statement(tokens_, k) : k + 2; d < end; ++d) {  // a default value is drawn once
          if (end_of_call(tokens_, d) == 0) continue;
          drawing_.insert(name.text);
          more = true;
          break;
        }
      }
    }
  }

  /// Where the call at k ends that draws; 0 for others.
  std::size_t end_of_call(const Tokens& t, std::size_t k) const {
    if (const std::size_t end = end_of_draw(t, k)) return end;
    const bool own = drawing_.count(t[k].text) > 0 && k + 1 < t.size() && t[k + 1].is("(") && (k == 0 || (!t[k - 1].is(".") && !t[k - 1].is("def")));
    return own ? closing(t, k + 1) + 1 : 0;
  }
  bool draws(const Tokens& t) const {
    for (std::size_t k = 0; k < t.size(); ++k) {
      if (end_of_call(t, k) > 0) return true;
    }
    return false;
  }

  /// q, k = torch.randn(3, 4), torch.randn(5, 4) as two statements.
  std::vector<Tokens> apart(Tokens statement) const {
    return draws(statement) && std::none_of(statement.begin(), statement.end(), [](const Token& t) { return t.is("lambda"); }) ? one_by_one(statement) : std::vector<Tokens>{std::move(statement)};
  }

  /// [torch.randn(d, d) for _ in range(3)] with its three items, and so a, b = (torch.randn(d) for _ in range(2)).
  Tokens with_lists_written(Tokens s) const {
    for (std::size_t k = s.size(); k-- > 0;) {
      const bool generates = k > 0 && s[k].is("(") && s[k - 1].is("=");
      const std::size_t close = s[k].is("[") || generates ? closing(s, k) : 0;
      if (close == 0 || close >= s.size()) continue;
      const Tokens content = slice(s, k + 1, close);
      const std::size_t loop = place_outside(content, "for").value_or(content.size());
      const Tokens item = slice(content, 0, loop), range = slice(content, loop + 3, content.size());
      const bool counted = loop + 5 < content.size() && content[loop + 1].kind == TokenKind::name && content[loop + 2].is("in") && range[0].is("range") && is_one_bracket(between(range, 1));
      if (!counted || !draws(item)) continue;
      Tokens number = inside(range, 2);
      const auto named = number.size() == 1 ? numbers_.find(number[0].text) : numbers_.end();
      if (named != numbers_.end()) number = {named->second};
      const auto count = small_number(number);
      if (!count || *count > most_items) continue;
      std::vector<Tokens> items;
      for (std::size_t i = 0; i < *count; ++i) {
        const Tokens index{{TokenKind::number, numeral(i), item[0].span}};
        items.push_back(replaced(item, [&](std::string_view name) { return name == content[loop + 1].text ? &index : nullptr; }));
      }
      Tokens next = slice(s, 0, k + 1);
      put(next, with_commas(items, item[0]));
      put(next, slice(s, close, s.size()));
      s = std::move(next);
    }
    return s;
  }

  std::string_view numeral(std::size_t k) const {
    words_.push_back(std::to_string(k));
    return words_.back();
  }

  /// Puts the statement down, and before it what it draws in a part of it.
  void name_draws(Tokens s) {
    for (std::size_t k = s.size(); k-- > 0;) {  // what a call is given is drawn before
      const std::size_t end = end_of_call(s, k);
      if (end == 0 || end > s.size() || stays(s, k, end)) continue;
      const Token name{TokenKind::name, name_of_draw(s), s[k].span};
      put(written_, {name, {TokenKind::symbol, "=", s[k].span}});
      put(written_, slice(s, k, end));
      written_.push_back({TokenKind::separator, "\n", s[k].span});
      Tokens next = slice(s, 0, k);
      next.push_back(name);
      put(next, slice(s, end, s.size()));
      s = std::move(next);
    }
    put(written_, s);
  }

  /// Whether the draw is all that names are given, or is made again each time that something around it is asked for.
  static bool stays(const Tokens& s, std::size_t k, std::size_t end) {
    if (s[0].is("elif") || s[0].is("while") || s[0].is("class") || s[0].is("def")) return true;
    const auto equals = assignment(s);
    if (equals && *equals + 1 == k && end == s.size() && !changes_in_place(s, *equals)) return true;
    if (s[0].is("return") && k == 1 && end == s.size()) return true;
    const auto open = open_brackets(s, k);
    const bool kept = std::any_of(open.begin(), open.end(), [&](std::size_t at) { return at > 0 && (s[at - 1].is("Parameter") || s[at - 1].is("register_buffer")); });
    return kept || is_recomputed(s, k);
  }

  /// `scale_drawn` for what scale = np.random.rand(d) + 0.5 draws.
  std::string_view name_of_draw(const Tokens& statement) {
    const bool assigns = statement.size() > 1 && statement[0].kind == TokenKind::name && statement[1].is("=");
    return fresh_name(assigns ? std::string(statement[0].text) + "_drawn" : "drawn", tokens_, words_);
  }

  Tokens tokens_;
  Words& words_;
  Tokens written_;
  std::map<std::string_view, Token> numbers_;
  std::set<std::string_view> drawing_;
};

}  // namespace

Tokens with_draws_named(Tokens tokens, Words& words) {
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (end_of_draw(tokens, k) > 0) return Draws(std::move(tokens), words).run();
  }
  return tokens;
}

}  // namespace foldproof::program
