// SPDX-License-Identifier: MIT
// Slips that the language cannot see, because what was written means something: they are told where shapes do not fit or a claim is false.
#pragma once

#include <string>

#include "expr/syntax.hpp"

namespace foldproof::repair {

/// One sentence without its full stop; empty when there is none. In concat(A, B) @ concat(C, D) columns are joined where rows may be meant, and in
/// rmsnorm(X, g) what stands for eps has the name of a gain.
std::string likely_slip(const expr::Claim& claim);

}  // namespace foldproof::repair
