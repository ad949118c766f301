// SPDX-License-Identifier: MIT
// What is read becomes expressions of the language, so its names are known in this folder without saying where they are from. Part of the trusted base.
#pragma once

#include "expr/build.hpp"
#include "expr/syntax.hpp"

namespace foldproof::read {
using namespace expr;
}  // namespace foldproof::read
