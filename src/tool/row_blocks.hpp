// SPDX-License-Identifier: MIT
// Large tensors, read and looked at in blocks of rows where what is asked of them is asked of each row by itself: an lm_head of 150,000 rows
// takes no more memory than a few of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "diagnose/check.hpp"
#include "diagnose/fold.hpp"
#include "record/claim_json.hpp"
#include "tool/given.hpp"

namespace foldproof::tool {

struct RowBlocks {
  std::set<std::string> variables;   ///< that have these rows
  std::int64_t rows = 0, each = 0;   ///< of the tensors, and of a block
  bool fits_at_once = false;         ///< for a diagnosis of mistakes across all rows, such as a transposed factor
};

/// Nothing where the tensors are small, and where the claim, or the expression, is not about each row by itself.
std::optional<RowBlocks> blocks_of_claim(const std::string& claim, const GivenReader& reader, const std::string& star);
std::optional<RowBlocks> blocks_of_expression(const std::string& expression, const GivenReader& reader, const std::string& star);

/// The worst block answers for all of them; the first that is a bug ends it. `check` is asked of each; `given` gets the tensors of the one that answers.
diagnose::Check check_blocks(const GivenReader& reader, const std::string& star, const RowBlocks& blocks, const std::function<diagnose::Check(run::Given&)>& check, run::Given& given);

/// The rows of all blocks, one after the other; `sources` get what was bound.
diagnose::Fold fold_blocks(const GivenReader& reader, const std::string& star, const RowBlocks& blocks, const std::string& expression, const std::string& format, std::vector<std::pair<std::string, std::string>>& sources);

}  // namespace foldproof::tool
