// SPDX-License-Identifier: MIT
// Functions of NumPy, PyTorch and the like that are a few of the language's own: F.linear(x, W) is x @ W.T. Part of the trusted base.
#pragma once

#include <optional>
#include <string_view>

#include "expr/numpy.hpp"

namespace foldproof::expr {

/// Whether a library's function of this name is written in the language's own.
bool is_defined(std::string_view name);

/// The call in the language's own functions; nothing for other names, and for operands that the function does not take.
std::optional<Respelled> defined(const Syntax& call, Spelling spelling);

}  // namespace foldproof::expr
