// SPDX-License-Identifier: MIT
// libFuzzer's entry points for the target FOLDPROOF_TARGET. Findings travel as exceptions that nothing catches.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "fuzz/targets.hpp"

namespace fuzz = foldproof::properties::fuzz;

constexpr const fuzz::Target& target() {
  for (const auto& t : fuzz::targets) {
    if (std::string_view(t.name) == FOLDPROOF_TARGET) return t;
  }
  throw "no such target";
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t capacity);

/// Sanitizers make the frames of the deepest terms too large for 8 MB of stack: starts again with more.
extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  rlimit stack{};
  constexpr rlim_t wanted = rlim_t{256} << 20;
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < wanted && (stack.rlim_max == RLIM_INFINITY || stack.rlim_max >= wanted)) {
    stack.rlim_cur = wanted;
    if (setrlimit(RLIMIT_STACK, &stack) == 0) execv("/proc/self/exe", *argv);
    std::abort();
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target().run({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t capacity, unsigned int seed) {
  if (target().mutated == nullptr || seed % 4 == 0) return LLVMFuzzerMutate(data, size, capacity);
  const std::string mutant = target().mutated({reinterpret_cast<const char*>(data), size}, seed);
  if (mutant.empty() || mutant.size() > capacity) return LLVMFuzzerMutate(data, size, capacity);
  std::memcpy(data, mutant.data(), mutant.size());
  return mutant.size();
}
