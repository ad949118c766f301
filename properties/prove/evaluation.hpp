// SPDX-License-Identifier: MIT
// Ways to see that a claim is false, none of which shares anything with the prover or the kernel: random instances of sizes
// 1 to 4, the prime field at sizes that are large enough, and a short search for a counterexample.
#pragma once

#include <cmath>

#include "numeric/evaluate.hpp"
#include "numeric/exact.hpp"
#include "numeric/undefined.hpp"
#include "properties_random.hpp"
#include "refute/identity_test.hpp"
#include "refute/refute.hpp"

namespace foldproof::properties {

/// Sizes of 1 to 4 and entries that are multiples of 1/8 from -1 to 1.
inline numeric::Instance<numeric::Exact> random_instance(const infer::Problem& p, std::uint64_t seed) {
  numeric::Instance<numeric::Exact> instance;
  std::uint64_t count = 0;
  for (const auto& name : p.dimensions) instance.dims[name] = 1 + static_cast<std::int64_t>(hashed({seed, count++}) % 4);
  for (const auto& v : p.variables) {
    numeric::Tensor<numeric::Exact> t;
    for (const auto& d : v.shape) t.shape.push_back(expr::evaluate(d, instance.dims));
    for (std::int64_t k = 0; k < numeric::entries(t.shape); ++k) t.values.push_back(numeric::Exact(numeric::Rational(static_cast<std::int64_t>(hashed({seed, count++}) % 17) - 8, 8)));
    instance.values[v.name] = std::move(t);
  }
  return instance;
}

/// Whether the sides can be evaluated quickly at sizes of 4: claims about large fixed sizes cannot.
inline bool is_small(const infer::Problem& p) {
  expr::DimValues dims;
  for (const auto& name : p.dimensions) dims[name] = 4;
  const infer::Term sides[] = {p.lhs, p.rhs};
  try {
    return numeric::Program(sides, dims).work() < 1'000'000;
  } catch (const numeric::Undefined&) {
  } catch (const expr::LimitReached&) {
  }
  return false;
}

/// Whether the sides are clearly different at a random instance: in doubles, and then exactly or in disjoint enclosures.
/// Requires: no assumptions.
inline bool instance_differs(const infer::Problem& p, std::uint64_t seed) {
  try {
    const auto exact = random_instance(p, seed);
    numeric::Instance<double> rounded{exact.dims, {}};
    for (const auto& [name, tensor] : exact.values) rounded.values[name] = numeric::converted<double>(tensor, [](const numeric::Exact& x) { return x.to_double(); });
    const auto lhs = numeric::evaluate(p.lhs, rounded), rhs = numeric::evaluate(p.rhs, rounded);
    const auto entry = [](const numeric::Tensor<double>& t, std::size_t k) { return t.values[t.values.size() == 1 ? 0 : k]; };  // a scalar is compared with every entry
    double largest = 1;
    for (const double x : lhs.values) largest = std::max(largest, std::abs(x));
    for (std::size_t k = 0; largest < 1e6 && k < std::max(lhs.values.size(), rhs.values.size()); ++k) {
      const double x = entry(lhs, k), y = entry(rhs, k);
      if (std::isfinite(x) && std::isfinite(y) && std::abs(x - y) > 1e-5 * largest) return refute::verify(p, exact).has_value();
    }
  } catch (const numeric::Undefined&) {
  } catch (const expr::LimitReached&) {
  }
  return false;
}

/// A search for a counterexample that keeps to the assumptions; its length in scalar operations.
inline bool search_refutes(const infer::Problem& p, std::uint64_t seed, std::int64_t operations = 200'000) {
  try {
    return refute::refute(p, {.seed = seed, .shapes = 12, .draws = 2, .screening = operations, .operations = operations}).end == refute::End::refuted;
  } catch (const expr::LimitReached&) {
    return false;
  }
}

/// Whether evaluation shows the claim to be false. False says nothing.
inline bool evaluation_contradicts(const infer::Problem& p, std::uint64_t seed) {
  if (!is_small(p)) return false;
  const bool free_equation = p.relation == expr::Relation::equal && p.facts.empty();
  for (std::uint64_t trial = 0; free_equation && trial < 4; ++trial) {
    if (instance_differs(p, hashed({seed, trial}))) return true;
  }
  return refute::identity_test(p, seed, 1) == refute::Identity::different || (!free_equation && search_refutes(p, seed, 20'000));
}

}  // namespace foldproof::properties
