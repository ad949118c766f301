// SPDX-License-Identifier: MIT
// Programs that draw a matrix and take it apart: the factors are any, and the matrix is made of them.
#include "prove/readings.hpp"

namespace foldproof::properties {
namespace {

constexpr Changed true_but_for_one_part[] = {
    {R"(import numpy as np
W = np.random.randn(3, 2)
U, S, Vt = np.linalg.svd(W, full_matrices=False)
assert np.allclose((U * S) @ Vt, W))",
     "@ Vt", "@ Vt.T"},
    {R"(import numpy as np
n, d = 2, 3
W = np.random.randn(n, d) / np.sqrt(d)
U, S, Vt = np.linalg.svd(W)
assert np.allclose(U @ np.diag(S) @ Vt[:n], W))",
     "np.diag(S)", "np.diag(S**2)"},
    {R"(import torch
W = 0.02 * torch.randn(3, 3)
U, S, Vh = torch.linalg.svd(W)
assert torch.allclose((W**2).sum(), (S**2).sum()))",
     "(S**2).sum()", "S.sum()"},
    {R"(import numpy as np
s = np.linalg.svd(np.random.randn(3, 3))[1]
assert s[0] >= s[2])",
     "s[0] >= s[2]", "s[2] >= s[0]"},
    {R"(import numpy as np
d = 3
x, y = np.random.randn(4, d), np.random.randn(2, d)
Q, _ = np.linalg.qr(np.random.randn(d, d))
assert np.allclose((x @ Q) @ (y @ Q).T, x @ y.T))",
     "(y @ Q).T", "(y @ Q.T).T"},
    {R"(import numpy as np
A = np.random.randn(3, 2)
Q, R = np.linalg.qr(A)
assert np.allclose(A.T @ A, R.T @ R))",
     "R.T @ R", "R @ R.T"},
    {R"(import numpy as np
A = np.random.randn(3, 2)
Q, R = np.linalg.qr(A)
assert np.allclose(Q.T @ Q, np.eye(2)))",
     "Q.T @ Q, np.eye(2)", "Q @ Q.T, np.eye(3)"},
    {R"(import numpy as np
A = np.random.randn(2, 3)
Q, R = np.linalg.qr(A)
assert np.allclose(np.tril(R, -1), 0))",
     "np.tril(R, -1)", "np.triu(R, 1)"},
    {R"(import numpy as np
from scipy.stats import ortho_group
Q = ortho_group.rvs(3)
x = np.random.randn(2, 3)
assert np.allclose(np.sum((x @ Q)**2, axis=1), np.sum(x**2, axis=1)))",
     "(x @ Q)", "(x + Q[:2])"},
    {R"(import torch
Q = torch.nn.init.orthogonal_(torch.empty(3, 3))
x = torch.randn(2, 3)
assert torch.allclose(x @ Q @ Q.T, x))",
     "Q.T", "Q"},
    // functions that draw, and that take apart what they are given
    {R"(import numpy as np
def rotation(n):
    Q, _ = np.linalg.qr(np.random.randn(n, n))
    return Q
A, B = rotation(3), rotation(3)
x = np.random.randn(2, 3)
assert np.allclose(x @ A @ A.T, x))",
     "@ A.T", "@ B.T"},
    {R"(import numpy as np
def split(W, r):
    U, S, Vt = np.linalg.svd(W, full_matrices=False)
    return U[:, :r] * S[:r], Vt[:r]
W = np.random.randn(3, 2)
A, B = split(W, 2)
assert np.allclose(A @ B, W))",
     "split(W, 2)", "split(W, 1)"},
};

constexpr const char* refused[] = {
    // another matrix by then, or nothing that is drawn
    "W = np.random.randn(3, 2)\nW[0] = 0\nU, S, Vt = np.linalg.svd(W, full_matrices=False)\nassert np.allclose((U * S) @ Vt, W)",
    "W = np.random.randn(3, 2)\nW = 2 * W\nU, S, Vt = np.linalg.svd(W, full_matrices=False)\nassert np.allclose((U * S) @ Vt, W)",
    "A, B = np.random.randn(3, 1), np.random.randn(1, 2)\nU, S, Vt = np.linalg.svd(A @ B, full_matrices=False)\nassert np.allclose((U * S) @ Vt, A @ B)",
    "W = np.random.rand(3, 2)\nU, S, Vt = np.linalg.svd(W, full_matrices=False)\nassert np.allclose((U * S) @ Vt, W)",
    "A = np.random.randn(3, 3)\nW = A + A.T\nU, S, Vt = np.linalg.svd(W)\nassert np.allclose((U * S) @ Vt, W)",
    "A = np.random.randn(3, 3)\nW = 2 * A\nU, S, Vt = np.linalg.svd(W)\nassert np.allclose((U * S) @ Vt, 2 * A)",
    "W = 0 * np.random.randn(3, 3)\nU, S, Vt = np.linalg.svd(W)\nassert np.allclose(W, 0 * W)",
    "W = np.random.randn(3, 3)\nprint(f(W))\nfill(W)\nU, S, Vt = np.linalg.svd(W)\nassert np.allclose((U * S) @ Vt, W)",
    // more or less than the factors
    "U, S = np.linalg.svd(np.random.randn(3, 3))\nassert np.allclose(U, S)",
    "W = np.random.randn(3, 3)\nS = np.linalg.svd(W, compute_uv=False)\nassert np.allclose(S.sum(), S.sum() + 0)",
    "Q, R = scipy.linalg.qr(np.random.randn(3, 2))\nassert np.allclose(Q.T @ Q, np.eye(3))",
    "Q1 = ortho_group.rvs(3, random_state=0)\nQ2 = ortho_group.rvs(3, random_state=0)\nassert np.allclose(Q1, Q2 + 0)",
    "W = np.random.randn(3, 3)\nU, S, Vt = np.linalg.svd(W)\nQ, R = np.linalg.qr(W)\nassert np.allclose((U * S) @ Vt, Q @ R)",
};

/// What a function reads where it is called, and what it keeps.
constexpr Changed kept_values[] = {
    {"x, W = np.random.randn(4, 6), np.random.randn(3, 6, 2)\nfs = []\nfor i in range(3):\n    fs.append(lambda z, i=i: z @ W[i])\nassert np.allclose(np.concatenate([f(x) for f in fs], axis=1), np.concatenate([x @ W[j] for j in range(3)], axis=1))", "W[j]", "W[2 - j]"},
    {"x, W = np.random.randn(4, 6), np.random.randn(3, 6, 2)\nfs = []\nfor i in range(3):\n    w = W[i]\n    fs.append(lambda z, w=w: z @ w)\nassert np.allclose(sum(f(x) for f in fs), sum(x @ W[j] for j in range(3)))", "W[j]", "W[2]"},
};
constexpr const char* read_late[] = {
    "x, W = np.random.randn(4, 6), np.random.randn(3, 6, 2)\nfs = []\nfor i in range(3):\n    fs.append(lambda z: z @ W[i])\nassert np.allclose(sum(f(x) for f in fs), sum(x @ W[j] for j in range(3)))",
    "x, W = np.random.randn(4, 6), np.random.randn(3, 6, 2)\nfs = []\nfor i in range(3):\n    fs += [lambda z: z @ W[i]]\nassert np.allclose(sum(f(x) for f in fs), sum(x @ W[j] for j in range(3)))",
    "x, W = np.random.randn(4, 6), np.random.randn(3, 6, 2)\nfs = []\nfor w in W:\n    fs.append(lambda z: z @ w)\nassert np.allclose(sum(f(x) for f in fs), sum(x @ W[j] for j in range(3)))",
    "x, W = np.random.randn(4, 6), np.random.randn(3, 6, 2)\nfs = []\ni = 0\nwhile i < 3:\n    fs.append(lambda z: z @ W[i])\n    i += 1\nassert np.allclose(sum(f(x) for f in fs), sum(x @ W[j] for j in range(3)))",
    "x, W = np.random.randn(4, 6), np.random.randn(6, 2)\nfs = []\nfs.append(lambda z: z @ W)\nW[0] = 0\nassert np.allclose(fs[0](x), x @ W + 0)",
    "x, W = np.random.randn(4, 6), np.random.randn(3, 6, 2)\nfs = []\ni = 0\nfs.append(lambda z: z @ W[i])\ni = 1\nassert np.allclose(fs[0](x), x @ W[0])",
};

}  // namespace

BOOST_AUTO_TEST_CASE(factors_of_what_is_drawn_are_any_factors) { are_true_but_for_one_part(true_but_for_one_part); }
BOOST_AUTO_TEST_CASE(other_factors_are_not_known) { are_refused(refused); }
BOOST_AUTO_TEST_CASE(a_list_of_functions_keeps_values_that_are_given_to_them) { are_true_but_for_one_part(kept_values); }
BOOST_AUTO_TEST_CASE(what_functions_read_late_is_not_that_of_their_step) { are_refused(read_late); }

}  // namespace foldproof::properties
