// SPDX-License-Identifier: MIT
// What the tests of a claim showed, folded away: a table, the worst cases, and the ratio to the bound over the size as a plot.
#pragma once

#include <string>

#include "report/card.hpp"

namespace foldproof::report {

/// Empty when the claim was not tested and nothing is known about why.
std::string html_tests(const Card& card);

}  // namespace foldproof::report
