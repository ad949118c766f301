// SPDX-License-Identifier: MIT
// Hazards in the words of reports. They stand beside a verdict and never change it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/hazards.hpp"
#include "record/json.hpp"

namespace foldproof::run {

/// Above the list of them in every report.
inline constexpr const char* hazards_title = "Hazards in floating point, beside the proof";

/// {kind, format, side, part, dims, values, entry, computed, reference, bound, text}, floats as hexadecimal text.
Json to_json(const campaign::Hazard& hazard, const std::string& claim_text);
/// All of them, null where they were not looked for.
Json hazards_json(const std::optional<std::vector<campaign::Hazard>>& hazards, const std::string& claim_text);
/// "float16: lhs overflows in `exp(b)`, gives inf instead of 5.987e+04 at a = [-1], b = [12]"
std::string sentence(const campaign::Hazard& hazard, const std::string& claim_text);

}  // namespace foldproof::run
