// SPDX-License-Identifier: MIT
#include "record/vectors.hpp"

#include <algorithm>

#include "record/digest.hpp"
#include "record/files.hpp"
#include "record/json.hpp"

namespace foldproof::record {

namespace {

constexpr const char* schema = "foldproof-vectors-1";
constexpr const char* manifest_schema = "foldproof-vectors-manifest-1";

Json tensor_json(const TensorText& t) { return {{"shape", t.shape}, {"values", t.values}}; }

Vector one(const Reader& reader, const JsonValue& object, const std::string& pointer) {
  reader.only(object, {"lane", "flags", "dims", "inputs", "expected", "bound", "sha256"}, pointer);
  Vector v;
  v.lane = reader.text(object, "lane", pointer);
  v.flags = reader.texts(object, "flags", pointer);
  for (const std::string& flag : v.flags) {
    const auto known = std::any_of(vector_flags().begin(), vector_flags().end(), [&](const auto& f) { return f.first == flag; });
    if (!known) reader.fail(object, pointer + "/flags", "there is no flag \"" + flag + "\"");
  }
  v.dims = reader.sizes(object, "dims", pointer);
  v.inputs = reader.tensors(object, "inputs", pointer);
  v.expected = reader.tensor("expected", reader.member(object, "expected", JsonKind::object, pointer), pointer + "/expected");
  if (object.find("bound") != nullptr) v.bound = reader.tensor("bound", reader.member(object, "bound", JsonKind::object, pointer), pointer + "/bound");
  if (v.bound.has_value() == (v.lane == "exact")) reader.fail(object, pointer, "float lanes have a bound, and the exact lane has none");
  if (v.bound && v.bound->shape != v.expected.shape) reader.fail(object, pointer + "/bound", "must have the shape of expected");
  v.sha256 = reader.text(object, "sha256", pointer);
  if (v.sha256 != vector_digest(v)) reader.fail(object, pointer + "/sha256", "does not fit the values: they were changed");
  return v;
}

void require_schema(const Reader& reader, const char* expected) {
  if (reader.text(reader.root(), "schema", "") != expected) reader.fail(reader.root(), "/schema", std::string("this is not a file of the kind ") + expected);
}

}  // namespace

std::string vector_digest(const Vector& vector) {
  std::string all;
  const auto add = [&all](const TensorText& t) {
    for (std::size_t i = 0; i < t.values.size(); ++i) all += (i > 0 ? " " : "") + t.values[i];
  };
  for (const TensorText& input : vector.inputs) {
    add(input);
    all += "\n";
  }
  add(vector.expected);
  return sha256(all);
}

VectorFile parse_vectors(const std::string& bytes, const std::string& file) {
  const Document document(bytes, file);
  const Reader reader(document, "vectors");
  reader.only(reader.root(), {"schema", "id", "title", "claim", "vectors"}, "");
  require_schema(reader, schema);
  VectorFile out{reader.text(reader.root(), "id", ""), reader.text(reader.root(), "title", ""), reader.text(reader.root(), "claim", ""), {}};
  const JsonValue& list = reader.member(reader.root(), "vectors", JsonKind::array, "");
  for (std::size_t k = 0; k < list.items.size(); ++k) out.vectors.push_back(one(reader, list.items[k], "/vectors/" + std::to_string(k)));
  return out;
}

std::string write_vectors(const VectorFile& file) {
  Json list = Json::array();
  for (const Vector& v : file.vectors) {
    Json inputs = Json::object();
    for (const TensorText& t : v.inputs) inputs[t.name] = tensor_json(t);
    Json out = {{"lane", v.lane}, {"flags", v.flags}, {"dims", Json(v.dims)}, {"inputs", std::move(inputs)}, {"expected", tensor_json(v.expected)}};
    if (v.bound) out["bound"] = tensor_json(*v.bound);
    out["sha256"] = vector_digest(v);
    list.push_back(std::move(out));
  }
  const Json json = {{"schema", schema}, {"id", file.id}, {"title", file.title}, {"claim", file.claim}, {"vectors", std::move(list)}};
  return json.dump(1) + "\n";
}

const std::vector<std::pair<std::string, std::string>>& vector_flags() {
  static const std::vector<std::pair<std::string, std::string>> flags = {
      {"integers", "All inputs and expected values are integers below 2**24, and so is every partial sum: compare bit for bit, in float32 and float64, whatever the order of summation."},
      {"logarithms", "Some inputs are multiples of log(2), so that softmax is rational: exp of them is a power of two. No float format holds them, so compare within rounding errors."},
      {"fractions", "Some expected values are fractions that no binary format holds."},
      {"rational", "Expected values were computed in rationals and rounded once to float64."},
      {"digits-100", "Expected values were computed with 100 decimal digits, lie in the interval that outward rounding gives, and were rounded once to float64."},
      {"other-side", "The two sides of the claim were computed separately and gave the same expected values."},
  };
  return flags;
}

std::string write_manifest(const std::vector<ManifestEntry>& entries) {
  Json flags = Json::object();
  for (const auto& [name, meaning] : vector_flags()) flags[name] = meaning;
  Json files = Json::array();
  for (const ManifestEntry& e : entries) files.push_back({{"file", e.file}, {"id", e.id}, {"sha256", e.sha256}, {"vectors", e.vectors}});
  return Json({{"schema", manifest_schema}, {"flags", flags}, {"files", files}}).dump(2) + "\n";
}

std::vector<ManifestEntry> read_manifest(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return {};
  const Document document(read_file(path), path.string());
  const Reader reader(document, "vectors");
  reader.only(reader.root(), {"schema", "flags", "files"}, "");
  require_schema(reader, manifest_schema);
  std::vector<ManifestEntry> out;
  const JsonValue& files = reader.member(reader.root(), "files", JsonKind::array, "");
  for (std::size_t k = 0; k < files.items.size(); ++k) {
    const std::string pointer = "/files/" + std::to_string(k);
    const JsonValue& f = files.items[k];
    reader.only(f, {"file", "id", "sha256", "vectors"}, pointer);
    out.push_back({reader.text(f, "file", pointer), reader.text(f, "id", pointer), reader.text(f, "sha256", pointer),
                   static_cast<std::size_t>(reader.positive(reader.member(f, "vectors", JsonKind::integer, pointer), pointer + "/vectors"))});
  }
  return out;
}

}  // namespace foldproof::record
