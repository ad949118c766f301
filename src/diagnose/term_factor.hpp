// SPDX-License-Identifier: MIT
// A term that was added with a wrong factor, as an update at 0.97 of its scale. In 16 bits that is less than the rounding of each single entry, and all
// entries together tell it: the roundings lie on both sides of the exact numbers, and what is missing of the term lies on its side.
#pragma once

#include <optional>
#include <string>

#include "diagnose/fitted_factor.hpp"
#include "diagnose/stored_side.hpp"
#include "expr/syntax.hpp"

namespace foldproof::diagnose {

struct TermFactor : FittedFactor {
  std::string term;      ///< "2 * (B @ A)"
  double constants = 0;  ///< how much the roundings of constants explain at most; relative

  /// "the term 2 * (B @ A) is there 0.97 times ..."
  std::string text() const;
};

/// The term of the computed side whose factor is farthest from 1 and from what programs in 16 bits make of it. Nothing where no factor is clearly
/// beyond the errors of the fit and the roundings of constants, where nothing is added, and where the terms cannot be told apart.
std::optional<TermFactor> term_factor(const expr::Claim& claim, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const StoredSide& side);

}  // namespace foldproof::diagnose
