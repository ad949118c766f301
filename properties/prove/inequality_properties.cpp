// SPDX-License-Identifier: MIT
// Inequalities against evaluation: between all pairs of some sums of products, squares, means, maxima, and of some ranks, and between random
// sums of them. Most are false; none of those that are proved may have a counterexample. A kernel that took a part of (x + y)^2 for at most
// the square was found in this way.
// FOLDPROOF_RANDOM_INEQUALITIES sets the number of random ones, FOLDPROOF_SEED where to start.
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

#include "prove/evaluation.hpp"
#include "prove/prove.hpp"
#include "read/parse.hpp"

namespace foldproof::properties {
namespace {

const std::vector<std::string> sums = {
    "rowsum(x*y)", "rowsum(x)**2", "rowsum(x**2)", "rowsum(y**2)", "rowsum(x)*rowsum(y)", "m*rowsum(x**2)", "rowsum(abs(x))**2",
    "rowsum(abs(x*y))", "rowsum(abs(x))*rowsum(abs(y))", "rowsum(x**2)**2", "rowsum((x + y)**2)", "rowsum(x - y)**2", "rowsum(abs(x + y))", "rowsum(relu(x))",
    "rowsum(relu(x))**2", "m*rowmax(abs(x))", "rowmax(x)", "mean(x)", "mean(x**2)", "rowsum((X @ W)**2)", "rowsum(x*(X @ W))", "1", "0", "m"};
const std::vector<std::string> ranks = {
    "rank(A)", "rank(A @ C)", "rank(eye(n) + A @ A.T)", "rank(tril(S))", "rank(eye(n) + tril(S, -1))", "rank(ones(n, n))", "rank(S)", "rank(S @ A)", "rank(eye(n) + S)", "rank(A + B)",
    "rank(A) + rank(B)", "rank(A * B)", "rank((eye(n) + triu(S, 1)) @ A)", "rank(outer(u, u))", "rank(diag(u))", "n", "d", "1"};

std::string side(const std::vector<std::string>& terms, Dice& dice) {
  static const std::vector<std::string> factors = {"", "", "2*", "(1/2)*", "3*"};
  const auto term = [&] { return factors[dice.roll(factors.size())] + terms[dice.roll(terms.size())]; };
  std::string out = term();
  for (std::size_t more = dice.roll(2); more > 0; --more) out += (dice.roll(3) == 0 ? " - " : " + ") + term();
  return out;
}

const char* const shapes_of_sums = "x, y: [n, m]; X: [n, d]; W: [d, m]; ";
const char* const shapes_of_ranks = "A, B: [n, d]; C: [d, k]; S: [n, n]; u: [n]; ";

/// Whether the inequality is proved; a proof that evaluation contradicts is an error.
bool is_proved(const std::string& text, std::uint64_t seed) {
  constexpr std::size_t some_steps = 300;
  const auto claim = read::parse_claim(text);
  const auto problem = infer::elaborate(claim);
  if (!prove::prove_shortly(claim, problem, some_steps).certificate) return false;
  BOOST_TEST(!evaluation_contradicts(problem, seed), "proved: " << text);
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_pair_of_terms_is_proved_that_evaluation_contradicts) {
  for (const auto& [terms, shapes] : {std::pair{&sums, shapes_of_sums}, std::pair{&ranks, shapes_of_ranks}}) {
    std::size_t proved = 0;
    for (const std::string& left : *terms) {
      for (const std::string& right : *terms) proved += left != right && is_proved(shapes + left + " <= " + right, 1);
    }
    BOOST_TEST_MESSAGE(terms->size() << " terms, " << proved << " pairs proved");
    BOOST_TEST(proved > terms->size());  // or there was nothing to contradict
  }
}

BOOST_AUTO_TEST_CASE(no_random_inequality_is_proved_that_evaluation_contradicts) {
  const std::uint64_t count = setting("FOLDPROOF_RANDOM_INEQUALITIES", 100), first = setting("FOLDPROOF_SEED", 1);
  std::size_t proved = 0;
  for (std::uint64_t k = first; k < first + count; ++k) {
    Dice dice(hashed({k, 4711}));
    const bool about_ranks = dice.roll(3) == 0;
    const auto& terms = about_ranks ? ranks : sums;
    const std::string left = side(terms, dice), right = side(terms, dice);
    proved += is_proved((about_ranks ? shapes_of_ranks : shapes_of_sums) + left + " <= " + right, k);
  }
  BOOST_TEST_MESSAGE(count << " inequalities, " << proved << " proved");
}

}  // namespace foldproof::properties
