// SPDX-License-Identifier: MIT
// The file of past failures: literal minimal cases, replayed before anything new is drawn. A case holds the claim's text, sizes and
// exact numbers, so it keeps its meaning when generators change.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "record/reader.hpp"

namespace foldproof::record {

struct Regression {
  std::string id;     ///< of the claim
  std::string claim;  ///< its text
  std::string lane;   ///< "exact": rationals; "float32": beyond the bound; "exact lane, float32": not equal bit for bit
  std::map<std::string, std::int64_t> dims;
  std::vector<TensorText> values;
  friend bool operator==(const Regression&, const Regression&) = default;
};

/// The cases of a file; none when there is no such file.
/// Errors: json.*, `regression.*` with file, line, column and JSON pointer.
std::vector<Regression> read_regressions(const std::filesystem::path& path);

/// The JSON text of the file.
std::string write_regressions(const std::vector<Regression>& cases);

}  // namespace foldproof::record
