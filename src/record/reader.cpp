// SPDX-License-Identifier: MIT
#include "record/reader.hpp"

#include <algorithm>
#include <charconv>

namespace foldproof::record {

void Reader::fail(const JsonValue& value, const std::string& pointer, const std::string& message) const { document_.fail(kind_ + ".value", value.span, pointer, message); }

void Reader::require(const JsonValue& value, JsonKind kind, const std::string& pointer) const {
  if (value.kind != kind) fail(value, pointer, std::string("must be ") + record::text(kind) + ", found " + record::text(value.kind));
}

void Reader::only(const JsonValue& object, const std::vector<std::string>& keys, const std::string& pointer) const {
  require(object, JsonKind::object, pointer);
  for (const JsonKey& key : object.keys) {
    if (std::find(keys.begin(), keys.end(), key.name) == keys.end()) document_.fail(kind_ + ".key", key.span, pointer, "unknown key \"" + key.name + "\"");
  }
}

const JsonValue& Reader::member(const JsonValue& object, const std::string& key, JsonKind kind, const std::string& pointer) const {
  const JsonValue* value = object.find(key);
  if (!value) fail(object, pointer, "the key \"" + key + "\" is missing");
  require(*value, kind, pointer + "/" + key);
  return *value;
}

std::vector<std::string> Reader::texts(const JsonValue& object, const std::string& key, const std::string& pointer) const {
  std::vector<std::string> out;
  for (const JsonValue& item : member(object, key, JsonKind::array, pointer).items) {
    require(item, JsonKind::text, pointer + "/" + key);
    out.push_back(item.text);
  }
  return out;
}

std::int64_t Reader::positive(const JsonValue& value, const std::string& pointer) const {
  require(value, JsonKind::integer, pointer);
  std::int64_t n = 0;
  const char* end = value.text.data() + value.text.size();
  if (std::from_chars(value.text.data(), end, n).ptr != end || n < 1) fail(value, pointer, "must be a whole number of at least 1");
  return n;
}

std::map<std::string, std::int64_t> Reader::sizes(const JsonValue& object, const std::string& key, const std::string& pointer) const {
  std::map<std::string, std::int64_t> out;
  const JsonValue& dims = member(object, key, JsonKind::object, pointer);
  for (std::size_t k = 0; k < dims.keys.size(); ++k) out[dims.keys[k].name] = positive(dims.items[k], pointer + "/" + key + "/" + dims.keys[k].name);
  return out;
}

TensorText Reader::tensor(const std::string& name, const JsonValue& object, const std::string& pointer) const {
  only(object, {"shape", "values"}, pointer);
  TensorText t{name, {}, {}};
  std::int64_t entries = 1;
  for (const JsonValue& extent : member(object, "shape", JsonKind::array, pointer).items) {
    t.shape.push_back(positive(extent, pointer + "/shape"));
    if (__builtin_mul_overflow(entries, t.shape.back(), &entries)) fail(extent, pointer + "/shape", "the tensor is too large");
  }
  t.values = texts(object, "values", pointer);
  if (static_cast<std::int64_t>(t.values.size()) != entries)
    fail(object, pointer, "the shape asks for " + std::to_string(entries) + " values, found " + std::to_string(t.values.size()));
  return t;
}

std::vector<TensorText> Reader::tensors(const JsonValue& object, const std::string& key, const std::string& pointer) const {
  std::vector<TensorText> out;
  const JsonValue& values = member(object, key, JsonKind::object, pointer);
  for (std::size_t k = 0; k < values.keys.size(); ++k) out.push_back(tensor(values.keys[k].name, values.items[k], pointer + "/" + key + "/" + values.keys[k].name));
  return out;
}

}  // namespace foldproof::record
