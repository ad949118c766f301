// SPDX-License-Identifier: MIT
// What the two files about reductions share; each reduction writes down the claims from which its claim follows. Part of the
// trusted base.
#pragma once

#include <string>
#include <vector>

#include "expr/build.hpp"
#include "kernel/algebra.hpp"
#include "kernel/reduction.hpp"

namespace foldproof::kernel {

inline void require(bool holds, const char* what) {
  if (!holds) throw Reject(what);
}
inline bool is_call(const expr::Expression& e, const char* name) { return e->kind == expr::SyntaxKind::call && e->name == name; }
inline bool is_number(const expr::Expression& e, std::int64_t n) { return e->kind == expr::SyntaxKind::number && e->value == expr::Rational(n); }

/// The claim with other sides.
expr::Claim stating(const expr::Claim& claim, const expr::Expression& lhs, expr::Relation relation, const expr::Expression& rhs);
/// A size as an expression; ranks are written out.
expr::Expression expression_of(const expr::Dim& d, const infer::Problem& problem);

// By witnesses, and by functions of both sides.
std::vector<expr::Claim> above(const expr::Claim& claim, const expr::Expression& left, const expr::Expression& right);
std::vector<expr::Claim> below(const expr::Claim& claim, const expr::Expression& left, const expr::Expression& right);
std::vector<expr::Claim> multiplied(const expr::Claim& claim, const infer::Problem& problem, ReductionKind kind, const expr::Expression& factor);
std::vector<expr::Claim> increasing(const expr::Claim& claim);
std::vector<expr::Claim> exponential(const expr::Claim& claim);
std::vector<expr::Claim> squared(const expr::Claim& claim);
std::vector<expr::Claim> lemma(const expr::Claim& claim, const expr::Expression& left, const expr::Expression& right);
std::vector<expr::Claim> congruent(const expr::Claim& claim);

}  // namespace foldproof::kernel
