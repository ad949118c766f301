// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "read/statements.hpp"
#include "report/explain.hpp"
#include "report/text.hpp"
#include "run/hazards.hpp"

namespace foldproof::report {

namespace {

std::string example(const Example& e, std::size_t indent) {
  std::string out;
  for (const NamedTensor& t : e.values) out += named(t.name, t.value, indent);
  out += named("lhs", e.lhs, indent) + named("rhs", e.rhs, indent);
  if (e.how == "interval") out += std::string(indent, ' ') + "(intervals that contain the real values, and do not meet)\n";
  return out;
}

std::string where(const Example& e) { return e.sizes.empty() ? "" : " at " + e.sizes; }

std::string evidence(const Card& card) {
  std::string out;
  if (card.verdict == "proved") {
    out = "\nProved for all sizes and all real numbers. Certificate: " + card.certificate.substr(0, card.certificate.find(',')) + ", accepted by the kernel.\n";
    out += steps_text(card, 2);
    if (card.steps.empty()) {
      for (const std::string& line : card.derivation) out += "  " + line + "\n";
    }
  }
  if (card.counterexample) {
    const Example& e = *card.counterexample;
    out += std::string("\n") + (e.smallest ? "Smallest counterexample" : "Counterexample") + where(e) + ":\n" + example(e, 2);
  }
  return out + (card.detail.empty() ? "" : "\n" + wrapped(card.detail));
}

std::string limits(const Card& card) {
  if (!has_limits(card)) return "";
  std::string out = std::string("\n") + limits_title(card) + ":\n";
  for (const CardAssumption& a : card.assumptions) {
    out += "  assumption `" + a.text + "`: " + a.need + (a.example ? "; without it" + where(*a.example) + ":" : "") + "\n";
    if (a.example) out += example(*a.example, 4);
  }
  for (const std::string& line : card.holds_where) out += wrapped("it is meant where " + line, 2);
  for (const std::string& line : card.true_when) out += wrapped("it holds where " + line, 2);
  return out;
}

std::string hazards(const Card& card) {
  if (card.hazards.empty()) return "";
  std::string out = std::string("\n") + run::hazards_title + ":\n";
  for (const std::string& hazard : card.hazards) out += "  " + hazard + "\n";
  return out;
}

std::string quantity(const std::string& formula, const std::optional<std::int64_t>& value) {
  const std::string number = value ? std::to_string(*value) : "";
  return number.empty() || number == formula ? formula : number + " = " + formula;
}

std::string costs(const Card& card) {
  if (!card.cost) return "";
  std::string out = "\nCost (" + (card.cost->sizes.empty() ? "" : card.cost->sizes + "; ") + "data: " + card.cost->data + "):\n";
  for (const CostRow& row : card.cost->rows) {
    const std::string against = compared(row);
    out += fmt::format("  {:<14} left  {}\n  {:<14} right {}{}\n", row.what, quantity(row.lhs, row.lhs_value), "", quantity(row.rhs, row.rhs_value),
                       against.empty() ? "" : "  (" + against + ")");
    if (row.when.rfind("when", 0) == 0) out += fmt::format("  {:<14} right is fewer {}\n", "", row.when);
  }
  return out;
}

std::string labelled(const char* label, const std::string& text) { return text.empty() ? "" : "\n" + wrapped(label + text); }

std::string nearest(const Card& card) {
  if (card.nearest_true.empty()) return "";
  const std::string verdict = card.nearest_true_verdict.empty() ? "" : " (" + card.nearest_true_verdict + ")";
  return "\nNearest true statement" + verdict + (card.nearest_true_id.empty() ? "" : ", card " + card.nearest_true_id) + ":\n  " + read::claim_line(card.nearest_true, 2000) + "\n";
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t indent, const std::string& lead) {
  constexpr std::size_t width = 100;
  std::string margin = lead.empty() ? std::string(indent, ' ') : lead;
  std::istringstream words(text);
  std::string out;
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) {
      out += margin + line + "\n";
      margin = std::string(indent, ' ');
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? out : out + margin + line + "\n";
}

const char* limits_title(const Card& card) { return card.verdict == "refuted" ? "Where it is true all the same" : "When it stops being true"; }

std::string steps_text(const Card& card, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string out;
  for (const verdict::MatrixStep& step : card.steps) {
    out += margin + (step.law.empty() ? "  " : "= ") + step.text + "\n";
    if (!step.law.empty()) out += margin + "  " + std::string(step.begin, ' ') + std::string(step.end - step.begin, '^') + "  " + step.law + "\n";
  }
  return out;
}

bool has_limits(const Card& card) { return !card.assumptions.empty() || !card.holds_where.empty() || !card.true_when.empty(); }

std::string explain_text(const Card& card) {
  std::string out = card.answer + "\n";
  if (!card.unexpected.empty()) out += "(its file expects: " + card.unexpected + ")\n";
  out += card.why.empty() ? "" : "\n" + wrapped(card.why);
  if (!card.statement.empty()) out += "\n";
  for (const std::string& line : equation_lines(card)) out += "  " + line + "\n";
  if (!card.shapes.empty()) out += wrapped(card.shapes, 2);
  out += evidence(card) + limits(card) + nearest(card) + costs(card) + hazards(card);
  return out + labelled("Where it matters: ", card.practice) + labelled("Source: ", card.source);
}

}  // namespace foldproof::report
