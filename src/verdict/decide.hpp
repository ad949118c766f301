// SPDX-License-Identifier: MIT
// From the text of a claim to its verdict, with the evidence. Everything that the command line prints about a claim is in here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/diagnostic.hpp"
#include "infer/problem.hpp"
#include "kernel/check.hpp"
#include "record/claim_json.hpp"
#include "refute/refute.hpp"
#include "repair/repair.hpp"
#include "verdict/matrix_steps.hpp"

namespace foldproof::verdict {

enum class Verdict { proved, refuted, undecided, invalid };
const char* text(Verdict v);

/// The fixed list of reasons of `undecided` and `invalid`; text(...) gives the word used in JSON.
enum class Reason {
  none,
  normal_forms_differ,   ///< no proof found, and no counterexample either
  limit,                 ///< a resource bound was reached; `detail` names it
  unsupported,           ///< the prover does not reason about this construct; `detail` names it
  all_undefined,         ///< no instance tried has a value on both sides; invalid where exact arithmetic shows what has none
  diagnostic,            ///< invalid: does not parse or does not type-check
  vacuous,               ///< invalid: the assumptions contradict each other; `detail` says how
  no_instance,           ///< no instance tried satisfies the assumptions, and no contradiction between them is known
  same_text,             ///< invalid: both sides are the same text
  internal_error,        ///< a bug in foldproof, such as a proof that a counterexample contradicts; `detail` says which
};
const char* text(Reason r);

/// One assumption and what became of the claim without it.
struct AssumptionAnswer {
  std::string assumption;  ///< as written
  enum class Need { needed, not_needed, unknown } need = Need::unknown;
  std::optional<refute::Counterexample> counterexample;  ///< of the claim without it, when needed
  std::string reason = {};                               ///< where there is no counterexample: "without it the shapes do not fit"
  std::vector<std::string> defined_where = {};           ///< when not needed: where the sides have values without it, as log(x) has for positive x only
};

struct Decision {
  Verdict verdict = Verdict::undecided;
  Reason reason = Reason::none;
  std::string detail;                            ///< of the reason, or where a proof holds
  std::optional<expr::Diagnostic> diagnostic;    ///< invalid only; the span refers to the claim's text
  std::optional<expr::Claim> claim;              ///< as parsed
  std::optional<infer::Problem> problem;         ///< with shapes
  std::optional<kernel::Certificate> certificate;///< proved only; accepted by the kernel
  std::vector<std::string> derivation;           ///< proved only: what was done, for people
  std::vector<MatrixStep> steps;                 ///< proved only: the same at the level of matrices, where it was found
  std::vector<std::string> holds_where;          ///< proved only: conditions under which both sides are defined
  std::optional<refute::Counterexample> counterexample;  ///< refuted only; verified from scratch
  std::optional<expr::Claim> small_claim = {};   ///< refuted by an instance of smaller sizes only: the claim that it is one of, with names for the sizes
  std::optional<infer::Problem> small_problem = {};
  std::vector<std::string> true_when;            ///< refuted only: see verdict/true_when.hpp
  std::optional<repair::Repair> repair;          ///< refuted only: a small change that makes it true
  std::vector<AssumptionAnswer> assumptions;
  double milliseconds = 0;
};

struct DecideOptions {
  bool allow_same_text = false;
  bool ask_without_assumptions = true;
  bool look_for_repair = true;
  bool explain_refutation = true;  ///< the counterexample is made small, and thin sets are looked for on which the claim holds
  std::uint64_t seed = 1;
  bool slices_inside = false;      ///< asked for the sake of a claim whose slices lie inside their axes, so that it does not matter where others go beyond
  int names_left = 3;  ///< how often names may take the place of large sizes, in the claim and in what that leads to
};

/// Decides one claim. Never throws for bad input: that is the verdict `invalid`.
/// Throws expr::InternalError when the prover and the identity test contradict each other.
Decision decide(const std::string& claim_text, const DecideOptions& options = {});
/// The same for a claim of a file, which may be no claim, and may allow the same text on both sides.
Decision decide(const record::ClaimRecord& claim, DecideOptions options = {});

}  // namespace foldproof::verdict
