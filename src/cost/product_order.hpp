// SPDX-License-Identifier: MIT
// The cheapest order of the matrix products of a side at given sizes (the matrix-chain problem, by dynamic programming).
// Only associativity and (A @ B).T == B.T @ A.T are used, so the value of the side stays what it is.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "infer/problem.hpp"

namespace foldproof::cost {

struct ProductOrder {
  infer::Term side;        ///< with every chain of products in its cheapest order
  std::string expression;  ///< the same in the claim language
  bool changed = false;    ///< some product is taken in another order than written
};

/// Products of factors without `data` cost nothing, as they can be computed once; with all variables as data, every product counts.
/// `claim` is the text that the side was read from. nullopt when a size of a product has no value.
/// Errors: expr::LimitReached when a number of multiply-adds leaves 64 bits.
std::optional<ProductOrder> cheapest_order(const infer::Term& side, const std::set<std::string>& data, const expr::DimValues& sizes, const std::string& claim);

}  // namespace foldproof::cost
