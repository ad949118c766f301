// SPDX-License-Identifier: MIT
// What check and merge write at their end: the report files, and a summary with what did not go as expected.
#pragma once

#include <filesystem>
#include <vector>

#include "report/entry.hpp"
#include "report/question_card.hpp"

namespace foldproof::tool {

/// Writes every kind of report into the folder, report.json last. Errors: `io.write`.
void write_reports(const std::filesystem::path& folder, const report::Json& report, std::vector<report::QuestionCard> questions = {});

/// Counts, digest and file names on standard output; claims that differ or failed on standard error.
void print_summary(const report::Entries& entries, const report::Json& report, const std::filesystem::path& folder);

}  // namespace foldproof::tool
