// SPDX-License-Identifier: MIT
// The search for sizes against plain enumeration: what it finds satisfies the assumptions, and where it says that nothing does,
// nothing small does either.
#include <rapidcheck/boost_test.h>

#include <boost/test/unit_test.hpp>

#include "expr/syntax.hpp"
#include "numeric/assume.hpp"
#include "numeric/sizes.hpp"
#include "read/parse.hpp"

namespace foldproof::properties {
namespace {

infer::Problem problem(const std::string& claim) { return infer::elaborate(read::parse_claim(claim)); }

expr::DimValues named(const infer::Problem& p, const std::vector<std::int64_t>& sizes) {
  expr::DimValues dims;
  for (std::size_t k = 0; k < sizes.size(); ++k) dims[p.dimensions[k]] = sizes[k];
  return dims;
}
bool satisfied(const infer::Problem& p, const expr::DimValues& dims) {
  return std::all_of(p.facts.begin(), p.facts.end(), [&](const infer::Fact& f) { return numeric::holds(f, dims); });
}
/// Whether some sizes up to `most` satisfy the assumptions.
bool any_small(const infer::Problem& p, std::int64_t most) {
  std::vector<std::int64_t> sizes(p.dimensions.size(), 1);
  while (true) {
    if (satisfied(p, named(p, sizes))) return true;
    std::size_t k = 0;
    while (k < sizes.size() && ++sizes[k] > most) sizes[k++] = 1;
    if (k == sizes.size()) return false;
  }
}

struct Smallest {
  const char* assumptions;
  std::vector<std::int64_t> sizes;  ///< n and d, the first that are found; empty where they need not be those
};
const Smallest smallest[] = {
    {"assume d > 100", {1, 101}},
    {"assume n*d == 1001", {1, 1001}},
    {"assume n*n == 1000000", {1000, 1}},
    {"assume n*n == d; assume d > 50", {8}},  // d is n*n
    {"assume n > d; assume d > 20", {22, 21}},
    {"assume n//2 == 40", {80, 1}},
    {"assume n % 7 == 3; assume n > 30", {}},  // n is 7 q - 4
    {"assume n*n + d*d == 25*25; assume n > d; assume d > 10", {20, 15}},
    {"assume n*d == 97*101; assume n > 1; assume d > 1", {}},  // either way round
};
const char* const contradictory[] = {"assume n*n == 3", "assume n < 1", "assume n*d == 7; assume n > 1; assume d > 1", "assume n < d; assume d < 5; assume n > 3", "assume 3*n*d == 2", "assume n == d - 5; assume d < 6"};

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_that_assumptions_ask_for_are_found) {
  for (const auto& [assumptions, sizes] : smallest) {
    const auto p = problem("X: [n, d]; " + std::string(assumptions) + "; X + X == 2 * X");
    const auto found = numeric::sizes_that_fit(p, 12);
    BOOST_REQUIRE_MESSAGE(!found.empty(), assumptions);
    BOOST_TEST(found.size() <= 12);
    BOOST_TEST(!numeric::sizes_contradict(p), assumptions);
    for (const auto& one : found) BOOST_TEST(satisfied(p, named(p, one)), assumptions);
    if (!sizes.empty()) BOOST_TEST(found[0] == sizes, assumptions);
  }
}

BOOST_AUTO_TEST_CASE(no_axis_is_empty) {
  for (const std::string claim : {"X: [n - 100, d]; X + X == 2 * X", "X: [n, d]; X[100:] + X[100:] == 2 * X[100:]"}) {
    const auto p = problem(claim);
    const auto found = numeric::sizes_that_fit(p, 4);
    BOOST_REQUIRE_MESSAGE(!found.empty(), claim);
    for (const auto& one : found) BOOST_TEST(one[0] > 100, claim);
  }
}

BOOST_AUTO_TEST_CASE(sizes_that_contradict_each_other_are_told) {
  for (const std::string assumptions : contradictory) {
    const auto p = problem("X: [n, d]; " + assumptions + "; X + X == 2 * X");
    BOOST_TEST(numeric::sizes_contradict(p), assumptions);
    BOOST_TEST(numeric::sizes_that_fit(p, 12).empty(), assumptions);
  }
}

RC_BOOST_PROP(random_assumptions_as_enumeration_says, ()) {
  const auto size = rc::gen::element<std::string>("n", "d", "n*d", "n*n", "2*n", "3*d", "n//2", "d % 3", "n + d", "n*d - d", "4", "9", "30");
  const auto relation = rc::gen::element<std::string>("==", "<", "<=", ">", ">=", "!=");
  std::string claim = "X: [n, d]";
  for (int k = 0; k < 3; ++k) claim += "; assume " + *size + " " + *relation + " " + *size;
  try {
    const auto p = problem(claim + "; X + X == 2 * X");
    const bool small = any_small(p, 40);
    RC_CLASSIFY(small, "satisfied by small sizes");
    RC_ASSERT(!(small && numeric::sizes_contradict(p)));
    const auto found = numeric::sizes_that_fit(p, 12);
    for (const auto& one : found) RC_ASSERT(satisfied(p, named(p, one)));
    const bool nontrivial = std::any_of(p.facts.begin(), p.facts.end(), [](const infer::Fact& f) { return f.kind == infer::FactKind::dimension; });
    if (small && nontrivial) RC_ASSERT(!found.empty());
  } catch (const expr::Error&) {  // n == n + d, or a shape without entries
    RC_DISCARD("an error");
  }
}

}  // namespace foldproof::properties
