// SPDX-License-Identifier: MIT
#include "weights/listing.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>

#include "weights/binding.hpp"

namespace foldproof::weights {
namespace {

/// A name with `*` for each part between two dots that is a number, and those numbers: "layers.*.w" and "3".
std::pair<std::string, std::string> with_stars(const std::string& name) {
  std::string pattern, numbers;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('.', at), name.size());
    const std::string part = name.substr(at, end - at);
    const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    pattern += (at > 0 ? "." : "") + (is_number ? "*" : part);
    if (is_number) numbers += (numbers.empty() ? "" : ".") + part;
    at = end + 1;
  }
  return {pattern, numbers};
}

/// A name as it is, or with escapes in quotes where control characters stand in it, which a terminal would obey.
std::string shown(const std::string& name) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::none_of(name.begin(), name.end(), is_control)) return name;
  std::string quoted = nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (std::size_t at = 0; (at = quoted.find('\x7f', at)) != std::string::npos;) quoted.replace(at, 1, "\\u007f");
  return quoted;
}

struct ListedTensor {
  std::string pattern;
  std::string rest;  ///< "[64, 64]  F32"
  std::vector<std::pair<std::string, std::string>> tensors;  ///< names, and the numbers in them
};

std::string line_of(const ListedTensor& line) {
  const bool alone = line.tensors.size() == 1;
  std::string out = "  " + shown(alone ? line.tensors.front().first : line.pattern) + "  " + line.rest;
  if (!alone) out += "  " + std::to_string(line.tensors.size()) + " tensors, " + line.tensors.front().second + " to " + line.tensors.back().second;
  return out + "\n";
}

std::string folder_of(const TensorFile& file) {
  const std::size_t slash = file.whole_path().find_last_of('/');
  return file.whole_path().substr(0, slash == std::string::npos ? 0 : slash + 1);
}

}  // namespace

std::string listing(const std::vector<TensorFile>& files) {
  std::vector<std::string> folders;
  for (const TensorFile& file : files) {
    if (std::find(folders.begin(), folders.end(), folder_of(file)) == folders.end()) folders.push_back(folder_of(file));
  }
  std::string out;
  for (const std::string& folder : folders) {
    std::vector<ListedTensor> lines;
    std::map<std::string, std::size_t> known;
    std::string heading = folder;
    std::size_t count = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (folder_of(files[i]) != folder) continue;
      heading = ++count == 1 ? file_label(files, i) : folder;
      for (const TensorInfo& tensor : files[i].tensors()) {
        auto [pattern, numbers] = with_stars(tensor.name);
        const std::string rest = text(tensor.shape) + "  " + tensor.dtype;
        const auto [at, is_new] = known.emplace(pattern + "  " + rest, lines.size());
        if (is_new) lines.push_back({std::move(pattern), rest, {}});
        lines[at->second].tensors.emplace_back(tensor.name, std::move(numbers));
      }
    }
    out += heading + (count > 1 ? "  " + std::to_string(count) + " files" : "") + "\n";
    for (ListedTensor& line : lines) {
      const auto before = [](const auto& a, const auto& b) { return a.second.size() != b.second.size() ? a.second.size() < b.second.size() : a.second < b.second; };
      std::stable_sort(line.tensors.begin(), line.tensors.end(), before);
      out += line_of(line);
    }
  }
  return out;
}

}  // namespace foldproof::weights
