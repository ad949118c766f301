// SPDX-License-Identifier: MIT
// The prime factors of numbers in claims, as far as they are small: what a root and a logarithm of a number are written with.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace foldproof::expr {

/// n as a product of powers, each base once: primes below 100000, and what is left when these are divided out, which counts as one base
/// whether it is prime or not. Requires: n > 0.
std::vector<std::pair<std::int64_t, std::int64_t>> prime_factors(std::int64_t n);

}  // namespace foldproof::expr
