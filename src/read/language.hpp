// SPDX-License-Identifier: MIT
// What is read becomes expressions of the language, from the tokens of a program: the names of both are known in this folder without saying where they are from.
// Part of the trusted base.
#pragma once

#include "program/language.hpp"

namespace foldproof::read {
using namespace program;

/// Whether e is written as 2 or -2.
inline bool is_signed_number(const Expression& e) { return (e->kind == SyntaxKind::negate ? e->args[0] : e)->kind == SyntaxKind::number; }

}  // namespace foldproof::read
