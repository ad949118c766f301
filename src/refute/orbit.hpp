// SPDX-License-Identifier: MIT
// More solutions from a solution: many equations between matrices stay true when one axis is rotated, or when all matrices
// change to another basis. What an equation asks for stays to be checked.
#pragma once

#include "refute/tie.hpp"

namespace foldproof::refute {

/// Solutions next to the given ones that satisfy all assumptions on the variables, at most `most`: rotations by the angle of
/// the triangle 3-4-5, reflections and shears of one axis of one matrix, and of all axes of one size.
std::vector<Joint> orbit(Tie& tie, const std::vector<Joint>& solutions, std::size_t most);

}  // namespace foldproof::refute
