// SPDX-License-Identifier: MIT
#include "record/document.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "expr/tracking_iterator.hpp"

namespace foldproof::record {

namespace {

// The reader's own words without its prefix and without bytes that may not be printable.
std::string complaint(const std::string& what) {
  const std::size_t colon = what.find(": ");
  std::string out = colon == std::string::npos ? what : what.substr(colon + 2);
  const std::size_t last_read = out.find("; last read: ");
  if (last_read != std::string::npos) {
    const std::size_t expected = out.find("'; expected ", last_read);
    out = out.substr(0, last_read) + (expected == std::string::npos ? "" : out.substr(expected + 1));
  }
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  }
  return out;
}

// Builds values from the events of the JSON reader. An event arrives when its token has been read and the next one has not,
// so a token begins at the first byte behind the last token that is neither blank nor punctuation between values.
class Builder {
 public:
  Builder(const Document& document, std::string_view text) : document_(document), text_(text), furthest_(text.data()) {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") behind_ = 3;  // the reader passes over a byte order mark too
  }

  const char** furthest() { return &furthest_; }
  JsonValue take() { return std::move(root_); }

  bool null() { return leaf(JsonKind::null, {}, false); }
  bool boolean(bool value) { return leaf(JsonKind::boolean, {}, value); }
  bool number_integer(std::int64_t) { return number(JsonKind::integer); }
  bool number_unsigned(std::uint64_t) { return number(JsonKind::integer); }
  bool number_float(double, const std::string& written) {
    // Integers beyond 64 bits arrive here too.
    return number(written.find_first_of(".eE") == std::string::npos ? JsonKind::integer : JsonKind::real);
  }
  bool string(std::string& value) { return leaf(JsonKind::text, std::move(value), false); }
  bool binary(nlohmann::json::binary_t&) { throw expr::InternalError("JSON text has no binary values"); }

  bool start_object(std::size_t) { return open(JsonKind::object); }
  bool start_array(std::size_t) { return open(JsonKind::array); }
  bool end_array() { return close(); }
  bool end_object() { return close(); }

  bool key(std::string& name) {
    const expr::Span span = token();
    if (!names_.back().insert(name).second) document_.fail("json.duplicate", span, pointer_to(pointer(), name), "the key \"" + name + "\" is given twice");
    open_.back().keys.push_back({std::move(name), span});
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
    const std::size_t at = std::min(position == 0 ? 0 : position - 1, text_.size());
    document_.fail("json.syntax", {at, at + 1}, pointer(), complaint(error.what()), at >= text_.size() ? "is the file cut off?" : "");
  }

 private:
  // The span of the token that was just read.
  expr::Span token() {
    std::size_t begin = behind_;
    while (begin < text_.size() && std::string_view(" \t\r\n,:").find(text_[begin]) != std::string_view::npos) ++begin;
    behind_ = std::max(begin, static_cast<std::size_t>(furthest_ - text_.data()));
    return {begin, behind_};
  }

  bool number(JsonKind kind) {
    expr::Span span = token();
    // The reader had to look at one byte more to see where the number ends.
    span.end = std::min(text_.find_first_not_of("+-.0123456789eE", span.begin), text_.size());
    behind_ = span.end;
    JsonValue value;
    value.kind = kind;
    value.text = std::string(text_.substr(span.begin, span.end - span.begin));
    value.span = span;
    return add(std::move(value));
  }

  bool leaf(JsonKind kind, std::string content, bool truth) {
    JsonValue value;
    value.kind = kind;
    value.truth = truth;
    value.text = std::move(content);
    value.span = token();
    return add(std::move(value));
  }

  bool open(JsonKind kind) {
    JsonValue value;
    value.kind = kind;
    value.span = token();
    if (open_.size() == Document::deepest) {
      document_.fail("json.depth", value.span, "", "lists and objects are nested deeper than " + std::to_string(Document::deepest) + " levels");
    }
    open_.push_back(std::move(value));
    names_.emplace_back();
    return true;
  }

  bool close() {
    JsonValue value = std::move(open_.back());
    open_.pop_back();
    names_.pop_back();
    value.span.end = token().end;
    return add(std::move(value));
  }

  bool add(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else {
      open_.back().items.push_back(std::move(value));
    }
    return true;
  }

  // The pointer to what is being read.
  std::string pointer() const {
    std::string out;
    for (const JsonValue& value : open_) {
      if (value.kind == JsonKind::array) out = pointer_to(out, std::to_string(value.items.size()));
      if (value.kind == JsonKind::object && value.keys.size() > value.items.size()) out = pointer_to(out, value.keys.back().name);
    }
    return out;
  }

  const Document& document_;
  std::string_view text_;
  const char* furthest_;
  std::size_t behind_ = 0;  ///< one past the last token
  std::vector<JsonValue> open_;
  std::vector<std::unordered_set<std::string>> names_;  ///< keys of each open object
  JsonValue root_;
};

}  // namespace

const char* text(JsonKind kind) {
  switch (kind) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return "true or false";
    case JsonKind::integer:
      return "an integer";
    case JsonKind::real:
      return "a number with a fraction or exponent";
    case JsonKind::text:
      return "text";
    case JsonKind::array:
      return "a list";
    case JsonKind::object:
      return "an object";
  }
  throw expr::InternalError("a kind of JSON value has a name");
}

const JsonValue* JsonValue::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == key) return &items[i];
  }
  return nullptr;
}

Document::Document(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)), lines_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') lines_.push_back(i + 1);
  }
  if (text_.find_first_not_of(" \t\r\n") == std::string::npos)
    fail("json.empty", {0, 0}, "", "the file is empty", "a claim file holds one claim or a list of claims");
  Builder builder(*this, text_);
  const expr::TrackingIterator first{text_.data(), builder.furthest()};
  const expr::TrackingIterator last{text_.data() + text_.size(), builder.furthest()};
  // Every refusal leaves as an exception of the builder, so a plain "no" cannot happen.
  expr::invariant(nlohmann::json::sax_parse(first, last, &builder), "the JSON reader throws what it refuses");
  root_ = builder.take();
}

expr::LineColumn Document::locate(std::size_t offset) const {
  const auto line = std::upper_bound(lines_.begin(), lines_.end(), offset) - 1;  // never begin(): lines_[0] is 0
  return {static_cast<std::size_t>(line - lines_.begin()) + 1, offset - *line + 1};
}

std::string Document::place(expr::Span span, const std::string& pointer) const {
  const expr::LineColumn at = locate(std::min(span.begin, text_.size()));
  const std::string line = file_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  return pointer.empty() ? line : line + ": " + pointer;
}

void Document::fail(const std::string& code, expr::Span span, const std::string& pointer, const std::string& message, const std::string& hint) const {
  expr::fail(code, place(span, pointer) + ": " + message, span, hint);
}

std::string pointer_to(const std::string& pointer, std::string_view key) {
  std::string out = pointer + "/";
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace foldproof::record
