// SPDX-License-Identifier: MIT
#include "run/run.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "expr/large_stack.hpp"
#include "prove/prove.hpp"
#include "run/report_json.hpp"
#include "run/token.hpp"

namespace foldproof::run {

namespace {

// Terms nest as deep as the parser allows, and sanitizers make frames several times larger.
constexpr std::int64_t most_cases_for_bugs = 1000;  // a bug that these do not find has survived
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

bool is_interrupted(const RunOptions& options) { return options.interrupted != nullptr && options.interrupted->load(); }

/// Cases of a campaign in pieces, and the first piece with a failure.
struct Pieces {
  std::optional<campaign::Campaign> sum;
  std::int64_t failing = -1;
};

Pieces added(Pieces a, Pieces b) {
  if (!a.sum) return b;
  if (!b.sum) return a;
  return {campaign::merged(*a.sum, *b.sum), a.failing >= 0 ? a.failing : b.failing};
}

/// A long campaign on all threads: each case is a function of (seed, claim, case), so the pieces add up to the same whole whoever
/// runs them. nullopt when interrupted.
std::optional<campaign::Campaign> in_pieces(const infer::Problem& problem, campaign::CampaignOptions how, campaign::Expectation expectation, const RunOptions& options) {
  constexpr std::int64_t length = 256 * campaign::cases_per_shape;
  const std::int64_t cases = how.cases;
  if (cases <= length) return campaign::run(problem, how, expectation);
  const auto piece = [&](std::int64_t k, bool keep_failure) {
    campaign::CampaignOptions part = how;
    part.first_case = k * length;
    part.cases = std::min(length, cases - part.first_case);
    part.keep_failure = keep_failure;
    if (keep_failure) part.observe = nullptr;  // these cases were seen before
    return campaign::run(problem, part, expectation);
  };
  Pieces all;
  // Isolated: a thread that waits here must not begin another claim on top of this one.
  tbb::this_task_arena::isolate([&] {
    all = tbb::parallel_reduce(
        tbb::blocked_range<std::int64_t>(0, (cases + length - 1) / length, 1), Pieces{},
        [&](const tbb::blocked_range<std::int64_t>& range, Pieces sum) {
          for (std::int64_t k = range.begin(); k < range.end() && !is_interrupted(options); ++k) {
            campaign::Campaign one = piece(k, false);
            const bool failing = one.failures() > 0;
            sum = added(std::move(sum), {std::move(one), failing ? k : -1});
          }
          return sum;
        },
        [](Pieces a, Pieces b) { return added(std::move(a), std::move(b)); });
  });
  if (is_interrupted(options)) return std::nullopt;
  if (all.failing >= 0) all.sum->failure = piece(all.failing, true).failure;
  return std::move(all.sum);
}

bool drew_a_case(const campaign::Campaign& c) {
  const auto any = [](const campaign::FormatResult& f) { return f.cases > f.discarded; };
  return c.exact.cases + c.rational_cases > 0 || std::any_of(c.formats.begin(), c.formats.end(), any);
}

/// As many as are drawn unless asked otherwise: where fewer do not show that the sides of a false claim differ, that says nothing yet.
const std::int64_t enough_cases = campaign::CampaignOptions{}.cases;

/// On random cases. False when interrupted.
bool test_at_random(ClaimResult& result, const RunOptions& options) {
  const infer::Problem& problem = *result.decision->problem;
  const auto expectation = result.decision->verdict == verdict::Verdict::proved ? campaign::Expectation::equal : campaign::Expectation::different;
  campaign::CampaignOptions how;
  how.seed = options.seed;
  how.cases = options.cases;
  how.claim = result.claim.id;
  std::mutex observing;
  if (options.observed) {
    how.observe = [&](const campaign::Observation& one) {
      const std::lock_guard lock(observing);
      result.observations.push_back(one);
    };
  }
  result.campaign = in_pieces(problem, how, expectation, options);
  // Pieces end in any order, but the formats of a case stay together.
  std::stable_sort(result.observations.begin(), result.observations.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  if (!result.campaign) return false;
  if (!drew_a_case(*result.campaign)) {
    result.campaign.reset();
    result.not_tested = "no case that was drawn satisfies the assumptions and has values on both sides";
    return true;
  }
  if (expectation == campaign::Expectation::different && options.cases < enough_cases && !result.campaign->passed()) {
    result.too_few_cases = options.cases;
    result.not_tested = "too few cases: in none of " + std::to_string(options.cases) + " do the sides of this false claim differ by more than rounding explains; ask for more with --cases";
  }
  if (const auto& failure = result.campaign->failure) result.token = text(token_of(result.claim, problem, options.seed, failure->case_index, failure->lane));
  how.cases = std::min(how.cases, most_cases_for_bugs);
  if (expectation == campaign::Expectation::equal) result.kills = campaign::kill(problem, how, [](const infer::Problem& p) { return prove::prove(p).certificate.has_value(); });
  return true;
}

void test_on_given(ClaimResult& result, const RunOptions& options) {
  campaign::GivenOptions how;
  how.seed = options.seed;
  how.dims = options.given.dims;
  how.stored_results = result.decision->verdict != verdict::Verdict::proved;
  result.given = campaign::run_on(*result.decision->problem, options.given.tensors, how);
  if (!test_failed(result)) result.not_tested = result.given->nothing_compared();
}

/// Tests what was decided. A claim that is too large to be run stays untested and says so. False when interrupted.
bool test(ClaimResult& result, const RunOptions& options) {
  const verdict::Decision& decision = *result.decision;
  if (decision.verdict != verdict::Verdict::invalid) result.given_sources = options.given.sources;
  if (decision.verdict != verdict::Verdict::proved && decision.verdict != verdict::Verdict::refuted) {
    result.not_tested = "not decided";
    return true;
  }
  if (decision.problem->relation != expr::Relation::equal) {
    result.not_tested = "only equations are tested";
    return true;
  }
  const auto start = std::chrono::steady_clock::now();
  try {
    if (!options.given.tensors.empty()) {
      test_on_given(result, options);
    } else if (!test_at_random(result, options)) {
      return false;
    }
  } catch (const expr::LimitReached& limit) {
    result.not_tested = std::string("limit: ") + limit.what();
  }
  result.test_milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return true;
}

/// Decides and tests one claim. False when interrupted, and then nothing about it is to be used.
bool judge(ClaimResult& result, const RunOptions& options) {
  if (is_interrupted(options)) return false;
  verdict::DecideOptions how;
  how.seed = options.seed;
  how.look_for_repair = result.claim.nearest_true.empty();  // else the claim file knows better
  result.decision = verdict::decide(result.claim, how);
  if (options.hazards) find_hazards(result, options.seed);
  const bool tested = options.cases > 0 || !options.given.tensors.empty();
  if (!tested || test(result, options)) return true;
  result.decision.reset();
  return false;
}

}  // namespace

void find_hazards(ClaimResult& result, std::uint64_t seed) {
  const verdict::Decision& decision = *result.decision;
  if (decision.verdict != verdict::Verdict::proved || decision.problem->relation != expr::Relation::equal) return;
  campaign::HazardOptions how;
  how.seed = seed;
  how.claim = result.claim.id;
  result.hazards = campaign::hazards(*decision.problem, how);
}

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
    if (!judge(results[i], options)) return;
    const std::lock_guard lock(reporting);
    ++done;
    if (options.progress) options.progress(done, results.size());
  });
  return results;
}

void run(const std::vector<record::ClaimRecord>& claims, const RunOptions& options, Entries& entries, const std::function<void(std::size_t, const Entry&)>& keep) {
  expr::invariant(claims.size() == entries.size(), "an entry for each claim");
  std::mutex reporting;
  auto done = static_cast<std::size_t>(std::count_if(entries.begin(), entries.end(), [](const auto& entry) { return entry.has_value(); }));
  parallel(claims.size(), options.threads, [&](std::size_t i) {
    if (entries[i]) return;
    ClaimResult result;
    result.claim = claims[i];
    if (!judge(result, options)) return;
    Entry entry = entry_of(result);
    const std::lock_guard lock(reporting);
    if (options.observed) options.observed(i, result.observations);
    keep(i, entry);
    entries[i] = std::move(entry);
    ++done;
    if (options.progress) options.progress(done, claims.size());
  });
}

std::string expectation(const record::ClaimRecord& claim) { return claim.expect.value_or("proved"); }

bool as_expected(const ClaimResult& result) { return result.decision && text(result.decision->verdict) == expectation(result.claim); }

bool test_failed(const ClaimResult& result) {
  if (result.campaign && result.too_few_cases == 0 && !result.campaign->passed()) return true;
  // On the weights of one model a false claim may hold, so only a proved one can fail there.
  if (!result.given || result.decision->verdict != verdict::Verdict::proved) return false;
  return std::any_of(result.given->formats.begin(), result.given->formats.end(), [](const campaign::GivenFormat& f) { return f.counts.beyond > 0; });
}

Counts count(const std::vector<ClaimResult>& results) {
  Counts counts;
  for (const ClaimResult& result : results) {
    if (!result.decision) {
      counts.add(std::nullopt);
    } else {
      const bool tested = (result.campaign && result.too_few_cases == 0) || (result.given && result.not_tested.empty());
      counts.add(Standing{text(result.decision->verdict), as_expected(result), tested, test_failed(result), (!result.given_sources.empty() || result.too_few_cases > 0) && !tested, result.decision->reason == verdict::Reason::internal_error});
    }
  }
  return counts;
}

}  // namespace foldproof::run
