// SPDX-License-Identifier: MIT
#include "campaign/scalar.hpp"

#include <algorithm>

namespace foldproof::campaign {

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
