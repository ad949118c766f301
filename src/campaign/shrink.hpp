// SPDX-License-Identifier: MIT
// From a failing case to one small literal case, the same whatever case the search began with: sizes first, each with tensors
// that do not depend on the failing case (ones, a fixed generic one, identities) before slices of it, then zeros, then simple
// numbers, then a normal form of their places. Every step must still fail and meet the assumptions.
#pragma once

#include <functional>

#include "campaign/sample.hpp"

namespace foldproof::campaign {

/// Whether a case still fails. Called at most a few thousand times.
using StillFails = std::function<bool(const expr::DimValues& dims, const Values& values)>;

/// Shrinks in place; returns how many cases were tried. Requires: it fails as given.
int shrink(const infer::Problem& problem, const StillFails& fails, expr::DimValues& dims, Values& values);

}  // namespace foldproof::campaign
