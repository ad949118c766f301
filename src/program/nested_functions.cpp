// SPDX-License-Identifier: MIT
#include "program/nested_functions.hpp"

#include <algorithm>
#include <set>

#include "program/language.hpp"

namespace foldproof::program {
namespace {

using Names = std::set<std::string_view>;

constexpr std::ptrdiff_t most_functions = 100;  // of a program that has functions in functions

bool has_any(const Names& some, const Names& others) {
  return std::any_of(some.begin(), some.end(), [&](std::string_view name) { return others.count(name) > 0; });
}

class NestedFunctions {
 public:
  NestedFunctions(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {}

  Tokens run() {
    for (std::size_t k = 0; k < tokens_.size();) {
      const auto inner = function_at(k);
      k = inner && take_apart(*inner) ? 0 : k + 1;
    }
    return std::move(tokens_);
  }

 private:
  /// def g(y): ... or g = lambda y: ..., in a function.
  struct Function {
    std::size_t begin, end;  ///< its statement, with its block
    Token name;
    std::vector<Tokens> parameters;
    Tokens body;                      ///< its block, from the token that begins it on
    std::size_t outermost, innermost; ///< the statements around it: the one outside of all blocks, and the function
  };

  std::optional<Function> function_at(std::size_t k) const {
    const std::size_t head = end_of_statement(tokens_, k);
    const bool def = begins_statement(tokens_, k) && head > k + 4 && tokens_[k].is("def") && head < tokens_.size() && tokens_[head].kind == TokenKind::block_begin;
    const bool lambda = begins_statement(tokens_, k) && head > k + 3 && tokens_[k].kind == TokenKind::name && tokens_[k + 1].is("=") && tokens_[k + 2].is("lambda");
    if (!def && !lambda) return std::nullopt;
    Function f{k, behind_statement(tokens_, k), tokens_[def ? k + 1 : k], {}, {}, k, k};
    if (!find_around(f)) return std::nullopt;
    if (def) {
      f.parameters = parts_of(slice(tokens_, k + 3, closing(tokens_, k + 2)));
      f.body = slice(tokens_, head, f.end);
    } else {
      const Tokens rest = slice(tokens_, k + 3, head);
      const auto colon = place_outside(rest, ":");
      if (!colon) return std::nullopt;
      const Span span = rest[*colon].span;
      f.parameters = parts_of(slice(rest, 0, *colon));
      f.body = {{TokenKind::block_begin, {}, span}, {TokenKind::name, "return", span}};
      put(f.body, between(rest, *colon + 1));
      put(f.body, {{TokenKind::separator, "\n", span}, {TokenKind::block_end, {}, span}});
    }
    std::erase_if(f.parameters, [](const Tokens& p) { return p.empty(); });
    return f;
  }

  /// Whether it stands in the block of a function itself, in no case or loop of it, and that function outside of all blocks but a class.
  bool find_around(Function& f) const {
    const std::vector<std::size_t> around = blocks_around(tokens_, f.begin);
    if (around.empty() || !tokens_[around.back()].is("def")) return false;
    f.outermost = around.front();
    f.innermost = around.back();
    return !is_decorated(tokens_, f.outermost) && std::all_of(around.begin(), around.end(), [&](std::size_t k) { return tokens_[k].is("def") || (k == around.front() && tokens_[k].is("class")); });
  }
  /// The names of parameters without default values, or with numbers and words for these; nothing where others are among them.
  static std::optional<Names> parameters_of(const std::vector<Tokens>& parameters) {
    Names names;
    for (const Tokens& p : parameters) {
      const auto equals = place_outside(p, "=");
      const Tokens otherwise = equals ? between(p, *equals + 1) : Tokens{};
      const bool literal = otherwise.empty() || (otherwise.size() == 1 && (otherwise[0].kind == TokenKind::number || otherwise[0].kind == TokenKind::text || otherwise[0].is("None") || otherwise[0].is("True") || otherwise[0].is("False")));
      if (p[0].kind != TokenKind::name || !literal || !names.insert(p[0].text).second) return std::nullopt;
    }
    return names;
  }

  bool take_apart(const Function& f) {
    static constexpr std::string_view others[] = {"yield", "global", "nonlocal", "def", "class", "self", "cls", "super"};
    if (std::any_of(f.body.begin(), f.body.end(), [&](const Token& t) { return is_among(t.text, others) || t.is(f.name.text); })) return false;
    const auto own = parameters_of(f.parameters);
    if (!own || own->count(f.name.text) > 0 || !is_called_behind(f)) return false;
    const BoundNames inside = bound_names(f.body);
    Names outer, recomputed, functions;
    for (std::size_t k = f.outermost; k <= f.innermost; ++k) {
      if (!tokens_[k].is("def") || !begins_statement(tokens_, k) || behind_statement(tokens_, k) <= f.begin) continue;
      const BoundNames around = bound_names(slice(tokens_, k, behind_statement(tokens_, k)));
      outer.insert(around.assigned.begin(), around.assigned.end());
      recomputed.insert(around.recomputed.begin(), around.recomputed.end());
      functions.insert(around.functions.begin(), around.functions.end());
    }
    Names captured;
    for (std::size_t k = 1; k < f.body.size(); ++k) {
      if (is_use(f.body, k) && outer.count(f.body[k].text) > 0 && own->count(f.body[k].text) == 0 && inside.assigned.count(f.body[k].text) == 0) captured.insert(f.body[k].text);
    }
    if (has_any(inside.recomputed, outer) || has_any(captured, recomputed) || has_any(captured, functions) || recomputed.count(f.name.text) > 0 || is_hidden_beside(f, captured)) return false;
    write_apart(f, captured);
    return true;
  }

  /// Whether another function in the one around it calls one of the names something else.
  bool is_hidden_beside(const Function& f, const Names& captured) const {
    for (std::size_t k = f.innermost + 1; k < behind_statement(tokens_, f.innermost); ++k) {
      if (k != f.begin && tokens_[k].is("def") && begins_statement(tokens_, k) && has_any(captured, bound_names(slice(tokens_, k, behind_statement(tokens_, k))).assigned)) return true;
    }
    return false;
  }

  /// Whether the function around it uses it by calls behind it, and gives its name no other value.
  bool is_called_behind(const Function& f) const {
    const Tokens around = slice(tokens_, f.innermost + 2, behind_statement(tokens_, f.innermost));
    const std::size_t begin = f.begin - f.innermost - 2, end = f.end - f.innermost - 2;
    for (std::size_t k = 0; k < around.size(); ++k) {
      if (k >= begin && k < end) continue;
      if (around[k].is(f.name.text) && (k == 0 || !around[k - 1].is(".")) && (k < end || !is_use(around, k) || k + 1 >= around.size() || !around[k + 1].is("(") || around[k - 1].is("def"))) return false;
    }
    return true;
  }

  void write_apart(const Function& f, const Names& captured) {
    const std::size_t around_end = behind_statement(tokens_, f.innermost);
    Tokens read;  // what it reads of the function around it, as arguments before its own
    for (const std::string_view name : captured) put(read, {{TokenKind::name, name, f.name.span}, {TokenKind::symbol, ",", f.name.span}});
    const auto is_elsewhere = [&](std::string_view name) {
      for (std::size_t k = 0; k < tokens_.size(); ++k) {
        if (tokens_[k].is(name) && (k < f.innermost || k >= around_end) && (k == 0 || !tokens_[k - 1].is("."))) return true;
      }
      return false;
    };
    const auto is_taken = [&](std::string_view name) { return std::any_of(tokens_.begin(), tokens_.end(), [&](const Token& t) { return t.is(name); }); };
    const Token name = is_elsewhere(f.name.text) ? numbered(f.name, is_taken, words_) : f.name;
    Tokens next = slice(tokens_, 0, f.outermost);
    put(next, {{TokenKind::name, "def", f.name.span}, name, {TokenKind::symbol, "(", f.name.span}});
    put(next, read);
    if (f.parameters.empty() && !read.empty()) next.pop_back();
    put(next, with_commas(f.parameters, f.name));
    put(next, {{TokenKind::symbol, ")", f.name.span}, {TokenKind::symbol, ":", f.name.span}});
    put(next, f.body);
    next.push_back({TokenKind::separator, "\n", f.name.span});
    put(next, slice(tokens_, f.outermost, f.begin));
    for (std::size_t k = f.end; k < tokens_.size(); ++k) {
      const bool call = k < around_end && tokens_[k].is(f.name.text) && !tokens_[k - 1].is(".");
      next.push_back(call ? Token{TokenKind::name, name.text, tokens_[k].span} : tokens_[k]);
      if (!call) continue;
      next.push_back(tokens_[++k]);
      put(next, read);
      if (!read.empty() && tokens_[k + 1].is(")")) next.pop_back();
    }
    tokens_ = std::move(next);
  }

  Tokens tokens_;
  Words& words_;
};

}  // namespace

Tokens with_functions_apart(Tokens tokens, Words& words) {
  const auto functions = std::count_if(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("def") || t.is("lambda"); });
  return functions > 1 && functions <= most_functions && std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("def"); }) ? NestedFunctions(std::move(tokens), words).run() : tokens;
}

}  // namespace foldproof::program
