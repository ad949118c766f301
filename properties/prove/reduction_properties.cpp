// SPDX-License-Identifier: MIT
// Claims that follow from other claims: ranks from factorizations, slices by cases of the sizes. True ones are proved and the kernel
// accepts, false ones are not, and a damaged reduction is rejected.
#include <boost/test/unit_test.hpp>

#include "kernel/check.hpp"
#include "prove/prove.hpp"

namespace foldproof::properties {
namespace {

using kernel::Certificate;
using kernel::ReductionKind;

prove::Proof proof_of(const std::string& text) {
  const auto claim = expr::parse_claim(text);
  return prove::prove(claim, infer::elaborate(claim));
}
bool accepts(const std::string& text, const Certificate& certificate) { return kernel::check(expr::parse_claim(text), certificate).accepted; }

constexpr const char* true_claims[] = {
    "rank(A @ B) <= min(rank(A), rank(B))",
    "rank(A) == rank(A.T)",
    "rank(A + B) <= rank(A) + rank(B)",
    "A: [d, p]; B: [p, k]; rank(A @ B) <= min(d, p, k)",
    "W: [d, p]; U: [h, p, k]; rank(concat(W @ U[i] for i in range(h))) <= p",
    "W_V: [h, d, v]; W_O: [h, v, d]; rank(sum(W_V[i] @ W_O[i] for i in range(h))) <= min(d, h*v)",
    "W: [d, k]; A: [d, r]; B: [r, k]; rank(W + A @ B) <= rank(W) + r",
    "assume invertible(P); rank(A @ P) == rank(A)",
    "R: [n, n]; assume orthogonal(R); rank(R) == n",
    "rank(eye(n)) == n",
    "s: []; assume nonzero(s); rank(s * A) == rank(A)",
    "rank(softmax(Q @ K.T) @ V) <= rank(V)",
    "W: [d, k]; lfac(W, rank(W)) @ rfac(W, rank(W)) == W",
    "W: [d, k]; assume p >= min(d, k); lfac(W, p) @ rfac(W, p) == W",
    "X: [n, d]; W: [d, m]; X[:, :p] @ W[:p] + X[:, p:] @ W[p:] == X @ W",
    "X: [n, d]; W: [d, m]; X[:, :d//2] @ W[:d//2] + X[:, d//2:] @ W[d//2:] == X @ W",
    "X: [n, d]; W: [d, d]; (softmax(X @ W @ X.T + causal(n)) @ X)[:t] == softmax(X[:t] @ W @ X[:t].T + causal(t)) @ X[:t]",
};

constexpr const char* false_claims[] = {
    "A: [n, d]; P: [d, d]; rank(A @ P) == rank(A)",
    "rank(A) <= rank(A @ B)",
    "A: [n, d]; rank(A) <= 1",
    "A: [n, n]; n <= rank(A)",
    "s: []; rank(A) <= rank(s * A)",
    "rank(A + B) <= rank(A)",
    "rank(A * B) <= rank(A)",
    "W: [d, k]; assume p <= min(d, k); lfac(W, p) @ rfac(W, p) == W",
    "W: [d, k]; assume p >= max(d - 1, k - 1); lfac(W, p) @ rfac(W, p) == W + 0*W + 1",
    "X: [n, d]; W: [d, m]; X[:, :p] @ W[:p] == X @ W",
    "X: [n, d]; W: [d, m]; X[:, :d//2] @ W[:d//2] + X[:, d//2:] @ W[d//2:] == 2 * X @ W",
};

}  // namespace

BOOST_AUTO_TEST_CASE(true_claims_are_proved_and_damaged_reductions_are_rejected) {
  for (const char* text : true_claims) {
    BOOST_TEST_CONTEXT(text) {
      const auto proof = proof_of(text);
      BOOST_TEST(proof.certificate.has_value(), proof.reason);
      if (!proof.certificate) continue;
      BOOST_TEST(accepts(text, *proof.certificate));
      if (proof.certificate->reduction.kind == ReductionKind::none) continue;
      Certificate fewer = *proof.certificate, other = *proof.certificate, empty = *proof.certificate;
      fewer.parts.pop_back();
      BOOST_TEST(!accepts(text, fewer), "a part is missing");
      other.reduction.text = {"(", "zeros(1, 1)"};
      if (!proof.certificate->reduction.text.empty()) BOOST_TEST(!accepts(text, other), "another text");
      empty.parts.assign(empty.parts.size(), {});
      BOOST_TEST(!accepts(text, empty), "parts without steps");
    }
  }
}

BOOST_AUTO_TEST_CASE(false_claims_are_never_proved) {
  for (const char* text : false_claims) {
    BOOST_TEST_CONTEXT(text) { BOOST_TEST(!proof_of(text).certificate.has_value()); }
  }
}

BOOST_AUTO_TEST_CASE(a_witness_must_have_a_value_wherever_the_claim_has_one) {
  // True where P is invertible, which nobody assumes: the same proof with the assumption is accepted.
  const std::string sides = "A: [n, d]; P: [d, d]; rank(A) <= rank(A @ P)";
  const auto proof = proof_of("assume invertible(P); " + sides);
  BOOST_REQUIRE(proof.certificate.has_value());
  BOOST_TEST((proof.certificate->reduction.kind == ReductionKind::above));
  BOOST_TEST(accepts("assume invertible(P); " + sides, *proof.certificate));
  BOOST_TEST(!accepts(sides, *proof.certificate));
}

BOOST_AUTO_TEST_CASE(cases_of_sizes_leave_none_out) {
  // 1 // d is 1 at d = 1 only. There the unused definition selects nothing, which excuses nothing.
  const std::string text = "X: [n, d]; let Z = X[:, :d//2]; X * (1 // d) == 0 * X";
  Certificate certificate;
  certificate.reduction = {ReductionKind::modulo, {"d", "2"}};
  certificate.parts.resize(3);
  BOOST_TEST(!accepts(text, certificate));
  // What a reduction calls `rest` is free, also where the claim has another meaning for the name.
  BOOST_TEST(!proof_of("X: [n, d]; let rest = 3; 0 * rowsum(X[:, :p]) + (d - p) * (d - p - 3) == zeros(n, 1)").certificate.has_value());
  BOOST_TEST(!proof_of("X: [n, d]; let quotient = 2; 0 * rowsum(X[:, :d//2]) + (d - 4) * (d - 5) == zeros(n, 1)").certificate.has_value());
  BOOST_TEST(!proof_of("X: [n, d]; let q = 2; 0 * rowsum(X[:, :d//2]) + (d - 4) * (d - 5) == zeros(n, 1)").certificate.has_value());
  // p need not lie within d unless a slice says so.
  Certificate within;
  within.reduction = {ReductionKind::within, {"d", "p"}};
  within.parts.resize(2);
  within.parts[1].goal = {{kernel::Law::keep, {}, {}}};
  BOOST_TEST(!accepts("p <= d", within));
  BOOST_TEST(accepts("assume p <= d; p <= d", within));
}

}  // namespace foldproof::properties
