// SPDX-License-Identifier: MIT
// What is shown of a repaired claim: of a program whose steps are written out with calls that nobody wrote, only what is changed.
#pragma once

#include <string>

#include "expr/syntax.hpp"

namespace foldproof::repair {

/// The equation of the repaired claim, where its steps are those of the claim and have calls of loops and changes in place, with the names that
/// these tensors have at the end of the program. Empty where the whole statement is shown.
std::string shown_equation(const expr::Claim& claim, const expr::Claim& repaired);

}  // namespace foldproof::repair
