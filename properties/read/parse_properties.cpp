// SPDX-License-Identifier: MIT
// What the claim language accepts and refuses: precedence, statements, one located error per kind of mistake, and limits.
// A spelled-out tree stands for the expected structure, so that parser and printer cannot be wrong together.
#include <boost/test/unit_test.hpp>
#include <ctime>
#include <rapidcheck/boost_test.h>
#include <set>

#include "../expr/random_syntax.hpp"
#include "program/lexer.hpp"
#include "read/language.hpp"
#include "read/parse.hpp"
#include "read/several_asserts.hpp"
#include "read/statements.hpp"

namespace foldproof::read {
namespace {

/// Every operator written as a call: (+ a b).
std::string structure(const Expression& e) {
  if (!e) return "_";
  static constexpr const char* heads[] = {"", "", "neg", "+", "-", "*", "/", "//", "%", "@", "**", "T", "", "list", "index", "for"};
  if (e->kind == SyntaxKind::number) return e->value.text();
  if (e->kind == SyntaxKind::name) return e->name;
  std::string out = std::string("(") + heads[static_cast<std::size_t>(e->kind)] + e->name;
  for (const auto& a : e->args) out += " " + structure(a);
  for (const auto& [key, value] : e->keywords) out += " " + key + "=" + structure(value);
  for (const auto& s : e->subscripts) out += " " + structure(s.start) + (s.slice ? ":" + structure(s.stop) : "") + (s.step ? ":" + structure(s.step) : "");
  return out + ")";
}

std::string repeat(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

Diagnostic error_of(const std::string& text, bool claim = true) {
  try {
    if (claim) {
      parse_claim(text);
    } else {
      parse_expression(text);
    }
  } catch (const Error& error) {
    return error.diagnostic();
  }
  return {};
}

BOOST_AUTO_TEST_CASE(a_claim_on_one_line_has_its_statements_and_no_comments) {
  BOOST_TEST(claim_line("# hi; there\nX: [n, d];\n\n(X @ A) @ B ==  # both\n  X @ (A @\n B) # end\n") == "X: [n, d]; (X @ A) @ B == X @ (A @ B)");
  BOOST_TEST(claim_line("# unclosed; a\n(A == B;\x01 C # c; d\n") == "(A == B; C");
  BOOST_TEST(claim_line("A + B == B + A", 5) == "A + B...");
  BOOST_TEST(claim_line("# nothing").empty());
}

BOOST_AUTO_TEST_CASE(a_claim_on_one_line_is_the_same_claim) {
  for (const std::string text : {"let Q = X @ W  # q\nassume R.T @ R ==\n  eye(d)\nQ @ R\n  == X @ (W @ R)", "einsum('nd,dk->nk', X, W) == X @ W # why"}) {
    BOOST_TEST(expr::text(parse_claim(claim_line(text))) == expr::text(parse_claim(text)));
  }
}

BOOST_AUTO_TEST_CASE(operators_bind_as_in_numpy) {
  const std::pair<const char*, const char*> cases[] = {
      {"-a**2", "(neg (** a 2))"},
      {"a**-b**c", "(** a (neg (** b c)))"},
      {"a**b**c", "(** a (** b c))"},
      {"(a**b)**c", "(** (** a b) c)"},
      {"a - b - c", "(- (- a b) c)"},
      {"a @ b * c / d % e // f", "(// (% (/ (* (@ a b) c) d) e) f)"},
      {"a + b @ c", "(+ a (@ b c))"},
      {"-a @ b", "(@ (neg a) b)"},
      {"a @ -b + c", "(+ (@ a (neg b)) c)"},
      {"--a", "(neg (neg a))"},
      {"+a", "a"},
      {"-a.T", "(neg (T a))"},
      {"a**b.T[i]", "(** a (index (T b) i))"},
      {"2.5e-1*a", "(* 1/4 a)"},
      {".5", "1/2"},
      {"2.T", "(T 2)"},
      {"np.sqrt(k) + torch.nn.functional.softmax(X, dim=-1)", "(+ (sqrt k) (softmax X))"},
      {"np.T", "(T np)"},
      {"W[:, i*k:(i+1)*k]", "(index W _:_ (* i k):(* (+ i 1) k))"},
      {"X[:t] @ V[1:] @ X[n-1:n] @ W[i//g]", "(@ (@ (@ (index X _:t) (index V 1:_)) (index X (- n 1):n)) (index W (// i g)))"},
      {"concat(A[i] for i in range(h*g))", "(concat (fori (index A i) (* h g)))"},
      {"concat([A[i] for i in range(h)], axis=1)", "(concat (fori (index A i) h) axis=1)"},
      {"concat([A, B], axis=1)", "(concat (list A B) axis=1)"},
      {"reshape(X, (n, h, k))", "(reshape X (list n h k))"},
      {"f()", "(f)"},
      {"f(\n a,\n # comment\n b,\n)", "(f a b)"},
      {"np.dot(X, A).dot(B)", "(@dot (@dot X A) B)"},
      {"np.multiply(A, np.add(B, C)) - np.square(x) / X.pow(3)", "(- (* A (+ B C)) (/ (** x 2) (** X 3)))"},
      {"np.inner(u, v) + np.linalg.multi_dot([A, B, C])", "(+ (@inner u (T v)) (@ (@ A B) C))"},
      {"-X.t() @ W.sum(-1, keepdims=True)", "(@ (neg (Tt X)) (sum W axis=(neg 1) keepdims=True))"},
      {"X.view(n, h, k).transpose(1, 0, 2)[i]", "(index (transpose (reshape X n h k) 1 0 2) i)"},
      {"np.log1p(x) + np.expm1(y)", "(+ (log (+ 1 x)) (- (exp y) 1))"},
      {"np.logaddexp(x, y) * np.reciprocal(z)", "(* (log (+ (exp x) (exp y))) (/ 1 z))"},
      {"F.linear(x, W, b) + F.linear(x, V)", "(+ (+ (@ x (Tt W)) b) (@ x (Tt V)))"},
      {"np.vdot(u, v) + np.linalg.matrix_rank(A)", "(+ (einsum (conj u) v subscripts='i,i->') (rank A))"},
      {"np.linalg.norm(X, axis=1, keepdims=True)", "(sqrt (sum (* X X) axis=1 keepdims=True))"},
      {"np.linalg.norm(X, axis=1)", "(sqrt (sum (* X X) axis=1 keepdims=False))"},
      {"jax.nn.softmax(S, -1) + F.softmax(S, dim=0) + F.softmax(1)", "(+ (+ (softmax S) (softmax S dim=0)) (softmax F axis=1))"},
      {"max(x, 0) + np.max(x, 0)", "(+ (max x 0) (max x axis=0 keepdims=False))"},
      {"np.sum(X, axis=1) + sum(X, axis=1) + X.mean(-1) + np.sum(X)", "(+ (+ (+ (sum X axis=1 keepdims=False) (sum X axis=1)) (mean X axis=(neg 1) keepdims=False)) (sum X))"},
      {"torch.amax(X, dim=1, keepdim=True) + np.fliplr(X).clip(a, b)", "(+ (max X dim=1 keepdim=True) (clip (flip X axis=1) a b))"},
      {"np.concatenate([A, B]) + torch.cat((A, B), dim=-1) + concat([A, B])", "(+ (+ (concatenate (list A B) axis=0) (cat (list A B) dim=(neg 1))) (concat (list A B)))"},
      {"vstack(*[A, B]) + sum(w @ X for w in W) + ~M", "(+ (+ (vstack A B) (sum (forw (@ (index W w) X) (index (shape W) 0)))) (~ M))"},
      {"sum(q @ k.T for q, k in zip(Q, K)) + X[:, i::h]", "(+ (sum (forq_ (@ (index Q q_) (T (index K q_))) (index (shape (zipped Q K)) 0))) (index X _:_ i:_:h))"},
      {"sum(sum(q @ k for q in U) for q, k in zip(Q, K)) + sum(sum(w for w in U) for w in W)",
       "(+ (sum (forq_ (sum (forq (@ (index U q) (index K q_)) (index (shape U) 0))) (index (shape (zipped Q K)) 0))) (sum (forw (sum (forw (index U w) (index (shape U) 0))) (index (shape W) 0))))"},
      {"X[:, ::2] - X[1:n:3] @ A[::-1] + B[a::]", "(+ (- (index X _:_ _:_:2) (@ (index X 1:n:3) (index A _:_:(neg 1)))) (index B a:_))"},
      {"Q.shape[-1] + X.size(0) + len(X)", "(+ (+ (index (shape Q) (neg 1)) (index (shape X) 0)) (index (shape X) 0))"},
      {"np.mean(X) - X.max() + np.amin(X)", "(+ (- (mean X axis=None keepdims=False) (max X axis=None keepdims=False)) (min X axis=None keepdims=False))"},
      {"np.where(M == 1, S, -np.inf) + where(M != 1, S, T)", "(+ (where (== M 1) S (neginf 0)) (where (!= M 1) S T))"},
      {"S.masked_fill(M == 0, float('-inf')) + torch.masked_fill(S, M.bool(), -1e9)", "(+ (where (!= M 0) S (neginf 0)) (where (bool M) (neg 1000000000) S))"},
      {"S.masked_fill(1 - M, c) + S.masked_fill(~M, c) + S.masked_fill(j > i, c)", "(+ (+ (where (- 1 M) c S) (where (~ (~ M)) S c)) (where (<= j i) S c))"},
      {"A | B & ~(C == 1) | np.logical_or(A, i + 1 >= j)", "(| (| A (& B (~ (== C 1)))) (| A (>= (+ i 1) j)))"},
      {"sum(A[i] for i in range(1, n))", "(sum (fori (index A (+ i 1)) (- n 1)))"},
      {"sum(sum(A[j] for j in range(j)) for j in range(1, n))", "(sum (forj (sum (forj (index A j) (+ j 1))) (- n 1)))"},
      {"sum(A[i, j] for i in range(n) for j in range(i, n))", "(sum (fori (sum (forj (index A i (+ j i)) (- n i))) n))"},
      {"np.array([[1, x], [y, 2]]) + [1, 2]", "(+ (array (list (list 1 x) (list y 2))) (list 1 2))"},
      {"K.transpose(-2, -1) + torch.transpose(K, 0, 1)", "(+ (swapaxes K (neg 2) (neg 1)) (swapaxes K 0 1))"},
      {"F.scaled_dot_product_attention(Q, K, V)", "(@ (softmax (/ (@ Q (swapaxes K (neg 1) (neg 2))) (sqrt (index (shape Q) (neg 1))))) V)"},
      {"b[:, np.newaxis] + np.clip(x, 0, None) + x.clamp(min=0) + x.clamp(max=1)", "(+ (+ (+ (index b _:_ None) (maximum x 0)) (maximum x 0)) (minimum x 1))"},
      {"np.triu(np.full((n, n), -np.inf), k=1) + np.full((n, d), c)", "(+ (triu (neginf (zeros n n)) 1) (*whole c (ones n d)))"},
      {"F.logsigmoid(x) + torch.linalg.inv(A) - A.inverse() @ np.linalg.solve(A, b)", "(- (+ (log (sigmoid x)) (inv A)) (@ (inv A) (@ (inv A) b)))"},
      {"torch.cumsum(X, 0) + X.cumsum(dim=-1)", "(+ (cumsum X axis=0) (cumsum X dim=(neg 1)))"},
      {"x.unsqueeze(1) + F.linear(x, W, bias=None) - torch.addmm(b, x, W)", "(- (+ (index x _:_ None) (@ x (Tt W))) (+ b (@mm x W)))"},
      {"x.sum((0, 1)) + x.mean(dim=(-1, -2))", "(+ (sum (sum x axis=1 keepdims=False) axis=0 keepdims=False) (mean (mean x axis=(neg 2) keepdims=False) axis=(neg 1) keepdims=False))"},
      {"F.rms_norm(x, (d,), g, eps=eps) + F.layer_norm(x, [d])", "(+ (* (rmsnorm (sized x (list d)) eps) g) (layernorm (sized x (list d)) 1/100000))"},
      {"np.where(x > 2, x, 2) + x.split(k, dim=1)[0] + np.split(x, 2)[1]", "(+ (+ (where (> x 2) x 2) (index (split x k dim=1) 0)) (index (chunk x 2) 1))"},
      {"X.add(Y).multiply(2)", "(* (+ X Y) 2)"},
      {"b[None, :] + A[..., :m]", "(+ (index b None _:_) (index A ... _:m))"},
  };
  for (const auto& [text, expected] : cases) BOOST_TEST(structure(parse_expression(text)) == expected, text);
}

BOOST_AUTO_TEST_CASE(brackets_are_printed_only_where_they_are_needed) {
  for (const char* written : {"(a**b)**c", "a**b**c", "a**-b", "(-a)**b", "-a**b", "--a", "a @ (B @ C)", "a @ B @ C", "a - (b - c)", "(a + b) * c", "-(a + b)",
                              "a @ -b", "(A @ B).T", "(-a).T", "f(x).T[i]", "(2).T", "W[:, i*k:(i+1)*k]", "W[i//g, -1]", "concat(a + b for i in range(h*g))", "(i >= j) & (i - j < w) | ~M", "where(i >= j, A, -B)", "~(A & B) + (M == 1)", "(A | B) & C", "A & (B & C)", "f(a >= b, (a == b) == c)",
                              "concat([A, B], axis=1)", "concat([A[i] for i in range(h)], axis=1)", "0.125", "1.5", "0.00001", "[a for i in range(h)] + [b, c]", "b[None, :]", "A[..., :m]"}) {
    BOOST_TEST(text(parse_expression(written)) == written);
  }
  BOOST_TEST(text(parse_expression("((a)) + (b*(c))")) == "a + b * c");
  BOOST_TEST(text(parse_expression("1.5e-18 * 25e-18")) == "1.5e-18 * 0.000000000000000025");
}

BOOST_AUTO_TEST_CASE(statements_are_sorted_by_kind_and_located) {
  const std::string source =
      "# folding\nA, B: [n, 2*d_k + 1]; s: []\nlet C = A @ B.T\n"
      "assume orthogonal(R), s > 0 and all(B != 0)\nassume k == d\nC @ (\n R) ==\n C";
  const Claim c = parse_claim(source);
  BOOST_TEST_REQUIRE(c.declarations.size() == 3);
  BOOST_TEST(text(c.declarations[1].shape) == "[n, 2*d_k + 1]");
  BOOST_TEST(c.declarations[2].shape.empty());
  BOOST_TEST_REQUIRE(c.definitions.size() == 1);
  BOOST_TEST(structure(c.definitions[0].value) == "(@ A (T B))");
  BOOST_TEST_REQUIRE(c.assumptions.size() == 4);
  BOOST_TEST(!c.assumptions[0].relation);
  BOOST_TEST(text(c.assumptions[2]) == "B != 0");
  BOOST_TEST(source.substr(c.assumptions[2].span.begin, c.assumptions[2].span.end - c.assumptions[2].span.begin) == "all(B != 0)");
  BOOST_TEST(structure(c.lhs) == "(@ C R)");
  BOOST_TEST(source.substr(c.lhs->span.begin, c.lhs->span.end - c.lhs->span.begin) == "C @ (\n R)");
  BOOST_TEST(text(c) == "A: [n, 2*d_k + 1]\nB: [n, 2*d_k + 1]\ns: []\nlet C = A @ B.T\nassume orthogonal(R)\nassume s > 0\nassume B != 0\nassume k == d\nC @ R == C");
  BOOST_TEST(text(parse_claim(text(c))) == text(c));
  BOOST_TEST(text(parse_claim("X: (n, d)\nQ = X @ W\nassert np.allclose(Q @ K.T, X @ (W @ K.T))")) == "X: [n, d]\nlet Q = X @ W\nQ @ K.T == X @ (W @ K.T)");
  BOOST_TEST(text(parse_claim("\u03b1: []; \u03bb: [n, 1]\n\u03b1 * (A \u2299 B)\u1d40 \u2212 \u03bb\n\u2264 C\u22a4")) == "alpha: []\nlambda_: [n, 1]\nalpha * (A * B).T - lambda_ <= C.T");
  BOOST_TEST(text(parse_claim("assume s \u2260 0; s * A \u2265 B")) == "assume s != 0\nB <= s * A");
  BOOST_TEST(text(parse_claim("nn.LayerNorm((d,), 1e-6)(X) == nn.RMSNorm(d, 1e-6)(X) + nn.LayerNorm((d,), eps=1e-6)(X)")) == "layernorm(X, 0.000001) == rmsnorm(X, 0.000001) + layernorm(X, 0.000001)");
  BOOST_TEST(text(parse_claim("sum([A, B, C]) == sum([A])")) == "A + B + C == A");
  BOOST_TEST(text(parse_claim("np.tensordot(A, B, axes=([1], [0])) == tf.matmul(A, B, transpose_a=False)")) == "A @ B == A @ B");
  BOOST_TEST(text(parse_claim("F.pad(x, (1, 0, 0, p)) == np.pad(x, ((0, p), (1, 0)))")) == "padded(x, 1, 0, -1, 0, p, -2) == padded(x, 0, p, 0, 1, 0, 1, axes=2)");
  BOOST_TEST(text(parse_claim("(x > 0) * (y > 0) == dY * (x > 0)")) == "(x > 0) * (y > 0) == where(x > 0, dY, 0)");  // truth values are no numbers
  BOOST_TEST(text(parse_claim("assume binary(M), permlist(pi)\nM * M == M")) == "assume mask01(M)\nassume permutation(pi)\nM * M == M");
  BOOST_TEST(text(parse_claim("assume tokens(t, v)\nE[t] == E[t] + 0")) == "assume t >= 0\nassume t <= v - 1\nassume integer(t)\nE[t] == E[t] + 0");
  BOOST_TEST(text(parse_claim("assume angles(theta), integer(t, 0, 5)\ncos(t * theta) == 1")) == "assume real(theta)\nassume t >= 0\nassume t <= 5\nassume integer(t)\ncos(t * theta) == 1");
  BOOST_TEST((parse_claim("rank(A @ B) <= rank(A)").relation == Relation::less_equal));
}

struct BadInput {
  const char* text;
  const char* code;
  std::size_t begin;
  const char* place;  ///< the text under the caret
  const char* hint;   ///< part of the hint
};

constexpr BadInput bad_inputs[] = {
    {"x: [n]; x * not == not * x", "parse.unexpected", 12, "not", "a word of Python"},
    {"x: [n]; x + else == else + x", "parse.unexpected", 12, "else", "a word of Python"},
    {"x: [n]; x * if == if * x", "parse.unexpected", 12, "if", "a word of Python"},
    {"np.ones(n, n) @ X == X", "call.arguments", 11, "n", "write np.ones((n, n))"},
    {"X + np.zeros(n, 2) == X", "call.arguments", 16, "2", "write np.zeros((n, 2))"},
    {"np.full(n, m, c) == X", "call.arguments", 14, "c", "write np.full((n, m), c)"},
    {"torch.full(3, 2) == X", "call.arguments", 11, "3", "(3,)"},
    {"np.eye((d, d)) @ X == X", "call.arguments", 7, "(d, d)", "brackets"},
    {"torch.eye((d, d)) @ X == X", "call.arguments", 10, "(d, d)", "brackets"},
    {"X = np.random.randn((n, d)); X == X + 0", "call.arguments", 20, "(n, d)", "brackets"},
    {"np.vstack(X, Y) == Z", "call.arguments", 13, "Y", "write np.vstack([X, Y])"},
    {"np.reshape(X, n, d) == X", "call.arguments", 17, "d", "write np.reshape(X, (n, d))"},
    {"torch.reshape(X, n, d) == X", "call.arguments", 20, "d", "write torch.reshape(X, (n, d))"},
    {"torch.permute(X, 1, 0) == X.T", "call.arguments", 17, "1", "write torch.permute(X, (1, 0))"},
    {"np.sum(X, dim=1) == Y", "call.keyword", 14, "1", "write axis="},
    {"np.mean(X, axis=1, keepdim=True) == Y", "call.keyword", 27, "True", "write keepdims="},
    {"np.tril(X, diagonal=1) == Y", "call.keyword", 20, "1", "write k="},
    {"torch.tril(X, k=1) == Y", "call.keyword", 16, "1", "write diagonal="},
    {"F.softmax(X, axis=-1) == Y", "call.keyword", 18, "-1", "write dim="},
    {"X.sum(dim=1, axis=1) == Y", "call.arguments", 18, "1", "leave one"},
    {"np.sum(X, 1, True) == Y", "call.arguments", 13, "True", "by name"},
    {"np.softmax(X) == Y", "name.unknown", 3, "softmax(X)", "without a module"},
    {"torch.softmax(X) == Y", "call.axis", 6, "softmax(X)", "dim=-1"},
    {"X.softmax() == Y", "call.axis", 0, "X.softmax()", "dim=-1"},
    {"torch.logsumexp(X) == Y", "call.axis", 6, "logsumexp(X)", "dim=-1"},
    {"torch.cumsum(X) == Y", "call.axis", 6, "cumsum(X)", "dim=-1"},
    {"np.exp(X, Y) == X", "call.arguments", 10, "Y", "by name"},
    {"np.concatenate(X, Y) == Z", "call.arguments", 18, "Y", "write np.concatenate([X, Y])"},
    {"torch.cat(X, Y) == Z", "call.arguments", 13, "Y", "write torch.cat([X, Y])"},
    {"torch.stack(X, Y) == Z", "call.arguments", 15, "Y", "write torch.stack([X, Y])"},
    {"S.masked_fill(torch.tril(torch.ones(n, n)), -1e9) == S", "call.mask", 20, "tril(torch.ones(n, n))", ".bool()"},
    {"m = torch.eye(n); torch.where(m, S, 0) == S", "call.mask", 30, "m", ".bool()"},
    {"S: [n, n]; S.masked_fill(S > 0, S) == S", "call.arguments", 32, "S", "x[0]"},
    {"X: [n, d]; math.exp(X) == X", "call.arguments", 20, "X", "np.exp(x)"},
    {"X: [n, d]; float(2 * X) == X", "call.arguments", 17, "2 * X", "np.exp(x)"},
    {"X: [n, d]; X / torch.sqrt(d) == X", "call.arguments", 26, "d", "math.sqrt"},
    {"torch.maximum(X, 0) == X", "call.arguments", 17, "0", "torch.tensor"},
    {"from numpy import *; X: [n, d]; X == X", "name.unknown", 18, "*", "name what is used"},
    {"from rope import softmax; S: [n, d]; softmax(S) == S", "name.unknown", 37, "softmax", "write it down"},
    {"from numpy=import ones; ones(3) == ones(3)", "parse.unexpected", 10, "=", "from numpy import exp"},
    {"from import ones; ones(3) == ones(3)", "parse.unexpected", 5, "import", "from numpy import exp"},
    {"import numpy as; X: [n, d]; X == X", "parse.unexpected", 15, ";", "import numpy as np"},
    {"C = np.zeros((n, n))\nfor i in range(n):\n    C[, i] += x[i]\nC == x", "parse.loop", 44, "C", "write x ="},
    {"A = B", "parse.missing_relation", 5, "", "equations are written =="},
    {"A @ B = C", "parse.unexpected", 6, "=", "=="},
    {"A B == C", "parse.unexpected", 2, "B", "A @ B"},
    {"2d == C", "parse.unexpected", 1, "d", "A * B"},
    {"A.foo(1) == B", "parse.unexpected", 1, ".foo", "no such function"},
    {"A.H == B", "parse.unexpected", 1, ".H", ".T"},
    {"X.nbytes == B", "parse.unexpected", 1, ".nbytes", ".T and .shape"},
    {"np.where(M, S == 0 == c, c) == S", "parse.unexpected", 19, "==", "(i >= j)"},
    {"x = A; y = sum(A[x] for x in range(3)); x = B; y2 = sum(A[x] for x in range(3)); y2 == c", "parse.duplicate", 56, "A[x] for x in range(3)", "another name"},
    {"sum(sum(v[i] for i in range(i, n)) for i in range(n)) == c", "parse.unexpected", 31, "n", "name of its own"},
    {"y = x; y *= 2; y == x", "parse.unexpected", 7, "y *=", "y = y"},
    {"y = x.T; x += 1; y == x", "parse.unexpected", 9, "x +=", "x = x"},
    {"sum(A[i, j] for i in range(1, h) for j in range(i)) == A", "parse.unexpected", 48, "i", "nest"},
    {"sum(w[j] for i, w in enumerate(W) for j in range(i)) == A", "parse.unexpected", 49, "i", "nest"},
    {"sum(q @ q for q in Q for q in Q) == A", "parse.unexpected", 4, "q @ q for q in Q for q in Q", "name of its own"},
    {"x: [n, d]; y: [m, e]; a, b = x.shape; a, b = y.shape; x == a", "parse.duplicate", 38, "a", "name of its own"},
    {"x * arange(0, 5, 0.5) == x", "call.arguments", 17, "0.5", "every k-th"},
    {"p = x; p, q = q, p; q == p", "parse.unexpected", 14, "q", "one definition"},
    {"let A = B; let A = C; A == B", "parse.duplicate", 15, "A", "remove"},
    {"X[i >= j] == S", "parse.unexpected", 4, ">=", ""},
    {"[i >= j, 1] == S", "parse.unexpected", 3, ">=", "(i >= j)"},
    {"assume mask01(M) & mask01(N); M == N", "parse.missing_relation", 7, "mask01(M) & mask01(N)", "predicate"},
    {"f(\"id,jd->ij\", Q, K) == S", "parse.unknown_character", 2, "\"", "einsum"},
    {"einsum('id,jd->ij, Q, K) == S", "parse.unbalanced", 7, "'", "einsum('nd,dk->nk', X, W)"},
    {"einsum(Q, K) == S", "call.arguments", 0, "einsum(Q, K)", "einsum('nd,dk->nk', X, W)"},
    {"torch.bilinear(A, B) == c", "name.unknown", 6, "bilinear(A, B)", "einsum"},
    {"W^Q @ X == c", "parse.unknown_character", 1, "^", "a superscript is part of the name: write W_Q"},
    {"W_i^{Q} @ X == c", "parse.unknown_character", 3, "^", "write W_Qi"},
    {"W^k == c", "parse.unknown_character", 1, "^", "write W_k (a power is written **)"},
    {"X^2 == c", "parse.unknown_character", 1, "^", "powers are written **"},
    {"X^{-1} == c", "parse.unknown_character", 1, "^", "inv(A)"},
    {"(A @ B)^Q == c", "parse.unknown_character", 7, "^", "powers are written **"},
    {"A\u207b\u00b9 == c", "parse.unknown_character", 1, "\u207b", "inv(A)"},
    {"Q \u1d40 == c", "parse.unknown_character", 2, "\u1d40", ".T"},
    {"W_\u03b1 == c", "parse.unknown_character", 2, "\u03b1", "write alpha"},
    {"\u03b11 == c", "parse.unknown_character", 0, "\u03b1", "write alpha"},
    {"\u03b1\u03b2 == c", "parse.unknown_character", 0, "\u03b1", "write alpha"},
    {"A \u1d40 == c", "parse.unknown_character", 2, "\u1d40", ".T"},
    {"A \u2248 B", "parse.unknown_character", 2, "\u2248", "=="},
    {"A\u00b2 == c", "parse.unknown_character", 1, "\u00b2", "**"},
    {"X @ A = X", "parse.unexpected", 6, "=", "equations are written =="},
    {"torch.matmul(Q, K, transpose_b=True) == S", "call.keyword", 31, "True", "Q @ K.T"},
    {"np.tensordot(A, B, axes=0) == C", "call.arguments", 3, "tensordot(A, B, axes=0)", "einsum"},
    {"np.tensordot(A, B, axes=([0, 0], [0, 1])) == C", "call.arguments", 3, "tensordot(A, B, axes=([0, 0], [0, 1]))", "einsum"},
    {"np.tensordot(A, B, axes=([2], [0])) == C", "call.arguments", 3, "tensordot(A, B, axes=([2], [0]))", "einsum"},
    {"pad(x, (1, 0)) == y", "call.arguments", 0, "pad(x, (1, 0))", "np.pad(x, ((1, 0), (0, 0)))"},
    {"np.pad(x, ((1, 0), 2)) == y", "call.arguments", 10, "((1, 0), 2)", "((1, 0), (0, 0))"},
    {"F.pad(x, (1, 0, 2)) == y", "call.arguments", 9, "(1, 0, 2)", "F.pad(x, (1, 0))"},
    {"F.pad(x, (1, 0), value=1) == y", "call.arguments", 2, "pad(x, (1, 0), value=1)", "zeros"},
    {"np.pad(x, ((1, 0), (0, 0)), mode='edge') == y", "call.arguments", 3, "pad(x, ((1, 0), (0, 0)), mode='edge')", "zeros"},
    {"np.sum([A, B]) == C", "call.axis", 3, "sum([A, B])", "sum(... for ...)"},
    {"not(M) == P", "name.unknown", 0, "not(M)", "~M"},
    {"A \u00d7 B == c", "parse.unknown_character", 2, "\u00d7", "A @ B"},
    {"\u221a(x) == c", "parse.unknown_character", 0, "\u221a", "sqrt(x)"},
    {"A \u2297 B == c", "parse.unknown_character", 2, "\u2297", "kron(A, B)"},
    {"\\frac{A}{B} == c", "parse.unknown_character", 0, "\\", "A / B"},
    {"\\alpha X == c", "parse.unknown_character", 0, "\\", "write alpha"},
    {"np.linalg.norm(X, 3) == S", "call.arguments", 10, "norm(X, 3)", "sum(x * x)"},
    {"softmax(S - np.inf) == S", "name.constant", 12, "np.inf", "neginf(M)"},
    {"S * -math.pi == S", "name.constant", 5, "math.pi", "pi: [n]"},
    {"torch.nan == S", "name.constant", 0, "torch.nan", "real"},
    {"k: even; X == X @ eye(k)", "parse.unexpected", 3, "even", "assume k % 2 == 0"},
    {"k: int; X == X @ eye(k)", "parse.unexpected", 3, "int", "X: [n, k]"},
    {"np.dot(A, B, C) == S", "call.arguments", 3, "dot(A, B, C)", ""},
    {"A + == B", "parse.unexpected", 4, "==", ""},
    {"A != B", "parse.unexpected", 2, "!=", "assume"},
    {"X: [n, d], W: [d, k]; X @ W == X @ W", "parse.unexpected", 9, ",", "statements end with ;"},
    {"X: [n, d] W: [d, k]; X @ W == X @ W", "parse.unexpected", 10, "W", "; between two statements"},
    {"exists A, B: A @ B == W", "parse.unexpected", 7, "A", "holds for all"},
    {"X.frobnicate() == X", "parse.unexpected", 1, ".frobnicate", "no such function"},
    {"F.cross(X) == X", "name.unknown", 0, "F.cross", "foldproof operators"},
    {"q, k = X.chunk(3, dim=-1); q == k", "parse.unexpected", 7, "X.chunk(3, dim=-1)", "chunk(2"},
    {"A, B = X, A @ W; B == X @ W", "parse.unexpected", 10, "A @ W", "one definition after the other"},
    {"X: [n, d]; d, n = X.shape; X == X", "parse.duplicate", 11, "d", "name of its own"},
    {"n, n = X.shape; X == X", "parse.duplicate", 3, "n", "name of its own"},
    {"q, k = X, X, X; q == k", "parse.unexpected", 0, "q, k = X, X, X", "one value for each"},
    {"sum(w for w in 2) == W", "parse.unexpected", 15, "2", ""},
    {"sum(w for w in [W, W] if w) == W", "parse.unexpected", 15, "[W, W]", "name the list"},
    {"sum(sum(w[i] * x for i in range(n)) for w in x[i]) == W", "parse.duplicate", 8, "w[i] * x for i in range(n)", "give the index another name"},
    {"sum(q for q, k in zip(Q, K, V)) == Q", "parse.unexpected", 10, "q", "zip(Q, K)"},
    {"vstack(*[A, B], *C) == A", "parse.unexpected", 16, "*", "f(... for"},
    {"sum(A[i] for i in range(0, n, h)) == A", "parse.unexpected", 30, "h", "i*c"},
    {"x: n", "parse.unexpected", 3, "n", "[n, d]"},
    {"x: [d/2]; x == x", "parse.unexpected", 4, "d/2", "//"},
    {"W[::0] == W", "parse.unexpected", 4, "0", "::2"},
    {"W[::-k] == W", "parse.unexpected", 5, "k", "::h"},
    {"(W > 0, W) == c", "parse.unexpected", 6, ",", "(i >= j)"},
    {"x.repeat(2) == c", "call.arguments", 0, "x.repeat(2)", "np.tile"},
    {"np.repeat(x, [2, 1]) == c", "call.arguments", 3, "repeat(x, [2, 1])", "np.tile"},
    {"np.add(x, y, z) == c", "call.arguments", 3, "add(x, y, z)", ""},
    {"repeat(x, 2, 1) == c", "call.arguments", 0, "repeat(x, 2, 1)", "np.tile"},
    {"split(x, [1, 2])[0] == c", "call.arguments", 0, "split(x, [1, 2])", "np.split"},
    {"x.std(1, True) == c", "name.unknown", 0, "x.std(1, True)", "np.std"},
    {"x.max(1)[0] == c", "call.arguments", 8, "[0]", "dim=1"},
    {"torch.max(x, dim=1)[1] == c", "name.unknown", 19, "[", "largest"},
    {"F.layer_norm(x, x.shape[1:]) == c", "call.arguments", 16, "x.shape[1:]", "(d,)"},
    {"x.sum(1, keepdims=2) == c", "call.keyword", 18, "2", "True"},
    {"F.softmax(x, dim=1, dtype=torch.float16) == c", "name.unknown", 26, "torch", "formats"},
    {"concat(A[i] @ A[j] for i in range(h) for j in range(h)) == c", "parse.unexpected", 37, "for", "nest others"},
    {"concat([A[i] for i in range(h) for j in range(h)]) == c", "parse.unexpected", 31, "for", "nest others"},
    {"sum(sum(A[i, j] for j in range(n)) for i in range(j, n)) == c", "parse.unexpected", 53, "n", "name of its own"},
    {"F.scaled_dot_product_attention(Q, K, V, M, 0.0, True, 2) == c", "call.arguments", 54, "2", "scale"},
    {"F.scaled_dot_product_attention(Q, K, V, M, 0.1) == c", "call.keyword", 43, "0.1", "neginf(M)"},
    {"F.scaled_dot_product_attention(Q, K, V, M, 0.0, True) == c", "call.arguments", 2, "scaled_dot_product_attention(Q, K, V, M, 0.0, True)", "one mask"},
    {"x == x \\\n", "parse.unexpected", 7, "\\", "leave it out"},
    {"for i in range(3): \\\n    y = x\nx == x", "parse.indentation", 17, ":", "without \\"},
    {"s = {2: 3}; x == x", "parse.unexpected", 5, "2", "\"scale\": 2"},
    {"s = {\"a\": 3}; x * s[\"b\"] == x", "name.unknown", 20, "\"b\"", "before"},
    {"s = {\"a\": 3}; x * s == x", "parse.unexpected", 18, "s", "s[\"key\"]"},
    {"x: [n, d]; x.shape == [n, d]", "parse.unexpected", 22, "[n, d]", "(n, d)"},
    {"x.shape == (n, d)", "parse.unexpected", 0, "x", "x: [n, d]"},
    {"i = 0\nwhile i < n:\n    i += 1\nx == x", "parse.loop", 6, "while", "for i in range(n)"},
    {"x: [n, d]; a = [x, 2 * x]\nb = a\na.append(x)\nx == x", "parse.loop", 32, "a", "list(a)"},
    {"x: [n, d]; F.relu(x, inplace=True) == x", "parse.unexpected", 18, "x", "inplace=True"},
    {"x: [n, d]; int(n / 2.5) * x == x", "call.arguments", 11, "int(n / 2.5)", "//"},
    {"a = [1, 2]; a - a == 0", "parse.unexpected", 12, "a - a", "np.array"},
    {"F.scaled_dot_product_attention(Q, K, V, enable_gqa=M) == c", "call.keyword", 51, "M", "neginf(M)"},
    {"F.linear(x) == c", "name.unknown", 2, "linear(x)", "x @ W.T + b"},
    {"x.var(1) == c", "call.arguments", 0, "x.var(1)", "unbiased=False"},
    {"f('ab') == c", "parse.unknown_character", 2, "'", "einsum"},
    {"F.layer_norm(A, (n, k)) == A", "call.arguments", 16, "(n, k)", "(d,)"},
    {"softmax(QK^T)V == c", "parse.unknown_character", 10, "^", ".T, a product with @"},
    {"Q @ K^{\\top} == c", "parse.unknown_character", 5, "^", ".T, a product with @"},
    {"X^Tau == c", "parse.unknown_character", 1, "^", "X_Tau"},
    {"f(a, b for i in range(h)) == c", "parse.unexpected", 7, "for", ""},
    {"f(a=1, b) == c", "parse.unexpected", 7, "b", "last"},
    {"let a == b", "parse.unexpected", 6, "==", "let"},
    {"for == b", "parse.unexpected", 0, "for", "word"},
    {"a * * b == c", "parse.unexpected", 4, "*", "**"},
    {"f(a b) == c", "parse.unexpected", 4, "b", "A @ B"},
    {"A ^ 2 == B", "parse.unknown_character", 2, "^", "**"},
    {"A' == B", "parse.unknown_character", 1, "'", ".T"},
    {"X \u00b7 Y == Z", "parse.unknown_character", 2, "\u00b7", "A @ B"},
    {"a == \xff", "parse.unknown_character", 5, "\xff", "ASCII"},
    {"a == b\x01", "parse.unknown_character", 6, "\x01", ""},
    {"P: [n, n]; permutation(P); P @ P.T == eye(n)", "parse.missing_relation", 11, "permutation(P)", "assume permutation(P)"},
    {"X @ W", "parse.missing_relation", 0, "X @ W", "=="},
    {"X: [n, d]", "parse.missing_relation", 9, "", "=="},
    {"assume s; a == b", "parse.missing_relation", 7, "s", "orthogonal"},
    {"a == b == c", "parse.two_relations", 7, "==", "split"},
    {"a == b; c == d", "parse.two_relations", 8, "c == d", "assume"},
    {"assert a @ b == c; assert c @ d == e", "parse.two_asserts", 26, "c @ d == e", "keep the assert"},
    {"(a == b", "parse.unbalanced", 0, "(", "closing"},
    {"a) == b", "parse.unbalanced", 1, ")", "remove"},
    {"f(a] == b", "parse.unbalanced", 3, "]", ")"},
    {"A: [n]; A: [m]; A == A", "parse.duplicate", 8, "A", "remove"},
    {"let A = B; let A = C; A == A", "parse.duplicate", 15, "A", "remove"},
    {"A: [n]; let A = C; A == A", "parse.duplicate", 12, "A", "definition"},
    {"f(a, axis=0, axis=1) == b", "parse.duplicate", 13, "axis", "remove"},
    {" # nothing", "parse.empty", 0, " # nothing", "=="},
    {"X: [0]; X == X", "parse.number", 4, "0", "[]"},
    {"X: [n - n]; X == X", "parse.number", 4, "n - n", "[]"},
    {"X: [0.5]; X == X", "parse.number", 4, "0.5", "integer"},
    {"a == 99999999999999999999", "parse.number", 5, "99999999999999999999", "digits"},
    {"a == 1e400", "parse.number", 5, "1e400", "digits"},
    {"X: [9000000000000000000*9]; X == X", "parse.number", 4, "9000000000000000000*9", "smaller"},
};

BOOST_AUTO_TEST_CASE(every_mistake_gets_its_code_its_place_and_its_hint) {
  std::set<std::string> covered;
  for (const BadInput& bad : bad_inputs) {
    const Diagnostic d = error_of(bad.text);
    const std::string text = bad.text;
    BOOST_TEST(d.code == bad.code, text);
    BOOST_TEST(d.span.begin == bad.begin, text);
    BOOST_TEST(text.substr(std::min(d.span.begin, text.size()), d.span.end - d.span.begin) == bad.place, text);
    BOOST_TEST(!d.message.empty(), text);
    BOOST_TEST(d.hint.find(bad.hint) != std::string::npos, text << ": " << d.hint);
    covered.insert(d.code);
  }
  for (const char* code : {"parse.unexpected", "parse.unknown_character", "parse.missing_relation", "parse.two_relations", "parse.two_asserts", "parse.unbalanced", "parse.duplicate",
                           "parse.empty", "parse.number"}) {
    BOOST_TEST(covered.count(code) == 1, code);
  }
}

BOOST_AUTO_TEST_CASE(each_assert_of_a_program_is_a_claim_of_its_own) {
  const std::string begin = "d = 4; assert d % 2 == 0\n", tests = "def test_a():\n    x = torch.randn(d)\n    assert torch.equal(x, x + 0)\ndef test_b():\n    x = torch.randn(d)\n    assert torch.equal(2 * x, x + x), \"twice\"\n";
  const std::vector<std::string> two = read::one_claim_each(begin + tests);
  BOOST_TEST_REQUIRE(two.size() == 2);
  for (const std::string& one : two) BOOST_TEST((one.size() == begin.size() + tests.size() && one.starts_with(begin)));
  BOOST_TEST(two[0].find("torch.equal(x, x + 0)") != std::string::npos);
  BOOST_TEST(two[0].find("torch.equal(2 * x") == std::string::npos);
  BOOST_TEST(two[1].find("torch.equal(x, x + 0)") == std::string::npos);
  BOOST_TEST(two[1].find("torch.equal(2 * x") != std::string::npos);
  for (const std::string& one : two) BOOST_CHECK_NO_THROW(parse_claim(one));
  const std::vector<std::string> parts = read::one_claim_each("x: [3]\nassert (torch.equal(x, x + 0) and\n        torch.equal(2 * x, x + x)), 'twice'\nnp.testing.assert_allclose(3 * x, x)\n");
  BOOST_TEST_REQUIRE(parts.size() == 3);
  BOOST_TEST((parts[0].find("x + 0") != std::string::npos && parts[0].find("x + x") == std::string::npos && parts[0].find("3 * x") == std::string::npos && parts[0].find("'twice'") != std::string::npos));
  BOOST_TEST((parts[1].find("x + 0") == std::string::npos && parts[1].find("x + x") != std::string::npos && parts[1].find("3 * x") == std::string::npos));
  BOOST_TEST((parts[2].find("x + 0") == std::string::npos && parts[2].find("3 * x") != std::string::npos));
  for (const std::string& one : parts) BOOST_CHECK_NO_THROW(parse_claim(one));
  for (const std::string rank : {"np.linalg.matrix_rank(x) < 2", "2 * np.linalg.matrix_rank(x) <= 3", "np.linalg.matrix_rank(x) == 1"}) {  // of a matrix, and nothing that is taken for granted
    BOOST_TEST(read::one_claim_each("x: [3, 3]\nassert " + rank + "\nassert np.allclose(x, x + 0)\n").size() == 2u);
  }
  BOOST_TEST(read::one_claim_each("x: [n, d]\nassert n == 2 * d\nassert np.allclose(x, x + 0)\n").size() == 1u, "sizes are");
  BOOST_TEST(read::one_claim_each("x: [3]\nfor i in range(3):\n    assert x[i] == x[i] + 0\n    assert 2 * x[i] == x[i] + x[i]\n").size() == 2u);
  for (const std::string text : {"a == b", "assert a == b", "assert a ==; assert c == d", "assert torch.equal(torch.relu_(x), y)\nassert torch.equal(x, z)\n", "for i in range(3):\n    if x[i] > 0:\n        assert x[i] == y[i]\n    assert a == b\n"}) BOOST_TEST(read::one_claim_each(text) == std::vector<std::string>{text}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(mT_exchanges_the_last_two_axes) {
  BOOST_TEST(same(parse_expression("(X @ W).mT"), parse_expression("swapaxes(X @ W, -1, -2)")));
}

BOOST_AUTO_TEST_CASE(limits_give_one_error_fast) {
  const std::clock_t start = std::clock();  // processor time: other work on the machine does not count
  const Diagnostic brackets = error_of(repeat("(", 10000) + "a" + repeat(")", 10000), false);
  BOOST_TEST(brackets.code == "limit.depth");
  BOOST_TEST(brackets.span.begin == 1200);
  BOOST_TEST(error_of(repeat("(", 10000), false).code == "limit.depth");
  BOOST_TEST(error_of(repeat("-", 10000) + "a", false).code == "limit.depth");
  BOOST_TEST(error_of(repeat("a**", 10000) + "a", false).code == "limit.depth");
  BOOST_TEST(error_of("a" + repeat(".T", 10000), false).code == "limit.depth");
  const Diagnostic sum = error_of(repeat("a+", maximum_text_size / 2 - 1) + "a");
  BOOST_TEST(sum.code == "limit.depth");
  BOOST_TEST(sum.span.end == 2401);
  const Diagnostic size = error_of(repeat("a", maximum_text_size + 1));
  BOOST_TEST(size.code == "limit.size");
  BOOST_TEST(size.span.begin == maximum_text_size);
  std::string factors;
  for (int i = 0; i < 30; ++i) factors += "(a" + std::to_string(i) + " + b" + std::to_string(i) + ")*";
  BOOST_TEST(error_of("X: [" + factors + "c]; X == X").code == "limit.size");
  BOOST_TEST(error_of(repeat("a == b\n", 100000)).code == "parse.two_relations");
  BOOST_TEST(error_of("def f(x):\n" + repeat("    x = x + x\n", 40) + "    return x\nf(a) == a").code == "limit.size");
  BOOST_TEST(error_of("def f(x):\n" + repeat("    x = x[x, 0]\n", 40) + "    return x\nf(a) == a").code == "limit.size");
  BOOST_TEST(error_of("def f(x, c):\n" + repeat("    if c:\n        x = x + 1\n", 40) + "    return x\nf(a, True) == a").code == "limit.size");
  BOOST_TEST(error_of("s = a\nfor i in range(64):\n    for j in range(64):\n        for k in range(64):\n            s = s + a\ns == a").code == "limit.size");
  std::string functions;
  for (int i = 0; i < 500; ++i) functions += "def f" + std::to_string(i) + "(x):\n    return x + 1\n";
  BOOST_TEST(error_of(functions + "f0(a) = a").code == "parse.unexpected");
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  BOOST_TEST(seconds < 20);  // quadratic behaviour would need minutes
}

BOOST_AUTO_TEST_CASE(the_deepest_accepted_expressions_survive_every_pass) {
  const std::string deep[] = {repeat("(", 1200) + "a" + repeat(")", 1200), repeat("f(", 1199) + "a" + repeat(")", 1199),
                              repeat("a-(", 1199) + "a" + repeat(")", 1199), repeat("a-", 1199) + "a",
                              repeat("-", 1199) + "a",                       repeat("a**", 1199) + "a",
                              repeat("sum([a, ", 599) + "a" + repeat("])", 599), repeat("a[", 1199) + "a" + repeat("]", 1199)};
  for (const std::string& written : deep) {
    const Expression e = parse_expression(written);
    BOOST_TEST(same(e, parse_expression(text(e))), written.substr(0, 20));
    BOOST_TEST(!latex(e).empty());
    BOOST_TEST(!mathml(e).empty());
  }
}

RC_BOOST_PROP(random_expressions_round_trip_through_text, ()) {
  const Expression e = random_expression(*rc::gen::inRange(3, 8));
  const Expression again = parse_expression(text(e));
  RC_LOG() << text(e) << "\n" << structure(e) << "\n" << structure(again);
  RC_ASSERT(same(e, again));
  RC_ASSERT(structure(e) == structure(again));
  RC_ASSERT(text(again) == text(e));
}

RC_BOOST_PROP(any_text_is_read_or_refused_with_a_place_inside_it, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "A", "x", "1", ".5", "(", ")", "[", "]", ",", ":", ".", ".T", "==", "<=", "=", "+", "-", "*", "**", "@", "/", "//", "%", ";", "\n", " ", "let ", "assume ",
      " for i in range(", "all(", " and ", "axis=", "#", "\u2212", "\u2264", "\u1d40", "\u03b1", "\xff", "!", "np."));
  std::string text;
  for (const auto& piece : pieces) text += piece;
  for (const bool claim : {false, true}) {
    const Diagnostic d = error_of(text, claim);
    if (d.code.empty()) continue;
    RC_LOG() << text << "\n" << d.code << " " << d.message;
    RC_ASSERT(d.code.rfind("parse.", 0) == 0 || d.code.rfind("call.", 0) == 0 || d.code.rfind("name.", 0) == 0);
    RC_ASSERT(!d.message.empty());
    RC_ASSERT(d.span.begin <= d.span.end);
    RC_ASSERT(d.span.end <= text.size());
  }
}

}  // namespace
}  // namespace foldproof::read
