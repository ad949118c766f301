// SPDX-License-Identifier: MIT
// Sums of products of matrices, multiplied out as they are written, without indices.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::prove {

/// What is left of a matrix when it is multiplied out and terms cancel, such as A @ B of (W + A @ B) - W. Nothing where no term
/// cancels or all do. `shape_of` gives the shape of an expression, where it has one by itself.
std::optional<expr::Expression> cancelled(const expr::Claim& claim, const expr::Expression& e, const std::function<std::optional<expr::Shape>(const expr::Expression&)>& shape_of);

/// The matrix as products of two: the terms that begin with one matrix, and those that end with one, are each one product with it, as
/// Q @ (D.T @ C.T) + A @ (B @ K.T) + A @ (B @ D.T @ C.T) is of the columns of A and the rows of C.T. Fewest such matrices first; nothing
/// of two terms that share none.
std::vector<std::pair<expr::Expression, expr::Expression>> covers(const expr::Claim& claim, const expr::Expression& e, const std::function<std::optional<expr::Shape>(const expr::Expression&)>& shape_of);

}  // namespace foldproof::prove
