// SPDX-License-Identifier: MIT
// A little writer of .safetensors and .npy files, made for breaking them: every part can be replaced by a wrong one.
// Written against the format descriptions and not against the reader.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace foldproof::properties {

inline std::string little_endian(std::uint64_t value, int width) {
  std::string out;
  for (int i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

/// A tensor as a file stores it.
struct StoredTensor {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::string bytes;
};

inline std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string out;
  for (const std::int64_t size : shape) out += (out.empty() ? "" : ",") + std::to_string(size);
  return out;
}

/// One member of the header.
inline std::string describe(const StoredTensor& tensor, std::uint64_t begin, std::uint64_t end) {
  return "\"" + tensor.name + "\":{\"dtype\":\"" + tensor.dtype + "\",\"shape\":[" + shape_text(tensor.shape) + "],\"data_offsets\":[" + std::to_string(begin) +
         "," + std::to_string(end) + "]}";
}

inline std::string safetensors(const std::string& header, const std::string& data) { return little_endian(header.size(), 8) + header + data; }

inline std::string safetensors(const std::vector<StoredTensor>& tensors) {
  std::string header;
  std::string data;
  for (const StoredTensor& tensor : tensors) {
    header += (header.empty() ? "" : ",") + describe(tensor, data.size(), data.size() + tensor.bytes.size());
    data += tensor.bytes;
  }
  return safetensors("{" + header + "}", data);
}

inline std::string float32_bytes(const std::vector<float>& values) {
  std::string out;
  for (const float value : values) out += little_endian(std::bit_cast<std::uint32_t>(value), 4);
  return out;
}

/// 0, 1, 2, ... as float32.
inline StoredTensor counting(std::string name, std::vector<std::int64_t> shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
  return {std::move(name), "F32", std::move(shape), float32_bytes(values)};
}

inline std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
  return std::string("\x93NUMPY") + static_cast<char>(version) + std::string(1, '\0') + little_endian(dictionary.size(), version == 1 ? 2 : 4) + dictionary +
         data;
}

}  // namespace foldproof::properties
