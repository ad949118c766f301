// SPDX-License-Identifier: MIT
// The table of laws: every step that a certificate may take on one monomial. Part of the trusted base.
// A law rewrites a monomial to a sum of monomials of equal value wherever the claim is defined; it checks its side condition
// itself and throws Reject when it does not hold. Nothing is searched for: the certificate says where a law applies.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernel/unfold.hpp"

namespace foldproof::kernel {

/// In the comments: m is the monomial, f, g positions of factors in it, v, w positions of bound variables in it.
enum class Law {
  keep,          ///< keep p0 p1 ...: bound variable p0 gets canonical name 0, p1 name 1, ...; m is done
  enter,         ///< enter f: the following steps, up to leave, rewrite the body of factor f
  leave,         ///< end of a body
  split,         ///< split v at size e: sum over v < D is the sum over v < e plus the sum over v = e + w, w < D - e
  pair,          ///< pair v by size k: sum over v < q*k is the sum over a < q, b < k with v = a*k + b
  unroll,        ///< unroll v: sum over v < 3 is the sum of the three values
  sift,          ///< sift f v: sum over v of (v == e) g(v) is g(e), e in the range of v
  decide,        ///< decide f: a comparison that is true or false for all indices
  digits,        ///< digits f by size k: (x*k + y == 0) is (x == 0)(y == 0) when |y| < k; (x*k + y >= 0) is (x > 0) or (x == 0)(y >= 0)
  flip,          ///< flip f: (e >= 0) is 1 - (-e - 1 >= 0)
  turn,          ///< turn f: (e >= 0) is 1 + (e == 0) - (-e >= 0)
  only_equal,    ///< only_equal f: (e >= 0) is (e == 0) where e is never positive
  implied,       ///< implied f g ...: factor f, a comparison or a function of comparisons, where the comparisons and masks g hold
  cases,         ///< cases f k: factor f where comparison k of its body holds, and where it does not
  reverse,       ///< reverse v: sum over v < n of g(v) is the sum over v < n of g(n-1-v)
  align,         ///< align f v: where v == e by factor f, replace v by e in the other factors
  number,        ///< number f: a position used as a number, such as a*k + b, is a sum of products of numbers, and n % m is n - m*(n//m)
  count,         ///< count v: a sum over a variable that no factor mentions is its size
  count_up,      ///< count_up f v: a sum over v < n of (e - v >= 0), or of (v - e >= 0), is e + 1, or n - e, where v occurs nowhere else
  add_up,        ///< add_up f v: a sum over v < n of the number v is n (n - 1)/2, where v occurs nowhere else
  exp_sum,       ///< exp_sum f: exp(a + b) = exp(a) exp(b), exp(c x) = exp(x)^c, exp(log x) = x, exp(-inf unless p) = p
  distribute,    ///< distribute f: (c x^a y^b)^q = c^q x^(aq) y^(bq) for numbers and independent sums x, y; fractional q needs them not negative or even powers
  content,       ///< content f s: a common factor of all terms leaves the power, the logarithm or the absolute value, for s = 1 with a minus
  sum_factor,    ///< sum_factor f k ...: (a + b) (sum of c) leaves the power as a product; with numbers of terms, a + b as the square of their roots
  expand,        ///< expand f: x^(q+1) = x^q x multiplied out, for a power of a sum with q + 1 >= 1
  cancel,        ///< cancel f k, then a factor position for each factor of term k: term k of x times x^q is x^(q+1) minus the other terms times x^q
  absolute,      ///< absolute f: |x| = x for x >= 0, |c x y| = |c| |x| |y|, |x|^2 = x^2
  logarithm,     ///< logarithm f: log(c x^a y^b) = log c + a log x + b log y for positive x, y; log(exp x) = x
  reflect,       ///< reflect f: Phi(-x) = 1 - Phi(x), sin(-x) = -sin x, cos(-x) = cos x
  angle,         ///< angle f: sin and cos of a sum, first term against the rest
  pythagoras,    ///< pythagoras f: sin^2 = 1 - cos^2
  one_hot,       ///< one_hot f g: two entries of one row (column) that holds a single 1
  one_hot_sum,   ///< one_hot_sum f v: a row (column) that holds a single 1 sums to 1
  select,        ///< select f, then a factor position or -1 for each term of the body: F(sum_v T[v] g(v)) = sum_v T[v] F(g(v)), T one-hot
  halve,         ///< halve: m is m/2 + m/2, of which only one half is rewritten next
  swap,          ///< swap f: S[i, j] = S[j, i] for a symmetric S
  axiom,         ///< axiom a k, then factor positions: term k of assumption a is minus its other terms
  inverse,       ///< inverse f k side, then factor positions: term k of M in inv(M) M = 1 (side 0) or M inv(M) = 1 (side 1)
  inverse_diagonal,  ///< inverse_diagonal f: the inverse of a diagonal matrix
  inverse_transpose, ///< inverse_transpose f: inv(M)[i, j] = inv(M.T)[j, i]
  inverse_product,   ///< inverse_product f k, then factor positions: inv(A B) = inv(B) inv(A) for square A (the named factors) and B, summed over k
  inverse_scale,     ///< inverse_scale f g: a factor d(u) of the matrix leaves as 1/d(j), e(v) as 1/e(i); g = -1: the coefficient
  inverse_inverse,   ///< inverse_inverse f: inv(inv(M)) = M
  inverse_orthogonal,  ///< inverse_orthogonal f: inv(R) = R.T for an orthogonal R
  determinant_product, ///< determinant_product f k, then factor positions: det(A B) = det(A) det(B), as in inverse_product
  determinant_transpose, ///< determinant_transpose f: det(M.T) = det(M)
  determinant_inverse, ///< determinant_inverse f: det(inv(M)) = 1/det(M)
  determinant_identity, ///< determinant_identity f: det(1) = 1
  determinant_orthogonal, ///< determinant_orthogonal f: det(R)^2 = 1 for an orthogonal R
  factorize,     ///< factorize f g: lfac(M, p) rfac(M, p) = M, summed over p values, where rank(M) is at most p
  signed_body,   ///< signed_body f s: |x| = x where assumption s says x >= 0, |x + y| = |x| + |y| where it says x y >= 0
  shift_maximum, ///< shift_maximum f: the largest of a + b(v) is a + the largest of b(v)
  scale_maximum, ///< scale_maximum f: the largest of c b(v) is c times the largest of b(v), for c that is not negative
  split_maximum, ///< split_maximum f at size e: the larger of the largest over v < e and the largest over the rest
  pair_maximum,  ///< pair_maximum f at size k: the largest over h*k values is the largest over h of the largest over k
  exp_maximum,   ///< exp_maximum f: exp(c max b(v)) is the largest exp(c b(v)) for c that is not negative, and so for log where all are positive
  power_maximum, ///< power_maximum f: log(a + c max b(v)) is the largest or the least of log(a + c b(v)), and so for powers, where all are positive
  magnitude_maximum, ///< magnitude_maximum f: the largest of a x(v) + b |x(v)| is a x + b |x| for the largest x where a >= |b|, for the least where -a >= |b|

  // Of inequalities only: steps on the difference of the sides once it is rewritten, in which k is a term of it. See lower().
  clear,         ///< clear k f: all terms times what term k divides by, a positive factor f, or by exp(-x) for a factor exp(x)
  assumed_bound, ///< assumed_bound k s j, then factor positions: term j of assumption s, which is not negative, against its other terms
  largest_bound, ///< largest_bound k l f j, then factor positions: what the maximum at factor f of term l is taken of is at most that maximum
  total_bound,   ///< total_bound k f: the largest of values that are not negative is at most their sum
  triangle,      ///< triangle k f: |a + b| is at most |a| + |b|, also of sums over variables; triangle k f 1: these stay as they are
  tangent,       ///< tangent k f, then (l g e) ...: exp(x) >= y (1 + x - log y), log y + 1 - y/x <= log(x) <= log y + x/y - 1, and the latter for x and exp(x); y: factors g of terms l, or what they are logarithms of, to the powers e
  attained,      ///< attained k f: a maximum is one of its values; what holds for all of them holds for it
  part_bound,    ///< part_bound k f b, then factor positions: term b of a sum that factor f divides by, none of them negative, is at most the sum
  log_bound,     ///< log_bound k l f b j, then factor positions: x, where exp(x) is term b of a sum, none of them negative, of which factor f of term l is the logarithm, is at most that
  unit_bound,    ///< unit_bound k f: sin, cos and Phi lie between -1 and 1
  magnitude_bound,  ///< magnitude_bound k: term k is at least minus its absolute value
  mean_bound,    ///< mean_bound k n, then n factor positions of a, then those of b: |a b| is at most (a^2 + b^2)/2
  diagonal_bound,  ///< diagonal_bound k v w: of a sum over v and w of what is not negative the terms with w == v are at most the sum
  cauchy_bound,  ///< cauchy_bound k n, then n factor positions of a, then those of b: |sum of a b| is at most the root of (sum of a^2) (sum of b^2)
};

inline constexpr int law_count = static_cast<int>(Law::cauchy_bound) + 1;
/// kebab-case name of a law, as in certificates; never changes meaning once released.
std::string_view name(Law law);

struct Step {
  Law law;
  std::vector<std::int64_t> args;
  expr::Dim size;  ///< split, pair, digits
  friend bool operator==(const Step&, const Step&) = default;
};

/// Throws Reject unless the step has as many numbers as its law takes, and a size exactly where the law takes one.
void check_form(const Step& step);

/// Rewrites m by one law (not keep, enter or leave). Throws Reject.
std::vector<Monomial> apply(Theory& theory, const Monomial& m, const Step& step);

/// A sum that is at most p, or at most p times something positive, wherever the claim is defined. Throws Reject.
Poly lower(Theory& theory, const Poly& p, const Step& step);
/// Whether the law is a step of lower().
inline bool is_bound(Law law) { return law >= Law::clear; }

/// m with its bound variables renamed to canonical ones in the given order. Throws Reject unless `order` is a permutation.
Monomial rename(Arena& arena, const Monomial& m, const std::vector<std::int64_t>& order);

/// The sum with which the bound variables of term k of p, and the factors that mention them, are multiplied.
Poly sum_factor_of(const Arena& arena, const Poly& p, std::size_t k);
/// The comparisons and masks in p and its bodies, as the law `cases` counts them.
std::vector<AtomId> masks(const Arena& arena, const Poly& p);

/// Factor f of m with the new body, raised to its exponent, times the rest of m.
std::vector<Monomial> replace_body(Arena& arena, const Monomial& m, std::size_t f, const Poly& body);

}  // namespace foldproof::kernel
