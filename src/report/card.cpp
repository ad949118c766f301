// SPDX-License-Identifier: MIT
#include "report/card.hpp"

#include <algorithm>
#include <set>

#include "expr/stated.hpp"
#include "infer/names.hpp"
#include "read/parse.hpp"
#include "read/statements.hpp"
#include "record/words.hpp"
#include "repair/repair.hpp"
#include "report/ranks.hpp"
#include "run/decision_json.hpp"

namespace foldproof::report {

namespace {

std::string plain(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::string> lines(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? found->get<std::vector<std::string>>() : std::vector<std::string>{};
}

std::optional<Example> example(const Json& record) {
  if (!record.is_object()) return std::nullopt;
  Example out;
  for (const auto& item : record["dims"].items()) out.sizes += (out.sizes.empty() ? "" : ", ") + item.key() + " = " + std::to_string(item.value().get<std::int64_t>());
  for (const auto& item : record["values"].items()) out.values.push_back({item.key(), run::tensor_of(item.value())});
  out.lhs = run::tensor_of(record["lhs"]);
  out.rhs = run::tensor_of(record["rhs"]);
  out.entry = record["entry"].get<std::vector<std::int64_t>>();
  out.how = plain(record, "how");
  out.smallest = record["minimal"] == true;
  out.numpy = plain(record, "numpy");
  return out;
}

std::vector<CardAssumption> assumptions(const Json& list) {
  std::vector<CardAssumption> out;
  for (const Json& a : list) {
    out.push_back({plain(a, "assumption"), need_text(a), example(a["counterexample"])});
  }
  return out;
}

std::string answer(const Card& card, const Json& claim) {
  const std::string title = record::one_line(card.title, 400);
  if (card.verdict == "proved") return "True: " + (title.empty() ? "the statement holds for all sizes and all real numbers" : title);
  if (card.verdict == "refuted") {
    const std::string where = card.counterexample->sizes.empty() ? "" : " at " + card.counterexample->sizes;
    return "False: " + (title.empty() ? "it fails" + where : title);
  }
  const std::string reason = plain(claim, "reason");
  const bool shapes = claim["diagnostic"].is_object() && plain(claim["diagnostic"], "code").rfind("shape.", 0) == 0;
  const std::string what = card.verdict == "undecided" ? "Not decided (" + reason + ")"
                           : shapes                    ? "The shapes do not fit"
                           : reason == "diagnostic"    ? "This cannot be read"
                                                       : "Not a claim (" + reason + ")";
  return what + (title.empty() ? "" : ": " + title);
}

std::string detail(const Json& claim) {
  if (!claim["diagnostic"].is_object()) return plain(claim, "detail");
  const std::string hint = plain(claim["diagnostic"], "hint");
  return plain(claim["diagnostic"], "message") + (hint.empty() ? "" : " (" + hint + ")");
}

std::string shapes(const Json& record) {
  if (!record.is_object()) return "";
  std::string out;
  for (const auto& item : record.items()) {
    std::string axes;
    for (const Json& axis : item.value()) axes += (axes.empty() ? "" : ", ") + axis.get<std::string>();
    out += (out.empty() ? "" : "; ") + item.key() + ": [" + axes + "]";
  }
  return out;
}

// What a claim says, shapes and spaces aside.
std::string key(const expr::Claim& claim) {
  std::string out;
  for (const expr::Assumption& a : claim.assumptions) out += expr::text(a) + "; ";
  for (const expr::Definition& d : claim.definitions) out += expr::states_shape(d.value) ? "" : d.name + " = " + expr::text(d.value) + "; ";
  return out + expr::text(claim.lhs) + " " + expr::text(claim.relation) + " " + expr::text(claim.rhs);
}

std::optional<expr::Claim> parsed(const std::string& statement) {
  try {
    return read::parse_claim(statement);
  } catch (const expr::Error&) {
    return std::nullopt;
  }
}

std::optional<CardCost> cost_of(const Card& card, const expr::DimValues& sizes) {
  if (!card.claim || (card.verdict != "proved" && card.verdict != "refuted")) return std::nullopt;
  try {
    std::set<std::string> named = infer::read_names(*card.claim).sizes;
    expr::DimValues all = sizes;
    for (const auto& [name, axes] : expr::with_own_ranks(*card.claim, {})) named.insert(name);
    for (const auto& [name, value] : usual_sizes()) {
      if (named.count(name) > 0) all.emplace(name, value);
    }
    return card_cost(infer::elaborate(*card.claim), all);
  } catch (const expr::Error&) {
    return std::nullopt;
  } catch (const expr::LimitReached&) {
    return std::nullopt;
  }
}

}  // namespace

void add_statement(Statements& known, const std::string& id, const std::string& statement, const std::string& verdict) {
  const auto claim = parsed(statement);
  if (claim) known.emplace(key(*claim), Stated{id, verdict});
}

Statements statements(const Json& claims) {
  Statements out;
  for (const Json& claim : claims) add_statement(out, plain(claim, "id"), plain(claim, "statement"), plain(claim, "verdict"));
  return out;
}

Card card(const Json& claim, const Statements& known, const expr::DimValues& sizes) {
  Card out;
  out.id = plain(claim, "id");
  out.verdict = plain(claim, "verdict");
  out.title = plain(claim, "title");
  out.why = plain(claim, "why");
  out.practice = plain(claim, "practice");
  out.source = plain(claim, "source");
  out.statement = plain(claim, "statement");
  out.shapes = shapes(claim["shapes"]);
  out.claim = parsed(out.statement);
  if (out.claim) out.ranks = ranks(*out.claim);
  out.detail = detail(claim);
  out.derivation = lines(claim, "derivation");
  for (const Json& step : claim.value("steps", Json::array())) {
    out.steps.push_back({plain(step, "expression"), step["changed"][0].get<std::size_t>(), step["changed"][1].get<std::size_t>(), plain(step, "law")});
  }
  out.holds_where = lines(claim, "holds_where");
  out.true_when = lines(claim, "true_when");
  for (const Json& hazard : claim.value("hazards", Json::array())) out.hazards.push_back(plain(hazard, "text"));
  out.counterexample = example(claim["counterexample"]);
  out.assumptions = assumptions(claim["assumptions"]);
  out.answer = answer(out, claim);
  out.cost = cost_of(out, sizes);
  if (out.verdict == "refuted") out.nearest_true = plain(claim, "nearest_true");
  const auto nearest = parsed(out.nearest_true);
  if (nearest && out.claim) out.nearest_declares = repair::new_declarations(*nearest, *out.claim);
  const auto stated = nearest ? known.find(key(*nearest)) : known.end();
  if (stated != known.end()) {
    out.nearest_true_id = stated->second.id;
    out.nearest_true_verdict = stated->second.verdict;
  }
  if (claim["certificate"].is_object()) {
    const Json& c = claim["certificate"];
    out.certificate = std::to_string(c["steps"].get<std::int64_t>()) + " steps, SHA-256 " + plain(c, "sha256");
  }
  if (claim["as_expected"] != true) out.unexpected = plain(claim, "expect");
  out.tests = claim.contains("tests") ? claim["tests"] : Json(nullptr);
  return out;
}

std::string need_text(const Json& assumption) {
  const std::string need = plain(assumption, "need"), reason = plain(assumption, "reason");
  if (need == "not_needed") return "not needed";
  return (need == "needed" ? "needed" : "not known whether needed") + (reason.empty() ? "" : "; " + reason);
}

std::vector<std::string> equation_lines(const Card& card) {
  std::vector<std::string> out;
  for (std::string& statement : read::statements(card.statement)) {
    const std::size_t name = statement.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789 ");
    const bool declaration = name != std::string::npos && statement[name] == ':';
    if (!declaration) out.push_back(std::move(statement));
  }
  return out;
}

std::string command_line(const Card& card) { return read::claim_line(card.statement); }

}  // namespace foldproof::report
