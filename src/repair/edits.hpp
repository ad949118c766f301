// SPDX-License-Identifier: MIT
// Small changes of a claim: the mistakes that people make, backwards. Whether a changed claim holds is not known here.
#pragma once

#include <string>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::repair {

struct Edit {
  expr::Claim claim;
  std::string change;  ///< in a few words: "factors in the other order"
  int size = 0;        ///< how much changed; edits come smallest first
};

/// Changes of one side, of the claim's factors and terms, or one more assumption. `problem` holds the shapes of the claim.
/// The same claim gives the same edits in the same order; none leaves the same tree on both sides.
std::vector<Edit> edits(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::repair
