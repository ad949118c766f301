// SPDX-License-Identifier: MIT
// report.json, the record of a run; every other report is drawn from it. Two digests: `exact` covers verdicts, certificates,
// counterexamples and the exact lanes, and is the same on every machine; `numeric` covers float results, and is comparable
// between builds of one fingerprint. Times, host and threads stand in `volatile`, outside both.
#pragma once

#include <string>
#include <vector>

#include "record/json.hpp"
#include "run/entry.hpp"
#include "run/run.hpp"

namespace foldproof::run {

/// A file that the run read.
struct InputFile {
  std::string path;
  std::string sha256;
  std::size_t bytes = 0;
};

/// Which claims a run is about: a whole, and the part of it that was run. Shards i/N take every N-th claim from the i-th.
struct Plan {
  std::size_t claims = 0;             ///< of the whole
  std::string sha256;                 ///< of everything that decides what is run: seed, cases, claims in order, tensors
  std::size_t shards = 1;             ///< N
  std::vector<std::size_t> parts{1};  ///< which i of 1 ... N, ascending
};

/// What happened around the results.
struct RunRecord {
  std::vector<std::string> command;  ///< what has to be typed for the same results: without threads and places of output
  std::vector<InputFile> inputs;
  std::uint64_t seed = 1;
  std::int64_t cases = 0;
  Plan plan;
  Json environment;
  bool interrupted = false;
  std::size_t regressions_replayed = 0;
  std::vector<std::string> regressions_failing;  ///< ids of the claims whose past failure is back

  // volatile
  std::vector<std::string> argv;  ///< as typed
  std::string directory;          ///< where
  std::uint64_t peak_memory = 0;  ///< bytes
  std::string time;
  std::string host;
  std::size_t threads = 0;
  double seconds = 0;
  std::size_t resumed = 0;  ///< claims taken from a checkpoint
  Json benchmark;           ///< null, or what read_benchmark returned
};

inline constexpr const char* report_schema = "foldproof-report-1";

/// What the report keeps of a claim. Requires: it was decided.
Entry entry_of(const ClaimResult& result);

Json report_json(const Entries& entries, const RunRecord& run);

/// The counts of one format on given tensors, as report.json has them.
Json to_json(const campaign::GivenFormat& format);
/// Path, digest and size.
Json to_json(const InputFile& file);

/// That of the process: of the counts, 1 also when a past failure is back, 130 when interrupted.
int exit_status(const Entries& entries, const RunRecord& run);

}  // namespace foldproof::run
