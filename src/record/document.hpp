// SPDX-License-Identifier: MIT
// JSON with a memory of where everything stood, so that any complaint can name file, line, column and JSON pointer.
// Hostile text is refused with one expr::Error: too deep, cut off, not UTF-8, a key twice. Reading uses no recursion;
// the depth limit keeps everything that later walks the values recursively within the stack.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "expr/diagnostic.hpp"

namespace foldproof::record {

enum class JsonKind { null, boolean, integer, real, text, array, object };
/// "null", "true or false", "an integer", "a number with a fraction or exponent", "text", "a list", "an object".
const char* text(JsonKind kind);

/// A key of an object.
struct JsonKey {
  std::string name;
  expr::Span span;
};

/// One value. `span` covers it in the text, quotes and brackets included.
struct JsonValue {
  JsonKind kind = JsonKind::null;
  bool truth = false;            ///< boolean
  std::string text;              ///< the content of a text; a number as it was written
  std::vector<JsonKey> keys;     ///< object: keys[i] names items[i], in the order of the file, no name twice
  std::vector<JsonValue> items;  ///< elements of a list, or values of the keys
  expr::Span span;

  /// The value of a key of this object, or null.
  const JsonValue* find(std::string_view key) const;
};

/// A JSON text that was read.
class Document {
 public:
  /// Levels of lists and objects that are read.
  static constexpr std::size_t deepest = 64;

  /// Reads `text`; messages call it `file`.
  /// Errors: `json.empty`, `json.syntax`, `json.depth`, `json.duplicate`.
  Document(std::string text, std::string file);

  const JsonValue& root() const { return root_; }
  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }
  /// Line and column of a byte.
  expr::LineColumn locate(std::size_t offset) const;
  /// "claims.json:3:14: /2/lhs"
  std::string place(expr::Span span, const std::string& pointer) const;
  /// Throws expr::Error with the message "claims.json:3:14: /2/lhs: ...".
  [[noreturn]] void fail(const std::string& code, expr::Span span, const std::string& pointer, const std::string& message, const std::string& hint = {}) const;

 private:
  std::string text_;
  std::string file_;
  std::vector<std::size_t> lines_;  ///< the first byte of each line
  JsonValue root_;
};

/// Appends a step to a JSON pointer. Source: RFC 6901.
std::string pointer_to(const std::string& pointer, std::string_view key);

}  // namespace foldproof::record
