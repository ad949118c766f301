// SPDX-License-Identifier: MIT
// Assumptions that contradict each other make a claim vacuous. That no instance is found does not: what only large sizes, numbers
// between close bounds or irrational numbers satisfy is decided, or left undecided, and never called vacuous.
#include <boost/test/unit_test.hpp>
#include <string>

#include "expr/syntax.hpp"
#include "read/parse.hpp"
#include "refute/existence.hpp"
#include "verdict/contradiction.hpp"
#include "verdict/decide.hpp"

namespace foldproof::properties {
namespace {

using verdict::Reason;
using verdict::Verdict;

infer::Problem problem(const std::string& claim) { return infer::elaborate(read::parse_claim(claim)); }

const char* const satisfied[] = {
    "W: [512, 64]; X: [n, 64]; assume W.T @ W == eye(64); (X @ W.T) @ W == X",
    "A: [64, 64]; assume A.T == -A; x: [64, 1]; x.T @ A @ x == zeros(1, 1)",
    "X: [n, d]; assume d == 4096; assume h*k == d; assume h == 32; X @ ones(d, 1) == rowsum(X)",
    "X: [n, d]; assume n*d == 1001; X + X == 2 * X",
    "X: [n, d]; assume d > 100; X + X == 2 * X",
    "X: [n, d]; assume rank(X) >= 3; X + X == 2 * X",
    "X: [n, d]; assume X > 1/1000; assume X < 2/1000; X + X == 2 * X",
    "X: [n, d]; assume sum(X) == 1000; sum(X + X) == 2000",
    "x: []; assume x**2 == 2; x**4 == 4",
    "x: []; assume x**2 + x == 1; x**3 == 2*x - 1",
    "x: []; assume exp(x) == 3; exp(2*x) == 9",
    "g: []; assume gelu(g) == 1; gelu(g)**2 == 1",
    "x: [1, d]; assume d == 3; assume x @ x.T == 7; x @ x.T @ x == 7*x",
    "x: []; y: []; assume x > 0; assume x**2 == 2 * y; assume y == 1; x**4 == 4",
};
const char* const contradictory[] = {
    "x: []; assume x > 0; assume x < 0; x == 3*x",
    "X: [n, d]; assume mask01(X); assume X > 1; X == 3*X",
    "x: []; y: []; assume x > y; assume y > x; x == 3*x",
    "x: []; assume x**2 < 0; x == 3*x",
    "x: []; assume x**2 == -1; x == 3*x",
    "x: []; assume x == x + 1; x == 3*x",
    "x: []; assume exp(x) < 0; x == 3*x",
    "x: []; assume abs(x) < 0; x == 1",
    "x: [n]; assume np.max(abs(x)) < 0; x == x[0]",
    "X: [n, d]; assume n*n == 3; X + X == 2*X",
    "X: [n, d]; assume n > 3*d; assume d > n; X + X == 2*X",
    "X: [n, n]; assume orthogonal(X); assume det(X) == 2; X @ X.T @ X == X",
    "X: [n, n]; assume X @ X.T == -eye(n); X @ X.T @ X == -X",
    "X: [n, n]; Y: [n, n]; assume X @ Y - Y @ X == eye(n); X @ X @ Y - Y @ X @ X == 2*X",
    "X: [n, d]; assume rowstochastic(X); assume rowsum(X) == 2; X @ ones(d, 1) == ones(n, 1)",
    // of sizes that are too large to search: 64 columns are no basis of 512 dimensions
    "W: [512, 64]; X: [n, 512]; assume W @ W.T == eye(512); (X @ W) @ W.T == X",
    "W: [8, 2]; X: [n, 8]; assume W @ W.T == eye(8); (X @ W) @ W.T == X",
    "X: [64, 64]; assume X**2 == -ones(64, 64); X * X * X == -X",
    "x: [768]; y: [768]; assume sum(x*y) == 2; assume sum(x*x) == 1; assume sum(y*y) == 1; sum(x*y)*y == 2*y",
};
/// Nobody knows, or it is not worth knowing.
const char* const neither[] = {
    "X: [n, d]; assume rank(X) == 12; X + X == 2 * X",
    "X: [n, d]; Y: [k, 1]; assume n*n*n + d*d*d == k*k*k; X + X == 2 * X",
    "x: []; y: []; assume x > 0; assume x < y; assume y < 1/1000000; x + y == y + x",
    "A: [64, 64]; assume A.T == -A; assume det(A) < 0; A.T + A == zeros(64,64)",
};
/// 1/x changes its sign without being 0; a root that is not certain to lie where the other assumption holds.
const char* const no_root[] = {"x: []; assume 1/x == 0; x == 2*x", "x: []; assume x**2 == -1; x == 2*x", "x: []; assume x**3 == 2; assume x < 0; x == 2*x", "x: []; assume rank(x*eye(1)) == 1/2; x == 2*x"};

}  // namespace

BOOST_AUTO_TEST_CASE(what_some_instance_satisfies_is_not_vacuous) {
  for (const std::string claim : satisfied) {
    const auto decision = verdict::decide(claim, {});
    BOOST_TEST((decision.verdict == Verdict::proved), claim + ": " + verdict::text(decision.verdict) + " " + decision.detail);
    BOOST_TEST(!verdict::contradiction(read::parse_claim(claim), problem(claim)), claim);
  }
}

BOOST_AUTO_TEST_CASE(a_contradiction_is_named) {
  for (const std::string claim : contradictory) {
    const auto decision = verdict::decide(claim, {});
    BOOST_TEST((decision.verdict == Verdict::invalid && decision.reason == Reason::vacuous), claim + ": " + verdict::text(decision.verdict));
    BOOST_TEST(decision.detail.rfind("no instance satisfies the assumptions: ", 0) == 0, decision.detail);
    if (!problem(claim).dimensions.empty()) BOOST_TEST(!refute::satisfied_somewhere(problem(claim), 1), claim);
  }
}

/// What is said of the same claim at small sizes says for which of its sizes the names stand.
BOOST_AUTO_TEST_CASE(names_for_sizes_are_told) {
  const std::string wide = "W: [512, 64]; X: [n, 512]; assume W @ W.T == eye(512); (X @ W) @ W.T == X", empty = "A: [512, 64]; B: [64, 512]; inv(A @ B) @ (A @ B) == eye(512)", own = "x: []; assume x > 0; assume x < 0; x == 3*x";
  for (const std::string& claim : {wide, empty}) {
    const std::string detail = verdict::decide(claim, {}).detail;
    BOOST_TEST(detail.find("with names for the sizes (d for 64, k for 512) ") != std::string::npos, detail);
  }
  const std::string detail = verdict::decide(own, {}).detail;
  BOOST_TEST(detail.find("names for the sizes") == std::string::npos, detail);
}

BOOST_AUTO_TEST_CASE(what_is_not_known_is_undecided) {
  for (const std::string claim : neither) {
    const auto decision = verdict::decide(claim, {});
    BOOST_TEST((decision.verdict == Verdict::undecided && decision.reason == Reason::no_instance), claim + ": " + verdict::text(decision.verdict));
  }
}

/// n == m - 5 says that m is at least 6: sizes are at least 1, also those that an assumption defines.
BOOST_AUTO_TEST_CASE(sizes_that_an_assumption_defines_are_at_least_1) {
  for (const std::string claim : {"assume n == m - 5; 1 <= n", "assume n == m - 5; 6 <= m", "assume s + t == n + m; 1 <= t", "X: [m, d]; assume k == d - m; rank(X) <= d - 1", "X: [m, d]; assume d // 2 == k; 2 <= d"}) {
    BOOST_TEST((verdict::decide(claim, {}).verdict == Verdict::proved), claim);
  }
  const auto decision = verdict::decide("X: [m, d]; assume n == m - 2; X * (n - 1) == X * abs(n - 2)", {});
  BOOST_REQUIRE((decision.verdict == Verdict::refuted));
  BOOST_TEST(decision.counterexample->instance.dims.at("m") >= 3);
}

/// Sizes that are 0 at the first index leave nothing to prove; slices of long axes do.
BOOST_AUTO_TEST_CASE(a_proof_of_what_has_no_values_is_no_verdict) {
  for (const std::string claim : {"sum(trace(2 * eye(i)) for i in range(n)) == n*(n-1)", "sum(trace(eye(i)) for i in range(n)) == n*(n-1)/2"}) {
    const auto decision = verdict::decide(claim, {});
    BOOST_TEST((decision.verdict == Verdict::undecided && decision.reason == Reason::all_undefined), claim + ": " + verdict::text(decision.verdict));
  }
  BOOST_TEST((verdict::decide("sum(sum(ones(i, 1)) for i in range(n)) == n*(n-1)/2", {}).verdict == Verdict::proved));  // a sum over nothing is 0
  BOOST_TEST((verdict::decide("X: [n, d]; X[:, 100:] + X[:, 100:] == 2*X[:, 100:]", {}).verdict == Verdict::proved));
  BOOST_TEST((verdict::decide("X: [n, d]; X[:, 100:] + X[:, 100:] == 3*X[:, 100:]", {}).verdict == Verdict::refuted));
}

/// What has values on a thin set is not called undefined everywhere.
BOOST_AUTO_TEST_CASE(a_thin_domain_is_undecided) {
  for (const std::string claim : {"x: []; sqrt(x - 1/7) + sqrt(1/7 - x) == 0", "x: []; sqrt(sin(x) - 1)**2 == sin(x) - 1"}) {
    const auto decision = verdict::decide(claim, {});
    BOOST_TEST((decision.verdict == Verdict::undecided && decision.reason == Reason::all_undefined), claim + ": " + verdict::text(decision.verdict));
  }
  BOOST_TEST((verdict::decide("x: []; y: []; assume x > 0; assume x + y == 1; log(y) + log(x) == log(x*y)", {}).verdict == Verdict::proved));
}

BOOST_AUTO_TEST_CASE(a_change_of_sign_is_a_root_only_where_all_is_continuous) {
  for (const std::string claim : no_root) BOOST_TEST(!refute::satisfied_somewhere(problem(claim), 1), claim);
}

}  // namespace foldproof::properties
