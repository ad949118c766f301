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

std::size_t times_written(std::string_view name, std::string_view text) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::size_t times = 0;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool before = at > 0 && is_part(text[at - 1]), after = at + name.size() < text.size() && is_part(text[at + name.size()]);
    times += !before && !after ? 1 : 0;
  }
  return times;
}

}  // namespace foldproof::repair
