// SPDX-License-Identifier: MIT
// What is read becomes expressions of the language, so its names are known in this folder without saying where they are from. Part of the trusted base.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "expr/build.hpp"
#include "expr/syntax.hpp"

namespace foldproof::program {
using namespace expr;

inline bool is_among(std::string_view word, std::span<const std::string_view> words) { return std::find(words.begin(), words.end(), word) != words.end(); }

}  // namespace foldproof::program
