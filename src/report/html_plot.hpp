// SPDX-License-Identifier: MIT
// |L - R| over its bound against the size of the instances, one line a format, as SVG without scripts.
#pragma once

#include <string>

#include "record/json.hpp"

namespace foldproof::report {

/// `formats`: as in report.json. Empty when there are fewer than two sizes.
std::string ratio_plot(const Json& formats);

}  // namespace foldproof::report
