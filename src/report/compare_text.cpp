// SPDX-License-Identifier: MIT
#include "report/compare_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

#include "record/words.hpp"

namespace foldproof::report {

namespace {

// Ids come from users.
std::string word(const Json& value) { return record::one_line(record::plain(value), 120); }
double number(const Json& hexadecimal) { return std::strtod(record::plain(hexadecimal).c_str(), nullptr); }

std::string test_word(const Json& passed) { return passed.is_null() ? "not tested" : passed == true ? "passed" : "failed"; }

std::string digest_line(const Json& digest) {
  if (digest.contains("not_comparable") && !digest["not_comparable"].is_null()) return "not comparable: " + word(digest["not_comparable"]);
  if (digest["same"] == true) return "same  " + record::plain(digest["after"]).substr(0, 16);
  return "DIFFERS  " + record::plain(digest["before"]).substr(0, 16) + " -> " + record::plain(digest["after"]).substr(0, 16);
}

std::string exact_line(const Json& digest) {
  std::string parts;
  for (const Json& part : digest["parts"]) parts += fmt::format("{}{} of {}", parts.empty() ? ": " : ", ", word(part["what"]), record::plain(part["claims"]));
  return digest_line(digest) + parts + (digest["parts"].empty() ? "" : " claims");
}

// What the marks of the ratios mean that are there.
std::string legend(const Json& comparison) {
  const Json& rows = comparison["ratios"];
  const auto has = [&rows](const char* mark) { return std::any_of(rows.begin(), rows.end(), [&](const Json& row) { return row["mark"] == mark; }); };
  std::string out;
  const auto add = [&](const char* mark, const std::string& meaning) {
    if (has(mark)) out += std::string(out.empty() ? "" : "; ") + mark + " " + meaning;
  };
  add("~", "another ratio, within the bound");
  add("!", "beyond the bound");
  const Json& reason = comparison["digests"]["numeric"]["not_comparable"];
  add("?", "not to be compared" + (reason.is_null() ? std::string() : ", " + word(reason)));
  return out;
}

// As many digits as tell the two apart.
std::string both(double before, double after) {
  for (const int digits : {3, 6}) {
    const std::string a = fmt::format("{:.{}g}", before, digits);
    const std::string b = fmt::format("{:.{}g}", after, digits);
    if (a != b) return a + " -> " + b;
  }
  return before == after ? fmt::format("{:.3g} on both sides", before) : fmt::format("{:.17g} -> {:.17g}", before, after);
}

struct Section {
  const char* key;
  const char* title;
  std::function<std::string(const Json&)> line;
};

std::string change(const Json& row, const char* before, const char* after) { return word(row[before]) + " -> " + word(row[after]); }

std::string verdict_line(const Json& row) {
  std::string out = word(row["id"]) + ": " + (row["before"] == row["after"] ? "still " + word(row["after"]) : change(row, "before", "after"));
  if (row["expect_before"] != row["expect_after"]) out += ", expected " + change(row, "expect_before", "expect_after");
  return out + (row["as_expected"] == true ? ", as expected" : ", NOT as expected (" + word(row["expect_after"]) + ")");
}

std::string evidence_line(const Json& row) {
  std::string out;
  for (const Json& part : row["changed"]) out += (out.empty() ? "" : ", ") + word(part);
  return word(row["id"]) + ": " + out;
}

std::string ratio_line(const Json& row) {
  return fmt::format("{} {}, {}: {}", record::plain(row["mark"]), word(row["id"]), word(row["format"]), both(number(row["before"]), number(row["after"])));
}

const std::vector<Section>& sections() {
  static const std::vector<Section> all = {
      {"settings", "setting", [](const Json& row) { return word(row["what"]) + ": " + change(row, "before", "after"); }},
      {"verdicts", "verdict changed", verdict_line},
      {"expectations", "expectation changed", verdict_line},
      {"removed", "removed", word},
      {"added", "added", word},
      {"renamed", "same statement under another id", [](const Json& row) { return change(row, "before", "after"); }},
      {"evidence", "evidence changed", evidence_line},
      {"tests", "tests", [](const Json& row) { return word(row["id"]) + ": " + test_word(row["before"]) + " -> " + test_word(row["after"]); }},
      {"ratios", "difference / bound", ratio_line},
      {"inputs", "input file changed", [](const Json& row) { return word(row["path"]); }},
      {"environment", "environment", [](const Json& row) { return word(row["what"]) + ": " + change(row, "before", "after"); }},
  };
  return all;
}

// The largest ratios first: they are the news. A verdict that only meets another expectation is among the verdicts, and no change of one.
Json rows_of(const Json& comparison, const std::string& key) {
  Json rows = comparison[key == "expectations" ? "verdicts" : key];
  if (key == "verdicts" || key == "expectations") {
    Json some = Json::array();
    for (const Json& row : rows) {
      if ((row["before"] == row["after"]) == (key == "expectations")) some.push_back(row);
    }
    return some;
  }
  if (key != "ratios") return rows;
  std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) { return number(a["after"]) > number(b["after"]); });
  return rows;
}

std::string heading(const Json& side) {
  const Json& c = side["counts"];
  return fmt::format("commit {}, {} claims, {} as expected, seed {}, {} cases{}", record::plain(side["commit"]).substr(0, 12), record::plain(c["claims"]),
                     record::plain(c["as_expected"]), word(side["seed"]), record::plain(side["cases"]), side["interrupted"] == true ? ", interrupted" : "");
}

std::string regressions_line(const Json& r) { return "past failures that are back: " + word(r["before"]) + " -> " + word(r["after"]); }

std::string conclusion(const Json& comparison) {
  const auto count = comparison["differences"].get<std::size_t>();
  return count == 0 ? "the same" : fmt::format("{} difference{}", count, count == 1 ? "" : "s");
}

std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_|[]#").find(c) != std::string_view::npos) out += '\\';
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return out;
}

}  // namespace

std::string comparison_text(const Json& comparison, std::size_t most) {
  std::string out = "before  " + heading(comparison["before"]) + "\nafter   " + heading(comparison["after"]) + "\n";
  for (const Section& section : sections()) {
    const Json rows = rows_of(comparison, section.key);
    const std::size_t shown = std::min(rows.size(), std::string_view(section.key) == "ratios" ? most / 5 : most);
    for (std::size_t i = 0; i < shown; ++i) out += fmt::format("  {}  {}\n", section.title, section.line(rows[i]));
    if (rows.size() > shown) out += fmt::format("  {}  and {} more\n", section.title, rows.size() - shown);
  }
  if (const std::string marks = legend(comparison); !marks.empty()) out += "  marks: " + marks + "\n";
  if (!comparison["regressions"].is_null()) out += "  " + regressions_line(comparison["regressions"]) + "\n";
  out += "exact digest    " + exact_line(comparison["digests"]["exact"]) + "\n";
  out += "numeric digest  " + digest_line(comparison["digests"]["numeric"]) + "\n";
  return out + conclusion(comparison) + "\n";
}

std::string comparison_markdown(const Json& comparison) {
  std::string out = "## foldproof: " + conclusion(comparison) + "\n\n| | |\n| --- | --- |\n";
  const auto row = [&out](const std::string& name, const std::string& value) { out += "| " + name + " | " + cell(value) + " |\n"; };
  row("before", heading(comparison["before"]));
  row("after", heading(comparison["after"]));
  row("exact digest", exact_line(comparison["digests"]["exact"]));
  row("numeric digest", digest_line(comparison["digests"]["numeric"]));
  if (!comparison["regressions"].is_null()) row("regressions", regressions_line(comparison["regressions"]));
  for (const Section& section : sections()) {
    const Json rows = rows_of(comparison, section.key);
    if (rows.empty()) continue;
    out += fmt::format("\n### {} ({})\n\n", section.title, rows.size());
    for (const Json& one : rows) out += "- " + cell(section.line(one)) + "\n";
    if (std::string_view(section.key) == "ratios") out += "\nMarks: " + cell(legend(comparison)) + ".\n";
  }
  return capped(std::move(out));
}

std::string capped(std::string text, std::size_t largest) {
  if (text.size() < largest) return text;
  const std::string note = "\n*Cut here: the whole is longer than a job summary may be.*\n";
  const std::size_t end = text.rfind('\n', largest - note.size() - 2);
  text.resize(end == std::string::npos ? 0 : end + 1);
  return text + note;
}

}  // namespace foldproof::report
