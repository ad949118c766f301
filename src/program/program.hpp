// SPDX-License-Identifier: MIT
// A text, which may be a Python program, as statements of the claim language that are yet to be parsed: without classes, modules and generators, one
// statement a line, with a name for whatever is drawn. Tokens in, tokens out: this folder knows nothing of what expressions mean. Part of the trusted base.
#pragma once

#include <functional>
#include <string_view>

#include "program/library_names.hpp"

namespace foldproof::program {

struct Program {
  Words words;    ///< of tokens that nobody wrote
  Tokens tokens;
  bool python = false;                 ///< see is_program
  Spelling arrays = Spelling::method;  ///< see library_of_arrays
};

/// Reads the statements of the text. `is_known`: whether a function is called so in the language, so that nobody takes one of another library for it.
/// Errors: `parse.*`, `name.unknown`, `limit.size`.
Program read_program(std::string_view text, const std::function<bool(std::string_view)>& is_known);

}  // namespace foldproof::program
