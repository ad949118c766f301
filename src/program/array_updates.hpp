// SPDX-License-Identifier: MIT
// What JAX has for changes in place: arrays that are like another one but for some places. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// y = x.at[1:].set(v) as at_1 = x.copy(), at_1[1:] = v, y = at_1, the same of add, subtract, multiply, divide, min and max; jax.lax.stop_gradient(x) as (x).
/// What stands in a lambda, a comprehension or the head of a loop stays as it is.
Tokens with_array_updates(Tokens tokens, Words& words);

}  // namespace foldproof::program
