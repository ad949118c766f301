// SPDX-License-Identifier: MIT
// Claims that follow from other claims: ranks from factorizations, slices by cases of the sizes. True ones are proved and the kernel
// accepts, false ones are not, and a damaged reduction is rejected.
#include <boost/test/unit_test.hpp>

#include "kernel/check.hpp"
#include "kernel/claims.hpp"
#include "kernel/reduction.hpp"
#include "prove/prove.hpp"
#include "prove/sides.hpp"
#include "read/parse.hpp"

namespace foldproof::properties {
namespace {

using kernel::Certificate;
using kernel::ReductionKind;

bool accepts(const std::string& text, const Certificate& certificate) { return kernel::check(read::parse_claim(text), certificate).accepted; }

/// Why the kernel rejects a certificate that is one reduction, with empty certificates for what it asks for.
std::string reason_of(const std::string& text, ReductionKind kind, std::vector<std::string> words, std::size_t parts) {
  Certificate c;
  c.reduction = {kind, std::move(words)};
  c.parts.resize(parts);
  return kernel::check(read::parse_claim(text), c).reason;
}

bool takes_steps(const Certificate& c) {
  return !c.goal.empty() || std::any_of(c.assumptions.begin(), c.assumptions.end(), [](const auto& script) { return !script.empty(); }) || std::any_of(c.parts.begin(), c.parts.end(), takes_steps);
}

}  // namespace

/// rank(A[:t]) <= rank(A) takes lfac(A)[:t], which exists as A[:t] does. Of other axes the claim says nothing: that t <= k would follow from a
/// slice of k entries that nobody takes.
BOOST_AUTO_TEST_CASE(a_witness_is_sliced_only_as_the_claim_slices_something_of_the_same_size) {
  const auto reason = [](const std::string& shapes, const std::string& taken, const std::string& added) {
    const std::string left = "sum(" + taken + ") + t", right = "k + sum(" + taken + ")";
    return reason_of(shapes + "; " + left + " <= " + right, ReductionKind::rearranged, {left + " + 0*sum(" + added + ")", right, "1", "1"}, 2);
  };
  const std::string none = "rearranged: a side may have no value";
  BOOST_TEST(reason("A: [k, d]; B: [k, m]", "B[:t]", "A[:t]") != none);
  BOOST_TEST(reason("A: [k, d]; B: [m, d]", "B[:t]", "A[:t]") == none);
  BOOST_TEST(reason("A: [n, d, k]; B: [n, d]", "B[..., :t]", "A[..., :t]") == none);
  BOOST_TEST(reason("A: [n, d, k]; B: [n, d, m]", "B[..., :t]", "A[..., :t]") == none);
  BOOST_TEST(reason("A: [n, k, p]; B: [n, m, p]", "B[None, :, :t]", "A[None, :, :t]") == none);
}

BOOST_AUTO_TEST_CASE(true_claims_are_proved_and_damaged_reductions_are_rejected) {
  for (const char* text : reduced_claims) {
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
      const bool has_steps = takes_steps(*proof.certificate);  // of x == y where exp(x) == exp(y) none is left
      empty.parts.assign(empty.parts.size(), {});
      if (has_steps) BOOST_TEST(!accepts(text, empty), "parts without steps");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_claim_about_given_sizes_is_what_the_general_one_says_there) {
  const auto follows = [](const std::string& text, std::vector<std::string> words) {
    Certificate c;
    c.parts.push_back(*proof_of(words[0].c_str()).certificate);
    c.reduction = {ReductionKind::sized, std::move(words)};
    return accepts(text, c);
  };
  BOOST_TEST(follows("X: [n, 64]; W: [64, k]; X @ (2 * W) == 2 * X @ W", {"X: [n, d]; W: [d, k]; X @ (2 * W) == 2 * X @ W", "d", "64"}));
  BOOST_TEST(!follows("X: [n, 64]; W: [64, k]; X @ (3 * W) == 2 * X @ W", {"X: [n, d]; W: [d, k]; X @ (2 * W) == 2 * X @ W", "d", "64"}));
  // Where a size is given, other shapes are inferred: b is a row of any length beside a column.
  BOOST_TEST(!follows("X: [n, 1]; b: [n, k]; sum(X + b) == sum(X) + sum(b)", {"X: [n, d]; sum(X + b) == sum(X) + sum(b)", "d", "1"}));
  BOOST_TEST(!follows("X: [n, 64]; X == abs(X)", {"X: [n, d]; assume X >= 0; X == abs(X)", "d", "64"}));
  // The root of a size that is a square is a number.
  const std::string general = "X: [n, d]; (X / sqrt(d)) * 2 == X / sqrt(d) + X / sqrt(d)";
  BOOST_TEST(follows("X: [n, 64]; (X / 8) * 2 == X / sqrt(64) + X / 8", {general, "d", "64"}));
  BOOST_TEST(!follows("X: [n, 64]; (X / 8) * 2 == X / sqrt(64) + X / 9", {general, "d", "64"}));
  BOOST_TEST(!follows("X: [n, 60]; (X / 8) * 2 == X / sqrt(60) + X / 8", {general, "d", "60"}));
  BOOST_TEST(!follows("X: [n, 64]; (X / 8) * 2 == X / sqrt(8) + X / 8", {general, "d", "64"}));
  BOOST_TEST(follows("X: [n, 64]; X * 0.125 == X / 8", {"X: [n, d]; X * (1 / sqrt(d)) == X / sqrt(d)", "d", "64"}));
}

BOOST_AUTO_TEST_CASE(inequalities_are_rearranged_where_their_numbers_fit) {
  const auto rearranged = [](const std::string& text) {
    const auto claim = read::parse_claim(text);
    return prove::rearrangement(claim, infer::elaborate(claim));
  };
  const std::string shapes = "x, y, z: [n]; ";
  const auto fits = rearranged(shapes + "x/6 <= y/10 - z/15");
  BOOST_REQUIRE(fits.has_value());
  BOOST_TEST(fits->text == (std::vector<std::string>{"5 * x + 2 * z", "3 * y", "30", "1"}), boost::test_tools::per_element());
  BOOST_TEST(!rearranged(shapes + "x <= y").has_value());
  BOOST_TEST(!rearranged(shapes + "x/3000000019 <= y/3000000037 + z/3000000077").has_value());
}

BOOST_AUTO_TEST_CASE(what_has_several_names_and_what_is_zero_are_led_back_too) {
  for (const char* text : {"A: [n, d]; assume frob2(A) == 0; A == 0", "x: [n, d]; x.clamp(-1, 1) == -((-x).clamp(-1, 1))"}) BOOST_TEST(proof_of(text).certificate.has_value(), text);
}

BOOST_AUTO_TEST_CASE(the_mask_of_a_comparison_is_nothing_to_declare) {
  const auto claim = read::parse_claim("x: [n]; y * (x > 0) == y");
  const std::string written = expr::text(kernel::declared(claim, infer::elaborate(claim)));
  BOOST_TEST(written.find("x > 0:") == std::string::npos);
  BOOST_TEST(expr::text(read::parse_claim(written)) == written);
}

BOOST_AUTO_TEST_CASE(a_mask_does_not_cancel_against_what_it_leaves_out) {
  // NumPy's sides are 0 where the mask is; evaluation that is strict has no value there, so that no counterexample is found.
  for (const char* text : {
           "X, M: [n, m]; assume mask01(M); where(M, X / M, 0) == X",
           "X: [n, n]; tril(X / tril(n)) == X",
           "X: [n, n]; tril(1 / tril(X)) == 1 / X",
           "S, M: [n, m]; assume mask01(M); rowsum(where(M, exp(S) / rowsum(M * exp(S)), 0)) == 1",
           "M: [n, m]; assume mask01(M); rowsum(where(M, 1 / rowsum(M), 0)) == 1",
           "X, M: [n, n]; assume mask01(M), M * X == X; rowsum(where(M, X / rowsum(X), 0)) == 1",
           "X: [n, n]; assume X >= 0; 1 / (X + tril(X)) <= tril(1 / tril(X))",
           "X: [n, v]; t: [n]; (X / onehot(t, v))[arange(n), t] == np.sum(X, axis=1)",
           "X: [n]; M: [k]; t: [n]; assume mask01(M); where(M[t], log(X), 0) + abs(X) == where(M[t], log(X), 0) + X",
           "X, M: [n, n]; assume mask01(M); where(where(M, 0, 0), log(X), 0) + abs(X) == X",
           "X, Y, Z: [n, n]; assume X * Y == X * Z; (1 / X)**0 * Y == Z",
       }) {
    BOOST_TEST(!proof_of(text).certificate, text);
  }
  for (const char* text : {"X, M: [n, m]; assume mask01(M); where(M, X / M, 0) == M * X", "S, M: [n, m]; assume mask01(M); rowsum(M * exp(S) / rowsum(M * exp(S))) == ones(n, 1)"}) {
    BOOST_TEST(proof_of(text).certificate.has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(false_claims_are_never_proved) {
  for (const char* text : false_reduced_claims) {
    BOOST_TEST(!is_proved_though_false(text), text);
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

BOOST_AUTO_TEST_CASE(a_witness_takes_the_parts_of_a_tensor_that_there_are) {
  const auto claim = read::parse_claim("W: [h, d, d]; A: [d, d]; rank(A) <= d");
  const auto problem = infer::elaborate(claim);
  const auto accepts = [&](const char* left) {
    try {
      kernel::reduce(claim, problem, {ReductionKind::above, {left, "A"}});
      return true;
    } catch (const kernel::Reject& e) {
      BOOST_TEST(e.what() == std::string("above: the witness may have no value"));
      return false;
    }
  };
  BOOST_TEST(accepts("sum(W[i] for i in range(h))"));
  BOOST_TEST(accepts("A * rms(A)"));
  BOOST_TEST(!accepts("A * rms(A, 0 - 1)"));  // the root of what may be negative
  for (const char* beyond : {"sum(W[i] for i in range(h + 1))", "sum(W[i] for i in range(d))", "sum(W[h] for i in range(h))", "sum(inv(W[i]) for i in range(h))", "sum(sum(W[i] for j in range(h)) for i in range(2*h))"}) {
    BOOST_TEST_CONTEXT(beyond) { BOOST_TEST(!accepts(beyond)); }
  }
}

BOOST_AUTO_TEST_CASE(only_a_zero_matrix_has_rank_zero_and_a_rank_that_is_subtracted_stays) {
  BOOST_TEST(reason_of("A: [n, n]; rank(A) <= n", ReductionKind::above, {"0"}, 2).rfind("part 0", 0) == 0);
  BOOST_TEST(reason_of("A: [n, n]; 1 - rank(A) <= 0", ReductionKind::above, {"A", "eye(n)"}, 2) == "above: the claim does not bound a rank from above");
  BOOST_TEST(reason_of("A: [n, n]; n <= 1 + n - rank(A)", ReductionKind::below, {"eye(n)", "eye(n)"}, 2) == "below: the claim does not bound a rank from below");
}

BOOST_AUTO_TEST_CASE(full_rank_needs_a_positive_diagonal_or_form) {
  const auto reason = [](const std::string& text, const std::string& why) {
    Certificate c;
    c.reduction = {ReductionKind::full, {why}};
    c.parts.resize(3);
    if (why != "0") c.parts[0].goal.push_back({kernel::Law::keep, {}, {}});  // one number is left to look at
    return kernel::check(read::parse_claim(text), c).reason;
  };
  const std::string square = "A: [n, n]; n <= rank(A)", positive = "part 0: rhs - lhs is not known to be positive";
  BOOST_TEST(reason(square, "0") == positive);
  BOOST_TEST(reason(square, "-1") == positive);
  BOOST_TEST(reason("A: [n, n]; c: []; assume c >= 0; n <= rank(A)", "c").rfind("part 0", 0) == 0);
  BOOST_TEST(reason(square, "1").rfind("part 1", 0) == 0);
  BOOST_TEST(reason(square, "lower").rfind("part 0", 0) == 0);
  BOOST_TEST(reason("A: [n, m]; n <= rank(A)", "lower") == "full: the matrix is not square");
  BOOST_TEST(reason("A: [n, m]; n <= rank(A @ A.T) - rank(A)", "lower").rfind("part 0", 0) == 0);  // of the rank that is added
  BOOST_TEST(reason("A: [n, n]; n <= n - rank(A)", "lower") == "full: the claim does not bound a rank from below");
  BOOST_TEST(reason("A: [n, n]; rank(A) <= n", "lower") == "full: the claim does not bound a rank from below");
  BOOST_TEST(reason("A: [n, n]; x: []; n <= rank(A)", "1/x") == "full: the factor may have no value");
  // What is led back to is shown with the diagonal of the matrix itself: of tril(A) it may be zero.
  const auto proof = proof_of("A: [n, n]; n <= rank(eye(n) + triu(A, 1))");
  BOOST_REQUIRE(proof.certificate.has_value());
  BOOST_TEST((proof.certificate->reduction.kind == ReductionKind::full));
  BOOST_TEST(accepts("A: [n, n]; n <= rank(eye(n) + triu(A, 1))", *proof.certificate));
  BOOST_TEST(!accepts("A: [n, n]; n <= rank(eye(n) + triu(A))", *proof.certificate));
  BOOST_TEST(!accepts("A: [n, n]; n <= rank(eye(n) - triu(A))", *proof.certificate));
}

BOOST_AUTO_TEST_CASE(minus_infinity_has_an_exponential_and_infinity_has_none) {
  BOOST_TEST(reason_of("S: [n, n]; S + causal(n) == 2 * S", ReductionKind::exponential, {}, 1) != "exponential: a side may be infinity");
  for (const char* claim : {"S: [n, n]; S - causal(n) == S + causal(n)", "S: [n, n]; c: []; c * causal(n) == S", "S: [n, n]; abs(rowmax(S)) == rowmax(S) - rowmax(S + causal(n))"}) {
    BOOST_TEST_CONTEXT(claim) BOOST_TEST(reason_of(claim, ReductionKind::exponential, {}, 1) == "exponential: a side may be infinity");
  }
}

BOOST_AUTO_TEST_CASE(a_matrix_of_full_rank_must_have_finite_values_before_it_is_inverted) {
  const auto reason = [](const std::string& text, const std::string& matrix) { return reason_of(text, ReductionKind::regular, {matrix}, 2); };
  const std::string masked = "S: [n, n]; let A = softmax(S + causal(n)); A == 2 * A", none = "regular: the matrix may have no value";
  BOOST_TEST(reason(masked, "A").rfind("part 0", 0) == 0);
  BOOST_TEST(reason(masked, "S + causal(n)") == none);
  BOOST_TEST(reason(masked, "log(S)") == none);
  BOOST_TEST(reason("X: [n, d]; X == 2 * X", "X") == "regular: the matrix is not square");
  BOOST_TEST(reason("x: [n]; x == 2 * x", "x") == "regular: the matrix is not square");
}

BOOST_AUTO_TEST_CASE(a_rank_is_bounded_by_that_of_either_factor) {
  const auto reason = [](const char* which) { return reason_of("A: [n, m]; B: [m, k]; rank(A @ B) <= rank(B)", ReductionKind::above, {"A", "B", which}, 2); };
  BOOST_TEST(reason("middle") == "above: the rank of neither factor");
  BOOST_TEST(reason("left").rfind("part 0", 0) == 0);
  const auto claim = read::parse_claim("A: [n, m]; B: [m, k]; rank(A @ B) + 1 <= rank(B) + 1");
  const auto parts = kernel::reduce(claim, infer::elaborate(claim), {ReductionKind::above, {"A", "B", "right"}});
  BOOST_TEST(expr::text(parts.at(1).lhs) == "rank(B) + 1");
}

BOOST_AUTO_TEST_CASE(token_numbers_name_rows_of_what_the_claim_takes_them_from) {
  const auto claim = read::parse_claim("E: [vocab, d]; t: [n]; rank(E[t]) <= vocab");
  const auto problem = infer::elaborate(claim);
  BOOST_CHECK_NO_THROW(kernel::reduce(claim, problem, {ReductionKind::above, {"onehot(t, vocab)", "E"}}));
  BOOST_CHECK_THROW(kernel::reduce(claim, problem, {ReductionKind::above, {"onehot(t, d)", "zeros(d, d)"}}), kernel::Reject);
}

BOOST_AUTO_TEST_CASE(only_what_can_be_divided_by_is_multiplied) {
  const auto by = [](ReductionKind kind, std::vector<std::string> text) {
    Certificate c;
    c.reduction = {kind, std::move(text)};
    c.parts.resize(kind == ReductionKind::lemma ? 2 : 1);
    return c;
  };
  const auto reason = [](const std::string& text, const Certificate& certificate) { return kernel::check(read::parse_claim(text), certificate).reason; };
  const std::string open = "nothing says that what both sides are multiplied by can be divided by again", shape = "the product has another shape than the sides";
  const std::string zero = "A, B, C: [n, n]; B == C";
  BOOST_TEST(reason(zero, by(ReductionKind::before, {"A"})) == open);
  BOOST_TEST(reason(zero, by(ReductionKind::scaled, {"0 * A"})) == open);
  BOOST_TEST(reason("assume invertible(A); " + zero, by(ReductionKind::before, {"A - A"})) == open);
  BOOST_TEST(reason("assume invertible(A); " + zero, by(ReductionKind::scaled, {"A"})) == open);
  BOOST_TEST(reason("A, B, C: [n, n]; assume nonzero(A); B == C", by(ReductionKind::after, {"A"})) == open);
  // An inverse for each i says nothing of another matrix of that name; a denominator in a comprehension neither.
  BOOST_TEST(reason("W: [h, n, n]; A: [n, n]; sum(inv(W[i]) for i in range(h)) == A", by(ReductionKind::before, {"W[i]"})) == open);
  BOOST_TEST(reason("x: [h]; s: []; sum(1 / x[i] for i in range(h)) == s", by(ReductionKind::scaled, {"x[i]"})) == open);
  // n by 1 times 1 by n would be larger than the sides.
  BOOST_TEST(reason("x: [n, 1]; y: [1, m]; assume nonzero(y); x == 2 * x", by(ReductionKind::scaled, {"y"})) == shape);
  BOOST_TEST(reason("assume invertible(A); A: [n, n]; x: [h, n, n]; x == 2 * x", by(ReductionKind::after, {"A"})) == shape);
  BOOST_TEST(reason("assume invertible(A); A: [n, n]; rowsum(A) <= 2 * rowsum(A)", by(ReductionKind::before, {"A"})) == "only an equation may be multiplied");
  // An inequality only by what is positive, and has a value: then both parts are shown.
  const auto compared = [&](const std::string& text, const std::string& factor) { return reason_of(text, ReductionKind::scaled, {factor}, 2); };
  const std::string sides = "x, y: []; assume x != 0; x <= y";
  BOOST_TEST(compared(sides, "0") == "part 0: rhs - lhs is not known to be positive");
  BOOST_TEST(compared(sides, "x").rfind("part 0", 0) == 0);
  BOOST_TEST(compared(sides, "log(y)") == open);
  BOOST_TEST(compared(sides, "1/y") == open);
  BOOST_TEST(compared("x: [n]; y: []; x <= exp(y)", "exp(x)") == shape);  // one number on the right, many after it
  BOOST_TEST(compared("x: [n, 1]; y: [1, n]; x <= x + 1", "exp(y)") == shape);
  BOOST_TEST(compared("S: [n, n]; c: []; assume c > 0; S + causal(n) <= S", "c") == "a claim with infinities is not multiplied");
  // A lemma must say something everywhere, and be shown.
  BOOST_TEST(reason(zero, by(ReductionKind::lemma, {"log(B)", "log(C)"})) == "lemma: a side may have no value");
  BOOST_TEST(reason(zero, by(ReductionKind::lemma, {"B", "C"})).rfind("part 0", 0) == 0);
  // What may be infinite has no product, and exp of it no logarithm.
  const std::string masked = "S: [n, n]; let A = softmax(S + causal(n)); A == 2 * A";
  BOOST_TEST(reason(masked, by(ReductionKind::lemma, {"A @ S", "S"})).rfind("part 0", 0) == 0);
  BOOST_TEST(reason(masked, by(ReductionKind::lemma, {"A @ (S + causal(n))", "S"})) == "lemma: a side may have no value");
  BOOST_TEST(reason(masked, by(ReductionKind::lemma, {"log(exp(S + causal(n)))", "S"})) == "lemma: a side may have no value");
  // A part of the claim has a value at the values of its own index only.
  const std::string none = "lemma: a side may have no value";
  const std::string once = "x, y: [2]; z: []; assume x[1:] + y[1:] == 0; z + sum(1/(x[i]+y[i]) for i in range(1)) == 0";
  BOOST_TEST(reason(once, by(ReductionKind::lemma, {"z*sum(sum((x[i]+y[i]) * (1/(x[i]+y[i])) for i in range(2)) for i in range(1))", "2*z"})) == none);
  BOOST_TEST(reason(once, by(ReductionKind::lemma, {"z*sum((x[i]+y[i]) * (1/(x[i]+y[i])) for i in range(2))", "2*z"})) == none);
  BOOST_TEST(reason(once, by(ReductionKind::lemma, {"z*sum((x[i]+y[i]) * (1/(x[i]+y[i])) for i in range(1))", "z"})) != none);
  // A size may be divided by, 0 times it may not, nor may an index of that name or a rank.
  BOOST_TEST(reason(zero, by(ReductionKind::lemma, {"B / (2 * n)", "C"})).rfind("part 0", 0) == 0);
  BOOST_TEST(reason(zero, by(ReductionKind::lemma, {"B / (0 * n)", "C"})) == none);
  BOOST_TEST(reason(zero, by(ReductionKind::lemma, {"B / n + sum(B / k for k in range(2))", "C"})) == none);
  const std::string size = "x, y: [i+1]; z: []; assume x[:1] + y[:1] == 0; z + 0*(1/(x[i]+y[i])) == 0";
  BOOST_TEST(reason(size, by(ReductionKind::lemma, {"z*sum((x[i]+y[i]) * (1/(x[i]+y[i])) for i in range(i+1))", "(i+1)*z"})) == none);
  BOOST_TEST(reason("S: [n, n]; rowsum(S + causal(n)) <= rowsum(S)", by(ReductionKind::increasing, {})) == "increasing: the sides are not values of one increasing function");
  for (const char* claim : {"S: [n, n]; mean(S + causal(n)) <= 0", "S: [n, n]; tanh(causal(n)) < tanh(S)", "X, u: [n, d]; rowmean(X) <= u", "X: [n, d]; sum(X) <= 1", "X: [n, d]; lse(X) <= 1"}) {
    BOOST_TEST(reason(claim, by(ReductionKind::increasing, {})).rfind("increasing: the", 0) == 0, claim);
  }
  BOOST_TEST(reason("S: [n, n]; assume invertible(S); S + causal(n) == 2 * S + causal(n)", by(ReductionKind::before, {"S"})) == "a claim with infinities is not multiplied");
}

BOOST_AUTO_TEST_CASE(only_square_factors_of_an_identity_are_invertible) {
  const auto parts = [](const std::string& text) { return kernel::invertible_parts(read::parse_claim(text)).size(); };
  BOOST_TEST(parts("H: [d, d]; assume H @ H.T == d * eye(d); H == H.T") == 2u);
  BOOST_TEST(parts("A, B: [d, d]; assume A @ B == eye(d); A == B") == 2u);
  BOOST_TEST(parts("A: [d, p]; B: [p, d]; assume A @ B == eye(d); A == B.T") == 0u);
  BOOST_TEST(parts("A, B: [d, d]; c: []; assume A @ B == c * eye(d); A == B") == 0u);
  BOOST_TEST(parts("A, B: [d, d]; let M = inv(A); M == B") == 1u);
  BOOST_TEST(parts("A, B: [d, d]; let M = inv(A); A == B") == 0u);  // nobody asks for M
}

BOOST_AUTO_TEST_CASE(only_definitions_of_numbers_are_forgotten) {
  const auto reason = [](const std::string& text, std::vector<std::string> names) {
    return reason_of(text, ReductionKind::forget, std::move(names), 1);
  };
  const std::string claim = "S: [n, n]; let A = S + causal(n); let B = softmax(A); let R = eye(rank(S)); B == 2 * B";
  BOOST_TEST(reason(claim, {"B"}).rfind("part 0", 0) == 0);  // B == 2 * B for any B is what remains to be shown
  BOOST_TEST(reason(claim, {"A"}) == "forget: a variable is nowhere infinite");
  BOOST_TEST(reason(claim, {"B", "A"}) == "forget: a variable is nowhere infinite");
  BOOST_TEST(reason(claim, {"R"}) == "forget: the shape mentions a rank");
  BOOST_TEST(reason(claim, {"S"}) == "forget: no such definition");
  BOOST_TEST(reason(claim, {"B", "B"}) == "forget: no such definition");
  BOOST_TEST(reason(claim, {}) == "forget: no definition is named");
  // For any positive tensor, and the part is shown to be one.
  const kernel::Reduction positive{ReductionKind::forget, {"positive", "s"}};
  const expr::Claim scaled = read::parse_claim("u, x: [n]; assume u >= 0; let s = u - 1; relu(s * x) == s * relu(x)");
  const auto claims = kernel::reduce(scaled, infer::elaborate(scaled), positive);
  BOOST_REQUIRE(claims.size() == 2u);
  BOOST_TEST(expr::text(claims[0].lhs) + " < " + expr::text(claims[0].rhs) == "0 < s");
  BOOST_TEST((claims[0].relation == expr::Relation::less && claims[0].definitions.size() == 1u));
  BOOST_TEST((claims[1].definitions.empty() && expr::text(claims[1].assumptions.back().lhs) == "positive(s)"));
}

BOOST_AUTO_TEST_CASE(what_is_assumed_to_be_something_is_that) {
  const auto instead = [](const std::string& text, const std::string& number, const std::string& side) {
    const auto claim = read::parse_claim(text);
    const auto claims = kernel::reduce(claim, infer::elaborate(claim), {ReductionKind::instead, {number, side}});
    BOOST_REQUIRE_EQUAL(claims.size(), 1u);
    std::string all = expr::text(claims[0].lhs) + " == " + expr::text(claims[0].rhs);
    for (const auto& a : claims[0].assumptions) all += "; " + expr::text(a);
    return all;
  };
  BOOST_TEST(instead("A: [n, n]; assume A == tril(A); assume A == A.T; A == A * eye(n)", "0", "left") == "tril(A) == tril(A) * eye(n); tril(A) == tril(A).T");
  BOOST_TEST(instead("A, B: [n, n]; assume A @ B == B; A @ B == 2 * B", "0", "right") == "A @ (A @ B) == 2 * (A @ B)");
  // `i` is an index in the sum, and another thing in the assumption.
  BOOST_TEST(instead("x: [n]; i: []; assume x == i * x; sum(x * i for i in range(3)) == 2 * x", "0", "left") == "sum(x * i for i in range(3)) == 2 * (i * x)");
  const auto reason = [](const std::string& text, std::vector<std::string> words) { return reason_of(text, ReductionKind::instead, std::move(words), 1); };
  const std::string claim = "A: [n, n]; b: [m]; assume A == tril(A); assume b == b[0]; assume invertible(A); A == 2 * A";
  BOOST_TEST(reason(claim, {"0", "left"}).rfind("part 0", 0) == 0);
  BOOST_TEST(reason(claim, {"1", "left"}) == "instead: the sides of the assumption have two shapes");
  BOOST_TEST(reason(claim, {"2", "left"}) == "instead: no such equation is assumed");
  BOOST_TEST(reason(claim, {"3", "left"}) == "instead: no such equation is assumed");
  BOOST_TEST(reason(claim, {"0", "both"}) == "instead: no side is named");
  BOOST_TEST(reason("A: [n, n]; let B = A @ A; assume A == B; A == 2 * A", {"0", "left"}) == "instead: a definition is assumed to be something");
}

BOOST_AUTO_TEST_CASE(a_lemma_may_name_parts_that_lie_inside) {
  const auto reason = [](const std::string& text, const std::string& left, const std::string& right) {
    return reason_of(text, ReductionKind::lemma, {left, right}, 2);
  };
  const std::string none = "lemma: a side may have no value", claim = "X: [t+s, d]; Y: [n, d]; let A = X + X; let L = log(Y); X == 2 * X + 0 * (Y[:1, :1] * X)";
  BOOST_TEST(reason(claim, "X[:t]", "2 * X[:t]").rfind("part 0", 0) == 0);
  BOOST_TEST(reason(claim, "X[s:]", "2 * X[s:]").rfind("part 0", 0) == 0);
  BOOST_TEST(reason(claim, "Y[:1]", "2 * Y[:1]").rfind("part 0", 0) == 0);
  BOOST_TEST(reason(claim, "Y[:2]", "2 * Y[:2]") == none);
  BOOST_TEST(reason(claim, "Y[:m]", "2 * Y[:m]") == none);
  BOOST_TEST(reason(claim, "X[t:t+s-1]", "2 * X[t:t+s-1]") == none);  // empty at s == 1
  BOOST_TEST(reason(claim, "A", "X + X").rfind("part", 0) == 0);
  BOOST_TEST(reason(claim, "L", "2 * L - L") == none);  // nobody asks for L
  BOOST_TEST(reason(claim, "softmax(Y)", "softmax(Y + 1)").rfind("part", 0) == 0);
  BOOST_TEST(reason(claim, "softmax(Y @ Y.T + causal(n))", "softmax(1 + Y @ Y.T + causal(n))").rfind("part", 0) == 0);
  BOOST_TEST(reason(claim, "softmax(Y @ Y.T + neginf(eye(n, k=1)))", "0 * Y @ Y.T") == none);  // the last row has no key
  BOOST_TEST(reason(claim, "softmax(L)", "softmax(L + 1)") == none);
  const std::string size = "h: [k]; 1 < k";  // over nothing at k == 1
  BOOST_TEST(reason(size, "exp(lse(zeros(1, k)))", "k").rfind("part", 0) == 0);
  BOOST_TEST(reason(size, "exp(lse(zeros(1, k-1)))", "k - 1") == none);
  BOOST_TEST(reason(size, "rms(ones(1, k-1))", "1") == none);
  BOOST_TEST(reason(size, "rowsum(softmax(ones(1, k-1)))", "1") == none);
  BOOST_TEST(reason(claim, "softmax(Y, axis=0)", "softmax(Y + 1, axis=0)") == none);  // no more than it seems worth to know
}

BOOST_AUTO_TEST_CASE(values_of_one_function_are_compared_by_its_operands) {
  const auto reason = [](const std::string& text) {
    return reason_of(text, ReductionKind::congruent, {}, 1);
  };
  const std::string another = "congruent: the sides are not values of one function";
  BOOST_TEST(reason("A, B: [n, n]; exp(A) == exp(B)").rfind("part 0", 0) == 0);  // A == B is what remains to be shown
  BOOST_TEST(reason("A, B: [n, n]; exp(A) == log(B)") == another);
  BOOST_TEST(reason("A, B: [n, n]; softmax(A, axis=0) == softmax(B, axis=1)") == another);
  BOOST_TEST(reason("A, B: [n, n]; exp(A) <= exp(B)") == "congruent: the left side is no function of tensors");
  BOOST_TEST(reason("eye(n) == eye(n)") == "congruent: the left side is no function of tensors");
  BOOST_TEST(reason("x: []; sum(x) == sum(x * ones(2, 2))") == "congruent: what the function is taken of has two shapes");
}

BOOST_AUTO_TEST_CASE(blocks_cover_the_whole_axis) {
  const auto reason = [](const std::string& text, std::vector<std::string> cut) {
    return reason_of(text, ReductionKind::blocks, std::move(cut), 2);
  };
  const std::string stacked = "A: [n, d]; B: [m, d]; vstack(A, B) == vstack(B, A)[:n+m]";
  BOOST_TEST(reason("A: [n, d]; B: [m, d]; vstack(A, 2*B) == vstack(A, B)", {"0", "n"}).rfind("part 1", 0) == 0);
  BOOST_TEST(reason(stacked, {"0", "d"}) == "blocks: the axis is no sum of sizes of which that is one");
  BOOST_TEST(reason(stacked, {"0", "n + m"}) == "blocks: the axis is no sum of sizes of which that is one");
  BOOST_TEST(reason(stacked, {"1", "d"}) == "blocks: the axis is no sum of sizes of which that is one");
  BOOST_TEST(reason(stacked, {"2", "d"}) == "blocks: no such axis");
  BOOST_TEST(reason("A: [n, d]; B: [m, d]; vstack(A, B) <= vstack(A, B)", {"0", "n"}) == "blocks: the claim is no equation of two tensors of one shape");
}

BOOST_AUTO_TEST_CASE(only_what_has_no_order_is_turned) {
  const auto reason = [](const std::string& text, std::vector<std::string> what) { return reason_of(text, ReductionKind::turned, std::move(what), 1); };
  const std::string refused = "turned: only the declarations and the sides of an equation have no order";
  BOOST_TEST(reason("A: [n, n]; A <= 2 * A", {"sides"}) == refused);
  BOOST_TEST(reason("A: [n, n]; A == 2 * A", {"assumptions"}) == refused);
  BOOST_TEST(reason("A: [n, n]; A <= 2 * A", {"one"}) == refused);
  BOOST_TEST(reason("M: [n, n]; assume mask01(M); neginf(M) < neginf(M) + 1", {"one"}) == refused, "minus infinity is not less than itself");
  BOOST_TEST(reason("A: [n, n]; A < A + 2", {"one"}).rfind("part 0", 0) == 0);
  BOOST_TEST(reason("A: [n, n]; A == 2 * A", {"names", ""}) == refused);
  for (const char* what : {"sides", "names", "used"}) BOOST_TEST(reason("A: [n, n]; B: [n, n]; A == 2 * A", {what}).rfind("part 0", 0) == 0);
  const auto declarations_left = [](const std::string& text) {
    const auto claim = read::parse_claim(text);
    return kernel::reduce(claim, infer::elaborate(claim), {ReductionKind::turned, {"used"}}).front().declarations.size();
  };
  BOOST_TEST(declarations_left("A: [n, n]; B: [n, n]; C: [3]; A == 2 * A") == 1u);
  BOOST_TEST(declarations_left("A: [n, n]; B: [n, n]; assume B == eye(n); A == 2 * A") == 2u);
  BOOST_TEST(declarations_left("A: [n, n]; B: [n, n]; let C = B; A == C") == 2u);
  BOOST_TEST(declarations_left("A: [n, n]; B: [m, n]; A * m == A") == 2u, "without B, m is no size");
}

BOOST_AUTO_TEST_CASE(pieces_cover_every_number) {
  const auto check = [](const std::string& text, ReductionKind kind, std::vector<std::string> points, std::size_t parts) {
    return reason_of(text, kind, std::move(points), parts);
  };
  const std::string hat = "x: []; relu(x) == abs(x)";
  // Before -1, between -1 and 0, after 0: the last piece holds, the others do not.
  BOOST_TEST(check(hat, ReductionKind::pieces, {"x", "-1", "0"}, 3).rfind("part 0", 0) == 0);
  BOOST_TEST(check(hat, ReductionKind::pieces, {"x", "-1", "0"}, 2) == "a part is needed for each claim of the reduction");
  BOOST_TEST(check(hat, ReductionKind::pieces, {"x", "0", "-1"}, 3) == "pieces: the points are no increasing numbers");
  BOOST_TEST(check(hat, ReductionKind::pieces, {"x", "1/2", "2/4"}, 3) == "pieces: the points are no increasing numbers");
  BOOST_TEST(check(hat, ReductionKind::pieces, {"x", "x"}, 2) == "pieces: no sum of other numbers");
  BOOST_TEST(check(hat, ReductionKind::pieces, {"y", "0"}, 2) == "pieces: no number of that name");
  BOOST_TEST(check("x: [n]; relu(x) == abs(x)", ReductionKind::pieces, {"x", "0"}, 2) == "pieces: no number of that name");
  // An index called x is another x.
  BOOST_TEST(check("x: []; x + sum(x * 0 for x in range(2)) == abs(x)", ReductionKind::pieces, {"x", "0"}, 2) == "pieces: an index has the name of the number");
  BOOST_TEST(check("x, y: []; x + sum(x * y for y in range(2)) == abs(x)", ReductionKind::pieces, {"x", "y"}, 2) == "pieces: no sum of other numbers");
  // Before and after 1 - y, which is made of other numbers and always has a value.
  BOOST_TEST(check("x, y: []; minimum(x, 1 - y) == 1 - y", ReductionKind::pieces, {"x", "1 - y"}, 1) == "a part is needed for each claim of the reduction");
  BOOST_TEST(check("x, y: []; minimum(x, 1 - y) == 1 - y", ReductionKind::pieces, {"x", "1 - y"}, 2).rfind("part 0", 0) == 0);
  for (const char* place : {"1 - x", "1/y", "y + n", "sqrt(y)", "y + Z"}) {
    BOOST_TEST(check("x, y: []; Z: [n]; minimum(x, 1/y) + sum(Z) == x", ReductionKind::pieces, {"x", place}, 2) == "pieces: no sum of other numbers", place);
  }
  // What an assumption about another number bounds does not end there.
  BOOST_TEST(check("x, y: []; assume 0 <= y <= 1; x**2 <= x", ReductionKind::pieces, {"x", "0", "1"}, 3).rfind("part 0", 0) == 0);
  BOOST_TEST(check("x: [n, 1]; X: [n, d]; relu(x) + X == X", ReductionKind::entries, {}, 1).rfind("part 0", 0) == 0);  // which it is of no two numbers
  BOOST_TEST(check("X: [n, n]; X @ X == abs(X)", ReductionKind::entries, {}, 1) == "a side is no function of single entries");
  // What is assumed of whole matrices is not assumed of numbers.
  BOOST_TEST(check("X: [n, d]; assume rowsum(X) == 0; X == 0*X", ReductionKind::entries, {}, 1).rfind("part 0", 0) == 0);
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
