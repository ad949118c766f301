// SPDX-License-Identifier: MIT
// JSON as it is written here: keys stand in the order in which they were put in.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace foldproof {

/// In no folder's namespace, as much of what follows is made of it.
using Json = nlohmann::ordered_json;

namespace record {

/// UTF-8 text that never throws: bytes of claims may be anything. Ends with a newline.
std::string dump(const Json& json, int indent = 2);

/// The same on one line, without its end.
std::string on_one_line(const Json& json);

/// A text as it is, anything else as JSON on one line.
std::string plain(const Json& value);

}  // namespace record
}  // namespace foldproof
