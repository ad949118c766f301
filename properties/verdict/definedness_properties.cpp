// SPDX-License-Identifier: MIT
// Claims that have values on both sides nowhere are invalid, proof or not; claims that have values only far out, at certain sizes
// or at certain matrices keep their verdict.
#include <boost/test/unit_test.hpp>
#include <string>

#include "expr/operators.hpp"
#include "kernel/claims.hpp"
#include "numeric/evaluate.hpp"
#include "numeric/undefined.hpp"
#include "refute/defined.hpp"
#include "verdict/decide.hpp"

namespace foldproof::properties {
namespace {

using refute::Definedness;
using verdict::Reason;
using verdict::Verdict;

struct Empty {
  const char* claim;
  const char* part;  ///< that is named
};

constexpr Empty nowhere_defined[] = {
    {"A: [8, 2]; B: [2, 8]; inv(A @ B) @ (A @ B) == eye(8)", "inv(A @ B)"},
    {"A: [512, 64]; B: [64, 512]; inv(A @ B) @ (A @ B) == eye(512)", "inv(A @ B)"},
    {"X: [64, 64]; sqrt(-1 - X**2)**2 == -1 - X**2", "sqrt(-1 - X**2)"},
    {"S: [8, 8]; softmax(np.where(np.tril(np.ones((8, 8)), -1) == 1, S, -np.inf)).sum(-1) == np.ones(8)", "softmax(np.where(np.tril(np.ones((8, 8)), -1) == 1, S, -np.inf))"},
    {"S: [512, 512]; softmax(np.where(np.tril(np.ones((512, 512)), -1) == 1, S, -np.inf)).sum(-1) == 1", "softmax(np.where(np.tril(np.ones((512, 512)), -1) == 1, S, -np.inf))"},
    {"x: []; 1 / (x - x) == 2", "1 / (x - x)"},
    {"d: []; 1 / (n - n) == 7", "1 / (n - n)"},
    {"X: [n, d]; Y: [n, d]; X / zeros(n, d) == Y", "X / zeros(n, d)"},
    {"A: [d, d]; B: [d, d]; inv(A - A) == B", "inv(A - A)"},
    {"A: [d, d]; inv(zeros(d, d)) == eye(d)", "inv(zeros(d, d))"},
    {"A: [d, d]; assume A == zeros(d, d); inv(A) == A", "inv(A)"},
    {"A: [n, m]; B: [n, m]; assume colsum(A) == zeros(1, m); A / colsum(A) == B", "A / colsum(A)"},
    {"S: [n, m]; D: [n, m]; D / (1 - rowsum(softmax(S))) == 5 * D", "D / (1 - rowsum(softmax(S)))"},
    {"S: [n, m]; softmax(S) / (rowsum(softmax(S)) - 1) == S", "softmax(S) / (rowsum(softmax(S)) - 1)"},
    {"X: [n, d]; Y: [n, 1]; rowsum(X) / mean(X - mean(X)) == Y", "rowsum(X) / mean(X - mean(X))"},
    {"X: [n, d]; W: [d, k]; P: [d, d]; assume P @ P == P; inv(P @ (eye(d) - P)) @ W == 2 * W", "inv(P @ (eye(d) - P))"},
    {"S: [n, n]; rowsum(softmax(S + neginf(triu(ones(n, n), 1)))) == ones(n, 1)", "softmax(S + neginf(triu(ones(n, n), 1)))"},
    {"X: [n, 1]; layernorm(X) == zeros(n, 1)", "layernorm(X)"},
    {"x: []; assume x < 0; sqrt(x)**2 == x", "sqrt(x)"},
    {"x: []; assume x < 0; exp(log(x)) == x", "log(x)"},
    {"x: []; sqrt(-1)**2 == -1", "sqrt(-1)"},
    {"X: [n, d]; rmsnorm(X * 0) * 2 == rmsnorm(0 * X)", "rmsnorm(X * 0)"},
    {"A: [n, n]; inv(A - A) == A + A @ A", "inv(A - A)"},  // not proved either
};

/// Proved, with values only where a search for small numbers hardly looks.
constexpr const char* somewhere_defined[] = {
    "x: []; log(x - 100) * 2 == log(x - 100) + log(x - 100)",
    "x: []; sqrt((x - 100) * (101 - x)) * 2 == 2 * sqrt((x - 100) * (101 - x)) + 0",
    "x: []; assume x > 0; log(1/10000 - x) * 2 == log(1/10000 - x) + log(1/10000 - x)",
    "x: []; log(log(log(x))) * 2 == log(log(log(x))) + log(log(log(x)))",
    "x: []; sqrt(x) * sqrt(-x) * 2 == sqrt(x) * 2 * sqrt(-x)",
    "X: [n, d]; log(n - 10) * X * 2 == X * log(n - 10) * 2",
    "X: [n, d]; X / sqrt(n - d - 64) * 2 == 2 * X / sqrt(n - d - 64)",
    "X: [n, d]; X[:, 5:9] * 2 / sum(X) == X[:, 5:9] / sum(X) * 2",
    "X: [n, d]; log(1 - rowsum(X*X)) * 2 == 2 * log(1 - rowsum(X*X)) + 0",
    "S: [n, m]; log(1 - softmax(S)) * 2 == log(1 - softmax(S)) + log(1 - softmax(S))",
    "S: [n, n]; log(softmax(S + causal(n))) * 2 == 2 * log(softmax(S + causal(n))) + 0",
    "S: [n, m]; sqrt(1 - rowsum(softmax(S))) * 2 == 2 * sqrt(1 - rowsum(softmax(S))) + 0",
    "X: [n, d]; l2norm(relu(-X)) * 2 == l2norm(relu(-X)) + l2norm(relu(-X))",
    "X: [n, d]; layernorm(relu(X)) * 2 == layernorm(relu(X)) + layernorm(relu(X))",
    "A: [d, d]; inv(A - A.T) * 2 == inv(A - A.T) + inv(A - A.T)",
    "A: [d, d]; assume trace(A) == 0; inv(A) * 2 == inv(A) + inv(A)",
    "A: [d, d]; assume A.T == -A; inv(A) * 2 == inv(A) + inv(A)",
    "A: [d, d]; B: [d, d]; inv(A @ B - B @ A) * 2 == 2 * inv(A @ B - B @ A) + 0",
    "A: [d, d]; B: [d, d]; sqrt(det(A @ B)) * 2 == 2 * sqrt(det(A @ B)) + 0",
    "R: [d, d]; assume orthogonal(R); log(R) * 2 == log(R) + log(R)",
    "P: [d, d]; assume permutation(P); X: [n, d]; X @ P / (trace(P) - d) == (X / (trace(P) - d)) @ P",
    "P: [n, m]; assume rowstochastic(P); log(P) * 2 == log(P) + log(P)",
    "S: [n, n]; i = np.arange(n)[:, None]; j = np.arange(n)[None, :]; softmax(np.where(abs(i - j) > 2, S, -np.inf)) == softmax(np.where(abs(i - j) > 2, S + 1, -np.inf))",
    "M: [n, m]; assume mask01(M); S: [n, m]; rowsum(softmax(S + neginf(M))) == ones(n, 1)",
    "A: [64, 64]; inv(A) * 2 == inv(A) + inv(A)",
    "A: [512, 512]; inv(A) @ A == eye(512)",
    "A: [2, 8]; B: [8, 2]; inv(A @ B) @ (A @ B) == eye(2)",
    "A: [64, 512]; B: [512, 64]; inv(A @ B) @ (A @ B) == eye(64)",
    "S: [512, 512]; i = np.arange(512)[:, None]; j = np.arange(512)[None, :]; softmax(np.where((j <= i) & (i - j < 128), S, -np.inf)).sum(-1) == 1",
    "X: [64, 64]; sqrt(1 + X**2)**2 == 1 + X**2",
    "X: [64, 64]; log(X - 100) + log(2) == log(2*X - 200)",
};

verdict::Decision decided(const char* claim) {
  verdict::DecideOptions options;
  options.ask_without_assumptions = options.look_for_repair = false;
  return verdict::decide(claim, options);
}

/// Whether some entry of the term has no value where all entries of all variables are `value`.
bool lacks_value(const infer::Problem& p, std::int64_t value) {
  numeric::Instance<numeric::Interval> instance;
  for (const auto& name : p.dimensions) instance.dims[name] = 2;
  for (const auto& v : p.variables) {
    std::vector<std::int64_t> shape;
    for (const auto& size : v.shape) shape.push_back(expr::evaluate(size, instance.dims));
    instance.values[v.name] = numeric::filled(shape, numeric::Interval(static_cast<double>(value)));
  }
  try {
    numeric::evaluate(p.lhs, instance);
  } catch (const numeric::Undefined&) {
    return true;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_comprehension_stacks_is_looked_at_as_a_whole) {
  const auto decision = decided("s: [h, c]; np.log(np.stack([-np.exp(s[i]).sum() for i in range(h)])) == s[:, 0]");
  BOOST_TEST(verdict::text(decision.reason) == std::string("all-undefined"));
}

BOOST_AUTO_TEST_CASE(a_claim_that_has_values_nowhere_is_invalid_and_says_what_has_none) {
  for (const Empty& empty : nowhere_defined) {
    BOOST_TEST_CONTEXT(empty.claim) {
      const auto decision = decided(empty.claim);
      BOOST_TEST(verdict::text(decision.verdict) == std::string("invalid"));
      BOOST_TEST(verdict::text(decision.reason) == std::string("all-undefined"));
      BOOST_TEST(decision.detail.find("`" + std::string(empty.part) + "`") != std::string::npos, decision.detail);
      BOOST_TEST(!decision.certificate.has_value());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_slice_that_numpy_cuts_off_is_no_slice_of_that_many) {
  for (const char* claim : {"x: [n, d]; x[:3].mean() * 3 * d == x[:3].sum()", "x: [n, d]; x[-3:].mean(axis=0) * 3 == x[-3:].sum(axis=0)", "S: [n, m]; softmax(S[:, :8]).mean() == 1/8",
                            "x: [n]; y: [k]; x[:k].mean() == x[:k].sum() / k", "x: [n, d]; y = x[:3]; y.mean() * 3 * d == y.sum()"}) {
    const auto decision = verdict::decide(claim);
    BOOST_TEST((decision.verdict == Verdict::invalid && decision.detail.find("NumPy cuts this slice off") != std::string::npos), claim << ": " << decision.detail);
    const std::string size = std::string(claim).find("y: [k]") != std::string::npos ? "n >= k" : decision.diagnostic ? decision.diagnostic->hint.substr(std::string("add assume ").size()) : "";
    const std::string text = claim;
    const auto end = text.rfind("; ");
    BOOST_TEST((verdict::decide(text.substr(0, end) + "; assume " + size + text.substr(end)).verdict == Verdict::proved), claim << " with " << size);
  }
  for (const char* claim : {"x: [n, d]; W: [d, k]; (x @ W)[:3] == x[:3] @ W", "x: [n, d]; np.concatenate([x[:3], x[3:]]) == x", "Q: [n, d]; g: [64]; rmsnorm(Q[:, :64]) * g == (rmsnorm(Q[:, :64]).T * g[:, None]).T",
                            "x: [5, d]; x[:3].mean() * 3 * d == x[:3].sum()"}) {
    BOOST_TEST((verdict::decide(claim).verdict == Verdict::proved), claim);
  }
}

BOOST_AUTO_TEST_CASE(a_sum_of_a_slice_that_selects_nothing_is_zero) {
  for (const char* claim : {"np.ones(n)[2:].sum() == n - 2", "np.arange(n)[3:].sum() == n * (n - 1) / 2 - 3", "np.ones(n)[:-2] @ np.ones(n)[1:-1] == n - 2", "np.exp(0 * np.eye(n)[2:]).sum(axis=0).sum() == n * (n - 2)",
                            "np.concatenate([np.ones(n)[2:], np.ones(n)[2:]]).sum() == 2*n - 4", "x: [n, d]; softmax(x @ x[1:].T).sum(axis=1) == 1"}) {
    const auto decision = verdict::decide(claim);
    BOOST_TEST((decision.verdict == Verdict::invalid && decision.detail.find("may have none: then its sum is 0") != std::string::npos), claim << ": " << decision.detail);
    BOOST_TEST((verdict::decide((decision.diagnostic ? decision.diagnostic->hint.substr(std::string("add ").size()) : "") + "; " + claim).verdict == Verdict::proved), claim);
  }
  for (const char* claim : {"np.ones(n)[1:].sum() == n - 1", "np.ones(n)[n//2:].sum() == n - n//2", "x: [n]; (x[1:] - x[:-1]).sum() == x[-1] - x[0]", "x: [n, d]; x[2:].sum() + x[0].sum() + x[1].sum() == x.sum()",
                            "x: [n]; y: [n - 2]; y @ x[2:] == x[2:] @ y", "x: [n]; np.ones(n - 2) @ np.ones(n)[2:] == n - 2"}) {
    BOOST_TEST((verdict::decide(claim).verdict == Verdict::proved), claim);
  }
}

BOOST_AUTO_TEST_CASE(what_lacks_a_value_where_a_subscript_leaves_it_out_is_undecided) {
  for (const char* claim : {"x: [n, d]; assume n >= 2; (x / np.arange(n)[:, None])[-1] == x[-1] / (n - 1)", "x: [n]; (1 / np.arange(n))[-1] == 1 / (n - 1)",
                            "S: [n, n]; i = np.arange(n)[:, None]; j = np.arange(n)[None, :]; assume n >= 2; softmax(np.where(i > j, S, -np.inf))[1:] == softmax(S[1:])"}) {
    const auto decision = verdict::decide(claim);
    BOOST_TEST((decision.verdict == Verdict::undecided && decision.detail.find("where NumPy has nan") != std::string::npos), claim << ": " << decision.detail);
  }
  for (const char* claim : {"S: [n, n]; S[0] / (0 * S[0]) == S[0]", "x: [n]; (1 / (np.arange(n) * np.zeros(n)))[-1] == x[-1]"}) BOOST_TEST((verdict::decide(claim).verdict == Verdict::invalid), claim);
}

BOOST_AUTO_TEST_CASE(a_part_without_entries_is_what_numpy_makes_of_it) {
  for (const char* claim : {"1 <= np.ones(n - 1).sum()", "1 <= np.trace(np.eye(n - 1))", "1 <= np.sum(np.arange(1, n))", "1 <= np.ones((n - 1, m)).sum()", "0 < np.ones(n // 2).sum()", "np.ones(n % 2).sum() >= 1", "np.maximum(np.ones(n - 1).sum(), 1) == np.ones(n - 1).sum()",
                            "softmax(np.zeros(n - 1)).sum() == 1", "np.concatenate([np.zeros(1), np.ones(n - 1)])[-1] == 1", "np.concatenate([np.zeros(1), np.ones(n // 3)]).max() == 1", "np.vstack([np.ones((1, 3)), np.zeros((n - 1, 3))])[-1] == np.zeros(3)",
                            "blockdiag(np.zeros((1, 1)), np.eye(n - 1))[-1, -1] == 1", "x: [n]; np.pad(x, (0, n % 2))[-1] == 0", "x: [n]; np.append(x[:-1], 0)[0] == x[0]", "x: [n]; y: [m]; assume m <= n; np.pad(y, (n - m, 0))[0] == 0",
                            "x: [n]; assume n <= 8; np.concatenate([x, np.zeros(8 - n)])[-1] == 0", "K: [m, d]; Q: [q, d]; assume m <= n; P = np.concatenate([K, np.zeros((n - m, d))]); (Q @ P.T)[:, -1] == np.zeros(q)",
                            "x: [n]; p = np.exp(x[1:]); (p / p.sum()) @ np.ones(n - 1) == 1", "x: [n]; 0 < np.exp(x[1:]) @ np.ones(n - 1)", "x: [n]; 1 <= ((x[1:] > 0) | (x[1:] <= 0)).sum()", "x: [n]; y: [m]; assume m <= n; 1 <= ((x[m:] > 0) | (x[m:] <= 0)).sum()"}) {
    const auto decision = verdict::decide(claim);
    BOOST_TEST((decision.verdict == Verdict::invalid && decision.detail.find("this has no entries, as its size is") != std::string::npos), claim << ": " << decision.detail);
    if (!decision.diagnostic) continue;
    BOOST_TEST((verdict::decide(decision.diagnostic->hint.substr(std::string("add ").size()) + "; " + claim).verdict == Verdict::proved), claim << " with " << decision.diagnostic->hint);
  }
  for (const char* claim : {"np.ones(n - 1).sum() == n - 1", "x: [n]; np.concatenate([np.zeros(1), x[:-1]]).sum() == x.sum() - x[-1]", "x: [n]; np.pad(x, (1, 0))[:-1] == np.concatenate([np.zeros(1), x[:-1]])", "x: [n]; (x[1:] > 0).sum() + (x[1:] <= 0).sum() == n - 1",
                            "x: [n]; y: [n - 1]; softmax(y).sum() == 1", "X: [n, d]; V: [n, k]; X.T @ V == X[:-1].T @ V[:-1] + np.outer(X[-1], V[-1])"}) {
    BOOST_TEST((verdict::decide(claim).verdict == Verdict::proved), claim);
  }
}

BOOST_AUTO_TEST_CASE(what_goes_beyond_an_axis_is_looked_at_as_numpy_reads_it) {
  for (const char* claim : {"sum(ones(n, 1)[1:3]) == 2", "sum(ones(n, 1)[1:2]) == 1", "sum(ones(n, 1)[k:k+1]) == 1", "sum(ones(n, 1)[k:2*k]) == k", "X: [n, d]; sum(softmax(X)[1:3]) == 2", "X: [n, d]; sum(X[-k:]) == sum(X[n-k:])",
                            "X: [n, d]; sum(X[2:-k]) == sum(X[2:n-k])", "X: [n, d]; X[-k:][0] == X[n-k]", "X: [n, d]; np.concatenate([X[k:], X[:k]]) == np.roll(X, -k, axis=0)", "X: [n, d]; np.roll(X, k, axis=0)[:k] == X[-k:]",
                            "X: [n, d]; np.concatenate([X[-3:], X[:-3]]) == np.roll(X, 3, axis=0)", "X: [n, d]; assume n <= 2; sum(ones(n, 1)[1:3]) == 2", "x: [n]; mean(x[7:12]) * 5 == sum(x[7:12])",
                            "X: [n, d]; mean(X[:, 64:128]) * 64 == rowsum(X[:, 64:128])", "x: [n]; mean(x[2*k:m]) * (m - 2*k) == sum(x[2*k:m])", "x: [n, d]; vstack(x[:m], x[m:k], x[k:]) == x",
                            "X: [n, d]; vstack(X[k:], X[:k])[n-k:] == X[:k]"}) {
    std::string text = claim;
    auto decision = verdict::decide(text);
    BOOST_TEST((decision.verdict == Verdict::invalid && decision.detail.find("and the sides differ") != std::string::npos), claim << ": " << decision.detail);
    if (text.find("assume n <= 2") != std::string::npos) continue;  // contradicts what it lacks
    for (int more = 0; more < 3 && decision.verdict == Verdict::invalid && decision.diagnostic; ++more) {
      text = decision.diagnostic->hint.substr(std::string("add ").size()) + "; " + text;
      decision = verdict::decide(text);
    }
    BOOST_TEST((decision.verdict == Verdict::proved), text << ": " << decision.detail);
  }
  for (const char* claim : {"X: [n, d]; sum(X[:k]) == sum(X[0:k])", "X: [n, d]; W: [d, m]; (X @ W)[k:2*k] == X[k:2*k] @ W", "X: [n, d]; X[-k:].T == X.T[:, -k:]", "X: [3, d]; sum(X[-4:]) == sum(X)", "X: [5, d]; X[-9:7] == X", "X: [2, d]; np.roll(X, 3, axis=0)[0] == X[1]",
                            "X: [n, d]; assume n >= k; vstack(X[k:], X[:k])[n-k:] == X[:k]", "X: [n, d]; W: [d, k]; vstack(X[:m] @ W, X[m:] @ W) == X @ W",
                            "X: [3, d]; np.roll(X, -5, axis=0) == np.roll(X, 1, axis=0)", "X: [2, d]; X[1:3] == X[1:]"}) {
    const auto decision = verdict::decide(claim);
    BOOST_TEST((decision.verdict == Verdict::proved), claim << ": " << decision.detail);
  }
  for (const char* claim : {"sum(ones(2, 1)[1:3]) == 2", "X: [2, d]; sum(softmax(X)[1:3]) == 2", "X: [d, 2]; rowsum(rmsnorm(X[:, 1:3])**2) == 2", "sum(np.arange(3)[1:5]) == 10", "X: [n, d]; assume n == 2; sum(ones(n, 1)[1:3]) == 2", "X: [4, d]; np.mean(X[-5:], axis=0) * 5 == np.sum(X, axis=0)"}) {
    const auto decision = verdict::decide(claim);
    BOOST_TEST((decision.verdict == Verdict::refuted), claim << ": " << decision.detail);
    BOOST_TEST((!decision.repair || verdict::decide(decision.repair->statement).verdict == Verdict::proved), claim << ": " << (decision.repair ? decision.repair->statement : ""));
  }
}

// The mask of the longest text, of which a shorter one takes the beginning: of any sizes that slice may go beyond the mask, of these it does not.
BOOST_AUTO_TEST_CASE(a_mask_that_is_cut_to_the_text_is_that_of_any_sizes) {
  const std::string program = R"(import math
import torch
from torch import nn
from torch.nn import functional as F
class Heads(nn.Module):
    def __init__(self, width, heads, longest):
        super().__init__()
        self.inputs, self.outputs = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.heads, self.width = heads, width
        self.register_buffer("mask", torch.tril(torch.ones(longest, longest)).view(1, 1, longest, longest))
    def forward(self, x, fused=False):
        B, T, C = x.size()
        q, k, v = (part.view(B, T, self.heads, C // self.heads).transpose(1, 2) for part in self.inputs(x).split(self.width, dim=2))
        if fused:
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0, is_causal=True)
        else:
            scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            y = F.softmax(scores.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf")), dim=-1) @ v
        return self.outputs(y.transpose(1, 2).contiguous().view(B, T, C))
layer = Heads(16, 2, 8)
x = torch.randn(2, 6, 16)
assert torch.allclose(layer(x), layer(x, fused=True), atol=1e-5))";
  BOOST_TEST((verdict::decide(program).verdict == Verdict::proved));
  const std::string scale = "math.sqrt(k.size(-1))";
  std::string changed = program;
  BOOST_TEST((verdict::decide(changed.replace(changed.find(scale), scale.size(), "math.sqrt(C)")).verdict == Verdict::refuted));
}

BOOST_AUTO_TEST_CASE(a_place_of_an_index_below_zero_goes_round) {
  for (const char* claim : {"A: [h, n, d]; stack(A[i-1] for i in range(h)) == np.roll(A, 1, axis=0)", "A: [h, n, d]; stack(A[-i] for i in range(h)) == flip(np.roll(A, -1, axis=0), axis=0)", "A: [3, n, d]; sum(A[i-2] for i in range(3)) == A[0] + A[1] + A[2]",
                            "A: [h, n, d]; assume h >= 2; stack(A[i-1] for i in range(h))[1] == A[0]", "A: [h, n, d]; stack(A[h-1-i] for i in range(h)) == flip(A, axis=0)"}) {
    const auto decision = verdict::decide(claim);
    BOOST_TEST((decision.verdict == Verdict::proved), claim << ": " << decision.detail);
  }
  for (const char* claim : {"A: [h, n, d]; stack(A[i-1] for i in range(h)) == A", "A: [h, n, d]; stack(A[i-1] for i in range(h)) == np.roll(A, -1, axis=0)", "A: [3, n, d]; stack(A[i-2] for i in range(3)) == np.roll(A, 1, axis=0)"}) {
    BOOST_TEST((verdict::decide(claim).verdict == Verdict::refuted), claim);
  }
}

BOOST_AUTO_TEST_CASE(a_negative_place_is_counted_from_the_end) {
  for (const char* claim : {"np.ones(n)[n-2:].sum() == 2", "x: [n, d]; x[:n-3].sum(axis=0) == x[:-3].sum(axis=0)", "np.ones(n)[n-m:].sum() == m"}) {
    const auto decision = verdict::decide(claim);
    BOOST_TEST((decision.verdict == Verdict::invalid && decision.detail.find("NumPy counts it from the end") != std::string::npos), claim << ": " << decision.detail);
    BOOST_TEST((verdict::decide((decision.diagnostic ? decision.diagnostic->hint.substr(std::string("add ").size()) : "") + "; " + claim).verdict == Verdict::proved), claim);
  }
  for (const char* claim : {"x: [n, d]; x[n-1:] == x[-1:]", "x: [n, d]; x[:n-1] == x[:-1]", "x: [n, d]; x[n//2:].sum(0) + x[:n//2].sum(0) == x.sum(0)"}) {
    BOOST_TEST((verdict::decide(claim).verdict == Verdict::proved), claim);
  }
}

BOOST_AUTO_TEST_CASE(an_assumption_without_which_slices_are_cut_off_is_needed) {
  for (const char* claim : {"x: [n, d]; assume n >= 2; x[:2].mean(axis=0) == x[:2].sum(axis=0) / 2", "assume n >= 3; np.ones(n)[2:].sum() == n - 2"}) {
    const auto decision = verdict::decide(claim);
    BOOST_REQUIRE(decision.assumptions.size() == 1u);
    BOOST_TEST((decision.assumptions[0].need == verdict::AssumptionAnswer::Need::needed && decision.assumptions[0].reason.find("the sides differ") != std::string::npos), claim << ": " << decision.assumptions[0].reason);
  }
}

BOOST_AUTO_TEST_CASE(what_lies_outside_at_all_sizes_has_no_value) {
  for (const char* claim : {"np.ones(n)[n:2*n].sum() == n", "x: [n, d]; (x[n+m] * 0 + 1).sum() == d", "x: [n, d]; W: [d, 3*d]; (x @ W[:, 2*d:4*d] * 0 + 1).sum() == 2*n*d", "x: [n, d]; sum(softmax(x[i+1]).sum() for i in range(n)) == n",
                            "x: [n, d]; sum((x[i:i+3] * 0 + 1).sum() for i in range(n)) == 3*n*d", "sum(np.ones(n)[i-1:i+1].sum() for i in range(n)) == 2*n"}) {
    const auto decision = verdict::decide(claim);
    BOOST_TEST((decision.verdict == Verdict::invalid && decision.reason == verdict::Reason::all_undefined && decision.detail.find("reach outside of it") != std::string::npos), claim << ": " << decision.detail);
  }
  for (const char* claim : {"x: [n, d]; sum(x[i+1] for i in range(n-1)) + x[0] == x.sum(0)", "sum(np.ones(n)[:i].sum() for i in range(n)) == n * (n-1) / 2", "x: [n, d]; assume n >= 3; sum((x[i:i+3] * 0 + 1).sum() for i in range(n-2)) == 3*(n-2)*d",
                            "x: [n]; sum(x[:i].sum() for i in range(n)) == sum((n - 1 - j) * x[j] for j in range(n))"}) {
    BOOST_TEST((verdict::decide(claim).verdict == Verdict::proved), claim);
  }
}

BOOST_AUTO_TEST_CASE(a_claim_that_has_values_far_out_or_at_certain_sizes_stays_proved) {
  for (const char* claim : somewhere_defined) {
    BOOST_TEST_CONTEXT(claim) {
      const auto decision = decided(claim);
      BOOST_TEST(verdict::text(decision.verdict) == std::string("proved"), decision.detail);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_shapes_ask_of_declared_sizes_is_said) {
  const auto where = [](const char* claim) { return verdict::decide(claim, {}).holds_where; };
  const std::vector<std::string> even{"`d` is 2*q"};
  BOOST_TEST(where("x: [n, d]; (x[:, :d//2] + x[:, d//2:]).sum(axis=1) == x.sum(axis=1)") == even, boost::test_tools::per_element());
  BOOST_TEST(where("x: [n, d]; assume d % 2 == 0; (x[:, :d//2] + x[:, d//2:]).sum(axis=1) == x.sum(axis=1)").empty());
  BOOST_TEST(where("x: [n, d]; x + x == 2 * x").empty());
}

/// NumPy computes the root also where the comparison does not hold, and 0 times no number is none; np.where leaves it out.
BOOST_AUTO_TEST_CASE(a_root_times_a_comparison_has_a_value_where_the_root_has) {
  const auto where = [](const char* claim) {
    const auto decision = verdict::decide(claim, {});
    BOOST_TEST((decision.verdict == Verdict::proved), claim << ": " << decision.detail);
    return decision.holds_where;
  };
  const std::vector<std::string> root{"x is not negative"};
  BOOST_TEST(where("x: [n]; (x > 5) * sqrt(x) ** 2 == (x > 5) * x") == root, boost::test_tools::per_element());
  BOOST_TEST(where("x: [n]; assert np.allclose(np.sqrt(x) * (x > 5), np.sqrt((x > 5) * x))") == root, boost::test_tools::per_element());
  BOOST_TEST(where("x: [n]; (x > 5) * relu(x) == (x > 5) * x").empty());
  BOOST_TEST(where("x: [n]; np.where(x > 5, sqrt(x), 0) ** 2 == (x > 5) * x").empty());
}

BOOST_AUTO_TEST_CASE(no_claim_of_the_library_is_called_empty) {
  const auto check = [](const char* claim) { BOOST_TEST((refute::defined_somewhere(problem(claim), 1).answer != Definedness::Answer::nowhere), claim); };
  for (const char* claim : proved_claims) check(claim);
  for (const char* claim : reduced_claims) check(claim);
  for (const char* claim : false_claims) check(claim);
}

BOOST_AUTO_TEST_CASE(every_function_that_may_lack_a_value_is_known_to) {
  int partial = 0;
  for (int op = 0; op < expr::operator_count; ++op) {
    const std::string name = expr::operator_info(op).name;
    for (const std::string& call : {name + "(X)", name + "(X, Y)", name + "(X, s)"}) {
      infer::Problem p;
      try {
        p = problem("X: [n, n]; Y: [n, n]; s: []; " + call + " == 0");
      } catch (const expr::Error&) {
        continue;  // takes something else
      }
      if (!lacks_value(p, 0) && !lacks_value(p, -1) && !lacks_value(p, 1)) continue;
      ++partial;
      BOOST_TEST(refute::may_be_undefined(p), call);
    }
  }
  BOOST_TEST(partial >= 8);
  for (const char* claim : {"X / Y == X", "X ** -1 == X", "X ** (1/2) == X", "S: [n, n]; S - causal(n) == S", "X[2:3] == X"}) BOOST_TEST(refute::may_be_undefined(problem(claim)), claim);
  for (const char* claim : {"X @ Y == Y @ X", "Q: [n, k]; Q / sqrt(k) == Q", "X / 2 == X", "softmax(X) == X", "exp(X) / (2 * exp(Y)) == X"}) BOOST_TEST(!refute::may_be_undefined(problem(claim)), claim);
  BOOST_TEST(refute::may_be_undefined(problem("W: [h, d, d]; concat(W[i] / i for i in range(h)) == ones(d, h*d)")));  // i begins at 0
}

}  // namespace foldproof::properties
