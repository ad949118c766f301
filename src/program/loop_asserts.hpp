// SPDX-License-Identifier: MIT
// What is asserted in each step of a loop, as one claim behind the loop. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// for t in range(n): ... assert np.allclose(a, b) as lists of what a and b are in the steps, which a claim behind the loop compares; and where each step makes its own tensors and nothing depends
/// on which step it is, as for seed in range(100): does, what one step does. Only loops outside of functions and cases.
Tokens with_asserts_behind_loops(Tokens tokens, Words& words);

}  // namespace foldproof::program
