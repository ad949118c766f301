// SPDX-License-Identifier: MIT
#include "weights/tensor_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <system_error>

#include "expr/diagnostic.hpp"
#include "numeric/half.hpp"
#include "weights/npy.hpp"
#include "weights/npz.hpp"
#include "weights/safetensors.hpp"

namespace foldproof::weights {

namespace {

// IEEE 754 binary16: 5 exponent bits, 10 fraction bits. Every finite value is an integer multiple of 2^-24.
double decode_half(std::uint64_t bits) {
  const int exponent = static_cast<int>((bits >> 10) & 0x1f);
  const int fraction = static_cast<int>(bits & 0x3ff);
  double magnitude = 0;
  if (exponent == 0x1f) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(0x400 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

// Four exponent bits with a bias of 7, and three fraction bits. All ones is NaN; there are no infinities, as "FN" in PyTorch's name says.
double decode_e4m3(std::uint64_t bits) {
  const int exponent = static_cast<int>((bits >> 3) & 0xf), fraction = static_cast<int>(bits & 0x7);
  double magnitude = exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(8 + fraction, exponent - 10);
  if (exponent == 0xf && fraction == 0x7) magnitude = std::numeric_limits<double>::quiet_NaN();
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

struct Integer {
  std::int64_t bytes;
  bool is_signed;

  /// Of the low bits.
  double value(std::uint64_t bits) const {
    const int unused = static_cast<int>(64 - 8 * bytes);
    return is_signed ? static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused) : static_cast<double>(bits);
  }
};

/// The names of safetensors and of NumPy. A truth value is 0 or 1.
std::optional<Integer> integer_called(const std::string& dtype) {
  static constexpr std::pair<std::string_view, Integer> names[] = {{"I64", {8, true}}, {"I32", {4, true}}, {"I16", {2, true}}, {"I8", {1, true}},  {"U64", {8, false}}, {"U32", {4, false}}, {"U16", {2, false}},
                                                                   {"U8", {1, false}}, {"BOOL", {1, false}}, {"<i8", {8, true}}, {"<i4", {4, true}}, {"<i2", {2, true}},  {"|i1", {1, true}},   {"<u8", {8, false}},
                                                                   {"<u4", {4, false}}, {"<u2", {2, false}}, {"|u1", {1, false}}, {"|b1", {1, false}}};
  for (const auto& [name, integer] : names) {
    if (name == dtype) return integer;
  }
  return std::nullopt;
}

/// Integers have no digits to lose: they stand in the format that answers for the tensors beside them, where it holds them.
Format narrowest_that_holds(const std::vector<double>& values) {
  const auto all = [&](auto rounded) { return std::all_of(values.begin(), values.end(), [&](double v) { return rounded(v) == v; }); };
  if (all([](double v) { return static_cast<double>(numeric::BFloat16(v)); })) return Format::bfloat16;
  if (all([](double v) { return static_cast<double>(numeric::Float16(v)); })) return Format::float16;
  return all([](double v) { return static_cast<double>(static_cast<float>(v)); }) ? Format::float32 : Format::float64;
}

// The position in the file's own order of the value that C order calls `index`.
std::int64_t stored_position(const TensorInfo& tensor, std::int64_t index) {
  if (!tensor.fortran_order) return index;
  const View view = column_major(tensor.shape);
  std::int64_t position = 0;
  for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
    position += index % view.shape[axis] * view.strides[axis];
    index /= view.shape[axis];
  }
  return position;
}

}  // namespace

const char* text(Format format) {
  switch (format) {
    case Format::float64:
      return "float64";
    case Format::float32:
      return "float32";
    case Format::bfloat16:
      return "bfloat16";
    case Format::float16:
      return "float16";
    case Format::float8_e4m3:
      return "float8_e4m3";
    case Format::float8_e5m2:
      return "float8_e5m2";
  }
  throw expr::InternalError("a format has a name");
}

std::int64_t bytes_per_value(Format format) {
  switch (format) {
    case Format::float64:
      return 8;
    case Format::float32:
      return 4;
    case Format::bfloat16:
      return 2;
    case Format::float16:
      return 2;
    case Format::float8_e4m3:
    case Format::float8_e5m2:
      return 1;
  }
  throw expr::InternalError("a format has a size");
}

double decode(Format format, std::uint64_t bits) {
  switch (format) {
    case Format::float64:
      return std::bit_cast<double>(bits);
    case Format::float32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case Format::bfloat16:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16));  // the upper half of a float32
    case Format::float16:
      return decode_half(bits);
    case Format::float8_e4m3:
      return decode_e4m3(bits);
    case Format::float8_e5m2:
      return decode_half(bits << 8);  // the upper half of a float16
  }
  throw expr::InternalError("a format has a decoder");
}

std::string encode(Format format, double value) {
  std::uint64_t bits = 0;
  switch (format) {
    case Format::float64:
      bits = std::bit_cast<std::uint64_t>(value);
      break;
    case Format::float32:
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
      break;
    case Format::bfloat16:
      bits = numeric::BFloat16(value).bits();
      break;
    case Format::float16:
      bits = numeric::Float16(value).bits();
      break;
    case Format::float8_e4m3:
    case Format::float8_e5m2:
      throw expr::InternalError("nothing is written in 8 bits");
  }
  std::string out;
  for (std::int64_t i = 0; i < bytes_per_value(format); ++i) out += static_cast<char>(bits >> (8 * i) & 0xff);
  return out;
}

std::string quote(std::string_view bytes) {
  constexpr std::size_t longest = 80;
  constexpr const char* digits = "0123456789abcdef";
  std::string out = "`";
  for (const char c : bytes.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += std::string("\\x") + digits[byte >> 4] + digits[byte & 0xf];
    }
  }
  return out + (bytes.size() > longest ? "...`" : "`");
}

ByteSource ByteSource::file(const std::filesystem::path& path) {
  ByteSource source;
  source.name_ = path.filename().string();
  source.path_ = path;
  source.given_path_ = path.generic_string();
  std::error_code error;
  source.whole_path_ = std::filesystem::absolute(path, error).lexically_normal().generic_string();
  if (!std::filesystem::is_regular_file(path, error)) {
    expr::fail("weights.open", path.string() + ": " + (error ? error.message() : "not a regular file"), {});
  }
  source.size_ = std::filesystem::file_size(path, error);
  if (error || !std::ifstream(path, std::ios::binary)) {
    expr::fail("weights.open", path.string() + ": " + (error ? error.message() : "cannot be opened for reading"), {});
  }
  return source;
}

ByteSource ByteSource::memory(std::string name, std::string bytes) {
  ByteSource source;
  source.whole_path_ = source.given_path_ = name;
  source.name_ = std::filesystem::path(name).filename().string();
  source.size_ = bytes.size();
  source.bytes_ = std::make_shared<const std::string>(std::move(bytes));
  return source;
}

std::string ByteSource::read(std::uint64_t offset, std::uint64_t count) const {
  if (offset > size_ || count > size_ - offset) {
    fail("truncated", size_, "the file ends here, but " + std::to_string(count) + " bytes from byte " + std::to_string(offset) + " are needed");
  }
  if (bytes_) return bytes_->substr(offset, count);
  std::ifstream stream(path_, std::ios::binary);
  std::string out(count, '\0');
  stream.seekg(static_cast<std::streamoff>(offset));
  stream.read(out.data(), static_cast<std::streamsize>(count));
  if (!stream) fail("read", offset, "reading " + std::to_string(count) + " bytes failed", "did the file change while it was open?");
  return out;
}

void ByteSource::fail(const std::string& code, std::uint64_t offset, const std::string& message, const std::string& hint) const {
  expr::fail("weights." + code, name_ + ": byte " + std::to_string(offset) + ": " + message, {offset, offset + 1}, hint);
}

TensorFile TensorFile::open(const std::filesystem::path& path) { return from_source(ByteSource::file(path)); }

TensorFile TensorFile::from_bytes(std::string name, std::string bytes) { return from_source(ByteSource::memory(std::move(name), std::move(bytes))); }

TensorFile TensorFile::from_source(ByteSource source) {
  const auto extension = std::filesystem::path(source.name()).extension();
  const bool npy = extension == ".npy" || (source.size() >= 6 && source.read(0, 6) == npy_magic);
  Header header = extension == ".npz" ? read_npz_header(source) : npy ? read_npy_header(source) : read_safetensors_header(source);
  return TensorFile(std::move(source), std::move(header));
}

const TensorInfo* TensorFile::find(const std::string& name) const {
  for (const TensorInfo& tensor : header_.tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

Format TensorFile::format_of(const TensorInfo& tensor) const {
  if (tensor.dtype == "F64" || tensor.dtype == "<f8") return Format::float64;
  if (tensor.dtype == "F32" || tensor.dtype == "<f4") return Format::float32;
  if (tensor.dtype == "F16" || tensor.dtype == "<f2") return Format::float16;
  if (tensor.dtype == "BF16") return Format::bfloat16;
  if (tensor.dtype == "F8_E4M3") return Format::float8_e4m3;
  if (tensor.dtype == "F8_E5M2") return Format::float8_e5m2;
  source_.fail("dtype", tensor.described_at,
               "tensor " + quote(tensor.name) + " holds " + quote(tensor.dtype) + ", which is not a floating-point format known here",
               "F64, F32, BF16, F16, F8_E4M3, F8_E5M2 and integers can be used");
}

Tensor TensorFile::read(const TensorInfo& tensor) const {
  Tensor out = read(tensor, 0, *element_count(tensor.shape));
  out.shape = tensor.shape;
  if (tensor.fortran_order) out.values = gather(column_major(tensor.shape), out.values);
  return out;
}

Tensor TensorFile::read(const TensorInfo& tensor, std::int64_t first, std::int64_t count) const {
  const auto integer = integer_called(tensor.dtype);
  const Format format = integer ? Format::float64 : format_of(tensor);
  const auto width = static_cast<std::size_t>(integer ? integer->bytes : bytes_per_value(format));
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  constexpr std::uint64_t block = std::uint64_t{1} << 20;  // bytes; never the whole tensor beside its values
  const std::uint64_t begin = tensor.begin + static_cast<std::uint64_t>(first) * width, end = begin + static_cast<std::uint64_t>(count) * width;
  for (std::uint64_t from = begin; from < end; from += block) {
    const std::string bytes = source_.read(from, std::min(block, end - from));
    for (std::size_t at = 0; at + width <= bytes.size(); at += width) {
      const std::uint64_t bits = little_endian(std::string_view(bytes).substr(at, width));
      values.push_back(integer ? integer->value(bits) : decode(format, bits));
    }
  }
  constexpr double largest_exact = 0x1p53;
  const auto too_large = std::find_if(values.begin(), values.end(), [](double v) { return std::abs(v) > largest_exact; });
  if (integer && too_large != values.end()) source_.fail("dtype", tensor.described_at, "tensor " + quote(tensor.name) + " holds integers beyond 2^53, which no format here holds exactly");
  expr::invariant(static_cast<std::int64_t>(values.size()) == count, "a header's shape matches its bytes");
  const Format held = integer ? narrowest_that_holds(values) : format;
  return {{count}, std::move(values), held};
}

std::uint64_t TensorFile::bits(const TensorInfo& tensor, std::int64_t index) const {
  const auto integer = integer_called(tensor.dtype);
  const auto width = static_cast<std::uint64_t>(integer ? integer->bytes : bytes_per_value(format_of(tensor)));
  return little_endian(source_.read(tensor.begin + static_cast<std::uint64_t>(stored_position(tensor, index)) * width, width));
}

}  // namespace foldproof::weights
