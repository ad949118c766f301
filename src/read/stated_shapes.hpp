// SPDX-License-Identifier: MIT
// What a program says of shapes beside what it computes: assert x.shape == (n, d), F.layer_norm(x, (d,)). Python stops where that is not so,
// and the shapes of a claim must be as it says. Part of the trusted base.
#pragma once

#include "read/language.hpp"

namespace foldproof::read {

/// sized(x, d): x, whose last axis has this size. shaped(x, [n, d]), shaped(x, y.shape) and shaped(x, 2): x, which has this shape, or so many axes.
inline constexpr std::string_view sized_call = "sized", shaped_call = "shaped";

/// What lhs == rhs says of a shape, x.shape == (n, d) or x.ndim == 2, as such a call; null for what it says of anything else.
Expression stated_shape(const Expression& lhs, const Expression& rhs);

/// A definition of the call, which nothing reads.
void state(Claim& claim, const Expression& call);

/// What calls say of sizes where they are called becomes such definitions, as far as no index of a comprehension is in it.
void state_sizes(Claim& claim);

}  // namespace foldproof::read
