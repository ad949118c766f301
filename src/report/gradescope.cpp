// SPDX-License-Identifier: MIT
#include "report/gradescope.hpp"

#include "report/tests_text.hpp"
#include "run/entry.hpp"

#include <cmath>

namespace foldproof::report {

namespace {

// What a student reads: the claim, the verdict, and for a refuted one the numbers that show it.
std::string output(const Json& claim) {
  std::string out = record::plain(claim["statement"]) + "\n" + record::plain(claim["verdict"]) + ", expected " + record::plain(claim["expect"]) + "\n";
  if (claim["diagnostic"].is_object()) out += record::plain(claim["diagnostic"]["message"]) + "\n" + record::plain(claim["diagnostic"]["hint"]) + "\n";
  if (claim["reason"].is_string()) out += record::plain(claim["reason"]) + " " + record::plain(claim["detail"]) + "\n";
  if (claim["counterexample"].is_object()) {
    for (const auto& item : claim["counterexample"]["values"].items()) out += item.key() + " = " + record::plain(item.value()) + "\n";
    out += "lhs = " + record::plain(claim["counterexample"]["lhs"]) + "\nrhs = " + record::plain(claim["counterexample"]["rhs"]) + "\n";
  }
  if (tests_failed(claim)) out += "the random tests failed: " + record::plain(claim["tests"]["failure"]) + "\n";
  if (const std::string why = run::untested(claim); !why.empty()) out += "not tested: " + why + "\n";
  if (claim["verdict"] == "refuted" && !record::plain(claim["nearest_true"]).empty()) out += "nearest true statement: " + record::plain(claim["nearest_true"]) + "\n";
  return out;
}

Json test(const Json& claim, std::size_t number) {
  const bool passed = !needs_attention(claim);
  Json out;
  out["name"] = record::plain(claim["title"]).empty() ? record::plain(claim["id"]) : record::plain(claim["title"]);
  out["number"] = std::to_string(number);
  out["score"] = passed ? 1 : 0;
  out["max_score"] = 1;
  out["status"] = passed ? "passed" : "failed";
  out["output"] = output(claim);
  out["tags"] = {record::plain(claim["verdict"])};
  out["visibility"] = "visible";
  out["extra_data"] = {{"id", claim["id"]}, {"verdict", claim["verdict"]}, {"expect", claim["expect"]}};
  return out;
}

}  // namespace

Json gradescope(const Json& report) {
  Json out;
  out["execution_time"] = std::llround(report["volatile"]["seconds"].get<double>());
  out["output"] = record::plain(report["counts"]["as_expected"]) + " of " + record::plain(report["counts"]["claims"]) + " claims as expected";
  out["output_format"] = "text";
  out["test_output_format"] = "text";
  out["test_name_format"] = "text";
  out["visibility"] = "visible";
  out["stdout_visibility"] = "hidden";
  out["extra_data"] = {{"exact_digest", report["digests"]["exact"]}, {"seed", report["seed"]}};
  out["tests"] = Json::array();
  for (const Json& claim : report["claims"]) out["tests"].push_back(test(claim, out["tests"].size() + 1));
  return out;
}

}  // namespace foldproof::report
