// SPDX-License-Identifier: MIT
// A learner's question with its answer in the first line, and the claims that show it with what was found about them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "record/questions.hpp"
#include "report/card.hpp"

namespace foldproof::report {

/// A claim that a part refers to.
struct Shown {
  std::string id;
  std::string title;
  std::string verdict;  ///< empty when the claim was not decided in this run
  std::string statement;
};

struct QuestionCardPart {
  std::string says;  ///< with its numbers
  std::vector<Shown> claims;
};

struct QuestionCard {
  std::string id, question, answer, source;
  std::vector<QuestionCardPart> parts;
};

/// `claim` gives what is known of a claim by its id; absent for an unknown id.
/// Errors: expr::Error `question.claim` for an unknown claim, `question.number` for braces that name no number.
QuestionCard question_card(const record::Question& question, const std::function<std::optional<Shown>(const std::string& id)>& claim);

/// Fills in the verdicts of a run. Requires: "claims" of report.json.
void add_verdicts(std::vector<QuestionCard>& cards, const Json& claims);

std::string question_text(const QuestionCard& card);
std::string question_markdown(const QuestionCard& card);
/// As an article; claims are links when their cards stand on the same page.
std::string question_html(const QuestionCard& card, bool linked);

}  // namespace foldproof::report
