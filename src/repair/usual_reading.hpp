// SPDX-License-Identifier: MIT
// Undeclared names in the shapes that people mean by them. By themselves they have the most general shapes, which no bias has.
#pragma once

#include <string>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::repair {

struct UsualReading {
  std::string declarations;  ///< to stand before the claim: "b: [d]; "
  std::string note;          ///< "`b` is read as [n, d], and as [d], as it is usually meant, the claim is true; ..."
};

/// Biases and gains, which are called b, b_q, bias, gamma, as vectors, and what is called c, scale, temperature as numbers, where the claim
/// does not declare them and they were inferred to be more; both at once first. In an inequality between sums and products of names, all as sizes.
std::vector<UsualReading> usual_readings(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::repair
