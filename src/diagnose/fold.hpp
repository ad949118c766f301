// SPDX-License-Identifier: MIT
// An expression computed from stored tensors, to be stored beside them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run/run.hpp"

namespace foldproof::diagnose {

/// An expression computed from stored tensors, to be stored beside them.
struct Fold {
  std::string statement;              ///< the expression with the shapes of its tensors
  std::vector<std::int64_t> shape;
  std::vector<double> values;         ///< in float64; the file rounds them once
  std::string format;                 ///< to be stored in
  std::size_t certain = 0;            ///< entries whose bound shows that the stored number is the nearest to the exact value
  std::size_t lost = 0;               ///< entries that are 0 in that format, and are not 0
  double largest_bound = 0;           ///< of float64 arithmetic, at the other entries
};
/// `text` is an expression, which may follow declarations; the format is the named one, else the narrowest that holds the tensors.
/// Errors: expr::Error for what cannot be read, what does not fit, or has no finite value, also in that format; expr::LimitReached.
Fold fold(const std::string& text, const run::Given& given, const std::string& format_name = {});

}  // namespace foldproof::diagnose
