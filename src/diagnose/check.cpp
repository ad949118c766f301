// SPDX-License-Identifier: MIT
#include "diagnose/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "diagnose/common_factor.hpp"
#include "diagnose/component_factor.hpp"
#include "diagnose/diagnose.hpp"
#include "diagnose/digits_of_program.hpp"
#include "diagnose/ends_of_format.hpp"
#include "diagnose/few_rows.hpp"
#include "diagnose/fitted_reading.hpp"
#include "diagnose/larger_errors.hpp"
#include "diagnose/one_sided.hpp"
#include "diagnose/quantised.hpp"
#include "diagnose/rounded_operands.hpp"
#include "diagnose/rounded_update.hpp"
#include "diagnose/side_values.hpp"
#include "diagnose/tensor_cores.hpp"
#include "diagnose/term_factor.hpp"
#include "diagnose/written_norms.hpp"
#include "expr/build.hpp"
#include "infer/is_operator.hpp"
#include "infer/visit.hpp"
#include "read/statements.hpp"

namespace foldproof::diagnose {

namespace {

using campaign::GivenFormat;

/// How many of the given tensors stand in the one side only.
std::ptrdiff_t own_tensors(const infer::Term& side, const infer::Term& other, const run::Given& given) {
  return std::count_if(given.tensors.begin(), given.tensors.end(), [&](const auto& t) { return mentions_variable(side, t.first) && !mentions_variable(other, t.first); });
}

/// A tensor that holds only numbers of a narrower format than the one it is stored in went through that format on its way.
std::string detour_explanation(const infer::Problem& problem, const campaign::GivenTensors& tensors, campaign::GivenOptions options) {
  for (const auto& [name, tensor] : tensors) {
    if (!has_several_numbers(tensor)) continue;
    for (const char* narrower : {"float8_e5m2", "float8_e4m3", "bfloat16", "float16", "float32"}) {
      const auto& format = campaign::format_called(narrower);
      const auto is_held = [&](double v) { return campaign::rounded(v, format) == v; };
      const bool fewer_digits = tensor.format.empty() || format.precision < campaign::format_called(tensor.format).precision;
      if (!fewer_digits || !std::all_of(tensor.values.begin(), tensor.values.end(), is_held)) continue;
      auto changed = tensors;
      changed.at(name).format = narrower;
      if (campaign::run_on(problem, changed, options).formats.front().counts.beyond > 0) continue;
      return "every number of " + name + " is a " + narrower + ", though it is stored as " + tensor.format + ": with that rounding all differences are within the bound";
    }
  }
  return "";
}

/// Every case in which both sides have a value was compared, and none is beyond the bound.
bool explains(const GivenFormat& f) { return f.counts.compared() > 0 && f.counts.compared() + f.counts.discarded == f.counts.cases && f.counts.beyond == 0; }

/// The tensor that stands alone on a side, and there is the stored result; empty where there is none.
std::string stored_name(const infer::Problem& problem, const campaign::GivenTensors& tensors) {
  const infer::Term& stored = infer::only_moves(problem.rhs) ? problem.rhs : problem.lhs;
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return mentions_variable(stored, t.first); });
  return infer::only_moves(stored) && found != tensors.end() ? found->first : "";
}

/// Whether the stored numbers allow that all of them, or what they are made of, were rounded to the format on the way.
class FewerDigits {
 public:
  FewerDigits(const infer::Problem& problem, const campaign::GivenTensors& tensors, const campaign::GivenResult& result, const campaign::GivenOptions& options)
      : problem_(problem), tensors_(tensors), result_(result), options_(options), stored_(stored_name(problem, tensors)) {}

  /// The result is of numbers of the format, which has no digits that were lost again, and none that the format lacks: the last step rounds to it, too.
  bool may_hold_result(const GivenFormat& f) const {
    const auto& format = campaign::format_called(f.counts.format);
    if (stored_.empty() && format.is_narrow() && !campaign::format_called(result_.answer()->counts.format).is_narrow()) return false;
    if (!stored_.empty() && std::any_of(tensors_.at(stored_).values.begin(), tensors_.at(stored_).values.end(), [&](double v) { return campaign::rounded(v, format) != v; })) return false;
    const bool has_all = std::find(f.rerounded.begin(), f.rerounded.end(), stored_) == f.rerounded.end();
    return stored_.empty() || (has_all && campaign::format_called(f.counts.format).precision <= campaign::format_called(tensors_.at(stored_).format).precision);
  }
  /// Rounding once explains most entries of a result of 16 bits, as far as float32 sums tell: other programs of that format leave most of them elsewhere.
  bool is_mostly_rounded_once() const {
    const auto& formats = result_.formats;
    const auto single = std::find_if(formats.begin(), formats.end(), [](const GivenFormat& f) { return f.counts.format == "float32" && f.rerounded.empty() && f.counts.compared() > 0; });
    return single != formats.end() && single->counts.cases == 1 && 2 * single->worst.exceeding <= single->worst.entries;
  }
  /// Programs that round every step to the format would miss entries that are right here, whether they round operands of more digits first or not.
  bool is_excluded(const GivenFormat& f) const {
    if (!options_.stored_results) return false;
    const auto part = few_rows(problem_, tensors_, options_.dims);
    const auto& answer = campaign::format_called(result_.answer()->counts.format);
    const auto side = [&](const numeric::FormatInfo& format, campaign::Operands operands = campaign::Operands::rounded_first) { return stored_side(problem_, part ? *part : tensors_, options_.dims, format, operands); };
    const auto fine = side(answer.is_narrow() ? numeric::float32_format : answer);
    const auto is_shown = [&](campaign::Operands operands) {
      const auto coarse = fine && fine->has_many() ? side(campaign::format_called(f.counts.format), operands) : std::nullopt;
      const bool no_such_program = coarse && operands == campaign::Operands::as_stored && !coarse->is_within_bounds();
      return coarse && (no_such_program || misses(*fine, *coarse).shows_more_digits());
    };
    return is_shown(campaign::Operands::rounded_first) && (f.rerounded.empty() || is_shown(campaign::Operands::as_stored));
  }

 private:
  const infer::Problem& problem_;
  const campaign::GivenTensors& tensors_;
  const campaign::GivenResult& result_;
  const campaign::GivenOptions& options_;
  std::string stored_;
};

/// Arithmetic in fewer digits than the answer format has is a common reason, and not a mistake of algebra.
std::string narrower_explanation(const campaign::GivenResult& result, const FewerDigits& fewer) {
  std::string names;
  const int digits = campaign::format_called(result.answer()->counts.format).arithmetic;
  if (fewer.is_mostly_rounded_once()) return "";
  for (const GivenFormat& f : result.formats) {
    const bool narrower = campaign::format_called(f.counts.format).arithmetic < digits || campaign::format_called(f.counts.format).is_narrow();
    if (narrower && &f != result.answer() && explains(f) && fewer.may_hold_result(f) && !fewer.is_excluded(f)) names += (names.empty() ? "" : ", ") + f.counts.format;
  }
  return names.empty() ? "" : "the wider bound of " + names + " allows it: rounding if all of it was computed in that format, a bug if not";
}

/// A tensor of few digits beside one of more: whoever adds an update to bfloat16 weights may round it to bfloat16 first, and what was computed
/// in float16 may be stored in bfloat16. The format of most digits among those of the tensors within whose bound all differences are; empty
/// where there is none.
std::string stored_format_that_explains(const campaign::GivenResult& result, const campaign::GivenTensors& tensors, const FewerDigits& fewer) {
  const auto digits = [](const std::string& format) { return campaign::format_called(format).precision; };
  std::string found;
  for (const auto& [name, tensor] : tensors) {
    if (tensor.integers) continue;  // of every format that holds them
    const std::string format(tensor.format == numeric::bfloat16_of_float16.name ? numeric::bfloat16_format.name : tensor.format);  // as which it is stored
    if (format == result.answer()->counts.format || (!found.empty() && digits(format) <= digits(found))) continue;
    const auto row = std::find_if(result.formats.begin(), result.formats.end(), [&](const GivenFormat& f) { return f.counts.format == format; });
    if (row != result.formats.end() && explains(*row) && !fewer.is_excluded(*row)) found = format;
  }
  return found;
}

/// The arithmetic of a format that some of the tensors are stored in, where it gives the stored numbers bit for bit: that of 16 bits throughout,
/// or that of weights beside which adapters and gains of more digits were rounded first; or that of float32 for a float32 result of float64
/// tensors. Nothing where there is none, or where the stored result itself has more digits.
const GivenFormat* equal_in_stored_format(const infer::Problem& problem, const campaign::GivenResult& result, const campaign::GivenTensors& tensors) {
  const std::string stored = stored_name(problem, tensors);
  if (stored.empty()) return nullptr;  // of two computed sides coarse arithmetic swallows what differs
  for (const GivenFormat& f : result.formats) {
    const auto& format = campaign::format_called(f.counts.format);
    const auto holds = [&](const auto& tensor) {
      const auto& storage = campaign::format_called(tensor.second.format);
      return storage.precision == format.precision && storage.eta == format.eta && !tensor.second.integers;
    };
    const bool stands = &f != result.answer() && (format.is_narrow() ? std::any_of(tensors.begin(), tensors.end(), holds) : holds(*tensors.find(stored)));
    if (f.equal && stands && std::find(f.rerounded.begin(), f.rerounded.end(), stored) == f.rerounded.end()) return &f;
  }
  return nullptr;
}

/// A format that some of the tensors are stored in, of which a program that takes all tensors as they are and rounds every step gives the stored
/// numbers bit for bit; empty where there is none.
std::string format_of_steps(const infer::Problem& problem, const campaign::GivenResult& result, const campaign::GivenTensors& tensors, const campaign::GivenOptions& options) {
  const std::string stored = stored_name(problem, tensors);
  if (stored.empty() || !options.stored_results) return "";
  for (const GivenFormat& f : result.formats) {
    const auto& format = campaign::format_called(f.counts.format);
    const bool holds_some = std::any_of(tensors.begin(), tensors.end(), [&](const auto& t) { return t.second.format == f.counts.format; });
    if (!holds_some || !format.is_narrow() || f.rerounded.empty() || campaign::format_called(tensors.at(stored).format).precision > format.precision) continue;
    const auto side = stored_side(problem, tensors, options.dims, format, campaign::Operands::as_stored);
    bool equal = side.has_value();
    for (std::size_t i = 0; equal && i < side->stored.size(); ++i) equal = side->often(i) == side->stored[i];
    if (equal) return f.counts.format;
  }
  return "";
}

/// Whether one side looks like the other with its last digits cut off: everywhere nearer to 0, by less than a unit of its last place.
bool looks_cut_off(const campaign::Comparison& worst, const campaign::GivenTensors& tensors) {
  constexpr std::int64_t enough = 8;  // entries; a mistake of algebra makes some larger
  constexpr double half_units = 2.02, units = 1.5;  // the bound is half a unit and what computing adds, which may be more than that
  int digits = std::numeric_limits<double>::digits;
  for (const auto& [name, tensor] : tensors) digits = std::min(digits, static_cast<int>(campaign::format_called(tensor.format).precision));
  const double larger = std::max(std::abs(worst.lhs), std::abs(worst.rhs)), unit = larger > 0 ? std::ldexp(1.0, std::ilogb(larger) + 1 - digits) : 0;
  return worst.exceeding >= enough && worst.ratio <= half_units && std::abs(worst.lhs - worst.rhs) <= units * unit && (worst.outward[0] == 0 || worst.outward[1] == 0);
}

/// The row of more digits that shows a difference which roundings of 16-bit numbers on the way hide: there it is beyond the bound, or larger
/// in most cases than expected of independent roundings. Nothing where the tensors have more digits themselves: a fold is computed in those.
/// Nor where numbers stand that were stored, and nothing that is random: those are asked themselves.
const GivenFormat* hidden_by_rounding(const infer::Problem& problem, const campaign::GivenResult& result, const run::Given& given) {
  const bool is_stored = own_tensors(problem.lhs, problem.rhs, given) + own_tensors(problem.rhs, problem.lhs, given) > 0;
  const auto& answer = campaign::format_called(result.answer()->counts.format);
  const auto shows = [&](const GivenFormat& f) {
    const bool wider = campaign::format_called(f.counts.format).precision > answer.precision && f.rerounded.empty();
    return wider && (f.counts.beyond > 0 || 2 * f.counts.suspicious > f.counts.compared());
  };
  const auto found = std::find_if(result.formats.begin(), result.formats.end(), shows);
  return (result.random.empty() && is_stored) || answer.precision >= campaign::format_called("float32").precision || found == result.formats.end() ? nullptr : &*found;
}

std::string hidden_text(const campaign::GivenResult& result, const GivenFormat& wider) {
  const std::string random = result.random.empty() ? "" : fmt::format(" of random {}", fmt::join(result.random, ", "));
  return fmt::format("within the bound of {}, whose roundings{} hide differences, but not in {}: there {} of {} cases are beyond the bound and {} larger than expected; compare what was folded entry by entry, as in g.T * W == M",
                     result.answer()->counts.format, random, wider.counts.format, wider.counts.beyond, wider.counts.compared(), wider.counts.suspicious);
}

/// Whether neither side computes anything.
bool only_moves(const infer::Problem& problem) { return infer::only_moves(problem.lhs) && infer::only_moves(problem.rhs); }
/// Whether both sides hold the same stored numbers when the claim is true: nothing is computed, and nothing is converted.
bool is_copy(const infer::Problem& problem, const campaign::GivenTensors& tensors) {
  const bool one_format = std::all_of(tensors.begin(), tensors.end(), [&](const auto& t) { return t.second.format == tensors.begin()->second.format; });
  const bool integers = std::all_of(tensors.begin(), tensors.end(), [](const auto& t) { return t.second.integers; });
  return (one_format || integers) && tensors.size() == problem.variables.size() && only_moves(problem);
}

/// NaN and infinities: a stored result that holds one, where the other side has none, is wrong, and a copy has those of its original. About others the claim says nothing.
void answer_nonfinite(Check& check, const run::Given& given) {
  const infer::Problem& problem = *check.decision.problem;
  const auto is_tensor = [&](const infer::Term& side) { return side->kind == infer::TermKind::variable && given.tensors.count(side->name) > 0; };
  if (given.nonfinite.size() > 1 && is_tensor(problem.lhs) && is_tensor(problem.rhs) && is_copy(problem, given.tensors)) {  // a mask with minus infinity, say
    const auto &a = given.tensors.at(problem.lhs->name), &b = given.tensors.at(problem.rhs->name);
    const auto [x, y] = std::mismatch(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), [](double u, double v) { return u == v || (std::isnan(u) && std::isnan(v)); });
    check.answer = x == a.values.end() ? Answer::equal : Answer::bug;
    check.reason = x == a.values.end() ? "bit for bit, also where both hold NaN or an infinity" : fmt::format("nothing is computed here, so the entries of a copy are the same; at [{}] they are {} and {}", fmt::join(numeric::indices_of(x - a.values.begin(), a.shape), ", "), *x, *y);
    return;
  }
  for (const bool right : {true, false}) {
    const infer::Term &side = right ? problem.rhs : problem.lhs, &other = right ? problem.lhs : problem.rhs;
    const auto is_result = [&](const auto& one) { return mentions_variable(side, one.first) && !mentions_variable(other, one.first); };
    if (!std::all_of(given.nonfinite.begin(), given.nonfinite.end(), is_result) || own_tensors(side, other, given) > own_tensors(other, side, given)) continue;
    const std::string& name = given.nonfinite.begin()->first;
    const campaign::GivenTensor& tensor = given.tensors.at(name);
    const auto found = std::find_if(tensor.values.begin(), tensor.values.end(), [](double v) { return !std::isfinite(v); });
    check.answer = Answer::bug;
    check.reason = fmt::format("{} holds {} at [{}], and the {} side is made of finite numbers", name, std::isnan(*found) ? "NaN" : "an infinity", fmt::join(numeric::indices_of(found - tensor.values.begin(), tensor.shape), ", "), right ? "left" : "right");
    return;
  }
  check.misfit = given.nonfinite.begin()->second;
}

/// The stored result beside what should be in it, where the answer format holds one: how errors are spread tells what bounds have room for. Not
/// asked of sides that are equal bit for bit in some format. Bounds of long sums have room for a factor in formats of many digits, too; there,
/// and of a bug, a part of large tensors shows it.
struct Evidence {
  std::optional<StoredSide> side;
  std::optional<CommonFactor> common;
  std::optional<TermFactor> term;  ///< where there is none of all entries
  std::optional<ComponentFactor> component;  ///< where there is none of a term, either, or none that explains a bug

  bool is_found() const { return common || term || component; }
};

/// Whether a matrix is inverted on the way, whose errors all entries of the result have in common, and these may be larger than the roundings of single ones.
bool has_errors_of_inverse(const infer::Problem& problem, const StoredSide& side) {
  constexpr double few = 4;
  std::set<const infer::TermNode*> seen;
  bool inverts = false;
  const auto see = [&](const infer::Term& t) { inverts = inverts || infer::is<expr::ops::Inverse>(t); };
  for (const infer::Term& term : {problem.lhs, problem.rhs}) infer::visit_each(term, seen, see);
  std::size_t larger = 0;
  for (std::size_t i = 0; inverts && i < side.exact.size(); ++i) larger += std::abs(side.bound[i]) > few * side.storage->unit_roundoff * std::abs(side.exact[i]);
  return 2 * larger > side.exact.size();
}

Evidence evidence_of(const Check& check, const run::Given& given, const campaign::GivenOptions& options) {
  Evidence out;
  const GivenFormat* answer = check.result->answer();
  if (!options.stored_results || answer == nullptr || answer->counts.compared() == 0) return out;
  const auto& format = campaign::format_called(answer->counts.format);
  const bool equal = std::any_of(check.result->formats.begin(), check.result->formats.end(), [](const GivenFormat& f) { return f.equal; });
  if (equal) return out;
  const infer::Problem& problem = *check.decision.problem;
  const auto part = check.answer != Answer::bug && format.is_narrow() ? std::nullopt : few_rows(problem, given.tensors, options.dims);
  const campaign::GivenTensors& tensors = part ? *part : given.tensors;
  out.side = stored_side(problem, tensors, options.dims, format);
  if (out.side && has_errors_of_inverse(problem, *out.side)) out.side.reset();
  if (out.side) out.common = common_factor(*out.side);
  if (out.side && !out.common) out.term = term_factor(*check.decision.claim, tensors, options.dims, *out.side);
  const auto explains = [&](const auto& factor) { return factor && (check.answer != Answer::bug || factor->fits_far_better()); };  // a half of the ranks looks like half of the term
  if (out.side && !explains(out.common) && !explains(out.term)) out.component = component_factor(*check.decision.claim, tensors, options.dims, *out.side);
  if (check.answer == Answer::bug && out.component && !out.component->fits_far_better()) out.component.reset();  // other programs may explain more
  return out;
}

/// Of the tensors' formats the one of the fewest digits, where that are fewer than the other format has; else null.
const numeric::FormatInfo* narrowest(const campaign::GivenTensors& tensors, const numeric::FormatInfo& other) {
  const numeric::FormatInfo* out = nullptr;
  for (const auto& tensor : tensors) {
    const numeric::FormatInfo& format = campaign::format_called(tensor.second.format);
    if (format.precision < (out == nullptr ? other : *out).precision) out = &format;
  }
  return out;
}

/// The side as programs give it that accumulate in 16 bits, too. Of many entries the others miss enough, and these take their time.
std::optional<StoredSide> throughout(const Check& check, const run::Given& given, const campaign::GivenOptions& options, const StoredSide& side) {
  constexpr std::size_t few = 10'000;
  if (side.exact.size() > few) return std::nullopt;
  const auto& formats = check.result->formats;
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const GivenFormat& f) {
    const auto& format = campaign::format_called(f.counts.format);
    return format.accumulates_narrowly() && format.precision == side.format->precision;
  });
  return found == formats.end() ? std::nullopt : stored_side(*check.decision.problem, given.tensors, options.dims, campaign::format_called(found->counts.format));
}

/// An entry that only programs of fewer digits, or operands of more, may be off by, where the others show that neither was at work; empty
/// where there is none. `programs`: those of fewer digits, with the side itself.
std::string far_off(const Check& check, const run::Given& given, const campaign::GivenOptions& options, const StoredSide& side, const std::vector<const StoredSide*>& programs) {
  const infer::Problem& problem = *check.decision.problem;
  if (!may_have_far_entry(side)) return "";
  if (side.format->is_narrow()) {
    const auto fine = stored_side(problem, given.tensors, options.dims, numeric::float32_format);
    std::vector<Misses> of_programs;
    for (const StoredSide* coarse : programs) {
      const Misses& found = of_programs.emplace_back(fine ? misses(*fine, *coarse) : Misses());
      if (!found.shows_wrong_entry()) continue;
      return fmt::format("within the bound of programs that round every step to {}, but those miss what rounding the result once gives at {} of {} entries, and this result at {}, by {:.3g} times as much as that explains at [{}]",
                         coarse->format->name, found.stepwise, found.entries, found.slight + found.far, found.ratio, fmt::join(found.worst, ", "));
    }
    if (!std::all_of(of_programs.begin(), of_programs.end(), [](const Misses& m) { return m.shows_lone_entry(); })) return "";
    const Misses& lone = of_programs.front();
    return fmt::format("within the bound of programs that round every step to {}, but of {} entries all others are what rounding the result once gives, and the one at [{}] is off by {:.3g} times as much as that explains", side.format->name, lone.entries,
                       fmt::join(lone.worst, ", "), lone.ratio);
  }
  if (side.storage->is_narrow()) return "";  // its programs have other digits than those of its operands
  const numeric::FormatInfo* narrow = narrowest(given.tensors, *side.storage);
  const auto part = few_rows(problem, given.tensors, options.dims);
  const auto coarse = narrow == nullptr ? std::nullopt : stored_side(problem, part ? *part : given.tensors, options.dims, *narrow);
  const auto found = coarse ? misses(side, *coarse) : Misses();
  if (!found.shows_exact_operands()) return "";
  return fmt::format("within the bound of programs that had more digits than the {} that is stored, but {} of {} entries are what computing in {} from that gives, and the one at [{}] is off by {:.3g} times as much as this explains",
                     narrow->name, found.entries - found.slight - found.far, found.entries, side.format->name, fmt::join(found.worst, ", "), found.ratio);
}

/// An entry of a result of many digits that is off by far more than those around it: bounds of long sums have room for a wrong digit in one. Empty where there is none.
/// `whole`: the stored side, or of large tensors a part of it.
std::string lone_entry(const Check& check, const run::Given& given, const campaign::GivenOptions& options, const StoredSide& whole) {
  if (whole.storage->is_narrow()) return "";
  const infer::Problem& problem = *check.decision.problem;
  const auto& formats = check.result->formats;
  const auto fine = std::find_if(formats.begin(), formats.end(), [](const GivenFormat& f) { return f.counts.format == "float64" && f.counts.compared() > 0; });  // without errors of its own
  const campaign::Comparison& worst = fine == formats.end() ? check.result->answer()->worst : fine->worst;
  if (worst.entry < 0) return "";
  const std::vector<std::int64_t> around = numeric::indices_of(worst.entry, worst.shape);
  const auto part = few_rows(problem, given.tensors, options.dims, around);
  const auto side = part ? stored_side(problem, *part, options.dims, campaign::format_called(check.result->answer()->counts.format)) : std::optional(whole);
  const auto lone = side ? lone_error(*side) : std::nullopt;
  if (!lone) return "";
  std::vector<std::int64_t> index = numeric::indices_of(lone->entry, side->shape);
  for (std::size_t axis = 0; axis < index.size() && side->shape.size() == worst.shape.size(); ++axis) index[axis] += first_of_few(around[axis], worst.shape[axis], side->shape[axis]);
  return fmt::format("the entry at [{}] is off by {:.3g} times as much as the others are in the mean", fmt::join(index, ", "), lone->times);
}

/// That the differences are those of operands that were rounded, where they are neither a factor nor a term, nor what a single mistake explains far better: a
/// stored update that was never added may be no larger.
std::optional<std::string> operands_that_explain(const Check& check, const run::Given& given, const campaign::GivenOptions& options, const Evidence& evidence, Bounds bounds) {
  if (!options.stored_results || !check.result->random.empty() || evidence.is_found()) return std::nullopt;
  auto found = rounded_operands(*check.decision.problem, given.tensors, options.dims, bounds);
  if (found && evidence.side && moved_to_one_side(*evidence.side)) return std::nullopt;
  return found && closer_mistake(check, given, options.seed) ? std::nullopt : found;
}

/// What is within the bound and yet no rounding, or perhaps none.
void doubt(Check& check, const run::Given& given, const campaign::GivenOptions& options, const Evidence& evidence) {
  const campaign::GivenResult& result = *check.result;
  const auto& common = evidence.common;
  const auto unclear = [&](std::string reason) {
    check.answer = Answer::unclear;
    check.reason = std::move(reason);
  };
  if (check.answer == Answer::rounding && is_copy(*check.decision.problem, given.tensors)) {
    check.answer = Answer::bug;
    check.reason = "nothing is computed here, so the entries of a copy are the same bit for bit";
    return;
  }
  if (!options.stored_results) return;
  const GivenFormat* wider = check.answer == Answer::rounding || check.answer == Answer::equal ? hidden_by_rounding(*check.decision.problem, result, given) : nullptr;
  if (check.answer == Answer::equal && wider != nullptr) unclear(hidden_text(result, *wider));
  if (check.answer != Answer::rounding && !common) return;
  if (common) {
    unclear(fmt::format("{}; roundings of single entries average out and leave {:.2g} % unexplained, of which rounding the constants, or cutting digits off, explains {:.2g} % at most", common->text(), 100 * common->excess, 100 * common->constants));
    // Products of float32 on accelerators may drop digits of their factors, which is common to all entries, too.
    if (!common->may_be_rounding() && campaign::format_called(result.answer()->counts.format).is_narrow()) check.answer = Answer::bug;
  }
  if (evidence.term) unclear(evidence.term->text());
  if (evidence.component) unclear(evidence.component->text());
  if ((evidence.term && evidence.term->fits_far_better()) || (evidence.component && evidence.component->fits_far_better())) check.answer = Answer::bug;
  // What entries, rows or all of them are off by may be the roundings of operands, as where the result was computed before these were stored.
  const auto unclear_unless_operands = [&](std::string reason) {
    const auto operands = operands_that_explain(check, given, options, evidence, Bounds::kept);
    if (operands) check.note = *operands;
    if (!operands) unclear(std::move(reason));
    return !operands;
  };
  if (const auto group = evidence.is_found() || !evidence.side ? std::nullopt : group_factor(*evidence.side)) {
    const bool stands = unclear_unless_operands(fmt::format("{}; roundings of single entries average out and leave {:.2g} % unexplained, of which roundings that these entries have in common explain {:.2g} % at most{}", group->text(evidence.side->shape.size()), 100 * group->common.excess, 100 * group->common.constants, group->may_be_one_more ? ", and one more of them would explain the rest" : ""));
    if (stands && !group->may_be_one_more && evidence.side->format->is_narrow()) check.answer = Answer::bug;
  }
  if (check.answer == Answer::bug || !check.note.empty()) return;
  if (const auto closer = closer_mistake(check, given, options.seed)) {
    unclear(fmt::format("within the bound, but {} of {} entries are not the nearest stored numbers, and {} it is {}: {}", result.differing(), result.answer()->worst.entries, closer->change, closer->differing, read::claim_line(closer->statement, 200)));
  } else if (wider != nullptr) {
    unclear(hidden_text(result, *wider));
  } else if (result.misses_unit_vectors) {
    unclear("within the bounds for the random rows that were tried, but these are sums over so many entries that a wrong one may hide in them, and trying each by itself takes too long at these sizes; compare what was stored entry by entry, as in g.T * W == M, or bind a slice");
  }
  if (check.answer != Answer::rounding || !evidence.side) return;
  const auto narrow = throughout(check, given, options, *evidence.side);
  std::vector<const StoredSide*> programs{&*evidence.side};
  if (narrow) programs.push_back(&*narrow);
  if (const std::string off = far_off(check, given, options, *evidence.side, programs); !off.empty()) {
    unclear(off);
  } else if (const auto few = same_error_of_few(*evidence.side)) {
    unclear("within the bound, but " + *few);
  } else if (const std::string lone = lone_entry(check, given, options, *evidence.side); !lone.empty()) {
    unclear("within the bound, but " + lone);
  } else if (const auto side = one_sided(*evidence.side, programs)) {
    unclear("within the bound, but " + *side);
  } else if (const auto larger = larger_errors(*evidence.side)) {
    unclear_unless_operands("within the bound, but " + *larger);
  }
}

/// Other programs that give what is stored, bit for bit.
std::string other_program(const Check& check, const run::Given& given, const campaign::GivenOptions& options) {
  const infer::Problem& problem = *check.decision.problem;
  const auto added = options.stored_results && check.result->random.empty() ? added_after_rounding(problem, given.tensors, options.dims) : std::nullopt;
  if (added) return fmt::format("bit for bit what is stored when the update is {} {}{} before it is added, which is coarser than one rounding of the sum", added->operands ? "computed in" : "rounded to", added->format, added->operands ? ", of what is rounded to it first," : "");
  if (only_moves(problem)) return "";
  const GivenFormat* narrow = equal_in_stored_format(problem, *check.result, given.tensors);
  if (narrow == nullptr) {
    const std::string format = format_of_steps(problem, *check.result, given.tensors, options);
    return format.empty() ? "" : fmt::format("bit for bit what a program gives that rounds every step to {}, which holds some of the tensors", format);
  }
  const bool throughout = campaign::format_called(narrow->counts.format).accumulates_narrowly();
  return fmt::format("bit for bit what arithmetic in {}{} gives", narrow->counts.format, throughout ? " throughout" : "") +
         (narrow->rerounded.empty() ? ", which is coarser than sums in float32" : fmt::format(" with {} rounded to it first", fmt::join(narrow->rerounded, ", ")));
}

bool holds(const Check& c) { return is_answered(c) && (c.answer == Answer::equal || c.answer == Answer::rounding); }

Check answer_to(const expr::Claim& claim, const run::Given& given, std::uint64_t seed) {
  record::ClaimRecord record;
  record.text = expr::text(claim);
  return diagnose::check(record, given, seed, true);
}

/// Whether the differences are within the bound of float32 once the operands of products are rounded as TF32 does.
bool is_of_tensor_cores(const Check& check, const run::Given& given, const campaign::GivenOptions& options) {
  constexpr std::array all_ties{Ties::even, Ties::away, Ties::cut};
  constexpr double most = 0x1p15;  // of two operands each is off by 2^-11 of itself, where the bound of a product is 2^-24 of it or more
  if (check.result->answer()->counts.format != "float32" || !check.result->random.empty() || check.result->answer()->worst.ratio > most) return false;
  const infer::Problem& problem = *check.decision.problem;
  const auto explains = [&](const run::Given& stored, Ties ties) {
    const auto taken = as_tensor_cores_take(problem, stored, ties);
    return taken && holds(answer_to(*check.decision.claim, *taken, options.seed));
  };
  const auto few = few_rows(problem, given.tensors, options.dims);
  run::Given part;
  part.dims = given.dims;
  if (few) part.tensors = *few;
  return std::any_of(all_ties.begin(), all_ties.end(), [&](Ties ties) { return (!few || explains(part, ties)) && explains(given, ties); });
}

/// Whether a quantised tensor is the rounding of the other side, as far as its own claim tells; then how to ask for it, else empty.
std::string quantisation_text(const Check& check, const run::Given& given, std::uint64_t seed) {
  constexpr double usual = 0.5;  // of half a unit; roundings of many entries come near to all of it
  const auto asked = as_quantisation(*check.decision.claim, given.tensors);
  if (!asked) return "";
  const Check found = answer_to(asked->claim, given, seed);
  if (!holds(found)) return "";
  const bool fills_room = asked->with_less_room ? !holds(answer_to(*asked->with_less_room, given, seed)) : found.result->answer()->worst.ratio >= usual;
  if (!fills_room) return "";
  return fmt::format("beyond the bound of a product that was computed from {}, and within half a unit of {} in all entries: rounding if {} was rounded from the other side, which is asked by {} == {}; a bug if not", asked->tensor, asked->tensor, asked->tensor,
                     expr::text(asked->claim.lhs), expr::text(asked->claim.rhs));
}

/// What all entries have in common, or a term, that roundings to a narrower format on the way do not explain: these average out as others do. Empty where there
/// is nothing.
std::string unlike_roundings_to(const std::string& narrow, const Check& check, const run::Given& given, const campaign::GivenOptions& options) {
  const infer::Problem& problem = *check.decision.problem;
  const auto part = few_rows(problem, given.tensors, options.dims);
  const campaign::GivenTensors& tensors = part ? *part : given.tensors;
  const auto side = stored_side(problem, tensors, options.dims, campaign::format_called(narrow));
  if (!side) return "";
  const auto common = common_factor(*side);
  if (common && !common->may_be_rounding() && common->is_one_number) {
    return fmt::format("{}; roundings of operands to {} average out and leave {:.2g} % unexplained, of which rounding the constants explains {:.2g} % at most", common->text(), narrow, 100 * common->excess, 100 * common->constants);
  }
  const auto term = common ? std::nullopt : term_factor(*check.decision.claim, tensors, options.dims, *side);
  return term && term->fits_far_better() ? term->text() : "";
}

/// A stored result of norms that a program computes step by step in 16 bits.
std::optional<Check> with_steps_of_norms(const Check& check, const run::Given& given, std::uint64_t seed) {
  const bool is_stored = !stored_name(*check.decision.problem, given.tensors).empty();  // of two computed sides coarse arithmetic swallows what differs
  if (!is_stored || !campaign::format_called(check.result->answer()->counts.format).is_narrow()) return std::nullopt;
  const auto written_out = with_norms_written_out(*check.decision.claim);
  Check found = written_out ? answer_to(*written_out, given, seed) : Check();
  return written_out && holds(found) ? std::optional(std::move(found)) : std::nullopt;
}

/// That the stored result is 0 everywhere, where the other side is not: it has no digits that tell one program from another. Else empty.
std::string zeros_text(const infer::Problem& problem, const campaign::GivenTensors& tensors, const campaign::GivenResult& result) {
  const std::string stored = stored_name(problem, tensors);
  if (stored.empty() || only_moves(problem) || !result.random.empty()) return "";
  const std::vector<double>& values = tensors.at(stored).values;
  if (std::any_of(values.begin(), values.end(), [](double v) { return v != 0; })) return "";
  const campaign::Comparison& worst = result.answer()->worst;
  return fmt::format("{} is 0 everywhere, where the other side is not, as {:.3g} at {}", stored, worst.lhs == 0 ? worst.rhs : worst.lhs, worst.index());
}

/// Whether the stored number that is farthest off is 0 or the largest that its format holds: to look at all of them takes time.
bool is_at_an_end(const infer::Problem& problem, const campaign::GivenTensors& tensors, const campaign::GivenResult& result) {
  const std::string stored = stored_name(problem, tensors);
  if (stored.empty() || !result.random.empty()) return false;
  const campaign::Comparison& worst = result.answer()->worst;
  const double smaller = std::min(std::abs(worst.lhs), std::abs(worst.rhs));
  return smaller == 0 || smaller == campaign::storage(tensors.at(stored)).max_finite;
}

/// The format of 16 bits in which sums may have been added that the bound takes for sums in float32; empty where errors are larger, or in few entries, or
/// have something in common.
std::string adds_in_format(const Check& check, const run::Given& given, const campaign::GivenOptions& options, const Evidence& evidence) {
  const infer::Problem& problem = *check.decision.problem;
  if (!options.stored_results || !check.result->random.empty() || evidence.is_found() || only_moves(problem)) return "";
  const auto part = few_rows(problem, given.tensors, options.dims);
  const campaign::GivenTensors& tensors = part ? *part : given.tensors;
  const auto fine = stored_side(problem, tensors, options.dims, campaign::format_called(check.result->answer()->counts.format));
  if (!fine || group_factor(*fine)) return "";
  for (const GivenFormat& f : check.result->formats) {
    const auto& format = campaign::format_called(f.counts.format);
    if (!format.accumulates_narrowly() || format.precision != fine->storage->precision) continue;
    const auto coarse = stored_side(problem, tensors, options.dims, format);
    if (coarse && adds_narrowly(*fine, *coarse)) return std::string(fine->storage->name);
  }
  return "";
}

/// What is beyond the bound and yet no bug, or perhaps none; else what is known of it.
void explain_bug(Check& check, const run::Given& given, campaign::GivenOptions options, const Evidence& evidence) {
  const auto& common = evidence.common;
  const infer::Problem& problem = *check.decision.problem;
  const campaign::GivenResult& result = *check.result;
  const FewerDigits fewer(problem, given.tensors, result, options);
  const auto unclear = [&](std::string reason) {
    check.answer = Answer::unclear;
    check.reason = std::move(reason);
  };
  if (!result.random_on_one_side.empty() && check.decision.verdict != verdict::Verdict::proved) {
    return unclear(fmt::format("not bound, and on one side only: {}", fmt::join(result.random_on_one_side, ", ")) + "; random numbers stood for what is not bound, so the difference says nothing about the stored tensors. Bind it: --bind NAME=TENSOR");
  }
  if (check.note = zeros_text(problem, given.tensors, result); !check.note.empty()) return;
  if (options.stored_results && is_at_an_end(problem, given.tensors, result)) {
    const auto all = stored_side(problem, given.tensors, options.dims, campaign::format_called(result.answer()->counts.format));
    if (const std::string at_end = all ? ends_of_format(*all, result.answer()->worst.exceeding) : ""; !at_end.empty()) return unclear(at_end);
  }
  if (check.note = other_program(check, given, options); !check.note.empty()) {
    check.answer = Answer::rounding;
    return;
  }
  if (is_of_tensor_cores(check, given, options)) {
    check.answer = Answer::rounding;
    check.note = "within the bound of float32 when the operands of products are rounded to TF32 first, as tensor cores of GPUs do";
    return;
  }
  if (const auto operands = operands_that_explain(check, given, options, evidence, Bounds::exceeded)) {
    check.answer = Answer::rounding;
    check.note = *operands;
    return;
  }
  if (const auto moved = evidence.side && !evidence.is_found() ? moved_to_one_side(*evidence.side) : std::nullopt; moved && result.random.empty() && rounded_operands(problem, given.tensors, options.dims, Bounds::exceeded)) {
    return unclear("beyond the bound of " + result.answer()->counts.format + ", and within half a unit of every stored operand, but " + *moved);
  }
  if (const std::string narrow = only_moves(problem) ? "" : stored_format_that_explains(result, given.tensors, fewer); !narrow.empty()) {
    check.note = options.stored_results ? unlike_roundings_to(narrow, check, given, options) : "";
    if (!check.note.empty()) return;
    return unclear("beyond the bound of " + result.answer()->counts.format + ", within that of " + narrow + ", which holds some of the tensors: rounding if what is added or multiplied was rounded to " + narrow + " first, a bug if not");
  }
  if (const std::string quantised = options.stored_results ? quantisation_text(check, given, options.seed) : ""; !quantised.empty()) return unclear(quantised);
  if (const auto steps = options.stored_results ? with_steps_of_norms(check, given, options.seed) : std::nullopt) {
    const std::string& format = result.answer()->counts.format;
    if (steps->answer != Answer::equal) return unclear("beyond the bound of norms of which the result is rounded to " + format + ", within that of programs that round every step of them: rounding if these were computed step by step, a bug if not");
    check.answer = Answer::rounding;
    check.note = "bit for bit what a program gives that rounds every step of the norms to " + format;
    return;
  }
  if (looks_cut_off(result.answer()->worst, given.tensors) && (!common || common->may_be_rounding())) {
    const std::string cut = "every entry that differs is nearer to 0 on one side, by less than one unit in its last place: as if digits had been cut off there instead of rounded";
    if (!only_moves(problem)) return unclear(cut);
    check.note = cut;
    return;
  }
  if (const std::string narrow = adds_in_format(check, given, options, evidence); !narrow.empty()) {
    return unclear("beyond the bound of sums in float32, and no larger than the errors of a program that rounds every sum to " + narrow + ": rounding if parts of the sums were added in that format, or products rounded to it first, a bug if not");
  }
  options.formats = {result.answer()->counts.format};
  if (options.stored_results) check.note = detour_explanation(problem, given.tensors, options);
  if (check.note.empty() && common && common->fits_far_better() && common->is_one_number) check.note = common->text();
  if (check.note.empty() && evidence.term && evidence.term->fits_far_better()) check.note = evidence.term->text();
  if (check.note.empty() && evidence.component) check.note = evidence.component->text();
  if (!check.note.empty()) return;
  check.note = narrower_explanation(result, fewer);
  check.only_has_room = !check.note.empty();
}

/// How to ask for an inequality whose sides have values, as what np.allclose says with a tolerance: its excess is 0 everywhere. Empty where there is no such way.
std::string as_equation(const expr::Claim& claim, const run::Given& given, expr::Relation relation, const expr::DimValues& dims) {
  const bool down = relation == expr::Relation::greater || relation == expr::Relation::greater_equal;
  if (!down && relation != expr::Relation::less && relation != expr::Relation::less_equal) return "";
  const expr::Expression excess = expr::call("relu", {expr::node(expr::SyntaxKind::subtract, down ? std::vector<expr::Expression>{claim.rhs, claim.lhs} : std::vector<expr::Expression>{claim.lhs, claim.rhs})});
  try {
    if (!value_of(claim, excess, given.tensors, dims)) return "";
  } catch (const expr::LimitReached&) {
    return "";
  }
  return "; ask whether the excess is 0: " + expr::text(excess) + " == 0";
}

/// Where shapes do not fit, those of the tensors tell which binding is the wrong one.
void add_bound_shapes(expr::Diagnostic& diagnostic, const run::Given& given) {
  if (diagnostic.code.rfind("shape.", 0) != 0) return;
  std::string shapes;
  for (const auto& [name, tensor] : given.tensors) shapes += fmt::format("{}{} [{}]", shapes.empty() ? "" : ", ", name, fmt::join(tensor.shape, ", "));
  diagnostic.hint += (diagnostic.hint.empty() ? "bound are " : "; bound are ") + shapes;
}

}  // namespace

Check check(const record::ClaimRecord& claim, const run::Given& given, std::uint64_t seed, bool brief) {
  Check out;
  out.claim = claim;
  if (claim.unreadable) {
    out.decision = verdict::decide(claim);
    return out;
  }
  out.statement = fitting_reading(claim.text, given);
  verdict::DecideOptions how;
  how.allow_same_text = claim.allow_same_text;
  how.ask_without_assumptions = false;
  how.look_for_repair = false;
  how.explain_refutation = false;
  how.seed = seed;
  out.decision = verdict::decide(out.statement, how);
  if (out.decision.verdict == verdict::Verdict::invalid) {
    if (out.decision.diagnostic) add_bound_shapes(*out.decision.diagnostic, given);
    return out;
  }
  if (!out.decision.problem || out.decision.problem->relation != expr::Relation::equal) {
    out.reason = "only equations are compared" + (out.decision.problem && out.decision.claim ? as_equation(*out.decision.claim, given, out.decision.problem->relation, sizes_left(given.dims, *out.decision.problem)) : "");
    return out;
  }
  if (!given.nonfinite.empty() && campaign::fits(*out.decision.problem, given.tensors, sizes_left(given.dims, *out.decision.problem))) {
    answer_nonfinite(out, given);
    return out;
  }
  campaign::GivenOptions options;
  options.seed = seed;
  options.dims = sizes_left(given.dims, *out.decision.problem);
  options.stored_results = out.decision.verdict != verdict::Verdict::proved;
  options.brief = brief;
  try {
    out.result = campaign::run_on(*out.decision.problem, given.tensors, options);
  } catch (const expr::LimitReached& limit) {
    out.reason = std::string("limit: ") + limit.what() + "; bind a slice";
    return out;
  } catch (const expr::Error& e) {
    out.misfit = e.diagnostic();
    return out;
  }
  out.answer = answer_of(*out.result, out.reason);
  const Evidence evidence = evidence_of(out, given, options);
  out.answer == Answer::bug ? explain_bug(out, given, options, evidence) : doubt(out, given, options, evidence);
  return out;
}

}  // namespace foldproof::diagnose
