// SPDX-License-Identifier: MIT
// One look at a claim in doubles, before anything is searched or proved: most changes of a false claim are false, too.
#pragma once

#include <cstdint>

#include "infer/problem.hpp"

namespace foldproof::report {

/// Do the sides of an equation differ at one dense instance with small different sizes, which satisfies what is assumed? Vectors
/// hold numbers of rows where `tokens`. False where a side has no value, or where no such instance is made.
bool seems_false(const infer::Problem& problem, bool tokens, std::uint64_t seed);

}  // namespace foldproof::report
