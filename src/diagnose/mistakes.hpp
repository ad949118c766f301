// SPDX-License-Identifier: MIT
// The single mistakes that a program makes when it folds or merges weights: a factor, a term, a transpose or a scale forgotten or taken
// twice, g for 1 + g, a wrong sign, an order exchanged. Which of them was made is seen by running the claim that has it.
#pragma once

#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "expr/syntax.hpp"

namespace foldproof::diagnose {

struct Mistake {
  expr::Claim claim;   ///< with the mistake in it
  std::string change;  ///< in a few words: "without the factor g.T"
};

/// Every single mistake in a side of the equation that is not a lone name, or in the left one of two, each claim once. Whether its shapes fit
/// is not known here.
std::vector<Mistake> mistakes(const expr::Claim& claim);

/// A scale at a term, near the one with which the sides are most alike: only the tensors tell how large it is. None where some tensor is not given.
std::vector<Mistake> mistakes_in_scale(const expr::Claim& claim, const campaign::GivenTensors& given, const expr::DimValues& dims);

/// Rows whose rotary pairs have the other layout. None where some tensor is not given.
std::vector<Mistake> mistakes_in_layout(const expr::Claim& claim, const campaign::GivenTensors& given, const expr::DimValues& dims);

}  // namespace foldproof::diagnose
