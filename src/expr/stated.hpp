// SPDX-License-Identifier: MIT
// What a program says of shapes beside what it computes is kept in definitions that nothing reads, and that nobody is shown. Part of the trusted base.
#pragma once

#include "expr/build.hpp"

namespace foldproof::expr {

/// sized(x, d) and shaped(x, [n, d]): see read/stated_shapes.hpp.
inline bool states_shape(const Definition& d) { return is_call(d.value, "sized") || is_call(d.value, "shaped"); }

}  // namespace foldproof::expr
