// SPDX-License-Identifier: MIT
// Refuted claims and their repairs: what is named is proved when decided as it is printed, and it is the change that a person would make.
#include <boost/test/unit_test.hpp>
#include <string>

#include "read/parse.hpp"
#include "repair/quick_look.hpp"
#include "repair/tautology.hpp"
#include "verdict/decide.hpp"

namespace foldproof::properties {
namespace {

struct Mistake {
  const char* claim;
  const char* repair;  ///< the equation and the assumptions of the repaired claim; "" where there is none
};

// Declarations are left out of the second column.
constexpr Mistake mistakes[] = {
    {"(X @ A) @ B == X @ (B @ A)", "X @ A @ B == X @ (A @ B)"},
    {"v: [d, 1]; assume v.T @ v == 1; (eye(d) - v @ v.T) @ (eye(d) - v @ v.T) == eye(d)", "assume v.T @ v == 1\n(eye(d) - v @ v.T) @ (eye(d) - v @ v.T) == eye(d) - v @ v.T"},
    {"B @ (A @ X) == (A @ B) @ X", "B @ (A @ X) == B @ A @ X"},
    {"(A @ B).T == A.T @ B.T", "(A @ B).T == B.T @ A.T"},
    {"(X @ A) @ B == (X @ B) @ A", "assume A @ B == B @ A\nX @ A @ B == X @ B @ A"},
    {"(X @ A.T) @ B.T == X @ (A @ B).T", "X @ A.T @ B.T == X @ (B @ A).T"},
    {"(X @ Q) @ (Y @ K).T == X @ (K @ Q.T) @ Y.T", "X @ Q @ (Y @ K).T == X @ (Q @ K.T) @ Y.T"},
    {"(X @ Q) @ (Y @ K).T == X @ (Q.T @ K) @ Y.T", "X @ Q @ (Y @ K).T == X @ (Q @ K.T) @ Y.T"},
    {"A: [n, m]; A @ (X @ V) @ O == A @ X @ (V @ O).T", "A @ (X @ V) @ O == A @ X @ (V @ O)"},
    {"Q: [n, k]; K: [m, k]; b: [1, k]; softmax((Q + b) @ K.T) == softmax(Q @ K.T)", "softmax((Q + b) @ K.T) == softmax(Q @ K.T + b @ K.T)"},
    {"S: [n, m]; b: [1, v]; softmax(S) @ (V + b) == softmax(S) @ V", "softmax(S) @ (V + b) == softmax(S) @ V + b"},
    {"S: [n, m]; b: [1, v]; softmax1(S) @ (V + b) == softmax1(S) @ V", "softmax1(S) @ (V + b) == softmax1(S) @ V + rowsum(softmax1(S)) * b"},
    {"Q: [n, k]; b: [1, k]; (Q @ (K + b).T) @ V == (Q @ K.T) @ V", "Q @ (K + b).T @ V == Q @ K.T @ V + Q @ b.T @ colsum(V)"},
    {"(X + H @ O) @ Q == H @ (O @ Q)", "(X + H @ O) @ Q == H @ (O @ Q) + X @ Q"},
    {"(E + P) @ W @ (E + P).T == E @ W @ E.T + P @ W @ P.T", "(E + P) @ W @ (E + P).T == E @ W @ E.T + P @ W @ P.T + E @ W @ P.T + P @ W @ E.T"},
    {"X: [n, d]; A: [d, d]; X + X @ A == X @ (eye(d) - A)", "X + X @ A == X @ (eye(d) + A)"},
    {"s: []; relu(s * x) == s * relu(x)", "assume s >= 0\nrelu(s * x) == s * relu(x)"},
    {"s: []; (s * A) @ (s * B) == s * (A @ B)", "s * A @ (s * B) == s * (s * (A @ B))"},
    {"Q: [n, k]; (Q / sqrt(k)) @ (K / sqrt(k)).T == Q @ K.T / sqrt(k)", "Q / sqrt(k) @ (K / sqrt(k)).T == Q @ K.T / sqrt(k) / sqrt(k)"},
    {"assume nonzero(s); (Q * s) @ (K * s).T == Q @ K.T", "assume nonzero(s)\nQ / s @ (K * s).T == Q @ K.T"},
    {"relu(X @ A) @ B == X @ (A @ B)", "assume X @ A >= 0\nrelu(X @ A) @ B == X @ (A @ B)"},
    {"abs(softmax(S) @ V) <= max(abs(V))", "abs(softmax(S) @ V) <= max(abs(V), axis=0)"},
    {"np.exp(x) / np.sum(np.exp(x)) == softmax(x)", "exp(x) / sum(exp(x)) == softmax(x)"},
    {"S: [n, m]; softmax(S).T @ ones(n, 1) == ones(m, 1)", "softmax(S, axis=0).T @ ones(n, 1) == ones(m, 1)"},
    {"softmax(S - colmax(S)) == softmax(S)", "softmax(S - rowmax(S)) == softmax(S)"},
    {"assume orthogonal(R); rmsnorm(X @ R) * g == (rmsnorm(X) * g) @ R", ""},
    {"P: [n, n]; softmax(P @ S) == P @ softmax(S)", "assume permutation(P)\nsoftmax(P @ S) == P @ softmax(S)"},
    {"A @ A.T == A.T @ A", "assume symmetric(A)\nA @ A.T == A.T @ A"},
    {"A, B, C, D: [k, k]; concat(A, B) @ vstack(C, D) == concat(A, B) @ vstack(D, C)", "concat(A, B) @ vstack(C, D) == concat(B, A) @ vstack(D, C)"},
    {"W: [h, k, v]; stack((X @ Q) @ W[i] for i in range(h)) == stack(X @ (Q @ W[0]) for i in range(h))", "stack(X @ Q @ W[i] for i in range(h)) == stack(X @ (Q @ W[i]) for i in range(h))"},
    {"relu(take(E, t) @ W) == take(E @ W, t)", "relu(take(E, t) @ W) == take(relu(E @ W), t)"},
    {"theta: [p]; t: []; Q, K: [n, 2*p]; rope(Q, theta, t) @ rope(K, theta).T == rope(Q, theta) @ rope(K, theta).T", "rope(Q, theta, t) @ rope(K, theta, t).T == rope(Q, theta) @ rope(K, theta).T"},
    {"softmax(softmax(S)) == softmax(S)", ""},
    {"x: [1, 2, 1]; Y: [3, 2, 3]; (x.expand(4, 2, 3))[1:3+1] == Y", ""},  // other parts in place of what says how often it is repeated
    {"A, B: [2, 2]; A @ B == B @ A", ""},
    {"G: [n, e]; W: [e, d, k]; sum(G[:, i:i+1] * relu(X @ W[i]) for i in range(e)) == relu(sum(G[:, i:i+1] * (X @ W[i]) for i in range(e)))",
     "assume onehot(G)\nsum(G[:, i:i+1] * relu(X @ W[i]) for i in range(e)) == relu(sum(G[:, i:i+1] * (X @ W[i]) for i in range(e)))"},
    {"A, B: [n, n]; assume invertible(A), invertible(B); inv(A) - inv(B) == inv(A) @ (A - B) @ inv(B)", "assume invertible(A)\nassume invertible(B)\ninv(A) - inv(B) == inv(A) @ (B - A) @ inv(B)"},
    {"P: [n, n]; assume permutation(P); P.T == P", ""},
    {"P: [n, n]; X: [n, d]; assume permutation(P); P.T @ X == P @ X", "assume permutation(P)\nassume symmetric(P)\nP.T @ X == P @ X"},
    {"rank(A @ B) == rank(A)", "rank(A @ B) <= rank(A)"},
    {"A: [n, r]; B: [r, m]; r == rank(A @ B)", "rank(A @ B) <= r"},
    {"rank(A + B) == rank(A) + rank(B)", "rank(A + B) <= rank(A) + rank(B)"},
    {"min(n, m) == n", "assume n <= m\nmin(n, m) == n"},
    {"relu(c * X) == c * relu(X)", "assume c >= 0\nrelu(c * X) == c * relu(X)"},
    {"(X @ R) @ (R.T @ W) == X @ W", "assume orthogonal(R)\nX @ R @ (R.T @ W) == X @ W"},
    {"max(n, m) == n", "assume m <= n\nmax(n, m) == n"},
    {"d*k <= d*p", "assume k <= p\nd * k <= d * p"},
    {"d*p + p*k <= d*k", ""},
    {"mean((x - mean(x))**2) == mean(x**2) - mean(x**2)**2", "mean((x - mean(x))**2) == mean(x**2) - mean(x)**2"},
    {"x: [n, d]; mean((x - mean(x))**2) == mean(x**2) - mean(x**2)", "mean((x - mean(x))**2) == mean(x**2) - mean(x)**2"},
    {"l2norm(X) @ l2norm(X).T == X @ X.T", "assume X @ X.T == eye(n)\nl2norm(X) @ l2norm(X).T == X @ X.T"},
    // found by numbers: a factor, a term that is missing
    {"x: [n, f]; 1 - tanh(x)**2 == sigmoid(2*x) * sigmoid(-2*x)", "1 - tanh(x)**2 == 4 * (sigmoid(2 * x) * sigmoid(-2 * x))"},
    {"X: [n, d]; rowsum(rmsnorm(X) * X) == rms(X)", "rowsum(rmsnorm(X) * X) == d * rms(X)"},
    {"P: [n, m]; Q: [n, m]; c: []; rowsum(softmax(P) - c * softmax(Q)) == ones(n, 1)", "rowsum(softmax(P) - c * softmax(Q)) == (1 - c) * ones(n, 1)"},
    {"S: [n, m]; lse(S - rowmax(S)) == lse(S)", "lse(S - rowmax(S)) == lse(S) - rowmax(S)"},
    {"A: [n, n]; tril(A) + triu(A) == A", "tril(A, -1) + triu(A) == A"},
    {"M, A: [n, m]; assume mask01(M); exp(A * M) == M * exp(A)", "assume mask01(M)\nexp(A * M) == M * exp(A) + (1 - M)"},
    {"X: [n, d]; W: [d, k]; z: []; w: []; (X - z) @ (W - w) == X @ W - w * rowsum(X) - z * colsum(W) + z * w", "(X - z) @ (W - w) == X @ W - w * rowsum(X) - z * colsum(W) + z * w + (d - 1) * (z * w)"},
    {"theta: [p]; sinus(n + m, theta)[n:n+m, :] == sinus(m, theta, m)", "sinus(n + m, theta)[n:n+m, :] == sinus(m, theta, n)"},  // sinus(n + m, theta) alone has other sizes
    {"X: [n, d]; W: [h, d, k]; concat(X @ W[i//g] for i in range(h*g)) == concat(X @ W[i%h] for i in range(h*g))", ""},
    // inside a function, of a shape, of a bound
    {"x: [n, f]; tanh(x) == 2 * sigmoid(x) - 1", "tanh(x) == 2 * sigmoid(2 * x) - 1"},
    {"x: [n, f]; softplus(x) == -log(sigmoid(x))", "softplus(x) == -log(sigmoid(-x))"},
    {"tanh(-x) == 1 - tanh(x)", "tanh(-x) == -tanh(x)"},
    {"A: [a, a]; B: [b, b]; trace(kron(A, B)) == trace(A) + trace(B)", "trace(kron(A, B)) == trace(A) * trace(B)"},
    {"P: [n, n]; A: [n, m]; assume permutation(P); rowmax(P @ A) == rowmax(A)", "assume permutation(P)\nrowmax(P @ A) == P @ rowmax(A)"},
    {"X: [n, d]; A, B: [d, d]; X @ (eye(d) + A) @ (eye(d) + B) == X @ (eye(d) + A + B)", "X @ (eye(d) + A) @ (eye(d) + B) == X @ (eye(d) + A + B) + X @ A @ B"},
    {"u: [k, 1]; (eye(k) - 2 * u @ u.T) @ (eye(k) - 2 * u @ u.T) == eye(k)", "assume u.T @ u == 1\n(eye(k) - 2 * u @ u.T) @ (eye(k) - 2 * u @ u.T) == eye(k)"},
    {"X: [n, d]; Q: [d, r]; frob2(X - X @ Q @ Q.T) == frob2(X) - frob2(X @ Q)", "assume Q.T @ Q == eye(r)\nfrob2(X - X @ Q @ Q.T) == frob2(X) - frob2(X @ Q)"},
    {"X: [n, d]; c: [1, d]; layernorm(X + c) == layernorm(X)", "layernorm(X + c) == layernorm(X)"},
    {"A: [d, r]; B: [r, k]; C: [d, r]; D: [r, k]; rank(A @ B + C @ D) <= r", "rank(A @ B + C @ D) <= 2 * r"},
    {"A: [n, k]; B: [m, k]; C: [n, l]; D: [m, l]; rank((A @ B.T) * (C @ D.T)) <= k + l", "rank(A @ B.T * (C @ D.T)) <= k * l"},
    {"x: [n, d]; rowsum(x)**2 <= rowsum(x**2)", "rowsum(x)**2 <= d * rowsum(x**2)"},
    {"x, y: [n, d]; rowsum((x + y)**2) == rowsum(x**2) + rowsum(y**2)", "rowsum((x + y)**2) == rowsum(x**2) + rowsum(y**2) + 2 * rowsum(x * y)"},
    {"A, B, C: [n, d]; A + (B - A) + (C - A) == B + C", "A + (B - A) + (C - A) == B + C - A"},
    {"P, Q: [n, n]; V, W: [n, v]; P @ (V + W) == Q @ V + P @ W", "P @ (V + W) == P @ W + P @ V"},
    {"g: [n, 1]; X: [n, d]; assume g > 0; relu(g * (X @ A))**2 == g * relu(X @ A)**2", "assume g > 0\nrelu(g * (X @ A))**2 == g**2 * relu(X @ A)**2"},
    {"R: [d, d]; assume orthogonal(R); det(R) == 1", "assume orthogonal(R)\nabs(det(R)) == 1"},
    {"theta: [p]; X: [n, 2*p]; Y: [m, 2*p]; rope(vstack(X, Y), theta) == vstack(rope(X, theta), rope(Y, theta))", "rope(vstack(X, Y), theta) == vstack(rope(X, theta), rope(Y, theta, n))"},
    {"theta: [p]; X: [n, 2*p]; rope(rope(X, theta), theta) == X", "rope(rope(X, theta), -theta) == X"},
    {"S: [n, n]; rowsum(tril(softmax(S + causal(n)), -1)) == ones(n, 1)", "rowsum(tril(softmax(S + causal(n)))) == ones(n, 1)"},
    {"S: [n, m]; softmax(concat(S, zeros(n, p))) == concat(softmax(S), zeros(n, p))", "softmax(concat(S, neginf(zeros(n, p)))) == concat(softmax(S), zeros(n, p))"},
    {"S: [n, m]; exp(S - max(S)) == softmax(S)", "exp(S - lse(S)) == softmax(S)"},
    {"X: [n, d]; c, e: []; assume e > 0, c > 0; rmsnorm(c * X, e) == rmsnorm(X, e)", "assume e > 0\nassume c > 0\nrmsnorm(c * X, e) == rmsnorm(X, e / c**2)"},
    {"Q: [n, k]; K: [m, k]; relu(Q) @ relu(K).T == relu(Q @ K.T)", "assume Q >= 0\nassume K >= 0\nrelu(Q) @ relu(K).T == relu(Q @ K.T)"},
    {"S: [n, v]; t: []; assume t > 0; softmax(S / t) == softmax(S) / t", ""},  // t == 1 says little
    {"g: [d]; X: [n, d]; W: [d, d]; (X * g) @ W == X @ (g * W)", "X * g @ W == X @ (g[:, None] * W)"},
    {"g: [d]; X: [n, d]; W: [d, d]; M = W * g[None, :]; (X * g) @ W == X @ M", "let M = W * g[:, None]\nX * g @ W == X @ M"},
    {"W: [d, d]; X: [n, d]; X + X @ W == X @ (1 + W)", "X + X @ W == X @ (eye(d) + W)"},
    {"x: [n, d]; e = np.exp(x); e / np.sum(e) == softmax(x)", "let e = exp(x)\ne / rowsum(e) == softmax(x)"},
    {"x: [n, d]; e = np.exp(x - np.max(x)); e / e.sum() == softmax(x)", "let e = exp(x - max(x, axis=None, keepdims=False))\ne / rowsum(e) == softmax(x)"},
    {"A: [a, b]; X: [b, c]; B: [c, d]; vec(A @ X @ B) == kron(A, B.T) @ vec(X)", "vec(A @ X @ B) == kron(B.T, A) @ vec(X)"},
    {"S: [n, m]; V: [m, k]; b: [1, k]; O: [k, d]; softmax(S) @ (V + b) @ O == softmax(S) @ V @ O", "softmax(S) @ (V + b) @ O == softmax(S) @ V @ O + b @ O"},
    {"S: [n, m]; b: [n, 1]; tanh(S + b) == tanh(S)", "assume b == 0\ntanh(S + b) == tanh(S)"},
    {"w: [1, n]; y: [1, d]; w @ (H + ones(n, 1) @ y) == w @ H + y", "assume rowstochastic(w)\nw @ (H + ones(n, 1) @ y) == w @ H + y"},
    {"S: [d, d]; assume S.T == S, invertible(eye(d) + S); ((eye(d) - S) @ inv(eye(d) + S)) @ ((eye(d) - S) @ inv(eye(d) + S)).T == eye(d)",
     "assume S.T == -S\nassume invertible(eye(d) + S)\n(eye(d) - S) @ inv(eye(d) + S) @ ((eye(d) - S) @ inv(eye(d) + S)).T == eye(d)"},
    {"E: [v, d]; W: [d, d]; (E @ W @ E.T).T == E @ W @ E.T", "(E @ W @ E.T).T == E @ W.T @ E.T"},
    // in a step of a program, in several places
    {"q = x @ A; k = x @ B; M = B @ A.T; q @ k.T == x @ M @ x.T", "let q = x @ A\nlet k = x @ B\nlet M = B @ A.T\nk @ q.T == x @ M @ x.T"},
    {"n: []; q = x @ A; k = x @ B; M = B @ A.T; s = q @ k.T / n; s == x @ M @ x.T / n", "let q = x @ A\nlet k = x @ B\nlet M = A @ B.T\nlet s = q @ k.T / n\ns == x @ M @ x.T / n"},
    {"S: [n, m]; e = exp(S - max(S, axis=0)); e / sum(e, axis=-1) == softmax(S)", "let e = exp(S - max(S, axis=1))\ne / sum(e, axis=-1) == softmax(S)"},
    {"S: [n, m]; exp(S - max(S, axis=0)) / sum(exp(S - max(S, axis=0)), axis=0) == softmax(S)", "exp(S - max(S, axis=0)) / sum(exp(S - max(S, axis=0)), axis=0) == softmax(S, axis=0)"},
    {"x: [9, 7]; W: [5, 7]; b, m, g, h: [5]; g * (x @ W.T + b - m) + h == x @ (W * g[:, None]).T + (h + b * g - m)", "g * (x @ W.T + b - m) + h == x @ (W * g[:, None]).T + (h + b * g - g * m)"},
    {"S: [n, m]; M: [n, m]; assume mask01(M); softmax(where(M, -np.inf, S)) == softmax(S + neginf(M))", "assume mask01(M)\nsoftmax(where(M, S, neginf(0))) == softmax(S + neginf(M))"},
    {"k: [2, n, d]; np.tile(k, (3, 1, 1)) == np.repeat(k, 3, axis=0)", ""},
    {"q: [6, n, d]; k: [2, n, d]; np.tile(k, (3, 1, 1)) * (q + 1) == q * np.repeat(k, 3, axis=0) + np.repeat(k, 3, axis=0)", "repeat(k, 3, axis=0) * (q + 1) == q * repeat(k, 3, axis=0) + repeat(k, 3, axis=0)"},
    {"w: []; X, Y: [n, d]; Y + w * (X - Y) == (1 - w) * X + w * Y", "Y + w * (X - Y) == w * X + (1 - w) * Y"},
    {"X: [n, d]; colsum(X - mean(X)) == zeros(1, d)", "colsum(X - mean(X, axis=0)) == zeros(1, d)"},
    {"X: [n, d]; colsum(layernorm(X, 1/100)) == zeros(1, d)", "rowsum(layernorm(X, 1 / 100)) == 0"},
    {"V: [n, n]; tril(ones(n, n)) @ V == cumsum(V, axis=1)", "tril(ones(n, n)) @ V == cumsum(V, axis=0)"},
    {"P: [h*g, n, m]; V: [h, m, k]; s: [h, 1, k]; assume s > 0; concat(P[i] @ (V[i//g] / s[i//g]) * s[i%h] for i in range(h*g)) == concat(P[i] @ V[i//g] for i in range(h*g))",
     "assume s > 0\nconcat(P[i] @ (V[i//g] / s[i%h]) * s[i%h] for i in range(h*g)) == concat(P[i] @ V[i//g] for i in range(h*g))"},
    {"A, B: [n, m]; lse(A) - lse(B) <= mean(A - B)", "lse(A) - lse(B) <= max(A - B)"},
    {"n*n <= 20*n", "assume n <= 20\nn * n <= 20 * n"},
    {"x: [n]; u: [n]; m = np.where(u > 1/2, 1, 0); mean(x * m) == sum(x * m) / sum(m)", ""},  // no step is read in itself
    // what only a longer proof shows
    {"A, B: [n, m]; tanh(A + B) == (tanh(A) + tanh(B)) / (1 - tanh(A) * tanh(B))", "tanh(A + B) == (tanh(A) + tanh(B)) / (1 + tanh(A) * tanh(B))"},
    {"X: [n, d]; l: []; assume l > 0; eye(n) - X @ inv(X.T @ X + l * eye(d)) @ X.T == inv(X @ X.T + l * eye(n))", "assume l > 0\neye(n) - X @ inv(X.T @ X + l * eye(d)) @ X.T == l * inv(X @ X.T + l * eye(n))"},
    // of bounds
    {"X: [n, d]; sigmoid(X) * (1 - sigmoid(X)) <= 6/25", "sigmoid(X) * (1 - sigmoid(X)) <= 1 / 4"},
    {"X: [n, d]; -169/1000 <= gelu(X)", "-17 / 100 <= gelu(X)"},
    {"X: [n, d]; softplus(X) <= relu(X) + 2/3", "softplus(X) <= relu(X) + log(2)"},
    {"X: [n, d]; layernorm(X)**2 <= d - 2", "layernorm(X)**2 <= d - 1"},
    {"5*a*b <= (a + b)**2", "4 * a * b <= (a + b)**2"},
    {"x: [n, 1]; 0 <= exp(x) - 1 + x", "0 <= exp(x) - 1 - x"},
    {"abs(X @ W) <= abs(X) @ W", "abs(X @ W) <= abs(X) @ abs(W)"},
    {"X, Y: [n, d]; rowsum(X * Y) <= rowsum(X * X) * rowsum(Y * Y)", "rowsum(X * Y)**2 <= rowsum(X * X) * rowsum(Y * Y)"},
    {"X: [n, d]; U: [d, r]; rowsum((X @ U)**2) <= rowsum(X**2)", "assume U.T @ U == eye(r)\nrowsum((X @ U)**2) <= rowsum(X**2)"},
    {"X, Y: [n, d]; max(X + Y) == max(X) + max(Y)", "max(X + Y) <= max(X) + max(Y)"},
    // no repair rather than one that says nothing
    {"A: [a, b]; R: [b, b]; assume orthogonal(R); frob2(A @ R @ B) == frob2(A @ B)", "assume orthogonal(R)\nassume A.T @ A == eye(b)\nfrob2(A @ R @ B) == frob2(A @ B)"},  // and not A @ (R @ B)
    {"G: [n, e]; c: [1, e]; assume c > 0, G > 0; (c * G) / rowsum(c * G) == G / rowsum(G)", "assume c > 0\nassume G > 0\nc * G / rowsum(c * G) == G / rowsum(G)"},  // of a column c; no row is positive and one-hot
    {"c: []; X: [a, a]; assume c > 0; 3/2 * (c * X) - 1/2 * (c * X) @ (c * X) == c * (3/2 * X - 1/2 * X @ X)", "assume c > 0\n3 / 2 * (c * X) - 1 / 2 / c * (c * X) @ (c * X) == c * (3 / 2 * X - 1 / 2 * X @ X)"},
    {"x: [1, d]; A: [d, d]; 0 <= x @ A @ x.T", ""},
    {"x: [n, d]; x == x + 1/1000", ""},
    {"A, B: [n, m]; e: []; assume abs(A - B) <= e; softmax(A) <= exp(e) * softmax(B)", ""},
    {"L, C: [d, d]; assume L @ L.T == C; L.T @ L == C", ""},
    {"X: [n, d]; W: [d, f]; rank(relu(X @ W)) <= d", ""},
    {"k <= d", ""},
    {"x: []; x == 2 * x", ""},
    {"W: [m, n]; b: [m, 1]; W + b @ ones(1, n) == W", ""},
    {"x: [n, d]; y: [n, d]; x + y == y", ""},
    {"h**2 == h", ""},
    {"S: [n, n]; exp(S) / np.sum(exp(S), axis=1) == softmax(S)", "exp(S) / sum(exp(S), axis=1, keepdims=True) == softmax(S)"},
    {"gelu(x) == relu(x)", "gelu(x) <= relu(x)"},
    {"softmax(S) == sigmoid(S)", ""},
    {"exp(X @ A) @ B == X @ (A @ B)", ""},
    {"softmax(S @ A) @ B == softmax(S) @ (A @ B)", ""},
};

std::string without_declarations(const std::string& statement) {
  std::string out;
  for (std::size_t begin = 0; begin < statement.size();) {
    const std::size_t end = std::min(statement.find('\n', begin), statement.size());
    const std::string line = statement.substr(begin, end - begin);
    if (line.find(": [") == std::string::npos) out += (out.empty() ? "" : "\n") + line;
    begin = end + 1;
  }
  return out;
}

/// True claims, each because of its assumption, and the same claims without it.
constexpr std::pair<const char*, const char*> assumed[] = {
    {"positive(x)", "x: [n, d]; relu(x) == x"},
    {"nonnegative(x)", "x: [n, d]; abs(x) == x"},
    {"nonzero(x)", "x: [n, d]; x * 0 + abs(x) / abs(x) == x / x"},
    {"x >= 0", "x: [n, d]; sqrt(x * x) == x"},
    {"x != 0", "x: []; X: [n, d]; x * (X / x) == X"},
    {"mask01(M)", "M: [n, d]; M * M == M"},
    {"onehot(T)", "T: [n, d]; rowsum(T) == ones(n, 1)"},
    {"rowstochastic(A)", "A: [n, m]; A @ ones(m, 1) == ones(n, 1)"},
    {"symmetric(A)", "A: [n, n]; A.T == A"},
    {"permutation(P)", "P: [n, n]; P @ P.T == eye(n)"},
    {"orthogonal(R)", "R: [n, n]; R.T @ R == eye(n)"},
    {"invertible(A)", "A: [n, n]; inv(A) @ A == eye(n)"},
    {"n <= m", "X: [n, d]; Y: [m, d]; min(n, m) * X == n * X"},
    {"x @ y >= 0", "x, y: [n, n]; relu(x @ y) == x @ y"},
    {"nonzero(x + y)", "x, y: [n, n]; (x + y) / (x + y) == ones(n, n)"},
    {"W.T @ W == eye(k)", "W: [d, k]; X: [n, d]; X @ W @ W.T @ W == X @ W"},
    {"W @ W.T == eye(d)", "W: [d, 2*p]; (W.T @ W) @ (W.T @ W) == W.T @ W"},
    {"A @ B == B @ A", "A, B: [n, n]; (A + B) @ (A - B) == A @ A - B @ B"},
    {"A @ A == zeros(n, n)", "A: [n, n]; inv(eye(n) - A) == eye(n) + A"},  // a double zero
    {"sum(p) == 1; assume positive(p)", "p: [d, 1]; X: [n, d]; c: [1, d]; (X + rowsum(X) @ c) @ p == X @ p + rowsum(X) * (c @ p)"},
};

BOOST_AUTO_TEST_CASE(the_quick_look_calls_no_true_claim_false_and_false_ones_what_they_are) {
  const auto problem = [](const std::string& text) { return infer::elaborate(read::parse_claim(text)); };
  for (const auto& [assumption, claim] : assumed) {
    for (std::uint64_t seed = 1; seed < 9; ++seed) BOOST_TEST(!repair::seems_false(problem("assume " + std::string(assumption) + "; " + claim), false, seed), claim);
  }
  for (const char* claim : {"x: [n, d]; relu(x) == x", "M: [n, d]; M * M == M", "A: [n, n]; A.T == A", "R: [n, n]; R.T @ R == eye(n)", "x: [n, d]; assume positive(x); x == 2 * x",
                            "A: [n, n]; assume symmetric(A); A @ A == A", "R: [n, n]; assume orthogonal(R); R == eye(n)", "P: [n, n]; assume permutation(P); P == P.T @ P", "A: [n, m]; assume rowstochastic(A); A.T @ ones(n, 1) == ones(m, 1)",
                            "W: [d, k]; assume W.T @ W == eye(k); W @ W.T == eye(d)", "A, B: [n, n]; assume A @ B == B @ A; A == B", "x, y: [n, n]; assume nonzero(x + y); x == y",
                            "K: [m, k]; assume nonzero(K); assume K >= 0; K == K * K", "p: [d, 1]; assume sum(p) == 1; assume positive(p); p == p * p"}) {
    BOOST_TEST(repair::seems_false(problem(claim), false, 1), claim);
  }
}

BOOST_AUTO_TEST_CASE(a_search_that_passes_by_what_seems_false_finds_proofs) {
  for (const char* claim : {"K = X @ W; rank(K.T @ K) == rank(K)", "K = X @ W; rank(K.T) == rank(K)", "A: [2, 2]; inv(A) == (trace(A)*eye(2) - A)/det(A)"}) BOOST_TEST((verdict::decide(claim).verdict == verdict::Verdict::proved), claim);
}

BOOST_AUTO_TEST_CASE(mistakes_are_repaired_as_a_person_would) {
  for (const Mistake& m : mistakes) {
    const verdict::Decision decision = verdict::decide(m.claim);
    BOOST_TEST_CONTEXT(m.claim) {
      BOOST_TEST(verdict::text(decision.verdict) == "refuted");
      const std::string found = decision.repair ? without_declarations(decision.repair->statement) : "";
      BOOST_TEST(found == m.repair);
      if (!decision.repair) continue;
      BOOST_TEST(!decision.repair->change.empty());
      BOOST_TEST(verdict::text(verdict::decide(decision.repair->statement, {.ask_without_assumptions = false}).verdict) == "proved", decision.repair->statement);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_part_that_says_nothing_is_found_and_is_in_no_repair) {
  for (const char* e : {"X * c / c", "A @ eye(n)", "f(1 * X, eps=eps)", "1 - 1", "m * (1 / m)", "X + y - y"}) BOOST_TEST(repair::has_idle_part(read::parse_expression(e)), e);
  for (const char* e : {"X * c / d", "A @ B", "f(2 * X, eps=eps)", "X / 2", "-1", "1 - x", "X @ X.T / sqrt(d)", "A @ eye(n, m)"}) BOOST_TEST(!repair::has_idle_part(read::parse_expression(e)), e);
  BOOST_TEST(repair::is_tautology(read::parse_expression("A @ eye(n)"), read::parse_expression("A")));
}

BOOST_AUTO_TEST_CASE(a_tautology_is_equal_up_to_order_numbers_and_ones) {
  const auto trivial = [](const std::string& claim) {
    const expr::Claim c = read::parse_claim(claim);
    return repair::is_tautology(c.lhs, c.rhs);
  };
  for (const char* claim : {"x == 0 + x", "x == x * 1", "x**2 == x * x", "a + b == b + a", "W + b @ ones(1, n) == W + b", "x == 2 * x / 2", "x / y == y**-1 * x", "(a - b) * c == c * (-b + a)", "f(a + b) == f(b + a)",
                            "(A @ (B + C)).T == (A @ (C + B)).T", "x - x == 0"}) {
    BOOST_TEST(trivial(claim), claim);
  }
  for (const char* claim : {"x == y", "x == 2 * x", "(a + b) * c == a * c + b * c", "A @ B == B @ A", "(A @ B).T == B.T @ A.T", "(A @ B) @ C == A @ (B @ C)", "f(x) == g(x)", "f(x, axis=0) == f(x, axis=1)", "x**2 == x",
                            "x**(1/2) == x", "x / 0 == x", "W + b @ ones(n, n) == W + b"}) {
    BOOST_TEST(!trivial(claim), claim);
  }
}

BOOST_AUTO_TEST_CASE(notes_say_what_a_reader_needs_and_no_more) {
  BOOST_TEST(verdict::decide("rank(W_Q @ W_K.T) <= k").detail.find("`k` is a size of its own") != std::string::npos);
  BOOST_TEST(verdict::decide("A: [n, k]; rank(A) + 1 <= k").detail.empty());
  BOOST_TEST(verdict::decide("AB == BA").detail == "`AB` is read as one name; a product is A @ B");
  BOOST_TEST(verdict::decide("QK == Q @ K.T").detail.find("a product is Q @ K") != std::string::npos);
  BOOST_TEST(verdict::decide("AB, BA: [n, d]; AB == BA").detail.empty());
  BOOST_TEST(verdict::decide("X @ WQ == X @ WK").detail.empty());
  BOOST_TEST(verdict::decide("softmax(Q @ (K + b).T) == softmax(Q @ K.T)").detail == "`b` is read as [k, d], and as [d], as it is usually meant, the claim is true; declare b: [d], or b: [1, d]");
  BOOST_TEST(verdict::decide("softmax(Q @ (K + B).T) == softmax(Q @ K.T)").detail == "`B` is read as [k, d], and as [1, d] the claim is true; declare it if it has that shape");
  BOOST_TEST(verdict::decide("b: [k, d]; softmax(Q @ (K + b).T) == softmax(Q @ K.T)").detail.empty());
  BOOST_TEST(verdict::decide("A, B, C: [n, n]; A * B @ C == (A * B) @ C").detail == "both sides are read as `A * B @ C`, with and without these brackets");
  BOOST_TEST((verdict::decide("x: [n]; -x**2 == -(x**2)").verdict == verdict::Verdict::proved));
  const auto says_close = [](const std::string& claim) { return verdict::decide(claim).detail.find("differ by no more than") != std::string::npos; };
  BOOST_TEST(says_close("x: [3]\nassert np.allclose(x, x + 1e-9)"));
  BOOST_TEST(!says_close("x: [3]\nassert np.allclose(x, x + 1e-3)"));
  BOOST_TEST(!says_close("x: [3]\nassert np.allclose(x, x + 1e-9, atol=1e-10, rtol=0)"));
  BOOST_TEST(says_close("x: [3]\ntorch.testing.assert_close(x, x + 1e-6)"));
  BOOST_TEST(!says_close("x: [3]\nx == x + 1e-9"));
  BOOST_TEST(verdict::decide("d = nn.Dropout(0.5)\nx: [n]\n2 * d(x) == x + x").detail == "dropout is read as what it is after .eval(), where it changes nothing");
  BOOST_TEST(verdict::decide("d = nn.Dropout(0.5)\nd.eval()\nx: [n]\n2 * d(x) == x + x").detail.empty());
  BOOST_TEST(verdict::decide("d = nn.Dropout(0.0)\nx: [n]\n2 * d(x) == x + x").detail.empty());
  BOOST_TEST(verdict::decide("B = nn.Parameter(torch.zeros(3, 2))\nx: [2, 4]\nB @ x == zeros(3, 4)").detail == "weights are read as any values, not as what they are at first, as in nn.Parameter(torch.zeros(..))");
  BOOST_TEST(verdict::decide("B = nn.Parameter(torch.zeros(3, 2))\nx: [2, 4]\nB @ (x + x) == 2 * B @ x").detail.empty());
  BOOST_TEST((verdict::decide("x, w: [3]\nclass M:\n    def f(self, x): return x * w\nm = M()\nassert np.allclose(m.f(x), x * w)").verdict == verdict::Verdict::proved));
  BOOST_TEST((verdict::decide("x: [3]\nassert np.allclose(x * x, x * x)").reason == verdict::Reason::same_text));
  BOOST_TEST(verdict::decide("x: [n, d]; x == x").detail == "both sides are the same text, so the claim says nothing");
  const auto without = [](const char* claim) { return verdict::decide(claim).assumptions.at(0).defined_where; };
  BOOST_TEST(without("x: [n, d]; assume positive(x); log(x**2) == 2*log(x)") == (std::vector<std::string>{"`x**2` is positive", "x is positive"}), boost::test_tools::per_element());
  BOOST_TEST(without("x: [n, d]; assume positive(x); x + x == 2*x").empty());
  const auto where = verdict::decide("X: [n, d]; rmsnorm(2 * X, eps=0) == rmsnorm(X)").holds_where;
  BOOST_TEST(where == (std::vector<std::string>{"no row of `2 * X` is zero (eps = 0)", "no row of X is zero (eps = 0)"}), boost::test_tools::per_element());
  BOOST_TEST(verdict::decide("colsum(X) / n == colmean(X)").detail.find("`n` is read as a tensor") != std::string::npos);
  BOOST_TEST(verdict::decide("rowsum(A @ B) == rowsum(A) @ rowsum(B)").detail.find("`A` is read as [n, 1]") != std::string::npos);
  BOOST_TEST(verdict::decide("(X @ A) @ B == X @ (A @ B)").detail.empty());
  // A name with a capital letter is a matrix if it can be one: both are true of columns, rows and numbers.
  for (const char* claim : {"exp(A + B) == exp(A) @ exp(B)", "A * (B @ C) == (A * B) @ C"}) BOOST_TEST((verdict::decide(claim).verdict == verdict::Verdict::refuted), claim);
  BOOST_TEST(verdict::decide("A @ B * C == A @ (B * C)").detail == "`C` is read as [n, d], and as [1, d] the claim is true; declare it if it has that shape");
  BOOST_TEST((verdict::decide("A @ B * c == A @ (B * c)").verdict == verdict::Verdict::proved));
  const auto told = [](const char* claim) { return verdict::decide(claim).holds_where.size(); };
  for (const char* claim : {"M: [n, n]; assume mask01(M); trace(neginf(M)) - trace(neginf(M)) == 0", "S: [n, n]; softmax(S + causal(n)[:, :n]) == softmax((S + causal(n)).T.T + neginf(tril(n)))"}) BOOST_TEST(told(claim) == 1U, claim);
  // Where there is more than one position no side has a value.
  for (const char* claim : {"S: [n, n]; 0 * (S + flip(causal(n), axis=1)) == 0 * S", "kron(eye(2), causal(n)) == blockdiag(causal(n) for i in range(2))", "rowsum(softmax(causal(n) + flip(causal(n), axis=1))) == ones(n, 1)", "-causal(n) + causal(n) == zeros(n, n)", "zeros(n, n) @ causal(n) == zeros(n, n)", "S: [n, n]; softmax(-(S + causal(n)) + causal(n)) == softmax(-S)", "S: [n, n]; softmax(S + causal(n) - causal(n)) == softmax(S)"}) {
    BOOST_TEST_CONTEXT(claim) {
      const verdict::Decision decision = verdict::decide(claim);
      BOOST_TEST((decision.verdict == verdict::Verdict::invalid));
      BOOST_TEST(decision.detail.find("no instance with n >= 2 was found at which both sides have a value; at n = 2") == 0U);
    }
    BOOST_TEST((verdict::decide("assume n == 1; " + std::string(claim)).verdict == verdict::Verdict::proved), claim);
  }
  for (const char* claim : {"S: [n, n]; rowsum(softmax((S + causal(n)) / sqrt(d))) == ones(n, 1)", "A: [n, n]; B: [m, n]; softmax(vstack(A + causal(n), B)) == vstack(softmax(A + causal(n)), softmax(B))"}) BOOST_TEST(told(claim) == 0U, claim);
  BOOST_TEST(told("S: [n, n]; softmax(2 * (S + causal(n)) + causal(n)) == softmax(2 * S + causal(n))") == 0U);
}

BOOST_AUTO_TEST_CASE(a_repair_is_looked_for_only_where_a_claim_is_refuted_and_only_when_asked_for) {
  BOOST_TEST(!verdict::decide("X @ A == X @ A + 0").repair.has_value());
  BOOST_TEST(!verdict::decide("(A @ B).T == A.T @ B.T", {.look_for_repair = false}).repair.has_value());
}

}  // namespace
}  // namespace foldproof::properties
