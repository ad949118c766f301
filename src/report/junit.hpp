// SPDX-License-Identifier: MIT
// junit.xml: one test case a claim, for systems that draw test results. Drawn from report.json and from nothing else.
#pragma once

#include <string>

#include "record/json.hpp"

namespace foldproof::report {

/// Requires: the value that report_json returned.
std::string junit(const Json& report);

/// Text for XML content and attributes. Bytes that XML 1.0 cannot hold, and those that are no UTF-8, become U+FFFD.
std::string xml_escaped(const std::string& text);

}  // namespace foldproof::report
