// SPDX-License-Identifier: MIT
// "Did you mean ...": which known words are closest to one that is not known.
// Every layer that looks up a name written by a user gives its hint through here, so that hints look the same everywhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace foldproof::expr {

/// Counts the insertions, deletions and replacements of bytes that turn `a` into `b`, looking at the first 256 bytes of each.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns at most `count` of the `candidates`, nearest to `word` first; equally near ones stay in their order.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates, std::size_t count);

/// Returns "did you mean `a`, `b` or `c`?" with the nearest candidates, empty when there are none.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates, std::size_t count = 3);

}  // namespace foldproof::expr
