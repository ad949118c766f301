// SPDX-License-Identifier: MIT
// Tensors of checkpoints that claims are tested on, instead of random ones.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "campaign/campaign.hpp"

namespace foldproof::run {

/// A tensor of the checkpoint that could have been taken instead; read when it is needed.
struct OtherTensor {
  std::string name;
  std::string change;  ///< of the name that was bound, the same for the neighbours of A and B: "0 to 1"; empty for a slice
  std::string source;  ///< "model.safetensors::name", as of those that are given, without steps; empty for a slice
  std::function<campaign::GivenTensor()> read;
};

struct Given {
  campaign::GivenTensors tensors;
  std::map<std::string, std::vector<OtherTensor>> others;    ///< for each variable, the likeliest first; for `weights diagnose` only
  std::vector<std::pair<std::string, std::string>> sources;  ///< variable, "model.safetensors::name.T"
  expr::DimValues dims;                                      ///< sizes that the tensors do not determine
  std::map<std::string, expr::Diagnostic> nonfinite;         ///< variables whose tensors hold NaN or infinities, for the weights commands only
};

}  // namespace foldproof::run
