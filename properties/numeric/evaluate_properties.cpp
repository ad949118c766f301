// SPDX-License-Identifier: MIT
// Values worked out by hand for every operator of the language, so that a definition that means something else is noticed:
// the kernel runs the same definitions, and no proof could notice. Every case is computed in all number types that can hold it.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <sstream>

#include "expr/operators.hpp"
#include "expr/syntax.hpp"
#include "numeric/evaluate.hpp"
#include "numeric/undefined.hpp"
#include "read/parse.hpp"

namespace foldproof::properties {
namespace {

using numeric::Exact;
using numeric::Interval;
using numeric::PrimeField;
using numeric::Rational;

/// Numbers are fractions, multiples of L = ln 2 ("-2L") and "-inf"; after "~" decimals, good to 12 digits.
struct Case {
  const char* op;
  const char* declarations;
  const char* expression;
  const char* values;    ///< "A 1 2 3 4; b 5", row-major
  const char* expected;  ///< row-major
  std::vector<std::int64_t> shape;
};

// clang-format off
const Case cases[] = {
    {"+", "A: [2, 2]; b: [1, 2]", "A + b", "A 1 2 3 4; b 10 20", "11 22 13 24", {2, 2}},
    {"+", "A: [1, 2]; s: []", "s + A", "A 1 2; s 1/2", "3/2 5/2", {1, 2}},
    {"-", "A: [2, 2]; b: [2, 1]", "A - b", "A 1 2 3 4; b 1 2", "0 1 1 2", {2, 2}},
    {"negate", "A: [2]", "-A", "A 1 -2", "-1 2", {2}},
    {"*", "A: [2, 2]; B: [2, 2]", "A * B", "A 1 2 3 4; B 5 6 7 8", "5 12 21 32", {2, 2}},
    {"/", "A: [2]; B: [2]", "A / B", "A 1 2; B -2 3", "-1/2 2/3", {2}},
    {"**", "A: [2]", "A ** 2", "A 3 -2", "9 4", {2}},
    {"**", "A: [2]", "A ** (-1/2)", "A 4 9", "1/2 1/3", {2}},
    {"@", "A: [2, 3]; B: [3, 1]", "A @ B", "A 1 2 3 4 5 6; B 1 0 -1", "-2 -2", {2, 1}},
    {"@", "A: [2, 2, 1]; B: [1, 2]", "A @ B", "A 1 2 3 4; B 1 10", "1 10 2 20 3 30 4 40", {2, 2, 2}},
    {"@", "u: [2]; B: [2, 2]", "u @ B", "u 1 2; B 1 2 3 4", "7 10", {2}},
    {".T", "A: [2, 3]", "A.T", "A 1 2 3 4 5 6", "1 4 2 5 3 6", {3, 2}},
    {"transpose", "A: [2, 1, 2]", "transpose(A, 2, 0, 1)", "A 1 2 3 4", "1 3 2 4", {2, 2, 1}},
    {"reshape", "A: [2, 3]", "reshape(A, 3, 2)", "A 1 2 3 4 5 6", "1 2 3 4 5 6", {3, 2}},
    {"[]", "A: [2, 3]", "A[1, 1:3]", "A 1 2 3 4 5 6", "5 6", {2}},
    {"concat", "A: [2, 1]; B: [2, 2]", "concat(A, B)", "A 1 2; B 3 4 5 6", "1 3 4 2 5 6", {2, 3}},
    {"vstack", "A: [1, 2]; B: [2, 2]", "vstack(A, B)", "A 1 2; B 3 4 5 6", "1 2 3 4 5 6", {3, 2}},
    {"stack", "A: [2]; B: [2]", "stack(A, B)", "A 1 2; B 3 4", "1 2 3 4", {2, 2}},
    {"concat over heads", "A: [2, 2, 1]", "concat(i * A[i] for i in range(2))", "A 1 2 3 4", "0 3 0 4", {2, 2}},
    {"vstack over heads", "A: [2, 1, 2]", "vstack(A[i] for i in range(2))", "A 1 2 3 4", "1 2 3 4", {2, 2}},
    {"sum over heads", "A: [2, 2]", "sum((i + 1) * A[i] for i in range(2))", "A 1 2 3 4", "7 10", {2}},
    {"blockdiag over heads", "A: [2, 1, 2]", "blockdiag(A[i] for i in range(2))", "A 1 2 3 4", "1 2 0 0 0 0 3 4", {2, 4}},
    {"blockdiag", "A: [1, 1]; B: [1, 2]", "blockdiag(A, B)", "A 1; B 2 3", "1 0 0 0 2 3", {2, 3}},
    {"vec", "A: [2, 2]", "vec(A)", "A 1 2 3 4", "1 3 2 4", {4, 1}},
    {"exp", "A: [3]", "exp(A)", "A 0 2L -L", "1 4 1/2", {3}},
    {"exp", "A: [1]", "exp(A)", "A 1", "~ 2.718281828459045", {1}},
    {"log", "A: [3]", "log(A)", "A 1 8 1/2", "0 3L -L", {3}},
    {"sqrt", "A: [2]", "sqrt(A)", "A 9 0", "3 0", {2}},
    {"rsqrt", "A: [1]", "rsqrt(A)", "A 9/4", "2/3", {1}},
    {"abs", "A: [3]", "abs(A)", "A -2 0 L", "2 0 L", {3}},
    {"sin", "A: [2]", "sin(A)", "A 0 1", "~ 0 0.841470984807897", {2}},
    {"cos", "A: [2]", "cos(A)", "A 0 1", "~ 1 0.540302305868140", {2}},
    {"relu", "A: [3]", "relu(A)", "A -2 0 3", "0 0 3", {3}},
    {"leaky_relu", "A: [2]", "leaky_relu(A)", "A -100 3", "-1 3", {2}},
    {"sigmoid", "A: [2]", "sigmoid(A)", "A 0 L", "1/2 2/3", {2}},
    {"silu", "A: [2]", "silu(A)", "A 0 3L", "0 8/3L", {2}},
    {"quick_gelu", "A: [2]", "quick_gelu(A)", "A 0 1", "~ 0 0.845795765932821", {2}},
    {"tanh", "A: [2]", "tanh(A)", "A 0 L", "0 3/5", {2}},
    {"softplus", "A: [1]", "softplus(A)", "A 0", "L", {1}},
    {"softplus", "A: [1]", "softplus(A)", "A L", "~ 1.098612288668110", {1}},
    {"gelu", "A: [2]", "gelu(A)", "A 0 1", "~ 0 0.841344746068543", {2}},
    {"gelu_tanh", "A: [2]", "gelu_tanh(A)", "A 0 1", "~ 0 0.841191990608277", {2}},
    {"maximum", "A: [2]; B: [2]", "maximum(A, B)", "A 1 2; B -1 3", "1 3", {2}},
    {"minimum", "A: [2]; B: [2]", "minimum(A, B)", "A 1 2; B -1 3", "-1 2", {2}},
    {"clip", "A: [4]; b: []", "clip(A, 0, b)", "A -1 1 5 2; b 2", "0 1 2 2", {4}},
    {"clip", "A: [2]", "clip(A, 3, 1)", "A 0 9", "1 1", {2}},  // NumPy's upper bound wins
    {"exp2", "A: [3]", "exp2(A)", "A 0 3 -1", "~ 1 8 0.5", {3}},
    {"elu", "A: [3]", "elu(A)", "A 2 0 -L", "2 0 -1/2", {3}},
    {"erf", "A: [3]", "erf(A)", "A 0 1 -1/2", "~ 0 0.842700792949715 -0.520499877813047", {3}},
    {"sum", "A: [2, 2]", "sum(A)", "A 1 2 3 4", "10", {}},
    {"sum along axis", "A: [2, 2]", "sum(A, axis=0)", "A 1 2 3 4", "4 6", {1, 2}},
    {"rowsum", "A: [2, 2]", "rowsum(A)", "A 1 2 3 4", "3 7", {2, 1}},
    {"colsum", "A: [2, 2]", "colsum(A)", "A 1 2 3 4", "4 6", {1, 2}},
    {"mean", "A: [2, 2]", "mean(A)", "A 1 2 3 4", "3/2 7/2", {2, 1}},
    {"mean", "A: [2, 2]", "mean(A, axis=0)", "A 1 2 3 4", "2 3", {1, 2}},
    {"rowmean", "A: [1, 3]", "rowmean(A)", "A 1 2 4", "7/3", {1, 1}},
    {"colmean", "A: [2, 1]", "colmean(A)", "A 1 2", "3/2", {1, 1}},
    {"max", "A: [2, 2]", "max(A)", "A 1 2 4 3", "2 4", {2, 1}},
    {"rowmax", "A: [2, 2]", "rowmax(A)", "A -1 -2 4 3", "-1 4", {2, 1}},
    {"colmax", "A: [2, 2]", "colmax(A)", "A 1 2 4 0", "4 2", {1, 2}},
    {"min", "A: [2, 2]", "min(A)", "A 1 2 4 3", "1 3", {2, 1}},
    {"min", "A: [2, 2]", "min(A, axis=0)", "A 1 2 4 -3", "1 -3", {1, 2}},
    {"rowmin", "A: [2, 2]", "rowmin(A)", "A -1 -2 4 3", "-2 3", {2, 1}},
    {"colmin", "A: [2, 2]", "colmin(A)", "A 1 2 4 0", "1 0", {1, 2}},
    {"[]", "A: [2, 3]", "sum(A, axis=1, keepdims=False)", "A 1 2 3 4 5 6", "6 15", {2}},
    {"[]", "A: [2, 3]", "mean(A, axis=-2, keepdims=False)", "A 1 2 3 4 5 6", "5/2 7/2 9/2", {3}},
    {"cumsum", "A: [2, 3]", "cumsum(A, axis=1)", "A 1 2 3 4 5 6", "1 3 6 4 9 15", {2, 3}},
    {"cumsum", "A: [2, 3]", "cumsum(A, axis=0)", "A 1 2 3 4 5 6", "1 2 3 5 7 9", {2, 3}},
    {"flip", "A: [2, 3]", "flip(A)", "A 1 2 3 4 5 6", "6 5 4 3 2 1", {2, 3}},
    {"[::]", "A: [2, 4]", "A[:, ::2]", "A 1 2 3 4 5 6 7 8", "1 3 5 7", {2, 2}},
    {"[::]", "A: [2, 4]", "A[1, 1::2]", "A 1 2 3 4 5 6 7 8", "6 8", {2}},
    {"[::]", "A: [6]", "A[1:5:2]", "A 1 2 3 4 5 6", "2 4", {2}},
    {"[::]", "A: [6]", "A[4::2]", "A 1 2 3 4 5 6", "5", {1}},
    {"[::]", "A: [6]", "A[2::3]", "A 1 2 3 4 5 6", "3 6", {2}},
    {"[::]", "A: [6]", "A[2:6:4]", "A 1 2 3 4 5 6", "3", {1}},
    {"[::]", "A: [5]", "A[::2]", "A 1 2 3 4 5", "1 3 5", {3}},
    {"[::]", "A: [5]", "A[1::2]", "A 1 2 3 4 5", "2 4", {2}},
    {"[::]", "A: [5]", "A[1:4:3]", "A 1 2 3 4 5", "2", {1}},
    {"[::]", "A: [2, 5]", "A[:, ::-2]", "A 1 2 3 4 5 6 7 8 9 10", "5 3 1 10 8 6", {2, 3}},
    {"[::]", "A: [5]", "A[-2:0:-2]", "A 1 2 3 4 5", "4 2", {2}},
    {"[::]", "A: [5]", "A[7:1:-3]", "A 1 2 3 4 5", "5", {1}},
    {"flip along axis", "A: [5]", "A[3:0:-1]", "A 1 2 3 4 5", "4 3 2", {3}},
    {"flip along axis", "A: [5]", "A[:-3:-1]", "A 1 2 3 4 5", "5 4", {2}},
    {"flip along axis", "A: [2, 3]", "A[:, ::-1]", "A 1 2 3 4 5 6", "3 2 1 6 5 4", {2, 3}},
    {"flip along axis", "A: [2, 3]", "flip(A, axis=0)", "A 1 2 3 4 5 6", "4 5 6 1 2 3", {2, 3}},
    {"flip along axis", "A: [2, 3]", "flip(A, axis=1)", "A 1 2 3 4 5 6", "3 2 1 6 5 4", {2, 3}},
    {"[]", "A: [3, 2]", "take(A, arange(2))", "A 1 2 3 4 5 6", "1 2 3 4", {2, 2}},
    {"[]", "A: [2, 3]", "take(A, arange(2), axis=1)", "A 1 2 3 4 5 6", "1 2 4 5", {2, 2}},
    {"frob2", "A: [2, 2]", "frob2(A)", "A 1 2 3 4", "30", {}},
    {"trace", "A: [2, 2]", "trace(A)", "A 1 2 3 4", "5", {}},
    {"softmax", "A: [2, 2]", "softmax(A)", "A 0 L 0 0", "1/3 2/3 1/2 1/2", {2, 2}},
    {"softmax", "A: [2, 1]", "softmax(A, axis=0)", "A 0 2L", "1/5 4/5", {2, 1}},
    {"softmax_cols", "A: [2, 1]", "softmax_cols(A)", "A 0 L", "1/3 2/3", {2, 1}},
    {"softmax1", "A: [1, 2]", "softmax1(A)", "A 0 L", "1/4 1/2", {1, 2}},
    {"log_softmax", "A: [1, 2]", "log_softmax(A)", "A 0 0", "-L -L", {1, 2}},
    {"lse", "A: [2, 2]", "lse(A)", "A 0 0 L L", "L 2L", {2, 1}},
    {"rms", "A: [1, 2]", "rms(A)", "A 1 7", "5", {1, 1}},
    {"rmsnorm", "A: [1, 2]", "rmsnorm(A)", "A 1 7", "1/5 7/5", {1, 2}},
    {"rmsnorm", "A: [1, 2]; e: []", "rmsnorm(A, e)", "A 1 -1; e 3", "1/2 -1/2", {1, 2}},
    {"layernorm", "A: [1, 2]", "layernorm(A)", "A 1 3", "-1 1", {1, 2}},
    {"batchnorm", "A: [2, 1]", "batchnorm(A)", "A 3 1", "1 -1", {2, 1}},
    {"l2norm", "A: [1, 2]", "l2norm(A)", "A 3 -4", "3/5 -4/5", {1, 2}},
    {"dora", "A: [2, 1]; m: [1, 1]", "dora(A, m)", "A 3 4; m 10", "6 8", {2, 1}},
    {"eye", "", "eye(2, 3)", "", "1 0 0 0 1 0", {2, 3}},
    {"ones", "", "ones(1, 2)", "", "1 1", {1, 2}},
    {"zeros", "", "zeros(2)", "", "0 0", {2}},
    {"tril", "", "tril(2)", "", "1 0 1 1", {2, 2}},
    {"tril", "A: [2, 2]", "tril(A)", "A 1 2 3 4", "1 0 3 4", {2, 2}},
    {"triu", "A: [2, 2]", "triu(A)", "A 1 2 3 4", "1 2 0 4", {2, 2}},
    {"causal", "", "causal(2, 3)", "", "0 -inf -inf 0 0 -inf", {2, 3}},
    {"neginf", "A: [2]", "neginf(A)", "A 1 0", "0 -inf", {2}},
    {"positions", "", "positions(3)", "", "0 1 2", {1, 3}},
    {"arange", "", "arange(3)", "", "0 1 2", {3}},
    {"place >= place", "", "(arange(3)[:, None] * 2 >= arange(2)[None, :] * 3)", "", "1 0 1 0 1 1", {3, 2}},
    {"place == place", "", "(arange(4)[:, None] // 2 == arange(2)[None, :])", "", "1 0 1 0 0 1 0 1", {4, 2}},
    {"offsets", "", "offsets(2, 3)", "", "0 1 2 -1 0 1", {2, 3}},
    {"diag", "v: [2]", "diag(v)", "v 1 2", "1 0 0 2", {2, 2}},
    {"diag", "v: [2, 1]", "diag(v)", "v 1 2", "1 0 0 2", {2, 2}},
    {"diag", "v: [2, 2]", "diag(v)", "v 1 2 3 4", "1 4", {2}},
    {"diagonal", "A: [2, 2]", "diagonal(A)", "A 1 2 3 4", "1 4", {2}},
    {"kron", "A: [1, 2]; B: [2, 1]", "kron(A, B)", "A 1 2; B 3 4", "3 6 4 8", {2, 2}},
    {"rowkron", "A: [1, 2]; B: [1, 2]", "rowkron(A, B)", "A 1 2; B 3 4", "3 4 6 8", {1, 4}},
    {"einsum", "A: [1, 2]; B: [2, 2]", "einsum('ij,jk->ki', A, B)", "A 1 2; B 3 4 5 6", "13 16", {2, 1}},
    {"inv", "A: [2, 2]", "inv(A)", "A 0 2 1 1", "-1/2 1 1/2 0", {2, 2}},
    {"det", "A: [2, 2]", "det(A)", "A 0 2 1 1", "-2", {}},
    {"det", "A: [3, 3]", "det(A)", "A 1 2 3 0 1 4 5 6 0", "1", {}},
    {"det", "A: [2, 2]", "det(A)", "A 1 2 2 4", "0", {}},
    {"rank", "A: [2, 3]", "rank(A)", "A 1 2 3 2 4 6", "1", {}},
    {"rank", "A: [2, 2]", "rank(A)", "A 0 1 1 0", "2", {}},
    {"rank", "A: [2, 2]", "rank(A)", "A 0 0 0 0", "0", {}},
    {"lfac", "A: [2, 3]", "lfac(A, 2)", "A 0 1 2 0 3 6", "1 0 3 0", {2, 2}},
    {"rfac", "A: [2, 3]", "rfac(A, 2)", "A 0 1 2 0 3 6", "0 1 2 0 0 0", {2, 3}},
    {"rfac", "A: [2, 2]", "rfac(A, 1)", "A 1 2 3 4", "1 0", {1, 2}},
    {"onehot", "t: [2]", "onehot(t, 3)", "t 2 0", "0 0 1 1 0 0", {2, 3}},
    {"take", "E: [2, 2]; t: [3]", "take(E, t)", "E 1 2 3 4; t 1 1 0", "3 4 3 4 1 2", {3, 2}},
    {"rope", "X: [2, 2]; v: [1]", "rope(X, v)", "X 1 2 1 0; v 1", "~ 1 2 0.540302305868140 0.841470984807897", {2, 2}},
    {"rope", "X: [1, 2]; v: [1]; t: []", "rope(X, v, t)", "X 0 1; v 1/2; t 2", "~ -0.841470984807897 0.540302305868140", {1, 2}},
    {"rope_half", "X: [2, 4]; v: [2]", "rope_half(X, v)", "X 1 2 3 4 1 1 0 0; v 0 1", "~ 1 2 3 4 1 0.540302305868140 0 0.841470984807897", {2, 4}},
    {"halfperm", "", "halfperm(4)", "", "1 0 0 0 0 0 1 0 0 1 0 0 0 0 0 1", {4, 4}},
    {"rot", "v: [1]; a: []", "rot(v, a)", "v 1/3; a 3", "~ 0.540302305868140 0.841470984807897 -0.841470984807897 0.540302305868140", {2, 2}},
    {"sinus", "v: [1]", "sinus(2, v)", "v 1", "~ 0 1 0.841470984807897 0.540302305868140", {2, 2}},
    {"sinshift", "v: [1]; a: []", "sinshift(v, a)", "v 1; a 1", "~ 0.540302305868140 -0.841470984807897 0.841470984807897 0.540302305868140", {2, 2}},
};
// clang-format on

infer::Problem problem_of(const std::string& declarations, const std::string& expression) {
  return infer::elaborate(read::parse_claim((declarations.empty() ? "" : declarations + "; ") + expression + " == 0"));
}

Exact number(std::string token) {
  if (token == "-inf") return Exact::negative_infinity();
  const bool logarithm = token.back() == 'L';
  if (logarithm) token.pop_back();
  if (token.empty() || token == "-") token += "1";
  const auto value = Rational::parse(token);
  BOOST_REQUIRE_MESSAGE(value, token);
  return logarithm ? Exact::log_two(*value) : Exact(*value);
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

numeric::Instance<Exact> instance_of(const infer::Problem& problem, const std::string& text) {
  numeric::Instance<Exact> instance;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ';');) {
    const auto tokens = words(part);
    numeric::Tensor<Exact> tensor;
    for (const auto& v : problem.variables) {
      if (v.name != tokens.at(0)) continue;
      for (const auto& d : v.shape) tensor.shape.push_back(expr::evaluate(d, {}));
    }
    for (std::size_t k = 1; k < tokens.size(); ++k) tensor.values.push_back(number(tokens[k]));
    BOOST_REQUIRE_EQUAL(static_cast<std::int64_t>(tensor.values.size()), numeric::entries(tensor.shape));
    instance.values[tokens[0]] = tensor;
  }
  return instance;
}

template <class T, class Convert>
numeric::Instance<T> in_type(const numeric::Instance<Exact>& instance, const Convert& convert) {
  numeric::Instance<T> result{instance.dims, {}};
  for (const auto& [name, tensor] : instance.values) result.values[name] = numeric::converted<T>(tensor, convert);
  return result;
}

Interval enclosure(const Exact& a) { return a.is_negative_infinity() ? Interval::negative_infinity() : Interval::from(a); }
PrimeField residue(const Exact& a) {
  const auto value = a.is_rational() ? a.coefficient(0) : Rational(0);
  if (!a.is_rational()) throw numeric::NeedsReals("a logarithm");
  return PrimeField::from(*expr::Rational::parse(value.text()));
}

void check_decimals(const Case& c, const infer::Problem& problem, const std::vector<std::string>& expected) {
  const auto enclosed = numeric::evaluate(problem.lhs, in_type<Interval>(instance_of(problem, c.values), enclosure));
  const auto floating = numeric::evaluate(problem.lhs, in_type<double>(instance_of(problem, c.values), [](const Exact& a) { return a.to_double(); }));
  BOOST_TEST(enclosed.shape == c.shape, boost::test_tools::per_element());
  BOOST_REQUIRE_EQUAL(enclosed.values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double value = std::stod(expected[i]);
    BOOST_TEST((enclosed.values[i].lower() >= value - 1e-12 && enclosed.values[i].upper() <= value + 1e-12));
    BOOST_TEST(std::abs(floating.values[i] - value) < 1e-12);
  }
}

void check_exactly(const Case& c, const infer::Problem& problem, const std::vector<std::string>& expected) {
  const auto instance = instance_of(problem, c.values);
  const auto exact = numeric::evaluate(problem.lhs, instance);
  const auto enclosed = numeric::evaluate(problem.lhs, in_type<Interval>(instance, enclosure));
  const auto floating = numeric::evaluate(problem.lhs, in_type<double>(instance, [](const Exact& a) { return a.to_double(); }));
  BOOST_TEST(exact.shape == c.shape, boost::test_tools::per_element());
  BOOST_REQUIRE_EQUAL(exact.values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Exact value = number(expected[i]);
    BOOST_TEST(exact.values[i].text() == value.text());
    if (value.is_negative_infinity()) {
      BOOST_TEST(enclosed.values[i].is_negative_infinity());
      BOOST_TEST((std::isinf(floating.values[i]) && floating.values[i] < 0));
    } else {
      BOOST_TEST(!disjoint(enclosed.values[i], Interval::from(value)));
      BOOST_TEST(enclosed.values[i].upper() - enclosed.values[i].lower() < 1e-12);
      BOOST_TEST(std::abs(floating.values[i] - value.to_double()) < 1e-12);
    }
  }
  try {
    const auto modular = numeric::evaluate(problem.lhs, in_type<PrimeField>(instance, residue));
    for (std::size_t i = 0; i < expected.size(); ++i) BOOST_TEST(modular.values[i].value() == residue(number(expected[i])).value());
  } catch (const numeric::NeedsReals&) {
    BOOST_TEST_MESSAGE(std::string(c.op) + " is not defined in a prime field");
  }
}

template <class Failure>
bool fails_with(const std::string& declarations, const std::string& expression, const std::string& values) {
  const auto problem = problem_of(declarations, expression);
  try {
    numeric::evaluate(problem.lhs, instance_of(problem, values));
  } catch (const Failure&) {
    return true;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_operator_has_the_values_worked_out_by_hand) {
  std::vector<int> seen(expr::operator_count, 0);
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.expression << " at " << c.values) {
      const auto problem = problem_of(c.declarations, c.expression);
      infer::Term entry = problem.lhs;
      while (entry->kind == infer::TermKind::stack) entry = entry->args[0];  // of places the operator stands in every one
      BOOST_REQUIRE(entry->kind == infer::TermKind::apply);
      BOOST_TEST(expr::operator_info(entry->op).name == std::string(c.op));
      ++seen[static_cast<std::size_t>(entry->op)];
      auto expected = words(c.expected);
      const bool decimals = expected.at(0) == "~";
      if (decimals) expected.erase(expected.begin());
      decimals ? check_decimals(c, problem, expected) : check_exactly(c, problem, expected);
    }
  }
  for (int id = 0; id < expr::operator_count; ++id) {
    BOOST_TEST(seen[static_cast<std::size_t>(id)] > 0, std::string(expr::operator_info(id).name) + " has no case worked out by hand");
  }
}

BOOST_AUTO_TEST_CASE(nested_comprehensions_see_their_own_indices) {
  const auto problem = problem_of("A: [2, 3]", "sum(sum((10*i + j) * A[i, j] for j in range(3)) for i in range(2))");
  const auto value = numeric::evaluate(problem.lhs, instance_of(problem, "A 1 1 1 1 1 1"));
  BOOST_TEST(value.values.at(0).text() == "36");  // 0+1+2 + 10+11+12
}

BOOST_AUTO_TEST_CASE(a_shared_definition_is_one_step) {
  const auto problem = infer::elaborate(read::parse_claim("A: [2, 2]; let B = A @ A; B + B == B"));
  const infer::Term roots[] = {problem.lhs, problem.rhs};
  BOOST_TEST(numeric::Program(roots, {}).steps().size() == 3U);
}

BOOST_AUTO_TEST_CASE(what_has_no_value_is_undefined_and_what_is_irrational_needs_reals) {
  using numeric::NeedsReals;
  using numeric::Undefined;
  BOOST_TEST(fails_with<Undefined>("A: [2, 2]", "inv(A)", "A 1 2 2 4"));
  BOOST_TEST(fails_with<Undefined>("A: [1]; B: [1]", "A / B", "A 1; B 0"));
  BOOST_TEST(fails_with<Undefined>("A: [1, 2]", "softmax(neginf(A))", "A 0 0"));
  BOOST_TEST(fails_with<Undefined>("A: [1]", "log(A)", "A -1"));
  BOOST_TEST(fails_with<NeedsReals>("A: [1]", "sqrt(A)", "A 2"));
  BOOST_TEST(fails_with<NeedsReals>("A: [1, 2]", "softmax(A)", "A 0 1"));
  BOOST_TEST(fails_with<expr::LimitReached>("", "ones(4000, 4000)", ""));
}

BOOST_AUTO_TEST_CASE(that_a_root_has_no_value_is_kept_until_a_variable_changes) {
  const auto problem = infer::elaborate(read::parse_claim("A: [1, 1]; B: [1, 1]; sqrt(A / B) + B == log(B)"));
  const infer::Term roots[] = {problem.lhs, problem.rhs};
  numeric::Machine<Exact> machine(std::make_shared<const numeric::Program>(roots, expr::DimValues{}));
  const int b = machine.program().variable("B");
  machine.set("A", {{1, 1}, {9}});
  machine.set("B", {{1, 1}, {0}});
  for (int again = 0; again < 2; ++again) {
    BOOST_CHECK(machine.outcome(0) == numeric::Outcome::undefined);
    BOOST_CHECK_THROW(machine.root(0), numeric::Undefined);
  }
  machine.set_entry(b, 0, 3);
  BOOST_CHECK(machine.outcome(0) == numeric::Outcome::needs_reals);
  BOOST_CHECK_THROW(machine.root(0), numeric::NeedsReals);
  BOOST_CHECK(machine.outcome(1) == numeric::Outcome::needs_reals);
  machine.set_entry(b, 0, 1);
  BOOST_CHECK(machine.outcome(0) == numeric::Outcome::value);
  BOOST_TEST(machine.root(0).values.at(0).text() == "4");
  BOOST_TEST(machine.root(1).values.at(0).text() == "0");
}

BOOST_AUTO_TEST_CASE(a_slice_that_leaves_its_tensor_has_no_value) {
  const auto problem = infer::elaborate(read::parse_claim("A: [n, m]; A[:, k:2*k] == 0"));
  numeric::Instance<Exact> instance{{{"n", 1}, {"m", 3}, {"k", 2}}, {{"A", {{1, 3}, {1, 2, 3}}}}};
  BOOST_CHECK_THROW(numeric::evaluate(problem.lhs, instance), numeric::Undefined);
  instance.dims["k"] = 1;
  BOOST_TEST(numeric::evaluate(problem.lhs, instance).values.at(0).text() == "2");
}

}  // namespace foldproof::properties
