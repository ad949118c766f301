// SPDX-License-Identifier: MIT
// What draws random numbers, by the names and generators of the libraries. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// rng.normal(size=(n, d)) of rng = np.random.default_rng(0), jax.random.normal(key, (n, d)) and torch.randn(n, d, generator=g) as np.random.standard_normal((n, d)) and the like,
/// np.random.uniform(a, b, n) as a + (b - a) * np.random.random(n). Errors: `parse.unexpected` where the same numbers may be drawn once more: by a second generator of one
/// seed, by a key of JAX that has been used, and by generators that are made in functions and loops.
Tokens without_generators(const Tokens& tokens);

/// Where the call ends whose name begins at k, with its modules, and that draws random numbers: randn(...), np.random.random(...); 0 for others.
std::size_t end_of_draw(const Tokens& tokens, std::size_t k);

}  // namespace foldproof::program
