// SPDX-License-Identifier: MIT
// Loops that call a function in each step, written with what the function does. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// c, ys = jax.lax.scan(f, init, xs) and c = jax.lax.fori_loop(a, b, f, init) as loops, and S, y = f(S, x[t]) in a loop as the statements of f with names
/// of their own. What f does must be statements that give values to names, and a return; else the program stays as it is.
Tokens with_steps_written_out(Tokens tokens, Words& words);

}  // namespace foldproof::program
