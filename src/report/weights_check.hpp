// SPDX-License-Identifier: MIT
// "Is this difference rounding, or a bug?": a claim on the stored tensors of a checkpoint, whatever it is as an identity. A fold that was
// written to a file is the claim `g.T * W == M`, which is refuted, since M is free, and may well hold for this g, W and M.
#pragma once

#include <optional>
#include <string>

#include "report/decide.hpp"
#include "report/json.hpp"
#include "report/run.hpp"

namespace foldproof::report {

enum class WeightsAnswer {
  equal,     ///< the sides agree bit for bit in the answer format
  rounding,  ///< every entry is within the bound in the answer format
  bug,       ///< some entry is beyond it: no program in this format, and no order of sums, explains the difference; or a copy is none
  unclear,   ///< nothing could be compared, or not everything; the difference is larger than expected of roundings, though the bound allows
             ///< it; or it is within the bound of a narrower format that some of the tensors have, and beyond that of the others
};
/// "equal", "rounding", "bug", "unclear".
const char* text(WeightsAnswer answer);

/// A single mistake with which the claim holds on the tensors.
struct Explanation {
  std::string statement;
  std::string change;  ///< "without the factor g.T"
  WeightsAnswer answer = WeightsAnswer::rounding;
};
struct Diagnosis {
  std::size_t tried = 0;      ///< mistakes whose shapes fit the tensors
  std::size_t left = 0;       ///< not tried, because there were too many
  std::vector<Explanation> found;
};

struct WeightsCheck {
  record::ClaimRecord claim;
  std::string star;       ///< what `*` stands for in the bindings; empty when none has one
  std::string statement;  ///< what was decided and run: the claim, with the shapes of its tensors where it needs them
  Decision decision;  ///< as an identity; `invalid` when the claim cannot be read, and then nothing else is known
  WeightsAnswer answer = WeightsAnswer::unclear;
  std::string reason;  ///< why it is unclear
  std::string note;    ///< what else explains it, such as arithmetic in a narrower format; empty when nothing does
  std::optional<campaign::GivenResult> result;
  std::optional<Diagnosis> diagnosis;  ///< where one was asked for
};

/// The answer that results on given tensors amount to, with the reason when it is unclear.
WeightsAnswer answer_of(const campaign::GivenResult& result, std::string& reason);

/// Decides the claim and runs it on the tensors. Errors: those of campaign::run_on but expr::LimitReached, which makes the answer unclear.
WeightsCheck check_weights(const record::ClaimRecord& claim, const Given& given, std::uint64_t seed);

/// Tries single mistakes on a claim that is a bug: which of them was made? Of one that holds: which of them do the tensors not tell from it?
/// Requires: an answer other than `unclear`. Every claim that it finds was run and holds in the answer format; that it is what happened is a
/// guess.
Diagnosis diagnose(const WeightsCheck& check, const Given& given, std::uint64_t seed);

/// An expression computed from stored tensors, to be stored beside them.
struct Fold {
  std::string statement;              ///< the expression with the shapes of its tensors
  std::vector<std::int64_t> shape;
  std::vector<double> values;         ///< in float64; the file rounds them once
  std::string format;                 ///< to be stored in
  std::size_t certain = 0;            ///< entries whose bound shows that the stored number is the nearest to the exact value
  double largest_bound = 0;           ///< of float64 arithmetic, at the other entries
};
/// `text` is an expression, which may follow declarations. Errors: expr::Error for what cannot be read, what does not fit, or has no finite value,
/// also in the format of storage; expr::LimitReached.
Fold fold(const std::string& text, const Given& given);

/// One line of many: what `*` stands for, the answer, the worst ratio.
std::string line(const WeightsCheck& check);
/// As people read it: the answer alone on the first line, the verdict of the identity on the second, then a paragraph for each format.
std::string text(const WeightsCheck& check);
/// As the schema fixtures/schemas/weights.schema.json says.
Json to_json(const WeightsCheck& check, const Given& given);

}  // namespace foldproof::report
