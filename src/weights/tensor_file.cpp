// SPDX-License-Identifier: MIT
#include "weights/tensor_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

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

// Two exponent bits with a bias of 1, and one fraction bit: 0, 0.5, 1, 1.5, 2, 3, 4 and 6. No infinities, no NaN.
double decode_e2m1(std::uint64_t bits) {
  const int exponent = static_cast<int>((bits >> 1) & 0x3), fraction = static_cast<int>(bits & 0x1);
  const double magnitude = exponent == 0 ? fraction / 2.0 : std::ldexp(2 + fraction, exponent - 2);
  return (bits & 0x8) != 0 ? -magnitude : magnitude;
}

// Powers of two, the scales of MX formats.
double decode_e8m0(std::uint64_t bits) { return bits == 0xff ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, static_cast<int>(bits) - 127); }

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::uint64_t low_bits(std::uint64_t word, int count) { return count == 64 ? word : word & ((std::uint64_t{1} << count) - 1); }

/// A type of stored values. Integers, and powers of two, have no digits that a result could be rounded to.
struct Dtype {
  enum class Kind { real, signed_integer, unsigned_integer, power_of_two };

  std::string_view name;
  int bits;
  Kind kind;
  Format format = Format::float64;  ///< of a real

  bool is_integer() const { return kind == Kind::signed_integer || kind == Kind::unsigned_integer; }
  /// Of the low bits.
  double value(std::uint64_t word) const {
    const int unused = 64 - bits;
    switch (kind) {
      case Kind::real: return decode(format, word);
      case Kind::signed_integer: return static_cast<double>(static_cast<std::int64_t>(word << unused) >> unused);
      case Kind::unsigned_integer: return static_cast<double>(word);
      case Kind::power_of_two: return decode_e8m0(word);
    }
    throw expr::InternalError("a type has values");
  }
};

/// The names of safetensors and of NumPy, and U4 and I4, which are packed into other integers. A truth value is 0 or 1.
const Dtype* dtype_called(std::string_view name) {
  using enum Dtype::Kind;
  static constexpr Dtype all[] = {{"F64", 64, real, Format::float64},
                                  {"F32", 32, real, Format::float32},
                                  {"F16", 16, real, Format::float16},
                                  {"BF16", 16, real, Format::bfloat16},
                                  {"F8_E4M3", 8, real, Format::float8_e4m3},
                                  {"F8_E5M2", 8, real, Format::float8_e5m2},
                                  {"F4", 4, real, Format::float4_e2m1},
                                  {"F8_E8M0", 8, power_of_two},
                                  {"I64", 64, signed_integer},
                                  {"I32", 32, signed_integer},
                                  {"I16", 16, signed_integer},
                                  {"I8", 8, signed_integer},
                                  {"I4", 4, signed_integer},
                                  {"U64", 64, unsigned_integer},
                                  {"U32", 32, unsigned_integer},
                                  {"U16", 16, unsigned_integer},
                                  {"U8", 8, unsigned_integer},
                                  {"U4", 4, unsigned_integer},
                                  {"BOOL", 8, unsigned_integer},
                                  {"<f8", 64, real, Format::float64},
                                  {"<f4", 32, real, Format::float32},
                                  {"<f2", 16, real, Format::float16},
                                  {"<i8", 64, signed_integer},
                                  {"<i4", 32, signed_integer},
                                  {"<i2", 16, signed_integer},
                                  {"|i1", 8, signed_integer},
                                  {"<u8", 64, unsigned_integer},
                                  {"<u4", 32, unsigned_integer},
                                  {"<u2", 16, unsigned_integer},
                                  {"|u1", 8, unsigned_integer},
                                  {"|b1", 8, unsigned_integer}};
  const auto* found = std::find_if(std::begin(all), std::end(all), [&](const Dtype& d) { return d.name == name; });
  return found == std::end(all) ? nullptr : found;
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
    case Format::float4_e2m1:
      return "float4_e2m1";
  }
  throw expr::InternalError("a format has a name");
}

std::optional<int> bits_per_value(std::string_view dtype) {
  const Dtype* known = dtype_called(dtype);
  return known == nullptr ? std::nullopt : std::optional(known->bits);
}

bool holds_integers(std::string_view dtype) {
  const Dtype* found = dtype_called(dtype);
  return found != nullptr && found->is_integer();
}

std::optional<TensorInfo> reinterpreted(TensorInfo tensor, const std::string& dtype) {
  const auto from = bits_per_value(tensor.dtype), to = bits_per_value(dtype);
  if (!from || !to) return std::nullopt;
  if (*from != *to) {
    std::int64_t bits = 0;
    if (tensor.fortran_order || tensor.shape.empty() || __builtin_mul_overflow(tensor.shape.back(), *from, &bits) || bits % *to != 0) return std::nullopt;
    tensor.shape.back() = bits / *to;
    if (!element_count(tensor.shape)) return std::nullopt;
  }
  tensor.dtype = dtype;
  return tensor;
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
    case Format::float4_e2m1:
      return decode_e2m1(bits);
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
    case Format::float4_e2m1:
      throw expr::InternalError("nothing is written in 8 bits");
  }
  const int bytes = format == Format::float64 ? 8 : format == Format::float32 ? 4 : 2;
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(bits >> (8 * i) & 0xff);
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

std::uint64_t ByteSource::append(std::string_view bytes) {
  if (!appended_) appended_ = std::make_shared<std::string>();
  const std::uint64_t at = size_ + appended_->size();
  *appended_ += bytes;
  return at;
}

std::string ByteSource::read(std::uint64_t offset, std::uint64_t count) const {
  if (appended_ && offset >= size_ && count <= appended_->size() && offset - size_ <= appended_->size() - count) return appended_->substr(offset - size_, count);
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

Tensor TensorFile::read(const TensorInfo& tensor) const {
  Tensor out = read(tensor, 0, *element_count(tensor.shape));
  out.shape = tensor.shape;
  if (tensor.fortran_order) out.values = gather(column_major(tensor.shape), out.values);
  return out;
}

Tensor TensorFile::read(const TensorInfo& tensor, std::int64_t first, std::int64_t count) const {
  const Dtype* dtype = dtype_called(tensor.dtype);
  if (dtype == nullptr) {
    source_.fail("dtype", tensor.described_at, "tensor " + quote(tensor.name) + " holds " + quote(tensor.dtype) + ", which is not a floating-point format known here",
                 "F64, F32, BF16, F16, F8_E4M3, F8_E5M2, F8_E8M0, F4 and integers can be used");
  }
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  constexpr std::uint64_t block = std::uint64_t{1} << 20;  // bytes; never the whole tensor beside its values
  const auto bits = static_cast<std::uint64_t>(dtype->bits), begin = static_cast<std::uint64_t>(first) * bits, end = begin + static_cast<std::uint64_t>(count) * bits;
  const std::size_t width = std::max<std::size_t>(1, bits / 8);  // bytes that are looked at together
  const std::uint64_t end_byte = tensor.begin + (end + 7) / 8;
  std::uint64_t before = begin % 8;  // bits of the first byte that belong to the value before
  for (std::uint64_t from = tensor.begin + begin / 8; from < end_byte; from += block) {
    const std::string bytes = source_.read(from, std::min(block, end_byte - from));
    for (std::size_t at = 0; at + width <= bytes.size(); at += width) {
      const std::uint64_t word = little_endian(std::string_view(bytes).substr(at, width));
      for (std::uint64_t place = std::exchange(before, 0); place < 8 * width && static_cast<std::int64_t>(values.size()) < count; place += bits) {
        values.push_back(dtype->value(low_bits(word >> place, dtype->bits)));
      }
    }
  }
  constexpr double largest_exact = 0x1p53;
  const auto too_large = std::find_if(values.begin(), values.end(), [](double v) { return std::abs(v) > largest_exact; });
  if (dtype->is_integer() && too_large != values.end()) source_.fail("dtype", tensor.described_at, "tensor " + quote(tensor.name) + " holds integers beyond 2^53, which no format here holds exactly");
  expr::invariant(static_cast<std::int64_t>(values.size()) == count, "a header's shape matches its bytes");
  const Format held = dtype->kind == Dtype::Kind::real ? dtype->format : narrowest_that_holds(values);
  return {{count}, std::move(values), held};
}

std::uint64_t TensorFile::bits(const TensorInfo& tensor, std::int64_t index) const {
  const Dtype* dtype = dtype_called(tensor.dtype);
  expr::invariant(dtype != nullptr, "a tensor that was read has a known type");
  const std::uint64_t at = static_cast<std::uint64_t>(stored_position(tensor, index)) * static_cast<std::uint64_t>(dtype->bits);
  return low_bits(little_endian(source_.read(tensor.begin + at / 8, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(dtype->bits) / 8))) >> (at % 8), dtype->bits);
}

}  // namespace foldproof::weights
