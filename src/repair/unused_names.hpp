// SPDX-License-Identifier: MIT
// Names for sizes that stand nowhere in a claim.
#pragma once

#include <string>
#include <string_view>

#include "expr/syntax.hpp"

namespace foldproof::repair {

/// How often the name stands in the text as a word of its own.
std::size_t times_written(std::string_view name, std::string_view text);

class UnusedNames {
 public:
  explicit UnusedNames(const expr::Claim& claim) : text_(expr::text(claim)) {}
  /// d, k, m and so on, then size1, size2 and so on.
  std::string next();

 private:
  bool occurs(const std::string& name) const { return times_written(name, text_) > 0; }

  std::string text_;
  std::size_t at_ = 0;
  int more_ = 0;
};

}  // namespace foldproof::repair
