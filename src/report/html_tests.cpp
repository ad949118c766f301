// SPDX-License-Identifier: MIT
#include "report/html_tests.hpp"

#include <fmt/format.h>

#include "report/html_parts.hpp"
#include "report/html_plot.hpp"
#include "report/tests_text.hpp"

namespace foldproof::report {

namespace {

std::string count(const Json& value) { return element("td", std::to_string(value.get<std::int64_t>()), " class=\"num\""); }

std::string table(const Json& tests) {
  const Json& formats = tests["formats"];
  std::string rows = "<tr><th scope=\"col\">format</th>";
  for (const char* name : {"cases", "compared", "within", "suspicious", "beyond", "worst difference / bound"}) rows += element("th", name, " scope=\"col\" class=\"num\"");
  rows += "</tr>";
  for (const Json& f : formats) {
    const std::string role = role_text(tests, f);
    std::string row = element("th", escaped(f["format"].get<std::string>() + (role.empty() ? "" : " (" + role + ")")), " scope=\"row\"");
    for (const char* key : {"cases", "compared", "within", "suspicious", "beyond"}) row += count(f[key]);
    rows += element("tr", row + element("td", escaped(ratio_text(f, 3)), " class=\"num\""));
  }
  const std::string left_out = left_out_text(tests);
  return "<div class=\"scroll\">" + element("table", rows) + "</div>" + (left_out.empty() ? "" : element("p", escaped(left_out), " class=\"soft\""));
}

std::string worst(const Json& formats) {
  std::string items;
  for (const Json& f : formats) {
    if (!f["formula"].get<std::string>().empty()) items += element("li", element("code", escaped(f["formula"].get<std::string>())));
  }
  return items.empty() ? "" : "<p class=\"soft\">The worst entry of each format, with the bound that was derived for it:</p>" + element("ul", items, " class=\"plain\"");
}

std::string lanes(const Json& tests) {
  if (!tests.contains("exact_lane")) return "";
  const Json& exact = tests["exact_lane"];
  const Json& rational = tests["rational_lane"];
  const auto count = [](const Json& lane, const char* key) { return lane[key].get<std::int64_t>(); };
  const std::string note = exact["note"].get<std::string>();
  std::string out = fmt::format("Bit for bit, where nothing is rounded: {} cases, {} differ{}.", count(exact, "cases"), count(exact, "failed"), note.empty() ? "" : " (" + escaped(note) + ")");
  if (count(rational, "cases") > 0) out += fmt::format(" In exact rationals: {} cases, {} differ.", count(rational, "cases"), count(rational, "failed"));
  return element("p", out);
}

std::string failure(const Json& tests) {
  if (!tests["failure"].is_object()) return "";
  const Json& f = tests["failure"];
  std::string text = "smallest failing case, " + f["lane"].get<std::string>() + "\n";
  for (const auto& item : f["values"].items()) text += item.key() + " = " + item.value().get<std::string>() + "\n";
  return element("pre", escaped(text + "lhs = " + f["lhs"].get<std::string>() + "\nrhs = " + f["rhs"].get<std::string>()));
}

}  // namespace

std::string html_tests(const Card& card) {
  const Json& tests = card.tests;
  if (!tests.is_object()) return "";
  if (tests.contains("not_tested")) {
    const std::string out = element("p", "Not tested as a program: " + escaped(tests["not_tested"].get<std::string>()) + ".", " class=\"soft\"");
    return tests.contains("formats") ? out + element("details", "<summary>On the given tensors</summary>" + table(tests), " open") : out;
  }
  const bool equal = tests["expectation"] == "equal";
  std::string out = std::string("<summary>Tested as a program: ") + (tests["passed"] == true ? "passed" : "FAILED") + "</summary>";
  out += equal ? "<p>Both sides may differ by rounding only: no more than the sum of their derived error bounds (ratio 1).</p>"
               : "<p>The sides are expected to differ by more than rounding explains (ratio above 1) in some case.</p>";
  out += table(tests) + ratio_plot(tests["formats"]) + lanes(tests) + worst(tests["formats"]) + failure(tests);
  return element("details", out, tests["passed"] == true ? "" : " open");
}

}  // namespace foldproof::report
