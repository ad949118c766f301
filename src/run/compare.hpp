// SPDX-License-Identifier: MIT
// What changed between two reports. Claims are paired by id. A difference is a change of what was found out: verdicts, evidence,
// tests, claims added or removed, the exact digest, and the numeric digest where it may be compared at all. The environment,
// times and, between different builds, bound ratios are told and are no difference.
#pragma once

#include <string>

#include "record/json.hpp"

namespace foldproof::run {

/// Reads report.json. Errors: those of reading a file and of JSON, `report.kind` for any other JSON, and `report.inconsistent` where the
/// counts are not those of the claims.
Json read_report(const std::string& path);

/// The comparison as JSON (comparison.schema.json). Requires: two values that read_report returned, or report_json.
/// Errors: `report.kind` when a part is missing or of another type.
Json compare(const Json& before, const Json& after);

}  // namespace foldproof::run
