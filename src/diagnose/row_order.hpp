// SPDX-License-Identifier: MIT
// Rows, or columns, that are all there and stand elsewhere: q, k and v in another order, heads backwards, heads of a group side by side
// or apart, a slice that begins one row later. Found by looking each row up, not by trying orders.
#pragma once

#include <string>
#include <vector>

#include "diagnose/mistakes.hpp"

namespace foldproof::diagnose {

struct RowOrder {
  std::vector<Mistake> mistakes;  ///< claims with the rows in that order, where it has a pattern that the language can say
  std::string observation;        ///< else the order in words: "rows 0:63 on the right are rows 1:64 on the left; 63:64 is no row of the left"
};

/// Where at least half of the rows of the right side are rows of the left one, up to roundings of storage, and some of them elsewhere.
/// Of two axes; empty where a tensor is not given or nothing is found.
RowOrder row_order(const expr::Claim& claim, const campaign::GivenTensors& given, const expr::DimValues& dims);

}  // namespace foldproof::diagnose
