// SPDX-License-Identifier: MIT
#include "diagnose/answer.hpp"

#include <algorithm>

namespace foldproof::diagnose {

namespace {

using campaign::GivenFormat;

/// The format without the limit on sizes that the answer format has shows a difference where the latter overflows.
bool overflows_and_differs(const campaign::GivenResult& result) {
  if (result.answer() == nullptr || result.answer()->counts.overflowed == 0) return false;
  return std::any_of(result.formats.begin(), result.formats.end(), [](const GivenFormat& f) { return f.counts.format == "float64" && f.counts.beyond > 0; });
}

}  // namespace

const char* text(Answer answer) {
  switch (answer) {
    case Answer::equal: return "equal";
    case Answer::rounding: return "rounding";
    case Answer::bug: return "bug";
    case Answer::unclear: return "unclear";
  }
  throw expr::InternalError("an answer has a name");
}

Answer answer_of(const campaign::GivenResult& result, std::string& reason) {
  reason = result.nothing_compared();
  if (result.answer() == nullptr) return Answer::unclear;
  if (overflows_and_differs(result)) {
    reason = "a value is too large for " + result.answer()->counts.format + ", and what is stored is not that value";
    return Answer::bug;
  }
  const GivenFormat& format = *result.answer();
  if (format.counts.beyond > 0) return Answer::bug;
  if (format.equal) {
    reason.clear();
    return Answer::equal;
  }
  if (!reason.empty()) return Answer::unclear;
  if (format.counts.vacuous > 0) {
    reason = "not everything could be compared in " + format.counts.format + ": " + format.counts.not_compared();
    return Answer::unclear;
  }
  if (format.counts.suspicious > 0) {
    reason = "the bound allows the difference, but so large a one is not expected of roundings that are independent of each other; compare what was folded entry by entry, as in g.T * W == M";
    return Answer::unclear;
  }
  return Answer::rounding;
}

Answer worst_of(const std::vector<Check>& checks) {
  expr::invariant(!checks.empty(), "the worst of no answers");
  for (const auto answer : {Answer::bug, Answer::unclear, Answer::rounding}) {
    if (std::any_of(checks.begin(), checks.end(), [&](const Check& c) { return c.answer == answer; })) return answer;
  }
  return Answer::equal;
}

}  // namespace foldproof::diagnose
