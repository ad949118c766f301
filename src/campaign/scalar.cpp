// SPDX-License-Identifier: MIT
#include "campaign/scalar.hpp"

#include <algorithm>
#include <bit>

namespace foldproof::campaign {

namespace {
/// |v| without its factors of two. Requires: v is finite and not zero.
std::uint64_t odd_part(double v) {
  const auto bits = std::bit_cast<std::uint64_t>(v);
  const std::uint64_t fraction = bits & 0xfffffffffffff;
  const std::uint64_t full = (bits >> 52 & 0x7ff) == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  return full >> std::countr_zero(full);
}
}  // namespace

bool is_product_exact(double a, double b) {
  if (a == 0 || b == 0) return std::isfinite(a) && std::isfinite(b);
  const double c = std::abs(a * b);
  if (!(c >= 0x1p-1022) || !(c < infinity)) return false;
  __extension__ using Wide = unsigned __int128;
  return Wide{odd_part(a)} * odd_part(b) < Wide{1} << 53;
}

/// The mean value theorem where the power is differentiable on [v - e, v + e]; |x**q - y**q| <= |x - y|**q for 0 < q < 1 near zero.
double power_spread(double v, double e, const expr::Rational& q) {
  if (e == 0) return 0;
  const double p = numeric::from<double>(q);
  const double low = std::abs(v) - e;
  const double high = up(std::abs(v) + e);
  const double slack = 1 + 0x1p-44;  // pow and the rounded exponent
  if (low > 0) return std::abs(p) * std::max(std::pow(low * (1 - 0x1p-50), p - 1), std::pow(high, p - 1)) * e * slack;
  if (q.sign() < 0) return infinity;
  if (p >= 1) return p * std::pow(high, p - 1) * e * slack;
  return std::pow(e, p) * slack;
}

}  // namespace foldproof::campaign
