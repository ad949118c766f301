// SPDX-License-Identifier: MIT
// What foldproof-bench measured, shown in a report. Outside of both digests: times are never the same twice.
#pragma once

#include <string>

#include "record/json.hpp"

namespace foldproof::report {

/// The content of a benchmark file. Errors: `usage` for a file that cannot be read, is no JSON, or is no benchmark.
Json read_benchmark(const std::string& path);
/// As a section of report.md, and of report.html. Requires: what read_benchmark returned.
std::string benchmark_markdown(const Json& benchmark);
std::string benchmark_html(const Json& benchmark);

}  // namespace foldproof::report
