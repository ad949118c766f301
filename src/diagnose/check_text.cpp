// SPDX-License-Identifier: MIT
#include "diagnose/check_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "campaign/sides.hpp"
#include "infer/is_operator.hpp"
#include "read/statements.hpp"
#include "report/tests_text.hpp"
#include "run/report_json.hpp"

namespace foldproof::diagnose {

namespace {

using campaign::GivenFormat;

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

/// ", all in [23, :]", in the words of NumPy; nothing where they are all over the tensor.
std::string place_text(const campaign::Comparison& c) {
  std::vector<std::string> axes;
  bool everywhere = true;
  for (std::size_t axis = 0; axis < c.first_exceeding.size(); ++axis) {
    const std::int64_t first = c.first_exceeding[axis], last = c.last_exceeding[axis];
    const bool whole = first == 0 && last + 1 == c.shape[axis];
    axes.push_back(whole ? ":" : first == last ? std::to_string(first) : fmt::format("{}:{}", first, last + 1));
    everywhere = everywhere && 2 * (last - first + 1) > c.shape[axis];
  }
  return everywhere ? "" : fmt::format(", all in [{}]", fmt::join(axes, ", "));
}

/// "equal bit for bit", as far as it is true: the signs of zeros are bits, too.
std::string equal_text(const GivenFormat& f) { return f.worst.zero_signs == 0 ? "equal bit for bit" : fmt::format("equal, though {} are 0 on one side and -0 on the other", f.worst.zero_signs); }

std::string paragraph(const campaign::GivenResult& result, const GivenFormat& f) {
  const Json row = run::to_json(f);
  const campaign::FormatResult& counts = f.counts;
  const std::string role = report::role_text({{"answer_format", result.answer() == nullptr ? Json(nullptr) : Json(result.answer()->counts.format)}}, row);
  std::string out = fmt::format("  {}{}: {} {}, {}{}", counts.format, role.empty() ? "" : " (" + role + ")", counts.cases, counts.cases == 1 ? "case" : "cases",
                                counts.compared() > 0 ? "worst |L-R|/bound " : "", f.equal && counts.compared() == 0 ? "" : report::ratio_text(row, 3));
  if (f.equal) out += (counts.compared() == 0 ? "" : ", ") + equal_text(f);
  if (counts.suspicious > 0) out += fmt::format(", {} suspicious", counts.suspicious);
  if (counts.beyond > 0) {
    if (counts.cases > 1) out += fmt::format(", {} of {} cases beyond the bound, in the worst", counts.beyond, counts.cases);
    out += fmt::format(", {} of {} entries beyond {}{}", f.worst.exceeding, f.worst.entries, counts.cases > 1 ? "it" : "the bound", place_text(f.worst));
    // No bug where fewer digits are stored: a sum in float32 that is then stored in float16 is rounded twice.
    if (role == report::more_digits) out += fmt::format("; that bound is for programs that compute in {} throughout", counts.format);
  }
  out += "\n";
  if (counts.compared() == 0 || f.equal || &f != result.answer()) return out;
  const int digits = counts.format == "float64" ? 17 : 9;
  out += fmt::format("    at {}: {:.{}g} against {:.{}g}, difference {:.4g}, bound {:.4g}\n", f.worst.index(), f.worst.lhs, digits, f.worst.rhs, digits, difference(f.worst),
                     f.worst.lhs_bound + f.worst.rhs_bound);
  return out + fmt::format("    the bound is {:.3g} for roundings of the left side + {:.3g} for those of the right, by any program in this format; --json has its formula\n", f.worst.lhs_bound, f.worst.rhs_bound);
}

std::string how_it_holds(const Explanation& e) { return e.change + (e.answer == Answer::equal ? ", bit for bit: " : ", up to rounding: ") + read::claim_line(e.statement) + "\n"; }

/// `note`: what was told of the bug already.
std::string text_of(const Diagnosis& diagnosis, bool bug, const std::string& note) {
  std::string out;
  if (!bug) {  // a gain of 1, an update that is lost in the digits of the weights
    if (!diagnosis.found.empty()) out += "  these tensors do not tell the claim from others, which hold on them as well:\n";
    for (const Explanation& e : diagnosis.found) out += "    " + how_it_holds(e);
    return out;
  }
  if (!diagnosis.observation.empty()) out += "  " + diagnosis.observation + "\n";
  for (const Explanation& e : diagnosis.found) out += "  it holds " + how_it_holds(e);
  const bool is_explained = note.find(" times the ") != std::string::npos;
  if (diagnosis.found.empty() && diagnosis.observation.empty()) out += is_explained ? fmt::format("  the {} single mistakes that were tried are none that does this\n", diagnosis.tried) : fmt::format("  no single mistake of the {} that were tried explains it\n", diagnosis.tried);
  if (diagnosis.left > 0) out += fmt::format("  {} more mistakes were not tried\n", diagnosis.left);
  return out;
}

Json worst_json(const campaign::Comparison& c) {
  if (c.entry < 0) return nullptr;
  return {{"entry", numeric::indices_of(c.entry, c.shape)}, {"lhs", campaign::hex(c.lhs)},
          {"rhs", campaign::hex(c.rhs)},                      {"difference", campaign::hex(difference(c))},
          {"bound", campaign::hex(c.lhs_bound + c.rhs_bound)}, {"entries", c.entries},
          {"differing", c.differing},                        {"exceeding", c.exceeding},
          {"first_exceeding", c.first_exceeding},            {"last_exceeding", c.last_exceeding}};
}

/// Stored tensors that are equal, of which one side holds some that the other one does not mention, M of g.T * W == M: that it is no identity says only that M
/// may be any tensor. Of `W == W.T`, of random rows and of what is proved it says something.
bool is_equal_free_result(const Check& check) {
  const auto& problem = check.decision.problem;
  if (check.answer != Answer::equal || check.decision.verdict != verdict::Verdict::refuted || !problem || !check.result || !check.result->random.empty()) return false;
  const campaign::OwnVariables own = campaign::own_variables(*problem);
  return (infer::only_moves(problem->lhs) && !own.left.empty()) || (infer::only_moves(problem->rhs) && !own.right.empty());
}

}  // namespace

std::string line(const Check& check) {
  std::string out = check.star + ": " + text(check.answer);
  if (check.result && check.result->answer() != nullptr) {
    const campaign::FormatResult& counts = check.result->answer()->counts;
    out += fmt::format(", {} in {}, worst |L-R|/bound {}", counts.cases == 1 ? "one case" : std::to_string(counts.cases) + " cases", counts.format, report::ratio_text(run::to_json(*check.result->answer()), 3));
  }
  return out + (check.reason.empty() ? "" : "; " + check.reason) + (check.note.empty() ? "" : "; " + check.note) + "\n";
}

std::string text(const Check& check) {
  std::string out = std::string(text(check.answer)) + "\n";
  const verdict::Verdict verdict = check.decision.verdict;
  const bool holds_here = verdict != verdict::Verdict::proved && (check.answer == Answer::equal || check.answer == Answer::rounding);
  if (!is_equal_free_result(check)) out += std::string("as an identity, for all weights: ") + text(verdict) + (holds_here ? "; on these it holds up to rounding" : "") + "\n";
  out += "  " + read::claim_line(check.statement, 200) + "\n";
  if (!check.reason.empty()) out += "  " + check.reason + "\n";
  // A mistake that explains it is more than what a format has room for.
  const bool is_explained = check.diagnosis && (!check.diagnosis->found.empty() || !check.diagnosis->observation.empty());
  if (!check.note.empty() && !(is_explained && check.only_has_room)) out += "  " + check.note + "\n";
  if (check.diagnosis) out += text_of(*check.diagnosis, check.answer == Answer::bug, check.note);
  if (!check.result) return out;
  if (const std::string cases = cases_text(*check.result); !cases.empty()) out += "  " + cases + "\n";
  if (check.result->answer() != nullptr) out += paragraph(*check.result, *check.result->answer());
  for (const GivenFormat& f : check.result->formats) {
    if (&f != check.result->answer()) out += paragraph(*check.result, f);
  }
  if (const std::string left_out = report::left_out_text({{"left_out", check.result->left_out}}); !left_out.empty()) out += "  " + left_out + "\n";
  return out;
}

Json to_json(const Check& check, const run::Given& given) {
  Json out;
  out["id"] = check.claim.id;
  if (!check.star.empty()) out["star"] = check.star;
  out["statement"] = check.statement;
  out["verdict"] = text(check.decision.verdict);
  out["answer"] = is_answered(check) ? Json(text(check.answer)) : Json(nullptr);
  out["reason"] = check.misfit ? check.misfit->message : check.reason;
  out["note"] = check.note;
  out["bound"] = Json::object();
  for (const auto& [variable, source] : given.sources) out["bound"][variable] = source;
  if (check.diagnosis) {
    out["diagnosis"] = {{"tried", check.diagnosis->tried}, {"left", check.diagnosis->left}, {"found", Json::array()}, {"observation", check.diagnosis->observation}};
    for (const Explanation& e : check.diagnosis->found) out["diagnosis"]["found"].push_back({{"statement", e.statement}, {"change", e.change}, {"answer", text(e.answer)}, {"differing", e.differing}});
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
    out["formats"].push_back(run::to_json(f));
    out["formats"].back()["equal"] = f.equal;
    out["formats"].back()["worst"] = worst_json(f.worst);
  }
  return out;
}

}  // namespace foldproof::diagnose
