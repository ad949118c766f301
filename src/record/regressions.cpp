// SPDX-License-Identifier: MIT
#include "record/regressions.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "record/document.hpp"
#include "record/files.hpp"

namespace foldproof::record {
namespace {

constexpr const char* schema = "foldproof-regressions-1";

class Reader {
 public:
  explicit Reader(const Document& document) : document_(document) {}

  std::vector<Regression> read() const {
    const JsonValue& root = document_.root();
    only(root, {"schema", "cases"}, "");
    if (text(root, "schema", "") != schema) fail(root, "/schema", std::string("this is not a file of the kind ") + schema);
    std::vector<Regression> cases;
    const JsonValue& list = member(root, "cases", JsonKind::array, "");
    for (std::size_t k = 0; k < list.items.size(); ++k) cases.push_back(one(list.items[k], "/cases/" + std::to_string(k)));
    return cases;
  }

 private:
  [[noreturn]] void fail(const JsonValue& value, const std::string& pointer, const std::string& message) const {
    document_.fail("regression.value", value.span, pointer, message);
  }
  void require(const JsonValue& value, JsonKind kind, const std::string& pointer) const {
    if (value.kind != kind) fail(value, pointer, std::string("must be ") + record::text(kind) + ", found " + record::text(value.kind));
  }
  void only(const JsonValue& object, const std::vector<std::string>& keys, const std::string& pointer) const {
    require(object, JsonKind::object, pointer);
    for (const JsonKey& key : object.keys) {
      if (std::find(keys.begin(), keys.end(), key.name) == keys.end()) document_.fail("regression.key", key.span, pointer, "unknown key \"" + key.name + "\"");
    }
  }
  const JsonValue& member(const JsonValue& object, const std::string& key, JsonKind kind, const std::string& pointer) const {
    const JsonValue* value = object.find(key);
    if (!value) fail(object, pointer, "the key \"" + key + "\" is missing");
    require(*value, kind, pointer + "/" + key);
    return *value;
  }
  std::string text(const JsonValue& object, const std::string& key, const std::string& pointer) const { return member(object, key, JsonKind::text, pointer).text; }
  std::int64_t positive(const JsonValue& value, const std::string& pointer) const {
    require(value, JsonKind::integer, pointer);
    std::int64_t n = 0;
    const char* end = value.text.data() + value.text.size();
    if (std::from_chars(value.text.data(), end, n).ptr != end || n < 1) fail(value, pointer, "must be a whole number of at least 1");
    return n;
  }
  Regression one(const JsonValue& object, const std::string& pointer) const {
    only(object, {"id", "claim", "lane", "dims", "values"}, pointer);
    Regression r{text(object, "id", pointer), text(object, "claim", pointer), text(object, "lane", pointer), {}, {}};
    const JsonValue& dims = member(object, "dims", JsonKind::object, pointer);
    for (std::size_t k = 0; k < dims.keys.size(); ++k) r.dims[dims.keys[k].name] = positive(dims.items[k], pointer + "/dims/" + dims.keys[k].name);
    const JsonValue& values = member(object, "values", JsonKind::object, pointer);
    for (std::size_t k = 0; k < values.keys.size(); ++k) r.values.push_back(tensor(values.keys[k].name, values.items[k], pointer + "/values/" + values.keys[k].name));
    return r;
  }
  RegressionTensor tensor(const std::string& name, const JsonValue& object, const std::string& pointer) const {
    only(object, {"shape", "values"}, pointer);
    RegressionTensor t{name, {}, {}};
    std::int64_t entries = 1;
    for (const JsonValue& extent : member(object, "shape", JsonKind::array, pointer).items) {
      t.shape.push_back(positive(extent, pointer + "/shape"));
      if (__builtin_mul_overflow(entries, t.shape.back(), &entries)) fail(extent, pointer + "/shape", "the tensor is too large");
    }
    for (const JsonValue& value : member(object, "values", JsonKind::array, pointer).items) {
      require(value, JsonKind::text, pointer + "/values");
      t.values.push_back(value.text);
    }
    if (static_cast<std::int64_t>(t.values.size()) != entries) fail(object, pointer, "the shape asks for " + std::to_string(entries) + " values, found " + std::to_string(t.values.size()));
    return t;
  }

  const Document& document_;
};

}  // namespace

std::vector<Regression> read_regressions(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return {};
  const Document document(read_file(path), path.string());
  return Reader(document).read();
}

std::string write_regressions(const std::vector<Regression>& cases) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Regression& r : cases) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (const RegressionTensor& t : r.values) values[t.name] = {{"shape", t.shape}, {"values", t.values}};
    list.push_back({{"id", r.id}, {"claim", r.claim}, {"lane", r.lane}, {"dims", nlohmann::ordered_json(r.dims)}, {"values", std::move(values)}});
  }
  const nlohmann::ordered_json file = {{"schema", schema}, {"cases", std::move(list)}};
  return file.dump(2) + "\n";
}

}  // namespace foldproof::record
