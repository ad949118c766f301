// SPDX-License-Identifier: MIT
// Classes of which Python writes a part: @dataclass and @property. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// @dataclass class Config: d: int = 4 with the method that Python writes for it, def __init__(self, d=4): self.d = d; and c.dh of a method with @property as c.dh(). Before types of names are left out, which say what is a field.
/// Errors: `parse.unexpected` where the decorator, the class or a field is of another kind.
Tokens with_data_classes(const Tokens& tokens);

}  // namespace foldproof::program
