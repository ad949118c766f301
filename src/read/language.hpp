// SPDX-License-Identifier: MIT
// What is read becomes expressions of the language, so its names are known in this folder without saying where they are from. Part of the trusted base.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "expr/build.hpp"
#include "expr/syntax.hpp"

namespace foldproof::read {
using namespace expr;

inline bool is_among(std::string_view word, std::span<const std::string_view> words) { return std::find(words.begin(), words.end(), word) != words.end(); }

/// Whether e is written as 2 or -2.
inline bool is_signed_number(const Expression& e) { return (e->kind == SyntaxKind::negate ? e->args[0] : e)->kind == SyntaxKind::number; }

}  // namespace foldproof::read
