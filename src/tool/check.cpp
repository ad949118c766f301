// SPDX-License-Identifier: MIT
// foldproof check, the main job: decides and tests every claim and writes the reports. An entry that cannot be read is one invalid claim of the
// report; whatever else can be wrong with the input is found before the first claim is decided. After Ctrl-C the finished claims are still reported.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <set>

#include "record/digest.hpp"
#include "record/files.hpp"
#include "record/words.hpp"
#include "report/benchmark.hpp"
#include "report/gradescope.hpp"
#include "report/question_card.hpp"
#include "run/checkpoint.hpp"
#include "run/environment.hpp"
#include "run/observation.hpp"
#include "run/regressions.hpp"
#include "run/report_json.hpp"
#include "tool/command.hpp"
#include "tool/given.hpp"
#include "tool/input.hpp"
#include "tool/progress.hpp"
#include "tool/source_state.hpp"
#include "tool/summary.hpp"

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
  const auto second = slash ? std::from_chars(first.ptr + 1, end, shard.count) : first;
  const bool good = slash && second.ec == std::errc() && second.ptr == end && shard.index >= 1 && shard.index <= shard.count;
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

struct Input {
  std::vector<record::ClaimRecord> claims;
  std::vector<run::InputFile> files;
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
    for (record::ClaimRecord& claim : record::read_entries(documents)) input.claims.push_back(std::move(claim));
  }
  std::set<std::string> ids;
  for (const record::ClaimRecord& claim : input.claims) {
    if (!ids.insert(claim.id).second)
      expr::fail("claim.duplicate", claim.file + ": the id \"" + claim.id + "\" is used twice", {}, "rename a file or give the claim an id");
  }
  return input;
}

/// Everything that decides what is run.
run::Plan plan_of(const Input& input, const run::Given& given, const CheckArguments& arguments, const Shard& shard) {
  record::Sha256 all;
  // Lengths first, so that no text can pass for the end of another.
  const auto field = [&all](const std::string& text) { all.update(std::to_string(text.size()) + ":" + text + "\n"); };
  for (const auto& text : {std::string("foldproof-plan-1"), std::to_string(arguments.seed), std::to_string(arguments.cases)}) field(text);
  for (const record::ClaimRecord& claim : input.claims) {
    for (const auto& text : {claim.id, claim.text, run::expectation(claim), std::string(claim.allow_same_text ? "same" : "")}) field(text);
  }
  for (const auto& [variable, source] : given.sources) field(variable + "=" + source);
  for (const auto& [name, size] : given.dims) field(name + "=" + std::to_string(size));
  return {input.claims.size(), all.finish(), shard.count, {shard.index}};
}

std::vector<record::ClaimRecord> selected(std::vector<record::ClaimRecord> claims, const Shard& shard) {
  std::vector<record::ClaimRecord> out;
  for (std::size_t i = shard.index - 1; i < claims.size(); i += shard.count) out.push_back(std::move(claims[i]));
  return out;
}

/// Past failures come first: what was mended must stay mended. Returns how many there are, and the ids of those that are back.
Json replay_regressions(const std::vector<record::Regression>& cases, const std::vector<record::ClaimRecord>& claims) {
  Json failing = Json::array();
  for (const record::Regression& regression : cases) {
    const auto today = std::find_if(claims.begin(), claims.end(), [&](const record::ClaimRecord& claim) { return claim.id == regression.id && !claim.unreadable; });
    const run::Replay replay = run::replay(regression, today == claims.end() ? nullptr : &*today);
    if (!replay.fails) continue;
    failing.push_back(regression.id);
    std::cerr << "REGRESSION  " << regression.id << ": " << replay.detail << "\n";
  }
  return {{"replayed", cases.size()}, {"failing", failing}};
}

/// Adds the minimal cases of this run's failures to the file; cases that are there already stay as they are.
void keep_regressions(const fs::path& path, const run::Entries& entries) {
  std::vector<record::Regression> fresh;
  for (const auto& entry : entries) {
    if (auto regression = entry ? run::regression_of(*entry) : std::nullopt) fresh.push_back(std::move(*regression));
  }
  if (fresh.empty()) return;
  const record::FolderLock lock(path.parent_path());
  std::vector<record::Regression> cases = record::read_regressions(path);  // again: another shard may have written meanwhile
  const std::size_t before = cases.size();
  for (record::Regression& regression : fresh) {
    if (std::find(cases.begin(), cases.end(), regression) == cases.end()) cases.push_back(std::move(regression));
  }
  if (cases.size() == before) return;
  record::write_atomically(path, record::write_regressions(cases));
  std::cerr << "saved " << cases.size() - before << " minimal cases to " << path.string() << "\n";
}

/// The questions of the catalogue; a claim that one of them refers to and that is not there is an error before the run, unless some cannot be read.
std::vector<report::QuestionCard> questions(const std::vector<record::ClaimRecord>& claims) {
  std::map<std::string, const record::ClaimRecord*> by_id;
  for (const record::ClaimRecord& claim : claims) by_id[claim.id] = &claim;
  const auto known = [&](const std::string& id) {
    const auto found = by_id.find(id);
    return found == by_id.end() ? std::nullopt : std::optional<report::Shown>({id, found->second->title, "", found->second->text});
  };
  const bool all_read = std::none_of(claims.begin(), claims.end(), [](const record::ClaimRecord& claim) { return claim.unreadable.has_value(); });
  std::vector<report::QuestionCard> cards;
  for (const record::Question& question : record::read_questions("fixtures/questions.json")) {
    try {
      cards.push_back(report::question_card(question, known));
    } catch (const expr::Error&) {
      if (all_read) throw;  // else the claim that it refers to may be among those that cannot be read, which the report lists
    }
  }
  return cards;
}

/// What a run must have in common with the one that it continues.
Json identity(const CheckArguments& arguments, const Input& input, const run::Plan& plan) {
  Json inputs = Json::array();
  for (const run::InputFile& file : input.files) inputs.push_back({file.path, file.sha256});
  return {{"schema", "foldproof-checkpoint-1"},
          {"build_sha256", described("/proc/self/exe").sha256},
          {"seed", std::to_string(arguments.seed)},
          {"cases", arguments.cases},
          {"shard", arguments.shard},
          {"bind", arguments.given.bindings},
          {"dim", arguments.given.dims},
          {"inputs", inputs},
          {"plan_sha256", plan.sha256}};
}

/// What has to be typed for the same results: threads and places of output change nothing.
std::vector<std::string> command_of(const CheckArguments& arguments) {
  std::vector<std::string> out{"foldproof", "check"};
  out.insert(out.end(), arguments.paths.begin(), arguments.paths.end());
  const auto option = [&out](const char* name, const std::string& value) { out.insert(out.end(), {name, value}); };
  option("--seed", std::to_string(arguments.seed));
  option("--cases", std::to_string(arguments.cases));
  if (!arguments.shard.empty()) option("--shard", arguments.shard);
  for (const std::string& file : arguments.given.weights) option("--weights", file);
  for (const std::string& binding : arguments.given.bindings) option("--bind", binding);
  for (const std::string& dim : arguments.given.dims) option("--dim", dim);
  if (!arguments.regressions.empty()) option("--regressions", arguments.regressions);
  return out;
}

std::string typed_again(const std::vector<std::string>& command) {
  std::string out;
  bool resuming = false;
  for (const std::string& word : command) {
    out += (out.empty() ? "" : " ") + record::shell_quoted(word);
    resuming = resuming || word == "--resume";
  }
  return out + (resuming ? "" : " --resume");
}

/// Takes over the finished claims of the run that is continued, or begins anew. Returns how many there were.
std::size_t begin(run::Checkpoint& checkpoint, bool resume, run::Entries& entries, const std::function<Json()>& found) {
  const std::size_t left = checkpoint.left();
  if (resume && checkpoint.resume(entries)) {
    std::cerr << "resuming: " << left << " of " << entries.size() << " claims are finished\n";
    return left;
  }
  if (resume) std::cerr << "nothing to resume in " << checkpoint.path().parent_path().string() << ": beginning anew\n";
  if (!resume && left > 0) std::cerr << "beginning anew; " << left << " finished claims of an earlier run are dropped (--resume would have continued it)\n";
  checkpoint.begin(found());
  return 0;
}

}  // namespace

int check(const CheckArguments& arguments) {
  const Shard shard = shard_of(arguments.shard);
  require_writable(arguments.out);
  const bool usual = arguments.paths.empty();
  if (usual && !fs::exists("fixtures/claims"))
    expr::fail("usage", "there is no folder fixtures/claims here", {}, "name files or folders: foldproof check PATH...");
  Input input = read_input(usual ? std::vector<std::string>{"fixtures/claims"} : arguments.paths);
  if (input.claims.empty()) expr::fail("usage", "there is no claim to check", {}, "name files or folders with claims: foldproof check PATH...");
  const GivenInput given = given_of(arguments.given);
  input.files.insert(input.files.end(), given.files.begin(), given.files.end());

  const std::vector<report::QuestionCard> asked = usual ? questions(input.claims) : std::vector<report::QuestionCard>{};
  run::RunOptions options;
  options.threads = arguments.threads;
  options.seed = arguments.seed;
  options.cases = static_cast<std::int64_t>(arguments.cases);
  options.hazards = arguments.cases > 0;
  options.given = given.given;
  options.interrupted = &interrupted;
  Progress progress;
  options.progress = [&](std::size_t done, std::size_t total) { progress.show(done, total); };

  run::RunRecord run;
  if (!arguments.benchmark.empty()) run.benchmark = report::read_benchmark(arguments.benchmark);
  run.command = command_of(arguments);
  run.argv = arguments.command;
  run.directory = fs::current_path().string();
  run.inputs = input.files;
  run.seed = arguments.seed;
  run.cases = options.cases;
  run.threads = arguments.threads;
  run.plan = plan_of(input, options.given, arguments, shard);
  run.environment = run::environment(arguments.seed, source_state());

  const fs::path regressions = arguments.regressions.empty() && usual ? fs::path("fixtures/regressions.json") : fs::path(arguments.regressions);
  const auto past = regressions.empty() ? std::vector<record::Regression>{} : record::read_regressions(regressions);
  run::Checkpoint checkpoint(arguments.out, identity(arguments, input, run.plan));
  const std::vector<record::ClaimRecord> all = input.claims;
  const std::vector<record::ClaimRecord> claims = selected(std::move(input.claims), shard);
  run::Entries entries(claims.size());
  std::unique_ptr<run::ObservationFile> observations;
  if (!arguments.observations.empty()) {
    if (arguments.resume) expr::fail("usage", "--observations cannot be continued with --resume", {}, "finished claims are not run again, so there is nothing to observe");
    observations = std::make_unique<run::ObservationFile>(arguments.observations);
    const auto started = static_cast<double>(run::unix_time());
    options.observed = [&observations, &claims, &arguments, started](std::size_t index, const std::vector<campaign::Observation>& cases) {
      std::string lines;
      for (const campaign::Observation& one : cases) lines += record::dump(run::observation_json(one, claims[index].id, arguments.seed, started), -1);
      observations->add(index, std::move(lines));
    };
  }
  catch_signals();
  const auto start = std::chrono::steady_clock::now();
  // Past failures are replayed once a run: a run that continues must not find its own.
  run.resumed = begin(checkpoint, arguments.resume, entries, [&] { return replay_regressions(past, all); });
  run.regressions_replayed = checkpoint.found().at("replayed");
  run.regressions_failing = checkpoint.found().at("failing");
  run::run(claims, options, entries, [&](std::size_t i, const run::Entry& entry) { checkpoint.keep(i, entry); });
  progress.finish();

  const run::Counts counts = run::count(entries);
  run.interrupted = counts.skipped > 0;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.time = run::utc_time();
  run.host = run::host();
  run.peak_memory = run::peak_memory();
  const Json report = run::report_json(entries, run);
  write_reports(arguments.out, report, asked);
  if (!arguments.formats.empty()) record::write_atomically(fs::path(arguments.out) / "results.json", record::dump(report::gradescope(report)));
  if (observations) observations->finish();
  if (!arguments.rehearsal) append_job_summary(report);
  print_summary(entries, report, arguments.out);
  if (run.regressions_replayed > 0) std::cout << run.regressions_replayed << " past failures replayed, " << run.regressions_failing.size() << " are back\n";
  if (!regressions.empty() && arguments.given.weights.empty() && !arguments.rehearsal) keep_regressions(regressions, entries);
  if (run.interrupted) {
    std::cerr << "interrupted: " << counts.claims - counts.skipped << " of " << counts.claims << " claims are finished and kept in " << checkpoint.path().string()
              << "\n  to continue: " << typed_again(arguments.command) << "\n";
    return exit_interrupted;
  }
  checkpoint.finish();
  return run::exit_status(entries, run);
}

}  // namespace foldproof::tool
