// SPDX-License-Identifier: MIT
#include "run/checkpoint.hpp"

#include "expr/diagnostic.hpp"
#include "record/words.hpp"

namespace foldproof::run {

Checkpoint::Checkpoint(const std::filesystem::path& out, Json run) : path_(out / file_name), journal_(path_), run_(std::move(run)) {}

std::size_t Checkpoint::left() const { return journal_.lines().empty() ? 0 : journal_.lines().size() - 1; }

bool Checkpoint::resume(Entries& entries) {
  if (journal_.lines().empty()) return false;
  const auto refuse = [&](const std::string& why) {
    expr::fail("checkpoint.other", path_.string() + " is of another run: " + why, {}, "leave out --resume to begin anew, or give this run another --out");
  };
  try {
    const Json first = Json::parse(journal_.lines().front());
    for (const auto& [key, value] : run_.items()) {
      const Json there = first.at("run").value(key, Json(nullptr));
      if (there == value) continue;
      const bool shown = value.is_primitive() && there.is_primitive() && key.find("sha256") == std::string::npos;
      refuse(shown ? key + " was " + record::one_line(record::on_one_line(there)) + " and is now " + record::one_line(record::on_one_line(value)) : key + " differs");
    }
    found_ = first.at("found");
    for (std::size_t k = 1; k < journal_.lines().size(); ++k) {
      const Json line = Json::parse(journal_.lines()[k]);
      entries.at(line.at("claim").get<std::size_t>()) = entry_from_json(line.at("entry"));
    }
  } catch (const Json::exception&) {
    refuse("it was not written by this version");
  } catch (const std::out_of_range&) {
    refuse("it has other claims");
  }
  return true;
}

void Checkpoint::begin(Json found) {
  found_ = std::move(found);
  journal_.clear();
  journal_.append(record::on_one_line({{"run", run_}, {"found", found_}}));
}

void Checkpoint::keep(std::size_t index, const Entry& entry) { journal_.append(record::on_one_line({{"claim", index}, {"entry", to_json(entry)}})); }

}  // namespace foldproof::run
