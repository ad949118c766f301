// SPDX-License-Identifier: MIT
// The single mistakes that a program makes when it folds or merges weights: a factor, a term, a transpose or a scale forgotten or taken
// twice, g for 1 + g, a wrong sign, an order exchanged. Which of them was made is seen by running the claim that has it.
#pragma once

#include <string>
#include <vector>

#include "expr/syntax.hpp"

namespace foldproof::report {

struct Mistake {
  expr::Claim claim;   ///< with the mistake in it
  std::string change;  ///< in a few words: "without the factor g.T"
};

/// Every single mistake in a side of the equation that is not a lone name, each claim once. Whether its shapes fit is not known here.
std::vector<Mistake> mistakes(const expr::Claim& claim);

}  // namespace foldproof::report
