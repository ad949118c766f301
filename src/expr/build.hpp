// SPDX-License-Identifier: MIT
// Making and searching expressions that nobody typed. Part of the trusted base.
#pragma once

#include <functional>

#include "expr/syntax.hpp"

namespace foldproof::expr {

/// An expression without a place in any text, or in the place of the one that it stands for.
Expression node(SyntaxKind kind, std::vector<Expression> args, std::string name = {}, Span span = {});
/// The number, which is not negative.
Expression number(const Rational& value, Span span = {});
/// name(args...)
Expression call(std::string name, std::vector<Expression> args);
inline bool is_call(const Expression& e, std::string_view name) { return e->kind == SyntaxKind::call && e->name == name; }
/// x**2
inline bool is_square(const Expression& e) { return e->kind == SyntaxKind::power && is_number(e->args[1], 2); }
/// The x of x**2 and x * x; null for others.
inline Expression squared(const Expression& e) {
  const bool product = e->kind == SyntaxKind::multiply && same(e->args[0], e->args[1]);
  return product || is_square(e) ? e->args[0] : nullptr;
}
/// a.T, and a for a.T.T
Expression transposed(const Expression& a);
/// e with what `change` gives, where it gives something, in place of its parts, those between brackets too.
Expression changed(const Expression& e, const std::function<Expression(const Expression&)>& change);
/// e[place]
Expression entry(const Expression& e, const Expression& place, Span span = {});
/// x.shape[k]
Expression size_along(const Expression& x, std::size_t k, Span span = {});
/// e, a part of the claim, with what its definitions stand for in their places. An index of a comprehension that is called like what is put in hides it.
Expression with_definitions_in_full(const Expression& e, const Claim& claim);
/// The sides, definitions and assumptions of the claim with what `change` makes of each.
void change_each(Claim& claim, const std::function<Expression(const Expression&)>& change);
/// Shows them, as far as they are there.
void each_side(const Claim& claim, const std::function<void(const Expression&)>& see);
/// Whether something is subtracted in e, or left over by a division: a size that may be 0.
bool subtracts(const Expression& e);
/// Shows what e is made of: operands, keyword arguments and subscripts, as far as they are there.
void each_part(const Expression& e, const std::function<void(const Expression&)>& see);
/// Whether the name occurs in e, also between brackets.
bool mentions(const Expression& e, const std::string& name);
/// The same but for what a comprehension calls its index.
bool mentions_free(const Expression& e, const std::string& name);
/// Whether one of the list reads like e.
bool contains(const std::vector<Expression>& list, const Expression& e);

/// M == 0, x > 1
bool is_comparison(const Syntax& s);
/// A comparison, ~M, M & P, M | P or M.bool(): truth values in NumPy.
bool is_condition(const Syntax& s);

/// chunk(x, 3), split, unbind and the like: several tensors, of which [0] is the first.
bool gives_parts(const Syntax& s);
/// x.shape and x.shape[:-1], which are several sizes, and sizes in a list with those.
bool is_several_sizes(const Expression& e);

/// A comparison, or where(x > 0, 1, 0): what is multiplied by it counts where it holds.
bool is_indicator(const Expression& e);
/// `factor` where the indicator holds, 0 elsewhere.
Syntax chosen_where(const Expression& indicator, const Expression& factor, Span span);

/// What -np.inf is read as: the value of neginf where the mask is 0.
Syntax minus_infinity(Span span);
inline bool is_minus_infinity(const Expression& e) { return e->kind == SyntaxKind::call && e->name == "neginf" && e->args.size() == 1 && is_number(e->args[0], 0); }

}  // namespace foldproof::expr
