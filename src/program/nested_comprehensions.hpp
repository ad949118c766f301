// SPDX-License-Identifier: MIT
// Arrays of comprehensions with several `for`, written as joins of arrays of comprehensions with one. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// np.stack([f(i, j) for i in range(a) for j in range(b)]) as np.concatenate([np.stack([f(i, j) for j in range(b)]) for i in range(a)]), and
/// so of np.array, np.concatenate and their names in PyTorch, along the first axis. Others stay as they are.
Tokens with_nested_comprehensions(const Tokens& tokens);

}  // namespace foldproof::program
