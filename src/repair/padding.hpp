// SPDX-License-Identifier: MIT
// A counterexample of a claim with names for its sizes, at small ones: padded with zeros it usually refutes the claim as stated; whether it
// does is always verified.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "refute/refute.hpp"
#include "repair/named_sizes.hpp"

namespace foldproof::repair {

/// How a smaller instance becomes a larger one.
struct Padding {
  bool turned = false;    ///< a product of sizes is an axis in blocks of its second factor, not of its first
  bool identity = false;  ///< ones on the diagonal of what is added to matrices, zeros elsewhere; only zeros otherwise, but for matrices that must have an inverse
  bool filled = false;    ///< ones wherever nothing else stands, as for norms of parts that may not be zero
  bool repeated = false;  ///< the rows of the sides are there again and again, as where a row of zeros has no value
  bool last = false;      ///< the entries stand at the ends of their blocks, not at the beginnings: X[:, k - 1] is the last one of the first block
};
/// An entry at which the sides of the large claim differ, and what they are there: "1/8", or "0.0884" of what is no fraction.
struct Difference {
  std::vector<std::int64_t> entry;
  std::string lhs, rhs;
};
/// How the counterexample of such a claim refutes the original one, `problem`, at its sizes. No more than the entries that the sides need are
/// computed; nothing where those are too many, where a side may lack a value elsewhere, and where an assumption cannot be seen to hold.
/// `more`: entries that may be computed where the sides differ at one, to see that they have values in all; what is left of them afterwards.
std::optional<Difference> refuted_padded(const infer::Problem& problem, const NamedSizes& named, const refute::Counterexample& small, const Padding& padding, std::int64_t& more);

}  // namespace foldproof::repair
