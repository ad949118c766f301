// SPDX-License-Identifier: MIT
// What the two files about reductions share; each reduction writes down the claims from which its claim follows. Part of the
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

/// Shows every node under the term once, parents first.
void visit(const Term& term, std::set<const infer::TermNode*>& seen, const std::function<void(const Term&)>& see);
/// e with names replaced.
Expression replaced(const Expression& e, const std::function<Expression(const std::string&)>& by);
/// A name that stands nowhere in the text of the claim: a definition or a tensor of that name would not be a free size.
std::string unused_name(const Claim& claim, std::string name);
/// Whether no part is made of what may be minus infinity.
bool without_infinities(const std::string& text);
bool without_infinities(const Claim& claim);
/// The position among the assumptions that the text of a reduction names; beyond the last one when there is no such assumption.
std::size_t number_of_assumption(const Claim& claim, const std::string& text);
/// The claim with other sides.
Claim stating(const Claim& claim, const Expression& lhs, Relation relation, const Expression& rhs);
/// A size as an expression; ranks are written out.
Expression expression_of(const expr::Dim& d, const Problem& problem);

// By witnesses, and by functions of both sides.
std::vector<Claim> above(const Claim& claim, const Expression& left, const Expression& right, const std::string& by);
std::vector<Claim> below(const Claim& claim, const Expression& left, const Expression& right);
std::vector<Claim> full(const Claim& claim, const std::string& why);
std::vector<Claim> regular(const Claim& claim, const Expression& matrix);
std::vector<Claim> gram(const Claim& claim);
std::vector<Claim> multiplied(const Claim& claim, const Problem& problem, ReductionKind kind, const Expression& factor);
std::vector<Claim> increasing(const Claim& claim, const std::vector<std::string>& text);
std::vector<Claim> exponential(const Claim& claim);
std::vector<Claim> squared(const Claim& claim);
std::vector<Claim> rearranged(const Claim& claim, const Expression& left, const Expression& right, const Expression& old_times, const Expression& new_times);
std::vector<Claim> lemma(const Claim& claim, const Expression& left, const Expression& right);
std::vector<Claim> forget(const Claim& claim, const std::vector<std::string>& names);
std::vector<Claim> congruent(const Claim& claim);

// By sizes.
std::vector<Claim> sized(const Problem& problem, const std::vector<std::string>& text);

// Entry by entry.
std::vector<Claim> entries(const Claim& claim, const Problem& problem);
std::vector<Claim> slope(const Claim& claim, const Problem& problem, const std::string& x);
std::vector<Claim> pieces(const Claim& claim, const Problem& problem, const std::vector<std::string>& text);

}  // namespace foldproof::kernel
