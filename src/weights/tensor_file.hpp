// SPDX-License-Identifier: MIT
// Real weights: a file of named tensors, whatever its format, with values as exact doubles.
// Only the header is read on opening; the values of one tensor are read when asked for, so a checkpoint may be larger
// than memory. Nothing here trusts the file: every size and offset is checked before it is used, and a broken file is
// one expr::Error with a code `weights.*` whose message names the file and the byte, and whose span is that byte.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weights/view.hpp"

namespace foldproof::weights {

/// How a value is stored. Each of them converts to double exactly.
enum class Format { float64, float32, bfloat16, float16, float8_e4m3, float8_e5m2, float4_e2m1 };
/// "float64", "float8_e4m3".
const char* text(Format format);
/// The value of the low 4 (8, 16, 32, 64) bits in the given format; a NaN gives a NaN.
double decode(Format format, std::uint64_t bits);

/// The bytes of a value, rounded to the format once, to nearest even; little-endian. Requires: a format of 16 bits or more.
std::string encode(Format format, double value);

/// Bits of one value of a type, by its name in safetensors or NumPy; nothing for a type that is not known here.
std::optional<int> bits_per_value(std::string_view dtype);
/// Whether a type is one of whole numbers: "I64", "<u2".
bool holds_integers(std::string_view dtype);

/// What a header says about one tensor. Requires of readers: shape, offsets and element size agree and lie inside the file.
struct TensorInfo {
  std::string name;
  std::string dtype;  ///< as written in the file: "BF16", "<f4"
  Sizes shape;
  std::uint64_t begin = 0;         ///< bytes from the start of the file
  std::uint64_t end = 0;           ///< one past the last byte
  std::uint64_t described_at = 0;  ///< byte of the header that introduces this tensor
  bool fortran_order = false;
};

/// The same bytes as values of another type of safetensors, or U4 and I4; the last axis grows or shrinks, as in `view` of NumPy. Of two
/// values in a byte the low bits are the first. Nothing where the type is not known, or the bytes of a row are no whole number of its values.
std::optional<TensorInfo> reinterpreted(TensorInfo tensor, const std::string& dtype);

/// What a header says in all.
struct Header {
  std::vector<TensorInfo> tensors;  ///< in the order of the header
  std::vector<std::pair<std::string, std::string>> metadata;
};

/// The values of one tensor in C order.
struct Tensor {
  Sizes shape;
  std::vector<double> values;
  Format format = Format::float64;
};

/// Bytes that can be read at random: a regular file, or memory.
class ByteSource {
 public:
  /// Errors: `weights.open` when `path` is not a readable regular file.
  static ByteSource file(const std::filesystem::path& path);
  static ByteSource memory(std::string name, std::string bytes);

  /// What messages call it: the file name without folders.
  const std::string& name() const { return name_; }
  /// The whole path, absolute and without dots; of memory the name.
  const std::string& whole_path() const { return whole_path_; }
  /// The path as the caller gave it; of memory the name.
  const std::string& given_path() const { return given_path_; }
  std::uint64_t size() const { return size_; }
  /// Puts bytes behind the end, such as what a part of the file unpacks to, and returns where they stand. The size stays that of the file.
  std::uint64_t append(std::string_view bytes);
  /// Errors: `weights.truncated` when the range is neither inside the file nor behind it, `weights.read` when the system refuses.
  std::string read(std::uint64_t offset, std::uint64_t count) const;
  /// Throws expr::Error `weights.<code>` whose message starts with the file and the byte.
  [[noreturn]] void fail(const std::string& code, std::uint64_t offset, const std::string& message, const std::string& hint = {}) const;

 private:
  std::string name_;
  std::string whole_path_;
  std::string given_path_;
  std::filesystem::path path_;
  std::shared_ptr<const std::string> bytes_;  ///< null for a file
  std::uint64_t size_ = 0;
  std::shared_ptr<std::string> appended_;  ///< null for nothing
};

/// A file of tensors.
class TensorFile {
 public:
  /// Opens an .npz file (by its name), a .npy file (by its name or its first bytes), or otherwise a .safetensors file, and checks its whole header.
  static TensorFile open(const std::filesystem::path& path);
  /// The same for bytes in memory. `name` decides like a path.
  static TensorFile from_bytes(std::string name, std::string bytes);

  const std::string& name() const { return source_.name(); }
  const std::string& whole_path() const { return source_.whole_path(); }
  const std::string& given_path() const { return source_.given_path(); }
  const std::vector<TensorInfo>& tensors() const { return header_.tensors; }
  const std::vector<std::pair<std::string, std::string>>& metadata() const { return header_.metadata; }
  /// The tensor of that name, or null.
  const TensorInfo* find(const std::string& name) const;
  /// Reads the values. Integers and powers of two get the narrowest format that holds them all. Errors: `weights.dtype` when they are of another kind than
  /// the formats above and integers up to 2^53.
  Tensor read(const TensorInfo& tensor) const;
  /// The values in a range of the file's own order, as a vector. Requires: the range is inside the tensor. Errors: the same.
  Tensor read(const TensorInfo& tensor, std::int64_t first, std::int64_t count) const;
  /// The stored bits of the value at `index`, counted in C order. Requires: its type is known, `index` is inside the shape.
  std::uint64_t bits(const TensorInfo& tensor, std::int64_t index) const;

 private:
  TensorFile(ByteSource source, Header header) : source_(std::move(source)), header_(std::move(header)) {}
  static TensorFile from_source(ByteSource source);

  ByteSource source_;
  Header header_;
};

/// Makes bytes from a file printable: quotes them, cuts long ones, spells anything but plain ASCII as \xNN.
std::string quote(std::string_view bytes);

}  // namespace foldproof::weights
