// SPDX-License-Identifier: MIT
#include "record/regressions.hpp"

#include "record/files.hpp"
#include "record/json.hpp"

namespace foldproof::record {
namespace {

constexpr const char* schema = "foldproof-regressions-1";

Regression one(const Reader& reader, const JsonValue& object, const std::string& pointer) {
  reader.only(object, {"id", "claim", "lane", "dims", "values"}, pointer);
  return {reader.text(object, "id", pointer), reader.text(object, "claim", pointer), reader.text(object, "lane", pointer), reader.sizes(object, "dims", pointer),
          reader.tensors(object, "values", pointer)};
}

}  // namespace

std::vector<Regression> read_regressions(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return {};
  const Document document(read_file(path), path.string());
  const Reader reader(document, "regression");
  reader.only(reader.root(), {"schema", "cases"}, "");
  if (reader.text(reader.root(), "schema", "") != schema) reader.fail(reader.root(), "/schema", std::string("this is not a file of the kind ") + schema);
  std::vector<Regression> cases;
  const JsonValue& list = reader.member(reader.root(), "cases", JsonKind::array, "");
  for (std::size_t k = 0; k < list.items.size(); ++k) cases.push_back(one(reader, list.items[k], "/cases/" + std::to_string(k)));
  return cases;
}

std::string write_regressions(const std::vector<Regression>& cases) {
  Json list = Json::array();
  for (const Regression& r : cases) {
    Json values = Json::object();
    for (const TensorText& t : r.values) values[t.name] = {{"shape", t.shape}, {"values", t.values}};
    list.push_back({{"id", r.id}, {"claim", r.claim}, {"lane", r.lane}, {"dims", Json(r.dims)}, {"values", std::move(values)}});
  }
  const Json file = {{"schema", schema}, {"cases", std::move(list)}};
  return file.dump(2) + "\n";
}

}  // namespace foldproof::record
