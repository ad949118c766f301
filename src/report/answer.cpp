// SPDX-License-Identifier: MIT
#include "report/answer.hpp"

#include <algorithm>

namespace foldproof::report {

namespace {

using campaign::GivenFormat;

/// The format without the limit on sizes that the answer format has shows a difference where the latter overflows.
bool overflows_and_differs(const campaign::GivenResult& result) {
  if (result.answer() == nullptr || result.answer()->counts.overflowed == 0) return false;
  return std::any_of(result.formats.begin(), result.formats.end(), [](const GivenFormat& f) { return f.counts.format == "float64" && f.counts.beyond > 0; });
}

}  // namespace

const char* text(WeightsAnswer answer) {
  switch (answer) {
    case WeightsAnswer::equal: return "equal";
    case WeightsAnswer::rounding: return "rounding";
    case WeightsAnswer::bug: return "bug";
    case WeightsAnswer::unclear: return "unclear";
  }
  throw expr::InternalError("an answer has a name");
}

WeightsAnswer answer_of(const campaign::GivenResult& result, std::string& reason) {
  reason = result.nothing_compared();
  if (result.answer() == nullptr) return WeightsAnswer::unclear;
  if (overflows_and_differs(result)) {
    reason = "a value is too large for " + result.answer()->counts.format + ", and what is stored is not that value";
    return WeightsAnswer::bug;
  }
  const GivenFormat& format = *result.answer();
  if (format.counts.beyond > 0) return WeightsAnswer::bug;
  if (format.equal) {
    reason.clear();
    return WeightsAnswer::equal;
  }
  if (!reason.empty()) return WeightsAnswer::unclear;
  if (format.counts.vacuous > 0) {
    reason = "not everything could be compared in " + format.counts.format + ": " + format.counts.not_compared();
    return WeightsAnswer::unclear;
  }
  if (format.counts.suspicious > 0) {
    reason = "the bound allows the difference, but so large a one is not expected of roundings that are independent of each other; compare what was folded entry by entry, as in g.T * W == M";
    return WeightsAnswer::unclear;
  }
  return WeightsAnswer::rounding;
}

WeightsAnswer worst_of(const std::vector<WeightsCheck>& checks) {
  expr::invariant(!checks.empty(), "the worst of no answers");
  for (const auto answer : {WeightsAnswer::bug, WeightsAnswer::unclear, WeightsAnswer::rounding}) {
    if (std::any_of(checks.begin(), checks.end(), [&](const WeightsCheck& c) { return c.answer == answer; })) return answer;
  }
  return WeightsAnswer::equal;
}

}  // namespace foldproof::report
