// SPDX-License-Identifier: MIT
// JAX's and PyTorch's vmap, written as what it does: the function of each item of an axis, stacked. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// jax.vmap(f, in_axes=(0, None))(x, w) as stack([f(x[i], w) for i in range(x.shape[0])]), also where g = jax.vmap(f) is called by that name.
/// What has other options, such as out_axes, stays as it is, and is refused where it is read.
Tokens with_mapped_functions(Tokens tokens, Words& words);

}  // namespace foldproof::program
