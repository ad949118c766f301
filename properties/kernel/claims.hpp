// SPDX-License-Identifier: MIT
// Claims with known truth for the suites about the kernel: true ones of every kind, and false ones, among them every claim
// that an earlier kernel proved. Each false claim fails at a small instance.
#pragma once

#include <string>
#include <vector>

#include "expr/syntax.hpp"
#include "infer/problem.hpp"
#include "prove/prove.hpp"
#include "record/certificate_json.hpp"

namespace foldproof::properties {

inline infer::Problem problem(const std::string& claim) { return infer::elaborate(expr::parse_claim(claim)); }

inline constexpr const char* proved_claims[] = {
    "S1: [n, n]; rowsum(tril(softmax(S1 + causal(n)))) == ones(n, 1)",
    "c: []; tril(abs(offsets(n, n))) == -tril(offsets(n, n))",
    "B: [n, n]; tril(exp(tril(B))) == tril(exp(B))",
    "B: [n, n]; exp(tril(B) + causal(n)) == exp(B + causal(n))",
    "M, B: [n, n]; assume mask01(M); M * exp(M * B) == M * exp(B)",
    "M, B: [n, n]; assume mask01(M); tanh(M * B) == M * tanh(B)",
    "M, B: [n, n]; assume mask01(M); cos(M * B) == M * cos(B) + 1 - M",
    "M, B: [n, n]; assume mask01(M); sigmoid(M * B) == M * sigmoid(B) + (1 - M)/2",
    "B: [n, n]; tanh(tril(B)) == tril(tanh(B))",
    "exp(eye(n) * 2) == ones(n, n) + (exp(2) - 1) * eye(n)",
    "s: [n]; tanh(diag(s)) == diag(tanh(s))",
    "Q, K: [n, k]; c: []; softmax(Q @ K.T - c*abs(offsets(n, n)) + causal(n)) == softmax(Q @ K.T + c*ones(n, 1) @ positions(n) + causal(n))",
    "Q: [n, k]; K: [n, k]; B: [n, n]; softmax(Q @ K.T + B + causal(n)) == softmax(Q @ K.T + tril(B) + causal(n))",
    "X: [n, d]; W: [d, h*k]; transpose(reshape(X @ W, n, h, k), 1, 0, 2)[h-1] == X @ W[:, (h-1)*k:]",
    "W: [d, h*k]; reshape(W, d, h, k)[:, h-1, :] == W[:, (h-1)*k:h*k]",
    "W: [d, h*k]; reshape(W, d, h, k)[:, h-1, :] == W[:, h*k-k:]",
    "H: [h, n, v]; W_O: [h*v, d]; concat(H[h-1-i] for i in range(h)) @ vstack(W_O[(h-1-i)*v:(h-i)*v, :] for i in range(h)) == concat(H[i] for i in range(h)) @ W_O",
    "H: [h, v]; W: [h*v]; sum(sum(W[(h-1-i)*v:(h-i)*v]) for i in range(h)) == sum(W)",
    "X: [n, d]; M: [d, d]; assume M.T == -M; diagonal(X @ M @ X.T) == zeros(n)",
    "M: [d, d]; x: [d]; assume M.T == -M; x @ M @ x == 0",
    "M: [d, d]; x: [d, 1]; assume M + M.T == zeros(d, d); x.T @ M @ x == zeros(1, 1)",
    "A: [n, k]; B: [n, k]; sqrt(rowsum(A*A) * rowsum(B*B)) == sqrt(rowsum(A*A)) * sqrt(rowsum(B*B))",
    "Q: [n, k]; K: [m, k]; l2norm(Q) @ l2norm(K).T == (Q @ K.T) / sqrt(rowsum(Q*Q) @ rowsum(K*K).T)",
    "X: [n, d]; s: [n, 1]; assume s < 0; layernorm(X * s) == -layernorm(X)",
    "X: [n, d]; s: []; assume s < 0; rmsnorm(s * X) == -rmsnorm(X)",
    "M: [n, n]; assume mask01(M); M <= ones(n, n)",
    "M, N: [n, n]; assume mask01(M), mask01(N); M * N <= M",
    "M, N: [n, n]; assume mask01(M), mask01(N); M + N <= 1 + M * N",
    "S: [n, n]; rowsum(softmax(S + causal(n))) == ones(n, 1)",
    "S: [n, m]; tril(S, 1) / rowsum(tril(S, 1)) @ ones(m, 1) == ones(n, 1)",
    "(X @ A) @ B == X @ (A @ B)",
    "(A @ B).T == B.T @ A.T",
    "X @ (W + s * (A @ B)) == X @ W + s * ((X @ A) @ B)",
    "S: [n, m]; rowsum(softmax(S)) == ones(n, 1)",
    "Q: [n, a]; K: [m, a]; b: [1, a]; softmax(Q @ (K + ones(m, 1) @ b).T) == softmax(Q @ K.T)",
    "S: [n, m]; V: [m, c]; b: [1, c]; softmax(S) @ (V + ones(m, 1) @ b) == softmax(S) @ V + ones(n, 1) @ b",
    "concat(A, B) @ vstack(C, D) == A @ C + B @ D",
    "abs(concat(A, B)) == concat(abs(A), abs(B))",
    "X: [n, h*k]; concat(X[:, i*k:(i+1)*k] for i in range(h)) == X",
    "H: [h, n, k]; O: [h, k, d]; sum(H[i] @ O[i] for i in range(h)) == concat(H[i] for i in range(h)) @ vstack(O[i] for i in range(h))",
    "X: [n, h*k]; reshape(reshape(X, n, h, k), n, h*k) == X",
    "X: [n, m]; vec(X) == reshape(X.T, n*m, 1)",
    "A: [n, m]; B: [p, q]; kron(A, B).T == kron(A.T, B.T)",
    "Q: [n, 2*p]; K: [m, 2*p]; t: [p]; s: []; rope(Q, t, s) @ rope(K, t, s).T == rope(Q, t) @ rope(K, t).T",
    "X: [n, 2*p]; t: [p]; rope_half(X @ halfperm(2*p), t) == rope(X, t) @ halfperm(2*p)",
    "X: [n, m]; s: []; assume s > 0; rmsnorm(s * X) == rmsnorm(X)",
    "X: [n, a]; R: [a, a]; assume orthogonal(R); rmsnorm(X @ R) == rmsnorm(X) @ R",
    "X: [n, m]; layernorm(rmsnorm(X)) == layernorm(X)",
    "X: [n, m]; l2norm(l2norm(X)) == l2norm(X)",
    "P: [n, n]; X: [n, a]; assume permutation(P); softmax(P @ X @ X.T @ P.T) @ (P @ X) == P @ (softmax(X @ X.T) @ X)",
    "T: [n, v]; assume onehot(T); exp(T @ W + b) == T @ exp(W) * exp(b)",
    "T: [n, v]; W: [v, m]; U: [v, m]; assume onehot(T); abs(T @ W + T @ U) == T @ abs(W + U)",
    "A: [h, n, m]; assume onehot(A); sum(A, axis=2) == ones(h, n, 1)",
    "A: [n, n]; assume symmetric(A); A @ A.T == A.T @ A",
    "X: [n, a]; U: [a, b]; V: [b, c]; s: [1, b]; assume s > 0; relu(X @ (U @ diag(s))) @ (diag(1 / s) @ V) == relu(X @ U) @ V",
    "X: [n, a]; U: [a, b]; assume X @ U >= 0; relu(X @ U) == X @ U",
    "relu(X) - relu(-X) == X",
    "maximum(A, B) + minimum(A, B) == A + B",
    "exp(causal(n)) == tril(n)",
    "M: [n, m]; X: [n, m]; assume mask01(M); exp(X + neginf(M)) == exp(X) * M",
    "Q: [n, k]; K: [n, k]; softmax((Q @ K.T + causal(n)) / sqrt(k)) == softmax((Q / sqrt(k)) @ K.T + causal(n))",
    "M: [n, m]; c: []; assume mask01(M), c > 0; exp(c * neginf(M)) == M",
    "A: [n, m]; assume rowstochastic(A); softmax(log(A)) == A",
    "sqrt(X * X) == abs(X)",
    "X: [n, m]; cos(3 * X) == 4 * cos(X)**3 - 3 * cos(X)",
    "X: [n, m]; sin(X)**2 + cos(X)**2 == ones(n, m)",
    "X: [n, m]; gelu(X) - gelu(-X) == X",
    "softplus(X) - softplus(-X) == X",
    "X: [n, m]; b: [n, 1]; max(X + b, axis=1) == max(X, axis=1) + b",
    "A: [n, n]; B: [n, n]; inv(A @ B) == inv(B) @ inv(A)",
    "A: [n, n]; inv(A.T) == inv(A).T",
    "A: [n, n]; inv(inv(A)) == A",
    "A: [n, n]; s: []; inv(s * A) == inv(A) / s",
    "A: [n, n]; inv(eye(n) + A) == eye(n) - inv(eye(n) + A) @ A",
    "D: [n]; inv(diag(D)) == diag(1 / D)",
    "R: [n, n]; assume orthogonal(R); inv(R) @ R.T == R.T @ R.T",
    "A: [n, n]; B: [n, n]; det(A @ B) == det(A) * det(B)",
    "A: [n, n]; det(A.T) == det(A)",
    "A: [n, n]; det(inv(A)) * det(A) == 1",
    "det(eye(n)) == 1",
    "R: [n, n]; assume orthogonal(R); det(R)**3 == det(R)",
    "W: [n, m]; lfac(W, m) @ rfac(W, m) == W",
    "W: [n, m]; assume p >= n; lfac(W, p) @ rfac(W, p) == W",
    "eye(n, n + m) @ eye(n + m, n) == eye(n)",
    "trace(eye(n) @ A) == sum(diag(A))",
    "eye(h*k) == kron(eye(h), eye(k))",
    "X: [n, m]; Y: [n, m]; assume X > 0; assume Y > 0; log(X * Y) == log(X) + log(Y)",
    "X: [4, 6]; vstack(X[:2], X[2:]) == X",
    "A: [a, a]; B: [a, a]; assume A @ B == B @ A; A @ B @ A == A @ A @ B",
    "sum(offsets(n)) == sum(offsets(n).T)",
    "A: [n, m]; tril(A, -1) + triu(A) == A",
    "H: [h, n, m]; sum(H[-i-1] for i in range(h)) == sum(H[h-i-1] for i in range(h))",
    "X: [n + k, d]; vstack(X[:-k], X[-k:]) == X",
    "A: [n, n]; tril(A) + triu(A) - diag(diagonal(A)) == A",
    "S: [n, n]; V: [n, m]; (softmax(S + causal(n)) @ V)[:1, :] == V[:1, :]",
    "H: [h, n, m]; sum(H[h-1-i] for i in range(h)) == sum(H[i] for i in range(h))",
    "X: [n, m]; c: []; assume c >= 0; max(c * X, axis=1) == c * max(X, axis=1)",
    "X: [n, m]; Y: [n, k]; max(concat(X, Y), axis=1) == maximum(max(X, axis=1), max(Y, axis=1))",
    "X: [n, m]; exp(max(X, axis=1)) == max(exp(X), axis=1)",
    "relu(relu(X)) == relu(X)",
    "A: [n, n]; B: [n, n]; assume A @ B == eye(n); B @ A == eye(n)",
    "X: [n, m]; assume X <= 0; relu(X) == zeros(n, m)",
    "assume a <= b; a*a <= a*b",
    "0 <= n*n - 2*n + 1",
};

/// True claims whose certificates lead them back to other claims.
inline constexpr const char* reduced_claims[] = {
    "rank(A @ B) <= min(rank(A), rank(B))",
    "rank(A) == rank(A.T)",
    "W: [d, k]; U: [k, m]; assume rank(W) <= q; rank(W @ U) <= q",
    "W: [d, k]; n*(n+1)/2 <= n*n",
    "rank(A + B) <= rank(A) + rank(B)",
    "A: [d, p]; B: [p, k]; rank(A @ B) <= min(d, p, k)",
    "W: [d, p]; U: [h, p, k]; rank(concat(W @ U[i] for i in range(h))) <= p",
    "W_V: [h, d, v]; W_O: [h, v, d]; rank(sum(W_V[i] @ W_O[i] for i in range(h))) <= min(d, h*v)",
    "W: [d, k]; A: [d, r]; B: [r, k]; rank(W + A @ B) <= rank(W) + r",
    "assume invertible(P); rank(A @ P) == rank(A)",
    "R: [n, n]; assume orthogonal(R); rank(R) == n",
    "rank(eye(n)) == n",
    "s: []; assume nonzero(s); rank(s * A) == rank(A)",
    "rank(softmax(Q @ K.T) @ V) <= rank(V)",
    "W: [d, k]; lfac(W, rank(W)) @ rfac(W, rank(W)) == W",
    "W: [d, k]; assume p >= min(d, k); lfac(W, p) @ rfac(W, p) == W",
    "X: [n, d]; W: [d, m]; X[:, :p] @ W[:p] + X[:, p:] @ W[p:] == X @ W",
    "X: [n, d]; W: [d, m]; X[:, :d//2] @ W[:d//2] + X[:, d//2:] @ W[d//2:] == X @ W",
    "X: [n, d]; W: [d, d]; (softmax(X @ W @ X.T + causal(n)) @ X)[:t] == softmax(X[:t] @ W @ X[:t].T + causal(t)) @ X[:t]",
    // Both sides times what has an inverse, or is nowhere zero.
    "assume invertible(A), A @ B == A @ C; B == C",
    "A: [n, n]; C: [r, r]; U: [n, r]; V: [r, n]; assume invertible(A), invertible(C); inv(A + U @ C @ V) == inv(A) - inv(A) @ U @ inv(inv(C) + V @ inv(A) @ U) @ V @ inv(A)",
    "X: [n, d]; l: []; assume l > 0, invertible(X.T @ X + l * eye(d)), invertible(X @ X.T + l * eye(n)); inv(X.T @ X + l * eye(d)) @ X.T == X.T @ inv(X @ X.T + l * eye(n))",
    "A: [n, n]; assume symmetric(A), invertible(A); inv(A).T == inv(A)",
    "s: [d]; assume all(s**2 == 1); inv(diag(s)) == diag(s)",
    "sigmoid(x) * sigmoid(-x) == exp(x) / (1 + exp(x))**2",
    // A lemma from an assumption.
    "S1: [n, m]; S2: [n, m]; V1: [m, v]; V2: [m, v]; assume lse(S1) == lse(S2); softmax(concat(S1, S2)) @ vstack(V1, V2) == (softmax(S1) @ V1 + softmax(S2) @ V2) / 2",
    "x, y: []; assume exp(x) == exp(y); x == y",
};

inline constexpr const char* false_claims[] = {
    "M, B: [n, n]; assume mask01(M); exp(M * B) == M * exp(B)",
    "M, B: [n, n]; assume mask01(M); cos(M * B) == M * cos(B)",
    "Q: [n, k]; K: [n, k]; B: [n, n]; softmax(Q @ K.T + B + causal(n)) == softmax(Q @ K.T + tril(B, -1) + causal(n))",
    "X: [n, d]; M: [d, d]; assume M.T == -M; X @ M @ X.T == zeros(n, n)",
    "M: [d, d]; x, y: [d]; assume M.T == -M; x @ M @ y == 0",
    "A: [n, k]; B: [n, k]; sqrt(rowsum(A*B) * rowsum(B*A)) == rowsum(A*B)",
    "X: [n, d]; s: []; assume s < 0; rmsnorm(s * X) == rmsnorm(X)",
    "M, N: [n, n]; assume mask01(M), mask01(N); M <= M * N",
    // proved once by a kernel with a bug
    "sum(tril(h*h)[i, i*i] for i in range(h)) == h",
    "sum(eye(h*h)[i*i, :h] for i in range(h)) == ones(h)",
    "t: [n]; onehot(2*t, v) == onehot(t, v)",
    "t: [n]; onehot(t*t, v) == onehot(t, v)",
    "W: [n, 2]; onehot(W[:, 0], v) == onehot(W[:, 1], v)",
    "X: [n, k]; abs(n // (1 - 2*k)) + 0*sum(X) == n // (1 - 2*k)",
    "assume a <= b; (n // (1 - 2*k)) * a <= (n // (1 - 2*k)) * b",
    "n/7161357323 + m/3184375895 + k/2589152949 <= 0",
    "A: [n, n]; tril(A, 1) == tril(A)",
    // what is assumed where both sides are minus infinity says nothing about the rest
    "S, T: [n, n]; assume S + causal(n) == T + causal(n), rowsum(S) == rowsum(T); S == T",
    "A, B: [n, n]; assume softmax(A) + causal(n) == softmax(B) + causal(n); softmax(A) == softmax(B)",
    "M: [n, m]; c: []; assume mask01(M); exp(c * neginf(M)) == M",
    "S: [n, n]; c: []; assume c >= 0; softmax(c * (S + causal(n))) == softmax(c * S + causal(n))",
    "y, z: [n, n]; assume exp(causal(n)) * y == exp(causal(n)) * z; y == z",
    "M, y, z: [n, m]; assume mask01(M), exp(neginf(M)) * y == exp(neginf(M)) * z; y == z",
    // false in ordinary ways
    "A: [n, n]; B: [n, n]; A @ B == B @ A",
    "A: [n, n]; B: [n, n]; (A @ B).T == A.T @ B.T",
    "A: [n, n]; B: [n, n]; inv(A @ B) == inv(A) @ inv(B)",
    "A: [n, n]; inv(A + A) == inv(A) + inv(A)",
    "A: [n, n]; inv(A) == A.T",
    "A: [n, n]; B: [n, n]; det(A + B) == det(A) + det(B)",
    "A: [n, n]; det(2 * A) == 2 * det(A)",
    "A: [n, n]; det(A)**2 == 1",
    "W: [n, m]; lfac(W, p) @ rfac(W, p) == W",
    "W: [n, m]; assume p <= m; lfac(W, p) @ rfac(W, p) == W",
    "D: [1, n]; A: [n, n]; inv(D * A) == inv(A) / D",
    "Q: [n, k]; K: [m, k]; b: [1, k]; softmax((Q + ones(n, 1) @ b) @ K.T) == softmax(Q @ K.T)",
    "S: [n, m]; softmax(softmax(S)) == softmax(S)",
    "S: [n, m]; rowsum(softmax1(S)) == ones(n, 1)",
    "softmax(concat(A, B)) == concat(softmax(A), softmax(B))",
    "X: [n, d]; vstack(X[t:], X[:t]) == X",
    "X: [n, m]; reshape(X, m, n) == X.T",
    "X: [n, h*k]; reshape(transpose(reshape(X, n, h, k), 0, 2, 1), n, h*k) == X",
    "A: [n, n, n]; assume symmetric(A); transpose(A, 1, 0, 2) == A",
    "A: [h, n, m]; assume onehot(A); sum(A, axis=1) == ones(h, 1, m)",
    "P: [n, n]; assume onehot(P); P.T @ P == eye(n)",
    "T: [n, v]; S: [n, v]; W: [v, m]; U: [v, m]; assume onehot(T); assume onehot(S); abs(T @ W + S @ U) == T @ abs(W) + S @ abs(U)",
    "sqrt(X * X) == X",
    "(X * X * X * X)**(1/4) == X",
    "log(X * X) == 2 * log(X) + X",
    "s: []; relu(s * X) == s * relu(X)",
    "s: []; assume s != 0; relu(s * X) == s * relu(X)",
    "s: []; assume s > 1; abs(s - 2) == s - 2",
    "M: [n, m]; X: [n, m]; assume mask01(M); softmax(X + neginf(M)) == softmax(X) * M",
    "tril(n) @ tril(n) == tril(n)",
    "tril(n) + triu(n) == ones(n, n)",
    "sum(eye(n, m)) == n",
    "eye(n, m) @ eye(m, n) == eye(n)",
    "X: [n, d]; sum(X[:t]) + sum(X[t+1:]) == sum(X)",
    "X: [n, m]; max(-X, axis=1) == -max(X, axis=1)",
    "X: [n, m]; b: [1, m]; max(X + b, axis=1) == max(X, axis=1) + max(b, axis=1)",
    "X: [n, m]; max(X * X, axis=1) == max(X, axis=1)**2",
    "X: [n, m]; sin(-X) == sin(X)",
    "X: [n, m]; rsqrt(X * X) == 1 / X",
    "X: [n, m]; s: []; rmsnorm(s * X) == rmsnorm(X)",
    "R: [n, n]; assume orthogonal(R); R @ R == eye(n)",
    "A: [n, m]; assume rowstochastic(A); ones(1, n) @ A == ones(1, m)",
    "X: [h, n, n]; sum(sum(X[i] @ X[j] for i in range(h)) for j in range(h)) == sum(X[i] @ X[i] for i in range(h))",
    "X: [n, 2*p]; t: [p]; rope(X, t) == rope_half(X, t)",
    "sum(i*i for i in range(h)) == sum(i for i in range(h))",
    "n <= 2 * (n // 2)",
    "n * m <= n + m",
    "assume k <= d; d <= k",
};

/// False ones near to them.
inline constexpr const char* false_reduced_claims[] = {
    "A: [n, d]; P: [d, d]; rank(A @ P) == rank(A)",
    "rank(A) <= rank(A @ B)",
    "A: [n, d]; rank(A) <= 1",
    "A: [n, n]; n <= rank(A)",
    "s: []; rank(A) <= rank(s * A)",
    "rank(A + B) <= rank(A)",
    "rank(A * B) <= rank(A)",
    "W: [d, k]; assume p <= min(d, k); lfac(W, p) @ rfac(W, p) == W",
    "W: [d, k]; assume p >= max(d - 1, k - 1); lfac(W, p) @ rfac(W, p) == W + 0*W + 1",
    "X: [n, d]; W: [d, m]; X[:, :p] @ W[:p] == X @ W",
    "X: [n, d]; W: [d, m]; X[:, :d//2] @ W[:d//2] + X[:, d//2:] @ W[d//2:] == 2 * X @ W",
    "assume A @ B == A @ C; B == C",
    "A: [n, n]; B: [n, n]; assume invertible(A), invertible(B), invertible(A + B); inv(inv(A) + inv(B)) == inv(A + B)",
    "A: [h, n, n]; B: [n, m]; C: [n, m]; 0 * sum(inv(A[i]) for i in range(h)) @ B + A[0] @ B == A[0] @ C",
    "x, y: []; assume exp(x) == exp(y); x == 2 * y",
    "x, y: [n, 1]; assume max(x, y) >= 0; relu(-x) @ relu(-y).T == zeros(n, n)",  // entry by entry, one or the other
};

/// The proof of a claim by all means there are.
inline prove::Proof proof_of(const std::string& text) {
  const auto claim = expr::parse_claim(text);
  const auto p = infer::elaborate(claim);
  auto proof = prove::prove(claim, p);
  if (!proof.certificate) proof.certificate = prove::prove_by_products(claim, p);
  return proof;
}

/// Every true claim with its certificate. Throws InternalError when one is not proved.
inline std::vector<record::CertificateRecord> proved_library() {
  std::vector<record::CertificateRecord> all;
  const auto add = [&](const char* claim) {
    auto proof = proof_of(claim);
    if (!proof.certificate) throw expr::InternalError(std::string("no proof of ") + claim + ": " + proof.reason);
    all.push_back({claim, std::move(*proof.certificate)});
  };
  for (const char* claim : proved_claims) add(claim);
  for (const char* claim : reduced_claims) add(claim);
  return all;
}

}  // namespace foldproof::properties
