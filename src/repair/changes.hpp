// SPDX-License-Identifier: MIT
// Small changes of one expression: what people write in its place by mistake, backwards.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::repair {

/// What takes the place of one expression.
struct Change {
  expr::Expression to;
  const char* words;  ///< what was changed
  int size;           ///< how much of it
};
using Changes = std::vector<Change>;

inline constexpr const char* along_the_other_axis = "along the other axis";
inline constexpr const char* another_function = "another function";
inline constexpr const char* one_more_factor = "one more factor";
inline constexpr const char* missing_terms = "the missing terms";

/// What stands somewhere in a claim and may be missing elsewhere.
struct Surroundings {
  Surroundings(const expr::Claim& claim, const infer::Problem& problem);

  const expr::Claim& claim;
  const infer::Problem& problem;
  std::vector<expr::Expression> factors;          ///< that are no plain names
  std::set<std::string> indices;
  std::vector<expr::Expression> computed;         ///< indices such as i//g
  std::map<std::string, expr::Expression> calls;  ///< the longest call of each function
  bool inverts = false;                           ///< the claim holds an inverse
};
/// Functions that only the other side applies.
using Lacking = std::vector<std::string>;
Lacking lacking(const Surroundings& around, const expr::Expression& side, const expr::Expression& other);

/// Are there entries that vary in e, and no rank or size?
bool has_data(const expr::Expression& e, const infer::Problem& problem);

/// Changes of an equation in one place, which e is.
void changes_here(const Surroundings& around, const Lacking& lacking, const expr::Expression& e, Changes& out);
/// Changes of a bound in one place: signs, functions, numbers. What leaves a term out or adds one is another bound.
void changes_of_bound_here(const Surroundings& around, const Lacking& lacking, const expr::Expression& e, Changes& out);
/// Terms and scale factors that a whole side lacks.
void changes_of_side(const Surroundings& around, const expr::Expression& side, const expr::Expression& other, Changes& out);
/// One slip in several places: a softmax written out along the wrong axis, the weights a and 1 - a exchanged.
void changes_throughout(const expr::Expression& e, Changes& out);

}  // namespace foldproof::repair
