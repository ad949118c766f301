// SPDX-License-Identifier: MIT
// What check and merge write at their end: the report files, and a summary with what did not go as expected.
#pragma once

#include <filesystem>
#include <vector>

#include "report/question_card.hpp"
#include "run/entry.hpp"

namespace foldproof::tool {

/// Writes every kind of report into the folder, report.json last. Errors: `io.write`.
void write_reports(const std::filesystem::path& folder, const Json& report, std::vector<report::QuestionCard> questions = {});

/// Appends a short summary to the file that GITHUB_STEP_SUMMARY names, where it is set. A summary that cannot be written is a warning.
void append_job_summary(const Json& report);

/// Counts, digest and file names on standard output; claims that differ or failed on standard error.
void print_summary(const run::Entries& entries, const Json& report, const std::filesystem::path& folder);

}  // namespace foldproof::tool
