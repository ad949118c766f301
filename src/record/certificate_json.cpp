// SPDX-License-Identifier: MIT
#include "record/certificate_json.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "expr/nearest.hpp"
#include "expr/syntax.hpp"
#include "read/parse.hpp"

namespace foldproof::record {

namespace {

using nlohmann::json;

const std::vector<std::string>& law_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int i = 0; i < kernel::law_count; ++i) all.emplace_back(kernel::name(static_cast<kernel::Law>(i)));
    return all;
  }();
  return names;
}

// Dumping bytes that are no UTF-8 must not throw: a message about a broken file shows replacement characters.
std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

// At most 40 bytes of a name from the file, for messages.
std::string quoted(const std::string& text) {
  const std::string shown = dump(json(text.substr(0, 40)));
  return text.size() > 40 ? shown + "..." : shown;
}

const char* kind_of(const json& value) {
  if (value.is_number_integer()) return "an integer";
  if (value.is_number()) return "a number with a fraction";
  if (value.is_string()) return "text";
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  return value.is_null() ? "null" : "true or false";
}

class CertificateReader {
 public:
  CertificateReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  CertificateRecord read() {
    const json root = parse();
    if (!root.is_object()) fail("cert.kind", "", std::string("must be a certificate object, found ") + kind_of(root));
    check_keys(root, "");
    const std::string schema = plain(root, "schema");
    if (schema != certificate_schema) fail("cert.schema", "/schema", "must be \"" + std::string(certificate_schema) + "\", found " + quoted(schema));
    CertificateRecord record;
    record.claim = plain(root, "claim");
    record.certificate = certificate(root, "");
    return record;
  }

 private:
  /// Scripts for the assumptions and the goal, or a reduction with its parts.
  kernel::Certificate certificate(const json& value, const std::string& pointer) {
    kernel::Certificate out;
    if (value.contains("reduction")) {
      out.reduction = reduction(value.at("reduction"), pointer + "/reduction");
      const json& parts = list(value.at("parts"), pointer + "/parts");
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string here = pointer + "/parts/" + std::to_string(i);
        if (!parts[i].is_object()) fail("cert.kind", here, std::string("must be an object, found ") + kind_of(parts[i]));
        check_keys(parts[i], here);
        out.parts.push_back(certificate(parts[i], here));
      }
      return out;
    }
    const json& assumptions = list(value.at("assumptions"), pointer + "/assumptions");
    for (std::size_t i = 0; i < assumptions.size(); ++i) out.assumptions.push_back(script(assumptions[i], pointer + "/assumptions/" + std::to_string(i)));
    out.goal = script(value.at("goal"), pointer + "/goal");
    return out;
  }

  kernel::Reduction reduction(const json& value, const std::string& pointer) const {
    list(value, pointer);
    if (value.empty()) fail("cert.kind", pointer, "a reduction begins with its name");
    kernel::Reduction out;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!value[i].is_string()) fail("cert.kind", pointer + "/" + std::to_string(i), std::string("must be text, found ") + kind_of(value[i]));
      if (i > 0) out.text.push_back(value[i].get<std::string>());
    }
    std::vector<std::string> known;
    for (int i = 1; i < kernel::reduction_count; ++i) known.emplace_back(kernel::name(static_cast<kernel::ReductionKind>(i)));
    const std::string& word = value[0].get_ref<const std::string&>();
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end()) fail("cert.law", pointer + "/0", "unknown reduction " + quoted(word), expr::did_you_mean(word, known));
    out.kind = static_cast<kernel::ReductionKind>(found - known.begin() + 1);
    return out;
  }

  [[noreturn]] void fail(const char* code, const std::string& pointer, const std::string& message, const std::string& hint = {}, expr::Span at = {}) const {
    expr::fail(code, file_ + ": " + (pointer.empty() ? "" : pointer + ": ") + message, at, hint);
  }

  json parse() const {
    std::set<std::string> keys;
    const auto watch = [&](int depth, json::parse_event_t event, json& value) {
      const bool opens = event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
      if (opens && depth >= deepest_certificate) fail("cert.limit", "", "nested more than " + std::to_string(deepest_certificate) + " deep");
      if (event == json::parse_event_t::key && depth == 1 && !keys.insert(value.get<std::string>()).second) {
        fail("cert.duplicate", "", "the key " + quoted(value.get<std::string>()) + " appears twice");
      }
      return true;
    };
    try {
      return json::parse(text_, watch);
    } catch (const json::parse_error& e) {
      const std::size_t at = e.byte == 0 ? 0 : e.byte - 1;
      const expr::LineColumn where = expr::locate(text_, at);
      fail("cert.syntax", "", "not JSON at line " + std::to_string(where.line) + ", column " + std::to_string(where.column),
           at >= text_.size() ? "the file ends too early" : "", {at, at + 1});
    } catch (const json::exception&) {  // a number beyond the range of a double
      fail("cert.syntax", "", "holds a number that is out of range");
    }
  }

  /// The whole file also names its schema and its claim; a reduction has parts instead of scripts.
  void check_keys(const json& object, const std::string& pointer) const {
    std::vector<std::string> known = object.contains("reduction") ? std::vector<std::string>{"reduction", "parts"} : std::vector<std::string>{"assumptions", "goal"};
    if (pointer.empty()) known.insert(known.begin(), {"schema", "claim"});
    for (const auto& item : object.items()) {
      if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
      fail("cert.key", pointer, "unknown key " + quoted(item.key()), expr::did_you_mean(item.key(), known, 1));
    }
    for (const std::string& key : known) {
      if (!object.contains(key)) fail("cert.missing", pointer, "the key \"" + key + "\" is missing");
    }
  }

  std::string plain(const json& root, const char* key) const {
    const json& value = root.at(key);
    if (!value.is_string()) fail("cert.kind", std::string("/") + key, std::string("must be text, found ") + kind_of(value));
    return value.get<std::string>();
  }

  const json& list(const json& value, const std::string& pointer) const {
    if (!value.is_array()) fail("cert.kind", pointer, std::string("must be a list, found ") + kind_of(value));
    return value;
  }

  kernel::Script script(const json& value, const std::string& pointer) {
    list(value, pointer);
    count_ += value.size();
    if (count_ > most_certificate_steps) fail("cert.limit", pointer, "more than " + std::to_string(most_certificate_steps) + " steps");
    kernel::Script out;
    out.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) out.push_back(step(value[i], pointer + "/" + std::to_string(i)));
    return out;
  }

  kernel::Step step(const json& value, const std::string& pointer) {
    list(value, pointer);
    if (value.empty()) fail("cert.kind", pointer, "a step begins with the name of a law");
    kernel::Step out{law(value[0], pointer + "/0"), {}, {}};
    for (std::size_t i = 1; i < value.size(); ++i) {
      const json& part = value[i];
      const std::string here = pointer + "/" + std::to_string(i);
      if (part.is_string() && i + 1 == value.size()) {
        out.size = size(part.get_ref<const std::string&>(), here);
        continue;
      }
      const bool fits = part.is_number_integer() && (!part.is_number_unsigned() || part.get<std::uint64_t>() <= INT64_MAX);
      if (!fits) fail("cert.kind", here, std::string("must be a 64-bit integer, or a size as the last text, found ") + kind_of(part));
      out.args.push_back(part.get<std::int64_t>());
    }
    return out;
  }

  kernel::Law law(const json& value, const std::string& pointer) const {
    if (!value.is_string()) fail("cert.kind", pointer, std::string("must be the name of a law, found ") + kind_of(value));
    const std::string& word = value.get_ref<const std::string&>();
    const auto& names = law_names();
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) fail("cert.law", pointer, "unknown law " + quoted(word), expr::did_you_mean(word, names));
    return static_cast<kernel::Law>(found - names.begin());
  }

  // The one reader of sizes is the claim parser, so the text is read as a declaration; what could end it is refused first.
  expr::Dim size(const std::string& text, const std::string& pointer) {
    const auto known = sizes_.find(text);
    if (known != sizes_.end()) return known->second;
    const bool plain =
        text.size() <= 4000 && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ +-*/%()") == std::string::npos;
    if (!plain || text.find_first_not_of(' ') == std::string::npos) fail("cert.size", pointer, quoted(text) + " is not a size");
    try {
      const expr::Claim claim = read::parse_claim("X: [" + text + "]\nX == X");
      return sizes_.emplace(text, claim.declarations.at(0).shape.at(0)).first->second;
    } catch (const expr::Error& e) {
      fail("cert.size", pointer, quoted(text) + " is not a size: " + e.what(), e.diagnostic().hint);
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t count_ = 0;
  std::map<std::string, expr::Dim> sizes_;
};

std::string script_text(const kernel::Script& script, const std::string& indent) {
  std::string out = "[";
  for (std::size_t i = 0; i < script.size(); ++i) {
    const kernel::Step& step = script[i];
    out += (i > 0 ? ",\n" : "\n") + indent + "  [\"" + std::string(kernel::name(step.law)) + "\"";
    for (const std::int64_t arg : step.args) out += "," + std::to_string(arg);
    if (!step.size.is_zero()) out += "," + dump(json(expr::text(step.size)));
    out += "]";
  }
  return out + (script.empty() ? "]" : "\n" + indent + "]");
}

}  // namespace

std::size_t steps(const kernel::Certificate& certificate) {
  std::size_t count = certificate.goal.size();
  for (const kernel::Script& script : certificate.assumptions) count += script.size();
  for (const kernel::Certificate& part : certificate.parts) count += steps(part);
  return count;
}

namespace {

/// The keys of a certificate, each on a line of its own.
std::string body_text(const kernel::Certificate& certificate, const std::string& indent) {
  if (certificate.reduction.kind != kernel::ReductionKind::none) {
    std::string out = indent + "\"reduction\": [\"" + std::string(kernel::name(certificate.reduction.kind)) + "\"";
    for (const std::string& text : certificate.reduction.text) out += "," + dump(json(text));
    out += "],\n" + indent + "\"parts\": [";
    for (std::size_t i = 0; i < certificate.parts.size(); ++i) out += std::string(i > 0 ? ",\n" : "\n") + indent + "  {\n" + body_text(certificate.parts[i], indent + "    ") + indent + "  }";
    return out + "\n" + indent + "]\n";
  }
  std::string out = indent + "\"assumptions\": [";
  const auto& assumptions = certificate.assumptions;
  for (std::size_t i = 0; i < assumptions.size(); ++i) out += (i > 0 ? ",\n" : "\n") + indent + "  " + script_text(assumptions[i], indent + "  ");
  out += assumptions.empty() ? "],\n" : "\n" + indent + "],\n";
  return out + indent + "\"goal\": " + script_text(certificate.goal, indent) + "\n";
}

}  // namespace

std::string write(const CertificateRecord& record) {
  return "{\n  \"schema\": \"" + std::string(certificate_schema) + "\",\n  \"claim\": " + dump(json(record.claim)) + ",\n" + body_text(record.certificate, "  ") + "}\n";
}

CertificateRecord parse_certificate(std::string_view text, const std::string& file) { return CertificateReader(text, file).read(); }

}  // namespace foldproof::record
