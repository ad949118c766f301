// SPDX-License-Identifier: MIT
// What is added and subtracted on a side of a claim.
#pragma once

#include <functional>
#include <vector>

#include "expr/syntax.hpp"

namespace foldproof::diagnose {

/// A term of a side, and how to write the side with another one in its place.
struct SideTerm {
  expr::Expression term;
  std::function<expr::Expression(expr::Expression)> with;
  int sign = 1;
};

/// One term where the side adds nothing.
std::vector<SideTerm> terms_of(const expr::Expression& side);

/// The side of a claim that is computed where the stored result stands on the right, or on the left: of M == V, where V is a sum, that sum.
expr::Expression computed_side(const expr::Claim& claim, bool stored_on_the_right);

}  // namespace foldproof::diagnose
