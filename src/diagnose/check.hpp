// SPDX-License-Identifier: MIT
// "Is this difference rounding, or a bug?": a claim on the stored tensors of a checkpoint, whatever it is as an identity. A fold that was
// written to a file is the claim `g.T * W == M`, which is refuted, since M is free, and may well hold for this g, W and M.
#pragma once

#include <cstdint>

#include "diagnose/answer.hpp"
#include "run/given.hpp"

namespace foldproof::diagnose {

/// Decides the claim and runs it on the tensors; briefly, where these are one block of many.
Check check(const record::ClaimRecord& claim, const run::Given& given, std::uint64_t seed, bool brief = false);

}  // namespace foldproof::diagnose
