// SPDX-License-Identifier: MIT
// Ways to write a matrix as a product of two, read off how it is made: what bounds a rank.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::prove {

/// left @ right
struct Factors {
  expr::Expression left;
  expr::Expression right;
};

/// The shape of e among what the claim declares; nothing for what has none by itself, such as a body over heads, or one that mentions a rank.
std::optional<expr::Shape> shape_of(const expr::Claim& claim, const expr::Expression& e);

/// The d of every d - 1 in e.
std::set<std::string> sizes_less_one(const expr::Expression& e);

/// Products that equal E, for the first rank(E) of a claim rank(E) + t <= r; those with the shortest text first.
std::vector<Factors> factorizations(const expr::Claim& claim, const infer::Problem& problem);

/// Matrices X and Y for which X @ E @ Y may be an identity, for the first rank(E) of a claim r <= rank(E) + t.
std::vector<Factors> unit_witnesses(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::prove
