// SPDX-License-Identifier: MIT
// New typed terms from old ones, for rewrites of claims: no unknown sizes are left, so shapes fit exactly or not at all.
#pragma once

#include <functional>

#include "infer/is_operator.hpp"
#include "infer/problem.hpp"

namespace foldproof::campaign {

/// Thrown where operands do not fit an operator.
struct Misfit {};

/// `op` applied to args; `axis` counts from 0. Errors: Misfit.
infer::Term applied(int op, std::vector<infer::Term> args, std::vector<expr::Dim> sizes = {}, int axis = 0);
template <class Op>
infer::Term apply(std::vector<infer::Term> args, std::vector<expr::Dim> sizes = {}, int axis = 0) {
  return applied(expr::operator_id<Op>(), std::move(args), std::move(sizes), axis);
}
using infer::is;
infer::Term number(const expr::Rational& q);
/// Whether the term is a mask of zeros and minus infinity.
inline bool is_mask(const infer::Term& t) { return is<expr::ops::NegInf, expr::ops::Causal>(t); }
/// x[..., start:stop, ...] along one axis. Errors: Misfit.
infer::Term slice(const infer::Term& x, std::size_t axis, const expr::Dim& start, const expr::Dim& stop);

/// `root` with every use of the node `target` replaced by a term of the same shape.
infer::Term substituted(const infer::Term& root, const infer::TermNode* target, const infer::Term& replacement);
/// Calls seen(node) once for each distinct node below and including `root`, innermost first, until it returns true.
bool visit(const infer::Term& root, const std::function<bool(const infer::Term&)>& seen);

}  // namespace foldproof::campaign
