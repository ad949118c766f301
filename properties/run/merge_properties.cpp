// SPDX-License-Identifier: MIT
// Merging shards: in whatever groups and order, the bytes of the run without shards; and never anything else than one whole run.
#include <boost/test/unit_test.hpp>

#include "run/merge.hpp"

namespace foldproof {
namespace {

using record::dump;
using run::NamedReport;

constexpr std::size_t claims = 7;

run::Entry entry(std::size_t i) {
  const std::string id = "claim " + std::to_string(i);
  return {{{"id", id},
           {"verdict", i % 3 == 0 ? "refuted" : "proved"},
           {"as_expected", i != 4},
           {"tests", nullptr},
           {"uses", {{"operators", {"@"}}, {"laws", Json::array()}}},
           {"digests", {{"claim", id + "c"}, {"exact", id + "e"}, {"numeric", id + "n"}}}},
          1,
          2,
          ""};
}

Json whole(std::vector<std::size_t> parts, std::size_t shards, const std::string& host = "host") {
  run::RunRecord run;
  run.command = {"foldproof", "check"};
  if (shards > 1) run.command.insert(run.command.end(), {"--shard", std::to_string(parts[0]) + "/" + std::to_string(shards)});
  run.inputs = {{"a.json", std::string(64, '0'), 3}};
  run.plan = {claims, std::string(64, 'a'), shards, parts};
  run.environment = {
      {"foldproof", "1"},          {"source", {{"commit", "c"}}}, {"generator", "g"},
      {"build_fingerprint", "f"},  {"libraries", {{"fmt", "9"}}}, {"processor", {{"model", host + " cpu"}, {"offers", {"avx", host}}, {"threads", 2}}},
      {"system", {{"name", "os"}}}};
  run.time = "2024";
  run.host = host;
  run::Entries entries;
  for (std::size_t i = 0; i < claims; ++i) {
    if (std::find(parts.begin(), parts.end(), i % shards + 1) != parts.end()) entries.emplace_back(entry(i));
  }
  return report_json(entries, run);
}

NamedReport shard(std::size_t i, std::size_t count, const std::string& host = "host") { return {"shard" + std::to_string(i), whole({i}, count, host)}; }

Json without_volatile(Json report) {
  report.erase("volatile");
  return report;
}

std::string refusal(const std::vector<NamedReport>& reports, bool partial = false) {
  try {
    run::merged(reports, partial);
    return "none";
  } catch (const expr::Error& e) {
    return e.diagnostic().code + ": " + e.what();
  }
}

bool starts(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

BOOST_AUTO_TEST_CASE(in_every_order_and_grouping_the_shards_make_the_run_without_shards) {
  for (const std::size_t count : {1U, 2U, 3U, 4U, 9U}) {
    std::vector<std::size_t> order(count);
    for (std::size_t k = 0; k < count; ++k) order[k] = k + 1;
    const std::string expected = dump(without_volatile(whole({1}, 1)));
    int tried = 0;
    do {
      std::vector<NamedReport> shards;
      for (const std::size_t i : order) shards.push_back(shard(i, count));
      BOOST_TEST(dump(without_volatile(run::merged(shards).report)) == expected);
      for (std::size_t split = 1; split < count; ++split) {
        const std::vector<NamedReport> left(shards.begin(), shards.begin() + static_cast<std::ptrdiff_t>(split));
        const std::vector<NamedReport> right(shards.begin() + static_cast<std::ptrdiff_t>(split), shards.end());
        const std::vector<NamedReport> groups = {{"left", run::merged(left, true).report}, {"right", run::merged(right, true).report}};
        BOOST_TEST(dump(without_volatile(run::merged(groups).report)) == expected);
      }
    } while (++tried < 24 && std::next_permutation(order.begin(), order.end()));
  }
}

BOOST_AUTO_TEST_CASE(machines_that_differ_are_named_together_in_every_grouping) {
  const NamedReport a = shard(1, 3, "a");
  const NamedReport b = shard(2, 3, "b");
  const NamedReport c = shard(3, 3, "c");
  const Json all = run::merged({c, a, b}).report;
  const Json left = run::merged({{"ab", run::merged({a, b}, true).report}, c}).report;
  const Json right = run::merged({a, {"cb", run::merged({c, b}, true).report}}).report;
  BOOST_TEST(dump(without_volatile(all)) == dump(without_volatile(left)));
  BOOST_TEST(dump(without_volatile(all)) == dump(without_volatile(right)));
  BOOST_TEST(all["environment"]["processor"]["model"] == "a cpu + b cpu + c cpu");
  BOOST_TEST(all["environment"]["processor"]["offers"] == Json({"avx"}));
}

BOOST_AUTO_TEST_CASE(overlaps_gaps_other_builds_and_other_runs_are_refused_each_with_its_error) {
  const std::vector<NamedReport> good = {shard(1, 3), shard(2, 3), shard(3, 3)};
  BOOST_TEST(refusal(good) == "none");
  BOOST_TEST(starts(refusal({good[0], good[1], good[1], good[2]}), "merge.overlap: shard 2/3 is in shard2"));
  BOOST_TEST(starts(refusal({good[0], good[1], good[0]}, true), "merge.overlap"));
  BOOST_TEST(starts(refusal({good[0], good[2]}), "merge.gap: shard 2/3 is missing"));
  BOOST_TEST(refusal({good[0], good[2]}, true) == "none");
  const auto changed = [&](const char* pointer, const Json& value) {
    std::vector<NamedReport> reports = good;
    reports[1].json[Json::json_pointer(pointer)] = value;
    return refusal(reports);
  };
  BOOST_TEST(starts(changed("/interrupted", true), "merge.gap: shard2: shard 2/3 was interrupted"));
  BOOST_TEST(starts(changed("/claims", Json::array()), "merge.gap"));
  for (const char* key : {"/environment/build_fingerprint", "/environment/foldproof", "/environment/source/commit", "/environment/libraries/fmt"})
    BOOST_TEST(starts(changed(key, "other"), "merge.build: these reports are of different builds"), key);
  for (const char* key : {"/seed", "/plan/sha256"}) BOOST_TEST(starts(changed(key, "7"), "merge.plan"), key);
  BOOST_TEST(starts(changed("/cases", 7), "merge.plan"));
  BOOST_TEST(starts(changed("/inputs/0/sha256", "other"), "merge.plan"));
  BOOST_TEST(starts(changed("/claims/0/digests/exact", "other"), "merge.report: shard2: the exact digest"));
  BOOST_TEST(starts(changed("/plan/parts/0", 9), "merge.report"));
  BOOST_TEST(starts(changed("/plan/parts", Json::array()), "merge.report"));
  for (const char* key : {"/schema", "/plan", "/claims", "/volatile/durations", "/environment", "/seed", "/plan/claims"}) {
    BOOST_TEST(!starts(changed(key, nullptr), "none"), key);
    BOOST_TEST(starts(changed(key, nullptr), "merge."), key);
  }
  BOOST_TEST(starts(refusal({{"text", Json("text")}}), "merge.report: text is no report"));
}

}  // namespace
}  // namespace foldproof
