// SPDX-License-Identifier: MIT
// Shape inference: the most general shapes are found without declarations, a conflict shows both uses, and every diagnostic
// of this layer has a code and a place in the text.
#include <boost/test/unit_test.hpp>
#include <algorithm>

#include "expr/operators.hpp"
#include "infer/problem.hpp"
#include "read/parse.hpp"

namespace foldproof::properties {
namespace {

infer::Problem problem(const std::string& claim) { return infer::elaborate(read::parse_claim(claim)); }

std::string shape(const infer::Problem& p, const std::string& name) {
  for (const auto& v : p.variables) {
    if (v.name == name) return expr::text(v.shape);
  }
  return "no such variable";
}

expr::Diagnostic diagnostic(const std::string& claim) {
  try {
    problem(claim);
  } catch (const expr::Error& e) {
    return e.diagnostic();
  }
  return {"accepted", "", "", {}};
}

/// A claim with a mistake, the code of its diagnostic, and the text that the diagnostic points at.
struct Mistake {
  const char* claim;
  const char* code;
  const char* place;
};

constexpr Mistake mistakes[] = {
    {"F.one_hot(torch.tensor([0, -1]), 3) == eye(3)[[0, 2]]", "call.arguments", "-1"},
    {"x: [d]; A: [n, d]; torch.mm(A, x) == A @ x", "shape.operand", "x"},
    {"A: [n, d]; B: [d, k]; torch.mv(A, B) == A @ B", "shape.operand", "B"},
    {"A: [n, d]; B: [d, k]; torch.dot(A, B) == A @ B", "shape.operand", "A"},
    {"A: [n, d]; B: [d, k]; torch.relu(A).dot(B) == torch.relu(A) @ B", "shape.operand", "relu(A)"},
    {"A: [b, n, d]; B: [d, k]; A.mm(B) == A @ B", "shape.operand", "A"},
    {"c: [n]; A: [n, d]; x: [d]; torch.addmm(c, A, x) == c + A @ x", "shape.operand", "x"},
    {"np.arange(1, n + 1) ** -1 == 1 / np.arange(1, n + 1)", "call.exponent", "arange(1, n + 1) ** -1"},
    {"i = np.arange(1, 5); i ** -2 == 1 / i**2", "call.exponent", "i ** -2"},
    {"2 ** -np.arange(3) == 1 / 2 ** np.arange(3)", "call.exponent", "2 ** -np.arange(3)"},
    {"np.array([1, 2]) ** -1 == np.array([1, 1/2])", "call.exponent", "array([1, 2]) ** -1"},
    {"np.full(3, 2) ** -1 == np.full(3, 1/2)", "call.exponent", "full(3, 2) ** -1"},
    {"x: [n, d]; m = torch.relu(x) > 0; 1 - m == (~m) * 1", "call.mask", "m"},
    {"x: [n, n]; m = torch.tril(torch.ones(n, n)).bool(); (1 - m) * x == torch.triu(x, 1)", "call.mask", "m"},
    {"x: [n, d]; m = torch.ones(n, d, dtype=torch.bool); x - m == x - 1", "call.mask", "m"},
    {"x: [n, d]; m = torch.tril(torch.ones(n, n)).bool(); m @ x == torch.cumsum(x, dim=0)", "call.mask", "m"},
    {"x: [b, n, h, k]; x.transpose(1, 2).view(b, h*n, k) == x.transpose(1, 2).reshape(b, h*n, k)", "call.arguments", "x.transpose(1, 2).view(b, h*n, k)"},
    {"x: [b, n, h, k]; y = x.permute(0, 2, 1, 3); y.view(b, n, h*k) == y.reshape(b, n, h*k)", "call.arguments", "y.view(b, n, h*k)"},
    {"x: [n, d]; x.t().view(-1) == x.T.reshape(n*d)", "call.arguments", "x.t().view(-1)"},
    {"x: [n, h*k]; x.reshape(n, h, h*k/h) == x.reshape(n, h, k)", "shape.quotient", "h*k/h"},
    {"x: [n, 2*p]; x[:, :2*p/2] == x[:, :p]", "shape.quotient", "2*p/2"},
    {"x: [2*p, d]; sum(x[i] for i in range(2*p/2)) == sum(x[i] for i in range(p))", "shape.quotient", "2*p/2"},
    {"x: [n, d]; x.reshape(n, d, 1.0) == x.reshape(n, d, 1)", "shape.no_size", "1.0"},
    {"a: [n]; b: [n]; np.maximum(a, b) == max(a, b)", "call.arguments", "max(a, b)"},
    {"x: [5]; print(x[7]); x * 2 == x + x", "shape.subscript", "x[7]"},
    {"x: [5]; y: [6]; print('sum', (x + y).sum()); x * 2 == x + x", "shape.conflict", "x + y"},
    {"x: [n]; y: [m]; np.sign(x*y) == np.sign(x)", "shape.conflict", "x*y"},
    {"z: [n, d]; t: [n]; torch.gather(z, 0, t[:, None]) == z", "name.unknown", "gather(z, 0, t[:, None])"},
    {"A: [n, d]; softmax(q[:, :k] @ k.T) == A", "name.two_meanings", "k"},
    {"jax.vmap(lambda q: softmax(q @ K.T), out_axes=1)(Q) == softmax(Q @ K.T).T", "name.unknown", "vmap"},
    {"class Attn(nn.Module):\n    scale = torch.eye(2)\n    def forward(self, x):\n        return x\nx == x", "parse.unexpected", "scale"},
    {"class Attn(nn.Module):\n    def forward(x):\n        return x\nx == x", "parse.unexpected", "forward"},
    {"class Attn(nn.Module):\n    def forward(self, *args):\n        return args\nx == x", "parse.unexpected", "*"},
    {"class Attn(nn.Module):\n    def __init__(self, d):\n        for i in range(m):\n            self.q = nn.Linear(d, d)\n    def forward(self, x):\n        return x\na = Attn(d)\na(x) == x", "parse.unexpected", "for"},
    {"x: [n, d]\nf = lambda x: 2 * x\nx * f == 2 * x", "parse.unexpected", "f"},
    {"class A(nn.Module):\n    def forward(self, x):\n        self.n = x\n        return x\na = A()\nx: [n, d]\na(x) == a.n", "parse.unexpected", "self"},
    {"class A(nn.Module):\n    def forward(self, x):\n        return x\na = A()\nx: [n, d]\nx + a == x", "parse.unexpected", "a"},
    {"class A(nn.Module):\n    def forward(self, x):\n        return x\na = A()\na.W = 3\nx: [n, d]\na(x) == x", "parse.unexpected", "a"},
    {"layers = nn.ModuleList([nn.Linear(d, d) for _ in range(m)])\nx: [n, d]\nlayers[0](x) == x", "parse.loop", "for"},
    {"class A(B):\n    def forward(self, x):\n        return x\na = A()\nx: [n, d]\na(x) == x", "name.unknown", "B"},
    {"class A:\n    def forward(self, x):\n        return x\na = A()\nx: [n, d]\na(x) == x", "name.unknown", "a"},
    {"class A(nn.Module):\n    def __init__(self, h):\n        if h == 2:\n            raise ValueError(h)\n    def forward(self, x):\n        return x\na = A(2)\nx: [n, d]\na(x) == x", "parse.unexpected", "raise"},
    {"class A(nn.Module):\n    def __setattr__(self, name, value):\n        pass\nx: [n, d]\nx == x", "parse.unexpected", "__setattr__"},
    {"class A(nn.Module):\n    def __init__(self, s):\n        self.f = lambda x: s * x\n        s = 2 * s\n    def forward(self, x):\n        return self.f(x)\na = A(2)\nx: [n, d]\na(x) == 2 * x", "parse.duplicate", "s"},
    {"class A(nn.Module):\n    @cache\n    def f(self):\n        return 2\na = A()\nx: [n, d]\na.f() * x == x", "parse.unexpected", "@"},
    {"class A(nn.Module):\n    @property\n    def T(self):\n        return 2\na = A()\nx: [n, d]\na.T * x == x", "parse.unexpected", "T"},
    {"x: [n, d]\nlin = nn.Linear(d, d)\nlin.weight.data.clamp_(0)\nlin(x) == x", "parse.unexpected", "clamp_"},
    {"x: [n, d]\nconv = nn.Conv2d(d, d, 1)\nconv(x) == x", "name.unknown", "Conv2d"},
    {"x: [n, d]\nx.sum().backward()\nx == x + 0", "parse.unexpected", ".backward"},
    {"x: [n, d]\nlin = nn.Linear(d, d)\nnn.init.orthogonal_(lin.weight)\nlin(x) == x", "parse.unexpected", "nn"},
    {"x: [n, d]\nfor i in range(n):\n    lin = nn.Linear(d, d)\n    x = lin(x)\nx == x", "parse.unexpected", "Linear"},
    {"x: [n, d]\ndef f(x, y):\n    return x\nf(x, x @ x) == 2 * x", "parse.unexpected", "x @ x"},
    {"x: [n, d]\ndef f(x, *, s):\n    return s * x\nf(x, 2) == 2 * x", "call.arguments", "2"},
    {"x: [n, d]\nln = nn.LayerNorm(d, affine=False)\nln(x) == x", "call.arguments", "False"},
    {"x: [n, d]\ndef g(x): return 2 * x\ndef f(g, x): return g(x)\nf(x, x) == x", "parse.duplicate", "g(x)"},
    {"class A(nn.Module):\n    def forward(self, x):\n        return x\nf = lambda x: A()(x)\nx: [n, d]\nf(x) == x", "parse.unexpected", "A"},
    {"class A(nn.Module):\n    scale = 2\n    def forward(self, x):\n        return scale * x\na = A()\nx: [n, d]\na(x) == x", "name.unknown", "scale"},
    {"class Attn(nn.Module):\n    def __init__(self, d):\n        self.d = d\n    def forward(self, x):\n        return x\na = Attn()\na(x) == x", "call.arguments", "a"},
    {"q = nn.Linear(d)\nx: [n, d]; q(x) == x", "call.arguments", "Linear"},
    {"q = nn.Linear(d, k, bias=maybe)\nx: [n, d]; q(x) == x", "call.arguments", "maybe"},
    {"q = nn.Linear(d, k)\nx: [n, d]; q(x) == q.wieght", "name.unknown", "wieght"},
    {"functools.reduce(np.add, [A, B]) == A + B", "parse.unexpected", "functools.reduce"},
    {"reduce(np.add, [A, B]) == A + B", "parse.unexpected", "np.add"},
    {"S: [n, n]; S.relu_() == relu(S)", "parse.unexpected", ".relu_"},
    {"X: [n, d]; V: [n, e]\nY = X * 1\nY[:, 0::2] = V\nY[:, 0] == V[:, 0]", "call.arguments", "V"},
    {"B: [d]; T: [h, n, d]; ys = [B]; s = 0\nfor ys in T: s += ys[0]\ns == h * B", "parse.loop", "ys"},
    {"A: [n, d]; k = n; s = 0\nfor i in range(k):\n    k = k + 1\n    s = s + 1\ns == n", "parse.loop", "range"},
    {"A: [3, d]; s = 0\nfor i in range(3):\n    for i in range(2): s = s + A[i]\ns == A", "parse.loop", "i"},
    {"X: [n, d]; rank(X) // 2 <= n", "shape.rank", "rank(X) // 2"},
    {"X: [n, d]; r = rank(X); k = r % 2; k <= 1", "shape.rank", "r % 2"},
    {"A: [n, d]; A.sum(dtype=int) == A.sum()", "call.arguments", "int"},
    {"A: [n, d]; A.sum(dtype=bool) == A.sum()", "call.arguments", "bool"},
    {"A: [n, d]; np.full((n, d), -1, dtype=np.uint8) == A", "call.arguments", "uint8"},
    {"A: [n, d]; A * np.full_like(np.arange(d), 1/2) == A / 2", "call.arguments", "full_like(np.arange(d), 1/2)"},
    {"A: [n, d]; a = np.arange(d); a += A[0]; a == A[0]", "call.arguments", "a += A[0]"},
    {"def f(x, y):\n    z = x * 1\n    z += y\n    return z\nx: [1, d]; y: [n, d]; f(x, y) == x + y", "shape.conflict", "z"},
    {"for i in range(2): for j in range(2):\n    s = j\nA == A", "parse.indentation", "for"},
    {"for i in range(2):\n    s = 1\n   t = 2\nA == A", "parse.indentation", "t"},
    {"for i in range(2):\nA == A", "parse.loop", "for"},
    {"def f(x):\nA == A", "parse.unexpected", "def"},
    {"def f(x):\n    if x is None:\n    y = 1\n    return x\nA: [n, d]; f(A) == A", "parse.unexpected", "if"},
    {"def f(x):\n    return x\n    y = 2 * x\nA: [n, d]; f(A) == A", "parse.unexpected", "y"},
    {"def f(x):\n    y = 2 * x\nA: [n, d]; f(A) == A", "parse.unexpected", "f"},
    {"A: [h, d]; s = 0\nfor i in range(h):\n    for i in range(h): s += A[i]\ns == A", "parse.loop", "i"},
    {"A, B: [n, d]; s = 0 * A\nfor i in range(h):\n    X = A\n    for j in range(n): X = B\n    s += X\ns == A", "parse.loop", "X"},
    {"A: [n, d]; ys = []\nfor i in range(h):\n    for j in range(n): ys.append(A[j])\nsum(ys) == A[0]", "parse.loop", "ys"},
    {"A: [n, d]; ys = [x * a for a in A]; s = 0\nfor x in A: s += ys[0] * x\ns == A[0]", "parse.loop", "x"},
    {"A: [n, d]; T: [h, n, d]; s = 0 * A\nfor i in range(h):\n    s += x\n    for x in T: s += x\ns == A", "parse.loop", "x"},
    {"A: [n, d]; C = np.empty((n, d)); C += A\nC == A", "parse.loop", "C"},
    {"A: [3, d]; s = 0\nfor a in zip(A): s = s + a\ns == A.sum(axis=0)", "parse.loop", "zip"},
    {"A: [n, d]; sum(a for a in zip(A)) == A.sum(axis=0)", "parse.unexpected", "A"},
    {"x: [n, 1]; z: []; let n = z + 1000000; 0 <= n*x*x", "name.two_meanings", "let n = z + 1000000"},
    {"x: [n, d]; x[(0, 1)] == x[0, 1]", "parse.unexpected", "(0, 1)"},
    {"f = lambda x: x @ A\ndef g(A):\n    t = f(A)\n    return t\nA, B: [n, n]; g(B) == B @ B", "parse.duplicate", "f(A)"},
    {"f = lambda x: x @ A\ndef g(B):\n    A = 2 * B\n    t = f(A)\n    return t\nA, B: [n, n]; g(B) == 2 * B @ A", "parse.duplicate", "f(A)"},
    {"X: [n, d]; A: [h, d, d]\ns = 0\nout = 0\nfor i in range(h):\n    s = s @ A[i] + s\n    out += X @ s\nout == X", "parse.loop", "s"},
    {"A: [n, d]\ndef f(x):\n    return x, 2 * x\nf(A) + 1 == A", "call.list", "f(A)"},
    {"x: [n]; r = 0; s = 0\nfor t in range(n):\n    r = r + x[t] * s\n    s = s + r\ns == r", "parse.loop", "s"},
    {"x: [n]; s = 0; out = []\nfor t in range(n):\n    s += x[t]\n    out.append(s)\nnp.stack(out) == np.cumsum(x)", "parse.loop", "s"},
    {"x: [n, d]; s = 0; out = []\nfor t in range(n):\n    out.append(s)\n    s = s + x[t]\nnp.stack(out) == x", "shape.conflict", "s"},
    {"x: [n]; g: []; s = 0\nfor t in range(n):\n    s = g * s + x[t]\ns == sum(x)", "call.exponent", "g"},
    {"x: [n, d]; W: [h, d, d]\ny = x\nfor i in range(h):\n    y = y @ W[i]\ny == x", "parse.loop", "y"},
    {"x: [n, d]; W: [h, d, d]\nys = []\nfor i in range(h):\n    t = x @ W[i]\n    ys.append(t)\nt == x @ W[h-1]", "parse.loop", "t"},
    {"x: [n, d]; W: [h, d, d]\nys = []\nfor i in range(h):\n    ys.append(x @ W[i])\nx += 2\nsum(ys) == x", "parse.duplicate", "x"},
    {"A: [n, d]; for i in range(h): A @ A\nA == A", "parse.loop", "A"},
    {"for i in range(0): x = 1\nA == A", "parse.loop", "for"},
    {"x: [n]; A: [n]\nfor i in x + 1: y = i\ny == A", "parse.loop", "y"},
    {"x: [n, d]; y = np.zeros((n, d)); y[[0, 1]] = x[:2]; y == x", "call.arguments", "y[[0, 1]] = x[:2]"},
    {"def f(x):\n    x[0] = 1\n    return x\nA: [n, d]; f(A) == A", "parse.unexpected", "x"},
    {"if a: b = 1\nA == A", "parse.unexpected", "if"},
    {"for i in x\nA == A", "parse.loop", "\n"},
    {"for i, in x: y = i\nA == A", "parse.loop", "for"},
    {"for a, b in [x, y]: s = a\nA == A", "parse.loop", "for"},
    {"for i, i in enumerate(x): y = i\nA == A", "parse.loop", "i"},
    {"s = 0\nfor a, b in zip([x, y], [z]): s = s + a\ns == x", "parse.loop", "zip"},
    {"x: [n, d]; y = x * 1\nfor i in range(n): y[i] = x[i] + y[i-1]\ny == x + x", "parse.loop", "y"},
    {"x: [n, d]; y = np.zeros((n, d))\nfor i in range(n): y[0] = x[i]\ny == x", "parse.loop", "y"},
    {"x: [n, d]; y = np.empty((n, d)); y + x == x", "parse.loop", "y"},
    {"x: [1, d]; z: [n, d]; y = x * 1; y += z; y == z", "shape.conflict", "y += z"},
    {"def f(x, c):\n    if c: return x\n    return 2 * x\nA: [n, d]; f(A, A) == A", "parse.unexpected", "c"},
    {"def f(x, c):\n    if c: y = x\n    return y\nA: [n, d]; f(A, 0) == A", "parse.unexpected", "if"},
    {"def f(x, k): return x.unsqueeze(k)\nA, B: [n, d]; f(A, B) == A", "call.axis", "B"},
    {"x: [n, d]; x.reshape(*x) == x", "shape.no_size", "*x"},
    {"hs = []; sum(hs) == A", "parse.loop", "sum"},
    {"hs = [A @ W[i] for i in range(h)]; hs.append(B); sum(hs) == A", "parse.loop", "hs"},
    {"def f(out):\n    out += 1\n    return out\nA: [n, d]; f(A) == A + 1", "parse.unexpected", "out"},
    {"A: [h, n, k]; np.vstack(A) == A", "shape.conflict", "vstack(A) == A"},
    {"x: [d]; np.concatenate(x) == x", "shape.operand", "concatenate(x)"},
    {"def f(x): return f(x) + 1\nf(A) == A", "parse.unexpected", "f(x)"},
    {"softmax = lambda x: 2 * x; softmax = lambda x: 3 * x; softmax(A) == A", "parse.duplicate", "softmax"},
    {"f = lambda x, y=2: x * y; f(A, z=2) == A", "call.arguments", "f(A, z=2)"},
    {"def f(x): return x + 1 \"\"\"\nf(A) == A", "parse.unknown_character", "\""},
    {"def f(x):\n  a, b = x\n  return a, b\nX: [2, n]; f(X) == X", "call.list", "f(X)"},
    {"i = arange(n)[:, None]; j = arange(n)[None, :]; (i >= j).reshape(1, n, n) + (j >= i).reshape(1, n, n) == ones(1, n, n)", "call.mask", "(i >= j).reshape(1, n, n) + (j >= i).reshape(1, n, n)"},
    {"W: [h, d, k]; Q_i = Q @ W[i]; sum(Q_i for i in range(h)) == Q @ sum(W[i] for i in range(h))", "name.two_meanings", "Q_i for i in range(h)"},
    {"X: [n, d_model]; W_Q: [d_model, d_k]; Q: [n, d_model]; Q = X @ W_Q; Q == X @ W_Q", "shape.conflict", "X @ W_Q"},
    {"X: [n, d]; Y: [n, d, d]; Y = X + 1; Y == X + 1", "shape.conflict", "Y = X + 1"},
    {"sum(G * (X @ W[i] > 0) for i in range(h)) == G", "call.mask", "X @ W[i] > 0"},
    {"x: [n]; y: [n]; (x / y > 0) * x == x", "call.mask", "x / y"},
    {"L = log(y); x * (L > 0) == x", "call.mask", "L"},
    {"x: [n]; np.where((x > 0) & (x < 1), np.log(x), 0) == 0", "call.mask", "(x > 0) & (x < 1)"},
    {"x: [n]; M = x > 0; np.where(M, 1 / x, 0) == 0", "call.mask", "M"},
    {"S, x: [n, n]; np.where(x > 0, 1 / np.exp(S + causal(n)), 0) == x", "call.mask", "x > 0"},
    {"S, x: [n, n]; assume S == causal(n); np.where(x > 0, 1 / np.exp(S), 0) == x", "call.mask", "x > 0"},
    {"x: [n]; np.where(x > 0, np.log(1 - np.exp(x)), 0) == x", "call.mask", "x > 0"},
    {"x: [n]; e: []; assume e >= 0; np.where(x > 0, 1 / (e + np.abs(x)), 0) == x", "call.mask", "x > 0"},
    {"X, Y: [n, n]; where(where(Y > 0, 0, 0), log(X), 0) + abs(X) == X", "call.mask", "where(Y > 0, 0, 0)"},
    {"x: [n]; (x > 0) + (x < 1) == 1", "call.mask", "(x > 0) + (x < 1)"},
    {"(x > 0) * (y > 0) + (x > 0) * (y > 0) == z", "call.mask", "(x > 0) * (y > 0) + (x > 0) * (y > 0)"},
    {"np.tril(x > 0) + np.tril(y > 0) == z", "call.mask", "tril(x > 0) + np.tril(y > 0)"},
    {"np.where(x > 0, y > 0, z > 0) - (x > 0) == z", "call.mask", "where(x > 0, y > 0, z > 0) - (x > 0)"},
    {"x: [n, d]; y: [d, k]; np.einsum('nd,dk->nk', x > 0, y > 0) == z", "call.mask", "einsum('nd,dk->nk', x > 0, y > 0)"},
    {"A: [b, n, d]; B: [n, d]; np.tensordot(A, B, axes=1) == A @ B", "shape.conflict", "tensordot(A, B, axes=1)"},
    {"A: [b, n, d]; c: []; np.tensordot(A, c, axes=1) == c * A", "shape.operand", "tensordot(A, c, axes=1)"},
    {"X: [n, d]; np.linalg.norm(X, 2) == sqrt(sum(X * X))", "call.arguments", "norm(X, 2)"},
    {"x: [n, d]; np.pad(x, ((1, 0),)) == x", "call.arguments", "pad(x, ((1, 0),))"},
    {"x: [n, d]; np.pad(x, ((-1, 0), (0, 0))) == x", "call.arguments", "pad(x, ((-1, 0), (0, 0)))"},
    {"x: [n, d]; F.pad(x, (0, 0, 0, 0, 1, 0)) == x", "call.axis", "pad(x, (0, 0, 0, 0, 1, 0))"},
    {"ids: [b, n]; E: [d, v]; E[:, ids] == E", "shape.operand", "E[:, ids]"},
    {"f = lambda x: x + 1; f(A, B) == A", "call.arguments", "f(A, B)"},
    {"f = lambda x, y: x @ y; f(A) == A", "call.arguments", "f(A)"},
    {"i: []; W: [h, d]; f = lambda x: x * i; sum(f(W[i]) for i in range(h)) == W", "parse.duplicate", "f(W[i])"},
    {"f = lambda x: x @ A; g = lambda A: f(A); g(B) == B @ B", "parse.duplicate", "f(A)"},
    {"f = lambda x, x: x; f(A, B) == B", "parse.duplicate", "f"},
    {"X: [n, n]; axis = 0; np.max(X, axis) >= 0", "call.arguments", "axis"},
    {"dim = 1; torch.max(X, dim) >= dim", "call.arguments", "dim"},
    {"X: [n, d]; np.min(X, d - 1) == X", "call.arguments", "d - 1"},
    {"max(X, 0, axis=1) == relu(X)", "call.keyword", "1"},
    {"X, Y: [n, n]; np.where(X > 0, X * (1 / Y), 0) == relu(X) / Y", "call.mask", "X > 0"},
    {"X, Y: [n, n]; (X @ Y[i] for i in range(n)) == X", "parse.unexpected", "for"},
    {"s: [n, d]; M: [n, d]; assume mask01(M); assume np.min(s, where=M) > 0; 0 < s", "call.keyword", "M"},
    {"x: [n, 6]; torch.stack(x.chunk(2, dim=1, foo=3)) == x", "call.keyword", "3"},
    {"x: [n, 6]; x.chunk(2, 0, dim=1)[0] == x[:, :3]", "call.arguments", "1"},
    {"x: [n, 6]; split(x, 2, axis=1)[0] == x[:, :3]", "call.arguments", "split(x, 2, axis=1)"},
    {"X: [n, d]; assume m == d; ones(n, d - m) @ ones(d - m, d) == X", "shape.size", "ones(n, d - m)"},
    {"X: [n, d - m]; assume m == d; X == 2 * X", "shape.size", "X: [n, d - m]"},
    {"S: [n, m]; W: [d, k]; sum(S for i in range(rank(W))) == rank(W) * S", "call.comprehension", "rank(W)"},
    {"X: [n, a]; Y: [m, b]; X + Y == X", "shape.conflict", "X + Y"},
    {"X: [n, a]; Y: [m, b]; X @ Y == X", "shape.conflict", "X @ Y"},
    {"X: [n, a]; X == X.T", "shape.conflict", "X == X.T"},
    {"s: []; X: [n, a]; s @ X == X", "shape.operand", "s @ X"},
    {"X: [n, a]; sum(X, axis=2) == 0", "shape.operand", "sum(X, axis=2)"},
    {"X: [n, a]; X ** (1/0) == X", "shape.operand", "1/0"},
    {"X: [n, a]; W: [h, n, a]; concat(W[i][:, :i] for i in range(h)) == X", "shape.ragged", "W[i][:, :i] for i in range(h)"},
    {"X: [n, a]; reshape(X, n / 2, 2 * a) == X", "shape.quotient", "n / 2"},
    {"X: [n, a]; ones(n, 1/2) == X", "shape.quotient", "1/2"},
    {"X: [n, a]; ones(n, sqrt(a)) == X", "shape.no_size", "sqrt(a)"},
    {"A: [n, m]; trace(eye(rank__1)) == rank(A)", "name.reserved", "rank__1"},
    {"assume p == n - k - 1; assume k == n - 1; k + 1 == n", "assume.vacuous", "k == n - 1"},
    {"t: [n]; sum(sum(onehot(t, i+1)) for i in range(n)) == n*n", "call.comprehension", "onehot(t, i+1)"},
    {"A: [n, k]; np.max(A, initial=5) == max(A)", "call.keyword", "5"},
    {"A, M: [n, k]; np.mean(A, where=M) == mean(A)", "call.keyword", "M"},
    {"A, B: [n, k]; torch.max(A, other=B) == maximum(A, B)", "call.keyword", "B"},
    {"A: [n, k]; scipy.special.logsumexp(A, keepdims=True) == lse(A)", "call.axis", "logsumexp(A, keepdims=True)"},
    {"A: [n, h*k]; A[:, 1::h] == A", "shape.operand", "A[:, 1::h]"},
    {"A: [n, h*k]; concat(A[:, i::h] for i in range(k)) == A", "shape.operand", "A[:, i::h]"},
    {"A: [n, k]; A.squeeze(1) == A[:, 0]", "shape.conflict", "A.squeeze(1)"},
    {"M: [n, n]; Q, K, V: [n, k]; assume mask01(M); F.scaled_dot_product_attention(Q, K, V, attn_mask=M) == V", "call.mask", "M"},
    {"A: [n, k]; ~A == A", "call.mask", "A"},
    {"Q: [h, d]; K: [g, d]; stack(q + k for q, k in zip(Q, K)) == Q", "shape.conflict", "Q"},
    {"Q, K: [h, d]; V: [g, d]; stack(q + k for q, k, v in zip(Q, K, V)) == Q", "shape.conflict", "Q"},
    {"X: [3, d]; q, k = X.unbind(0); q + k == 2 * k", "shape.conflict", "X.unbind(0)"},
    {"X: [3*n, d]; q, k = X.split(n); q + k == 2 * k", "shape.conflict", "X.split(n)"},
    {"A: [n, k]; np.sum(A, axis=1, initial=5) == rowsum(A)", "call.keyword", "5"},
    {"A: [h, n, k]; np.sum([A[i] for i in range(h)]) == sum(A[i] for i in range(h))", "call.axis", "sum([A[i] for i in range(h)])"},
    {"A: [n, k]; t: [m]; np.take(A, t) == A[t]", "call.axis", "take(A, t)"},
    {"A: [n, k]; np.clip(A, None, None) == relu(A)", "name.constant", "None"},
    {"A: [n, 3*k]; A.chunk(2, dim=1)[0] == A", "shape.place", "A.chunk(2, dim=1)"},
    {"A: [n, 3*k]; A.chunk(3, dim=1)[3] == A", "shape.subscript", "A.chunk(3, dim=1)[3]"},
    {"A: [n, 3*k]; A.chunk(3, dim=1) == A", "call.arguments", "A.chunk(3, dim=1)"},
    {"A: [n, a + b]; A.split([a, a], dim=1)[0] == A[:, :a]", "shape.conflict", "[a, a]"},
    {"A: [n, d]; rearrange(A, 'n (h k) -> h n k', h=2)[0] == A", "call.arguments", "'n (h k) -> h n k'"},
    {"A: [n, d]; rearrange(A, 'n d -> d n m') == A", "call.arguments", "'n d -> d n m'"},
    {"A: [n, d]; rearrange(A, 'b n d -> n d') == A", "call.arguments", "'b n d -> n d'"},
    {"A: [n, d]; A.transpose(0, 1) == A", "call.axis", "A.transpose(0, 1)"},
    {"S: [h, k]; S * (arange(h*k).reshape(h, k) >= 2) == S", "call.mask", "arange(h*k).reshape(h, k) >= 2"},
    {"X: [n, d]; X.unflatten(-1, (h, -1)) == X", "shape.conflict", "X.unflatten(-1, (h, -1))"},
    {"X: [n, d]; X.unflatten(-1) == X", "call.arguments", "X.unflatten(-1)"},
    {"X: [n, d]; a, b = X; a == b", "shape.conflict", "X"},
    {"S: [n, d]; S.bool() == S", "call.mask", "S"},
    {"M, N: [n, d]; assume mask01(M); M & N == M", "call.mask", "N"},
    {"X: [n, m]; X * (X // 2 == 0) == X", "name.two_meanings", "X"},
    {"i = arange(n)[:, None]; X: [n, n]; X * (i // i.T == 0) == X", "call.mask", "i // i.T"},
    {"i = arange(n)[:, None]; X: [n, n]; X * ((i >= i.T) + (i == i.T)) == X", "call.mask", "(i >= i.T) + (i == i.T)"},
    {"i = arange(n)[:, None]; X: [n, n]; M = i >= i.T; X * (M @ M) == X", "call.mask", "M @ M"},
    {"X: [n, n]; X * ~1 == X", "call.mask", "1"},
    {"X: [n, n]; bool() == X", "name.unknown", "bool()"},
    {"x, y: [n]; np.where(x > 0, x*np.sqrt(y), 0) == x", "call.mask", "x > 0"},
    {"x: []; np.where(x >= 0, x * (1 / x), 0) == 1", "call.mask", "x >= 0"},
    {"x: []; np.where(x > 0, x * log(x - 1), 0) == 1", "call.mask", "x > 0"},
    {"g: [1, n]; x: [n, n]; x @ np.diag(g) == x * g", "call.arguments", "diag(g)"},
    {"X: [n, d]; np.cumsum(X) == X", "call.axis", "cumsum(X)"},
    {"X: [n, rank__1]; X + X == 2 * X", "name.reserved", "X: [n, rank__1]"},
    {"X: [h, n, m]; rank(X[k]) + sum(rank(X[k]) for k in range(h)) == rank(X[k])", "shape.ragged", "X[k]"},
    {"lse(X, axis=None) == lse(X, axis=1)", "call.axis", "None"},
    {"S: [n, m]; M: [n, m]; where(M, S, 0) == S", "call.mask", "M"},
    {"S: [n, m]; M: [n, m]; T: [n, m]; assume mask01(M); where(M, S + neginf(M), T) == S", "call.mask", "where(M, S + neginf(M), T)"},
    {"X: [n, d]; X.shape[2] + X == X", "call.axis", "X.shape[2]"},
    {"X: [n, d]; X.shape + X == X", "shape.no_size", "X.shape"},
    {"X: [n, d]; [[1, 2], [3]] == X", "shape.ragged", "[3]"},
    {"X: [n, d]; [1, [2]] == X", "call.list", "[2]"},
    {"a: []; b: []; vstack(a, b) == ones(2, 1)", "shape.operand", "vstack(a, b)"},
    {"A: [n, n]; np.array([[A, A]]) == concat(A, A)", "call.list", "A"},
    {"A: [h, n, n]; np.block([[A], [A]]) == A", "call.list", "A"},
    {"M: [4]; X: [n, d]; assume mask01(M); sum(where(M == X[0, 0], X, 0) for M in range(n)) == X", "call.mask", "M == X[0, 0]"},
    {"X: [2, d]; Y: [2, d]; np.stack([X, Y], axis=3)[0] == X", "call.axis", "3"},
    {"A: [n, m, k]; np.hstack([A, A]) == concat([A, A], axis=2)", "call.axis", "hstack([A, A])"},
    {"X: [h, n, m]; Y: [h, m, k]; np.dot(X, Y) == X @ Y", "call.arguments", "dot(X, Y)"},
    {"x: [n]; y: [n]; np.vstack([x, y]) == concat([x, y], axis=0)", "shape.conflict", "vstack([x, y]) == concat([x, y], axis=0)"},
    {"X: [4, a]; X[4:] == X", "shape.subscript", "X[4:]"},
    {"X: [4, a]; X[2:2] == X", "shape.subscript", "X[2:2]"},
    {"X: [n, d]; X[:, ::2] == X", "shape.conflict", "X[:, ::2] == X"},
    {"X: [n, d]; X[:, ::2] * X[:, 1::2] == X[:, 1::2]", "shape.conflict", "X[:, ::2] * X[:, 1::2]"},  // NumPy refuses it where d is odd
    {"x: [n]; np.stack([x[i::2] for i in range(2)])[0] == x[::2]", "shape.operand", "x[i::2]"},
    {"x: [n]; y: [m]; x[m - n::-1] == x", "shape.place", "m - n"},
    {"X: [n, a]; let Y = Z; let Z = X; X == Y", "name.unknown", "Z"},
    {"X: [n, a]; sofmax(X) == X", "name.unknown", "sofmax(X)"},
    {"X: [n, a]; positive(X) == X", "name.unknown", "positive(X)"},
    {"R: [k, k]; assume R.T @ R == eye; R @ R.T == eye(k)", "name.function", "eye"},
    {"X: [n, a]; X[..., None, ...] == X", "shape.operand", "X[..., None, ...]"},
    {"X: [n, a]; swapaxes(X, 0, 2) == X", "call.axis", "2"},
    {"X: [n, a]; swapaxes(X, 0) == X", "call.arguments", "swapaxes(X, 0)"},
    {"n: [k, a]; X: [n, a]; X == X + 0", "name.two_meanings", "n: [k, a]"},
    {"X: [n, a]; let Z = X; eye(Z) == X", "name.two_meanings", "Z"},
    {"H: [h]; sum(H[i] for i in range(h)) == H[i]", "name.index", "i"},
    {"X: [n, a]; softmax() == X", "call.arguments", "softmax()"},
    {"X: [n, a]; matrix_power(X, 1/2) == X", "call.arguments", "matrix_power(X, 1/2)"},
    {"X: [n, a]; concat([X, X]) == X", "call.axis", "concat([X, X])"},
    {"X: [n, a]; sum(X, axis=1/2) == X", "call.axis", "1/2"},
    {"X: [n, a]; exp(X[i] for i in range(n)) == X", "call.comprehension", "X[i] for i in range(n)"},
    {"X: [n, a]; X ** X == X", "call.exponent", "X"},
    {"X: [n, a]; softmax(X, temperature=2) == X", "call.keyword", "2"},
    {"X: [n, a]; mean(X, axis=1, keepdims=X) == X", "call.keyword", "X"},
    {"X: [n, a]; softmax(X, axis=1, keepdims=False) == X", "call.keyword", "softmax(X, axis=1, keepdims=False)"},
    {"X: [n, a]; mean(X, axis=1, keepdims=False) == X", "shape.conflict", "mean(X, axis=1, keepdims=False) == X"},
    {"exp(S) / np.sum(exp(S), axis=1) == softmax(S)", "shape.dropped_axis", "exp(S) / np.sum(exp(S), axis=1)"},
    {"X: [n, a]; X / np.sqrt(np.sum(X**2, axis=-1)) == l2norm(X)", "shape.dropped_axis", "X / np.sqrt(np.sum(X**2, axis=-1))"},
    {"X: [n, a]; X - max(X.max(1), 0) == X", "shape.dropped_axis", "X - max(X.max(1), 0)"},
    {"X: [h, n, a]; X / X.sum(-1) == X", "shape.dropped_axis", "X / X.sum(-1)"},
    {"X: [h, n, a]; X - X.mean(axis=1) == X", "shape.dropped_axis", "X - X.mean(axis=1)"},
    {"softmax(S - inf) == S", "name.constant", "inf"},
    {"x <= inf", "name.constant", "inf"},
    {"sin(theta + pi) == -sin(theta)", "name.constant", "pi"},
    {"X: [n, a]; X[:, :pi] == X", "name.constant", "pi"},
    {"X: [n, a]; rmsnorm(X, eps=nan) == X", "name.constant", "nan"},
    {"X: [n, a]; X[pi] == X", "name.constant", "pi"},
    {"x: [n, n]; 1**log(x) * abs(x) == x", "call.exponent", "1**log(x)"},
    {"x, y: [n, n]; L = log(y); where(x > 1, (x - 1) * L, 0) + abs(y) == y", "call.mask", "x > 1"},
    {"x: [n, n]; where(log(x) > 0, log(x), 0) + abs(x) == x", "call.mask", "log(x) > 0"},
    {"x, y, M: [n, n]; assume mask01(M); where(x > 1, (x - 1) * softmax(y + neginf(M)), 0) == x", "call.mask", "x > 1"},
    {"X: [n, a]; assume n >= 2; take(X, arange(2, n)) == X", "shape.conflict", "take(X, arange(2, n)) == X"},
    {"X: [n, a]; take(X, arange(-1)) == X", "call.arguments", "arange(-1)"},
    {"X: [n, a]; take(X, arange()) == X", "call.arguments", "arange()"},
    {"X: [n, a]; take(X, arange(2), axis=-1) == X", "call.axis", "take(X, arange(2), axis=-1)"},
    {"X: [n, a]; exp([X]) == X", "call.list", "[X]"},
    {"X: [n, a]; assume pretty(X); X + 0 == X", "assume.unknown", "pretty(X)"},
    {"X: [n, a]; assume positive(X, X); X + 0 == X", "assume.arguments", "positive(X, X)"},
    {"s: []; X: [n, a]; assume orthogonal(s); X + 0 == X", "assume.shape", "orthogonal(s)"},
    {"X: [n, a]; assume orthogonal(X); X + 0 == X", "shape.conflict", "orthogonal(X)"},
    {"A: [n, p]; B: [m, q]; inv(kron(A, B)) == B", "shape.conflict", "inv(kron(A, B))"},
    {"A: [n, p]; kron(A, B) @ A == A", "shape.conflict", "kron(A, B) @ A"},
    {"X: [n, a]; c: [n]; X == c", "shape.conflict", "X == c"},
    {"X: [n, h*k]; rope(X, theta) == X", "shape.conflict", "rope(X, theta)"},
    {"X: [n, a]; halfperm(a + 1) == X", "shape.operand", "halfperm(a + 1)"},
    {"X: [n, a]; t: [m]; X[t, [0, 1]] == X", "shape.operand", "X[t, [0, 1]]"},
    {"pi: [n]; X: [n, a]; assume permutation(2 * pi); X[pi] == X", "assume.shape", "permutation(2 * pi)"},
    {"X: [n, a]; assume n == n + 1; X + 0 == X", "assume.vacuous", "n == n + 1"},
    {"X: [n, a]; assume n - 3 == -3; X + 0 == X", "assume.vacuous", "n - 3 == -3"},
};

/// Every code that the sources of this layer can give.
constexpr const char* codes[] = {"shape.conflict", "shape.operand", "shape.ragged", "shape.size", "shape.quotient", "shape.no_size", "shape.rank", "shape.subscript", "shape.place", "shape.dropped_axis", "name.unknown", "name.two_meanings", "name.index", "call.arguments", "call.axis",
                                 "call.comprehension", "call.exponent", "call.keyword", "call.list", "name.reserved", "assume.unknown", "assume.arguments", "assume.shape", "assume.vacuous"};

}  // namespace

BOOST_AUTO_TEST_CASE(a_claim_without_declarations_gets_the_most_general_shapes) {
  const auto p = problem("(X @ A) @ B == X @ (A @ B)");
  BOOST_TEST(p.dimensions.size() == 4u);
  BOOST_TEST(shape(p, "X") == "[n, d]");
  BOOST_TEST(shape(p, "A") == "[d, k]");
  BOOST_TEST(shape(p, "B") == "[k, m]");
}

BOOST_AUTO_TEST_CASE(a_name_in_entrywise_places_only_is_read_so_that_the_most_sizes_stay_free) {
  const auto p = problem("X @ (W + s * (A @ B)) == X @ W + s * ((X @ A) @ B)");
  BOOST_TEST(shape(p, "s") == "[1, k]");  // a row holds the scalar too
  BOOST_TEST(p.dimensions.size() == 4u);
}

BOOST_AUTO_TEST_CASE(sizes_that_grow_end_at_a_limit) {
  std::string sums = "x: [n", powers = "x: [n, n]\n", equations;
  for (int i = 0; i < 20; ++i) sums += ", n" + std::to_string(i) + " + 1";
  for (int i = 0; i < 40; ++i) {
    const std::string k = std::to_string(i), next = std::to_string(i + 1);
    powers += "x = np.kron(x, x)\n";
    equations += "assume n" + k + " == n" + next + "*m" + next + " + n" + next + "\n";
  }
  for (const std::string& claim : {sums + "]\nx.reshape(-1).sum() == 1", powers + "x == x", equations + "x: [n0]\nx == x"}) BOOST_CHECK_THROW(problem(claim), expr::LimitReached);
}

BOOST_AUTO_TEST_CASE(an_index_is_none_in_its_own_range) {
  BOOST_TEST(shape(problem("b == sum(A[h] for h in range(h))"), "A") == "[h, n, d]");
  BOOST_TEST(shape(problem("b == sum(A[h] for h in range(2*h))"), "A") == "[2*h, n, d]");
}

BOOST_AUTO_TEST_CASE(one_symbol_with_two_shapes_is_shown_in_both_uses) {
  const auto d = diagnostic("X: [n, d_model]; Q: [n, d_k]; W: [d_model, d_k]; Q @ W == X @ W");
  BOOST_TEST(d.code == "shape.conflict");
  BOOST_TEST(d.message.find("`Q` is [n, d_k] here") != std::string::npos, d.message);
  BOOST_TEST(d.message.find("must be [n, d_model] there") != std::string::npos, d.message);
  BOOST_TEST(!d.hint.empty());
}

BOOST_AUTO_TEST_CASE(a_shape_that_fits_only_as_a_product_is_not_shown_twice) {
  const auto d = diagnostic("x: [n, d]; x.view(n, h, k) == reshape(x, n, h, k)");
  BOOST_TEST(d.code == "shape.conflict");
  BOOST_TEST(d.message == "shapes do not fit: `x` is [n, d], in `reshape(x, n, h, k)`");
}

BOOST_AUTO_TEST_CASE(sizes_below_one_are_errors_and_offsets_below_one_are_not) {
  for (const char* claim : {"X == zeros(0, d)", "ones(n, 0) == X", "eye(1 - 1) == X", "zeros(n, d - d) == X", "causal(-2) == X", "X: [h, n, d]; stack(X[i] for i in range(0)) == X"}) {
    const auto d = diagnostic(claim);
    BOOST_TEST(d.code == "shape.size", claim);
    BOOST_TEST(d.message == "sizes are at least 1", claim);
  }
  BOOST_TEST(shape(problem("X: [n, d]; tril(X, 0) + triu(X, -1) == X"), "X") == "[n, d]");
}

BOOST_AUTO_TEST_CASE(every_mistake_has_its_code_and_its_place) {
  for (const auto& m : mistakes) {
    const std::string claim = m.claim;
    const auto d = diagnostic(claim);
    BOOST_TEST_CONTEXT(claim << ": " << d.message) {
      BOOST_TEST(d.code == m.code);
      BOOST_TEST(!d.message.empty());
      BOOST_TEST((d.code.rfind("shape", 0) != 0 || (d.message + d.hint).find('?') == std::string::npos), d.message + "; " + d.hint);  // unknown sizes have names, too
      if (d.code == m.code) BOOST_TEST(claim.substr(d.span.begin, d.span.end - d.span.begin) == m.place);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_message_names_no_size_by_a_number) {
  const auto d = diagnostic("vstack(causal(n), einsum('ijk,kl->ijl', X, Y)) == X");
  BOOST_TEST(d.message.find("must be a matrix [n, d], but it is [d, k, p]") != std::string::npos, d.message);
}

BOOST_AUTO_TEST_CASE(a_hint_names_what_exists_and_guesses_no_other_word) {
  const auto hint = [](const std::string& claim) { return diagnostic(claim).hint; };
  BOOST_TEST(hint("X: [n, a]; softmx(X) == X") == "did you mean `softmax`?");
  BOOST_TEST(hint("X: [n, a]; layrnrm(X) == X") == "did you mean `layernorm`?");
  for (const char* word : {"foo", "kern", "prodd", "bf8", "hinge_loss"}) {
    const std::string other = hint("X: [n, a]; " + std::string(word) + "(X) == X");
    BOOST_TEST(other.find("no such function") != std::string::npos, word << ": " << other);
  }
  for (const char* how : {"reduction=3", "reduction=s", "reduction='max'", "reduction='batchmean'"}) BOOST_TEST(diagnostic("X, Y: [n, a]; mse_loss(X, Y, " + std::string(how) + ") == 0").message == "reduction is 'none', 'sum' or 'mean'", how);
  BOOST_TEST(diagnostic("X, Y: [n, a]; mse_loss(X, Y, label_smoothing=0.1) == 0").message == "`mse_loss` is not known with these arguments");
  BOOST_TEST(diagnostic("X: [n, a]; cross_entropy(X) == X").message == "`cross_entropy` is not known with these arguments");
  BOOST_TEST(hint("X: [n, a]; T: []; X**(1/T) == X").find("exp(y * log(x))") != std::string::npos);
  BOOST_TEST(hint("X: [n, a]; (X + 1)**X == X").find("assume positive(x)") != std::string::npos);
  BOOST_TEST(hint("X: [n, n]; assume diagonal(X); X == X + 0").find("A == diag(a)") != std::string::npos);
  BOOST_TEST(hint("X: [n, n]; assume pretty(X); X == X + 0").find("mask01") != std::string::npos);
  BOOST_TEST(hint("X: [n, a]; X.sum(axis=1) == rowsum(X)").find("keepdims=True") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_axis_ends_where_the_comprehension_that_walks_along_it_does) {
  BOOST_TEST(shape(problem("X.T @ X == sum(X[i:i+1].T @ X[i:i+1] for i in range(n))"), "X") == "[n, d]");
  BOOST_TEST(shape(problem("sum(X[:, i*k:(i+1)*k] @ W[i*k:(i+1)*k] for i in range(h)) == X @ W"), "W") == "[h*k, d]");
  BOOST_TEST(shape(problem("sum(W[i] @ A for i in range(h)) == sum(W[i] for i in range(h)) @ A"), "W") == "[h, n, d]");
  BOOST_TEST(shape(problem("vstack(X[i+1:i+2] - X[i:i+1] for i in range(n)) == X[1:] - X[:n]"), "X") == "[n + 1, d]");  // the farthest of two
  BOOST_TEST(shape(problem("X: [m, d]; X.T @ X == sum(X[i:i+1].T @ X[i:i+1] for i in range(n))"), "X") == "[m, d]");
  BOOST_TEST(shape(problem("W: [h, d, k]; X == sum(X[:, i:i+1] @ W[i, :1] for i in range(h))"), "X") == "[n, k]");  // something else says where it ends
  BOOST_TEST(shape(problem("X.T @ X == sum(X[i:i+1].T @ X[i:i+1] for i in range(n - 1))"), "X") == "[d, k]");  // a row may be left out on purpose
  BOOST_TEST(shape(problem("sum(X[h-1-i] for i in range(h)) == X[0]"), "X") == "[n, d, k]");  // it walks to the front
}

BOOST_AUTO_TEST_CASE(the_root_of_a_size_is_known_by_its_name) {
  BOOST_TEST(shape(problem("softmax(Q @ K.T / sqrt(k)) == softmax(Q @ K.T / sqrt(k) + 0)"), "k") == "no such variable");
  BOOST_TEST(shape(problem("q @ k.T / sqrt(h) == (q / sqrt(h)) @ k.T"), "k") != "no such variable");
  BOOST_TEST(shape(problem("q @ k.T / sqrt(k) == q @ k.T / sqrt(k) + 0"), "k") != "no such variable");  // a tensor elsewhere
}

BOOST_AUTO_TEST_CASE(a_sum_with_a_size_in_it_is_a_size) {
  BOOST_TEST(problem("tril(a + b)[:a, :a] == tril(a)").variables.empty());
  BOOST_TEST(problem("tril(c) == tril(h*c)[:c, :c]").variables.empty());
  BOOST_TEST(problem("tril(n + m)[:1, :1] == ones(1, 1)").variables.empty());
  BOOST_TEST(shape(problem("tril(A + B) == tril(A) + tril(B)"), "A") == "[n, d]");
  BOOST_TEST(shape(problem("A: [n, n]; tril(A + b) == tril(A) + tril(1 * b)"), "b") != "no such variable");
}

BOOST_AUTO_TEST_CASE(an_axis_is_dropped_where_numpy_drops_it) {
  BOOST_TEST(expr::text(problem("X: [n, a]; X.sum(axis=1) == diagonal(X @ ones(a, n))").lhs->shape) == "[n]");
  BOOST_TEST(expr::text(problem("X: [n, a]; np.sum(X, axis=1, keepdims=True) == rowsum(X)").lhs->shape) == "[n, 1]");
  BOOST_TEST(expr::text(problem("X: [n, a]; sum(X, axis=1) == rowsum(X)").lhs->shape) == "[n, 1]");
  BOOST_TEST(expr::text(problem("X: [h, n, a]; X.max(1) == X.max(1) + 0").lhs->shape) == "[h, a]");
  BOOST_TEST(expr::text(problem("X: [n, a]; X - X.mean(axis=0) == X").lhs->shape) == "[n, a]");
  // one number for each row, deliberately beside the columns of another matrix
  BOOST_TEST(expr::text(problem("A: [n, k]; B: [m, k]; np.sum(A, axis=1)[:, None] + np.sum(B, axis=1) == A @ B.T").lhs->shape) == "[n, m]");
  BOOST_TEST(expr::text(problem("X: [h, n, a]; X - X.mean(axis=0) == X").lhs->shape) == "[h, n, a]");
  BOOST_TEST(expr::text(problem("min(X) <= max(X)").lhs->shape) == "[n, 1]");  // no sizes
  BOOST_TEST(expr::text(problem("S: [n, n]; exp(S) / np.sum(exp(S), axis=1) == softmax(S)").lhs->shape) == "[n, n]");
}

BOOST_AUTO_TEST_CASE(a_declared_constant_is_an_ordinary_name) {
  BOOST_TEST(shape(problem("pi: [n]; X[pi] == X[pi] + 0"), "pi") == "[n]");
  BOOST_TEST(shape(problem("assume permutation(pi); X[pi] == X"), "pi") == "[n]");
  BOOST_TEST(shape(problem("X: [n, pi]; X @ eye(pi) == X"), "X") == "[n, pi]");
  BOOST_TEST(shape(problem("inf: []; X - inf == -inf + X"), "inf") == "[]");
}

BOOST_AUTO_TEST_CASE(every_code_of_this_layer_has_a_mistake_that_gives_it) {
  for (const char* code : codes) {
    BOOST_TEST(std::any_of(std::begin(mistakes), std::end(mistakes), [&](const auto& m) { return std::string(m.code) == code; }), code);
  }
}

BOOST_AUTO_TEST_CASE(batch_axes_and_broadcasting_follow_numpy) {
  BOOST_TEST(expr::text(problem("X: [h, n, a]; Y: [a, b]; Z: [h, n, b]; X @ Y == Z").lhs->shape) == "[h, n, b]");
  BOOST_TEST(expr::text(problem("X: [h, n, a]; Y: [1, a, b]; Z: [h, n, b]; X @ Y == Z").lhs->shape) == "[h, n, b]");
  BOOST_TEST(expr::text(problem("X: [n, a]; b: [1, a]; X + b == b + X").lhs->shape) == "[n, a]");
  BOOST_TEST(expr::text(problem("c: [n, 1]; b: [1, a]; c + b == b + c").lhs->shape) == "[n, a]");
  BOOST_TEST(expr::text(problem("X: [h, n, a]; b: [a]; X + b == b + X").lhs->shape) == "[h, n, a]");
  BOOST_TEST(expr::text(problem("X: [h, n, a]; X[..., None, :] == X[:, :, None, :] + 0").lhs->shape) == "[h, n, 1, a]");
  BOOST_TEST(expr::text(problem("X: [h, n, a]; X[None, 0] == swapaxes(X[None, 0], -1, 1).T.T + X[None, 0]; assume n == a").lhs->shape) == "[1, a, a]");
  BOOST_TEST(diagnostic("X: [2, n, a]; Y: [3, a, b]; X @ Y == 0").code == "shape.conflict");
}

BOOST_AUTO_TEST_CASE(a_size_of_reshape_may_be_left_open) {
  const auto left = [](const char* text) { return expr::text(problem(text).lhs->shape); };
  BOOST_TEST(left("X: [n, h*k]; reshape(X, n, h, -1) == reshape(X, n, h, k)") == "[n, h, k]");
  BOOST_TEST(left("X: [n, d]; X.reshape(-1) == reshape(X, d*n)") == "[d*n]");
  BOOST_TEST(left("X: [4, 6]; X.view(-1, 3) == reshape(X, 8, 3)") == "[8, 3]");
  BOOST_TEST(left("assume d % h == 0; X: [n, d]; reshape(X, n, h, -1).reshape(n, -1) == X") == left("assume d % h == 0; X: [n, d]; X == X + 0"));
  BOOST_TEST(diagnostic("X: [n, d]; reshape(X, n, h, -1) == X").message == "the size -1 of reshape is not known, in `reshape(X, n, h, -1)`");
  BOOST_TEST(diagnostic("X: [4, 6]; reshape(X, 5, -1) == X").message == "the size -1 of reshape is not known, in `reshape(X, 5, -1)`");
  BOOST_TEST(diagnostic("X: [n, d]; reshape(X, -1, -1) == X").message == "two sizes of reshape are -1, in `reshape(X, -1, -1)`");
  BOOST_TEST(diagnostic("X: [n, d]; reshape(X, -2, d) == X").code == "shape.conflict");
}

BOOST_AUTO_TEST_CASE(sizes_follow_from_products_sums_and_assumptions) {
  BOOST_TEST(expr::text(problem("X: [n, d]; assume d == h*k; reshape(X, n, h, k) == reshape(X, n, h, k) + 0").lhs->shape) == "[n, h, k]");
  BOOST_TEST(shape(problem("A: [n, a]; concat(A, B) @ C == A @ C[:a] + B @ C[a:]"), "A") == "[n, a]");
  BOOST_TEST(shape(problem("X: [n, 4]; theta: [p]; assume p == 2; rope(X, theta) == rope(X, theta) + 0"), "theta") == "[2]");
  BOOST_TEST(diagnostic("X: [n, 5]; theta: [p]; rope(X, theta) == X").code == "shape.conflict");
}

BOOST_AUTO_TEST_CASE(an_equation_is_about_sizes_when_all_its_names_are_names_of_sizes) {
  for (const char* claim : {"assume h*k == d; h*(d*k) == d*d", "(n//m)*m + n%m == n", "min(n, m)*max(n, m) == n*m", "12*L*d_model**2 + vocab*d_model == 124000000", "rank(W) == n"}) {
    const auto p = problem(claim);
    BOOST_TEST(std::none_of(p.variables.begin(), p.variables.end(), [](const auto& v) { return v.name != "W"; }), claim);
    BOOST_TEST(!p.dimensions.empty(), claim);
  }
  // One name of another kind, one declaration or one function of numbers: tensors.
  for (const char* claim : {"n*x == x*n", "n: []; n*m == m*n", "abs(n) == n", "k.T == k", "n == m + exp(0)"}) BOOST_TEST(!problem(claim).variables.empty(), claim);
}

BOOST_AUTO_TEST_CASE(subscripts_below_zero_count_from_the_end_as_in_numpy) {
  BOOST_TEST(expr::text(problem("X: [n, d]; X[-k:] == X[n-k:]").lhs->shape) == "[k, d]");
  BOOST_TEST(expr::text(problem("X: [n, d]; X[:-k] == X[:n-k]").lhs->shape) == expr::text(problem("X: [n, d]; X[:-k] == X[:n-k]").rhs->shape));
  BOOST_TEST(diagnostic("X: [n, d]; rowsum(0 * X[-k:]) == zeros(n + k, 1)").code == "shape.conflict");
}

BOOST_AUTO_TEST_CASE(a_remainder_makes_a_size_a_multiple) {
  BOOST_TEST(shape(problem("X: [n, d]; assume d % 2 == 0; X + 0 == X"), "X") == "[n, 2*q]");
  BOOST_TEST(shape(problem("X: [n, d]; W: [q, d]; assume d % h == 0; X @ W.T == X @ W.T + 0"), "X") == "[n, h*p]");
  BOOST_TEST(shape(problem("X: [n, d]; assume d % 3 == 1; X + 0 == X"), "X") == "[n, 3*q - 2]");
  BOOST_TEST(shape(problem("X: [n, d]; assume d % 2 == 0, d == h*k; X + 0 == X"), "X") == "[n, h*k]");
  BOOST_TEST(shape(problem("X: [n, m]; assume n - m == 0; X + 0 == X"), "X") == "[m, m]");
  BOOST_TEST(shape(problem("X: [p, k]; assume k == 4; assume k == 2*p; X + 0 == X"), "X") == "[2, 4]");
}

BOOST_AUTO_TEST_CASE(rotations_are_about_even_widths) {
  BOOST_TEST(shape(problem("X: [n, k]; theta: [p]; rope(X, theta) == X"), "X") == "[n, 2*p]");
  BOOST_TEST(shape(problem("X: [n, k]; theta: [k//2]; rope_half(X, theta) == X"), "theta") == "[q]");
  BOOST_TEST(shape(problem("X: [n, k]; rope(X, theta) == X"), "X") == "[n, 2*d]");
  BOOST_TEST(shape(problem("X: [n, k]; X @ halfperm(k) == X"), "X") == "[n, 2*q]");
}

BOOST_AUTO_TEST_CASE(products_and_sums_of_unknown_sizes_are_matched_part_by_part) {
  const auto p = problem("kron(A, B) @ kron(C, D) == kron(A @ C, B @ D)");
  BOOST_TEST(p.dimensions.size() == 6u);
  BOOST_TEST(shape(p, "A") == "[n, d]");
  BOOST_TEST(shape(p, "C") == "[d, p]");
  const auto q = problem("H1, H2: [n, k]; concat(H1, H2) @ vstack(O1, O2) == concat(H2, H1) @ vstack(O2, O1)");
  BOOST_TEST(shape(q, "O1") == "[k, d]");
  BOOST_TEST(shape(q, "O2") == "[k, d]");
  // Where the claim says otherwise, blocks are no guess: O1 has the rows that the rest leaves.
  const auto r = problem("H1, H2: [n, k]; A: [m, v]; concat(H1, H2) @ vstack(O1, O2) == concat(H1, H2) @ vstack(O1 + A, O2 + 0)");
  BOOST_TEST(shape(r, "O1") == "[m, v]");
  BOOST_TEST(shape(r, "O2") == "[2*k - m, v]");
}

BOOST_AUTO_TEST_CASE(an_undeclared_name_is_what_its_places_allow) {
  BOOST_TEST(shape(problem("diag(a) @ diag(b) == diag(a * b)"), "a") == "[n]");
  BOOST_TEST(shape(problem("diag(s) @ X == s * X"), "s") == "[n, 1]");
  BOOST_TEST(shape(problem("trace(A) == sum(diag(A))"), "A") == "[n, n]");
  BOOST_TEST(shape(problem("Q: [n, k]; V: [n, v]; (Q @ Q.T) @ (V + b) == (Q @ Q.T) @ V + (Q @ colsum(Q).T) @ b"), "b") == "[1, v]");
  BOOST_TEST(shape(problem("assume onehot(T); exp(T @ X) == T @ exp(X)"), "T") == "[n, d]");
  BOOST_TEST(shape(problem("(A / s) @ (s.T * B) == A @ B"), "s") == "[1, d]");
  BOOST_TEST(shape(problem("(A / s) @ (s.T * B) == A @ B"), "B") == "[d, k]");
  BOOST_TEST(shape(problem("A + A.T == A.T + A"), "A") == "[n, n]");
  BOOST_TEST(shape(problem("u.T * A == diag(u) @ A"), "u") == "[1, n]");
  BOOST_TEST(shape(problem("diag(u) @ A @ diag(v) == A * (u.T @ v)"), "A") == "[n, d]");
}

BOOST_AUTO_TEST_CASE(a_row_or_a_column_bounds_every_row_or_column) {
  BOOST_TEST(expr::text(problem("S: [n, m]; S <= rowmax(S)").rhs->shape) == "[n, m]");
  BOOST_TEST(expr::text(problem("S: [n, m]; colmax(S) >= S").rhs->shape) == "[n, m]");
  BOOST_CHECK_THROW(problem("S: [n, m]; S == rowmax(S)"), expr::Error);
  BOOST_CHECK_THROW(problem("S: [n, m]; rowmax(S) <= colmax(S)"), expr::Error);
  BOOST_TEST(expr::text(problem("S: [n, m]; b: [m]; S <= b").rhs->shape) == "[n, m]");
  BOOST_CHECK_THROW(problem("S: [n, m]; b: [n]; S <= b"), expr::Error);
  BOOST_CHECK_THROW(problem("S: [n, m]; b: [m]; S == b"), expr::Error);
  BOOST_TEST(diagnostic("S: [n, m]; V: [m, v]; softmax(S) @ V <= rowmax(V)").message == "the left side is [n, v] and the right side is [m, 1]");
}

BOOST_AUTO_TEST_CASE(an_inequality_between_names_alone_is_about_sizes_unless_one_of_them_is_called_like_a_number) {
  for (const char* sizes : {"d * k <= n * k * d", "sqrt(d * k) <= d + k", "log(n) <= n", "assume w <= n; n*w*k <= n*n*k", "assume w <= seq; seq*w <= seq*seq",
                            "let kv = 2*g*k; let mha = 2*h*k; kv*n <= mha*n; assume g <= h", "let full = d*k; let low = r*(d + k); low <= full; assume 2*r <= min(d, k)"})
    BOOST_TEST(problem(sizes).variables.empty(), sizes);
  for (const char* numbers : {"x**2 <= x**4", "sqrt(x * y) <= x + y", "k * lam <= k", "w**2 >= 0", "w*x <= w**2 + x**2", "let a = x*x; a >= 0", "sqrt(X*X) <= X", "assume D <= ones(n, d); D * X <= X"}) BOOST_TEST(!problem(numbers).variables.empty(), numbers);
  BOOST_TEST(problem("x: [n, m]; rank(x) <= n").variables.size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_assumption_gives_a_name_its_shape_whatever_its_other_uses_leave_open) {
  const auto shape = [](const char* claim, const char* name) {
    const auto p = problem(claim);
    for (const auto& v : p.variables) {
      if (v.name == name) return expr::text(v.shape);
    }
    for (const auto& v : p.replaced) {
      if (v.name == name) return expr::text(v.value->shape);
    }
    return std::string("none");
  };
  BOOST_TEST(shape("assume D == zeros(d, k); X @ (W + D) == X @ W", "D") == "[d, k]");
  BOOST_TEST(shape("X @ W + b == X @ W; assume b == zeros(1, k)", "b") == "[1, k]");
  BOOST_TEST(shape("assume J == ones(n, n); tril(S) * J == tril(S)", "J") == "[n, n]");
  BOOST_TEST(shape("assume I == eye(d); softmax(X @ (W + I) @ X.T) == softmax(X @ W @ X.T + X @ X.T)", "I") == "[d, d]");
}

BOOST_AUTO_TEST_CASE(nobody_means_an_arbitrary_matrix_by_an_undeclared_I) {
  for (const char* claim : {"X + X @ W == X @ (I + W)", "R: [d, d]; assume R @ R.T == I; R.T @ R == eye(d)"}) {
    BOOST_TEST(diagnostic(claim).code == "name.constant");
    BOOST_TEST(diagnostic(claim).hint.find("eye(d)") != std::string::npos);
  }
  BOOST_TEST(problem("I: [n, d]; I @ W == I @ W + 0").variables.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_power_of_a_positive_base_may_have_any_exponent) {
  for (const char* claim : {"X: [n, a]; 2**X == exp(X * log(2))", "X: [n, a]; g: []; assume positive(g); g**X == exp(X * log(g))", "X: [n, a]; g: []; assume 0 < g; g**X == exp(X * log(g))", "X: [n, a]; softmax(X)**X == X"}) {
    const auto p = problem(claim);
    BOOST_TEST((p.lhs->op == expr::operator_id<expr::ops::Exp>()), claim);
  }
  for (const char* claim : {"X: [n, a]; g: []; g**X == X", "X: [n, a]; g: []; assume g >= 0; g**X == X", "X: [n, a]; (0 - 2)**X == X", "X: [n, a]; relu(X)**X == X"}) BOOST_TEST(diagnostic(claim).code == "call.exponent", claim);
}

BOOST_AUTO_TEST_CASE(what_an_assumption_takes_the_inverse_of_is_square) {
  for (const char* claim : {"assume R.T == inv(R); R.T @ R == eye(d)", "assume np.allclose(inv(R), R.T); X @ R.T @ R == X"}) {
    const auto p = problem(claim);
    for (const auto& v : p.variables) {
      if (v.name == "R") BOOST_TEST((v.shape[0] == v.shape[1]), claim);
    }
  }
  BOOST_CHECK_THROW(problem("A: [n, d]; assume inv(A) == A.T; A @ A.T == eye(n)"), expr::Error);
  BOOST_CHECK_THROW(problem("A: [n, n]; B: [n, n]; assume allclose(A, B, atol=1); A == B"), expr::Error);
  for (const char* wrong : {"A: [n, d]; B: [m, d]; sum(np.outer(A, B)) == sum(A @ B.T)", "x: [n, 1]; y: [1, n]; np.vdot(x, y) == sum(x) * sum(y)"}) BOOST_TEST(diagnostic(wrong).code.rfind("shape", 0) == 0u, wrong);
}

BOOST_AUTO_TEST_CASE(einsum_has_the_shapes_that_its_letters_say) {
  BOOST_TEST(expr::text(problem("X: [n, d]; W: [h, d, k]; einsum('nd,hdk->nhk', X, W) == stack(X @ W[i] for i in range(h))[0:h, 0:n].transpose(1, 0, 2)").lhs->shape) == "[n, h, k]");
  BOOST_TEST(expr::text(problem("A: [n, d]; B: [n, d]; einsum('nd,nd->n', A, B) == rowsum(A * B)[:, 0]").lhs->shape) == "[n]");
  BOOST_TEST(expr::text(problem("X: [n, b]; W: [b, a]; einsum('ij,jk', X, W) == X @ W").lhs->shape) == "[n, a]");
  BOOST_TEST(expr::text(problem("A: [n, n]; einsum('ii', A) == trace(A)").lhs->shape) == "[]");
  BOOST_TEST(expr::text(problem("einsum('n,n->', u, v) == einsum('n,n->', v, u)").lhs->args[0]->shape) == "[n]");
  BOOST_TEST(expr::text(problem("X: [b, n, d]; W: [d, k]; einsum('...d,dk->...k', X, W) == X @ W").lhs->shape) == "[b, n, k]");
  BOOST_TEST(expr::text(problem("X: [b, n, d]; einsum('...d->d...', X) == transpose(X, 2, 0, 1)").lhs->shape) == "[d, b, n]");
  for (const char* wrong : {"X: [n, d]; W: [k, d]; einsum('nd,dk->nk', X, W) == X @ W.T", "X: [n, d]; einsum('ndk->n', X) == rowsum(X)[:, 0]"}) BOOST_TEST(diagnostic(wrong).code.rfind("shape", 0) == 0u);
  for (const char* wrong : {"einsum('n...n...->n', X) == X", "einsum('n.->n', X) == X", "einsum('nd->nx', X) == X", "einsum('nd->nn', X) == X", "einsum('nd,dk->nk', X) == X", "einsum('n1->n', X) == X"}) BOOST_TEST(diagnostic(wrong).code == "call.arguments");
}

BOOST_AUTO_TEST_CASE(token_numbers_choose_rows_columns_and_heads) {
  BOOST_TEST(expr::text(problem("t: [n]; E: [v, d]; E[t] == take(E, t)").lhs->shape) == "[n, d]");
  BOOST_TEST(expr::text(problem("t: [n]; E: [v, d]; E.T[:, t] == take(E, t).T").lhs->shape) == "[d, n]");
  BOOST_TEST(expr::text(problem("t: [n]; H: [h, m, d]; H[t[0]] == H[t][0]").lhs->shape) == "[m, d]");
  BOOST_TEST(shape(problem("E[t] == take(E, t)"), "t") == "[k]");
  BOOST_TEST(shape(problem("assume permutation(pi); colsum(X[pi]) == colsum(X)"), "X").substr(0, 2) == shape(problem("assume permutation(pi); colsum(X[pi]) == colsum(X)"), "pi").substr(0, 2));
}

BOOST_AUTO_TEST_CASE(a_vector_beside_a_row_is_that_row) {
  BOOST_TEST(expr::text(problem("X: [3, d]; colsum(X) == X[0] + X[1] + X[2]").rhs->shape) == "[1, d]");
  BOOST_TEST(expr::text(problem("X: [3, d]; X[0] + X[1] + X[2] == colsum(X)").lhs->shape) == "[1, d]");
}

BOOST_AUTO_TEST_CASE(nested_comprehensions_with_one_name_do_not_capture_each_other) {
  const auto p = problem("X: [h, n, n]; sum(sum(X[i] for i in range(h)) @ X[i] for i in range(h)) == sum(X[i] for i in range(h)) @ sum(X[j] for j in range(h))");
  BOOST_TEST(expr::text(p.lhs->shape) == "[n, n]");
}

}  // namespace foldproof::properties
