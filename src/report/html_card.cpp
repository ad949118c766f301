// SPDX-License-Identifier: MIT
#include "report/html_card.hpp"

#include <algorithm>

#include "expr/stated.hpp"
#include "read/parse.hpp"
#include "read/statements.hpp"
#include "record/words.hpp"
#include "report/html_parts.hpp"
#include "report/html_tests.hpp"
#include "report/ranks.hpp"
#include "run/hazards.hpp"

namespace foldproof::report {

namespace {

std::string heading(const char* words) { return element("h4", words); }

std::string paragraph(const std::string& text, std::string_view attributes = "") { return text.empty() ? "" : element("p", escaped(text), attributes); }

std::string relation_sign(expr::Relation relation) {
  switch (relation) {
    case expr::Relation::equal: return "=";
    case expr::Relation::less_equal: return "\u2264";
    case expr::Relation::less: return "<";
    case expr::Relation::greater_equal: return "\u2265";
    case expr::Relation::greater: return ">";
    case expr::Relation::not_equal: return "\u2260";
  }
  return "?";
}

// Both sides as separate formulas, so that long ones break at the relation sign.
std::string both_sides(const expr::Claim& claim) {
  const expr::Ranks ranks = report::ranks(claim);
  std::string out = expr::mathml(claim.lhs, ranks) + "<math><mo>" + escaped(relation_sign(claim.relation)) + "</mo></math>" + expr::mathml(claim.rhs, ranks);
  std::string conditions;
  for (const expr::Assumption& a : claim.assumptions) {
    conditions += conditions.empty() ? "if " : ", ";
    conditions += a.relation ? expr::mathml(a.lhs, ranks) + " <math><mo>" + escaped(relation_sign(*a.relation)) + "</mo></math> " + expr::mathml(a.rhs, ranks) : expr::mathml(a.lhs, ranks);
  }
  std::string lets;
  for (const expr::Definition& d : claim.definitions) lets += expr::states_shape(d.value) ? "" : (lets.empty() ? "where " : ", ") + formula(d.name) + " <math><mo>=</mo></math> " + expr::mathml(d.value, ranks);
  if (!conditions.empty()) out += element("span", conditions, " class=\"if\"");
  if (!lets.empty()) out += element("span", lets, " class=\"if\"");
  return element("div", out, " class=\"sides\"");
}

std::string example(const Example& e) {
  std::string given;
  for (const NamedTensor& tensor : e.values) given += equation(tensor);
  std::string out = given.empty() ? "" : element("div", given, " class=\"example\"");
  out += element("div", equation({"lhs", e.lhs}, e.entry) + equation({"rhs", e.rhs}, e.entry), " class=\"example outcome\"");
  if (e.how == "interval") out += "<p class=\"soft\">Values in brackets are intervals that contain the real value; those of the two sides do not meet.</p>";
  if (!e.numpy.empty()) out += "<details><summary>The same in NumPy</summary>" + element("pre", element("code", escaped(e.numpy))) + "</details>";
  return out;
}

std::string counterexample(const Card& card) {
  if (!card.counterexample) return "";
  const Example& e = *card.counterexample;
  const std::string size = e.sizes.empty() ? "" : " at " + escaped(e.sizes);
  return heading(((e.smallest ? "Smallest counterexample" : "Counterexample") + size).c_str()) + example(e);
}

std::string derivation(const Card& card) {
  if (card.verdict != "proved") return "";
  std::string chain;
  for (const verdict::MatrixStep& step : card.steps) {
    const std::string sign = step.law.empty() ? "" : "<math><mo>=</mo></math> ";
    chain += element("li", sign + formula_marked(step.text, step.begin, step.end, card.ranks) + (step.law.empty() ? "" : element("span", escaped(step.law), " class=\"law\"")));
  }
  std::string lines;
  for (const std::string& line : card.derivation) lines += element("li", element("code", escaped(line)));
  if (!lines.empty()) lines = element("ol", lines, " class=\"steps\"");
  std::string out = heading("Derivation");
  if (!chain.empty()) out += element("ol", chain, " class=\"chain\"");
  out += chain.empty() || lines.empty() ? lines : "<details><summary>Entry by entry</summary>" + lines + "</details>";
  return out + "<p class=\"soft\">Certificate: " + escaped(card.certificate) + "; accepted by the kernel.</p>";
}

std::string plain_list(const std::vector<std::string>& list) {
  std::string items;
  for (const std::string& line : list) items += element("li", escaped(line));
  return element("ul", items, " class=\"plain\"");
}

std::string sentences(const char* title, const std::vector<std::string>& list) { return list.empty() ? "" : heading(title) + plain_list(list); }

std::string hazards(const Card& card) {
  return card.hazards.empty() ? "" : "<details><summary>" + std::string(run::hazards_title) + "</summary>" + plain_list(card.hazards) + "</details>";
}

std::string assumptions(const Card& card) {
  if (card.assumptions.empty()) return "";
  std::string items;
  for (const CardAssumption& a : card.assumptions) {
    std::string item = element("code", escaped(a.text)) + ": " + a.need;
    if (a.example) item += "<details><summary>Without it</summary>" + example(*a.example) + "</details>";
    items += element("li", item);
  }
  return heading("Assumptions") + element("ul", items, " class=\"plain\"");
}

std::string nearest(const Card& card, bool alone) {
  if (card.nearest_true.empty()) return "";
  std::string shown;
  try {
    shown = both_sides(read::parse_claim(card.nearest_true));
  } catch (const expr::Error&) {
    shown = element("p", element("code", escaped(card.nearest_true)));
  }
  if (!card.nearest_declares.empty()) shown += element("p", "with " + element("code", escaped(card.nearest_declares)));
  std::string status = card.nearest_true_verdict.empty() ? "" : verdict_badge(card.nearest_true_verdict);
  if (!card.nearest_true_id.empty()) {
    const std::string id = element("code", escaped(card.nearest_true_id));
    status += " " + (alone ? id : element("a", id, " href=\"#" + anchor("c-", card.nearest_true_id) + "\""));
  }
  return heading("Nearest true statement") + shown + (status.empty() ? "" : element("p", status));
}

std::string cell(const std::string& formula, const std::optional<std::int64_t>& value) {
  const std::string number = value ? std::to_string(*value) : "";
  if (number == formula || number.empty()) return element("td", element("code", escaped(formula)));
  return element("td", number + " <span class=\"soft\">= <code>" + escaped(formula) + "</code></span>");
}

std::string costs(const Card& card) {
  if (!card.cost) return "";
  std::string rows = "<tr><th scope=\"col\">cost</th><th scope=\"col\">left</th><th scope=\"col\">right</th><th scope=\"col\">right against left</th></tr>";
  for (const CostRow& row : card.cost->rows) {
    rows += element("tr", element("th", row.what, " scope=\"row\"") + cell(row.lhs, row.lhs_value) + cell(row.rhs, row.rhs_value) + element("td", compared(row)));
  }
  std::string conditions;
  for (const CostRow& row : card.cost->rows) {
    if (row.when.rfind("when", 0) == 0) conditions += "<p>The right side needs fewer " + row.what + " " + escaped(row.when) + ".</p>";
  }
  const std::string sizes = card.cost->sizes.empty() ? "" : "; " + card.cost->sizes;
  return "<details><summary>What both sides cost</summary><div class=\"scroll\">" + element("table", rows) + "</div>" + conditions +
         paragraph("Data, and not parameters: " + card.cost->data + sizes + ".", " class=\"soft\"") + "</details>";
}

std::string repeat(const Card& card) {
  if (card.statement.empty()) return "";
  return "<details><summary>As text, and how to repeat it</summary>" + element("pre", element("code", escaped(card.statement))) +
         element("pre", element("code", "foldproof explain -e " + escaped(record::shell_quoted(command_line(card))))) + "</details>";
}

}  // namespace

std::string verdict_badge(const std::string& verdict) { return element("span", escaped(verdict), " class=\"verdict " + escaped(verdict) + "\""); }

std::string html_card(const Card& card, const std::string& family, bool alone) {
  const std::string here = anchor("c-", card.id);
  const std::string title = element("h3", element("a", card.title.empty() ? escaped(card.id) : prose(card.title), " href=\"#" + here + "\""));
  std::string out = element("header", verdict_badge(card.verdict) + title + element("code", escaped(card.id), " class=\"id\""));
  if (!card.unexpected.empty()) out += paragraph("Expected: " + card.unexpected + ".", " class=\"warning\"");
  if (!card.why.empty()) out += element("p", prose(card.why));
  out += card.claim ? both_sides(*card.claim) : card.statement.empty() ? "" : element("pre", element("code", escaped(card.statement)));
  if (!card.shapes.empty()) out += element("p", element("code", escaped(card.shapes)), " class=\"soft\"");
  out += paragraph(card.detail);
  out += counterexample(card) + derivation(card) + sentences("Both sides are defined where", card.holds_where) + sentences("It holds where", card.true_when);
  out += assumptions(card) + nearest(card, alone);
  if (!card.practice.empty()) out += heading("Where it matters") + element("p", prose(card.practice));
  out += html_tests(card) + hazards(card) + costs(card) + repeat(card);
  if (!card.source.empty()) out += paragraph("Source: " + card.source, " class=\"soft\"");
  std::string attributes = " class=\"card is-" + escaped(card.verdict) + "\" id=\"" + here + "\" data-verdict=\"" + escaped(card.verdict) + "\" data-family=\"" +
                           escaped(family) + "\" data-text=\"" + escaped(card.id + " " + card.title + " " + card.why + " " + read::claim_line(card.statement, 2000)) + "\"";
  if (!card.unexpected.empty() || (card.tests.is_object() && card.tests.value("passed", true) == false)) attributes += " data-attention=\"yes\"";
  return element("article", out, attributes) + "\n";
}

}  // namespace foldproof::report
