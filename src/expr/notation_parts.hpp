// SPDX-License-Identifier: MIT
// The building blocks of notation: leaves, scripts, brackets, and how names of variables and functions are set.
#pragma once

#include <string>
#include <string_view>

#include "expr/notation.hpp"

namespace foldproof::expr {

Notation leaf(NotationKind kind, std::string latex, std::string unicode);
Notation symbol(std::string latex, std::string unicode);
/// The invisible product sign.
Notation juxtaposition();
Notation word(const std::string& text);
Notation row(Notation a, Notation b);
Notation fenced(const char* left, Notation inside, const char* right);
Notation subscript(Notation base, Notation below);
Notation superscript(Notation base, Notation above);
Notation fraction(Notation above, Notation below);
Notation root(Notation inside);
Notation numeral(const Rational& value);

/// Is `name` the English name of a Greek letter?
bool is_greek(std::string_view name);
/// The English name of a Greek letter in UTF-8; empty for other characters.
std::string_view greek_name(std::string_view letter);
/// The name as Python allows it: lambda_ for lambda.
std::string python_name(std::string_view name);
/// W_Q is W with Q below, d_model is d with an upright "model" below, theta is a Greek letter, A1 is A with 1 below.
Notation variable(const std::string& name);
/// The upright name of a function: softmax, Concat.
Notation function(const std::string& name);

}  // namespace foldproof::expr
