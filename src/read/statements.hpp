// SPDX-License-Identifier: MIT
// A claim as lists and messages show it: its statements as they were written, without comments and line breaks.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace foldproof::read {

/// The statements, each on one line. Text that is no claim is cut at line ends and semicolons.
std::vector<std::string> statements(std::string_view claim_text);

/// All of them separated by "; ", printable whatever the bytes, cut at `longest` bytes.
std::string claim_line(std::string_view claim_text, std::size_t longest = std::numeric_limits<std::size_t>::max());

}  // namespace foldproof::read
