// SPDX-License-Identifier: MIT
// What a check on stored tensors can answer, and all that is told with the answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "record/claim_json.hpp"
#include "verdict/decide.hpp"

namespace foldproof::diagnose {

enum class Answer {
  equal,     ///< the sides agree bit for bit in the answer format
  rounding,  ///< every entry is within the bound in the answer format
  bug,       ///< some entry is beyond it: no program in this format, and no order of sums, explains the difference; or a copy is none
  unclear,   ///< nothing could be compared, or not everything; the difference is larger than expected of roundings, though the bound allows
             ///< it; or it is within the bound of a narrower format that some of the tensors have, and beyond that of the others
};
/// "equal", "rounding", "bug", "unclear".
const char* text(Answer answer);

/// A single mistake with which the claim holds on the tensors.
struct Explanation {
  std::string statement;
  std::string change;  ///< "without the factor g.T"
  Answer answer = Answer::rounding;
  std::int64_t differing = 0;  ///< entries of the first case that are not the nearest numbers of the stored format
};
struct Diagnosis {
  std::size_t tried = 0;      ///< mistakes whose shapes fit the tensors
  std::size_t left = 0;       ///< not tried, because there were too many
  std::vector<Explanation> found;
  std::string observation;  ///< what else was seen, which is no claim: rows in an order of no pattern, rows that are missing; may be empty
};

struct Check {
  record::ClaimRecord claim;
  std::string star;       ///< what `*` stands for in the bindings; empty when none has one
  std::string statement;  ///< what was decided and run: the claim, with the shapes of its tensors where it needs them
  verdict::Decision decision;  ///< as an identity; `invalid` when the claim cannot be read, and then nothing else is known
  Answer answer = Answer::unclear;
  std::string reason;  ///< why it is unclear
  std::string note;    ///< what else explains it, such as arithmetic in a narrower format; empty when nothing does
  bool only_has_room = false;  ///< the note says no more than which format has room for the difference
  std::optional<expr::Diagnostic> misfit;  ///< why the tensors cannot stand in the claim; then there is no answer
  std::optional<campaign::GivenResult> result;
  std::optional<Diagnosis> diagnosis;  ///< where one was asked for
};

/// The answer that results on given tensors amount to, with the reason when it is unclear.
Answer answer_of(const campaign::GivenResult& result, std::string& reason);

/// Whether the claim was read, and the tensors fit it.
inline bool is_answered(const Check& check) { return check.decision.verdict != verdict::Verdict::invalid && !check.misfit; }

/// The word for all of them: the worst of bug, unclear, rounding, equal. Requires: all are answered, and there is one.
Answer worst_of(const std::vector<Check>& checks);

}  // namespace foldproof::diagnose
