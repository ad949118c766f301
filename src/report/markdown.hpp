// SPDX-License-Identifier: MIT
// report.md: the record of a run for people, drawn from report.json and from nothing else.
#pragma once

#include <string>

#include "record/json.hpp"

namespace foldproof::report {

/// Requires: the value that report_json returned.
std::string markdown(const Json& report);

/// What a build server shows of a run: the counts, what is not as expected with its evidence, and all verdicts folded away.
/// Shorter than 1 MB, whatever the report.
std::string job_summary(const Json& report);

}  // namespace foldproof::report
