// SPDX-License-Identifier: MIT
// Every seeded bug of the table has a place in some piece of attention and is killed there within 1000 cases; a change that is
// no bug is recognised by proof and never counted as killed.
#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

#include "campaign/kill.hpp"
#include "campaign/sides.hpp"
#include "claims.hpp"
#include "prove/prove.hpp"

namespace foldproof::properties {
namespace {

using campaign::Kills;

/// True claims in which every bug of the table finds a place.
const char* const pieces[] = {
    ("X: [n, d]; Y: [m, d]; Q: [d, k]; K: [d, k]; V: [d, v]; O: [v, d]; "
     "(softmax((X @ Q) @ (Y @ K).T / sqrt(k)) @ (Y @ V)) @ O == softmax(X @ (Q @ K.T / sqrt(k)) @ Y.T) @ (Y @ (V @ O))"),
    "X: [n, d]; W: [d, d]; X + (softmax(X @ W @ X.T / sqrt(d) + causal(n)) @ X) == softmax(X @ W @ X.T / sqrt(d) + causal(n)) @ X + X",
    "Q: [n, k]; K: [n, k]; b: [1, k]; softmax(Q @ (K + b).T) == softmax(Q @ K.T)",
    "S: [n, m]; M: [n, m]; assume mask01(M); softmax(S + neginf(M)) == exp(S) * M / rowsum(exp(S) * M)",
    "S: [n, m]; log(softmax(S)) == S - lse(S)",
    "S: [n, m]; V: [m, v]; softmax1(S) @ V == softmax(concat(S, zeros(n, 1))) @ vstack(V, zeros(1, v))",
    "X: [n, d]; W: [d, k]; A: [d, r]; B: [r, k]; alpha: []; X @ (W + alpha / r * (A @ B)) == X @ W + (X @ A) @ (alpha / r * B)",
    "X: [n, d]; g: [1, d]; W: [d, k]; eps: []; assume eps > 0; (rmsnorm(X, eps) * g) @ W == rmsnorm(X, eps) @ (diag(g) @ W)",
    "X: [n, d]; g: [1, d]; W: [d, d]; (layernorm(X) * g) @ W == layernorm(X) @ (diag(g) @ W)",
    "X: [n, d]; layernorm(X) == rmsnorm(X - mean(X))",
    "X: [n, d]; rmsnorm(X) * 3 == 3 * (X * rsqrt(mean(X * X)))",
    "Q: [n, 2*p]; K: [m, 2*p]; theta: [p]; rope(2 * Q, theta) @ rope(K, theta).T == 2 * rope(Q, theta) @ rope(K, theta).T",
    "X: [n, d]; W: [g, d, k]; concat(X @ W[i//q] for i in range(g*q)) == X @ concat(W[i//q] for i in range(g*q))",
    "H: [h, n, k]; O: [h, k, d]; concat(H[i] for i in range(h)) @ vstack(O[i] for i in range(h)) == sum(H[i] @ O[i] for i in range(h))",
    "X: [n, d]; W: [d, h*k]; transpose(reshape(X @ W, n, h, k), 1, 0, 2) == stack(X @ W[:, i*k:(i+1)*k] for i in range(h))",
    "H: [h, n, k]; reshape(transpose(H, 1, 0, 2), n, h*k) == concat(H[i] for i in range(h))",
    "X: [n, d]; W: [d, 3*k]; concat(X @ W[:, :k], X @ W[:, k:2*k]) == X @ concat(W[:, :k], W[:, k:2*k])",
    "C: [m, d]; r: [1, d]; W: [d, k]; vstack(C, r) @ W == vstack(C @ W, r @ W)",
    "Z: [n, d]; relu(2 * Z) @ eye(d) == 2 * relu(Z)",
    "Z: [n, d]; gelu(Z) + gelu(Z) == 2 * gelu(Z)",
    "Z: [n, d]; S: [n, n]; (S * tril(n)) @ Z == tril(S) @ Z",
    "S: [n, n]; s: [1, n]; softmax(S).T * s.T == (s * softmax(S)).T",
    "A: [n, n]; B: [n, n]; (A @ B).T == B.T @ A.T",
    "X: [n, d]; A: [d, d]; assume invertible(A); (X @ A) @ inv(A) == X",
};

bool proves(const infer::Problem& p) { return prove::prove(p).certificate.has_value(); }
bool never(const infer::Problem&) { return false; }

Kills kills(const std::string& claim, const campaign::Proves& how, std::int64_t cases = 1000, std::uint64_t seed = 5) {
  campaign::CampaignOptions options;
  options.seed = seed;
  options.cases = cases;
  return campaign::kill(problem(claim), options, how);
}
std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& n : names) out += n + "; ";
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_bug_has_a_place_and_is_killed) {
  std::map<std::string, int> made;
  std::int64_t killed = 0;
  for (const std::string claim : pieces) {
    BOOST_TEST(proves(problem(claim)), claim);
    std::set<std::string> harmless;
    const Kills k = kills(claim, proves);
    for (const std::string& name : k.equivalent) harmless.insert(name);
    for (const auto& m : campaign::mutants(problem(claim))) made[m.bug] += harmless.count(m.name) == 0;
    BOOST_TEST(k.survivors.empty(), claim + " survived by " + listed(k.survivors));
    BOOST_TEST(k.untested.empty(), claim + " leaves untested " + listed(k.untested));
    BOOST_TEST(k.made == k.killed, claim);
    killed += k.killed;
  }
  BOOST_TEST(campaign::bugs().size() >= 40u);
  for (const auto& bug : campaign::bugs()) BOOST_TEST(made[bug.name] > 0, std::string("no piece has a place for ") + bug.name);
  BOOST_TEST(made["downcast"] > 0);
  BOOST_TEST_MESSAGE(killed << " mutants of " << campaign::bugs().size() + 1 << " bugs killed");
}

BOOST_AUTO_TEST_CASE(bugs_have_names_of_their_own_and_keep_the_shape) {
  std::set<std::string> names;
  for (const auto& bug : campaign::bugs()) BOOST_TEST(names.insert(bug.name).second, bug.name);
  for (const std::string claim : pieces) {
    const infer::Problem p = problem(claim);
    for (const auto& m : campaign::mutants(p)) {
      BOOST_TEST((m.problem.lhs->shape == p.lhs->shape && m.problem.rhs->shape == p.rhs->shape), claim + " with " + m.name);
      BOOST_TEST(((m.problem.lhs != p.lhs) + (m.problem.rhs != p.rhs) + (m.mutation != campaign::Mutation::none) == 1), claim + " with " + m.name);
    }
  }
}

/// Rows of a softmax sum to one, also those of a softmax of a softmax.
BOOST_AUTO_TEST_CASE(what_is_no_bug_is_proved_to_be_none) {
  const std::string claim = "S: [n, m]; softmax(S) @ ones(m, 1) == ones(n, 1)";
  const Kills with_proofs = kills(claim, proves, 200);
  BOOST_TEST(listed(with_proofs.equivalent) == "softmax-twice in lhs; ");
  BOOST_TEST(with_proofs.survivors.empty(), listed(with_proofs.survivors));
  const Kills without = kills(claim, never, 200);
  BOOST_TEST(listed(without.survivors) == "softmax-twice in lhs; ");
  BOOST_TEST(without.made == with_proofs.made + 1);
  BOOST_TEST(without.killed == with_proofs.killed);
}

/// Equal over the reals; only an overflow tells, which the bounds of the sound program exclude.
BOOST_AUTO_TEST_CASE(a_softmax_that_overflows_is_killed_though_it_is_equal_over_the_reals) {
  const infer::Problem p = problem("S: [n, m]; V: [m, v]; b: [1, v]; softmax(S) @ (V + b) == softmax(S) @ V + b");
  int unshifted = 0;
  for (const auto& m : campaign::mutants(p)) {
    if (m.bug != "softmax-unshifted") continue;
    ++unshifted;
    BOOST_TEST(m.rounds_only);
    BOOST_TEST(proves(m.problem));
  }
  BOOST_TEST(unshifted == 2);
  BOOST_TEST(kills("S: [n, m]; V: [m, v]; b: [1, v]; softmax(S) @ (V + b) == softmax(S) @ V + b", proves, 100).survivors.empty());
}

/// Too few cases leave bugs alive, and they are counted and named.
BOOST_AUTO_TEST_CASE(survivors_are_counted) {
  const Kills k = kills("X: [n, d]; W: [d, d]; softmax(X @ W @ X.T + causal(n)) @ X == softmax(X @ (W @ X.T) + causal(n)) @ X", never, 1);
  BOOST_TEST(k.made == k.killed + static_cast<std::int64_t>(k.survivors.size()));
  BOOST_TEST(!k.survivors.empty());
  BOOST_TEST(kills(pieces[0], never, 0).killed == 0);
}

}  // namespace foldproof::properties
