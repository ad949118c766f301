// SPDX-License-Identifier: MIT
// Instances in doubles that satisfy assumed equations, such as W.T @ W == eye(k): dense ones, for a first look. Nothing exact is made here.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "infer/problem.hpp"
#include "numeric/evaluate.hpp"

namespace foldproof::repair {

/// Moves the entries of the variables that are not `fixed` until the equations hold up to rounding: Gauss-Newton, each step the shortest that
/// solves the equations linearized (Nocedal and Wright 2006, Numerical Optimization, section 10.3). False, with any values, where that leads
/// nowhere: no such values exist at these sizes, or there are too many.
bool solve_assumed(const infer::Problem& problem, const std::vector<const infer::Fact*>& equations, const std::set<std::string>& fixed, numeric::Instance<double>& instance);

}  // namespace foldproof::repair
