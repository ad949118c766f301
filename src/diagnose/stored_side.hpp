// SPDX-License-Identifier: MIT
// A stored result, and what should be in it: the one tensor of a claim that was computed from the others, entry by entry beside the exact
// values, and beside those of a program that rounds every step. How errors are spread over the entries tells a mistake from roundings where
// the bound on each single entry has room for both.
#pragma once

#include <optional>
#include <vector>

#include "campaign/campaign.hpp"
#include "infer/problem.hpp"

namespace foldproof::diagnose {

bool mentions_variable(const infer::Term& t, const std::string& name);

struct StoredSide {
  bool right = true;  ///< the stored result stands on the right
  std::vector<std::int64_t> shape;
  std::vector<double> stored;
  std::vector<double> exact;
  std::vector<double> stepwise;  ///< every step rounded to the format
  std::vector<double> bound;     ///< on the distance of two programs' results
  const numeric::FormatInfo* format = nullptr;   ///< that the result is computed in
  const numeric::FormatInfo* storage = nullptr;  ///< that it is held in, perhaps of fewer digits
  /// By how much dividing by the constants changes it at least and at most when the reciprocal is rounded first: of W / 7 as W * fl(1 / 7).
  double least_of_reciprocals = 0, most_of_reciprocals = 0;
  int constant_roundings = 0;  ///< that all entries may have in common: of constants, and of what is computed of constants alone
  int shared_roundings = 0;    ///< that entries of a row or a column may have in common: those, and of what is computed of gains, norms and operands of products
  std::int64_t shared_terms = 0;  ///< of sums that they have in common, each of which rounds once in the arithmetic of the format

  /// The entry as a program stores it that rounds only its result, and as one that rounds every step.
  double once(std::size_t i) const { return campaign::rounded(exact[i], *storage); }
  double often(std::size_t i) const { return campaign::rounded(stepwise[i], *storage); }
  /// The reciprocal of the bound; 0 for an entry that says nothing.
  double weight(std::size_t i) const;
  /// Whether no program in the format gives what is stored there.
  bool is_beyond(std::size_t i) const;
  /// Whether a program in the format that takes its operands as they are given to this one may give what is stored.
  bool is_within_bounds() const;
  /// Enough entries for averages over them.
  bool has_many() const { return exact.size() >= 32; }
};

/// Where one side is a stored tensor, perhaps times or over something that it is no part of, and the other side computes it. Nothing also
/// where a variable is not given, where there are too few entries to tell or too many to try, and where a side has no value. `operands`: of the
/// program that rounds every step.
std::optional<StoredSide> stored_side(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const numeric::FormatInfo& format, campaign::Operands operands = campaign::Operands::rounded_first);

}  // namespace foldproof::diagnose
