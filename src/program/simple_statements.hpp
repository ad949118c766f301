// SPDX-License-Identifier: MIT
// Statements of Python that are several simple ones, written as these before anything else looks at them. Part of the trusted base.
#pragma once

#include "program/modules.hpp"

namespace foldproof::program {

/// n: int = 2 as n = 2, and a = b = x @ W as a = x @ W and b = a, which are one array with two names: what changes it in place is refused as for any other second name.
/// assert x.shape == (n, d) and y == z as two asserts, torch.tensor([True, False]) as (torch.tensor([1, 0]) == 1), if a <= b < c: as if a <= b and b < c:, m, _ = x.max(dim=1) as m = x.max(dim=1).values.
/// fs = [lambda x, W=W: x @ W for W in Ws] as a loop that appends each, and fs[1](x) as what it is in a list of functions that nothing changes.
Tokens with_single_targets(Tokens tokens, Words& words);

}  // namespace foldproof::program
