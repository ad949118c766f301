// SPDX-License-Identifier: MIT
// What to write instead of characters that people bring from papers, LaTeX and other libraries. Claims are NumPy expressions that can be
// pasted back into Python, so these are refused with their spelling rather than read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace foldproof::expr {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_name_start(char c) { return is_letter(c) || c == '_'; }
inline bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

/// What to write instead of `sequence`, the character at text[at]; empty when nothing is known about it.
std::string character_hint(std::string_view text, std::size_t at, std::string_view sequence);

}  // namespace foldproof::expr
