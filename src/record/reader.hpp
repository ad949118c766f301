// SPDX-License-Identifier: MIT
// What every reader of a JSON file of ours asks of a value: its kind, its keys, positive whole numbers, tensors as text.
// Each complaint names file, line, column and JSON pointer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/document.hpp"

namespace foldproof::record {

/// A tensor as exact text, row-major: "-3/7", "2*log(2)", "0x1.8p+0".
struct TensorText {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<std::string> values;
  friend bool operator==(const TensorText&, const TensorText&) = default;
};

class Reader {
 public:
  /// `kind` begins the codes of errors: "regression" gives `regression.value` and `regression.key`.
  Reader(const Document& document, std::string kind) : document_(document), kind_(std::move(kind)) {}

  const JsonValue& root() const { return document_.root(); }
  [[noreturn]] void fail(const JsonValue& value, const std::string& pointer, const std::string& message) const;
  void require(const JsonValue& value, JsonKind kind, const std::string& pointer) const;
  /// An object with no keys but these.
  void only(const JsonValue& object, const std::vector<std::string>& keys, const std::string& pointer) const;
  const JsonValue& member(const JsonValue& object, const std::string& key, JsonKind kind, const std::string& pointer) const;
  std::string text(const JsonValue& object, const std::string& key, const std::string& pointer) const { return member(object, key, JsonKind::text, pointer).text; }
  std::vector<std::string> texts(const JsonValue& object, const std::string& key, const std::string& pointer) const;
  /// A whole number of at least 1.
  std::int64_t positive(const JsonValue& value, const std::string& pointer) const;
  std::map<std::string, std::int64_t> sizes(const JsonValue& object, const std::string& key, const std::string& pointer) const;
  /// {"shape": [..], "values": [..]}, with as many values as the shape asks for.
  TensorText tensor(const std::string& name, const JsonValue& object, const std::string& pointer) const;
  /// {"X": tensor, ...}
  std::vector<TensorText> tensors(const JsonValue& object, const std::string& key, const std::string& pointer) const;

 private:
  const Document& document_;
  std::string kind_;
};

}  // namespace foldproof::record
