// SPDX-License-Identifier: MIT
// foldproof decide: verdicts only. One bad claim never stops the rest, nor does a file of a folder that cannot be read.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "record/certificate_json.hpp"
#include "record/files.hpp"
#include "report/text.hpp"
#include "run/decision_json.hpp"
#include "run/hazards.hpp"
#include "run/run.hpp"
#include "tool/command.hpp"
#include "tool/input.hpp"
#include "verdict/decide.hpp"

namespace foldproof::tool {

namespace {

// An id as a file name: ids come from users, and may hold anything.
std::string file_name(const std::string& id) {
  std::string out;
  for (const char c : id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || (c == '.' && !out.empty());
    out += plain ? c : '_';
  }
  return out + ".json";
}

void write_certificates(const std::string& folder, const std::vector<run::ClaimResult>& results) {
  for (const run::ClaimResult& result : results) {
    if (!result.decision || !result.decision->certificate) continue;
    const record::CertificateRecord record{result.claim.text, *result.decision->certificate};
    record::write_atomically(std::filesystem::path(folder) / file_name(result.claim.id), record::write(record));
  }
}

// The message of a claim that cannot be read is for the user, whoever reads standard output.
void print_message(const run::ClaimResult& result) {
  const verdict::Decision& decision = *result.decision;
  if (decision.diagnostic) {
    std::cerr << record::render(result.claim, *decision.diagnostic);
  } else if (decision.verdict == verdict::Verdict::invalid) {
    std::cerr << result.claim.file << ": " << result.claim.id << ": " << decision.detail << "\n";
  } else if (decision.reason == verdict::Reason::internal_error) {
    std::cerr << result.claim.file << ": " << result.claim.id << ": internal error: " << decision.detail << "\nThis is a bug in foldproof; please report it with the claim.\n";
  }
}

void print_json(const std::vector<run::ClaimResult>& results) {
  Json out;
  out["schema"] = "foldproof-decision-1";
  out["results"] = Json::array();
  for (const run::ClaimResult& result : results) {
    Json one = run::to_json(result.claim.id, result.claim.text, *result.decision);
    if (result.hazards) one["hazards"] = run::hazards_json(result.hazards, result.claim.text);
    one["time_ms"] = result.decision->milliseconds;
    out["results"].push_back(std::move(one));
    if (!run::as_expected(result) && result.claim.expect) std::cerr << result.claim.file << ": " << result.claim.id << ": " << verdict::text(result.decision->verdict) << ", expected " << *result.claim.expect << "\n";
    print_message(result);
  }
  std::cout << record::dump(out);
}

void print_hazards(const run::ClaimResult& result) {
  std::cout << (result.hazards->empty() ? "  hazards in floating point: none found\n" : "  hazards in floating point:\n");
  for (const campaign::Hazard& hazard : *result.hazards) std::cout << "    " << run::sentence(hazard, result.claim.text) << "\n";
}

/// What holds of a program with several asserts, the first of which is `first`: it passes where each of them is proved.
void print_program(const std::vector<run::ClaimResult>& results, std::size_t first) {
  using verdict::Verdict;
  const std::size_t count = results[first].claim.asserts;
  const auto with = [&](Verdict v) { return std::count_if(results.begin() + static_cast<std::ptrdiff_t>(first), results.begin() + static_cast<std::ptrdiff_t>(first + count), [&](const run::ClaimResult& r) { return r.decision->verdict == v; }); };
  static constexpr Verdict worst_first[] = {Verdict::refuted, Verdict::invalid, Verdict::undecided, Verdict::proved};
  const Verdict* const all = std::find_if(std::begin(worst_first), std::end(worst_first), [&](Verdict v) { return with(v) > 0; });
  std::cout << verdict::text(*all) << "  " << count << " asserts, of which " << with(*all) << (with(*all) == 1 ? " is " : " are ") << verdict::text(*all) << ":\n\n";
}

void print_text(const std::vector<run::ClaimResult>& results) {
  const bool colour = colours(STDOUT_FILENO);
  for (std::size_t i = 0, next = 0; i < results.size(); ++i) {
    if (i > 0) std::cout << "\n";
    if (i == next) {
      next += results[i].claim.asserts;
      if (results[i].claim.asserts > 1) print_program(results, i);
    }
    std::cout << report::text(results[i].claim, *results[i].decision, colour);
    if (results[i].hazards) print_hazards(results[i]);
    std::cout.flush();
    print_message(results[i]);
  }
}

}  // namespace

int decide(const DecideArguments& arguments) {
  std::vector<record::ClaimRecord> claims = all_claims(arguments.files, arguments.texts);
  if (claims.empty()) expr::fail("usage", "there is no claim to decide", {}, "foldproof decide -e '(X @ A) @ B == X @ (A @ B)'");
  run::RunOptions options;
  options.seed = arguments.seed;
  options.threads = arguments.threads;
  options.hazards = arguments.hazards;
  const std::vector<run::ClaimResult> results = run::run(std::move(claims), options);
  arguments.json ? print_json(results) : print_text(results);
  if (!arguments.certificates.empty()) write_certificates(arguments.certificates, results);
  return run::exit_status(run::count(results));
}

}  // namespace foldproof::tool
