// SPDX-License-Identifier: MIT
// Equations that nobody needs to be told: x == 0 + x, x == 2 * x / 2, W + b @ ones(1, n) == W + b.
#pragma once

#include "expr/syntax.hpp"

namespace foldproof::repair {

/// Are both sides equal up to the order of terms and factors, numbers that cancel, powers of one factor, and rows or columns of
/// ones that broadcasting adds? Products of matrices and functions stay as they are, but for identities. Throws expr::LimitReached.
bool is_tautology(const expr::Expression& lhs, const expr::Expression& rhs);

/// x <= x + 1/1000. Throws expr::LimitReached.
bool differ_by_a_number(const expr::Expression& lhs, const expr::Expression& rhs);

/// Is A @ (B @ C) on one side what A @ B @ C is on the other, and nothing else different? Throws expr::LimitReached.
bool differs_in_brackets(const expr::Expression& lhs, const expr::Expression& rhs);

/// Whether a part says nothing: the c / c of X * c / c, the eye(n) of A @ eye(n), the 1 - 1 of x == 1 - 1. Throws expr::LimitReached.
bool has_idle_part(const expr::Expression& e);

}  // namespace foldproof::repair
