// SPDX-License-Identifier: MIT
// The tests of a claim in words, the same in all reports: what was not compared is said wherever a worst ratio would stand.
#pragma once

#include <string>

#include "record/json.hpp"

namespace foldproof::report {

/// The worst ratio of a format, "0.41"; what it leaves out is said: "nothing compared: the bound is infinite (8)", "0.41, not compared: one side overflows (1)".
/// Without any case: "no case". The ratio has that many significant digits.
std::string ratio_text(const Json& format, int digits);

/// Of the row of a wider format than the tensors have, which says nothing against a program that computes in theirs.
inline constexpr const char* more_digits = "more digits than are stored";
/// How a row stands to the weights as they are stored: "answer format", "W, g re-rounded", `more_digits`, or nothing.
std::string role_text(const Json& tests, const Json& format);

/// Which formats were not run on given tensors, and why; empty where all were.
std::string left_out_text(const Json& tests);

/// Whether the claim was tested and its tests failed.
bool tests_failed(const Json& claim);

/// Whether it is not as expected, its tests failed, or it was to be tested and was not.
bool needs_attention(const Json& claim);

/// What a failed campaign found; empty where none failed.
std::string failure_reason(const Json& claim);

/// "1583 of 1583 seeded bugs killed, 44 more proved to be none"; empty when none were made.
std::string bugs_line(const Json& bugs);

}  // namespace foldproof::report
