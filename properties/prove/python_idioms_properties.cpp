// SPDX-License-Identifier: MIT
// Idioms of Python code bases: questions whether something is there, what modules keep for whoever looks at it, casts, and functions that fold
// weights of whatever modules they are given.
#include "prove/readings.hpp"

namespace foldproof::properties {
namespace {

constexpr Changed idioms[] = {
    {R"(import torch
def exists(val):
    return val is not None
def default(val, d):
    return val if exists(val) else d
def attn(q, k, v, mask=None, scale=None):
    scale = default(scale, q.shape[-1] ** -0.5)
    sim = q @ k.T * scale
    if exists(mask):
        sim = sim.masked_fill(~mask, float("-inf"))
    return sim.softmax(dim=-1) @ v
q, k, v = torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 4)
assert torch.allclose(attn(q, k, v), attn(q, k, v, scale=0.5)))",
     "scale=0.5", "scale=0.25"},
    {R"(import torch
exists = lambda t: t is not None
def f(x, b: torch.Tensor = None):
    if not exists(b):
        return x
    return x + b
x, b = torch.randn(3, 4), torch.randn(4)
assert torch.allclose(f(x, b) - b, f(x)))",
     "f(x, b) - b", "f(x, b)"},
    {R"(import math, torch
import torch.nn as nn
import torch.nn.functional as F
class Attention(nn.Module):
    def __init__(self, n_embd):
        super().__init__()
        self.c_attn = nn.Linear(n_embd, 3 * n_embd, bias=False)
        self.n_embd = n_embd
        self.flash = hasattr(torch.nn.functional, 'scaled_dot_product_attention')
    def extra_repr(self):
        return f"{tuple(self.c_attn.weight.shape)}, {self.n_embd}"
    def forward(self, x):
        q, k, v = self.c_attn(x).split(self.n_embd, dim=1)
        if self.flash:
            return F.scaled_dot_product_attention(q, k, v)
        return torch.softmax(q @ k.T / math.sqrt(self.n_embd), dim=-1) @ v
m = Attention(4)
x = torch.randn(3, 4)
wq, wk, wv = m.c_attn.weight.split(4, dim=0)
assert torch.allclose(m(x), torch.softmax((x @ wq.T) @ (x @ wk.T).T / 2, dim=-1) @ (x @ wv.T)))",
     "wk.T).T / 2", "wk.T).T / 4"},
    {R"(import torch
import torch.nn as nn
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = None
        self.W = nn.Parameter(torch.randn(4, 4))
    def forward(self, x):
        y, self.attn = x @ self.W, torch.softmax(x @ x.T, dim=-1)
        return self.attn @ y
m = Attention()
x = torch.randn(3, 4)
assert torch.allclose(m(x), (torch.softmax(x @ x.T, dim=-1) @ x) @ m.W))",
     "@ x) @ m.W)", "@ x) @ m.W.T)"},
    {R"(import torch
import torch.nn as nn
class LayerNorm(nn.Module):
    def __init__(self, ndim, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(ndim))
        self.bias = nn.Parameter(torch.zeros(ndim)) if bias else None
    def forward(self, input):
        return nn.functional.layer_norm(input, self.weight.shape, self.weight, self.bias, 1e-5)
ln = LayerNorm(4, bias=True)
x = torch.randn(3, 4)
c = x - x.mean(-1, keepdim=True)
assert torch.allclose(ln(x), c / torch.sqrt((c * c).mean(-1, keepdim=True) + 1e-5) * ln.weight + ln.bias))",
     "keepdim=True) + 1e-5", "keepdim=True) + 0.1"},
    {R"(import numpy as np
def scores(q, k):
    _, _, d_k = k.shape
    return q @ k.swapaxes(-1, -2) / np.sqrt(np.float32(d_k))
q, k = np.random.randn(2, 3, 4), np.random.randn(2, 3, 4)
assert 0 <= 1 < q.shape[1]
assert np.allclose(scores(10_000 * q, k), 5000 * (q @ k.transpose(0, 2, 1))))",
     "5000 *", "500 *"},
    {R"(import numpy as np
X = np.random.randn(3, 3)
assert np.allclose(X.transpose(0, -1) @ X.transpose(1, 0), X @ X.T))",
     "X @ X.T)", "X.T @ X)"},
    {R"(import numpy as np
X = np.random.randn(3, 3, 3)
assert np.allclose(np.transpose(X, (-1, 1, 0)), np.swapaxes(X, 0, 2)))",
     "0, 2)", "1, 2)"},
    {R"(import math, torch
import torch.nn as nn
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=8):
        super().__init__()
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0)
        self.register_buffer("pe", pe)
    def forward(self, x):
        return x + self.pe[:, : x.size(1)].requires_grad_(False)
m = PositionalEncoding(4)
x, y = torch.randn(2, 3, 4), torch.randn(2, 3, 4)
assert torch.allclose(m(x) - m(y), x - y))",
     "x - y)", "y - x)"},
    {R"(import torch
logits = torch.randn(2, 3, 5)
targets = torch.randint(0, 5, (2, 3))
lp = torch.log_softmax(logits, dim=-1)
nll = -lp.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
assert torch.allclose(nll, torch.logsumexp(logits, dim=-1) - logits.gather(-1, targets.unsqueeze(-1)).squeeze(-1)))",
     "torch.logsumexp", "2 * torch.logsumexp"},
    {R"(import torch
mask = (torch.rand(2, 5) > 0.3).float()
mask[:, 0] = 1
x = torch.randn(2, 5)
assert torch.allclose((x * mask)[:, 0], x[:, 0]))",
     "mask)[:, 0]", "mask)[:, 1]"},
};

constexpr Changed more_idioms[] = {
    {R"(import torch
@torch.jit.script
def f(q, w):
    B, T, K, V = *q.shape, w.shape[-1]
    device = q.device
    m = torch.zeros(B, T, device=device) - float("inf")
    like = q.sum(-1)
    return torch.maximum(m, like).view_as(like) / V
q, w = torch.randn(2, 3, 4), torch.randn(2, 5)
assert torch.allclose(f(q, w), q.sum(-1) / 5))",
     "/ 5)", "/ 4)"},
    // of which the proof that is tried enters bodies beside masks, where the kernel asks for more
    {"import torch\nn = 4\nS = torch.randn(n, n)\nmask = torch.triu(torch.ones(n, n), 1).bool()\nA = S.clone()\nA.masked_fill_(mask, -1e9)\nassert torch.allclose(A.softmax(-1), S.masked_fill(mask, -1e9).softmax(-1))", "1e9).softmax(-1)", "1e9).softmax(-2)"},
    {"import numpy as np\nx = np.random.randn(3)\nassert np.allclose(x * 1_000.5, 1000.5 * x)", "1000.5 * x", "1000 * x"},
};

constexpr Changed folds[] = {
    {R"(import torch, torch.nn as nn
@torch.no_grad()
def smooth_ln_fcs(ln, fcs, act_scales, alpha=0.5):
    if not isinstance(fcs, list):
        fcs = [fcs]
    weight_scales = torch.cat([fc.weight.abs().max(dim=0, keepdim=True)[0] for fc in fcs], dim=0)
    weight_scales = weight_scales.max(dim=0)[0]
    scales = act_scales / weight_scales
    ln.weight.div_(scales)
    ln.bias.div_(scales)
    for fc in fcs:
        fc.weight.mul_(scales.view(1, -1))
ln = nn.LayerNorm(4)
q, k = nn.Linear(4, 6), nn.Linear(4, 6)
x = torch.randn(3, 4)
before = q(ln(x))
smooth_ln_fcs(ln, [q, k], torch.rand(4) + 0.1)
assert torch.allclose(q(ln(x)), before))",
     "    ln.bias.div_(scales)\n", ""},
    {R"(import torch, torch.nn as nn
def fold(fc, norm):
    W = fc.weight.data.double()
    dtype = fc.weight.dtype
    fc.weight.data = (W * norm.weight.double()).to(dtype)
    if hasattr(norm, 'bias'):
        if fc.bias is None:
            raise ValueError("no bias")
        fc.bias.data = fc.bias.data + W @ norm.bias.data
ln, fc = nn.LayerNorm(6), nn.Linear(6, 4)
x = torch.randn(3, 6)
ref = fc(ln(x))
fold(fc, ln)
assert torch.allclose(fc(torch.nn.functional.layer_norm(x, (6,))), ref))",
     "+ W @ norm.bias.data", "+ fc.weight.data @ norm.bias.data"},
    {R"(import torch, torch.nn as nn
def scale(a, b, s):
    for m in (a, b):
        m.weight.div_(s)
    if a.bias is not None:
        a.bias.div_(s)
    if b.bias is not None:
        b.bias.div_(s)
a, b = nn.Linear(4, 4), nn.Linear(4, 4, bias=False)
x = torch.randn(3, 4)
ref = a(x), b(x)
scale(a, b, 2)
assert torch.allclose(2 * (a(x) + b(x)), ref[0] + ref[1]))",
     "        a.bias.div_(s)", "        a.bias.div_(2 * s)"},
    {R"(import torch
import torch.nn as nn
lin = nn.Linear(4, 4, bias=False)
x = torch.randn(2, 4)
y = lin(x)
for i in range(2):
    lin.weight.data = 2 * lin.weight.data
assert torch.allclose(lin(x), 4 * y))",
     "4 * y", "2 * y"},
};

constexpr Changed loops[] = {
    // places that get values in two inner loops
    {R"(import numpy as np
X = np.random.randn(3, 2)
out = np.zeros((3, 2))
for i in range(3):
    for j in range(2):
        out[i, j] = 2 * X[i, j]
    for j in range(2):
        out[i, j] = X[i, j]
assert np.allclose(out, X))",
     "(out, X)", "(out, 2 * X)"},
    // what is added to a place and what multiplies it come one after the other
    {R"(import numpy as np
s = np.random.randn(3)
o = np.zeros(3)
for j in range(3):
    o[j] += s[j]
    o[j] *= 2
assert np.allclose(o, 2 * s))",
     "2 * s)", "s)"},
    {R"(import torch
q, k = torch.randn(3, 4), torch.randn(3, 4)
S = torch.zeros(3, 3)
for i in range(3):
    for j in range(3):
        S[i, j] += q[i] @ k[j]
        S[i, j] /= 2
assert torch.allclose(2 * S, q @ k.T))",
     "allclose(2 * S", "allclose(S"},
    {R"(import numpy as np
s = np.random.randn(3, 4)
o = np.zeros(3)
for j in range(3):
    for i in range(4):
        o[j] += s[j, i]
    o[j] /= 4
assert np.allclose(o, s.mean(axis=1)))",
     "o[j] /= 4", "o[j] /= 2"},
    // what a function computes and nobody needs
    {R"(import torch
def attn(q, k, v):
    w = torch.softmax(q @ k.T, -1)
    mean_w = w.mean(0)
    entropy = -(w * torch.log(w)).sum(-1)
    return w @ v
q, k, v = torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 4)
assert torch.allclose(attn(q, k, v), torch.softmax(q @ k.T, -1) @ v))",
     "return w @ v", "return w @ k"},
};

constexpr const char* refused_programs[] = {
    // what a step reads before it changes is what it was, also where the function is written out for its calls
    "import numpy as np\nx = np.random.randn(3, 2)\ndef f(x):\n    n, d = x.shape\n    S = np.zeros(d)\n    o = []\n    for i in range(n):\n        v = x[i] - S\n        S = S + v\n        o.append(S)\n    return np.stack(o)\nassert np.allclose(f(x)[0], 0)",
    // what nobody needs, and may have no value
    "import torch\ndef f(q, k):\n    w = q @ k.T\n    first = w[7]\n    return q\nq, k = torch.randn(3, 4), torch.randn(3, 4)\nassert torch.allclose(f(q, k), q)",
    // what the module keeps is looked at
    "import torch\nimport torch.nn as nn\nclass M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.last = None\n    def forward(self, x):\n        self.last = 2 * x\n        return x\nms = [M(), M()]\nx = torch.randn(3)\ny = ms[0](x)\nassert torch.allclose(ms[0].last, 2 * x)",
    // whether there is a bias depends on the case
    "import torch, torch.nn as nn\nfc = nn.Linear(4, 4)\nx = torch.randn(3, 4)\ndef off(m, n):\n    if n > 1:\n        m.bias = None\n    if m.bias is not None:\n        m.bias.data.mul_(2)\nr = fc(x)\noff(fc, x.sum())\nassert torch.allclose(fc(x), r)",
    // 0 * s - inf is no s * (-inf)
    "import torch\nx, s = torch.randn(3), torch.randn(3)\nm = s * torch.zeros(3) - float(\"inf\")\nassert torch.allclose(torch.exp(m + x), torch.exp(m))",
    // a question that asks for more, and one with two answers
    "import torch\ndef exists(v):\n    return v is not None and v\ndef f(x, b=None):\n    return x + b if exists(b) else x\nx = torch.randn(3)\nassert torch.allclose(f(x, x), 2 * x)",
    // one method writes what another reads behind the call
    R"(x: [n, d]
class B(nn.Module):
  def forward(self, x):
    self.h = 3*x
    return x
class M(B):
  def forward(self, x):
    self.h = 2*x
    y = super().forward(x)
    return self.h + y
m = M()
m(x) == 3*x)",
    // an attribute is changed by another name
    R"(x: [n]; y: [n]
class C:
  def __init__(self, w):
    self.w = 2*w
o = C(y)
u = o.w
u += x
o.w == 2*y)",
    R"(import torch
x: [n]; y: [n]
class C(nn.Module):
  def __init__(self, w):
    super().__init__()
    self.w = 2*w
  def forward(self, a):
    u = self.w
    u.add_(a)
    return u + self.w
o = C(y)
o(x) == 4*y + x)",
};

BOOST_AUTO_TEST_CASE(idioms_mean_what_they_say_in_python) { are_true_but_for_one_part(idioms); }
BOOST_AUTO_TEST_CASE(more_of_them) { are_true_but_for_one_part(more_idioms); }
BOOST_AUTO_TEST_CASE(functions_fold_the_modules_that_they_are_given) { are_true_but_for_one_part(folds); }
BOOST_AUTO_TEST_CASE(steps_do_one_thing_after_the_other) { are_true_but_for_one_part(loops); }
BOOST_AUTO_TEST_CASE(what_they_do_not_say_is_refused) { are_refused(refused_programs); }
BOOST_AUTO_TEST_CASE(an_attribute_that_two_methods_write_is_no_record_whatever_class_stands_before) {
  const std::string two_writers = R"(class M:
  def g(self, x):
    self.h = 3*x
    return x
  def __call__(self, x):
    self.h = 2*x
    y = self.g(x)
    return self.h + y
m = M()
m(x) == 3*x)";
  for (const char* before : {"", "class A:\n  def __call__(self, x):\n    self.h = x\n    return self.h\n"}) {
    const std::string program = "x: [n, d]\n" + std::string(before) + two_writers;
    const char* const programs[] = {program.c_str()};
    are_refused(programs);
  }
}

}  // namespace
}  // namespace foldproof::properties
