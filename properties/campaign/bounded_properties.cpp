// SPDX-License-Identifier: MIT
// The bounds of bounded.hpp enclose: the exact value of every side, by the exact evaluator or by enclosures, lies within the
// bound of the computed value, in every format and for every operator tried. A bound that is made smaller on purpose is caught.
#include <rapidcheck/boost_test.h>

#include <boost/test/unit_test.hpp>

#include "campaign/bounded.hpp"
#include "campaign/sides.hpp"
#include "claims.hpp"
#include "numeric/assume.hpp"
#include "numeric/evaluate.hpp"

namespace foldproof::properties {
namespace {

using campaign::Bounded;
using numeric::Exact;
using numeric::Interval;
using numeric::Rational;

/// One expression for every rule of the machine, and some that only the definition can run.
const char* const expressions[] = {
    "(X @ A) @ B",
    "(Y @ X.T) @ (X @ A) @ B @ B.T",
    "(X @ A).T @ relu(Y @ A) @ B",
    "X @ A + u",
    "(X * 3 - Y) / 7",
    "relu(X @ A) @ B",
    "rowsum(X * Y) - colsum(X).T @ ones(1, 1)",
    "concat(X, Y) @ vstack(A, A)",
    "softmax(X @ A)",
    "softmax(X, axis=0)",
    "softmax1(X)",
    "log_softmax(X)",
    "lse(X)",
    "rmsnorm(X, 1/8)",
    "layernorm(X, 1/8)",
    "rms(X, 1/8)",
    "exp(X) + log(exp(Y))",
    "sigmoid(X) * tanh(Y)",
    "gelu(X)",
    "gelu_tanh(X)",
    "silu(X)",
    "softplus(X)",
    "sqrt(X * X + 1/2)",
    "rsqrt(X * X + 1/2)",
    "maximum(X, Y) - minimum(X, Y)",
    "sin(X) + cos(Y)",
    "l2norm(X + 2)",
    "max(X)",
    "inv(A.T @ A + 4 * eye(b))",
    "softmax(X + neginf(M))",
    "mean(X)",
    "leaky_relu(X) ** 3",
    "X.T[0] + 1/3",
    "trace(A @ A.T)",
    "frob2(X)",
    "kron(X, Y)",
};

/// A problem whose left side is the expression; n, a, b as in X: [n, a], A: [a, b].
infer::Problem problem_of(const std::string& expression) {
  std::string used;
  for (const char* v : {"X: [n, a]; ", "Y: [n, a]; ", "A: [a, b]; ", "B: [b, c]; ", "u: [1, b]; ", "M: [n, a]; assume mask01(M); "}) {
    if (expression.find(v[0]) != std::string::npos) used += v;
  }
  std::string text = expression;
  if (expression == expressions[6]) text = "rowsum(X * Y) - colsum(X) @ ones(a, 1)";
  return problem(used + text + " == 0");
}

/// Whether the exact value may lie within the bound of the computed one.
bool enclosed(double value, double error, const Interval& exact) {
  if (exact.is_negative_infinity()) return value < 0 && std::isinf(value);
  if (!(error < campaign::infinity)) return true;
  const double rounding = std::abs(value) * 0x1p-53 + 1e-300;  // of the sums here
  return exact.lower() - error <= value + rounding && exact.upper() + error >= value - rounding;
}
bool enclosed(double value, double error, const Exact& exact) {
  if (!(error < campaign::infinity)) return true;
  if (exact.is_negative_infinity()) return value < 0 && std::isinf(value);
  return numeric::related(abs(exact - Exact(Rational::from_double(value))), expr::Relation::less_equal, Exact(Rational::from_double(error)));
}

template <class T, class Number>
void check(const infer::Problem& p, const expr::DimValues& dims, const campaign::Values& values, const numeric::FormatInfo& format, campaign::Bounds bounds,
           double shrink, int& outside, int& finite) {
  const infer::Term roots[] = {p.lhs};
  campaign::BoundedMachine<T> machine(std::make_shared<const numeric::Program>(roots, dims), format);
  numeric::Instance<Number> instance{dims, {}};
  std::map<std::string, campaign::BoundedTensor<T>> rounded;
  for (const auto& [name, tensor] : values) {
    campaign::round_to(format, tensor, rounded[name]);
    machine.set(machine.step_of(name), rounded[name]);
    instance.values[name] = numeric::converted<Number>(tensor, [](double v) {
      if constexpr (std::is_same_v<Number, Exact>) {
        return Exact(Rational::from_double(v));
      } else {
        return Interval(v);
      }
    });
  }
  const auto exact = numeric::evaluate(p.lhs, instance);
  machine.want(bounds);
  const auto& computed = machine.run();
  RC_ASSERT(computed.shape == exact.shape);
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const Bounded<T> entry = computed.at(i);
    finite += entry.error < campaign::infinity;
    outside += !enclosed(static_cast<double>(entry.value), entry.error * shrink, exact.values[i]);
  }
}

/// Entries outside of their bounds, times `shrink`, over all formats, and the number of entries that have bounds.
std::pair<int, int> entries_outside(const std::string& expression, std::uint64_t seed, std::int64_t index, double shrink) {
  const infer::Problem p = problem_of(expression);
  const campaign::Sampler sampler(p, seed, expression);
  const auto dims = sampler.sizes(index / campaign::cases_per_shape, true);
  int outside = 0, finite = 0;
  for (const auto& format : numeric::formats) {
    const auto values = sampler.values(index, *dims, {&format, 0, false});
    try {
      const auto run = [&](auto number) {
        using Number = decltype(number);
        for (const auto bounds : {campaign::Bounds::entries, campaign::Bounds::norms}) {
          if (format.arithmetic == 53) check<double, Number>(p, *dims, *values, format, bounds, shrink, outside, finite);
          if (format.arithmetic == 24) check<float, Number>(p, *dims, *values, format, bounds, shrink, outside, finite);
          if (format.arithmetic == 11) check<campaign::Float16, Number>(p, *dims, *values, format, bounds, shrink, outside, finite);
          if (format.arithmetic == 8) check<campaign::BFloat16, Number>(p, *dims, *values, format, bounds, shrink, outside, finite);
        }
      };
      try {
        run(Exact());
      } catch (const numeric::NeedsReals&) {
        run(Interval());
      }
    } catch (const numeric::Undefined&) {
    }
  }
  return {outside, finite};
}

}  // namespace

RC_BOOST_PROP(every_rule_encloses_the_exact_value, ()) {
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  const auto index = *rc::gen::inRange<std::int64_t>(0, 16 * 40);
  const std::string expression = expressions[*rc::gen::inRange<std::size_t>(0, std::size(expressions))];
  RC_LOG() << expression;
  RC_ASSERT(entries_outside(expression, numeric::mix(seed, "enclose"), index, 1).first == 0);
}

BOOST_AUTO_TEST_CASE(each_rule_encloses_and_bounds_most_entries) {
  for (const std::string expression : expressions) {
    int outside = 0, finite = 0;
    for (std::int64_t index = 0; index < 48; ++index) {
      const auto [more_outside, more_finite] = entries_outside(expression, 5, index, 1);
      outside += more_outside;
      finite += more_finite;
    }
    BOOST_TEST(outside == 0, expression);
    BOOST_TEST(finite > 48, expression);
  }
}

/// The check above can fail: a bound 20 times too small does not enclose.
BOOST_AUTO_TEST_CASE(a_bound_made_too_small_is_caught) {
  int outside = 0;
  for (std::int64_t index = 0; index < 32; ++index)
    outside += entries_outside("(X @ A) @ B", 5, index, 0.05).first + entries_outside("softmax(X @ A)", 5, index, 0.05).first;
  BOOST_TEST(outside > 20);
}

RC_BOOST_PROP(scalar_functions_enclose, ()) {
  const numeric::Stream stream(numeric::mix(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()), "scalar"), 3);
  for (std::uint64_t k = 0; k < 50; ++k) {
    const double v = std::ldexp(numeric::dyadic(stream.draw(k, 0), 24), static_cast<int>(numeric::uniform_integer(stream.draw(k, 1), -6, 5)));
    const double e = std::abs(v) * std::ldexp(1.0, -static_cast<int>(numeric::uniform_integer(stream.draw(k, 2), 2, 40)));
    const double x = v + e * numeric::dyadic(stream.draw(k, 3), 20);  // the exact argument
    const Bounded<float> a(static_cast<float>(v), campaign::up(e), 0);
    const auto holds = [](const Bounded<float>& c, double exact) { return std::abs(static_cast<double>(c.value) - exact) <= c.error * (1 + 1e-9) + 1e-300; };
    RC_ASSERT(holds(exp(a), std::exp(x)));
    RC_ASSERT(holds(sin(a), std::sin(x)));
    RC_ASSERT(holds(cos(a), std::cos(x)));
    RC_ASSERT(holds(normal_cdf(a), numeric::normal_cdf(x)));
    RC_ASSERT(holds(sigmoid(a), 1 / (1 + std::exp(-x))));
    const Bounded<float> far(static_cast<float>(v - 90), campaign::up(e), 0);  // where exp(-v) may be too large for the format
    RC_ASSERT(holds(sigmoid(far), 1 / (1 + std::exp(-(static_cast<double>(far.value) + (x - v))))));
    RC_ASSERT(sigmoid(far).error < 1e-20);
    RC_ASSERT(holds(a * a, x * x));
    RC_ASSERT(holds(pow(a, 3), x * x * x));
    RC_ASSERT(holds(pow(a, -1), 1 / x));
    if (v > 0) RC_ASSERT(holds(log(a), std::log(x)));
    if (v > 0) RC_ASSERT(holds(pow(a, expr::Rational(-1, 2)), 1 / std::sqrt(x)));
    if (v > 0) RC_ASSERT(holds(pow(a, expr::Rational(3, 2)), x * std::sqrt(x)));
  }
}

BOOST_AUTO_TEST_CASE(overflow_and_poles_have_no_bound) {
  const Bounded<float> large(3e38F, 0, 0);
  BOOST_TEST((large * large).error == campaign::infinity);
  BOOST_TEST((large + large).error == campaign::infinity);
  BOOST_TEST(exp(Bounded<float>(100.0F, 0, 0)).error == campaign::infinity);
  BOOST_TEST(pow(Bounded<float>(0.5F, 1, 0), -1).error == campaign::infinity);
  BOOST_TEST(log(Bounded<float>(0.5F, 1, 0)).error == campaign::infinity);
  BOOST_TEST((Bounded<float>::negative_infinity() * Bounded<float>(0)).error == campaign::infinity);
  BOOST_TEST((Bounded<float>::negative_infinity() + large).is_masked());
  BOOST_TEST(exp(Bounded<float>::negative_infinity()).value == 0);
  BOOST_CHECK_THROW(pow(Bounded<float>(0), -1), numeric::Undefined);
}

}  // namespace foldproof::properties
