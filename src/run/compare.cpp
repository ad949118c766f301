// SPDX-License-Identifier: MIT
#include "run/compare.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "record/document.hpp"
#include "record/files.hpp"

namespace foldproof::run {

namespace {

const Json nothing;

const Json& at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

using Claims = std::map<std::string, const Json*>;

Claims by_id(const Json& report) {
  Claims out;
  for (const Json& claim : report.at("claims")) out[claim.at("id").get<std::string>()] = &claim;
  return out;
}

Json ids_missing(const Claims& from, const Claims& in) {
  Json out = Json::array();
  for (const auto& [id, claim] : from) {
    if (in.count(id) == 0) out.push_back(id);
  }
  return out;
}

// A claim that left under one id and came back under another, where the statement leaves no doubt.
Json renamed(const Json& removed, const Json& added, const Claims& before, const Claims& after) {
  std::map<std::string, std::vector<std::string>> gone;
  std::map<std::string, std::vector<std::string>> fresh;
  for (const Json& id : removed) gone[record::plain(at(*before.at(id), "statement"))].push_back(id);
  for (const Json& id : added) fresh[record::plain(at(*after.at(id), "statement"))].push_back(id);
  Json out = Json::array();
  for (const auto& [statement, ids] : gone) {
    const auto found = fresh.find(statement);
    if (found != fresh.end() && ids.size() == 1 && found->second.size() == 1) out.push_back({{"before", ids[0]}, {"after", found->second[0]}});
  }
  return out;
}

Json verdict_change(const std::string& id, const Json& a, const Json& b) {
  return {{"id", id},
          {"before", a.at("verdict")},
          {"after", b.at("verdict")},
          {"expect_before", a.at("expect")},
          {"expect_after", b.at("expect")},
          {"as_expected", b.at("as_expected")}};
}

// The parts of a claim that no machine may change. Tests are compared by their exact lanes here, and by `passed`.
Json evidence_changes(const Json& a, const Json& b, bool same_settings) {
  Json out = Json::array();
  for (const char* key : {"statement", "shapes", "reason", "certificate", "holds_where", "counterexample", "true_when", "assumptions"}) {
    if (at(a, key) != at(b, key)) out.push_back(key);
  }
  if (!same_settings) return out;
  const Json& before = at(a, "tests");
  const Json& after = at(b, "tests");
  for (const char* key : {"exact_lane", "rational_lane", "not_tested"}) {
    const Json& x = before.is_object() ? at(before, key) : nothing;
    const Json& y = after.is_object() ? at(after, key) : nothing;
    if (x != y) out.push_back(key);
  }
  return out;
}

Json passed(const Json& claim) {
  const Json& tests = at(claim, "tests");
  return tests.is_object() ? at(tests, "passed") : nothing;
}

// Of claims whose sides agree; how far false claims are off is no news. "~" within the bound on both sides, "!" a failed format, "?" not comparable.
void ratio_changes(const std::string& id, const Json& a, const Json& b, bool comparable, Json& out) {
  const Json& before = at(a, "tests");
  const Json& after = at(b, "tests");
  if (!before.is_object() || !after.is_object() || !at(before, "formats").is_array() || !at(after, "formats").is_array()) return;
  if (at(before, "expectation") != "equal" && at(after, "expectation") != "equal") return;
  for (const Json& x : before.at("formats")) {
    for (const Json& y : after.at("formats")) {
      if (x.at("format") != y.at("format") || (x.at("worst_ratio") == y.at("worst_ratio") && at(x, "failed") == at(y, "failed"))) continue;
      const bool failed = at(y, "failed") > 0 || std::strtod(record::plain(y.at("worst_ratio")).c_str(), nullptr) > 1;
      out.push_back({{"id", id},
                     {"format", x.at("format")},
                     {"before", x.at("worst_ratio")},
                     {"after", y.at("worst_ratio")},
                     {"mark", failed       ? "!"
                              : comparable ? "~"
                                           : "?"}});
    }
  }
}

void collect_changes(const std::string& where, const Json& a, const Json& b, Json& out) {
  if (a == b) return;
  if (!a.is_object() || !b.is_object()) {
    out.push_back({{"what", where}, {"before", record::plain(a)}, {"after", record::plain(b)}});
    return;
  }
  std::set<std::string> keys;
  for (const auto& item : a.items()) keys.insert(item.key());
  for (const auto& item : b.items()) keys.insert(item.key());
  for (const std::string& key : keys) collect_changes(where.empty() ? key : where + "." + key, at(a, key.c_str()), at(b, key.c_str()), out);
}

Json setting_changes(const Json& before, const Json& after) {
  Json out = Json::array();
  for (const char* key : {"seed", "cases"}) {
    if (before.at(key) != after.at(key)) out.push_back({{"what", key}, {"before", before.at(key)}, {"after", after.at(key)}});
  }
  return out;
}

// Why the float results may not be compared; empty when they may.
std::string incomparable(const Json& before, const Json& after, const Json& settings) {
  const Json& a = before.at("environment");
  const Json& b = after.at("environment");
  if (a.at("build_fingerprint") != b.at("build_fingerprint")) {
    Json changes = Json::array();
    collect_changes("", at(a, "build"), at(b, "build"), changes);
    std::string out = "the builds differ";
    for (const Json& change : changes)
      out += (out == "the builds differ" ? ": " : ", ") + record::plain(change["what"]) + " " + record::plain(change["before"]) + " against " + record::plain(change["after"]);
    return out;
  }
  return settings.empty() ? "" : record::plain(settings[0]["what"]) + " " + record::plain(settings[0]["before"]) + " against " + record::plain(settings[0]["after"]);
}

// What goes into the exact digest and is not the same: {what, claims}, claims that only one report has among them.
Json exact_parts(const Claims& a, const Claims& b, std::size_t one_sided) {
  std::map<std::string, std::size_t> claims;
  if (one_sided > 0) claims["claims that only one report has"] = one_sided;
  for (const auto& [id, x] : a) {
    const auto found = b.find(id);
    if (found == b.end() || at(at(*x, "digests"), "exact") == at(at(*found->second, "digests"), "exact")) continue;
    const Json& y = *found->second;
    std::set<std::string> parts;
    for (const char* key : {"verdict", "reason", "statement", "certificate", "counterexample"}) {
      if (at(*x, key) != at(y, key)) parts.insert(key);
    }
    const Json& before = at(*x, "tests");
    const Json& after = at(y, "tests");
    for (const char* key : {"exact_lane", "rational_lane", "not_tested"}) {
      if ((before.is_object() ? at(before, key) : nothing) != (after.is_object() ? at(after, key) : nothing)) parts.insert(key);
    }
    if (parts.empty()) parts.insert("what the report does not show");
    for (const std::string& part : parts) ++claims[part];
  }
  Json out = Json::array();
  for (const auto& [what, count] : claims) out.push_back({{"what", what}, {"claims", count}});
  return out;
}

Json digests(const Json& before, const Json& after, const std::string& reason) {
  Json out;
  for (const char* kind : {"exact", "numeric"}) {
    const Json& a = before.at("digests").at(kind);
    const Json& b = after.at("digests").at(kind);
    out[kind] = {{"before", a}, {"after", b}, {"same", a == b}};
  }
  out["numeric"]["not_comparable"] = reason.empty() ? Json(nullptr) : Json(reason);
  if (!reason.empty()) out["numeric"]["same"] = nullptr;
  return out;
}

Json heading(const Json& report) {
  Json out;
  for (const char* key : {"seed", "cases", "interrupted", "counts"}) out[key] = report.at(key);
  out["commit"] = report.at("environment").at("source").at("commit");
  out["fingerprint"] = report.at("environment").at("build_fingerprint");
  out["time"] = at(report.at("volatile"), "time");
  out["seconds"] = at(report.at("volatile"), "seconds");
  return out;
}

Json input_changes(const Json& before, const Json& after) {
  std::map<std::string, std::pair<Json, Json>> files;
  for (const Json& file : before.at("inputs")) files[file.at("path")].first = file.at("sha256");
  for (const Json& file : after.at("inputs")) files[file.at("path")].second = file.at("sha256");
  Json out = Json::array();
  for (const auto& [path, digest] : files) {
    if (digest.first != digest.second) out.push_back({{"path", path}, {"before", digest.first}, {"after", digest.second}});
  }
  return out;
}

Json compared(const Json& before, const Json& after) {
  const Claims a = by_id(before);
  const Claims b = by_id(after);
  const Json settings = setting_changes(before, after);
  const std::string reason = incomparable(before, after, settings);
  Json out;
  out["schema"] = "foldproof-comparison-1";
  out["same"] = false;
  out["before"] = heading(before);
  out["after"] = heading(after);
  out["settings"] = settings;
  out["removed"] = ids_missing(a, b);
  out["added"] = ids_missing(b, a);
  out["renamed"] = renamed(out["removed"], out["added"], a, b);
  for (const char* key : {"verdicts", "evidence", "tests", "ratios"}) out[key] = Json::array();
  for (const auto& [id, x] : a) {
    const auto found = b.find(id);
    if (found == b.end()) continue;
    const Json& y = *found->second;
    if (x->at("verdict") != y.at("verdict") || x->at("expect") != y.at("expect")) out["verdicts"].push_back(verdict_change(id, *x, y));
    if (Json changes = evidence_changes(*x, y, settings.empty()); !changes.empty()) out["evidence"].push_back({{"id", id}, {"changed", std::move(changes)}});
    if (passed(*x) != passed(y)) out["tests"].push_back({{"id", id}, {"before", passed(*x)}, {"after", passed(y)}});
    ratio_changes(id, *x, y, reason.empty(), out["ratios"]);
  }
  const Json& failing = before.at("regressions").at("failing");
  const Json& failing_now = after.at("regressions").at("failing");
  out["regressions"] = failing == failing_now ? Json(nullptr) : Json{{"before", failing}, {"after", failing_now}};
  out["digests"] = digests(before, after, reason);
  out["digests"]["exact"]["parts"] = exact_parts(a, b, out["removed"].size() + out["added"].size());
  out["inputs"] = input_changes(before, after);
  out["environment"] = Json::array();
  collect_changes("", before.at("environment"), after.at("environment"), out["environment"]);
  std::size_t differences = 0;
  for (const char* key : {"settings", "removed", "added", "verdicts", "evidence", "tests"}) differences += out[key].size();
  differences += !out["regressions"].is_null();
  differences += before.at("interrupted") != after.at("interrupted");
  for (const char* kind : {"exact", "numeric"}) differences += out["digests"][kind]["same"] == false;
  out["differences"] = differences;
  out["same"] = differences == 0;
  return out;
}

}  // namespace

namespace {

/// A report whose counts are not those of its claims was changed by hand, or put together of parts.
void hold_together(const Json& report, const std::string& path) {
  std::map<std::string, std::size_t> verdicts;
  std::set<std::string> ids;
  for (const Json& claim : report.at("claims")) {
    const std::string id = claim.at("id").get<std::string>();
    if (!ids.insert(id).second) expr::fail("report.inconsistent", path + ": the claim " + id + " stands in the report twice", {});
    ++verdicts[claim.at("verdict").get<std::string>()];
  }
  for (const char* verdict : {"proved", "refuted", "undecided", "invalid"}) {
    const Json& counted = report.at("counts").at(verdict);
    if (counted != verdicts[verdict]) expr::fail("report.inconsistent", path + ": the report counts " + counted.dump() + " claims as " + verdict + ", and holds " + std::to_string(verdicts[verdict]), {}, "it was changed after it was written");
  }
}

}  // namespace

Json read_report(const std::string& path) {
  const record::Document document(record::read_file(path), path);
  Json report = Json::parse(document.text());
  if (!report.is_object() || at(report, "schema") != "foldproof-report-1")
    expr::fail("report.kind", path + ": this is no report of foldproof check", {}, "name a report.json, whose schema is \"foldproof-report-1\"");
  try {
    hold_together(report, path);
  } catch (const Json::exception& e) {
    expr::fail("report.kind", path + ": the report is damaged: " + e.what(), {}, "check it against fixtures/schemas/report.schema.json");
  }
  return report;
}

Json compare(const Json& before, const Json& after) {
  try {
    return compared(before, after);
  } catch (const Json::exception& e) {
    expr::fail("report.kind", std::string("a report is damaged: ") + e.what(), {}, "check it against fixtures/schemas/report.schema.json");
  }
}

}  // namespace foldproof::run
