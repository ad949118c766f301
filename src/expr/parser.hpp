// SPDX-License-Identifier: MIT
// The expression parser, shared by parse_expression and the statement parser of claims.
// Recursive descent over tokens with NumPy's precedences. Recursion is bounded by the lexer's bracket limit and by
// `maximum_depth` for everything that nests without brackets, so no input can exhaust the stack.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expr/lexer.hpp"
#include "expr/syntax.hpp"

namespace foldproof::expr {

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(tokenize(text)) {}

  /// Reads one expression and stops before the first token that cannot belong to it.
  Expression expression() { return binary(lowest_level).tree; }

  const Token& peek(std::size_t distance = 0) const;
  Token take();
  bool accept(std::string_view symbol);
  /// Takes `symbol` or fails, saying what it was expected for.
  Token expect(std::string_view symbol, const std::string& purpose);
  Token expect_name(const std::string& purpose);
  void skip_separators();
  /// Where the last taken token ends.
  std::size_t last_end() const { return next_ == 0 ? 0 : tokens_[next_ - 1].span.end; }
  /// Fails at the next token: `parse.unexpected`, with a hint where the mistake is a known one.
  [[noreturn]] void unexpected(const std::string& expected) const;

 private:
  /// A subtree with its height, and its span with the brackets around it (the tree's own span has none).
  struct Node {
    Expression tree;
    int depth = 0;
    Span span;
  };
  static constexpr int lowest_level = 1;

  Node binary(int level);
  Node unary();
  Node postfix();
  Node primary();
  Node number();
  Node bracketed();
  Node list();
  Node call(const Token& name);
  Node comprehension(Node body);
  Node index(const Node& base);
  void argument(Syntax& call, int& depth);
  void more_items(Syntax& list, int& depth, std::string_view closing);
  Subscript subscript(int& depth);
  Token member(const Node& base);
  bool drop_module_prefix();

  Node make(SyntaxKind kind, const Node& a, Span span) const;
  Node make(SyntaxKind kind, const Node& a, const Node& b) const;
  Node finish(Syntax syntax, int depth) const;

  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  int nesting_ = 0;  // of operators that recurse without a bracket
};

}  // namespace foldproof::expr
