// SPDX-License-Identifier: MIT
#include "run/bugs.hpp"

#include <set>

#include "campaign/family.hpp"

namespace foldproof::run {

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

}  // namespace foldproof::run
