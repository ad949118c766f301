// SPDX-License-Identifier: MIT
// foldproof check, the main job: decides and tests every claim and writes the reports. What can be wrong with the input is found
// before the first claim is decided; after Ctrl-C the finished claims are still reported.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "record/digest.hpp"
#include "record/files.hpp"
#include "report/html.hpp"
#include "report/junit.hpp"
#include "report/markdown.hpp"
#include "report/regressions.hpp"
#include "report/report_json.hpp"
#include "report/text.hpp"
#include "tool/command.hpp"
#include "tool/input.hpp"
#include "tool/progress.hpp"
#include "weights/binding.hpp"

namespace foldproof::tool {

namespace {

namespace fs = std::filesystem;

std::atomic<bool> interrupted{false};  // written by a signal handler
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int) { interrupted.store(true); }

void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends the program at once
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;
};

Shard shard_of(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const bool good = slash && std::from_chars(first.ptr + 1, end, shard.count).ptr == end && shard.index >= 1 && shard.index <= shard.count;
  if (!good) expr::fail("usage", "--shard " + text.substr(0, 40) + " is not i/N with 1 <= i <= N", {}, "for example --shard 2/4");
  return shard;
}

// A run of minutes must not end with a folder that cannot be written.
void require_writable(const fs::path& folder) {
  const fs::path probe = folder / "writable";
  record::write_atomically(probe, "");
  std::error_code ignored;
  fs::remove(probe, ignored);
}

report::InputFile described(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  record::Sha256 digest;
  report::InputFile file{path.string(), "", 0};
  std::string block(std::size_t{1} << 16, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    const auto count = static_cast<std::size_t>(in.gcount());
    digest.update(std::string_view(block).substr(0, count));
    file.bytes += count;
  }
  file.sha256 = digest.finish();
  return file;
}

struct Input {
  std::vector<record::ClaimRecord> claims;
  std::vector<report::InputFile> files;
};

// Folders hold claims as JSON; a file named on the command line may hold text.
Input read_input(const std::vector<std::string>& paths) {
  Input input;
  std::vector<fs::path> documents;
  for (const fs::path& path : record::walk({paths.begin(), paths.end()}, ".json")) {
    input.files.push_back(described(path));
    if (path.extension() == ".json") {
      documents.push_back(path);
    } else {
      for (record::ClaimRecord& claim : claims_of(path.string())) input.claims.push_back(std::move(claim));
    }
  }
  if (!documents.empty()) {
    for (record::ClaimRecord& claim : record::read_claims(documents)) input.claims.push_back(std::move(claim));
  }
  std::set<std::string> ids;
  for (const record::ClaimRecord& claim : input.claims) {
    if (!ids.insert(claim.id).second)
      expr::fail("claim.duplicate", claim.file + ": the id \"" + claim.id + "\" is used twice", {}, "rename a file or give the claim an id");
  }
  return input;
}

std::vector<record::ClaimRecord> selected(std::vector<record::ClaimRecord> claims, const Shard& shard) {
  std::vector<record::ClaimRecord> out;
  for (std::size_t i = shard.index - 1; i < claims.size(); i += shard.count) out.push_back(std::move(claims[i]));
  return out;
}

report::Given bound(const CheckArguments& arguments) {
  report::Given given;
  std::vector<weights::TensorFile> files;
  for (const std::string& path : arguments.weights) files.push_back(weights::TensorFile::open(path));
  for (const std::string& binding : arguments.bindings) {
    weights::BoundTensor tensor;
    try {
      tensor = weights::bind(binding, files);
    } catch (const expr::Error& e) {
      expr::Diagnostic d = e.diagnostic();
      d.message = "--bind " + report::one_line(binding, 100) + ": " + d.message;
      throw expr::Error(d);
    }
    given.sources.emplace_back(tensor.variable, tensor.source);
    const bool fresh = given.tensors.emplace(tensor.variable, campaign::GivenTensor{tensor.shape, tensor.values, weights::text(tensor.format)}).second;
    if (!fresh) expr::fail("usage", "`" + tensor.variable + "` is bound twice", {});
  }
  if (!arguments.weights.empty() && given.tensors.empty())
    expr::fail("usage", "--weights needs --bind NAME=TENSOR", {}, "for example --bind 'W_Q=layers.0.attention.wq.weight.T'");
  return given;
}

void print_formats(const std::vector<campaign::FormatResult>& formats) {
  for (const campaign::FormatResult& f : formats) {
    std::cout << fmt::format("    {:<9} {:>6} cases, worst |L-R|/bound {:.3g}{}{}\n", f.format, f.cases, f.worst_ratio,
                             f.suspicious > 0 ? fmt::format(", {} suspicious", f.suspicious) : "",
                             f.beyond > 0 ? fmt::format(", {} beyond the bound", f.beyond) : "");
  }
}

void print_failure(const report::ClaimResult& result) {
  const bool differs = !report::as_expected(result);
  const bool failed = report::test_failed(result);
  if (!differs && !failed) return;
  std::cout.flush();
  if (differs) std::cerr << fmt::format("DIFFERS  {}: {}, expected {}\n", result.claim.id, text(result.decision->verdict), report::expectation(result.claim));
  if (differs && !result.decision->diagnostic && !result.decision->detail.empty()) std::cerr << "  " << result.decision->detail << "\n";
  if (result.decision->diagnostic) std::cerr << report::render(result.claim, *result.decision->diagnostic);
  if (!failed) return;
  std::cerr << "FAILED   " << result.claim.id << ": the test campaign\n";
  if (result.campaign && result.campaign->failure)
    std::cerr << "  smallest case: " << result.campaign->failure->lane << ", lhs " << result.campaign->failure->lhs << ", rhs " << result.campaign->failure->rhs
              << "\n";
}

void print_summary(const std::vector<report::ClaimResult>& results, const report::Json& report, const std::string& out) {
  for (const report::ClaimResult& result : results) {
    if (!result.decision) continue;
    print_failure(result);
    if (!result.given) continue;
    std::cout << text(result.decision->verdict) << "  " << result.claim.id << "  " << report::one_line(result.claim.text) << "\n";
    print_formats(*result.given);
  }
  const report::Counts c = report::count(results);
  std::cout << fmt::format("{} claims: {} proved, {} refuted, {} undecided, {} invalid; {} as expected, {} differing", c.claims, c.proved, c.refuted,
                           c.undecided, c.invalid, c.as_expected, c.differing);
  if (c.skipped > 0) std::cout << fmt::format(", {} not decided", c.skipped);
  std::cout << fmt::format("; {} tested, {} failed\n", c.tested, c.tests_failed);
  std::cout << "exact digest " << report["digests"]["exact"].get<std::string>() << "\n";
  std::cout << "wrote " << (fs::path(out) / "report.json").string() << ", report.html, report.md, junit.xml\n";
}

void write_reports(const fs::path& folder, const report::Json& report) {
  record::write_atomically(folder / "report.html", report::html(report));
  record::write_atomically(folder / "report.md", report::markdown(report));
  record::write_atomically(folder / "junit.xml", report::junit(report));
  record::write_atomically(folder / "report.json", report::dump(report));
}

/// Past failures come first: what was mended must stay mended.
void replay_regressions(const std::vector<record::Regression>& cases, report::RunRecord& run) {
  for (const record::Regression& regression : cases) {
    const report::Replay replay = report::replay(regression);
    ++run.regressions_replayed;
    if (!replay.fails) continue;
    run.regressions_failing.push_back(regression.id);
    std::cerr << "REGRESSION  " << regression.id << ": " << replay.detail << "\n";
  }
}

/// Adds the minimal cases of this run's failures to the file; cases that are there already stay as they are.
void keep_regressions(const fs::path& path, std::vector<record::Regression> cases, const std::vector<report::ClaimResult>& results) {
  const std::size_t before = cases.size();
  for (const report::ClaimResult& result : results) {
    auto regression = report::regression_of(result);
    if (regression && std::find(cases.begin(), cases.end(), *regression) == cases.end()) cases.push_back(std::move(*regression));
  }
  if (cases.size() == before) return;
  record::write_atomically(path, record::write_regressions(cases));
  std::cerr << "saved " << cases.size() - before << " minimal cases to " << path.string() << "\n";
}

}  // namespace

int check(const CheckArguments& arguments) {
  const Shard shard = shard_of(arguments.shard);
  require_writable(arguments.out);
  const bool usual = arguments.paths.empty();
  if (usual && !fs::exists("fixtures/claims"))
    expr::fail("usage", "there is no folder fixtures/claims here", {}, "name files or folders: foldproof check PATH...");
  Input input = read_input(usual ? std::vector<std::string>{"fixtures/claims"} : arguments.paths);
  for (const std::string& path : arguments.weights) input.files.push_back(described(path));

  const fs::path regressions = arguments.regressions.empty() && usual ? fs::path("fixtures/regressions.json") : fs::path(arguments.regressions);
  report::RunRecord run{arguments.command, input.files, arguments.seed, static_cast<std::int64_t>(arguments.cases), arguments.threads, false, 0, 0, {}};
  const auto past = regressions.empty() ? std::vector<record::Regression>{} : record::read_regressions(regressions);
  replay_regressions(past, run);

  report::RunOptions options;
  options.threads = arguments.threads;
  options.seed = arguments.seed;
  options.cases = static_cast<std::int64_t>(arguments.cases);
  options.given = bound(arguments);
  options.interrupted = &interrupted;
  Progress progress;
  options.progress = [&](std::size_t done, std::size_t total) { progress.show(done, total); };
  catch_signals();
  const auto start = std::chrono::steady_clock::now();
  const std::vector<report::ClaimResult> results = report::run(selected(std::move(input.claims), shard), options);
  progress.finish();

  run.interrupted = interrupted.load();
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const report::Json report = report::report_json(results, run);
  write_reports(arguments.out, report);
  print_summary(results, report, arguments.out);
  if (run.regressions_replayed > 0) std::cout << run.regressions_replayed << " past failures replayed, " << run.regressions_failing.size() << " are back\n";
  if (!regressions.empty() && arguments.weights.empty()) keep_regressions(regressions, past, results);
  if (run.interrupted) return exit_interrupted;
  const int status = report::exit_status(report::count(results));
  return status == exit_ok && !run.regressions_failing.empty() ? exit_differs : status;
}

}  // namespace foldproof::tool
