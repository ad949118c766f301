// SPDX-License-Identifier: MIT
// Costs against hand counts, the cheapest order against all orders, the crossover against the counts themselves.
#include <rapidcheck/boost_test.h>

#include <boost/test/unit_test.hpp>

#include "cost/cost.hpp"
#include "cost/crossover.hpp"
#include "cost/measure.hpp"
#include "cost/product_order.hpp"
#include "read/parse.hpp"
#include "verdict/decide.hpp"

namespace foldproof {
namespace {

infer::Problem problem_of(const std::string& text) { return infer::elaborate(read::parse_claim(text)); }

const std::string seed_question = "X: [n, d]; W_Q: [d, p]; W_Qi: [p, k]; (X @ W_Q) @ W_Qi == X @ (W_Q @ W_Qi)";

BOOST_AUTO_TEST_CASE(the_seed_question_costs_what_a_hand_count_says) {
  const infer::Problem problem = problem_of(seed_question);
  const expr::DimValues sizes{{"n", 1024}, {"d", 512}, {"p", 512}, {"k", 64}};
  const cost::SideCost lhs = cost::cost(problem.lhs, {"X"});
  const cost::SideCost rhs = cost::cost(problem.rhs, {"X"});
  BOOST_TEST(expr::evaluate(lhs.parameters, sizes) == 512 * 512 + 512 * 64);
  BOOST_TEST(expr::evaluate(lhs.multiply_adds, sizes) == 9 * expr::evaluate(rhs.multiply_adds, sizes));
  BOOST_TEST(expr::text(lhs.activations) == "n*p");
  BOOST_TEST(expr::text(rhs.activations) == "0");
  BOOST_TEST(expr::text(rhs.reads()) == "d*k + d*n");
  BOOST_TEST(rhs.folds());
  BOOST_TEST(!lhs.folds());
}

BOOST_AUTO_TEST_CASE(a_result_used_twice_is_kept_once_and_the_result_of_the_side_is_not_kept) {
  const infer::Problem problem = problem_of("X: [n, d]; A: [d, k]\nrelu(X @ A).T @ (X @ A) == 0 * (relu(X @ A).T @ (X @ A))");
  BOOST_TEST(expr::text(cost::cost(problem.lhs, {"X"}).activations) == "2*k*n");
}

/// Token i meets i + 1 keys and values: 1 + 2 + 3 + 4 of them in all.
BOOST_AUTO_TEST_CASE(parts_that_grow_with_the_index_are_added_up) {
  const infer::Problem problem = problem_of("Q: [n, k]; K: [n, k]; V: [n, v]; vstack(softmax(Q[i:i+1] @ K[:i+1].T) @ V[:i+1] for i in range(n)) == softmax(Q @ K.T + causal(n)) @ V");
  const cost::SideCost loop = cost::cost(problem.lhs, {"Q"});
  const expr::DimValues sizes{{"n", 4}, {"k", 2}, {"v", 3}};
  BOOST_TEST(expr::evaluate(loop.multiply_adds, sizes) == 10 * (2 + 3));
  BOOST_TEST(expr::evaluate(loop.activations, sizes) == 2 * 10 + 4 * 3);
}

BOOST_AUTO_TEST_CASE(the_crossover_of_the_seed_question) {
  const infer::Problem problem = problem_of(seed_question);
  const expr::DimValues sizes{{"n", 1024}, {"d", 512}, {"p", 57}, {"k", 64}};
  const auto crossover = cost::crossover(cost::cost(problem.lhs, {"X"}).multiply_adds, cost::cost(problem.rhs, {"X"}).multiply_adds, sizes);
  BOOST_TEST(cost::text(crossover) == "when p > d*k/(d + k); here 57 > 512/9");
  BOOST_REQUIRE(crossover.conditions.size() == 1);
  BOOST_TEST(crossover.conditions[0].value.value() == "512/9");
  BOOST_TEST(crossover.conditions[0].holds.value());
  BOOST_TEST(cost::text(cost::crossover(4, 4, {})) == "equal on both sides");
  BOOST_TEST(cost::text(cost::crossover(expr::dim("d") + 1, 1, {})) == "always");
  BOOST_TEST(cost::text(cost::crossover(1, expr::dim("d") + 1, {})) == "never");
}

// A polynomial of up to four summands in a, b, c.
expr::Dim random_count() {
  expr::Dim out;
  const int summands = *rc::gen::inRange(1, 5);
  for (int s = 0; s < summands; ++s) {
    expr::Dim product = *rc::gen::inRange(1, 5);
    for (const char* name : {"a", "b", "c"}) {
      const int power = *rc::gen::weightedElement<int>({{4, 0}, {4, 1}, {1, 2}});
      for (int i = 0; i < power; ++i) product = product * expr::dim(name);
    }
    out = out + product;
  }
  return out;
}

RC_BOOST_PROP(every_condition_says_when_the_second_count_is_smaller, ()) {
  const expr::Dim first = random_count();
  const expr::Dim second = random_count();
  expr::DimValues sizes;
  for (const char* name : {"a", "b", "c"}) sizes[name] = *rc::gen::inRange(1, 9);
  const bool smaller = expr::evaluate(second, sizes) < expr::evaluate(first, sizes);
  const cost::Crossover crossover = cost::crossover(first, second, sizes);
  using Kind = cost::Crossover::Kind;
  RC_LOG() << expr::text(first) << " against " << expr::text(second) << ": " << cost::text(crossover);
  if (crossover.kind == Kind::always) RC_ASSERT(smaller);
  if (crossover.kind == Kind::never || crossover.kind == Kind::equal) RC_ASSERT(!smaller);
  if (crossover.kind == Kind::depends) RC_ASSERT((expr::evaluate(crossover.difference, sizes) > 0) == smaller);
  for (const cost::Condition& condition : crossover.conditions) RC_ASSERT(condition.holds.value() == smaller);
  RC_TAG(crossover.conditions.empty() ? "no condition" : "conditions");
}

// The fewest multiply-adds of all ways to put parentheses, counted the slow way.
std::int64_t fewest(const std::vector<std::int64_t>& size, std::size_t i, std::size_t j) {
  if (j - i == 1) return 0;
  std::int64_t best = INT64_MAX;
  for (std::size_t k = i + 1; k < j; ++k) best = std::min(best, fewest(size, i, k) + fewest(size, k, j) + size[i] * size[k] * size[j]);
  return best;
}

RC_BOOST_PROP(no_order_of_a_chain_is_cheaper, ()) {
  const auto factors = static_cast<std::size_t>(*rc::gen::inRange(2, 7));
  std::vector<std::int64_t> size;
  std::string claim;
  std::string product;
  std::set<std::string> names;
  expr::DimValues sizes;
  for (std::size_t i = 0; i <= factors; ++i) {
    size.push_back(*rc::gen::inRange(1, 20));
    sizes["s" + std::to_string(i)] = size.back();
  }
  for (std::size_t i = 0; i < factors; ++i) {
    const std::string name = "A" + std::to_string(i);
    const bool transposed = *rc::gen::arbitrary<bool>();
    const std::string from = "s" + std::to_string(i);
    const std::string to = "s" + std::to_string(i + 1);
    claim += name + ": [" + (transposed ? to + ", " + from : from + ", " + to) + "]\n";
    product += (i ? " @ " : "") + name + (transposed ? ".T" : "");
    if (*rc::gen::inRange(0, 4) == 0 && i > 0) product = "(" + product + ")";
    names.insert(name);
  }
  claim += product + " == 0 * (" + product + ")";
  const infer::Problem problem = problem_of(claim);
  const auto order = cost::cheapest_order(problem.lhs, names, sizes, claim);
  RC_ASSERT(order.has_value());
  RC_LOG() << claim << "\n" << order->expression;
  RC_ASSERT(expr::evaluate(cost::cost(order->side, names).multiply_adds, sizes) == fewest(size, 0, factors));
  const bool improved = expr::evaluate(cost::cost(problem.lhs, names).multiply_adds, sizes) > fewest(size, 0, factors);
  RC_ASSERT(!improved || order->changed);
  // What is printed is the order that was counted.
  const std::string declared = claim.substr(0, claim.rfind('\n') + 1);
  const infer::Problem printed = problem_of(declared + order->expression + " == 0 * (" + product + ")");
  RC_ASSERT(expr::evaluate(cost::cost(printed.lhs, names).multiply_adds, sizes) == fewest(size, 0, factors));
}

BOOST_AUTO_TEST_CASE(the_cheapest_order_is_the_same_function) {
  const std::string claim = "X: [n, d]\nlet S = (X @ A) @ (X @ B).T\nsoftmax(S) @ (X @ V @ O) + relu((X @ C) @ D).T.T == X";
  const infer::Problem problem = problem_of(claim);
  const expr::DimValues sizes{{"n", 128}, {"d", 512}};
  expr::DimValues all = sizes;
  for (const std::string& name : problem.dimensions) all.emplace(name, 32);
  const auto order = cost::cheapest_order(problem.lhs, {"X"}, all, claim);
  BOOST_REQUIRE(order.has_value());
  BOOST_TEST(order->changed);
  const std::string same = "X: [n, d]\nlet S = (X @ A) @ (X @ B).T\nsoftmax(S) @ (X @ V @ O) + relu((X @ C) @ D).T.T == " + order->expression;
  BOOST_TEST_CONTEXT(same) BOOST_TEST((verdict::decide(same).verdict == verdict::Verdict::proved));
  BOOST_TEST(!cost::cheapest_order(problem.lhs, {"X"}, sizes, claim).has_value());
}

BOOST_AUTO_TEST_CASE(both_sides_are_measured_and_compute_the_same) {
  const expr::DimValues sizes{{"n", 256}, {"d", 256}, {"p", 256}, {"k", 16}};
  const auto measured = cost::measure(problem_of(seed_question), {"X"}, sizes, {.seconds = 0.05, .seed = 1});
  BOOST_TEST(measured.not_measured == "");
  BOOST_TEST(measured.samples >= 5);
  BOOST_TEST(measured.largest_gap < 1e-4);
  BOOST_TEST(measured.lhs.median > measured.rhs.median);  // 17 times the multiply-adds
  const auto different = cost::measure(problem_of("A: [n, n]; B: [n, n]; A @ B == B @ A"), {"A"}, {{"n", 8}}, {.seconds = 0, .seed = 1});
  BOOST_TEST(different.largest_gap > 1e-2);
  const auto without = cost::measure(problem_of("X: [n, d]; tanh(X) == 0 * tanh(X)"), {"X"}, {{"n", 8}, {"d", 8}}, {.seconds = 0, .seed = 1});
  BOOST_TEST(without.not_measured != "");
}

}  // namespace
}  // namespace foldproof
