// SPDX-License-Identifier: MIT
// What is left of a claim once it was decided and tested: its object in report.json, which everything that comes later reads.
// Checkpoints hold entries and shards exchange them, so a resumed or merged run cannot differ from one that ran through.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/json.hpp"

namespace foldproof::run {

struct Entry {
  Json record;  ///< the claim in report.json; its `digests` stand for everything in it that is exact, or numeric
  double decide_milliseconds = 0;
  double test_milliseconds = 0;
  std::string complaint;  ///< of an invalid claim: the message with the line it is about
};
/// In the order of the claims; absent where a run was interrupted before the claim.
using Entries = std::vector<std::optional<Entry>>;

/// An entry as one JSON value, and back. Errors of from_json: Json::exception for anything else.
Json to_json(const Entry& entry);
Entry entry_from_json(const Json& json);

/// What counts and the exit status are made of.
struct Standing {
  std::string verdict;
  bool as_expected = false;
  bool tested = false;
  bool test_failed = false;
  bool untested = false;  ///< it was to be tested on given tensors, and these say nothing
  bool internal_error = false;
};
Standing standing(const Entry& entry);

/// Why a claim that was to be tested was not: given tensors say nothing, or too few cases were asked for. Empty for all others.
std::string untested(const Json& claim);

struct Counts {
  std::size_t claims = 0;
  std::size_t proved = 0, refuted = 0, undecided = 0, invalid = 0;
  std::size_t as_expected = 0, differing = 0;
  std::size_t skipped = 0;    ///< not decided
  std::size_t bad_input = 0;  ///< invalid, and not expected to be
  std::size_t gave_up = 0;    ///< undecided, and expected to be decided
  std::size_t tested = 0, tests_failed = 0;
  std::size_t untested = 0;         ///< to be tested on given tensors, and nothing was compared
  std::size_t internal_errors = 0;  ///< undecided because of a bug in foldproof

  /// One claim more; nullopt when it was not decided.
  void add(const std::optional<Standing>& standing);
};
Counts count(const Entries& entries);
/// 0 as expected, 1 some verdict differs or test failed, 2 a claim is invalid, 3 undecided though expected decided, or
/// not tested though tensors were given, or tested with too few cases, 70 a bug in foldproof.
int exit_status(const Counts& counts);

/// The digest of one kind ("exact", "numeric") of a run: SHA-256 over the digests of its claims in the order of their ids, so that
/// neither threads nor shards nor resumption can change it.
std::string digest(const Entries& entries, const char* kind);

}  // namespace foldproof::run
