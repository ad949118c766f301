// SPDX-License-Identifier: MIT
// What foldproof-bench counts rather than times, as benchmark.schema.json has it. Each figure is printed, too.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "catalogue.hpp"

namespace foldproof::bench {

using Json = nlohmann::ordered_json;

/// Bugs seeded into the claims, and those that up to `cases` cases of each claim kill.
Json bugs(const std::vector<TrueClaim>& claims, std::int64_t cases);

/// `cases` cases of each claim, and those called wrong: one row for each format, and for each lane in which nothing is rounded.
Json alarms(const std::vector<TrueClaim>& claims, std::int64_t cases);

/// Peak memory of a campaign of `cases` cases, and of one of ten times as many. Each runs in a child process that begins with what
/// this one holds, so call it first. Errors: std::runtime_error when a child does not end well.
Json memory(const infer::Problem& problem, std::int64_t cases);

}  // namespace foldproof::bench
