// SPDX-License-Identifier: MIT
// Every node of a term once: terms share what definitions are used for, and layers on layers have paths beyond number.
#pragma once

#include <set>

#include "infer/term.hpp"

namespace foldproof::infer {

/// Shows every node under the term that is not in `seen`, parents first.
template <typename See>
void visit_each(const Term& term, std::set<const TermNode*>& seen, const See& see) {
  if (!term || !seen.insert(term.get()).second) return;
  see(term);
  for (const Term& arg : term->args) visit_each(arg, seen, see);
}
template <typename See>
void visit_each(const Term& term, const See& see) {
  std::set<const TermNode*> seen;
  visit_each(term, seen, see);
}

}  // namespace foldproof::infer
