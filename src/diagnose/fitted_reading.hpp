// SPDX-License-Identifier: MIT
// A claim about stored tensors, read so that it fits them: what the claim leaves open, their shapes decide.
#pragma once

#include <optional>
#include <string>

#include "infer/problem.hpp"
#include "run/run.hpp"

namespace foldproof::diagnose {

/// The claim as it stands where it fits the tensors, else with the shapes that they have: first of those only that have another number of
/// axes than the claim gives them by itself. Where no reading fits, the first that can be read, else the claim.
std::string fitting_reading(const std::string& text, const run::Given& given);

/// Whether the name is a word of the text.
bool mentions(const std::string& text, const std::string& name);

/// What is given without the tensors and sizes that the claim does not mention: those of other claims.
run::Given those_mentioned(const std::string& text, const run::Given& given);

/// The given sizes without those that the claim assumes to be what they are given as, which makes them no sizes of their own.
expr::DimValues sizes_left(const expr::DimValues& given, const infer::Problem& problem);

}  // namespace foldproof::diagnose
