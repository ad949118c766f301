// SPDX-License-Identifier: MIT
// The comparison of two reports in words.
#pragma once

#include <string>

#include "record/json.hpp"

namespace foldproof::report {

/// For a terminal: one line a difference, at most `most` of each kind, then the digests.
std::string comparison_text(const Json& comparison, std::size_t most = 50);
/// For a job summary: the same as tables. Never longer than `largest_summary`.
std::string comparison_markdown(const Json& comparison);

/// GitHub refuses job summaries of more than 1 MiB.
inline constexpr std::size_t largest_summary = 1'000'000;
/// Text cut at the end of a line so that it is shorter than `largest` bytes, with a last line that says so.
std::string capped(std::string text, std::size_t largest = largest_summary);

}  // namespace foldproof::report
