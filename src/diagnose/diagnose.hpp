// SPDX-License-Identifier: MIT
// With which single mistake does a claim hold on stored tensors?
#pragma once

#include <cstdint>
#include <optional>

#include "diagnose/answer.hpp"
#include "run/given.hpp"

namespace foldproof::diagnose {

/// Tries single mistakes on a claim that is a bug: which of them was made? Of one that holds: which of them do the tensors not tell from it?
/// Requires: an answer other than `unclear`. Every claim that it finds was run and holds in the answer format; that it is what happened is a
/// guess.
Diagnosis diagnose(const Check& check, const run::Given& given, std::uint64_t seed);

/// A single mistake that fits the stored numbers far better than a claim that holds up to rounding: an update that was never added, where
/// bfloat16 has room for so few digits that the bound allows it. The first one found; nothing where there is none.
std::optional<Explanation> closer_mistake(const Check& check, const run::Given& given, std::uint64_t seed);

}  // namespace foldproof::diagnose
