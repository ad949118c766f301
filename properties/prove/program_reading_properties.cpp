// SPDX-License-Identifier: MIT
// Programs of Python as people paste them: random tensors, tests, loops over sizes that are numbers, lists. Each is true or false as Python computes it, or refused because Python
// would compute something else than a claim can say.
#include "prove/readings.hpp"

namespace foldproof::properties {
namespace {

constexpr const char* true_programs[] = {
    R"py(import numpy as np
x = np.random.randn(4, 8)
out = np.empty_like(x)
for h in range(2):
    for i in range(4):
        out[i, h*4:(h+1)*4] = x[i, h*4:(h+1)*4] * 2
assert np.allclose(out, 2*x))py",
    R"py(import numpy as np
n, m = 4, 6
x = np.random.randn(n, m)
out = np.empty((n, m))
for i in range(n):
    for j in range(m):
        out[i, j] = x[i, j] ** 2
assert np.allclose(out, x * x))py",
    R"py(import numpy as np
x = np.random.randn(4, 8)
out = np.empty_like(x)
out[:, 0::2] = x[:, 0::2]
out[:, 1::2] = x[:, 1::2]
assert np.allclose(out, x))py",
    R"py(import numpy as np
x = np.random.randn(4, 3)
out = np.zeros((4, 3))
for i in range(2):
    out[i] = x[i]
assert np.allclose(out[:2], x[:2]))py",
    R"py(import numpy as np
def rot(x):
    out = np.empty_like(x)
    out[..., 0::2] = -x[..., 1::2]
    out[..., 1::2] = x[..., 0::2]
    return out
x = np.random.randn(4, 8)
assert np.allclose(rot(rot(x)), -x))py",
    R"py(import numpy as np
def mha(x, H):
    n, d = x.shape
    D = d // H
    out = np.empty((n, d))
    for h in range(H):
        s = slice(h*D, (h+1)*D)
        for i in range(n):
            out[i, s] = 2*x[i, s]
    return out
x = np.random.randn(4, 8)
assert np.allclose(mha(x, 2), 2*x))py",
    R"py(import numpy as np
def mha(x, H):
    n, d = x.shape
    D = d // H
    out = np.empty((n, d))
    for h in range(H):
        out[:, h*D:(h+1)*D] = 2*x[:, h*D:(h+1)*D]
    return out
x = np.random.randn(4, 8)
assert np.allclose(mha(x, 2), 2*x))py",
    R"py(import numpy as np
n, d, H = 4, 8, 2
D = d // H
x = np.random.randn(n, d); W = np.random.randn(d, d)
out = np.zeros((n, d))
for h in range(H):
    sl = slice(h*D, (h+1)*D)
    for i in range(n):
        out[i, sl] = x[i, sl]
assert np.allclose(out, x))py",
    R"py(import numpy as np
T, C, H = 4, 16, 4
D = C // H
x = np.random.randn(T, C); W = np.random.randn(C, C)
out = np.zeros((T, C))
for h in range(H):
    i, j = h * D, h * D + D
    out[:, i:j] = x @ W[:, i:j]
assert np.allclose(out, x @ W))py",
    R"py(import numpy as np
T, C, H = 4, 16, 4
D = C // H
x = np.random.randn(T, C); W = np.random.randn(C, C)
out = np.zeros((T, C))
for h in range(H):
    out[..., h*D:(h+1)*D] = x @ W[..., h*D:(h+1)*D]
assert np.allclose(out, x @ W))py",
    R"py(import numpy as np
n, B = 8, 4
A = np.random.randn(n, n); X = np.random.randn(n, n)
C = np.zeros((n, n))
for i in range(0, n, B):
    for j in range(0, n, B):
        for k in range(0, n, B):
            C[i:i+B, j:j+B] += A[i:i+B, k:k+B] @ X[k:k+B, j:j+B]
assert np.allclose(C, A @ X))py",
    R"py(import numpy as np
T, C, H = 4, 16, 4
D = C // H
x = np.random.randn(T, C); W = np.random.randn(C, C)
m = np.tril(np.ones((T, T), bool))
S = np.where(m, x @ x.T, -np.inf)
E = np.exp(x @ x.T) * m
assert np.allclose(softmax(S), E / E.sum(1, keepdims=True)))py",
    R"py(import torch
import torch.nn.functional as F
B, H, T, D = 1, 2, 4, 4
q, k, v = torch.randn(B, H, T, D), torch.randn(B, H, T, D), torch.randn(B, H, T, D)
full = F.scaled_dot_product_attention(q, k, v, is_causal=True)
ck = torch.zeros(B, H, T, D)
cv = torch.zeros(B, H, T, D)
out = torch.zeros(B, H, T, D)
for t in range(T):
    ck[:, :, t] = k[:, :, t]
    cv[:, :, t] = v[:, :, t]
    s = q[:, :, t:t+1] @ ck[:, :, :t+1].transpose(-1, -2) / D ** 0.5
    out[:, :, t:t+1] = F.softmax(s, dim=-1) @ cv[:, :, :t+1]
assert torch.allclose(full, out, atol=1e-6))py",
    R"py(import numpy as np
x, w = np.random.randn(2, 3, 4), np.random.randn(4, 5)
assert np.allclose(np.dot(x, w), x @ w))py",
    R"py(import numpy as np
x, w = np.random.randn(2, 3, 4), np.random.randn(5, 4)
assert np.allclose(np.inner(x, w), x @ w.T))py",
    R"py(import numpy as np
x = np.random.randn(2, 3, 4)
y = np.zeros((2, 3, 4))
y[..., 1:3] = x[..., 1:3]
y[1, :, 0] = x[1, :, 0]
z = x.copy()
z[:, :, 3] = 0
z[0, :, 0] = 0
assert np.allclose(y, z))py",
    R"py(import torch
x, w = torch.randn(3, 4), torch.randn(4, 4)
h = torch.relu(x @ w)
noise = torch.randn_like(h)
assert torch.allclose((h + noise) - noise, h))py",
    R"py(import torch
x = torch.randn(2, 3, 5, 4)
n = x.shape[2]
assert torch.allclose(torch.cat([2 * x[:, :, t:t+1] for t in range(n)], dim=2), 2 * x))py",
    R"py(import torch, torch.nn as nn
def run(layer, x):
    return layer(x) * 2
def apply(f, x):
    return f(x) + f(x)
x = torch.randn(3, 4)
class Twice(nn.Module):
    def forward(self, x):
        return x + x
assert torch.allclose(run(Twice(), x), apply(lambda z: 2 * z, x)))py",
    R"py(import torch
def softmax(z):
    e = torch.exp(z)
    return e / e.sum(-1, keepdim=True)
def attention(q, k, v, act=softmax, scale=1.0):
    return act(scale * q @ k.T) @ v
q, k, v = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2)
a = attention(q, k, v)
b = attention(q, k, v, torch.relu, scale=2.0)
c = attention(q, k, v, act=torch.sigmoid)
assert torch.allclose(a + b + c, softmax(q @ k.T) @ v + 2 * torch.relu(q @ k.T) @ v + torch.sigmoid(q @ k.T) @ v))py",
    R"py(import torch
n_heads, n_kv = 4, 2
B, T, D = 2, 5, 8
def repeat_kv(x, n_rep):
    b, h, t, d = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None, :, :].expand(b, h, n_rep, t, d).reshape(b, h * n_rep, t, d)
q = torch.randn(B, n_heads, T, D); k = torch.randn(B, n_kv, T, D); v = torch.randn(B, n_kv, T, D)
n_rep = n_heads // n_kv
a = torch.softmax(q @ repeat_kv(k, n_rep).transpose(2, 3) / D**0.5, -1) @ repeat_kv(v, n_rep)
b = torch.softmax(q @ k.repeat_interleave(n_rep, 1).transpose(2, 3) / D**0.5, -1) @ v.repeat_interleave(n_heads // n_kv, 1)
assert torch.allclose(a, b))py",
    R"py(import numpy as np
r = 2
def f(x, k):
    if k == 1:
        return x
    return k * x
x = np.random.randn(3)
y = f(x, r)
r = 1
assert np.allclose(y + f(x, r), 3 * x))py",
    R"py(import numpy as np
def softmax(z):
    e = np.exp(z); return e / e.sum(-1, keepdims=True)
def attn(q, k, v, act):
    return act(q @ k.T) @ v
q = np.random.randn(3, 4); k = np.random.randn(3, 4); v = np.random.randn(3, 4)
assert np.allclose(attn(q, k, v, softmax), softmax(q @ k.T) @ v))py",
    R"py(import torch, torch.nn as nn
def two(lin, x):
    return lin(lin(x))
lin = nn.Linear(4, 4, bias=False)
x = torch.randn(3, 4)
assert torch.allclose(two(lin, x), x @ lin.weight.T @ lin.weight.T))py",
    R"py(import torch, torch.nn as nn
def manual(block, x, scale=2.0):
    return block.fc2(torch.relu(block.fc1(x))) * scale
class MLP(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc1 = nn.Linear(d, 4 * d)
        self.fc2 = nn.Linear(4 * d, d)
    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))
mlp = MLP(6).double()
x = torch.randn(3, 6)
torch.testing.assert_close(manual(mlp, x, scale=1.0), mlp(x)))py",
    R"py(import numpy as np
def apply_twice(f, x):
    return f(f(x))
def check(fn, x):
    return apply_twice(fn, x)
W = np.random.randn(3, 3); x = np.random.randn(3)
lin = lambda z: W @ z
assert np.allclose(check(lin, x), W @ W @ x))py",
    R"py(import numpy as np
def run(fn, x, scale=1):
    return scale * fn(x)
x = np.random.randn(3)
double = lambda z: z + z
assert np.allclose(run(x=x, fn=double, scale=2), 4 * x))py",
    R"(x: [n]; y: [n]
z_re = 2 * x
w = z_re + y
z = x + 1j * y
2 * z.real + z.imag == w)",
    R"(x: [n]
x.real == x)",
    R"(q: [h, n]; k: [n, h]
jax.vmap(lambda a, b: a * b, in_axes=(0, 1))(q, k) == q * k.T)",
    R"(q: [h, n]; k: [n, h]
jax.vmap(lambda a, b: a * b, in_axes=(-1, 0))(q, k) == q.T * k)",
    R"(import copy
norm = nn.RMSNorm(d, eps=1e-6)
lin = nn.Linear(d, k)
x = torch.randn(n, d)
before = lin(norm(x))
lin2 = copy.deepcopy(lin)
lin2.weight.data = lin.weight.data * norm.weight.data
assert torch.allclose(before, lin2(F.rms_norm(x, (d,), eps=1e-6))))",
    R"(lin = nn.Linear(d, k, bias=False)
merged = nn.Linear(d, k, bias=False)
A = torch.randn(r, d); B = torch.randn(k, r)
with torch.no_grad():
    merged.weight.copy_(lin.weight + B @ A)
x = torch.randn(n, d)
assert torch.allclose(merged(x), lin(x) + (x @ A.T) @ B.T))",
    R"(a = nn.Linear(d, k)
b = nn.Linear(d, k)
b.weight.data.copy_(a.weight)
b.bias.data.copy_(a.bias + 1)
x: [n, d]
b(x) == a(x) + 1)",
    R"(Q, K, V = (np.random.randn(n, d) for _ in range(3))
assert np.allclose((Q @ K.T) @ V, Q @ (K.T @ V)))",
    R"(Q: [n, d]; K: [m, d]; V: [m, e]
out = []
for i in range(n):
    s = K @ Q[i] / np.sqrt(d)
    w = np.exp(s) / np.sum(np.exp(s))
    out.append(w @ V)
out = np.array(out)
out == softmax(Q @ K.T / np.sqrt(d)) @ V)",
    R"(Q: [4, d]; K: [m, d]
def scores(Q):
    rows = []
    for i in range(4):
        rows.append(K @ Q[i])
    rows = np.array(rows)
    return rows
scores(Q) == Q @ K.T)",
    R"(x: [n, 2*h]; W: [2*h, k]
heads = [x[:, :h] @ W[:h], x[:, h:] @ W[h:]]
heads = torch.stack(heads)
heads.sum(0) == x @ W)",
    R"(X: [n, 8]; W: [8, 8]
heads = []
for i in range(2):
    s = slice(4*i, 4*(i+1))
    heads.append(X @ W[:, s])
np.concatenate(heads, axis=-1) == X @ W)",
    R"(x: [n, 4]
s = np.s_[:, :2]
last = slice(2, None)
x[s] + x[:, last] == x[:, :2] + x[:, slice(2, 4)])",
    R"(import jax, jax.numpy as jnp
def attn(q, k, v):
    return jax.nn.softmax(q @ k.T / jnp.sqrt(q.shape[-1]), axis=-1) @ v
q: [b, h, n, d]; k: [m, d]; v: [m, e]
each = jax.vmap(jax.vmap(attn, in_axes=(0, None, None)), in_axes=(0, None, None))
each(q, k, v) == jax.nn.softmax(q @ k.T / jnp.sqrt(d), axis=-1) @ v)",
    R"(x: [n, d]; W: [e, d]
torch.vmap(lambda w: x @ w, in_dims=-1)(W.T) == W @ x.T)",
    R"(x: [n, d]; W: [d, 8]
parts = []
for i in range(4):
    j = 2 * (i % 4)
    parts.append(x @ W[:, j:j+2])
np.concatenate(parts, axis=1) == x @ W)",
    R"(import numpy as np
Q = np.random.randn(n, d); K = np.random.randn(n, d); V = np.random.randn(n, e)
g = np.random.rand()
S = np.zeros((d, e))
out = np.zeros((n, e))
for t in range(n):
    S = g * S + np.outer(K[t], V[t])
    out[t] = Q[t] @ S
i = np.arange(n)[:, None]; j = np.arange(n)[None, :]
D = np.where(i >= j, g ** (i - j), 0)
assert np.allclose(out, (Q @ K.T * D) @ V))",
    R"(xq: [n, 2*p]; f: [p]
freqs = torch.outer(torch.arange(n), f)
freqs_cis = torch.polar(torch.ones_like(freqs), freqs)
xq_ = torch.view_as_complex(xq.reshape(n, p, 2))
torch.view_as_real(xq_ * freqs_cis).flatten(1) == rope(xq, f))",
    R"(q: [p]; k: [p]; th: [p]; m: []; n: []
qc = q * np.exp(1j * m * th)
kc = k * np.exp(1j * n * th)
(qc * np.conj(kc)).real == q * k * np.cos((m - n) * th))",
    R"(x: [p]; y: [p]
z = (x + 1j * y) / (1 + 2j)
z * (1 + 2j) == x + 1j * y)",
    R"(x: [p]; y: [p]
z = x + 1j * y
z.real * z.real + z.imag**2 == np.abs(z)**2)",
    R"(x: [n, d]; W: [3*d+f, d]; O: [d, d+f]
h = F.layer_norm(x, (d,))
q, k, v, ff = (h @ W.T).split([d, d, d, f], dim=-1)
torch.cat([k, F.gelu(ff)], dim=-1) @ O.T == (h @ W[d:2*d].T) @ O[:, :d].T + F.gelu(h @ W[3*d:].T) @ O[:, d:].T)",
    R"(S: [n, n]
m = torch.arange(n) > 2
assert torch.allclose(F.softmax(S.masked_fill(m[None, :].expand(n, n), -torch.inf), dim=-1), F.softmax(S.masked_fill(m, -torch.inf), dim=-1)))",
    R"(q, k, v: [n, d]
m: [n]
assume mask01(m)
M = (m == 1)[None, :].expand(n, n)
assert torch.allclose(F.scaled_dot_product_attention(q, k, v, attn_mask=M), F.softmax(q @ k.T / math.sqrt(d) + neginf(m), dim=-1) @ v))",
    R"(x: [n, d]
mha = nn.MultiheadAttention(d, h)
out, w = mha(x, x, x)
q = (x @ mha.in_proj_weight[:d].T + mha.in_proj_bias[:d]).reshape(n, h, d // h).transpose(0, 1)
k = (x @ mha.in_proj_weight[d:2*d].T + mha.in_proj_bias[d:2*d]).reshape(n, h, d // h).transpose(0, 1)
v = (x @ mha.in_proj_weight[2*d:].T + mha.in_proj_bias[2*d:]).reshape(n, h, d // h).transpose(0, 1)
a = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(d // h), dim=-1)
assert torch.allclose(out, mha.out_proj((a @ v).transpose(0, 1).reshape(n, d))))",
    R"(x: [b, n, d]
class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.attn = nn.MultiheadAttention(d, h, bias=False, batch_first=True)
    def forward(self, x):
        out, _ = self.attn(x, x, x)
        return x + out
block = Block(d, h)
assert torch.allclose(block(x)[0], block(x[:1])[0]))",
    R"(x: [n, b, d]
m = nn.MultiheadAttention(d, h)
y = m(x, x, x, need_weights=False)[0]
p: [n, n]
assume permutation(p)
z = torch.einsum('ij,jbd->ibd', p, x)
assert torch.allclose(m(z, z, z)[0], torch.einsum('ij,jbd->ibd', p, y)))",
    R"(x: [n, d]
m = nn.MultiheadAttention(d, 1, bias=False)
out, w = m(x, x, x)
q, k, v = (x @ m.in_proj_weight.T).chunk(3, dim=-1)
assert torch.allclose(out, F.scaled_dot_product_attention(q, k, v) @ m.out_proj.weight.T))",
    R"(x: [b, n, d]
mha = nn.MultiheadAttention(d, h, batch_first=True)
mask = torch.triu(torch.ones(n, n), diagonal=1).bool()
out, w = mha(x, x, x, attn_mask=mask)
assert torch.allclose(out[:, 0], mha.out_proj(x[:, 0] @ mha.in_proj_weight[2*d:].T + mha.in_proj_bias[2*d:])))",
    R"(from torch.nn import MultiheadAttention
x: [n, d]
m = MultiheadAttention(d, 2)
out, w = m(x, x, x)
assert torch.allclose(w.sum(-1), torch.ones(n)))",
    R"(import torch.nn.functional as F
z = b
assert torch.allclose(F.linear(x, W, z)[0] + b, x[0] @ W.T + 2 * b))",
    R"(import math, torch, torch.nn as nn
class SelfAttention(nn.Module):
    def __init__(self, hidden_size, num_attention_heads):
        super().__init__()
        self.num_attention_heads = num_attention_heads
        self.attention_head_size = int(hidden_size / num_attention_heads)
        self.all_head_size = self.num_attention_heads * self.attention_head_size
        self.query = nn.Linear(hidden_size, self.all_head_size)
    def forward(self, x):
        return self.query(x).view(x.size()[:-1] + (self.num_attention_heads, self.attention_head_size))
m = SelfAttention(h * e, h)
x = torch.randn(b, n, h * e)
assert torch.allclose(m(x), (x @ m.query.weight.T + m.query.bias).view(b, n, h, e)))",
    R"(import torch, torch.nn as nn
x = torch.randn(n, d)
y = torch.randn(n, d)
criterion = nn.MSELoss()
act = nn.ReLU6()
assert torch.allclose(criterion(x, y) + act(x), ((x - y)**2).mean() + torch.clamp(x, 0, 6)))",
    R"(import torch, torch.nn as nn
x = torch.randn(n, v)
t = torch.randint(0, v, (n,))
criterion = nn.CrossEntropyLoss()
assert torch.allclose(criterion(x, t), nn.CrossEntropyLoss()(x + 3, t)))",
    // decoding with a cache of keys and values
    R"(import numpy as np
X = np.random.randn(n, d)
Wk = np.random.randn(d, k)
Ks, sums = [], []
for t in range(n):
    Ks.append(X[t] @ Wk)
    sums.append(np.stack(Ks).sum(axis=0))
assert np.allclose(np.stack(sums), np.cumsum(X @ Wk, axis=0)))",
    R"(import numpy as np
X = np.random.randn(n, d)
V = np.random.randn(n, k)
K = np.zeros((0, d))
out = []
for t in range(n):
    x = X[t:t+1]
    K = np.concatenate([K, x], axis=0)
    out.append(x @ K.T @ V[:t+1])
assert np.allclose(np.concatenate(out, axis=0), np.tril(X @ X.T) @ V))",
    R"(import numpy as np
X = np.random.randn(n, d)
K = np.vstack([X[:1], X[:1]])
s = []
for t in range(1, n):
    K = np.vstack((K, X[t:t+1]))
    s.append(K.sum(axis=0))
assert np.allclose(np.stack(s), np.cumsum(X, axis=0)[1:] + X[0]))",
    R"(import numpy as np
X = np.random.randn(n, d)
K, s = X[:1], []
for t in range(n):
    K = np.concatenate([K, X[t:t+1]])
    s.append(K[0])
assert np.allclose(K, np.concatenate([X[:1], X])))",
    R"(import torch
X = torch.randn(b, n, d)
K = torch.zeros(b, n, d)
s = torch.zeros(b, n, d)
for t in range(n):
    K[:, t] = 2 * X[:, t]
    s[:, t] = K[:, :t+1].sum(dim=1)
assert torch.allclose(s, 2 * torch.cumsum(X, dim=1)))",
    R"(import numpy as np
X = np.random.randn(n, d)
K = np.zeros((n, d))
s = []
for t in range(n):
    K[t] = X[n-1-t]
    seen = K[0:t+1]
    s.append(seen.sum(axis=0) + seen[-1])
assert np.allclose(np.stack(s), np.cumsum(X[::-1], axis=0) + X[::-1]))",
    R"(import numpy as np
def softmax(z):
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
n, d, k = 5, 3, 2
X, Wq, Wk, Wv = np.random.randn(n, d), np.random.randn(d, k), np.random.randn(d, k), np.random.randn(d, k)
keys, values = np.zeros((n, k)), np.zeros((n, k))
out = np.zeros((n, k))
for t in range(n):
    keys[t] = X[t] @ Wk
    values[t] = X[t] @ Wv
    out[t] = softmax(X[t] @ Wq @ keys[:t+1].T / np.sqrt(k)) @ values[:t+1]
S = (X @ Wq) @ (X @ Wk).T / np.sqrt(k)
full = softmax(np.where(np.tril(np.ones((n, n))) == 0, -np.inf, S)) @ (X @ Wv)
assert np.allclose(out, full))",
    R"(import numpy as np
X = np.random.randn(3, 2)
feats = [X]
for i in range(2):
    x = np.concatenate(feats, axis=1)
    feats.append(x * 2)
assert np.allclose(np.concatenate(feats, axis=1), np.concatenate([X, 2 * X, 2 * X, 4 * X], axis=1)))",
    R"(import numpy as np
x = np.random.randn(3, 2)
s = np.zeros(2)
L, out = [], []
for t in range(3):
    s += x[t]
    L.append(s + 0)
    out.append(np.stack(L).sum(axis=0))
assert np.allclose(out[2], 3 * x[2] + 3 * x[1] + 3 * x[0] - 2 * x[2] - x[1]))",
    R"(import numpy as np
x = np.random.randn(2, 3)
K = np.zeros((0, 3))
K = np.concatenate([K, x])
assert np.allclose(K, x))",
    // what is evaluated before it is used
    "import torch, torch.nn as nn\nx = torch.randn(2, 4)\nbn = nn.BatchNorm1d(4)\nbn.eval()\nassert torch.allclose(bn(x), (x - bn.running_mean) / torch.sqrt(bn.running_var + bn.eps) * bn.weight + bn.bias)",
    "import numpy as np\nz = np.random.randn(3)\nw = np.random.randn(3)\nassert np.allclose(w * ~(z > 0), w * (z <= 0))",
    "import numpy as np\na = np.array([1, 2, 3])\nw = np.random.randn(3)\nassert np.allclose(w * (a > [1, 1, 5]), np.array([0, w[1], 0]))",
    "import torch, torch.nn as nn\nbn = nn.BatchNorm1d(4).eval()\nassert (bn.running_var >= 0).all()",
    // numbers that are written down compare as they do
    "import numpy as np\nx = np.array([1., -2., 3.])\nassert np.allclose(x * (x > 2), np.array([0., 0., 3.]))",
    "import numpy as np\nx = np.array([1., -2., 3.])\nassert np.allclose(np.where(~(x >= 1), 5, x), np.array([1., 5., 3.]))",
    "import numpy as np\na = np.array([[1., 2.], [3., 0.]])\nb = np.array([[2., 2.], [1., 0.]])\nassert np.allclose(a * (a != b), np.array([[1., 0.], [3., 0.]]))",
    "import numpy as np\na = np.array([[1., 5.], [3., 0.]])\nassert np.allclose(a * (a > np.array([2., 4.])), np.array([[0., 5.], [3., 0.]]))",
    // places that get their values in turn
    R"(import numpy as np
x = np.random.randn(3)
out = np.zeros(4)
for i in range(3):
    out[i] = x[i]
    out[i + 1] = 2 * x[i]
assert np.allclose(out, np.array([x[0], x[1], x[2], 2 * x[2]])))",
    R"(import numpy as np
n, d = 4, 3
X = np.random.randn(n, d); W = np.random.randn(d, d)
P = np.zeros((n, n))
for i in range(n):
    P[i, (i + 1) % n] = 1
assert np.allclose(P @ X @ W, np.roll(X @ W, -1, axis=0)))",
    R"(import numpy as np
q = np.random.randn(4); k = np.random.randn(4); theta = np.random.randn(2)
def rope(x, m):
    out = np.zeros(4)
    for i in range(2):
        c, s = np.cos(m * theta[i]), np.sin(m * theta[i])
        out[2*i] = x[2*i] * c - x[2*i+1] * s
        out[2*i+1] = x[2*i] * s + x[2*i+1] * c
    return out
assert np.allclose(rope(q, 5) @ rope(k, 2), rope(q, 3) @ rope(k, 0)))",
    R"(import numpy as np
theta = np.array([1.0, 0.01])
x = np.random.randn(3, 4)
pos = np.arange(3)
c = np.cos(np.outer(pos, theta)); s = np.sin(np.outer(pos, theta))
y = np.empty((3, 4))
y[:, 0::2] = x[:, 0::2] * c - x[:, 1::2] * s
y[:, 1::2] = x[:, 0::2] * s + x[:, 1::2] * c
assert np.allclose((y ** 2).sum(-1), (x ** 2).sum(-1)))",
    // PyTorch gives the largest values and their places, NumPy the values
    "import torch\nx = torch.randn(2, 5)\nm, idx = x.max(dim=-1)\nassert torch.allclose(m, x.max(dim=-1).values)",
    "import torch\nx = torch.randn(2, 5)\nassert torch.allclose(x.max(axis=1)[0], torch.amax(x, 1))",
    "import torch\nx = torch.randn(2, 5)\nassert torch.allclose(x.max(dim=1)[-2], torch.amax(x, 1))",
    "import torch\nx = torch.randn(2, 5)\nm, _ = x.max(dim=1, keepdim=True)\nassert torch.allclose(x - m, x - torch.amax(x, 1, keepdim=True))",
    "import numpy as np\nx = np.random.randn(2, 5)\nassert np.allclose(x.max(axis=1)[0], x[0].max())",
    "import torch\nx: [n, d]\nassert torch.allclose(x.softmax(-1), torch.exp(x - x.max(dim=-1, keepdim=True)[0]) / torch.exp(x - x.max(dim=-1, keepdim=True).values).sum(-1, keepdim=True))",
    // the largest values without their places
    R"(import torch
x = torch.randn(3, 4)
m, _ = torch.max(x, dim=-1, keepdim=True)
e = torch.exp(x - m)
lse = m + torch.log(e.sum(-1, keepdim=True))
assert torch.allclose(lse.squeeze(-1), torch.logsumexp(x, dim=-1)))",
    R"(import torch
x = torch.randn(3, 4)
top, places = x.max(dim=1)
assert torch.allclose(top, x.max(dim=1).values))",
    // batch norm as it is once trained
    R"(import torch, torch.nn as nn
x = torch.randn(5, 3)
fc = nn.Linear(3, 4)
bn = nn.BatchNorm1d(4).eval()
s = bn.weight / torch.sqrt(bn.running_var + bn.eps)
W = fc.weight * s[:, None]
b = (fc.bias - bn.running_mean) * s + bn.bias
assert torch.allclose(bn(fc(x)), x @ W.T + b))",
    R"(import torch, torch.nn as nn
x = torch.randn(5, 3)
fc = nn.Linear(3, 4)
bn = nn.BatchNorm1d(4, eps=1e-3, affine=False)
bn.eval()
s = 1 / torch.sqrt(bn.running_var + bn.eps)
W = fc.weight * s[:, None]
b = (fc.bias - bn.running_mean) * s
assert torch.allclose(bn(fc(x)), x @ W.T + b))",
    R"(import numpy as np
n = 5
x = np.random.randn(n); k = np.random.randn(3)
y = np.zeros(n)
for i in range(n):
    for j in range(3):
        if i - j >= 0:
            y[i] += k[j] * x[i - j]
M = np.zeros((n, n))
for i in range(n):
    for j in range(n):
        if 0 <= i - j < 3:
            M[i, j] = k[i - j]
assert np.allclose(y, M @ x))",
    // modules that are made and set to a mode at once
    "import torch\nimport torch.nn as nn\nx = torch.randn(3, 4)\nlin = nn.Linear(4, 4).eval()\nassert torch.allclose(lin(x), x @ lin.weight.T + lin.bias)",
    "import torch\nimport torch.nn as nn\nx = torch.randn(3, 4)\nlin = nn.Linear(4, 4, bias=False).to(\"cuda\").eval()\nassert torch.allclose(lin(2 * x), 2 * lin(x))",
    // lists of places beside all other axes
    "import torch\nx = torch.randn(2, 3, 4)\nperm = [2, 0, 3, 1]\nassert torch.allclose(x[..., perm], x[:, :, perm])",
    "import torch\nx = torch.randn(2, 4, 4)\nperm = torch.randperm(4)\nassert torch.allclose(x[..., perm, :], x[:, perm])",
    // results with names, and other ends of programs
    "import numpy as np\na = np.random.randn(3, 4)\nsame = np.allclose(a + a, 2 * a)\nassert same",
    "import numpy as np\na = np.random.randn(3, 4)\nsame = np.allclose(a + a, 2 * a)\na += 1\nprint(\"same:\", same)",
    "import numpy as np\na = np.random.randn(3, 4)\nprint(\"same\", np.allclose(a + a, 2 * a), np.abs(a + a - 2 * a).max())",
    "import numpy as np\na = np.random.randn(3, 4)\nif np.allclose(a + a, 2 * a):\n    print(\"ok\")\nelse:\n    print(\"no\")",
    "import numpy as np\na = np.random.randn(3, 4)\nsame = np.allclose(a + a, 2 * a)\nif same: print(\"ok\")",
    "import numpy as np\na = np.random.randn(3, 4)\nnp.testing.assert_array_almost_equal(a + a, 2 * a, decimal=6)",
    "import torch\na = torch.randn(3, 4)\nassert (a + a).allclose(2 * a, atol=1e-6)",
    "import torch\na = torch.randn(3, 4)\nassert (a + a).equal(2 * a)",
    "import torch\na = torch.randn(3, 4)\nsame = torch.equal(a + a, 2 * a)\nassert same",
    // the library of all arrays says what the variance is divided by
    "import torch\na = torch.randn(3, 4)\nassert torch.allclose(a.var(1), ((a - a.mean(1, keepdim=True))**2).sum(1) / 3)",
    "import torch\na = torch.randn(3, 4)\nassert torch.allclose(a.std()**2, ((a - a.mean())**2).sum() / 11)",
    "import numpy as np\na = np.random.randn(3, 4)\nassert np.allclose(a.var(1), ((a - a.mean(1, keepdims=True))**2).sum(1) / 4)",
    "import numpy as np\na = np.random.randn(3, 4)\nassert np.allclose(a.std()**2, ((a - a.mean())**2).sum() / 12)",
    // diagonals by the names of numbers
    "import numpy as np\nw = 2\na = np.random.randn(4, 4)\nassert np.allclose(np.tril(a, -w) + np.triu(a, 1 - w), a)",
    "import numpy as np\nn = 2\na = np.random.randn(n, n)\nassert np.allclose(np.tril(a, -n), 0)",
    "import torch\nw = 2\na = torch.randn(4, 4)\nassert torch.allclose(torch.triu(a, diagonal=w).sum(), a[0, 2] + a[0, 3] + a[1, 3])",
    // Python's own sum adds rows up
    "import numpy as np\nx = np.random.randn(3, 4)\nassert np.allclose(sum(x, 0), x.sum(axis=0))",
    "import numpy as np\nx = np.random.randn(3, 4)\nassert np.allclose(sum(x), x.sum(axis=0))",
    "import numpy as np\ndef softmax(x): return np.exp(x) / sum(np.exp(x))\nx = np.random.randn(3, 4)\nassert np.allclose(softmax(x).sum(axis=0), 1)",
    "import numpy as np\nx = np.random.randn(4)\nassert np.allclose(sum(x**2), x @ x)",
    "import numpy as np\nx = np.random.randn(3, 4)\nassert np.isclose(sum(sum(x)), x.sum())",
    "h = torch.randn(2, 5)\nassert torch.allclose(sum(h), h[0] + h[1])",
    "import torch\nx = torch.randn(3, 4)\nparts = []\nfor i in range(3):\n    parts.append(x[i])\nassert torch.allclose(sum(parts), x.sum(0))",
    R"(import torch
q, k = torch.randn(3, 4), torch.randn(5, 4)
assert torch.allclose((q @ k.T).T, k @ q.T))",
    R"(import numpy as np
rng = np.random.default_rng(0)
A = rng.standard_normal((5, 3))
B = rng.normal(size=(3, 2))
assert np.allclose((A @ B).T, B.T @ A.T))",
    R"(import numpy as np
rng = np.random.default_rng()
u = rng.uniform(-1, 1, size=(3, 2))
assert (u <= 1).all())",
    R"(import torch
s = torch.rand(4) + 0.1
assert (s > 0).all())",
    R"(import torch
P = torch.randn(3, 5).softmax(-1)
assert torch.allclose(P.sum(-1), torch.ones(3)))",
    R"(import jax, jax.numpy as jnp
key = jax.random.PRNGKey(0)
k1, k2 = jax.random.split(key)
x = jax.random.normal(k1, (3, 4))
w = jax.random.normal(k2, (4, 2))
assert jnp.allclose((x @ w).T, w.T @ x.T))",
    R"(import torch
def make(n):
    W = torch.randn(n, 3)
    return W @ W.T
G = make(2)
assert torch.allclose(G, G.T))",
    R"(import torch
def make(n):
    W = torch.randn(n, 3)
    return W @ W.T
xs = [make(2) for _ in range(2)]
assert torch.allclose(xs[0], xs[0].T))",
    R"(import torch
layers = [torch.randn(4, 4) for _ in range(3)]
assert torch.allclose(layers[0] - layers[0], torch.zeros(4, 4)))",
    R"(import torch
for w in [torch.randn(3, 3), torch.randn(3, 3)]:
    y = w - w
assert torch.allclose(y, torch.zeros(3, 3)))",
    R"(import torch
f = lambda n: torch.randn(n, 2)
x = f(3)
assert torch.allclose(x - x, torch.zeros(3, 2)))",
    R"(import torch
g = torch.Generator().manual_seed(0)
x = torch.randn(2, 3, generator=g)
y = torch.randn(3, 2, generator=g, dtype=torch.float64)
assert torch.allclose((x @ y.float()).T, y.float().T @ x.T))",
    R"(import torch
x = torch.randn(3, 4)
noise = torch.randn_like(x) * 0.1
assert torch.allclose(x + noise - noise, x))",
    R"(import torch
x = torch.randn(3, 4)
y = torch.randn(x.shape[0], 2) * 2
x += 1
assert torch.allclose(y + y, 2 * y))",
    R"(import torch
def f(x, w=torch.randn(3)):
    return x * w
a = torch.ones(3)
assert torch.allclose(f(a) + f(a), 2 * f(a)))",
    R"(import numpy as np
def init(rng, n):
    return rng.normal(size=(n, 3))
rng = np.random.default_rng(1)
W = init(rng, 2)
assert np.allclose(W.T.T, W))",
    R"(X = np.random.rand(3, 2)
np.allclose(X - X, np.zeros((3, 2))))",
    R"(import torch
ks = torch.stack([torch.randn(3) for i in range(2)])
assert torch.allclose(ks[0] - ks[0], torch.zeros(3)))",
    R"(import torch
w = {'a': torch.randn(2, 2), 'b': torch.randn(2)}
x = torch.randn(3, 2)
assert torch.allclose(x @ w['a'] + w['b'] - w['b'], x @ w['a']))",
    R"(import torch
a = b = torch.randn(3)
assert torch.equal(a, b))",
    R"(x = torch.rand(())
assert x >= 0)",
    R"(import torch
x = torch.ones(3)
def f():
    return x
def test_a():
    x = torch.zeros(3)
    assert torch.allclose(f() + x, f())
test_a())",
    R"(import torch
x = torch.ones(3)
def test_a():
    assert torch.allclose(x, torch.ones(3))
test_a()
x = torch.zeros(3))",
    R"(import torch
def attend(q, k, v):
    return (q @ k.T).softmax(-1) @ v
def test_attend():
    q, k, v = torch.randn(2, 4), torch.randn(3, 4), torch.randn(3, 5)
    out = attend(q, k, v)
    assert torch.allclose(attend(q, k, v + 1), out + 1)
if __name__ == '__main__':
    test_attend())",
    R"(import numpy as np
p = np.random.rand(3, 4)
assert (p >= 0).all() and (p >= -1).all())",
    R"(def test_loop():
    s = np.zeros(3)
    for i in range(3):
        s = s + i
    assert np.allclose(s, 3 * np.ones(3))
i = 5)",
    R"(x: float = 2.0
y: int = 3
assert x + 1 == 3)",
    R"(def check():
    W: torch.Tensor = torch.randn(3, 2)
    np.testing.assert_allclose(W.T.T, W)
check())",
    R"(x = np.random.randn(3)
print("sum", x.sum(), end="")
print("equal:", np.allclose(x + x, 2 * x)))",
    R"(class A(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.l = nn.Linear(d, d, bias=False)
    def forward(self, x):
        return self.l(x)
def test_linear():
    m = A(4)
    x = torch.randn(2, 4)
    y = torch.randn(2, 4)
    assert torch.allclose(m(x + y), m(x) + m(y), atol=1e-5))",
    R"(import torch
def flash(q, k, v, block=2):
    m = torch.full((q.shape[0], 1), float('-inf'))
    l = torch.zeros(q.shape[0], 1)
    o = torch.zeros(q.shape[0], v.shape[1])
    for j in range(0, k.shape[0], block):
        s = q @ k[j:j+block].T
        o = o + torch.exp(s) @ v[j:j+block]
        l = l + torch.exp(s).sum(-1, keepdim=True)
    return o / l
q, k, v = torch.randn(3, 4), torch.randn(6, 4), torch.randn(6, 5)
assert torch.allclose(flash(q, k, v), torch.softmax(q @ k.T, -1) @ v))",
    R"(import torch
def delta(k, v, beta):
    S = torch.zeros(4, 4)
    for t in range(k.shape[0]):
        S = S - beta[t] * torch.outer(S @ k[t] - v[t], k[t])
    return S
k, v, beta = torch.randn(2, 4), torch.randn(2, 4), torch.rand(2)
S = torch.zeros(4, 4)
S = S - beta[0] * torch.outer(S @ k[0] - v[0], k[0])
S = S - beta[1] * torch.outer(S @ k[1] - v[1], k[1])
assert torch.allclose(delta(k, v, beta), S))",
    R"(import torch
k = torch.randn(3, 4)
S = torch.zeros(4, 4)
for t in range(k.shape[0]):
    S = S + torch.outer(S @ k[t], k[t])
assert torch.allclose(S, torch.zeros(4, 4)))",
    R"(import torch
k = torch.randn(6, 4)
block = 2
s = torch.zeros(4)
for j in range(0, k.shape[0], block):
    s = s + k[j:j+block].sum(0)
assert torch.allclose(s, k.sum(0)))",
    R"(x: [n, d]; i = 0
def f(x, i):
    y = x
    j = i
    while j < 2:
        y = y + x
        j = j + 1
    return y
f(x, 1) == 2 * x)",
    R"(def f(x, W, steps=2):
    for _ in range(steps):
        x = x @ W
    return x
y: [n, d]; W: [d, d]
f(y, W, 3) == f(y, W) @ W)",
    R"(def f(x, W, steps):
    for _ in range(steps):
        x = x @ W
    return x
y: [n, d]; W: [d, d]
f(f(y, W, 1), W, 2) == f(y, W, 3))",
    R"(def f(x, steps):
    for x_1 in range(steps):
        x = x + x_1
    return x
y: [n]
z = f(y, 1) + f(y, 3)
z == 2 * y + 3)",
    R"(import torch
def f(a, b, steps):
    for i in range(steps):
        a, b = b, a + b
    return a, b
x, y = torch.randn(2), torch.randn(2)
p, q = f(x, y, 2)
r, s = f(y, x, 3)
assert torch.allclose(p, x + y))",
    R"(import numpy as np
a = np.random.uniform(2, 3, size=4)
assert (a >= 2).all())",
    R"(import numpy as np
a = np.random.normal(5, 0.0, size=(4,))
assert np.allclose(a, 5))",
    R"(import torch
f = lambda: torch.randn(3)
a = b = f()
assert torch.equal(a, b))",
    R"(import torch
a = [torch.randn(3)] * 2
assert torch.equal(a[0], a[1]))",
    R"(import torch
def f(x):
    noise = torch.randn(3)
    return x + noise, noise
y, n1 = f(torch.zeros(3))
assert torch.allclose(y, n1))",
    R"(import torch
class Noise(torch.nn.Module):
    def forward(self, x):
        return x + torch.randn(3)
m = Noise()
x = torch.zeros(3)
y = [m(x)] * 2
assert torch.allclose(y[0], y[1]))",
    R"(import torch
class Noise(torch.nn.Module):
    def forward(self, x, noise=False):
        if noise:
            x = x + torch.randn(3)
        return x
m = Noise()
x = torch.zeros(3)
assert torch.allclose(m(x), x))",
    R"(import torch
w = torch.randn(3)
class Shift(torch.nn.Module):
    def forward(self, x, w=w):
        return x + w
m, k = Shift(), Shift()
x = torch.zeros(3)
assert torch.allclose(m(x), k(x)))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert torch.allclose(x + y, y + x, atol=1e-2))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
tol = 0.05
assert torch.allclose(2 * x, x + x, rtol=tol, atol=tol), "close")",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert torch.allclose(x + 0.01, x, atol=0.05))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert (x + y == y + x).all(), "same")",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
np.testing.assert_allclose(1.005 * x, x, rtol=0.01))",
    // a list of what methods draw has been drawn once
    "class M:\n    def f(self): return torch.randn(3)\nm = M()\nys = [m.f() for _ in range(2)]\nassert torch.allclose(ys[0], ys[0] + 0)",
    "class M(nn.Module):\n    def forward(self, x): return x + torch.randn(3)\nm = M()\nx = torch.randn(3)\nys = [m(x) for _ in range(2)]\nassert torch.allclose(ys[0] - ys[0], 0 * x)",
    "class M:\n    def f(self): return torch.randn(3)\n    def g(self):\n        a = [self.f() for _ in range(2)]\n        return a[0] - a[0]\nm = M()\nassert torch.allclose(m.g(), torch.zeros(3))",
    // functions in functions read what is outside of them when they are called
    R"(import numpy as np
def attention(q, k, v, mask):
    def softmax(x):
        exp_x = np.exp(x - np.max(x, axis=-1, keepdims=True))
        return exp_x / np.sum(exp_x, axis=-1, keepdims=True)
    return softmax(q @ k.T / np.sqrt(q.shape[-1]) + mask) @ v
x = np.random.randn(4, 3)
assert np.allclose(attention(x, x, x, 0), attention(x, x, x, 1)))",
    R"(import torch
def f(x, s):
    def g(y):
        return y * s
    a = g(x)
    s = s + 1
    return a + g(x)
x = torch.randn(3)
assert torch.allclose(f(x, 2), 5 * x))",
    R"(import torch
def f(x, s):
    g = lambda: x * s
    def h(t): return g() + t
    return h(7)
x = torch.randn(3)
assert torch.allclose(f(x, 5), 5 * x + 7))",
    R"(import torch
def softmax(x): return x
def f(x):
    def softmax(x): return 2 * x
    return softmax(x)
x = torch.randn(3)
assert torch.allclose(f(x) + softmax(x), 3 * x))",
    R"(import torch
def outer(x, a):
    def mid(y):
        def inner(z):
            return z * a + y
        return inner(y) + inner(2)
    return mid(x)
x = torch.randn(3)
assert torch.allclose(outer(x, 3), 5 * x + 6))",
    R"(import torch, torch.nn as nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(3, 3, bias=False)
    def forward(self, x):
        def square(t):
            return t * t
        return square(self.l(x))
m = M()
x = torch.randn(2, 3)
assert torch.allclose(m(x), (x @ m.l.weight.T) ** 2))",
    R"(from dataclasses import dataclass
import torch, torch.nn as nn
@dataclass
class Config:
    dim: int = 4
    n_heads: int = 2
class M(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.h = config.n_heads
        self.l = nn.Linear(config.dim, config.dim)
    def forward(self, x):
        return self.l(x) * self.h
m = M(Config(n_heads=3))
x = torch.randn(3, 4)
assert torch.allclose(m(x), 3 * (x @ m.l.weight.T + m.l.bias)))",
    R"(import torch, dataclasses
@dataclasses.dataclass(frozen=True)
class Config:
    """sizes"""
    dim: int
    eps: float = 1e-5
    other = 7
    def twice(self):
        return 2 * self.dim
c = Config(4)
x = torch.randn(3, 4)
assert torch.allclose(x * c.twice() * c.other, 56 * x))",
    // whole numbers and orders that are drawn: any within their bounds
    R"(import torch
x, W1, W2 = torch.randn(4, 3), torch.randn(3, 5), torch.randn(5, 3)
perm = torch.randperm(5)
assert torch.allclose(torch.relu(x @ W1[:, perm]) @ W2[perm], torch.relu(x @ W1) @ W2))",
    R"(import torch
E = torch.randn(5, 3)
ids = torch.randint(5, (2, 4))
x = E[ids] + torch.randn(4, 3)
assert torch.allclose(torch.nn.functional.one_hot(ids, num_classes=5).float() @ E, E[ids]))",
    R"(import numpy as np
rng = np.random.default_rng(0)
E = rng.normal(size=(5, 3))
ids = rng.integers(0, len(E), size=4)
p = rng.permutation(E.shape[0])
assert np.allclose(E[p].sum(0) + E[ids][0], E.sum(0) + E[ids[0]]))",
    R"(import jax, jax.numpy as jnp
k1, k2 = jax.random.split(jax.random.PRNGKey(0))
E = jax.random.normal(k1, (5, 3))
ids = jax.random.randint(k2, (4,), 0, 5)
assert jnp.allclose(E[ids], jax.nn.one_hot(ids, 5) @ E))",
    R"(import torch
m = torch.randint(0, 2, (3, 4)).bool()
x = torch.randn(3, 4)
assert torch.allclose(x.masked_fill(m, 0.0), x * (~m)))",
    R"(import jax, jax.numpy as jnp
q = jax.random.normal(jax.random.PRNGKey(0), (3, 4))
k = jax.random.normal(jax.random.PRNGKey(1), (5, 4))
assert jnp.allclose((q @ k.T).T, k @ q.T))",
    // what modules keep, and masks that are written down
    R"(import torch, torch.nn as nn
lin, ln = nn.Linear(4, 6), nn.LayerNorm(4)
x = torch.randn(3, lin.in_features)
xhat = (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + ln.eps)
assert torch.allclose(lin(ln(x)) * lin.out_features, 6 * ((xhat * ln.weight + ln.bias) @ lin.weight.T + lin.bias)))",
    R"(import torch, torch.nn as nn
class M(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.l = nn.Linear(d, 2 * d)
    def forward(self, x):
        return self.l(x) / self.l.in_features ** 0.5
m = M(4)
x = torch.randn(3, 4)
assert torch.allclose(m(x) * 2, m.l(x)))",
    R"(import torch, torch.nn as nn
emb = nn.Embedding(10, 4)
ids = torch.randint(0, emb.num_embeddings, (3,))
assert torch.allclose(emb(ids) * emb.embedding_dim, 4 * emb.weight[ids]))",
    R"(import numpy as np
mask = np.array([[True, False], [True, True]])
x = np.random.randn(2, 2)
assert np.allclose(np.where(mask, x, 0.0), x * mask))",
    R"(import torch
M, A, v = torch.randn(3), torch.randn(3, 4), torch.randn(4)
assert torch.allclose(torch.addmv(M, A, v, beta=0.5, alpha=2), 0.5 * M + 2 * A @ v))",
    R"(import numpy as np
assert np.allclose(np.tri(4, k=-1).sum() + np.tri(3, 4, 1).sum(), 15))",
};

constexpr const char* false_programs[] = {
    R"py(import numpy as np
n = 3
x = np.random.randn(n, 2)
out = np.empty((n, 4))
for i in range(n):
    out[i, 0:2] = x[i]
assert np.allclose(out[:, 2:], np.zeros((n, 2))))py",
    R"py(import numpy as np
def f(x: "n 2"):
    n, d = x.shape
    out = np.empty((n, 4))
    for i in range(n):
        out[i, 0:2] = x[i]
    return out[:, 2:]
x = np.random.randn(5, 2)
assert np.allclose(f(x), np.zeros((5, 2))))py",
    R"py(import numpy as np
x = np.random.randn(4, 8)
out = np.empty_like(x)
for h in range(1):
    for i in range(4):
        out[i, h*4:(h+1)*4] = x[i, h*4:(h+1)*4] * 2
assert np.allclose(out[:, 4:], 0*x[:, 4:]))py",
    R"py(import numpy as np
n, m = 4, 6
x = np.random.randn(n, m)
out = np.empty((n, m))
for i in range(2):
    for j in range(m):
        out[i+1, j] = x[i, j] ** 2
assert np.allclose(out[0], 0*x[0]))py",
    R"py(import torch
x, w = torch.randn(3, 4), torch.randn(4, 4)
h = torch.relu(x @ w)
assert torch.allclose(h + torch.randn_like(h), h + torch.randn_like(h)))py",
    R"py(import numpy as np
def half(x):
    out = np.empty_like(x)
    out[..., 0::2] = x[..., 0::2]
    return out
x = np.random.randn(4, 8)
assert np.allclose(half(x), half(x)))py",
    R"py(import numpy as np
x = np.random.randn(2, 3, 4)
y = np.zeros((2, 3, 4))
y[..., 1:3] = x[..., 1:3]
z = x.copy()
z[:, :, 3] = 0
assert np.allclose(y, z))py",
    R"py(import torch
x = torch.randn(2, 3, 5, 4)
n = x.shape[2]
assert torch.allclose(torch.cat([2 * x[:, :, n-1-t:n-t] for t in range(n)], dim=2), 2 * x))py",
    R"py(import numpy as np
T, C, H = 4, 16, 4
D = C // H
x = np.random.randn(T, C)
out = np.zeros((T, C))
for h in range(H):
    i, j = h * D, h * D + D
    out[:, i:j] = x[:, i:j]
assert np.allclose(out, 2 * x))py",
    "def reduce(f, xs):\n    return xs[0]\nA, B: [n, n]; reduce(np.matmul, [A, B]) == A @ B",
    R"py(import torch, torch.nn as nn
def run(layer, x):
    return layer(x)
x = torch.randn(3, 4)
assert torch.allclose(run(nn.Linear(4, 4), x), run(nn.Linear(4, 4), x)))py",
    R"py(import torch
def f(x, act=torch.tanh):
    return act(x)
x = torch.randn(3)
assert torch.allclose(f(x, torch.relu), f(x)))py",
    "class A(nn.Module):\n    def __init__(self, W):\n        super().__init__()\n        self.W = W\n    def forward(self, x):\n        return x @ self.W\nW, V: [d, d]\nx: [n, d]\na = A(W)\nm = A(V)\ndef app(m, x):\n    return m(x)\napp(a, x) == x @ V",
    "lin = nn.Linear(d, d)\nother = nn.Linear(d, d)\nx: [n, d]\ndef f(lin, x):\n    return lin(x)\nf(other, x) == lin(x) + 0",
    "lin = nn.Linear(d, d)\nother = nn.Linear(d, d)\nx: [n, d]\ndef f(lin, x):\n    return x @ lin.weight\nf(other, x) == x @ lin.weight + 0",
    R"(x: [n]; y: [n]
z_re = 2 * x
w = z_re + y
z = x + 1j * y
z.real + z.imag == w)",
    R"(lin = nn.Linear(d, k, bias=False)
merged = nn.Linear(d, k, bias=False)
A = torch.randn(r, d); B = torch.randn(k, r)
with torch.no_grad():
    merged.weight.copy_(lin.weight - B @ A)
x = torch.randn(n, d)
assert torch.allclose(merged(x), lin(x) + (x @ A.T) @ B.T))",
    R"(import copy
lin = nn.Linear(d, k)
other = copy.deepcopy(lin)
other.bias.data = lin.bias.data * 2
x: [n, d]
other(x) == lin(x))",
    R"(Q, K = (np.random.randn(n, d) for _ in range(2))
assert np.allclose(Q @ K.T, K @ Q.T))",
    R"(Q: [n, d]; K: [n, d]
out = []
for i in range(n):
    out.append(K @ Q[i])
out = np.stack(out)
out == K @ Q.T)",
    R"(x: [n, d]; W: [d, e]
jax.vmap(lambda r: r @ W, in_axes=0)(x) == 2 * x @ W)",
    R"(import jax, jax.numpy as jnp
def attn(q, k, v):
    return jax.nn.softmax(q @ k.T / jnp.sqrt(q.shape[-1]), axis=0) @ v
q: [h, n, d]; k: [h, m, d]; v: [h, m, e]
jax.vmap(attn)(q, k, v) == jnp.einsum('hnm,hme->hne', jax.nn.softmax(jnp.einsum('hnd,hmd->hnm', q, k) / jnp.sqrt(d), axis=-1), v))",
    R"(x: [n, 2*p]; f: [p]
fc = torch.exp(-1j * torch.arange(n)[:, None] * f)
y = (x[:, 0::2] + 1j * x[:, 1::2]) * fc
np.stack([y.real, y.imag], axis=-1).reshape(n, 2*p) == rope(x, f))",
    R"(x: [p]; y: [p]
z = x + 1j * y
z * z == x * x - y * y)",
    R"(x: [n, 4]
s = slice(1, 3)
x[:, s] == x[:, :2])",
    R"(x: [d]; n: [2]
z = x.expand(3, d)
y = z + np.zeros((3, d))
y[0] = 0
y == z)",
    R"(x: [b, n, d]
m = nn.MultiheadAttention(d, h)
assert torch.allclose(m(x, x, x)[0][0], m(x[:1], x[:1], x[:1])[0][0]))",
    R"(x: [n, d]
m = nn.MultiheadAttention(d, 2)
out, w = m(x, x, x, average_attn_weights=False)
assert torch.allclose(w.sum(0), m(x, x, x)[1]))",
    R"(import torch, torch.nn as nn
x = torch.randn(n, d)
y = torch.randn(n, d)
criterion = nn.MSELoss(reduction='sum')
assert torch.allclose(criterion(x, y), ((x - y)**2).mean()))",
    // caches that lack a step, or have one too many
    R"(import numpy as np
X = np.random.randn(n, d)
Ks, sums = [], []
for t in range(n):
    Ks.append(X[t])
    sums.append(np.stack(Ks).sum(axis=0))
assert np.allclose(np.stack(sums), X))",
    R"(import numpy as np
X = np.random.randn(n, d)
V = np.random.randn(n, d)
K = np.zeros((0, d))
out = []
for t in range(n):
    x = X[t:t+1]
    K = np.concatenate([K, x], axis=0)
    out.append(x @ K.T @ V[:t+1])
assert np.allclose(np.concatenate(out, axis=0), X @ X.T @ V))",
    R"(import numpy as np
X = np.random.randn(n, d)
K = X[:1]
s = []
for t in range(n):
    K = np.concatenate([K, X[t:t+1]])
    s.append(K.sum(axis=0))
assert np.allclose(np.stack(s), np.cumsum(X, axis=0)))",
    R"(import numpy as np
X = np.random.randn(4, 2)
K = np.zeros((4, 2))
s = np.zeros((4, 2))
for t in range(4):
    K[t] = X[t]
    s[t] = K[:t+1].mean(axis=0)
assert np.allclose(s, np.cumsum(X, axis=0) / 4))",
    // numbers that are written down compare as they do
    "import numpy as np\nx = np.array([1., -2., 3.])\nassert np.allclose(x * (x > 2), np.array([1., 0., 3.]))",
    "import numpy as np\na = np.array([[1., 5.], [3., 0.]])\nassert np.allclose(a * (a > np.array([2., 4.])), np.array([[0., 5.], [0., 0.]]))",
    R"(import numpy as np
x = np.random.randn(3)
out = np.zeros(4)
for i in range(3):
    out[i] = x[i]
    out[i + 1] = 2 * x[i]
assert np.allclose(out, np.array([x[0], 2 * x[0], 2 * x[1], 2 * x[2]])))",
    R"(import numpy as np
n, d = 4, 3
X = np.random.randn(n, d); W = np.random.randn(d, d)
P = np.zeros((n, n))
for i in range(n):
    P[i, (i + 1) % n] = 1
assert np.allclose(P @ X @ W, np.roll(X @ W, 1, axis=0)))",
    R"(import numpy as np
q = np.random.randn(4); k = np.random.randn(4); theta = np.random.randn(2)
def rope(x, m):
    out = np.zeros(4)
    for i in range(2):
        c, s = np.cos(m * theta[i]), np.sin(m * theta[i])
        out[2*i] = x[2*i] * c - x[2*i+1] * s
        out[2*i+1] = x[2*i] * s + x[2*i+1] * c
    return out
assert np.allclose(rope(q, 5) @ rope(k, 2), rope(q, 3) @ rope(k, 1)))",
    R"(import numpy as np
x = np.random.randn(4)
y = np.empty(4)
y[::2] = x[::2]
assert np.allclose(y, x))",
    R"(import numpy as np
theta = np.array([1.0, 0.01])
x = np.random.randn(3, 4)
pos = np.arange(3)
c = np.cos(np.outer(pos, theta)); s = np.sin(np.outer(pos, theta))
y = np.empty((3, 4))
y[:, 0::2] = x[:, 0::2] * c + x[:, 1::2] * s
y[:, 1::2] = x[:, 0::2] * s + x[:, 1::2] * c
assert np.allclose((y ** 2).sum(-1), (x ** 2).sum(-1)))",
    // PyTorch gives the largest values and their places, NumPy the values
    "import torch\nx = torch.randn(2, 5)\nm, idx = x.max(dim=-1)\nassert torch.allclose(m, x[0].max())",
    "import torch\nx = torch.randn(2, 5)\nassert torch.allclose(x.max(axis=1)[0], torch.amax(x[0]))",
    "import torch\nx = torch.randn(2, 5)\nm, _ = x.max(dim=1, keepdim=True)\nassert torch.allclose(x - m, x - torch.amax(x[0]))",
    "import numpy as np\nx = np.random.randn(2, 5)\nassert np.allclose(x.max(axis=1)[0], x.max(axis=1))",
    "import torch\nx = torch.randn(2, 4)\nm, _ = torch.max(x, 1)\nassert torch.allclose(m, x[0].max())",
    "import torch\nx = torch.randn(2, 4)\nm, _ = x.min(-1)\nassert torch.allclose(m, x.max(-1).values)",
    R"(import numpy as np
W_dkv = np.random.randn(8, 3); W_uk = np.random.randn(2, 3, 4); W_uv = np.random.randn(2, 3, 4); W_o = np.random.randn(8, 8)
W_q = np.random.randn(2, 8, 4)
h = np.random.randn(5, 8)
c = h @ W_dkv
def sm(x):
    e = np.exp(x)
    return e / e.sum(-1, keepdims=True)
o = np.concatenate([sm((h @ W_q[i]) @ (c @ W_uk[i]).T) @ (c @ W_uv[i]) for i in range(2)], -1) @ W_o
o2 = 0
for i in range(2):
    qa = h @ (W_q[i] @ W_uk[i].T)
    o2 = o2 + sm(qa @ c.T) @ c @ (W_uv[i] @ W_o[i:i+4])
assert np.allclose(o, o2))",
    R"(import torch
def rotate_half(x):
    x1, x2 = x[..., :x.shape[-1] // 2], x[..., x.shape[-1] // 2:]
    return torch.cat((-x2, x1), dim=-1)
def apply(x, cos, sin):
    return x * cos + rotate_half(x) * sin
n, d = 3, 4
q = torch.randn(n, d); k = torch.randn(n, d)
f = torch.randn(d // 2)
ang = torch.arange(n)[:, None] * f[None, :]
ang2 = (torch.arange(n)[:, None] + 5) * f[None, :]
c, s = torch.cat([ang.cos(), ang.cos()], -1), torch.cat([ang.sin(), ang.sin()], -1)
c2, s2 = torch.cat([ang2.cos(), ang2.cos()], -1), torch.cat([ang2.sin(), ang2.sin()], -1)
assert torch.allclose(apply(q, c, s) @ apply(k, c, s).T, apply(q, c2, s2) @ apply(k, c, s).T))",
    R"(import torch
x = torch.randn(3, 4)
m, _ = torch.max(x, dim=-1, keepdim=True)
e = torch.exp(x - m)
lse = torch.log(e.sum(-1, keepdim=True))
assert torch.allclose(lse.squeeze(-1), torch.logsumexp(x, dim=-1)))",
    R"(import torch, torch.nn as nn
x = torch.randn(5, 3)
fc = nn.Linear(3, 4)
bn = nn.BatchNorm1d(4).eval()
s = bn.weight / torch.sqrt(bn.running_var + bn.eps)
W = fc.weight * s[:, None]
b = (fc.bias - bn.running_mean)  * s
assert torch.allclose(bn(fc(x)), x @ W.T + b))",
    R"(import torch, torch.nn as nn
x = torch.randn(5, 3)
fc = nn.Linear(3, 4)
bn = nn.BatchNorm1d(4).eval()
s = bn.weight / torch.sqrt(bn.running_var)
W = fc.weight * s[:, None]
b = (fc.bias - bn.running_mean) * s + bn.bias
assert torch.allclose(bn(fc(x)), x @ W.T + b))",
    R"(import numpy as np
n = 5
x = np.random.randn(n); k = np.random.randn(3)
y = np.zeros(n)
for i in range(n):
    for j in range(3):
        if i - j >= 0:
            y[i] += k[j] * x[i - j]
M = np.zeros((n, n))
for i in range(n):
    for j in range(n):
        if 0 <= i - j < 2:
            M[i, j] = k[i - j]
assert np.allclose(y, M @ x))",
    "import torch\nimport torch.nn as nn\nx = torch.randn(3, 4)\nlin = nn.Linear(4, 4).eval()\nassert torch.allclose(lin(x), x @ lin.weight + lin.bias)",
    "import torch\nx = torch.randn(2, 4, 4)\nperm = [1, 0, 2, 3]\nassert torch.allclose(x[:, perm, ...], x[..., perm])",
    "import numpy as np\na = np.random.randn(3, 4)\nsame = np.allclose(a + a, 3 * a)\nassert same",
    "import numpy as np\na = np.random.randn(3, 4)\nsame = np.allclose(a + a, 2 * a)\nsame = np.allclose(a + a, 3 * a)\nprint(same)",
    "import numpy as np\na = np.random.randn(3, 4)\nb = a + 1\nsame = np.allclose(a + 1, a)\na = b\nassert same",
    "import numpy as np\na = np.random.randn(3, 4)\nif np.allclose(a + a, 3 * a): print(\"ok\")",
    "import numpy as np\na = np.random.randn(3, 4)\nnp.testing.assert_array_almost_equal(a + a, 3 * a, decimal=6)",
    "import torch\na = torch.randn(3, 4)\nassert (a + a).allclose(3 * a)",
    "import torch\na = torch.randn(3, 4)\nassert torch.allclose(a.var(1), ((a - a.mean(1, keepdim=True))**2).sum(1) / 4)",
    "import numpy as np\na = np.random.randn(3, 4)\nassert np.allclose(a.var(1), ((a - a.mean(1, keepdims=True))**2).sum(1) / 3)",
    "import numpy as np\nw = 2\na = np.random.randn(4, 4)\nassert np.allclose(np.tril(a, -w) + np.triu(a, w - 1), a)",
    "import numpy as np\nn = 2\na = np.random.randn(n, n)\nassert np.allclose(np.tril(a, n - 2), a)",
    "import numpy as np\nx = np.random.randn(3, 4)\nassert np.allclose(sum(x), x.sum())",
    "import torch\nh = torch.randn(2, 5)\nassert torch.allclose(sum(h), h.sum(-1).sum())",
    R"(import torch
q, k = torch.randn(3, 4), torch.randn(5, 4)
assert torch.allclose(q @ k.T, q @ k.T + 1))",
    R"(import numpy as np
rng = np.random.default_rng(0)
assert np.allclose(rng.normal(size=(3, 2)), rng.normal(size=(3, 2))))",
    R"(import numpy as np
u = np.random.uniform(-1, 1, (3, 2))
assert np.allclose(u, 0))",
    R"(import torch
assert torch.allclose(torch.randn(3), torch.randn(3)))",
    R"(import torch
def make(n):
    W = torch.randn(n, 3)
    return W @ W.T
assert torch.allclose(make(2), make(2)))",
    R"(import torch
def make(n):
    W = torch.randn(n, 3)
    return W @ W.T
xs = [make(2) for _ in range(2)]
assert torch.allclose(xs[0], xs[1]))",
    R"(import torch
layers = [torch.randn(4, 4) for _ in range(3)]
assert torch.allclose(layers[0], layers[1]))",
    R"(import torch
f = lambda n: torch.randn(n, 2)
assert torch.allclose(f(3) - f(3), torch.zeros(3, 2)))",
    R"(import torch
g = lambda x: x + torch.randn(3)
y = torch.zeros(3)
for i in range(2):
    y = g(y)
z = g(torch.zeros(3))
assert torch.allclose(y, z))",
    R"(import torch
x = torch.zeros(4)
for i in range(2):
    w = torch.randn(4)
    x = x + w
assert torch.allclose(x, 2 * w))",
    R"(import torch
x = torch.randn(3, 4)
assert torch.allclose(x + torch.randn_like(x), x))",
    R"(import torch
def f(x):
    return x * torch.randn(3)
a = torch.ones(3)
assert torch.allclose(f(a), f(a)))",
    R"(import numpy as np
def init(rng, n):
    return rng.normal(size=(n, 3))
rng = np.random.default_rng(1)
assert np.allclose(init(rng, 2), init(rng, 2)))",
    R"(import torch
x = torch.randn(2, 3)
y = x
x = torch.randn(2, 3)
assert torch.allclose(y, x))",
    R"(import torch
class Noise(torch.nn.Module):
    def forward(self, x):
        return x + torch.randn(3)
m = Noise()
x = torch.zeros(3)
assert torch.allclose(m(x), m(x)))",
    R"(import torch
ks = torch.stack([torch.randn(3) for i in range(2)])
assert torch.allclose(ks[0], ks[1]))",
    R"(import torch
a = b = torch.randn(3)
c = torch.randn(3)
assert torch.equal(a, b + c))",
    R"(import torch
x = torch.ones(3)
def test_a():
    x = torch.zeros(3)
    assert torch.allclose(x, torch.ones(3)))",
    R"(import torch
x = torch.ones(3)
def test_a():
    assert torch.allclose(x, torch.ones(3))
x = torch.zeros(3)
test_a())",
    R"(import torch
x = torch.ones(3)
def test_a():
    assert torch.allclose(x, torch.ones(3))
x = torch.zeros(3))",
    R"(import torch
def attend(q, k, v):
    return (q @ k.T).softmax(-1) @ v
def test_attend():
    q, k, v = torch.randn(2, 4), torch.randn(3, 4), torch.randn(3, 5)
    out = attend(q, k, v)
    assert torch.allclose(attend(q, k + 1, v), 2 * out)
if __name__ == '__main__':
    test_attend())",
    R"(import numpy as np
p = np.random.randn(3, 4)
assert (p >= 0).all() and (p <= 1).all())",
    R"(import numpy as np
p = np.random.rand(3, 4)
assert ((p >= 0) & (p <= 0)).all())",
    R"(import numpy as np
p = np.random.rand(3, 4)
assert ((p > 0) & (p < 1)).all())",
    R"(import numpy as np
p = np.random.randn(3, 4)
assert np.isclose(p, p.T.T + 1).all())",
    R"(import numpy as np
p = np.random.randn(3, 4)
assert np.all(np.isclose(p, 0)))",
    R"(x = np.random.randn(3)
def test_x():
    for x in [np.ones(3), np.zeros(3)]:
        y = x
    assert np.allclose(y, np.ones(3)))",
    R"(import torch
def flash(q, k, v, block=2):
    o = torch.zeros(q.shape[0], v.shape[1])
    for j in range(0, k.shape[0] - 1, block):
        s = q @ k[j:j+1].T
        o = o + s @ v[j:j+1]
    return o
q, k, v = torch.randn(3, 4), torch.randn(6, 4), torch.randn(6, 5)
assert torch.allclose(flash(q, k, v), q @ k.T @ v))",
    R"(import torch
k = torch.randn(6, 4)
s = torch.zeros(4)
for j in range(0, k.shape[0], 4):
    s = s + k[j:j+2].sum(0)
assert torch.allclose(s, k.sum(0)))",
    R"(import torch
x = torch.ones(4)
def f(k):
    x = torch.zeros(4)
    for t in range(k.shape[0]):
        x = x * k[t] + x @ k[t]
    return x
y = f(torch.randn(2, 4))
assert torch.allclose(x, y))",
    R"(import torch
def f(k, scale=2):
    S = torch.zeros(4)
    for t in range(k.shape[0]):
        S = scale * S + (S * S).sum() * k[t] + k[t]
    return S
k = torch.randn(2, 4)
assert torch.allclose(f(k), f(k, scale=1)))",
    R"(import torch
def noisy(k):
    S = torch.zeros(4)
    for i in range(k.shape[0]):
        S = S * S.sum() + torch.randn(4) + k[i]
    return S
k = torch.randn(2, 4)
assert torch.allclose(noisy(k), noisy(k)))",
    R"(x: [n, d]; i = 0
def f(x, i):
    y = x
    j = i
    while j < 2:
        y = y + x
        j = j + 1
    return y
f(x, 1) == 3 * x)",
    R"(def f(x, W, steps=2):
    for _ in range(steps):
        x = x @ W
    return x
y: [n, d]; W: [d, d]
f(y, W, 3) == f(y, W))",
    R"(import torch
def grow(x, steps):
    for i in range(steps):
        x = torch.cat([x, x])
    return x
x = torch.randn(1, 2)
assert torch.allclose(grow(x, 2)[0], grow(x, 1)[1] + 1))",
    R"(import torch
def f(a, b, steps):
    for i in range(steps):
        a, b = b, a + b
    return a, b
x, y = torch.randn(2), torch.randn(2)
p, q = f(x, y, 2)
r, s = f(y, x, 3)
assert torch.allclose(p, r))",
    R"(import numpy as np
a = np.random.uniform(2, 3, size=4)
assert (a <= 2).all())",
    R"(import numpy as np
a = np.random.normal(5, 0.1, size=4)
assert (a >= 0).all())",
    R"(import jax
key = jax.random.PRNGKey(0)
key, sub = jax.random.split(key)
a = jax.random.normal(sub, (3,))
key, sub = jax.random.split(key)
b = jax.random.normal(sub, (3,))
assert jnp.allclose(a, b))",
    R"(import torch
f = lambda: torch.randn(3)
a, b = f(), f()
assert torch.equal(a, b))",
    R"(import torch
a = [torch.randn(3)] * 2
b = [torch.randn(3) for _ in range(2)]
assert torch.equal(b[0], b[1]))",
    R"(import torch
def f(x):
    noise = torch.randn(3)
    return x + noise, noise
y, n1 = f(torch.zeros(3))
z, n2 = f(torch.zeros(3))
assert torch.allclose(y, n2))",
    R"(import torch
class Noise(torch.nn.Module):
    def forward(self, x):
        return x + torch.randn(3)
m = Noise()
x = torch.zeros(3)
y = torch.stack([m(x) for _ in range(2)])
assert torch.allclose(y[0], y[1]))",
    R"(import torch
class Noise(torch.nn.Module):
    def forward(self, x):
        return x + torch.randn(3)
m = Noise()
x = torch.zeros(3)
a, b = [m(x) for _ in range(2)]
assert torch.allclose(a, b))",
    R"(import torch
class Noise(torch.nn.Module):
    def noise(self):
        return torch.randn(3)
    def forward(self, x):
        return x * self.noise() - self.noise() * x
m = Noise()
x = torch.ones(3)
assert torch.allclose(m(x), 0 * x))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert torch.allclose(x + y, x, atol=1e-2))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert torch.allclose(x + 0.1, x, atol=0.05, rtol=0))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert torch.allclose(x, 1.1 * x, rtol=0.05))",
    R"(import torch
def f(x):
    def noise():
        return torch.randn(3)
    return noise() - noise()
assert torch.allclose(f(1), torch.zeros(3)))",
    R"(import torch
def f(x, s):
    def g(y):
        return y * s
    s = s + 1
    return g(x)
x = torch.randn(3)
assert torch.allclose(f(x, 2), 2 * x))",
    R"(from dataclasses import dataclass
@dataclass
class Config:
    dim: int = 4
    heads: int = 2
x = np.random.randn(3)
c = Config(8)
assert np.allclose(c.dim / c.heads * x, 2 * x))",
    R"(import torch
x = torch.randn(5, 3)
def shuffle(x):
    return x[torch.randperm(x.shape[0])]
assert torch.allclose(shuffle(x), shuffle(x)))",
    R"(import torch
t = torch.randint(0, 5, (3,))
assert (t <= 3).all())",
    R"(import torch
n, m = 6, 5
x = torch.randn(n, 3)
perm = torch.randperm(m)
assert torch.allclose(x[perm].sum(0), x.sum(0)))",
    R"(import torch
m = torch.randint(0, 3, (3, 4)).float()
x = torch.randn(3, 4)
assert torch.allclose(x * m * m, m * x))",
    R"(import torch, torch.nn as nn
ln = nn.LayerNorm(4, eps=1e-6)
x = torch.randn(3, 4)
assert torch.allclose(x * ln.eps, x * 1e-5))",
    R"(x: [n, d]; y: [n, d]
assert torch.allclose(torch.rsub(x, y), x - y))",
};

constexpr Changed true_but_for_one_part[] = {
    // masks that are written out, copies, and counts that several names get at once
    {R"(import numpy as np
d = 2
q, k, v = np.random.randn(3, d), np.random.randn(3, d), np.random.randn(3, d)
M = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], dtype=bool)
e = np.where(M, np.exp(q @ k.T), 0)
out = e / e.sum(-1, keepdims=True) @ v
path = [0, 2]
f = np.exp(q[2:3] @ k[path].T)
assert np.allclose(out[2:3], f / f.sum(-1, keepdims=True) @ v[path]))",
     "[0, 2]", "[0, 1]"},
    {R"(import numpy as np
x = np.asarray(np.random.randn(4, 3))
z = np.array(x)
z *= 2
assert np.allclose(z, x + x))",
     "x + x", "x"},
    {R"(import torch
import torch.nn as nn
d, E = 4, 3
experts = nn.ModuleList([nn.Linear(d, d, bias=False) for _ in range(E)])
x = torch.randn(2, d)
assert torch.allclose(sum(e(x) for e in experts), x @ (experts[0].weight + experts[1].weight + experts[2].weight).T))",
     "experts[2].weight)", "experts[1].weight)"},
    {R"py(import numpy as np
X = np.random.randn(n, H * d)
out = np.concatenate([X[:, i*d:(i+1)*d] for i in range(H)], axis=1)
i = 2
assert np.allclose(out * i, 2 * X))py", R"(2 * X))", R"(3 * X))"},
    {R"py(import numpy as np
T, H, d = 5, 4, 3
Q, K, V = (np.random.randn(H, T, d) for _ in range(3))
def attn(q, k, v):
    s = q @ k.T / np.sqrt(d)
    s = np.exp(s)
    return s / s.sum(-1, keepdims=True) @ v
heads = [attn(q, k, v) for q, k, v in zip(Q, K, V)]
out = np.stack(heads)
assert out.shape == (H, T, d) and np.allclose(out[0], attn(Q[0], K[0], V[0])))py", R"(out[0], attn)", R"(out[1], attn)"},
    {R"py(import numpy as np
X = np.random.randn(n, d)
W = np.random.randn(d, k)
b = np.random.randn(k)
Xa = np.c_[X, np.ones(n)]
Wa = np.r_[W, b[None]]
assert np.allclose(Xa @ Wa, X @ W + b))py", R"(X @ W + b))", R"(X @ W))"},
    {R"py(import numpy as np
A = np.random.randn(m, n)
B = np.random.randn(n, n)
assert np.allclose((A @ B).flatten(order='F'), np.kron(B.T, np.eye(m)) @ A.flatten(order='F')))py", R"(np.kron(B.T, np.eye(m)))", R"(np.kron(B, np.eye(m)))"},
    {R"py(import numpy as np
X = np.random.randn(n, d); W = np.random.randn(d, k)
alpha = 0.5
s = np.abs(X).max(axis=0) ** alpha + 1
assert np.allclose((X / s) @ (W * s[:, None]), X @ W))py", R"(W * s[:, None])", R"(W * s[:, None] ** alpha)"},
    {R"py(import torch
x = torch.randn(2, 4, 4, 3)
y = torch.roll(x, shifts=(-1, -1), dims=(1, 2))
assert torch.allclose(torch.roll(y, shifts=(1, 1), dims=(1, 2)), x))py", R"(shifts=(1, 1))", R"(shifts=(1, -1))"},
    {R"py(import numpy as np
X = np.random.randn(n, d)
b = np.random.randn(n)
assert np.allclose(np.column_stack((X, b)), np.concatenate([X, b[:, None]], axis=1)))py", R"(b[:, None]])", R"(2 * b[:, None]])"},
    {R"py(import numpy as np
A = np.random.randn(m, n)
x = A.reshape(n, m, order='F') @ A
assert np.allclose(x, A.T.reshape(m, n).T @ A))py", "A.T.reshape(m, n).T", "A.reshape(n, m)"},
    {R"py(import torch
x = torch.randn(2, 4, 3)
assert torch.allclose(x.roll((1, 2), (1, 2)), torch.roll(torch.roll(x, 1, 1), 2, 2)))py", "2, 2)", "1, 2)"},
    {R"py(import numpy as np
x, y = np.random.randn(6, 3), np.random.randn(2, 3)
out = np.zeros((6, 3))
out[0:4] = x[0:4]
out[1:3] = y
assert np.allclose(out, np.concatenate([x[:1], y, x[3:4], np.zeros((2, 3))])))py", R"(assert np.allclose(out, np.concatenate([x[:1], y, x[3:4], np.zeros((2, 3))])))", R"(assert np.allclose(out, np.concatenate([x[:1], y, x[0:1], np.zeros((2, 3))])))"},
    {R"py(import numpy as np
r = 1 + 1
def f(x, k):
    if k == 2:
        return x
    return k * x
x = np.random.randn(3)
assert np.allclose(f(x, r), x + 0))py", R"(assert np.allclose(f(x, r), x + 0))", R"(assert np.allclose(f(x, r), 2 * x))"},
    {R"py(import numpy as np
def softmax(x):
    e = np.exp(x)
    return e / np.sum(e, axis=-1, keepdims=True)
X = np.random.randn(3, 2)
def layer(X):
    n = X.shape[0]
    S = np.where(np.tril(np.ones((n, n))) == 1, X @ X.T, -np.inf)
    return softmax(S) @ X
assert np.allclose(layer(layer(X))[0], X[0]))py", "[0], X[0]", "[1], X[1]"},
    {R"py(import numpy as np
T, d = 3, 2
k = np.random.randn(T, d)
v = np.random.randn(T, d)
w = np.random.rand(d)
u = np.random.randn(d)
num = np.zeros(d)
den = np.zeros(d)
out = []
for t in range(T):
    out.append((num + np.exp(u + k[t]) * v[t]) / (den + np.exp(u + k[t])))
    num = np.exp(-w) * num + np.exp(k[t]) * v[t]
    den = np.exp(-w) * den + np.exp(k[t])
direct = []
for t in range(T):
    n_ = np.exp(u + k[t]) * v[t]
    d_ = np.exp(u + k[t])
    for i in range(t):
        n_ = n_ + np.exp(-(t - 1 - i) * w + k[i]) * v[i]
        d_ = d_ + np.exp(-(t - 1 - i) * w + k[i])
    direct.append(n_ / d_)
assert np.allclose(np.stack(out), np.stack(direct)))py", "for i in range(t):", "for i in range(t + 1):"},
};

constexpr const char* refused_programs[] = {
    R"py(import numpy as np
def f(x):
    n, d = x.shape
    out = np.empty((n, n))
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = x[i, 0] * x[j, 0]
    return out
x = np.random.randn(5, 2)
assert np.allclose(f(x), np.tril(x[:, :1] @ x[:, :1].T)))py",
    R"py(import numpy as np
def f(x):
    return np.stack([g(x[i]) for i in range(3)])
def g(v):
    out = np.empty(4)
    out[:2] = v[:2]
    return out
x = np.random.randn(3, 4)
assert np.allclose(f(x), f(x)))py",
    R"py(import numpy as np
x, w = np.random.randn(2, 3, 4), np.random.randn(2, 4, 5)
assert np.allclose(np.dot(x, w), x @ w))py",
    R"py(import torch
x = torch.ones(2, bool)
assert torch.allclose(x * 2.0, torch.full((2,), 2.0)))py",
    R"py(import torch, torch.nn as nn
def run(layer, x):
    return layer(x)
x = torch.randn(3, 4)
assert torch.allclose(sum(run(nn.Linear(4, 4), x) for _ in range(2)), 2 * x))py",
    R"py(import numpy as np
i = 2
def f(x, k):
    if k == 2:
        return x
    return 2 * x
x = np.random.randn(3)
assert np.allclose(sum(f(x, i) for i in range(3)), 3 * x))py",
    R"py(import torch, torch.nn as nn
def f(m, x):
    m = nn.Linear(4, 4)
    return m(x)
lin = nn.Linear(4, 4)
x = torch.randn(2, 4)
assert torch.allclose(f(lin, x), lin(x) + 0))py",
    R"py(import torch, torch.nn as nn
def f(lin, other, x):
    return lin(x) + other(x)
lin = nn.Linear(4, 4)
other = nn.Linear(4, 4)
x = torch.randn(2, 4)
assert torch.allclose(f(other, lin, x) + x, lin(x) + other(x)))py",
    R"(x: [n]
x.imag == 0 * x)",
    R"(q: [3, n]; k: [4, n]
jax.vmap(lambda a, b: a * b)(q, k) == q * k[:3])",
    R"(q: [h, n]; k: [g, n]
jax.vmap(lambda a, b: a * b)(q, k) == q)",
    R"(a = nn.Linear(d, k, bias=False)
b = nn.Linear(d, k, bias=False)
b.weight.copy_(a.weight.T @ a.weight)
x: [n, d]
b(x) == a(x))",
    R"(import copy
m = nn.Sequential(nn.Linear(d, k), nn.ReLU())
c = copy.deepcopy(m)
x: [n, d]
c(x) == m(x))",
    R"(x: [n, 4]
k = 2
s = slice(0, k)
k = 3
x[:, s] == x[:, :2])",
    R"(x: [4, d]
s = slice(0, 2)
y = x[s] * 0
for i in range(2):
    y = y + x[s]
    s = slice(2, 4)
y == x[:2] + x[2:])",
    R"(x: [n, d]; W: [d, e]
jax.vmap(lambda r: r @ W, out_axes=1)(x) == x @ W)",
    R"(a: [d]; b: [d]
torch.tensor([a, b]) == stack([a, b]))",
    R"(x: [n, 4]
torch.view_as_real(torch.view_as_complex(x)) == x)",
    R"(z: [n]
softmax(z * 1j) == z)",
    R"(z: [n]
1j * z <= z)",
    R"(Q: [n, d]
out = []
for i in range(n):
    out.append(Q[i])
def f(): return out[0]
out = np.stack(out)
f() == Q[0])",
    R"(x: [n, d]
m = nn.MultiheadAttention(d, h)
assert torch.allclose(m(x, x, x, is_causal=True)[0], m(x, x, x)[0]))",
    R"(x: [n, d]
m = nn.MultiheadAttention(d, h, add_bias_kv=True)
assert torch.allclose(m(x, x, x)[0], x))",
    R"(x: [n, d]
M: [n, n]
assume mask01(M)
m = nn.MultiheadAttention(d, h)
assert torch.allclose(m(x, x, x, attn_mask=M)[0], m(x, x, x)[0]))",
    R"(import torch, torch.nn as nn
x = torch.randn(n, d)
assert torch.allclose(nn.MSELoss(x, x), 0 * x))",
    R"(import numpy as np
a = np.random.rand()
b = int(a / 2)
assert np.allclose(b, a / 2))",
    // what the cache holds at this place of a step is not what it will hold
    R"(import numpy as np
X = np.random.randn(n, d)
K = np.zeros((n, d))
s = []
for t in range(n):
    s.append(K[:t+1].sum(axis=0))
    K[t] = X[t]
assert np.allclose(np.stack(s), np.cumsum(X, axis=0)))",
    R"(import numpy as np
X = np.random.randn(n, d)
K = np.zeros((n, d))
s = []
for t in range(n):
    K[t] = X[t]
    s.append(K.sum(axis=0))
assert np.allclose(np.stack(s), np.cumsum(X, axis=0)))",
    R"(import numpy as np
X = np.random.randn(n, d)
L, s = [], []
for t in range(n):
    L.append(X[t])
    s.append(L)
assert np.allclose(np.stack(s[0]), X))",
    R"(import numpy as np
X = np.random.randn(n, d)
h = np.zeros(d)
L, s = [], []
for t in range(n):
    h = h * X[t] + 1
    L.append(h)
    s.append(np.stack(L).sum(axis=0))
assert np.allclose(np.stack(s), np.cumsum(np.stack(L), axis=0)))",
    R"(import numpy as np
X = np.random.randn(n, d)
K = np.zeros((0, d))
s = []
for t in range(n):
    s.append(K.sum(axis=0))
    K = np.concatenate([K, X[t:t+1]])
assert np.allclose(np.stack(s), np.cumsum(X, axis=0) - X))",
    R"(import numpy as np
K = np.zeros((0, 3))
assert np.allclose(K, 0 * K))",
    R"(import numpy as np
M = np.tril(np.ones((n, n), dtype=int))
assert np.allclose(~M, 1 - M))",
    R"(import numpy as np
x = np.random.randn(n, d)
M = np.tril(np.ones((n, n), dtype=int))
S = np.where(~(M * M)[:, ::-1], -np.inf, x @ x.T)
assert np.allclose(S, S))",
    R"(import numpy as np
assert np.allclose(~np.tri(n), 1 - np.tri(n)))",
    "import torch, torch.nn as nn\nx = torch.randn(2, 4)\nbn = nn.BatchNorm1d(4)\ndef f(x):\n    bn.eval()\n    return bn(x)\nassert torch.allclose(bn(x), (x - bn.running_mean) / torch.sqrt(bn.running_var + bn.eps) * bn.weight + bn.bias)",
    "import numpy as np\nA = [[1, 2], [3, 4]]\nw = np.random.randn(2)\nassert np.allclose(w * (A[0] > [0, 9]), np.array([w[0], 0]))",
    "a = [1, 3]\nassert a < [2, 1]",
    "import numpy as np\nz = np.random.randn(3)\nw = np.random.randn(3)\nm = (z > 0) * 1\nassert np.allclose(w * ~(m | m), w * (z <= 0))",
    // lists of Python, the bits of numbers, and what is not trained yet
    "import numpy as np\na = [1, 2, 3]\nw = np.random.randn(3)\nassert np.allclose(w * (a > [1, 1, 5]), np.array([0, w[1], 0]))",
    "import numpy as np\na = [1, 2, 3]\nw = np.random.randn(3)\nassert np.allclose(w * (a == 2), np.array([0, w[1], 0]))",
    "import numpy as np\nz = np.random.randn(3)\nw = np.random.randn(3)\nassert np.allclose(w * ~((z > 0) * 1), w * (z <= 0))",
    "import numpy as np\nz = np.random.randn(3)\nw = np.random.randn(3)\nM = np.where(z > 0, 1, 0)\nassert np.allclose(w * ~M, w * (z <= 0))",
    "import torch, torch.nn as nn\nx = torch.randn(2, 4)\nbn = nn.BatchNorm1d(4)\ny = bn(x)\nbn.eval()\nassert torch.allclose(y, (x - bn.running_mean) / torch.sqrt(bn.running_var + bn.eps) * bn.weight + bn.bias)",
    "import torch, torch.nn as nn\nx = torch.randn(2, 4)\nbn = nn.BatchNorm1d(4)\nother = nn.BatchNorm1d(4).eval()\nassert torch.allclose(bn(x), (x - bn.running_mean) / torch.sqrt(bn.running_var + bn.eps) * bn.weight + bn.bias)",
    // PyTorch's array or NumPy's
    "import numpy as np\nimport torch\nx = torch.randn(2, 5)\ny = np.ones(3)\nm, i = x.max(1)\nassert np.allclose(m, x[0].max())",
    "import numpy as np\nimport torch\nx = torch.randn(2, 5)\ny = np.ones(3)\nassert np.allclose(x.max(axis=1)[0], x[0].max())",
    "import torch, torch.nn as nn\nx = torch.randn(2, 4)\nbn = nn.BatchNorm1d(4).eval()\nbn.train()\nassert torch.allclose(bn(x), (x - bn.running_mean) / torch.sqrt(bn.running_var + bn.eps) * bn.weight + bn.bias)",
    "import torch, torch.nn as nn\nx = torch.randn(2, 4, 4)\nbn = nn.BatchNorm1d(4).eval()\nassert torch.allclose(bn(x), (x - bn.running_mean) / torch.sqrt(bn.running_var + bn.eps) * bn.weight + bn.bias)",
    // PyTorch gives the largest values and their places, NumPy the values
    "import torch\nx = torch.randn(2, 5)\nr = x.max(dim=1)\nv = r[0]\nassert torch.allclose(v, torch.amax(x[0]))",
    "import torch\nx = torch.randn(2, 5)\ndef mx(y):\n    return y.max(dim=1)\nassert torch.allclose(mx(x)[0], torch.amax(x[0]))",
    "import torch\nx = torch.randn(2, 5)\nassert torch.allclose(x.max(dim=1)[-1], x[1].max())",
    "import torch\nx = torch.randn(2, 5)\nassert torch.allclose(torch.stack(x.max(dim=1)), torch.amax(x, 1))",
    "import torch\nx = torch.randn(2, 5)\nassert torch.allclose(sum(x.max(dim=1)), torch.amax(x, 1).sum())",
    "import torch\nx = torch.randn(2, 4)\nm, i = torch.max(x, 1)\nassert torch.allclose(i, x[1].max())",
    "x: [2, 4]\nm, i = x.max(1)\nm == x[0].max()",
    "import torch\nx = torch.randn(3, 4)\nm, i = x.max(dim=1)\nassert torch.allclose(x[torch.arange(3), i], m)",
    R"(import torch, torch.nn as nn
x = torch.randn(5, 3)
fc = nn.Linear(3, 4)
bn = nn.BatchNorm1d(4)
s = bn.weight / torch.sqrt(bn.running_var + bn.eps)
W = fc.weight * s[:, None]
b = (fc.bias - bn.running_mean) * s + bn.bias
assert torch.allclose(bn(fc(x)), x @ W.T + b))",
    "import torch\nimport torch.nn as nn\nx = torch.randn(3, 4)\nlin = nn.Linear(4, 4).half()\nassert torch.allclose(lin(x), x @ lin.weight.T + lin.bias)",
    "import torch\nx = torch.randn(2, 4)\nperm = [0, 1, 4]\nassert torch.allclose(x[..., perm].sum(), x.sum())",
    "import torch\nx = torch.randn(2, 4)\nperm = [1, 0, 3, 2]\nassert torch.allclose(x[..., None, perm].sum(), x.sum())",
    // PyTorch's equal compares shapes, too
    "import torch\na = torch.randn(3, 4)\nassert a[:1].equal(a[:1] + 0 * a)",
    // what is True or False is no number
    "import numpy as np\na = np.random.randn(3, 4)\nsame = np.allclose(a, a)\nassert np.allclose(same * a, a)",
    "import numpy as np\na = np.random.randn(3, 4)\nif np.allclose(a, a): a = a + 1\nassert np.allclose(a, a + 1)",
    "import numpy as np\na = np.random.randn(3, 4)\nif np.allclose(a, a) and a[0, 0] == a[0, 0]: print(\"ok\")",
    "import numpy as np\na = np.random.randn(3, 4)\nif np.allclose(a, a + 1):\n    print('one')\nelif np.allclose(a, a):\n    print('other')",
    "import numpy as np\na = np.random.randn(3, 4)\nnp.testing.assert_array_almost_equal(a, a, decimal=1)",
    "import numpy as np\na = np.random.randn(3, 4)\nassert a.allclose(a)",
    "import numpy as np\na = np.random.randn(3, 4)\nsame = np.equal(a, a + 0)\nassert same",
    "import numpy as np\na = np.random.randn(3, 4)\nsame = np.testing.assert_allclose(a, a + 0)\nassert same",
    // nobody knows whose arrays these are
    "a: [3, 4]\nassert np.allclose(a.var(1), a.var(1) + 0)",
    "import numpy as np\na = np.random.randn(3, 4)\nb: [3, 4]\nassert np.allclose(b.std(1), b.std(1) + 0)",
    "import numpy as np\nimport torch\na = torch.from_numpy(np.random.randn(3, 4))\nassert torch.allclose(a.std(1), a.std(1) + 0)",
    "import torch\na = torch.randn(3, 4).numpy()\nassert torch.allclose(a.std(1), a.std(1) + 0)",
    "import torch\ndef f(a): return a.std(1)\na: [3, 4]\nassert torch.allclose(f(a), f(a) + 0)",
    "import numpy as np\nx = np.random.randn(3, 4)\nassert np.allclose(sum(x, 1), x.sum(axis=1)[:, None])",
    // what is drawn in default values of methods
    "class M:\n    def __init__(self, w=torch.randn(3)): self.w = w\n    def f(self, x): return x * self.w\nm = M(); k = M()\nx = torch.randn(3)\nassert torch.allclose(m.f(x), k.f(x))",
    "class M:\n    def f(self, x, w=torch.randn(3)): return x * w\nm = M(); k = M()\nx = torch.randn(3)\nassert torch.allclose(m.f(x), k.f(x) + 0)",
    R"(import jax, jax.numpy as jnp
key = jax.random.PRNGKey(0)
x = jax.random.normal(key, (3, 4))
w = jax.random.normal(key, (3, 4))
assert jnp.allclose(x, w))",
    R"(import numpy as np
r1 = np.random.default_rng(0)
r2 = np.random.default_rng(0)
assert np.allclose(r1.normal(size=3), r2.normal(size=3)))",
    R"(import torch
torch.manual_seed(0)
a = torch.randn(3)
torch.manual_seed(0)
b = torch.randn(3)
assert torch.equal(a, b))",
    R"(n: [1]
import torch
x = torch.zeros(4)
for i in range(m):
    x = x + torch.randn(4)
y = torch.zeros(4)
assert torch.allclose(x, y))",
    R"(import numpy as np
def init(n):
    rng = np.random.default_rng(1)
    return rng.normal(size=(n, 3))
assert np.allclose(init(2), init(2)))",
    R"(import torch
def init(n):
    torch.manual_seed(0)
    return torch.randn(n, 3)
assert torch.allclose(init(2), init(2)))",
    R"(import torch
x = torch.ones(3)
def test_a():
    x = x + 1
    assert torch.allclose(x, x + 0)
test_a())",
    R"(import torch
def test_a():
    x = torch.randn(3)
    assert torch.allclose(x + x, 2 * x)
def test_b():
    x = torch.randn(3)
    assert torch.allclose(x + x, 3 * x))",
    R"(import numpy as np
p = np.random.rand(3, 4)
assert np.isclose(p, p + 0))",
    R"(x: [n] = 3
x == x + 0)",
    R"(def check():
    W = torch.randn(3, 2)
    assert torch.equal(W, W)
check()
check())",
    R"(import torch
def f(x, k):
    for t in range(k.shape[0]):
        x += x * k[t] * x.sum()
    return x
x = torch.randn(4)
y = x.T
z = f(x, torch.randn(2, 4))
assert torch.allclose(z, x + 1))",
    R"(import torch
x = torch.randn(3)
u = np.random.uniform(x, 1)
assert np.allclose(u, u + 0))",
    R"(import jax
key = jax.random.PRNGKey(0)
xs = [jax.random.normal(key, (3,)) for _ in range(2)]
assert jnp.allclose(xs[0], xs[1]))",
    R"(import jax
key = jax.random.PRNGKey(0)
a = jax.random.normal(key, (3,))
key, sub = jax.random.split(key)
b = jax.random.normal(sub, (3,))
assert jnp.allclose(a, b))",
    R"(import torch
f = lambda: torch.randn(3)
xs = [f] * 2
assert torch.equal(xs[0](), xs[1]()))",
    R"(import torch
a = torch.randn(3)
y = torch.stack([a + torch.randn(3) for _ in range(m)])
assert torch.allclose(y - y, torch.zeros(m, 3)))",
    R"(import torch
def f():
    return torch.randn(3)
class Shift(torch.nn.Module):
    def __init__(self, w=torch.randn(3)):
        super().__init__()
        self.w = w
    def forward(self, x):
        return x + self.w
m = Shift()
k = Shift()
x = torch.zeros(3)
assert torch.allclose(m(x), k(x)))",
    R"(import torch
def f():
    return torch.randn(3)
class Shift(torch.nn.Module):
    def __init__(self, w=f()):
        super().__init__()
        self.w = w
    def forward(self, x):
        return x + self.w
m = Shift()
k = Shift()
x = torch.zeros(3)
assert torch.allclose(m(x), k(x)))",
    R"(import torch
class Shift(torch.nn.Module):
    def forward(self, x, w=torch.randn(3)):
        return x + w
m = Shift()
k = Shift()
x = torch.zeros(3)
assert torch.allclose(m(x), k(x)))",
    R"(import torch
class Noise(torch.nn.Module):
    def forward(self, x):
        return x + torch.randn(3)
m = Noise()
x = torch.zeros(3)
y = torch.stack([m(x) for _ in range(n)])
assert torch.allclose(y[0], y[1]))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert torch.allclose(x, x + 0, atol=-0.5))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert torch.equal(x, x + 0, atol=1e-5))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
torch.testing.assert_close(x + y, y + x, atol=1e-2))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert not torch.allclose(x, 2 * x))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert torch.allclose(x, 1 * x) and torch.allclose(y, 1 * y))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert torch.allclose(x, 1 * x)
assert torch.allclose(y, 1 * y))",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert (x == 1 * x).all() and (y == 1 * y).all())",
    R"(import torch
x, y = torch.randn(3, 4), torch.randn(3, 4)
assert torch.equal(x, y.T))",
    // functions in functions whose names mean something else where they are called
    R"(import torch
def f(x, s):
    def g(y):
        return y * s
    return sum(g(x) for s in range(2))
x = torch.randn(3)
assert torch.allclose(f(x, 5), 10 * x))",
    R"(import torch
def f(x, s):
    def g(y):
        return y * s
    def h(s):
        return g(x) + 0 * s
    return h(7)
x = torch.randn(3)
assert torch.allclose(f(x, 5), 7 * x))",
    R"(import torch
def f(x):
    def g(y=x):
        return y
    x = x + 1
    return g()
x = torch.randn(3)
assert torch.allclose(f(x), x))",
    R"(import torch
def f(x):
    out = torch.zeros(3)
    def g(y):
        out[0] = y
        return y
    z = g(2)
    return out + z
assert torch.allclose(f(1), 2 * torch.ones(3)))",
    R"(import torch
def f(x):
    y = softmax(x)
    def softmax(x): return 2 * x
    return softmax(y)
x = torch.randn(3)
assert torch.allclose(f(x), 2 * x.softmax(-1)))",
    R"(import torch
def make(s):
    def g(y):
        return y * s
    return g
x = torch.randn(3)
assert torch.allclose(make(2)(x), 2 * x))",
    R"(from dataclasses import dataclass
@dataclass
class Config:
    dim: int = 4
@dataclass
class Big(Config):
    wide: int = 4
x = np.random.randn(3)
c = Big(2)
assert np.allclose(x * c.dim, 2 * x))",
    R"(from dataclasses import dataclass
dim = 3
@dataclass
class Config:
    dim: int = 4
    hidden: int = 4 * dim
x = np.random.randn(3)
assert np.allclose(Config().hidden * x, 12 * x))",
    R"(from dataclasses import dataclass
@dataclass(init=False)
class Config:
    dim: int = 4
x = np.random.randn(3)
assert np.allclose(Config(3).dim * x, 3 * x))",
    // places that are none of the array, and masks, which choose as many as hold
    R"(import torch
E = torch.randn(5, 3)
t = torch.randint(0, 9, (3,))
assert torch.allclose(E[t][0], E[t[0]]))",
    R"(import torch
E = torch.randn(5, 3)
t = torch.randint(0, 9, (3,))
assert torch.allclose(torch.nn.functional.one_hot(t, 5).float() @ E, E[0] + 0 * E))",
    R"(import numpy as np
x = np.random.randn(4, 3)
i = np.random.randint(-4, 4, 5)
assert np.allclose(x[i] * (i >= 0)[:, None], x[i]))",
    R"(import torch
m = torch.randint(0, 2, (3,))
assert torch.allclose(~m, 1 - m))",
    R"(import torch
x = torch.randn(4, 3)
m = torch.randn(4) > 0
assert torch.allclose(x[m].sum(0), (x * m[:, None]).sum(0)))",
    R"(import torch
x = torch.randn(4, 3)
m = torch.randint(0, 2, (4,)).bool()
assert torch.allclose(x[~m].sum(0), (x * (~m)[:, None]).sum(0)))",
    R"(import numpy as np
p = np.random.permutation([1, 2, 3])
assert np.allclose(p.sum(), 6))",
    R"(import torch
t = torch.randint(5, 2, (3,))
assert torch.allclose(t, t + 0))",
    R"(import jax, jax.numpy as jnp
q = jax.random.normal(jax.random.PRNGKey(0), (3, 4))
k = jax.random.normal(jax.random.PRNGKey(0), (3, 4))
assert jnp.allclose(q, k))",
    R"(import jax, jax.numpy as jnp
key = jax.random.PRNGKey(0)
q = jax.random.normal(key, (3, 4))
k = jax.random.normal(jax.random.PRNGKey(0), (4, 3))
assert jnp.allclose(q.sum(), k.sum()))",
    R"(import jax, jax.numpy as jnp
def f():
    return jax.random.normal(jax.random.PRNGKey(0), (3, 4))
assert jnp.allclose(f(), f()))",
    R"(import numpy as np
mask = np.array([True, False])
x = np.random.randn(3, 3)
assert np.allclose(x[mask], x[:1]))",
    R"(import numpy as np
mask = np.array([True, True])
assert np.allclose(mask + mask, 2 * np.ones(2)))",
    R"(import torch, torch.nn as nn
d = 4
lin = nn.Linear(d, 6)
d = 5
x = torch.randn(3, 4)
assert torch.allclose(lin(x) * lin.in_features, 5 * lin(x)))",
    R"(import torch, torch.nn as nn
m = nn.RMSNorm(4)
x = torch.randn(3, 4)
assert torch.allclose(m(x) * m.eps, m(x) * 1e-5))",
    R"(import torch
c = 2
def f(x, c):
    def g(y, s=c):
        return y * s
    return g(x)
x = torch.randn(3)
assert torch.allclose(f(x, 5), 2 * x))",
    R"(import torch
def f(x, s):
    def g(y):
        return y * s
    h = lambda s: g(x) + 0 * s
    return h(7)
x = torch.randn(3)
assert torch.allclose(f(x, 5), 7 * x))",
};

}  // namespace

BOOST_AUTO_TEST_CASE(true_programs_are_proved_and_never_refuted) { are_proved_and_never_refuted(true_programs); }
BOOST_AUTO_TEST_CASE(false_programs_are_refuted_and_never_proved) { are_refuted_and_never_proved(false_programs); }
BOOST_AUTO_TEST_CASE(true_programs_are_false_with_another_part) { are_true_but_for_one_part(true_but_for_one_part); }
BOOST_AUTO_TEST_CASE(programs_that_no_claim_can_say_are_refused) { are_refused(refused_programs); }

}  // namespace foldproof::properties
