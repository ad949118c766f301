// SPDX-License-Identifier: MIT
// Programs whose functions and methods do something besides what they return: they assert, make modules, change weights or keep what they were called with.
#include "prove/readings.hpp"

namespace foldproof::properties {
namespace {

constexpr Changed true_but_for_one_part[] = {
    // -3 in the place of k in k**2
    {R"py(import numpy as np
x = np.random.randn(4)
def check(k, r):
    assert np.allclose(x * k**2, r * x)
check(-3, 9))py", "check(-3, 9)", "check(-3, -9)"},
    {R"py(import numpy as np
x = np.random.randn(4)
class C:
    def __init__(self, k):
        self.k = k
def f(o, a, b=-2):
    o.k = a*b**2
o = C(2)
f(o, 3)
assert np.allclose(o.k*x, 12*x))py", "12*x", "-12*x"},
    {R"py(import numpy as np
x = np.random.randn(4)
class C:
    def __init__(self, k):
        self.k = k
def f(o, a):
    o.k = a
o = C(2)
for k in [-3]:
    f(o, k**2)
assert np.allclose(o.k*x, 9*x))py", "9*x", "-9*x"},
    {R"py(import numpy as np
x = np.random.randn(4)
class C:
    def __init__(self, k):
        self.k = k
    def set(self, k):
        self.k = 2*k**2
    def __call__(self, x):
        return x*self.k
m = C(1)
m.set(-3)
assert np.allclose(m(x), 18*x))py", "18*x", "-18*x"},
    {R"py(import torch
import torch.nn as nn
class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r: int = 4, alpha: int = 8):
        super().__init__()
        self.base = base
        self.scaling = alpha / r
        self.lora_A = nn.Parameter(torch.randn(r, base.in_features))
        self.lora_B = nn.Parameter(torch.randn(base.out_features, r))
    def forward(self, x):
        return self.base(x) + (x @ self.lora_A.T @ self.lora_B.T) * self.scaling
    def merge(self):
        merged = nn.Linear(self.base.in_features, self.base.out_features)
        merged.weight.data.copy_(self.base.weight.data + self.scaling * self.lora_B.data @ self.lora_A.data)
        merged.bias.data.copy_(self.base.bias.data)
        return merged
layer = LoRALinear(nn.Linear(6, 5))
x = torch.randn(3, 6)
with torch.no_grad():
    y1 = layer(x)
    y2 = layer.merge()(x)
assert torch.allclose(y1, y2, atol=1e-5))py", "self.scaling * self.lora_B.data", "self.lora_B.data"},
    {R"py(import torch
import torch.nn as nn
import torch.nn.functional as F
class LoRALayer(nn.Linear):
    def __init__(self, in_features, out_features, r=2, lora_alpha=6):
        super().__init__(in_features, out_features, bias=False)
        self.scaling = lora_alpha / r
        self.merged = False
        self.lora_A = nn.Parameter(self.weight.new_zeros((r, in_features)))
        self.lora_B = nn.Parameter(self.weight.new_zeros((out_features, r)))
    def merge(self):
        self.weight.data += self.lora_B @ self.lora_A * self.scaling
        self.merged = True
    def forward(self, x):
        result = F.linear(x, self.weight)
        if not self.merged:
            result = result + F.linear(F.linear(x, self.lora_A), self.lora_B) * self.scaling
        return result
layer = LoRALayer(4, 3)
x = torch.randn(2, 4)
with torch.no_grad():
    before = layer(x)
    layer.merge()
    after = layer(x)
torch.testing.assert_close(before, after))py", "self.merged = True", "self.merged = False"},
    {R"py(import torch
import torch.nn as nn
class RMSNorm(nn.Module):
    def __init__(self, d, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))
        self.eps = eps
    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps))
def fuse(norm, linears):
    for linear in linears:
        W_ = linear.weight.data.double()
        linear.weight.data = (W_ * norm.weight.double()).to(linear.weight.dtype)
    norm.weight.data = torch.ones_like(norm.weight.data)
norm = RMSNorm(4)
norm.weight.data.uniform_(0.5, 1.5)
q, k = nn.Linear(4, 3, bias=False), nn.Linear(4, 2, bias=False)
x = torch.randn(2, 4)
with torch.no_grad():
    before = k(norm(x))
    fuse(norm, [q, k])
    after = k(norm(x))
torch.testing.assert_close(before, after))py", "fuse(norm, [q, k])", "fuse(norm, [q])"},
    {R"py(import torch
import torch.nn as nn
def fold(ln: nn.LayerNorm, lin: nn.Linear):
    new_ln = nn.LayerNorm(ln.normalized_shape, eps=ln.eps, elementwise_affine=False)
    new_lin = nn.Linear(lin.in_features, lin.out_features)
    with torch.no_grad():
        new_lin.weight.copy_(lin.weight * ln.weight[None, :])
        new_lin.bias.copy_(lin.bias + lin.weight @ ln.bias)
    return new_ln, new_lin
ln, lin = nn.LayerNorm(5), nn.Linear(5, 3)
ln2, lin2 = fold(ln, lin)
x = torch.randn(2, 5)
torch.testing.assert_close(lin(ln(x)), lin2(ln2(x))))py", "lin.bias + lin.weight @ ln.bias", "lin.bias + ln.bias @ lin.weight.T * 2"},
    {R"py(import torch
import torch.nn as nn
def absorbed(lin, scale):
    wider = nn.Linear(lin.in_features, lin.out_features, bias=False)
    wider.weight.data = lin.weight * scale
    return wider
lin = nn.Linear(3, 2, bias=False)
x = torch.randn(4, 3)
before = lin(x)
lin = absorbed(lin, 2)
assert torch.allclose(lin(x), 2 * before))py", "2 * before", "before"},
    {R"py(import torch
import torch.nn as nn
class Gate(nn.Module):
    def __init__(self, d, f):
        super().__init__()
        self.gate = nn.Linear(d, f, bias=False)
        self.up = nn.Linear(d, f, bias=False)
    def forward(self, x):
        return torch.sigmoid(self.gate(x)) * self.up(x)
class Fused(nn.Module):
    def __init__(self, mlp: Gate):
        super().__init__()
        out, inp = mlp.gate.weight.shape
        self.both = nn.Linear(inp, 2 * out, bias=False)
        self.both.weight.data = torch.cat([mlp.gate.weight.data, mlp.up.weight.data], dim=0)
    def forward(self, x):
        gate, up = self.both(x).chunk(2, dim=-1)
        return torch.sigmoid(gate) * up
mlp = Gate(3, 4)
fused = Fused(mlp)
x = torch.randn(2, 3)
torch.testing.assert_close(mlp(x), fused(x)))py", "[mlp.gate.weight.data, mlp.up.weight.data]", "[mlp.up.weight.data, mlp.gate.weight.data]"},
    {R"py(import torch
import torch.nn as nn
class Two(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q = nn.Linear(d, d, bias=False)
        self.k = nn.Linear(d, d, bias=False)
    def forward(self, x):
        return self.q(x) @ self.k(x).T
a, b = Two(3), Two(3)
with torch.no_grad():
    for name in ("q", "k"):
        getattr(b, name).weight.copy_(2 * getattr(a, name).weight)
x = torch.randn(4, 3)
assert torch.allclose(4 * a(x), b(x)))py", "4 * a(x)", "2 * a(x)"},
    {R"py(import numpy as np
class Cache:
    def __init__(self, most, d):
        self.k = np.zeros((most, d))
        self.pos = 0
    def update(self, k):
        n = k.shape[0]
        self.k[self.pos:self.pos + n] = k
        self.pos += n
        return self.k[:self.pos]
x = np.random.randn(6, 2)
cache = Cache(8, 2)
first = cache.update(x[:3])
for i in range(3, 6):
    last = cache.update(x[i:i + 1])
assert np.allclose(cache.k[:6], x))py", "cache.k[:6]", "2 * cache.k[:6]"},
    {R"py(import numpy as np
def check(a, b):
    assert a.shape == b.shape
    assert np.allclose(a, b)
X = np.random.randn(3, 4)
W = np.random.randn(4, 5)
V = np.random.randn(5, 2)
check((X @ W) @ V, X @ (W @ V)))py", "X @ (W @ V)", "X @ (W @ V) * 2"},
    {R"py(import numpy as np
def check(n, m=2):
    X = np.random.randn(n, 4)
    W = np.random.randn(4, m)
    assert np.allclose((X @ W).T, W.T @ X.T)
for n in [1, 2, 5]:
    check(n, m=3))py", "W.T @ X.T", "W.T @ X.T + W.T @ X.T"},
    {R"py(import torch
import torch.nn as nn
bn, lin = nn.BatchNorm1d(3), nn.Linear(3, 2)
bn.running_var.data.uniform_(0.5, 1.5)
bn.eval()
s = bn.weight / torch.sqrt(bn.running_var + bn.eps)
x = torch.randn(4, 3)
assert torch.allclose(lin(bn(x)), (x * s + bn.bias - bn.running_mean * s) @ lin.weight.T + lin.bias))py", "bn.bias - bn.running_mean * s", "bn.bias"},
};

#define OBJECT \
  "import numpy as np\n" \
  "x = np.random.randn(3)\n" \
  "class A:\n" \
  "    def __init__(self):\n" \
  "        self.s = 1\n" \
  "        self.t = 2\n" \
  "    def inc(self):\n" \
  "        self.s += 1\n" \
  "        return self.s\n" \
  "    def twice(self):\n" \
  "        return self.inc() + self.inc()\n" \
  "    def swap(self, a, b):\n" \
  "        self.s = a\n" \
  "        self.t = b\n" \
  "    def listed(self, u):\n" \
  "        l = [self.s * u for i in range(2)]\n" \
  "        self.s = self.s + 1\n" \
  "        return l[1]\n" \
  "def f(o, k):\n" \
  "    o.t = 7\n" \
  "    return k * x\n" \
  "o = A()\n"
constexpr Changed true_orders[] = {
    // an argument is what it is at the call
    {OBJECT "assert np.allclose(f(o, o.t), 2 * x)", "2 * x)", "7 * x)"},
    {OBJECT "o.swap(b=o.s, a=o.t)\nassert np.allclose((10 * o.s + o.t) * x, 21 * x)", "21 * x", "22 * x"},
    {OBJECT "f(k=o.inc(), o=o)\nassert np.allclose((o.s + o.t) * x, 9 * x)", "9 * x", "8 * x"},
    // what is returned is computed though nothing needs it
    {OBJECT "o.twice()\nassert np.allclose(o.s * x, 3 * x)", "3 * x", "x"},
    // lists of each call
    {OBJECT "a = o.listed(x)\nb = o.listed(x)\nc = o.listed(x)\nassert np.allclose(c, 3 * x)", "3 * x", "2 * x"},
    // methods that nothing calls
    {OBJECT "assert np.allclose(o.s * x, x)", "x)", "2 * x)"},
};

// An attribute that begins as None
#define CACHE                                                   \
  "import numpy as np\n"                                         \
  "class Cache:\n"                                               \
  "    def __init__(self):\n"                                     \
  "        self.k = None\n"                                       \
  "    def update(self, k):\n"                                    \
  "        if self.k is None:\n"                                  \
  "            self.k = k\n"                                      \
  "        else:\n"                                               \
  "            self.k = np.concatenate([self.k, k])\n"            \
  "        return self.k\n"                                       \
  "    def either(self, k):\n"                                    \
  "        self.k = k if self.k is None else self.k + k\n"        \
  "        return self.k\n"                                       \
  "    def each(self, k):\n"                                      \
  "        for i in range(2):\n"                                  \
  "            if self.k is None:\n"                              \
  "                self.k = k[i]\n"                               \
  "            else:\n"                                           \
  "                self.k = self.k + k[i]\n"                      \
  "        return self.k\n"                                       \
  "    def reset(self):\n"                                        \
  "        self.k = None\n"                                       \
  "x = np.random.randn(4)\n"                                      \
  "c = Cache()\n"
constexpr Changed true_of_none[] = {
    {CACHE "c.update(x[:1])\nc.update(x[1:2])\ny = c.update(x[2:])\nassert np.allclose(y, x)", "(y, x)", "(y, x[::-1])"},
    {CACHE "c.update(x[:1])\nc.reset()\ny = c.update(x[2:])\nassert np.allclose(y, x[2:])", "(y, x[2:])", "(y, x[:2])"},
    {CACHE "for i in range(2):\n    c.update(x[i:i+1])\ny = c.update(x[2:])\nassert np.allclose(y, x)", "(y, x)", "(y, 2 * x)"},
    {CACHE "a = c.either(x)\nb = c.either(x)\nassert np.allclose(a + b, 3 * x)", "3 * x", "2 * x"},
    {CACHE "d = Cache()\nd.either(x)\ny = c.either(x)\nassert np.allclose(y, x)", "(y, x)", "(y, 2 * x)"},
    {CACHE "u = None\nc.k = u\ny = c.either(x)\nassert np.allclose(y, x)", "(y, x)", "(y, 2 * x)"},
};
/// What it is by then is not known.
constexpr const char* refused_of_none[] = {
    CACHE "d = c\nd.update(x[:2])\ny = c.update(x[2:])\nassert np.allclose(y, x[2:])",
    CACHE "def g():\n    c.k = np.zeros(2)\ng()\ny = c.update(x[2:])\nassert np.allclose(y, x[2:])",
    CACHE "if x[0] > 0:\n    c.k = x[:2]\ny = c.update(x[2:])\nassert np.allclose(y, x[2:])",
    CACHE "c.k, z = x[:2], x[2:]\ny = c.update(z)\nassert np.allclose(y, x[2:])",
    CACHE "y = c.each(x)\nassert np.allclose(y, x[1])",
};

constexpr const char* refused_programs[] = {
    // what stands before a call that changes it, also by another function
    OBJECT "r = o.s * x + o.twice() * x\nassert np.allclose(r, 6 * x)",
    OBJECT "r = [o.s, o.inc(), o.s]\nassert np.allclose(r[2] * x, 2 * x)",
    // asserts that change what another one sees
    OBJECT "def check(a, b):\n    a[0] = 5\n    assert np.allclose(a, b)\nz = x + 1\ncheck(z, z)\ncheck(z[1:], x[1:] + 1)",
    OBJECT "assert np.allclose(o.inc() * x, 2 * x)\nassert np.allclose(o.s * x, 2 * x)",
    // a function that asserts, and returns at two places
    "import numpy as np\nX = np.random.randn(2, 2)\ndef f(a):\n    if a is None:\n        return\n    assert np.allclose(a, X)\nf(X)",
    // which of the two modules is changed is not known
    "import torch\nimport torch.nn as nn\nq, k = nn.Linear(2, 2), nn.Linear(2, 2)\ndef f(n):\n    lin = q if n > 1 else k\n    lin.weight.data.mul_(2)\nx = torch.randn(2, 2)\ny = q(x)\nf(x.sum())\nassert torch.allclose(q(x), y)",
    // a name of the function that is read before it has a value in it
    "import torch\nimport torch.nn as nn\nq = nn.Linear(2, 2)\ns = 2\ndef f():\n    q.weight.data.mul_(s)\n    s = 3\nx = torch.randn(2, 2)\ny = q(x)\nf()\nassert torch.allclose(q(x), y)",
    // what was computed before the call in its statement
    "import torch\nimport torch.nn as nn\nq = nn.Linear(2, 2, bias=False)\ndef f():\n    q.weight.data.mul_(2)\n    return 1\nx = torch.randn(2, 2)\ny = q(x)\nz = q(x) * f()\nassert torch.allclose(z, y)",
    // the weight has another name that is read behind its change
    "import torch\nimport torch.nn as nn\nq = nn.Linear(2, 2, bias=False)\nW = q.weight.data.double()\nq.weight.data.mul_(2)\nx = torch.randn(2, 2)\nassert torch.allclose(q(x), x @ W.T)",
};

BOOST_AUTO_TEST_CASE(what_functions_do_is_done_where_they_are_called) { are_true_but_for_one_part(true_but_for_one_part); }
BOOST_AUTO_TEST_CASE(arguments_and_effects_come_in_their_order) { are_true_but_for_one_part(true_orders); }
BOOST_AUTO_TEST_CASE(cases_of_none_are_decided_by_what_was_given_last) {
  are_true_but_for_one_part(true_of_none);
  are_refused(refused_of_none);
}
BOOST_AUTO_TEST_CASE(what_no_claim_can_say_is_refused) { are_refused(refused_programs); }

}  // namespace
}  // namespace foldproof::properties
