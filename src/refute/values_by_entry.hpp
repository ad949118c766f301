// SPDX-License-Identifier: MIT
// Whether both sides have a value in every entry though a part of them has none in some, which a subscript leaves out: (1/np.arange(n))[1:]. NumPy has nan
// there; the search for counterexamples knows no tensor that lacks a value somewhere.
#pragma once

#include <cstdint>

#include "infer/problem.hpp"

namespace foldproof::refute {

/// Tries a few instances of small shapes, entry by entry. False: none was found.
bool has_values_by_entry(const infer::Problem& problem, std::uint64_t seed);

}  // namespace foldproof::refute
