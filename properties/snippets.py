# SPDX-License-Identifier: MIT
"""The NumPy program of every counterexample of the catalogue, and of claims with other operators, shows what foldproof says of it.

Usage: snippets.py SOURCE FOLDPROOF. The program is run as it is; its two sides must be the ones of the counterexample, and differ there, also as NumPy prints them.
"""
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np

source, foldproof = Path(sys.argv[1]), sys.argv[2]
failures = []

# Each has an operator that no refuted claim of the catalogue has, a size or a tensor that an assumption defines, or another spelling.
OTHERS = [
    "t: [m]; let onehot = F.one_hot(t, 3); W: [3, d]; onehot @ W == 2 * W[t]", "S: [n, m]; m <= 300",
    "L: [b, c, n]; y: [b, n]; F.cross_entropy(L, y) == 2 * F.cross_entropy(L, y)", "x, p: [n, c]; F.cross_entropy(x, p) == 1", "x: [n, d]; F.layer_norm(x, (d,)) == x", "x: [n, d]; m = nn.MultiheadAttention(d, 2); m(x, x, x)[0] == x",
    "x: [n, d]; m = nn.MultiheadAttention(d, 1); M = torch.tril(torch.ones(n, n), -1).bool(); m(x, x, x, attn_mask=M)[0] == m(x, x, x)[0]", "x, w: [n, d]; np.average(x, weights=w) == x.mean()", "x: [3]; x[0] == np.take(x, -1, axis=0)",
    "x: [2]\ny = x + 0\ny[0] *= 2\ny == x", "x: [2]\ny = x + 0\ny[0] = x[1]\ny == x", "x: [3]\ny = x + 0\ny[1:] += x[:-1]\ny == x", "x: [3]\ny = x + 0\ny[x > 0] = 7\ny == x", "x: [n, d]; torch.abs(x).repeat(1, 2) == 2 * torch.abs(x).repeat(1, 2)", "A: [n, m]; B: [m, n]; np.tensordot(A, B, axes=1) == 2 * A @ B",
    "x: [n + 1]\nm = x[0]\nfor t in range(1, n):\n    m = max(m, x[t])\nm == np.max(x)", "x: [n]; a: []\nm = a\nfor t in range(n):\n    m = max(m, x[t])\nm == np.max(x)", "A: [n, n]; S = np.zeros((n, n))\nfor i in range(n):\n    for j in range(i+1):\n        S[i, j] = A[i, j]\nS == A",
    "V: [n, e]; X: [n, 3*e]\nY = X * 1\nY[:, 1::3] = V\nY[:, 2::3] == V", "A, B: [h, n, n]; torch.bmm(A, B) == torch.bmm(B, A)", "i = np.arange(n)[:, None]; j = np.arange(n)[None, :]; b: [2*n-1]; b[i - j + n - 1] == b[j - i + n - 1]", "x: [n, d]; t: [n]; torch.index_select(x, 0, t) == x",
    "S: [n, n]; m = torch.triu(torch.ones(n, n)).bool()\nP = S * 1\nP.masked_fill_(m, 7)\nP == S", "A: [n, n]; np.array([[A[i, j] for i in range(n)] for j in range(n)]) == A", "X: [n, d]; norm = nn.LayerNorm(d, elementwise_affine=False); norm(X) == X", "(A @ V)[0] == V[0]",
    "Q, K: [n, d]; m = torch.tril(torch.ones(n, n)); F.scaled_dot_product_attention(Q, K, V, attn_mask=m.bool()) == V", "np.arange(0, 2*e, 2) == np.arange(e)", "A: [h, n, n]; torch.cat([A[i] for i in range(h)], -1) == torch.cat([A[i] for i in range(h)], 0).T", "x: []; max(-np.inf, x) == 2 * x",
    "a, b: [n]; assume a > 0; assume b > 0; np.prod(a + b) == np.prod(a) + np.prod(b)", "A: [n, m]; assume A > 0; np.cumprod(A, axis=0) == np.cumprod(A, axis=1)", "A: [d, r]; B: [r, k]; assume r < d; A.numel() + B.size < d*k",
    "a: [n]; x: [n]; assume a > 0\ns = 0\nfor t in range(n):\n    s = a[t] * s + x[t]\ns == np.prod(a)", "x: [n, e]\nm = x[0]\nfor t in range(1, n):\n    m = m + x[t]\nm == 2 * x.sum(0)",
    "X: [n, d]; assume d == h*k; reshape(X, n, h, k)[:, 0] == X[:, :d // h] + 1",
    "X: [n, d]; assume d % 2 == 0; X[:, ::2] == X[:, 1::2]",
    "X, Y, Z: [n, d]; assume X == Y + Z; frob2(X) == frob2(Y) + frob2(Z)",
    "S, T: [n, n]; assume S == exp(T); S @ S == T",
    "A: [n, m]; assume rank(A) == 1; lfac(A, 1) @ rfac(A, 1) == A + 1", "A: [n, m]; lfac(A, 1) @ rfac(A, 1) == A",
    "A: [n, m]; rank(A) == rank(A[:, :1])", "A: [n, n]; det(A) == trace(A)", "A: [n, n]; assume invertible(A); inv(A) == A", "A: [n, n]; vec(A) == vec(A.T)",
    "q: [n, 2*p]; theta: [p]; rope(q, theta, 3) == q", "q: [n, 2*p]; theta: [p]; rope_half(q, theta, 1) == rope(q, theta, 1)", "theta: [p]; rope_half(ones(2, 2*p), theta) == ones(2, 2*p)", "theta: [p]; rope(ones(2, 2*p), theta) == ones(2, 2*p)", "X: [n, 2*p]; X @ halfperm(2*p) == X",
    "theta: [p]; x: [n, 2*p]; a: []; x @ rot(theta, a) == x", "theta: [p]; sinus(3, theta) == sinus(3, theta, 1)", "theta: [p]; t: []; sinus(2, theta) @ sinshift(theta, t) == sinus(2, theta)",
    "S: [n, n]; softmax(S + causal(n)) == softmax(S)", "S, M: [n, n]; assume mask01(M); softmax(S + neginf(M), dim=0) == softmax(S)", "S: [n, m]; logsumexp(S, dim=1, keepdim=True) == rowmax(S)",
    "S: [n, m]; log_softmax(S) == S", "S: [n, m]; softmax1(S) == softmax(S)", "S: [n, m]; softmax_cols(S) == softmax(S)", "X: [n, d]; l2norm(X) * rms(X) == X", "X: [n, d]; e: []; batchnorm(X, e) == layernorm(X, e)",
    "W: [d, k]; m: [1, k]; dora(W, m) == W * m", "E: [v, d]; t: [n]; take(E, t) == E[t] + 1", "E: [v, d]; t: [n]; onehot(t, v) @ E == 2 * E[t]", "W: [d, k]; blockdiag(W, W) == kron(ones(2, 2), W)",
    "W: [h, d, k]; blockdiag(W[i] for i in range(h)) == concat(vstack(W[i] for i in range(h)) for j in range(h))", "A, B: [n, k]; rowkron(A, B) == rowkron(B, A)", "A: [h, n, d]; transpose(A, 0, 2, 1)[0] == A[0].T + 1", "A: [h, n, d]; transpose(A, (0, 2, 1))[0] == A[0].T + 1", "X: [h, n, d]; X.mT == 2*X.mT", "einsum('hqd,hkd->qhk', Q, K) == einsum('hqd,hkd->hqk', Q, K)",
    "assume 3*f == 8*d; 3*d*f == 8*d*f", "assume d == h*k; d <= 30", "assume d % h == 0; d // h <= h", "A: [a]; B: [b]; C: [c]; assume c % a == 0; assume c % b == 0; (a + 2)//3 <= (a+c)//b", "assume h*k == d; d // h == k + 1", "take(E, t) @ W == take(E, t @ W)", "E: [v, d]; t: [n]; W: [n, n]; onehot(t @ W, v) @ E == take(E, t)", "X: [n, d]; X == X + X / 1000000000000",
    "A: [n, n]; tril(A, 1) == triu(A)", "tril(n) == triu(n)", "tril(n) + triu(n, n) == ones(n, n)", "positions(n) == ones(1, n)", "arange(n) == 2 * arange(n)", "offsets(n, m) == -offsets(n, m)", "A: [n, n]; diagonal(A) == diag(A) + 1",
    "v: [n]; diag(v) == ones(n, n)", "A, B: [n, d]; stack(A, B)[1] == A", "x: [n, d]; clamp(x, 0, 1) == x", "x: [n, d]; softplus(x) == relu(x)", "x: [n, d]; leaky_relu(x) == quick_gelu(x)", "x: [n, d]; gelu_tanh(x) == gelu(x) + 1",
    "x: [n, d]; erf(x) == tanh(x) + swish(x)", "x: [n, d]; rsqrt(x) == sqrt(x)", "X: [n, d]; rowmean(X) == rowmin(X)", "X: [n, d]; colmean(X) == colmin(X) + colsum(X)", "X: [n, d]; LayerNorm(X) == normalize(X)", "X: [n, d]; X[::-1] == X",
    "X: [n, d]; cumsum(X, axis=0) == X + 1", "S, M: [n, m]; assume mask01(M); where(M == 0, S, 2) == S + 1", "X: [n, d]; X.shape[0] * X == X / len(X) + 1", "x: []; [[1, 2], [3, 4]] + [[x, 0], [0, x]] == 2 * [[1, 2], [3, 4]]", "A: [n, k]; np.block([[A, A]]) == 2 * concat(A, A)",
    "X: [n, d]; np.mean(X) + np.max(X) == np.min(X) + 1", "X: [n, 2]; X + [1, 2] == X + [2, 2]", "S: [n, n]; softmax(S + np.triu(np.full((n, n), -np.inf), k=1)) == softmax(S)", "Q: [n, k]; F.scaled_dot_product_attention(Q, Q, Q, is_causal=True) == Q + 1",
    "X: [2*n, d]; chunk(X, 2)[1] == X[:n] + 1", "X: [6, d]; np.split(X, [2, 4])[1] == X[2:4] + 1", "X: [6, d]; torch.split(X, [2, 4])[1] == X[2:] + 1", "X: [6, d]; torch.split(X, 2)[1] == X[2:4] + 1", "X: [6, d]; torch.tensor_split(X, 3)[1] == X[2:4] + 1",
    "X: [n, 2*d]; np.hsplit(X, 2)[1] == X[:, :d]", "X: [2*n, d]; np.vsplit(X, 2)[1] == X[:n]", "X: [n, 3, d]; torch.unbind(X, dim=1)[1] == X[:, 0]", "X: [n, d]; np.tile(X, (2, 1)) == np.repeat(X, 2, axis=0)", "K: [h, n, k]; K.repeat(2, 1, 1) == repeat_interleave(K, 2, dim=0)",
    "K: [h, n, k]; repeat(K, 'h n k -> (h g) n k', g=2) == repeat(K, 'h n k -> (g h) n k', g=2)", "X: [n, h*k]; rearrange(X, 'n (h k) -> h n k', h=h) == rearrange(X, 'n (k h) -> h n k', h=h)", "X: [n, d]; np.roll(X, 1, axis=0) == torch.roll(X, shifts=-1, dims=0)",
    "a, b: [n]; stack([a, b], axis=1) == stack([b, a], axis=1)", "A: [n, n]; A * tril(n, -1) == A * triu(n, -1)", "X: [n, d]; X * (X > 0) == abs(X)",
    "X: [n, h, k]; X.flatten(1) == 2 * X.flatten(1)", "X: [b, n, h, k]; torch.flatten(X, start_dim=1, end_dim=2) == 2 * torch.flatten(X, 1, -2)", "X: [n, d]; np.squeeze(X[:, None, :], axis=1) == 2 * X", "X: [b, n, d]; np.moveaxis(X, 0, 1) == 2 * torch.movedim(X, 0, 1)",
    "X: [n, h*k]; reduce(X, 'n (h k) -> n k', 'sum', h=h) == 2 * X[:, :k] + max(X)", "X: [b, n, d]; reduce(X, 'b n d -> d', 'mean') == 1", "Q, K: [n, k]; M: [n, n]; F.scaled_dot_product_attention(Q, K, K, attn_mask=M) == K", "M: [n, n]; assume mask01(M); ~M == M",
    "Q, K: [h, n, k]; sum(q @ c.T for q, c in zip(Q, K)) == Q[0] @ K[0].T + 1", "X: [n, h*k]; X[:, ::h] == X[:, :k]", "X: [3, d]; q, k, v = X.unbind(0); q == k", "X: [3*n, d]; q, k, v = X.split(n); q == k + v", "X: [n, d]; np.eye(n, k=1) @ X == X",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where(i // w == j // w, S, 0) == S",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; where((i - j) % 2 == 0, S, 0) == S",
    "S: [n, n]; block = arange(n) // 2; where(block[:, None] <= block[None, :], S, 0) == S",
    "S: [n, n]; i = arange(n)[:, None]; j = arange(n)[None, :]; softmax(where(i + j >= n - 1, S, -inf)) == softmax(S)",
    "S: [n, n]; i = np.arange(n)[:, None]; j = np.arange(n)[None, :]; np.where((i >= j) & (i - j < w), S, 0) == S", "S: [n, n]; i = arange(n)[:, None]; S.masked_fill(~(abs(i - i.T) <= 1) | (i == 0), 2) == S", "S: [n, n]; S * (np.arange(n) > 0) == S",
    "S, M: [n, n]; assume mask01(M); i = np.arange(n)[:, None]; np.where(M & (i != i.T), S, 1) == S", "S, M, N: [n, n]; assume mask01(M); assume mask01(N); S.masked_fill(M.bool() | ~(N == 0), 0) == S", "M, N: [n]; assume mask01(M), mask01(N); np.logical_or(M, N) == np.logical_and(M, N)",
    "X: [3, d]; W: [d, d]; y = X; y = y @ W; y += X; y == 2 * X", "p: [n]; x = p; y = 2 * p; x, y = y, x; y == 2 * x", "X: [3, d]; a, b, c = X; a == b + c", "X: [n, 3*k]; q, k_, v = rearrange(X, 'n (three k) -> three n k', three=3); q == v",
    "A: [h, n, k]; B: [h, k, n]; sum(A[i] @ B[j] for i in range(h) for j in range(h)) == sum(A[i] @ B[i] for i in range(h))", "X: [6, d]; sum(X[i] for i in range(2, 5)) == X[2]", "X: [b, n, 2*k]; X.unflatten(-1, (2, k)) == 2 * X.unflatten(-1, (2, -1))", "X: [n, d]; torch.norm(X, p=1) == X.norm(2)", "t: []; assume 0 <= t <= 1; t == 1",
    "Q: [2*r, n, d]; K: [2, m, d]; F.scaled_dot_product_attention(Q, K, K, enable_gqa=True) == stack(F.scaled_dot_product_attention(Q[i], K[i%2], K[i%2]) for i in range(2*r))", "x: [n]; x.cos() == x.sin()", "np.arange(0, 6, 2) == np.arange(3)",
    "W: [h, d]; stack([np.where(w > 0, w, 0) for w in W]) == W", "X: [n, d]; var(X) == std(X)",
    "X, Y: [n, d]; minimum(X, Y) == maximum(X, Y)", "X, Y: [n, d]; hstack([X, Y]) == concat(Y, X)", "X: [n, d]; b: [d]; X + b == X - b[None, :]", "A: [h, n, n]; stack(A[i].T for i in range(h)) == A",
]


def enclosure(text):
    """Where an entry lies: a number such as 3, "2/3" or "2*log(2)", or an interval "[lo, hi]". Infinities are infinite."""
    names = {"__builtins__": {}, "log": math.log, "exp": math.exp, "sqrt": math.sqrt, "inf": math.inf}
    value = eval(text, names) if isinstance(text, str) else text  # noqa: S307
    return value if isinstance(value, list) else [value, value]


def close(told, shown):
    """Entry by entry, up to the rounding of doubles."""
    told, shown = np.ravel(np.array(told, dtype=object)), np.ravel(np.asarray(shown, float))
    if told.size != shown.size:
        return False
    for text, number in zip(told, shown):
        low, high = enclosure(text)
        slack = 1e-9 * max(1, abs(number)) if math.isfinite(number) else 0
        if not low - slack <= number <= high + slack:
            return False
    return True


def look_at(claim, answer):
    found = answer["counterexample"]
    if answer["verdict"] != "refuted" or not found:
        failures.append(f"{claim}\n  is {answer['verdict']}, not refuted")
        return 0
    printed = []
    with np.errstate(all="ignore"):
        try:
            with np.printoptions():
                exec(found["numpy"], {"print": printed.append})  # noqa: S102
                texts = [str(side) for side in printed]
        except Exception as error:  # noqa: BLE001
            failures.append(f"{claim}\n  {type(error).__name__}: {error}, in\n{found['numpy']}")
            return 0
        lhs, rhs = (np.asarray(side, float) for side in printed)
        if not (close(found["lhs"], lhs) and close(found["rhs"], rhs)):
            failures.append(f"{claim}\n  shows {lhs.tolist()} and {rhs.tolist()}, but foldproof says {found['lhs']} and {found['rhs']}, in\n{found['numpy']}")
        elif texts[0] == texts[1]:
            failures.append(f"{claim}\n  prints {texts[0]} for both sides")
        elif not (answer["claim"].count("<=") or np.any(np.abs(lhs - rhs) > 1e-12) or np.any(np.isinf(lhs) != np.isinf(rhs))):
            failures.append(f"{claim}\n  shows no difference: {lhs.tolist()} and {rhs.tolist()}")
    return 1


def decide(arguments):
    return json.loads(subprocess.run([foldproof, "decide", "--json", *arguments], stdout=subprocess.PIPE, check=False).stdout)["results"]


shown = 0
catalogue = [a for a in decide(sorted(map(str, (source / "fixtures/claims").glob("*.json")))) if a["verdict"] == "refuted"]
for answer in catalogue:
    shown += look_at(answer["id"], answer)
for claim, answer in zip(OTHERS, decide([word for claim in OTHERS for word in ("-e", claim)])):
    shown += look_at(claim, answer)
if len(catalogue) < 100:
    failures.append(f"only {len(catalogue)} refuted claims in the catalogue")
print(f"{shown} programs run, {len(failures)} failures")
sys.exit("\n".join(["FAILED:", *failures]) if failures else 0)
