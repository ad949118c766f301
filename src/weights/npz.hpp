// SPDX-License-Identifier: MIT
// NumPy's .npz: a zip archive with a .npy file for each tensor, which is named like the file without its extension.
// numpy.savez stores them as they are, and so they can be read in place; what numpy.savez_compressed packs is unpacked into memory.
// Source: the APPNOTE of the zip format, 4.3.12 and 4.5.3, and numpy.savez.
#pragma once

#include <string_view>

#include "weights/tensor_file.hpp"

namespace foldproof::weights {

/// The first bytes of a zip archive that holds something.
inline constexpr std::string_view zip_magic = "PK\x03\x04";

/// Reads the directory of the archive and the header of each member. What packed members hold is put behind the source.
/// Errors: `weights.truncated`, `weights.magic`, `weights.zip` (a directory that cannot be, members that overlap, that are packed otherwise or
/// damaged, or no .npy files), `weights.duplicate`, and those of read_npy_header.
Header read_npz_header(ByteSource& source);

}  // namespace foldproof::weights
