// SPDX-License-Identifier: MIT
// From text to claims and expressions. Part of the trusted base.
#pragma once

#include <string_view>

#include "expr/syntax.hpp"

namespace foldproof::read {

/// Reads the text form of one claim: statements separated by `;` or new lines. Throws expr::Error (`parse.*`, `limit.*`).
expr::Claim parse_claim(std::string_view text);

/// Reads one expression. Throws expr::Error.
expr::Expression parse_expression(std::string_view text);

}  // namespace foldproof::read
