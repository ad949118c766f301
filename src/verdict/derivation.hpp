// SPDX-License-Identifier: MIT
// A proof for people: both sides in index notation, the laws that were used, and the common form.
#pragma once

#include <string>
#include <vector>

#include "infer/problem.hpp"
#include "kernel/check.hpp"

namespace foldproof::verdict {

/// The lines of the derivation of a proved claim.
std::vector<std::string> derive(const expr::Claim& claim, const infer::Problem& problem, const kernel::Certificate& certificate);

}  // namespace foldproof::verdict
