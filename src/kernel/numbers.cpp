// SPDX-License-Identifier: MIT
// Bounds of numbers such as exp(-3/2) + log(2), in whole units. Part of the trusted base.
#include "expr/diagnostic.hpp"
#include "kernel/algebra.hpp"

namespace foldproof::kernel {
namespace {

using expr::Function;
using Units = std::int64_t;
__extension__ using Wide = __int128;
constexpr Units unit = Units{1} << 36;

/// a/b for b > 0 as the nearest whole number that is not below it (up), or not above.
Units rounded(Wide a, Wide b, bool up) {
  const Wide q = a / b, r = a % b, whole = q + (up && r > 0 ? 1 : !up && r < 0 ? -1 : 0);
  if (whole > Wide{1} << 62 || whole < -(Wide{1} << 62)) throw expr::LimitReached("a bound of a number does not fit into 64 bits");
  return static_cast<Units>(whole);
}

/// At least exp(q) (up), or at most.
Units exp_of(Units q, bool up) {
  constexpr int terms = 12;
  if (q < 0) return rounded(Wide{unit} * unit, exp_of(-q, !up), up);
  if (2 * q > unit) {
    const Units root = exp_of((q + up) / 2, up);
    return rounded(Wide{root} * root, unit, up);
  }
  Units sum = unit;
  for (int n = terms; n > 0; --n) sum = unit + rounded(Wide{q} * sum, Wide{unit} * n, up);
  return sum + up;  // q <= 1/2, so the rest of the series is less than 2 / 2^13 / 13!, which is less than a unit
}

/// At least log(x) (up), or at most.
Units log_of(Units x, bool up) {
  if (x < unit >> 20 || x > unit << 20) throw expr::LimitReached("a number is too large or too small for bounds of its logarithm");
  Units low = -16 * unit, high = 16 * unit;  // exp(16) > 2^20
  while (high - low > 1) {
    const Units middle = low + (high - low) / 2;
    (exp_of(middle, !up) >= x + !up ? high : low) = middle;
  }
  return up ? high : low;
}

using Bounds = Arena::Bounds;
Bounds product(const Bounds& a, const Bounds& b) {
  const auto [low, high] = std::minmax({Wide{a.low} * b.low, Wide{a.low} * b.high, Wide{a.high} * b.low, Wide{a.high} * b.high});
  return {rounded(low, unit, false), rounded(high, unit, true)};
}
Bounds bounds_of(const Rational& q) { return {rounded(Wide{q.num()} * unit, q.den(), false), rounded(Wide{q.num()} * unit, q.den(), true)}; }

}  // namespace

std::optional<Bounds> Arena::bounds(const Factor& f) const {
  const Atom& a = atom(f.atom);
  const bool exponential = is_function(a, Function::exp), logarithm = is_function(a, Function::log);
  if (!exponential && !logarithm && a.kind != AtomKind::base) return std::nullopt;
  const auto log = [](const std::optional<Bounds>& x) { return x && x->low > 0 ? std::optional(Bounds{log_of(x->low, false), log_of(x->high, true)}) : std::nullopt; };
  auto x = bounds(poly(a.body));
  if (logarithm || (!exponential && !f.exponent.is_one())) {
    auto& known = atom_facts_[static_cast<std::size_t>(f.atom)].logarithm;  // of the body, not of the atom
    x = known = known ? known : log(x);
  }
  if (f.exponent.is_one() && !exponential) return x;
  if (logarithm) x = log(x);  // x^q = exp(q log x)
  if (!x) return std::nullopt;
  const Bounds power = product(bounds_of(f.exponent), *x);
  return Bounds{exp_of(power.low, false), exp_of(power.high, true)};
}

std::optional<Bounds> Arena::bounds(const Poly& p) const {
  Bounds sum;
  for (const Monomial& m : p) {
    if (!m.variables.empty()) return std::nullopt;  // also of a sum of ones
    Bounds term = bounds_of(m.coefficient);
    for (const Factor& f : m.factors) {
      const auto x = bounds(f);
      if (!x) return std::nullopt;
      term = product(term, *x);
    }
    sum = {rounded(Wide{sum.low} + term.low, 1, false), rounded(Wide{sum.high} + term.high, 1, true)};
  }
  return sum;
}

std::optional<Poly> Arena::with_least_numbers(const Poly& p) const {
  Poly less;
  bool any = false;
  try {
    for (const Monomial& m : p) {
      Monomial number{{}, {}, m.coefficient}, rest{m.variables, {}, 1};
      for (const Factor& f : m.factors) (bounds(f) ? number : rest).factors.push_back(f);
      const bool smaller = !number.factors.empty() && monomial_sign(rest, false);
      if (smaller) rest.coefficient = Rational(bounds(Poly{number})->low, unit);
      less.push_back(smaller ? rest : m);
      any = any || smaller;
    }
  } catch (const expr::LimitReached&) {
    return std::nullopt;
  }
  return any ? std::optional(collect(std::move(less))) : std::nullopt;
}

}  // namespace foldproof::kernel
