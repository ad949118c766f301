// SPDX-License-Identifier: MIT
// report.json, the record of a run; every other report is drawn from it. Two digests: `exact` covers verdicts, certificates,
// counterexamples and the exact lanes, and is the same on every machine; `numeric` covers float results, and is comparable
// between builds of one fingerprint. Times, host and threads stand in `volatile`, outside both.
#pragma once

#include <string>
#include <vector>

#include "report/json.hpp"
#include "report/run.hpp"

namespace foldproof::report {

/// A file that the run read.
struct InputFile {
  std::string path;
  std::string sha256;
  std::size_t bytes = 0;
};

/// What happened around the results.
struct RunRecord {
  std::vector<std::string> command;
  std::vector<InputFile> inputs;
  std::uint64_t seed = 1;
  std::int64_t cases = 0;
  std::size_t threads = 0;
  bool interrupted = false;
  double seconds = 0;
  std::size_t regressions_replayed = 0;
  std::vector<std::string> regressions_failing;  ///< ids of the claims whose past failure is back
};

Json report_json(const std::vector<ClaimResult>& results, const RunRecord& run);

/// SHA-256 over everything that no machine, thread count or compiler may change, claims in the order of their ids.
std::string exact_digest(const std::vector<ClaimResult>& results);
/// SHA-256 over the float results, likewise.
std::string numeric_digest(const std::vector<ClaimResult>& results);

/// Float results as hexadecimal text, NaN and infinities spelled; "0x1.8p-3".
std::string hexadecimal(double value);

}  // namespace foldproof::report
