// SPDX-License-Identifier: MIT
// Words of users and of files where a message or a terminal has one line for them.
#pragma once

#include <string>

namespace foldproof::record {

/// Words on one line, printable whatever their bytes, cut at `longest` bytes. Claims: read::claim_line.
std::string one_line(const std::string& words, std::size_t longest = 200);

/// Quoted for a POSIX shell where that is needed.
std::string shell_quoted(const std::string& word);

}  // namespace foldproof::record
