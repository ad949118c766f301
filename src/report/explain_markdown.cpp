// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "read/parse.hpp"
#include "read/statements.hpp"
#include "record/words.hpp"
#include "report/explain.hpp"
#include "report/ranks.hpp"
#include "run/hazards.hpp"

namespace foldproof::report {

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
}

std::string code(const std::string& text) {
  std::string line = record::one_line(text, 2000);
  std::replace(line.begin(), line.end(), '`', '\'');
  std::replace(line.begin(), line.end(), '|', '/');
  return "`" + line + "`";
}

std::string fenced(const char* language, const std::string& text) {
  std::string inner = text;
  replace_all(inner, "```", "'''");
  return std::string("\n```") + language + "\n" + inner + (inner.ends_with('\n') ? "" : "\n") + "```\n";
}

std::string display(const std::string& latex) { return "\n$$\n" + markdown_math(latex) + "\n$$\n"; }

std::string value(const std::string& text) {
  const bool plain = text.find_first_not_of("-+*/.,[]() 0123456789abcdefghijklmnopqrstuvwxyz") == std::string::npos;
  const bool number = text.find_first_not_of("-/0123456789") == std::string::npos;
  return number ? text : plain ? "\\text{" + text + "}" : "?";
}

// Rows end with \cr: Markdown would eat one of two backslashes.
std::string matrix(const refute::TextTensor& tensor, std::size_t offset, std::size_t rows, std::size_t columns) {
  std::string out = "\\begin{bmatrix} ";
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) out += (c > 0 ? " & " : r > 0 ? " \\cr " : "") + value(tensor.values[offset + r * columns + c]);
  }
  return out + " \\end{bmatrix}";
}

std::string tensor(const refute::TextTensor& t) {
  if (t.shape.empty()) return value(t.values[0]);
  const auto columns = static_cast<std::size_t>(t.shape.back());
  const std::size_t rows = t.shape.size() > 1 ? static_cast<std::size_t>(t.shape[t.shape.size() - 2]) : 1;
  std::string out;
  for (std::size_t offset = 0; offset < t.values.size(); offset += rows * columns) out += (offset > 0 ? " , " : "") + matrix(t, offset, rows, columns);
  return out;
}

std::string example(const Example& e) {
  std::string given;
  for (const NamedTensor& t : e.values) given += (given.empty() ? "" : " , \\quad ") + expr::latex(read::parse_expression(t.name)) + " = " + tensor(t.value);
  const std::string sides = "\\mathrm{lhs} = " + tensor(e.lhs) + " , \\quad \\mathrm{rhs} = " + tensor(e.rhs);
  return (given.empty() ? "" : display(given)) + display(sides);
}

std::string where(const Example& e) { return e.sizes.empty() ? "" : " at " + code(e.sizes); }

std::string evidence(const Card& card) {
  std::string out;
  if (card.verdict == "proved") {
    std::string steps = steps_text(card, 0);
    if (steps.empty()) {
      for (const std::string& line : card.derivation) steps += line + "\n";
    }
    out += "\n**Proved** for all sizes and all real numbers, with a certificate of " + card.certificate.substr(0, card.certificate.find(',')) +
           " that an independent kernel accepted.\n";
    if (!steps.empty()) out += fenced("text", steps);
  }
  if (card.counterexample) {
    const Example& e = *card.counterexample;
    out += std::string("\n**") + (e.smallest ? "Smallest counterexample" : "Counterexample") + "**" + where(e) + ":\n" + example(e);
    if (!e.numpy.empty()) out += "\nTo see it in NumPy:\n" + fenced("python", e.numpy);
  }
  return out + (card.detail.empty() ? "" : "\n" + markdown_words(card.detail) + "\n");
}

std::string limits(const Card& card) {
  if (!has_limits(card)) return "";
  std::string out = "\n**" + std::string(limits_title(card)) + "**\n";
  for (const std::string& line : card.holds_where) out += "\n- it is meant where " + markdown_words(line);
  for (const std::string& line : card.true_when) out += "\n- it holds where " + markdown_words(line);
  if (!card.holds_where.empty() || !card.true_when.empty()) out += "\n";
  for (const CardAssumption& a : card.assumptions) {
    out += "\nAssumption " + code(a.text) + ": " + a.need + (a.example ? "; without it" + where(*a.example) + ":" : ".") + "\n";
    if (a.example) out += example(*a.example);
  }
  return out;
}

std::string hazards(const Card& card) {
  if (card.hazards.empty()) return "";
  std::string out = "\n**" + std::string(run::hazards_title) + "**\n\n";
  for (const std::string& hazard : card.hazards) out += "- " + markdown_words(hazard) + "\n";
  return out;
}

std::string quantity(const std::string& formula, const std::optional<std::int64_t>& value) {
  const std::string number = value ? std::to_string(*value) : "";
  return number.empty() || number == formula ? code(formula) : number + " = " + code(formula);
}

std::string costs(const Card& card) {
  if (!card.cost) return "";
  std::string out = "\n| cost" + (card.cost->sizes.empty() ? "" : " at " + code(card.cost->sizes)) + " | left | right | right against left |\n| --- | --- | --- | --- |\n";
  for (const CostRow& row : card.cost->rows) {
    out += fmt::format("| {} | {} | {} | {} |\n", row.what, quantity(row.lhs, row.lhs_value), quantity(row.rhs, row.rhs_value), compared(row));
  }
  for (const CostRow& row : card.cost->rows) {
    if (row.when.rfind("when", 0) == 0) out += "\nThe right side needs fewer " + row.what + " " + markdown_words(row.when) + ".\n";
  }
  return out + "\nData, and not parameters: " + code(card.cost->data) + ".\n";
}

std::string typeset(const expr::Claim& claim) { return expr::latex(claim, ranks(claim)); }

std::string nearest(const Card& card) {
  if (card.nearest_true.empty()) return "";
  std::string out = "\n**Nearest true statement**" + (card.nearest_true_verdict.empty() ? "" : " (" + card.nearest_true_verdict + ")") + ":\n";
  try {
    out += display(typeset(read::parse_claim(card.nearest_true)));
  } catch (const expr::Error&) {  // then as it is written
  }
  if (!card.nearest_declares.empty()) out += "\nwith " + code(card.nearest_declares) + "\n";
  return out + fenced("python", read::claim_line(card.nearest_true, 2000));
}

std::string labelled(const char* label, const std::string& text) { return text.empty() ? "" : "\n**" + std::string(label) + "** " + markdown_words(text) + "\n"; }

}  // namespace

std::string markdown_words(const std::string& text) {
  std::string out;
  for (const char c : record::one_line(text, 4000)) {
    if (std::string_view("\\`*_|[]#$~").find(c) != std::string_view::npos) out += '\\';
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return out;
}

std::string markdown_math(std::string latex) {
  replace_all(latex, "\\_", "\\text{-}");
  replace_all(latex, "\\operatorname{", "\\mathrm{");
  replace_all(latex, "_{", " _{");
  replace_all(latex, "  _{", " _{");
  replace_all(latex, "<", "\\lt ");
  replace_all(latex, ">", "\\gt ");
  replace_all(latex, "*", "\\ast ");
  return latex;
}

std::string explain_markdown(const Card& card) {
  const std::size_t colon = card.answer.find(':');
  std::string out = "**" + markdown_words(card.answer.substr(0, colon)) + (colon == std::string::npos ? "**" : ":** " + markdown_words(card.answer.substr(colon + 2))) + "\n";
  if (!card.unexpected.empty()) out += "\n(Its file expects: " + markdown_words(card.unexpected) + ".)\n";
  if (!card.why.empty()) out += "\n" + markdown_words(card.why) + "\n";
  if (card.claim) out += display(expr::latex(*card.claim, card.ranks));
  std::string statement;
  for (const std::string& line : equation_lines(card)) statement += line + "\n";
  if (!statement.empty()) out += fenced("python", statement + (card.shapes.empty() ? "" : "# " + card.shapes));
  out += evidence(card) + limits(card) + nearest(card) + costs(card) + hazards(card);
  out += labelled("Where it matters:", card.practice) + labelled("Source:", card.source);
  return card.statement.empty() ? out : out + "\n" + fenced("console", "$ foldproof explain -e " + record::shell_quoted(command_line(card))).substr(1);
}

}  // namespace foldproof::report
