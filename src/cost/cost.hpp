// SPDX-License-Identifier: MIT
// What each side of a claim costs: numbers to store, to read and to keep, and multiply-adds of its matrix products, as
// polynomials of the sizes. A largest part without data can be computed once and stored: it counts with the entries of its
// result and costs no multiply-adds afterwards. Parts that only pick or rearrange entries of one variable count as that variable.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::cost {

/// A tensor that has to be stored.
struct Parameter {
  std::string name;  ///< of a variable; empty for a part that is computed once
  expr::Span span;   ///< where the claim has it
  expr::Dim entries;
};

/// All counts are of numbers; bytes are these times the bytes of a format.
struct SideCost {
  std::vector<Parameter> stored;
  expr::Dim parameters;     ///< sum of the entries
  expr::Dim multiply_adds;  ///< of the products that involve data, each counted once for every value of the comprehension indices it mentions
  expr::Dim data;           ///< entries of the data that the side reads
  expr::Dim activations;    ///< entries of every result on the way that depends on data; the side's own result is not among them

  /// What one evaluation reads when everything is read once: data, parameters, and what was computed on the way.
  expr::Dim reads() const { return data + parameters + activations; }
  bool folds() const;  ///< whether some part is computed once
};

/// The variables that are data when the user names none: X, or else the first variable.
std::set<std::string> default_data(const infer::Problem& problem);

/// Cost of one side.
SideCost cost(const infer::Term& side, const std::set<std::string>& data);

}  // namespace foldproof::cost
