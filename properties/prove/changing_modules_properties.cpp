// SPDX-License-Identifier: MIT
// Programs that change what functions and modules read: weights, attributes and names of the program, of which Python looks at what they are when they are called.
#include "prove/readings.hpp"

namespace foldproof::properties {
namespace {

constexpr Changed true_but_for_one_part[] = {
    {R"py(import torch
import torch.nn as nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3))
        self.s = 2 * self.w
    def forward(self, x):
        return x * self.s
m, q = M(), M()
x = torch.randn(3)
before = m(x)
m.load_state_dict(q.state_dict())
assert torch.allclose(m(x), before))py", "m(x), before", "m(x), q(x)"},
    {R"py(import torch
import torch.nn as nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3))
        self.v = nn.Parameter(torch.randn(3))
    def forward(self, x):
        return x * self.w
m, p, q = M(), M(), M()
x = torch.randn(3)
before = m(x)
p.load_state_dict(m.state_dict())
m.w.data *= 2
assert torch.allclose(m(x), 2 * p(x)))py", "2 * p(x)", "p(x)"},
    {R"py(import torch
import torch.nn as nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3))
        self.v = nn.Parameter(torch.randn(3))
    def forward(self, x):
        return x * self.w
m, p, q = M(), M(), M()
x = torch.randn(3)
before = m(x)
W = 2 * m.w.data
m.w.data = W
assert torch.allclose(m(x), 2 * before))py", "2 * before", "before"},
    // numbers, words and tuples that functions read
    {"x: [n, d]; mode = True\ndef f(x):\n    return x if mode else -x\ny = f(x)\nmode = False\ny + f(x) == 0 * x", "mode = False", "mode = True"},
    {"x: [n]\nsteps = 3\ndef f(x):\n    for _ in range(steps):\n        x = x + x\n    return x\nsteps = 4\nf(x) == 16 * x", "16 * x", "8 * x"},
    {"A, B: [n, d]\nt = (A, B)\ndef f(x): return t[0] + x\nt = (B, A)\nf(A) == A + B", "A + B", "2 * A"},
    {"A, B: [n, d]\nt = (A, B)\ndef f(x): return t[0] + x\nt = B\nf(A) == A + B[0]", "B[0]", "A"},
    {"A: [n, d]\nm = 2\ndef f(x):\n    for _ in range(m): x = x + x\n    return x\nfor m in range(2, 4):\n    y = f(A)\ny == 8 * A", "8 * A", "4 * A"},
    // what has another name that nothing reads any more
    {"import numpy as np\nx = np.random.randn(6)\na = x[:3]\nb = a + 0\nx[0] = 5\nassert np.allclose(b[1:], x[1:3])", "b[1:], x[1:3]", "b, x[:3]"},
    {"x: [n]\np = 1\nq = p\np += 2\np * x == 3 * x * q", "3 * x", "1 * x"},
    {R"py(import numpy as np
W = np.random.randn(d, k)
x = np.random.randn(n, d)
def f(x):
    return x @ W
def g(x):
    return f(x) + 1
before = g(x)
W = 2 * W
assert np.allclose(2 * (before - 1), g(x) - 1))py", "2 * (before", "3 * (before"},
    {R"py(import numpy as np
scale = np.random.randn()
f = lambda x: scale * x
x = np.random.randn(n)
before = f(x)
scale = 3 * scale
middle = f(x)
scale = scale / 3
assert np.allclose(f(x) + middle, 4 * before))py", "4 * before", "2 * before"},
    {R"py(import torch
import torch.nn as nn
norm = nn.LayerNorm(8)
q = nn.Linear(8, 6)
x = torch.randn(2, 8)
with torch.no_grad():
    before = q(norm(x))
    q.bias.data = q.bias + q.weight @ norm.bias
    q.weight.mul_(norm.weight)
    norm.weight.fill_(1.0)
    norm.bias.zero_()
assert torch.allclose(q(norm(x)), before))py", "norm.weight.fill_(1.0)", "norm.weight.fill_(2.0)"},
    {R"py(import torch
import torch.nn as nn
class FeedForward(nn.Module):
    def __init__(self, d, f):
        super().__init__()
        self.up = nn.Linear(d, f)
        self.down = nn.Linear(f, d, bias=False)
    def forward(self, x):
        return self.down(torch.relu(self.up(x)))
ffn = FeedForward(4, 6)
x = torch.randn(3, 4)
before = ffn(x)
ffn.up.weight.data *= 2
ffn.up.bias.data *= 2
ffn.down.weight.data = ffn.down.weight.data / 2
assert torch.allclose(ffn(x), before))py", "ffn.up.bias.data *= 2", "ffn.up.bias.data *= 3"},
    {R"py(import torch
import torch.nn as nn
class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc = nn.Linear(d, d)
        self.act = nn.GELU()
        self.gain = nn.Parameter(torch.ones(d))
    def forward(self, x):
        return self.gain * self.act(self.fc(x))
a, b = Block(4), Block(4)
b.load_state_dict(a.state_dict())
b.gain.data = 2 * b.gain.data
x = torch.randn(3, 4)
assert torch.allclose(b(x), 2 * a(x)))py", "2 * a(x)", "a(x)"},
    {R"py(import torch
import torch.nn as nn
a, b = nn.Linear(4, 3), nn.Linear(4, 3)
nn.init.xavier_uniform_(a.weight)
nn.init.zeros_(a.bias)
b.load_state_dict(a.state_dict())
x = torch.randn(2, 4)
assert torch.allclose(b(2 * x), 2 * a(x)))py", "nn.init.zeros_(a.bias)", "nn.init.normal_(a.bias)"},
    {R"py(import torch
import torch.nn as nn
lin = nn.Linear(8, 4)
bn = nn.BatchNorm1d(4)
bn.running_mean.copy_(torch.randn(4))
bn.running_var.copy_(torch.rand(4) + 0.5)
bn.eval()
fused = nn.Linear(8, 4)
with torch.no_grad():
    s = bn.weight / (bn.running_var + bn.eps).sqrt()
    fused.weight.copy_(lin.weight * s[:, None])
    fused.bias.copy_((lin.bias - bn.running_mean) * s + bn.bias)
x = torch.randn(32, 8)
torch.testing.assert_close(bn(lin(x)), fused(x)))py", "lin.bias - bn.running_mean", "lin.bias"},
    {R"py(import numpy as np
class Norm:
    def __init__(self, weight, eps):
        self.weight = weight
        self.eps = eps
    def __call__(self, x):
        return self.weight * (x / np.sqrt(np.mean(x ** 2, axis=-1, keepdims=True) + self.eps))
class Lin:
    def __init__(self, W):
        self.W = W
    def __call__(self, x):
        return x @ self.W.T
norm = Norm(np.random.randn(8), 1e-6)
lin = Lin(np.random.randn(5, 8))
x = np.random.randn(3, 8)
before = lin(norm(x))
lin.W = lin.W * norm.weight[None, :]
norm.weight = np.ones_like(norm.weight)
assert np.allclose(lin(norm(x)), before))py", "norm.weight = np.ones_like(norm.weight)", "norm.weight = norm.weight"},
    {R"py(import numpy as np
class Scaled:
    def __init__(self, s):
        self.s = s
        self.square = self.s * self.s
    def __call__(self, x):
        return self.s * x + self.square
m = Scaled(np.random.randn())
x = np.random.randn(n)
before, square = m(x), m.square
m.s = 2 * m.s
assert np.allclose(m(x) - square, 2 * (before - square)))py", "m(x) - square", "m(x) - 4 * square"},
    {"x: [n, d]; s = {\"scale\": 2}\ndef f(x):\n    return s[\"scale\"] * x\ns[\"scale\"] = 3\nf(x) == 3 * x", "3 * x", "2 * x"},
    {"x: [n]\nk = 1\nf = lambda x: x if k == 1 else 2 * x\nk = 2\nf(x) == x * 2", "x * 2", "x * 1"},
    {"X: [n, d]\nY = X * 1\ndef f(x): return x + Y\nY[:1] = 0\nf(X)[0] == X[0]", "== X[0]", "== 2 * X[0]"},
    {"A: [n, d]\nc = A * 1\nc = c + A\nf = lambda a: a + c\nc += A\nf(A) == 4 * A", "4 * A", "3 * A"},
};
BOOST_AUTO_TEST_CASE(what_functions_read_is_what_it_is_when_they_are_called) { are_true_but_for_one_part(true_but_for_one_part); }

// The index of a function is none of the names that it is called with.
constexpr const char* true_programs[] = {
    "f = lambda x: sum(x[i] for i in range(h)); W: [h, d]; i: []; f(W * i) == i * f(W)",
};
BOOST_AUTO_TEST_CASE(indices_of_functions_hide_nothing) { are_proved_and_never_refuted(true_programs); }

constexpr const char* refused_programs[] = {
    // a view of what changes, which is read behind that
    "import numpy as np\nx = np.random.randn(6)\na = x[:3]\nb = a\nx[0] = 5\nassert np.allclose(b[1:], x[1:3])",
    "import numpy as np\nx = np.random.randn(6)\na = x[:3]\nl = [a, a]\nx[0] = 5\nassert np.allclose(l[0], x[:3])",
    "import numpy as np\nx = np.random.randn(6)\na = x[:3]\nl = []\nl.append(a)\nx[0] = 5\nassert np.allclose(l[0], x[:3])",
    "import numpy as np\nx = np.random.randn(6)\na = x[:3]\nf = lambda y: y + a\nx[0] = 5\nassert np.allclose(f(x[:3]), 2*x[:3])",
    "import numpy as np\nx = np.random.randn(6)\na = x[:3]\na[1] = 7\nassert np.allclose(x[1], 7)",
    // In each step it is another function.
    "i = 2 * X\ndef f(x): return x + i\nZ = X\nfor i in range(3):\n    Z = f(Z)\nZ == 7 * X",
    // A default value is what it was where the function is defined.
    R"py(import numpy as np
scale = np.random.randn()
def f(x, s=scale):
    return s * x
x = np.random.randn(n)
before = f(x)
scale = 2 * scale
assert np.allclose(f(x), 2 * before))py",
    R"py(import numpy as np
a, b = 2.0, 3.0
def f(x, s=a):
    return s * x + b * x
a = a * 3
b = b * 2
x = np.random.randn(n)
assert np.allclose(f(x), 8.0 * x))py",
    // Another name of the weight changes with it.
    R"py(import torch
import torch.nn as nn
lin = nn.Linear(4, 4, bias=False)
before = lin.weight
lin.weight.data.mul_(2)
assert torch.allclose(lin.weight, 2 * before))py",
    // One weight of two layers.
    R"py(import torch
import torch.nn as nn
a, b = nn.Linear(4, 4, bias=False), nn.Linear(4, 4, bias=False)
b.weight = a.weight
x = torch.randn(2, 4)
before = b(x)
a.weight.data = 2 * a.weight.data
assert torch.allclose(b(x), before))py",
    R"py(import torch
import torch.nn as nn
a, b = nn.Linear(4, 4, bias=False), nn.Linear(4, 4, bias=False)
b.weight = a.weight
x = torch.randn(2, 4)
before = a(x)
b.weight.data.mul_(2)
assert torch.allclose(a(x), before))py",
    // The same weight in a list, in two objects, as what a weight was given, and loaded in place.
    "import torch\nimport torch.nn as nn\na = nn.Linear(3, 3)\nL = [a.weight]\na.weight.data = 2 * a.weight.data\nassert torch.allclose(a.weight, 2 * L[0])",
    R"py(import torch
import torch.nn as nn
class Gain(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.w = w
    def forward(self, x):
        return self.w * x
p = nn.Parameter(torch.randn(3))
m, n = Gain(p), Gain(p)
m.w.data = 2 * m.w.data
x = torch.randn(3)
assert torch.allclose(m(x), 2 * n(x)))py",
    "import torch\nimport torch.nn as nn\na = nn.Linear(3, 3)\nV = torch.randn(3, 3)\na.weight.data = V\na.weight.data.mul_(2)\nassert torch.allclose(a.weight, 2 * V)",
    "import torch\nimport torch.nn as nn\na, b = nn.Linear(3, 3), nn.Linear(3, 3)\nw = a.weight.data\nw0 = w.clone()\na.load_state_dict(b.state_dict())\nassert torch.allclose(w, w0)",
    "import torch\nimport torch.nn as nn\na, c = nn.Linear(3, 3), nn.Linear(3, 4)\na.load_state_dict(c.state_dict())\nassert torch.allclose(a.weight, c.weight)",
    "import torch\nimport torch.nn as nn\na = nn.Linear(3, 3)\nV = torch.randn(3, 3)\na.weight.data = V.clone()\nnn.init.normal_(a.weight)\nassert torch.allclose(a.weight, V)",
    // A parameter that has two names from the start, and a buffer.
    R"py(import torch
import torch.nn as nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3))
        self.v = self.w
    def forward(self, x):
        return x * self.w
m, p, q = M(), M(), M()
x = torch.randn(3)
before = m(x)
p.load_state_dict(m.state_dict())
p.v = nn.Parameter(p.v.detach() * 3)
assert torch.allclose(p.v, 3 * m.w))py",
    R"py(import torch
import torch.nn as nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3))
        self.register_buffer("b", torch.randn(3))
    def forward(self, x):
        return x * self.w + self.b
m, q = M(), M()
x = torch.randn(3)
b = m.b
before = b * x
m.load_state_dict(q.state_dict())
assert torch.allclose(b * x, before))py",
    // Random values, behind what has read the weight.
    R"py(import torch
import torch.nn as nn
lin = nn.Linear(4, 4)
x = torch.randn(2, 4)
before = lin(x)
nn.init.normal_(lin.weight)
assert torch.allclose(lin(x), before))py",
    // Zeros are no weights.
    R"py(import torch
import torch.nn as nn
w = torch.zeros(4)
nn.init.normal_(w)
x = torch.randn(2, 4)
assert torch.allclose(x * w, 0 * x))py",
    // Made in another way.
    R"py(import torch
import torch.nn as nn
a, b = nn.Linear(4, 4), nn.Linear(4, 4, bias=False)
b.load_state_dict(a.state_dict())
x = torch.randn(2, 4)
assert torch.allclose(a(x), b(x) + a.bias))py",
};
BOOST_AUTO_TEST_CASE(changes_that_no_claim_can_say_are_refused) { are_refused(refused_programs); }

/// Behind a module of two parameters: these have another name, too, or .data shares their numbers.
constexpr const char* shared_parameters[] = {
    R"py(p.v = m.w
p.load_state_dict(q.state_dict())
assert torch.allclose(m(x), before))py",
    R"py(w = m.w
m.load_state_dict(q.state_dict())
assert torch.allclose(w * x, before))py",
    R"py(p.v = nn.Parameter(m.w.data)
p.load_state_dict(q.state_dict())
assert torch.allclose(m(x), before))py",
    R"py(L = [m.w]
m.load_state_dict(q.state_dict())
assert torch.allclose(L[0] * x, before))py",
    R"py(m.v = m.w
m.load_state_dict(q.state_dict())
assert torch.allclose(m(x), x * q.w))py",
    R"py(p.w.data = m.w.data
c = p(x)
m.w.data *= 2
assert torch.allclose(p(x), c))py",
    R"py(m.w.data = x
m.w.data *= 2
assert torch.allclose(x * 2, m.w))py",
};
BOOST_AUTO_TEST_CASE(parameters_that_have_two_names_are_refused_where_one_of_them_changes) {
  for (const char* change : shared_parameters) {
    const std::string program = std::string(R"py(import torch
import torch.nn as nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3))
        self.v = nn.Parameter(torch.randn(3))
    def forward(self, x):
        return x * self.w
m, p, q = M(), M(), M()
x = torch.randn(3)
before = m(x)
)py") + change;
    const char* const one[] = {program.c_str()};
    are_refused(one);
  }
}

}  // namespace
}  // namespace foldproof::properties
