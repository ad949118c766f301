// SPDX-License-Identifier: MIT
// The files of a checkpoint, however a user names them: a .safetensors, .npz or .npy file, a folder of such files, or the index of shards
// that Hugging Face writes (`model.safetensors.index.json`). What an index promises is checked before anything is computed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weights/tensor_file.hpp"

namespace foldproof::weights {

struct Checkpoint {
  std::vector<TensorFile> files;             ///< each once, in the order of the names; those of a folder or index sorted
  std::vector<std::filesystem::path> read;   ///< every file that was read: those of `files`, and indices before their shards
};

/// Whether the name is one of a file of tensors: .safetensors, .npz or .npy.
bool is_tensor_file(const std::filesystem::path& path);
/// Whether it is one of an index of shards: model.safetensors.index.json.
bool is_index(const std::filesystem::path& path);

/// Opens everything that the names stand for.
/// Errors: `weights.open` (no such file, a folder without tensors, a device), `weights.index_file` (not what an index is, a shard that is
/// missing, or without a tensor that the index says it has), and what opening a file can throw.
Checkpoint open_checkpoint(const std::vector<std::string>& names);

}  // namespace foldproof::weights
