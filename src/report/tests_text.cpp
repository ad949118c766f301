// SPDX-License-Identifier: MIT
#include "report/tests_text.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "campaign/campaign.hpp"
#include "campaign/sides.hpp"
#include "run/entry.hpp"

namespace foldproof::report {

std::string ratio_text(const Json& format, int digits) {
  if (format.at("cases") == 0) return "no case";
  const auto without = format.at("not_compared").get<std::string>();
  if (format.at("compared") == 0) return "nothing compared: " + without;
  const double worst = std::strtod(format.at("worst_ratio").get<std::string>().c_str(), nullptr);
  // Random cases are discarded all the time, and random weights overflow 16 bits: only of given tensors every case counts.
  const bool given = format.contains("rerounded");
  return fmt::format("{:.{}g}{}", worst, digits, given && !without.empty() ? ", not compared: " + without : "");
}

std::string role_text(const Json& tests, const Json& format) {
  if (!format.contains("rerounded")) return "";
  std::string names;
  for (const Json& name : format.at("rerounded")) names += (names.empty() ? "" : ", ") + name.get<std::string>();
  if (!names.empty()) return names + " re-rounded";
  const Json& answer = tests.at("answer_format");
  if (answer == format.at("format")) return "answer format";
  // A result that was computed and stored in fewer digits is beyond what these digits allow: no bug.
  const auto precision = [](const Json& name) { return campaign::format_called(name.get<std::string>()).precision; };
  return answer.is_string() && precision(format.at("format")) > precision(answer) ? more_digits : "";
}

std::string left_out_text(const Json& tests) {
  std::string names;
  for (const Json& name : tests.value("left_out", Json::array())) names += (names.empty() ? "" : ", ") + name.get<std::string>();
  return names.empty() ? "" : "not run, as it takes long on tensors of this size: " + names;
}

bool tests_failed(const Json& claim) { return claim.at("tests").is_object() && !claim.at("tests").value("passed", true); }

bool needs_attention(const Json& claim) { return claim.at("as_expected") != true || tests_failed(claim) || !run::untested(claim).empty(); }

std::string failure_reason(const Json& claim) {
  if (!tests_failed(claim)) return "";
  const Json& tests = claim.at("tests");
  if (tests.at("expectation") == "different") return "in no case do the sides of this false claim differ by more than rounding explains";
  std::string out;
  const auto add = [&out](const std::string& what) { out += (out.empty() ? "" : "; ") + what; };
  std::int64_t compared = 0;
  for (const Json& f : tests.at("formats")) {
    compared += f.at("compared").get<std::int64_t>();
    const std::int64_t beyond = f.at("beyond").get<std::int64_t>();
    if (beyond > 0) add(fmt::format("{}: {} of {} cases differ by more than their bound", f.at("format").get<std::string>(), beyond, f.at("cases").get<std::int64_t>()));
  }
  for (const auto& [key, name] : {std::pair("exact_lane", "bit for bit"), std::pair("rational_lane", "in exact rationals")}) {
    if (tests.contains(key) && tests.at(key).at("failed") != 0) add(fmt::format("{}: {} of {} cases differ", name, tests.at(key).at("failed").get<std::int64_t>(), tests.at(key).at("cases").get<std::int64_t>()));
  }
  if (compared == 0) add("nothing was compared");
  return out.empty() ? "see the report" : out;
}

std::string bugs_line(const Json& bugs) {
  if (bugs["made"] == 0) return "";
  return fmt::format("{} of {} seeded bugs killed, {} more proved to be none", bugs["killed"].get<std::int64_t>(), bugs["made"].get<std::int64_t>(),
                     bugs["equivalent"].get<std::int64_t>());
}

}  // namespace foldproof::report
