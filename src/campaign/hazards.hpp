// SPDX-License-Identifier: MIT
// Where a true claim is unsafe in floating point. Over the reals its sides are equal; in a format one side may lose a number that
// the other side still has: exp(a)*exp(b) is inf*0 where exp(a+b) is 1. A hazard is such an instance: one side has a tight error
// bound there, so the true value is known, and the other side has another value, or none. It never changes a verdict.
#pragma once

#include <string>
#include <vector>

#include "campaign/sample.hpp"
#include "expr/diagnostic.hpp"

namespace foldproof::campaign {

enum class HazardKind {
  overflow,      ///< a number on the way is infinite or NaN
  underflow,     ///< a number on the way is zero or has lost its digits near the smallest number
  cancellation,  ///< all numbers are finite, and not even two bits of the result are right
  finite_mask,   ///< with a finite number in place of minus infinity the result is another one
  masked_row,    ///< a row of a mask that allows nothing: the claim has no value there, a program has NaN
};
const char* text(HazardKind k);

struct Hazard {
  HazardKind kind;
  std::string format;
  bool right = false;  ///< the side that goes wrong
  expr::DimValues dims;
  Values values;  ///< exact in the format, shrunk
  std::vector<std::int64_t> entry;
  double computed = 0;   ///< by the side that goes wrong
  double reference = 0;  ///< by the side that does not
  double bound = 0;      ///< on the error of the reference
  expr::Span place;      ///< in the claim: the first part whose value is lost; empty when it is the whole
  std::string detail;    ///< more about it in words; may be empty
};

struct HazardOptions {
  std::uint64_t seed = 1;
  std::string claim;  ///< its id
  std::vector<std::string> formats{"float64", "float32", "bfloat16", "float16"};
};
/// The hazards found in each format: at most one of each kind and side. Requires: the claim is true.
std::vector<Hazard> hazards(const infer::Problem& problem, const HazardOptions& options = {});

/// A float for people: an integer, a power of two such as 2^-511, or hexadecimal.
std::string short_text(double value);

}  // namespace foldproof::campaign
