// SPDX-License-Identifier: MIT
// A derivation at the level of matrices: one rewriting a line, by a law with a name, from the left side to the right side.
// It is found by bringing both sides into one form, and every line of it is proved to equal the one before; where no such chain is
// found the derivation entry by entry has to do. For people; nothing rests on it.
#pragma once

#include <string>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::verdict {

/// One line. The first is the left side, the last the right side as the claim has them.
struct MatrixStep {
  std::string text;       ///< an expression of the claim language
  std::size_t begin = 0;  ///< the part that the step changed is text[begin, end); empty on the first line
  std::size_t end = 0;
  std::string law;        ///< in words; empty on the first line
};

/// The lines of a proved equation, or nothing. Requires: the claim elaborates to the problem.
std::vector<MatrixStep> matrix_steps(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::verdict
