// SPDX-License-Identifier: MIT
// Cuts claim text into tokens: names, numbers, operators, and ends of statements.
// Decides what a character may be, where a statement ends (a new line inside brackets does not end one), and whether
// brackets match, so that the parser never meets an unclosed one. What tokens mean together is left to the parser.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "program/language.hpp"

namespace foldproof::program {

/// Longest accepted text and deepest accepted nesting, of brackets and of the resulting tree.
/// Every recursive pass over syntax relies on the second one to stay within its stack.
inline constexpr std::size_t maximum_text_size = std::size_t{1} << 20;
inline constexpr int maximum_depth = 1200;

/// text: the subscripts of einsum, with their quotes; block_begin and block_end: see with_blocks.
enum class TokenKind { name, number, text, symbol, separator, block_begin, block_end, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  Span span;
  /// Is this the operator, bracket or reserved word `what`?
  bool is(std::string_view what) const { return text == what && (kind == TokenKind::symbol || kind == TokenKind::name); }
};

/// Is `name` a word of the statement syntax (`for`, `in`, `let`, `assume`, `and`), hence no variable?
bool is_reserved(std::string_view name);
/// Whether `name` is a word of Python that no program can give to anything, but for `lambda`, which formulas have.
bool is_word_of_python(std::string_view name);

/// The tokens of `text`, closed by one of kind `end`. They refer to `text`.
/// Errors: `parse.unknown_character`, `parse.unbalanced`, `limit.size`, `limit.depth`.
std::vector<Token> tokenize(std::string_view text);

/// How a message names `token`: "`@`", "the end of the line".
std::string describe(const Token& token);

}  // namespace foldproof::program
