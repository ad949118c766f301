// SPDX-License-Identifier: MIT
// Test cases as lines of JSON in the schema of Hypothesis's observability reports (schema_observations.json, "Test case"), so that
// the viewers made for those show a campaign. Lines stand in the order of the claims, and of the cases within a claim.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "record/json.hpp"

namespace foldproof::run {

/// One line without its end. `run_start` is a Unix time.
Json observation_json(const campaign::Observation& observation, const std::string& claim, std::uint64_t seed, double run_start);

/// A file that grows claim by claim, whichever claim is finished first, and takes its name only when it is complete.
class ObservationFile {
 public:
  /// Errors: `io.write`.
  explicit ObservationFile(std::filesystem::path path);
  ~ObservationFile();
  ObservationFile(const ObservationFile&) = delete;
  ObservationFile& operator=(const ObservationFile&) = delete;

  /// The lines of claim number `index`; one caller at a time. Claims without cases are given too, with no lines.
  void add(std::size_t index, std::string lines);
  /// Claims that never came are left out. Errors: `io.write`.
  void finish();

 private:
  std::filesystem::path path_;
  std::filesystem::path partial_;  ///< takes the place of the file at the end; empty for a pipe or a device
  std::ofstream out_;
  bool finished_ = false;
  std::map<std::size_t, std::string> waiting_;
  std::size_t next_ = 0;
};

}  // namespace foldproof::run
