// SPDX-License-Identifier: MIT
// Where a false claim is true: what is proved is told from what is only observed, and nothing false is told.
#include <boost/test/unit_test.hpp>

#include "verdict/decide.hpp"

namespace {

using namespace foldproof;

std::string where(const std::string& claim) {
  std::string out;
  for (const std::string& set : verdict::decide(claim).true_when) out += (out.empty() ? "" : "; ") + set;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(true_when)

BOOST_AUTO_TEST_CASE(what_holds_at_equal_sizes_is_proved) {
  BOOST_TEST(where("A: [n, n]; B: [n, n]; A @ B == B @ A") == "n = 1 (proved)");
  BOOST_TEST(where("Q: [n, k]; C: [m, r]; U: [r, k]; (Q @ U.T) @ C.T / sqrt(r) == Q @ (C @ U).T / sqrt(k)") == "k = r (proved)");
  BOOST_TEST(where("X @ A @ B == X @ (B @ A)") == "d = 1 (proved)");  // a size that the claim does not name
  BOOST_TEST(where("Q: [n, k]; K: [m, k]; V: [m, v]; softmax(2 * Q @ K.T) @ V == softmax(Q @ K.T) @ V") == "m = 1 (proved)");
}

BOOST_AUTO_TEST_CASE(what_no_short_proof_shows_is_called_an_observation) {
  const std::string found = where("W_K: [h, d, k]; rank(concat(W_K[i//g] for i in range(h*g))) <= k");
  BOOST_TEST(found.find("d = 1 (proved)") != std::string::npos, found);
  BOOST_TEST(found.find("h = 1 (held in all ") != std::string::npos, found);
}

BOOST_AUTO_TEST_CASE(what_is_false_at_the_thin_set_is_not_told) {
  BOOST_TEST(where("X: [r, a]; Y: [r, a]; relu(X + Y) == relu(X) + relu(Y)") == "");
  BOOST_TEST(where("A: [n, r]; B: [r, m]; C: [n, s]; D: [s, m]; rank((A @ B) * (C @ D)) <= r + s").find("r = s") == std::string::npos);  // although it holds of 1 and 2
  BOOST_TEST(where("M: [n, m]; assume mask01(M); sum(M) <= 5").find(" = 1") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
