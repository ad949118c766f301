// SPDX-License-Identifier: MIT
#include "run/merge.hpp"

#include <algorithm>
#include <set>

namespace foldproof::run {

namespace {

std::string brief(const Json& value) {
  std::string text = record::plain(value);
  text.erase(text.find_last_not_of('\n') + 1);
  return text.size() > 60 ? text.substr(0, 60) + "..." : text;
}

Plan plan_of(const Json& report) {
  const Json& p = report.at("plan");
  return {p.at("claims").get<std::size_t>(), p.at("sha256").get<std::string>(), p.at("shards").get<std::size_t>(), p.at("parts").get<std::vector<std::size_t>>()};
}

std::string shards_text(const std::vector<std::size_t>& parts, std::size_t count) {
  std::string out = parts.size() == 1 ? "shard " : "shards ";
  for (std::size_t k = 0; k < parts.size(); ++k) out += (k > 0 ? ", " : "") + std::to_string(parts[k]) + "/" + std::to_string(count);
  return out;
}

/// Positions in the whole of the claims that some shards hold, ascending.
std::vector<std::size_t> positions(const Plan& plan) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < plan.claims; ++i) {
    if (std::find(plan.parts.begin(), plan.parts.end(), i % plan.shards + 1) != plan.parts.end()) out.push_back(i);
  }
  return out;
}

Entries entries_of(const NamedReport& named, const Plan& plan) {
  const Json& claims = named.json.at("claims");
  const std::size_t expected = positions(plan).size();
  if (named.json.at("interrupted").get<bool>() || claims.size() != expected) {
    expr::fail("merge.gap",
               named.name + ": " + shards_text(plan.parts, plan.shards) + " was interrupted after " + std::to_string(claims.size()) + " of " + std::to_string(expected) + " claims",
               {}, "continue that run with --resume and merge its new report");
  }
  Entries entries;
  for (const Json& claim : claims) {
    const Json& duration = named.json.at("volatile").at("durations").at(claim.at("id").get<std::string>());
    entries.push_back(Entry{claim, duration.at("decide_ms").get<double>(), duration.at("test_ms").get<double>(), ""});
  }
  for (const char* kind : {"exact", "numeric"}) {
    if (digest(entries, kind) != named.json.at("digests").at(kind)) expr::fail("merge.report", named.name + ": the " + kind + " digest does not fit the claims: the file was changed", {});
  }
  return entries;
}

void require_same(const NamedReport& a, const NamedReport& b, const Json& left, const Json& right, const char* key, const char* code, const char* what) {
  if (left.at(key) == right.at(key)) return;
  expr::fail(code, std::string(what) + ": " + key + " is " + brief(left.at(key)) + " in " + a.name + " and " + brief(right.at(key)) + " in " + b.name, {});
}

/// What several machines are called together. Associative, and the same for machines that are alike.
Json together(const Json& a, const Json& b) {
  if (a == b) return a;
  if (a.is_object() && b.is_object()) {
    Json out = Json::object();
    for (const auto& [key, value] : a.items()) out[key] = b.contains(key) ? together(value, b.at(key)) : value;
    return out;
  }
  if (a.is_array() && b.is_array()) {  // what both offer
    Json out = Json::array();
    for (const Json& item : a) {
      if (std::find(b.begin(), b.end(), item) != b.end()) out.push_back(item);
    }
    return out;
  }
  if (a.is_number() && b.is_number()) return std::max(a.get<std::int64_t>(), b.get<std::int64_t>());
  std::set<std::string> names;
  for (const Json* side : {&a, &b}) {
    std::string text = brief(*side);
    if (side->is_string()) text = side->get<std::string>();
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 3) {
      end = text.find(" + ", begin);
      names.insert(text.substr(begin, end == std::string::npos ? end : end - begin));
    }
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " + ") + name;
  return out;
}

/// The command of a shard, as it would have been typed for the whole.
std::vector<std::string> whole_command(const std::vector<std::string>& command) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < command.size(); ++k) {
    const std::string& word = command[k];
    if (word == "--shard" || word == "--out") {
      ++k;
    } else if (word.rfind("--shard=", 0) != 0 && word.rfind("--out=", 0) != 0) {
      out.push_back(word);
    }
  }
  return out;
}

RunRecord record_of(const Json& report) {
  RunRecord run;
  run.command = whole_command(report.at("command").get<std::vector<std::string>>());
  for (const Json& file : report.at("inputs")) run.inputs.push_back({file.at("path"), file.at("sha256"), file.at("bytes")});
  run.seed = std::stoull(report.at("seed").get<std::string>());
  run.cases = report.at("cases");
  run.plan = plan_of(report);
  run.environment = report.at("environment");
  run.regressions_replayed = report.at("regressions").at("replayed");
  run.regressions_failing = report.at("regressions").at("failing").get<std::vector<std::string>>();
  const Json& v = report.at("volatile");
  run.argv = v.at("argv").get<std::vector<std::string>>();
  run.directory = v.at("directory");
  run.peak_memory = v.at("peak_memory");
  run.time = v.at("time");
  run.host = v.at("host");
  run.threads = v.at("threads");
  run.seconds = v.at("seconds");
  run.resumed = v.at("resumed");
  return run;
}

/// What is known of two parts of one run; the parts and claims themselves are joined elsewhere.
void join(RunRecord& a, const RunRecord& b) {
  for (const char* key : {"processor", "system"}) a.environment[key] = together(a.environment.at(key), b.environment.at(key));
  a.plan.parts.insert(a.plan.parts.end(), b.plan.parts.begin(), b.plan.parts.end());
  a.regressions_replayed = std::max(a.regressions_replayed, b.regressions_replayed);
  for (const std::string& id : b.regressions_failing) {
    if (std::find(a.regressions_failing.begin(), a.regressions_failing.end(), id) == a.regressions_failing.end()) a.regressions_failing.push_back(id);
  }
  a.time = std::max(a.time, b.time);
  a.host = together(a.host, b.host).get<std::string>();
  a.threads = std::max(a.threads, b.threads);
  a.seconds += b.seconds;
  a.peak_memory = std::max(a.peak_memory, b.peak_memory);
  a.resumed += b.resumed;
}

void require_fit(const NamedReport& a, const NamedReport& b) {
  for (const char* key : {"foldproof", "source", "generator", "build_fingerprint", "libraries"})
    require_same(a, b, a.json.at("environment"), b.json.at("environment"), key, "merge.build", "these reports are of different builds");
  for (const char* key : {"seed", "cases", "inputs"}) require_same(a, b, a.json, b.json, key, "merge.plan", "these reports are of different runs");
  for (const char* key : {"claims", "shards", "sha256"}) require_same(a, b, a.json.at("plan"), b.json.at("plan"), key, "merge.plan", "these reports are of different runs");
}

/// Which report has each shard. Errors: a shard twice, or out of range.
std::vector<const NamedReport*> holders(const std::vector<NamedReport>& reports, const Plan& plan) {
  std::vector<const NamedReport*> out(plan.shards, nullptr);
  for (const NamedReport& named : reports) {
    for (const std::size_t part : plan_of(named.json).parts) {
      if (part < 1 || part > plan.shards) expr::fail("merge.report", named.name + ": there is no shard " + std::to_string(part), {});
      const NamedReport*& holder = out[part - 1];
      if (holder != nullptr) expr::fail("merge.overlap", shards_text({part}, plan.shards) + " is in " + holder->name + " and again in " + named.name, {}, "name each report once");
      holder = &named;
    }
  }
  return out;
}

void require_all(const std::vector<const NamedReport*>& holders) {
  std::vector<std::size_t> missing;
  for (std::size_t k = 0; k < holders.size(); ++k) {
    if (holders[k] == nullptr) missing.push_back(k + 1);
  }
  if (missing.empty()) return;
  expr::fail("merge.gap", shards_text(missing, holders.size()) + (missing.size() == 1 ? " is" : " are") + " missing", {}, "name the missing reports, or merge what there is with --partial");
}

/// Whether this is a report at all. What is wrong inside it is found later.
void require_report(const NamedReport& named) {
  constexpr std::size_t most = 10'000'000;  // claims, and shards: a damaged number must not ask for all memory
  if (!named.json.is_object() || named.json.value("schema", Json()) != report_schema) expr::fail("merge.report", named.name + " is no report of foldproof check", {});
  try {
    const Plan plan = record_of(named.json).plan;
    if (plan.claims > most || plan.shards > most || plan.shards < 1 || plan.parts.empty()) expr::fail("merge.report", named.name + ": there is no such shard", {});
  } catch (const Json::exception& e) {
    expr::fail("merge.report", named.name + " is no whole report of this version: " + e.what(), {});
  } catch (const std::invalid_argument&) {
    expr::fail("merge.report", named.name + ": the seed is no number", {});
  } catch (const std::out_of_range&) {
    expr::fail("merge.report", named.name + ": the seed is too large", {});
  }
}

Merged merged_checked(const std::vector<NamedReport>& reports, bool partial) {
  for (const NamedReport& named : reports) {
    require_report(named);
    require_fit(reports.front(), named);
  }
  // The shard that comes first in the whole goes first, in whatever order the reports are named.
  std::vector<const NamedReport*> ordered;
  for (const NamedReport& named : reports) ordered.push_back(&named);
  const auto first_part = [](const NamedReport* named) {
    const auto parts = plan_of(named->json).parts;
    return *std::min_element(parts.begin(), parts.end());
  };
  std::sort(ordered.begin(), ordered.end(), [&](const NamedReport* a, const NamedReport* b) { return first_part(a) < first_part(b); });
  const auto held = holders(reports, plan_of(reports.front().json));
  if (!partial) require_all(held);

  RunRecord run = record_of(ordered.front()->json);
  Entries whole(run.plan.claims);
  for (const NamedReport* named : ordered) {
    const Plan plan = plan_of(named->json);
    Entries entries = entries_of(*named, plan);
    const auto at = positions(plan);
    for (std::size_t k = 0; k < at.size(); ++k) whole[at[k]] = std::move(entries[k]);
    if (named != ordered.front()) join(run, record_of(named->json));
  }
  whole.erase(std::remove_if(whole.begin(), whole.end(), [](const auto& entry) { return !entry.has_value(); }), whole.end());
  std::sort(run.plan.parts.begin(), run.plan.parts.end());
  if (run.plan.parts.size() == run.plan.shards) run.plan = {run.plan.claims, run.plan.sha256, 1, {1}};
  Json report = report_json(whole, run);
  return {std::move(whole), std::move(report)};
}

}  // namespace

Merged merged(const std::vector<NamedReport>& reports, bool partial) {
  expr::invariant(!reports.empty(), "something to merge");
  try {
    return merged_checked(reports, partial);
  } catch (const Json::exception& e) {
    expr::fail("merge.report", reports[0].name + ", or a report beside it, is no whole report of this version: " + e.what(), {});
  }
}

}  // namespace foldproof::run
