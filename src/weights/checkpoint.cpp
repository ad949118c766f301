// SPDX-License-Identifier: MIT
#include "weights/checkpoint.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "expr/diagnostic.hpp"
#include "weights/safetensors.hpp"

namespace foldproof::weights {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* code, const fs::path& path, const std::string& message, const std::string& hint = {}) {
  expr::fail(std::string("weights.") + code, path.string() + ": " + message, {}, hint);
}

std::vector<fs::path> in_folder(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    const fs::path& path = at->path();
    const bool hidden = path.filename().string().front() == '.';
    const bool index = path.filename().string().ends_with(".safetensors.index.json");  // says which shards there should be
    if (!hidden && (index || is_tensor_file(path))) found.push_back(path);
  }
  if (error) fail("open", folder, error.message());
  if (found.empty()) fail("open", folder, "this folder has no .safetensors, .npz or .npy file", "name the folder that has them, or the files; folders in it are not looked into");
  std::sort(found.begin(), found.end());
  return found;
}

/// The tensors of every shard, by the name of its file.
using Shards = std::map<std::string, std::vector<std::string>>;

Shards shards_of(const fs::path& index) {
  const ByteSource source = ByteSource::file(index);
  if (source.size() > largest_safetensors_header) fail("index_file", index, "an index of more than 100000000 bytes is not read");
  const nlohmann::json json = nlohmann::json::parse(source.read(0, source.size()), nullptr, false);
  const auto map = json.is_object() ? json.find("weight_map") : json.end();
  if (!json.is_object() || map == json.end() || !map->is_object() || map->empty())
    fail("index_file", index, "this is no index of shards", "an index is a JSON object whose weight_map names the file of every tensor");
  Shards shards;
  for (const auto& item : map->items()) {
    const std::string shard = item.value().is_string() ? item.value().get<std::string>() : "";
    // A name with folders could reach any file of this machine.
    if (shard.empty() || shard != fs::path(shard).filename().string())
      fail("index_file", index, "weight_map gives tensor " + quote(item.key()) + " no file name", "shards stand beside their index");
    shards[shard].push_back(item.key());
  }
  return shards;
}

class Opener {
 public:
  void open(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
      for (const fs::path& file : in_folder(path)) is_index(file) ? open_index(file) : open_file(file);
    } else if (is_index(path)) {
      open_index(path);
    } else {
      open_file(path);
    }
  }
  Checkpoint take() { return std::move(result_); }

 private:
  bool is_new(const fs::path& path) { return seen_.insert(fs::absolute(path).lexically_normal().string()).second; }

  void open_file(const fs::path& path) {
    static const std::set<std::string> others{".pt", ".pth", ".bin", ".ckpt", ".gguf", ".h5", ".onnx", ".msgpack"};
    if (others.count(path.extension().string()) > 0) fail("open", path, "only .safetensors, .npz and .npy files are read", "save the tensors as .safetensors, with safetensors.torch.save_file or safetensors.numpy.save_file");
    if (!is_new(path)) return;
    result_.files.push_back(TensorFile::open(path));
    result_.read.push_back(path);
  }

  void open_index(const fs::path& index) {
    if (!is_new(index)) return;
    const Shards shards = shards_of(index);
    result_.read.push_back(index);
    for (const auto& [name, tensors] : shards) {
      const fs::path shard = index.parent_path() / name;
      std::error_code ignored;
      if (!fs::exists(shard, ignored))
        fail("index_file", index, "the shard " + quote(name) + " is missing, with " + std::to_string(tensors.size()) + " tensors such as " + quote(tensors.front()),
             "fetch it, or name the shards that are there instead of the folder or the index");
      open_file(shard);
      check(index, shard, tensors);
    }
  }

  void check(const fs::path& index, const fs::path& shard, const std::vector<std::string>& tensors) const {
    const std::string path = fs::absolute(shard).lexically_normal().generic_string();
    const auto file = std::find_if(result_.files.begin(), result_.files.end(), [&](const TensorFile& f) { return f.whole_path() == path; });
    expr::invariant(file != result_.files.end(), "a shard was opened");
    std::set<std::string_view> there;
    for (const TensorInfo& tensor : file->tensors()) there.insert(tensor.name);
    for (const std::string& tensor : tensors) {
      if (there.count(tensor) == 0) fail("index_file", index, "tensor " + quote(tensor) + " is not in " + quote(file->name()) + ", where the index has it");
    }
  }

  Checkpoint result_;
  std::set<std::string> seen_;
};

}  // namespace

bool is_tensor_file(const fs::path& path) { return path.extension() == ".safetensors" || path.extension() == ".npz" || path.extension() == ".npy"; }
bool is_index(const fs::path& path) { return path.filename().string().ends_with(".index.json"); }

Checkpoint open_checkpoint(const std::vector<std::string>& names) {
  Opener opener;
  for (const std::string& name : names) opener.open(name);
  return opener.take();
}

}  // namespace foldproof::weights
