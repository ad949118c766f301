// SPDX-License-Identifier: MIT
// Which operator a term applies.
#pragma once

#include <algorithm>

#include "expr/operators.hpp"
#include "infer/term.hpp"

namespace foldproof::infer {

/// Whether the term applies one of the operators: is<ops::Log, ops::Sqrt>(t).
template <class... Ops>
bool is(const Term& t) {
  return t->kind == TermKind::apply && ((t->op == expr::operator_id<Ops>()) || ...);
}

/// The length of the range that sum(f(i) for i in range(h)) goes through, which may have no values: then the sum is 0, and what stands in it
/// is not evaluated. Null for other terms.
inline const expr::Dim* summed_range(const Term& t) {
  return is<expr::ops::SumHeads>(t) && t->args[0]->kind == TermKind::stack ? &t->args[0]->size : nullptr;
}

inline bool is_constant(const Term& t) { return t->kind == TermKind::number || t->kind == TermKind::size; }

/// Whether every entry of the term is one of an operand's, put elsewhere.
inline bool moves(const Term& t) {
  namespace ops = expr::ops;
  return t->kind == TermKind::stack || is<ops::Transpose, ops::Permute, ops::Reshape, ops::Subscripts, ops::Stride, ops::Concat, ops::Vstack, ops::Stack, ops::JoinLast, ops::JoinFirst, ops::Flip, ops::FlipAxis>(t);
}
/// Whether the term is made of variables whose entries are only put elsewhere: nothing is computed.
inline bool only_moves(const Term& t) { return t->kind == TermKind::variable || (moves(t) && std::all_of(t->args.begin(), t->args.end(), only_moves)); }
/// The tensor whose entries such a term holds; the first where it joins several.
inline const Term& moved_tensor(const Term& t) { return t->kind == TermKind::variable ? t : moved_tensor(t->args.at(0)); }

}  // namespace foldproof::infer
