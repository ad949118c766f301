// SPDX-License-Identifier: MIT
#include "tool/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

namespace foldproof::tool {

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_(start_) {}

void Progress::show(std::size_t done, std::size_t total) {
  constexpr std::size_t width = 40;
  const Clock::time_point now = Clock::now();
  if (!terminal_ || (done < total && now - last_ < std::chrono::milliseconds(100))) return;
  last_ = now;
  shown_ = true;
  const std::size_t filled = total == 0 ? width : width * done / total;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double left = done == 0 ? 0 : elapsed * static_cast<double>(total - done) / static_cast<double>(done);
  std::cerr << fmt::format("\r[{}{}] {}/{}  {:.0f} s, {:.0f} s left ", std::string(filled, '#'), std::string(width - filled, '.'), done, total, elapsed, left)
            << std::flush;
}

void Progress::finish() {
  if (shown_) std::cerr << "\n";
  shown_ = false;
}

}  // namespace foldproof::tool
