// SPDX-License-Identifier: MIT
#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "record/words.hpp"
#include "report/benchmark.hpp"
#include "report/html_card.hpp"
#include "report/html_parts.hpp"
#include "report/tests_text.hpp"
#include "run/entry.hpp"

namespace foldproof::report {

namespace {

constexpr const char* verdicts[] = {"proved", "refuted", "undecided", "invalid"};

std::int64_t count(const Json& counts, const char* key) { return counts[key].get<std::int64_t>(); }

std::string family(const Json& claim) { return std::filesystem::path(record::plain(claim["file"])).stem().string(); }

/// Claims in groups of one file each, in the order of their first claim.
struct Group {
  std::string name;
  std::vector<const Json*> claims;
};

std::vector<Group> groups(const Json& claims) {
  std::vector<Group> out;
  for (const Json& claim : claims) {
    const std::string name = family(claim);
    auto found = std::find_if(out.begin(), out.end(), [&](const Group& g) { return g.name == name; });
    if (found == out.end()) found = out.insert(out.end(), {name, {}});
    found->claims.push_back(&claim);
  }
  return out;
}

std::string proportions(const Json& counts) {
  std::string parts;
  for (const char* verdict : verdicts) {
    if (count(counts, verdict) > 0) parts += fmt::format("<span class=\"{}\" style=\"flex:{}\"></span>", verdict, count(counts, verdict));
  }
  std::string items;
  for (const char* verdict : verdicts) items += fmt::format("<li><b class=\"{0}\">{1}</b> {0}</li>", verdict, count(counts, verdict));
  if (count(counts, "skipped") > 0) items += fmt::format("<li><b>{}</b> not decided</li>", count(counts, "skipped"));
  return element("div", parts, " class=\"bar\" aria-hidden=\"true\"") + element("ul", items, " class=\"counts\"");
}

std::string outcome(const Json& report) {
  const Json& c = report["counts"];
  std::string out = fmt::format("{} as their files expect, <b>{} not</b>.", count(c, "as_expected"), count(c, "differing"));
  if (count(c, "tested") > 0) out += fmt::format(" {} tested as programs, <b>{} failed</b>.", count(c, "tested"), count(c, "tests_failed"));
  std::map<std::string, int> untested;
  for (const Json& claim : report["claims"]) {
    if (claim["tests"].is_object() && claim["tests"].contains("not_tested")) ++untested[record::plain(claim["tests"]["not_tested"])];
  }
  std::string reasons;
  for (const auto& [reason, times] : untested) reasons += fmt::format("{}{} ({})", reasons.empty() ? "" : "; ", times, escaped(reason));
  return out + (reasons.empty() ? "" : " Not tested: " + reasons + ".");
}

std::string command(const Json& report) {
  std::string out;
  for (const Json& word : report["command"]) out += (out.empty() ? "" : " ") + record::shell_quoted(record::plain(word));
  return out;
}

std::string inputs(const Json& report) {
  std::vector<std::string> folders;
  for (const Json& file : report["inputs"]) {
    const std::string folder = std::filesystem::path(record::plain(file["path"])).parent_path().string();
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
  }
  std::string out;
  for (const std::string& folder : folders) out += (out.empty() ? "" : ", ") + element("code", escaped(folder.empty() ? "." : folder));
  return out;
}

std::string fact(const char* name, const std::string& value) { return element("dt", name) + element("dd", value); }

// Folded up: the first screen stays one screen.
std::string survivors(const Json& names) {
  if (names.empty()) return "";
  std::string items;
  for (const Json& name : names) items += element("li", element("code", escaped(record::plain(name))));
  return element("details", element("summary", fmt::format("{} survived", names.size())) + element("ul", items, " class=\"plain\""));
}

std::string first_screen(const Json& report) {
  const Json& c = report["counts"];
  std::string out = "<h1>foldproof report</h1>";
  out += fmt::format("<p>{} claims from {}: are the two sides equal, for all sizes and all real numbers?</p>", count(c, "claims"), inputs(report));
  if (report["interrupted"] == true) out += element("p", fmt::format("Interrupted: {} claims were not decided.", count(c, "skipped")), " class=\"warning\"");
  out += proportions(c);
  std::string facts = fact("Outcome", outcome(report));
  if (report["regressions"]["replayed"].get<std::int64_t>() > 0) {
    facts += fact("Past failures", fmt::format("{} replayed, {} are back", report["regressions"]["replayed"].get<std::int64_t>(), report["regressions"]["failing"].size()));
  }
  if (const std::string bugs = bugs_line(report["bugs"]); !bugs.empty()) facts += fact("Seeded bugs", escaped(bugs) + survivors(report["bugs"]["survivors"]));
  facts += fact("Exact digest", element("code", record::plain(report["digests"]["exact"])) + "<br><span class=\"soft\">the same on every machine, for the same claims, seed and number of cases</span>");
  facts += fact("Repeat", element("code", escaped(command(report))));
  return out + element("dl", facts, " class=\"facts\"");
}

std::string link(const Json& claim) {
  const std::string title = record::plain(claim["title"]).empty() ? record::plain(claim["id"]) : record::plain(claim["title"]);
  return element("a", prose(title), " href=\"#" + anchor("c-", record::plain(claim["id"])) + "\"");
}

std::string attention(const Json& claims) {
  std::string items;
  for (const Json& claim : claims) {
    if (!needs_attention(claim)) continue;
    const std::string why = run::untested(claim);
    const std::string what = claim["as_expected"] == true ? (why.empty() ? "its tests failed" : "not tested: " + why) : record::plain(claim["verdict"]) + ", expected " + record::plain(claim["expect"]);
    items += element("li", link(claim) + ": " + escaped(what));
  }
  return items.empty() ? "" : element("section", "<h2>Not as expected</h2>" + element("ul", items, " class=\"plain\""));
}

std::string asked(const std::vector<QuestionCard>& questions) {
  std::string out = "<h2>Questions</h2>";
  for (const QuestionCard& question : questions) out += question_html(question, true);
  return questions.empty() ? "" : element("section", out, " id=\"questions\"") + "\n";
}

std::string tools(const std::vector<Group>& all) {
  std::string options = "<option value=\"\">all families</option>";
  for (const Group& g : all) options += element("option", escaped(g.name), " value=\"" + escaped(g.name) + "\"");
  std::string buttons;
  for (const char* verdict : verdicts) buttons += fmt::format("<button type=\"button\" data-verdict=\"{0}\" aria-pressed=\"false\">{0}</button>", verdict);
  buttons += "<button type=\"button\" data-verdict=\"attention\" aria-pressed=\"false\">not as expected</button>";
  return "<div class=\"tools\" role=\"search\"><input id=\"filter\" type=\"search\" placeholder=\"Filter: words of a title, formula or id\" aria-label=\"Filter claims\">"
         "<select id=\"family\" aria-label=\"Family\">" + options + "</select>" + buttons + "<span id=\"shown\" class=\"soft\" role=\"status\"></span></div>";
}

std::string index(const Json& claims) {
  std::string items;
  for (const Json& claim : claims) {
    const std::string verdict = record::plain(claim["verdict"]);
    items += element("li", fmt::format("<b class=\"{}\" title=\"{}\">{}</b> ", verdict, verdict, verdict == "proved" ? "&#10003;" : verdict == "refuted" ? "&#10007;" : "?") + link(claim));
  }
  return "<details><summary>All claims on one page</summary>" + element("ul", items, " class=\"index\"") + "</details>";
}

std::string cards(const Json& report, const std::vector<Group>& all) {
  const Statements known = statements(report["claims"]);
  std::string out;
  for (const Group& g : all) {
    std::string section = element("h2", escaped(g.name), " id=\"" + anchor("f-", g.name) + "\"");
    for (const Json* claim : g.claims) section += html_card(card(*claim, known), g.name);
    out += element("section", section, " class=\"family\"");
  }
  return out;
}

std::string provenance(const Json& report) {
  const Json& e = report["environment"];
  std::string facts;
  const auto row = [&facts](const char* name, const std::string& value) { facts += fact(name, escaped(value)); };
  row("Numeric digest", record::plain(report["digests"]["numeric"]));
  row("Build fingerprint", record::plain(e["build_fingerprint"]) + " (numeric digests are comparable when it is the same)");
  row("Seed", record::plain(e["seed"]) + ", " + record::plain(e["generator"]));
  row("Cases", std::to_string(report["cases"].get<std::int64_t>()) + " drawn for a claim; 16-bit formats take one in eight, and large claims are not run at every shape. The table of a claim counts its cases, and those that were compared.");
  row("Commit", record::plain(e["source"]["commit"]) + (e["source"]["dirty"] == true ? ", with changes" : ""));
  row("Compiler", record::plain(e["build"]["compiler"]) + ", " + record::plain(e["build"]["flags"]));
  row("Processor", record::plain(e["processor"]["model"]));
  row("System", record::plain(e["system"]["name"]) + ", " + record::plain(e["system"]["kernel"]));
  for (const auto& item : e["libraries"].items()) facts += fact(escaped(item.key()).c_str(), escaped(record::plain(item.value())));
  std::string files;
  for (const Json& file : report["inputs"]) files += element("li", element("code", escaped(record::plain(file["path"]))) + " <span class=\"id mono\">SHA-256 " + escaped(record::plain(file["sha256"])) + "</span>");
  return "<section id=\"provenance\"><h2>Where this comes from</h2>" + element("dl", facts, " class=\"facts\"") + "<details><summary>Files that were read</summary>" +
         element("ul", files, " class=\"plain\"") + "</details></section>";
}

}  // namespace

std::string html(const Json& original, const std::vector<QuestionCard>& questions) {
  // Claims may hold any bytes; what a page shows is UTF-8.
  const Json report = Json::parse(record::dump(original, -1));
  const std::vector<Group> all = groups(report["claims"]);
  std::string families;
  for (const Group& g : all) families += element("li", element("a", escaped(g.name), " href=\"#" + anchor("f-", g.name) + "\"") + fmt::format(" <span class=\"soft\">{}</span>", g.claims.size()));
  std::string body = "<a class=\"skip\" href=\"#claims\">Skip to the claims</a>\n";
  body += element("header", first_screen(report)) + "\n<main>\n" + attention(report["claims"]);
  body += asked(questions) + "<section id=\"claims\"><h2>Claims</h2>" + element("nav", element("ul", families, " class=\"links\""), " aria-label=\"Families of claims\"") + tools(all) + index(report["claims"]) + "</section>\n";
  body += cards(report, all);
  if (report["volatile"].contains("benchmark")) body += benchmark_html(report["volatile"]["benchmark"]) + "\n";
  body += provenance(report) + "</main>\n";
  return page("foldproof report", body, true);
}

}  // namespace foldproof::report
