// SPDX-License-Identifier: MIT
#include "verdict/decide.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "infer/names.hpp"
#include "kernel/check.hpp"
#include "normal/normalize.hpp"
#include "prove/prove.hpp"
#include "read/parse.hpp"
#include "refute/defined.hpp"
#include "refute/existence.hpp"
#include "refute/identity_test.hpp"
#include "refute/values_by_entry.hpp"
#include "repair/finite_masks.hpp"
#include "repair/named_sizes.hpp"
#include "repair/padding.hpp"
#include "repair/places.hpp"
#include "repair/proved_by_names.hpp"
#include "repair/quick_look.hpp"
#include "repair/readings.hpp"
#include "repair/slips.hpp"
#include "repair/stated_sizes.hpp"
#include "repair/usual_reading.hpp"
#include "verdict/common_values.hpp"
#include "verdict/conditions.hpp"
#include "verdict/contradiction.hpp"
#include "verdict/cut_slices.hpp"
#include "verdict/derivation.hpp"
#include "verdict/substance.hpp"
#include "verdict/true_when.hpp"

namespace foldproof::verdict {
namespace {

/// Of the short search for a counterexample: enough for an instance that satisfies the assumptions, and for most false claims.
constexpr std::size_t few_shapes = 12;
constexpr std::size_t fewest_shapes = 1;  ///< and some with sizes that differ: where nothing is assumed and a proof is already there
constexpr int few_draws = 2;
constexpr std::size_t few_completions = 8;
constexpr int identity_trials = 2;

/// Whether the sides are where they are compared, lhs == rhs or allclose(lhs, rhs), or both what one function gives: what a method gives stands in its class.
bool stand_side_by_side(const expr::Claim& claim) {
  const expr::Span &l = claim.lhs->span, &r = claim.rhs->span;
  if (l.begin == r.begin && l.end == r.end) return repair::compares_one_text(claim);
  return l.end <= r.begin && claim.source.substr(l.end, r.begin - l.end).find_first_not_of(" \t\r\n()=,") == std::string::npos;
}
/// Spelled alike up to `ignored` characters. Two spellings of one expression, np.dot(A, B) and A @ B, say something, and so do brackets: that NumPy
/// reads -x**2 as -(x**2).
bool same_text(const expr::Claim& claim, std::string_view ignored = " \t\r\n") {
  const auto letters = [&](const expr::Expression& e) {
    std::string out;
    for (const char c : claim.source.substr(e->span.begin, e->span.end - e->span.begin)) {
      if (ignored.find(c) == std::string_view::npos) out += c;
    }
    return out;
  };
  return expr::same(claim.lhs, claim.rhs) && stand_side_by_side(claim) && letters(claim.lhs) == letters(claim.rhs);
}
std::string about_brackets(const expr::Claim& claim) {
  return same_text(claim, " \t\r\n()") ? "both sides are read as `" + expr::text(claim.lhs) + "`, with and without these brackets" : "";
}

/// Whether a part has a rank as a size, and so no values for any evaluator.
bool mentions_ranks(const infer::Term& t) {
  return std::any_of(t->shape.begin(), t->shape.end(), expr::mentions_rank) || std::any_of(t->args.begin(), t->args.end(), mentions_ranks);
}

class Decider {
 public:
  Decider(const std::string& text, const DecideOptions& options) : text_(text), options_(options) {}

  Decision run() {
    const auto start = std::chrono::steady_clock::now();
    const normal::Allowance allowance;
    try {
      if (read()) judge();
      if (decision_.verdict == Verdict::refuted && options_.look_for_repair && !named_sizes_) {
        decision_.repair = repaired();
        if (decision_.detail.empty()) decision_.detail = repair::likely_slip(*decision_.claim);
        if (decision_.detail.empty()) decision_.detail = true_as_usually_meant();
        if (const std::string masks = with_infinite_masks(); !masks.empty()) decision_.detail += (decision_.detail.empty() ? "" : "; ") + masks;
        if (decision_.detail.empty() && decision_.repair) decision_.detail = repair::reading_that_decides(*decision_.claim, *decision_.problem, decision_.repair->statement);
      }
      if (decision_.verdict == Verdict::refuted && decision_.counterexample) {
        const std::string close = repair::within_tolerances(*decision_.claim, *decision_.counterexample);
        if (!close.empty()) decision_.detail += (decision_.detail.empty() ? "" : "; ") + close;
      }
      if (decision_.verdict == Verdict::proved && options_.ask_without_assumptions && !named_sizes_) ask_without();
      if (decision_.verdict == Verdict::proved || decision_.verdict == Verdict::refuted) {
        const std::string read = repair::read_as_in_use(*decision_.claim, decision_.verdict == Verdict::refuted);
        if (!read.empty()) decision_.detail += (decision_.detail.empty() ? "" : "; ") + read;
      }
    } catch (const expr::Error& e) {
      decision_.verdict = Verdict::invalid;
      decision_.reason = Reason::diagnostic;
      decision_.detail = e.diagnostic().message;
      decision_.diagnostic = e.diagnostic();
      if (e.diagnostic().code == "shape.conflict") add_slip(decision_.diagnostic->hint);
    } catch (const expr::LimitReached& e) {
      undecided(Reason::limit, e.what());
    } catch (const std::bad_alloc&) {
      decision_ = {};
      undecided(Reason::limit, "there is not enough memory");
    } catch (const expr::InternalError& e) {  // neither side of a contradiction is chosen, and the other claims are still answered
      decision_ = {};
      undecided(Reason::internal_error, e.what());
    }
    decision_.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return std::move(decision_);
  }

 private:
  /// Parses and infers shapes. False when the verdict is already there.
  bool read() {
    decision_.claim = read::parse_claim(text_);
    if (!options_.allow_same_text && same_text(*decision_.claim)) {
      invalid(Reason::same_text, "both sides are the same text, so the claim says nothing");
      return false;
    }
    decision_.problem = infer::elaborate(*decision_.claim);
    return true;
  }
  void add_slip(std::string& hint) const {
    const std::string slip = repair::likely_slip(*decision_.claim);
    hint += (hint.empty() || slip.empty() ? "" : "; ") + slip;
  }
  void invalid(Reason reason, std::string detail) {
    decision_.verdict = Verdict::invalid;
    decision_.reason = reason;
    decision_.detail = std::move(detail);
  }
  void refuted(std::optional<refute::Counterexample> counterexample) {
    decision_.verdict = Verdict::refuted;
    decision_.counterexample = std::move(counterexample);
  }
  void undecided(Reason reason, std::string detail) {
    decision_.verdict = Verdict::undecided;
    decision_.reason = reason;
    decision_.detail = std::move(detail);
  }

  void judge() {
    const infer::Problem& problem = *decision_.problem;
    const std::int64_t largest = problem.variables.empty() ? 0 : repair::largest_size(*decision_.claim, problem);  // a claim about sizes alone is as it stands
    named_sizes_ = largest >= repair::large_size && options_.names_left > 0 && by_named_sizes();
    if (named_sizes_) return;
    if (largest > largest_searched) {
      named_sizes_ = true;
      if (auto certificate = proved_for_any_values(*decision_.claim, problem, normal::Allowance::most)) {
        accept(std::move(*certificate));
        return;
      }
      prove::Proof proof = prove::prove_shortly(*decision_.claim, problem, prove::few_steps);
      if (!proof.certificate) proof.certificate = proved_for_all_sizes(*decision_.claim, problem);  // 24 and 8, of which one is large
      if (proof.certificate) accept(std::move(*proof.certificate));
      else if (!refute_at_given_sizes(problem)) undecided(Reason::limit, in_general_.empty() ? proof.reason + "; " + refute::text(refute::End::too_large) : in_general_);
      return;
    }
    prove::Proof proof;
    try {
      proof = prove_with_small_sizes(*decision_.claim, problem);
    } catch (const expr::LimitReached& e) {  // a counterexample may still be found
      proof.limit = true;
      proof.reason = e.what();
    }
    if (proof.certificate) {
      accept(std::move(*proof.certificate));
      if (decision_.verdict == Verdict::proved && decision_.detail.empty()) decision_.detail = about_brackets(*decision_.claim);
      if (decision_.verdict == Verdict::proved && decision_.detail.empty()) decision_.detail = repair::read_as_narrow(problem);
      return;
    }
    search(proof);
  }
  /// Numbers of which none is 0, and hardly two are the same: where sizes are given, few of the instances that are searched give every divisor a value.
  std::optional<refute::Counterexample> refuted_by_dense_numbers(const infer::Problem& problem) const {
    constexpr std::uint64_t draws = 4;
    for (std::uint64_t draw = 0; draw < draws && problem.comparisons.empty(); ++draw) {
      const auto dense = repair::dense_instance(problem, false, options_.seed + draw);
      if (!dense) continue;
      try {
        if (auto found = refute::verify(problem, repair::in_eighths(*dense))) return found;
      } catch (const expr::LimitReached&) {  // other numbers may be shorter
      }
    }
    return std::nullopt;
  }
  /// Looks for a counterexample of what was not proved.
  void search(const prove::Proof& proof) {
    const infer::Problem& problem = *decision_.problem;
    const refute::Options search{.seed = options_.seed, .smallest = options_.explain_refutation};
    refute::Refutation refutation = refute::refute(problem, search);
    switch (refutation.end) {
      case refute::End::refuted:
        refuted(std::move(refutation.counterexample));
        if (options_.explain_refutation) decision_.true_when = true_when(*decision_.claim, problem, decision_.counterexample->instance.dims, search);
        decision_.detail = repair::sizes_without_shape(*decision_.claim, problem);
        if (decision_.detail.empty()) decision_.detail = repair::read_as_one_name(problem);
        return;
      case refute::End::no_instance: without_instances(false); return;
      case refute::End::undefined:
        if (!says_nothing(true)) undecided(Reason::all_undefined, "at every instance tried some side has no value");
        return;
      case refute::End::too_large:
        undecided(Reason::limit, proof.reason + "; " + refute::text(refutation.end));
        return;
      case refute::End::exhausted: {
        if (auto dense = refuted_by_dense_numbers(problem)) {
          refuted(std::move(dense));
          return;
        }
        const std::string note = repair::sizes_without_shape(*decision_.claim, problem);
        const std::string undefined = refutation.undefined > 0 ? " at which both sides have a value; at " + std::to_string(refutation.undefined) + " more a side has none" : "";
        undecided(proof.limit ? Reason::limit : Reason::normal_forms_differ,
                  proof.reason + "; the claim held at all " + std::to_string(refutation.instances - refutation.undefined) + " instances tried" + undefined + (note.empty() ? "" : ". " + note));
        return;
      }
    }
  }
  /// Of a claim that is false of the most general shapes whether it is true where what people call biases, gains and numbers are such.
  /// The verdict on another claim, and nothing else of it.
  Verdict verdict_on(const std::string& claim) const {
    DecideOptions options = options_;
    options.look_for_repair = options.ask_without_assumptions = false;
    return decide(claim, options).verdict;
  }
  std::optional<repair::Repair> repaired() const {
    const normal::Allowance of_all_edits(3 * normal::Allowance::little);
    const auto is_false = [&](const expr::Claim& claim, const infer::Problem& problem) { return wrong_in_numpy(claim, problem, conditions(problem, claim)).has_value(); };
    return repair::repair(*decision_.claim, *decision_.problem, *decision_.counterexample, {.seed = options_.seed, .is_false_in_numpy = is_false});
  }
  std::string true_as_usually_meant() const {
    for (const repair::UsualReading& reading : repair::usual_readings(*decision_.claim, *decision_.problem)) {
      if (verdict_on(reading.declarations + text_) == Verdict::proved) return reading.note + other_declarations(reading.declarations);
    }
    return {};
  }

  /// What is said of a claim whose masks are a number such as -1e9, and not infinite.
  std::string with_infinite_masks() const {
    const auto claim = repair::with_infinite_masks(*decision_.claim);
    if (!claim) return {};
    const Verdict verdict = expr::same(claim->lhs, claim->rhs) ? Verdict::proved : verdict_on(expr::text(*claim));
    if (verdict == Verdict::proved) return "with minus infinity in place of the large number of the mask the claim is proved: exp of that number is more than 0, and less than every number format holds";
    return verdict == Verdict::refuted ? "with minus infinity in place of the large number of the mask the claim is refuted, too: the mask is not all that differs" : "";
  }

  /// ", or b: [1, d]": what the nearest true statement declares instead, where it has the same formula.
  std::string other_declarations(const std::string& declarations) const {
    if (!decision_.repair) return {};
    const expr::Claim repaired = read::parse_claim(decision_.repair->statement);
    expr::Claim same = *decision_.claim;
    same.declarations = repaired.declarations;
    const std::string others = repair::new_declarations(repaired, *decision_.claim);
    return others.empty() || expr::text(same) != expr::text(repaired) || others + "; " == declarations ? "" : ", or " + others;
  }

  /// The verdict when the search found no instance that satisfies the assumptions.
  void without_instances(bool proved) {
    auto why = contradiction(*decision_.claim, *decision_.problem);
    if (!why) {
      const Substance found = substance(*decision_.claim, *decision_.problem, options_.seed);
      if (found.contradiction) why = found.names + *found.contradiction;
    }
    if (why) {
      invalid(Reason::vacuous, "no instance satisfies the assumptions: " + *why);
      return;
    }
    const std::string start = proved ? "there is a proof, but no instance was found" : "no instance was found";
    undecided(Reason::no_instance, start + " that satisfies the assumptions, and nothing shows that they contradict each other");
  }
  refute::Refutation quickly_refuted(const infer::Problem& problem, std::size_t shapes = few_shapes, int draws = few_draws) const {
    return refute::refute(problem, {.seed = options_.seed, .shapes = shapes, .draws = draws, .further = false, .smallest = false, .completions = few_completions});
  }

  static bool seems_false(const infer::Problem& problem) { return repair::seems_false(problem); }

  /// A short search for a proof, a short one for a counterexample, and only when that finds none what `else_try` finds and the long ones for a proof.
  prove::Proof prove_unless_refuted(const expr::Claim& claim, const infer::Problem& problem, const std::function<std::optional<kernel::Certificate>()>& else_try = {}) const {
    prove::Proof proof = prove::prove_shortly(claim, problem, prove::few_steps, seems_false);
    if (proof.certificate) return proof;
    const refute::End quick = quickly_refuted(problem).end;
    if (quick == refute::End::refuted) return proof;
    if (else_try) proof.certificate = else_try();
    if (proof.certificate || quick == refute::End::undefined) return proof;  // a claim about values that are nowhere is worth no long search
    const bool limit_on_the_way = proof.limit_on_the_way && !proof.limit;
    proof = proof.limit ? prove::prove(claim, problem, seems_false) : prove::prove(problem);
    if (limit_on_the_way && !proof.certificate) proof = prove::prove_shortly(claim, problem, prove::more_steps, seems_false);
    if (!proof.certificate) proof.certificate = prove::prove_by_products(claim, problem, seems_false);
    return proof;
  }

  /// Claims about large fixed sizes, 768 or 64: the claim with names for them is decided. A proof of it is one of this claim, and a counterexample,
  /// padded with zeros, is verified at the sizes of the claim. False when neither is found, with what was.
  bool by_named_sizes() {
    std::vector<repair::NamedSizes> ways = repair::with_named_sizes(*decision_.claim, *decision_.problem);
    if (by_named_sizes(ways, normal::Allowance::some)) return true;
    return !ways.empty() && (refute_at_given_sizes(*decision_.problem) || by_named_sizes(ways, normal::Allowance::most));
  }
  /// Within that limit; `ways` are left that need more.
  bool by_named_sizes(std::vector<repair::NamedSizes>& ways, std::size_t limit) {
    for (const repair::NamedSizes& named : std::exchange(ways, {})) {
      const normal::Allowance allowance(limit);
      DecideOptions options = options_;
      --options.names_left;
      options.slices_inside = true;
      Decision general = decide(expr::text(named.claim), options);
      if (general.reason == Reason::limit) ways.push_back(named);
      if (general.verdict == Verdict::proved && accept_sized(named, general)) return true;
      if (general.verdict != Verdict::refuted) continue;
      if (refute_padded(named, general)) return true;
      if (in_general_.empty()) in_general_ = "with names for the sizes (" + text(named) + ") the claim is refuted at small ones; at these no counterexample could be shown. Decide " + expr::text(named.claim.lhs) + " " + expr::text(named.claim.relation) + " " + expr::text(named.claim.rhs);
    }
    return false;
  }
  /// What depends on the places of single entries, as in x.reshape(n, 4, 16)[:, 3, 15] == x[:, 62], fails in another way at other sizes.
  bool refute_at_given_sizes(const infer::Problem& problem) {
    refute::Refutation refutation = refute::refute(problem, {.seed = options_.seed, .shapes = given_shapes, .draws = given_draws});
    if (refutation.end == refute::End::refuted) refuted(std::move(refutation.counterexample));
    return refutation.end == refute::End::refuted;
  }
  /// x: [2, 3] is looked at as x: [n, d]: of three columns everything is written out, of d nothing is.
  std::optional<kernel::Certificate> proved_for_all_sizes(const expr::Claim& claim, const infer::Problem& problem) const {
    return repair::proved_by_names(claim, repair::with_small_sizes_named(claim, problem), [&](const expr::Claim& named, const infer::Problem& general) { return prove_unless_refuted(named, general); });
  }
  /// Of a program that takes tensors apart into heads or blocks of some numbers, the one of blocks of any size: a short look at it first, as it is shorter.
  std::optional<kernel::Certificate> proved_in_blocks(const expr::Claim& claim, const infer::Problem& problem) const {
    return repair::proved_by_names(claim, repair::with_blocks_named(claim, problem), [&](const expr::Claim& named, const infer::Problem& general) {
      prove::Proof proof = prove::prove_shortly(named, general, prove::few_steps, seems_false);
      if (proof.certificate || quickly_refuted(general).end == refute::End::refuted) return proof;
      return prove::prove_shortly(named, general, prove::more_steps, seems_false);
    });
  }
  prove::Proof prove_with_small_sizes(const expr::Claim& claim, const infer::Problem& problem) const {
    if (auto certificate = proved_in_blocks(claim, problem)) return {.certificate = std::move(certificate), .reason = ""};
    return prove_unless_refuted(claim, problem, [&] {
      auto certificate = proved_for_any_values(claim, problem, normal::Allowance::little);
      return certificate ? std::move(certificate) : proved_for_all_sizes(claim, problem);
    });
  }
  /// The proof of a claim by that of the one with any tensors in the place of what both sides are made of, if `prover` finds one.
  static std::optional<kernel::Certificate> forgetful(const expr::Claim& claim, const infer::Problem& problem, std::size_t limit, const repair::Prover& prover) {
    kernel::Certificate certificate;
    certificate.reduction = {kernel::ReductionKind::forget, common_values(claim, problem)};
    if (certificate.reduction.text.empty()) return std::nullopt;
    const normal::Allowance allowance(limit);
    try {
      const expr::Claim any = kernel::reduce(claim, problem, certificate.reduction)[0];
      const infer::Problem of_any = infer::elaborate(any);
      if (seems_false(of_any)) return std::nullopt;
      prove::Proof proof = prover(any, of_any);
      if (!proof.certificate) return std::nullopt;
      certificate.parts.push_back(std::move(*proof.certificate));
      return kernel::check(claim, certificate).accepted ? std::optional(std::move(certificate)) : std::nullopt;
    } catch (const kernel::Reject&) {  // one may be infinite somewhere
    } catch (const expr::Error&) {
    } catch (const expr::LimitReached&) {
    }
    return std::nullopt;
  }
  /// Such a proof with names for the sizes, which these tensors have then, or which they had before.
  std::optional<kernel::Certificate> proved_for_any_values(const expr::Claim& claim, const infer::Problem& problem, std::size_t limit) const {
    const repair::Prover prover = [&](const expr::Claim& any, const infer::Problem& of_any) { return prove_unless_refuted(any, of_any); };
    auto certificate = forgetful(claim, problem, limit, [&](const expr::Claim& any, const infer::Problem& of_any) -> prove::Proof {
      if (auto named = repair::proved_by_names(any, repair::with_named_sizes(any, of_any), prover)) return {.certificate = std::move(named), .reason = ""};
      return prove_with_small_sizes(any, of_any);
    });
    if (certificate || common_values(claim, problem).empty()) return certificate;
    return repair::proved_by_names(claim, repair::with_small_sizes_named(claim, problem), [&](const expr::Claim& named, const infer::Problem& general) -> prove::Proof { return {.certificate = forgetful(named, general, limit, prover), .reason = ""}; });
  }
  bool accept_sized(const repair::NamedSizes& named, Decision& general) {
    auto accepted = repair::sized(*decision_.claim, named, std::move(*general.certificate));
    if (!accepted) return false;
    const infer::Problem& problem = *decision_.problem;
    if (depends_on_sizes(problem) && says_nothing(false)) return true;  // at these
    kernel::Certificate& certificate = *accepted;
    decision_.verdict = Verdict::proved;
    if (!general.holds_where.empty()) decision_.holds_where = conditions(problem, *decision_.claim).sentences;  // in the words of this claim
    decision_.assumptions = std::move(general.assumptions);
    decision_.detail = std::move(general.detail);
    decision_.derivation = derive(*decision_.claim, *decision_.problem, certificate);
    decision_.certificate = std::move(certificate);
    return true;
  }
  /// "[0, 3]"
  static std::string at(const std::vector<std::int64_t>& entry) {
    std::string places;
    for (const std::int64_t place : entry) places += (places.empty() ? "[" : ", ") + std::to_string(place);
    return places.empty() ? "" : places + "]";
  }
  bool refute_padded(const repair::NamedSizes& named, Decision& general) {
    refute::Counterexample small = *general.counterexample;
    for (const auto& [name, size] : general.problem->replaced_sizes) small.instance.dims.emplace(name, expr::evaluate(size, small.instance.dims));  // d that is 2*q there
    for (const repair::Padding padding : {repair::Padding{}, {.identity = true}, {.turned = true}, {.filled = true}, {.repeated = true}, {.last = true}}) {
      try {
        const auto difference = repair::refuted_padded(*decision_.problem, named, small, padding, padded_entries_);
        if (!difference) continue;
        refuted(std::move(general.counterexample));
        decision_.counterexample->minimal = false;
        decision_.small_claim = std::move(general.claim);
        decision_.small_problem = std::move(general.problem);
        decision_.true_when = std::move(general.true_when);
        decision_.repair = std::move(general.repair);
        decision_.detail = "shown with smaller sizes (" + text(named) + "); padded with " + (padding.filled ? "ones" : "zeros") + (padding.identity ? " and ones on the diagonal" : padding.repeated ? " and its rows again and again" : "") + " to the sizes of the claim it refutes the claim: there lhs" + at(difference->entry) + " is " + difference->lhs + ", and rhs" + at(difference->entry) + " is " + difference->rhs;
        return true;
      } catch (const expr::LimitReached&) {  // too many entries are needed
      }
    }
    return false;
  }

  /// Both sides may be multiplied by what is zero everywhere, and a claim about the empty set is true: neither is worth a proof.
  /// True, with the verdict, when nothing but the empty set was found where both sides have values. `searched`: the search for a
  /// counterexample has found the same, by other instances.
  bool says_nothing(bool searched) {
    const infer::Problem& problem = *decision_.problem;
    const auto [found, contradicted, names] = substance(*decision_.claim, problem, options_.seed);
    if (contradicted) {
      invalid(Reason::vacuous, "no instance satisfies the assumptions: " + names + *contradicted);
      return true;
    }
    const bool has_ranks = !problem.ranks.empty() || mentions_ranks(problem.lhs) || mentions_ranks(problem.rhs);
    if (found.answer == refute::Definedness::Answer::unknown && !searched && !has_ranks) {
      if (repair::largest_size(*decision_.claim, problem) > 1) {
        undecided(problem.facts.empty() ? Reason::all_undefined : Reason::no_instance, "there is a proof, but no instance was found that " + std::string(problem.facts.empty() ? "has values on both sides" : "satisfies the assumptions"));
        return true;
      }
      const auto refutation = refute::refute(problem, {.seed = options_.seed});
      if (refutation.shapes == 0 && refutation.empty_shapes > 0) {
        undecided(Reason::all_undefined, "there is a proof, but at all sizes tried some part selects nothing");
        return true;
      }
    }
    if (found.answer != refute::Definedness::Answer::nowhere) return false;
    if (!searched) {
      const refute::End end = refute::refute(problem, {.seed = options_.seed}).end;  // takes its time
      if (end != refute::End::undefined && end != refute::End::too_large) return false;
    }
    const std::string why = "no instance was found at which both sides have a value; " + names + no_value(*found.smallest);
    if (refute::has_values_by_entry(problem, options_.seed)) {
      undecided(Reason::all_undefined, why + ", where NumPy has nan; both sides have values without the entries that they leave out, and of such parts nothing is decided");
    } else if (may_have_values(*decision_.claim, problem)) {
      undecided(Reason::all_undefined, why);
    } else {
      invalid(Reason::all_undefined, why);
    }
    return true;
  }
  /// "at n = 1 `1 / (x - x)` has none: division by zero".
  std::string no_value(const refute::NoValue& what) const {
    std::string sizes;
    for (const auto& [name, size] : what.dims) sizes += (sizes.empty() ? "at " : ", ") + name + " = " + std::to_string(size);
    return sizes + (sizes.empty() ? "" : " ") + quoted(*what.part, *decision_.claim, "a part of it") + " has none: " + what.cause;
  }

  /// A certificate that the kernel accepted becomes a verdict when the second route does not contradict it.
  void accept(kernel::Certificate certificate) {
    const infer::Problem& problem = *decision_.problem;
    const auto identity = problem.relation == expr::Relation::equal ? refute::identity_test(problem, options_.seed, identity_trials) : refute::Identity::not_applicable;
    const auto nothing_satisfies = [&](refute::End end) { return end == refute::End::no_instance && !refute::satisfied_somewhere(problem, options_.seed); };
    if (identity == refute::Identity::different) {
      if (!problem.facts.empty() && nothing_satisfies(refute::refute(problem, {.seed = options_.seed}).end)) return without_instances(true);  // of abs(x) < 0 anything follows
      throw expr::InternalError("the kernel accepts a proof that the identity test refutes; claim:\n" + text_);
    }
    const bool tested = identity == refute::Identity::equal;
    bool has_values = !refute::may_be_undefined(problem);
    if (!tested || !problem.facts.empty()) {
      const bool assumed = !problem.facts.empty();
      auto refutation = quickly_refuted(problem, assumed ? few_shapes : fewest_shapes, assumed ? few_draws : 1);
      if (refutation.end == refute::End::no_instance) refutation = refute::refute(problem, {.seed = options_.seed});
      if (refutation.end == refute::End::refuted) throw expr::InternalError("the kernel accepts a proof of a claim that has a counterexample; claim:\n" + text_);
      if (nothing_satisfies(refutation.end)) return without_instances(true);
      has_values = refutation.end == refute::End::exhausted || (has_values && refutation.end != refute::End::undefined && refutation.end != refute::End::too_large);
    }
    if (!has_values && says_nothing(false)) return;
    Conditions defined = conditions(problem, *decision_.claim);
    if (defined.nowhere) {
      invalid(Reason::all_undefined, std::move(*defined.nowhere));
      return;
    }
    if (auto wrong = wrong_in_numpy(*decision_.claim, problem, defined)) throw expr::Error(std::move(*wrong));
    if (!defined.sentences.empty() && means_one_size(defined.sentences)) return;
    decision_.verdict = Verdict::proved;
    decision_.holds_where = std::move(defined.sentences);
    decision_.derivation = derive(*decision_.claim, problem, certificate);
    decision_.steps = matrix_steps(*decision_.claim, problem);
    decision_.certificate = std::move(certificate);
  }

  /// See verdict/cut_slices.hpp. What is defined everywhere has no slice that NumPy cuts off.
  std::optional<expr::Diagnostic> wrong_in_numpy(const expr::Claim& claim, const infer::Problem& problem, const Conditions& defined) const {
    const auto is_refuted = [&](const infer::Problem& p) { return quickly_refuted(p).end == refute::End::refuted; };
    if (options_.slices_inside) return std::nullopt;
    auto wrong = defined.sentences.empty() ? std::nullopt : false_in_numpy(claim, problem, is_refuted);
    return wrong ? wrong : false_without_entries(problem, options_.seed);
  }

  /// tril(ones(n, n)) / triu(ones(n, n)) has a value only where n is 1: who writes n does not mean this one size. True, with the
  /// verdict, for such claims; `where` gets what only seems to be so.
  bool means_one_size(std::vector<std::string>& where) {
    for (const std::string& size : decision_.problem->dimensions) {
      if (expr::is_rank(size)) continue;
      expr::Claim larger = *decision_.claim;
      larger.assumptions.push_back({repair::named(size), expr::Relation::greater_equal, repair::number(2), {}});
      try {
        const infer::Problem problem = infer::elaborate(larger);
        const auto found = refute::defined_somewhere(problem, options_.seed);
        if (found.answer != refute::Definedness::Answer::nowhere) continue;
        if (!refute::has_values_by_entry(problem, options_.seed) && !may_have_values(larger, problem)) {
          invalid(Reason::all_undefined, "no instance with " + size + " >= 2 was found at which both sides have a value; " + no_value(*found.smallest) + "; for the one size that is left write: assume " + size + " == 1");
          return true;
        }
        where.push_back(size + " is 1: no instance with a larger " + size + " was found at which both sides have a value");
      } catch (const expr::Error&) {  // the assumptions allow no other size
      } catch (const expr::LimitReached&) {
      }
    }
    return false;
  }

  /// The claim once more without each assumption: needed, with the counterexample that shows it, or not.
  void ask_without() {
    for (std::size_t k = 0; k < decision_.claim->assumptions.size(); ++k) {
      expr::Claim weaker = *decision_.claim;
      weaker.assumptions.erase(weaker.assumptions.begin() + static_cast<std::ptrdiff_t>(k));
      AssumptionAnswer answer;
      answer.assumption = expr::text(decision_.claim->assumptions[k]);
      try {
        ask(weaker, answer, repair::given_size(*decision_.problem, decision_.claim->assumptions[k]).has_value());
      } catch (const expr::Error& e) {  // the claim without it has no instance that could show this
        answer.need = AssumptionAnswer::Need::needed;
        answer.reason = e.diagnostic().code.rfind("shape.", 0) == 0 ? "without it the shapes do not fit" : "without it " + e.diagnostic().message;
      } catch (const expr::LimitReached& limit) {
        answer.need = AssumptionAnswer::Need::unknown;
        answer.reason = std::string("limit: ") + limit.what();
      }
      decision_.assumptions.push_back(std::move(answer));
    }
  }
  /// `shortly`: the T == 8 of a program that begins with T = 8 is worth no long search.
  void ask(const expr::Claim& weaker, AssumptionAnswer& answer, bool shortly) const {
    const infer::Problem problem = infer::elaborate(weaker);
    const auto is_proved = [&] {
      if (!shortly) return prove_with_small_sizes(weaker, problem).certificate.has_value();
      const normal::Allowance little(normal::Allowance::little);
      try {
        return proved_in_blocks(weaker, problem) || prove::prove_shortly(weaker, problem, prove::few_steps, seems_false).certificate;
      } catch (const expr::LimitReached&) {  // a counterexample may still show that it is needed
        return false;
      }
    };
    if (is_proved()) {
      Conditions defined = conditions(problem, weaker);
      if (const auto wrong = wrong_in_numpy(weaker, problem, defined)) {
        answer.need = AssumptionAnswer::Need::needed;
        answer.reason = "without it " + wrong->message;
        return;
      }
      answer.need = AssumptionAnswer::Need::not_needed;
      answer.reason = "the claim is proved without it";
      for (std::string& where : defined.sentences) {
        const auto& known = decision_.holds_where;
        if (std::find(known.begin(), known.end(), where) == known.end()) answer.defined_where.push_back(std::move(where));
      }
      return;
    }
    auto refutation = shortly ? quickly_refuted(problem) : refute::refute(problem, {.seed = options_.seed});
    if (refutation.end == refute::End::refuted) {
      answer.need = AssumptionAnswer::Need::needed;
      answer.counterexample = std::move(refutation.counterexample);
    } else {
      answer.reason = "without it neither a proof nor a counterexample was found";
    }
  }

  static constexpr std::size_t given_shapes = 4;
  static constexpr int given_draws = 4;
  static constexpr std::int64_t largest_searched = 16;  // instances of larger sizes take too long

  const std::string& text_;
  DecideOptions options_;
  bool named_sizes_ = false;  ///< the answer is that of a claim with names for the sizes
  std::int64_t padded_entries_ = 30'000'000;  ///< that may be computed beyond those of one try, in all: about ten seconds
  std::string in_general_;    ///< what became of such a claim
  Decision decision_;
};

}  // namespace

const char* text(Verdict v) {
  switch (v) {
    case Verdict::proved: return "proved";
    case Verdict::refuted: return "refuted";
    case Verdict::undecided: return "undecided";
    case Verdict::invalid: return "invalid";
  }
  return "?";
}

const char* text(Reason r) {
  switch (r) {
    case Reason::none: return "";
    case Reason::normal_forms_differ: return "normal-forms-differ";
    case Reason::limit: return "limit";
    case Reason::unsupported: return "unsupported";
    case Reason::all_undefined: return "all-undefined";
    case Reason::diagnostic: return "diagnostic";
    case Reason::vacuous: return "vacuous";
    case Reason::no_instance: return "no-instance";
    case Reason::same_text: return "same-text";
    case Reason::internal_error: return "internal-error";
  }
  return "?";
}

Decision decide(const std::string& claim_text, const DecideOptions& options) { return Decider(claim_text, options).run(); }

Decision decide(const record::ClaimRecord& claim, DecideOptions options) {
  if (claim.unreadable) {
    Decision decision;
    decision.verdict = Verdict::invalid;
    decision.reason = Reason::diagnostic;
    decision.detail = claim.unreadable->message;
    decision.diagnostic = claim.unreadable;
    return decision;
  }
  options.allow_same_text = claim.allow_same_text;
  return decide(claim.text, options);
}

}  // namespace foldproof::verdict
