// SPDX-License-Identifier: MIT
// foldproof weights: questions about the tensors of a checkpoint. Exit status: 0 equal or rounding, 1 a bug, 2 bad input, 3 unclear.
#include <iostream>
#include <mutex>

#include "report/text.hpp"
#include "report/weights_check.hpp"
#include "tool/command.hpp"
#include "tool/input.hpp"

namespace foldproof::tool {

namespace {

int status(const std::vector<report::WeightsCheck>& checks) {
  int worst = exit_ok;
  for (const report::WeightsCheck& check : checks) {
    if (check.decision.reason == report::Reason::internal_error) return exit_internal;
    if (check.decision.verdict == report::Verdict::invalid) return exit_bad_input;
    if (check.answer == report::WeightsAnswer::bug) worst = exit_differs;
    if (check.answer == report::WeightsAnswer::unclear && worst == exit_ok) worst = exit_undecided;
  }
  return worst;
}

void complain(const report::WeightsCheck& check) {
  const report::Decision& decision = check.decision;
  if (decision.diagnostic) {
    std::cerr << report::render(check.claim, *decision.diagnostic);
  } else {
    std::cerr << "foldproof: " << check.claim.file << ": " << check.claim.id << ": " << decision.detail << "\n";
  }
}

}  // namespace

int weights(const WeightsArguments& arguments) {
  const std::vector<record::ClaimRecord> claims = all_claims(arguments.files, arguments.texts);
  if (claims.empty()) expr::fail("usage", "there is no claim to check", {}, "foldproof weights check -e 'g.T * W == M' --weights FILE --bind g=... W=... M=...");
  if (arguments.given.weights.empty()) expr::fail("usage", "weights " + arguments.question + " needs --weights FILE and --bind NAME=TENSOR", {});
  const GivenInput given = given_of(arguments.given);
  std::vector<report::WeightsCheck> checks(claims.size());
  // One after the other: a checkpoint takes the memory of several claims.
  report::parallel(1, 1, [&](std::size_t) {
    for (std::size_t i = 0; i < claims.size(); ++i) {
      checks[i] = report::check_weights(claims[i], given.given, arguments.seed);
      const bool bug = checks[i].decision.verdict != report::Verdict::invalid && checks[i].answer == report::WeightsAnswer::bug;
      if (bug && arguments.question == "diagnose") checks[i].diagnosis = report::diagnose(checks[i], given.given, arguments.seed);
    }
  });
  report::Json json{{"schema", "foldproof-weights-1"}, {"inputs", report::Json::array()}, {"results", report::Json::array()}};
  for (const report::InputFile& file : given.files) json["inputs"].push_back({{"path", file.path}, {"sha256", file.sha256}, {"bytes", file.bytes}});
  for (const report::WeightsCheck& check : checks) {
    json["results"].push_back(report::to_json(check, given.given));
    if (check.decision.verdict == report::Verdict::invalid) {
      complain(check);
    } else if (!arguments.json) {
      std::cout << (&check == &checks.front() ? "" : "\n") << report::text(check);
    }
  }
  if (arguments.json) std::cout << report::dump(json);
  return status(checks);
}

}  // namespace foldproof::tool
