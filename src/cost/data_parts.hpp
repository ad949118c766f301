// SPDX-License-Identifier: MIT
// Which parts of a term depend on data, so that they are computed again for every input; the others are folded once.
#pragma once

#include <map>
#include <set>
#include <string>

#include "infer/names.hpp"
#include "infer/term.hpp"

namespace foldproof::cost {

/// Remembers its answers by node: requires that the terms asked about live as long as it does.
class DataParts {
 public:
  /// `data`: names of the variables that are data, kept by reference.
  explicit DataParts(const std::set<std::string>& data) : data_(data) {}

  bool operator()(const infer::Term& t) {
    const auto known = known_.find(t.get());
    if (known != known_.end()) return known->second;
    bool found = t->kind == infer::TermKind::variable && (data_.count(t->name) > 0 || !infer::is_written(t->name));  // the mask of x > 0 is made, not stored
    for (const infer::Term& arg : t->args) found = (*this)(arg) || found;
    return known_[t.get()] = found;
  }

 private:
  const std::set<std::string>& data_;
  std::map<const infer::TermNode*, bool> known_;
};

}  // namespace foldproof::cost
