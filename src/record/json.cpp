// SPDX-License-Identifier: MIT
#include "record/json.hpp"

namespace foldproof::record {

std::string dump(const Json& json, int indent) { return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string on_one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string plain(const Json& value) { return value.is_string() ? value.get<std::string>() : on_one_line(value); }

}  // namespace foldproof::record
