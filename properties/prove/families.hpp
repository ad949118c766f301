// SPDX-License-Identifier: MIT
// Ways to write the same thing, over the whole language: each family is a list of expressions of equal value wherever they
// are defined, and a list of neighbours that most often have another value. Random claims exchange one for another.
// In the texts $X is an operand with $r rows and $c columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace foldproof::properties {

struct Family {
  enum class Of { any, square, leaf, scalar } of;  ///< what $X may be; leaves and scalars have no operand
  const char* rows;                                ///< of a leaf
  const char* columns;
  std::vector<std::string> equal;
  std::vector<std::string> wrong;
};

/// A variable that random claims may use, declared when they do.
struct Declared {
  std::string_view name;
  const char* declaration;
  const char* assumption = nullptr;
};
inline constexpr Declared declared[] = {
    {"A", "[a, b]"}, {"B", "[b, c]"}, {"C", "[c, a]"}, {"D", "[a, b]"}, {"E", "[b, c]"}, {"S", "[a, a]"}, {"T", "[a, a]"}, {"H", "[h, a, k]"}, {"K", "[h, k, a]"},
    {"s", "[]"}, {"t", "[]"}, {"p", "[]", "p > 0"}, {"q", "[]", "q != 0"}, {"d", "[a]"}, {"g", "[1, b]"}, {"Q", "[a, 2*w]"}, {"G", "[b, 2*w]"}, {"u", "[w]"},
    {"R", "[a, a]", "orthogonal(R)"}, {"P", "[a, a]", "permutation(P)"}, {"Y", "[a, a]", "symmetric(Y)"}, {"N", "[a, b]", "rowstochastic(N)"},
    {"O", "[a, b]", "onehot(O)"}, {"M", "[a, b]", "mask01(M)"}, {"V", "[a, a]", "invertible(V)"}, {"W", "[a, a]", "invertible(W)"}, {"L", "[a, b]", "L > 0"}, {"I", "[a]"},
};

inline const std::vector<Family>& families() {
  using Of = Family::Of;
  static const std::vector<Family> all = {
      // entrywise functions
      {Of::any, "", "", {"relu($X)", "maximum($X, 0 * $X)", "(($X + abs($X)) / 2)", "(p * relu($X / p))", "($X - minimum($X, 0 * $X))", "relu(relu($X))", "(relu(-$X) + $X)"}, {"(s * relu($X / s))", "abs($X)", "relu(-$X)", "(q * relu($X / q))"}},
      {Of::any, "", "", {"abs($X)", "sqrt($X * $X)", "($X**2)**(1/2)", "(relu($X) + relu(-$X))", "maximum($X, -$X)", "(abs(q * $X) / abs(q))", "abs(abs($X))"}, {"sqrt($X)**2", "$X", "(abs(s * $X) / s)", "(maximum($X, -$X) + minimum($X, -$X))"}},
      {Of::any, "", "", {"exp($X)", "(1 / exp(-$X))", "exp($X / 2)**2", "sqrt(exp(2 * $X))", "(exp($X + log(p)) / p)"}, {"exp(2 * $X)", "(exp($X) + 1)", "exp(-$X)"}},
      {Of::any, "", "", {"silu($X)", "($X * sigmoid($X))", "($X / (1 + exp(-$X)))", "($X - $X * sigmoid(-$X))", "(silu(-$X) + $X)"}, {"silu(-$X)", "gelu($X)", "($X * sigmoid(-$X))", "relu($X)"}},
      {Of::any, "", "", {"sigmoid($X)", "(1 - sigmoid(-$X))", "((1 + tanh($X / 2)) / 2)", "(exp($X) / (1 + exp($X)))"}, {"(1 + tanh($X)) / 2", "sigmoid(2 * $X)", "(1 - sigmoid($X))"}},
      {Of::any, "", "", {"tanh($X)", "(2 * sigmoid(2 * $X) - 1)", "(-tanh(-$X))", "((exp(2 * $X) - 1) / (exp(2 * $X) + 1))"}, {"tanh(-$X)", "(2 * sigmoid($X) - 1)"}},
      {Of::any, "", "", {"gelu($X)", "($X + gelu(-$X))"}, {"gelu(-$X)", "quick_gelu($X)", "gelu_tanh($X)"}},
      {Of::any, "", "", {"softplus($X)", "($X + softplus(-$X))", "log(1 + exp($X))", "(-log(sigmoid(-$X)))"}, {"softplus(-$X)", "relu($X)", "log(exp($X))"}},
      {Of::any, "", "", {"sin($X)", "(-sin(-$X))", "(2 * sin($X / 2) * cos($X / 2))"}, {"cos($X)", "sin(-$X)", "(2 * sin($X))"}},
      {Of::any, "", "", {"cos($X)", "cos(-$X)", "(1 - 2 * sin($X / 2)**2)", "(2 * cos($X / 2)**2 - 1)"}, {"sin($X)", "(1 - sin($X)**2)"}},
      {Of::any, "", "", {"leaky_relu($X)", "(relu($X) - relu(-$X) / 100)", "maximum($X, $X / 100)"}, {"relu($X)", "minimum($X, $X / 100)"}},
      {Of::any, "", "", {"$X**3", "($X * $X * $X)", "$X**2 * $X", "(-((-$X)**3))"}, {"abs($X)**3", "(-$X)**3", "$X**2"}},
      {Of::any, "", "", {"log(exp($X))", "$X", "(log(exp($X) * p) - log(p))"}, {"log(exp(2 * $X))", "log(exp($X) + 1)"}},
      // rows and columns
      {Of::any, "", "", {"softmax($X)", "softmax($X + t)", "softmax($X - max($X, axis=1))", "(exp($X) / rowsum(exp($X)))", "softmax($X.T, axis=0).T", "exp(log_softmax($X))", "softmax($X + rowsum($X))", "exp($X - lse($X))"}, {"softmax(2 * $X)", "softmax1($X)", "softmax($X, axis=0)", "softmax($X + colsum($X))", "softmax(softmax($X))"}},
      {Of::any, "", "", {"softmax($X, axis=0)", "softmax($X.T).T", "softmax($X + colsum($X), axis=0)", "(exp($X) / colsum(exp($X)))"}, {"softmax($X)", "softmax($X + rowsum($X), axis=0)"}},
      {Of::any, "", "", {"softmax1($X)", "(exp($X) / (1 + rowsum(exp($X))))", "(softmax($X) * (rowsum(exp($X)) / (1 + rowsum(exp($X)))))"}, {"softmax($X)", "softmax1($X + t)"}},
      {Of::any, "", "", {"log_softmax($X)", "($X - lse($X))", "log(softmax($X))", "log_softmax($X + t)"}, {"log_softmax(2 * $X)", "($X - max($X, axis=1))"}},
      {Of::any, "", "", {"layernorm($X)", "layernorm($X + t)", "layernorm(p * $X)", "rmsnorm($X - mean($X))", "layernorm($X.T, axis=0).T", "layernorm(rmsnorm($X))"}, {"rmsnorm($X)", "layernorm(s * $X)", "layernorm($X, axis=0)", "layernorm($X + colsum($X))"}},
      {Of::any, "", "", {"rmsnorm($X)", "rmsnorm(p * $X)", "($X / rms($X))", "(q * rmsnorm(q * $X) / abs(q))", "($X * rsqrt(mean($X * $X)))", "rmsnorm(l2norm($X))"}, {"layernorm($X)", "rmsnorm(q * $X)", "l2norm($X)", "rmsnorm($X + t)"}},
      {Of::any, "", "", {"l2norm($X)", "l2norm(p * $X)", "($X / sqrt(rowsum($X * $X)))", "l2norm(l2norm($X))", "(rmsnorm($X) / sqrt($c))"}, {"rmsnorm($X)", "l2norm(-$X)", "($X / sqrt(colsum($X * $X)))"}},
      {Of::any, "", "", {"($X - mean($X))", "($X @ (eye($c) - ones($c, $c) / $c))", "($X - rowsum($X) / $c)", "($X - rowmean($X))"}, {"($X - mean($X, axis=0))", "($X - rowsum($X))", "($X - colmean($X))"}},
      {Of::any, "", "", {"($X + max($X, axis=1))", "($X + max($X + t, axis=1) - t)", "($X + rowmax($X))", "($X + max($X.T, axis=0).T)"}, {"($X + max($X, axis=0))", "($X - max(-$X, axis=1))", "(2 * $X)"}},
      // pieces and layouts
      {Of::any, "", "", {"$X", "concat($X, ones($r, 3))[:, :$c]", "concat(ones($r, b), $X)[:, b:]", "vstack($X, $X)[:$r]", "vstack(ones(c, $c), $X)[c:, :]", "concat(ones($r, 2), $X)[:, 2:]"}, {"(2 * $X)", "vstack($X, 2 * $X)[$r:]"}},
      {Of::any, "", "", {"$X", "reshape(reshape($X, $r*$c), $r, $c)", "reshape(vec($X), $c, $r).T", "transpose($X.T, 1, 0)", "kron(ones(1, 1), $X)", "reshape(kron($X, ones(1, 1)), $r, $c)"}, {"reshape(vec($X), $r, $c)", "reshape(reshape($X.T, $r*$c), $r, $c)"}},
      {Of::any, "", "", {"$X", "(tril($X) + triu($X, 1))", "(tril($X, -1) + triu($X))", "($X * tril($r, $c) + triu($X) - $X * eye($r, $c))"}, {"(tril($X) + triu($X))", "tril($X)", "(tril($X, 1) + triu($X, 1))"}},
      {Of::any, "", "", {"$X", "($X * rowsum(softmax(ones($r, b))))", "(q * $X / q)", "(p * $X * p**-1)", "(sqrt(p) * ($X / p) * sqrt(p))"}, {"($X * s)", "(q * $X)", "(sqrt(p) * $X)"}},
      {Of::square, "", "", {"softmax($X + causal($r))", "(exp($X) * tril($r) / rowsum(exp($X) * tril($r)))", "softmax(tril($X) + causal($r))", "softmax($X + neginf(tril($r)))", "tril(softmax($X + causal($r)))"}, {"softmax($X * tril($r))", "tril(softmax($X))", "softmax($X + causal($r).T)", "softmax($X)"}},
      {Of::square, "", "", {"diag(diag($X))", "($X * eye($r))", "(tril($X) * triu($r))", "(eye($r) * diag($X))"}, {"$X", "tril($X)", "diag(rowsum($X)[:, 0])"}},
      // leaves
      {Of::leaf, "a", "a", {"sum(H[i] @ K[i] for i in range(h))", "(concat(H[i] for i in range(h)) @ vstack(K[i] for i in range(h)))", "sum(H[h-1-i] @ K[h-1-i] for i in range(h))", "(reshape(transpose(H, 1, 0, 2), a, h*k) @ reshape(K, h*k, a))"}, {"(concat(H[h-1-i] for i in range(h)) @ vstack(K[i] for i in range(h)))", "(sum(H[i] for i in range(h)) @ sum(K[i] for i in range(h)))", "(reshape(transpose(H, 1, 2, 0), a, h*k) @ reshape(K, h*k, a))"}},
      {Of::leaf, "a", "a", {"(concat(exp(H[i]) for i in range(h)) @ concat(H[i] for i in range(h)).T)", "sum(exp(H[i]) @ H[i].T for i in range(h))"}, {"sum(H[i] @ exp(H[i]).T for i in range(h))"}},
      {Of::leaf, "a", "a", {"sum(softmax(H[i] @ K[i]) for i in range(h))", "sum(softmax(H[h-1-i] @ K[h-1-i] + t) for i in range(h))"}, {"softmax(sum(H[i] @ K[i] for i in range(h)))", "sum(softmax(H[i] @ K[h-1-i]) for i in range(h))"}},
      {Of::leaf, "a", "a", {"eye(a)", "(inv(V) @ V)", "(V @ inv(V))", "(R @ R.T)", "(R.T @ R)", "(P.T @ P)", "inv(eye(a))", "(eye(a, a + b) @ eye(a + b, a))"}, {"(inv(V) @ W)", "(R @ R)", "(P @ P)", "(inv(V.T) @ V)"}},
      {Of::leaf, "a", "a", {"inv(V @ W)", "(inv(W) @ inv(V))", "inv((V @ W).T).T", "(inv(2 * V @ W) * 2)", "(inv(q * V @ W) * q)"}, {"(inv(V) @ inv(W))", "inv(W @ V)", "(inv(V @ W) * s)", "inv(V @ W).T"}},
      {Of::leaf, "a", "a", {"inv(inv(V))", "V", "(V @ V @ inv(V))"}, {"inv(V)", "V.T", "W"}},
      {Of::leaf, "a", "a", {"(Y @ S)", "(S.T @ Y).T", "(Y.T @ S)"}, {"(S @ Y)", "(Y @ S.T)"}},
      {Of::leaf, "a", "a", {"rmsnorm(S @ R)", "(rmsnorm(S) @ R)", "rmsnorm(p * S @ R)"}, {"(R @ rmsnorm(S))", "rmsnorm(S @ R.T)", "rmsnorm(R @ S)"}},
      {Of::leaf, "a", "a", {"relu(P @ S)", "(P @ relu(S))", "(relu(S.T @ P.T)).T"}, {"relu(S @ P)", "(P.T @ relu(S))"}},
      {Of::leaf, "a", "a", {"softmax(P @ S @ P.T)", "(P @ softmax(S) @ P.T)", "(P @ softmax(S + t) @ P.T)"}, {"softmax(P @ S @ P)", "(P.T @ softmax(S) @ P)", "softmax(S)"}},
      {Of::leaf, "a", "a", {"diag(d)", "(reshape(d, a, 1) * eye(a))", "(eye(a) * d)"}, {"(reshape(d, a, 1) * ones(a, a))", "diag(2 * d)"}},
      {Of::leaf, "a", "b", {"(diag(d) @ A)", "(reshape(d, a, 1) * A)", "(A.T @ diag(d)).T", "(A.T * d).T"}, {"(diag(d) @ D)", "(diag(1 / d) @ A)", "(g * A)"}},
      {Of::leaf, "a", "b", {"(A * g)", "(A @ diag(g[0]))", "(A * (ones(a, 1) @ g))"}, {"(A + g)", "(A @ diag(1 / g[0]))"}},
      {Of::leaf, "a", "b", {"(A + g)", "(A + ones(a, 1) @ g)", "(concat(A, ones(a, 1)) @ vstack(eye(b), g))"}, {"(A - g)", "(A * g)", "(concat(A, ones(a, 1)) @ vstack(eye(b), 2 * g))"}},
      {Of::leaf, "a", "b", {"softmax(A + neginf(M))", "(exp(A) * M / rowsum(exp(A) * M))", "softmax(A * M + neginf(M))", "(softmax(A + neginf(M)) * M)"}, {"softmax(A * M)", "(softmax(A) * M)", "softmax(A + M)"}},
      {Of::leaf, "a", "b", {"(M * A)", "(M * M * A)", "(M**3 * A)", "(A - (1 - M) * A)"}, {"(A * (1 - M))", "A"}},
      {Of::leaf, "a", "b", {"log(L * exp(A))", "(log(L) + A)", "(log(p * L) - log(p) + A)"}, {"log(L + exp(A))", "(log(L) * A)"}},
      {Of::leaf, "a", "b", {"softmax(log(L))", "(L / rowsum(L))", "(sqrt(L) * sqrt(L) / rowsum(sqrt(L * L)))"}, {"L", "(L / colsum(L))"}},
      {Of::leaf, "a", "b", {"abs(L)", "L", "relu(L)", "sqrt(L)**2", "exp(log(L))"}, {"(-L)", "log(exp(L) + 1)"}},
      {Of::leaf, "a", "c", {"(N @ (B + ones(b, c)))", "(N @ B + ones(a, c))", "(N @ B + N @ ones(b, c))"}, {"(N @ B + b)", "(A @ (B + ones(b, c)))"}},
      {Of::leaf, "a", "c", {"exp(O @ B)", "(O @ exp(B))", "(O @ exp(B / 2)) ** 2"}, {"exp(A @ B)", "(A @ exp(B))", "(N @ exp(B))"}},
      {Of::leaf, "a", "c", {"relu(O @ B - O @ E)", "(O @ relu(B - E))", "(O @ maximum(B, E) - O @ E)"}, {"(O @ relu(B) - O @ relu(E))", "(N @ relu(B - E))"}},
      {Of::leaf, "a", "c", {"take(B, I)", "(onehot(I, b) @ B)", "(take(B + E, I) - take(E, I))", "take(B.T.T, I)"}, {"take(E, I)", "(onehot(I, b) @ E)"}},
      {Of::leaf, "a", "b", {"(rope(Q, u) @ rope(G, u).T)", "(rope(Q, u, t) @ rope(G, u, t).T)", "(rope(Q, -u) @ rope(G, -u).T)[:, :] * 1 + (rope(Q, u) @ rope(G, u).T) - (rope(Q, -u) @ rope(G, -u).T)"}, {"(Q @ G.T)", "(rope(Q, u, t) @ rope(G, u).T)", "(rope(Q, 2 * u) @ rope(G, u).T)", "(rope_half(Q, u) @ rope_half(G, u).T)"}},
      {Of::leaf, "a", "b", {"concat(A[:, :1], A[:, 1:])[:, :]", "A", "(A[:, :1] @ ones(1, b) * 0 + A)", "vstack(A[:1], A[1:])"}, {"concat(A[:, 1:], A[:, :1])", "D"}},
      // scalars
      {Of::scalar, "", "", {"trace(S @ T)", "trace(T @ S)", "sum(S * T.T)", "sum(S.T * T)", "trace((S @ T).T)"}, {"sum(S * T)", "trace(S @ T.T)", "(trace(S) * trace(T))"}},
      {Of::scalar, "", "", {"sum(A)", "sum(A.T)", "(ones(1, a) @ A @ ones(b, 1))", "sum(rowsum(A))", "trace(A @ ones(b, a))"}, {"mean(rowsum(A), axis=0)", "sum(D)", "trace(A @ eye(b, a))"}},
      {Of::scalar, "", "", {"trace(kron(S, T))", "(trace(S) * trace(T))", "trace(kron(T, S))"}, {"trace(S @ T)", "sum(kron(S, T))", "trace(kron(S, S))"}},
      {Of::scalar, "", "", {"frob2(A)", "sum(A * A)", "trace(A @ A.T)", "trace(A.T @ A)", "sum(A**2)"}, {"sum(A)**2", "frob2(D)", "sum(abs(A))"}},
      {Of::scalar, "", "", {"a", "sum(eye(a))", "trace(eye(a))", "(sum(ones(a, b)) / b)"}, {"b", "a**2", "(a + 1)"}},
      {Of::scalar, "", "", {"(a * b)", "sum(ones(a, b))", "trace(ones(a, b) @ ones(b, a))"}, {"(a + b)", "a", "(a * a)"}},
      {Of::scalar, "", "", {"abs(s)", "sqrt(s * s)", "(s**4)**(1/4)", "abs(-s)", "maximum(s, -s)"}, {"s", "sqrt(s)**2", "(s**3)**(1/3)"}},
      {Of::scalar, "", "", {"1", "(q / q)", "exp(0 * s)", "(sin(s)**2 + cos(s)**2)", "p**0", "rowsum(softmax(ones(1, b)))"}, {"s", "q", "cos(s)"}},
  };
  return all;
}

}  // namespace foldproof::properties
