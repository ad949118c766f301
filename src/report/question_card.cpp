// SPDX-License-Identifier: MIT
#include "report/question_card.hpp"

#include "read/parse.hpp"
#include "report/explain.hpp"
#include "report/html_card.hpp"
#include "report/html_parts.hpp"
#include "report/ranks.hpp"

namespace foldproof::report {

namespace {

/// The value of "left parameters", "right parameters" or "parameters"; empty when there is none.
std::string number(const std::string& name, const CardCost& cost) {
  for (const CostRow& row : cost.rows) {
    if (name == row.what) return compared(row);
    if (name == "left " + row.what && row.lhs_value) return std::to_string(*row.lhs_value);
    if (name == "right " + row.what && row.rhs_value) return std::to_string(*row.rhs_value);
  }
  return "";
}

std::string filled(const record::QuestionPart& part, const std::string& statement, const std::string& id) {
  if (part.cost_claim.empty()) return part.says;
  expr::DimValues sizes = usual_sizes();
  for (const auto& [name, size] : part.sizes) sizes[name] = size;
  const auto cost = card_cost(infer::elaborate(read::parse_claim(statement)), sizes, part.data);
  std::string out;
  std::size_t at = 0;
  for (std::size_t open; (open = part.says.find('{', at)) != std::string::npos;) {
    const std::size_t close = part.says.find('}', open);
    const std::string name = close == std::string::npos ? "" : part.says.substr(open + 1, close - open - 1);
    const std::string value = cost && !name.empty() ? number(name, *cost) : "";
    if (value.empty())
      expr::fail("question.number", "the question \"" + id + "\" asks for the number {" + name + "}, and there is none", {},
                 "numbers are {parameters}, {left parameters}, {right parameters}, and the same with multiply-adds; all sizes must be given");
    out += part.says.substr(at, open - at) + value;
    at = close + 1;
  }
  return out + part.says.substr(at);
}

std::string equation(const std::string& statement) {
  Card card;
  card.statement = statement;
  std::string out;
  for (const std::string& line : equation_lines(card)) out += (out.empty() ? "" : "; ") + line;
  return out;
}

}  // namespace

QuestionCard question_card(const record::Question& question, const std::function<std::optional<Shown>(const std::string& id)>& claim) {
  const auto known = [&](const std::string& id) {
    const auto found = claim(id);
    if (!found) expr::fail("question.claim", "the question \"" + question.id + "\" refers to the claim \"" + id + "\", which is not there", {});
    return *found;
  };
  QuestionCard out{question.id, question.question, question.answer, question.source, {}};
  for (const record::QuestionPart& part : question.parts) {
    QuestionCardPart one{filled(part, part.cost_claim.empty() ? "" : known(part.cost_claim).statement, question.id), {}};
    for (const std::string& id : part.claims) one.claims.push_back(known(id));
    out.parts.push_back(std::move(one));
  }
  return out;
}

void add_verdicts(std::vector<QuestionCard>& cards, const Json& claims) {
  std::map<std::string, std::string> verdicts;
  for (const Json& claim : claims) verdicts[claim["id"].get<std::string>()] = claim["verdict"].get<std::string>();
  for (QuestionCard& card : cards) {
    for (QuestionCardPart& part : card.parts) {
      for (Shown& claim : part.claims) claim.verdict = verdicts.count(claim.id) > 0 ? verdicts.at(claim.id) : "";
    }
  }
}

std::string question_text(const QuestionCard& card) {
  std::string out = wrapped(card.answer) + "\n" + wrapped("Question: " + card.question);
  for (std::size_t k = 0; k < card.parts.size(); ++k) {
    out += "\n" + wrapped(card.parts[k].says, 3, std::to_string(k + 1) + ". ");
    for (const Shown& claim : card.parts[k].claims) out += "   " + claim.verdict + std::string(claim.verdict.size() < 9 ? 9 - claim.verdict.size() : 1, ' ') + claim.id + ": " + equation(claim.statement) + "\n";
  }
  out += "\nEach of these: foldproof explain ID\n";
  return out + (card.source.empty() ? "" : "\nAsked in: " + card.source + "\n");
}

std::string question_markdown(const QuestionCard& card) {
  std::string out = "**" + markdown_words(card.answer) + "**\n\n" + markdown_words(card.question) + "\n";
  for (std::size_t k = 0; k < card.parts.size(); ++k) {
    out += "\n" + std::to_string(k + 1) + ". " + markdown_words(card.parts[k].says) + "\n";
    for (const Shown& claim : card.parts[k].claims) {
      std::string formula;
      try {
        const expr::Claim parsed = read::parse_claim(claim.statement);
        formula = "$" + markdown_math(expr::latex(parsed, ranks(parsed))) + "$";
      } catch (const expr::Error&) {
        formula = markdown_words(equation(claim.statement));
      }
      out += "   - " + claim.verdict + ": " + formula + " (" + markdown_words(claim.id) + ")\n";
    }
  }
  return out + (card.source.empty() ? "" : "\nAsked in: " + (card.source.rfind("https://", 0) == 0 ? "<" + card.source + ">" : markdown_words(card.source)) + "\n");
}

std::string question_html(const QuestionCard& card, bool linked) {
  const std::string here = anchor("q-", card.id);
  std::string out = element("header", element("h3", element("a", prose(card.question), " href=\"#" + here + "\"")) + element("code", escaped(card.id), " class=\"id\""));
  out += element("p", element("b", prose(card.answer)));
  std::string parts;
  for (const QuestionCardPart& part : card.parts) {
    std::string claims;
    for (const Shown& claim : part.claims) {
      const std::string title = claim.title.empty() ? escaped(claim.id) : prose(claim.title);
      const bool link = linked && !claim.verdict.empty();
      claims += element("li", (claim.verdict.empty() ? "" : verdict_badge(claim.verdict)) + " " + (link ? element("a", title, " href=\"#" + anchor("c-", claim.id) + "\"") : title));
    }
    parts += element("li", prose(part.says) + element("ul", claims, " class=\"shown\""));
  }
  out += "<details><summary>Why, in " + std::to_string(card.parts.size()) + (card.parts.size() == 1 ? " part" : " parts") + "</summary>" + element("ol", parts, " class=\"steps\"");
  if (card.source.rfind("https://", 0) == 0) {
    out += "<p class=\"soft\">Asked in: <a href=\"" + escaped(card.source) + "\" rel=\"noreferrer\">" + escaped(card.source) + "</a></p>";
  } else if (!card.source.empty()) {
    out += element("p", "Asked in: " + escaped(card.source), " class=\"soft\"");
  }
  return element("article", out + "</details>", " class=\"card question\" id=\"" + here + "\"") + "\n";
}

}  // namespace foldproof::report
