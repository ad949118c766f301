// SPDX-License-Identifier: MIT
// How an expression looks on paper, independent of LaTeX or MathML: which parts are indices, fractions, roots, sums, and
// where brackets are needed. Both writers draw the same Notation, so that they cannot disagree.
#pragma once

#include <string>
#include <vector>

#include "expr/syntax.hpp"

namespace foldproof::expr {

enum class NotationKind {
  row,         ///< parts side by side
  identifier,  ///< an italic letter or Greek letter
  word,        ///< an upright name: softmax, model
  number,
  symbol,      ///< an operator sign or bracket
  space,       ///< between two formulas
  subscript,   ///< parts[0] with parts[1] below
  superscript,
  fraction,
  root,
  limits,  ///< parts[0] with parts[1] below and parts[2] above, as for a sum sign
};

struct Notation {
  NotationKind kind = NotationKind::row;
  std::string latex;    ///< of a leaf
  std::string unicode;  ///< of a leaf, not yet escaped
  std::vector<Notation> parts;
};

Notation notation(const Expression& e, const Ranks& ranks = {});
/// The equation, then its conditions and definitions. Shapes are left to the page around it.
Notation notation(const Claim& c, const Ranks& ranks = {});

/// A number that the parser reads back as this one; a fraction that is no decimal number becomes a division.
std::string number_text(const Rational& value);

}  // namespace foldproof::expr
