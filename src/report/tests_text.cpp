// SPDX-License-Identifier: MIT
#include "report/tests_text.hpp"

#include <fmt/format.h>

#include <cstdlib>

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
  return tests.at("answer_format") == format.at("format") ? "answer format" : "";
}

std::string untested(const Json& claim) {
  const Json& tests = claim.at("tests");
  return tests.is_object() && tests.contains("bound") && tests.contains("not_tested") ? tests.at("not_tested").get<std::string>() : "";
}

}  // namespace foldproof::report
