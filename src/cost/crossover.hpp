// SPDX-License-Identifier: MIT
// From where on one side of a claim is cheaper than the other: "p > d*k/(d + k)". Exact: the difference of two polynomials,
// solved for each symbol in which it is linear with a coefficient of one sign. Sizes are at least 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/dim.hpp"

namespace foldproof::cost {

/// `symbol` relation `bound`: the second count is the smaller one exactly there.
struct Condition {
  std::string symbol;
  std::string relation;              ///< ">" or "<"
  std::string bound;                 ///< "d*k/(d + k)"
  std::optional<std::string> value;  ///< of the bound at given sizes, exact: "512/9"
  std::optional<std::int64_t> size;  ///< of the symbol, where both are given
  std::optional<bool> holds;         ///< there
};

struct Crossover {
  enum class Kind {
    equal,    ///< the counts are the same polynomial
    always,   ///< the second is smaller at all sizes
    never,    ///< the first is smaller at all sizes
    depends,  ///< each of `conditions` says when the second is smaller; without conditions only `difference` does
  } kind = Kind::equal;
  expr::Dim difference;  ///< first - second, without the factors that all its summands share
  std::vector<Condition> conditions;
};

/// When `second` is smaller than `first`. Errors: expr::LimitReached when the counts at `sizes` leave 64 bits.
Crossover crossover(const expr::Dim& first, const expr::Dim& second, const expr::DimValues& sizes);

/// One line: "when p > d*k/(d + k); here 512 > 512/9", "always", "never", "equal on both sides", "when d*d - k > 0".
std::string text(const Crossover& crossover);

/// Whether all names in `d` have a value.
bool known(const expr::Dim& d, const expr::DimValues& sizes);

}  // namespace foldproof::cost
