// SPDX-License-Identifier: MIT
// A hash and a generator for tests that draw thousands of cases from one printed seed.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace foldproof::properties {

/// splitmix64, folded over the words.
inline std::uint64_t hashed(const std::vector<std::uint64_t>& words) {
  std::uint64_t h = 0;
  for (const std::uint64_t w : words) {
    h += w + 0x9e3779b97f4a7c15U;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9U;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebU;
    h ^= h >> 31;
  }
  return h;
}

/// Numbers 0, 1, 2, ... of one seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  /// 0 .. sides-1
  std::size_t roll(std::size_t sides) { return static_cast<std::size_t>(hashed({seed_, count_++}) % sides); }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

/// A number from the environment.
inline std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<std::uint64_t>(std::atoll(text));
}

}  // namespace foldproof::properties
