// SPDX-License-Identifier: MIT
// A progress bar on standard error, on a terminal only and at most ten times a second; the last line stays.
#pragma once

#include <chrono>
#include <cstddef>

namespace foldproof::tool {

class Progress {
 public:
  Progress();
  void show(std::size_t done, std::size_t total);
  /// Ends the line that the bar stands on.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace foldproof::tool
