// SPDX-License-Identifier: MIT
// Large stored tensors, cut down to some of their rows: a claim that holds entry by entry holds on these as well, and what does not hold on
// these need not be tried on the rest.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"

namespace foldproof::diagnose {

/// The tensors of the claim with no more than the first 64 indices of each size that it nowhere sums over, nor puts elsewhere. Nothing where no such
/// size is larger, where all tensors are small anyway, and where a variable is not given. `around`: an entry of the sides; then the 64 indices around its own.
std::optional<campaign::GivenTensors> few_rows(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const std::vector<std::int64_t>& around = {});

/// The first of `few` indices around one of `all`.
std::int64_t first_of_few(std::int64_t around, std::int64_t all, std::int64_t few);

/// The variables whose first axis is that of the sides, where what the claim says of any of these rows it says of those alone: E and M of
/// `E * g == M`. None where it is no such claim.
std::set<std::string> variables_with_rows(const infer::Problem& problem);

}  // namespace foldproof::diagnose
