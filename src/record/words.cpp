// SPDX-License-Identifier: MIT
#include "record/words.hpp"

#include <algorithm>
#include <string_view>

namespace foldproof::record {

std::string one_line(const std::string& words, std::size_t longest) {
  std::string out;
  for (const char c : words) {
    if (out.size() >= longest) return out + "...";
    if (c == '\n') {
      if (!out.empty()) out += "; ";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
  }
  out.erase(out.find_last_not_of("; ") + 1);
  return out;
}

std::string shell_quoted(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::string_view("-_./=,:+@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace foldproof::record
