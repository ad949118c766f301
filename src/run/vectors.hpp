// SPDX-License-Identifier: MIT
// Makes golden vectors of a claim, and checks stored ones. Expected values are true values: rationals, or 100 digits checked against
// an enclosure; the float engine contributes the bounds only. Both sides of the claim must give the same.
#pragma once

#include "record/claim_json.hpp"
#include "record/vectors.hpp"
#include "run/regressions.hpp"

namespace foldproof::run {

/// One exact vector, where the claim has an instance whose sides are rational, and one for each float format; the same on every machine
/// but for the last digits of bounds. Errors: expr::Error for claims that are not proved equations, or have no instance.
record::VectorFile make_vectors(const record::ClaimRecord& claim, std::uint64_t seed);

/// Computes a stored vector again: the expected values must come out as stored, and both sides in the vector's format within its bound.
Replay replay(const record::VectorFile& file, const record::Vector& vector);

}  // namespace foldproof::run
