// SPDX-License-Identifier: MIT
// Products in TF32: what NVIDIA GPUs multiply float32 matrices in where a program allows it. The operands keep 11 significant bits, the sums are
// float32; with the operands rounded so, the bounds of float32 hold. Source: NVIDIA A100 Tensor Core GPU Architecture, 2020.
#pragma once

#include <optional>

#include "infer/problem.hpp"
#include "run/given.hpp"

namespace foldproof::diagnose {

/// How a number is rounded to 11 bits: to the nearest, with ties to even or away from 0, or towards 0.
enum class Ties { even, away, cut };

/// The tensors as such products take them. Nothing where there is no product of matrices, where an operand of one is computed or stands elsewhere
/// as well, where some are not stored in float32, and where the operands have no more bits.
std::optional<run::Given> as_tensor_cores_take(const infer::Problem& problem, const run::Given& given, Ties ties);

}  // namespace foldproof::diagnose
