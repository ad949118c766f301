// SPDX-License-Identifier: MIT
// Python's imports: `from numpy import mean` makes mean NumPy's, which is that of all entries, and not the language's own.
#pragma once

#include <functional>

#include "program/token_lists.hpp"

namespace foldproof::program {

/// The program with the module before each name that was imported from one, and before what another name for it stands.
/// Errors: name.unknown for `import *`, and for a function from a module that is not known, of a name that `is_known` says the language has.
Tokens with_imports(Tokens tokens, const std::function<bool(std::string_view)>& is_known);

}  // namespace foldproof::program
