// SPDX-License-Identifier: MIT
#include "repair/unused_names.hpp"

#include <cctype>
#include <iterator>

namespace foldproof::repair {

std::string UnusedNames::next() {
  static constexpr const char* usual[] = {"d", "k", "m", "h", "p", "q", "r", "f", "v", "w", "s", "u"};
  while (at_ < std::size(usual)) {
    const std::string name = usual[at_++];
    if (!occurs(name)) return name;
  }
  std::string name = "size" + std::to_string(++more_);
  while (occurs(name)) name += "_";
  return name;
}

bool UnusedNames::occurs(const std::string& name) const {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text_.find(name); at != std::string::npos; at = text_.find(name, at + 1)) {
    const bool before = at > 0 && is_part(text_[at - 1]), after = at + name.size() < text_.size() && is_part(text_[at + name.size()]);
    if (!before && !after) return true;
  }
  return false;
}

}  // namespace foldproof::repair
