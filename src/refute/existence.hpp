// SPDX-License-Identifier: MIT
// Instances that no exact number names: x**2 == 2 has a solution, because x**2 - 2 is continuous and changes its sign.
#pragma once

#include "infer/problem.hpp"

namespace foldproof::refute {

/// Whether it is certain that some instance satisfies the assumptions: an equation between two numbers changes its sign along one
/// entry, and every other assumption holds all the way. False: not known.
bool satisfied_somewhere(const infer::Problem& problem, std::uint64_t seed);

}  // namespace foldproof::refute
