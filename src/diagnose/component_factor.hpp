// SPDX-License-Identifier: MIT
// A component of a product that is missing, or there with a wrong factor: one entry of a bias that was folded, one rank of an update, one head. In 16 bits that
// is less than the rounding of each single entry of a long sum; along the component the roundings average out, and what is missing does not.
#pragma once

#include <optional>
#include <string>

#include "diagnose/fitted_factor.hpp"
#include "diagnose/stored_side.hpp"
#include "expr/syntax.hpp"

namespace foldproof::diagnose {

struct ComponentFactor : FittedFactor {
  std::string product;                ///< "W @ be"
  std::int64_t first = 0, last = 0;  ///< the places on the inner axis, up to one before `last`

  /// As that of a term, of several entries: there are many components.
  bool fits_far_better() const;
  /// "component 2 of W @ be is not there ..."
  std::string text() const;
};

/// The component, or aligned block of 2, 4, 8 ... components, of a product of two matrices or vectors on the computed side whose factor is farthest from 1, in standard errors. Nothing
/// where none is clearly beyond these, the rounding of an operand and what programs that round every step make of it, and where the product is too large to try.
std::optional<ComponentFactor> component_factor(const expr::Claim& claim, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const StoredSide& side);

}  // namespace foldproof::diagnose
