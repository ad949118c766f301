// SPDX-License-Identifier: MIT
// Golden vectors: inputs and expected values of a claim, for testing other implementations of what its sides compute. One file a
// claim, and a manifest that explains every flag once. Exact lanes hold rationals as text, float lanes hexadecimal floats.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/reader.hpp"

namespace foldproof::record {

struct Vector {
  std::string lane;  ///< "exact", or the format whose rounding errors `bound` holds
  std::vector<std::string> flags;
  std::map<std::string, std::int64_t> dims;
  std::vector<TensorText> inputs;
  TensorText expected;
  std::optional<TensorText> bound;  ///< float lanes: largest |computed - expected| of a side computed in this format, entry by entry
  std::string sha256;               ///< see vector_digest
};

struct VectorFile {
  std::string id;     ///< of the claim
  std::string title;
  std::string claim;  ///< its text
  std::vector<Vector> vectors;
};

/// SHA-256 over the values of the inputs, in order, and the expected values: values joined by blanks, tensors by line breaks.
std::string vector_digest(const Vector& vector);

/// Errors: json.*, `vectors.*` with file, line, column and JSON pointer; `vectors.digest` when values were changed.
VectorFile parse_vectors(const std::string& bytes, const std::string& file);
std::string write_vectors(const VectorFile& file);

struct ManifestEntry {
  std::string file;
  std::string id;
  std::string sha256;  ///< of the file
  std::size_t vectors = 0;
};
/// The flags and what they mean, for `manifest.json`.
const std::vector<std::pair<std::string, std::string>>& vector_flags();
std::string write_manifest(const std::vector<ManifestEntry>& entries);
/// The entries; none when there is no such file. Errors: as parse_vectors.
std::vector<ManifestEntry> read_manifest(const std::filesystem::path& path);

}  // namespace foldproof::record
