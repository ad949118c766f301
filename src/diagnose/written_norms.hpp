// SPDX-License-Identifier: MIT
// Norms and softmax as programs compute them that store every step. Their bounds are those of programs that round the result alone, as
// libraries do in 16 bits; who writes the formula out rounds the mean, the root and the quotient.
#pragma once

#include <optional>

#include "expr/syntax.hpp"

namespace foldproof::diagnose {

/// The claim with x / sqrt(mean(x * x) + e) for rmsnorm(x, e), and the like; nothing where it has no norm and no softmax of rows.
std::optional<expr::Claim> with_norms_written_out(const expr::Claim& claim);

}  // namespace foldproof::diagnose
