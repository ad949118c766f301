// SPDX-License-Identifier: MIT
#include "campaign/family.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "expr/diagnostic.hpp"

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

namespace {

/// The place of an entry in its matrix; `one` is the column that holds the one in this row of a permutation.
struct Place {
  std::int64_t row;
  std::int64_t column;
  std::int64_t one;
};

/// What the entries of one tensor share.
struct Units {
  int precision;
  double large;            ///< a third of the exponents below overflow
  double small;            ///< half of the exponents above underflow
  double smallest;         ///< the smallest number
  std::int64_t subnormals; ///< so many positive ones

  explicit Units(const numeric::FormatInfo& format)
      : precision(format.precision),
        large(numeric::power_of_two(largest_exponent(format) / 3)),
        small(numeric::power_of_two(smallest_exponent(format) / 2)),
        smallest(precision == numeric::float64_format.precision ? format.eta : 2 * format.eta),
        subnormals((std::int64_t{1} << (precision - 1)) - 1) {}
};

template <Family family>
double entry(std::uint64_t bits, const Place& place, const Units& units) {
  const int p = units.precision;
  if constexpr (family == Family::uniform) return numeric::dyadic(bits, p);
  if constexpr (family == Family::normal) return numeric::popcount_normal(bits);
  if constexpr (family == Family::graded) return numeric::dyadic(bits, p) * numeric::power_of_two(-static_cast<int>((place.row + place.column) % 13));
  if constexpr (family == Family::cancelling) return (place.column % 2 == 0 ? 0.75 : -0.75) + numeric::dyadic(bits, p / 2) * numeric::power_of_two(-p / 2);
  if constexpr (family == Family::sparse) return bits % 8 == 0 ? numeric::dyadic(bits, p) : 0;
  if constexpr (family == Family::identity) return place.row == place.column;
  if constexpr (family == Family::permutation) return place.one == place.column;
  if constexpr (family == Family::integers) return static_cast<double>(numeric::uniform_integer(bits, -3, 3));
  if constexpr (family == Family::large) return 64 * numeric::popcount_normal(bits);
  if constexpr (family == Family::huge) return numeric::dyadic(bits, p) * units.large;
  if constexpr (family == Family::tiny) return numeric::dyadic(bits, p) * units.small;
  if constexpr (family == Family::subnormal) return static_cast<double>(numeric::uniform_integer(bits, -units.subnormals, units.subnormals)) * units.smallest + 0.0;
}

template <Family family>
void fill(std::span<const std::uint64_t> bits, const Extent& extent, const std::vector<std::int64_t>& ones, const numeric::FormatInfo& format, std::span<double> out) {
  const Units units(format);
  std::size_t i = 0;
  for (std::int64_t row = 0; i < out.size(); ++row) {
    const std::int64_t one = ones.empty() ? 0 : ones[static_cast<std::size_t>(row) % ones.size()];
    for (std::int64_t column = 0; column < extent.columns; ++column, ++i) out[i] = entry<family>(bits[i], {row % extent.rows, column, one}, units);
  }
}

template <std::size_t... k>
constexpr auto fills_of(std::index_sequence<k...>) {
  return std::array{&fill<static_cast<Family>(k)>...};
}
constexpr auto fills = fills_of(std::make_index_sequence<family_count>());

/// The column of the one in each row of a matrix with so many columns; distinct as long as there are columns left.
std::vector<std::int64_t> places_of_ones(const numeric::Stream& stream, std::int64_t columns) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> order;
  for (std::int64_t c = 0; c < columns; ++c) order.emplace_back(stream.draw(std::uint64_t{1} << 40, static_cast<std::uint64_t>(c)), c);
  std::sort(order.begin(), order.end());
  std::vector<std::int64_t> result;
  for (const auto& [bits, column] : order) result.push_back(column);
  return result;
}

}  // namespace

void set_entries(Family family, const numeric::Stream& stream, const Extent& extent, const numeric::FormatInfo& format, std::span<const std::uint64_t> bits,
                 std::span<double> out) {
  const auto ones = family == Family::permutation ? places_of_ones(stream, extent.columns) : std::vector<std::int64_t>();
  fills[static_cast<std::size_t>(family)](bits, extent, ones, format, out);
}
void draw_entries(Family family, const numeric::Stream& stream, const Extent& extent, const numeric::FormatInfo& format, std::span<std::uint64_t> bits,
                  std::span<double> out) {
  stream.draw_matrix(extent.columns, bits);
  set_entries(family, stream, extent, format, bits, out);
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
