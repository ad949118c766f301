// SPDX-License-Identifier: MIT
// What a program says of shapes beside what it computes is kept in definitions that nothing reads, and that nobody is shown. Part of the trusted base.
#pragma once

#include <string_view>

#include "expr/build.hpp"

namespace foldproof::expr {

/// sized(x, d): x, whose last axis has this size. shaped(x, [n, d]), shaped(x, y.shape) and shaped(x, 2): x, which has this shape, or so many axes.
inline constexpr std::string_view sized_call = "sized", shaped_call = "shaped";
/// shape_difference(x, [n, d]): 0 where x has this shape, a number above 0 where it has another one.
inline constexpr std::string_view shape_difference_call = "shape_difference";
/// Whether e is such a call.
inline bool states_shape(const Expression& e) { return is_call(e, sized_call) || is_call(e, shaped_call); }

}  // namespace foldproof::expr
