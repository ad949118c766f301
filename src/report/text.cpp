// SPDX-License-Identifier: MIT
#include "record/certificate_json.hpp"
#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "read/statements.hpp"
#include "record/words.hpp"
#include "verdict/defined_sizes.hpp"

namespace foldproof::report {

namespace {

const char* paint(verdict::Verdict verdict) {
  switch (verdict) {
    case verdict::Verdict::proved:
      return "\x1b[1;32m";
    case verdict::Verdict::refuted:
      return "\x1b[1;31m";
    case verdict::Verdict::undecided:
      return "\x1b[1;33m";
    case verdict::Verdict::invalid:
      return "\x1b[1;35m";
  }
  return "";
}

std::string headline(const record::ClaimRecord& claim, const verdict::Decision& decision, bool colour) {
  std::string word = text(decision.verdict);
  if (colour) word = paint(decision.verdict) + word + "\x1b[0m";
  std::string out = word + "  " + claim.id;
  if (!claim.title.empty()) out += "  " + record::one_line(claim.title);
  if (decision.reason != verdict::Reason::none) out += std::string("  [") + text(decision.reason) + "]";
  return out + "\n";
}

std::string indented(const std::string& text, std::size_t indent) {
  std::string out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += std::string(indent, ' ') + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out;
}

std::string list(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string out = std::string("  ") + title + ":\n";
  for (const std::string& line : lines) out += indented(line, 4);
  return out;
}

std::string sizes(const refute::Counterexample& counterexample, const expr::DimValues& defined) {
  std::string out;
  expr::DimValues all = counterexample.instance.dims;
  all.insert(defined.begin(), defined.end());
  for (const auto& [name, size] : all) out += (out.empty() ? "" : ", ") + name + " = " + std::to_string(size);
  return out;
}

/// "0.1..0.3" for the interval [0.1, 0.3], and the number that it is when it is one.
std::string interval(const std::string& text) {
  const std::size_t comma = text.find(", ");
  if (text.size() < 2 || text.front() != '[' || comma == std::string::npos) return text;
  const std::string lower = text.substr(1, comma - 1), upper = text.substr(comma + 2, text.size() - comma - 3);
  return lower == upper ? lower : lower + ".." + upper;
}
refute::TextTensor shown(refute::TextTensor tensor) {
  for (std::string& v : tensor.values) v = interval(v);
  return tensor;
}

/// lhs >= rhs is read as rhs <= lhs.
std::string reading_of(const expr::Claim& claim) {
  const bool turned = claim.relation != expr::Relation::equal && claim.lhs->span.begin > claim.rhs->span.begin;
  return turned ? "  read as " + expr::text(claim.lhs) + " " + expr::text(claim.relation) + " " + expr::text(claim.rhs) + "\n" : "";
}

std::string evidence(const refute::Counterexample& counterexample, expr::Relation relation, std::size_t indent, const expr::DimValues& defined = {}) {
  const std::string margin(indent, ' ');
  const std::string where = sizes(counterexample, defined);
  std::string out = margin + (counterexample.minimal ? "smallest counterexample" : "counterexample") + (where.empty() ? "" : " at " + where) + ", " +
                    counterexample.how + ":\n";
  for (const auto& [name, tensor] : counterexample.values) out += named(name, tensor, indent + 2);
  out += named("lhs", shown(counterexample.lhs), indent + 2) + named("rhs", shown(counterexample.rhs), indent + 2);
  if (counterexample.entry.empty()) return out;
  std::string entry;
  for (const std::int64_t i : counterexample.entry) entry += (entry.empty() ? "" : ", ") + std::to_string(i);
  return out + margin + (relation == expr::Relation::less ? "lhs is not smaller at [" : "they differ at [") + entry + "]\n";  // 1 < 1
}

std::string answers(const verdict::Decision& decision) {
  std::string out;
  for (const verdict::AssumptionAnswer& a : decision.assumptions) {
    const char* word = a.need == verdict::AssumptionAnswer::Need::needed       ? "needed"
                       : a.need == verdict::AssumptionAnswer::Need::not_needed ? "not needed"
                                                                      : "not known whether needed";
    const std::string where = fmt::format("{}", fmt::join(a.defined_where, "; "));
    out += "  assumption `" + a.assumption + "`: " + word + (where.empty() ? "" : "; without it the sides are defined only where " + where) +
           (a.need == verdict::AssumptionAnswer::Need::not_needed || a.reason.empty() ? "" : "; " + a.reason) + "\n";
    if (a.counterexample) out += evidence(*a.counterexample, decision.claim->relation, 4);
  }
  return out;
}

// A cell width that a long fraction does not push off the screen for all others.
constexpr std::size_t widest_column = 24;

/// The shapes of the tensors; a claim without any is about sizes, which are not tensors whose entries may be negative.
std::string names_text(const infer::Problem& problem) {
  if (!problem.variables.empty()) return list("shapes", {infer::shapes_text(problem)});
  if (problem.dimensions.empty()) return "";
  std::vector<std::string> replaced;
  for (const auto& [name, value] : problem.replaced_sizes) replaced.push_back(name + " = " + expr::text(value));
  return fmt::format("  about the sizes {}{}{}\n", fmt::join(problem.dimensions, ", "), replaced.empty() ? "" : ", where ", fmt::join(replaced, " and "));
}

}  // namespace

std::string aligned(const refute::TextTensor& tensor, std::size_t indent) {
  const std::string margin(indent, ' ');
  if (tensor.shape.empty()) return margin + tensor.values[0] + "\n";
  const auto columns = static_cast<std::size_t>(tensor.shape.back());
  const std::size_t rows = tensor.shape.size() > 1 ? static_cast<std::size_t>(tensor.shape[tensor.shape.size() - 2]) : 1;
  std::vector<std::size_t> widths(columns, 0);
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    widths[i % columns] = std::min(widest_column, std::max(widths[i % columns], tensor.values[i].size()));
  }
  std::string out;
  for (std::size_t begin = 0; begin < tensor.values.size(); begin += columns) {
    if (begin > 0 && (begin / columns) % rows == 0) out += margin + "--\n";
    out += margin + "[";
    for (std::size_t c = 0; c < columns; ++c) out += fmt::format("{}{:>{}}", c > 0 ? "  " : "", tensor.values[begin + c], widths[c]);
    out += "]\n";
  }
  return out;
}

std::string named(const std::string& name, const refute::TextTensor& tensor, std::size_t indent) {
  const std::string prefix = name + " = ";
  std::string body = aligned(tensor, indent + prefix.size());
  return body.replace(indent, prefix.size(), prefix);
}

std::string text(const record::ClaimRecord& claim, const verdict::Decision& decision, bool colour) {
  std::string out = headline(claim, decision, colour);
  if (claim.expect && *claim.expect != text(decision.verdict)) out += "  NOT as expected: its file expects " + record::one_line(*claim.expect, 40) + "\n";
  if (decision.diagnostic) return out;
  out += "  " + read::claim_line(claim.text, 1000) + "\n";
  if (decision.problem) out += names_text(*decision.problem);
  const bool told = decision.verdict == verdict::Verdict::invalid || decision.reason == verdict::Reason::internal_error;  // the detail is then a message
  if (!decision.detail.empty() && !told) out += "  " + record::one_line(decision.detail, 1000) + "\n";
  out += list("derivation", decision.derivation);
  out += list("both sides are defined where", decision.holds_where);
  if (decision.certificate) out += fmt::format("  certificate: {} steps, accepted by the kernel\n", record::steps(*decision.certificate));
  if (decision.counterexample) out += reading_of(*decision.claim) + evidence(*decision.counterexample, decision.claim->relation, 2, verdict::defined_sizes(*decision.problem, *decision.claim, decision.counterexample->instance.dims));
  out += list("it holds where", decision.true_when);
  out += answers(decision);
  if (decision.verdict == verdict::Verdict::refuted && !claim.nearest_true.empty()) out += "  nearest true statement: " + read::claim_line(claim.nearest_true, 1000) + "\n";
  if (decision.repair) {
    const std::string& shown = decision.repair->shown;
    out += "  nearest true statement (" + decision.repair->change + "): " + (shown.empty() ? read::claim_line(decision.repair->statement, 1000) : shown + ", behind the same steps") + "\n";
  }
  return out;
}

}  // namespace foldproof::report
