// SPDX-License-Identifier: MIT
// report.html: a run for people, in one file that needs no network and no script. Drawn from report.json and the questions.
#pragma once

#include <string>
#include <vector>

#include "report/question_card.hpp"
#include "run/decision_json.hpp"

namespace foldproof::report {

/// Requires: the value that report_json returned.
std::string html(const Json& report, const std::vector<QuestionCard>& questions = {});

}  // namespace foldproof::report
