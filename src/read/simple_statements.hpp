// SPDX-License-Identifier: MIT
// Statements of Python that are several simple ones, written as these before anything else looks at them. Part of the trusted base.
#pragma once

#include "read/token_lists.hpp"

namespace foldproof::read {

/// Whether that is the name of a device in quotes, 'cuda' or "cuda:0".
bool is_device(const Token& t);

/// a = b = x @ W as a = x @ W and b = a, which are one array with two names: what changes it in place is refused as for any other second name.
Tokens with_single_targets(Tokens tokens);

}  // namespace foldproof::read
