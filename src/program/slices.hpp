// SPDX-License-Identifier: MIT
// Slices that have a name, s = slice(0, k) and s = np.s_[0:k], written where they are used, x[:, s] as x[:, 0:k]. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// x[:, slice(a, b)] and s = slice(a, b); x[:, s] as x[:, a:b], where s and what it is made of have one value as long as their block goes on.
Tokens with_slices(Tokens tokens);

}  // namespace foldproof::program
