// SPDX-License-Identifier: MIT
// W == q * s of a quantised q: computed from q and s, W is that product up to its own roundings; as what q was rounded from, it is off by half
// a unit of q. Nobody but the person who asks knows which of the two was meant, so that the second is another question.
#pragma once

#include <optional>
#include <string>

#include "campaign/campaign.hpp"
#include "expr/syntax.hpp"

namespace foldproof::diagnose {

/// Whether q was rounded from the other side: q == W / s, of integers relu(abs(q - W / s) - 1/2) == 0.
struct Quantisation {
  expr::Claim claim;
  std::string tensor;  ///< q
  /// The same with half as much room. Where that holds, nothing looks like roundings to q.
  std::optional<expr::Claim> with_less_room;
};

/// Nothing where no side is a tensor of 8 bits or of integers times or over what does not mention it.
std::optional<Quantisation> as_quantisation(const expr::Claim& claim, const campaign::GivenTensors& tensors);

}  // namespace foldproof::diagnose
