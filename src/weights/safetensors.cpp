// SPDX-License-Identifier: MIT
#include "weights/safetensors.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "expr/diagnostic.hpp"
#include "expr/tracking_iterator.hpp"

namespace foldproof::weights {

namespace {

constexpr std::size_t most_axes = 64;

// Receives the events of the JSON reader. Levels: 0 outside, 1 the header, 2 one tensor or the metadata, 3 a list of numbers.
// Nothing nests deeper, so the first bracket that would is refused.
class HeaderHandler {
 public:
  HeaderHandler(const ByteSource& source, std::string_view json) : source_(source), json_(json), furthest_(json.data()) {}

  const char** furthest() { return &furthest_; }
  Header take() { return std::move(header_); }

  bool start_object(std::size_t) {
    if (level_ > 1) fail("header_syntax", "an object is not allowed here");
    ++level_;
    return true;
  }

  bool key(std::string& name) {
    if (level_ == 1) {
      if (!names_.insert(name).second) fail("duplicate", "the tensor " + quote(name) + " is described twice");
      fields_.clear();
      in_metadata_ = name == "__metadata__";
      tensor_ = TensorInfo{};
      tensor_.name = name;
      tensor_.described_at = here();
      return true;
    }
    field_ = name;
    if (!fields_.insert(name).second) fail("duplicate", "the key " + quote(name) + " of " + quote(tensor_.name) + " is given twice");
    if (!in_metadata_ && name != "dtype" && name != "shape" && name != "data_offsets") {
      fail("key", "the key " + quote(name) + " of tensor " + quote(tensor_.name) + " is unknown", "the keys are dtype, shape and data_offsets");
    }
    return true;
  }

  bool string(std::string& value) {
    if (level_ == 2 && in_metadata_) {
      header_.metadata.emplace_back(field_, value);
    } else if (level_ == 2 && field_ == "dtype") {
      tensor_.dtype = value;
    } else {
      fail("header_syntax", "text is not allowed here");
    }
    return true;
  }

  bool start_array(std::size_t) {
    if (level_ != 2 || in_metadata_ || field_ == "dtype") fail("header_syntax", "a list is not allowed here");
    ++level_;
    return true;
  }

  bool number_unsigned(std::uint64_t value) {
    if (level_ != 3) fail("header_syntax", "a number is not allowed here");
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) fail("shape", "the number is larger than 63 bits hold");
    (field_ == "shape" ? tensor_.shape : offsets_).push_back(static_cast<std::int64_t>(value));
    if (tensor_.shape.size() > most_axes) fail("shape", "tensor " + quote(tensor_.name) + " has more than 64 axes");
    return true;
  }

  bool end_array() {
    --level_;
    return true;
  }

  bool end_object() {
    if (level_ == 2 && !in_metadata_) finish_tensor();
    --level_;
    return true;
  }

  bool number_integer(std::int64_t) { fail("header_syntax", "a negative number is not allowed here"); }
  bool number_float(double, const std::string&) { fail("header_syntax", "a number with a fraction or exponent is not allowed here"); }
  bool boolean(bool) { fail("header_syntax", "true and false are not allowed here"); }
  bool null() { fail("header_syntax", "null is not allowed here"); }
  bool binary(nlohmann::json::binary_t&) { fail("header_syntax", "binary values are not allowed here"); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { fail("header_syntax", "the header is not valid JSON from here on"); }

 private:
  std::uint64_t here() const { return 8 + static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(furthest_ - json_.data() - 1, 0)); }

  [[noreturn]] void fail(const std::string& code, const std::string& message, const std::string& hint = {}) const { source_.fail(code, here(), message, hint); }

  void finish_tensor() {
    if (fields_.size() != 3) fail("key", "tensor " + quote(tensor_.name) + " needs dtype, shape and data_offsets");
    if (offsets_.size() != 2) fail("offsets", "data_offsets of " + quote(tensor_.name) + " needs two numbers");
    // A tensor of a type that is not known is an error when it is used, and no reason to refuse the others.
    const std::optional<int> bits = bits_per_value(tensor_.dtype);
    const std::optional<std::int64_t> count = element_count(tensor_.shape);
    std::int64_t bytes = 0;
    if (!count || (bits && __builtin_mul_overflow(*count, *bits, &bytes)))
      fail("shape", "the shape of " + quote(tensor_.name) + " has more bytes than 63 bits count");
    if (bytes % 8 != 0) fail("shape", "the values of " + quote(tensor_.name) + " end inside of a byte");
    bytes /= 8;
    // The width of a dtype of tomorrow is not known: its ranges must tile like all others, and hold something if the shape does.
    if (!bits) bytes = (*count == 0) == (offsets_[0] == offsets_[1]) ? offsets_[1] - offsets_[0] : *count;
    if (offsets_[0] > offsets_[1] || offsets_[1] - offsets_[0] != bytes) {
      fail("offsets", "tensor " + quote(tensor_.name) + " needs " + std::to_string(bytes) + " bytes, but its data_offsets are [" + std::to_string(offsets_[0]) +
                          ", " + std::to_string(offsets_[1]) + "]");
    }
    tensor_.begin = static_cast<std::uint64_t>(offsets_[0]);
    tensor_.end = static_cast<std::uint64_t>(offsets_[1]);
    offsets_.clear();
    header_.tensors.push_back(std::move(tensor_));
  }

  const ByteSource& source_;
  std::string_view json_;
  const char* furthest_;
  Header header_;
  std::unordered_set<std::string> names_;
  std::unordered_set<std::string> fields_;  ///< keys seen in the object of level 2
  std::string field_;
  TensorInfo tensor_;
  Sizes offsets_;
  bool in_metadata_ = false;
  int level_ = 0;
};

// Moves the ranges from "inside the data" to "inside the file" and requires them to tile the data: a gap could hide
// bytes from every reader, an overlap would make two tensors change together.
void place_tensors(const ByteSource& source, std::uint64_t data, Header& header) {
  std::vector<TensorInfo*> order;
  for (TensorInfo& tensor : header.tensors) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(),
                   [](const TensorInfo* a, const TensorInfo* b) { return std::pair(a->begin, a->end) < std::pair(b->begin, b->end); });
  const std::uint64_t size = source.size() - data;
  std::uint64_t expected = 0;
  for (TensorInfo* tensor : order) {
    if (tensor->end > size) {
      source.fail("truncated", tensor->described_at,
                  "tensor " + quote(tensor->name) + " ends at byte " + std::to_string(tensor->end) + " of the values, but the file has only " +
                      std::to_string(size) + " bytes of values");
    }
    if (tensor->begin != expected) {
      const bool gap = tensor->begin > expected;
      source.fail("offsets", tensor->described_at,
                  "tensor " + quote(tensor->name) + (gap ? " leaves a gap after byte " : " overlaps the tensor before byte ") + std::to_string(expected) +
                      " of the values");
    }
    expected = tensor->end;
    tensor->begin += data;
    tensor->end += data;
  }
  if (expected != size) source.fail("offsets", data + expected, std::to_string(size - expected) + " bytes after the last tensor belong to no tensor");
}

std::string hint_for(const std::string& start) {
  if (start.substr(0, 2) == "PK") return "this looks like a PyTorch file, or an .npz file of another name (zip); save it as .safetensors";
  if (start.substr(0, 4) == "GGUF") return "this is a GGUF file; convert it to .safetensors";
  if (start == "version ") return "this is a Git LFS pointer, which stands for the file: fetch it with git lfs pull";
  if (start.front() == '<') return "this looks like a web page: the download brought something else than the file";
  return "is this a .safetensors file?";
}

}  // namespace

Header read_safetensors_header(const ByteSource& source) {
  if (source.size() < 8) source.fail("truncated", source.size(), "the file ends inside the eight bytes of the header length");
  const std::string start = source.read(0, 8);
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(start[i]);
  if (length > largest_safetensors_header) {
    source.fail("header_size", 0, "the header claims " + std::to_string(length) + " bytes, more than the 100000000 that the format allows", hint_for(start));
  }
  if (length > source.size() - 8)
    source.fail("truncated", source.size(), "the file ends inside its header of " + std::to_string(length) + " bytes", hint_for(start));
  const std::string json = source.read(8, length);
  if (json.empty() || json[0] != '{') source.fail("header_syntax", 8, "the header must begin with `{`", hint_for(start));
  HeaderHandler handler(source, json);
  const expr::TrackingIterator first{json.data(), handler.furthest()};
  const expr::TrackingIterator last{json.data() + json.size(), handler.furthest()};
  // Every refusal leaves as an exception of the handler, so a plain "no" cannot happen.
  expr::invariant(nlohmann::json::sax_parse(first, last, &handler), "the header reader throws what it refuses");
  Header header = handler.take();
  place_tensors(source, 8 + length, header);
  return header;
}

std::string safetensors_bytes(const std::vector<NamedTensor>& tensors, const std::vector<std::pair<std::string, std::string>>& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  for (const auto& [key, value] : metadata) header["__metadata__"][key] = value;
  std::string data;
  for (const NamedTensor& named : tensors) {
    const std::size_t begin = data.size();
    for (const double value : named.tensor.values) data += encode(named.tensor.format, value);
    const char* dtype = named.tensor.format == Format::float64   ? "F64"
                        : named.tensor.format == Format::float32 ? "F32"
                        : named.tensor.format == Format::float16 ? "F16"
                                                                 : "BF16";
    header[named.name] = {{"dtype", dtype}, {"shape", named.tensor.shape}, {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the values are aligned
  std::string out;
  for (std::size_t i = 0; i < 8; ++i) out += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return out + text + data;
}

}  // namespace foldproof::weights
