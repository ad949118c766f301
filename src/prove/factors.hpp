// SPDX-License-Identifier: MIT
// Ways to write a matrix as a product of two, read off how it is made: what bounds a rank.
#pragma once

#include <vector>

#include "infer/problem.hpp"

namespace foldproof::prove {

/// left @ right
struct Factors {
  expr::Expression left;
  expr::Expression right;
};

/// Products that equal E, for a claim rank(E) <= r; those with the shortest text first.
std::vector<Factors> factorizations(const expr::Claim& claim, const infer::Problem& problem);

/// Matrices X and Y for which X @ E @ Y may be an identity, for a claim r <= rank(E).
std::vector<Factors> unit_witnesses(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::prove
