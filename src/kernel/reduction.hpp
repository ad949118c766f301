// SPDX-License-Identifier: MIT
// How a claim follows from other claims: by cases of its sizes, from itself times something that is not zero, from a lemma, or, for
// statements about rank, from a factorization that a witness names. Part of the trusted base: it writes down the claims that have to
// be shown, and each gets a certificate of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "infer/problem.hpp"
#include "read/parse.hpp"

namespace foldproof::kernel {

enum class ReductionKind {
  none,  ///< the certificate shows the claim itself
#define FOLDPROOF_REDUCTION(word, function) word,
#include "kernel/reductions.def"
};
inline constexpr int reduction_count = static_cast<int>(ReductionKind::turned) + 1;
/// The reduced claims are the claim at some of its sizes.
constexpr bool by_cases(ReductionKind kind) { return kind == ReductionKind::within || kind == ReductionKind::modulo; }
/// Word in certificates.
std::string_view name(ReductionKind kind);

struct Reduction {
  ReductionKind kind = ReductionKind::none;
  std::vector<std::string> text;  ///< sizes and matrices in the claim language
  /// Its text of that number. Throws Reject when there is none.
  const std::string& word(std::size_t k) const;
  expr::Expression expression(std::size_t k) const { return read::parse_expression(word(k)); }
};

/// The claims from which `claim` follows. `problem` is what it elaborates to. Throws Reject when the reduction does not apply,
/// expr::Error when its text does not fit the claim.
std::vector<expr::Claim> reduce(const expr::Claim& claim, const infer::Problem& problem, const Reduction& reduction);

/// The claim with every inferred shape declared, so that no smaller claim is understood in another way.
expr::Claim declared(const expr::Claim& claim, const infer::Problem& problem);

enum class Side { left, right };
/// The side that is min or max of several numbers and splits lhs <= rhs, or lhs < rhs, into one claim for each: lhs <= min(a, b), max(a, b) <= rhs.
std::optional<Side> splitting_side(const expr::Claim& claim);
/// The side of an assumption about numbers of which one operand suffices: x >= min(a, b), x <= max(a, b), and the same turned round.
std::optional<Side> splitting_side(const expr::Claim& claim, const expr::Assumption& assumption);

/// The sides of an assumed inequality, the larger one first; nothing for other assumptions.
struct Order {
  expr::Expression larger, smaller;
  bool strict;
};
std::optional<Order> order_of(const expr::Assumption& assumption);

/// Whether a reduced claim failed to elaborate because at the sizes of its case a slice in one of its sides selects nothing or
/// reaches too far: then no side has a value there. A definition that the sides do not use excuses nothing.
bool has_no_value(const expr::Claim& reduced, const Reduction& reduction, const expr::Error& error);

/// Whether an entry of e, a part of the claim, may be minus infinity. Errors: those of infer::elaborate; Reject, LimitReached.
bool may_be_infinite(const expr::Expression& e, const expr::Claim& claim);

/// The first rank(E) that is e, or a term of e that is not subtracted: `above` and `below` speak of it. Null when there is none.
expr::Expression growing_rank(const expr::Expression& e);

/// What rmsnorm(X, e) or layernorm(X, e) divides by, row by row: rms(X, e), rms(X - mean(X), e). Null for what is no such norm.
expr::Expression norm_divisor(const expr::Expression& e);

/// What `before` and `after` may multiply by: the matrices of which an inverse is taken in the sides or that are assumed to have one.
std::vector<expr::Expression> invertible_parts(const expr::Claim& claim);
/// What `scaled` may multiply by: denominators in the sides, those of norms among them, and what is assumed not to be zero.
std::vector<expr::Expression> nonzero_parts(const expr::Claim& claim);

/// Whether e lists each number from 0 on once, as [2, 0, 3, 1]: for its definition `forget` takes any permutation.
bool is_permutation_list(const expr::Expression& e);

/// The sizes of which `size` is a sum; none when it is no such sum.
std::vector<expr::Dim> cut_points(const expr::Dim& size);

/// Pairs (d, p) for `within`: every slice that may reach to the end of an axis of size d, in order of occurrence.
std::vector<std::pair<std::string, expr::Dim>> slice_bounds(const infer::Problem& problem);

/// Whether what a case of the sizes elaborates to is what the claim is at these sizes, part by part: diag(A) of [1, 1] is another function than of [n, n].
bool reads_alike(const infer::Problem& whole, const infer::Problem& part);
/// Whether both sides are the same function of the same things, of so many parts that it would be long to unfold them: then no step is needed.
bool same_long_sides(const infer::Problem& problem);

}  // namespace foldproof::kernel
