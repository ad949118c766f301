// SPDX-License-Identifier: MIT
#include "record/questions.hpp"

#include <algorithm>
#include <charconv>

#include "expr/nearest.hpp"
#include "record/document.hpp"
#include "record/files.hpp"

namespace foldproof::record {
namespace {

constexpr const char* schema = "foldproof-questions-1";

class Reader {
 public:
  explicit Reader(const Document& document) : document_(document) {}

  std::vector<Question> read() const {
    const JsonValue& root = document_.root();
    only(root, {"schema", "questions"}, "");
    if (text(root, "schema", "") != schema) fail(root, "/schema", std::string("this is not a file of the kind ") + schema);
    std::vector<Question> questions;
    const JsonValue& list = member(root, "questions", JsonKind::array, "");
    for (std::size_t k = 0; k < list.items.size(); ++k) {
      const std::string pointer = "/questions/" + std::to_string(k);
      questions.push_back(question(list.items[k], pointer));
      const auto twice = [&](const Question& other) { return other.id == questions.back().id; };
      if (std::any_of(questions.begin(), questions.end() - 1, twice)) fail(list.items[k], pointer, "the id \"" + questions.back().id + "\" is used twice");
    }
    return questions;
  }

 private:
  [[noreturn]] void fail(const JsonValue& value, const std::string& pointer, const std::string& message) const {
    document_.fail("question.value", value.span, pointer, message);
  }
  void require(const JsonValue& value, JsonKind kind, const std::string& pointer) const {
    if (value.kind != kind) fail(value, pointer, std::string("must be ") + record::text(kind) + ", found " + record::text(value.kind));
  }
  void only(const JsonValue& object, const std::vector<std::string>& keys, const std::string& pointer) const {
    require(object, JsonKind::object, pointer);
    for (const JsonKey& key : object.keys) {
      if (std::find(keys.begin(), keys.end(), key.name) == keys.end())
        document_.fail("question.key", key.span, pointer, "unknown key \"" + key.name + "\"", expr::did_you_mean(key.name, keys, 1));
    }
  }
  const JsonValue& member(const JsonValue& object, const std::string& key, JsonKind kind, const std::string& pointer) const {
    const JsonValue* value = object.find(key);
    if (!value) fail(object, pointer, "the key \"" + key + "\" is missing");
    require(*value, kind, pointer + "/" + key);
    return *value;
  }
  std::string text(const JsonValue& object, const std::string& key, const std::string& pointer) const {
    const JsonValue& value = member(object, key, JsonKind::text, pointer);
    if (value.text.empty()) fail(value, pointer + "/" + key, "must not be empty");
    return value.text;
  }
  std::vector<std::string> texts(const JsonValue& list, const std::string& pointer) const {
    std::vector<std::string> out;
    require(list, JsonKind::array, pointer);
    for (const JsonValue& item : list.items) {
      require(item, JsonKind::text, pointer);
      out.push_back(item.text);
    }
    return out;
  }
  Question question(const JsonValue& object, const std::string& pointer) const {
    only(object, {"id", "question", "answer", "source", "parts"}, pointer);
    Question q{text(object, "id", pointer), text(object, "question", pointer), text(object, "answer", pointer), "", {}};
    if (object.find("source")) q.source = text(object, "source", pointer);
    const JsonValue& parts = member(object, "parts", JsonKind::array, pointer);
    if (parts.items.empty()) fail(parts, pointer + "/parts", "must have at least one part");
    for (std::size_t k = 0; k < parts.items.size(); ++k) q.parts.push_back(part(parts.items[k], pointer + "/parts/" + std::to_string(k)));
    return q;
  }
  QuestionPart part(const JsonValue& object, const std::string& pointer) const {
    only(object, {"says", "claims", "cost"}, pointer);
    QuestionPart p{text(object, "says", pointer), texts(member(object, "claims", JsonKind::array, pointer), pointer + "/claims"), "", {}, {}};
    if (p.claims.empty()) fail(object, pointer + "/claims", "must name at least one claim");
    if (!object.find("cost")) return p;
    const std::string at = pointer + "/cost";
    const JsonValue& cost = member(object, "cost", JsonKind::object, pointer);
    only(cost, {"claim", "sizes", "data"}, at);
    p.cost_claim = text(cost, "claim", at);
    const JsonValue& sizes = member(cost, "sizes", JsonKind::object, at);
    for (std::size_t k = 0; k < sizes.keys.size(); ++k) p.sizes[sizes.keys[k].name] = positive(sizes.items[k], at + "/sizes/" + sizes.keys[k].name);
    if (const JsonValue* data = cost.find("data")) p.data = texts(*data, at + "/data");
    return p;
  }
  std::int64_t positive(const JsonValue& value, const std::string& pointer) const {
    require(value, JsonKind::integer, pointer);
    std::int64_t n = 0;
    const char* end = value.text.data() + value.text.size();
    if (std::from_chars(value.text.data(), end, n).ptr != end || n < 1) fail(value, pointer, "must be a whole number of at least 1");
    return n;
  }

  const Document& document_;
};

}  // namespace

std::vector<Question> read_questions(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return {};
  const Document document(read_file(path), path.string());
  return Reader(document).read();
}

}  // namespace foldproof::record
