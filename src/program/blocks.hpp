// SPDX-License-Identifier: MIT
// The blocks of Python programs. Which statements are in a loop, a case or a function is decided here, once, by how far to the right
// the lines begin; from then on tokens say so, which stay right where statements are written anew, copied and moved. Part of the
// trusted base.
#pragma once

#include <string_view>
#include <vector>

#include "program/lexer.hpp"

namespace foldproof::program {

/// The tokens of `text` with one of kind block_begin behind the colon of `for`, `def`, `class`, `if`, `elif` and `else`, and one of kind block_end
/// behind the statements below it or in its line, each of which ends in a separator; another separator follows.
/// Errors: `parse.loop` and `parse.unexpected` where a block is empty, `parse.indentation` where lines of one begin at several places.
std::vector<Token> with_blocks(const std::vector<Token>& tokens, std::string_view text);

/// How many blocks deeper what stands behind the token is: 1, -1 or 0.
inline int step_into_block(const Token& t) { return (t.kind == TokenKind::block_begin ? 1 : 0) - (t.kind == TokenKind::block_end ? 1 : 0); }
/// The position behind the block_end of the block that begins at `at`.
std::size_t behind_block(const std::vector<Token>& tokens, std::size_t at);

}  // namespace foldproof::program
