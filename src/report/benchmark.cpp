// SPDX-License-Identifier: MIT
#include "report/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "expr/diagnostic.hpp"

namespace foldproof::report {
namespace {

constexpr std::array small_words{"format", "d", "numbers"};
constexpr std::array small_numbers{"bare_per_second", "campaign_per_second", "ratio", "ratio_with_draw_matrix"};
constexpr std::array shrinking_words{"property"};
constexpr std::array shrinking_numbers{"seeds", "forms", "entries", "nonzeros", "median_ms", "largest_ms"};
constexpr std::array large_words{"format", "library"};
constexpr std::array large_numbers{"d", "products_ms", "gflops", "check_ms", "ratio"};

bool has(const Json& rows, const auto& words, const auto& numbers) {
  const auto is_row = [&](const Json& row) {
    return row.is_object() && std::all_of(words.begin(), words.end(), [&](const char* key) { return row.contains(key) && row[key].is_string(); }) &&
           std::all_of(numbers.begin(), numbers.end(), [&](const char* key) { return row.contains(key) && row[key].is_number(); });
  };
  return rows.is_array() && std::all_of(rows.begin(), rows.end(), is_row);
}
bool is_benchmark(const Json& b) {
  if (!b.is_object() || b.value("schema", Json()) != "foldproof-benchmark-1" || !b.contains("small") || !b.contains("large") || !b.contains("hypothesis") || !b.contains("shrinking")) return false;
  for (const char* key : {"clock", "products", "compiler"}) {
    if (!b.contains(key) || !b[key].is_string()) return false;
  }
  const Json& peer = b["hypothesis"];
  if (!peer.is_object() || !peer.contains("campaign_per_second") || !peer["campaign_per_second"].is_number()) return false;
  if (peer.contains("skipped") ? !peer["skipped"].is_string() : !peer.contains("ratios") || !peer["ratios"].is_object()) return false;
  for (const Json& ratio : peer.value("ratios", Json::object())) {
    if (!ratio.is_number()) return false;
  }
  return has(b["small"], small_words, small_numbers) && has(b["large"], large_words, large_numbers) && has(b["shrinking"], shrinking_words, shrinking_numbers);
}

std::string hypothesis_sentence(const Json& peer) {
  std::string out = fmt::format("\nDimensions 1 to 64: {:.0f} cases/s", peer["campaign_per_second"].get<double>());
  if (peer.contains("skipped")) return out + "; Hypothesis was skipped: " + peer["skipped"].get<std::string>() + ".\n";
  for (const auto& [kind, ratio] : peer["ratios"].items()) out += fmt::format("; {:.0f} times Hypothesis with {}", ratio.get<double>(), kind);
  return out + ".\n";
}

/// The minimal case and the time of a false property, or nothing where they were not measured.
std::string shrunk(const Json& row) {
  if (!row.is_object() || !has(Json::array({row}), std::array<const char*, 0>(), shrinking_numbers)) return "";
  return fmt::format("{} of {} seeds; {} numbers, {} not zero; {:.2f} ms", row["forms"].get<int>(), row["seeds"].get<int>(), row["entries"].get<int>(),
                     row["nonzeros"].get<int>(), row["median_ms"].get<double>());
}
std::string shrinking_table(const Json& rows) {
  std::string out = "\nFalse properties found and shrunk: distinct minimal cases, their size, median time.\n\n| false property | foldproof | Hypothesis |\n| --- | --- | --- |\n";
  for (const Json& row : rows)
    out += fmt::format("| {} | {} | {} |\n", row["property"].get<std::string>(), shrunk(row), shrunk(row.value("hypothesis", Json())));
  return out;
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

std::string benchmark_section(const Json& b) {
  std::string out = fmt::format("\n## Speed\n\nMeasured by foldproof-bench: {}; {}; {}.\n\n", b["clock"].get<std::string>(), b["products"].get<std::string>(),
                                b["compiler"].get<std::string>());
  out += "| format | d | numbers | bare C++ loop, cases/s | campaign, cases/s | ratio | with our draws |\n| --- | --- | --- | ---: | ---: | ---: | ---: |\n";
  for (const Json& row : b["small"])
    out += fmt::format("| {} | {} | {} | {:.0f} | {:.0f} | {:.2f} | {:.2f} |\n", row["format"].get<std::string>(), row["d"].get<std::string>(),
                       row["numbers"].get<std::string>(), row["bare_per_second"].get<double>(),
                       row["campaign_per_second"].get<double>(), row["ratio"].get<double>(), row["ratio_with_draw_matrix"].get<double>());
  out += "\n| format | d | library | products, ms | GFLOP/s | with the check, ms | ratio |\n| --- | ---: | --- | ---: | ---: | ---: | ---: |\n";
  for (const Json& row : b["large"])
    out += fmt::format("| {} | {} | {} | {:.1f} | {:.0f} | {:.1f} | {:.2f} |\n", row["format"].get<std::string>(), row["d"].get<double>(),
                       row["library"].get<std::string>(), row["products_ms"].get<double>(), row["gflops"].get<double>(), row["check_ms"].get<double>(),
                       row["ratio"].get<double>());
  return out + hypothesis_sentence(b["hypothesis"]) + shrinking_table(b["shrinking"]);
}

}  // namespace foldproof::report
