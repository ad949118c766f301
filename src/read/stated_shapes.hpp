// SPDX-License-Identifier: MIT
// What a program says of shapes beside what it computes: assert x.shape == (n, d), F.layer_norm(x, (d,)). Python stops where that is not so,
// and the shapes of a claim must be as it says. Part of the trusted base.
#pragma once

#include "expr/stated.hpp"
#include "read/language.hpp"

namespace foldproof::read {

/// What lhs == rhs says of a shape, x.shape == (n, d) or x.ndim == 2, as a call of expr/stated.hpp; null for what it says of anything else.
Expression stated_shape(const Expression& lhs, const Expression& rhs);

/// A definition of e, which nothing reads: Python computes it.
void define_unread(Claim& claim, const Expression& e);

/// What calls say of sizes where they are called becomes such definitions, as far as no index of a comprehension is in it.
void state_sizes(Claim& claim);

}  // namespace foldproof::read
