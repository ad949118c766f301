// SPDX-License-Identifier: MIT
#include "program/entry_points.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"

namespace foldproof::program {
namespace {

class EntryPoints {
 public:
  EntryPoints(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {}

  Tokens run() {
    tokens_ = without_main(tokens_);
    for (std::size_t k = 0; k < tokens_.size();) {
      const std::size_t end = behind_statement(tokens_, k);
      const auto function = function_at(k);
      if (!function || !stands_alone(*function)) {
        k = end + 1;
        continue;
      }
      const auto call = called_at(*function);
      Tokens body = with_own_locals(*function), next = slice(tokens_, 0, k);
      if (call) {
        put(next, slice(tokens_, end, *call));
        put(next, body);
        put(next, slice(tokens_, *call + 3, tokens_.size()));
      } else {
        put(next, slice(tokens_, end, tokens_.size() - 1));
        next.push_back({TokenKind::separator, "\n", tokens_[k].span});
        put(next, body);
        next.push_back(tokens_.back());
      }
      tokens_ = std::move(next);
    }
    return std::move(tokens_);
  }

 private:
  struct Function {
    std::size_t begin, body, end;  ///< the place of def, of the first token in the block, and of its end
  };

  /// if __name__ == "__main__": outside of all blocks, as what is done in it.
  static Tokens without_main(const Tokens& tokens) {
    Tokens found;
    int depth = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const bool header = depth == 0 && k + 5 < tokens.size() && tokens[k].is("if") && tokens[k + 1].is("__name__") && tokens[k + 2].is("==") && (tokens[k + 3].text == "\"__main__\"" || tokens[k + 3].text == "'__main__'") && tokens[k + 4].is(":") && tokens[k + 5].kind == TokenKind::block_begin;
      if (header) {
        const std::size_t end = behind_block(tokens, k + 5);
        put(found, slice(tokens, k + 6, end - 1));
        k = end - 1;
        continue;
      }
      depth += step_into_block(tokens[k]);
      found.push_back(tokens[k]);
    }
    return found;
  }

  /// def f(): with its block, outside of other blocks.
  std::optional<Function> function_at(std::size_t k) const {
    const std::size_t header = end_of_statement(tokens_, k);
    const bool plain = k + 4 < tokens_.size() && tokens_[k].is("def") && tokens_[k + 1].kind == TokenKind::name && tokens_[k + 2].is("(") && tokens_[k + 3].is(")") && header < tokens_.size() && tokens_[header].kind == TokenKind::block_begin;
    return plain ? std::optional(Function{k, header + 1, behind_block(tokens_, header) - 1}) : std::nullopt;
  }

  /// Where the one statement f() stands that calls the function, outside of blocks and behind it.
  std::optional<std::size_t> called_at(const Function& f) const {
    for (std::size_t k = f.end; k + 3 < tokens_.size(); ++k) {
      if (tokens_[k].is(tokens_[f.begin + 1].text)) return k;
    }
    return std::nullopt;
  }

  /// Whether the function gives nothing, and all that calls it is one statement, or pytest.
  bool stands_alone(const Function& f) const {
    static constexpr std::string_view gives[] = {"return", "yield", "global", "nonlocal", "lambda"};
    const std::string_view name = tokens_[f.begin + 1].text;
    bool asserts = false;
    for (std::size_t k = f.body; k < f.end; ++k) {
      if (is_among(tokens_[k].text, gives) || tokens_[k].is(name)) return false;
      asserts = asserts || (begins_statement(tokens_, k) && (tokens_[k].is("assert") || tokens_[k].is("print") || tokens_[k].is("np") || tokens_[k].is("torch")));
    }
    int uses = 0, depth = 0;
    bool alone = true;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      depth += step_into_block(tokens_[k]);
      if (!tokens_[k].is(name) || k == f.begin + 1) continue;
      ++uses;
      alone = alone && k > f.end && depth == 0 && begins_statement(tokens_, k) && k + 3 < tokens_.size() && tokens_[k + 1].is("(") && tokens_[k + 2].is(")") && ends_statement(tokens_[k + 3]);
    }
    return asserts && alone && (uses == 1 || (uses == 0 && name.starts_with("test")));
  }

  /// The names that a statement gives a value to, those of its loop or function, too.
  static std::vector<std::size_t> targets(const Tokens& s) {
    std::vector<std::size_t> found;
    if (s.size() > 1 && s[0].is("def")) found.push_back(1);
    const std::size_t end = !s.empty() && s[0].is("for") ? place_outside(s, "in").value_or(0) : assignment(s).value_or(0);
    if (item_change(s)) return found;
    for (std::size_t k = 0; k < end; ++k) {
      const bool part = (k > 0 && s[k - 1].is(".")) || (k + 1 < s.size() && s[k + 1].is("."));
      if (s[k].kind == TokenKind::name && !is_reserved(s[k].text) && !part) found.push_back(k);
    }
    return found;
  }

  /// The statements of the function, whose locals are none of the program's names.
  Tokens with_own_locals(const Function& f) {
    Tokens body = slice(tokens_, f.body, f.end);
    std::map<std::string_view, Tokens> renamed;
    for (std::size_t k = 0; k < body.size();) {
      const std::size_t end = end_of_statement(body, k);
      const Tokens s = slice(body, k, end);
      for (const std::size_t target : targets(s)) {
        if (renamed.count(s[target].text) > 0 || !is_used_outside(s[target].text, f)) continue;
        const auto equals = assignment(s);
        const bool updates = equals && changes_in_place(s, *equals);
        if (updates || names(slice(body, 0, k), s[target].text) || (equals && names(s, s[target].text, *equals))) fail("parse.unexpected", describe(s[target]) + " is read in this function before it gets its value there", s[target].span, "give it another name: in Python it is a local of the function");
        renamed[s[target].text] = {numbered(s[target], tokens_, words_)};
      }
      k = end + 1;
    }
    return replaced(body, [&](std::string_view name) {
      const auto other = renamed.find(name);
      return other == renamed.end() ? nullptr : &other->second;
    });
  }

  bool is_used_outside(std::string_view name, const Function& f) const {
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if ((k < f.body || k >= f.end) && tokens_[k].is(name)) return true;
    }
    return false;
  }

  Tokens tokens_;
  Words& words_;
};

}  // namespace

Tokens with_entry_points(Tokens tokens, Words& words) {
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("def") || t.is("__name__"); });
  return any ? EntryPoints(std::move(tokens), words).run() : tokens;
}

}  // namespace foldproof::program
