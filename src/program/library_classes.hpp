// SPDX-License-Identifier: MIT
// PyTorch's modules that are programs and no formulas: read as the class that somebody could have written. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// The program with the classes MultiheadAttention, GroupNorm and Conv1d before it, where it calls nn.MultiheadAttention and so on: with in_proj_weight and other
/// weights as PyTorch has them, and with the classes that class A(nn.Linear) and class A(nn.LayerNorm) are made of. Before classes are read, behind imports.
/// Errors: `call.arguments` for an option that is not read.
Tokens with_library_classes(Tokens tokens, Words& words);

}  // namespace foldproof::program
