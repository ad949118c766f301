// SPDX-License-Identifier: MIT
// What the files about reductions share; each reduction writes down the claims from which its claim follows. Part of the
// trusted base.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "expr/build.hpp"
#include "kernel/algebra.hpp"
#include "kernel/reduction.hpp"

namespace foldproof::kernel {

using expr::Claim;
using expr::Expression;
using expr::node;
using expr::is_call;
using expr::Relation;
using expr::Syntax;
using expr::SyntaxKind;
using infer::Problem;
using infer::Term;
using infer::TermKind;

inline void require(bool holds, const char* what) {
  if (!holds) throw Reject(what);
}

/// Whether an axis or a range of that length holds something at all sizes: comprehension indices and ranks may be 0.
bool is_never_empty(const expr::Dim& length, const Problem& problem);
/// Shows every node of the sides that has to have a value once, parents first: what is summed over a range need not, where that has no values.
void visit_evaluated(const Problem& problem, const std::function<void(const Term&)>& see);
/// e with names replaced.
Expression replaced(const Expression& e, const std::function<Expression(const std::string&)>& by);
/// A name that stands nowhere in the text of the claim: a definition or a tensor of that name would not be a free size.
std::string unused_name(const Claim& claim, std::string name);
/// Whether the sides, the definitions or the assumptions mention the name.
bool is_used(const std::string& name, const Claim& claim);
/// Whether no part is made of what may be minus infinity.
bool without_infinities(const std::string& text);
bool without_infinities(const Claim& claim);
/// The position among the assumptions that the text of a reduction names; beyond the last one when there is no such assumption.
std::size_t number_of_assumption(const Claim& claim, const std::string& text);
/// The claim with other sides.
Claim stating(const Claim& claim, const Expression& lhs, Relation relation, const Expression& rhs);
/// The number that e is, as -(1/2).
std::optional<expr::Rational> number(const Expression& e);
/// A size as an expression; ranks are written out.
Expression expression_of(const expr::Dim& d, const Problem& problem);

using Claims = std::vector<Claim>;
#define FOLDPROOF_REDUCTION(word, function) Claims function(const Claim& claim, const Problem& problem, const Reduction& reduction);
#include "kernel/reductions.def"

}  // namespace foldproof::kernel
