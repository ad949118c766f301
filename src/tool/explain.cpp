// SPDX-License-Identifier: MIT
// foldproof explain: the card of a claim, or the answer to a question of fixtures/questions.json, for a person who asked.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>

#include "record/claim_json.hpp"
#include "record/questions.hpp"
#include "record/words.hpp"
#include "report/explain.hpp"
#include "report/html_card.hpp"
#include "report/html_parts.hpp"
#include "report/question_card.hpp"
#include "run/report_json.hpp"
#include "tool/command.hpp"
#include "tool/input.hpp"
#include "verdict/decide.hpp"

namespace foldproof::tool {

namespace {

constexpr const char* usual_questions = "fixtures/questions.json";

std::vector<record::ClaimRecord> catalogue(const ExplainArguments& arguments) {
  if (!arguments.claims.empty()) return record::read_entries({arguments.claims.begin(), arguments.claims.end()});
  if (std::filesystem::exists(usual_claims)) return record::read_entries({usual_claims});
  if (std::all_of(arguments.ids.begin(), arguments.ids.end(), reads_as_claim)) return {};
  expr::fail("usage", std::string("there is no folder ") + usual_claims + " here to look an id up in", {}, "name it: foldproof explain ID --claims PATH");
}

template <class Record>
const Record* called(const std::string& id, const std::vector<Record>& records) {
  const auto found = std::find_if(records.begin(), records.end(), [&](const Record& record) { return record.id == id; });
  return found == records.end() ? nullptr : &*found;
}

/// Ids and titles that contain what was typed, before ids that are spelt alike.
[[noreturn]] void unknown(const std::string& id, const std::vector<record::ClaimRecord>& claims, const std::vector<record::Question>& questions) {
  constexpr std::size_t most = 8;
  const auto lower = [](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
  };
  std::vector<std::string> ids, found;
  const auto look = [&](const std::string& name, const std::string& title) {
    ids.push_back(name);
    if (!id.empty() && lower(name + "\n" + title).find(lower(id)) != std::string::npos) found.push_back(name);
  };
  for (const record::Question& question : questions) look(question.id, question.question);
  for (const record::ClaimRecord& claim : claims) look(claim.id, claim.title);
  const std::size_t more = found.size() > most ? found.size() - most : 0;
  found.resize(found.size() - more);
  std::string hint = found.empty() ? hint_for_id(id, ids) : "these speak of it: " + fmt::format("{}", fmt::join(found, ", "));
  if (more > 0) hint += fmt::format(" and {} more", more);
  const auto unread = std::find_if(claims.begin(), claims.end(), [](const record::ClaimRecord& claim) { return claim.unreadable.has_value(); });
  if (unread != claims.end()) hint = "not all claims can be read: " + unread->unreadable->message;
  expr::fail("usage", "there is no claim and no question with the id `" + record::one_line(id, 80) + "`", {}, hint);
}

run::ClaimResult decided(const record::ClaimRecord& claim) {
  run::ClaimResult result;
  result.claim = claim;
  run::parallel(1, 1, [&](std::size_t) { result.decision = verdict::decide(claim); });
  return result;
}

/// With the same seed as a check of the claim, so that card and report name the same hazards.
void add_hazards(run::ClaimResult& result) {
  run::parallel(1, 1, [&](std::size_t) { run::find_hazards(result, run::RunOptions{}.seed); });
}

/// The card, and the verdict on the nearest true statement, which is not taken on trust.
report::Card card_of(const run::ClaimResult& result, const report::Statements& known, const expr::DimValues& sizes) {
  report::Card card = report::card(Json::parse(record::dump(run::entry_of(result).record, -1)), known, sizes);
  if (card.nearest_true.empty()) return card;
  record::ClaimRecord nearest;
  nearest.text = card.nearest_true;
  card.nearest_true_verdict = verdict::text(decided(nearest).decision->verdict);
  return card;
}

int status_of(const run::ClaimResult& result) {
  if (result.decision->verdict == verdict::Verdict::invalid && run::expectation(result.claim) != "invalid") return exit_bad_input;
  return result.decision->verdict == verdict::Verdict::undecided && run::expectation(result.claim) != "undecided" ? exit_undecided : exit_ok;
}

/// What is asked for, drawn in the form that is asked for.
class Explanation {
 public:
  explicit Explanation(const ExplainArguments& arguments) : arguments_(arguments), claims_(catalogue(arguments)) {
    if (arguments.claims.empty()) questions_ = record::read_questions(usual_questions);
    for (const auto& [name, value] : sizes_of(arguments.dims)) sizes_[name] = value;
    for (const record::ClaimRecord& claim : claims_) report::add_statement(known_, claim.id, claim.text, claim.expect.value_or("proved"));
  }

  int run() {
    for (const std::string& id : arguments_.ids) {
      if (const record::ClaimRecord* claim = called(id, claims_)) {
        add(*claim);
      } else if (const record::Question* question = called(id, questions_)) {
        add(*question);
      } else if (reads_as_claim(id)) {
        for (const record::ClaimRecord& written : claims_of_text(id, "claim", "<claim>")) add(written);
      } else {
        unknown(id, claims_, questions_);
      }
    }
    for (const record::ClaimRecord& claim : all_claims({}, arguments_.texts)) add(claim);
    const std::string title = arguments_.ids.size() == 1 ? "foldproof: " + arguments_.ids[0] : "foldproof";
    std::cout << (arguments_.html ? report::page(title, "<main>" + out_ + "</main>\n", false) : out_);
    return status_;
  }

 private:
  void add(const record::ClaimRecord& claim) {
    run::ClaimResult result = decided(claim);
    add_hazards(result);
    if (status_of(result) != exit_ok) status_ = status_of(result);
    if (result.decision->diagnostic) std::cerr << record::render(claim, *result.decision->diagnostic);
    report::Card card = card_of(result, known_, sizes_);
    if (!claim.expect) card.unexpected.clear();  // nobody said what to expect
    append(arguments_.html ? report::html_card(card, "", true) : arguments_.markdown ? report::explain_markdown(card) : report::explain_text(card));
  }

  void add(const record::Question& question) {
    const auto shown = [&](const std::string& id) {
      const record::ClaimRecord* claim = called(id, claims_);
      if (!claim) return std::optional<report::Shown>();
      return std::optional<report::Shown>({id, claim->title, verdict::text(decided(*claim).decision->verdict), claim->text});
    };
    const report::QuestionCard card = report::question_card(question, shown);
    append(arguments_.html ? report::question_html(card, false) : arguments_.markdown ? report::question_markdown(card) : report::question_text(card));
  }

  void append(const std::string& card) {
    if (!out_.empty()) out_ += arguments_.html ? "" : arguments_.markdown ? "\n---\n\n" : "\n" + std::string(100, '-') + "\n\n";
    out_ += card;
  }

  const ExplainArguments& arguments_;
  std::vector<record::ClaimRecord> claims_;
  std::vector<record::Question> questions_;
  expr::DimValues sizes_;
  report::Statements known_;
  std::string out_;
  int status_ = exit_ok;
};

}  // namespace

int explain(const ExplainArguments& arguments) {
  if (arguments.ids.empty() && arguments.texts.empty())
    expr::fail("usage", "there is nothing to explain", {}, "foldproof explain redundant-or-essential, or foldproof explain -e 'A @ B == B @ A'");
  return Explanation(arguments).run();
}

}  // namespace foldproof::tool
