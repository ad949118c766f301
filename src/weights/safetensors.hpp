// SPDX-License-Identifier: MIT
// The safetensors header: eight bytes of length, a JSON object, then the values without gaps.
// Stricter than a JSON reader: every key is one of the few that the format has, no key twice, and the byte ranges of the
// tensors must tile the rest of the file exactly. Hostile input costs time linear in the header, and no stack.
// Source: the format description in the README of huggingface/safetensors.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weights/tensor_file.hpp"

namespace foldproof::weights {

/// Longest header that is read, in bytes; the reference implementation has the same cap.
inline constexpr std::uint64_t largest_safetensors_header = 100'000'000;

/// Reads and checks the header.
/// A dtype may have any name: of an unknown one the width is not checked, and reading such a tensor is an error.
/// Errors: `weights.truncated`, `weights.header_size`, `weights.header_syntax`, `weights.duplicate`, `weights.key`, `weights.shape`,
/// `weights.offsets`.
Header read_safetensors_header(const ByteSource& source);

/// A tensor to be written.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};
/// The bytes of a .safetensors file: each value is rounded to its tensor's format once. Requires: names are valid UTF-8, none twice.
std::string safetensors_bytes(const std::vector<NamedTensor>& tensors, const std::vector<std::pair<std::string, std::string>>& metadata);

}  // namespace foldproof::weights
