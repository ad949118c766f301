// SPDX-License-Identifier: MIT
// Loops of JAX and loops that call a function in each step, and arrays that are like others but for some places.
#include "prove/readings.hpp"

namespace foldproof::properties {
namespace {

constexpr Changed true_but_for_one_part[] = {
    // the recurrence of linear attention
    {R"py(import jax
import jax.numpy as jnp
Q: [n, d]; K: [n, d]; V: [n, e]
def linear_attention(q, k, v):
    def step(carry, inputs):
        S, z = carry
        qt, kt, vt = inputs
        S += jnp.outer(kt, vt)
        z += kt
        return (S, z), (qt @ S) / (qt @ z)
    init = (jnp.zeros((q.shape[1], v.shape[1])), jnp.zeros(q.shape[1]))
    return jax.lax.scan(step, init, (q, k, v))[1]
A = jnp.tril(Q @ K.T)
linear_attention(Q, K, V) == (A @ V) / A.sum(axis=1, keepdims=True))py", "z += kt", "z += qt"},
    // softmax with the largest score so far
    {R"py(from jax import lax
import jax.numpy as jnp
s: [n]; v: [n, d]
def body(carry, sv):
    m, l, o = carry
    si, vi = sv
    m_new = jnp.maximum(m, si)
    a = jnp.exp(m - m_new)
    p = jnp.exp(si - m_new)
    return (m_new, a * l + p, a * o + p * vi), None
(m, l, o), _ = lax.scan(body, (-jnp.inf, 0.0, jnp.zeros(d)), (s, v))
o / l == softmax(s) @ v)py", "a * o + p * vi", "o + p * vi"},
    // lambdas, items of what is carried, several outputs, the other way round
    {R"py(import jax
x: [n, d]
_, y = jax.lax.scan(lambda c, v: (c + v, c), jnp.zeros(d), x)
y == jnp.cumsum(x, axis=0) - x)py", "- x", "- 2 * x"},
    {R"py(import jax
A: [n, d]; B: [n, d]
def f(c, ab):
    return c + ab[0] @ ab[1], ab[1]
total, ys = jax.lax.scan(f, 0.0, xs=(A, B))
total * ys == jnp.sum(A * B) * B)py", "ab[1], ab[1]", "ab[0], ab[1]"},
    {R"py(import jax
x: [n, d]; h: [d]
c, (a, b) = jax.lax.scan(lambda c, v: (c + v, (c, 2 * v)), h, x)
b + c == 2 * x + h + x.sum(axis=0))py", "(c, 2 * v)", "(c, v)"},
    {R"py(import jax
x: [3, d]
out = jax.lax.scan(lambda c, v: (c + v, c + v), jnp.zeros(d), x, length=3, reverse=True)
out[1][1] == x[1] + x[2])py", "reverse=True", "reverse=False"},
    {R"py(import jax
x: [d]
c, _ = jax.lax.scan(lambda c, _: (2 * c, None), x, None, length=3)
c == 8 * x)py", "length=3", "length=4"},
    {R"py(import jax
x: [n]
total = jax.lax.fori_loop(0, n, lambda i, c: c + x[i], 0.0)
total == x.sum())py", "c + x[i]", "c - x[i]"},
    {R"py(import jax
x: [n]
def step(c, a):
    c = c + a
    return c, c
_, ys = jax.lax.scan(step, 0.0, x)
ys == np.cumsum(x))py", "c = c + a", "c = c - a"},
    // what the function reads is what it is when it is called
    {R"py(import jax
x: [n, d]
g = 2
def step(c, v):
    return c + g * v, None
g = 3
c, _ = jax.lax.scan(step, jnp.zeros(d), x)
c == 3 * x.sum(axis=0))py", "c == 3", "c == 2"},
    // all parts are computed before the first name gets one
    {R"py(x: [n, d]; y: [n, d]
def swap(a, b):
    return b, a
a, b = x[0], y[0]
for t in range(3):
    a, b = swap(a, b)
a == y[0])py", "range(3)", "range(2)"},
    {R"py(Q: [n, d]; K: [n, d]; V: [n, e]
def step(S, qkv):
    q, k, v = qkv
    S = S + np.outer(k, v)
    return S, q @ S
S = np.zeros((d, e))
ys = []
for t in range(Q.shape[0]):
    S, y = step(S, (Q[t], K[t], V[t]))
    ys.append(y)
np.stack(ys) == np.tril(Q @ K.T) @ V)py", "np.outer(k, v)", "np.outer(q, v)"},
    {R"py(x: [n, d]
step = lambda c, v: (c + v, c)
c = np.zeros(d)
ys = []
for t in range(n):
    c, y = step(c, x[t])
    ys.append(y)
np.stack(ys) == np.cumsum(x, axis=0) - x)py", "(c + v, c)", "(c + v, c + v)"},
    // _ is a name as any other
    {R"py(import jax
x: [n]
_ = x
_, ys = jax.lax.scan(lambda c, v: (c + v, c), 0.0, x)
_ == x.sum())py", "_ == x.sum()", "_ == x"},
    {R"py(x: [n]; y: [n]
def f(a):
    return a, 2 * a
_ = x
for t in range(2):
    b, _ = f(y)
b + _ == 3 * y)py", "b + _ == 3 * y", "_ == x"},
    // a cache that grows, given from step to step as a whole
    {R"py(q: [n, d]; k: [n, d]; v: [n, e]
def step(q, k, v, cache):
    K, V = cache
    K = np.concatenate([K, k[None]])
    V = np.concatenate([V, v[None]])
    return softmax(q @ K.T) @ V, (K, V)
cache = (np.zeros((0, d)), np.zeros((0, e)))
outs = []
for t in range(n):
    o, cache = step(q[t], k[t], v[t], cache)
    outs.append(o)
np.stack(outs) == softmax(q @ k.T + causal(n)) @ v)py", "softmax(q @ K.T) @ V, (K, V)", "softmax(k @ K.T) @ V, (K, V)"},
    {R"py(x: [n, d]; y: [n, d]
def swap(c):
    a, b = c
    return (b, a), a
c = (x[0], y[0])
before = c
for t in range(3):
    c, z = swap(c)
a, b = before
e, f = c
a + 2 * e + z == 2 * x[0] + 2 * y[0])py", "range(3)", "range(2)"},
    // x.at[places]
    {R"py(import jax.numpy as jnp
x: [n, d]
y = x.at[0].set(0)
x[0] + y[0] == x[0])py", "x.at[0].set(0)", "x.at[0].set(1)"},
    {R"py(import jax.numpy as jnp
x: [n, d]; v: [d]
x.at[0].add(v).sum(axis=0) == x.sum(axis=0) + v)py", ".add(v)", ".subtract(v)"},
    {R"py(import jax.numpy as jnp
S: [n, n]
S.at[jnp.triu_indices(n, 1)].set(0) == jnp.tril(S))py", "triu_indices(n, 1)", "triu_indices(n, 0)"},
    {R"py(import jax.numpy as jnp
x: [3, d]; v: [d]
jnp.zeros((3, d)).at[0].set(v).at[1].max(v).at[2].multiply(v)[1] == relu(v))py", ".max(v)", ".min(v)"},
    {R"py(import jax
x: [n]
jax.nn.softmax(x) == jax.nn.softmax(x - jax.lax.stop_gradient(x.max())))py", "x - jax", "2 * x - jax"},
};

constexpr const char* refused[] = {
    // what the tuple was made of has another value when the loop begins
    R"py(import jax
x: [n]; h: []
init = (h, 0.0)
h = h + 1
def step(c, v):
    a, b = c
    return (a + v, b + v), None
(a, b), _ = jax.lax.scan(step, init, x)
a == x.sum() + h)py",
    R"py(import jax
x: [n]; y: [n]
xs = (x, y)
x = 2 * x
def step(c, v):
    a, b = v
    return c + a * b, None
c, _ = jax.lax.scan(step, 0.0, xs)
c == x @ y)py",
    // -k is no place from the beginning, and -t of a list of places are several
    R"py(x: [n]; z: [k]
assume k <= n
y = x.copy()
y[-k] = 5
y[0] == 5)py",
    R"py(import jax.numpy as jnp
x: [3]
t = jnp.array([1, 2])
x.at[-t].set(5)[2] == x[2])py",
    // the function reads another g than the one beside the loop
    R"py(import jax
x: [n, d]
g = 2
def step(c, v):
    return c + g * v, None
def run(x, g):
    c, _ = jax.lax.scan(step, jnp.zeros(d), x)
    return c
run(x, 5) == 5 * x.sum(axis=0))py",
    // it changes its argument in place, which NumPy does to the array that was given
    R"py(x: [n, d]
def step(c, v):
    c += v
    return c, c
c = x[0]
for t in range(1, n):
    c, y = step(c, x[t])
x[0] == x[0])py",
    // two functions of one name
    R"py(import jax
x: [n, d]
def step(c, v):
    return c + v, None
def step(c, v):
    return c - v, None
c, _ = jax.lax.scan(step, jnp.zeros(d), x)
c == x.sum(axis=0))py",
    // one item of three
    R"py(import jax
A: [n, d]; B: [n, d]
def f(c, abc):
    a, b, c = abc
    return c, None
total, _ = jax.lax.scan(f, 0.0, (A, B))
total == 0)py",
    // a list of places may name one twice, and both are added
    R"py(import jax.numpy as jnp
x: [n, d]; t: [m]; v: [d]
x.at[t].add(v) == x + jnp.sum(onehot(t, n), axis=0)[:, None] * v)py",
    R"py(import jax.numpy as jnp
x: [n, d]; v: [2, d]
x.at[[0, 0]].add(v)[0] == x[0] + v[1])py",
};

BOOST_AUTO_TEST_CASE(steps_of_loops_are_what_their_function_does) { are_true_but_for_one_part(true_but_for_one_part); }
BOOST_AUTO_TEST_CASE(steps_that_are_not_known_are_refused) { are_refused(refused); }

}  // namespace
}  // namespace foldproof::properties
