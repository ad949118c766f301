// SPDX-License-Identifier: MIT
#include "report/junit.hpp"

#include "report/tests_text.hpp"
#include "run/entry.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace foldproof::report {

namespace {

constexpr const char* replacement = "\xEF\xBF\xBD";

std::string property(const std::string& name, const std::string& value) {
  return "<property name=\"" + xml_escaped(name) + "\" value=\"" + xml_escaped(value) + "\"/>";
}

double seconds(const Json& report, const std::string& id) {
  const Json& durations = report["volatile"]["durations"];
  const auto found = durations.find(id);
  return found == durations.end() ? 0 : ((*found)["decide_ms"].get<double>() + (*found)["test_ms"].get<double>()) / 1000;
}

std::string failure(const Json& claim) {
  std::string message;
  if (claim["as_expected"] != true) message = "verdict " + record::plain(claim["verdict"]) + ", expected " + record::plain(claim["expect"]);
  if (tests_failed(claim)) message += (message.empty() ? "" : "; ") + std::string("the campaign failed: ") + failure_reason(claim);
  if (message.empty()) return "";
  std::string text = record::plain(claim["statement"]);
  if (claim["diagnostic"].is_object()) text += "\n" + record::plain(claim["diagnostic"]["message"]);
  else if (claim["reason"].is_string()) text += "\n" + record::plain(claim["reason"]) + " " + record::plain(claim["detail"]);
  if (claim["counterexample"].is_object()) text += "\n" + record::plain(claim["counterexample"]);
  if (tests_failed(claim)) text += "\n" + record::plain(claim["tests"]["failure"]);
  return "      <failure type=\"" + std::string(claim["as_expected"] == true ? "test" : "verdict") + "\" message=\"" + xml_escaped(message) + "\">" + xml_escaped(text) + "</failure>\n";
}

// Tensors were given, and say nothing about the claim.
std::string skipped(const Json& claim) {
  const std::string why = run::untested(claim);
  return why.empty() ? "" : "      <skipped message=\"" + xml_escaped("not tested: " + why) + "\"/>\n";
}

std::string property_line(const std::string& name, const std::string& value) { return "[[PROPERTY|" + name + "=" + value + "]]\n"; }

// Properties of a case stand in its output: the schema that Jenkins' xUnit plugin holds files against (junit-10.xsd) has properties of
// suites only, and readers of properties of cases know this form too.
std::string test_case(const Json& report, const Json& claim) {
  std::string out = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", xml_escaped(record::plain(claim["file"])), xml_escaped(record::plain(claim["id"])),
                                seconds(report, record::plain(claim["id"])));
  std::string properties = property_line("verdict", record::plain(claim["verdict"])) + property_line("expect", record::plain(claim["expect"])) +
                           property_line("exact digest", record::plain(claim["digests"]["exact"]));
  if (claim["tests"].is_object() && claim["tests"].contains("formats")) {
    for (const Json& f : claim["tests"]["formats"]) properties += property_line("worst ratio " + record::plain(f["format"]), f["compared"] == 0 ? ratio_text(f, 3) : record::plain(f["worst_ratio"]));
  }
  const std::string failed = failure(claim);
  return out + (failed.empty() ? skipped(claim) : failed) + "      <system-out>" + xml_escaped(properties) + "</system-out>\n    </testcase>\n";
}

/// Length of the UTF-8 sequence at `at`, 0 when there is none that XML can hold.
std::size_t sequence(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(at);
  if (first < 0x80) return first >= 0x20 || first == '\n' || first == '\t' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  std::uint32_t point = first & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(at + k) & 0xC0U) != 0x80U) return 0;
    point = point << 6U | (byte(at + k) & 0x3FU);
  }
  const bool shortest = length == 2 || (length == 3 && point >= 0x800) || (length == 4 && point >= 0x10000 && point <= 0x10FFFF);
  return shortest && (point < 0xD800 || point > 0xDFFF) && point != 0xFFFE && point != 0xFFFF ? length : 0;
}

}  // namespace

std::string xml_escaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence(text, i);
    switch (length == 1 ? text[i] : '\0') {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        out += length == 0 ? replacement : text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return out;
}

std::string junit(const Json& report) {
  std::size_t failures = 0;
  std::size_t skips = 0;
  std::string cases;
  for (const Json& claim : report["claims"]) {
    cases += test_case(report, claim);
    const bool failed = claim["as_expected"] != true || tests_failed(claim);
    failures += failed;
    skips += !failed && !run::untested(claim).empty();
  }
  // Past failures that did not come back are no cases of their own: they would hide that the claim itself was tested.
  const Json& back = report["regressions"]["failing"];
  for (const Json& id : back) {
    cases += "    <testcase classname=\"past failures\" name=\"" + xml_escaped(record::plain(id)) + "\">\n      <failure message=\"a past failure is back\"/>\n    </testcase>\n";
    ++failures;
  }
  const std::size_t tests = report["claims"].size() + back.size();
  const double time = report["volatile"]["seconds"].get<double>();
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format(
      "<testsuites name=\"foldproof\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{:.3f}\">\n  <testsuite name=\"foldproof\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" "
      "time=\"{:.3f}\" timestamp=\"{}\">\n",
      tests, failures, time, tests, failures, skips, time, xml_escaped(record::plain(report["volatile"]["time"])));
  out += "    <properties>" + property("seed", record::plain(report["seed"])) + property("exact digest", record::plain(report["digests"]["exact"])) +
         property("numeric digest", record::plain(report["digests"]["numeric"])) + property("commit", record::plain(report["environment"]["source"]["commit"])) + property("cases", record::plain(report["cases"])) +
         property("build fingerprint", record::plain(report["environment"]["build_fingerprint"])) +
         "</properties>\n";
  return out + cases + "  </testsuite>\n</testsuites>\n";
}

}  // namespace foldproof::report
