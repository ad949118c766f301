// SPDX-License-Identifier: MIT
// Attention that is written out entry by entry, with conditions on the indices of its loops.
#include "prove/readings.hpp"

namespace foldproof::properties {
namespace {

constexpr Changed true_but_for_one_part[] = {
    {R"py(Q: [n, d]; K: [n, d]
S = np.zeros((n, n))
for i in range(n):
    for j in range(n):
        if j <= i:
            S[i, j] = Q[i] @ K[j]
S == np.tril(Q @ K.T))py", "j <= i", "j < i"},
    {R"py(Q: [n, d]; K: [n, d]
S = np.zeros((n, n))
for i in range(n):
    for j in range(n):
        if j <= i:
            S[i, j] = Q[i] @ K[j]
        else:
            S[i, j] = -np.inf
softmax(S) == softmax(Q @ K.T + causal(n)))py", "j <= i", "j >= i"},
    {R"py(Q: [n, d]; K: [n, d]
S = np.zeros((n, n))
for i in range(n):
    for j in range(n):
        S[i, j] = Q[i] @ K[j]
        if j > i:
            S[i, j] = -np.inf
softmax(S) == softmax(Q @ K.T + causal(n)))py", "j > i", "i > j"},
    {R"py(Q: [n, d]; K: [n, d]
S = np.full((n, n), -np.inf)
for i in range(n):
    for j in range(i + 1):
        S[i, j] = Q[i] @ K[j]
softmax(S) == softmax(Q @ K.T + causal(n)))py", "Q[i] @ K[j]", "K[i] @ Q[j]"},
    {R"py(Q: [n, d]; K: [n, d]
S = np.zeros((n, n))
for i in range(n):
    for j in range(i + 1, n):
        S[i, j] = Q[i] @ K[j]
S == np.triu(Q @ K.T, 1))py", "range(i + 1, n)", "range(i, n)"},
    {R"py(Q: [n, d]; K: [n, d]
S = np.zeros((n, n))
for i in range(n):
    for j in range(n):
        S[i, j] = Q[i] @ K[j] if 0 <= i - j < 3 else 0
S == np.triu(np.tril(Q @ K.T), -2))py", "i - j < 3", "i - j < 2"},
    {R"py(Q: [n, d]; K: [n, d]; V: [n, v]
O = []
for i in range(n):
    num, den = 0, 0
    for j in range(n):
        if j > i:
            continue
        w = np.exp(Q[i] @ K[j])
        num += w * V[j]
        den += w
    O.append(num / den)
np.stack(O) == softmax(Q @ K.T + causal(n)) @ V)py", "num += w * V[j]", "num += w * V[i]"},
    {R"py(import torch
Q: [n, d]; K: [n, d]; V: [n, v]
def naive(q, k, v):
    n, d = q.shape
    out = torch.zeros(n, v.shape[1])
    for i in range(n):
        scores = torch.zeros(n)
        for j in range(n):
            scores[j] = q[i] @ k[j] / d**0.5 if j <= i else float('-inf')
        out[i] = torch.softmax(scores, dim=0) @ v
    return out
naive(Q, K, V) == torch.softmax(Q @ K.T / d**0.5 + causal(n), dim=-1) @ V)py", "j <= i", "not j < i"},
    {R"py(Q: [n, d]; K: [n, d]; V: [n, v]
O = np.zeros((n, v))
for i in range(n):
    s = np.zeros(n)
    for j in range(n):
        if j <= i and j != 0:
            s[j] = Q[i] @ K[j]
    O[i] = s @ V
O == np.tril(Q @ K.T) @ V - np.outer(Q @ K[0], V[0]))py", "j <= i and", "j <= i or"},
    {R"py(Q: [n, d]; K: [n, d]
S = np.array([[Q[i] @ K[j] if j <= i else -np.inf for j in range(n)] for i in range(n)])
softmax(S) == softmax(Q @ K.T + causal(n)))py", "j <= i", "i <= j"},
};

constexpr const char* refused[] = {
    // a later step writes over what an earlier one has given: y[i] is x[i] in the end, and no sum
    R"py(x: [n]
y = np.zeros(n)
for i in range(n):
    for j in range(n):
        if j <= i:
            y[i] = x[j]
y == x)py",
    // an array of whole numbers cuts off what it gets
    R"py(Q: [n, d]; K: [n, d]
S = np.full((n, n), 2)
for i in range(n):
    for j in range(n):
        if j <= i:
            S[i, j] = Q[i] @ K[j]
S == np.where(np.tri(n) == 1, Q @ K.T, 2))py",
    // it is read before the loop fills it
    R"py(Q: [n, d]; K: [n, d]
S = np.full((n, n), -1.0)
T = S + 1
for i in range(n):
    for j in range(n):
        if j <= i:
            S[i, j] = Q[i] @ K[j]
T == np.ones((n, n)))py",
    // the places are not those that the loops go through
    R"py(x: [n]
S = np.full((n + 1, n), -1.0)
for i in range(n):
    for j in range(n):
        if j <= i:
            S[i, j] = x[j]
S[n] == np.zeros(n))py",
    // all entries of an array are compared at once, which is no truth value
    R"py(x: [n]; c: [n]
s = 0
for i in range(n):
    if c < i:
        s = s + x[i]
s == 0)py",
    // what the places get is computed before the loop
    R"py(x: [n]
c = 2.0
S = np.full((n, n), 0.5 * c)
c = 4.0
for i in range(n):
    for j in range(n):
        if j < i:
            S[i, j] = x[i]
S[0, 0] == 2)py",
    // an array of truth values
    R"py(x: [n]
S = np.full((n, n), 1.0 < 2)
for i in range(n):
    for j in range(n):
        if i >= j:
            S[i, j] = x[j]
S[n - 1, 0] == x[0])py",
    // an index of its own, and one that the loop around it has, too
    R"py(x: [n]
s = 0
for i in range(n):
    s += sum([x[i] if i >= 0 else 0 for i in range(-1, 1) for k in range(1)])
s == n * (x[0] + x[n - 1]))py",
    R"py(x: [n]
r = 0
for j in range(n):
    s = np.zeros(n)
    for j in range(n):
        s[j] = x[j]
    r += x[j]
r == x.sum())py",
    // a sum that nothing is added to stays a number, and of two cases Python takes one with its shape
    R"py(x: [n, d]
s = 0
for i in range(n):
    if i > 0:
        s += x[i]
np.sum(s + 1) == np.sum(x[1:]) + d)py",
    R"py(x: [n, d]
r = 0
for i in range(n):
    w = x[i] if i > 0 else 1
    r += np.sum(w)
r == x.sum() - x[0].sum() + d)py",
    R"py(x: [n]
O = []
for i in range(n):
    s = np.zeros(n)
    for j in range(n):
        s[j] = x[j:j + 1]
    O.append(np.sum(s + x))
np.stack(O) == n * x.sum() * 2 * np.ones(n))py",
    // the index gets another value
    R"py(x: [n, d]
s = 0
for i in range(n):
    i = 0
    if i < 1:
        s = s + x[i]
s == x[0])py",
};

BOOST_AUTO_TEST_CASE(conditions_on_indices_are_masks) { are_true_but_for_one_part(true_but_for_one_part); }
BOOST_AUTO_TEST_CASE(conditions_of_other_kinds_are_refused) { are_refused(refused); }

}  // namespace
}  // namespace foldproof::properties
