// SPDX-License-Identifier: MIT
// The finished claims of a run that is under way, in a journal beside its reports. A run that was interrupted or killed is
// continued from there: by the same build, on the same claims, with the same options, or not at all.
#pragma once

#include <filesystem>

#include "record/journal.hpp"
#include "run/entry.hpp"

namespace foldproof::run {

class Checkpoint {
 public:
  static constexpr const char* file_name = "checkpoint.jsonl";

  /// Opens the checkpoint in the folder `out`. `run` is an object that says what is run: a run may be continued when all of it is the
  /// same. Errors: `io.*`.
  Checkpoint(const std::filesystem::path& out, Json run);

  /// Claims that another run has left here.
  std::size_t left() const;
  /// Takes the finished claims over. False when there is nothing to continue.
  /// Errors: `checkpoint.other` when it is of another run, with what differs.
  bool resume(Entries& entries);
  /// Begins anew; what was there is gone. `found` is what the run finds out before its first claim.
  void begin(Json found);
  /// The same for a run that continues another, as the first session found it.
  const Json& found() const { return found_; }
  void keep(std::size_t index, const Entry& entry);
  /// The run is complete and its reports are written: the checkpoint goes.
  void finish() { journal_.remove(); }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  record::Journal journal_;
  Json run_;
  Json found_;
};

}  // namespace foldproof::run
