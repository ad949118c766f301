// SPDX-License-Identifier: MIT
// Claims for the properties of src/campaign, and the exact values that its bounds must enclose.
#pragma once

#include <string>

#include "campaign/campaign.hpp"
#include "expr/syntax.hpp"
#include "read/parse.hpp"

namespace foldproof::properties {

inline infer::Problem problem(const std::string& claim) { return infer::elaborate(read::parse_claim(claim)); }

/// True identities with products, heads, masks, norms, assumptions; several hold over the reals only.
inline constexpr const char* true_claims[] = {
    "(X @ A) @ B == X @ (A @ B)",
    "X: [n, a]; U: [a, b]; u: [1, b]; V: [b, c]; v: [1, c]; (X @ U + u) @ V + v == X @ (U @ V) + (u @ V + v)",
    "H: [h, n, k]; O: [h, k, d]; concat(H[i] for i in range(h)) @ vstack(O[i] for i in range(h)) == sum(H[i] @ O[i] for i in range(h))",
    "X: [n, d]; Q: [d, k]; K: [d, k]; V: [d, k]; O: [k, d]; (softmax(X @ Q @ (X @ K).T) @ (X @ V)) @ O == softmax(X @ (Q @ K.T) @ X.T) @ (X @ (V @ O))",
    "Q: [n, a]; K: [m, a]; b: [1, a]; softmax(Q @ (K + ones(m, 1) @ b).T) == softmax(Q @ K.T)",
    "S: [n, m]; M: [n, m]; assume mask01(M); softmax(S + neginf(M)) == exp(S) * M / rowsum(exp(S) * M)",
    "X: [n, a]; R: [a, a]; assume orthogonal(R); rmsnorm(X @ R) == rmsnorm(X) @ R",
    "X: [n, a]; U: [a, b]; V: [b, c]; s: [1, b]; assume s > 0; relu(X @ (U @ diag(s))) @ (diag(1 / s) @ V) == relu(X @ U) @ V",
    "A: [n, m]; assume rowstochastic(A); softmax(log(A)) == A",
    "tanh(X) == 2 * sigmoid(2 * X) - 1",
    "X: [n, d]; layernorm(X + 3) == layernorm(X)",
    "A: [a, a]; B: [a, a]; assume A @ B == B @ A; A @ B @ A == A @ A @ B",
};

}  // namespace foldproof::properties
