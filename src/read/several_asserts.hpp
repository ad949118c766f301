// SPDX-License-Identifier: MIT
// Programs that assert several things, as one claim for each of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace foldproof::read {

/// The program once for each of its asserts that is a claim, with `assert True` in the place of the other ones, and once for each part of assert a and b; the text itself where it has one claim, or cannot be
/// read. The program passes where all of them hold.
/// What asserts of sizes and shapes say stays in each. Positions are those of the text.
std::vector<std::string> one_claim_each(std::string_view text);

}  // namespace foldproof::read
