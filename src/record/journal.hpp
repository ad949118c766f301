// SPDX-License-Identifier: MIT
// A file that grows by one line for each finished piece of work. Every line carries its own digest, so that a run that was
// killed leaves a readable beginning: reading stops at the first line that is cut off or damaged.
// One process at a time has it open; what the lines mean is decided elsewhere.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace foldproof::record {

class Journal {
 public:
  /// Opens the journal at `path`, made when there is none, and reads its lines.
  /// Errors: `io.write` with the system's reason; `io.busy` while another process has it open.
  explicit Journal(const std::filesystem::path& path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The JSON values that stand in it, each as text on one line, up to the first damaged line.
  const std::vector<std::string>& lines() const { return lines_; }
  /// Forgets all lines, and damage.
  void clear();
  /// Appends one JSON value; damage at the end is cut off first. It survives the end of this process at once, and a power cut after
  /// at most a second. Requires: `json` has no line break. Errors: `io.write`.
  void append(std::string_view json);
  /// Closes and removes the file.
  void remove();

 private:
  void truncate(std::size_t size);

  std::filesystem::path path_;
  int handle_ = -1;
  std::vector<std::string> lines_;
  std::size_t sound_ = 0;  ///< bytes up to the first damaged line
  bool damaged_ = false;
  std::chrono::steady_clock::time_point synchronized_{};
};

}  // namespace foldproof::record
