// SPDX-License-Identifier: MIT
#include "report/weights_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "infer/is_operator.hpp"
#include "report/mistakes.hpp"
#include "report/report_json.hpp"
#include "report/tests_text.hpp"
#include "report/text.hpp"

namespace foldproof::report {

namespace {

using campaign::GivenFormat;

/// A tensor that holds only numbers of a narrower format than the one it is stored in went through that format on its way.
std::string detour_explanation(const infer::Problem& problem, const std::map<std::string, campaign::GivenTensor>& tensors, campaign::GivenOptions options) {
  for (const auto& [name, tensor] : tensors) {
    for (const char* narrower : {"bfloat16", "float16", "float32"}) {
      const auto& format = campaign::format_called(narrower);
      const auto is_held = [&](double v) { return campaign::rounded(v, format) == v; };
      if (tensor.format == narrower || !std::all_of(tensor.values.begin(), tensor.values.end(), is_held)) continue;
      auto changed = tensors;
      changed.at(name).format = narrower;
      if (campaign::run_on(problem, changed, options).formats.front().counts.beyond > 0) continue;
      return "every number of " + name + " is a " + narrower + ", though it is stored as " + tensor.format + ": with that rounding all differences are within the bound";
    }
  }
  return "";
}

/// Every case was compared, and none is beyond the bound.
bool explains(const GivenFormat& f) { return f.counts.compared() == f.counts.cases && f.counts.beyond == 0; }

/// Arithmetic in fewer digits than the answer format has is a common reason, and not a mistake of algebra.
std::string narrower_explanation(const campaign::GivenResult& result) {
  std::string names;
  const int digits = campaign::format_called(result.answer()->counts.format).arithmetic;
  for (const GivenFormat& f : result.formats) {
    const bool narrower = campaign::format_called(f.counts.format).arithmetic < digits || campaign::format_called(f.counts.format).is_narrow();
    if (narrower && &f != result.answer() && explains(f)) names += (names.empty() ? "" : ", ") + f.counts.format;
  }
  return names.empty() ? "" : "within the bound of " + names + ": rounding explains the difference if it was computed in that format, on re-rounded weights";
}

/// A tensor of few digits beside one of more: whoever adds an update to bfloat16 weights may round it to bfloat16 first. The format of fewest
/// digits among the tensors, where all differences are within its bound; empty otherwise.
std::string narrowest_that_explains(const campaign::GivenResult& result, const std::map<std::string, campaign::GivenTensor>& tensors) {
  const auto digits = [](const std::string& format) { return campaign::format_called(format).precision; };
  std::string narrowest = result.answer()->counts.format;
  for (const auto& [name, tensor] : tensors) {
    if (digits(tensor.format) < digits(narrowest)) narrowest = tensor.format;
  }
  if (narrowest == result.answer()->counts.format) return "";
  const auto row = std::find_if(result.formats.begin(), result.formats.end(), [&](const GivenFormat& f) { return f.counts.format == narrowest; });
  return row != result.formats.end() && explains(*row) ? narrowest : "";
}

/// Whether the term only puts entries elsewhere.
bool only_moves(const infer::Term& t) {
  namespace ops = expr::ops;
  if (t->kind == infer::TermKind::variable) return true;
  const bool moves = t->kind == infer::TermKind::stack || infer::is<ops::Transpose, ops::Permute, ops::Reshape, ops::Subscripts, ops::Stride, ops::Concat, ops::Vstack, ops::Stack, ops::JoinLast, ops::JoinFirst, ops::Flip, ops::FlipAxis>(t);
  return moves && std::all_of(t->args.begin(), t->args.end(), only_moves);
}
bool only_moves(const infer::Problem& problem) { return only_moves(problem.lhs) && only_moves(problem.rhs); }
/// Whether both sides hold the same stored numbers when the claim is true: nothing is computed, and nothing is converted.
bool is_copy(const infer::Problem& problem, const std::map<std::string, campaign::GivenTensor>& tensors) {
  const bool one_format = std::all_of(tensors.begin(), tensors.end(), [&](const auto& t) { return t.second.format == tensors.begin()->second.format; });
  return one_format && tensors.size() == problem.variables.size() && only_moves(problem);
}

/// The format without the limit on sizes that the answer format has shows a difference where the latter overflows.
bool overflows_and_differs(const campaign::GivenResult& result) {
  if (result.answer() == nullptr || result.answer()->counts.overflowed == 0) return false;
  return std::any_of(result.formats.begin(), result.formats.end(), [](const GivenFormat& f) { return f.counts.format == "float64" && f.counts.beyond > 0; });
}

/// "random in every case: X; sizes n = 3, 7, 16"
std::string cases_text(const campaign::GivenResult& result) {
  std::vector<std::string> parts;
  if (!result.random.empty()) parts.push_back(fmt::format("random in every case: {}", fmt::join(result.random, ", ")));
  const char* lead = "sizes ";
  for (const auto& size : result.open_sizes.empty() ? expr::DimValues() : result.open_sizes.front()) {
    std::vector<std::int64_t> values;
    for (const expr::DimValues& sizes : result.open_sizes) values.push_back(sizes.at(size.first));
    parts.push_back(fmt::format("{}{} = {}", std::exchange(lead, ""), size.first, fmt::join(values, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

double difference(const campaign::Comparison& c) { return std::abs(c.lhs - c.rhs); }

std::string paragraph(const campaign::GivenResult& result, const GivenFormat& f) {
  const Json row = to_json(f);
  const campaign::FormatResult& counts = f.counts;
  const std::string role = role_text({{"answer_format", result.answer() == nullptr ? Json(nullptr) : Json(result.answer()->counts.format)}}, row);
  std::string out = fmt::format("  {}{}: {} {}, {}{}", counts.format, role.empty() ? "" : " (" + role + ")", counts.cases, counts.cases == 1 ? "case" : "cases",
                                counts.compared() > 0 ? "worst |L-R|/bound " : "", ratio_text(row, 3));
  if (f.equal) out += ", equal bit for bit";
  if (counts.suspicious > 0) out += fmt::format(", {} suspicious", counts.suspicious);
  if (counts.beyond > 0) out += fmt::format(", {} beyond the bound", counts.beyond);
  out += "\n";
  if (counts.compared() == 0 || f.equal || &f != result.answer()) return out;
  const int digits = counts.format == "float64" ? 17 : 9;
  out += fmt::format("    at {}: {:.{}g} against {:.{}g}, difference {:.4g}, bound {:.4g}\n", f.worst.index(), f.worst.lhs, digits, f.worst.rhs, digits, difference(f.worst),
                     f.worst.lhs_bound + f.worst.rhs_bound);
  return out + "    " + counts.formula + "\n";
}

std::string text_of(const Diagnosis& diagnosis, bool bug) {
  std::string out;
  if (!bug) {  // a gain of 1, an update that is lost in the digits of the weights
    if (!diagnosis.found.empty()) out += "  these tensors do not tell the claim from others, which hold on them as well:\n";
    for (const Explanation& e : diagnosis.found) out += "    " + e.change + (e.answer == WeightsAnswer::equal ? ", bit for bit: " : ", up to rounding: ") + one_line(e.statement) + "\n";
    return out;
  }
  for (const Explanation& e : diagnosis.found) out += "  it holds " + e.change + (e.answer == WeightsAnswer::equal ? ", bit for bit: " : ", up to rounding: ") + one_line(e.statement) + "\n";
  if (diagnosis.found.empty()) out += fmt::format("  no single mistake of the {} that were tried explains it\n", diagnosis.tried);
  if (diagnosis.left > 0) out += fmt::format("  {} more mistakes were not tried\n", diagnosis.left);
  return out;
}

Json worst_json(const campaign::Comparison& c) {
  if (c.entry < 0) return nullptr;
  return {{"entry", numeric::indices_of(c.entry, c.shape)}, {"lhs", hexadecimal(c.lhs)},
          {"rhs", hexadecimal(c.rhs)},                      {"difference", hexadecimal(difference(c))},
          {"bound", hexadecimal(c.lhs_bound + c.rhs_bound)}};
}

/// Whether the name is a word of the text.
bool mentions(const std::string& text, const std::string& name) {
  const auto is_word = [&](std::size_t i) { return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_'); };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if (!(at > 0 && is_word(at - 1)) && !is_word(at + name.size())) return true;
  }
  return false;
}

/// How tensors that the claim does not declare get the shapes that they have.
struct Reading {
  std::set<std::string> inferred;  ///< tensors that are left as the claim has them
  bool literal = false;            ///< sizes are the numbers that they are: reshape(q, 6, 8) of 48 x 1
  expr::DimValues sizes;           ///< of the names that the claim declares
  std::size_t nth = 0;             ///< of the names that are equally large
};

/// The claim with the shapes that its tensors have, for those that it does not declare: an axis of size 1 is broadcast, as in NumPy, and equal
/// sizes get the same name, one that the claim declares where it can be. Nothing when there is nothing to declare, or the claim cannot be read.
std::optional<std::string> with_shapes_of(const std::string& text, const Given& given, const Reading& reading) {
  std::optional<expr::Claim> claim;
  try {
    claim = expr::parse_claim(text);
  } catch (const expr::Error&) {
    return std::nullopt;
  }
  std::set<std::string> declared_sizes;
  std::set<std::int64_t> literal_sizes;
  for (const auto& d : claim->declarations) {
    std::vector<std::string> names;
    for (const expr::Dim& axis : d.shape) {
      expr::collect_names(axis, names);
      if (axis.constant()) literal_sizes.insert(*axis.constant());
    }
    declared_sizes.insert(names.begin(), names.end());
  }
  const auto called = [&](std::int64_t size) {
    if (reading.literal) return expr::Dim(size);
    if (literal_sizes.count(size) > 0) return expr::Dim(size);
    std::vector<std::string> known;
    const expr::DimValues& sizes = reading.sizes;
    std::copy_if(declared_sizes.begin(), declared_sizes.end(), std::back_inserter(known), [&](const std::string& name) { return sizes.count(name) > 0 && sizes.at(name) == size; });
    if (!known.empty()) return expr::dim(known[std::min(reading.nth, known.size() - 1)]);
    // a name that the claim does not use
    std::string out = "n" + std::to_string(size);
    while (text.find(out) != std::string::npos) out += "_";
    return expr::dim(out);
  };
  bool any = false;
  for (const auto& [name, tensor] : given.tensors) {
    const bool declared = std::any_of(claim->declarations.begin(), claim->declarations.end(), [&variable = name](const auto& d) { return d.name == variable; });
    if (declared || reading.inferred.count(name) > 0 || !mentions(text, name)) continue;
    expr::Shape shape;
    for (const std::int64_t size : tensor.shape) shape.push_back(size == 1 ? expr::Dim(1) : called(size));
    claim->declarations.push_back({name, shape, {}});
    any = true;
  }
  for (const auto& [name, size] : reading.literal ? given.dims : expr::DimValues()) {
    if (mentions(text, name)) claim->assumptions.push_back({expr::parse_expression(name), expr::Relation::equal, expr::parse_expression(std::to_string(size)), {}});
  }
  return any ? std::optional(expr::text(*claim)) : std::nullopt;
}

/// The given sizes without those that the claim assumes to be what they are given as, which makes them no sizes of their own.
expr::DimValues sizes_left(const expr::DimValues& given, const infer::Problem& problem) {
  expr::DimValues left = given;
  std::erase_if(left, [&](const auto& size) {
    const std::string assumed = size.first + " == " + std::to_string(size.second);
    return std::any_of(problem.facts.begin(), problem.facts.end(), [&](const infer::Fact& f) { return f.kind == infer::FactKind::definition && f.text == assumed; });
  });
  return left;
}

/// Nothing where the claim cannot be read.
std::optional<infer::Problem> read(const std::string& text) {
  try {
    return infer::elaborate(expr::parse_claim(text));
  } catch (const expr::Error&) {
    return std::nullopt;
  } catch (const expr::LimitReached&) {
    return std::nullopt;
  }
}

/// The claim as it stands where it fits the tensors, else with the shapes that they have: first of those only that have another number of
/// axes than the claim gives them by itself. Where no reading fits, the first that can be read, else the claim.
std::string fitting_reading(const std::string& text, const Given& given) {
  constexpr std::size_t most_names = 4;  // declared sizes that are equally large
  const auto by_itself = read(text);
  const auto fits = [&](const infer::Problem& problem) { return campaign::fits(problem, given.tensors, sizes_left(given.dims, problem)); };
  if (by_itself && fits(*by_itself)) return text;
  std::vector<Reading> readings;
  for (const bool some : {true, false}) {
    if (some && !by_itself) continue;
    Reading reading;
    if (by_itself) reading.sizes = campaign::sizes_of(*by_itself, given.tensors);
    for (const auto& v : some ? by_itself->variables : std::vector<infer::Variable>()) {
      const auto at = given.tensors.find(v.name);
      if (at != given.tensors.end() && at->second.shape.size() == v.shape.size()) reading.inferred.insert(v.name);
    }
    for (; reading.nth < most_names; ++reading.nth) readings.push_back(reading);
  }
  readings.push_back({.inferred = {}, .literal = true, .sizes = {}});
  std::optional<std::string> first_read;
  if (by_itself) first_read = text;
  std::set<std::string> tried;
  for (const Reading& reading : readings) {
    const auto shaped = with_shapes_of(text, given, reading);
    if (!shaped || !tried.insert(*shaped).second) continue;
    const auto problem = read(*shaped);
    if (problem && fits(*problem)) return *shaped;
    if (problem && !first_read) first_read = shaped;
  }
  return first_read.value_or(text);
}

void refuse_equation(const std::string& text) {
  std::optional<expr::Claim> claim;
  try {
    claim = expr::parse_claim(text);
  } catch (const expr::Error&) {  // as it should be
    return;
  }
  expr::fail("usage", "weights fold computes an expression, and this is a statement about two", {},
             "-e '" + expr::text(claim->lhs) + "'; what it should be equal to is for weights check");
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

WeightsCheck check_weights(const record::ClaimRecord& claim, const Given& given, std::uint64_t seed) {
  WeightsCheck out;
  out.claim = claim;
  out.statement = fitting_reading(claim.text, given);
  DecideOptions how;
  how.allow_same_text = claim.allow_same_text;
  how.ask_without_assumptions = false;
  how.look_for_repair = false;
  how.seed = seed;
  out.decision = decide(out.statement, how);
  if (out.decision.verdict == Verdict::invalid) return out;
  if (!out.decision.problem || out.decision.problem->relation != expr::Relation::equal) {
    out.reason = "only equations are compared";
    return out;
  }
  campaign::GivenOptions options;
  options.seed = seed;
  options.dims = sizes_left(given.dims, *out.decision.problem);
  options.stored_results = out.decision.verdict != Verdict::proved;
  try {
    out.result = campaign::run_on(*out.decision.problem, given.tensors, options);
  } catch (const expr::LimitReached& limit) {
    out.reason = std::string("limit: ") + limit.what() + "; bind a slice";
    return out;
  }
  out.answer = answer_of(*out.result, out.reason);
  if (out.answer == WeightsAnswer::rounding && is_copy(*out.decision.problem, given.tensors)) {
    out.answer = WeightsAnswer::bug;
    out.reason = "nothing is computed here, so the entries of a copy are the same bit for bit";
  }
  if (out.answer != WeightsAnswer::bug) return out;
  if (!out.result->random_on_one_side.empty() && out.decision.verdict != Verdict::proved) {
    out.answer = WeightsAnswer::unclear;
    out.reason = fmt::format("not bound, and on one side only: {}", fmt::join(out.result->random_on_one_side, ", ")) + "; random numbers stood for what is not bound, so the difference says nothing about the stored tensors. Bind it: --bind NAME=TENSOR";
    return out;
  }
  if (const std::string narrow = only_moves(*out.decision.problem) ? "" : narrowest_that_explains(*out.result, given.tensors); !narrow.empty()) {
    out.answer = WeightsAnswer::unclear;
    out.reason = "beyond the bound of " + out.result->answer()->counts.format + ", within that of " + narrow + ", which holds some of the tensors: rounding if what is added or multiplied was rounded to " + narrow + " first, a bug if not";
    return out;
  }
  options.formats = {out.result->answer()->counts.format};
  if (options.stored_results) out.note = detour_explanation(*out.decision.problem, given.tensors, options);
  if (out.note.empty()) out.note = narrower_explanation(*out.result);
  return out;
}

Fold fold(const std::string& text, const Given& given) {
  refuse_equation(text);
  Fold out;
  out.statement = fitting_reading(text + " == 0", given);  // the language has claims only
  const infer::Problem problem = infer::elaborate(expr::parse_claim(out.statement));
  if (!std::all_of(problem.facts.begin(), problem.facts.end(), infer::is_about_sizes)) expr::fail("usage", "an expression to fold assumes nothing", {});
  const campaign::Evaluated value = campaign::evaluate_on(problem, given.tensors, sizes_left(given.dims, problem));
  out.shape = value.shape;
  out.format = value.answer_format;
  const numeric::FormatInfo& format = campaign::format_called(out.format);
  for (const campaign::SideEntry& entry : value.entries) {
    const double stored = campaign::rounded(entry.value, format);
    if (!std::isfinite(stored)) expr::fail("bind.value", "an entry of the result is too large for " + out.format, {}, "scale it, or bind tensors of a wider format");
    out.values.push_back(entry.value);
    const double low = entry.value - entry.bound * (1 + 0x1p-50), high = entry.value + entry.bound * (1 + 0x1p-50);
    const bool certain = entry.bound == 0 || (campaign::rounded(std::nextafter(low, -INFINITY), format) == stored && campaign::rounded(std::nextafter(high, INFINITY), format) == stored);
    out.certain += certain;
    if (!certain) out.largest_bound = std::max(out.largest_bound, entry.bound);
  }
  return out;
}

Diagnosis diagnose(const WeightsCheck& check, const Given& given, std::uint64_t seed) {
  constexpr std::size_t most = 400, most_others = 40;
  Diagnosis out;
  campaign::GivenOptions options;
  options.seed = seed;
  options.dims = sizes_left(given.dims, *check.decision.problem);
  options.formats = {check.result->answer()->counts.format};
  options.stored_results = true;
  const auto attempt = [&](const expr::Claim& claim, const std::map<std::string, campaign::GivenTensor>& all, const std::string& change) {
    if (out.tried == most) {
      ++out.left;
      return;
    }
    try {
      const infer::Problem problem = infer::elaborate(claim);
      const auto tensors = campaign::those_of(problem, all);  // a claim with a mistake may lack some
      if (tensors.size() < 2 || !campaign::fits(problem, tensors, options.dims)) return;
      ++out.tried;
      std::string reason;
      const WeightsAnswer answer = answer_of(campaign::run_on(problem, tensors, options), reason);
      if (answer == WeightsAnswer::equal || answer == WeightsAnswer::rounding) out.found.push_back({expr::text(claim), change, answer});
    } catch (const expr::Error&) {  // its shapes do not fit
    } catch (const expr::LimitReached&) {
    }
  };
  const expr::Claim& claim = *check.decision.claim;
  for (const Mistake& mistake : mistakes(claim)) attempt(mistake.claim, given.tensors, mistake.change);
  if (!out.found.empty() || check.answer != WeightsAnswer::bug) return out;  // what follows is less likely
  for (const Mistake& mistake : mistakes_in_numbers(claim, given.tensors, options.dims)) attempt(mistake.claim, given.tensors, mistake.change);
  if (!out.found.empty()) return out;
  for (const auto& [variable, others] : given.others) {
    out.left += others.size() - std::min(others.size(), most_others);
    for (std::size_t k = 0; k < std::min(others.size(), most_others); ++k) {
      auto tensors = given.tensors;
      try {
        tensors.at(variable) = others[k].read();
      } catch (const expr::Error&) {  // it holds infinities, say
        continue;
      }
      const auto same = [&, &name = variable](const auto& one) { return one.first != name && one.second.values == tensors.at(name).values; };
      if (std::any_of(tensors.begin(), tensors.end(), same)) continue;  // W == W explains nothing
      attempt(claim, tensors, "with the tensor " + others[k].name + " for " + variable);
    }
  }
  return out;
}

std::string line(const WeightsCheck& check) {
  std::string out = check.star + ": " + text(check.answer);
  if (check.result && check.result->answer() != nullptr) {
    const campaign::FormatResult& counts = check.result->answer()->counts;
    out += fmt::format(", {} in {}, worst |L-R|/bound {}", counts.cases == 1 ? "one case" : std::to_string(counts.cases) + " cases", counts.format, ratio_text(to_json(*check.result->answer()), 3));
  }
  return out + (check.reason.empty() ? "" : "; " + check.reason) + "\n";
}

std::string text(const WeightsCheck& check) {
  std::string out = std::string(text(check.answer)) + "\n";
  const Verdict verdict = check.decision.verdict;
  const bool holds_here = verdict != Verdict::proved && (check.answer == WeightsAnswer::equal || check.answer == WeightsAnswer::rounding);
  out += std::string("as an identity, for all weights: ") + text(verdict) + (holds_here ? "; on these it holds up to rounding" : "") + "\n";
  out += "  " + one_line(check.statement) + "\n";
  if (!check.reason.empty()) out += "  " + check.reason + "\n";
  if (!check.note.empty()) out += "  " + check.note + "\n";
  if (check.diagnosis) out += text_of(*check.diagnosis, check.answer == WeightsAnswer::bug);
  if (!check.result) return out;
  if (const std::string cases = cases_text(*check.result); !cases.empty()) out += "  " + cases + "\n";
  if (check.result->answer() != nullptr) out += paragraph(*check.result, *check.result->answer());
  for (const GivenFormat& f : check.result->formats) {
    if (&f != check.result->answer()) out += paragraph(*check.result, f);
  }
  if (const std::string left_out = left_out_text({{"left_out", check.result->left_out}}); !left_out.empty()) out += "  " + left_out + "\n";
  return out;
}

Json to_json(const WeightsCheck& check, const Given& given) {
  Json out;
  out["id"] = check.claim.id;
  if (!check.star.empty()) out["star"] = check.star;
  out["statement"] = check.statement;
  out["verdict"] = text(check.decision.verdict);
  const bool read = check.decision.verdict != Verdict::invalid;
  out["answer"] = read ? Json(text(check.answer)) : Json(nullptr);
  out["reason"] = check.reason;
  out["note"] = check.note;
  out["bound"] = Json::object();
  for (const auto& [variable, source] : given.sources) out["bound"][variable] = source;
  if (check.diagnosis) {
    out["diagnosis"] = {{"tried", check.diagnosis->tried}, {"left", check.diagnosis->left}, {"found", Json::array()}};
    for (const Explanation& e : check.diagnosis->found) out["diagnosis"]["found"].push_back({{"statement", e.statement}, {"change", e.change}, {"answer", text(e.answer)}});
  }
  out["random"] = Json::array();
  out["open_sizes"] = Json::array();
  out["answer_format"] = nullptr;
  out["formats"] = Json::array();
  out["left_out"] = Json::array();
  if (!check.result) return out;
  out["left_out"] = check.result->left_out;
  out["random"] = check.result->random;
  out["open_sizes"] = check.result->open_sizes;
  if (check.result->answer() != nullptr) out["answer_format"] = check.result->answer()->counts.format;
  for (const GivenFormat& f : check.result->formats) {
    out["formats"].push_back(to_json(f));
    out["formats"].back()["equal"] = f.equal;
    out["formats"].back()["worst"] = worst_json(f.worst);
  }
  return out;
}

}  // namespace foldproof::report
