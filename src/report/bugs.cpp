// SPDX-License-Identifier: MIT
#include "report/bugs.hpp"

#include <fmt/format.h>

#include <set>

#include "campaign/family.hpp"

namespace foldproof::report {

Json bugs_json(const std::optional<campaign::Kills>& kills) {
  if (!kills) return nullptr;
  return {{"made", kills->made},           {"killed", kills->killed},         {"last_kill", kills->last_kill},
          {"survivors", kills->survivors}, {"equivalent", kills->equivalent}, {"untested", kills->untested}};
}

Json bugs_json(const Entries& entries) {
  std::int64_t made = 0, killed = 0, equivalent = 0;
  Json survivors = Json::array();
  for (const auto& entry : entries) {
    if (!entry || !entry->record.at("tests").is_object() || !entry->record["tests"].contains("bugs") || entry->record["tests"]["bugs"].is_null()) continue;
    const Json& bugs = entry->record["tests"]["bugs"];
    made += bugs.at("made").get<std::int64_t>();
    killed += bugs.at("killed").get<std::int64_t>();
    equivalent += static_cast<std::int64_t>(bugs.at("equivalent").size());
    for (const Json& name : bugs.at("survivors")) survivors.push_back(entry->record.at("id").get<std::string>() + ": " + name.get<std::string>());
  }
  return {{"made", made}, {"killed", killed}, {"equivalent", equivalent}, {"survivors", survivors}};
}

Json generator_json(const Entries& entries) {
  Json out;
  out["families"] = Json::array();
  for (int f = 0; f < campaign::family_count; ++f) {
    const auto family = static_cast<campaign::Family>(f);
    out["families"].push_back({{"name", campaign::text(family)}, {"description", campaign::describe(family)}});
  }
  std::set<std::string> excluded;
  for (const auto& entry : entries) {
    if (!entry || !entry->record.at("tests").is_object() || !entry->record["tests"].contains("excluded")) continue;
    for (const Json& line : entry->record["tests"]["excluded"]) excluded.insert(line.get<std::string>());
  }
  out["excluded"] = excluded;
  return out;
}

std::string bugs_line(const Json& bugs) {
  if (bugs["made"] == 0) return "";
  return fmt::format("{} of {} seeded bugs killed, {} more proved to be none", bugs["killed"].get<std::int64_t>(), bugs["made"].get<std::int64_t>(),
                     bugs["equivalent"].get<std::int64_t>());
}

std::string bugs_markdown(const Json& report) {
  const Json& bugs = report["bugs"];
  if (bugs["made"] == 0) return "";
  std::string out = "\n## Seeded bugs\n\n" + bugs_line(bugs) + ". Each is a wrong way to program one side of a true claim; a bug that the random cases do not find survives.\n";
  for (const Json& name : bugs["survivors"]) out += "\n- survived: `" + name.get<std::string>() + "`";
  out += "\n## How cases are drawn\n\n| family | numbers |\n| --- | --- |\n";
  for (const Json& f : report["generator"]["families"]) out += fmt::format("| {} | {} |\n", f["name"].get<std::string>(), f["description"].get<std::string>());
  out += "\nNever drawn:\n\n";
  for (const Json& line : report["generator"]["excluded"]) out += "- " + line.get<std::string>() + "\n";
  return out;
}

}  // namespace foldproof::report
