// SPDX-License-Identifier: MIT
// Exact numbers as files have them: rationals, multiples of log(2) and sums of these.
#pragma once

#include <string>

#include "numeric/exact.hpp"

namespace foldproof::run {

/// "-3/7", "0.125", "2*log(2)". Errors: `number.value`, and those of the parser.
numeric::Exact exact_number(const std::string& text);

}  // namespace foldproof::run
