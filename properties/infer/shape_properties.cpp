// SPDX-License-Identifier: MIT
// Shape inference: the most general shapes are found without declarations, a conflict shows both uses, and every diagnostic
// of this layer has a code and a place in the text.
#include <boost/test/unit_test.hpp>
#include <algorithm>

#include "infer/problem.hpp"

namespace foldproof::properties {
namespace {

infer::Problem problem(const std::string& claim) { return infer::elaborate(expr::parse_claim(claim)); }

std::string shape(const infer::Problem& p, const std::string& name) {
  for (const auto& v : p.variables) {
    if (v.name == name) return expr::text(v.shape);
  }
  return "no such variable";
}

expr::Diagnostic diagnostic(const std::string& claim) {
  try {
    problem(claim);
  } catch (const expr::Error& e) {
    return e.diagnostic();
  }
  return {"accepted", "", "", {}};
}

/// A claim with a mistake, the code of its diagnostic, and the text that the diagnostic points at.
struct Mistake {
  const char* claim;
  const char* code;
  const char* place;
};

constexpr Mistake mistakes[] = {
    {"X: [n, a]; Y: [m, b]; X + Y == X", "shape.conflict", "X + Y"},
    {"X: [n, a]; Y: [m, b]; X @ Y == X", "shape.conflict", "X @ Y"},
    {"X: [n, a]; X == X.T", "shape.conflict", "X == X.T"},
    {"s: []; X: [n, a]; s @ X == X", "shape.operand", "s @ X"},
    {"X: [n, a]; sum(X, axis=2) == 0", "shape.operand", "sum(X, axis=2)"},
    {"X: [n, a]; X ** (1/0) == X", "shape.operand", "1/0"},
    {"X: [n, a]; W: [h, n, a]; concat(W[i][:, :i] for i in range(h)) == X", "shape.ragged", "W[i][:, :i] for i in range(h)"},
    {"X: [n, a]; reshape(X, n / 2, 2 * a) == X", "shape.size", "n / 2"},
    {"X: [n, a]; ones(n, 1/2) == X", "shape.size", "1/2"},
    {"X: [4, a]; X[4:] == X", "shape.subscript", "X[4:]"},
    {"X: [4, a]; X[2:2] == X", "shape.subscript", "X[2:2]"},
    {"X: [n, a]; let Y = Z; let Z = X; X == Y", "name.unknown", "Z"},
    {"X: [n, a]; sofmax(X) == X", "name.unknown", "sofmax(X)"},
    {"X: [n, a]; positive(X) == X", "name.unknown", "positive(X)"},
    {"R: [k, k]; assume R.T @ R == eye; R @ R.T == eye(k)", "name.function", "eye"},
    {"X: [n, a]; X[..., None, ...] == X", "shape.operand", "X[..., None, ...]"},
    {"X: [n, a]; swapaxes(X, 0, 2) == X", "call.axis", "2"},
    {"X: [n, a]; swapaxes(X, 0) == X", "call.arguments", "swapaxes(X, 0)"},
    {"n: [k, a]; X: [n, a]; X == X + 0", "name.two_meanings", "n: [k, a]"},
    {"X: [n, a]; let Z = X; eye(Z) == X", "name.two_meanings", "Z"},
    {"X: [n, a]; softmax() == X", "call.arguments", "softmax()"},
    {"X: [n, a]; matrix_power(X, 1/2) == X", "call.arguments", "matrix_power(X, 1/2)"},
    {"X: [n, a]; concat([X, X]) == X", "call.axis", "concat([X, X])"},
    {"X: [n, a]; sum(X, axis=1/2) == X", "call.axis", "1/2"},
    {"X: [n, a]; exp(X[i] for i in range(n)) == X", "call.comprehension", "X[i] for i in range(n)"},
    {"X: [n, a]; X ** X == X", "call.exponent", "X"},
    {"X: [n, a]; softmax(X, temperature=2) == X", "call.keyword", "2"},
    {"X: [n, a]; mean(X, axis=1, keepdims=False) == X", "call.keyword", "False"},
    {"X: [n, a]; exp([X]) == X", "call.list", "[X]"},
    {"X: [n, a]; assume pretty(X); X + 0 == X", "assume.unknown", "pretty(X)"},
    {"X: [n, a]; assume positive(X, X); X + 0 == X", "assume.arguments", "positive(X, X)"},
    {"s: []; X: [n, a]; assume orthogonal(s); X + 0 == X", "assume.shape", "orthogonal(s)"},
    {"X: [n, a]; assume orthogonal(X); X + 0 == X", "shape.conflict", "orthogonal(X)"},
};

/// Every code that the sources of this layer can give.
constexpr const char* codes[] = {"shape.conflict", "shape.operand", "shape.ragged", "shape.size", "shape.subscript", "name.unknown", "name.two_meanings", "call.arguments", "call.axis",
                                 "call.comprehension", "call.exponent", "call.keyword", "call.list", "assume.unknown", "assume.arguments", "assume.shape"};

}  // namespace

BOOST_AUTO_TEST_CASE(a_claim_without_declarations_gets_the_most_general_shapes) {
  const auto p = problem("(X @ A) @ B == X @ (A @ B)");
  BOOST_TEST(p.dimensions.size() == 4u);
  BOOST_TEST(shape(p, "X") == "[n, d]");
  BOOST_TEST(shape(p, "A") == "[d, k]");
  BOOST_TEST(shape(p, "B") == "[k, m]");
}

BOOST_AUTO_TEST_CASE(a_name_in_entrywise_places_only_is_read_so_that_the_most_sizes_stay_free) {
  const auto p = problem("X @ (W + s * (A @ B)) == X @ W + s * ((X @ A) @ B)");
  BOOST_TEST(shape(p, "s") == "[1, k]");  // a row holds the scalar too
  BOOST_TEST(p.dimensions.size() == 4u);
}

BOOST_AUTO_TEST_CASE(one_symbol_with_two_shapes_is_shown_in_both_uses) {
  const auto d = diagnostic("X: [n, d_model]; Q: [n, d_k]; W: [d_model, d_k]; Q @ W == X @ W");
  BOOST_TEST(d.code == "shape.conflict");
  BOOST_TEST(d.message.find("`Q` is [n, d_k] here") != std::string::npos, d.message);
  BOOST_TEST(d.message.find("must be [n, d_model] there") != std::string::npos, d.message);
  BOOST_TEST(!d.hint.empty());
}

BOOST_AUTO_TEST_CASE(every_mistake_has_its_code_and_its_place) {
  for (const auto& m : mistakes) {
    const std::string claim = m.claim;
    const auto d = diagnostic(claim);
    BOOST_TEST_CONTEXT(claim << ": " << d.message) {
      BOOST_TEST(d.code == m.code);
      BOOST_TEST(!d.message.empty());
      if (d.code == m.code) BOOST_TEST(claim.substr(d.span.begin, d.span.end - d.span.begin) == m.place);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_code_of_this_layer_has_a_mistake_that_gives_it) {
  for (const char* code : codes) {
    BOOST_TEST(std::any_of(std::begin(mistakes), std::end(mistakes), [&](const auto& m) { return std::string(m.code) == code; }), code);
  }
}

BOOST_AUTO_TEST_CASE(batch_axes_and_broadcasting_follow_numpy) {
  BOOST_TEST(expr::text(problem("X: [h, n, a]; Y: [a, b]; Z: [h, n, b]; X @ Y == Z").lhs->shape) == "[h, n, b]");
  BOOST_TEST(expr::text(problem("X: [h, n, a]; Y: [1, a, b]; Z: [h, n, b]; X @ Y == Z").lhs->shape) == "[h, n, b]");
  BOOST_TEST(expr::text(problem("X: [n, a]; b: [1, a]; X + b == b + X").lhs->shape) == "[n, a]");
  BOOST_TEST(expr::text(problem("c: [n, 1]; b: [1, a]; c + b == b + c").lhs->shape) == "[n, a]");
  BOOST_TEST(expr::text(problem("X: [h, n, a]; b: [a]; X + b == b + X").lhs->shape) == "[h, n, a]");
  BOOST_TEST(expr::text(problem("X: [h, n, a]; X[..., None, :] == X[:, :, None, :] + 0").lhs->shape) == "[h, n, 1, a]");
  BOOST_TEST(expr::text(problem("X: [h, n, a]; X[None, 0] == swapaxes(X[None, 0], -1, 1).T.T + X[None, 0]; assume n == a").lhs->shape) == "[1, a, a]");
  BOOST_TEST(diagnostic("X: [2, n, a]; Y: [3, a, b]; X @ Y == 0").code == "shape.conflict");
}

BOOST_AUTO_TEST_CASE(sizes_follow_from_products_sums_and_assumptions) {
  BOOST_TEST(expr::text(problem("X: [n, d]; assume d == h*k; reshape(X, n, h, k) == reshape(X, n, h, k) + 0").lhs->shape) == "[n, h, k]");
  BOOST_TEST(shape(problem("A: [n, a]; concat(A, B) @ C == A @ C[:a] + B @ C[a:]"), "A") == "[n, a]");
  BOOST_TEST(shape(problem("X: [n, 4]; theta: [p]; assume p == 2; rope(X, theta) == rope(X, theta) + 0"), "theta") == "[2]");
  BOOST_TEST(diagnostic("X: [n, 5]; theta: [p]; rope(X, theta) == X").code == "shape.conflict");
}

BOOST_AUTO_TEST_CASE(nested_comprehensions_with_one_name_do_not_capture_each_other) {
  const auto p = problem("X: [h, n, n]; sum(sum(X[i] for i in range(h)) @ X[i] for i in range(h)) == sum(X[i] for i in range(h)) @ sum(X[j] for j in range(h))");
  BOOST_TEST(expr::text(p.lhs->shape) == "[n, n]");
}

}  // namespace foldproof::properties
