// SPDX-License-Identifier: MIT
#include "expr/primes.hpp"

#include <cstddef>

namespace foldproof::expr {
namespace {

constexpr std::int64_t bound = 100'000;

/// A search for proofs asks again and again, so that only primes are tried, a tenth of the numbers below the bound.
const std::vector<std::int64_t>& small_primes() {
  static const std::vector<std::int64_t> primes = [] {
    std::vector<std::int64_t> found;
    std::vector<bool> composite(static_cast<std::size_t>(bound));
    for (std::int64_t p = 2; p < bound; ++p) {
      if (composite[static_cast<std::size_t>(p)]) continue;
      found.push_back(p);
      for (std::int64_t multiple = p * p; multiple < bound; multiple += p) composite[static_cast<std::size_t>(multiple)] = true;
    }
    return found;
  }();
  return primes;
}

}  // namespace

std::vector<std::pair<std::int64_t, std::int64_t>> prime_factors(std::int64_t n) {
  std::vector<std::pair<std::int64_t, std::int64_t>> factors;
  for (const std::int64_t p : small_primes()) {
    if (p * p > n) break;
    std::int64_t exponent = 0;
    for (; n % p == 0; n /= p) ++exponent;
    if (exponent > 0) factors.emplace_back(p, exponent);
  }
  if (n > 1) factors.emplace_back(n, 1);
  return factors;
}

}  // namespace foldproof::expr
