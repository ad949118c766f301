// SPDX-License-Identifier: MIT
// The prover: long chains are fast, limits end in a reason that names them, each side of a claim equals itself, normal forms
// are stable, and every certificate passes the kernel again from a copy.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "expr/large_stack.hpp"
#include "kernel/claims.hpp"
#include "normal/normalize.hpp"
#include "prove/prove.hpp"

namespace foldproof::properties {
namespace {

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// X @ W0 @ W1 @ ..., associated to the left or to the right.
std::string chain(int layers, bool left) {
  std::string out;
  if (left) {
    out = std::string(static_cast<std::size_t>(layers), '(') + "X";
    for (int k = 0; k < layers; ++k) out += " @ W" + std::to_string(k) + ")";
    return out;
  }
  for (int k = 0; k < layers; ++k) out += (k == 0 ? "X @ (W0" : " @ (W" + std::to_string(k));
  return out + std::string(static_cast<std::size_t>(layers), ')');
}
std::string chain_claim(int layers) {
  std::string declarations = "X: [n, d]";
  for (int k = 0; k < layers; ++k) declarations += "; W" + std::to_string(k) + ": [d, d]";
  return declarations + "; ";
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_proofs_of_a_decision_share_what_they_may_spend) {
  const std::size_t most = normal::Allowance::most;
  normal::Allowance::spend(2 * most);  // where nothing is decided there is no limit
  {
    const normal::Allowance outer;
    normal::Allowance::spend(most);
    {
      const normal::Allowance inner;  // as of a claim with names for the sizes
      BOOST_CHECK_THROW(normal::Allowance::spend(1), expr::LimitReached);
    }
    BOOST_CHECK_THROW(normal::Allowance::spend(1), expr::LimitReached);
  }
  const normal::Allowance next;
  BOOST_CHECK_NO_THROW(normal::Allowance::spend(most));
}

BOOST_AUTO_TEST_CASE(a_chain_of_a_thousand_layers_is_proved_in_a_second) {
  // Parentheses are limited in depth, so the two associations differ in the middle only.
  std::string left = "X", right = "X";
  for (int k = 0; k < 1000; ++k) {
    const std::string w = "W" + std::to_string(k);
    left += " @ " + w;
    right += k == 500 ? " @ (" + w : k == 501 ? " @ " + w + ")" : " @ " + w;
  }
  const auto p = problem(chain_claim(1000) + left + " == " + right);
  prove::Proof proof;
  double time = 0;
  expr::on_large_stack([&] { time = seconds([&] { proof = prove::prove(p); }); });
  BOOST_TEST(proof.certificate.has_value(), proof.reason);
#ifndef __SANITIZE_ADDRESS__  // sanitizers make everything several times slower
  BOOST_TEST(time < 1.0);
#endif
}

BOOST_AUTO_TEST_CASE(both_ways_of_associating_a_chain_are_one) {
  const auto proof = prove::prove(problem(chain_claim(40) + chain(40, true) + " == " + chain(40, false)));
  BOOST_TEST(proof.certificate.has_value(), proof.reason);
}

BOOST_AUTO_TEST_CASE(a_binomial_to_the_twelfth_stays_within_the_limits_or_names_the_one_it_reaches) {
  const auto proof = prove::prove(problem("W: [d, d]; matrix_power(eye(d) + W, 12) == matrix_power(W + eye(d), 12)"));
  BOOST_TEST((proof.certificate.has_value() || (proof.limit && !proof.reason.empty())), proof.reason);
  const auto small = prove::prove(problem("W: [d, d]; matrix_power(eye(d) + W, 3) == eye(d) + 3 * W + 3 * W @ W + W @ W @ W"));
  BOOST_TEST(small.certificate.has_value(), small.reason);
}

BOOST_AUTO_TEST_CASE(a_limit_ends_in_a_reason_that_names_it) {
  const auto proof = prove::prove(problem("A: [d, d]; B: [d, d]; matrix_power(A + B + A @ B, 14) == matrix_power(B + A + A @ B, 14)"));
  BOOST_TEST(!proof.certificate.has_value());
  BOOST_TEST(proof.limit);
  BOOST_TEST(proof.reason.find("more than") != std::string::npos, proof.reason);
}

/// Each layer needs each entry of the one before it twice: 2^25 entries. What a decision may spend is spent by the attempt, too.
BOOST_AUTO_TEST_CASE(layers_on_layers_are_not_unfolded_without_end) {
  std::string layers = "x: [3]; H: [3, 3]; let y0 = x; ";
  for (int k = 0; k < 25; ++k) {
    const std::string last = "y" + std::to_string(k), next = "y" + std::to_string(k + 1);
    layers += "let " + next + " = " + last + " @ H / sqrt(mean((" + last + " @ H)**2) + 1); ";
  }
  const auto deep = problem(layers + "y25 == x");
  const auto proof = prove::prove(deep);
  BOOST_TEST(proof.limit);
  BOOST_TEST(proof.reason.find("to unfold") != std::string::npos, proof.reason);
  const normal::Allowance little(10 * kernel::most_looked_up);
  BOOST_TEST(prove::prove(deep).reason.find("all claims that lead to this one") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(each_side_of_a_claim_equals_itself) {
  constexpr int most_without = 23;  // sides that have no index notation: token numbers that are computed, what is minus infinity by an assumption, and what may have no value in sums over a rank, in parts that may be empty, or over a range of negative length
  int without = 0;
  const auto itself = [&](infer::Problem p, const infer::Term& side) {
    p.lhs = p.rhs = side;
    p.relation = expr::Relation::equal;
    try {
      kernel::unfold(p);
    } catch (const kernel::Reject&) {
      ++without;
      return true;
    }
    return prove::prove(p).certificate.has_value();
  };
  const auto check = [&](const char* claim) {
    const auto p = problem(claim);
    BOOST_TEST(itself(p, p.lhs), "the left side is not seen to equal itself: " << claim);
    BOOST_TEST(itself(p, p.rhs), "the right side is not seen to equal itself: " << claim);
  };
  for (const char* claim : proved_claims) check(claim);
  BOOST_TEST(without == 0);
  for (const char* claim : false_claims) check(claim);
  BOOST_TEST(without <= most_without);
}

BOOST_AUTO_TEST_CASE(what_may_have_no_value_beyond_its_end_has_no_index_notation) {
  for (const char* claim : {"P: [n, d]; P[np.arange(n) - n] == 0", "P: [n, d]; P[-1 - np.arange(n)] == 0 * P", "V: [n, d]; assume V > 0; sum(V[np.arange(n) - n]) <= 0", "P: [m, d]; P[np.arange(n) + m] == zeros(n, d)", "F.one_hot(torch.arange(n) + n, n) == zeros(n, n)",
                            "x: []; sum(sum(x / (i + 1 - j) for j in range(i+1)) for i in range(n)) == x", "sum(det(eye(i+1)) for i in range(n)) == n", "X: [n, d]; sum(max(X[:i].T) for i in range(n)) == X[:1].T"}) {
    BOOST_CHECK_THROW(kernel::unfold(problem(claim)), kernel::Reject);
  }
}

BOOST_AUTO_TEST_CASE(a_normal_form_is_its_own_normal_form) {
  const auto stable = [](const char* claim) {
    const auto theory = kernel::unfold(problem(claim));
    normal::Cuts cuts;
    kernel::Script script;
    const kernel::Poly once = normal::normalize(*theory, theory->goal, cuts, script, {});
    const kernel::Poly twice = normal::normalize(*theory, once, cuts, script, {});
    BOOST_TEST((once == twice), claim);
  };
  for (const char* claim : {"A @ B == C", "softmax(A @ B.T) == C", "relu(A @ B) == C", "rmsnorm(A) @ B == C", "A: [n, n]; inv(A) @ B == C", "exp(A + B) * (A + B) == C"}) stable(claim);
}

BOOST_AUTO_TEST_CASE(every_certificate_passes_the_kernel_again_from_a_copy) {
  for (const char* claim : proved_claims) {
    const auto proof = prove::prove(problem(claim));
    BOOST_REQUIRE_MESSAGE(proof.certificate, claim << ": " << proof.reason);
    const kernel::Certificate copy = *proof.certificate;
    const auto outcome = kernel::check(problem(claim), copy);
    BOOST_TEST(outcome.accepted, claim << ": " << outcome.reason);
  }
}

}  // namespace foldproof::properties
