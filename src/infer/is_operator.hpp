// SPDX-License-Identifier: MIT
// Which operator a term applies.
#pragma once

#include "expr/operators.hpp"
#include "infer/term.hpp"

namespace foldproof::infer {

/// Whether the term applies one of the operators: is<ops::Log, ops::Sqrt>(t).
template <class... Ops>
bool is(const Term& t) {
  return t->kind == TermKind::apply && ((t->op == expr::operator_id<Ops>()) || ...);
}

}  // namespace foldproof::infer
