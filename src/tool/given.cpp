// SPDX-License-Identifier: MIT
#include "tool/given.hpp"

#include <algorithm>
#include <fstream>
#include <memory>

#include "record/digest.hpp"
#include "record/words.hpp"
#include "tool/input.hpp"
#include "weights/binding.hpp"
#include "weights/checkpoint.hpp"

namespace foldproof::tool {

namespace {

namespace fs = std::filesystem;

bool looks_like_weights(const std::string& word) {
  std::error_code error;
  if (weights::is_tensor_file(word) || weights::is_index(word)) return true;
  if (!fs::is_directory(word, error)) return false;
  for (fs::directory_iterator at(word, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    if (weights::is_tensor_file(at->path())) return true;
  }
  return false;
}

/// NAME= and something.
bool looks_like_named(const std::string& word) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.'; };
  const std::size_t end = static_cast<std::size_t>(std::find_if_not(word.begin(), word.end(), is_word) - word.begin());
  const std::size_t equals = word.find_first_not_of(' ', end);
  return end > 0 && equals != std::string::npos && word[equals] == '=' && equals + 1 < word.size();
}

campaign::GivenTensor taken(weights::BoundTensor tensor) { return {std::move(tensor.shape), std::move(tensor.values), weights::text(tensor.format), tensor.integers}; }

weights::BoundTensor bound(const std::string& binding, const std::vector<weights::TensorFile>& files, bool keep_nonfinite) {
  const auto placed = [&](expr::Diagnostic d) {
    d.message = "--bind " + record::one_line(binding, 100) + ": " + d.message;
    return d;
  };
  try {
    weights::BoundTensor tensor = weights::bind(binding, files, keep_nonfinite);
    if (tensor.nonfinite) tensor.nonfinite = placed(*tensor.nonfinite);
    return tensor;
  } catch (const expr::Error& e) {
    throw expr::Error(placed(e.diagnostic()));
  }
}

std::vector<run::OtherTensor> others(const std::string& binding, const std::shared_ptr<const weights::Checkpoint>& checkpoint) {
  std::vector<run::OtherTensor> out;
  for (const weights::OtherBinding& other : weights::other_bindings(binding, checkpoint->files)) {
    out.push_back({other.name, other.change, other.source, [checkpoint, text = other.binding] { return taken(weights::bind(text, checkpoint->files)); }});
  }
  return out;
}

}  // namespace

GivenReader::GivenReader(const GivenArguments& arguments) : arguments_(arguments), checkpoint_(std::make_shared<const weights::Checkpoint>(weights::open_checkpoint(arguments.weights))) {
  for (const fs::path& path : checkpoint_->read) files_.push_back(described(path));
  stars_ = weights::star_values(arguments.bindings, checkpoint_->files);
  if (stars_.common.empty()) stars_.common.emplace_back();
}

std::optional<std::pair<std::int64_t, std::int64_t>> GivenReader::rows(const std::string& star, const std::set<std::string>& variables) const {
  std::int64_t rows = 0, longest = 0;
  std::size_t found = 0;
  for (const std::string& written : arguments_.bindings) {
    if (variables.count(weights::bound_variable(written)) == 0) continue;
    const auto shape = weights::whole_tensor(star.empty() ? written : weights::with_star(written, star), checkpoint_->files);
    if (!shape || shape->empty() || (found++ > 0 && shape->front() != rows)) return std::nullopt;
    rows = shape->front();
    longest = std::max(longest, *weights::element_count(*shape) / std::max<std::int64_t>(1, rows));
  }
  return found == variables.size() && rows > 0 ? std::optional(std::pair(rows, longest)) : std::nullopt;
}

bool GivenReader::have_no_elements(const std::string& star) const {
  std::set<std::optional<std::vector<std::int64_t>>> shapes;
  for (const std::string& written : arguments_.bindings) shapes.insert(weights::whole_tensor(weights::with_star(written, star), checkpoint_->files));
  return shapes.size() == 1 && *shapes.begin() && weights::element_count(**shapes.begin()) == 0;
}

run::Given GivenReader::shapes(const std::string& star) const {
  run::Given out;
  out.dims = sizes_of(arguments_.dims);
  for (const std::string& written : arguments_.bindings) {
    const std::string binding = star.empty() ? written : weights::with_star(written, star);
    campaign::GivenTensor tensor;
    if (auto shape = weights::whole_tensor(binding, checkpoint_->files)) tensor.shape = std::move(*shape);
    else tensor = taken(bound(binding, checkpoint_->files, arguments_.keep_nonfinite));
    out.tensors.emplace(weights::bound_variable(written), std::move(tensor));
  }
  return out;
}

run::Given GivenReader::read(const std::string& star, const std::set<std::string>& variables, std::int64_t first, std::int64_t behind) const {
  run::Given out;
  out.dims = sizes_of(arguments_.dims);
  for (const std::string& written : arguments_.bindings) {
    std::string binding = star.empty() ? written : weights::with_star(written, star);
    if (variables.count(weights::bound_variable(written)) > 0) binding += "[" + std::to_string(first) + ":" + std::to_string(behind) + "]";
    weights::BoundTensor tensor = bound(binding, checkpoint_->files, arguments_.keep_nonfinite);
    out.sources.emplace_back(tensor.variable, tensor.source);
    const std::string variable = tensor.variable;
    if (tensor.nonfinite) out.nonfinite.emplace(variable, *tensor.nonfinite);
    if (!out.tensors.emplace(variable, taken(std::move(tensor))).second) expr::fail("usage", "`" + variable + "` is bound twice", {});
    if (arguments_.others) out.others[variable] = others(binding, checkpoint_);
  }
  if (!arguments_.weights.empty() && out.tensors.empty())
    expr::fail("usage", "--weights needs --bind NAME=TENSOR", {}, "for example --bind 'W_Q=layers.0.attention.wq.weight.T'");
  if (!arguments_.dims.empty() && out.tensors.empty()) expr::fail("usage", "--dim is about given tensors: it needs --weights and --bind", {});
  return out;
}

GivenInput given_of(const GivenArguments& arguments) {
  const GivenReader reader(arguments);
  if (!reader.stars().front().empty()) expr::fail("usage", "`*` in a binding is for foldproof weights", {}, "bind one tensor");
  return {reader.read(""), reader.files()};
}

run::InputFile described(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) expr::fail("io.read", path.string() + ": " + (error ? error.message() : "not a regular file"), {}, "copy its content into a file");
  std::ifstream in(path, std::ios::binary);
  record::Sha256 digest;
  run::InputFile file{path.string(), "", 0};
  std::string block(std::size_t{1} << 16, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    const auto count = static_cast<std::size_t>(in.gcount());
    digest.update(std::string_view(block).substr(0, count));
    file.bytes += count;
  }
  file.sha256 = digest.finish();
  return file;
}

std::vector<std::string> one_value_each(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  std::string option;  // the option that the last values belong to
  bool needs_value = false;
  for (const std::string& word : words) {
    if (needs_value) {
      needs_value = false;
    } else if (word == "--weights" || word == "--bind" || word == "--dim") {
      option = word;
      needs_value = true;
    } else if (word.rfind("--weights=", 0) == 0 || word.rfind("--bind=", 0) == 0 || word.rfind("--dim=", 0) == 0) {
      option = word.substr(0, word.find('='));
    } else if ((option == "--weights" && looks_like_weights(word)) || (!option.empty() && option != "--weights" && looks_like_named(word))) {
      out.push_back(option);
    } else {
      option.clear();
    }
    out.push_back(word);
  }
  return out;
}

}  // namespace foldproof::tool
