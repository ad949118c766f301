// SPDX-License-Identifier: MIT
// The header of NumPy's .npy format, versions 1 to 3: a Python dictionary written as text.
// Such a file holds one tensor, which is named like the file without its extension.
// Only little-endian floats are taken; anything else is refused by name rather than misread.
// Source: NumPy enhancement proposal 1 and numpy.lib.format.
#pragma once

#include <string_view>

#include "weights/tensor_file.hpp"

namespace foldproof::weights {

/// The first six bytes of every .npy file.
inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// Reads and checks the header.
/// Errors: `weights.truncated`, `weights.magic`, `weights.version`, `weights.header_size`, `weights.header_syntax`, `weights.duplicate`, `weights.key`,
/// `weights.dtype`, `weights.shape`, `weights.offsets` (the file goes on after the values).
Header read_npy_header(const ByteSource& source);
/// The same of the bytes from `begin` to `end` of a file that holds more, for a tensor of that name.
TensorInfo read_npy(const ByteSource& source, std::uint64_t begin, std::uint64_t end, std::string name);

}  // namespace foldproof::weights
