// SPDX-License-Identifier: MIT
// Programs as Python's tools write them: tests in classes and with fixtures, lists of functions, properties, masks of truth values, and more of PyTorch's modules.
#include "prove/readings.hpp"

namespace foldproof::properties {
namespace {

constexpr Changed tests[] = {
    {R"(import unittest
import numpy as np
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
class TestAttention(unittest.TestCase):
    def setUp(self):
        np.random.seed(0)
        self.Q, self.K = np.random.randn(3, 4), np.random.randn(3, 4)
        self.b = np.random.randn(4)
    def test_bias(self):
        self.assertTrue(np.allclose(softmax(self.Q @ (self.K + self.b).T), softmax(self.Q @ self.K.T)), "no key bias is seen")
if __name__ == "__main__":
    unittest.main())",
     "self.Q @ (self.K + self.b).T", "(self.Q + self.b) @ self.K.T"},
    {R"(from unittest import TestCase
import numpy as np
class TestTrace(TestCase):
    def setUp(self):
        self.A, self.B = np.random.randn(2, 3), np.random.randn(2, 3)
    def test_trace(self):
        self.assertAlmostEqual(np.trace(self.A @ self.B.T), np.sum(self.A * self.B), places=5))",
     "self.A * self.B", "self.A + self.B"},
    {R"(import pytest
import torch
import torch.nn as nn
@pytest.fixture
def d():
    return 3
@pytest.fixture
def layer(d):
    k = d
    return nn.Linear(d, k, bias=False)
@pytest.fixture(scope="module")
def x():
    return torch.randn(2, 3)
def test_fold(layer, x):
    W = layer.weight @ layer.weight
    torch.testing.assert_close(layer(layer(x)), x @ W.T))",
     "x @ W.T", "x @ W"},
    {R"(import pytest
import numpy as np
@pytest.fixture
def rng():
    return np.random.default_rng(0)
@pytest.mark.parametrize("s", [0.5, 2.0])
def test_merge(rng, s):
    x, W, A, B = rng.normal(size=(2, 3)), rng.normal(size=(3, 4)), rng.normal(size=(3, 1)), rng.normal(size=(1, 4))
    np.testing.assert_allclose(x @ W + s * (x @ A) @ B, x @ (W + s * A @ B)))",
     "W + s * A", "W + A"},
    {R"(import numpy as np
class TestLora:
    def setup_method(self):
        self.W, self.U = np.random.randn(3, 4), np.random.randn(3, 4)
    def test_merge(self):
        x = np.random.randn(2, 3)
        before = x @ self.W
        self.W = self.W + self.U
        np.testing.assert_allclose(x @ self.W - before, x @ self.U))",
     "- before", "- 2 * before"},
};

/// Tests of one name in two classes, each with its own values.
constexpr Changed several_classes[] = {
    {R"(import unittest
import numpy as np
class TestA(unittest.TestCase):
    def setUp(self):
        self.x = np.ones(2)
    def test_sum(self):
        assert self.x.shape == (2,)
class TestB(unittest.TestCase):
    def setUp(self):
        self.x = np.random.randn(3)
    def test_sum(self):
        self.assertTrue(np.allclose(self.x.mean() * 3, self.x.sum())))",
     "* 3", "* 2"},
};

constexpr Changed functions[] = {
    {"import numpy as np\nWs = [np.random.randn(2, 2) for _ in range(2)]\nfs = [lambda x, W=W: x @ W for W in Ws]\nx = np.random.randn(1, 2)\ny = x\nfor f in fs:\n    y = f(y)\nassert np.allclose(y, x @ Ws[0] @ Ws[1])", "x @ Ws[0] @ Ws[1]", "x @ Ws[1] @ Ws[0]"},
    {"import numpy as np\nW = np.random.randn(2, 3, 3)\nfs = [lambda x, i=i: x @ W[i] for i in range(2)]\nx = np.random.randn(2, 3)\nassert np.allclose(sum(f(x) for f in fs), x @ W.sum(0))", "x @ W.sum(0)", "x @ W[1] * 2"},
    {"import numpy as np\nA, B = np.random.randn(2, 2), np.random.randn(2, 2)\nfs = [lambda x: x @ A, lambda x: x @ B]\nx = np.random.randn(1, 2)\nassert np.allclose(fs[1](fs[0](x)), x @ A @ B)", "fs[1](fs[0](x))", "fs[0](fs[1](x))"},
    {"import numpy as np\nfrom functools import reduce\nWs = [np.random.randn(2, 2) for _ in range(3)]\nx = np.random.randn(1, 2)\nassert np.allclose(reduce(np.matmul, Ws, x), x @ (Ws[0] @ Ws[1] @ Ws[2]))", "Ws[0] @ Ws[1] @ Ws[2]", "Ws[2] @ Ws[1] @ Ws[0]"},
    {"import numpy as np\nimport functools\nWs = [np.random.randn(2, 2) for _ in range(3)]\nx = np.random.randn(2)\nassert np.allclose(functools.reduce(lambda h, W: W @ h, Ws, x), Ws[2] @ Ws[1] @ Ws[0] @ x)", "lambda h, W: W @ h", "lambda h, W: h @ W"},
    {"import numpy as np\nheads = [np.random.randn(3, 2) for _ in range(2)]\nx, W = np.random.randn(3, 2), np.random.randn(6, 3)\nassert np.allclose(np.concatenate([x, *heads], axis=1) @ W, x @ W[:2] + heads[0] @ W[2:4] + heads[1] @ W[4:])", "[x, *heads]", "[*heads, x]"},
};

constexpr Changed lists_that_functions_give[] = {
    {"import numpy as np\nA = np.random.randn(4, 2)\ndef f(W, h):\n    def head(i):\n        return W[i * 2:(i + 1) * 2]\n    return [head(i) for i in range(h)]\nassert np.allclose(np.concatenate(f(A, 2)), A)", "W[i * 2:(i + 1) * 2]", "W[i:i + 2]"},
    {"import numpy as np\nA, B = np.random.randn(4, 2), np.random.randn(2, 2, 3)\ndef heads(W, h):\n    return [W[i * 2:(i + 1) * 2] for i in range(h)]\ny = heads(A, 2)\nassert np.allclose(sum(y[i] @ B[i] for i in range(2)), A[:2] @ B[0] + A[2:] @ B[1])", "A[2:] @ B[1]", "A[2:] @ B[0]"},
    {"import numpy as np\nA = np.random.randn(4, 2)\ndef f(W, h):\n    return [W[i * 2:(i + 1) * 2] for i in range(h)]\ny = f(A, 2)\nA = 2 * A\nassert np.allclose(2 * np.concatenate(y), A)", "2 * np.concatenate(y)", "np.concatenate(y)"},
    {"import numpy as np\nA, B, C = np.random.randn(2, 3), np.random.randn(3, 2), np.zeros((2, 2))\nfor i in range(2):\n    for j in range(2):\n        acc = 0.0\n        for l in range(3):\n            acc += A[i, l] * B[l, j]\n        C[i, j] = acc\nassert np.allclose(C, A @ B)", "B[l, j]", "B[l, i]"},
    {"import numpy as np\nS = np.random.randn(2, 2)\ndef softmax(z):\n    e = np.exp(z)\n    return e / e.sum(axis=-1, keepdims=True)\nP = softmax(S) * np.tril(np.ones((2, 2)))\nP /= P.sum(axis=-1, keepdims=True)\nassert np.allclose(P, softmax(np.where(np.tril(np.ones((2, 2))) == 1, S, -np.inf)))", "P /= P.sum(axis=-1, keepdims=True)", "P /= 2"},
};

constexpr const char* no_list_of_functions[] = {
    "import numpy as np\nWs = [np.random.randn(2, 2) for _ in range(2)]\nfs = [lambda x: x @ W for W in Ws]\nx = np.random.randn(1, 2)\nassert np.allclose(fs[0](x), x @ Ws[0])",  // Python looks for W when it is called
    "import numpy as np\nA, B = np.random.randn(2, 2), np.random.randn(2, 2)\nfs = [lambda x: x @ A, lambda x: x @ B]\nfs[0] = fs[1]\nx = np.random.randn(1, 2)\nassert np.allclose(fs[0](x), x @ A)",
    "import numpy as np\nA, B = np.random.randn(2, 2), np.random.randn(2, 2)\nfs = [lambda x: x @ A, lambda x: x @ B]\ngs = fs\ngs[0] = gs[1]\nx = np.random.randn(1, 2)\nassert np.allclose(fs[0](x), x @ A)",
    "import numpy as np\nA, B = np.random.randn(2, 2), np.random.randn(2, 2)\nfs = [lambda x: x @ A, lambda x: x @ B]\nA += 1\nx = np.random.randn(1, 2)\nassert np.allclose(fs[0](x), x @ A - x)",
};

constexpr Changed classes[] = {
    {R"(from dataclasses import dataclass
import numpy as np
@dataclass
class Config:
    d: int = 4
    h: int = 2
    @property
    def width(self):
        return self.d // self.h
c = Config()
x, W = np.random.randn(3, c.d), np.random.randn(c.d, c.d)
assert np.allclose((x @ W).reshape(3, c.h, c.width)[:, 1], x @ W[:, c.width:]))",
     "W[:, c.width:]", "W[:, :c.width]"},
    {R"(import numpy as np
class Linear:
    def __init__(self, d, k):
        self.A = np.random.randn(d, k)
        self.s = 3
    @property
    def W(self):
        return self.A * self.s
    def __call__(self, x):
        return x @ self.W
l = Linear(2, 3)
x = np.random.randn(2, 2)
assert np.allclose(l(x), 3 * x @ l.A))",
     "3 * x @ l.A", "3 * x @ l.W"},
    {R"(import torch, torch.nn as nn
gn, ln = nn.GroupNorm(1, 4), nn.LayerNorm(4)
ln.weight, ln.bias = gn.weight, gn.bias
x = torch.randn(2, 4)
assert torch.allclose(gn(x), ln(x), atol=1e-5))",
     "nn.GroupNorm(1, 4)", "nn.GroupNorm(2, 4)"},
    {R"(import torch, torch.nn as nn
x = torch.randn(2, 4, 3)
gn = nn.GroupNorm(2, 4, affine=False)
y = x.view(2, 2, 6)
y = (y - y.mean(-1, keepdim=True)) / torch.sqrt(y.var(-1, keepdim=True, unbiased=False) + 1e-5)
assert torch.allclose(gn(x), y.view(2, 4, 3), atol=1e-5))",
     "unbiased=False", "unbiased=True"},
    {R"(import torch, torch.nn as nn
net = nn.Sequential(nn.Conv1d(2, 3, 1, bias=False), nn.Conv1d(3, 2, 1, bias=False))
x = torch.randn(2, 2, 4)
assert torch.allclose(net(x), net[1].weight[:, :, 0] @ net[0].weight[:, :, 0] @ x, atol=1e-5))",
     "net(x)", "net(x)[:, :1]"},
    {R"(import torch, torch.nn as nn
c = nn.Conv1d(2, 3, 3, padding=1)
x = torch.randn(2, 4)
padded = torch.cat([torch.zeros(2, 1), x, torch.zeros(2, 1)], dim=1)
y = torch.stack([torch.einsum('oik,ik->o', c.weight, padded[:, t:t+3]) for t in range(4)], dim=1) + c.bias[:, None]
assert torch.allclose(c(x), y, atol=1e-6))",
     "c.weight, padded", "c.weight.flip(-1), padded"},
    {R"(import torch, torch.nn as nn
c = nn.Conv1d(2, 2, 2, groups=2, padding=1, bias=False)
x = torch.randn(3, 2, 4)
before = torch.cat([torch.zeros(3, 2, 1), x[..., :-1]], dim=-1)
assert torch.allclose(c(x)[..., :4], c.weight[:, 0, 1][:, None] * x + c.weight[:, 0, 0][:, None] * before, atol=1e-6))",
     "c(x)[..., :4]", "c(x)[..., 1:]"},
};

constexpr Changed arrays[] = {
    // NumPy conjugates the first one.
    {R"py(import numpy as np
x, y = np.random.randn(3), np.random.randn(3)
z = x + 1j*y
assert np.allclose(np.vdot(z, z).real, np.sum(x**2) + np.sum(y**2)))py", "x**2) + ", "x**2) - "},
    {R"py(import numpy as np
x, y = np.random.randn(3), np.random.randn(3)
assert np.allclose(np.conj(x) @ y, np.vdot(x, y)))py", "np.vdot(x, y)", "np.vdot(x, x)"},
    // The factor of gelu's tanh where something else binds it.
    {R"py(import numpy as np
x, y = np.random.randn(3), np.random.randn(3)
u = x + 0.044715*x**3
assert np.allclose(y / np.sqrt(2/np.pi) * (x + 0.044715*x**3), y / np.sqrt(2/np.pi) * u))py", "/ np.sqrt(2/np.pi) * u", "/ (np.sqrt(2/np.pi) * u)"},
    {"import numpy as np\nW, b = np.random.randn(2, 3), np.random.randn(3)\ndef f(x): return x @ W + b\nassert np.allclose(f(np.eye(2)) - W, b)", "- W, b)", "- W, b.mean())"},
    {"import numpy as np\nx = np.random.randn(2, 3)\np = np.exp(x) / np.exp(x).sum(-1, keepdims=True)\nassert ((p.sum(-1, keepdims=True) * np.ones((2, 3))) == p.sum(-1, keepdims=True)).all()", "== p.sum(-1, keepdims=True)", "== p[:, :1]"},
    {"import torch\nfrom einops import rearrange\nx = torch.randn(2, 3, 4)\nq = rearrange(x, '... n (h d) -> ... h n d', h=2)\nassert torch.allclose(rearrange(q, '... h n d -> ... n (h d)'), x)", "... n (h d)'), x)", "... n (d h)'), x)"},
    {"import torch\nfrom einops import repeat\nk, q = torch.randn(2, 1, 3, 2), torch.randn(2, 2, 3, 2)\nkk = repeat(k, 'b 1 n d -> b h n d', h=2)\nassert torch.allclose(q @ kk.transpose(-1, -2), q @ k.transpose(-1, -2))", "q @ k.transpose(-1, -2))", "kk @ q.transpose(-1, -2))"},
    {"import torch\nfrom einops import rearrange, reduce\nx = torch.randn(3, 2)\nassert torch.allclose(reduce(x, 'n d -> 1 d', 'mean'), rearrange(x.mean(0), 'd -> 1 d'))", "x.mean(0)", "x.sum(0)"},
    {R"(import numpy as np
keep = np.array([True, False, True])
q, K, V = np.random.randn(2), np.random.randn(3, 2), np.random.randn(3, 2)
def softmax(s):
    e = np.exp(s - s.max())
    return e / e.sum()
s = K @ q
s[~keep] = -np.inf
assert np.allclose(softmax(s) @ V, softmax(K[keep] @ q) @ V[keep]))",
     "softmax(K[keep] @ q)", "softmax(K[keep] @ q * 2)"},
    {"import torch\nkeep = torch.tensor([True, False, True])\nX = torch.randn(2, 3)\nassert torch.allclose(X[:, ~keep][:, 0], X[:, 1])", "X[:, 1])", "X[:, 2])"},
};

constexpr const char* refused[] = {
    // Loops go through what Python's own functions give.
    "import numpy as np\nx = np.random.randn(3)\nrange = lambda k: [7]\nassert np.allclose(sum(i*x for i in range(2)), 7*x)",
    "import numpy as np\nx = np.random.randn(3)\nreversed = lambda a: a\ns = 0*x\nfor b in reversed([x, 2*x]): s = 2*s + b\nassert np.allclose(s, 4*x)",
    "import numpy as np\nx = np.random.randn(3)\nzip = lambda a, b: [(x, x)]\nassert np.allclose(sum(a*b for a, b in zip([x, 2*x], [x, x])), x*x)",
    // Squares of magnitudes, and arrays of whole numbers.
    "import numpy as np\nx, y = np.random.randn(3), np.random.randn(3)\nz = x + 1j*y\nassert np.allclose(np.var(z).real, np.var(x) - np.var(y))",
    "import numpy as np\nz = np.empty_like(np.arange(3)); z[:] = 0.5; assert np.allclose(z, np.array([0.5, 0.5, 0.5]))",
    "import numpy as np\nz = np.empty(3, int); z[:] = 0.5; assert np.allclose(z, np.array([0.5, 0.5, 0.5]))",
    "import numpy as np\nz = np.empty(3, int)\nfor i in range(3): z[i] = i/2\nassert np.allclose(z, np.array([0, 0.5, 1]))",
    // the numbers of an array are no items of a list that + would join
    "import numpy as np\nw = np.random.randn(3)\nassert np.allclose(np.array([1.0, *w]), 1.0 + w)",
    "import numpy as np\nw = np.random.randn(3)\nassert np.allclose(sum([1.0, *w]), 1 + w.sum())",
    "import numpy as np\nws = [1.0, 2.0]\ndef f(ws):\n    return np.array([1.0, *ws])\nassert np.allclose(f(np.random.randn(2)), np.zeros(3))",
    "import numpy as np\nfrom functools import reduce\nW = np.random.randn(2, 2, 2)\nassert np.allclose(reduce(np.matmul, W), W[0] @ W[1])",
    // views of what changes
    "import numpy as np\nA = np.random.randn(4, 2)\ndef heads(W, h):\n    return [W[i * 2:(i + 1) * 2] for i in range(h)]\ny = heads(A, 2)\nA += 1\nassert np.allclose(y[0], A[:2])",
    "import numpy as np\nA = np.random.randn(4, 2)\ndef heads(W, h):\n    return [W[i * 2:(i + 1) * 2] for i in range(h)]\ny = heads(A, 2)\nA[0] = 0\nassert np.allclose(y[0][0], 0)",
    "import numpy as np\nA = np.random.randn(4, 2)\ndef heads(W, h):\n    return [W[i * 2:(i + 1) * 2] for i in range(h)]\ny = heads(A, 2)\ny[0] += 1\nassert np.allclose(np.concatenate(y), A)",
    // a tolerance that is none of rounding
    "import unittest\nimport numpy as np\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        x = np.random.rand(2)\n        self.assertAlmostEqual(x[0], x[1], delta=1)",
    // what is returned on one way only
    "import pytest\nimport numpy as np\n@pytest.fixture\ndef x():\n    if np.random.rand() > 0.5:\n        return np.random.randn(2)\ndef test_x(x):\n    np.testing.assert_allclose(x + x, 2 * x)",
    "import torch\nX, m = torch.randn(2, 3), torch.randn(3)\nassert torch.equal(X * 0 + m, m)",  // torch.equal asks for one shape
    "import numpy as np\nX = np.random.randn(3, 2)\nassert np.allclose(X.sum(1), X.sum(1, keepdims=True).T[0, :2])",
    "import numpy as np\nX, keep = np.random.randn(3, 2), np.array([True, False])\nassert np.allclose(X[keep], X[:1])",
    "import torch, torch.nn as nn\nc = nn.Conv1d(2, 3, 3, stride=2)\nx = torch.randn(2, 5)\nassert torch.allclose(c(x), c(x) + 0)",
    "import numpy as np\nclass A:\n    def __init__(self):\n        self.x = np.random.randn(2)\n    @property\n    def T(self):\n        return self.x\na = A()\nassert np.allclose(a.T, a.x)",
    "import unittest\nimport numpy as np\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        x = np.random.randn(2)\n        self.assertFalse(np.allclose(x, x))",
};

}  // namespace

BOOST_AUTO_TEST_CASE(tests_of_unittest_and_pytest_are_programs) { are_true_but_for_one_part(tests); }
BOOST_AUTO_TEST_CASE(tests_of_one_name_in_several_classes_are_several) { are_true_but_for_one_part(several_classes); }
BOOST_AUTO_TEST_CASE(functions_in_lists_are_called_one_by_one) { are_true_but_for_one_part(functions); }
BOOST_AUTO_TEST_CASE(lists_that_functions_give_are_lists) { are_true_but_for_one_part(lists_that_functions_give); }
BOOST_AUTO_TEST_CASE(a_list_of_functions_that_changes_is_not_read) { are_refused(no_list_of_functions); }
BOOST_AUTO_TEST_CASE(properties_groups_and_convolutions_are_read) { are_true_but_for_one_part(classes); }
BOOST_AUTO_TEST_CASE(sides_masks_and_patterns_are_read_as_numpy_does) { are_true_but_for_one_part(arrays); }
BOOST_AUTO_TEST_CASE(what_these_do_not_say_is_refused) { are_refused(refused); }

}  // namespace foldproof::properties
