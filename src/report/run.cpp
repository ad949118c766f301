// SPDX-License-Identifier: MIT
#include "report/run.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "expr/large_stack.hpp"

namespace foldproof::report {

namespace {

// Terms nest as deep as the parser allows, and sanitizers make frames several times larger.
constexpr std::size_t stack_size = std::size_t{64} << 20;

void work(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& job) {
  const tbb::global_control stacks(tbb::global_control::thread_stack_size, stack_size);
  const tbb::global_control width(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  // One claim a task: claims differ in cost by a factor of a thousand.
  arena.execute([&] {
    tbb::parallel_for(
        std::size_t{0}, count, std::size_t{1}, [&](std::size_t i) { job(i); }, tbb::simple_partitioner());
  });
}

// Tests what was decided. A claim that is too large to be run stays untested and says so.
void test(ClaimResult& result, const RunOptions& options) {
  const Decision& decision = *result.decision;
  if (decision.verdict != Verdict::proved && decision.verdict != Verdict::refuted) {
    result.not_tested = "not decided";
    return;
  }
  if (decision.problem->relation != expr::Relation::equal) {
    result.not_tested = "only equations are tested";
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  try {
    if (options.given.tensors.empty()) {
      campaign::CampaignOptions how;
      how.seed = options.seed;
      how.cases = options.cases;
      how.claim = result.claim.id;
      result.campaign =
          campaign::run(*decision.problem, how, decision.verdict == Verdict::proved ? campaign::Expectation::equal : campaign::Expectation::different);
    } else {
      campaign::GivenOptions how;
      how.seed = options.seed;
      result.given = campaign::run_on(*decision.problem, options.given.tensors, how);
      result.given_sources = options.given.sources;
    }
  } catch (const expr::LimitReached& limit) {
    result.not_tested = std::string("limit: ") + limit.what();
  }
  result.test_milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& job) {
  const std::size_t width = threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads;
  // The calling thread takes part in the work, and nobody can enlarge the stack of the main thread: so it is not the caller.
  expr::on_large_stack([&] { work(count, width, job); });
}

std::vector<ClaimResult> run(std::vector<record::ClaimRecord> claims, const RunOptions& options) {
  std::vector<ClaimResult> results(claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) results[i].claim = std::move(claims[i]);
  std::mutex reporting;
  std::size_t done = 0;
  parallel(results.size(), options.threads, [&](std::size_t i) {
    if (options.interrupted != nullptr && options.interrupted->load()) return;
    ClaimResult& result = results[i];
    DecideOptions how;
    how.allow_same_text = result.claim.allow_same_text;
    how.seed = options.seed;
    result.decision = decide(result.claim.text, how);
    if (options.cases > 0 || !options.given.tensors.empty()) test(result, options);
    const std::lock_guard lock(reporting);
    ++done;
    if (options.progress) options.progress(done, results.size());
  });
  return results;
}

std::string expectation(const record::ClaimRecord& claim) { return claim.expect.value_or("proved"); }

bool as_expected(const ClaimResult& result) { return result.decision && text(result.decision->verdict) == expectation(result.claim); }

bool test_failed(const ClaimResult& result) {
  if (result.campaign && !result.campaign->passed()) return true;
  // On the weights of one model a false claim may hold, so only a proved one can fail there.
  if (!result.given || result.decision->verdict != Verdict::proved) return false;
  return std::any_of(result.given->begin(), result.given->end(), [](const campaign::FormatResult& f) { return f.beyond > 0; });
}

Counts count(const std::vector<ClaimResult>& results) {
  Counts counts;
  counts.claims = results.size();
  for (const ClaimResult& result : results) {
    if (!result.decision) {
      ++counts.skipped;
      continue;
    }
    const Verdict verdict = result.decision->verdict;
    counts.tested += result.campaign || result.given;
    counts.tests_failed += test_failed(result);
    counts.proved += verdict == Verdict::proved;
    counts.refuted += verdict == Verdict::refuted;
    counts.undecided += verdict == Verdict::undecided;
    counts.invalid += verdict == Verdict::invalid;
    if (as_expected(result)) {
      ++counts.as_expected;
      continue;
    }
    ++counts.differing;
    counts.bad_input += verdict == Verdict::invalid;
    counts.gave_up += verdict == Verdict::undecided;
  }
  return counts;
}

int exit_status(const Counts& counts) {
  if (counts.bad_input > 0) return 2;
  if (counts.differing > counts.gave_up + counts.bad_input || counts.tests_failed > 0) return 1;
  return counts.gave_up > 0 ? 3 : 0;
}

}  // namespace foldproof::report
