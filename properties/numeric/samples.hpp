// SPDX-License-Identifier: MIT
// Test numbers for the properties of src/numeric: RapidCheck draws one seed a case, Philox makes as many numbers of it as the
// case needs. RapidCheck's own doubles never reach subnormals and rarely leave small magnitudes.
#pragma once

#include <rapidcheck/boost_test.h>

#include <cmath>
#include <cstdint>

#include "numeric/random.hpp"
#include "numeric/rational.hpp"

namespace foldproof::properties {

class Samples {
 public:
  explicit Samples(std::uint64_t seed) : stream_(seed, 0) {}

  std::uint64_t bits() { return stream_.draw(next_++, 0); }
  std::int64_t integer(std::int64_t lowest, std::int64_t highest) { return numeric::uniform_integer(bits(), lowest, highest); }

  /// A double of any sign with exponent in [lowest, highest]; often with few significant bits, so that exact results and ties occur.
  double number(int lowest, int highest) {
    const int kept = static_cast<int>(integer(0, 3) == 0 ? integer(1, 8) : 52);
    const double fraction = 1 + std::ldexp(static_cast<double>(bits() >> (64 - kept)), -kept);
    return numeric::sign(bits()) * std::ldexp(fraction, static_cast<int>(integer(lowest, highest)));
  }

  /// A fraction whose parts have up to 120 bits, so that inline and big values meet. Small ones are likely.
  numeric::Rational fraction() {
    const auto part = [this] {
      const auto one = [this] { return numeric::Rational(static_cast<std::int64_t>(bits() >> integer(1, 63)) + 1); };
      return integer(0, 2) == 0 ? one() * one() : one();
    };
    if (integer(0, 15) == 0) return integer(-2, 2);
    return numeric::Rational(numeric::sign(bits())) * part() / part();
  }

 private:
  numeric::Stream stream_;
  std::uint64_t next_ = 0;
};

}  // namespace foldproof::properties
