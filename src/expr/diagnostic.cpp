// SPDX-License-Identifier: MIT
#include "expr/diagnostic.hpp"

#include <algorithm>

namespace foldproof::expr {

void fail(std::string code, std::string message, Span span, std::string hint) {
  throw Error(Diagnostic{std::move(code), std::move(message), std::move(hint), span});
}

LineColumn locate(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  LineColumn at;
  for (std::size_t i = 0; i < offset; ++i) {
    if (text[i] == '\n') {
      ++at.line;
      at.column = 1;
    } else {
      ++at.column;
    }
  }
  return at;
}

std::string render(const Diagnostic& d, std::string_view text, std::string_view file) {
  constexpr std::size_t window = 60;  // long lines are shown around the place only
  const LineColumn at = locate(text, d.span.begin);
  std::string out = std::string(file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + d.message + "\n";
  const std::size_t start = std::min(d.span.begin, text.size());
  const std::size_t newline = text.rfind('\n', start == 0 ? 0 : start - 1);
  std::size_t first = (start == 0 || newline == std::string_view::npos) ? 0 : newline + 1;
  std::size_t last = std::min(text.find('\n', start), text.size());
  const bool cut_left = start - first > window;
  const bool cut_right = last - start > window;
  if (cut_left) first = start - window;
  if (cut_right) last = start + window;
  std::string line(text.substr(first, last - first));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  const std::string prefix = cut_left ? "  ..." : "  ";
  const std::size_t width = std::max<std::size_t>(1, std::min(std::min(d.span.end, text.size()), last) - std::min(start, last));
  out += prefix + line + (cut_right ? "..." : "") + "\n";
  out += std::string(prefix.size() + (start - first), ' ') + std::string(std::max<std::size_t>(1, std::min(width, window)), '^') + "\n";
  if (!d.hint.empty()) out += "  hint: " + d.hint + "\n";
  return out;
}

}  // namespace foldproof::expr
