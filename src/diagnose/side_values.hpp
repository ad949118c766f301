// SPDX-License-Identifier: MIT
// What the sides of a claim about stored tensors, or parts of them, are worth.
#pragma once

#include <optional>
#include <string>

#include "campaign/campaign.hpp"
#include "expr/syntax.hpp"

namespace foldproof::diagnose {

/// The expression on the tensors, in float64 with bounds; nothing where a tensor is not given, or the expression has no shape of its own.
std::optional<campaign::Evaluated> value_of(const expr::Claim& claim, const expr::Expression& e, const campaign::GivenTensors& given, const expr::DimValues& dims);

/// The claim with the shapes that it gives its tensors declared, so that parts of it are about tensors of these shapes. Errors: those of
/// infer::elaborate.
expr::Claim with_shapes(const expr::Claim& claim);

/// Whether the tensor holds numbers of several sizes, so that they tell a format: zeros and ones are numbers of every one.
bool has_several_numbers(const campaign::GivenTensor& tensor);

/// The claim with the sizes of its tensors as numbers, so that rows can be spoken of by their numbers.
expr::Claim with_given_sizes(const expr::Claim& claim, const campaign::GivenTensors& given);

}  // namespace foldproof::diagnose
