// SPDX-License-Identifier: MIT
// report.html: a run for people, in one file that needs no network and no script. Drawn from report.json and from nothing else.
#pragma once

#include <string>

#include "report/json.hpp"

namespace foldproof::report {

/// Requires: the value that report_json returned.
std::string html(const Json& report);

}  // namespace foldproof::report
