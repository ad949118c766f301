// SPDX-License-Identifier: MIT
// What a run depended on besides its input: the build, the libraries, the machine, the version of the sources.
// The exact digest must not depend on any of it; the numeric digest is comparable between equal build fingerprints only.
#pragma once

#include <cstdint>
#include <string>

#include "record/json.hpp"

namespace foldproof::run {

/// Version, source version with its changes, seed, generator, compiler, flags, libraries, variables, rounding, processor, system. Unknown parts are the text "unknown".
/// `source` is what the program was built from.
Json environment(std::uint64_t seed, const Json& source);

/// The time in UTC, "2024-05-01T12:00:00Z"; SOURCE_DATE_EPOCH, where set to a number, is taken for now.
std::string utc_time();
/// The same as seconds since 1970.
std::int64_t unix_time();
/// Largest memory of this process so far, in bytes.
std::uint64_t peak_memory();
/// Name of this machine.
std::string host();

}  // namespace foldproof::run
