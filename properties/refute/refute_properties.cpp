// SPDX-License-Identifier: MIT
// Refutation: the counterexamples are minimal and exact, assumptions are respected, true claims stay unrefuted, and the second
// route, identity testing, agrees. Every counterexample is checked again here by plain evaluation.
#include <boost/test/unit_test.hpp>
#include <algorithm>

#include "expr/syntax.hpp"
#include "read/parse.hpp"
#include "refute/identity_test.hpp"
#include "refute/order.hpp"
#include "refute/refute.hpp"

namespace foldproof::properties {
namespace {

using refute::Counterexample;
using refute::End;
using refute::Identity;

infer::Problem problem(const std::string& claim) { return infer::elaborate(read::parse_claim(claim)); }

Counterexample refuted(const std::string& claim) {
  const auto p = problem(claim);
  const auto result = refute::refute(p);
  BOOST_REQUIRE_MESSAGE(result.counterexample, claim + ": " + refute::text(result.end));
  BOOST_TEST(refute::verify(p, result.counterexample->instance).has_value(), claim);
  return *result.counterexample;
}

/// "n = 1": where the claim holds at many instances, and is not refuted by a longer search.
std::vector<std::string> thin_sets(const std::string& claim) {
  const auto asked = problem(claim);
  std::vector<std::string> found;
  for (const auto& thin : refute::thin_sets(asked, refuted(claim).instance.dims)) {
    if (refute::holding_instances(asked, thin, 20) > 0 && !refute::refuted_within(asked, thin)) found.push_back(thin.size + " = " + expr::text(thin.value));
  }
  return found;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& w : words) out += (out.empty() ? "" : " ") + w;
  return out;
}
/// "d=2 n=1 minimal"
std::string sizes(const std::string& claim) {
  const auto c = refuted(claim);
  std::string out;
  for (const auto& [name, size] : c.instance.dims) out += name + "=" + std::to_string(size) + " ";
  return out + (c.minimal ? "minimal" : "");
}
std::string value(const Counterexample& c, const std::string& name) {
  for (const auto& [variable, tensor] : c.values) {
    if (variable == name) return joined(tensor.values);
  }
  return "no such variable";
}

/// False identities about attention and its surroundings.
const char* const false_claims[] = {
    // rows that are masked throughout with a number are those of equal shares
    "S: [n, n]; softmax(where(tril(ones(n, n), -1) == 1, S, -1e9)) == softmax(where(tril(ones(n, n)) == 1, S, -1e9))",
    "S: [n, n]; softmax(S - 1e9) == softmax(2*S - 1e9)",
    "S: [n, n]; log_softmax(S - 10000) == log_softmax(2*S)",
    "S: [n, 2]; lse(S + 10000) == lse(S) + 9999",
    "x: [n, d]; (exp(x) > 2) * 1 == zeros(n, d)",  // at multiples of ln 2
    "x: []; (sigmoid(x) > 3/4) * 1 == 0",
    // the mask of z > 0 is 0 at the only multiple of ln 2 that is tried with it, and not at others
    "y: []; z: []; exp(y) * (y > 0) == 0*z",
    "z: [n, e]; y: [n, e]; exp(z + y) * (y > 0) == exp(z) * (y > 0)",
    "z: [n, e]; c: [n, 1]; softmax(z + c) * (z > 0) == 2 * softmax(z) * (z > 0)",
    "z: [n, e]; c: [n, 1]; np.where(z > 0, softmax(z + c), 0) == np.where(z > 0, softmax(z) / 2, 0)",
    "S: [r, r]; sigmoid(S + causal(r)) == sigmoid(S)",
    "S: [r, r]; relu(S + causal(r)) @ S == relu(S) @ S",
    "S: [r, r]; softmax((S + causal(r)) / 2) == softmax(S + causal(r))",
    "Q: [r, a]; K: [r, a]; softmax((Q @ K.T + causal(r)) / a) == softmax(Q @ K.T / sqrt(a) + causal(r))",
    "A: [r, a]; B: [q, a]; C: [r, b]; D: [q, b]; rank((A @ B.T) * (C @ D.T)) <= a + b",
    "X: [r, a]; G: [r, a]; relu(X + G) == relu(X) + relu(G)",
    "H: [r, a]; U: [a, b]; V: [b, c]; relu(H @ U) @ V == H @ (U @ V)",
    "H: [r, a]; U: [a, b]; V: [b, c]; softmax(H @ U) @ V == H @ (U @ V)",
    "H: [r, a]; U: [a, a]; V: [a, a]; u: [1, a]; v: [1, a]; (H @ U + u) @ V + v == H @ (U @ V) + (u + v)",
    "Z: [r, a]; c: []; assume positive(c); silu(c * Z) == c * silu(Z)",
    "Z: [r, a]; gelu(Z) == gelu_tanh(Z)",
    "Z: [r, a]; quick_gelu(Z) == gelu(Z)",
    "S: [r, s]; V: [s, c]; b: [1, c]; softmax1(S) @ (V + ones(s, 1) @ b) == softmax1(S) @ V + ones(r, 1) @ b",
    "Q: [r, a]; K: [s, a]; b: [1, a]; V: [s, c]; (Q @ (K + ones(s, 1) @ b).T) @ V == (Q @ K.T) @ V",
    "Q: [r, a]; K: [s, a]; b: [1, a]; softmax(tanh(Q @ (K + ones(s, 1) @ b).T)) == softmax(tanh(Q @ K.T))",
    "H: [g, r, c]; O: [g, c, a]; b: [1, a]; sum(H[i] @ O[i] + b for i in range(g)) == sum(H[i] @ O[i] for i in range(g)) + b",
    "X: [r, a]; U: [a, b]; Y: [r, a]; softmax((X @ U) @ (Y @ U).T) == softmax((X @ U) @ (Y @ U).T).T",
    "X: [r, a]; U: [a, a]; V: [a, a]; X @ (eye(a) + U) @ (eye(a) + V) == X @ (eye(a) + U + V)",
    "A: [a, b]; B: [b, c]; frob2(A @ B) == frob2(A) + frob2(B)",
    "A: [a, e]; C: [a, e]; B: [e, b]; D: [e, b]; ((A + C) / 2) @ ((B + D) / 2) == (A @ B + C @ D) / 2",
    "X: [r, a]; U: [a, b]; V: [b, c]; rmsnorm(X @ U) @ V == X @ (U @ V)",
    "X: [r, a]; g: [1, a]; U: [a, a]; (rmsnorm(X) * g) @ U == rmsnorm(X) @ (U @ diag(g))",
    "X: [r, a]; Y: [r, a]; layernorm(X + Y) == layernorm(X) + layernorm(Y)",
    "X: [r, a]; R: [a, a]; assume orthogonal(R); layernorm(X @ R) == layernorm(X) @ R",
    "H: [g, r, a]; reshape(H, r, g*a) == concat(H[i] for i in range(g))",
    "Q: [r, a]; K: [r, a]; V: [r, c]; ((Q @ K.T) * tril(r)) @ V == Q @ (K.T @ V)",
    "S: [r, s]; M: [r, s]; assume mask01(M); softmax(S * M) == softmax(S + neginf(M))",
    "X: [r, a]; U: [a, a]; P: [r, r]; assume permutation(P); softmax((P @ X) @ U @ (P @ X).T + causal(r)) @ (P @ X) == P @ (softmax(X @ U @ X.T + causal(r)) @ X)",
    "Q: [r, 2*p]; K: [s, 2*p]; t: [p]; rope_half(Q, t) @ rope_half(K, t).T == rope(Q, t) @ rope(K, t).T",
    "S: [r, s]; softmax(softmax(S)) == softmax(S)",
    "Q: [r, a]; K: [s, a]; C: [s, e]; U: [e, a]; (Q @ U.T) @ C.T / sqrt(e) == Q @ (C @ U).T / sqrt(a)",
    "a*a <= 2*a*b",
};

/// True identities, several of which hold only because of their assumption or only over the reals.
const char* const true_claims[] = {
    "(X @ A) @ B == X @ (A @ B)",
    "Q: [n, a]; K: [m, a]; b: [1, a]; softmax(Q @ (K + ones(m, 1) @ b).T) == softmax(Q @ K.T)",
    "S: [n, m]; rowsum(softmax(S)) == ones(n, 1)",
    "X: [n, a]; R: [a, a]; assume orthogonal(R); rmsnorm(X @ R) == rmsnorm(X) @ R",
    "A: [a, a]; B: [a, a]; assume A @ B == B @ A; A @ B @ A == A @ A @ B",
    "X: [n, a]; U: [a, b]; V: [b, c]; s: [1, b]; assume s > 0; relu(X @ (U @ diag(s))) @ (diag(1 / s) @ V) == relu(X @ U) @ V",
    "X: [n, a]; U: [a, b]; assume X @ U >= 0; relu(X @ U) == X @ U",
    "t: [n]; E: [v, a]; onehot(t, v) @ E == take(E, t)",
    "Q: [n, 2*p]; K: [m, 2*p]; t: [p]; s: []; rope(Q, t, s) @ rope(K, t, s).T == rope(Q, t) @ rope(K, t).T",
    "A: [n, m]; assume rowstochastic(A); softmax(log(A)) == A",
    "tanh(X) == 2 * sigmoid(2 * X) - 1",
    "A: [n, n]; assume invertible(A); inv(A) @ A == eye(n)",
    "assume k <= n; k*k <= k*n",
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_smallest_matrices_that_do_not_commute_have_one_entry_each) {
  const auto c = refuted("A @ B == B @ A");
  BOOST_TEST(c.minimal);
  BOOST_TEST(c.how == "exact");
  BOOST_TEST(c.instance.dims.begin()->second == 2);
  BOOST_TEST(value(c, "A") == "1 0 0 0");
  BOOST_TEST(value(c, "B") == "0 1 0 0");
  BOOST_TEST(joined(c.lhs.values) == "0 1 0 0");
  BOOST_TEST(joined(c.rhs.values) == "0 0 0 0");
  BOOST_TEST(joined({std::to_string(c.entry.at(0)), std::to_string(c.entry.at(1))}) == "0 1");
}

BOOST_AUTO_TEST_CASE(the_smallest_symmetric_matrices_that_do_not_commute_are_found_among_symmetric_ones) {
  const auto c = refuted("A: [n, n]; B: [n, n]; assume symmetric(A); assume symmetric(B); A @ B == B @ A");
  BOOST_TEST((value(c, "A") == "1 0 0 0" && value(c, "B") == "0 1 1 0"));
}

BOOST_AUTO_TEST_CASE(a_transposed_product_without_reversal_fails_at_two_by_two) {
  const auto c = refuted("A: [n, n]; B: [n, n]; (A @ B).T == A.T @ B.T");
  BOOST_TEST(c.instance.dims.at("n") == 2);
  BOOST_TEST((value(c, "A") == "1 0 0 0" && value(c, "B") == "0 1 0 0"));
}

BOOST_AUTO_TEST_CASE(softmax_is_not_additive_at_a_single_zero) {
  const auto c = refuted("softmax(S + T) == softmax(S) + softmax(T)");
  BOOST_TEST((value(c, "S") == "0" && value(c, "T") == "0"));
  BOOST_TEST((joined(c.lhs.values) == "1" && joined(c.rhs.values) == "2"));
}

BOOST_AUTO_TEST_CASE(a_row_shift_of_softmax_is_refuted_exactly_at_a_multiple_of_log_two) {
  const auto c = refuted("S: [n, m]; b: [1, m]; softmax(S + ones(n, 1) @ b) == softmax(S)");
  BOOST_TEST(c.how == "exact");
  BOOST_TEST(value(c, "b") == "log(2) 0");
  BOOST_TEST(joined(c.lhs.values) == "2/3 1/3");
}

BOOST_AUTO_TEST_CASE(a_query_bias_does_not_cancel) {
  const auto c = refuted("Q: [n, k]; K: [m, k]; b: [1, k]; softmax((Q + ones(n, 1) @ b) @ K.T) == softmax(Q @ K.T)");
  BOOST_TEST(c.how == "exact");
  BOOST_TEST(c.instance.dims.at("m") == 2);
}

BOOST_AUTO_TEST_CASE(a_product_that_vanishes_in_one_order_only_is_found_among_matrix_units) {
  const auto c = refuted("A: [d, d]; B: [d, d]; assume A @ B == zeros(d, d); B @ A == zeros(d, d)");
  BOOST_TEST(c.instance.dims.at("d") == 2);
  BOOST_TEST((value(c, "A") == "0 1 0 0" && value(c, "B") == "1 0 0 0"));
}

BOOST_AUTO_TEST_CASE(what_an_equation_ties_together_is_found_also_where_it_is_zero) {
  const auto c = refuted("A: [n, n]; v: [n, 1]; l: []; assume A @ v == l * v; A.T @ v == l * v");
  BOOST_TEST(c.instance.dims.at("n") == 2);
  BOOST_TEST((value(c, "A") == "0 1 0 0" && value(c, "v") == "1 0" && value(c, "l") == "0"));
}

BOOST_AUTO_TEST_CASE(dependent_rows_without_zeros_are_among_the_instances_of_ranks) {
  const auto c = refuted("c: []; X: [n, d]; assume c != 0; rank(c / X) == rank(X)");
  BOOST_TEST((c.instance.dims.at("n") == 3 && c.instance.dims.at("d") == 3));
  const auto held = refute::refute(problem("S: [n, m]; r: [n, 1]; rank(S / r) == rank(S)"));
  BOOST_TEST(!held.counterexample.has_value());  // there is no value where r is 0
}

BOOST_AUTO_TEST_CASE(a_counterexample_gives_what_an_assumption_defines_a_value) {
  for (const char* claim : {"x: []; y: []; assume y == sqrt(x); 0 <= x", "X: [n, d]; Y: [n, d]; assume Y == log(X); relu(X) == X", "x: []; y: []; assume y == rsqrt(x); abs(x) == x"}) {
    BOOST_TEST(!refute::refute(problem(claim)).counterexample.has_value(), claim);
  }
  refuted("x: []; y: []; assume y == sqrt(x); x == y");
}

BOOST_AUTO_TEST_CASE(logarithms_and_roots_of_matrices_are_refuted_at_positive_ones) {
  const auto c = refuted("A: [n, n]; B: [n, n]; log(A @ B) == log(A) + log(B)");
  BOOST_TEST((value(c, "A") == "1 1 1 1" && value(c, "B") == "1 1 1 1"));
  BOOST_TEST(joined(c.lhs.values) == "log(2) log(2) log(2) log(2)");
  BOOST_TEST(!c.minimal);  // nearly all instances with fewer entries have no value: they are not tried one by one
  const auto root = refuted("A: [n, n]; B: [n, n]; sqrt(A @ B) == sqrt(A) @ sqrt(B)");
  BOOST_TEST((value(root, "A") == "1 1 0 0" && value(root, "B") == "1 0 1 0"));
  BOOST_TEST(value(refuted("A: [d, d]; log(det(A)) == trace(log(A))"), "A") == "1 1 1 2");
}

BOOST_AUTO_TEST_CASE(what_no_exact_number_holds_is_refuted_by_disjoint_enclosures) {
  const auto c = refuted("Z: [r, a]; gelu(Z) == gelu_tanh(Z)");
  BOOST_TEST(c.how == "interval");
  BOOST_TEST(value(c, "Z") == "1");
}

BOOST_AUTO_TEST_CASE(numbers_and_offsets_of_the_claim_say_where_to_look) {
  for (const char* claim : {"x: []; sigmoid(x) <= 99/100", "X: [n, d]; assume invertible(X.T @ X); X @ inv(X.T @ X) @ X.T == eye(n)", "x: []; exp(x) <= 1000000", "x: []; clip(x, 0, 6) == relu(x)", "X: [n, d]; clip(X, -100, 100) == X", "x: []; relu(x - 1000) == 0 * x", "s: []; assume s > 1; assume s < 2; relu(s - 3/2) == s - 3/2",
                            "S: [n, n]; let W = tril(ones(n, n), -5); W @ S == zeros(n, n)", "S: [n, n]; V: [n, v]; (S * tril(n) * triu(ones(n, n), -7)) @ V == (S * tril(n)) @ V"}) {
    BOOST_TEST((refute::refute(problem(claim)).end == refute::End::refuted), claim);
  }
}

BOOST_AUTO_TEST_CASE(a_counterexample_among_a_few_listed_tensors_is_not_called_the_smallest) {
  BOOST_TEST(!refuted("X: [n, n]; assume X <= 0; assume invertible(X); X == X.T").minimal);
  BOOST_TEST(!refuted("p: [1, m]; assume p > 0; assume sum(p) == 1; p == ones(1, m) / m").minimal);
  BOOST_TEST(refuted("X: [n, n]; assume X <= 0; X == X.T").minimal);
}

BOOST_AUTO_TEST_CASE(positive_numbers_that_add_up_to_one_are_not_all_alike) {
  for (const char* claim : {"p, q: [1, m]; assume p > 0; assume q > 0; assume sum(p) == 1; assume sum(q) == 1; sum(p * log(p / q)) == sum(q * log(q / p))", "p, q: [m]; assume p > 0; assume q > 0; assume sum(p) == 1; assume sum(q) == 1; sum(p * log(q)) == sum(q * log(p))"}) {
    BOOST_TEST(refuted(claim).instance.dims.at("m") == 2, claim);
  }
}

BOOST_AUTO_TEST_CASE(what_a_few_draws_miss_at_a_small_shape_is_found_before_a_larger_one_is_called_the_smallest) {
  BOOST_TEST(sizes("X: [n, d]; W: [d, f]; U: [f, d]; M: [1, f]; b: [1, f]; assume mask01(M); (relu(X @ W + b) * M) @ U == relu(X @ (W * M) + b) @ U") == "d=1 f=1 n=1 minimal");
  BOOST_TEST(sizes("X: [n, d]; H: [n, v]; W: [v, d]; layernorm(X + H @ W) == layernorm(X + H @ (W - colmean(W)))") == "d=2 n=1 v=1 minimal");
  BOOST_TEST(sizes("X: [n, d]; Q: [d, p]; W: [d, k]; assume Q.T @ Q == eye(p); (X @ Q) @ (Q.T @ W) == X @ W") == "d=2 k=1 n=1 p=1 minimal");
  BOOST_TEST(sizes("S: [n, m]; rank(relu(S)) <= rank(S)") == "m=2 n=2 minimal");
  BOOST_TEST(sizes("X: [n, d]; rowsum(X[:, :6]) == rowsum(X)") == "d=7 n=1 minimal");  // beyond the sizes that are all tried
  BOOST_TEST(sizes("X: [1, d]; rowsum(X[:, :5]) == rowsum(X)") == "d=6 minimal");
  BOOST_TEST(sizes("S: [n, m]; rank(maximum(S, 0)) <= rank(S)") == "m=2 n=2 minimal");
}

BOOST_AUTO_TEST_CASE(equations_are_solved_for_an_entry_of_each_row) {
  BOOST_TEST(sizes("P: [n, m]; assume rowsum(P) == ones(n, 1); 0 <= P") == "m=2 n=1 minimal");
  BOOST_TEST(sizes("P: [n, m]; assume rowsum(P) == ones(n, 1); abs(P) <= 1") == "m=2 n=1 minimal");
  BOOST_TEST(sizes("P: [n, m]; A: [m, d]; assume rowsum(P) == ones(n, 1); P @ A <= ones(n, 1) @ colmax(A)") == "d=1 m=2 n=1 minimal");
  BOOST_TEST(sizes("X: [n, d]; assume rowsum(X) == zeros(n, 1); rowsum(X**3) == zeros(n, 1)") == "d=3 n=1 minimal");
  BOOST_TEST(sizes("X: [n, d]; assume rowsum(X) == zeros(n, 1); rowmax(X) == -rowmin(X)") == "d=3 n=1 minimal");
  BOOST_TEST(value(refuted("X: [n, d]; assume rowsum(X) == zeros(n, 1); rowsum(X**3) == zeros(n, 1)"), "X") == "1 1 -2");
  BOOST_TEST(sizes("X: [n, n]; assume rowsum(X) == ones(n, 1); assume colsum(X) == ones(1, n); X == X.T") == "n=3 minimal");
  BOOST_TEST(value(refuted("x: []; y: []; assume x + y == 1; x * y <= 1/5"), "x") == "1/2");
  refuted("P: [2, 2]; A: [2, 1]; assume rowsum(P) == ones(2, 1); P @ A <= ones(2, 1) @ colmax(A)");
  refuted("x: []; y: []; z: []; assume x * y + z == 7; x * y * z <= 11");
  for (const char* claim : {"P: [n, m]; assume rowsum(P) == ones(n, 1); 0 <= P", "X: [n, d]; assume rowsum(X) == zeros(n, 1); rowsum(X**3) == zeros(n, 1)", "X: [n, d]; assume rowsum(X) == zeros(n, 1); rowmax(X) == -rowmin(X)"}) {
    for (const std::string& set : thin_sets(claim)) BOOST_TEST((!set.ends_with("n = m") && !set.ends_with("n = d")), set);
  }
}

BOOST_AUTO_TEST_CASE(spheres_and_orthogonal_matrices_have_rational_points) {
  BOOST_TEST(sizes("U: [d, r]; assume U.T @ U == eye(r); U * U * U == U") == "d=2 r=1 minimal");
  for (const std::string& set : thin_sets("U: [d, r]; assume U.T @ U == eye(r); U * U * U == U")) BOOST_TEST(!set.ends_with("r = 1"), set);
  BOOST_TEST(sizes("x: [1, d]; assume x @ x.T == ones(1, 1); abs(x) * abs(x) == abs(x)") == "d=2 minimal");
  refuted("x: []; y: []; assume x**2 + y**2 == 1; x + y <= 1");
  refuted("H: [2, 2]; assume H @ H.T == 2 * eye(2); H * H == ones(2, 2)");
  refuted("X: [n, 2]; assume rowsum(X * X) == 25 * ones(n, 1); rowsum(abs(X)) <= 5 * ones(n, 1)");
}

BOOST_AUTO_TEST_CASE(what_holds_in_one_basis_is_tried_in_others) {
  refuted("A: [2, 2]; assume A @ A == -eye(2); A.T == -A");
  BOOST_TEST(sizes("P: [d, d]; assume P @ P == P; P == P.T") == "d=2 minimal");
  refuted("N: [2, 2]; assume N @ N == zeros(2, 2); N * N == zeros(2, 2)");
}

BOOST_AUTO_TEST_CASE(the_sizes_that_refute_a_claim_about_sizes_are_the_smallest) {
  BOOST_TEST(sizes("n <= 100") == "n=101 minimal");
  BOOST_TEST(sizes("n**2 <= 1000*n") == "n=1001 minimal");
  BOOST_TEST(sizes("d*k <= 64*(d + k)") == "d=121 k=136 minimal");  // no other pair with a sum of 257 or less comes before it
  BOOST_TEST(sizes("n <= 1000000") == "n=1000001 minimal");
  BOOST_TEST(sizes("sqrt(n) <= 10") == "n=101 minimal");
  BOOST_TEST(sizes("3/4*n <= 100") == "n=134 minimal");
  BOOST_TEST(sizes("n*d <= 30*n + 1000").ends_with("minimal"));
  BOOST_TEST(sizes("X: [n, d]; d <= 7") == "d=8 n=1 minimal");
  BOOST_TEST(sizes("X: [n, d]; n*d <= 50") == "d=51 n=1 minimal");
  BOOST_TEST(sizes("X: [n, d]; W: [d, 4*d]; n*n*d <= 90000*d*d") == "d=1 n=301 minimal");
  BOOST_TEST(sizes("W: [n, m]; m*m <= 3000000*m") == "m=3000001 n=1 minimal");  // no matrix of so many entries is made
  BOOST_TEST(refuted("R: [d, d]; assume orthogonal(R); d <= 2").values.size() == 1u);
  BOOST_TEST(sizes("assume n <= 256; n*n*k + n*n*v <= 128*(n*k + n*v)") == "k=1 n=129 v=1 minimal");
  BOOST_TEST(sizes("assume d == h*k; d <= 30") == "h=4 k=8 minimal");
  BOOST_TEST(sizes("x: [m]; sum(ones(n, n)) == n") == "m=1 n=2 minimal");  // sizes that no tensor has: of these there is no end to look at
  // Too many sums below it were not looked at: it is not called the smallest, but no single size can be smaller.
  const auto c = refuted("n*d <= 1000000");
  const std::int64_t n = c.instance.dims.at("n"), d = c.instance.dims.at("d");
  BOOST_TEST(!c.minimal);
  BOOST_TEST((n * d > 1'000'000 && (n - 1) * d <= 1'000'000 && n * (d - 1) <= 1'000'000));
}

BOOST_AUTO_TEST_CASE(what_holds_at_five_rows_is_tried_at_more) {
  BOOST_TEST(sizes("S: [n, m]; 1/10 <= rowmax(softmax(S))") == "m=11 n=1 minimal");
  BOOST_TEST(sizes("X: [n, d]; abs(layernorm(X)) <= 2") == "d=6 n=1 minimal");
  BOOST_TEST(sizes("X: [n, d]; rank(X) <= 6") == "d=7 n=7 ");  // too many shapes have fewer entries to look at all
  for (const std::string& set : thin_sets("S: [n, m]; 1/10 <= rowmax(softmax(S))")) BOOST_TEST(!set.ends_with("n = m"), set);
}

BOOST_AUTO_TEST_CASE(a_number_that_bounds_short_rows_only_is_tried_at_long_ones) {
  BOOST_TEST(sizes("S: [n, m]; 1/50 <= rowmax(softmax(S))") == "m=51 n=1 ");
  BOOST_TEST(sizes("S: [n, m]; lse(S) <= rowmax(S) + 5") == "m=149 n=1 ");
  BOOST_TEST(sizes("x: [1, d]; sum(abs(x)) <= 10 * sqrt(sum(x * x))") == "d=101 ");
  BOOST_TEST(sizes("X: [n, d]; rmsnorm(X) <= 20") == "d=401 n=1 ");
  BOOST_TEST(!refute::refute(infer::elaborate(read::parse_claim("A: [n, n]; assume A @ A == zeros(n, n); 2 * rank(A) <= n"))).counterexample);  // true, and soon given up
}

BOOST_AUTO_TEST_CASE(points_between_the_numbers_tried_are_found_by_small_steps) {
  for (const char* claim : {"x: []; 0 <= x**4 - 4*x**2 + 3.99", "x: []; sin(x)**2 <= 0.999", "x: []; -0.16 <= gelu(x)", "x: []; y: []; assume x > 0; assume y > 0; x*y*(4 - x - y) <= 2.37", "x: []; -0.0625 <= (x - 11/8)**2 - 1/15"}) {
    BOOST_TEST(!refuted(claim).minimal, claim);
  }
  BOOST_TEST(value(refuted("x: []; 0 <= x**4 - 4*x**2 + 3.99"), "x") == "7/5");
  refute::Options short_search;
  short_search.further = false;
  BOOST_TEST((refute::refute(problem("x: []; sin(x)**2 <= 0.999"), short_search).end == End::exhausted));
}

BOOST_AUTO_TEST_CASE(every_listed_matrix_is_tried_where_the_first_draws_have_no_value) {
  BOOST_TEST(sizes("A: [d, d]; assume invertible(A); A**-1 @ A == eye(d)") == "d=2 minimal");
  refuted("A: [2, 2]; assume invertible(A); (1/A) * A @ A == A");
}

BOOST_AUTO_TEST_CASE(solutions_that_no_exact_number_holds_may_have_been_passed_over) {
  const std::string claim = "S: [n, m]; assume rowsum(exp(S)) == ones(n, 1); softmax(S) == ones(n, m) / m";  // log(1/4) and log(3/4) are such
  BOOST_TEST(sizes(claim) == "m=3 n=1 ");
  BOOST_TEST(thin_sets(claim).empty());
}

BOOST_AUTO_TEST_CASE(exponentials_in_an_assumption_are_tried_at_logarithms_though_the_sides_have_none) {
  for (const char* claim : {"S, R: [n]; assume softmax(S) == softmax(R); S == R", "S, R: [n, m]; V: [m, d]; assume softmax(S) @ V == softmax(R) @ V; S == R"}) {
    BOOST_TEST(refute::refute(problem(claim)).counterexample.has_value(), claim);
  }
}

BOOST_AUTO_TEST_CASE(every_false_claim_is_refuted) {
  for (const char* claim : false_claims) {
    BOOST_TEST_CONTEXT(claim) {
      refuted(claim);
      BOOST_TEST((refute::identity_test(problem(claim), 1, 3) != Identity::equal));
    }
  }
}

BOOST_AUTO_TEST_CASE(no_true_claim_is_refuted) {
  for (const char* claim : true_claims) {
    BOOST_TEST_CONTEXT(claim) {
      const auto result = refute::refute(problem(claim));
      BOOST_TEST(refute::text(result.end) == std::string(refute::text(End::exhausted)));
      BOOST_TEST((refute::identity_test(problem(claim), 1, 3) != Identity::different));
    }
  }
}

BOOST_AUTO_TEST_CASE(without_their_assumption_the_same_claims_fail) {
  for (const char* claim : true_claims) {
    const auto parsed = read::parse_claim(claim);
    if (parsed.assumptions.empty() || std::string(claim).find("inv(A)") != std::string::npos) continue;  // inv(A) alone assumes it
    auto bare = parsed;
    bare.assumptions.clear();
    BOOST_TEST_CONTEXT(claim) { BOOST_TEST((refute::refute(infer::elaborate(bare)).end == End::refuted)); }
  }
}

BOOST_AUTO_TEST_CASE(orthogonal_matrices_include_reflections) {
  // Rotations of the plane alone would make this look true.
  const auto c = refuted("R: [2, 2]; assume orthogonal(R); R[0, 0] * R[1, 1] - R[0, 1] * R[1, 0] == 1");
  BOOST_TEST(value(c, "R") == "0 1 1 0");
}

BOOST_AUTO_TEST_CASE(assumptions_that_no_instance_satisfies_are_told) {
  BOOST_TEST((refute::refute(problem("s: []; assume s > 1; assume s < 0; s * s == s")).end == End::no_instance));
  BOOST_TEST((refute::refute(problem("A: [n, n]; assume A @ A == -1; A == 0")).end == End::no_instance));
  BOOST_TEST((refute::refute(problem("assume n < n; A: [n, n]; A == A.T")).end == End::no_instance));
}

BOOST_AUTO_TEST_CASE(a_claim_without_values_is_undefined_and_not_confirmed) {
  BOOST_TEST((refute::refute(problem("A: [n, n]; inv(A - A) == A")).end == End::undefined));
}

BOOST_AUTO_TEST_CASE(numbers_too_long_to_hold_end_the_search_quietly) {
  BOOST_CHECK_NO_THROW(refute::refute(problem("s: []; exp(exp(exp(exp(exp(s))))) == exp(exp(exp(exp(exp(s + 0)))))")));
  BOOST_CHECK_NO_THROW(refute::refute(problem("s: []; assume s > 2; ((((s**64)**64)**64)**64)**64 == ((((s**64)**64)**64)**64)**64 + 1")));
  BOOST_CHECK_NO_THROW(refute::refute(problem("d**20 * k**20 <= k**40 + d**40")));
}

BOOST_AUTO_TEST_CASE(falsity_that_small_matrices_hide_is_found) {
  // The standard identity of degree four holds for all 2 x 2 matrices (Amitsur and Levitzki) and for no larger ones.
  std::string sum;
  std::string order = "ABCD";
  do {
    int inversions = 0;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < i; ++j) inversions += order[static_cast<std::size_t>(j)] > order[static_cast<std::size_t>(i)];
    }
    sum += inversions % 2 == 0 ? " + " : " - ";
    for (int i = 0; i < 4; ++i) sum += std::string(i > 0 ? " @ " : "") + order[static_cast<std::size_t>(i)];
  } while (std::next_permutation(order.begin(), order.end()));
  const auto c = refuted("A: [n, n]; B: [n, n]; C: [n, n]; D: [n, n]; zeros(n, n)" + sum + " == zeros(n, n)");
  BOOST_TEST(c.instance.dims.at("n") == 3);
}

BOOST_AUTO_TEST_CASE(numbers_that_are_compared_with_each_other_are_tried_at_fractions_too) {
  BOOST_TEST(value(refuted("x: []; y: []; assume x > 0; assume x <= y; 0 < abs(x - 1/2)"), "x") == "1/2");
  for (const char* claim : {"x: []; y: []; assume x > 0; assume x <= y; exp(x)/x <= exp(y)", "x: []; y: []; assume x > 0; assume x <= y; exp(x)*y <= exp(y)*x", "x: []; y: []; assume x <= y; gelu(x) <= gelu(y)"}) {
    BOOST_TEST(refute::refute(problem(claim)).counterexample.has_value(), claim);
  }
}

BOOST_AUTO_TEST_CASE(an_inequality_is_refuted_where_it_is_exceeded) {
  const auto c = refuted("d*k <= p*(d + k)");
  BOOST_TEST((std::stoll(c.lhs.values.at(0)) > std::stoll(c.rhs.values.at(0))));
  BOOST_TEST(refuted("A: [n, n]; trace(A) <= frob2(A)").lhs.values.at(0) == "1/2");
}

BOOST_AUTO_TEST_CASE(a_wrong_counterexample_does_not_pass_verification) {
  const auto p = problem("A: [n, n]; B: [n, n]; assume symmetric(A); A @ B == B @ A");
  auto c = *refute::refute(p).counterexample;
  BOOST_TEST(refute::verify(p, c.instance).has_value());
  auto equal = c.instance;
  equal.values["B"] = equal.values["A"];
  BOOST_TEST(!refute::verify(p, equal).has_value());
  auto outside = c.instance;
  outside.values["A"].values = {0, 1, 0, 0};
  outside.values["B"].values = {1, 0, 0, 0};
  BOOST_TEST(!refute::verify(p, outside).has_value());  // the sides differ, but A is not symmetric
}

BOOST_AUTO_TEST_CASE(of_thousands_of_numbers_the_few_that_matter_are_found_without_trying_each) {
  const auto p = problem("W: [16, 72]; M: [16, 72]; layernorm(W, 1/1000000) == M");
  const auto result = refute::refute(p);
  BOOST_REQUIRE(result.counterexample);
  BOOST_TEST(result.instances < 1000);  // one pass over single entries would be 2304
  refute::Options any;
  any.smallest = false;
  const auto quick = refute::refute(p, any);
  BOOST_REQUIRE(quick.counterexample);
  BOOST_TEST(refute::verify(p, quick.counterexample->instance).has_value());
  BOOST_TEST(!quick.counterexample->minimal);
  BOOST_TEST(quick.instances < result.instances);  // the one that was seen first stands
}

BOOST_AUTO_TEST_CASE(the_same_question_gets_the_same_answer) {
  const auto p = problem("X: [n, d]; R: [d, d]; g: [1, d]; assume orthogonal(R); rmsnorm(X @ R) * g == (rmsnorm(X) * g) @ R");
  const auto a = refute::refute(p);
  const auto b = refute::refute(p);
  BOOST_REQUIRE((a.counterexample && b.counterexample));
  BOOST_TEST((a.counterexample->instance.values == b.counterexample->instance.values));
  BOOST_TEST(a.instances == b.instances);
}

BOOST_AUTO_TEST_CASE(thin_sets_of_truth_are_found) {
  const auto sets = thin_sets("A: [n, n]; B: [n, n]; A @ B == B @ A");
  BOOST_REQUIRE_EQUAL(sets.size(), 1U);
  BOOST_TEST(sets[0] == "n = 1");
  const auto equal = thin_sets("Q: [n, k]; C: [m, r]; U: [r, k]; (Q @ U.T) @ C.T / sqrt(r) == Q @ (C @ U).T / sqrt(k)");
  BOOST_TEST((std::any_of(equal.begin(), equal.end(), [](const auto& s) { return s == "k = r"; })));
  // True at k = m = 1 because of m = 1: shapes that only repeat this must not count.
  const auto scaled = thin_sets("Q: [n, k]; K: [m, k]; V: [m, v]; softmax(2 * Q @ K.T) @ V == softmax(Q @ K.T) @ V");
  BOOST_TEST(scaled.size() == 1U);
  // No set that holds the counterexample is worth a look, whatever instances of other sizes say.
  const std::string groups = "Q: [g*q, n, k]; K: [g, m, k]; V: [g, m, v]; concat(softmax(Q[i] @ K[i//q].T) @ V[i//q] for i in range(g*q)) == concat(softmax(Q[i] @ K[i%g].T) @ V[i%g] for i in range(g*q))";
  const auto failed = refuted(groups).instance.dims;
  BOOST_REQUIRE((failed.at("n") == 1 && failed.at("k") == 1 && failed.at("m") == 1));
  for (const std::string& set : thin_sets(groups)) BOOST_TEST((!set.ends_with("n = k") && !set.ends_with("k = m") && !set.ends_with("k = v")), set);
  for (const std::string& set : thin_sets("M: [n, m]; assume mask01(M); sum(M) <= 5")) BOOST_TEST(!set.ends_with(" = 1"), set);  // six ones in a row
  BOOST_TEST(thin_sets("X: [r, a]; Y: [r, a]; relu(X + Y) == relu(X) + relu(Y)").empty());
}

BOOST_AUTO_TEST_CASE(identity_testing_separates_polynomials_and_declines_the_rest) {
  BOOST_TEST((refute::identity_test(problem("(X @ A) @ B == X @ (A @ B)"), 1, 3) == Identity::equal));
  BOOST_TEST((refute::identity_test(problem("A @ B == B @ A"), 1, 3) == Identity::different));
  BOOST_TEST((refute::identity_test(problem("X: [n, d]; R: [d, d]; assume orthogonal(R); (X @ R) @ R.T == X"), 1, 3) == Identity::equal));
  BOOST_TEST((refute::identity_test(problem("X: [n, d]; P: [d, d]; assume permutation(P); (X * X) @ P == (X @ P) * (X @ P)"), 1, 3) == Identity::equal));
  BOOST_TEST((refute::identity_test(problem("R: [2, 2]; assume orthogonal(R); R[0, 0] == R[1, 1]"), 1, 4) == Identity::different));
  BOOST_TEST((refute::identity_test(problem("softmax(S) == S"), 1, 3) == Identity::not_applicable));
  BOOST_TEST((refute::identity_test(problem("A: [n, n]; assume A @ A == A; A @ A @ A == A"), 1, 3) == Identity::not_applicable));
}

BOOST_AUTO_TEST_CASE(shapes_come_smallest_first_and_end_with_different_sizes) {
  const auto shapes = refute::shapes_in_order(problem("X: [n, d]; W: [d, k]; X @ W == X @ W"), 50);
  BOOST_TEST(shapes.size() > 50U);
  const auto entries = [](const expr::DimValues& s) { return s.at("n") * s.at("d") + s.at("d") * s.at("k"); };
  for (std::size_t i = 1; i < 50; ++i) BOOST_TEST(entries(shapes[i - 1]) <= entries(shapes[i]));
  const auto& last = shapes.back();
  BOOST_TEST((last.at("n") != last.at("d") && last.at("d") != last.at("k") && last.at("n") != last.at("k")));
}

}  // namespace foldproof::properties
