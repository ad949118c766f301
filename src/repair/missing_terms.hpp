// SPDX-License-Identifier: MIT
// Which terms one side of a claim lacks, once products are multiplied out.
#pragma once

#include <functional>
#include <vector>

#include "expr/syntax.hpp"

namespace foldproof::repair {

/// `side` completed: with the terms that only `other` has when both are multiplied out, once without and once with those that only `side` has
/// taken away; inside a function that both sides apply, its argument is completed. Empty where nothing is missing.
/// `shape` knows the shapes of names: a bias row that NumPy broadcasts is multiplied by the sums of the rows.
using ShapeOf = std::function<const expr::Shape*(const expr::Expression&)>;
struct Completed {
  expr::Expression side;
  std::size_t terms = 0;  ///< that were missing
};
std::vector<Completed> completed(const expr::Expression& side, const expr::Expression& other, const ShapeOf& shape);

}  // namespace foldproof::repair
