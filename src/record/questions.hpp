// SPDX-License-Identifier: MIT
// Questions of learners, each answered in one line and by claims that show it: fixtures/questions.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace foldproof::record {

/// One thing that is said, and the claims that show it.
struct QuestionPart {
  std::string says;  ///< may hold {parameters}, {left parameters}, {right multiply-adds} ..., which are counted, not written
  std::vector<std::string> claims;
  std::string cost_claim;  ///< whose two sides are counted; empty without braces in `says`
  std::map<std::string, std::int64_t> sizes;
  std::vector<std::string> data;  ///< variables that are no parameters
};

struct Question {
  std::string id;
  std::string question;
  std::string answer;
  std::string source;  ///< where it was asked; may be empty
  std::vector<QuestionPart> parts;
};

/// The questions of a file; none when there is no such file.
/// Errors: json.*, `question.*` with file, line, column and JSON pointer.
std::vector<Question> read_questions(const std::filesystem::path& path);

}  // namespace foldproof::record
