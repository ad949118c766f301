// SPDX-License-Identifier: MIT
// Lists and loops of Python programs, which are pasted with claims: heads = [], for i in range(h):, heads.append(...), out += ... .
// They become statements without loops before anything is parsed, so no other layer knows of them: a list is written out where it
// is used, a loop over a size becomes a comprehension or a sum over it, and one over a number is written out step by step. Where a
// name would then mean something else than in Python, that is an error.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/parser.hpp"

namespace foldproof::expr {

class Loops {
  using Tokens = std::vector<Token>;
  struct List {
    std::vector<Tokens> items;
    Tokens comprehension;  ///< of all items, if a loop over a size made them
  };
  using Lists = std::map<std::string, List, std::less<>>;
  using Set = std::set<std::string, std::less<>>;

 public:
  /// Of a name when a statement is reached: whether it stands for something, and whether a function reads it.
  struct Names {
    std::function<bool(const std::string&)> known, read_by_function;
  };
  Loops(Parser& parser, std::string_view text, Names names) : parser_(parser), text_(text), known_(std::move(names.known)), read_by_function_(std::move(names.read_by_function)) {}

  /// Reads a loop, the beginning of a list or what is appended to one, if that stands next; otherwise writes out the lists of the next statement.
  /// Errors: `parse.loop`, `limit.size`.
  bool take();
  /// Whether what a list holds names it: then it may get no other value.
  bool uses(const std::string& name) const;
  /// What is known of lists in a function, and only there.
  class Scope {
   public:
    explicit Scope(Loops& loops) : loops_(loops), lists_(std::exchange(loops.lists_, {})), gone_(loops.gone_), items_(loops.items_) {
      for (const auto& [name, list] : lists_) loops.gone_.insert(name);  // Python would read it when the function is called
    }
    ~Scope() {
      loops_.lists_ = std::move(lists_);
      loops_.gone_ = std::move(gone_);
      loops_.items_ = std::move(items_);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Loops& loops_;
    Lists lists_;
    Set gone_, items_;
  };
  /// Whether the name got its value from an item of a list, which it may be.
  bool is_item(std::string_view name) const { return items_.count(name) > 0; }

 private:
  Tokens statement() const;
  void loop();
  void unroll(const Token& index, std::size_t first, std::size_t count, const Tokens& body);
  void over_size(const Token& index, const Tokens& range, const std::vector<Tokens>& body);
  void append();
  void begin_list(const Tokens& next);
  Tokens written_out(const Tokens& tokens) const;
  void refuse_gone(const Tokens& next) const;
  std::size_t column(const Token& token) const;
  Token made(TokenKind kind, std::string text, const Token& at);
  Token item_name(const Token& list, std::size_t k);
  void refuse_read(const Token& name) const;
  Token symbol(std::string_view text, const Token& at) const { return {TokenKind::symbol, text, at.span}; }
  void rewrite(std::size_t count, Tokens by);

  Parser& parser_;
  std::string_view text_;
  std::function<bool(const std::string&)> known_, read_by_function_;
  Lists lists_;
  Set gone_;   ///< what a loop gave values to, which the claim does not know after it
  Set items_;  ///< names that may be items of lists
  std::deque<std::string> made_;             ///< texts of tokens that nobody wrote
  std::size_t written_ = 0;                  ///< tokens in the place of others
};

}  // namespace foldproof::expr
