// SPDX-License-Identifier: MIT
// The time that both sides of a claim take as float32 programs, beside what their multiply-adds predict. Products are Eigen's;
// parts without data are computed once, before the clock runs. The clock is that of the running thread, one thread for both sides. Samples of the two sides
// alternate, so that a change of the machine's speed meets both, and medians are told.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "infer/problem.hpp"

namespace foldproof::cost {

struct SideTime {
  double median = 0;  ///< seconds of one evaluation
  double fastest = 0;
  double slowest = 0;
};

struct Measurement {
  SideTime lhs;
  SideTime rhs;
  std::int64_t samples = 0;  ///< of each side
  double largest_gap = 0;    ///< largest |lhs - rhs| of an entry, relative to the largest entry: whether both computed the same
  std::string not_measured;  ///< why there are no times: what has no float32 program here
};

struct MeasureOptions {
  double seconds = 1;      ///< budget of the whole measurement
  std::uint64_t seed = 1;  ///< of the weights
};

/// Errors: expr::LimitReached when the tensors together have more than 100 million entries. Requires: every dimension has a size.
Measurement measure(const infer::Problem& problem, const std::set<std::string>& data, const expr::DimValues& sizes, const MeasureOptions& options = {});

}  // namespace foldproof::cost
