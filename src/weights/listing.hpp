// SPDX-License-Identifier: MIT
// What there is to bind: the tensors of a checkpoint, those of all layers on one line.
#pragma once

#include <string>
#include <vector>

#include "weights/tensor_file.hpp"

namespace foldproof::weights {

/// By folders, or files where these are alone in theirs; then "layers.*.wq.weight  [64, 64]  F32  5 tensors, 0 to 4", where the names of tensors
/// of one shape and type differ in their numbers only, so that the name can be bound as it stands.
std::string listing(const std::vector<TensorFile>& files);

}  // namespace foldproof::weights
