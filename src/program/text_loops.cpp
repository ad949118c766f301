// SPDX-License-Identifier: MIT
#include "program/text_loops.hpp"

#include <algorithm>
#include <map>

namespace foldproof::program {
namespace {

class TextLoops {
 public:
  TextLoops(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {
    each_statement(tokens_, [&](const Tokens& statement, std::size_t) {
      if (statement.size() > 2 && statement[0].kind == TokenKind::name && statement[1].is("=")) {
        if (auto texts = texts_in(between(statement, 2)); texts.size() > 1) named_.emplace(statement[0].text, std::move(texts));
      }
    });
    const auto values = named_.empty() ? std::map<std::string_view, int>{} : values_given(tokens_);
    std::erase_if(named_, [&](const auto& n) { return values.at(n.first) != 1 || may_change(n.first); });
  }

  Tokens run() {
    for (std::size_t k = tokens_.size(); k-- > 0;) {  // inner loops first
      if (!tokens_[k].is("for") || k + 3 >= tokens_.size() || tokens_[k + 1].kind != TokenKind::name || !tokens_[k + 2].is("in")) continue;
      if (begins_statement(tokens_, k)) write_steps(k);
      else write_items(k);
    }
    return std::move(tokens_);
  }

 private:
  /// Whether something else than loops over them reads the words: names.append("v") changes them, and so may a function.
  bool may_change(std::string_view name) const {
    for (std::size_t k = 0; k + 1 < tokens_.size(); ++k) {
      if (!tokens_[k].is(name)) continue;
      const bool defines = begins_statement(tokens_, k) && tokens_[k + 1].is("=");
      const bool loops = k > 0 && tokens_[k - 1].is("in");
      const bool counts = k > 1 && tokens_[k - 1].is("(") && (tokens_[k - 2].is("len") || tokens_[k - 2].is("enumerate") || tokens_[k - 2].is("zip"));
      if (!defines && !loops && !counts) return true;
    }
    return false;
  }

  /// The words of ("q", "k"), ["q", "k"] and "qk", and of a name that stands for these; none of others.
  std::vector<Token> texts_in(const Tokens& range) {
    std::vector<Token> found;
    if (range.size() == 1 && range[0].kind == TokenKind::text && range[0].text.size() > 2 && (range[0].text[0] == '"' || range[0].text[0] == '\'')) {
      for (const char letter : range[0].text.substr(1, range[0].text.size() - 2)) {
        if (letter == '\\' || static_cast<unsigned char>(letter) > 127) return {};
        words_.push_back(std::string("'") + letter + "'");
        found.push_back({TokenKind::text, words_.back(), range[0].span});
      }
      return found;
    }
    if (range.size() == 1) {
      const auto named = named_.find(range[0].text);
      return named == named_.end() ? found : named->second;
    }
    if (!is_one_bracket(range) || !(range[0].is("(") || range[0].is("["))) return {};
    for (const Tokens& part : parts_of(inside(range, 1))) {
      if (part.empty() && !found.empty()) continue;  // behind the last comma
      if (part.size() != 1 || part[0].kind != TokenKind::text) return {};
      found.push_back(part[0]);
    }
    return found;
  }
  static Tokens with_word(const Tokens& tokens, const Token& name, const Token& text) {
    const Tokens by{text};
    return replaced(tokens, [&](std::string_view other) { return other == name.text ? &by : nullptr; });
  }
  void replace(std::size_t begin, std::size_t end, const Tokens& by) {
    Tokens next = slice(tokens_, 0, begin);
    put(next, by);
    put(next, slice(tokens_, end, tokens_.size()));
    tokens_ = std::move(next);
  }

  /// A comprehension, a generator or a dictionary.
  void write_items(std::size_t k) {
    const auto open = open_brackets(tokens_, k);
    if (open.empty()) return;
    const std::size_t bracket = open.back(), close = closing(tokens_, bracket);
    const std::vector<Token> texts = texts_in(slice(tokens_, k + 3, close));
    const Tokens item = slice(tokens_, bracket + 1, k);
    if (texts.empty() || item.empty() || has_outside(item, "for")) return;
    std::vector<Tokens> items;
    for (const Token& text : texts) items.push_back(with_word(item, tokens_[k + 1], text));
    const Token& at = tokens_[k];
    Tokens written = with_commas(items, at);
    if (tokens_[bracket].is("(")) {  // sum(f(w) for w in words) takes one list
      written.insert(written.begin(), symbol("[", at));
      written.push_back(symbol("]", at));
    }
    replace(bracket + 1, close, written);
  }

  /// A loop of statements.
  void write_steps(std::size_t k) {
    const Loop loop = read_loop(tokens_, k);
    const std::vector<Token> texts = texts_in(loop.range);
    const auto leaves = [](const Token& t) { return t.is("break") || t.is("continue") || t.is("getattr") || t.is("setattr"); };  // attributes by their names are read with their objects
    const bool has_else = loop.end < tokens_.size() && (tokens_[loop.end].is("else") || (loop.end + 1 < tokens_.size() && tokens_[loop.end + 1].is("else")));
    if (texts.empty() || has_else || std::any_of(loop.body.begin(), loop.body.end(), leaves) || bound_names(loop.body).has(loop.targets[0].text)) return;
    Tokens written;
    for (const Token& text : texts) {
      if (!written.empty()) written.push_back({TokenKind::separator, "\n", loop.begin.span});
      put(written, with_word(loop.body, loop.targets[0], text));
    }
    replace(k, loop.end, written);
  }

  Tokens tokens_;
  Words& words_;
  std::map<std::string_view, std::vector<Token>> named_;
};

}  // namespace

Tokens with_text_loops(Tokens tokens, Words& words) {
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.kind == TokenKind::text; }) && std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("for"); });
  return any ? TextLoops(std::move(tokens), words).run() : tokens;
}

}  // namespace foldproof::program
