// SPDX-License-Identifier: MIT
// Seeded bugs: wrong ways to program a piece of attention, as rewrites of a claim where an operator occurs. A true claim with a
// bug in one of its sides is a mutant; a campaign that does not tell it from the claim would not have told a wrong program either.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "campaign/bounded.hpp"
#include "infer/problem.hpp"

namespace foldproof::campaign {

struct Bug {
  const char* name;
  const char* what;                          ///< in words: "softmax along the wrong axis"
  infer::Term (*rewrite)(const infer::Term&);  ///< the wrong term, or null where the bug has no place; may throw Misfit
  bool rounds_only = false;                  ///< the wrong term has the same real value: only a program can tell
};
/// All bugs that are rewrites; the downcast is a mutation of the machine (bounded.hpp).
std::span<const Bug> bugs();

/// A claim with one bug in one side.
struct Mutant {
  std::string bug;
  std::string name;  ///< "softmax-wrong-axis in rhs"
  infer::Problem problem;
  Mutation mutation = Mutation::none;  ///< of the machine, in the right side
  bool right = true;                   ///< which side is wrong
  bool rounds_only = false;
};

/// Each bug at its first place in the right side, and at its first place in the left one.
std::vector<Mutant> mutants(const infer::Problem& problem);

}  // namespace foldproof::campaign
