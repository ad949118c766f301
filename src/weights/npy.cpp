// SPDX-License-Identifier: MIT
#include "weights/npy.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>

namespace foldproof::weights {

namespace {

// Reads the dictionary literal; every function leaves `at_` behind what it took.
class DictionaryReader {
 public:
  DictionaryReader(const ByteSource& source, std::uint64_t base, std::string_view text, TensorInfo& tensor)
      : source_(source), base_(base), text_(text), tensor_(tensor) {}

  void read() {
    expect('{');
    std::set<std::string> seen;
    while (!take('}')) {
      const std::uint64_t key_at = position();
      const std::string key = quoted();
      if (!seen.insert(key).second) source_.fail("duplicate", key_at, "the key " + quote(key) + " is given twice");
      expect(':');
      read_value(key, key_at);
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (at_ != text_.size()) fail("the header goes on after its dictionary");
    if (seen.size() != 3) source_.fail("key", base_, "the header needs the keys descr, fortran_order and shape");
  }

 private:
  void read_value(const std::string& key, std::uint64_t key_at) {
    if (key == "descr") {
      skip_blanks();
      const std::uint64_t value_at = position();
      if (at_ < text_.size() && text_[at_] != '\'' && text_[at_] != '"') source_.fail("dtype", value_at, "records of several fields cannot be used");
      tensor_.dtype = quoted();
      static constexpr std::string_view known[] = {"<f8", "<f4", "<f2", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "|b1"};
      if (std::find(std::begin(known), std::end(known), tensor_.dtype) == std::end(known)) {
        source_.fail("dtype", value_at, "the values are of type " + quote(tensor_.dtype), "'<f8', '<f4', '<f2' and integers can be used; save with astype('<f4')");
      }
    } else if (key == "fortran_order") {
      tensor_.fortran_order = boolean();
    } else if (key == "shape") {
      shape();
    } else {
      source_.fail("key", key_at, "the key " + quote(key) + " is unknown", "the keys are descr, fortran_order and shape");
    }
  }

  void shape() {
    expect('(');
    while (!take(')')) {
      tensor_.shape.push_back(size());
      if (tensor_.shape.size() > 64) source_.fail("shape", position(), "the shape has more than 64 axes");
      if (!take(',')) {
        expect(')');
        break;
      }
    }
  }

  std::int64_t size() {
    skip_blanks();
    const std::size_t start = at_;
    std::int64_t value = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0; ++at_) {
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value)) {
        source_.fail("shape", position(), "the size is larger than 63 bits hold");
      }
    }
    if (at_ == start) fail("expected a size");
    return value;
  }

  bool boolean() {
    skip_blanks();
    for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return word == "True";
      }
    }
    fail("expected True or False");
  }

  std::string quoted() {
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) fail("expected a quoted word");
    const std::size_t close = text_.find(text_[at_], at_ + 1);
    if (close == std::string_view::npos) fail("this quote is not closed");
    const std::string word(text_.substr(at_ + 1, close - at_ - 1));
    at_ = close + 1;
    return word;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) ++at_;
  }

  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(std::string("expected `") + c + "`");
  }

  std::uint64_t position() const { return base_ + at_; }
  [[noreturn]] void fail(const std::string& message) const { source_.fail("header_syntax", position(), message); }

  const ByteSource& source_;
  std::uint64_t base_;
  std::string_view text_;
  TensorInfo& tensor_;
  std::size_t at_ = 0;
};

// Reads from `begin` on, and never behind `end`.
std::string read_before(const ByteSource& source, std::uint64_t begin, std::uint64_t count, std::uint64_t end) {
  if (begin > end || count > end - begin) source.fail("truncated", end, "the .npy file ends here, inside of its header");
  return source.read(begin, count);
}

// The length field has two bytes in version 1 and four later.
std::uint64_t length_in(std::string_view bytes) {
  std::uint64_t length = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length;
}

void check_size(const ByteSource& source, const TensorInfo& tensor, std::uint64_t end) {
  const std::optional<std::int64_t> count = element_count(tensor.shape);
  std::int64_t bytes = 0;
  if (!count || __builtin_mul_overflow(*count, tensor.dtype[2] - '0', &bytes))
    source.fail("shape", tensor.described_at, "the shape has more bytes than 63 bits count");
  const std::uint64_t have = end - tensor.begin;
  const auto need = static_cast<std::uint64_t>(bytes);
  if (need > have) source.fail("truncated", end, "the file ends here, but the shape needs " + std::to_string(need - have) + " more bytes of values");
  if (need < have) source.fail("offsets", tensor.begin + need, std::to_string(have - need) + " bytes follow the values that the shape announces");
}

}  // namespace

TensorInfo read_npy(const ByteSource& source, std::uint64_t begin, std::uint64_t end, std::string name) {
  constexpr std::uint64_t largest_header = 1'000'000;  // NumPy itself refuses to evaluate more than 10 000 without a flag
  const std::uint64_t magic = std::min<std::uint64_t>(end - begin, npy_magic.size());
  if (source.read(begin, magic) != npy_magic) source.fail("magic", begin, "this is not a .npy file", "a .npy file starts with \\x93NUMPY");
  const auto version = static_cast<unsigned char>(read_before(source, begin + 6, 2, end)[0]);
  if (version < 1 || version > 3) source.fail("version", begin + 6, "version " + std::to_string(version) + " of the format is unknown");
  const std::uint64_t width = version == 1 ? 2 : 4;
  const std::uint64_t length = length_in(read_before(source, begin + 8, width, end));
  if (length > largest_header) source.fail("header_size", begin + 8, "the header claims " + std::to_string(length) + " bytes");
  const std::uint64_t text_at = begin + 8 + width;
  const std::string text = read_before(source, text_at, length, end);
  TensorInfo tensor;
  tensor.name = std::move(name);
  tensor.described_at = text_at;
  DictionaryReader(source, text_at, text, tensor).read();
  tensor.begin = text_at + length;
  tensor.end = end;
  check_size(source, tensor, end);
  return tensor;
}

Header read_npy_header(const ByteSource& source) {
  Header header;
  header.tensors.push_back(read_npy(source, 0, source.size(), std::filesystem::path(source.name()).stem().string()));
  return header;
}

}  // namespace foldproof::weights
