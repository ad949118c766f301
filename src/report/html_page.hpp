// SPDX-License-Identifier: MIT
// The style sheet and the script of a page. The script only hides what a filter does not match, and opens folded parts for printing.
#pragma once

namespace foldproof::report {

extern const char* const page_style;
extern const char* const page_script;

}  // namespace foldproof::report
