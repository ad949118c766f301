// SPDX-License-Identifier: MIT
#include "report/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <vector>

#include "expr/diagnostic.hpp"
#include "report/html_parts.hpp"

namespace foldproof::report {
namespace {

constexpr std::array small_words{"format", "d", "numbers"};
constexpr std::array small_numbers{"bare_per_second", "campaign_per_second", "ratio", "ratio_with_draw_matrix"};
constexpr std::array shrinking_words{"property"};
constexpr std::array shrinking_numbers{"seeds", "forms", "entries", "nonzeros", "median_ms", "largest_ms"};
constexpr std::array<const char*, 0> no_words{};
constexpr std::array<const char*, 0> no_numbers{};
constexpr std::array bugs_numbers{"claims", "cases", "made", "killed", "equivalent", "untested"};
constexpr std::array alarms_words{"format"};
constexpr std::array alarms_numbers{"cases", "discarded", "vacuous", "alarms"};
constexpr std::array memory_numbers{"cases", "megabytes"};
constexpr std::array prover_words{"prover"};
constexpr std::array prover_numbers{"claims", "stated", "right", "open", "wrong", "median_ms", "slowest_ms", "median_ratio"};
constexpr std::array prover_row_words{"id", "expect"};
constexpr std::array prover_keys{"foldproof", "sympy", "z3", "z3_size_3"};
constexpr std::array answer_words{"answer", "says", "mark"};
constexpr std::array skipped_words{"skipped"};
constexpr std::array large_words{"format", "library"};
constexpr std::array large_numbers{"d", "products_ms", "gflops", "check_ms", "ratio"};

bool has(const Json& rows, const auto& words, const auto& numbers) {
  const auto is_row = [&](const Json& row) {
    return row.is_object() && std::all_of(words.begin(), words.end(), [&](const char* key) { return row.contains(key) && row[key].is_string(); }) &&
           std::all_of(numbers.begin(), numbers.end(), [&](const char* key) { return row.contains(key) && row[key].is_number(); });
  };
  return rows.is_array() && std::all_of(rows.begin(), rows.end(), is_row);
}
bool is_answer(const Json& answer) {
  const Json one = Json::array({answer});
  return has(one, skipped_words, no_numbers) || (has(one, answer_words, no_numbers) && (answer["mark"] == "unstated" || has(one, no_words, std::array{"ms"})));
}
bool is_provers(const Json& p) {
  if (!p.is_object() || !p.contains("totals") || !p.contains("rows") || !has(Json::array({p}), no_words, std::array{"seconds"})) return false;
  if (!has(p["totals"], prover_words, no_numbers) || !has(p["rows"], prover_row_words, no_numbers)) return false;
  for (const Json& total : p["totals"]) {
    const Json one = Json::array({total});
    if (has(one, skipped_words, no_numbers)) continue;
    if (!has(one, no_words, prover_numbers) || !total.contains("unstated") || !total["unstated"].is_object() || !total.contains("wrong_ids")) return false;
    if (!total["wrong_ids"].is_array() || !std::all_of(total["wrong_ids"].begin(), total["wrong_ids"].end(), [](const Json& id) { return id.is_string(); })) return false;
    for (const Json& claims : total["unstated"]) {
      if (!claims.is_number()) return false;
    }
  }
  return std::all_of(p["rows"].begin(), p["rows"].end(), [](const Json& row) {
    return std::all_of(prover_keys.begin(), prover_keys.end(), [&](const char* key) { return row.contains(key) && is_answer(row[key]); });
  });
}
bool is_benchmark(const Json& b) {
  if (!b.is_object() || b.value("schema", Json()) != "foldproof-benchmark-1") return false;
  for (const char* key : {"small", "large", "hypothesis", "shrinking", "bugs", "alarms", "memory", "provers"}) {
    if (!b.contains(key)) return false;
  }
  for (const char* key : {"clock", "products", "compiler"}) {
    if (!b.contains(key) || !b[key].is_string()) return false;
  }
  const Json& peer = b["hypothesis"];
  if (!peer.is_object() || !peer.contains("campaign_per_second") || !peer["campaign_per_second"].is_number()) return false;
  if (peer.contains("skipped") ? !peer["skipped"].is_string() : !peer.contains("ratios") || !peer["ratios"].is_object()) return false;
  for (const Json& ratio : peer.value("ratios", Json::object())) {
    if (!ratio.is_number()) return false;
  }
  const Json survivors = b["bugs"].is_object() ? b["bugs"].value("survivors", Json()) : Json();
  if (!survivors.is_array() || !std::all_of(survivors.begin(), survivors.end(), [](const Json& name) { return name.is_string(); })) return false;
  return has(b["small"], small_words, small_numbers) && has(b["large"], large_words, large_numbers) && has(b["shrinking"], shrinking_words, shrinking_numbers) &&
         has(Json::array({b["bugs"]}), no_words, bugs_numbers) && has(b["alarms"], alarms_words, alarms_numbers) && has(b["memory"], no_words, memory_numbers) && is_provers(b["provers"]);
}

/// A sentence, then the columns of a table, if there is one; numbers stand to the right.
struct Part {
  std::string sentence;
  std::vector<std::string> words;    ///< titles of the columns of words
  std::vector<std::string> numbers;  ///< and of those behind them
  std::vector<std::vector<std::string>> rows;
};

std::string word(const Json& row, const char* key) { return row[key].get<std::string>(); }
double number(const Json& row, const char* key) { return row[key].get<double>(); }
std::string whole(const Json& row, const char* key) { return fmt::format("{:.0f}", number(row, key)); }
std::string decimals(const Json& row, const char* key, int places) { return fmt::format("{:.{}f}", number(row, key), places); }

std::string hypothesis_sentence(const Json& peer) {
  std::string out = fmt::format("Dimensions 1 to 64: {} cases/s", whole(peer, "campaign_per_second"));
  if (peer.contains("skipped")) return out + "; Hypothesis was skipped: " + word(peer, "skipped") + ".";
  for (const auto& [kind, ratio] : peer["ratios"].items()) out += fmt::format("; {:.0f} times Hypothesis with {}", ratio.get<double>(), kind);
  return out + ".";
}

/// The minimal case and the time of a false property, or nothing where they were not measured.
std::string shrunk(const Json& row) {
  if (!row.is_object() || !has(Json::array({row}), no_words, shrinking_numbers)) return "";
  return fmt::format("{} of {} seeds; {} numbers, {} not zero; {} ms", whole(row, "forms"), whole(row, "seeds"), whole(row, "entries"), whole(row, "nonzeros"), decimals(row, "median_ms", 2));
}

std::string bugs_sentence(const Json& bugs) {
  std::string out = fmt::format("Seeded bugs of {} true claims: {} of {} killed within {} cases a claim, {} more proved to be none, {} untested", whole(bugs, "claims"), whole(bugs, "killed"),
                                whole(bugs, "made"), whole(bugs, "cases"), whole(bugs, "equivalent"), whole(bugs, "untested"));
  for (std::size_t i = 0; i < bugs["survivors"].size(); ++i) out += (i == 0 ? "; not killed: " : ", ") + bugs["survivors"][i].get<std::string>();
  return out + ".";
}

/// What a prover says of one claim.
std::string answer_text(const Json& answer) {
  if (answer.contains("skipped")) return "skipped";
  if (answer["mark"] == "unstated") return "not stated: " + word(answer, "says");
  return fmt::format("{}{}, {} ms", answer["mark"] == "wrong" ? "WRONG: " : "", word(answer, "answer"), decimals(answer, "ms", 3));
}

/// All claims of the catalogue put to each prover, what each cannot state, and some claims one by one.
std::vector<Part> prover_parts(const Json& provers) {
  Part totals{"The claims of the catalogue put to other provers, each at most " + whole(provers, "seconds") +
                  " s. Right, open and wrong are of the claims that a prover can state; what Z3 finds to hold is shown at its size only. Ratios are of its time to foldproof's, claim by claim.",
              {"prover"}, {"claims", "stated", "right", "open", "wrong", "median, ms", "slowest, ms", "median ratio"}, {}};
  std::vector<Part> out;
  for (const Json& t : provers["totals"]) {
    if (t.contains("skipped")) {
      out.push_back({word(t, "prover") + " was skipped: " + word(t, "skipped") + ".", {}, {}, {}});
      continue;
    }
    totals.rows.push_back({word(t, "prover"), whole(t, "claims"), whole(t, "stated"), whole(t, "right"), whole(t, "open"), whole(t, "wrong"),
                           decimals(t, "median_ms", 3), decimals(t, "slowest_ms", 3), decimals(t, "median_ratio", 1)});
    std::string left_out, wrong;
    for (const Json& id : t["wrong_ids"]) wrong += (wrong.empty() ? "" : ", ") + id.get<std::string>();
    if (!wrong.empty()) out.push_back({word(t, "prover") + " is WRONG about: " + wrong + ".", {}, {}, {}});
    for (const auto& [construct, claims] : t["unstated"].items()) left_out += fmt::format("{}{} ({:.0f})", left_out.empty() ? "" : ", ", construct, claims.get<double>());
    if (!left_out.empty()) out.push_back({word(t, "prover") + " cannot state claims with: " + left_out + ".", {}, {}, {}});
  }
  out.insert(out.begin(), totals);
  Part rows{"Some of them; claims that do not hold are refuted by a counterexample, or left open:", {"claim", "expected", "foldproof", "SymPy, all shapes", "Z3, size 2", "Z3, size 3"}, {}, {}};
  for (const Json& row : provers["rows"]) {
    rows.rows.push_back({word(row, "id"), word(row, "expect")});
    for (const char* key : prover_keys) rows.rows.back().push_back(answer_text(row[key]));
  }
  out.push_back(rows);
  return out;
}

std::vector<Part> parts(const Json& b) {
  Part small{fmt::format("Measured by foldproof-bench: {}; {}; {}.", word(b, "clock"), word(b, "products"), word(b, "compiler")), {"format", "d", "numbers"},
             {"bare C++ loop, cases/s", "campaign, cases/s", "ratio", "with our draws"}, {}};
  for (const Json& row : b["small"])
    small.rows.push_back({word(row, "format"), word(row, "d"), word(row, "numbers"), whole(row, "bare_per_second"), whole(row, "campaign_per_second"), decimals(row, "ratio", 2), decimals(row, "ratio_with_draw_matrix", 2)});
  Part large{"Large products alone, and with the check of both sides:", {"format", "library"}, {"d", "products, ms", "GFLOP/s", "with the check, ms", "ratio"}, {}};
  for (const Json& row : b["large"])
    large.rows.push_back({word(row, "format"), word(row, "library"), whole(row, "d"), decimals(row, "products_ms", 1), whole(row, "gflops"), decimals(row, "check_ms", 1), decimals(row, "ratio", 2)});
  Part shrinking{"False properties found and shrunk: distinct minimal cases, their size, median time.", {"false property", "foldproof", "Hypothesis"}, {}, {}};
  for (const Json& row : b["shrinking"]) shrinking.rows.push_back({word(row, "property"), shrunk(row), shrunk(row.value("hypothesis", Json()))});
  Part alarms{"Correct cases of the same claims, and those called wrong:", {"format"}, {"cases", "discarded", "vacuous", "false alarms"}, {}};
  for (const Json& row : b["alarms"]) alarms.rows.push_back({word(row, "format"), whole(row, "cases"), whole(row, "discarded"), whole(row, "vacuous"), whole(row, "alarms")});
  Part memory{"Memory of a campaign at most, by the number of its cases:", {}, {"cases", "MB"}, {}};
  for (const Json& row : b["memory"]) memory.rows.push_back({whole(row, "cases"), decimals(row, "megabytes", 1)});
  std::vector<Part> out{small, large, {hypothesis_sentence(b["hypothesis"]), {}, {}, {}}, shrinking, {bugs_sentence(b["bugs"]), {}, {}, {}}, alarms, memory};
  const std::vector<Part> provers = prover_parts(b["provers"]);
  out.insert(out.end(), provers.begin(), provers.end());
  return out;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}
std::string markdown_of(const Part& part) {
  std::string out = "\n" + part.sentence + "\n";
  if (part.rows.empty()) return out;
  std::vector<std::string> titles = part.words, rules(part.words.size(), "---");
  titles.insert(titles.end(), part.numbers.begin(), part.numbers.end());
  rules.resize(titles.size(), "---:");
  out += "\n" + markdown_row(titles) + markdown_row(rules);
  for (const auto& row : part.rows) out += markdown_row(row);
  return out;
}

std::string html_of(const Part& part) {
  const std::string sentence = element("p", escaped(part.sentence));
  if (part.rows.empty()) return sentence;
  std::string titles, rows;
  for (const std::string& title : part.words) titles += element("th", escaped(title), " scope=\"col\"");
  for (const std::string& title : part.numbers) titles += element("th", escaped(title), " scope=\"col\" class=\"num\"");
  for (const auto& row : part.rows) {
    std::string cells;
    for (std::size_t i = 0; i < row.size(); ++i) cells += element("td", escaped(row[i]), i < part.words.size() ? "" : " class=\"num\"");
    rows += element("tr", cells);
  }
  return sentence + "<div class=\"scroll\">" + element("table", element("tr", titles) + rows) + "</div>";
}

}  // namespace

Json read_benchmark(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) expr::fail("usage", "cannot read the benchmark " + path, {});
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Json benchmark = Json::parse(text, nullptr, false);
  if (!is_benchmark(benchmark)) expr::fail("usage", path + " is no benchmark of foldproof-bench", {}, "foldproof-bench --out FILE writes one");
  return benchmark;
}

std::string benchmark_markdown(const Json& benchmark) {
  std::string out = "\n## Benchmark\n";
  for (const Part& part : parts(benchmark)) out += markdown_of(part);
  return out + "\n";
}

std::string benchmark_html(const Json& benchmark) {
  std::string out = "<h2>Benchmark</h2>";
  for (const Part& part : parts(benchmark)) out += html_of(part);
  return element("section", out, " id=\"benchmark\"");
}

}  // namespace foldproof::report
