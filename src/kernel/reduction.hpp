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

namespace foldproof::kernel {

enum class ReductionKind {
  none,      ///< the certificate shows the claim itself
  within,    ///< size d, bound p: a slice up to p of an axis d, or an assumption, says p <= d, or p is 1; so d == p, or d == p + rest
  modulo,    ///< size d, number c: d == 1 ... c - 1, or d == c*q, ..., d == c*q + c - 1
  least,     ///< one claim for each operand of min or max, or for x and -x of abs(x) <= y, in assumption number `text[0]`, or in the claim itself when there is no text
  equal,     ///< two sides are equal when each is at most the other
  above,     ///< matrices L, R: rank(E) + t <= r, because L @ R == E and with the inner size, or with the rank of L (`left`) or R (`right`) where
             ///< the text says so, for the rank it is so; number 0: because E == zeros(...)
  below,     ///< matrices X, Y: r <= rank(E) + t, because X @ E @ Y == eye(s) and with s for the rank it is so
  full,      ///< r <= rank(E) + t for square E, because with its size for the rank it is so, and E has full rank. `lower`, `upper`: E == tril(E) or
             ///< triu(E) with a positive diagonal; number c: 0 < c and c * frob2(v) <= v.T @ E @ v for every column v
  regular,   ///< square matrix M, which always has a value: its size is at most rank(M), and the claim follows where M is invertible
  gram,      ///< r <= rank(A @ B), because B == A.T and r <= rank(A)
  before,    ///< matrix M: L == R, because M @ L == M @ R and M has an inverse
  after,     ///< matrix M: L == R, because L @ M == R @ M and M has an inverse
  scaled,    ///< D: L == R, because D * L == D * R and no entry of D is zero; L <= R, because D * L <= D * R and 0 < D
  increasing,   ///< f(A) <= f(B), because A <= B and f increases; numbers k, ...: assumption k says f(A) == f(B) or f(A) <= f(B), so A == B or A <= B
  exponential,  ///< L <= R, because exp(L) <= exp(R), and so for <
  squared,      ///< L <= R, because L**2 <= R**2 and 0 <= R
  rearranged,   ///< sides P, Q, products a, b of sizes and positive numbers: L <= R, because P <= Q and b * (Q - P) == a * (R - L), and so for == and <
  lemma,     ///< sides P, Q: P == Q, which always have a value, follows from the assumptions, and the claim follows with it
  forget,    ///< definitions A, B, ..., or parts of the sides and assumptions: the claim holds because it does for any tensors in their places
  congruent, ///< f(A, ...) == f(B, ...), because A == B, ..., and A - B == 0
  blocks,    ///< axis a, size p: L == R, because the parts before and from p on of that axis are equal
  entries,   ///< the sides are functions of single entries, so the claim follows from the one about numbers
  pieces,    ///< number x, points a < b < ... or one other number: x is a - t, (a + b t)/(1 + t), ... or the last one + t, for some t >= 0; where
             ///< an assumption says a <= x, nothing is to be shown of a - t, and where one says x <= b, of b instead of b + t
  sized,     ///< another claim, names, numbers: it says the same where its sizes of these names are these numbers, and holds whatever they are
  slope,     ///< number x, of which 0 <= x or 0 < x is assumed: L <= R, because it is so at x == 0 and the derivative of L is at most that of R; and so for <
  turned,    ///< `sides`, `names`, `used`, `free`: the equation with its sides exchanged, its declarations in reverse order, without those of
             ///< unused names, without the assumed equations
};

inline constexpr int reduction_count = static_cast<int>(ReductionKind::turned) + 1;
/// The reduced claims are the claim at some of its sizes.
constexpr bool by_cases(ReductionKind kind) { return kind == ReductionKind::within || kind == ReductionKind::modulo; }
/// Word in certificates.
std::string_view name(ReductionKind kind);

struct Reduction {
  ReductionKind kind = ReductionKind::none;
  std::vector<std::string> text;  ///< sizes and matrices in the claim language
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

/// The first rank(E) that is e, or a term of e that is not subtracted: `above` and `below` speak of it. Null when there is none.
expr::Expression growing_rank(const expr::Expression& e);

/// What rmsnorm(X) or layernorm(X) divides by, row by row: rms(X), rms(X - mean(X)). Null for what has an epsilon or is no such norm.
expr::Expression norm_divisor(const expr::Expression& e);

/// What `before` and `after` may multiply by: the matrices of which an inverse is taken in the sides or that are assumed to have one.
std::vector<expr::Expression> invertible_parts(const expr::Claim& claim);
/// What `scaled` may multiply by: denominators in the sides, those of norms among them, and what is assumed not to be zero.
std::vector<expr::Expression> nonzero_parts(const expr::Claim& claim);

/// The sizes of which `size` is a sum; none when it is no such sum.
std::vector<expr::Dim> cut_points(const expr::Dim& size);

/// Pairs (d, p) for `within`: every slice that may reach to the end of an axis of size d, in order of occurrence.
std::vector<std::pair<std::string, expr::Dim>> slice_bounds(const infer::Problem& problem);

}  // namespace foldproof::kernel
