// SPDX-License-Identifier: MIT
// What `--bind 'W_Q=layers.0.attention.wq.weight.T[:, 0:8]'` means: a variable of a claim stands for a piece of a checkpoint.
// The right side is an optional `FILE::` (the name of a file with as many folders before it as tell it from the others, such as
// `merged/model.safetensors::`), a tensor name as the file has it (the longest one that fits wins; "quoted" where
// needed) and then NumPy steps: `.T`, `.transpose(1, 0, 2)`, `.reshape(4, 16, 8)`, `[0:8, :]`, `[3]`, `[None, :]`;
// first of them perhaps `.view(BF16)`, the same bytes as values of another type.
// NaN and infinity are refused, or reported: no claim of this program speaks about such numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/diagnostic.hpp"
#include "weights/tensor_file.hpp"

namespace foldproof::weights {

/// A claim's variable with its values.
struct BoundTensor {
  std::string variable;
  std::vector<std::int64_t> shape;  ///< every size at least 1; empty for a scalar
  std::vector<double> values;       ///< in C order
  Format format = Format::float64;  ///< as stored; the steps only move values
  bool integers = false;            ///< stored as integers, which the format holds
  std::optional<expr::Diagnostic> nonfinite;  ///< the first NaN or infinity among what was read, where these are kept and `values` have one
  std::string source;               ///< text for the report: "model.safetensors::layers.0.attention.wq.weight.T", the file by file_label
};

/// The shortest trailing part of the path of files[index], folders and name, that is no trailing part of another file's.
std::string file_label(const std::vector<TensorFile>& files, std::size_t index);

/// Values beyond these are more than any claim is tested on.
inline constexpr std::int64_t most_values = 150'000'000;

/// Reads one binding and the values that it names. Spans refer to `binding`.
/// Errors: `weights.binding_syntax`, `weights.no_files`, `weights.unknown_file`, `weights.unknown_tensor` (hint: the nearest names),
/// `weights.ambiguous` (several files have the tensor, or `FILE::` fits several files; hint: names that are not ambiguous), `weights.shape` (a step does not fit the shape), `weights.index`,
/// `weights.empty` (no element is left), `weights.too_large`, `weights.nonfinite` unless these are kept, and what reading the file can throw.
BoundTensor bind(std::string_view binding, const std::vector<TensorFile>& files, bool keep_nonfinite = false);

/// The variable that the binding is for. Errors: `weights.binding_syntax`.
std::string bound_variable(std::string_view binding);

/// The shape of the tensor that a binding names, where no steps follow its name. Errors: those of `bind` for its text.
std::optional<Sizes> whole_tensor(std::string_view binding, const std::vector<TensorFile>& files);

/// What `*` stands for: parts of names between two dots, such as the 0, 1, 2 of layers.*.attention.wq.weight; numbers by size, then words. Of
/// several, as in layers.*.experts.*.w1.weight, each stands for a part of its own: 0.3 for layer 0 and expert 3. A binding with fewer of them
/// has the first ones. `**` stands for any number of parts, as all of a name, so that whole checkpoints are compared: W=a.safetensors::** M=b.safetensors::model.**.
struct Stars {
  /// With these all of the bindings that have a `*` name a tensor. None when no binding has one.
  std::vector<std::string> common;
  /// What names a tensor in some of the bindings only: "12 (W, not g)". A layer may be missing from a file.
  std::vector<std::string> partial;
};
/// Errors: `weights.unknown_tensor` when a `*` fits nothing, or nothing that the others fit, and those of `bind` for the text.
Stars star_values(const std::vector<std::string>& bindings, const std::vector<TensorFile>& files);
/// The binding, or the name of a tensor, with the parts of the value in the places of its `*`.
std::string with_star(const std::string& text, const std::string& value);

/// A tensor that may have been taken for another, and the binding that takes it.
struct OtherBinding {
  std::string name;     ///< of the tensor, with the steps of a slice, and with the file where several have a tensor of this name
  std::string change;   ///< what differs in the names: "0 to 1"; empty for a slice
  std::string binding;
  std::string source;   ///< "model.safetensors::name", without steps; empty for a slice
};
/// What could stand in this binding instead: other slices of the same tensor, as long as the one in it, and tensors of the same stored shape,
/// the nearest names first. Errors: those of `bind` for its text.
std::vector<OtherBinding> other_bindings(std::string_view binding, const std::vector<TensorFile>& files);

}  // namespace foldproof::weights
