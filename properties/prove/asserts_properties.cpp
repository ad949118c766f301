// SPDX-License-Identifier: MIT
// Programs that assert something in each step of a loop, and functions that do nothing else, with what they draw.
#include "prove/readings.hpp"

namespace foldproof::properties {
namespace {

constexpr Changed true_but_for_one_part[] = {
    {R"py(import numpy as np
def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
n, d = 5, 4
Q, K, V = np.random.randn(n, d), np.random.randn(n, d), np.random.randn(n, d)
S = np.where(np.tril(np.ones((n, n))) == 1, Q @ K.T / np.sqrt(d), -np.inf)
full = softmax(S) @ V
for t in range(n):
    row = softmax(Q[t] @ K[:t+1].T / np.sqrt(d)) @ V[:t+1]
    assert np.allclose(row, full[t]), f"row {t}")py", "Q[t] @ K", "2 * Q[t] @ K"},
    {R"py(import numpy as np
for seed in range(100):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((5, 4))
    A, B = rng.standard_normal((4, 4)), rng.standard_normal((4, 4))
    np.testing.assert_allclose((X @ A) @ B, X @ (A @ B), err_msg=f"{seed}"))py", "X @ (A @ B)", "X @ (B @ A)"},
    {R"py(import torch
W = torch.randn(4, 3)
for n in (1, 2, 7):
    for b in (1, 3):
        X = torch.randn(b, n, 4)
        torch.testing.assert_close((2 * X) @ W, 2 * (X @ W)))py", "2 * (X @ W)", "n * (X @ W)"},
    {R"py(import numpy as np
H, n, d = 3, 5, 4
X, Wq = np.random.randn(n, d), np.random.randn(H, d, d)
Q = np.einsum('nd,hdk->hnk', X, Wq)
for h in range(H):
    assert Q[h].shape == (n, d)
    assert np.allclose(Q[h], X @ Wq[h]))py", "X @ Wq[h])", "X @ Wq[h].T)"},
    {R"py(import numpy as np
x = np.random.randn(4)
total = 0
for k in range(4):
    total = total + x[k]
    assert total == x[:k + 1].sum())py", "[:k + 1].sum()", "[:k + 1].sum() + k"},
};
BOOST_AUTO_TEST_CASE(what_is_asserted_in_each_step_is_claimed_of_all_steps) { are_true_but_for_one_part(true_but_for_one_part); }

constexpr Changed true_functions[] = {
    {R"py(import sys
import numpy as np
class Lin:
    def __init__(self, d, k, rng):
        self.W = rng.standard_normal((d, k))
    def __call__(self, x):
        return x @ self.W
def make(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.standard_normal((n, 4))
def main() -> int:
    rng = np.random.default_rng(0)
    lin, x = Lin(4, 3, rng), make(rng, 5)
    assert np.allclose(lin(2 * x), 2 * lin(x)), "not linear"
    return 0
if __name__ == "__main__":
    sys.exit(main()))py", "2 * lin(x)", "3 * lin(x)"},
    {R"py(import numpy as np
import pytest
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("n, d", [(2, 3), (4, 5)])
def test_scale(seed, n, d, c: float = 3.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    np.testing.assert_allclose((c * x).sum(0), c * x.sum(0)))py", "c * x.sum(0)", "d * x.sum(0)"},
    {R"py(import numpy as np
x = np.random.default_rng(0).normal(size=(3, 4))
y = np.random.default_rng(1).normal(size=(3, 4))
assert np.allclose(x - y, -(y - x)))py", "-(y - x)", "y - x"},
};
BOOST_AUTO_TEST_CASE(functions_that_only_assert_are_what_they_do) { are_true_but_for_one_part(true_functions); }

constexpr const char* refused_draws[] = {
    // The same numbers twice.
    "import numpy as np\na = np.random.default_rng(0).normal(size=3)\nb = np.random.default_rng(0).normal(size=3)\nassert np.allclose(a, b)",
    "import numpy as np\ndef test_a():\n    r, s = np.random.default_rng(0), np.random.default_rng(0)\n    a, b = r.normal(size=3), s.normal(size=3)\n    assert np.allclose(a, b)",
    "import numpy as np\ndef f():\n    rng = np.random.default_rng(0)\n    return rng.normal(size=3)\na, b = f(), f()\nassert np.allclose(a, b)",
    "import numpy as np\nL = [np.random.default_rng(0).normal(size=3) for _ in range(2)]\nassert np.allclose(L[0], L[1])",
    "import numpy as np\nfor seed in range(2):\n    r, s = np.random.default_rng(seed), np.random.default_rng(seed)\n    assert np.allclose(r.normal(size=3), s.normal(size=3))",
    "import torch\nimport torch.nn as nn\ntorch.manual_seed(0)\na = nn.Linear(3, 3)\ntorch.manual_seed(0)\nb = nn.Linear(3, 3)\nassert torch.allclose(a.weight, b.weight)",
    "import numpy as np\nL = []\nfor i in range(2):\n    L.append(np.random.default_rng(0).normal(size=3))\nassert np.allclose(L[0], L[1])",
};
BOOST_AUTO_TEST_CASE(equal_numbers_are_not_drawn_twice) { are_refused(refused_draws); }

constexpr const char* refused_programs[] = {
    // By nobody.
    "import numpy as np\ndef check(a, b):\n    assert np.allclose(a @ b, b @ a)",
    // In no step.
    "x: [3]\nfor t in range(0):\n    assert np.allclose(x, 2 * x)",
    "import pytest\n@pytest.mark.parametrize('n', [])\ndef test_a(n):\n    x = np.random.randn(3)\n    assert np.allclose(x, 2 * x)",
    // With what a name was where the function is defined.
    "x: [3]\nk = 2\ndef test_a(c=k):\n    assert np.allclose(c * x, 3 * x)\nk = 3",
    // In a case of the loop, which is not taken in each step.
    R"py(import numpy as np
x = np.random.randn(4)
for k in range(4):
    if x[k] > 0:
        assert np.allclose(abs(x[k]), x[k]))py",
    // Of as many steps as a size says, of which each has a shape of its own.
    R"py(import numpy as np
n = X.shape[0]
for k in range(1, n):
    assert np.allclose(X[:k] @ W, (X @ W)[:k]))py",
};
BOOST_AUTO_TEST_CASE(steps_that_no_claim_can_say_are_refused) { are_refused(refused_programs); }

}  // namespace
}  // namespace foldproof::properties
