// SPDX-License-Identifier: MIT
#include "record/claim_json.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "expr/nearest.hpp"
#include "record/files.hpp"
#include "record/json.hpp"

namespace foldproof::record {

namespace {

bool is_name(std::string_view word) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto inside = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !word.empty() && letter(word.front()) && std::all_of(word.begin(), word.end(), inside);
}

// Reads one claim object. `pointer` leads to it.
class ClaimReader {
 public:
  ClaimReader(const Document& document, const JsonValue& object, std::string pointer) : document_(document), object_(object), pointer_(std::move(pointer)) {}

  ClaimRecord read(const std::string& fallback_id) {
    require(object_, JsonKind::object, pointer_);
    refuse_unknown_keys();
    claim_.file = document_.file();
    claim_.id = fallback_id;
    read_plain("id", claim_.id);
    if (claim_.id.empty()) fail("claim.value", *object_.find("id"), at("id"), "an id is not empty");
    read_plain("title", claim_.title);
    read_plain("why", claim_.why);
    read_plain("nearest_true", claim_.nearest_true);
    read_plain("source", claim_.source);
    read_plain("practice", claim_.practice);
    read_choices();
    read_tags();
    read_vars();
    read_let();
    read_assume();
    read_equation();
    expr::invariant(claim_.text == assemble(claim_), "pieces assemble to the claim's text");
    return std::move(claim_);
  }

 private:
  std::string at(std::string_view key) const { return pointer_to(pointer_, key); }

  [[noreturn]] void fail(const char* code, const JsonValue& value, const std::string& pointer, const std::string& message, const std::string& hint = {}) const {
    document_.fail(code, value.span, pointer, message, hint);
  }

  void require(const JsonValue& value, JsonKind kind, const std::string& pointer) const {
    if (value.kind != kind) fail("claim.kind", value, pointer, std::string("must be ") + record::text(kind) + ", found " + record::text(value.kind));
  }

  void refuse_unknown_keys() const {
    static const std::vector<std::string> known = {"id",     "title", "vars",         "let",    "assume",   "lhs",  "relation",       "rhs",
                                                   "expect", "why",   "nearest_true", "source", "practice", "tags", "allow_same_text"};
    for (const JsonKey& key : object_.keys) {
      if (std::find(known.begin(), known.end(), key.name) != known.end()) continue;
      static const std::map<std::string, std::string> others = {{"assumptions", "assume"}, {"definitions", "let"}, {"dims", "vars"}, {"expected", "expect"}, {"shapes", "vars"}, {"truth", "expect"}, {"variables", "vars"}, {"verdict", "expect"}};
      static const std::set<std::string> of_texts = {"claim", "equation", "expression", "statement", "text"};
      if (of_texts.count(key.name) > 0) document_.fail("claim.key", key.span, at(key.name), "unknown key \"" + key.name + "\"", "write what it says as `lhs`, `relation` and `rhs`, and `vars` for its shapes; a claim as one text stands in a file without JSON");
      const auto other = others.find(key.name);
      document_.fail("claim.key", key.span, at(key.name), "unknown key \"" + key.name + "\"", other == others.end() ? expr::did_you_mean(key.name, known, 1) : "the key for it is `" + other->second + "`");
    }
  }

  void read_plain(const char* key, std::string& into) const {
    const JsonValue* value = object_.find(key);
    if (value == nullptr) return;
    require(*value, JsonKind::text, at(key));
    into = value->text;
  }

  void read_choices() {
    if (const JsonValue* value = object_.find("expect")) {
      claim_.expect = choice("expect", *value, {"proved", "refuted", "undecided", "invalid"});
    }
    if (const JsonValue* value = object_.find("relation")) {
      if (value->kind == JsonKind::text && (value->text == ">=" || value->text == ">")) fail("claim.value", *value, at("relation"), "a claim file says \"<=\" or \"<\", found \"" + value->text + "\"", "exchange `lhs` and `rhs`");
      claim_.relation = choice("relation", *value, {"==", "<=", "<"});
    }
    if (const JsonValue* value = object_.find("allow_same_text")) {
      require(*value, JsonKind::boolean, at("allow_same_text"));
      claim_.allow_same_text = value->truth;
    }
  }

  std::string choice(const char* key, const JsonValue& value, const std::vector<std::string>& allowed) const {
    require(value, JsonKind::text, at(key));
    if (std::find(allowed.begin(), allowed.end(), value.text) != allowed.end()) return value.text;
    std::string list;
    for (const std::string& word : allowed) list += (list.empty() ? "\"" : ", \"") + word + "\"";
    fail("claim.value", value, at(key), "must be one of " + list + ", found \"" + value.text + "\"");
  }

  void read_tags() {
    const JsonValue* tags = object_.find("tags");
    if (tags == nullptr) return;
    require(*tags, JsonKind::array, at("tags"));
    for (std::size_t i = 0; i < tags->items.size(); ++i) {
      require(tags->items[i], JsonKind::text, pointer_to(at("tags"), std::to_string(i)));
      claim_.tags.push_back(tags->items[i].text);
    }
  }

  void read_vars() {
    const JsonValue* vars = object_.find("vars");
    if (vars == nullptr) return;
    require(*vars, JsonKind::object, at("vars"));
    for (std::size_t i = 0; i < vars->items.size(); ++i) {
      const JsonKey& name = vars->keys[i];
      const std::string pointer = pointer_to(at("vars"), name.name);
      require_name(name.name, name.span, pointer);
      require(vars->items[i], JsonKind::array, pointer);
      std::vector<std::string> dims;
      append(name.name, name.span, pointer);
      append(": [");
      for (std::size_t axis = 0; axis < vars->items[i].items.size(); ++axis) {
        const JsonValue& dim = vars->items[i].items[axis];
        if (axis > 0) append(", ");
        dims.push_back(dimension(dim, pointer_to(pointer, std::to_string(axis))));
        append(dims.back(), dim.span, pointer_to(pointer, std::to_string(axis)));
      }
      append("]\n");
      claim_.vars.emplace_back(name.name, std::move(dims));
    }
  }

  std::string dimension(const JsonValue& dim, const std::string& pointer) const {
    if (dim.kind == JsonKind::integer) {
      if (dim.text[0] == '-' || dim.text == "0") fail("claim.value", dim, pointer, "a dimension is at least 1, found " + dim.text);
      return dim.text;
    }
    if (dim.kind != JsonKind::text) fail("claim.kind", dim, pointer, std::string("must be a dimension as text or an integer, found ") + record::text(dim.kind));
    require_statement(dim, dim.text, pointer);
    const bool plain = std::all_of(dim.text.begin(), dim.text.end(), [](char c) {
      return is_name(std::string(1, c)) || std::string_view("0123456789 +-*/%()").find(c) != std::string_view::npos;
    });
    if (!plain) fail("claim.value", dim, pointer, "a dimension has only names, integers and + - * // % ( ), found \"" + dim.text + "\"");
    return dim.text;
  }

  void read_let() {
    const JsonValue* let = object_.find("let");
    if (let == nullptr) return;
    if (let->kind != JsonKind::object && let->kind != JsonKind::array) {
      fail("claim.kind", *let, at("let"),
           std::string("must be an object {\"NAME\": \"expression\"} or a list of texts \"NAME = expression\", found ") + record::text(let->kind));
    }
    for (std::size_t i = 0; i < let->items.size(); ++i) {
      const bool list = let->kind == JsonKind::array;
      const std::string pointer = pointer_to(at("let"), list ? std::to_string(i) : let->keys[i].name);
      require(let->items[i], JsonKind::text, pointer);
      auto [name, value] = list ? split(let->items[i], pointer) : std::pair(let->keys[i].name, let->items[i].text);
      value.erase(0, value.find_first_not_of(" \t"));  // both forms are written as "NAME = expression"
      require_name(name, list ? let->items[i].span : let->keys[i].span, pointer);
      require_statement(let->items[i], value, pointer);
      append("let " + name + " = ");
      append(value, let->items[i].span, pointer);
      append("\n");
      claim_.let.emplace_back(std::move(name), std::move(value));
    }
  }

  // "NAME = expression" into its two parts.
  std::pair<std::string, std::string> split(const JsonValue& value, const std::string& pointer) const {
    const std::size_t equals = value.text.find('=');
    if (equals == std::string::npos) fail("claim.value", value, pointer, "must read \"NAME = expression\", found \"" + value.text + "\"");
    std::string name = value.text.substr(0, equals);
    name.erase(name.find_last_not_of(" \t") + 1);
    name.erase(0, name.find_first_not_of(" \t"));
    const std::size_t start = value.text.find_first_not_of(" \t", equals + 1);
    return {name, start == std::string::npos ? "" : value.text.substr(start)};
  }

  void read_assume() {
    const JsonValue* assume = object_.find("assume");
    if (assume == nullptr) return;
    require(*assume, JsonKind::array, at("assume"));
    for (std::size_t i = 0; i < assume->items.size(); ++i) {
      const std::string pointer = pointer_to(at("assume"), std::to_string(i));
      const JsonValue& value = assume->items[i];
      require(value, JsonKind::text, pointer);
      require_statement(value, value.text, pointer);
      append("assume ");
      append(value.text, value.span, pointer);
      append("\n");
      claim_.assume.push_back(value.text);
    }
  }

  void read_equation() {
    claim_.lhs = side("lhs");
    claim_.rhs = side("rhs");
    append(claim_.lhs, object_.find("lhs")->span, at("lhs"));
    append(" ");
    const JsonValue* relation = object_.find("relation");
    append(claim_.relation, relation == nullptr ? object_.span : relation->span, at("relation"));
    append(" ");
    append(claim_.rhs, object_.find("rhs")->span, at("rhs"));
    append("\n");
  }

  std::string side(const char* key) const {
    const JsonValue* value = object_.find(key);
    if (value == nullptr) fail("claim.missing", object_, pointer_, std::string("the key \"") + key + "\" is missing", "a claim needs lhs and rhs");
    require(*value, JsonKind::text, at(key));
    require_statement(*value, value->text, at(key));
    return value->text;
  }

  void require_name(const std::string& name, expr::Span span, const std::string& pointer) const {
    if (!is_name(name))
      document_.fail("claim.value", span, pointer, "\"" + name + "\" is not a name", "names have letters, digits and _, and start with no digit");
  }

  // A piece must stay one piece: a separator or comment inside it would change the statements around it unseen.
  void require_statement(const JsonValue& value, const std::string& piece, const std::string& pointer) const {
    if (piece.find_first_not_of(" \t") == std::string::npos) fail("claim.statement", value, pointer, "is empty");
    if (piece.find_first_of(";#\n\r") != std::string::npos) {
      fail("claim.statement", value, pointer, "holds a `;`, a `#` or a line break", "each text is one expression; further statements go under let and assume");
    }
  }

  void append(const std::string& fixed) { claim_.text += fixed; }
  void append(const std::string& piece, expr::Span span, const std::string& pointer) {
    const std::size_t begin = claim_.text.size();
    claim_.text += piece;
    claim_.pieces.push_back({{begin, claim_.text.size()}, document_.place(span, pointer)});
  }

  const Document& document_;
  const JsonValue& object_;
  std::string pointer_;
  ClaimRecord claim_;
};

// Reads files one after the other; an id is used once in all of them.
class EntryReader {
 public:
  void read(std::string text, const std::string& file) {
    try {
      const Document document(std::move(text), file);
      const JsonValue& root = document.root();
      if (root.kind == JsonKind::array) {
        for (std::size_t i = 0; i < root.items.size(); ++i) add(document, root.items[i], "/" + std::to_string(i), "#" + std::to_string(i));
      } else if (root.kind == JsonKind::object) {
        add(document, root, "", "");
      } else {
        document.fail("claim.kind", root.span, "", std::string("must be a claim or a list of claims, found ") + record::text(root.kind));
      }
    } catch (const expr::Error& e) {
      add_unreadable(file, file, e);
    }
  }

  void read_file(const std::filesystem::path& path) {
    std::string text;
    try {
      text = record::read_file(path);
    } catch (const expr::Error& e) {
      return add_unreadable(path.string(), path.string(), e);
    }
    read(std::move(text), path.string());
  }

  std::vector<ClaimRecord> take() { return std::move(entries_); }

 private:
  void add(const Document& document, const JsonValue& object, const std::string& pointer, const std::string& position) {
    const JsonValue* given = object.find("id");
    const std::string place = document.place(given == nullptr ? object.span : given->span, pointer_to(pointer, "id"));
    try {
      ClaimRecord claim = ClaimReader(document, object, pointer).read(std::filesystem::path(document.file()).stem().string() + position);
      const auto [first, is_new] = places_.try_emplace(claim.id, place);
      if (!is_new) {
        expr::fail("claim.duplicate", place + ": the id \"" + claim.id + "\" is already used at " + first->second, given == nullptr ? object.span : given->span,
                   "give each claim its own id");
      }
      entries_.push_back(std::move(claim));
    } catch (const expr::Error& e) {
      const bool named = given != nullptr && given->kind == JsonKind::text && !given->text.empty() && places_.try_emplace(given->text, place).second;
      add_unreadable(named ? given->text : document.file() + position, document.file(), e);
    }
  }

  void add_unreadable(const std::string& id, const std::string& file, const expr::Error& error) {
    ClaimRecord entry;
    entry.id = id;
    entry.file = file;
    entry.unreadable = error.diagnostic();
    entries_.push_back(std::move(entry));
  }

  std::map<std::string, std::string> places_;  ///< of the first use of each id
  std::vector<ClaimRecord> entries_;
};

std::vector<ClaimRecord> all_readable(std::vector<ClaimRecord> entries) {
  for (const ClaimRecord& entry : entries) require_readable(entry);
  return entries;
}

Json to_json(const ClaimRecord& claim) {
  Json out;
  const auto put = [&out](const char* key, const std::string& value) {
    if (!value.empty()) out[key] = value;
  };
  put("id", claim.id);
  put("title", claim.title);
  for (const auto& [name, dims] : claim.vars) {
    Json& list = out["vars"][name] = Json::array();
    for (const std::string& dim : dims) list.push_back(dim);
  }
  for (const auto& [name, value] : claim.let) out["let"].push_back(name + " = " + value);
  if (!claim.assume.empty()) out["assume"] = claim.assume;
  put("lhs", claim.lhs);
  put("relation", claim.relation);
  put("rhs", claim.rhs);
  if (claim.expect) out["expect"] = *claim.expect;
  put("why", claim.why);
  put("nearest_true", claim.nearest_true);
  put("source", claim.source);
  put("practice", claim.practice);
  if (!claim.tags.empty()) out["tags"] = claim.tags;
  if (claim.allow_same_text) out["allow_same_text"] = true;
  return out;
}

}  // namespace

std::string assemble(const ClaimRecord& claim) {
  std::string out;
  for (const auto& [name, dims] : claim.vars) {
    out += name + ": [";
    for (std::size_t i = 0; i < dims.size(); ++i) out += (i > 0 ? ", " : "") + dims[i];
    out += "]\n";
  }
  for (const auto& [name, value] : claim.let) out += "let " + name + " = " + value + "\n";
  for (const std::string& assumption : claim.assume) out += "assume " + assumption + "\n";
  return out + claim.lhs + " " + claim.relation + " " + claim.rhs + "\n";
}

std::vector<ClaimRecord> parse_entries(std::string text, const std::string& file) {
  EntryReader reader;
  reader.read(std::move(text), file);
  return reader.take();
}

std::vector<ClaimRecord> read_entries(const std::vector<std::filesystem::path>& paths) {
  EntryReader reader;
  for (const std::filesystem::path& path : walk(paths, ".json")) reader.read_file(path);
  return reader.take();
}

std::vector<ClaimRecord> parse_claims(std::string text, const std::string& file) { return all_readable(parse_entries(std::move(text), file)); }

std::vector<ClaimRecord> read_claims(const std::vector<std::filesystem::path>& paths) { return all_readable(read_entries(paths)); }

void require_readable(const ClaimRecord& claim) {
  if (claim.unreadable) throw expr::Error(*claim.unreadable);
}

std::string origin(const ClaimRecord& claim, std::size_t offset) {
  const Piece* nearest = nullptr;
  for (const Piece& piece : claim.pieces) {
    if (nearest == nullptr || piece.span.begin <= offset) nearest = &piece;
  }
  return nearest == nullptr ? claim.file : nearest->place;
}

std::string render(const ClaimRecord& claim, const expr::Diagnostic& diagnostic) {
  if (claim.unreadable) return diagnostic.message + "\n" + (diagnostic.hint.empty() ? "" : "  hint: " + diagnostic.hint + "\n");
  const std::string whole = expr::render(diagnostic, claim.text, claim.file);
  if (claim.pieces.empty()) return whole;
  // The span is in the assembled text; the reader of the message wants the place in the file.
  const std::size_t rest = std::min(whole.find("\n  "), whole.size() - 1);
  return origin(claim, diagnostic.span.begin) + ": " + diagnostic.message + whole.substr(rest);
}

std::string write(const ClaimRecord& claim) { return to_json(claim).dump(2) + "\n"; }

std::string write(const std::vector<ClaimRecord>& claims) {
  Json out = Json::array();
  for (const ClaimRecord& claim : claims) out.push_back(to_json(claim));
  return out.dump(2) + "\n";
}

}  // namespace foldproof::record
