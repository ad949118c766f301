// SPDX-License-Identifier: MIT
// What a claim means where its text leaves something open: undeclared shapes, even widths, remainders, token numbers. Each
// statement is true or false under the meaning that people have in mind; the prover and the search must agree with that, and the
// problem that a certificate's text gives again must be the same.
#include <boost/test/unit_test.hpp>

#include "kernel/check.hpp"
#include "kernel/claims.hpp"
#include "prove/prove.hpp"
#include "refute/refute.hpp"

namespace foldproof::properties {
namespace {

constexpr const char* true_readings[] = {
    // sizes
    "X: [n, d]; W: [d, k]; assume d % 2 == 0; X @ W == 2 * X @ W / 2",
    "assume d % 2 == 0; X: [n, d]; X[:, :d//2] @ W[:d//2] + X[:, d//2:] @ W[d//2:] == X @ W",
    "assume d % h == 0; X: [n, d]; concat(X[:, i*(d//h):(i+1)*(d//h)] for i in range(h)) == X",
    "X: [n, k]; theta: [p]; rowsum(rope(X, theta)**2) == rowsum(X**2)",
    "X: [n, k]; theta: [k//2]; rowsum(rope(X, theta)**2) == rowsum(X**2)",
    "X: [n, k]; rowsum(rope(X, theta)**2) == rowsum(X**2)",
    "halfperm(k).T @ halfperm(k) == eye(k)",
    "kron(A, B) @ kron(C, D) == kron(A @ C, B @ D)",
    "kron(eye(n), W_U.T) @ kron(A, W_OV.T) == kron(A, (W_OV @ W_U).T)",
    "kron(A, B) @ vec(X) == vec(B @ X @ A.T)",
    "trace(kron(A, B)) == trace(A) * trace(B)",
    "rowkron(Q, Q) @ rowkron(K, K).T == (Q @ K.T)**2",
    "rowkron(A, B) @ kron(C, D) == rowkron(A @ C, B @ D)",
    "H1, H2: [n, k]; concat(H1, H2) @ vstack(O1, O2) == concat(H2, H1) @ vstack(O2, O1)",
    "X: [3, d]; colsum(X) == X[0] + X[1] + X[2]",
    // readings
    "diag(a) @ diag(b) == diag(a * b)",
    "assume permutation(P); P.T @ diag(s) @ P == diag(P.T @ s)",
    "A: [n, n]; diag(diag(A)) == A * eye(n)",
    "X @ diag(g) @ W == (X * g) @ W",
    "Q: [n, k]; K: [n, k]; V: [n, v]; (Q @ K.T) @ (V + b) == (Q @ K.T) @ V + (Q @ colsum(K).T) @ b",
    "assume onehot(E1); softmax(S) @ E1 @ U == softmax(S) @ (E1 @ U)",
    "assume onehot(T); exp(T @ X) == T @ exp(X)",
    // an axis that NumPy drops
    "np.sum(A * B, axis=1) == diagonal(A @ B.T)",
    "X - X.mean(axis=0) == X - colmean(X)",
    "A: [n, k]; B: [m, k]; np.sum(A**2, axis=1)[:, None] + np.sum(B**2, axis=1) - 2 * A @ B.T == rowsum(A**2) + rowsum(B**2).T - 2 * A @ B.T",
    // the smallest entries, and rows and columns in the other order
    "X: [n, d]; c: [n, 1]; rowmin(X + c) == rowmin(X) + c",
    "min(X, axis=0) == -colmax(-X)",
    "min(X) == rowmin(X)",
    "flip(X) == flip(flip(X, axis=0), axis=1)",
    "flip(K, axis=1) @ flip(V, axis=0) == K @ V",
    "X: [n, d]; take(X, arange(n)) == X",
    // functions of one number
    "exp2(A + B) == exp2(A) * exp2(B)",
    "exp2(X) == exp(X * log(2))",
    "erf(-x) == -erf(x)",
    "x / 2 * (1 + erf(x / sqrt(2))) == gelu(x)",
    "a, b: []; clip(X, a, b) == minimum(maximum(X, a), b)",
    // blocks over heads
    "M: [h, k, k]; concat(H[i] for i in range(h)) @ blockdiag(M[i] for i in range(h)) == concat(H[i] @ M[i] for i in range(h))",
    // token numbers and permutation lists
    "E[t] == take(E, t)",
    "t: [n]; E: [v, d]; E[t] @ W == (E @ W)[t]",
    "t: [n]; X: [m, v]; X[:, t] == take(X.T, t).T",
    "assume permutation(pi); colsum(X[pi]) == colsum(X)",
    "assume permutation(pi); X[:, pi] @ W[pi] == X @ W",
    "assume permutation(pi); sum(H[pi[i]] @ O[pi[i]] for i in range(h)) == sum(H[i] @ O[i] for i in range(h))",
    "H: [h, n, k]; O: [h, k, m]; pi: [h]; assume permutation(pi); concat(H[pi[i]] for i in range(h)) @ vstack(O[pi[i]] for i in range(h)) == concat(H[i] for i in range(h)) @ vstack(O[i] for i in range(h))",
};

constexpr const char* false_readings[] = {
    "S: [n, n]; exp(S) / np.sum(exp(S), axis=1) == softmax(S)",
    "min(X) == max(X)",
    "flip(X) == flip(X, axis=0)",
    "flip(X, axis=0) @ W == X @ flip(W, axis=0)",
    "X: [n, d]; take(X, arange(n)) == 2 * X",
    "exp2(A + B) == exp2(A) + exp2(B)",
    "x / 2 * (1 + erf(x)) == gelu(x)",
    "elu(X) == relu(X)",
    "a, b: []; clip(X, a, b) == maximum(minimum(X, b), a)",
    "X: [n, d]; W: [d, k]; assume d % 2 == 0; X @ W == X @ W / 2",
    "X: [n, k]; theta: [p]; rope(X, theta) == X",
    "kron(A, B) @ kron(C, D) == kron(C @ A, D @ B)",
    "H1, H2: [n, k]; concat(H1, H2) @ vstack(O1, O2) == concat(H2, H1) @ vstack(O1, O2)",
    "diag(a) @ diag(b) == diag(a + b)",
    "Q: [n, k]; K: [n, k]; V: [n, v]; (Q @ K.T) @ (V + b) == (Q @ K.T) @ V + b",
    "M: [h, k, k]; concat(H[i] for i in range(h)) @ blockdiag(M[i] for i in range(h)) == concat(H[i] @ M[h-1-i] for i in range(h))",
    "t: [n]; X: [n, d]; colsum(X[t]) == colsum(X)",
    "assume permutation(pi); X[pi] == X",
    "assume permutation(pi); X[:, pi] @ W == X @ W",
    "H: [h, n, k]; O: [h, k, m]; pi: [h]; concat(H[pi[i]] for i in range(h)) @ vstack(O[pi[i]] for i in range(h)) == concat(H[i] for i in range(h)) @ vstack(O[i] for i in range(h))",
    "H: [h, n, k]; O: [h, k, m]; pi: [h]; assume permutation(pi); concat(H[pi[i]] for i in range(h)) @ vstack(O[i] for i in range(h)) == concat(H[i] for i in range(h)) @ vstack(O[i] for i in range(h))",
    // a list of n numbers is no permutation of a longer axis
    "X: [n + 1, d]; pi: [n]; assume permutation(pi); colsum(X[pi]) == colsum(X)",
};

}  // namespace

BOOST_AUTO_TEST_CASE(true_under_the_meaning_people_have_in_mind_is_proved_and_never_refuted) {
  for (const char* claim : true_readings) {
    BOOST_TEST_CONTEXT(claim) {
      try {
        const auto p = problem(claim);
        const auto proof = prove::prove(p);
        BOOST_TEST(proof.certificate.has_value(), proof.reason);
        if (proof.certificate) BOOST_TEST(kernel::check(problem(claim), *proof.certificate).accepted);  // the text gives the same problem again
        refute::Options options;
        options.shapes = 40;
        options.screening = 400'000;
        BOOST_TEST(!refute::refute(p, options).counterexample.has_value());
      } catch (const expr::Error& e) {
        BOOST_ERROR(e.diagnostic().message);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(false_under_the_meaning_people_have_in_mind_is_refuted_and_never_proved) {
  for (const char* claim : false_readings) {
    BOOST_TEST_CONTEXT(claim) {
      try {
        const auto p = problem(claim);
        BOOST_TEST(!prove::prove(p).certificate.has_value());
        BOOST_TEST(refute::refute(p).counterexample.has_value());
      } catch (const expr::Error& e) {
        BOOST_ERROR(e.diagnostic().message);
      }
    }
  }
}

}  // namespace foldproof::properties
