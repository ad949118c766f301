// SPDX-License-Identifier: MIT
// Reports of the shards of one run put together to the report of the whole. Every number of the whole is computed again from the
// claims, so it is the report that a run without shards writes, but for times and machines. Associative: shards may be merged in
// groups, in any order.
#pragma once

#include <string>
#include <vector>

#include "run/report_json.hpp"

namespace foldproof::run {

struct NamedReport {
  std::string name;  ///< for messages
  Json json;
};

struct Merged {
  Entries entries;
  Json report;
};

/// The report of all shards together; with `partial`, of those that are there.
/// Errors, each naming the reports: `merge.report` (no report of this version, or damaged), `merge.build` (different builds), `merge.plan` (parts of
/// different runs), `merge.overlap` (a shard twice), `merge.gap` (a shard missing, or one that was interrupted).
Merged merged(const std::vector<NamedReport>& reports, bool partial = false);

}  // namespace foldproof::run
