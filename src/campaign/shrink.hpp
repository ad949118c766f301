// SPDX-License-Identifier: MIT
// From a failing case to a small literal one: smaller sizes first (slices keep the numbers), then single indices dropped, whole
// tensors made zero or one, single entries zeroed, values made simple. Every step must still fail and meet the assumptions.
#pragma once

#include <functional>

#include "campaign/campaign.hpp"

namespace foldproof::campaign {

/// Whether a case still fails. Called at most a few thousand times.
using StillFails = std::function<bool(const expr::DimValues& dims, const Values& values)>;

/// Shrinks in place. Requires: it fails as given.
void shrink(const infer::Problem& problem, const StillFails& fails, expr::DimValues& dims, Values& values);

}  // namespace foldproof::campaign
