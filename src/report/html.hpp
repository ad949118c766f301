// SPDX-License-Identifier: MIT
// report.html: a run for people, in one file that needs no network and no script. Drawn from report.json and the questions.
#pragma once

#include <string>
#include <vector>

#include "record/json.hpp"
#include "report/question_card.hpp"

namespace foldproof::report {

/// Requires: the value that report_json returned.
std::string html(const Json& report, const std::vector<QuestionCard>& questions = {});

}  // namespace foldproof::report
