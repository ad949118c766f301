// SPDX-License-Identifier: MIT
// The NumPy steps behind a tensor name in a binding: `.T`, `.transpose(...)`, `.reshape(...)` and subscripts.
// Each step is applied to a view as soon as it is read, so that a step that does not fit is reported where it stands.
#pragma once

#include <functional>
#include <string_view>

#include "weights/tensor_file.hpp"
#include "weights/view.hpp"

namespace foldproof::weights {

/// True when `rest`, the text behind a tensor name, can start a step or is only blanks.
bool begins_step(std::string_view rest);

/// What a step may be, as a hint says it.
inline constexpr const char* steps_hint = "steps are .T, .t(), .transpose(1, 0) or .permute(1, 0), .reshape(4, 16, 8) or .view(4, 16, 8), and subscripts such as [0:8, :]";

/// Reads a range of stored values.
using RangeReader = std::function<Tensor(std::int64_t first, std::int64_t count)>;

/// Applies the steps `binding[at..]` to the view of a stored tensor. No more is read than from the first of the values that they select to the last.
/// Errors: `weights.binding_syntax`, `weights.shape`, `weights.index`, `weights.empty`, with spans in `binding`.
Tensor apply_steps(std::string_view binding, std::size_t at, View stored, RangeReader read);

}  // namespace foldproof::weights
