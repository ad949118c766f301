// SPDX-License-Identifier: MIT
// What the numbers of a formula say: how many there are of something, which of them, or something else.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "expr/syntax.hpp"

namespace foldproof::repair {

/// What a number says where it stands.
enum class Role {
  other,
  size,
  last_size,     ///< of a reshape, where the size of blocks stands mostly
  beside_split,  ///< the first 512 of reshape(W, 512, 8, 64), which may be another size than the 8*64
  made,          ///< that of zeros([n, 512]), likewise
  place,
  which,         ///< the 2 of x[2], and that of x[(2 + 1)*64:], which say which block
  factor,        ///< the 64 there
  quotient,      ///< 512 // 8, which is shown as a whole first
  root,          ///< the 64 of sqrt(64)
  part,          ///< the 2 of chunk(x, 3)[2]
};
bool is_size(Role role);

/// The whole number that e is; 0 for others.
std::int64_t whole(const expr::Expression& e);
/// A size that is written as a number or as a quotient of two; 0 for others.
std::int64_t size_of(const expr::Expression& e);
/// The sizes that a reshape gives; none where e is no reshape.
std::span<const expr::Expression> new_sizes(const expr::Expression& e);

using Rewriting = std::function<expr::Expression(const expr::Expression&, Role)>;
/// Shows e's numbers and quotients of numbers and gives what `with` makes of them.
expr::Expression rewritten(const expr::Expression& e, const Rewriting& with, Role role = Role::other);

}  // namespace foldproof::repair
