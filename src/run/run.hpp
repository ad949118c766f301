// SPDX-License-Identifier: MIT
// The main job: many claims decided in parallel. Results come in the order of the claims and do not depend on the number of
// threads: each claim is a function of its text and the seed alone. An interrupted run keeps what is finished.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/campaign.hpp"
#include "campaign/hazards.hpp"
#include "campaign/kill.hpp"
#include "record/claim_json.hpp"
#include "run/entry.hpp"
#include "run/given.hpp"
#include "verdict/decide.hpp"

namespace foldproof::run {

struct RunOptions {
  std::size_t threads = 0;  ///< 0: one a processor
  std::uint64_t seed = 1;
  std::int64_t cases = 0;  ///< random cases a claim and format; 0: claims are decided and not tested
  bool hazards = false;    ///< look for hazards of proved equations
  Given given;
  const std::atomic<bool>* interrupted = nullptr;                     ///< set by a signal: claims not yet begun are left
  /// The cases of claim `index`, in order; one call at a time, one for every claim of a run. Costs time and memory.
  std::function<void(std::size_t index, const std::vector<campaign::Observation>& cases)> observed;
  std::function<void(std::size_t done, std::size_t total)> progress;  ///< called by any thread, one at a time
};

struct ClaimResult {
  record::ClaimRecord claim;
  std::optional<verdict::Decision> decision;                 ///< absent when the run was interrupted before this claim
  std::optional<campaign::Campaign> campaign;                ///< of a proved or refuted equation, where cases were asked for
  std::optional<std::vector<campaign::Hazard>> hazards;      ///< of a proved equation, where they were asked for
  std::optional<campaign::Kills> kills;                      ///< seeded bugs, of a proved equation where cases were asked for
  std::optional<campaign::GivenResult> given;                ///< the results on given tensors
  std::vector<std::pair<std::string, std::string>> given_sources;  ///< not empty where the claim was to be tested on given tensors
  std::string not_tested;  ///< why there is no campaign, where one was asked for, or why the given tensors say nothing
  std::int64_t too_few_cases = 0;  ///< how many cases of a false claim were too few to show that its sides differ; its campaign is then no test
  std::string token;       ///< of the failing case, see token.hpp
  double test_milliseconds = 0;
  std::vector<campaign::Observation> observations;  ///< where they were asked for
};

/// Decides every claim and tests it. Throws expr::InternalError when two ways of deciding contradict each other.
std::vector<ClaimResult> run(std::vector<record::ClaimRecord> claims, const RunOptions& options);

/// The same for a run whose claims are many, or take long: what is finished is handed to `keep` at once, one claim at a time and in no
/// order, and nothing else is held. Claims that `entries` already has are not run again; an interrupted run leaves the rest absent.
void run(const std::vector<record::ClaimRecord>& claims, const RunOptions& options, Entries& entries, const std::function<void(std::size_t, const Entry&)>& keep);

/// Looks for hazards of a proved equation.
void find_hazards(ClaimResult& result, std::uint64_t seed);

/// Calls job(0) .. job(count - 1) in parallel on stacks of 64 MB; rethrows the first exception.
void parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& job);

/// What the claim says about itself. A claim without `expect` is stated as true.
std::string expectation(const record::ClaimRecord& claim);
bool as_expected(const ClaimResult& result);
/// Whether the claim was tested, and the result speaks against the verdict.
bool test_failed(const ClaimResult& result);
Counts count(const std::vector<ClaimResult>& results);

}  // namespace foldproof::run
