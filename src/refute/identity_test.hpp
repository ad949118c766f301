// SPDX-License-Identifier: MIT
// The second route to a verdict: evaluates both sides at random points of the prime field, at sizes that are pairwise
// different where the claim allows. Two different polynomials of degree D agree at such a point with probability at most D/p.
// Shares nothing with the prover; when the prover says proved and this says different, one of the two is broken.
#pragma once

#include <cstdint>

#include "infer/problem.hpp"

namespace foldproof::refute {

enum class Identity {
  equal,           ///< at all points tried
  different,       ///< at some point: as polynomials or rational functions the sides differ
  not_applicable,  ///< a function of the reals, an order, or an assumption that has no random points here
};
const char* text(Identity identity);

/// Assumptions that bound entries strictly, or by 0 from below, leave the polynomials the same, so they are ignored; orthogonal, symmetric, permutation,
/// invertible, onehot, rowstochastic matrices and masks are drawn over the field; equations and other bounds are not applicable.
Identity identity_test(const infer::Problem& problem, std::uint64_t seed, int trials);

}  // namespace foldproof::refute
