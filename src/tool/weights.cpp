// SPDX-License-Identifier: MIT
// foldproof weights: questions about the tensors of a checkpoint. Exit status: 0 equal or rounding, 1 a bug, 2 bad input, 3 unclear.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "record/files.hpp"
#include "report/report_json.hpp"
#include "report/text.hpp"
#include "report/weights_check.hpp"
#include "tool/command.hpp"
#include "tool/input.hpp"
#include "weights/safetensors.hpp"

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

/// Computed in float64 and rounded once, to the format that holds the tensors it is made of.
int fold(const WeightsArguments& arguments) {
  namespace fs = std::filesystem;
  if (!arguments.files.empty() || arguments.texts.size() != 1) expr::fail("usage", "weights fold needs one expression", {}, "-e 'g.T * W'");
  if (arguments.json) expr::fail("usage", "weights fold has no --json", {});
  if (arguments.name.empty() || arguments.out.empty()) expr::fail("usage", "weights fold needs --name TENSOR and --out FILE.safetensors", {});
  if (fs::path(arguments.out).extension() != ".safetensors") expr::fail("usage", "--out " + arguments.out + " is not called .safetensors", {});
  if (arguments.name == "__metadata__") expr::fail("usage", "no tensor can be called __metadata__", {});
  std::error_code ignored;
  if (!arguments.force && fs::exists(fs::symlink_status(arguments.out, ignored))) expr::fail("usage", arguments.out + " is there already", {}, "--force replaces it");
  if (arguments.given.weights.empty()) expr::fail("usage", "weights fold needs --weights FILE and --bind NAME=TENSOR", {});
  const GivenInput given = given_of(arguments.given);
  report::Fold result;
  report::parallel(1, 1, [&](std::size_t) { result = report::fold(arguments.texts.front(), given.given); });
  weights::Tensor tensor{result.shape, std::move(result.values), weights::Format::float64};
  for (const auto format : {weights::Format::float32, weights::Format::bfloat16, weights::Format::float16}) {
    if (weights::text(format) == result.format) tensor.format = format;
  }
  std::vector<std::pair<std::string, std::string>> metadata{{"foldproof.expression", arguments.texts.front()}};
  for (const auto& [variable, source] : given.given.sources) metadata.emplace_back("foldproof.bind." + variable, source);
  const std::size_t entries = tensor.values.size();
  std::string shape;
  for (const std::int64_t n : tensor.shape) shape += (shape.empty() ? "" : ", ") + std::to_string(n);
  record::write_atomically(arguments.out, weights::safetensors_bytes({{arguments.name, std::move(tensor)}}, metadata));
  std::cout << "wrote " << arguments.out << ": " << arguments.name << " [" << shape << "] " << result.format << "\n";
  if (result.format == "float64") {
    std::cout << fmt::format("  every entry is within {:.2g} of the exact value\n", result.largest_bound);
  } else {
    std::cout << fmt::format("  {} of {} entries are the nearest {} to the exact value, by their bounds", result.certain, entries, result.format)
              << (result.certain < entries ? fmt::format("; at the others float64 arithmetic, within {:.2g}, does not tell which of two neighbours is", result.largest_bound) : "") << "\n";
  }
  return exit_ok;
}

}  // namespace

int weights(const WeightsArguments& arguments) {
  if (arguments.question == "fold") return fold(arguments);
  if (!arguments.name.empty() || !arguments.out.empty() || arguments.force) expr::fail("usage", "--name, --out and --force belong to weights fold", {});
  const std::vector<record::ClaimRecord> claims = all_claims(arguments.files, arguments.texts);
  if (claims.empty()) expr::fail("usage", "there is no claim to check", {}, "foldproof weights check -e 'g.T * W == M' --weights FILE --bind g=... W=... M=...");
  if (arguments.given.weights.empty()) expr::fail("usage", "weights " + arguments.question + " needs --weights FILE and --bind NAME=TENSOR", {});
  GivenArguments asked = arguments.given;
  asked.others = arguments.question == "diagnose";
  const GivenInput given = given_of(asked);
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
  for (const report::InputFile& file : given.files) json["inputs"].push_back(report::to_json(file));
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
