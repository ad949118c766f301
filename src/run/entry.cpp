// SPDX-License-Identifier: MIT
#include "run/entry.hpp"

#include <algorithm>

#include "record/digest.hpp"

namespace foldproof::run {

Json to_json(const Entry& entry) {
  return {{"record", entry.record}, {"decide_ms", entry.decide_milliseconds}, {"test_ms", entry.test_milliseconds}, {"complaint", entry.complaint}};
}

Entry entry_from_json(const Json& json) {
  return {json.at("record"), json.at("decide_ms").get<double>(), json.at("test_ms").get<double>(), json.at("complaint").get<std::string>()};
}

std::string untested(const Json& claim) {
  const Json& tests = claim.at("tests");
  return tests.is_object() && (tests.contains("bound") || tests.contains("too_few_cases")) && tests.contains("not_tested") ? tests.at("not_tested").get<std::string>() : "";
}

Standing standing(const Entry& entry) {
  const Json& tests = entry.record.at("tests");
  const bool tested = tests.is_object() && tests.contains("passed");
  return {entry.record.at("verdict").get<std::string>(), entry.record.at("as_expected").get<bool>(), tested, tested && !tests.at("passed").get<bool>(), !untested(entry.record).empty(), entry.record.contains("reason") && entry.record.at("reason") == "internal-error"};
}

void Counts::add(const std::optional<Standing>& standing) {
  ++claims;
  if (!standing) {
    ++skipped;
    return;
  }
  const std::string& verdict = standing->verdict;
  tested += standing->tested;
  tests_failed += standing->test_failed;
  untested += standing->untested;
  internal_errors += standing->internal_error;
  proved += verdict == "proved";
  refuted += verdict == "refuted";
  undecided += verdict == "undecided";
  invalid += verdict == "invalid";
  ++(standing->as_expected ? as_expected : differing);
  if (standing->as_expected) return;
  bad_input += verdict == "invalid";
  gave_up += verdict == "undecided";
}

Counts count(const Entries& entries) {
  Counts counts;
  for (const auto& entry : entries) counts.add(entry ? std::optional<Standing>(standing(*entry)) : std::nullopt);
  return counts;
}

int exit_status(const Counts& counts) {
  if (counts.internal_errors > 0) return 70;  // sysexits.h: EX_SOFTWARE
  if (counts.bad_input > 0) return 2;
  if (counts.differing > counts.gave_up + counts.bad_input || counts.tests_failed > 0) return 1;
  return counts.gave_up + counts.untested > 0 ? 3 : 0;
}

std::string digest(const Entries& entries, const char* kind) {
  std::vector<const Json*> sorted;
  for (const auto& entry : entries) {
    if (entry) sorted.push_back(&entry->record);
  }
  const auto id = [](const Json* record) { return record->at("id").get_ref<const std::string&>(); };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Json* a, const Json* b) { return id(a) < id(b); });
  std::string all = std::string("foldproof-") + kind + "-2\n";
  // Lengths first, so that no id can pass for the end of another.
  for (const Json* record : sorted) all += std::to_string(id(record).size()) + ":" + id(record) + " " + record->at("digests").at(kind).get<std::string>() + "\n";
  return record::sha256(all);
}

}  // namespace foldproof::run
