// SPDX-License-Identifier: MIT
// What stands between our suites and RapidCheck. RapidCheck by itself passes a stale `reproduce=` string without running anything,
// ignores a mistyped parameter, gives all properties one stream of random numbers, and breaks in two threads. Every call of
// rc::check and RC_BOOST_PROP in any suite is led through `check` here by the linker (properties/CMakeLists.txt), so no suite can forget it.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string>

namespace foldproof::properties {

/// Reads the text of the environment variable RC_PARAMS: seed, max_success, max_size, max_discard_ratio, noshrink.
/// Errors: std::invalid_argument for anything else. `reproduce` is refused: such a string names code that may have changed since; the
/// seed, which is printed, finds the failure again or shows that it is gone.
rc::detail::TestParams parameters(const std::string& text);

/// The seed of one property: from the seed of the run and the property's name, so that no two have the same numbers.
std::uint64_t seed_of(std::uint64_t seed, const std::string& name);

/// Runs a property. Anything but the full number of passing cases is a failure; its message tells how to run it again.
/// Errors: std::logic_error while another thread is in here.
rc::detail::TestResult check(const rc::detail::Property& property, const rc::detail::TestMetadata& metadata);

}  // namespace foldproof::properties
