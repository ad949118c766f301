// SPDX-License-Identifier: MIT
#include "campaign/family.hpp"

#include <cmath>

#include "expr/diagnostic.hpp"
#include "numeric/random.hpp"

namespace foldproof::campaign {
namespace {

struct Words {
  const char* name;
  const char* description;
};
constexpr std::array<Words, family_count> words{{
    {"uniform", "multiples of u in (-1, 1), all bits in use"},
    {"normal", "nearly normal, variance 1, multiples of 1/4"},
    {"graded", "uniform, scaled by 1, 1/2, ... 2^-12 along diagonals"},
    {"cancelling", "columns +3/4 and -3/4 in turn, and half of the bits below: sums lose their leading bits"},
    {"sparse", "one entry in eight is uniform, the others are zero"},
    {"identity", "ones on the diagonal, zeros elsewhere"},
    {"permutation", "a single one in each row, at a random column"},
    {"integers", "-3 to 3"},
    {"large", "nearly normal, standard deviation 64: exp overflows, softmax saturates"},
    {"huge", "uniform times the cube root of the largest number: products of four overflow"},
    {"tiny", "uniform times the square root of the smallest normal number: products underflow gradually"},
    {"subnormal", "odd and even multiples of the smallest number, all below the smallest normal one"},
}};

}  // namespace

const char* text(Family f) { return words[static_cast<std::size_t>(f)].name; }
const char* describe(Family f) { return words[static_cast<std::size_t>(f)].description; }

int largest_exponent(const numeric::FormatInfo& format) { return std::ilogb(format.max_finite); }
int smallest_exponent(const numeric::FormatInfo& format) { return 1 - largest_exponent(format); }

double entry_of(Family family, std::uint64_t bits, const Place& place, const numeric::FormatInfo& format) {
  const int p = format.precision;
  const double uniform = numeric::dyadic(bits, p);
  switch (family) {
    case Family::uniform:
      return uniform;
    case Family::normal:
      return numeric::popcount_normal(bits);
    case Family::graded:
      return std::ldexp(uniform, -static_cast<int>((place.row + place.column) % 13));
    case Family::cancelling:
      return (place.column % 2 == 0 ? 1 : -1) * 0.75 + std::ldexp(numeric::dyadic(bits, p / 2), -p / 2);
    case Family::sparse:
      return bits % 8 == 0 ? uniform : 0;
    case Family::identity:
      return place.row == place.column;
    case Family::permutation:
      return place.one == place.column;
    case Family::integers:
      return static_cast<double>(numeric::uniform_integer(bits, -3, 3));
    case Family::large:
      return 64 * numeric::popcount_normal(bits);
    case Family::huge:
      return std::ldexp(uniform, largest_exponent(format) / 3);
    case Family::tiny:
      return std::ldexp(uniform, smallest_exponent(format) / 2);
    case Family::subnormal: {
      const auto most = (std::int64_t{1} << (p - 1)) - 1;
      return std::ldexp(static_cast<double>(numeric::uniform_integer(bits, -most, most)), smallest_exponent(format) - p + 1) + 0.0;
    }
  }
  throw expr::InternalError("unknown family");
}

double edge_value(std::uint64_t bits, const numeric::FormatInfo& format) {
  const int high = largest_exponent(format);
  const int low = smallest_exponent(format);
  const double overflow = std::ceil(std::log(format.max_finite)) + 1;                        // exp of it is no finite number
  const double vanishing = std::floor((low - format.precision) * 0.6931471805599453) - 1;   // exp of it is zero
  const double values[] = {0,
                           1,
                           std::ldexp(1, high / 2 + 1),
                           std::ldexp(1, low / 2 - 1),
                           std::ldexp(1, low),
                           std::ldexp(1, format.precision),  // half of the draws take one of these
                           2,
                           overflow,
                           vanishing,
                           std::ldexp(1, high),
                           1 + std::ldexp(1, 1 - format.precision),
                           std::ldexp(1, low - format.precision + 1),
                           format.max_finite};
  const bool few = (bits & 1) != 0;
  const double v = values[numeric::uniform_integer(bits << 1, 0, few ? 5 : static_cast<std::int64_t>(std::size(values)) - 1)];
  return bits >> 63 != 0 && v != 0 ? -v : v;
}

}  // namespace foldproof::campaign
