// SPDX-License-Identifier: MIT
// What a claim means where its text leaves something open: undeclared shapes, even widths, remainders, token numbers. Each
// statement is true or false under the meaning that people have in mind; the prover and the search must agree with that, and the
// problem that a certificate's text gives again must be the same.
#include <boost/test/unit_test.hpp>
#include <span>

#include "kernel/check.hpp"
#include "kernel/claims.hpp"
#include "prove/prove.hpp"
#include "refute/refute.hpp"

namespace foldproof::properties {
namespace {

constexpr const char* true_readings[] = {
    // one array is joined along its first axis
    "A: [h, n, k]; np.vstack(A) == A.reshape(h*n, k)",
    "A: [h, n, k]; len(np.concatenate(A)) == h * n",
    "H: [h, n, v]; W: [h*v, d]; np.concatenate(H, axis=1) @ W == sum(H[i] @ W[i*v:(i+1)*v] for i in range(h))",
    "X: [n, d]; np.hstack(X) == X.reshape(n*d)",
    "X: [n, d]; np.vstack(X) == np.vstack([X])",
    "def softmax(x):\n    \"\"\"Subtracts the largest score first.\"\"\"\n    e = np.exp(x - np.max(x, axis=-1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)\nS: [n, m]; softmax(S) == F.softmax(S, dim=-1)",
    "def attention(q: Tensor, k: 'Tensor', v, scale: float = 1.0) -> Tensor:\n    return softmax(q @ k.T * scale) @ v\nQ: [n, d]; K: [m, d]; V: [m, e]; attention(2 * Q, K, V, scale=1/2) == attention(Q, K, V)",
    "def norm(x, g, eps=1e-5):\n    mu, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)\n    return (x - mu) / np.sqrt(var + eps) * g\nx: [n, d]; g: [d]; norm(x, g) == F.layer_norm(x, (d,)) * g",
    "def split(x):\n    B, T, C = x.shape\n    return x.reshape(B, T, h, C // h)\nx: [b, n, d]; assume d == h*k; split(2 * x) == 2 * x.reshape(b, n, h, k)",
    "def forward(self, x):\n    q, k, v = (x @ self.W).chunk(3, dim=-1)\n    return softmax(q @ k.T) @ v\nx: [n, d]; W: [d, 3*k]; forward(x) == softmax(x @ W[:, :k] @ (x @ W[:, k:2*k]).T) @ (x @ W[:, 2*k:])",
    "def swap(x):\n    a, b = x[:, :p], x[:, p:]\n    a, b = b, a\n    return concat(a, b)\nx: [n, 2*p]; swap(swap(x)) == x",
    "c = 2; f = lambda x, y=c: x * y; c = 3; f(A) == 2 * A",
    "W: [d, k]; r = rank(W); lfac(W, r) @ rfac(W, r) == W",
    "W: [d, k]; r = d; lfac(W, r) @ rfac(W, r) == W",
    "x: [n, d]; x[:, [0, -1]] == concat(x[:, :1], x[:, d-1:], axis=1)",
    "x: [b, n, d]; x[..., [1, 0], :] == torch.stack([x[:, 1], x[:, 0]], dim=1)",
    "g: [n, e]; W: [e, d, k]; sum(g[:, [i]] * (x @ W[i]) for i in range(e)) == np.einsum('ne,nd,edk->nk', g, x, W)",
    "S: [B, h, T, T]; mask = torch.tril(torch.ones(T, T)).view(1, 1, T, T); S.masked_fill(mask[:, :, :T, :T] == 0, float('-inf')) == S + causal(T)",
    "S: [b, h, n, m]; M: [b, m]; assume mask01(M); S.masked_fill(M.view(b, 1, 1, m) == 0, -np.inf) == S + neginf(M[:, None, None, :])",
    "x: [B, T, C]; assume C == nh * hs\n"
    "q, k, v = (x @ Wc).split(C, dim=2)\n"
    "q = q.view(B, T, nh, C // nh).transpose(1, 2)\nk = k.view(B, T, nh, C // nh).transpose(1, 2)\nv = v.view(B, T, nh, C // nh).transpose(1, 2)\n"
    "att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))\n"
    "att = att.masked_fill(torch.tril(torch.ones(T, T)).view(1, 1, T, T) == 0, float('-inf'))\n"
    "y = (F.softmax(att, dim=-1) @ v).transpose(1, 2).contiguous().view(B, T, C) @ Wp\n"
    "y == F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, C) @ Wp",
    "attend = lambda Q, K, V: softmax(Q @ K.T / sqrt(d)) @ V; Q: [n, d]; K: [m, d]; V: [m, v]; attend(Q, K, V=2*V) == 2 * attend(Q, K, V)",
    "def scores(x, W):\n    y = x @ W\n    return y @ y.T\nX: [n, d]; W: [d, k]; scores(X, W) == X @ W @ W.T @ X.T",
    "twice = lambda x: x + x; four = lambda x: twice(twice(x)); four(A) == 4 * A",
    "torch.nn.Softmax(dim=-1)(S) == softmax(S)",
    "X: [n, d]; nn.LayerNorm(d)(nn.ReLU()(X)) == F.layer_norm(relu(X), (d,))",
    "x: [1, d]; assume norm(x) == 1; x @ x.T == 1",
    "X: [n, d]; assume norm(X, axis=-1) == 2; rowsum(X * X) == 4",
    "X: [n, d]; W: [d, k]; Y: [n, k]; Y = X @ W; Y.T == W.T @ X.T",
    "x: [n, d]; h = x; h = 2 * h; f = lambda t: t + h; f(z) == z + 2 * x",
    "X: [n, d]; nn.RMSNorm(d, eps=1e-6)(X) == rmsnorm(X, 1e-6)",
    "torch.lerp(A, B, t) == A + t * (B - A)",
    "torch.block_diag(A, B) @ vstack(X, Y) == vstack(A @ X, B @ Y)",
    "assume 0 <= t; assume t <= 1; t * (1 - t) <= 1/4",
    "b*s*h <= b*s*h*d",
    "x: [n, d]; assume x >= 0; x / 2 <= swish(x)",
    "theta: [1, p]; rot(theta, 3) @ rot(theta, 3).T == eye(2*p)",
    "Q: [n, 2*p]; theta: [1, p]; t: [p]; assume t == theta[0]; rope(Q, theta) == rope(Q, t)",
    "z: [n, c]; y: [n]; F.cross_entropy(z, y) == -F.log_softmax(z, dim=-1)[torch.arange(n), y].mean()",
    "x: [n, d]; F.dropout(x, 0.1, training=False) @ W == x @ W",
    "x: [n, d]; F.dropout(x, p=0.0) == x",
    "c: []; X: [n, d]; float(c) * X == X * c",
    "x: [n, d]; tf.reduce_sum(x, axis=-1, keepdims=True) == rowsum(x)",
    "x: [n, d]; tf.reduce_max(x, axis=0) == np.max(x, axis=0)",
    "W: [h, d, k]; X: [n, d]; sum((X @ W[i] for i in range(h))) == X @ sum((W[i] for i in range(h)))",
    "X: [n, d]; np.maximum(X, 0) == max(X, 0)",
    "B, T, C = x.size(); q, k, v = (x @ self.W).split(C, dim=2); k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2).transpose(1, 2).contiguous().view(B, T, C) == k",
    "self.scale * (x @ self.W_q.T) == x @ (self.scale * self.W_q).T",
    "q, k, v = (x @ W).chunk(3, dim=-1); torch.cat([q, k, v], dim=-1) == x @ W",
    "x: [n, h*k]; torch.stack(x.chunk(h, dim=-1)) == x.view(n, h, k).transpose(0, 1)",
    "x: [n, d]; torch.stack(x.chunk(h, dim=-1))[0] == x[:, :d // h]",
    "x: [n, h, k]; torch.stack(x.unbind(1), dim=1) == x",
    "X: [n, d]; s: [1, d]; assume (s > 0).all(); relu(X * s) == relu(X) * s",
    "X: [n, d]; s: [1, d]; assume np.all(s > 0); relu(X * s) == relu(X) * s",
    "X: [n, d]; s: [1, d]; assume s.min() > 0; relu(X * s) == relu(X) * s",
    "S: [n, m]; np.all(softmax(S) >= 0)",
    "S: [n, m]; assert (rowsum(softmax(S)) == 1).all()",
    "S: [n, m]; assume max(S) <= 5; S <= 5",
    "k = d // h; x: [n, d]; x.view(n, h, k).transpose(0, 1)[0] == x[:, :k]",
    "x: [n, d]; x.view(n, h, d // h).transpose(0, 1)[0] == x[:, :d // h]",
    "d_model, n_heads = 64, 4; d_k = d_model // n_heads; Q, K: [n, d_k]; Q @ K.T / 4 == Q @ K.T / sqrt(d_k)",
    "k = 3; x: [n, k]; sum(ones(n, k)) == 3 * n",
    "B, T, C = x.shape; x: [b, t, h*k]; x.view(B, T, h, k)[:, :, 0] == x[:, :, :k]",
    "r*(d + k) < d*k; assume r < d*k/(d + k)",
    "d_model == h*d_k; assume d_k == d_model/h",
    "S: [t, t]; mask = torch.full((t, t), float('-inf')); mask = torch.triu(mask, diagonal=1); softmax(S + mask) == softmax(S + causal(t))",
    "S: [t, t]; mask = torch.triu(torch.ones(t, t) * float('-inf'), diagonal=1); softmax(S + mask) == softmax(S + causal(t))",
    "S: [b, h, t, t]; mask = torch.full((1, 1, t, t), float('-inf')); mask = torch.triu(mask, diagonal=1); softmax(S + mask, dim=-1) == softmax(S + causal(t), dim=-1)",
    "triu(causal(n), 1) == causal(n)",
    "S: [b, n, n]; tril(S) + triu(S, 1) == S",
    "vstack(Q[i:i+1] @ (K[:i].T @ V[:i]) for i in range(n)) == tril(Q @ K.T, -1) @ V",
    "vstack(colsum(X[:i]) for i in range(n)) == tril(ones(n, n), -1) @ X",
    "P: [n + m, d]; pos = torch.arange(n); F.embedding(pos, P) == P[:n]",
    "P: [n + m, d]; P[np.arange(1, n)] == P[1:n]",
    "W: [h, d]; stack([np.where(w > 0, w, 0) for w in W]) == relu(W)",
    "X: [n, 2*d]; q, k = X.chunk(2, dim=-1); torch.cat((q, k), dim=-1) == X",
    "X: [n, 2*d]; torch.cat(X.chunk(2, dim=-1), dim=-1) == X",
    "X, Y: [n, d]; A: [m, n]; a, b = A @ X, A @ Y; a + b == A @ (X + Y)",
    "A, B: [n, n]; X: [n, d]; assume A, B orthogonal; A @ A.T @ B @ B.T @ X == X",
    "R: [d, d]; assume R is orthogonal; frob2(R @ R) == d",
    "X, Y: [n, d]; assume X * Y >= 0 elementwise; relu(X + Y) == relu(X) + relu(Y)",
    "W: [h, d, k]; X: [n, d]; np.concatenate([X @ w for w in W], axis=-1) == concat(X @ W[i] for i in range(h))",
    "W: [h, d, k]; X: [n, d]; np.stack([(i + 1) * (X @ w) for i, w in enumerate(W)]) == np.stack([(i + 1) * (X @ W[i]) for i in range(h)])",
    "Q, K: [h, n, k]; sum(q @ c.T for q, c in zip(Q, K)) == sum(Q[i] @ K[i].T for i in range(h))",
    "S: [n, n]; softmax(S.masked_fill(~torch.tril(torch.ones(n, n)).bool(), float('-inf')), dim=-1) == softmax(S + causal(n))",
    "Q: [n, k]; W: [k, k]; theta: [p]; rope(Q @ W, theta) == vstack(*[Q[i:i+1] @ W @ rot(theta, i) for i in range(n)])",
    "Q: [n, k]; K: [m, k]; theta: [p]; rope_half(Q @ halfperm(k), theta) @ rope_half(K @ halfperm(k), theta).T == rope(Q, theta) @ rope(K, theta).T",
    "A: [n, k]; B: [k, m]; torch.allclose((A @ B).T, B.T @ A.T, atol=1e-6)",
    "A: [n, k]; B: [k, m]; np.testing.assert_allclose((A @ B).T, B.T @ A.T, rtol=1e-6)",
    "x: [n, V]; t: [n]; c: [n, 1]; F.cross_entropy(x + c, t) == F.cross_entropy(x, t)",
    "X: [n, d]; np.eye(n, k=1) @ X == triu(ones(n, n), 1) @ X - triu(ones(n, n), 2) @ X",
    "A: [n, m]; X: [m, d]; np.einsum('nm,md->nd', [A, X], optimize=True) == A @ X",
    "W: [d, h*k]; X: [n, d]; stack(reshape(X @ W, n, k, h)[:, :, i] for i in range(h)) == stack((X @ W)[:, i::h] for i in range(h))",
    "X: [n, h*k]; X[:, ::h] == reshape(X, n, k, h)[:, :, 0]",
    "X: [n, d]; var(X) == mean(X*X) - mean(X)**2",
    "X: [n, d]; std(X) == sqrt(var(X))",
    "E: [V, d]; onehot(arange(V), V) @ E == E",
    "x, p: [n]; np.average(x, weights=p) == (p @ x) / np.sum(p)",
    "X: [b, n, d]; W: [h, d, k]; np.einsum('bnd,hdk->bhnk', X, W) == np.stack([X @ W[i] for i in range(h)], axis=1)",
    "X: [n, h, k]; X.flatten(1) == reshape(X, n, h*k)",
    "X: [b, n, h, k]; torch.flatten(X, start_dim=1, end_dim=2) == X.reshape(b, n*h, k)",
    "x1, x2: [n, p]; torch.stack((x1, x2), dim=-1).flatten(-2)[:, 1::2] == x2",
    "X: [n, d]; np.squeeze(X[:, None, :], axis=1) == X",
    "X: [b, n, d]; np.moveaxis(X, 0, 1) == X.transpose(1, 0, 2)",
    "X: [b, n, d]; torch.movedim(X, -1, 0) == einsum('bnd->dbn', X)",
    "X: [n, h*k]; einops.reduce(X, 'n (h k) -> n k', 'sum', h=h) == sum(X[:, i*k:(i+1)*k] for i in range(h))",
    "X: [b, n, d]; reduce(X, 'b n d -> b d', 'mean') == X.mean(axis=1)",
    "X: [b, n, d]; reduce(X, 'b n d -> d', 'max') == X.max(axis=1).max(axis=0)",
    "Q, K: [n, k]; V: [n, v]; M: [n, n]; F.scaled_dot_product_attention(Q, K, V, attn_mask=M) == softmax(Q @ K.T / sqrt(k) + M) @ V",
    "theta: [p]; X: [n, 2*p]; a, b: [p]; rope(X @ blockrot(a, b), theta) == rope(X, theta) @ blockrot(a, b)",
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

    // functions of libraries, with the defaults that each of them has
    "x: [b, n, d]; F.normalize(x) == F.normalize(x, dim=1)",
    "x: [n, d]; F.normalize(x, dim=1, eps=1) == x / maximum(sqrt(rowsum(x * x)), 1)",
    "x: [b, n, d]; F.layer_norm(x, x.shape[-1:]) == F.layer_norm(x, (d,))",
    "x: [n, d]; x / np.std(x, axis=1, keepdims=1) == x / np.std(x, axis=1, keepdims=True)",
    "x: [n, d]; x.sum(-1, True) == x.sum(-1, keepdim=True)",
    // PyTorch's max gives the values and their places
    "x: [n, d]; x.max(-1, keepdim=True)[0] == x.amax(-1, keepdim=True)",
    "x: [n, d]; torch.max(x, dim=1).values == rowmax(x)[:, 0]",
    "x: [n, d]; x.max(axis=1)[0] == rowmax(x)[0, 0]",
    // where to cut, and how long the parts are
    "x: [n, 6]; np.split(x, [2, 4], axis=1)[1] == x[:, 2:4]",
    "x: [n, 6]; np.split(x, [2, 4], axis=1)[2] == x[:, 4:]",
    "x: [n, 6]; torch.split(x, [2, 4], dim=1)[1] == x[:, 2:]",
    "x: [6, d]; torch.tensor_split(x, [2, 4])[0] == x[:2]",
    "x: [a, 2*n, d]; np.hsplit(x, 2)[0] == x[:, :n]",
    "x: [n]; np.repeat(x, 2).reshape(n, 2)[:, 0] == x",
    // all entries in rows of another length and back, quotients of quotients, every entry several times
    "x: [n, d]; x.reshape(d, n).reshape(n, d) == x",
    "x: [n, h, k]; x.reshape(h, n, k).reshape(n, h*k) == x.reshape(n, h*k)",
    "n // 2 // 2 == n // 4",
    "concat(Q[i] @ K[i//2].T for i in range(4)) == concat(Q[0] @ K[0].T, Q[1] @ K[0].T, Q[2] @ K[1].T, Q[3] @ K[1].T)",
    "x: [n, d]; np.repeat(x, g, axis=1) == np.kron(x, np.ones((1, g)))",
    // masks of minus infinity, one more time
    "S: [n, n]; S + causal(n) + causal(n) == S + causal(n)",
    "M, N: [n, m]; assume mask01(M); assume mask01(N); neginf(M) + 2 * neginf(N) == neginf(M * N)",
    // what is chosen by a comparison, entry by entry
    "X: [n, d]; X * (X > 0) == relu(X)",
    "X: [n, d]; np.where(X > 0, 1, 0) * X == relu(X)",
    "X: [n, d]; np.where(X > 0, X * sum(X), 0) == relu(X) * sum(X)",
    "X: [n, n]; np.where(X > 0, X * X.T, 0) == relu(X) * X.T",
    "X: [n, d]; W: [d, d]; np.where(X > 0, X * (X @ W), 0) == relu(X) * (X @ W)",
    "S: [n, n]; np.where(np.arange(n)[:, None] >= np.arange(n)[None, :], S, -np.inf) == S + causal(n)",
    // masks that compare positions
    "S: [n, n]; i = np.arange(n)[:, None]; j = np.arange(n)[None, :]; np.where((i >= j) & (i - j < w), S, -np.inf) == S + causal(n) + neginf(triu(ones(n, n), 1 - w))",
    "S: [n, n]; i = torch.arange(n).unsqueeze(1); j = torch.arange(n).unsqueeze(0); S.masked_fill(i < j, float('-inf')) == S + causal(n)",
    "S: [n, n]; mask = np.arange(n)[:, None] >= np.arange(n)[None, :]; S * mask == tril(S)",
    "S: [n, n]; i = np.arange(n).reshape(n, 1); j = i.T; np.where(np.abs(i - j) <= 2, S, 0) == np.tril(np.triu(S, -2), 2)",
    "S: [n, n]; i = np.arange(n).reshape(n, 1); j = i.T; np.where(2 < np.abs(i - j), 0, S) == np.tril(np.triu(S, -2), 2)",
    "S: [n, n]; i = np.arange(n)[:, None]; np.where(abs(i - i.T) >= 2, 0, S) == np.tril(np.triu(S, -1), 1)",
    "S: [n, n]; i = np.arange(n)[:, None]; np.where(abs(i - i.T) < 2, S, 0) == np.tril(np.triu(S, -1), 1)",
    "S: [n, n]; i = np.arange(n)[:, None]; np.where(i != i.T, S, 0) == S - S * eye(n)",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; softmax(where(i // w == j // w, S, -inf)) == where(i // w == j // w, exp(S), 0) / rowsum(where(i // w == j // w, exp(S), 0))",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(i + j == n - 1, 1, 0) @ S == S[::-1]",
    "X: [n, d]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(i == j + 1, 1, 0) @ X == np.eye(n, k=-1) @ X",
    "X: [2*m, d]; i = arange(m)[:, None]; j = arange(2*m)[None, :]; where(j == 2*i, 1, 0) @ X == X[::2]",
    "X: [2*m, d]; i = arange(m)[:, None]; j = arange(2*m)[None, :]; where(j // 2 == i, 1, 0) @ X == X[::2] + X[1::2]",
    "X: [h*k, d]; i = arange(h*k)[:, None]; j = arange(h)[None, :]; Y: [h, d]; where(i // k == j, 1, 0) @ Y == np.repeat(Y, k, axis=0)",
    "X: [h*k, d]; i = arange(h*k)[:, None]; j = arange(h*k)[None, :]; where(i // k == j // k, 1, 0) @ X == np.repeat(X.reshape(h, k, d).sum(axis=1), k, axis=0)",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; tril(where(i // w == j // w, S, 0)) == where((i // w == j // w) & (i >= j), S, 0)",
    "S: [n, n]; block = arange(n) // w; M = (block[:, None] == block[None, :]); (M * S).T == M * S.T",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(abs(i - j) == 1, S, 0) == where((i == j + 1) | (j == i + 1), S, 0)",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where((i - j == 2) & (i >= j), S, 0) == where(i - j == 2, S, 0)",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(i - j != 2, S, 0) * ((i >= j) | (i < j)) == where(i - j != 2, S, 0)",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(2*i >= j, S, 0) + where(j > 2*i, S, 0) == S",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where((i - j) % w == 0, S, 0).T == where((j - i) % w == 0, S.T, 0)",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(j >= j, S, 0) == S",
    "S: [n, n]; i = np.arange(n)[:, None]; np.where(i - np.arange(1)[:, None] >= i.T, S, 0) == tril(S)",
    "S: [n, n]; i = np.arange(n)[:, None]; np.where(i - i[:1] >= i.T, S, 0) == tril(S)",
    "S: [n, n]; np.where(np.arange(n)[:, None] == np.arange(n)[None, :], S, 0) == S * eye(n)",
    "S: [n, 2*k]; np.sum((np.arange(2*k) < k) * S) == np.sum(S[:, :k])",
    "S: [n, m]; assume k < n; S * (np.arange(n)[:, None] >= k) == vstack(zeros(k, m), S[k:])",
    "S: [n, m]; assume k < m; S * (k > np.arange(m)) == concat(S[:, :k], zeros(n, m - k))",
    "S: [n, n]; assume k < n; i = np.arange(n)[:, None]; j = np.arange(n)[None, :]; np.where((j < k) | (i >= j), S, 0) == concat(S[:, :k], tril(S)[:, k:])",
    "S: [n, m]; np.where(np.arange(2, n + 2)[:, None] > np.arange(m)[None, :] + 1, S, 0) == tril(S)",
    "M, N: [n, m]; assume mask01(M); assume mask01(N); ~(M & N) == ~M | ~N",
    "M, N: [n, m]; S: [n, m]; assume binary(M); assume binary(N); S.masked_fill(np.logical_not(M) | (N == 0), 0) == S * M * N",
    // several loops, and ranges that begin later
    "A: [h, n, k]; B: [h, k, m]; sum(A[i] @ B[j] for i in range(h) for j in range(h)) == sum(A[i] for i in range(h)) @ sum(B[j] for j in range(h))",
    "S: [n, n]; sum(S[i, j] for i in range(n) for j in range(i + 1)) == np.sum(np.tril(S))",
    "A: [6, n, k]; concat(A[i] for i in range(2, 5)) == concat(A[2], A[3], A[4])",
    "t: [n]; assume 0 <= t <= 1; t * (1 - t) >= 0",
    // what is assigned again, and several names at once
    "x: [n, d]; W1: [d, k]; W2: [k, m]; y = x; y = y @ W1; y = y @ W2; y == x @ (W1 @ W2)",
    "x: [n, d]; r: [n, d]; h = 1 * x; h += r; h -= x; h *= 2; h == 2 * r",
    "x: [n, d]; p = x; q = 2 * x; p, q = q, p; p == 2 * q",
    "x: [n, d]; W: [d, d]; y = x @ W; x = y; x = x @ W; assume W @ W == W; x == y",
    "x: [B, T, C]; B, T, C = x.size(); x.view(B*T, C).view(B, T, C) == x",
    "x: [b, n, 3*h*d]; q, k, v = rearrange(x, 'b n (three h d) -> three b h n d', three=3, h=h); q == rearrange(x[:, :, :h*d], 'b n (h d) -> b h n d', h=h)",
    "X: [2, d]; a, b = X; a + b == X[0] + X[1]",
    "x: [b, n, h*k]; x.unflatten(-1, (h, k)).transpose(1, 2) == rearrange(x, 'b n (h k) -> b h n k', h=h)",
    "x: [b, n, h*k]; x.unflatten(2, (h, -1)).flatten(2) == x",
    "theta: [n, p]; theta.cos()**2 + theta.sin()**2 == 1",
    "S: [n, n]; S.masked_fill(torch.triu(torch.ones(n, n), diagonal=1).bool(), -float(\"inf\")) == S + causal(n)",
    "A: [n, m]; torch.norm(A, p=1) + A.norm(2)**2 == np.sum(np.abs(A)) + np.trace(A.T @ A)",
    "Q: [g*r, n, d]; K: [g, m, d]; V: [g, m, d]; F.scaled_dot_product_attention(Q, K, V, enable_gqa=True) == stack(F.scaled_dot_product_attention(Q[i], K[i//r], V[i//r]) for i in range(g*r))",
    "np.tril(x, -1) + np.triu(x) == x",
    "x: [n]; np.arange(0, 6, 2)[1] * x == 2 * x",
    "S: [n, n]; i = np.arange(n); np.where(i[:, None] >= i.T, S, 0) == tril(S)",
    "X: [n, d]; W: [d, d]; np.where(0 < X, X * (X @ W), 0) == relu(X) * (X @ W)",
    "M: [n]; x: [n]; assume mask01(M); np.where(0 < M, x, 0) == np.where(1 == M, x, 0)",
    "x: [n]; x.unsqueeze(-0) == x[None, :]",
    "S: [n, n]; S * tril(n, -1) == S * np.tril(np.ones((n, n)), k=-1)",
    "A: [n, k]; B: [k, m]; einops.einsum(A, B, 'row inner, inner col -> row col') == A @ B",
    "x: [b, n, d]; F.softmax(x) == torch.softmax(x, dim=0)",
    "x: [n, d]; F.softmax(x) == softmax(x)",
    "x: [n, d]; scipy.special.logsumexp(x) == np.log(np.sum(np.exp(x)))",
    "x: [n, d]; scipy.special.softmax(x) == np.exp(x) / np.sum(np.exp(x))",
    "jax.nn.gelu(x) == gelu_tanh(x)",
    "F.gelu(x, approximate='tanh') == gelu_tanh(x)",
    "tf.nn.leaky_relu(x) == F.leaky_relu(x, 0.2)",
    "x: [n, d]; g: [d]; W: [k, d]; F.linear(F.rms_norm(x, (d,), g), W) == F.linear(F.rms_norm(x, (d,)), W * g)",
    "x: [n, d]; g: [d]; b: [d]; F.layer_norm(x, (d,), g, b) == layernorm(x, 1e-5) * g + b",
    "x: [n, d]; eps: []; assume eps > 0; x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) == F.rms_norm(x, (d,), eps=eps)",
    "x: [n, d]; (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5) == F.layer_norm(x, (d,))",
    "x: [n, d]; np.var(x, axis=1) == np.mean((x - np.mean(x, axis=1, keepdims=True))**2, axis=1)",
    "x: [n, d]; torch.var(x, dim=1) * (d - 1) == np.var(x, axis=1) * d",
    "x: [n, d]; x.norm(p=2, dim=-1) == x.pow(2).sum(-1).sqrt()",
    "x: [n, d]; F.normalize(x, p=1, dim=-1) == x / x.abs().sum(-1, keepdim=True)",
    "S: [n, c]; t: [n]; e: []; F.cross_entropy(S, t, label_smoothing=e) == (1 - e)*F.cross_entropy(S, t) + e*np.mean(-F.log_softmax(S, dim=1))",
    "S: [n, c]; t: [n]; F.cross_entropy(S, t, reduction='sum') == n*F.cross_entropy(S, t, reduction='mean')",
    "S: [n, c]; t: [n]; F.nll_loss(F.log_softmax(S, dim=1), t, reduction='none') == F.cross_entropy(S, t, reduction='none')",
    "P: [n, c]; S: [n, c]; F.kl_div(S.log_softmax(-1), P, reduction='batchmean') == np.sum(P * (np.log(P) - F.log_softmax(S, dim=-1))) / n",
    "P: [n, c]; S: [n, c]; F.kl_div(S, P, log_target=True, reduction='sum') == np.sum(np.exp(P) * (P - S))",
    "x: [n]; y: [n]; F.binary_cross_entropy_with_logits(x, y) == F.binary_cross_entropy(torch.sigmoid(x), y)",
    "S: [n, m]; V: [m, d]; softmax(S.float(), dim=-1).to(V.dtype) @ V == softmax(S.astype(np.float64)) @ V",
    "q: [n, d]; k: [n, d]; F.cosine_similarity(q, k, dim=-1) == (F.normalize(q, dim=-1) * F.normalize(k, dim=-1)).sum(-1)",
    "torch.addmm(b, X, W, beta=0.5, alpha=2) == 2 * X @ W + b / 2; X: [n, d]; W: [d, k]; b: [k]",
    "Q: [n, k]; K: [m, k]; V: [m, d]; (F.elu(Q) + 1) @ ((F.elu(K) + 1).T @ V) == ((F.elu(Q) + 1) @ (F.elu(K) + 1).T) @ V",
    "x: [n, d]; torch.where(x > 0, x, torch.exp(x) - 1) == F.elu(x)",
    "x: [n, d]; np.where(x > 2, x, 2) == maximum(x, 2)",
    "x: [n, d]; F.glu(x @ W, dim=-1) == (x @ W[:, :f]) * torch.sigmoid(x @ W[:, f:]); W: [d, 2*f]",
    "t: [n]; E: [v, d]; assume tokens(t, v); F.one_hot(t, num_classes=v) @ E == F.embedding(t, E)",
    // parts, repetitions and orders of axes
    "x: [n, d]; W: [3*k, d]; F.linear(x, W).chunk(3, dim=-1)[1] == F.linear(x, W[k:2*k])",
    "x: [n, a + b]; x.split([a, b], dim=-1)[1] == x[:, a:]",
    "x: [n, 2*k]; x.split(k, dim=-1)[1] == np.split(x, 2, axis=1)[1]",
    "x: [b, n, d]; W: [d, h*k]; rearrange(x @ W, 'b n (h k) -> b h n k', h=h) == torch.einsum('bnd,dhk->bhnk', x, W.reshape(d, h, k))",
    "q: [h*g, n, k]; kk: [h, m, k]; q @ torch.repeat_interleave(kk, g, dim=0).mT == stack(q[i] @ kk[i // g].T for i in range(h*g))",
    "q: [h*g, n, k]; kk: [h, m, k]; q @ kk.repeat(g, 1, 1).mT == stack(q[i] @ kk[i % h].T for i in range(h*g))",
    "kk: [h, m, k]; repeat(kk, 'h m k -> (h g) m k', g=3) == np.repeat(kk, 3, axis=0)",
    "x: [n, d]; np.tile(x, (2, 1)) == np.concatenate([x, x])",
    "x: [n, h*k]; x.view(n, h, k).transpose(0, 1).contiguous() == transpose(reshape(x, n, h, k), 1, 0, 2)",
    "x: [b, n, d]; W: [d, k]; x @ W == np.einsum('...d,dk->...k', x, W)",
    "x: [b, n, d]; x.sum(dim=(1, 2)) == x.sum(1).sum(1)",
    "x: [b, n, d]; x.mean(dim=(-2, -1)) == x.reshape(b, n*d).mean(-1)",
    "x: [n]; y: [n]; torch.softmax(torch.stack([x, y], dim=-1), dim=-1)[:, 0] == torch.sigmoid(x - y)",
    "x: [n, d]; np.roll(x, 1, axis=0) == np.concatenate([x[n-1:], x[:n-1]])",
    "x: [n, d]; x.flip(0).cumsum(0).flip(0) == triu(n) @ x",
    "X: [n, d]; W: [d, k]; b: [k]; X @ W + b == np.hstack([X, np.ones((n, 1))]) @ np.vstack([W, b])",
};

constexpr const char* false_readings[] = {
    "X: [n, d]; np.concatenate(X).sum(axis=0) == X.sum(axis=0)",
    "A: [h, n, k]; rowsum(np.vstack(A)) == rowsum(np.vstack(A[::-1]))",
    "relu = lambda x: 2 * x; F.relu(X) == 2 * X",
    "relu = lambda x: 2 * x; relu(X) == F.relu(X)",
    "def softmax(x):\n    return np.exp(x) / np.exp(x).sum(axis=-1)\nS: [n, n]; softmax(S) == torch.softmax(S, dim=-1)",
    "def swap(x):\n    a, b = x[:, :p], x[:, p:]\n    a, b = b, a\n    return concat(a, b)\nx: [n, 2*p]; swap(x) == x",
    "x: [n, d]; W: [d, k]; assume 0 < p; assume p < d; x[:, :p] @ W[:p] + x[:, p:] @ W[p:] == 2 * x @ W",
    "x: [n, d]; x[:, [1, 0]] == x[:, :2]",
    "A: [n, p]; B: [p, m]; k = rank(A); k <= rank(A @ B)",
    "W: [d, k]; assume r + 1 == rank(W); lfac(W, r) @ rfac(W, r) == W",
    "S: [B, h, T, T]; S.masked_fill(torch.tril(torch.ones(T, T)).view(1, 1, T, T) == 1, float('-inf')) == S + causal(T)",
    "attend = lambda Q, K, V: softmax(Q @ K.T) @ V; Q: [n, d]; K: [m, d]; V: [m, d]; attend(Q, K, V) == attend(Q, V, K)",
    "nn.Softmax(dim=0)(S) == softmax(S)",
    "X: [n, d]; assume temperature != n; abs(temperature * X) == temperature * abs(X)",
    "X: [n, d]; assume -1 <= s; assume s <= d; abs(s * X) == s * abs(X)",
    "x: [1, d]; assume norm(x) == 2; x @ x.T == 2",
    "(a - b)**2 <= a**2 + b**2",
    "assume c > 0; c <= c**2",
    "assume r >= 0; r <= r**2",
    "1 <= s * t",
    "z: [n, c]; y: [n]; z[torch.arange(n), y] == np.max(z, axis=1)",
    "gate, up = (x @ W).chunk(2, dim=-1); silu(gate) * up == silu(up) * gate",
    "x: [n, h*k]; torch.stack(x.split(k, dim=-1), dim=1) == x.view(n, k, h).transpose(1, 2)",
    "S: [n, m]; (softmax(S) == S).all()",
    "S: [n, m]; assume max(S) >= 5; S >= 5",
    "X: [n, d]; s: [1, d]; assume s.max() > 0; relu(X * s) == relu(X) * s",
    "d_model, n_heads = 64, 2; d_k = d_model // n_heads; Q, K: [n, d_k]; Q @ K.T / 4 == Q @ K.T / sqrt(d_k)",
    "k = 3; x: [n, k]; sum(ones(n, k)) == 4 * n",
    "r*(d + k) < d*k; assume r < 2*d*k/(d + k)",
    "S: [t, t]; mask = torch.full((t, t), float('-inf')); mask = torch.tril(mask, diagonal=-1); softmax(S + mask) == softmax(S + causal(t))",
    "tril(causal(n)) == causal(n)",
    "vstack(colsum(X[:i]) for i in range(n)) == tril(ones(n, n)) @ X",
    "P: [n + m, d]; P[np.arange(n)] == P[1:n+1]",
    "X: [n, 2*d]; q, k = X.chunk(2, dim=-1); torch.cat((k, q), dim=-1) == X",
    "Q, K: [h, n, k]; sum(q @ c.T for q, c in zip(Q, K)) == sum(K[i] @ Q[i].T for i in range(h))",
    "x: [n, V]; t: [n]; F.cross_entropy(2 * x, t) == F.cross_entropy(x, t)",
    "X, Y: [n, d]; torch.max(X) == np.max(Y)",
    "X: [n, h*k]; X[:, ::h] == X[:, :k]",
    "X: [n, h, k]; X.flatten(1) == reshape(transpose(X, 0, 2, 1), n, h*k)",
    "X: [n, h*k]; einops.reduce(X, 'n (h k) -> n k', 'mean', h=h) == sum(X[:, i*k:(i+1)*k] for i in range(h))",
    "X: [n, h*k]; einops.reduce(X, 'n (k h) -> n k', 'sum', h=h) == sum(X[:, i*k:(i+1)*k] for i in range(h))",
    "x, p: [n]; np.average(x, weights=p) == np.mean(x * p)",
    "x: [b, n, d]; F.normalize(x) == F.normalize(x, dim=-1)",
    "x: [b, n, d]; F.softmax(x) == F.softmax(x, dim=-1)",
    "x: [n, d]; scipy.special.log_softmax(x) == F.log_softmax(x, dim=-1)",
    "x: [n, d]; jax.nn.logsumexp(x) == logsumexp(x, axis=1, keepdims=True)",
    "jax.nn.gelu(x) == F.gelu(x)",
    "tf.nn.leaky_relu(x) == F.leaky_relu(x)",
    "x: [n, d]; g: [d]; b: [d]; F.layer_norm(x, (d,), g, b) == layernorm(x) * g + b",
    "x: [n, d]; torch.var(x, dim=1) == np.var(x, axis=1)",
    "x: [n, d]; W: [3*k, d]; F.linear(x, W).chunk(3, dim=-1)[1] == F.linear(x, W[:k])",
    "q: [h*g, n, k]; kk: [h, m, k]; q @ kk.repeat(g, 1, 1).mT == stack(q[i] @ kk[i // g].T for i in range(h*g))",
    "x: [n, d]; np.repeat(x, 2, axis=0) == np.tile(x, (2, 1))",
    "x: [n, d]; W: [d, h*h]; rearrange(x @ W, 'n (h k) -> h n k', h=h) == rearrange(x @ W, 'n (k h) -> h n k', h=h)",
    "x: [n, d]; np.where(x > 2, x, 2) == minimum(x, 2)",
    "Q: [n, k]; K: [m, k]; (F.elu(Q) + 1) @ (F.elu(K) + 1).T == F.elu(Q @ K.T) + 1",
    "S: [n, n]; exp(S) / np.sum(exp(S), axis=1) == softmax(S)",
    "x: [n, d]; F.normalize(x, dim=-1, eps=1) == F.normalize(x, dim=-1)",
    "x: [n, n]; x / np.std(x, axis=1, keepdims=1) == x / np.std(x, axis=1)",
    "x: [n, n]; torch.max(x, dim=1)[0] == x[0].max()",
    "x: [n, 6]; sum(np.split(x, [2, 4], axis=1)[1]) == sum(x[:, 2:])",
    "x: [n]; np.repeat(x, 2) == np.tile(x, 2)",
    "X: [n, d]; X * (X > 0) == X",
    "X: [n, d]; np.where(X > 0, X * softmax(X), 0) == relu(X) * softmax(relu(X))",
    "X: [n, n]; np.where(X > 0, X * X.T, 0) == relu(X) * relu(X).T",
    "S: [n, n]; np.where(np.arange(n)[:, None] > np.arange(n)[None, :], S, -np.inf) == S + causal(n)",
    "S: [n, n]; i = np.arange(n)[:, None]; j = np.arange(n)[None, :]; np.where((i >= j) & (i - j <= w), S, -np.inf) == S + causal(n) + neginf(triu(ones(n, n), 1 - w))",
    "S: [n, n]; i = np.arange(n)[:, None]; np.where(abs(i - i.T) >= 2, 0, S) == np.tril(np.triu(S, -2), 2)",
    "S: [n, n]; i = np.arange(n)[:, None]; np.where(abs(i - i.T) < 2, S, 0) == np.tril(np.triu(S, -2), 2)",
    "S: [n, n]; i = np.arange(n)[:, None]; np.where(i > i.T, S, 0) == tril(S)",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(i // w == j // w, S, 0) == tril(where(i // w == j // w, S, 0))",
    "X: [2*m, d]; i = arange(m)[:, None]; j = arange(2*m)[None, :]; where(j // 2 == i, 1, 0) @ X == X[::2]",
    "S: [n, n]; block = arange(n) // w; M = (block[:, None] <= block[None, :]); (M * S).T == M * S.T",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(abs(i - j) == 1, S, 0) == where(i == j + 1, S, 0)",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(abs(i - j) == w - 3, S, 0) == where((i - j == w - 3) | (j - i == w - 3), S, 0)",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where((i - j) % 2 == 0, S, 0) == S",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(2*i >= j, S, 0) + where(j >= 2*i, S, 0) == S",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(i + j == n, 1, 0) @ S == S[::-1]",
    "S: [n, m]; assume k < m; np.sum((np.arange(m) <= k) * S) == np.sum(S[:, :k])",
    "S: [n, n]; assume k < n; S * (np.arange(n)[:, None] >= k) == S * (np.arange(n)[None, :] >= k)",
    "M, N: [n, m]; assume mask01(M); assume mask01(N); ~(M & N) == ~M & ~N",
    "A: [h, n, k]; B: [h, k, m]; sum(A[i] @ B[j] for i in range(h) for j in range(h)) == sum(A[i] @ B[i] for i in range(h))",
    "A: [6, n, k]; concat(A[i] for i in range(2, 5)) == concat(A[2], A[3], A[4], A[5])[:, :3*k] * 2",
    "t: [n]; assume 0 <= t <= 1; t * (1 - t) >= t / 4",
    "x: [n, d]; W1: [d, d]; W2: [d, d]; y = x; y = y @ W1; y = y @ W2; y == x @ (W2 @ W1)",
    "x: [n, d]; r: [n, d]; h = 1 * x; h += r; h -= x; h == 2 * r",
    "x: [n, d]; p = x; q = 2 * x; p, q = q, p; q == 2 * p",
    "x: [b, n, 3*h*d]; q, k, v = rearrange(x, 'b n (three h d) -> three b h n d', three=3, h=h); k == rearrange(x[:, :, :h*d], 'b n (h d) -> b h n d', h=h)",
    "Q: [2*r, n, d]; K: [2, m, d]; V: [2, m, d]; F.scaled_dot_product_attention(Q, K, V, enable_gqa=True) == stack(F.scaled_dot_product_attention(Q[i], K[i%2], V[i%2]) for i in range(2*r))",
    "np.tril(x) + np.triu(x) == x",
    "S: [n, n]; i = np.arange(n); np.where(i[:, None] >= i.T, S, 0) == S",
    "S: [n, m]; 0 < softmax(S) < 1",
    "S: [n, m]; 1 >= softmax(S) >= 1/m",
    "x: [b, n, 4*k]; x.unflatten(-1, (4, k)).transpose(1, 2) == rearrange(x, 'b n (k h) -> b h n k', h=4)",
    "A <= A * A",
    "x: [n, d]; x.reshape(d, n).T == x",
    "n // 2 // 3 == n // 5",
    "M, N: [n, m]; assume mask01(M); assume mask01(N); neginf(M) + neginf(N) == neginf(M)",
    "scale <= 2 * scale",
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

/// What is printed is read again, and means the same.
BOOST_AUTO_TEST_CASE(claims_are_printed_as_they_can_be_read) {
  for (const auto& list : {std::span<const char* const>(true_readings), std::span<const char* const>(false_readings)}) {
    for (const char* claim : list) {
      BOOST_TEST_CONTEXT(claim) {
        try {
          const std::string printed = expr::text(expr::parse_claim(claim));
          BOOST_TEST(expr::text(expr::parse_claim(printed)) == printed);
          const auto p = problem(claim), again = problem(printed);
          BOOST_TEST(infer::shapes_text(p) == infer::shapes_text(again));
          BOOST_TEST(expr::text(p.lhs->shape) == expr::text(again.lhs->shape));
        } catch (const expr::Error& e) {
          BOOST_ERROR(e.diagnostic().message);
        }
      }
    }
  }
}

}  // namespace foldproof::properties
