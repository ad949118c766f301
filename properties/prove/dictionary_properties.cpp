// SPDX-License-Identifier: MIT
// Programs that keep weights in dictionaries, in lists of these and in lists of tuples, and give them to functions.
#include "prove/readings.hpp"

namespace foldproof::properties {
namespace {

constexpr Changed true_but_for_one_part[] = {
    // loops over words: in brackets, in a dictionary, as statements, and by a name of the words
    {R"py(import numpy as np
p = {w: np.random.randn(3, 3) for w in ("a", "b")}
x = np.random.randn(2, 3)
q, k = (x @ p[w] for w in ("a", "b"))
assert np.allclose(q - k, x @ (p["a"] - p["b"])))py", R"(w in ("a", "b"))
assert)", R"(w in ("b", "a"))
assert)"},
    {R"py(import numpy as np
names = ["a", "b"]
p = {}
for w in names:
    p[w] = np.random.randn(3, 3)
x = np.random.randn(2, 3)
y = x
for w in "ab":
    y = y @ p[w]
assert np.allclose(y, x @ p["a"] @ p["b"]))py", R"(x @ p["a"] @ p["b"])", R"(x @ p["b"] @ p["a"])"},
    {R"py(import numpy as np
p = {"a": np.random.randn(3, 3), "b": np.random.randn(3, 3)}
x = np.random.randn(2, 3)
assert np.allclose(sum(x @ p[w] for w in ("a", "b")), x @ (p["a"] + p["b"])))py", R"(x @ (p["a"] + p["b"]))", R"(x @ (p["a"] + p["a"]))"},
    {R"py(import numpy as np
params = {'W1': np.random.randn(d, f), 'W2': np.random.randn(f, d)}
def mlp(x, p):
    return np.maximum(x @ p['W1'], 0) @ p['W2']
x = np.random.randn(n, d)
scaled = {'W1': 3 * params['W1'], 'W2': params['W2'] / 3}
assert np.allclose(mlp(x, params), mlp(x, scaled)))py", R"(/ 3})", R"(/ 2})"},
    {R"py(import numpy as np
layers = [(np.random.randn(d, d), np.random.randn(d)) for _ in range(3)]
x = np.random.randn(n, d)
y = x
for W, b in layers:
    y = y @ W + b
W1, b1 = layers[0]; W2, b2 = layers[1]; W3, b3 = layers[2]
assert np.allclose(y, x @ W1 @ W2 @ W3 + b1 @ W2 @ W3 + b2 @ W3 + b3))py", R"(b2 @ W3)", R"(b2 @ W2)"},
    {R"py(import numpy as np
def block(x, p):
    return x + np.maximum(x @ p["W1"] + p["b1"], 0) @ p["W2"]
def model(x, blocks):
    for p in blocks:
        x = block(x, p)
    return x
blocks = [{"W1": np.random.randn(d, f), "b1": np.random.randn(f), "W2": np.random.randn(f, d)} for _ in range(2)]
x = np.random.randn(n, d)
y = block(block(x, blocks[0]), blocks[1])
assert np.allclose(model(x, blocks), y))py", R"(blocks[0]), blocks[1]))", R"(blocks[1]), blocks[0]))"},
    {R"py(import numpy as np
def attention(x, p):
    q, k, v = x @ p["wq"], x @ p["wk"], x @ p["wv"]
    s = q @ k.T
    s = s - s.max(-1, keepdims=True)
    e = np.exp(s)
    return (e / e.sum(-1, keepdims=True)) @ v
def fold_gain(p, g):
    q = dict(p)
    q["wq"] = g[:, None] * p["wq"]
    q["wk"] = g[:, None] * p["wk"]
    q["wv"] = g[:, None] * p["wv"]
    return q
p = {"wq": np.random.randn(d, k), "wk": np.random.randn(d, k), "wv": np.random.randn(d, m)}
g = np.random.randn(d)
x = np.random.randn(n, d)
folded = fold_gain(p, g)
assert np.allclose(attention(x * g, p), attention(x, folded)))py", R"(q["wv"] = g[:, None] * p["wv"])", R"(q["wv"] = p["wv"])"},
    {R"py(import numpy as np
params = {"W": np.random.randn(d, k), "b": np.random.randn(k)}
lin = lambda x, p: x @ p["W"] + p["b"]
twice = {name: 2 * v for name, v in params.items()}
x = np.random.randn(n, d)
assert np.allclose(lin(x, twice), 2 * lin(x, params)))py", R"(name: 2 * v)", R"(name: v)"},
    {R"py(import numpy as np
grads = {"W": np.random.randn(d, k), "b": np.random.randn(k)}
params = {"W": np.random.randn(d, k), "b": np.random.randn(k)}
new = {}
for name in params:
    new[name] = params[name] - 0.1 * grads[name]
x = np.random.randn(n, d)
assert np.allclose(x @ new["W"] + new["b"], x @ params["W"] + params["b"] - 0.1 * (x @ grads["W"] + grads["b"])))py", R"(- 0.1 * (x)", R"(- 0.2 * (x)"},
    {R"py(import numpy as np
Ws = []
for i in range(3):
    Ws.append((np.random.randn(d, d), np.random.randn(d)))
x = np.random.randn(n, d)
h = x
for i, (W, b) in enumerate(Ws):
    h = h @ W + b
W, b = Ws[0]
W2, b2 = Ws[1]
W3, b3 = Ws[2]
assert np.allclose(h, ((x @ W + b) @ W2 + b2) @ W3 + b3))py", R"(@ W3 + b3)", R"(@ W2 + b3)"},
    {R"py(import numpy as np
def linear(x, w, b):
    return x @ w + b
def layer_norm(x, g, b, eps=1e-5):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return g * (x - mean) / np.sqrt(variance + eps) + b
def ffn(x, c_fc, c_proj):
    return linear(np.maximum(linear(x, **c_fc), 0), **c_proj)
def block(x, mlp, ln):
    return x + ffn(layer_norm(x, **ln), **mlp)
mlp = {"c_fc": {"w": np.random.randn(d, f), "b": np.random.randn(f)}, "c_proj": {"w": np.random.randn(f, d), "b": np.random.randn(d)}}
ln = {"g": np.random.randn(d), "b": np.random.randn(d)}
x = np.random.randn(n, d)
folded = {"c_fc": {"w": ln["g"][:, None] * mlp["c_fc"]["w"], "b": mlp["c_fc"]["b"] + ln["b"] @ mlp["c_fc"]["w"]}, "c_proj": mlp["c_proj"]}
plain = {"g": np.ones(d), "b": np.zeros(d)}
assert np.allclose(block(x, mlp, ln), block(x, folded, plain)))py", R"(mlp["c_fc"]["b"] + ln["b"] @ mlp["c_fc"]["w"])", R"(mlp["c_fc"]["b"])"},
    {R"py(import numpy as np
def init(d):
    return {"W": np.random.randn(d, d), "b": np.random.randn(d)}
def lin(x, p): return x @ p["W"] + p["b"]
p, q = init(4), init(4)
x = np.random.randn(3, 4)
assert np.allclose(lin(x, {**p, "b": p["b"] + q["b"]}), lin(x, p) + q["b"]))py", R"(+ q["b"]}))", R"(}))"},
    {R"py(import numpy as np
layers = [(np.random.randn(d, d), np.random.randn(d)) for _ in range(3)]
def mlp(x, layers):
    for W, b in layers[:-1]:
        x = np.maximum(x @ W + b, 0)
    W, b = layers[-1]
    return x @ W + b
x = np.random.randn(n, d)
(A, a), (B, b), (C, c) = layers
assert np.allclose(mlp(x, layers), np.maximum(np.maximum(x @ A + a, 0) @ B + b, 0) @ C + c))py", R"(@ B + b, 0) @ C)", R"(@ C + b, 0) @ B)"},
    {R"py(import numpy as np
def scores(x, attn, scale):
    return scale * (x @ attn["wq"]) @ (x @ attn["wk"]).T
params = {"attn": {"wq": np.random.randn(d, k), "wk": np.random.randn(d, k)}, "scale": 0.5}
x = np.random.randn(n, d)
assert np.allclose(scores(x, **params), x @ (0.5 * params["attn"]["wq"] @ params["attn"]["wk"].T) @ x.T))py", R"(0.5 * params)", R"(params)"},
    {R"py(import numpy as np
cache = {"k": np.random.randn(t, d), "v": np.random.randn(t, m)}
q, k, v = np.random.randn(1, d), np.random.randn(1, d), np.random.randn(1, m)
def attend(q, cache):
    e = np.exp(q @ cache["k"].T)
    return e / e.sum(-1, keepdims=True) @ cache["v"]
def extended(cache, k, v):
    return {"k": np.concatenate([cache["k"], k]), "v": np.concatenate([cache["v"], v])}
e = np.exp(q @ np.concatenate([cache["k"], k]).T)
full = e / e.sum(-1, keepdims=True) @ np.concatenate([cache["v"], v])
assert np.allclose(attend(q, extended(cache, k, v)), full))py", R"(extended(cache, k, v)), full)", R"(cache), full)"},
    {R"py(import numpy as np
n, d = 4, 8
x = np.random.randn(n, d)
cache = {"k": np.zeros((n, d))}
for t in range(n):
    cache["k"][t] = x[t]
assert np.allclose(cache["k"], x))py", "= x[t]", "= 2 * x[t]"},
    // two names for one dictionary; another one of the same name
    {"x: [n, d]; s = {\"scale\": 2}\nt = s\nt[\"scale\"] = 3\nx * s[\"scale\"] == 3 * x", "3 * x", "2 * x"},
    {"x: [n, d]; s = {\"scale\": 2}\nt = dict(s)\nt[\"scale\"] = 3\nx * s[\"scale\"] == 2 * x", "2 * x", "3 * x"},
    {"x: [n, d]; s = {\"scale\": 2}\ns = {\"scale\": 3}\nx * s[\"scale\"] == 3 * x", "3 * x", "2 * x"},
    {R"py(import numpy as np
p = {"a": np.random.randn(3), "b": np.random.randn(3)}
v = np.random.randn(3)
total = np.zeros(3)
for k, v in p.items():
    total = total + v
assert np.allclose(total + v, p["a"] + 2 * p["b"]))py", "2 * p", "3 * p"},
};

/// A function that changes what it was given; what is another thing when it is read; other keys in one list; no such key.
constexpr const char* refused_programs[] = {
    // the word is another one by then, steps that end early, and words that are more by then
    "names = ['a', 'b']\nnames.append('c')\np = {'a': np.random.randn(3), 'b': np.random.randn(3), 'c': np.random.randn(3)}\nassert np.allclose(sum(p[w] for w in names), p['a'] + p['b'])",
    "p = {'a': np.random.randn(3), 'b': np.random.randn(3)}\nfor w in ('a', 'b'):\n    w = 'a'\n    y = p[w]\nassert np.allclose(y, p['a'] + 0)",
    "p = {'a': np.random.randn(3), 'b': np.random.randn(3)}\nfor w in ('a', 'b'):\n    y = p[w]\n    break\nassert np.allclose(y, p['a'] + 0)",
    R"py(import numpy as np
A = np.random.randn(3, 2)
p = {"W": A.copy()}
for k, v in p.items():
    v = v + 1
assert np.allclose(p["W"], A))py",
    R"py(import numpy as np
p = dict(W=np.random.randn(d, d), b=np.random.randn(d))
def f(x, p):
    p["W"] = 2 * p["W"]
    return x @ p["W"]
x = np.random.randn(n, d)
y = f(x, p)
assert np.allclose(y, x @ p["W"]))py",
    R"py(import numpy as np
p = {"W": np.random.randn(d, d)}
def f(x): return x @ p["W"]
x = np.random.randn(n, d)
p = {"W": 2 * p["W"]}
assert np.allclose(f(x), x @ p["W"]))py",
    R"py(import numpy as np
causal = n > 3
p = {"W": np.random.randn(d, d)}
if causal:
    p = {"W": 2 * p["W"]}
else:
    p = {"W": 3 * p["W"]}
x = np.random.randn(n, d)
assert np.allclose(x @ p["W"], 3 * x @ p["W"]))py",
    R"py(import numpy as np
layers = [{"W": np.random.randn(d, d)}, {"W": np.random.randn(d, d), "b": np.random.randn(d)}]
x = np.random.randn(n, d)
assert np.allclose(x @ layers[0]["W"], x))py",
    R"py(import numpy as np
p = {"W": np.random.randn(d, d)}
for layer in [p, p]:
    layer["W"] = 2 * layer["W"]
assert np.allclose(p["W"], p["W"] + 0))py",
    R"py(import numpy as np
p = {"W": np.random.randn(d, d)}
assert np.allclose(p["V"], p["W"] + 0))py",
    R"py(import numpy as np
p = {"W": np.random.randn(d, d)}
assert np.allclose(p, p["W"] + 0))py",
};

}  // namespace

BOOST_AUTO_TEST_CASE(programs_with_dictionaries_are_false_with_another_part) { are_true_but_for_one_part(true_but_for_one_part); }
BOOST_AUTO_TEST_CASE(dictionaries_that_no_claim_can_say_are_refused) { are_refused(refused_programs); }

}  // namespace foldproof::properties
