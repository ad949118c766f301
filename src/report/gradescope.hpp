// SPDX-License-Identifier: MIT
// results.json as Gradescope's autograder reads it: one test a claim, one point for each that came out as expected and whose
// campaign passed. Source: gradescope-autograders.readthedocs.io, "Output format".
#pragma once

#include <string>

#include "record/json.hpp"

namespace foldproof::report {

/// Requires: the value that report_json returned.
Json gradescope(const Json& report);

}  // namespace foldproof::report
