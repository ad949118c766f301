// SPDX-License-Identifier: MIT
// One claim as an article of a page: the same in report.html and in `explain --html`.
#pragma once

#include <string>

#include "report/card.hpp"

namespace foldproof::report {

/// `family`: the group of claims it is listed under, for the filter. `alone`: nothing else is on the page, so that no link leads to another card.
std::string html_card(const Card& card, const std::string& family, bool alone = false);

/// "proved" as a coloured word; the word itself carries the meaning.
std::string verdict_badge(const std::string& verdict);

}  // namespace foldproof::report
