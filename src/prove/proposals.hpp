// SPDX-License-Identifier: MIT
// What is worth trying on a claim that has no proof of its own, read off its sides, its assumptions and its sizes. Nothing here has to
// be right: the kernel writes down the claims that a reduction leads to, and checks each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/rational.hpp"
#include "infer/problem.hpp"
#include "kernel/reduction.hpp"

namespace foldproof::prove {

/// Whether a slice or an entry of a tensor is taken in a side.
bool has_slices(const infer::Problem& problem);
/// Whether nothing is assumed but bounds of sizes.
bool assumes_only_sizes(const expr::Claim& claim, const infer::Problem& problem);
/// Whether both sides are polynomials of entries and numbers.
bool is_polynomial(const expr::Claim& claim);
/// The names of its numbers.
std::vector<std::string> numbers_of(const infer::Problem& problem);

/// What assumptions offer: A == B for f(A) == f(B) and a function that increases, S == T + c for softmax(S) == softmax(T), and to forget the
/// parts that they share with the sides.
std::vector<kernel::Reduction> by_assumptions(const expr::Claim& claim);

/// An equation in the words of its assumptions: exp(log_softmax(S)) for softmax(S) where log_softmax(S) is assumed to be something. Nothing where it has no other words.
std::optional<kernel::Reduction> as_assumed(const expr::Claim& claim);

/// A convolution: x[:-1] + x[1:] against (A + B) @ x, of bands A and B, is shown for A and B one after the other. Nothing where there are no slices.
std::optional<kernel::Reduction> with_products_apart(const expr::Claim& claim);

/// det(W)**2 as det(W.T @ W), which an assumption says something of.
std::optional<kernel::Reduction> as_determinant_of_product(const expr::Claim& claim);

/// The squares of P @ V, for rows of P that add up to 1, are at most P @ rowsum(V * V): what bounds that bounds them.
std::optional<kernel::Reduction> through_a_mean(const expr::Claim& claim);

/// x * f(x) <= x**2 of numbers that are not negative, as f(x) <= x.
std::optional<kernel::Reduction> factor_by_factor(const expr::Claim& claim, const infer::Problem& problem);

/// 0 < L, because 0 < M <= L, where M has x - 1 in the place of log(x).
std::optional<kernel::Reduction> below_logarithms(const expr::Claim& claim);

/// lse and softplus of a mean are at most the means of theirs: after exp of both sides and the division by the larger one, exponentials of means are
/// compared with means of exponentials.
std::optional<kernel::Reduction> by_log_convexity(const expr::Claim& claim);
/// To forget what these are exponentials of.
std::optional<kernel::Reduction> whatever_is_shifted(const expr::Claim& claim);

/// lse(A) <= lse(B + c) for lse(A) - lse(B) <= c: what is added to all entries of a row is added to its logarithm.
std::optional<kernel::Reduction> between_logarithms(const expr::Claim& claim);

/// abs(f(A) - f(B)) <= C by way of abs(A - B), for f that is nowhere steeper than 1; of that, for any A and B.
std::optional<kernel::Reduction> through_arguments(const expr::Claim& claim);

/// exp(x) <= 1 by way of exp(0), and 1 <= exp(x).
std::optional<kernel::Reduction> through_exponential(const expr::Claim& claim);

/// Squares of what is left of a row without its mean add up to less than about the middle between its largest and its smallest entry.
std::optional<kernel::Reduction> through_the_middle(const expr::Claim& claim);
/// a - b <= c - d through c - b, and a + b <= c + d through c + b, of maxima and the like: term by term.
std::optional<kernel::Reduction> through_terms(const expr::Claim& claim);

/// To forget what the smaller side holds of that whose squares the larger one sums: |relu(X @ W)| <= |X @ W| for any tensor in the place of X @ W.
std::optional<kernel::Reduction> whatever_is_measured(const expr::Claim& claim);

/// L < R, because L < L + q <= R for a small number q: sums of squares are known not to be negative, seldom to be positive.
kernel::Reduction by_a_margin(const expr::Claim& claim);

/// What the first norm of the smaller side is at most: norms of factors, of terms, of what relu is taken of; of A - C, |(A - B) + (B - C)|.
std::vector<kernel::Reduction> through_norms(const expr::Claim& claim);

/// What is assumed to be something made of itself, in its place: A == tril(A) makes tril(A) of A, b == mean(b) * ones(1, d) a row of one number.
std::optional<kernel::Reduction> with_what_it_is(const expr::Claim& claim);

/// Whether bound mentions the rank of a part of the matrix.
bool is_bounded_by_a_part(const expr::Expression& matrix, const expr::Expression& bound);

/// a/b <= c/d of sums of exponentials, as softmax has them: both sides times b * d. Nothing for others.
std::optional<kernel::Reduction> without_denominators(const expr::Claim& claim);
/// What that leads to, as a * d <= c * b.
std::optional<kernel::Reduction> cross_multiplied(const expr::Claim& claim);

/// To forget that what is inverted has a triangle in it, or what a definition in it says: inv(eye(n) + L) @ (eye(n) + L) == eye(n) for any L.
std::vector<kernel::Reduction> whatever_is_inverted(const expr::Claim& claim);

/// Names that are assumed to be positive.
std::vector<std::string> positive_numbers(const expr::Claim& claim);
/// 1/(b + c) where a < d/(b + c) is assumed: both sides times that may be what is assumed.
std::vector<std::string> assumed_denominators(const expr::Claim& claim);

/// For the reduction `full`: triangles, and factors of identities that may stand in the matrix, as in c * eye(n) + A @ A.T.
std::vector<std::string> reasons_for_full_rank(const expr::Claim& claim);

/// Whether the rank or the determinant of blockdiag(A, B), or the rank of kron(A, B), is asked for.
bool has_functions_of_blocks(const expr::Claim& claim);

/// Matrices of which the determinant is asked for and which may be triangles, for the reduction `triangle`.
std::vector<kernel::Reduction> triangles(const expr::Claim& claim);

/// For the reduction `nullity`: factors of a product that the other side bounds, columns of ones, and vectors u of which u.T @ u == 1 is assumed.
std::vector<kernel::Reduction> null_spaces(const expr::Claim& claim, const infer::Problem& problem);

/// Ranks that may lie between the sides: of A.T @ A where rank(2 * A.T @ A) bounds something; of the terms A and B where rank(A + B) or
/// rank(A - B) does: rank(A) is at most rank(A - B) + rank(B).
std::vector<std::string> ranks_between(const expr::Claim& claim, const infer::Problem& problem);

/// What ranks say of others: det(E) == 0 where that of E is less than its size; r <= d for an r x d matrix that is assumed to have a right
/// inverse, because r is at most its rank, and that is at most d.
std::vector<kernel::Reduction> by_ranks(const expr::Claim& claim, const infer::Problem& problem);

/// The square factors of products in the sides that may turn out to have an inverse: triangles, and what has an identity added.
std::vector<expr::Expression> square_factors(const expr::Claim& claim, const infer::Problem& problem);

/// What is worth trying on an equation: equal operands, blocks, lemmas, both sides times something.
std::vector<kernel::Reduction> products_and_lemmas(const expr::Claim& claim, const infer::Problem& problem);

/// Definitions of the numbers from 0 on in some order, as perm = np.array([2, 0, 3, 1]).
std::vector<std::string> permutation_lists(const expr::Claim& claim);

/// Whether something is assumed to be 0, as frob2(A) is only where A is.
bool assumes_zero(const expr::Claim& claim);
/// 0, or zeros of a shape, or a product with one of these.
bool is_zero(const expr::Expression& e);

/// What is assumed to be the number on the right side: p <= 1, because p <= rowsum(p) and rowsum(p) == 1; rows of orthogonal matrices.
std::vector<std::string> equal_to_bound(const expr::Claim& claim);
/// Whether -1 <= R says that -R is at most what something in the assumptions equals.
bool is_negative_bound(const expr::Claim& claim);

/// Parts of the sides that stand there more than once, and what norms are taken of, the largest first: an inequality may hold whatever they are.
std::vector<expr::Expression> repeated_parts(const expr::Claim& claim);

/// The largest parts with a function that both sides have, as layernorm(h) of h + layernorm(h) - h == layernorm(h): an equation may hold whatever they are.
std::vector<std::string> shared_parts(const expr::Claim& claim);
/// Definitions and parts that are a softmax of rows, where the claim has few of them and may hold whatever has rows that add up to 1.
std::vector<std::string> stochastic_parts(const expr::Claim& claim);
/// Names that are defined to be largest values and stand in differences in exponents, as in m = max(m, s) before exp(s - m), and largest values that are
/// subtracted where they are computed: what is stable so is often the same for any m.
std::vector<std::string> largest_in_exponents(const expr::Claim& claim);

/// name == value, which is made of `of`, if anything; they are definitions, or parts that stand more than once in one side each
struct Lemma {
  std::string name;
  expr::Expression value;
  std::vector<std::string> of;
};

/// B == A, B == P @ A, B == A @ P, B == A.T and B == A[:t] for definitions A and B that are made alike, where a side of the claim is
/// such a thing. The largest ones first.
std::vector<Lemma> between_definitions(const expr::Claim& claim);

/// B == A for definitions A and B, each of one side, of an equation whose sides have at least so many parts once every definition stands in the
/// place of its name, as layers on layers do: first those which leave the least to be written out, with A and B as they are and in the claim
/// for any A and B.
std::vector<Lemma> between_layers(const expr::Claim& claim, double least);
/// The parts of both sides with values in the place of all names.
double parts_written_out(const expr::Claim& claim);
/// As many are written out in milliseconds.
inline constexpr double few_parts = 250;

/// The text of a reduction `least` when min or max splits the claim or one of its assumptions.
std::optional<std::vector<std::string>> split_by_least(const expr::Claim& claim);

/// The claim with the numbers 1 and 0 in the place of ones(n, d) and zeros(n, d), as far as that is the same. Nothing where there are none.
std::optional<kernel::Reduction> without_ones(const expr::Claim& claim);

/// Whether a function that bends or a comparison, at which a value jumps, occurs, of something that mentions all the names. Two of them are compared by it, as in maximum(a, b)
/// and relu(a - b), where they stand in no product alone.
bool bends(const expr::Expression& e, const std::vector<std::string>& names = {});

/// The claim with eye(n) for A @ inv(A) and inv(A) @ A, which is seen along entries that are written out one by one.
std::optional<kernel::Reduction> with_identities(const expr::Claim& claim);

/// Whether all tensors that the claim mentions have the shape of its sides, or are numbers.
bool has_one_shape(const expr::Claim& claim, const infer::Problem& problem);

/// An equation between sums as one between the sums of what is summed: sum(A) == sum(B) + 2*sum(C) as sum(A) == sum(B + 2*C), and that as A == B + 2*C. Nothing for
/// others.
std::optional<kernel::Reduction> of_summands(const expr::Claim& claim);

/// To forget what the entries that bend are made of: clip(X @ W, -1, 1) == relu(X @ W + 1) - relu(X @ W - 1) - 1 for any tensor in the place of X @ W.
std::optional<kernel::Reduction> whatever_is_bent(const expr::Claim& claim);

/// An inequality in other words: with products collected, with layernorm(X) as rmsnorm(X - mean(X)), or as a sum of squares that is not negative.
std::vector<kernel::Reduction> other_forms(const expr::Claim& claim, const infer::Problem& problem);

/// The lemma that the entries of ones(d, d) - eye(d) are 0 and 1, which is forgotten with that matrix otherwise.
std::optional<kernel::Reduction> mask(const expr::Claim& claim);

/// Whether a side is a product of two differences, which may have one sign, as in (exp(a) - exp(b)) * (a - b).
bool multiplies_differences(const expr::Claim& claim);

/// Whether functions occur that have derivatives, such as tanh.
bool has_slopes(const expr::Claim& claim);

/// Numbers that are assumed not to be negative, in a claim with functions that have derivatives, such as tanh.
std::vector<std::string> rising_numbers(const expr::Claim& claim);

/// Whether 0 <= name is assumed.
bool is_never_negative(const expr::Claim& claim, const std::string& name);

/// The numbers of the claim, their sums and quotients, and 0: relu(2*x + 1) bends at -1/2, clip(x - 1, 0, 6) at 7.
std::vector<expr::Rational> bending_points(const expr::Claim& claim);

/// Whether an assumption says what the size is.
bool is_given(const expr::Claim& claim, const std::string& size);

/// Sizes divided by small numbers, such as d//2.
std::vector<std::pair<std::string, std::int64_t>> divided_sizes(const infer::Problem& problem);

/// Sizes that a number is added to, such as n - 1: at n == 1 there may be nothing to cut off.
std::vector<std::string> shifted_sizes(const infer::Problem& problem);
/// Sizes of triangles, of which other diagonals than the middle one have fewer places.
std::vector<std::string> sizes_of_bands(const infer::Problem& problem);

/// The h of X[:c] and X[(h-1)*c:] where the axis has h*c places: the first block and the last one are all when h == 1.
std::vector<std::string> numbers_of_blocks(const infer::Problem& problem);

/// Comprehension indices are none.
bool is_dimension(const infer::Problem& problem, const std::string& name);

}  // namespace foldproof::prove
