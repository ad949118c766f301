// SPDX-License-Identifier: MIT
#include "tool/source_state.hpp"

#include <string>

#include "tool/source_state_of_build.hpp"  // written by source_state.cmake

namespace foldproof::tool {

namespace {

constexpr const char* unknown = "unknown";

// Addresses of remotes may hold a password.
std::string without_user(const std::string& address) {
  const std::size_t scheme = address.find("://");
  const std::size_t host = address.find('@');
  return scheme == std::string::npos || host == std::string::npos ? address : address.substr(0, scheme + 3) + address.substr(host + 1);
}

Json known(const std::string& text) { return text == unknown ? Json(nullptr) : Json(text); }

}  // namespace

Json source_state() {
  Json out;
  out["commit"] = source_commit;
  out["dirty"] = std::string(source_dirty) == unknown ? Json(nullptr) : Json(std::string(source_dirty) == "yes");
  out["diff_sha256"] = std::string(source_diff_sha256).empty() ? Json(nullptr) : Json(source_diff_sha256);
  out["remote"] = known(without_user(source_remote));
  out["submodules"] = known(source_submodules);
  return out;
}

}  // namespace foldproof::tool
