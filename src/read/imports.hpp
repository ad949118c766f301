// SPDX-License-Identifier: MIT
// Python's imports: `from numpy import mean` makes mean NumPy's, which is that of all entries, and not the language's own.
#pragma once

#include "read/token_lists.hpp"

namespace foldproof::read {

/// The program with the module before each name that was imported from one, and before what another name for it stands.
/// Errors: name.unknown for `import *`, and for a function of the language's own name from a module that is not known.
Tokens with_imports(Tokens tokens);

}  // namespace foldproof::read
