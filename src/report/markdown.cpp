// SPDX-License-Identifier: MIT
#include "report/markdown.hpp"

#include "report/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "read/statements.hpp"
#include "record/words.hpp"
#include "report/card.hpp"
#include "report/compare_text.hpp"
#include "report/tests_text.hpp"
#include "report/text.hpp"
#include "run/decision_json.hpp"
#include "run/entry.hpp"
#include "run/hazards.hpp"

namespace foldproof::report {

namespace {

// Words of users inside a table or a line: no cell, tag or emphasis may come out of them.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : record::one_line(text, 2000)) {
    if (std::string_view("\\`*_|[]#").find(c) != std::string_view::npos) out += '\\';
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return out;
}

std::string code(const std::string& text) {
  std::string line = record::one_line(text, 2000);
  std::replace(line.begin(), line.end(), '`', '\'');
  return "`" + line + "`";
}

/// Two backticks are no empty code, and an entry that cannot be read has no statement.
std::string statement_code(const std::string& text) { return text.empty() ? "" : code(read::claim_line(text)); }

std::string worst(const Json& tests) {
  if (!tests.is_object()) return "";
  std::string out = tests.contains("not_tested") ? (tests.contains("bound") ? "**not tested:** " : "") + escaped(record::plain(tests["not_tested"])) : "";
  if (!tests.contains("formats")) return out;
  if (!out.empty()) out += ". ";
  std::string formats;
  for (const Json& f : tests["formats"]) {
    const std::string role = role_text(tests, f);
    formats += fmt::format("{}{} {}{}", formats.empty() ? "" : ", ", record::plain(f["format"]), ratio_text(f, 2), role.empty() ? "" : " [" + role + "]");
  }
  const std::string left_out = left_out_text(tests);
  return out + formats + (left_out.empty() ? "" : "; " + left_out) + (tests.value("passed", true) ? "" : " **FAILED**");
}

std::string table(const Json& claims) {
  std::string out = "| claim | verdict | as expected | statement | tests: worst difference / bound |\n| --- | --- | --- | --- | --- |\n";
  for (const Json& claim : claims) {
    std::string statement = statement_code(record::plain(claim["statement"]));
    std::replace(statement.begin(), statement.end(), '|', '/');
    out += fmt::format("| {} | {} | {} | {} | {} |\n", escaped(record::plain(claim["id"])), record::plain(claim["verdict"]), claim["as_expected"] == true ? "yes" : "**NO**",
                       statement, worst(claim["tests"]));
  }
  return out;
}

std::string counterexample(const Json& c) {
  std::string out = "\nCounterexample (" + record::plain(c["how"]) + (c["minimal"] == true ? ", smallest" : "") + "):\n\n";
  for (const auto& item : c["values"].items()) out += named(item.key(), run::tensor_of(item.value()), 4);
  return out + named("lhs", run::tensor_of(c["lhs"]), 4) + named("rhs", run::tensor_of(c["rhs"]), 4);
}

std::string bullets(const char* title, const Json& lines) {
  if (lines.empty()) return "";
  std::string out = std::string("\n") + title + ":\n\n";
  for (const Json& line : lines) out += "- " + code(record::plain(line)) + "\n";
  return out;
}

std::string assumptions(const Json& list) {
  std::string out;
  for (const Json& a : list) {
    out += "\nAssumption " + code(record::plain(a["assumption"])) + ": " + escaped(need_text(a)) + ".\n";
  }
  return out;
}

std::string detail(const Json& claim) {
  std::string out = "\n### " + escaped(record::plain(claim["id"])) + ": " + record::plain(claim["verdict"]) + "\n\n";
  for (const char* key : {"title", "why"}) {
    if (!record::plain(claim[key]).empty()) out += escaped(record::plain(claim[key])) + "\n\n";
  }
  out += statement_code(record::plain(claim["statement"])) + "\n";
  if (claim["diagnostic"].is_object()) {  // which the reason would only repeat
    const std::string hint = record::plain(claim["diagnostic"]["hint"]);
    out += "\n" + escaped(record::plain(claim["diagnostic"]["message"])) + "\n" + (hint.empty() ? "" : "\nHint: " + escaped(hint) + "\n");
  } else if (claim["reason"].is_string()) {
    out += "\nReason: " + escaped(record::plain(claim["reason"])) + ". " + escaped(record::plain(claim["detail"])) + "\n";
  }
  out += bullets("Derivation", claim["derivation"]) + bullets("Both sides are defined where", claim["holds_where"]);
  if (claim["counterexample"].is_object()) out += counterexample(claim["counterexample"]);
  out += bullets("It holds where", claim["true_when"]) + assumptions(claim["assumptions"]);
  if (record::plain(claim["verdict"]) == "refuted" && !record::plain(claim["nearest_true"]).empty())
    out += "\nNearest true statement: " + statement_code(record::plain(claim["nearest_true"])) + "\n";
  if (claim.contains("hazards") && !claim["hazards"].empty()) {
    out += std::string("\n") + run::hazards_title + ":\n\n";
    for (const Json& hazard : claim["hazards"]) out += "- " + escaped(record::plain(hazard["text"])) + "\n";
  }
  if (const std::string why = run::untested(claim); !why.empty()) out += (claim["tests"].contains("bound") ? "\nNot tested on the given tensors: " : "\nNot tested: ") + escaped(why) + ".\n";
  if (!record::plain(claim["source"]).empty()) out += "\nSource: " + escaped(record::plain(claim["source"])) + "\n";
  return out;
}

std::string provenance(const Json& report) {
  const Json& e = report["environment"];
  std::string command;
  for (const Json& word : report["command"]) command += (command.empty() ? "" : " ") + record::shell_quoted(record::plain(word));
  std::string out = "\n## How to repeat this run\n\n```\n" + command + "\n```\n\n";
  out += "| what | value |\n| --- | --- |\n";
  const auto row = [&out](const char* name, const std::string& value) { out += std::string("| ") + name + " | " + escaped(value) + " |\n"; };
  row("exact digest", record::plain(report["digests"]["exact"]));
  row("numeric digest", record::plain(report["digests"]["numeric"]));
  row("seed", record::plain(e["seed"]) + ", " + record::plain(e["generator"]));
  row("commit", record::plain(e["source"]["commit"]) + (e["source"]["dirty"] == true ? ", with changes" : ""));
  row("compiler", record::plain(e["build"]["compiler"]) + ", " + record::plain(e["build"]["flags"]));
  row("build fingerprint", record::plain(e["build_fingerprint"]));
  row("processor", record::plain(e["processor"]["model"]));
  row("system", record::plain(e["system"]["name"]) + ", " + record::plain(e["system"]["kernel"]));
  for (const auto& item : e["libraries"].items()) row(item.key().c_str(), record::plain(item.value()));
  return out;
}

/// The seeded bugs, and how cases are drawn.
std::string bugs_markdown(const Json& report) {
  const Json& bugs = report["bugs"];
  if (bugs["made"] == 0) return "";
  std::string out = "\n## Seeded bugs\n\n" + bugs_line(bugs) + ". Each is a wrong way to program one side of a true claim; a bug that the random cases do not find survives.\n";
  for (const Json& name : bugs["survivors"]) out += "\n- survived: `" + name.get<std::string>() + "`";
  out += "\n## How cases are drawn\n\n| family | numbers |\n| --- | --- |\n";
  for (const Json& f : report["generator"]["families"]) out += fmt::format("| {} | {} |\n", f["name"].get<std::string>(), f["description"].get<std::string>());
  out += "\nNever drawn:\n\n";
  for (const Json& line : report["generator"]["excluded"]) out += "- " + line.get<std::string>() + "\n";
  return out;
}

}  // namespace

std::string job_summary(const Json& report) {
  const Json& c = report["counts"];
  const auto count = [&c](const char* key) { return c[key].get<int>(); };
  const bool good = report["exit_status"] == 0;
  std::string out = fmt::format("## foldproof: {}\n\n", good ? "as expected" : "**not as expected**");
  out += fmt::format("{} claims: {} proved, {} refuted, {} undecided, {} invalid. {} differ from what was expected, {} tests failed.\n\n", count("claims"),
                     count("proved"), count("refuted"), count("undecided"), count("invalid"), count("differing"), count("tests_failed"));
  out += "exact digest " + code(record::plain(report["digests"]["exact"])) + "\n";
  for (const Json& id : report["regressions"]["failing"]) out += "\nA past failure is back: " + code(record::plain(id)) + "\n";
  for (const Json& claim : report["claims"]) {
    if (needs_attention(claim)) out += detail(claim);
  }
  out += "\n<details><summary>All claims</summary>\n\n" + table(report["claims"]) + "\n</details>\n";
  return capped(std::move(out));
}

std::string markdown(const Json& report) {
  const Json& c = report["counts"];
  std::string out = "# foldproof report\n\n";
  if (report["interrupted"] == true) out += "**Interrupted: " + record::dump(c["skipped"], -1) + "claims were not decided.**\n\n";
  out += fmt::format("{} claims: {} proved, {} refuted, {} undecided, {} invalid. {} as expected, {} differing. {} tested, {} tests failed{}.\n\n",
                     c["claims"].get<int>(), c["proved"].get<int>(), c["refuted"].get<int>(), c["undecided"].get<int>(), c["invalid"].get<int>(),
                     c["as_expected"].get<int>(), c["differing"].get<int>(), c["tested"].get<int>(), c["tests_failed"].get<int>(),
                     c["untested"] == 0 ? "" : fmt::format(", {} not tested", c["untested"].get<int>()));
  if (report["volatile"].contains("benchmark")) out += benchmark_markdown(report["volatile"]["benchmark"]);
  const Json& past = report["regressions"];
  if (past["replayed"] != 0) {
    std::string back;
    for (const Json& id : past["failing"]) back += (back.empty() ? ": " : ", ") + escaped(record::plain(id));
    out += fmt::format("{} past failures replayed, {}{}{}\n\n", past["replayed"].get<int>(), past["failing"].size(), past["failing"].size() == 1 ? " is back" : " are back", back.empty() ? "." : back);
  }
  out += table(report["claims"]) + bugs_markdown(report) + provenance(report) + "\n## The claims one by one\n";
  for (const Json& claim : report["claims"]) out += detail(claim);
  return out;
}

}  // namespace foldproof::report
