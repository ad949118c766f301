// SPDX-License-Identifier: MIT
// Tensors of checkpoints for claims: what --weights, --bind and --dim mean, in every command that has them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "run/report_json.hpp"
#include "run/run.hpp"
#include "weights/binding.hpp"
#include "weights/checkpoint.hpp"

namespace foldproof::tool {

struct GivenArguments {
  std::vector<std::string> weights;   ///< checkpoints: files, folders, indices of shards
  std::vector<std::string> bindings;  ///< NAME=EXPR
  std::vector<std::string> dims;      ///< NAME=NUMBER
  bool others = false;                ///< list the tensors that could have been bound instead
  bool keep_nonfinite = false;        ///< a tensor that holds NaN or an infinity is no error yet
};

struct GivenInput {
  run::Given given;
  std::vector<run::InputFile> files;  ///< every file that was read
};

/// Opens the checkpoints and reads what is bound. Errors: expr::Error `usage`, `weights.*`, `io.read`.
GivenInput given_of(const GivenArguments& arguments);

/// Checkpoints that are open, to be read once for every value of the `*` in the bindings.
class GivenReader {
 public:
  /// Errors: as given_of, but for what is read.
  explicit GivenReader(const GivenArguments& arguments);
  /// What `*` stands for, in turn; one empty text when no binding has one.
  const std::vector<std::string>& stars() const { return stars_.common; }
  /// What `*` cannot stand for, because only some of the bindings name a tensor then.
  const std::vector<std::string>& partial() const { return stars_.partial; }
  const std::vector<run::InputFile>& files() const { return files_; }
  run::Given read(const std::string& star) const { return read(star, {}, 0, 0); }
  /// Of these variables the rows from `first` to before `behind` only.
  run::Given read(const std::string& star, const std::set<std::string>& variables, std::int64_t first, std::int64_t behind) const;
  /// Whether all bindings are whole tensors of one shape that has no elements: copies of each other, and nothing to compare.
  bool have_no_elements(const std::string& star) const;
  /// What read() gives, with no values in it where whole tensors are bound.
  run::Given shapes(const std::string& star) const;
  /// How many rows these variables have, and values in a row of the longest; nothing where they are not bound to whole tensors of as many rows.
  std::optional<std::pair<std::int64_t, std::int64_t>> rows(const std::string& star, const std::set<std::string>& variables) const;

 private:
  GivenArguments arguments_;
  std::shared_ptr<const weights::Checkpoint> checkpoint_;
  std::vector<run::InputFile> files_;
  weights::Stars stars_;
};

/// A file as the report describes it. Errors: `io.read` for anything but a regular file, before it is opened: a pipe would wait, a device never end.
run::InputFile described(const std::filesystem::path& path);

/// The options of the help, the manual and the completion, said once.
inline constexpr const char* weights_help = "Tensors to test on: .safetensors, .npz or .npy files, folders of them, or a model.safetensors.index.json; several after one option";
inline constexpr const char* bind_help =
    "NAME=[FILE::]TENSOR[steps], several after one option. FILE is the end of a path, of a folder or of an index. Steps are .T, .transpose(1, 0), .reshape(4, 16, 8), [0:8, 3], [None] for a "
    "row and [:, None] for a column; .view(BF16) right behind the name reads the same bytes as another type, such as F4, F8_E8M0, U4 or I4. For example W_Q=layers.0.attention.wq.weight.T. In `weights` a * stands for one part of the names: layers.*.attention.wq.weight";
inline constexpr const char* given_dim_help = "NAME=NUMBER, a size that the tensors do not determine, for example h=4";

/// The words of a command line with an option before every value: `--weights a b` becomes `--weights a --weights b`, `--bind` and `--dim` likewise.
/// Only words that look like checkpoints, or like NAME=VALUE, are taken for such, so that a claim file may still follow.
std::vector<std::string> one_value_each(const std::vector<std::string>& words);

}  // namespace foldproof::tool
