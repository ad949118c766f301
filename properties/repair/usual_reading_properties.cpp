// SPDX-License-Identifier: MIT
// Undeclared biases, gains and numbers: what a library's function says of their axes holds, and what their names say is told where it
// would make a false claim true.
#include <boost/test/unit_test.hpp>
#include <string>

#include "verdict/decide.hpp"

namespace foldproof::properties {
namespace {

using verdict::Verdict;

// PyTorch's bias has one axis, and item() is of a number.
const char* const true_claims[] = {
    "F.linear(F.linear(x, W1, b1), W2, b2) == F.linear(x, W2 @ W1, W2 @ b1 + b2)",
    "F.linear(F.layer_norm(x, (d,), gamma, beta), W) == F.linear(F.layer_norm(x, (d,)), W * gamma, W @ beta)",
    "softmax(q @ F.linear(x, W_k, bias=b_k).T) == softmax(q @ F.linear(x, W_k).T)",
    "softmax(x + c.item()) == softmax(x)",
    "softmax(float(c) + x) == softmax(x)",
    "F.linear(x, W, b) == x @ W.T + ones(n, 1) @ b",  // here it is a row
    "b: [n, k]; F.linear(x, W, b) - b == x @ W.T",
};

struct Meant {
  const char* claim;
  const char* note;  ///< the end of it, without what the nearest true statement declares instead
};
const Meant meant[] = {
    {"softmax(q @ (k + b_k).T) == softmax(q @ k.T)", "`b_k` is read as [m, d], and as [d], as it is usually meant, the claim is true; declare b_k: [d]"},
    {"k = x @ W_k + b_k; q = x @ W_q; softmax(q @ k.T) == softmax(q @ (x @ W_k).T)", "as it is usually meant, the claim is true; declare b_k: [m]"},
    {"softmax(x + c) == softmax(x)", "`c` is read as [n, d], and as a number, as it is usually meant, the claim is true; declare c: []"},
    {"softmax(x / T) == softmax(x)**(1/T) / rowsum(softmax(x)**(1/T))", "declare T: []"},
    {"a*b <= a*b*c", "`a`, `b`, `c` are read as [n, d], and as sizes the claim is true; if they are those of a tensor, declare W: [a, b, c]"},
    {"assume w <= s; s*w <= s*s", "if they are those of a tensor, declare W: [s, w]"},
};
// False however these names are read, or read as they are declared, or used as more than vectors and numbers.
const char* const false_claims[] = {
    "softmax(x + b) == softmax(x)",
    "rmsnorm(x * gamma) == rmsnorm(x) * gamma",
    "x: [n, d]; c: [n, d]; softmax(x + c) == softmax(x)",
    "relu(s * x) == s * relu(x)",
    "b @ b.T == b.T @ b",
    "b_q.T @ b_k == b_k.T @ b_q",
    "b.T == b",
    "T.T == T",
    "exp(s).T == exp(s)",
    "sum(s) == s",
    "sum(c * c) == sum(c)**2",
    "g + g.T == 2 * g",
    "a*b*c <= a*b",
    "a: []; b: []; a <= a*b",
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_functions_of_libraries_take_has_the_axes_that_they_say) {
  for (const char* claim : true_claims) BOOST_TEST((verdict::decide(claim).verdict == Verdict::proved), claim);
}

BOOST_AUTO_TEST_CASE(a_claim_that_is_true_as_people_mean_it_says_what_to_declare) {
  for (const Meant& m : meant) {
    const auto decision = verdict::decide(m.claim);
    BOOST_TEST((decision.verdict == Verdict::refuted), m.claim);
    const std::size_t declare = decision.detail.rfind("declare ") + 8, end = std::min(decision.detail.find(", or ", declare), decision.detail.size());
    const std::string first = decision.detail.substr(0, end);
    BOOST_TEST(first.ends_with(m.note), decision.detail);
    const std::string declared = first.substr(declare) + "; " + m.claim;
    BOOST_TEST((verdict::decide(declared).verdict == Verdict::proved), declared);
    if (decision.repair && end < decision.detail.size()) BOOST_TEST(decision.repair->statement.starts_with(decision.detail.substr(end + 5)), decision.repair->statement);
  }
}

BOOST_AUTO_TEST_CASE(what_is_false_as_people_mean_it_gets_no_such_note) {
  for (const char* claim : false_claims) {
    const auto decision = verdict::decide(claim);
    BOOST_TEST((decision.verdict == Verdict::refuted), claim);
    BOOST_TEST(decision.detail.find("usually meant") == std::string::npos, claim << ": " << decision.detail);
  }
}

BOOST_AUTO_TEST_CASE(a_mask_of_a_large_number_is_told_from_what_else_is_wrong) {
  const std::pair<const char*, const char*> masked[] = {
      {"S: [n, n]; softmax(where(tril(ones(n, n)) == 1, S, -1e9)) == softmax(S + causal(n))", "is proved"},
      {"S: [n, n]; m = np.triu(np.ones((n, n)), k=1); softmax(S + m * -1e9) == softmax(S + causal(n))", "is proved"},
      {"S: [n, n]; m = np.tril(np.ones((n, n))); softmax(S - 10000 * (1 - m)) == softmax(S + causal(n))", "is proved"},
      {"S: [n, n]; softmax(where(tril(ones(n, n)) == 1, S / 8, -1e9)) == softmax(S / sqrt(8) + causal(n))", "is refuted, too"},
      {"S: [n, n]; softmax(where(tril(ones(n, n)) == 1, S, -9)) == softmax(S + causal(n))", ""},
  };
  for (const auto& [claim, note] : masked) {
    const auto decision = verdict::decide(claim);
    BOOST_TEST((decision.verdict == Verdict::refuted), claim);
    BOOST_TEST((*note == 0 ? decision.detail.find("minus infinity") == std::string::npos : decision.detail.find(note) != std::string::npos), claim << ": " << decision.detail);
  }
}

}  // namespace foldproof::properties
