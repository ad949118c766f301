// SPDX-License-Identifier: MIT
// Prime factors of numbers: their product is the number, what is below the bound is prime, and what is left has no factor below it.
#include <boost/test/unit_test.hpp>

#include "expr/primes.hpp"

namespace foldproof::properties {
namespace {

using expr::prime_factors;
using Factors = std::vector<std::pair<std::int64_t, std::int64_t>>;

bool is_prime(std::int64_t n) {
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return false;
  }
  return n > 1;
}

BOOST_AUTO_TEST_CASE(every_small_number_is_the_product_of_its_primes) {
  for (std::int64_t n = 1; n < 20'000; ++n) {
    std::int64_t product = 1;
    for (const auto& [prime, exponent] : prime_factors(n)) {
      BOOST_REQUIRE(is_prime(prime));
      BOOST_REQUIRE(exponent > 0);
      for (std::int64_t e = 0; e < exponent; ++e) product *= prime;
    }
    BOOST_REQUIRE(product == n);
  }
}

BOOST_AUTO_TEST_CASE(numbers_of_many_digits) {
  BOOST_CHECK((prime_factors(99'991) == Factors{{99'991, 1}}));  // the largest prime below the bound
  BOOST_CHECK((prime_factors(99'991LL * 99'991) == Factors{{99'991, 2}}));
  BOOST_CHECK((prime_factors(2LL * 99'991 * 1'000'000'007) == Factors{{2, 1}, {99'991, 1}, {1'000'000'007, 1}}));
  BOOST_CHECK((prime_factors(100'003LL * 100'019) == Factors{{100'003LL * 100'019, 1}}));  // both above it: one base
  BOOST_CHECK((prime_factors(std::int64_t{1} << 62) == Factors{{2, 62}}));
  BOOST_CHECK((prime_factors(9'223'372'036'854'775'783) == Factors{{9'223'372'036'854'775'783, 1}}));  // the largest prime below 2^63
}

}  // namespace
}  // namespace foldproof::properties
