// SPDX-License-Identifier: MIT
// Names for sizes that stand nowhere in a claim.
#pragma once

#include <string>

#include "expr/syntax.hpp"

namespace foldproof::repair {

class UnusedNames {
 public:
  explicit UnusedNames(const expr::Claim& claim) : text_(expr::text(claim)) {}
  /// d, k, m and so on, then size1, size2 and so on.
  std::string next();

 private:
  bool occurs(const std::string& name) const;

  std::string text_;
  std::size_t at_ = 0;
  int more_ = 0;
};

}  // namespace foldproof::repair
