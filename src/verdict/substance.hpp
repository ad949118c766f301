// SPDX-License-Identifier: MIT
// Whether a claim says anything: of no instance, everything is true.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "infer/problem.hpp"
#include "refute/defined.hpp"

namespace foldproof::verdict {

/// What is known of the instances that satisfy the assumptions and have values on both sides.
struct Substance {
  refute::Definedness found;                 ///< by a search
  std::optional<std::string> contradiction;  ///< why none satisfies the assumptions, where none was found
  std::string names;                         ///< "with names for the sizes (d for 64, k for 512) ", where it is of them that both of these speak
};

/// Whether the claim may have instances at some sizes and none at others: there are so many orthonormal columns only, and products of so many columns that have an inverse.
bool depends_on_sizes(const infer::Problem& problem);

/// Of sizes that are given and too large to search, W: [512, 64], the same claim at small sizes is searched, and in the same order where it depends on them: [n, k] with n > k.
Substance substance(const expr::Claim& claim, const infer::Problem& problem, std::uint64_t seed);

}  // namespace foldproof::verdict
