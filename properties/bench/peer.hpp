// SPDX-License-Identifier: MIT
// Other tools beside foldproof-bench: scripts of this folder, which say why when their tool is not there.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace foldproof::bench {

using Json = nlohmann::ordered_json;

/// What `script`, a file of this folder and its arguments, prints; {"skipped": why} when it gives no answer.
Json answer_of(const std::string& python, const std::string& script);

/// To six decimals.
double rounded(double value);

}  // namespace foldproof::bench
